#include "lower/flow/flow_team.h"

#include "tree/visit.h"

#include <stdlib.h>

/* Threads that are at one place of the tree: their numbers, rising. */
struct crew {
    struct tree_run *run;
    struct team *team;
    const int *number;
    int n;
};

static bool waits_itself(const struct node *node)
{
    switch (node->kind) {
    case NODE_BARRIER:
        return !node->lone;
    case NODE_FENCE:
        return node->waits;
    case NODE_SINGLE:
        return !node->nowait;
    case NODE_ASSIGN:
        return node->warp_sum != NULL;
    default:
        return node_is_parallel(node) && node->threads->shared && !node->nowait;
    }
}

struct finding {
    struct arena *arena;
    VEC(const struct node *) found;
};

static bool find_waits(struct finding *finding, const struct node *node)
{
    bool waits = waits_itself(node);

    for (int k = 0; k < node->n_child; k++)
        waits |= find_waits(finding, node->child[k]);
    if (waits)
        VEC_PUSH(finding->arena, &finding->found, node);
    return waits;
}

static int compare_nodes(const void *pa, const void *pb)
{
    const struct node *const *a = pa, *const *b = pb;

    return ((uintptr_t)*a > (uintptr_t)*b) - ((uintptr_t)*a < (uintptr_t)*b);
}

void flow_team_find_waits(struct tree_run *run, const struct node *tree)
{
    struct finding finding = {.arena = run->flow->arena};

    find_waits(&finding, tree);
    if (finding.found.n > 0)
        qsort(finding.found.at, (size_t)finding.found.n, sizeof(*finding.found.at), compare_nodes);
    run->waiting = finding.found.at;
    run->n_waiting = finding.found.n;
}

static bool has_wait(const struct tree_run *run, const struct node *node)
{
    return run->n_waiting > 0 &&
           bsearch(&node, run->waiting, (size_t)run->n_waiting, sizeof(*run->waiting), compare_nodes) != NULL;
}

void flow_team_wait(struct team *team, struct flow *flow)
{
    flow_new_epoch(flow, team->launch, team->block);
    for (int k = 0; k < team->n; k++)
        team->thread[k].moment.epoch = (uint32_t)flow->epoch.n - 1;
}

static bool goes_on(const struct crew *crew)
{
    return crew->run->flow->end == FLOW_GOES_ON;
}

static struct thread *thread_at(const struct crew *crew, int k)
{
    return &crew->team->thread[crew->number[k]];
}

/* The thread that comes k-th. */
static struct thread *in_order(const struct crew *crew, int k)
{
    return thread_at(crew, crew->run->backward ? crew->n - 1 - k : k);
}

static void wait_for_all(const struct crew *crew)
{
    for (int t = 0; t < crew->n; t++)
        flow_meet(thread_at(crew, t));
    if (crew->n != crew->team->n)
        flow_end(crew->run->flow, FLOW_WRONG, "not all threads come to a wait");
    flow_team_wait(crew->team, crew->run->flow);
}

static void run_together(const struct crew *crew, const struct node *node);

/* Of crew those that `among` says. */
static struct crew those(const struct crew *crew, const bool *among)
{
    int *number = ARENA_ARRAY(crew->run->flow->arena, crew->n + 1, int);
    struct crew some = *crew;

    some.number = number;
    some.n = 0;
    for (int k = 0; k < crew->n; k++)
        if (among[k])
            number[some.n++] = crew->number[k];
    return some;
}

static struct space ***declare_each(const struct crew *crew, const struct node *node)
{
    struct space ***before = ARENA_ARRAY(crew->run->flow->arena, crew->n + 1, struct space **);

    for (int k = 0; k < crew->n; k++)
        before[k] = flow_declare_all(thread_at(crew, k), node);
    return before;
}

static void undeclare_each(const struct crew *crew, const struct node *node, struct space ***before)
{
    for (int k = 0; k < crew->n; k++)
        flow_undeclare(thread_at(crew, k), node, before[k]);
}

/* The children from `first` on that have no wait inside: each thread runs all of them. Returns where they end. */
static int run_apart(const struct crew *crew, const struct node *block, int first)
{
    int end = first;

    while (end < block->n_child && !has_wait(crew->run, block->child[end]))
        end++;
    for (int t = 0; t < crew->n; t++)
        for (int k = first; k < end && goes_on(crew); k++)
            flow_child(in_order(crew, t), block, k);
    return end;
}

static void run_block(const struct crew *crew, const struct node *block)
{
    struct space ***before = declare_each(crew, block);

    for (int k = 0; k < block->n_child && goes_on(crew);) {
        k = run_apart(crew, block, k);
        if (k < block->n_child)
            run_together(crew, block->child[k++]);
    }
    undeclare_each(crew, block, before);
}

/* Iteration k of the loop, by the threads whose loop has more than k iterations. */
static bool run_iteration(const struct crew *crew, const struct node *loop, const struct iterations *iterations,
                          int64_t k, bool *among)
{
    struct space ***before;
    struct crew some;

    for (int t = 0; t < crew->n; t++)
        among[t] = k < iterations[t].n;
    some = those(crew, among);
    for (int t = 0; t < crew->n; t++)
        if (among[t])
            flow_bind_iteration(thread_at(crew, t), loop, &iterations[t], k);
    if (some.n == 0)
        return false;
    before = declare_each(&some, loop);
    run_together(&some, loop->child[0]);
    undeclare_each(&some, loop, before);
    return true;
}

static void run_loop(const struct crew *crew, const struct node *loop)
{
    struct arena *arena = crew->run->flow->arena;
    struct iterations *iterations = ARENA_ARRAY(arena, crew->n + 1, struct iterations);
    bool *among = ARENA_ARRAY(arena, crew->n + 1, bool);

    for (int t = 0; t < crew->n; t++)
        iterations[t] = flow_iterations(thread_at(crew, t), loop);
    for (int64_t k = 0; goes_on(crew) && run_iteration(crew, loop, iterations, k, among); k++)
        continue;
}

/* The work that threads share. */
static void run_work(const struct crew *crew, const struct node *node)
{
    for (int t = 0; t < crew->n && goes_on(crew); t++)
        flow_node(in_order(crew, t), node);
    wait_for_all(crew);
}

static void run_if(const struct crew *crew, const struct node *node)
{
    bool *takes = ARENA_ARRAY(crew->run->flow->arena, crew->n + 1, bool);
    struct crew some;

    for (int t = 0; t < crew->n; t++)
        takes[t] = flow_takes(thread_at(crew, t), node);
    some = those(crew, takes);
    if (some.n > 0)
        run_together(&some, node->child[0]);
    for (int t = 0; t < crew->n; t++)
        takes[t] = !takes[t];
    some = those(crew, takes);
    if (some.n > 0 && node->n_child > 1)
        run_together(&some, node->child[1]);
}

static void run_switch(const struct crew *crew, const struct node *node)
{
    bool *takes = ARENA_ARRAY(crew->run->flow->arena, crew->n + 1, bool);

    for (int k = 0; k < node->n_child && goes_on(crew); k++) {
        struct crew some;
        for (int t = 0; t < crew->n; t++)
            takes[t] = flow_affine(thread_at(crew, t), node->lower) == node->label[k];
        some = those(crew, takes);
        if (some.n > 0)
            run_together(&some, node->child[k]);
    }
}

static void run_barrier(const struct crew *crew, const struct node *barrier)
{
    for (int t = 0; t < crew->n; t++)
        flow_wait_for_copies(thread_at(crew, t), barrier);
    wait_for_all(crew);
}

static void run_fence(const struct crew *crew)
{
    for (int t = 0; t < crew->n; t++)
        thread_at(crew, t)->streamed = false;
    wait_for_all(crew);
}

/* Thread `first` of the warp makes the update with the value of all. */
static void update_once(struct thread *first, const struct node *assign, struct term sum, bool any)
{
    const struct warp_sum *warp_sum = assign->warp_sum;
    struct moment moment = first->moment;
    struct flow *flow = first->run->flow;
    struct space *space;

    if (flow_affine(first, assign->lower) % warp_sum->warp != 0 ||
        !(warp_sum->scattered ? any : !warp_sum->update || flow_guard(first, warp_sum->update)))
        return;
    moment.atomic = assign->atomic;
    const int64_t position = flow_position(first, &assign->target, NOT_IN_LANES, 0, &space);
    if (!warp_sum->by_warp)
        sum = flow_term_binary(&flow->algebra, assign->op, flow_update_type(assign),
                               flow_read(flow, space, position, moment, first->level), sum);
    flow_write(flow, space, position, sum, moment, first->level);
}

static bool takes_part(struct thread *thread, const struct node *assign)
{
    bool takes = assign->n_alternative == 0;

    for (int k = 0; k < assign->n_alternative && !takes; k++)
        takes = flow_guard(thread, &assign->alternative[k]);
    return takes && (!assign->guard_value || flow_true(thread, assign->guard_value, NOT_IN_LANES));
}

/* The threads of one warp, which are those from first up to last of the crew. */
static void reduce_warp(const struct crew *crew, const struct node *assign, int first, int last)
{
    const enum expr_op op = assign->op == OP_SUB ? OP_ADD : assign->op;
    struct term sum = flow_term_neutral(op, assign->target.array->type);
    bool any = false;

    for (int t = first; t < last; t++) {
        struct thread *thread = thread_at(crew, t);
        struct term value;
        if (!takes_part(thread, assign))
            continue;
        value = flow_value(thread, assign->value, NOT_IN_LANES);
        sum = any ? flow_term_binary(&crew->run->flow->algebra, op, flow_update_type(assign), sum, value) : value;
        any = true;
    }
    for (int t = first; t < last; t++)
        update_once(thread_at(crew, t), assign, sum, any);
}

static void run_warp_sum(const struct crew *crew, const struct node *assign)
{
    const int size = assign->warp_sum->warp;

    crew->run->flow->statement = assign->statement;
    for (int first = 0; first < crew->n && goes_on(crew);) {
        const int warp = crew->number[first] / size, all = crew->team->n - warp * size;
        int last = first;
        while (last < crew->n && crew->number[last] / size == warp)
            last++;
        if (last - first != (all < size ? all : size))
            flow_end(crew->run->flow, FLOW_WRONG, "not all threads of a warp come to its reduction");
        reduce_warp(crew, assign, first, last);
        first = last;
    }
}

static void run_binding(const struct crew *crew, const struct node *node)
{
    struct space ***before;

    for (int t = 0; t < crew->n; t++)
        flow_bind(thread_at(crew, t), node);
    before = declare_each(crew, node);
    run_together(crew, node->child[0]);
    undeclare_each(crew, node, before);
}

static void run_node(const struct crew *crew, const struct node *node)
{
    switch (node->kind) {
    case NODE_BLOCK:
        run_block(crew, node);
        break;
    case NODE_LOOP:
    case NODE_TUPLE:
        (node->threads && node->threads->shared ? run_work : run_loop)(crew, node);
        break;
    case NODE_SINGLE:
        run_work(crew, node);
        break;
    case NODE_IF:
        run_if(crew, node);
        break;
    case NODE_SWITCH:
        run_switch(crew, node);
        break;
    case NODE_VALUE:
    case NODE_LET:
    case NODE_POINTER:
    case NODE_CALL:
    case NODE_TILES:
    case NODE_TEXT:
        run_binding(crew, node);
        break;
    case NODE_BARRIER:
        run_barrier(crew, node);
        break;
    case NODE_FENCE:
        run_fence(crew);
        break;
    case NODE_ASSIGN:
        run_warp_sum(crew, node);
        break;
    default:
        flow_end(crew->run->flow, FLOW_DECLINED, "threads that wait in a node of that kind");
    }
}

static void run_together(const struct crew *crew, const struct node *node)
{
    if (!flow_step(crew->run->flow, crew->n))
        return;
    if (has_wait(crew->run, node)) {
        run_node(crew, node);
        return;
    }
    for (int t = 0; t < crew->n && goes_on(crew); t++)
        flow_node(in_order(crew, t), node);
}

void flow_team_run(struct team *team, struct tree_run *run, const struct node *node)
{
    int *number = ARENA_ARRAY(run->flow->arena, team->n, int);
    const struct crew crew = {run, team, number, team->n};

    for (int k = 0; k < team->n; k++)
        number[k] = k;
    run_together(&crew, node);
}
