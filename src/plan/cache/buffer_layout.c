/* The layout of a buffer: its box cut into digits, as the step lists them or in the array's own order. */
#include "plan/cache/buffer.h"

#include "program/expr/index_expr.h"

#include <string.h>

static struct digit *add_digit(struct buffer *buffer, int axis, int64_t unit, const char *name)
{
    struct digit *digit = &buffer->digit[buffer->n_digit++];

    *digit = (struct digit){.axis = axis, .unit = unit, .name = name};
    return digit;
}

static bool has_digit_name(const struct buffer *buffer, const char *name)
{
    for (int k = 0; k < buffer->n_digit; k++)
        if (strcmp(buffer->digit[k].name, name) == 0)
            return true;
    return false;
}

/* The outermost loop that moves along the axis gives the name. */
static const char *axis_name(const struct buffer *buffer, const struct drivers *drivers, int axis)
{
    for (int k = 0; k < drivers->n; k++)
        if (drivers->list[k].factor[axis] && !has_digit_name(buffer, drivers->list[k].info->name))
            return drivers->list[k].info->name;
    return program_default_name(buffer->schedule->arena, buffer->schedule->program,
                                arena_printf(buffer->schedule->arena, "ax%d", axis), NULL, 0);
}

static bool refuse_layout(const struct buffer *buffer, struct place place, const char *hint, const char *text)
{
    edit_refuse(buffer->schedule, place, "layout", hint, "%s", text);
    return false;
}

static bool add_between_digit(struct buffer *buffer, const char *name)
{
    for (int k = 0; k < buffer->n_between; k++)
        if (strcmp(buffer->path.loop[buffer->n_outside + k]->info->name, name) == 0) {
            add_digit(buffer, -1 - k, 1, name);
            return true;
        }
    return false;
}

static const struct driver *find_driver(const struct drivers *drivers, const char *name)
{
    for (int k = 0; k < drivers->n; k++)
        if (strcmp(drivers->list[k].info->name, name) == 0)
            return &drivers->list[k];
    return NULL;
}

/* The name that the loop has among the drivers; *name is NULL after reporting that there is no such loop. With the nest
 * or a label in front, as in `mm.jj`, it means the same. */
static void resolve_name(const struct buffer *buffer, const struct drivers *drivers, const struct value *item,
                         const char **name)
{
    struct loop_ref ref;

    *name = item->string;
    if (find_driver(drivers, *name) || !strchr(*name, '.'))
        return;
    if (!edit_loop(buffer->schedule, item, &ref))
        *name = NULL;
    for (int k = 0; *name && k < drivers->n; k++)
        if (drivers->list[k].info->id == ref.info->id)
            *name = drivers->list[k].info->name;
}

/* The one axis that the loop moves along; -1: none or several. */
static int driven_axis(const struct buffer *buffer, const struct driver *driver)
{
    int axis = -1;

    for (int d = 0; d < buffer->array->n_dim; d++)
        if (driver->factor[d]) {
            if (axis >= 0)
                return -1;
            axis = d;
        }
    return axis;
}

/* The elements of the box between iterations of the loop that follow each other; 0: it does not move from one to
 * another. */
static int64_t driver_unit(const struct buffer *buffer, const struct driver *driver, int axis)
{
    const int64_t factor = driver->factor[axis] < 0 ? -driver->factor[axis] : driver->factor[axis];

    return factor % buffer->box[axis].stride == 0 ? factor / buffer->box[axis].stride : 0;
}

/* Has a listed loop the same step along the axis? NULL: none. */
static const char *with_unit(const struct buffer *buffer, int axis, int64_t unit)
{
    for (int k = 0; k < buffer->n_digit; k++)
        if (buffer->digit[k].axis == axis && buffer->digit[k].unit == unit)
            return buffer->digit[k].name;
    return NULL;
}

static bool add_named_digit(struct buffer *buffer, const struct drivers *drivers, const struct value *item)
{
    const struct driver *driver;
    const char *same, *name;
    int64_t unit;
    int axis;

    resolve_name(buffer, drivers, item, &name);
    if (!name)
        return false;
    if (has_digit_name(buffer, name))
        return refuse_layout(buffer, item->place, NULL, "this loop is listed twice");
    if (add_between_digit(buffer, name))
        return true;
    driver = find_driver(drivers, name);
    axis = driver ? driven_axis(buffer, driver) : -1;
    if (axis < 0)
        return refuse_layout(buffer, item->place, "the loops that a layout lists are the cached loop or inside it",
                             driver ? "no single subscript moves with this loop"
                                    : "there is no such loop around the references");
    unit = driver_unit(buffer, driver, axis);
    if (unit == 0)
        return refuse_layout(buffer, item->place, NULL, "this loop does not move from element to element of the box");
    same = with_unit(buffer, axis, unit);
    if (same)
        return refuse_layout(
            buffer, item->place, "leave one of them out: one dimension is for both",
            arena_printf(buffer->schedule->arena,
                         "the elements that this loop goes through are those of `%s`, by the same step", same));
    add_digit(buffer, axis, unit, name)->driver = driver->info;
    return true;
}

static bool add_listed_digits(struct buffer *buffer, const struct drivers *drivers, const struct value *layout)
{
    for (int k = 0; k < layout->n_item; k++) {
        if (buffer->n_digit == BUFFER_MAX_DIGIT)
            return refuse_layout(buffer, layout->place, NULL, "there are too many loops");
        if (!add_named_digit(buffer, drivers, &layout->item[k]))
            return false;
    }
    return true;
}

/* The digit of the axis with the largest unit below limit (0: any); NULL: none. */
static struct digit *next_digit(struct buffer *buffer, int axis, int64_t limit)
{
    struct digit *found = NULL;

    for (int k = 0; k < buffer->n_digit; k++) {
        struct digit *digit = &buffer->digit[k];
        if (digit->axis == axis && (limit == 0 || digit->unit < limit) && (!found || digit->unit > found->unit))
            found = digit;
    }
    return found;
}

int64_t digit_coarser(const struct buffer *buffer, const struct digit *digit)
{
    int64_t unit = 0;

    for (int k = 0; k < buffer->n_digit; k++) {
        const struct digit *other = &buffer->digit[k];
        if (other->axis == digit->axis && other->unit > digit->unit && (unit == 0 || other->unit < unit))
            unit = other->unit;
    }
    return unit;
}

bool buffer_is_injective(const struct buffer *buffer)
{
    for (int k = 0; k < buffer->n_digit; k++) {
        const struct digit *digit = &buffer->digit[k];
        const int64_t coarser = digit_coarser(buffer, digit);
        if (digit->unit < 1 || (coarser && (digit->size < 1 || digit->size > coarser / digit->unit)))
            return false;
        for (int other = 0; other < k; other++)
            if (buffer->digit[other].axis == digit->axis && buffer->digit[other].unit == digit->unit)
                return false;
    }
    return true;
}

static int64_t divide_up(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* ceil(extent / unit) of an axis without constant bounds */
static struct expr *whole_extent(const struct buffer *buffer, int axis, int64_t unit)
{
    struct arena *arena = buffer->schedule->arena;
    struct expr *shape = axis < 0                   ? buffer->between_extent[-1 - axis]
                         : buffer->box_extent[axis] ? buffer->box_extent[axis]
                                                    : buffer->array->shape[axis];

    if (unit == 1)
        return shape;
    return index_binary(arena, index_binary(arena, shape, OP_ADD, unit - 1), OP_DIV, unit);
}

/* The sizes of an axis' digits: the coarsest takes what is above it, the finest all below. */
static bool size_axis(struct buffer *buffer, int axis, struct place place)
{
    const int64_t size = axis < 0 ? buffer->between[-1 - axis].size : buffer->box[axis].size;
    struct digit *digit = next_digit(buffer, axis, 0), *finer;

    if (!digit)
        return size == 1 || refuse_layout(buffer, place, "list a loop that moves along each dimension",
                                          "the layout leaves out a dimension of which several elements are used");
    finer = next_digit(buffer, axis, digit->unit);
    if (!finer)
        digit->unit = 1;
    digit->size = divide_up(size, digit->unit);
    if (size == 0)
        digit->extent = whole_extent(buffer, axis, digit->unit);
    for (; finer; digit = finer, finer = next_digit(buffer, axis, digit->unit)) {
        if (!next_digit(buffer, axis, finer->unit))
            finer->unit = 1;
        if (digit->unit % finer->unit != 0)
            return refuse_layout(buffer, place, NULL, "the steps of the layout's loops do not divide one another");
        finer->size = digit->unit / finer->unit;
    }
    return true;
}

static bool is_order(const struct value *layout, const char *name)
{
    return layout && layout->kind == VALUE_STRING && strcmp(layout->string, name) == 0;
}

/* Which axis of the array has n slower ones; of an array in blocks, inside a block. */
static int own_axis(const struct array *array, int n)
{
    if (!array->digit)
        return array->dim_order ? array->dim_order[n] : n;
    for (int k = 0; k < array->n_digit; k++)
        if (array->digit[k].unit == 1 && n-- == 0)
            return array->digit[k].dim;
    return n;
}

/* One digit an axis, in the array's own order unless the step says otherwise. */
static void add_plain_digits(struct buffer *buffer, const struct drivers *drivers, const struct value *layout)
{
    const struct array *array = buffer->array;

    for (int k = 0; k < array->n_dim; k++) {
        const int row_major = is_order(layout, "row_major") ? k : own_axis(array, k);
        const int axis = is_order(layout, "col_major") ? array->n_dim - 1 - k : row_major;
        if (buffer->box[axis].size != 1)
            add_digit(buffer, axis, 1, axis_name(buffer, drivers, axis));
    }
}

/* Can such a digit stand beside the others of its axis: do their units divide one another? */
static bool fits_units(const struct buffer *buffer, int axis, int64_t unit)
{
    for (int k = 0; k < buffer->n_digit; k++) {
        const int64_t other = buffer->digit[k].unit;
        if (buffer->digit[k].axis == axis && (other == unit || (other % unit != 0 && unit % other != 0)))
            return false;
    }
    return true;
}

static bool has_constant_size(const struct buffer *buffer, int axis)
{
    return buffer->box[axis].size > 0 || (!buffer->box_extent[axis] && buffer->array->shape[axis]->kind == EXPR_INT);
}

static void put_first(struct buffer *buffer, struct digit digit)
{
    memmove(buffer->digit + 1, buffer->digit, (size_t)buffer->n_digit * sizeof(*buffer->digit));
    buffer->digit[0] = digit;
    buffer->n_digit++;
}

/* A dimension for each loop that moves along an axis, outermost first: what is unrolled or vectorised has its own. An
 * axis along which several loops move by steps that do not fit has that of the first; one that none moves along, which
 * vectors stand side by side in, has its own in front. */
static void add_driver_digits(struct buffer *buffer, const struct drivers *drivers)
{
    for (int k = 0; k < drivers->n; k++) {
        const struct driver *driver = &drivers->list[k];
        const int axis = driven_axis(buffer, driver);
        int64_t unit;
        if (axis < 0 || buffer->box[axis].size == 1 || buffer->n_digit == BUFFER_MAX_DIGIT)
            continue;
        unit = driver_unit(buffer, driver, axis);
        if (unit > 0 && fits_units(buffer, axis, unit))
            add_digit(buffer, axis, unit, driver->info->name)->driver = driver->info;
    }
    for (int axis = buffer->array->n_dim - 1; axis >= 0; axis--) {
        const struct digit digit = {.axis = axis, .unit = 1, .name = axis_name(buffer, drivers, axis)};
        if (buffer->box[axis].size == 1 || next_digit(buffer, axis, 0) || buffer->n_digit == BUFFER_MAX_DIGIT)
            continue;
        if (has_constant_size(buffer, axis))
            put_first(buffer, digit);
        else
            buffer->digit[buffer->n_digit++] = digit;
    }
}

/* Loops between that the layout does not list come first. */
static void add_missing_between(struct buffer *buffer)
{
    for (int k = buffer->n_between - 1; k >= 0; k--) {
        if (next_digit(buffer, -1 - k, 0) || buffer->between[k].size == 1)
            continue;
        put_first(buffer, (struct digit){.axis = -1 - k,
                                         .unit = 1,
                                         .name = buffer->path.loop[buffer->n_outside + k]->info->name});
    }
}

static enum status refuse_option(const struct buffer *buffer, const char *key, const char *text)
{
    return edit_refuse(buffer->schedule, step_place(buffer->step, key), buffer->step->primitive->name,
                       "leave it out: compilers keep one element in a register", "%s", text);
}

/* One element is a variable. */
static enum status check_one_element(const struct buffer *buffer)
{
    const struct buffer_options *options = &buffer->options;

    if (options->pad > 0)
        return refuse_option(buffer, "pad", "the buffer is one element, and has no dimension to be padded");
    if (options->memory == MEMORY_HEAP || options->memory == MEMORY_STATIC)
        return refuse_option(buffer, "memory",
                             "the buffer is one element: a variable, which no memory is allocated for");
    if (options->align > 0 && options->memory != MEMORY_SHARED && options->memory != MEMORY_GLOBAL)
        return refuse_option(buffer, "align",
                             "the buffer is one element: a variable, whose place the compiler chooses");
    return STATUS_OK;
}

enum status buffer_lay_out(struct buffer *buffer, const struct drivers *drivers)
{
    const struct value *layout = step_value(buffer->step, "layout");
    const struct place place = step_place(buffer->step, "layout");

    if (layout && layout->kind == VALUE_LIST) {
        if (!add_listed_digits(buffer, drivers, layout))
            return STATUS_REFUSED;
    } else if (layout && buffer->options.follows) {
        refuse_layout(buffer, place, "list the loops, outermost first",
                      "in registers and local memory a buffer has a dimension for each loop that indexes it");
        return STATUS_REFUSED;
    } else if (buffer->options.follows) {
        add_driver_digits(buffer, drivers);
    } else {
        add_plain_digits(buffer, drivers, layout);
    }
    add_missing_between(buffer);
    for (int axis = -buffer->n_between; axis < buffer->array->n_dim; axis++)
        if (!size_axis(buffer, axis, place))
            return STATUS_REFUSED;
    return buffer->n_digit == 0 ? check_one_element(buffer) : STATUS_OK;
}
