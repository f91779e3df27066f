#include "plan/cooperate.h"

#include "caps/gpu.h"
#include "plan/kernels.h"
#include "plan/loop_plan.h"
#include "poly/keep.h"
#include "program/index_expr.h"
#include "sched/edit.h"
#include "sched/time.h"

enum { MAX_LOOPS = 32 };

/* The loops of a copy, outermost first, and what they copy. */
struct copying {
    struct schedule *schedule;
    int64_t threads[3], all; /* of a block */
    const struct order *loop[MAX_LOOPS];
    int64_t size[MAX_LOOPS];
    int n;
    const struct order *leaf;
};

static const struct array *buffer_of(const struct statement *statement)
{
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].array->memory == MEMORY_SHARED && statement->access[k].array->is_buffer)
            return statement->access[k].array;
    return NULL;
}

/* The copy whose outermost loop is order; false when it is none, or a step has bound its loops. */
static bool find_copy(struct copying *copying, const struct order *order)
{
    const struct array *buffer;

    copying->n = 0;
    for (; order->kind == ORDER_LOOP; order = order->child[0]) {
        const bool bound = order->info->plan && order->info->plan->axis != AXIS_NONE;
        if (!order->info->is_copy || bound || copying->n == MAX_LOOPS)
            return false;
        copying->loop[copying->n++] = order;
    }
    if (order->kind != ORDER_LEAF || !order->statement->is_copy || copying->n == 0)
        return false;
    copying->leaf = order;
    buffer = buffer_of(order->statement);
    for (int k = 0; buffer && k < copying->n; k++) {
        const int dim = buffer->n_dim - copying->n + k;
        if (dim < 0 || buffer->shape[dim]->kind != EXPR_INT)
            return false;
        copying->size[k] = buffer->shape[dim]->integer;
        if (k == copying->n - 1)
            copying->size[k] -= step_int(copying->loop[k]->info->step, "pad", 0);
    }
    return buffer != NULL;
}

static const struct order *bound(struct copying *copying, const struct order *loop, struct loop_info *info,
                                 enum axis axis, int64_t size, const struct order *body)
{
    struct loop_plan *plan = ARENA_NEW(copying->schedule->arena, struct loop_plan);

    *plan = loop_plan_of(info);
    plan->axis = axis;
    plan->origin = poly_keep_aff(copying->schedule->arena, params_constant(copying->schedule->program, 0));
    plan->size = index_constant(copying->schedule->arena, size);
    plan->bind_step = info->step;
    info->plan = plan;
    return order_loop(copying->schedule->arena, info, isl_union_pw_aff_copy(loop->time), body);
}

/* Are the innermost extents those of the block, x the fastest? */
static bool has_blocks_shape(const struct copying *copying)
{
    int used = 0;

    while (used < 3 && copying->threads[used] > 1)
        used++;
    for (int k = used; k < 3; k++)
        if (copying->threads[k] > 1)
            return false;
    for (int k = 0; k < used; k++)
        if (k >= copying->n || copying->size[copying->n - 1 - k] != copying->threads[k])
            return false;
    return used > 0;
}

static const struct order *by_dimension(struct copying *copying)
{
    const struct order *order = copying->leaf;

    for (int k = copying->n - 1; k >= 0; k--) {
        const struct order *loop = copying->loop[k];
        const int axis = copying->n - 1 - k;
        struct loop_info *info = edit_copy_info(copying->schedule, loop->info);
        if (axis < 3 && copying->threads[axis] > 1)
            order = bound(copying, loop, info, (enum axis)(AXIS_THREAD_X + axis), copying->size[k], order);
        else
            order = order_loop(copying->schedule->arena, info, isl_union_pw_aff_copy(loop->time), order);
    }
    return order;
}

/* The number of an element, the last dimension counting fastest. */
static __isl_give isl_union_pw_aff *number(const struct copying *copying)
{
    isl_union_pw_aff *sum = isl_union_pw_aff_copy(copying->loop[0]->time);

    for (int k = 1; k < copying->n; k++)
        sum = isl_union_pw_aff_add(time_scale(sum, copying->size[k]), isl_union_pw_aff_copy(copying->loop[k]->time));
    return sum;
}

static struct loop_info *new_info(const struct copying *copying, const char *name)
{
    const struct loop_info like = {.stride = 1, .unit = 1, .is_copy = true};

    return edit_new_info(copying->schedule, &like, name, copying->loop[0]->info->step);
}

/* Element number all * turn + thread. */
static const struct order *by_number(struct copying *copying)
{
    struct arena *arena = copying->schedule->arena;
    const char *last = copying->loop[copying->n - 1]->info->name;
    struct loop_info *turn = new_info(copying, arena_printf(arena, "%s_turn", last));
    struct loop_info *thread = new_info(copying, arena_printf(arena, "%s_thread", last));
    const struct order *inner, *outer;
    int64_t size = 1;

    for (int k = 0; k < copying->n; k++)
        size *= copying->size[k];
    inner = order_loop(arena, thread, time_mod(number(copying), copying->all), copying->leaf);
    inner = bound(copying, inner, thread, AXIS_THREAD, size < copying->all ? size : copying->all, copying->leaf);
    turn->stride = copying->all;
    outer = order_loop(arena, turn, time_floor_div(number(copying), copying->all), inner);
    return outer;
}

static const struct order *cooperate(struct copying *copying, const struct order *order)
{
    const struct order **child;

    if (find_copy(copying, order))
        return has_blocks_shape(copying) ? by_dimension(copying) : by_number(copying);
    child = ARENA_ARRAY(copying->schedule->arena, order->n_child + 1, const struct order *);
    for (int k = 0; k < order->n_child; k++)
        child[k] = cooperate(copying, order->child[k]);
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
        return copying->all > 1 ? cooperate(copying, part) : part;
    }
    child = ARENA_ARRAY(copying->schedule->arena, part->n_child, const struct order *);
    for (int k = 0; k < part->n_child; k++)
        child[k] = walk(copying, part->child[k]);
    return order_with_children(copying->schedule->arena, part, child);
}

enum status cooperate_copies(struct schedule *schedule)
{
    struct copying copying = {.schedule = schedule};
    struct kernels parts;

    if (!gpu_by_language(schedule->program->target.language))
        return STATUS_OK;
    parts = kernels_parts(schedule->arena, schedule->order);
    for (int k = 0; k < parts.n; k++)
        parts.list[k] = walk(&copying, parts.list[k]);
    schedule->order = schedule->original = order_sequence(schedule->arena, parts.list, parts.n);
    return STATUS_OK;
}
