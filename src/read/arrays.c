#include "program/affine.h"
#include "read/reader.h"

#include <string.h>

enum { MAX_RANK = 16, MAX_ALIGN = 1 << 16 };

static bool read_role(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const roles[] = {"in", "out", "inout", "temp", "const", NULL};
    const struct value *role = member(reader, object, "role", VALUE_STRING, true);
    const int found = role ? choose(reader, role, roles, "role") : -1;

    if (found < 0)
        return false;
    array->role = (enum role)found;
    if (array->role == ROLE_CONST)
        unsupported(reader, role->place, "arrays of role const");
    return true;
}

static bool read_shape(struct reader *reader, const struct value *object, struct array *array)
{
    const struct value *shape = member(reader, object, "shape", VALUE_LIST, true);

    if (!shape)
        return false;
    if (shape->n_item > MAX_RANK) {
        diag_error(reader->diags, "too-large", shape->place, "an array has at most %d dimensions", MAX_RANK);
        return false;
    }
    array->shape = ARENA_ARRAY(reader->arena, shape->n_item, struct expr *);
    for (int k = 0; k < shape->n_item; k++) {
        const struct value *extent = &shape->item[k];

        array->shape[k] = read_affine(reader, extent, "an extent");
        if (!array->shape[k])
            return false;
        if (extent->kind == VALUE_INT && extent->integer < 0)
            diag_error(reader->diags, "range", extent->place, "an extent is at least 0");
    }
    array->n_dim = shape->n_item;
    return true;
}

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

static void read_strides(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const keys[] = {"strides", "offset", "block", NULL};
    const struct value *strides, *offset = value_member(object, "offset");

    check_keys(reader, object, keys, "a layout");
    if (value_member(object, "block")) {
        unsupported(reader, object->place, "blocked layouts");
        return;
    }
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

static void read_layout(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const names[] = {"row_major", "col_major", "auto", NULL};
    const struct value *layout = value_member(object, "layout");
    int found;

    set_order(reader, array, false);
    if (!layout)
        return;
    if (layout->kind == VALUE_LIST) {
        read_dimension_order(reader, layout, array);
    } else if (layout->kind == VALUE_OBJECT) {
        read_strides(reader, layout, array);
    } else if (check_kind(reader, layout, VALUE_STRING, "a layout")) {
        found = choose(reader, layout, names, "layout");
        set_order(reader, array, found == 1);
        if (found == 2)
            unsupported(reader, layout->place, "the layout \"auto\"");
    }
}

static void read_initial(struct reader *reader, const struct value *object, struct array *array)
{
    const struct value *init = member(reader, object, "init", VALUE_INT, false);

    if (!init)
        return;
    if (init->integer != 0)
        diag_error(reader->diags, "init", init->place, "the only initial value is 0");
    else if (array->role != ROLE_TEMP)
        diag_error(reader->diags, "init", init->place, "only temp arrays have an initial value");
    array->init_zero = true;
}

static void read_align(struct reader *reader, const struct value *object, struct array *array)
{
    const struct value *align = member(reader, object, "align", VALUE_INT, false);

    if (!align)
        return;
    array->align = align->integer;
    if (align->integer < 1 || align->integer > MAX_ALIGN || (align->integer & (align->integer - 1)))
        diag_error(reader->diags, "range", align->place, "an alignment is a power of two, in bytes, up to %d",
                   MAX_ALIGN);
}

/* "values": what the elements of an index array meet; the array's name stands for an element. */
static void read_values(struct reader *reader, const struct value *object, struct array *array)
{
    const struct value *values = member(reader, object, "values", VALUE_STRING, false);
    const struct scope scope = {.program = reader->program, .loop = &array->name, .n_loop = 1};
    const struct reading reading = {reader->arena, reader->diags, &scope};
    const struct expr *obstacle;
    const char *why;

    if (!values || !check_comment(reader->diags, values))
        return;
    if (type_is_float(array->type) || array->type == TYPE_BOOL || array->role != ROLE_IN) {
        diag_error(reader->diags, "values", values->place, "\"values\" is for arrays of integers with the role in");
        return;
    }
    array->values = parse_condition(&reading, values);
    obstacle = array->values ? expr_condition_obstacle(array->values, &why) : NULL;
    if (obstacle)
        diag_error(reader->diags, "not-affine", obstacle->place, "\"values\" is an affine condition: %s", why);
}

static void read_storage(struct reader *reader, const struct value *object, struct array *array)
{
    const struct value *storage = member(reader, object, "storage", VALUE_STRING, false);

    if (!storage)
        return;
    if (strcmp(storage->string, "full") != 0)
        diag_error(reader->diags, "storage", storage->place, "the only storage to ask for is \"full\"");
    else if (array->role != ROLE_TEMP)
        diag_error(reader->diags, "storage", storage->place, "only temp arrays can be stored in part or in full");
    array->full_storage = true;
}

static void refuse_later_keys(struct reader *reader, const struct value *object)
{
    static const char *const later[] = {"data", "injective"};

    for (size_t k = 0; k < sizeof(later) / sizeof(later[0]); k++)
        if (value_member(object, later[k]))
            unsupported(reader, value_member(object, later[k])->place,
                        arena_printf(reader->arena, "the key \"%s\"", later[k]));
}

static bool read_array(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const keys[] = {"name",  "role", "type", "shape",   "layout",    "init", "align",
                                       "data",  "view", "values", "storage", "injective", NULL};
    const struct value *name, *type;
    bool typed;

    *array = (struct array){.place = object->place};
    if (!check_kind(reader, object, VALUE_OBJECT, "an array"))
        return false;
    check_keys(reader, object, keys, "an array");
    name = member(reader, object, "name", VALUE_STRING, true);
    if (!name || !check_new_name(reader, name->string, name->place, "an array"))
        return false;
    array->name = name->string;
    array->place = name->place;
    if (value_member(object, "view")) {
        unsupported(reader, value_member(object, "view")->place, "views");
        return false;
    }
    type = member(reader, object, "type", VALUE_STRING, true);
    array->type = TYPE_F64;
    typed = type && read_type(reader, type, &array->type);
    if (!read_role(reader, object, array) || !typed)
        return false;
    if (!read_shape(reader, object, array))
        return false;
    read_layout(reader, object, array);
    read_initial(reader, object, array);
    read_storage(reader, object, array);
    read_align(reader, object, array);
    read_values(reader, object, array);
    refuse_later_keys(reader, object);
    return true;
}

void read_arrays(struct reader *reader, const struct value *root)
{
    const struct value *list = member(reader, root, "arrays", VALUE_LIST, true);
    struct program *program = reader->program;

    program->array = ARENA_ARRAY(reader->arena, list ? list->n_item : 0, struct array);
    for (int k = 0; list && k < list->n_item; k++)
        if (read_array(reader, &list->item[k], &program->array[program->n_array]))
            program->n_array++;
        else
            reader->undeclared = true;
}
