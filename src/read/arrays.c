#include "program/expr/affine.h"
#include "read/data.h"
#include "read/layout.h"

#include <string.h>

enum { MAX_ALIGN = 1 << 16, MAX_PAD = 1 << 16 };

static bool read_role(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const roles[] = {"in", "out", "inout", "temp", "const", NULL};
    const struct value *role = member(reader, object, "role", VALUE_STRING, true);
    const int found = role ? choose(reader, role, roles, "role") : -1;

    if (found < 0)
        return false;
    array->role = (enum role)found;
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
    if (array->n_dim == 0)
        diag_error(reader->diags, "align", align->place, "only arrays with dimensions can be aligned");
    else if (align->integer * 8 < type_bits(array->type))
        diag_error(reader->diags, "range", align->place, "an %s is aligned to %d bytes anyway", type_name(array->type),
                   type_bits(array->type) / 8);
    if (align->integer < 1 || align->integer > MAX_ALIGN || (align->integer & (align->integer - 1)))
        diag_error(reader->diags, "range", align->place, "an alignment is a power of two, in bytes, up to %d",
                   MAX_ALIGN);
}

/* After a name in "values" that is unknown. */
static void hint_element(struct reader *reader, const struct array *array)
{
    struct diags *diags = reader->diags;
    struct diag *last = diags->list.n ? diags->list.at[diags->list.n - 1] : NULL;

    if (last && strcmp(last->rule, "unknown-name") == 0 && !last->hint)
        diag_hint(diags, last, "an element of the array is called `%s` here", array->name);
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
    if (!array->values)
        hint_element(reader, array);
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

/* "pad" and "memory" of temporaries, which have dimensions. */
static bool check_kept(struct reader *reader, const struct array *array, const struct value *value, const char *key)
{
    if (array->role == ROLE_TEMP && array->n_dim > 0)
        return true;
    diag_error(reader->diags, "storage", value->place, "\"%s\" is for temp arrays with dimensions", key);
    return false;
}

static void read_pad(struct reader *reader, const struct value *object, struct array *array)
{
    const struct value *pad = member(reader, object, "pad", VALUE_INT, false);

    if (!pad || !check_kept(reader, array, pad, "pad"))
        return;
    array->pad = pad->integer;
    if (pad->integer < 0 || pad->integer > MAX_PAD)
        diag_error(reader->diags, "range", pad->place, "\"pad\" is a number of elements from 0 to %d", MAX_PAD);
    if (array->stride)
        diag_error(reader->diags, "layout", pad->place, "an array with strides of its own is padded by them");
}

static void read_memory(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const words[] = {"stack", "heap", "static", "local", "shared", "global", NULL};
    const struct value *memory = member(reader, object, "memory", VALUE_STRING, false);
    int found;

    if (!memory || !check_kept(reader, array, memory, "memory"))
        return;
    found = choose(reader, memory, words, "memory");
    array->memory = found < 0 ? MEMORY_AUTO : (enum memory)(MEMORY_STACK + found);
}

/* "injective": all elements of an index array differ. */
static void read_injective(struct reader *reader, const struct value *object, struct array *array)
{
    const struct value *injective = member(reader, object, "injective", VALUE_BOOL, false);

    array->injective = injective && injective->integer;
    if (!injective)
        return;
    if (type_is_float(array->type) || array->type == TYPE_BOOL || array->role != ROLE_IN || array->n_dim != 1 ||
        array->stride || array->digit)
        diag_error(reader->diags, "injective", injective->place,
                   "\"injective\" is for arrays of integers with the role in and one dimension, dense");
}

static bool read_array(struct reader *reader, const struct value *object, struct array *array)
{
    static const char *const keys[] = {"name", "role",   "type",    "shape",     "layout", "init",   "align", "data",
                                       "view", "values", "storage", "injective", "pad",    "memory", NULL};
    const struct value *name, *type;
    bool typed;

    *array = (struct array){.place = object->place};
    if (!check_kind(reader, object, VALUE_OBJECT, "an array"))
        return false;
    if (!value_member(object, "view"))
        check_keys(reader, object, keys, "an array");
    name = member(reader, object, "name", VALUE_STRING, true);
    if (!name || !check_new_name(reader, name->string, name->place, "an array"))
        return false;
    array->name = name->string;
    array->place = name->place;
    if (value_member(object, "view"))
        return read_view(reader, object, array);
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
    read_pad(reader, object, array);
    read_memory(reader, object, array);
    read_values(reader, object, array);
    read_data(reader, object, array);
    read_injective(reader, object, array);
    return true;
}

/* Arrays and views stand in one list and are kept in two. */
void read_arrays(struct reader *reader, const struct value *root)
{
    const struct value *list = member(reader, root, "arrays", VALUE_LIST, true);
    struct program *program = reader->program;

    program->array = ARENA_ARRAY(reader->arena, list ? list->n_item : 0, struct array);
    program->view = ARENA_ARRAY(reader->arena, list ? list->n_item : 0, struct array);
    for (int k = 0; list && k < list->n_item; k++) {
        struct array array;

        if (!read_array(reader, &list->item[k], &array))
            reader->undeclared = true;
        else if (array.view_of)
            program->view[program->n_view++] = array;
        else
            program->array[program->n_array++] = array;
    }
}
