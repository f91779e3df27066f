#include "plan/device/copies/cooperate.h"

#include "caps/gpu.h"
#include "plan/device/copies/copying.h"
#include "plan/device/copies/dealing.h"
#include "plan/device/copies/run_copies.h"
#include "plan/device/kernels.h"
#include "plan/loop_plan.h"
#include "poly/keep.h"
#include "program/expr/index_expr.h"
#include "sched/edit.h"
#include "sched/path.h"

#include <isl/union_set.h>
#include <isl/val.h>

#include <inttypes.h>
#include <string.h>

/* Is each thread to fill its own part of a cache that is no block's: inside of loops over threads, or of runs? */
static bool is_threads_own(const struct copying *copying, const struct order *around)
{
    const struct array *buffer = copying_access(copying->leaf->statement, true)->array;

    return buffer->memory == MEMORY_GLOBAL && (around || kernel_runs(copying->kernel));
}

struct loop_info *cooperate_info(struct schedule *schedule, const struct loop_info *like, enum axis axis, int64_t size,
                                 int64_t weight)
{
    struct loop_info *info = edit_copy_info(schedule, like);
    struct loop_plan *plan = ARENA_NEW(schedule->arena, struct loop_plan);

    *plan = loop_plan_of(info);
    plan->axis = axis;
    plan->weight = weight;
    plan->origin = poly_keep_aff(schedule->arena, params_constant(schedule->program, 0));
    plan->size = index_constant(schedule->arena, size);
    plan->bind_step = info->step;
    info->plan = plan;
    info->is_copy = true;
    return info;
}

/* Is each thread to have elements in a row? */
static bool is_blocked(const struct copying *copying)
{
    const struct step *step = copying->loop[0]->info->step;

    return step && strcmp(step_string(step, "copy", ""), "blocked") == 0;
}

/* Loop number k bound to axis. */
static const struct order *bound(struct copying *copying, int k, enum axis axis, int64_t weight,
                                 const struct order *body)
{
    struct loop_info *info = cooperate_info(copying->schedule, copying->loop[k]->info, axis, copying->size[k], weight);
    struct loop_plan *plan = ARENA_NEW(copying->schedule->arena, struct loop_plan);

    *plan = *info->plan;
    plan->copies = copying->copies;
    plan->rounds = axis == AXIS_THREAD ? copying->rounds : 0;
    plan->in_a_row = axis == AXIS_THREAD && is_blocked(copying);
    info->plan = plan;
    if (plan->unroll != UNROLL_NONE)
        copying->unrolled = plan;
    return order_loop(copying->schedule->arena, info, isl_union_pw_aff_copy(copying->time[k]), body);
}

/* The threads that share in a copy. */
static int64_t threads_along(const struct copying *copying, int k)
{
    return copying->copies == RUN_OWN && k > 0 ? 1 : copying->threads[k];
}

/* Are the innermost extents those of the block, x the fastest? */
static bool has_blocks_shape(const struct copying *copying)
{
    int used = 0;

    while (used < 3 && threads_along(copying, used) > 1)
        used++;
    for (int k = used; k < 3; k++)
        if (threads_along(copying, k) > 1)
            return false;
    for (int k = 0; k < used; k++)
        if (k >= copying->n || copying->size[copying->slowest[copying->n - 1 - k]] != threads_along(copying, k))
            return false;
    return used > 0;
}

static const struct order *by_dimension(struct copying *copying)
{
    const struct order *order = copying->leaf;
    int axis[MAX_LOOPS];

    for (int k = 0; k < copying->n; k++)
        axis[copying->slowest[k]] = copying->n - 1 - k;
    for (int k = copying->n - 1; k >= 0; k--) {
        const struct order *loop = copying->loop[k];
        if (axis[k] < 3 && threads_along(copying, axis[k]) > 1)
            order = bound(copying, k, (enum axis)(AXIS_THREAD_X + axis[k]), 1, order);
        else
            order = order_loop(copying->schedule->arena, loop->info, isl_union_pw_aff_copy(loop->time), order);
    }
    return order;
}

int64_t cooperate_rounds(int64_t iterations, int64_t threads)
{
    return (iterations - 1) / threads + 1;
}

/* Is there one element for each thread, or less? */
static bool is_one_each(const struct copying *copying)
{
    int64_t most = threads_along(copying, 0) * threads_along(copying, 1) * threads_along(copying, 2);

    for (int k = 0; k < copying->n; k++)
        most /= copying->size[k];
    return most > 0;
}

/* Element after element: the threads go round them, or have some in a row each. */
static const struct order *by_number(struct copying *copying)
{
    const int64_t threads = threads_along(copying, 0) * threads_along(copying, 1) * threads_along(copying, 2);
    const struct order *order = copying->leaf;
    int64_t weight[MAX_LOOPS], all = 1;

    for (int k = copying->n - 1; k >= 0; k--) {
        weight[copying->slowest[k]] = all;
        all *= copying->size[copying->slowest[k]];
    }
    copying->rounds = cooperate_rounds(all, threads);
    for (int k = copying->n - 1; k >= 0; k--)
        order = bound(copying, k, AXIS_THREAD, weight[k], order);
    return order;
}

/* May the loops around it be of threads: are all iterations of these to have elements of the one buffer? */
static bool runs_in_threads(const struct copying *copying)
{
    const struct array *buffer = copying_access(copying->leaf->statement, true)->array;

    return !buffer->is_buffer && (buffer->n_iteration == 0 || !copying->leaf->statement->access[0].array->n_iteration);
}

/* Are those that run one iteration of a run whole warps along x? */
static bool is_runs_along_x(const struct copying *copying, const struct loop_info *runs)
{
    for (int k = 1; k < 3; k++)
        if (runs->plan->threads_axis != (enum axis)(AXIS_THREAD_X + k) && copying->threads[k] > 1)
            return false;
    return runs->plan->threads_axis != AXIS_THREAD_X &&
           copying->threads[0] % copying->schedule->program->target.warp == 0;
}

static void choose_copies(struct copying *copying)
{
    const struct loop_info *runs = kernel_runs(copying->kernel);
    const struct path outside = {copying->around.at, copying->n_outside};
    const struct array *buffer = copying_access(copying->leaf->statement, true)->array;

    copying->copies = RUN_ONCE;
    if (runs && run_needs_each(copying->schedule->program, &outside, copying->kernel, buffer))
        copying->copies = is_runs_along_x(copying, runs) ? RUN_OWN : RUN_ALL;
}

static const struct order *refuse_ahead(struct copying *copying)
{
    const struct array *buffer = copying_access(copying->leaf->statement, true)->array;
    const struct loop_plan *runs = kernel_runs(copying->kernel)->plan;

    edit_refuse(copying->schedule, step_place(copying->loop[0]->info->step, "through"), "cache",
                "\"async\": true reads ahead without registers",
                "`%s` cannot be filled by way of registers: all threads copy for the %" PRId64
                " iterations of `%s` that a block has, one after the other",
                buffer->name, runs->run, runs->run_name);
    return NULL;
}

static bool is_symbolic(const struct copying *copying)
{
    for (int k = 0; k < copying->n; k++)
        if (copying->size[k] == 0)
            return true;
    return false;
}

static const struct order *refuse_rows(struct copying *copying)
{
    const struct array *buffer = copying_access(copying->leaf->statement, true)->array;
    const char *hint = copying->all ? "\"striped\" copies may have any extents; those that `assume` bounds are known"
                                    : "bind loops of literal extents to threads";

    edit_refuse(copying->schedule, step_place(copying->loop[0]->info->step, "copy"), "cache", hint,
                "how many elements of `%s` in a row a thread copies is not known before the launch", buffer->name);
    return NULL;
}

/* With extents, or threads, whose number only the launch knows they are dealt out; NULL: it knows none. */
static const struct order *dealt(struct copying *copying)
{
    const struct dealing dealing = {copying->schedule, copying->threads, copying->loop, copying->time, copying->size,
                                    copying->extent,   copying->slowest, copying->n,    copying->leaf, copying->copies};

    if (!is_symbolic(copying) && copying->all != 0)
        return NULL;
    for (int k = 0; k < copying->n; k++)
        if (copying->loop[k]->info->plan && copying->loop[k]->info->plan->unroll != UNROLL_NONE)
            copying->unrolled = copying->loop[k]->info->plan;
    return deal_copy(&dealing);
}

/* The loops divided among the threads. */
static const struct order *divided(struct copying *copying)
{
    const struct order *order = dealt(copying);

    if (order)
        return order;
    return has_blocks_shape(copying) && (is_one_each(copying) || !is_blocked(copying)) ? by_dimension(copying)
                                                                                       : by_number(copying);
}

/* The copy with its loops divided among the threads; NULL after reporting. */
static const struct order *divide(struct copying *copying)
{
    const struct order *order;
    const struct step *step;

    choose_copies(copying);
    if (copying->copies == RUN_ALL && copying->loop[0]->info->ahead)
        return refuse_ahead(copying);
    if (is_blocked(copying) && is_symbolic(copying))
        return refuse_rows(copying);
    order = divided(copying);
    step = copying->unrolled ? copying->unrolled->unroll_step : NULL;
    if (!step)
        return order;
    edit_refuse(copying->schedule, step->place, step->primitive->name, NULL,
                "all threads of a block make the copies of `%s` together, each its share: there is no loop to unroll",
                copying_access(copying->leaf->statement, true)->array->name);
    return NULL;
}

static const struct order *refuse(struct copying *copying, const struct order *around)
{
    const struct access *access = copying_access(copying->leaf->statement, true);

    edit_refuse(copying->schedule, array_memory_place(access->array), "memory",
                access->array->is_buffer
                    ? "cache outside of the loops that are bound to threads, or in \"local\" memory"
                    : "`compute_at` a loop around those that are bound to threads, or \"local\" memory",
                "`%s` is shared by all threads of a block, but belongs to one iteration of `%s`, which is bound to %s",
                access->array->name, around->info->name, axis_name(copying_axis(around)));
    return NULL;
}

static void enter(struct copying *copying, const struct order *order)
{
    if (order->kind == ORDER_LOOP)
        VEC_PUSH(copying->schedule->arena, &copying->around, order);
}

static void leave(struct copying *copying, const struct order *order)
{
    copying->around.n -= order->kind == ORDER_LOOP;
}

/* Is order a loop of copies that a step has bound, though the cache says which elements a thread copies? */
static bool is_bound_otherwise(const struct order *order)
{
    const struct step *step = order->kind == ORDER_LOOP && order->info->is_copy ? order->info->step : NULL;

    return step && step_value(step, "copy") && axis_is_thread(copying_axis(order)) &&
           !loop_plan_is_cooperative(order->info);
}

static const struct order *refuse_bound(const struct copying *copying, const struct order *order)
{
    const struct order *leaf = order;

    while (leaf->n_child > 0)
        leaf = leaf->child[0];
    edit_refuse(copying->schedule, step_place(order->info->step, "copy"), "cache", "leave one of the two out",
                "`%s.%s` is bound to %s, which tells what each thread copies", leaf->statement->copies,
                order->info->name, axis_name(copying_axis(order)));
    return NULL;
}

/* Is a copy by any number of threads left to the first one: by way of registers, of which each thread would have any
 * number, or of a run's iterations? */
static bool is_for_one(struct copying *copying)
{
    choose_copies(copying);
    return copying->copies != RUN_ONCE || copying->loop[0]->info->ahead;
}

/* Are all instances of the copy at the first position of a loop, as those are that only have it since another nest was
 * fused with theirs? */
static bool is_at_first(const struct copying *copying, const struct order *loop)
{
    isl_union_set *instances = isl_union_set_from_set(isl_set_copy(copying->leaf->domain));
    isl_set *counts = time_range(loop->time, instances);
    isl_val *count = isl_set_plain_get_val_if_fixed(counts, isl_dim_set, 0);
    int64_t origin = 0;
    const bool known = !loop->info->plan->origin || aff_constant(loop->info->plan->origin, &origin);
    const bool first = known && isl_val_cmp_si(count, origin) == 0 && isl_val_is_int(count) == isl_bool_true;

    isl_val_free(count);
    isl_set_free(counts);
    isl_union_set_free(instances);
    return first;
}

/* The innermost loop over threads around the copy in whose iterations its instances are, or NULL. */
static const struct order *threads_around(const struct copying *copying)
{
    for (int k = copying->around.n - 1; k >= copying->n_outside; k--) {
        const struct order *loop = copying->around.at[k];
        if (axis_is_thread(copying_axis(loop)) && !is_at_first(copying, loop))
            return loop;
    }
    return NULL;
}

static const struct order *cooperate(struct copying *copying, const struct order *order)
{
    const bool is_copy = copying_find(copying, order);
    const struct order *around = is_copy ? threads_around(copying) : NULL, **child;

    if (is_copy && !(around && runs_in_threads(copying)) && !is_threads_own(copying, around)) {
        if (copying->all == 0 && is_blocked(copying))
            return refuse_rows(copying);
        if (copying->all == 0 && (around || is_for_one(copying)))
            return order;
        if (around)
            return refuse(copying, around);
        return divide(copying);
    }
    if (is_bound_otherwise(order))
        return refuse_bound(copying, order);
    child = ARENA_ARRAY(copying->schedule->arena, order->n_child + 1, const struct order *);
    enter(copying, order);
    for (int k = 0; k < order->n_child; k++) {
        child[k] = cooperate(copying, order->child[k]);
        if (!child[k])
            return NULL;
    }
    leave(copying, order);
    return order->n_child ? order_with_children(copying->schedule->arena, order, child) : order;
}

/* Several kernels stand below one node of the host. */
static const struct order *walk(struct copying *copying, const struct order *part)
{
    const struct order **child;

    if (!kernels_is_hosts(part)) {
        for (int k = 0; k < 3; k++)
            copying->threads[k] = 1;
        kernel_threads(part, copying->threads);
        copying->all = copying->threads[0] * copying->threads[1] * copying->threads[2];
        copying->kernel = part;
        copying->n_outside = copying->around.n;
        return copying->all != 1 ? cooperate(copying, part) : part;
    }
    child = ARENA_ARRAY(copying->schedule->arena, part->n_child, const struct order *);
    enter(copying, part);
    for (int k = 0; k < part->n_child; k++)
        if (!(child[k] = walk(copying, part->child[k])))
            return NULL;
    leave(copying, part);
    return order_with_children(copying->schedule->arena, part, child);
}

const struct order *cooperate_in(struct schedule *schedule, const struct order *order)
{
    struct copying copying = {.schedule = schedule};
    struct kernels parts;

    if (!gpu_by_language(schedule->program->target.language))
        return order;
    parts = kernels_parts(schedule->arena, order);
    for (int k = 0; k < parts.n; k++)
        if (!(parts.list[k] = walk(&copying, parts.list[k])))
            return NULL;
    return order_sequence(schedule->arena, parts.list, parts.n);
}

enum status cooperate_copies(struct schedule *schedule)
{
    const struct order *order = cooperate_in(schedule, schedule->order);

    if (order && order != schedule->order)
        schedule->order = schedule->original = order;
    return order ? STATUS_OK : STATUS_REFUSED;
}
