#include "plan/device/copies/copying.h"

#include "dep/box.h"
#include "plan/device/copies/neighbours.h"

#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "program/expr/affine.h"
#include "program/expr/index_expr.h"
#include "sched/path.h"
#include "sched/time.h"

#include <string.h>

/* Is it one that the threads of a block have together: in shared memory, or a cache that each block has its own of? */
static bool is_together(const struct array *array)
{
    return array->memory == MEMORY_SHARED || (array->memory == MEMORY_GLOBAL && array->is_buffer);
}

const struct access *copying_access(const struct statement *statement, bool buffer)
{
    for (int k = 0; k < statement->n_access; k++) {
        const struct array *array = statement->access[k].array;
        const bool own = strcmp(array->name, statement->copies) == 0;
        if (buffer == own && (!buffer || is_together(array)))
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
    const struct access *access = copying_access(statement, false);
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

enum axis copying_axis(const struct order *order)
{
    return order->kind == ORDER_LOOP && order->info->plan ? order->info->plan->axis : AXIS_NONE;
}

/* The extent of the innermost dimension but for what no copy goes over. */
static struct expr *without_pad(const struct copying *copying, struct expr *extent)
{
    const struct step *step = copying->loop[copying->n - 1]->info->step;
    const int64_t pad = step ? step_int(step, "pad", 0) : 0;

    if (extent->kind == EXPR_INT)
        return index_constant(copying->schedule->arena, extent->integer - pad);
    return pad ? index_binary(copying->schedule->arena, extent, OP_ADD, -pad) : extent;
}

/* The loops of a cache's copies count the elements of its buffer. */
static bool measure_buffer(struct copying *copying, const struct array *buffer)
{
    for (int k = 0; k < copying->n; k++) {
        const int dim = buffer->n_dim - copying->n + k;
        if (!copying->loop[k]->info->is_copy || dim < 0)
            return false;
        copying->time[k] = copying->loop[k]->time;
        copying->extent[k] = k == copying->n - 1 ? without_pad(copying, buffer->shape[dim]) : buffer->shape[dim];
        copying->size[k] = copying->extent[k]->kind == EXPR_INT ? copying->extent[k]->integer : 0;
    }
    return true;
}

/* The statement's own dimension that loop number k is to count: { S[..] -> [y_k] }. */
static __isl_give isl_union_pw_aff *own_value(const struct copying *copying, int k)
{
    return path_dimension(copying->leaf->domain, copying->leaf->statement->n_loop - copying->n + k);
}

/* Its values in the iterations of the loops around: { [c] -> [y_k] }. */
static __isl_give isl_map *values_of(const struct copying *copying, int k)
{
    const struct path around = {copying->around.at, copying->around.n};
    isl_map *iteration = poly_graph(path_iteration(&around, copying->leaf->statement));
    isl_map *values;

    iteration = isl_map_intersect_domain(iteration, isl_set_copy(copying->leaf->domain));
    iteration = isl_map_intersect_params(isl_map_reverse(iteration), isl_set_copy(copying->schedule->program->context));
    values = box_dimension(iteration, copying->leaf->statement->n_loop - copying->n + k);
    isl_map_free(iteration);
    return values;
}

/* { S[..] -> [first(c)] }, c the iteration of the loops around */
static __isl_give isl_union_pw_aff *first_value(const struct copying *copying, const struct box *box)
{
    const struct path around = {copying->around.at, copying->around.n};
    isl_pw_aff *first = isl_pw_aff_from_aff(isl_aff_copy(box->offset));

    first = isl_pw_aff_pullback_multi_pw_aff(first, path_iteration(&around, copying->leaf->statement));
    return isl_union_pw_aff_from_pw_aff(poly_pw_aff_coalesce(first));
}

/* Does loop number k count the values of the statement's own, whose loops are as many behind others? */
static bool counts_values(const struct copying *copying, int k)
{
    const struct order *leaf = copying->leaf;
    isl_union_map *own = isl_union_map_from_union_pw_aff(own_value(copying, k));
    isl_union_map *time = isl_union_map_from_union_pw_aff(time_of(copying->loop[k]->time, leaf->statement));
    bool same;

    time = isl_union_map_intersect_domain(time, isl_union_set_from_set(isl_set_copy(leaf->domain)));
    same = isl_union_map_is_subset(time, own) == isl_bool_true;
    isl_union_map_free(time);
    isl_union_map_free(own);
    return same;
}

/* The values of loop number k where only the launch knows how many they are. */
static struct box measure_extent(struct copying *copying, int k, __isl_keep isl_map *values)
{
    const struct program *program = copying->schedule->program;
    isl_aff *size;
    struct box box = box_measure_symbolic(values, program->context, &size);

    if (size)
        copying->extent[k] = index_expr_of(copying->schedule->arena, program, isl_pw_aff_from_aff(size));
    return box;
}

/* The loops of a nest that copies have the values of subscripts: less the first of each iteration they count from 0. */
static bool measure_nest(struct copying *copying)
{
    for (int k = 0; k < copying->n; k++) {
        isl_map *values = values_of(copying, k);
        struct box box = box_measure(values);
        bool good;
        copying->extent[k] = NULL;
        if (box.size == 0)
            box = measure_extent(copying, k, values);
        good = (box.size > 0 || copying->extent[k]) && counts_values(copying, k);
        isl_map_free(values);
        if (good)
            copying->time[k] =
                poly_keep_union_pw_aff(copying->schedule->arena,
                                       isl_union_pw_aff_sub(own_value(copying, k), first_value(copying, &box)));
        copying->size[k] = box.size;
        box_release(&box);
        if (!good)
            return false;
    }
    return true;
}

bool copying_find(struct copying *copying, const struct order *order)
{
    const struct access *access;

    copying->n = 0;
    for (; order->kind == ORDER_LOOP; order = order->child[0]) {
        if (copying_axis(order) != AXIS_NONE || copying->n == MAX_LOOPS)
            return false;
        copying->loop[copying->n++] = order;
    }
    if (order->kind != ORDER_LEAF || !order->statement->copies || copying->n == 0 ||
        copying->n > order->statement->n_loop)
        return false;
    copying->leaf = order;
    access = copying_access(order->statement, true);
    if (!access || !(order->statement->is_copy ? measure_buffer(copying, access->array) : measure_nest(copying)))
        return false;
    choose_fastest(copying);
    return true;
}
