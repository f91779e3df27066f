#include "read/layout.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCK = 1 << 20 };

static void set_order(struct reader *reader, struct array *array, bool reverse)
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
    static const char *const names[] = {"row_major", "col_major", NULL};

    if (order->kind == VALUE_LIST)
        read_dimension_order(reader, order, array);
    else if (check_kind(reader, order, VALUE_STRING, "an order of dimensions"))
        set_order(reader, array, choose(reader, order, names, "order of dimensions") == 1);
}

static void read_strides(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const keys[] = {"strides", "offset", NULL};
    const struct value *strides, *offset = value_member(object, "offset");

    check_keys(reader, object, keys, "a layout with strides");
    strides = member(reader, object, "strides", VALUE_LIST, true);
    if (strides && strides->n_item != array->n_dim) {
        diag_error(reader->diags, "layout", strides->place, "`%s` has %d dimensions, this gives %d strides",
                   array->name, array->n_dim, strides->n_item);
        return;
    }
    array->stride = ARENA_ARRAY(reader->arena, array->n_dim, struct expr *);
    for (int k = 0; strides && k < array->n_dim; k++)
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
        if (dim < 0 || !check_kind(reader, size, VALUE_INT, "the size of a block"))
            return;
        if (size->integer < 2 || size->integer > MAX_BLOCK) {
            diag_error(reader->diags, "range", size->place, "the size of a block is from 2 to %d", MAX_BLOCK);
            return;
        }
        sizes[dim] = size->integer;
        inner[k] = dim;
    }
    set_digits(reader, array, sizes, inner, block->n_item);
}

static void read_blocks(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const keys[] = {"block", "order", NULL};
    const struct value *block, *order = value_member(object, "order");

    check_keys(reader, object, keys, "a layout with blocks");
    block = member(reader, object, "block", VALUE_OBJECT, true);
    if (order)
        read_order(reader, order, array);
    if (!block)
        return;
    if (block->n_item == 0)
        diag_error(reader->diags, "layout", block->place, "\"block\" gives at least one dimension its size");
    else
        read_sizes(reader, block, array);
}

void read_layout(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const names[] = {"row_major", "col_major", "auto", NULL};
    const struct value *layout = value_member(object, "layout");
    int found;

    set_order(reader, array, false);
    if (!layout)
        return;
    if (layout->kind == VALUE_OBJECT && value_member(layout, "block")) {
        read_blocks(reader, layout, array);
    } else if (layout->kind == VALUE_OBJECT) {
        read_strides(reader, layout, array);
    } else if (layout->kind == VALUE_LIST) {
        read_dimension_order(reader, layout, array);
    } else if (check_kind(reader, layout, VALUE_STRING, "a layout")) {
        found = choose(reader, layout, names, "layout");
        set_order(reader, array, found == 1);
        array->auto_layout = found == 2;
        if (found == 2 && array->role != ROLE_TEMP && array->role != ROLE_CONST)
            diag_error(reader->diags, "layout", layout->place,
                       "the layout of an array that the caller gives is the caller's: only temp and const arrays "
                       "have the layout \"auto\"");
    }
}
