#include "plan/cache/buffer.h"

#include "poly/coalesce.h"
#include "poly/keep.h"
#include "sched/extent.h"

#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

/* { [c] -> [m_k] } */
static __isl_give isl_map *between_map(const struct buffer *buffer, int k)
{
    isl_map *map = isl_map_from_range(isl_map_domain(isl_map_copy(buffer->footprint)));
    const unsigned at = (unsigned)k;

    map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, (unsigned)buffer->n_outside);
    map = isl_map_project_out(map, isl_dim_out, at + 1, (unsigned)buffer->n_between - at - 1);
    return poly_map_coalesce(isl_map_project_out(map, isl_dim_out, 0, at));
}

/* { [c] -> [(value)] } */
static __isl_give isl_aff *constant(const struct buffer *buffer, int64_t value)
{
    isl_space *space = isl_space_params(isl_map_get_space(buffer->footprint));

    space = isl_space_add_dims(isl_space_set_from_params(space), isl_dim_set, (unsigned)buffer->n_outside);
    return isl_aff_add_constant_si(isl_aff_zero_on_domain(isl_local_space_from_space(space)), (int)value);
}

/* As many iterations as the loop has for all parameters, from a first one that is a constant. */
static bool measure_symbolic(struct buffer *buffer, int k)
{
    const struct order *loop = buffer->path.loop[buffer->n_outside + k];
    const struct loop_ref ref = {.info = loop->info,
                                 .node = loop,
                                 .time = loop->time,
                                 .domain = poly_keep_union_set(buffer->schedule->arena, order_domain(loop))};
    struct loop_extent extent;
    int64_t first;

    if (!extent_measure(buffer->schedule, &ref, &extent) || !aff_constant(extent.first, &first))
        return false;
    buffer->between[k] = (struct box){.stride = 1, .offset = constant(buffer, first)};
    buffer->between_extent[k] = extent.size;
    return true;
}

static enum status measure_between(struct buffer *buffer)
{
    for (int k = 0; k < buffer->n_between; k++) {
        isl_map *map = between_map(buffer, k);
        buffer->between[k] = box_measure(map);
        isl_map_free(map);
        if (buffer->between[k].size == 0 && !measure_symbolic(buffer, k))
            return edit_refuse(buffer->schedule, step_place(buffer->step, "trigger"), "cache", NULL,
                               "the iterations of `%s` have no bound that could be a size of the buffer",
                               buffer->path.loop[buffer->n_outside + k]->info->name);
    }
    return STATUS_OK;
}

/* A dimension without constant bounds is kept whole: its first element is 0. */
static void take_whole(struct buffer *buffer, int dim)
{
    isl_space *space = isl_space_domain(isl_map_get_space(buffer->footprint));

    buffer->box[dim] = (struct box){.stride = 1, .offset = isl_aff_zero_on_domain(isl_local_space_from_space(space))};
}

/* Is the box so large that the whole dimension takes no more? */
static bool exceeds(const struct buffer *buffer, int dim)
{
    int64_t extent;
    const struct expr *shape = buffer->array->shape[dim];

    if (shape->kind != EXPR_INT)
        return false;
    extent = shape->integer;
    return buffer->box[dim].stride == 1 && buffer->box[dim].size >= extent;
}

/* In front of the subscripts of a buffer are the iterations that fill it, of which there are several here. */
static enum status refuse_iterations(const struct buffer *buffer)
{
    struct arena *arena = buffer->schedule->arena;
    const char *name = buffer->array->name;

    return edit_refuse(buffer->schedule, buffer->step->place, "cache",
                       arena_printf(arena, "a cache of `%s` itself goes no further out than `%s` is filled", name,
                                    name),
                       "the values of `%s` are those of one iteration that fills it, and this is a cache of several",
                       name);
}

enum status buffer_measure(struct buffer *buffer)
{
    if (buffer->array->n_dim > BUFFER_MAX_DIM || buffer->n_between > BUFFER_MAX_DIM)
        return edit_refuse(buffer->schedule, buffer->step->place, "cache", NULL, "it has too many dimensions");
    if (measure_between(buffer) != STATUS_OK)
        return STATUS_REFUSED;
    for (int d = 0; d < buffer->array->n_dim; d++) {
        isl_map *map = box_dimension(buffer->footprint, d);
        buffer->box[d] = box_measure_strided(map);
        if (buffer->box[d].size > 1 && exceeds(buffer, d))
            box_release(&buffer->box[d]);
        else
            buffer_measure_part(buffer, d, map);
        isl_map_free(map);
        if (d < buffer->array->n_iteration && buffer->box[d].size != 1)
            return refuse_iterations(buffer);
        if (!buffer->box[d].offset)
            take_whole(buffer, d);
    }
    return STATUS_OK;
}

/* { [c, y] } without bounds */
static __isl_give isl_local_space *buffer_space(const struct buffer *buffer)
{
    isl_space *space = isl_space_params(isl_map_get_space(buffer->footprint));

    space = isl_space_add_dims(isl_space_set_from_params(space), isl_dim_set,
                               (unsigned)(buffer->n_outside + buffer->n_digit));
    return isl_local_space_from_space(space);
}

/* sum of unit * y over the digits of an axis, times stride */
static __isl_give isl_aff *digits_sum(const struct buffer *buffer, __isl_keep isl_local_space *space, int axis,
                                      int64_t stride)
{
    isl_aff *sum = isl_aff_zero_on_domain(isl_local_space_copy(space));

    for (int k = 0; k < buffer->n_digit; k++)
        if (buffer->digit[k].axis == axis)
            sum = isl_aff_set_coefficient_si(sum, isl_dim_in, buffer->n_outside + k,
                                             (int)(buffer->digit[k].unit * stride));
    return sum;
}

/* { [c, y] -> [c] } or, with m_k put behind as far as they are given, { [c, y] -> [c, m] } */
static __isl_give isl_multi_aff *iteration(const struct buffer *buffer, __isl_keep isl_local_space *space,
                                           isl_aff *const *m, int n_m)
{
    isl_aff_list *list = isl_aff_list_alloc(isl_local_space_get_ctx(space), buffer->n_outside + n_m);
    isl_space *to = isl_space_from_domain(isl_local_space_get_space(space));

    for (int k = 0; k < buffer->n_outside; k++)
        list = isl_aff_list_add(list, isl_aff_var_on_domain(isl_local_space_copy(space), isl_dim_set, (unsigned)k));
    for (int k = 0; k < n_m; k++)
        list = isl_aff_list_add(list, isl_aff_copy(m[k]));
    to = isl_space_add_dims(to, isl_dim_out, (unsigned)(buffer->n_outside + n_m));
    return isl_multi_aff_from_aff_list(to, list);
}

static __isl_give isl_aff *coordinate(const struct buffer *buffer, __isl_keep isl_local_space *space,
                                      const struct box *box, int axis, __isl_take isl_multi_aff *from)
{
    isl_aff *offset = isl_aff_pullback_multi_aff(isl_aff_copy(box->offset), from);

    return isl_aff_add(offset, digits_sum(buffer, space, axis, box->stride));
}

static __isl_give isl_multi_aff *functions(const struct buffer *buffer, __isl_keep isl_local_space *space)
{
    const int n_dim = buffer->array->n_dim, n_between = buffer->n_between;
    isl_aff *m[BUFFER_MAX_DIM];
    isl_aff_list *list = isl_aff_list_alloc(isl_local_space_get_ctx(space), n_between + n_dim);
    isl_space *to = isl_space_from_domain(isl_local_space_get_space(space));

    for (int k = 0; k < n_between; k++) {
        m[k] = coordinate(buffer, space, &buffer->between[k], -1 - k, iteration(buffer, space, NULL, 0));
        list = isl_aff_list_add(list, isl_aff_copy(m[k]));
    }
    for (int d = 0; d < n_dim; d++)
        list = isl_aff_list_add(list,
                                coordinate(buffer, space, &buffer->box[d], d, iteration(buffer, space, m, n_between)));
    for (int k = 0; k < n_between; k++)
        isl_aff_free(m[k]);
    to = isl_space_add_dims(to, isl_dim_out, (unsigned)(n_between + n_dim));
    return isl_multi_aff_from_aff_list(to, list);
}

static __isl_give isl_set *bounds(const struct buffer *buffer, __isl_take isl_local_space *space)
{
    isl_set *set = isl_set_universe(isl_local_space_get_space(space));

    for (int k = 0; k < buffer->n_digit; k++) {
        const unsigned at = (unsigned)(buffer->n_outside + k);
        set = isl_set_lower_bound_si(set, isl_dim_set, at, 0);
        if (buffer->digit[k].size > 0)
            set = isl_set_upper_bound_si(set, isl_dim_set, at, (int)buffer->digit[k].size - 1);
    }
    isl_local_space_free(space);
    return set;
}

static void release_functions(void *functions)
{
    isl_multi_aff_free(functions);
}

void buffer_place(struct buffer *buffer)
{
    struct arena *arena = buffer->schedule->arena;
    isl_local_space *space = buffer_space(buffer);
    isl_multi_aff *whole;

    buffer->first = functions(buffer, space);
    whole = isl_multi_aff_flat_range_product(iteration(buffer, space, NULL, 0), isl_multi_aff_copy(buffer->first));
    if (buffer->first)
        arena_on_free(arena, release_functions, buffer->first);
    buffer->place = isl_map_intersect_domain(isl_map_from_multi_aff(whole), bounds(buffer, space));
    poly_keep_map(arena, buffer->place);
}

void buffer_release(struct buffer *buffer)
{
    isl_map_free(buffer->footprint);
    for (int k = 0; k < BUFFER_MAX_DIM; k++) {
        box_release(&buffer->between[k]);
        box_release(&buffer->box[k]);
    }
}
