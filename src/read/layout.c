#include "read/layout.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCK = 1 << 20 };

static const struct argument form_order[] = {{.key = "order of dimensions",
                                              .kind = ARGUMENT_CHOICE,
                                              .choices = "row_major col_major"},
                                             {.key = "order of dimensions", .kind = ARGUMENT_INTS},
                                             {0}};

void set_order(struct reader *reader, struct array *array, bool reverse)
{
    array->dim_order = ARENA_ARRAY(reader->arena, array->n_dim, int);
    for (int k = 0; k < array->n_dim; k++)
        array->dim_order[k] = reverse ? array->n_dim - 1 - k : k;
}

static void read_dimension_order(struct reader *reader, const struct value *list, struct array *array)
{
    bool seen[MAX_RANK] = {false};
    bool good = list->n_item == array->n_dim;

    for (int k = 0; good && k < list->n_item; k++) {
        const struct value *item = &list->item[k];

        good = item->kind == VALUE_INT && item->integer >= 0 && item->integer < array->n_dim && !seen[item->integer];
        if (!good)
            break;
        seen[item->integer] = true;
        array->dim_order[k] = (int)item->integer;
    }
    if (!good)
        diag_error(reader->diags, "layout", list->place,
                   "an order of dimensions lists each of 0 to %d once, from slowest to fastest", array->n_dim - 1);
}

/* A name or a list: everything but objects. */
static void read_order(struct reader *reader, const struct value *order, struct array *array)
{
    if (order->kind == VALUE_LIST)
        read_dimension_order(reader, order, array);
    else
        set_order(reader, array, argument_number(reader->arena, form_order, order->string) == 1);
}

static const struct argument stride_keys[] = {
    {.key = "strides", .kind = ARGUMENT_AFFINES, .required = true, .doc = "in elements, one a dimension"},
    {.key = "offset", .kind = ARGUMENT_AFFINE, .fallback = "0", .doc = "of the first element"},
    {0},
};
static const struct object_type object_strides = {.title = "a layout with strides", .key = stride_keys};

static void read_strides(struct reader *reader, const struct value *object, struct array *array)
{
    const struct value *strides = value_of_kind(object, "strides", VALUE_LIST),
                       *offset = value_member(object, "offset");

    if (!read_sound(reader, &object_strides, object, array))
        return;
    if (strides->n_item != array->n_dim) {
        diag_error(reader->diags, "layout", strides->place, "`%s` has %d dimensions, this gives %d strides",
                   array->name, array->n_dim, strides->n_item);
        return;
    }
    array->stride = ARENA_ARRAY(reader->arena, array->n_dim, struct expr *);
    for (int k = 0; k < array->n_dim; k++)
        array->stride[k] = read_affine(reader, &strides->item[k], "a stride");
    if (offset)
        array->offset = read_affine(reader, offset, "an offset");
}

/* The dimension that a key of "block" names, or -1 after reporting. */
static int block_dimension(struct reader *reader, const struct value *block, int k, const struct array *array,
                           const int64_t *size)
{
    char *end;
    const long dim = strtol(block->key[k], &end, 10);

    if (strspn(block->key[k], "0123456789") > 0 && *end == '\0' && dim < array->n_dim && !size[dim])
        return (int)dim;
    diag_error(reader->diags, "layout", block->key_place[k],
               "a block names a dimension of `%s`, \"0\" to \"%d\", by its number", array->name, array->n_dim - 1);
    return -1;
}

/* The number of blocks in each dimension, in the order of dimensions, then the positions inside blocks. */
static void set_digits(struct reader *reader, struct array *array, const int64_t *size, const int *inner, int n_inner)
{
    struct stored_dim *digit = ARENA_ARRAY(reader->arena, array->n_dim + n_inner, struct stored_dim);

    for (int k = 0; k < array->n_dim; k++) {
        const int dim = array->dim_order[k];
        digit[k] = (struct stored_dim){dim, size[dim] ? size[dim] : 1, 0};
    }
    for (int k = 0; k < n_inner; k++)
        digit[array->n_dim + k] = (struct stored_dim){inner[k], 1, size[inner[k]]};
    array->digit = digit;
    array->n_digit = array->n_dim + n_inner;
}

static void read_sizes(struct reader *reader, const struct value *block, struct array *array)
{
    int64_t *sizes = ARENA_ARRAY(reader->arena, array->n_dim, int64_t);
    int *inner = ARENA_ARRAY(reader->arena, block->n_item, int);

    for (int k = 0; k < block->n_item; k++) {
        const struct value *size = &block->item[k];
        const int dim = block_dimension(reader, block, k, array, sizes);
        if (dim < 0)
            return;
        sizes[dim] = size->integer;
        inner[k] = dim;
    }
    set_digits(reader, array, sizes, inner, block->n_item);
}

static const struct argument form_size[] = {
    {.key = "the size of a block", .kind = ARGUMENT_INT, .minimum = 2, .maximum = MAX_BLOCK}};
static const struct argument block_keys[] = {
    {.key = "block",
     .kind = ARGUMENT_MEMBERS,
     .form = form_size,
     .required = true,
     .doc = "the sizes of blocks, by the numbers of the dimensions"},
    {.key = "order", .kind = ARGUMENT_FORMS, .form = form_order, .fallback = "row_major", .doc = "of the blocks"},
    {0},
};
static const struct object_type object_blocks = {.title = "a layout with blocks", .mark = "block", .key = block_keys};

static void read_blocks(struct reader *reader, const struct value *object, struct array *array)
{
    const struct value *block = value_member(object, "block"), *order = value_member(object, "order");

    if (!read_sound(reader, &object_blocks, object, array))
        return;
    if (order)
        read_order(reader, order, array);
    if (block->n_item == 0)
        diag_error(reader->diags, "layout", block->place, "\"block\" gives at least one dimension its size");
    else
        read_sizes(reader, block, array);
}

const struct argument form_layout[] = {
    {.key = "layout", .kind = ARGUMENT_CHOICE, .choices = "row_major col_major auto"},
    {.key = "layout", .kind = ARGUMENT_INTS},
    {.key = "layout", .kind = ARGUMENT_OBJECT, .object = &object_blocks},
    {.key = "layout", .kind = ARGUMENT_OBJECT, .object = &object_strides},
    {0},
};

static void read_named(struct reader *reader, const struct value *layout, struct array *array)
{
    const int found = argument_number(reader->arena, form_layout, layout->string);

    set_order(reader, array, found == 1);
    array->auto_layout = found == 2;
    if (found == 2 && array->role != ROLE_TEMP && array->role != ROLE_CONST)
        diag_error(reader->diags, "layout", layout->place,
                   "the layout of an array that the caller gives is the caller's: only temp and const arrays "
                   "have the layout \"auto\"");
}

void read_layout(struct reader *reader, const struct value *layout, void *into)
{
    struct array *array = into;

    if (layout->kind == VALUE_OBJECT && value_member(layout, "block"))
        read_blocks(reader, layout, array);
    else if (layout->kind == VALUE_OBJECT)
        read_strides(reader, layout, array);
    else if (layout->kind == VALUE_LIST)
        read_dimension_order(reader, layout, array);
    else
        read_named(reader, layout, array);
}
