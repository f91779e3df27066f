/* Who runs an instance: a thread of a launch, by the positions of bound loops, or an iteration of parallel ones. */
#include "report/draw/workers.h"

#include "caps/gpu.h"
#include "plan/loop_plan.h"
#include "poly/number.h"

#include <isl/aff.h>
#include <isl/ilp.h>
#include <isl/val.h>

#include <inttypes.h>
#include <stdlib.h>

/* Positions on block.z .. block.x, thread.z .. thread.x, or the counts of parallel loops, outermost first. */
enum { POSITIONS = LAUNCH_AXES, AXES_EACH = LAUNCH_AXES / 2 };

struct position {
    struct instance *instance;
    int64_t at[POSITIONS];
    int n; /* 0: nobody in particular */
};

/* The counts of a loop: the first one, and how many. */
struct range {
    const struct order *loop;
    int64_t first, n;
};

struct workers {
    struct arena *arena;
    isl_set *sizes;
    VEC(struct range) range;
    VEC(struct position) position;
    bool on_device;
};

static struct range measure(const struct workers *workers, const struct order *loop)
{
    isl_union_pw_aff *time = isl_union_pw_aff_intersect_domain(isl_union_pw_aff_copy(loop->time), order_domain(loop));
    struct range range = {.loop = loop, .n = 1};
    int64_t last;

    time = isl_union_pw_aff_intersect_params(time, isl_set_copy(workers->sizes));
    isl_val *most = isl_union_pw_aff_max_val(isl_union_pw_aff_copy(time)), *least = isl_union_pw_aff_min_val(time);
    if (poly_number(least, &range.first) & poly_number(most, &last))
        range.n = last - range.first + 1;
    return range;
}

static const struct range *range_of(struct workers *workers, const struct order *loop)
{
    for (int k = 0; k < workers->range.n; k++)
        if (workers->range.at[k].loop->info->id == loop->info->id)
            return &workers->range.at[k];
    VEC_PUSH(workers->arena, &workers->range, measure(workers, loop));
    return &workers->range.at[workers->range.n - 1];
}

/* Where an axis of the launch is among the positions. */
static int place_of(enum axis axis)
{
    const int k = (int)axis_whole(axis) - AXIS_BLOCK_X;

    return k < AXES_EACH ? AXES_EACH - 1 - k : POSITIONS - 1 - (k - AXES_EACH);
}

/* A bound loop is a digit of the position on its axis, the one outside the coarsest. */
static void add_bound(struct workers *workers, struct position *position, const struct order *loop, int64_t count)
{
    const struct loop_plan plan = loop_plan_of(loop->info);
    const struct range *range = range_of(workers, loop);
    int64_t *at = &position->at[place_of(plan.axis)];

    position->n = POSITIONS;
    *at = *at * range->n + count - range->first;
    if (plan.blocks > 0)
        *at %= plan.blocks;
}

/* What blocks have in runs of a tuple's iterations goes to threads. */
static void divide_runs(struct position *position)
{
    const struct leaf *leaf = position->instance->leaf;

    for (int k = leaf->n_loop - 1; k >= 0; k--) {
        const struct loop_plan plan = loop_plan_of(leaf->loop[k]->info);
        int64_t *at = plan.run > 0 && plan.axis != AXIS_NONE ? &position->at[place_of(plan.axis)] : NULL;
        if (!at || plan.threads_axis == AXIS_NONE)
            continue;
        position->at[place_of(plan.threads_axis)] = *at % plan.run;
        *at /= plan.run;
        return;
    }
}

/* Do threads take its iterations? Those of the loops inside of a doacross loop are one thread's. */
static bool is_dealt(const struct loop_plan *plan)
{
    return plan->doacross ? plan->parallel > 0 : plan->parallel != 0;
}

static void add_parallel(struct workers *workers, struct position *position, const struct order *loop, int64_t count)
{
    const struct loop_plan plan = loop_plan_of(loop->info);
    const bool alone = plan.parallel == 1 && plan.policy == OMP_STATIC && plan.chunk > 0;
    const int64_t number = count - range_of(workers, loop)->first;

    if (position->n < POSITIONS)
        position->at[position->n++] = alone ? number / plan.chunk : number;
}

static struct position position_of(struct workers *workers, struct instance *instance)
{
    struct position position = {.instance = instance};
    const struct leaf *leaf = instance->leaf;

    for (int k = 0; k < leaf->n_loop; k++) {
        const struct loop_plan plan = loop_plan_of(leaf->loop[k]->info);
        if (plan.axis != AXIS_NONE && plan.axis != AXIS_THREAD && !plan.dealt)
            add_bound(workers, &position, leaf->loop[k], instance->count[k]);
        else if (is_dealt(&plan))
            add_parallel(workers, &position, leaf->loop[k], instance->count[k]);
        workers->on_device |= plan.axis != AXIS_NONE;
    }
    if (workers->on_device)
        divide_runs(&position);
    return position;
}

static int by_position(const void *a, const void *b)
{
    const struct position *x = a, *y = b;

    return x->n != y->n ? x->n - y->n : compare_counts(x->at, y->at, x->n);
}

/* " (1, 0)", " 5": a position without the leading axes that have one. */
static const char *print_axes(const struct workers *workers, const int64_t *at, const bool *used)
{
    const char *text = "";
    int n = 0;

    for (int k = AXES_EACH - 1; k >= 0; k--) {
        if (!used[k])
            continue;
        text = arena_printf(workers->arena, "%s%s%" PRId64, text, n ? ", " : "", at[k]);
        n++;
    }
    return arena_printf(workers->arena, n > 1 ? "(%s)" : "%s", n ? text : "0");
}

/* "i = 8, j = 0": the values of the parallel loops; of chunks "chunk 2 of i". */
static const char *print_iteration(const struct workers *workers, const struct position *position)
{
    const struct leaf *leaf = position->instance->leaf;
    const char *text = "";
    int n = 0;

    for (int k = 0; k < leaf->n_loop && n < position->n; k++) {
        const struct loop_info *info = leaf->loop[k]->info;
        const struct loop_plan plan = loop_plan_of(info);
        const char *separator = n ? ", " : "";
        if (!is_dealt(&plan))
            continue;
        if (plan.parallel == 1 && plan.policy == OMP_STATIC && plan.chunk > 0)
            text = arena_printf(workers->arena, "%s%schunk %" PRId64 " of %s", text, separator, position->at[n],
                                info->name);
        else
            text = arena_printf(workers->arena, "%s%siteration %" PRId64 " of %s", text, separator, position->at[n],
                                info->name);
        n++;
    }
    return text;
}

static const char *name_of(const struct workers *workers, const struct position *position, const bool *used)
{
    if (!workers->on_device)
        return print_iteration(workers, position);
    return arena_printf(workers->arena, "block %s, thread %s", print_axes(workers, position->at, used),
                        print_axes(workers, position->at + AXES_EACH, used + AXES_EACH));
}

/* The axes that the launch has: those on which anything is bound. */
static void find_used(const struct workers *workers, bool *used)
{
    for (int k = 0; k < workers->range.n; k++) {
        const struct loop_plan plan = loop_plan_of(workers->range.at[k].loop->info);
        if (plan.axis != AXIS_NONE)
            used[place_of(plan.axis)] = true;
        if (plan.run > 0 && plan.threads_axis != AXIS_NONE)
            used[place_of(plan.threads_axis)] = true;
    }
}

/* Numbers of threads are by their positions in the largest block. */
static int thread_number(const struct workers *workers, const struct position *position)
{
    int64_t most[AXES_EACH] = {0}, number = 0;

    for (int k = 0; k < workers->position.n; k++)
        for (int axis = 0; axis < AXES_EACH; axis++)
            most[axis] = workers->position.at[k].at[AXES_EACH + axis] > most[axis]
                             ? workers->position.at[k].at[AXES_EACH + axis]
                             : most[axis];
    for (int axis = 0; axis < AXES_EACH; axis++)
        number = number * (most[axis] + 1) + position->at[AXES_EACH + axis];
    return (int)number;
}

/* Gives sorted positions their workers. */
static void number_workers(struct workers *workers, struct marks *marks)
{
    const struct position *before = NULL;
    bool used[POSITIONS] = {false};
    VEC(struct worker) list = {0};
    int block = -1;

    find_used(workers, used);
    for (int k = 0; k < workers->position.n; k++) {
        const struct position *position = &workers->position.at[k];
        if (position->n == 0)
            continue;
        if (!before || by_position(before, position) != 0) {
            const bool in_block =
                before && workers->on_device && compare_counts(before->at, position->at, AXES_EACH) == 0;
            block += !in_block;
            const int thread = workers->on_device ? thread_number(workers, position) : list.n;
            VEC_PUSH(workers->arena, &list, ((struct worker){name_of(workers, position, used), block, thread}));
        }
        position->instance->worker = list.n - 1;
        before = position;
    }
    marks->worker = list.at;
    marks->n_worker = list.n;
    marks->on_device = workers->on_device;
}

void workers_find(struct arena *arena, const struct instances *instances, __isl_keep isl_set *sizes,
                  struct marks *marks)
{
    struct workers workers = {.arena = arena, .sizes = sizes};

    for (int k = 0; k < instances->n; k++)
        if (!statement_is_copy(instances->list[k].statement))
            VEC_PUSH(arena, &workers.position, position_of(&workers, &instances->list[k]));
    if (workers.position.n > 0)
        qsort(workers.position.at, (size_t)workers.position.n, sizeof(struct position), by_position);
    number_workers(&workers, marks);
}
