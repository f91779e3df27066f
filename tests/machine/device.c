/* Kernels: the blocks of a launch one after the other, in the order of the run; the threads of one as a team. */
#include "machine.h"

#include "program/program.h"

#include <string.h>

enum { MOST_THREADS = 1024 };

int64_t position_of(struct thread *thread, enum axis axis)
{
    if (!thread->machine->team || !thread->machine->team->on_device)
        machine_fault(thread->machine, "a position outside of a kernel");
    return thread->position[axis];
}

int64_t launch_extent(struct thread *thread, enum axis axis)
{
    if (!thread->machine->team || !thread->machine->team->on_device)
        machine_fault(thread->machine, "an extent of the launch outside of a kernel");
    return thread->machine->team->extent[axis_whole(axis)];
}

/* How many blocks, or threads, there are along an axis: the product of its digits, in runs. */
static int64_t extent_along(struct thread *thread, const struct launch *launch, enum axis axis)
{
    const int64_t run = launch->run[axis] ? launch->run[axis] : 1;
    int64_t n = 1;

    for (int k = 0; k < AXIS_DIGITS; k++) {
        const struct affine *digit = launch->extent[axis_digit(axis, k)];
        const int64_t extent = digit ? affine_value(thread, digit) : 1;
        n *= extent > 0 ? extent : 0;
    }
    n = (n + run - 1) / run;
    return launch->blocks[axis] && n > launch->blocks[axis] ? launch->blocks[axis] : n;
}

/* What a block has, or each of its threads, starts without a value. */
static void declare_all(struct thread *thread, enum memory memory)
{
    const struct program *program = thread->machine->program;

    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].role == ROLE_TEMP && program->array[k].memory == memory)
            space_declare(thread, &program->array[k]);
}

void device_begin_thread(struct thread *thread)
{
    declare_all(thread, MEMORY_LOCAL);
}

/* Block number `block` of the launch: x fastest, as its threads. */
static void run_one_block(struct thread *thread, struct team *team, const struct node *kernel, int64_t block)
{
    const struct binding *scope = thread->scope;
    int64_t rest = block;

    declare_all(thread, MEMORY_SHARED);
    memset(team->thread, 0, (size_t)team->n * sizeof(*team->thread));
    for (int axis = AXIS_BLOCK_X; axis <= AXIS_BLOCK_Z; rest /= team->extent[axis++])
        for (int k = 0; k < team->n; k++)
            team->thread[k].position[axis] = rest % team->extent[axis];
    for (int k = 0; k < team->n; k++) {
        rest = k;
        for (int axis = AXIS_THREAD_X; axis <= AXIS_THREAD_Z; rest /= team->extent[axis++])
            team->thread[k].position[axis] = rest % team->extent[axis];
    }
    team_run(team, thread, kernel);
    leave(thread, scope);
}

void measure_launch(struct thread *thread, const struct node *kernel)
{
    for (int axis = AXIS_BLOCK_X; axis < AXIS_THREAD; axis++)
        thread->launch[axis] = extent_along(thread, kernel->launch, (enum axis)axis);
}

void run_kernel(struct thread *thread, const struct node *kernel)
{
    const struct binding *scope = thread->scope;
    const uint64_t order = thread->machine->order;
    struct team team = {.on_device = true, .n = 1};
    int64_t blocks = 1, threads = 1;

    for (int axis = AXIS_BLOCK_X; axis < AXIS_THREAD; axis++) {
        team.extent[axis] = thread->launch[axis];
        *(axis_is_block((enum axis)axis) ? &blocks : &threads) *= team.extent[axis];
    }
    if (blocks == 0 || threads == 0)
        return;
    if (threads > MOST_THREADS)
        machine_lacks(thread->machine, "block of so many threads");
    team.n = (int)threads;
    team.thread = thread_alloc(thread, (size_t)team.n * sizeof(*team.thread));
    bind(thread, NULL);
    for (int64_t k = 0; k < blocks; k++)
        run_one_block(thread, &team, kernel, order % 2 ? blocks - 1 - k : k);
    leave(thread, scope);
}

static void do_copy(struct thread *thread, const struct pending_copy *copy)
{
    const struct node *assign = copy->assign;
    const int64_t to = assign->apart[0] ? assign->apart[0] : 1, from = assign->apart[1] ? assign->apart[1] : 1;

    for (int64_t k = 0; k < (assign->neighbours ? assign->neighbours : 1); k++)
        space_write(thread, copy->to, copy->at + k * to, space_read(thread, copy->from, copy->of + k * from));
}

/* Before it is waited for an asynchronous copy leaves nothing in its target that anybody may use. */
static void begin_copy(struct thread *thread, const struct pending_copy *copy)
{
    const struct node *assign = copy->assign;
    const struct word poison = word_poison(copy->to->array->type);

    for (int64_t k = 0; k < (assign->neighbours ? assign->neighbours : 1); k++)
        space_write(thread, copy->to, copy->at + k, poison);
    if (thread->n_copy == thread->max_copy) {
        const struct pending_copy *before = thread->copy;
        thread->max_copy = 2 * thread->max_copy + 8;
        thread->copy = ARENA_ARRAY(thread->machine->arena, thread->max_copy, struct pending_copy);
        for (int k = 0; k < thread->n_copy; k++)
            thread->copy[k] = before[k];
    }
    thread->copy[thread->n_copy++] = *copy;
}

void run_copy(struct thread *thread, const struct node *assign)
{
    struct pending_copy copy = {.assign = assign};

    copy.at = element_position(thread, &assign->target, NOT_IN_LANES, 0, &copy.to);
    copy.of = element_position(thread, &assign->value->element, NOT_IN_LANES, 0, &copy.from);
    copy.before = thread->groups;
    if (assign->asynchronous)
        begin_copy(thread, &copy);
    else
        do_copy(thread, &copy);
}

void run_barrier(struct thread *thread, const struct node *barrier)
{
    int n = 0;

    thread->groups += barrier->waits ? 1 : barrier->lone ? barrier->prior : 0;
    while (barrier->waits && n < thread->n_copy && thread->copy[n].before < thread->groups - barrier->prior)
        do_copy(thread, &thread->copy[n++]);
    thread->n_copy -= n;
    for (int k = 0; k < thread->n_copy && n > 0; k++)
        thread->copy[k] = thread->copy[k + n];
    if (!barrier->lone)
        wait_for(thread, WAIT_FOR_ALL, barrier);
}

static bool any_guard(struct thread *thread, const struct node *node)
{
    bool holds = node->n_alternative == 0;

    for (int k = 0; k < node->n_alternative && !holds; k++)
        holds = guard_holds(thread, &node->alternative[k]);
    return holds;
}

/* Consecutive threads reduce their values within each warp; its first thread makes the update. */
void run_warp_sum(struct thread *thread, const struct node *assign)
{
    const struct warp_sum *sum = assign->warp_sum;
    const enum type type = assign->target.array->type;
    const struct space *memory;

    thread->takes = any_guard(thread, assign);
    thread->exchanged = word_poison(type);
    if (thread->takes)
        thread->exchanged = word_convert(value_of(thread, assign->value, NOT_IN_LANES), type);
    wait_for(thread, WAIT_FOR_WARP, assign);
    const bool first = affine_value(thread, assign->lower) % sum->warp == 0;
    const bool also = sum->scattered ? thread->any : guard_holds(thread, sum->update);
    if (!first || !also)
        return;
    const int64_t position = element_position(thread, &assign->target, NOT_IN_LANES, 0, &memory);
    struct word value = thread->exchanged;
    if (!sum->by_warp)
        value = word_binary(assign->op, space_read(thread, memory, position), value);
    space_write(thread, memory, position, value);
}
