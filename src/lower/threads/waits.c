#include "lower/threads/waits.h"

#include "base/vec.h"
#include "program/program.h"
#include "tree/visit.h"

/* A loop in threads, or what one thread runs, of a region: by array, what it does to those that the threads share. */
struct work {
    bool *reads, *writes;
    bool nowait;
    bool leads_on; /* other work may follow, and this one waits for nobody */
};

struct waits {
    struct arena *arena;
    const struct program *program;
    VEC(struct work) work; /* in the order of the text */
    VEC(bool) runs;        /* by loop around work, in the order of the text: for one iteration at least */
    bool *before;          /* by work: done by a thread that has not waited since, at the place looked at */
    int next, next_loop;   /* numbers of the next work and the next loop on the way */
    bool conflict;
};

static bool is_work(const struct node *node)
{
    return node->kind == NODE_SINGLE || node_is_parallel(node);
}

/* The arrays that work touches. */
struct touching {
    const struct program *program;
    struct work *work;
};

static void note(const struct program *program, const struct array *array, bool *list)
{
    if (array)
        list[array - program->array] = true;
}

static void note_load(const struct tree_expr *expr, void *user)
{
    const struct touching *touching = user;

    note(touching->program, expr->element.array, touching->work->reads);
}

static void note_node(const struct node *node, void *user)
{
    const struct touching *touching = user;

    if (node->kind == NODE_ASSIGN)
        note(touching->program, node->target.array, touching->work->writes);
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], note_load, user);
    tree_expr_for_each(node->value, note_load, user);
    tree_expr_for_each(node->guard_value, note_load, user);
    if (node->vector)
        tree_expr_for_each(node->vector->active, note_load, user);
}

/* Each thread has those for itself. */
static void forget_own(const struct node *node, void *user)
{
    const struct touching *touching = user;
    const struct array *const *lists[] = {node->local, node->own, &node->target.array};
    const int n[] = {node->n_local, node->n_own, node->kind == NODE_ASSIGN && node->declares != DECLARE_NOTHING};

    for (int list = 0; list < 3; list++)
        for (int k = 0; k < n[list]; k++) {
            const int64_t at = lists[list][k] - touching->program->array;
            touching->work->reads[at] = touching->work->writes[at] = false;
        }
}

static void add_work(struct waits *waits, const struct node *node)
{
    const int n = waits->program->n_array + 1;
    struct work work = {ARENA_ARRAY(waits->arena, n, bool), ARENA_ARRAY(waits->arena, n, bool), false, false};
    struct touching touching = {waits->program, &work};

    node_for_each(node, note_node, &touching);
    node_for_each(node, forget_own, &touching);
    VEC_PUSH(waits->arena, &waits->work, work);
}

static bool runs_once(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *extent =
        loop->step > 0 ? affine_sub(arena, loop->upper, loop->lower) : affine_sub(arena, loop->lower, loop->upper);

    return extent && facts_imply(facts, extent);
}

static void find_work(struct waits *waits, const struct facts *facts, const struct node *node)
{
    if (is_work(node)) {
        add_work(waits, node);
        return;
    }
    if (node->kind == NODE_LOOP)
        VEC_PUSH(waits->arena, &waits->runs, runs_once(facts, node));
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        find_work(waits, &inside, node->child[k]);
    }
}

static bool conflicts(const struct waits *waits, const struct work *a, const struct work *b)
{
    for (int k = 0; k < waits->program->n_array; k++)
        if ((a->writes[k] && (b->reads[k] || b->writes[k])) || (a->reads[k] && b->writes[k]))
            return true;
    return false;
}

/* A thread comes to the next work. */
static void pass_work(struct waits *waits)
{
    const int at = waits->next++;
    const struct work *work = &waits->work.at[at];

    for (int k = 0; k < waits->work.n; k++) {
        if (!waits->before[k])
            continue;
        waits->work.at[k].leads_on = true;
        waits->conflict |= conflicts(waits, &waits->work.at[k], work);
        waits->before[k] = work->nowait;
    }
    waits->before[at] = work->nowait;
}

static void pass(struct waits *waits, const struct node *node);

static bool *copied(struct waits *waits, const bool *list)
{
    bool *copy = ARENA_ARRAY(waits->arena, waits->work.n + 1, bool);

    memcpy(copy, list, (size_t)waits->work.n);
    return copy;
}

/* One of the children runs; or none, where that may be. */
static void pass_one(struct waits *waits, const struct node *node, bool or_none)
{
    bool *const entry = waits->before, *left = ARENA_ARRAY(waits->arena, waits->work.n + 1, bool);

    for (int k = 0; k < node->n_child; k++) {
        waits->before = copied(waits, entry);
        pass(waits, node->child[k]);
        for (int w = 0; w < waits->work.n; w++)
            left[w] |= waits->before[w];
    }
    for (int w = 0; w < waits->work.n; w++)
        left[w] |= or_none && entry[w];
    waits->before = left;
}

/* What an iteration leaves behind meets the next one. */
static void pass_loop(struct waits *waits, const struct node *loop)
{
    const int first = waits->next, first_loop = waits->next_loop + 1;
    const bool runs = waits->runs.at[waits->next_loop];

    for (int round = 0; round < 2; round++) {
        waits->next = first;
        waits->next_loop = first_loop;
        pass_one(waits, loop, round > 0 || !runs);
    }
}

/* The way of a thread through node. */
static void pass(struct waits *waits, const struct node *node)
{
    if (is_work(node))
        pass_work(waits);
    else if (node->kind == NODE_LOOP)
        pass_loop(waits, node);
    else if (node->kind == NODE_IF || node->kind == NODE_SWITCH)
        pass_one(waits, node, node->kind == NODE_SWITCH || node->n_child == 1);
    else
        for (int k = 0; k < node->n_child; k++)
            pass(waits, node->child[k]);
}

/* Do the threads meet no conflict when they wait only where that is noted? */
static bool is_enough(struct waits *waits, const struct node *body)
{
    waits->before = ARENA_ARRAY(waits->arena, waits->work.n + 1, bool);
    waits->next = waits->next_loop = 0;
    waits->conflict = false;
    pass(waits, body);
    return !waits->conflict;
}

static const struct node *marked(struct waits *waits, const struct node *node)
{
    const struct node **child;

    if (is_work(node)) {
        const struct work *work = &waits->work.at[waits->next++];
        struct node *copy = ARENA_NEW(waits->arena, struct node);
        *copy = *node;
        copy->nowait = work->nowait && work->leads_on;
        return copy;
    }
    child = ARENA_ARRAY(waits->arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = marked(waits, node->child[k]);
    return node_with_children(waits->arena, node, child);
}

const struct node *waits_mark(const struct facts *facts, const struct node *body)
{
    struct waits waits = {.arena = facts->lowering->arena, .program = facts->lowering->program};

    find_work(&waits, facts, body);
    for (int k = 0; k < waits.work.n; k++) {
        waits.work.at[k].nowait = true;
        waits.work.at[k].nowait = is_enough(&waits, body);
    }
    waits.next = 0;
    return marked(&waits, body);
}
