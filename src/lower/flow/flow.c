#include "lower/flow/flow.h"

#include "lower/flow/flow_described.h"
#include "lower/flow/flow_least.h"
#include "lower/flow/flow_sizes.h"
#include "lower/flow/flow_tree.h"
#include "tree/visit.h"

#include <string.h>

enum {
    STEPS = 100000,
    STEPS_A_NODE = 2000,
    MOST_STEPS = 2000000,
    KERNEL_STEPS = 200000,  /* for kernels, besides */
    TENSOR_STEPS = 4000000, /* for matrix instructions */
    ALONE_STEPS = 200000,   /* where no look came to its end */
    MOST_DIMS = 16,
};

struct checking {
    const struct program *described, *laid_out;
    const struct vars *vars;
    const struct node *tree;
    int64_t steps;     /* left */
    bool wraps;        /* the algebra's */
    bool narrowed;     /* the algebra's */
    bool looked;       /* some look came to its end */
    int compared;      /* number of looks in which the nests did, too */
    struct text found; /* what is wrong */
};

/* "C[1, 2]": the element at the position. */
static void name_element(struct text *out, const struct space *space, int64_t position)
{
    const int n_dim = space->array->n_dim;
    int64_t index[MOST_DIMS] = {0}, n = 1;

    for (int k = 0; k < n_dim && k < MOST_DIMS; k++)
        n *= space->extent[k];
    for (int64_t number = 0; number < n && n_dim <= MOST_DIMS; number++) {
        int64_t rest = number;
        for (int k = n_dim - 1; k >= 0; rest /= space->extent[k--])
            index[k] = rest % space->extent[k];
        if (flow_position_in(space, index) != position)
            continue;
        text_addf(out, "%s%s", space->array->name, n_dim ? "[" : "");
        for (int k = 0; k < n_dim; k++)
            text_addf(out, "%s%lld", k ? ", " : "", (long long)index[k]);
        text_add(out, n_dim ? "]" : "");
        return;
    }
    text_addf(out, "%s at position %lld", space->array->name, (long long)position);
}

static void add_parameters(struct text *out, const struct program *program, const int64_t *param)
{
    for (int k = 0; k < program->n_param; k++)
        text_addf(out, "%s%s = %lld", k ? ", " : " at ", program->param[k].name, (long long)param[k]);
}

static void note(struct checking *checking, const int64_t *param, const char *what)
{
    text_truncate(&checking->found, 0);
    add_parameters(&checking->found, checking->described, param);
    text_addf(&checking->found, ": %s", what);
}

/* An element that holds something else than it should. */
static void note_element(struct checking *checking, const int64_t *param, const struct space *wanted,
                         struct space *found, int64_t position)
{
    const struct statement *writer = found->cell ? found->cell[position].writer : NULL;
    struct text what = {0};

    name_element(&what, wanted, position);
    text_add(&what, " is made of something else than the nests make it of; ");
    if (writer)
        text_addf(&what, "written last by %s", writer->label);
    else
        text_add(&what, "nothing writes it");
    note(checking, param, text_str(&what));
    text_free(&what);
}

static bool same_array(struct checking *checking, struct flow *nests, struct flow *loops, int number)
{
    const struct space *wanted = &nests->space[number];
    struct space *found = NULL;

    for (int k = 0; k < loops->program->n_array; k++)
        if (strcmp(loops->program->array[k].name, wanted->array->name) == 0)
            found = &loops->space[k];
    if (!found || found->n != wanted->n)
        return true;
    for (int64_t position = 0; position < wanted->n; position++) {
        const struct term want = flow_look(nests, wanted, position);
        if (want.kind == TERM_POISON || flow_term_same(want, flow_look(loops, found, position)))
            continue;
        note_element(checking, nests->param, wanted, found, position);
        return false;
    }
    return true;
}

static bool is_result(const struct array *array)
{
    return array->role == ROLE_OUT || array->role == ROLE_INOUT;
}

static bool same_results(struct checking *checking, struct flow *nests, struct flow *loops)
{
    for (int k = 0; k < checking->described->n_array; k++)
        if (is_result(&checking->described->array[k]) && !same_array(checking, nests, loops, k))
            return false;
    return true;
}

/* Do the loops agree with the nests, if those have run, and with themselves? What could not be run to its end says
 * nothing of results. */
static bool agree(struct checking *checking, struct flow *nests, struct arena *arena, bool backward, bool have_run)
{
    struct flow loops;
    bool same = true;

    flow_begin(&loops, arena, checking->laid_out, nests->param, checking->steps / 2);
    loops.algebra.permit = nests->algebra.permit;
    loops.algebra.wraps = checking->wraps;
    loops.algebra.narrowed = &checking->narrowed;
    loops.given = nests->given;
    loops.n_given = nests->n_given;
    flow_run_tree(&loops, checking->vars, checking->tree, backward);
    checking->steps -= checking->steps / 2 - loops.steps;
    if (loops.end == FLOW_WRONG)
        note(checking, nests->param, loops.why);
    else if (loops.end == FLOW_GOES_ON && have_run)
        same = same_results(checking, nests, &loops);
    checking->compared += loops.end == FLOW_GOES_ON && have_run && same;
    checking->looked |= loops.end == FLOW_GOES_ON;
    same = same && loops.end != FLOW_WRONG;
    flow_free(&loops);
    return same;
}

static bool same_at(struct checking *checking, const int64_t *param, bool backward, bool wraps)
{
    struct arena *arena;
    struct flow nests;
    bool same = true;

    if (flow_takes_more(checking->described, param, checking->steps / 3))
        return true;
    arena = arena_new();
    flow_begin(&nests, arena, checking->described, param, checking->steps / 3);
    nests.algebra.wraps = checking->wraps = wraps;
    nests.algebra.narrowed = &checking->narrowed;
    flow_choose_subscripts(&nests, checking->tree);
    flow_run_described(&nests);
    checking->steps -= checking->steps / 3 - nests.steps;
    if (nests.end == FLOW_GOES_ON)
        same = agree(checking, &nests, arena, backward, true);
    flow_free(&nests);
    arena_free(arena);
    return same;
}

/* Is nothing wrong with the loops alone, as far as steps go: races, places outside of arrays, waits that not all
 * threads come to? */
static bool right_alone(struct checking *checking, const int64_t *param)
{
    struct arena *arena = arena_new();
    struct flow nests;
    bool right = true;

    checking->steps = ALONE_STEPS;
    flow_begin(&nests, arena, checking->described, param, checking->steps / 3);
    nests.algebra.narrowed = &checking->narrowed;
    flow_choose_subscripts(&nests, checking->tree);
    if (nests.end == FLOW_GOES_ON)
        right = agree(checking, &nests, arena, false, false);
    flow_free(&nests);
    arena_free(arena);
    return right;
}

/* May a step have broken what orders the values? */
static bool is_unsafe(const struct program *program)
{
    for (int k = 0; k < program->n_schedule; k++)
        if (program->schedule[k].unsafe)
            return true;
    for (int k = 0; k < program->n_plan; k++)
        if (program->plan[k].unsafe)
            return true;
    return false;
}

static void find_device(const struct node *node, void *user)
{
    int64_t *besides = user;

    if (node->kind == NODE_KERNEL && *besides < KERNEL_STEPS)
        *besides = KERNEL_STEPS;
    if (node->tensor || node->tile)
        *besides = TENSOR_STEPS;
}

/* In all. What is made for a device takes longer to make, and has many threads. */
static int64_t steps_for(const struct node *tree)
{
    const int64_t steps = STEPS + (int64_t)STEPS_A_NODE * node_count(tree);
    int64_t besides = 0;

    node_for_each(tree, find_device, &besides);
    return (steps < MOST_STEPS ? steps : MOST_STEPS) + besides;
}

static bool is_narrow(enum type type)
{
    return !type_is_float(type) && type != TYPE_NONE && type != TYPE_BOOL && type_bits(type) < 32;
}

static void find_narrow(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= is_narrow(expr->type);
}

static void find_narrow_lanes(const struct node *node, void *user)
{
    if (node->vector && node->value)
        tree_expr_for_each(node->value, find_narrow, user);
}

/* Only where lanes have fewer bits than the nests compute with, or known numbers wrapped around, may numbers be what is
 * left of larger ones. */
static bool has_narrow_lanes(const struct node *tree)
{
    bool found = false;

    node_for_each(tree, find_narrow_lanes, &found);
    return found;
}

static bool agree_everywhere(struct checking *checking, const flow_sizes *sizes)
{
    const bool narrow = has_narrow_lanes(checking->tree);

    for (int k = 0; k < sizes->n && checking->steps > 0; k++)
        if (!same_at(checking, sizes->at[k], k % 2, false) &&
            !((narrow || checking->narrowed) && same_at(checking, sizes->at[k], k % 2, true)))
            return false;
    return checking->looked || sizes->n == 0 || right_alone(checking, sizes->at[0]);
}

enum status flow_check(struct arena *arena, const struct program *described, const struct program *laid_out,
                       const struct vars *vars, const struct node *tree, struct diags *diags, int *compared)
{
    struct checking checking = {described, laid_out, vars, tree, .steps = steps_for(tree)};
    bool agree;

    *compared = 0;
    if (is_unsafe(described))
        return STATUS_OK;
    const flow_sizes sizes = flow_choose_sizes(arena, described, vars, tree);
    agree = agree_everywhere(&checking, &sizes);
    *compared = checking.compared;
    if (!agree)
        diag_error(diags, "internal", described->name_place, "internal error: values' flow%s",
                   text_str(&checking.found));
    text_free(&checking.found);
    return agree ? STATUS_OK : STATUS_ENVIRONMENT;
}
