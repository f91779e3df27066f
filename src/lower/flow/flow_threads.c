/* Threads: of parallel loops, of regions, of blocks; what they do together, and where they wait for each other. */
#include "lower/flow/flow_tree.h"

#include "caps/gpu.h"
#include "lower/flow/flow_team.h"

#include <string.h>

enum { REGION_THREADS = 3, MOST_THREADS = 1024, DOACROSS_LOOPS = 8 };

/* Iteration number k comes as number: */
static int64_t in_order(const struct tree_run *run, int64_t k, int64_t n)
{
    return run->backward ? n - 1 - k : k;
}

static void run_iteration(struct thread *thread, const struct node *loop, const struct iterations *iterations,
                          int64_t k)
{
    const int collapsing = thread->collapsing;
    struct space **before;

    thread->moment.thread = ++thread->run->flow->threads;
    thread->collapsing = loop->threads ? loop->threads->collapse - 1 : collapsing > 0 ? collapsing - 1 : 0;
    flow_bind_iteration(thread, loop, iterations, k);
    before = flow_declare_all(thread, loop);
    flow_node(thread, loop->child[0]);
    flow_undeclare(thread, loop, before);
    thread->collapsing = collapsing;
}

void flow_collapsed_loop(struct thread *thread, const struct node *loop)
{
    const struct iterations iterations = flow_iterations(thread, loop);

    for (int64_t k = 0; k < iterations.n && flow_step(thread->run->flow, 1); k++)
        run_iteration(thread, loop, &iterations, in_order(thread->run, k, iterations.n));
}

/* The loops of a doacross loop, and the iterations of each. */
struct waiting {
    const struct node *loop[DOACROSS_LOOPS];
    struct iterations iterations[DOACROSS_LOOPS];
    int n;
    int64_t inner; /* iterations of all but the outermost */
};

/* They are a rectangle. */
static bool find_waiting(struct thread *thread, const struct node *loop, struct waiting *waiting)
{
    waiting->inner = 1;
    for (waiting->n = 0; waiting->n < loop->threads->collapse; waiting->n++) {
        const struct node *at = waiting->n ? waiting->loop[waiting->n - 1]->child[0] : loop;
        if (waiting->n == DOACROSS_LOOPS || at->kind != NODE_LOOP) {
            flow_end(thread->run->flow, FLOW_DECLINED, "a doacross loop of that form");
            return false;
        }
        waiting->loop[waiting->n] = at;
        waiting->iterations[waiting->n] = flow_iterations(thread, at);
        if (waiting->n)
            waiting->inner *= waiting->iterations[waiting->n].n;
    }
    return true;
}

/* Iteration m of the inner loops in iteration k of the outermost. */
static void run_waiting(struct thread *thread, const struct waiting *waiting, int64_t first, int64_t k, int64_t m)
{
    const struct node *innermost = waiting->loop[waiting->n - 1];
    struct space **before;
    int64_t left = m;

    thread->moment.thread = (uint32_t)(first + k * waiting->inner + m) & INT32_MAX;
    for (int l = waiting->n - 1; l > 0; l--) {
        flow_bind_iteration(thread, waiting->loop[l], &waiting->iterations[l], left % waiting->iterations[l].n);
        left /= waiting->iterations[l].n;
    }
    flow_bind_iteration(thread, waiting->loop[0], &waiting->iterations[0], k);
    before = flow_declare_all(thread, innermost);
    flow_node(thread, innermost->child[0]);
    flow_undeclare(thread, innermost, before);
}

/* In the order of the loops or, as waiting allows, the same inner iteration of all outer ones after each other. */
static void run_doacross(struct thread *thread, const struct node *loop)
{
    struct flow *flow = thread->run->flow;
    const uint32_t own = thread->moment.thread;
    const int64_t first = (int64_t)flow->threads + 1;
    struct waiting waiting;
    int64_t outer, n;

    if (!find_waiting(thread, loop, &waiting))
        return;
    outer = waiting.iterations[0].n;
    n = outer * waiting.inner;
    if (n == 0 || !flow_step(flow, n))
        return;
    VEC_PUSH(flow->arena, &flow->doacross, ((struct doacross){first, outer, waiting.inner}));
    flow->threads += (uint32_t)n;
    for (int64_t k = 0; k < n && flow->end == FLOW_GOES_ON; k++)
        if (thread->run->backward)
            run_waiting(thread, &waiting, first, k % outer, k / outer);
        else
            run_waiting(thread, &waiting, first, k / waiting.inner, k % waiting.inner);
    thread->moment.thread = own;
}

static void new_epoch(struct thread *thread)
{
    struct flow *flow = thread->run->flow;

    flow_new_epoch(flow, 0, 0);
    thread->moment.epoch = (uint32_t)flow->epoch.n - 1;
}

void flow_parallel_loop(struct thread *thread, const struct node *loop)
{
    const uint32_t own = thread->moment.thread;
    const struct threads *reducing = thread->reducing;

    flow_meet(thread);
    new_epoch(thread);
    thread->level++;
    thread->reducing = loop->threads;
    (loop->threads->doacross ? run_doacross : flow_collapsed_loop)(thread, loop);
    thread->reducing = reducing;
    thread->level--;
    thread->moment.thread = own;
    flow_meet(thread);
    new_epoch(thread);
}

/* Is this the first of the team's threads that comes to its next work? */
static bool takes_work(struct thread *thread)
{
    struct team *team = thread->run->team;
    bool *taken;

    while (team->taken.n <= thread->work)
        VEC_PUSH(thread->run->flow->arena, &team->taken, false);
    taken = &team->taken.at[thread->work++];
    if (*taken)
        return false;
    *taken = true;
    return true;
}

/* Cyclic, so that neighbours are never one thread's. */
static void take_iterations(struct thread *thread, const struct node *loop)
{
    const struct iterations iterations = flow_iterations(thread, loop);
    const struct team *team = thread->run->team;

    for (int64_t k = 0; k < iterations.n && flow_step(thread->run->flow, 1); k++)
        if ((in_order(thread->run, k, iterations.n) + thread->work) % team->n == thread->number)
            run_iteration(thread, loop, &iterations, in_order(thread->run, k, iterations.n));
    thread->work++;
}

/* Of a doacross loop one thread runs it all, and its iterations count as threads. */
void flow_shared_loop(struct thread *thread, const struct node *loop)
{
    const struct threads *reducing = thread->reducing;
    const uint32_t own = thread->moment.thread;

    thread->reducing = loop->threads;
    if (!loop->threads->doacross)
        take_iterations(thread, loop);
    else if (takes_work(thread))
        run_doacross(thread, loop);
    thread->moment.thread = own;
    thread->reducing = reducing;
}

void flow_single(struct thread *thread, const struct node *single)
{
    if (!thread->run->team || takes_work(thread))
        flow_node(thread, single->child[0]);
}

/* n threads that know what parent knows. */
static void begin_threads(struct team *team, const struct thread *parent, int level)
{
    struct tree_run *run = parent->run;
    const int n_var = run->vars->all.n, n_array = run->flow->program->n_array;

    if (!flow_step(run->flow, (int64_t)team->n * (1 + (n_var + n_array) / 16)))
        return;
    team->thread = ARENA_ARRAY(run->flow->arena, team->n, struct thread);
    for (int k = 0; k < team->n; k++) {
        struct thread *thread = &team->thread[k];
        *thread = (struct thread){.run = run, .number = k, .level = level, .moment = parent->moment};
        thread->binding = ARENA_ARRAY(run->flow->arena, n_var + 1, struct binding);
        thread->space = ARENA_ARRAY(run->flow->arena, n_array + 1, struct space *);
        thread->own = ARENA_ARRAY(run->flow->arena, n_array + 1, struct space *);
        memcpy(thread->binding, parent->binding, (size_t)n_var * sizeof(*thread->binding));
        memcpy(thread->space, parent->space, (size_t)n_array * sizeof(struct space *));
        for (int v = 0; v < n_var; v++)
            thread->binding[v].own = false;
        thread->moment.thread = ++run->flow->threads;
        memcpy(thread->position, parent->position, sizeof(thread->position));
    }
}

void flow_region(struct thread *thread, const struct node *region)
{
    struct tree_run *run = thread->run;
    struct team team = {.n = REGION_THREADS}, *outer = run->team;
    struct space **before = flow_declare_all(thread, region);

    flow_meet(thread);
    begin_threads(&team, thread, thread->level + 1);
    run->team = &team;
    if (team.thread) {
        flow_team_wait(&team, run->flow);
        flow_team_run(&team, run, region->child[0]);
        for (int k = 0; k < team.n; k++)
            flow_meet(&team.thread[k]);
    }
    run->team = outer;
    flow_undeclare(thread, region, before);
    new_epoch(thread);
}

/* How many blocks, or threads, there are along an axis: the product of its digits, in runs, but no more blocks than a
 * device has. A launch with more threads than that along an axis is refused. */
static int64_t extent_along(struct thread *thread, const struct launch *launch, enum axis axis)
{
    const struct gpu *gpu = gpu_by_language(thread->run->flow->program->target.language);
    const int64_t run = launch->run[axis] ? launch->run[axis] : 1;
    const int64_t most = launch->blocks[axis] ? launch->blocks[axis] : gpu ? gpu->limit[axis] : INT64_MAX;
    int64_t n = 1;

    for (int k = 0; k < AXIS_DIGITS; k++) {
        const struct affine *digit = launch->extent[axis_digit(axis, k)];
        const int64_t extent = digit ? flow_affine(thread, digit) : 1;
        n *= extent > 0 ? extent : 0;
    }
    n = (n + run - 1) / run;
    if (n > most && axis_is_thread(axis))
        flow_end(thread->run->flow, FLOW_SPENT, "a block with more threads along an axis than the device has");
    return n > most ? most : n;
}

/* The arrays that each block has, or each of its threads. */
static void declare_memory(struct thread *thread, enum memory memory, struct space **shared)
{
    const struct program *program = thread->run->flow->program;

    for (int k = 0; k < program->n_array; k++) {
        if (program->array[k].role != ROLE_TEMP || program->array[k].memory != memory)
            continue;
        if (shared)
            thread->space[k] = shared[k];
        else
            flow_declare(thread, &program->array[k]);
    }
}

static struct space **shared_spaces(struct flow *flow, int level)
{
    const struct program *program = flow->program;
    struct space **shared = ARENA_ARRAY(flow->arena, program->n_array + 1, struct space *);

    for (int k = 0; k < program->n_array; k++) {
        if (program->array[k].role != ROLE_TEMP || program->array[k].memory != MEMORY_SHARED)
            continue;
        shared[k] = ARENA_NEW(flow->arena, struct space);
        *shared[k] = flow_space(flow, &program->array[k], level);
    }
    return shared;
}

/* The coordinates of a number: x fastest. */
static void set_position(const struct team *team, struct thread *thread, enum axis first, int64_t number)
{
    for (int axis = (int)first; axis < (int)first + 3; number /= team->extent[axis++])
        thread->position[axis] = number % team->extent[axis];
}

static void run_block(struct team *team, struct tree_run *run, const struct node *kernel, int64_t block,
                      struct space **shared)
{
    team->block = (uint32_t)block + 1;
    for (int k = 0; k < run->flow->program->n_array; k++)
        if (shared[k])
            flow_renew(shared[k]);
    for (int k = 0; k < team->n && flow_step(run->flow, 1); k++) {
        struct thread *thread = &team->thread[k];
        set_position(team, thread, AXIS_BLOCK_X, block);
        set_position(team, thread, AXIS_THREAD_X, k);
        declare_memory(thread, MEMORY_SHARED, shared);
        declare_memory(thread, MEMORY_LOCAL, NULL);
        thread->copies.n = 0;
    }
    flow_team_wait(team, run->flow);
    flow_team_run(team, run, kernel->child[0]);
}

void flow_kernel(struct thread *thread, const struct node *kernel)
{
    struct tree_run *run = thread->run;
    struct team team = {.on_device = true, .launch = ++run->flow->launches}, *outer = run->team;
    int64_t blocks = 1, threads = 1;

    for (int axis = AXIS_BLOCK_X; axis < AXIS_THREAD; axis++) {
        team.extent[axis] = extent_along(thread, kernel->launch, (enum axis)axis);
        *(axis_is_block((enum axis)axis) ? &blocks : &threads) *= team.extent[axis];
    }
    if (threads > MOST_THREADS)
        flow_end(run->flow, FLOW_SPENT, "a block with too many threads to follow");
    if (blocks <= 0 || threads <= 0 || run->flow->end != FLOW_GOES_ON)
        return;
    team.n = (int)threads;
    begin_threads(&team, thread, thread->level + 2);
    run->team = &team;
    if (team.thread) {
        struct space **shared = shared_spaces(run->flow, thread->level + 1);
        for (int64_t k = 0; k < blocks && run->flow->end == FLOW_GOES_ON; k++)
            run_block(&team, run, kernel, in_order(run, k, blocks), shared);
    }
    run->team = outer;
    new_epoch(thread);
}

static void do_copy(struct thread *thread, const struct copy *copy)
{
    const struct node *assign = copy->assign;
    const int64_t to = assign->apart[0] ? assign->apart[0] : 1, from = assign->apart[1] ? assign->apart[1] : 1;

    thread->run->flow->statement = assign->statement;
    for (int64_t k = 0; k < (assign->neighbours ? assign->neighbours : 1); k++)
        flow_store(thread, copy->to, copy->at + k * to, flow_load(thread, copy->from, copy->of + k * from));
}

/* What is copied asynchronously is nobody's to use before it was waited for, and done as late as that. */
void flow_copy(struct thread *thread, const struct node *assign)
{
    const int64_t apart = assign->apart[0] ? assign->apart[0] : 1;
    struct copy copy = {.assign = assign};

    if (assign->value->kind != TREE_LOAD) {
        flow_end(thread->run->flow, FLOW_DECLINED, "a copy of something computed");
        return;
    }
    copy.at = flow_position(thread, &assign->target, NOT_IN_LANES, 0, &copy.to);
    copy.of = flow_position(thread, &assign->value->element, NOT_IN_LANES, 0, &copy.from);
    if (!assign->asynchronous) {
        do_copy(thread, &copy);
        return;
    }
    for (int64_t k = 0; k < (assign->neighbours ? assign->neighbours : 1); k++)
        flow_store(thread, copy.to, copy.at + k * apart, flow_term_poison());
    copy.group = thread->closed;
    VEC_PUSH(thread->run->flow->arena, &thread->copies, copy);
}

void flow_wait_for_copies(struct thread *thread, const struct node *barrier)
{
    int left = 0;

    thread->closed += barrier->waits ? 1 : barrier->prior;
    for (int k = 0; k < thread->copies.n && barrier->waits; k++) {
        const struct copy copy = thread->copies.at[k];
        if (copy.group + barrier->prior >= thread->closed)
            thread->copies.at[left++] = copy;
        else
            do_copy(thread, &copy);
    }
    thread->copies.n = barrier->waits ? left : thread->copies.n;
}
