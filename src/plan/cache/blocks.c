#include "plan/cache/blocks.h"

#include "program/rewrite.h"
#include "sched/program_step.h"

#include <isl/val.h>

/* Do the boxes of all iterations start at multiples of their size in this dimension? */
static bool is_on_grid(const struct buffer *buffer, int dim)
{
    const struct box *box = &buffer->box[dim];
    isl_set *iterations = isl_map_domain(isl_map_copy(buffer->footprint)), *grid;
    isl_aff *rest = isl_aff_copy(box->offset);
    bool on;

    rest = isl_aff_mod_val(rest, isl_val_int_from_si(isl_set_get_ctx(iterations), box->size));
    grid = isl_set_from_basic_set(isl_aff_zero_basic_set(rest));
    grid = isl_set_reset_tuple_id(grid);
    on = isl_set_is_subset(iterations, grid) == isl_bool_true;
    isl_set_free(iterations);
    isl_set_free(grid);
    return on && box->stride == 1;
}

/* Whole dimensions and boxes on a grid of which every digit divides the box are blocks. */
static bool is_block(const struct buffer *buffer, int dim)
{
    const int64_t size = buffer->box[dim].size;

    if (size == 0)
        return true;
    for (int k = 0; k < buffer->n_digit; k++)
        if (buffer->digit[k].axis == dim && size % (buffer->digit[k].unit * buffer->digit[k].size) != 0)
            return false;
    return is_on_grid(buffer, dim);
}

static bool are_blocks(const struct buffer *buffer)
{
    for (int d = 0; d < buffer->array->n_dim; d++)
        if (!is_block(buffer, d))
            return false;
    return true;
}

/* The digit of the buffer as one of its array: the coarsest of a whole dimension goes as far as that. */
static struct stored_dim stored_digit(const struct buffer *buffer, const struct digit *digit)
{
    const bool open = buffer->box[digit->axis].size == 0 && digit_coarser(buffer, digit) == 0;

    return (struct stored_dim){digit->axis, digit->unit, open ? 0 : digit->size};
}

/* The blocks one after the other, in the order of the array's dimensions, then the buffer's own digits. */
static const struct stored_dim *block_digits(const struct buffer *buffer, int *n)
{
    const int most = buffer->array->n_dim + buffer->n_digit;
    struct stored_dim *list = ARENA_ARRAY(buffer->schedule->arena, most, struct stored_dim);

    *n = 0;
    for (int d = 0; d < buffer->array->n_dim; d++)
        if (buffer->box[d].size > 0)
            list[(*n)++] = (struct stored_dim){d, buffer->box[d].size, 0};
    for (int k = 0; k < buffer->n_digit; k++)
        if (buffer->digit[k].axis >= 0)
            list[(*n)++] = stored_digit(buffer, &buffer->digit[k]);
    return list;
}

/* The place of the dimension's finest digit in the buffer; -1: it has none. */
static int place_of(const struct buffer *buffer, int dim)
{
    int place = -1;

    for (int k = 0; k < buffer->n_digit; k++)
        if (buffer->digit[k].axis == dim && (place < 0 || buffer->digit[k].unit < buffer->digit[place].unit))
            place = k;
    return place;
}

static int *ordered_dimensions(const struct buffer *buffer)
{
    const int n = buffer->array->n_dim;
    int *order = ARENA_ARRAY(buffer->schedule->arena, n + 1, int);

    for (int d = 0; d < n; d++) {
        int at = d;
        for (; at > 0 && place_of(buffer, order[at - 1]) > place_of(buffer, d); at--)
            order[at] = order[at - 1];
        order[at] = d;
    }
    return order;
}

bool blocks_choose(struct schedule *schedule, const struct buffer *buffer)
{
    const struct program *before = schedule->program;
    struct program *program;
    struct array *array;

    if (!buffer->array->auto_layout || buffer->array->n_iteration > 0)
        return false;
    program = program_copy_arrays(schedule->arena, before);
    array = &program->array[buffer->array - before->array];
    array->auto_layout = false;
    if (are_blocks(buffer))
        array->digit = block_digits(buffer, &array->n_digit);
    else
        array->dim_order = ordered_dimensions(buffer);
    program_step_replace(schedule, program);
    return true;
}

static bool is_same(struct stored_dim a, struct stored_dim b)
{
    return a.dim == b.dim && a.unit == b.unit && a.size == b.size;
}

static bool is_among(struct stored_dim one, const struct stored_dim *list, int n)
{
    for (int k = 0; k < n; k++)
        if (is_same(one, list[k]))
            return true;
    return false;
}

bool blocks_are_buffer(const struct buffer *buffer)
{
    const struct array *array = buffer->array;
    const struct stored_dim *list;
    int n;

    if (buffer->n_between > 0 || !array->digit || !are_blocks(buffer))
        return false;
    list = block_digits(buffer, &n);
    if (n != array->n_digit)
        return false;
    for (int k = 0; k < n; k++)
        if (!(k < n - buffer->n_digit ? is_among(list[k], array->digit, n - buffer->n_digit)
                                      : is_same(list[k], array->digit[k])))
            return false;
    return true;
}
