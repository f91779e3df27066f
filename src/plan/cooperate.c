#include "plan/cooperate.h"

#include "caps/gpu.h"
#include "plan/kernels.h"
#include "plan/loop_plan.h"
#include "plan/neighbours.h"
#include "poly/keep.h"
#include "program/affine.h"
#include "program/index_expr.h"
#include "sched/edit.h"
#include "sched/time.h"

#include <isl/val.h>

#include <string.h>

enum { MAX_LOOPS = 32 };

/* The loops of a copy, outermost first, and what they copy. */
struct copying {
    struct schedule *schedule;
    int64_t threads[3], all; /* of a block */
    const struct order *loop[MAX_LOOPS];
    int64_t size[MAX_LOOPS];
    int slowest[MAX_LOOPS]; /* the loops in the order in which threads go over them, slowest first */
    int n;
    const struct order *leaf;
};

/* A copy's access to its buffer, where that is shared, or to what is copied. */
static const struct access *access_of(const struct statement *statement, bool buffer)
{
    for (int k = 0; k < statement->n_access; k++) {
        const struct array *array = statement->access[k].array;
        const bool own = strcmp(array->name, statement->copies) == 0;
        if (buffer == own && (!buffer || array->memory == MEMORY_SHARED))
            return &statement->access[k];
    }
    return NULL;
}

/* By how many elements of dimension dim the access moves on from one value of the statement's loop to the next; 0: not
 * at all, or that is not known. */
static int64_t step_along(const struct access *access, int dim, int loop)
{
    isl_pw_multi_aff *subscripts = isl_pw_multi_aff_from_map(isl_map_copy(access->map));
    const int64_t step = subscript_factor(subscripts, dim, loop);

    isl_pw_multi_aff_free(subscripts);
    return step;
}

/* Neighbouring threads are to use neighbouring elements of the array in the device's memory. */
static void choose_fastest(struct copying *copying)
{
    const struct statement *statement = copying->leaf->statement;
    const struct access *access = access_of(statement, false);
    const int dim = access ? fastest_dimension(access->array) : -1;
    int n = 0;

    for (int k = 0; k < copying->n; k++)
        copying->slowest[k] = k;
    for (int k = 0; dim >= 0 && k < copying->n; k++)
        if (step_along(access, dim, statement->n_loop - copying->n + k) == 1) {
            for (int l = 0; l < copying->n; l++)
                if (l != k)
                    copying->slowest[n++] = l;
            copying->slowest[n] = k;
            return;
        }
}

/* The copy whose outermost loop is order; false when it is none, or a step has bound its loops. */
static bool find_copy(struct copying *copying, const struct order *order)
{
    const struct access *access;

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
    access = access_of(order->statement, true);
    for (int k = 0; access && k < copying->n; k++) {
        const int dim = access->array->n_dim - copying->n + k;
        if (dim < 0 || access->array->shape[dim]->kind != EXPR_INT)
            return false;
        copying->size[k] = access->array->shape[dim]->integer;
        if (k == copying->n - 1)
            copying->size[k] -= step_int(copying->loop[k]->info->step, "pad", 0);
    }
    choose_fastest(copying);
    return access != NULL;
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
    return info;
}

/* Loop number k bound to axis. */
static const struct order *bound(struct copying *copying, int k, enum axis axis, int64_t weight,
                                 const struct order *body)
{
    const struct order *loop = copying->loop[k];
    struct loop_info *info = cooperate_info(copying->schedule, loop->info, axis, copying->size[k], weight);

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
        if (k >= copying->n || copying->size[copying->slowest[copying->n - 1 - k]] != copying->threads[k])
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
        if (axis[k] < 3 && copying->threads[axis[k]] > 1)
            order = bound(copying, k, (enum axis)(AXIS_THREAD_X + axis[k]), 1, order);
        else
            order = order_loop(copying->schedule->arena, loop->info, isl_union_pw_aff_copy(loop->time), order);
    }
    return order;
}

/* Element after element: the threads go round them. */
static const struct order *by_number(struct copying *copying)
{
    const struct order *order = copying->leaf;
    int64_t weight[MAX_LOOPS], all = 1;

    for (int k = copying->n - 1; k >= 0; k--) {
        weight[copying->slowest[k]] = all;
        all *= copying->size[copying->slowest[k]];
    }
    for (int k = copying->n - 1; k >= 0; k--)
        order = bound(copying, k, AXIS_THREAD, weight[k], order);
    return order;
}

static enum axis axis_of(const struct order *order)
{
    return order->kind == ORDER_LOOP && order->info->plan ? order->info->plan->axis : AXIS_NONE;
}

bool is_cooperative(const struct loop_info *info)
{
    return info->is_copy && info->plan && info->plan->axis != AXIS_NONE && info->plan->bind_step == info->step;
}

static const struct order *refuse(struct copying *copying, const struct order *around)
{
    const struct access *access = access_of(copying->leaf->statement, true);

    edit_refuse(copying->schedule, access->array->place, "memory",
                "cache outside of the loops that are bound to threads, or in \"local\" memory",
                "`%s` is shared by all threads of a block, but belongs to one iteration of `%s`, which is bound to %s",
                access->array->name, around->info->name, axis_name(axis_of(around)));
    return NULL;
}

/* around: the innermost loop over threads, or NULL. */
static const struct order *cooperate(struct copying *copying, const struct order *order, const struct order *around)
{
    const struct order **child;

    if (find_copy(copying, order)) {
        if (around)
            return refuse(copying, around);
        return has_blocks_shape(copying) ? by_dimension(copying) : by_number(copying);
    }
    if (axis_is_thread(axis_of(order)))
        around = order;
    child = ARENA_ARRAY(copying->schedule->arena, order->n_child + 1, const struct order *);
    for (int k = 0; k < order->n_child; k++) {
        child[k] = cooperate(copying, order->child[k], around);
        if (!child[k])
            return NULL;
    }
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
        return copying->all > 1 ? cooperate(copying, part, NULL) : part;
    }
    child = ARENA_ARRAY(copying->schedule->arena, part->n_child, const struct order *);
    for (int k = 0; k < part->n_child; k++)
        if (!(child[k] = walk(copying, part->child[k])))
            return NULL;
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
        if (!(parts.list[k] = walk(&copying, parts.list[k])))
            return STATUS_REFUSED;
    schedule->order = schedule->original = order_sequence(schedule->arena, parts.list, parts.n);
    return STATUS_OK;
}
