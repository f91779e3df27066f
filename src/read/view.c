/* Views in the list of arrays. */
#include "program/storage/view.h"

#include "read/layout.h"
#include "read/reader.h"

static const struct array *read_viewed(struct reader *reader, const struct value *view)
{
    const struct value *of = value_of_kind(view, "of", VALUE_STRING);
    const struct array *array = program_array(reader->program, of->string);
    struct program *program = reader->program;
    const char *names[64];
    int n = 0;

    if (array)
        return array;
    for (; n < program->n_array && n < 64; n++)
        names[n] = program->array[n].name;
    if (program_view(program, of->string))
        diag_error(reader->diags, "view", of->place, "`%s` is a view itself: a view is part of an array", of->string);
    else
        suggest(reader,
                diag_error(reader->diags, "unknown-array", of->place, "there is no array `%s` before this view",
                           of->string),
                of->string, names, n);
    return NULL;
}

/* The list under key with one item a dimension; NULL when it is not there, *failed when it is not good. */
static const struct value *dimension_list(struct reader *reader, const struct value *view, const char *key,
                                          const struct array *array, bool *failed)
{
    const struct value *list = value_of_kind(view, key, VALUE_LIST);

    if (!list || list->n_item == array->n_dim)
        return list;
    diag_error(reader->diags, "view", list->place, "`%s` has %d dimension%s, this gives %d", array->name, array->n_dim,
               array->n_dim == 1 ? "" : "s", list->n_item);
    *failed = true;
    return NULL;
}

static struct expr *zero(struct reader *reader)
{
    return ARENA_NEW(reader->arena, struct expr);
}

static bool read_dimension(struct reader *reader, const struct value *shape, const struct value *offset,
                           const struct value *strides, int k, struct array *view)
{
    view->shape[k] = read_affine(reader, &shape->item[k], "an extent");
    view->offset_of[k] = offset ? read_affine(reader, &offset->item[k], "an offset") : zero(reader);
    view->stride_of[k] = 1;
    if (strides && !check_kind(reader, &strides->item[k], VALUE_INT, "a stride of a view"))
        return false;
    if (strides)
        view->stride_of[k] = strides->item[k].integer;
    if (view->stride_of[k] == 0 || view->stride_of[k] > INT32_MAX || view->stride_of[k] < -INT32_MAX) {
        diag_error(reader->diags, "range", strides->item[k].place, "a stride of a view is an integer other than 0");
        return false;
    }
    return view->shape[k] && view->offset_of[k];
}

static const struct argument part_keys[] = {
    {.key = "of", .kind = ARGUMENT_TEXT, .required = true, .doc = "the array, which stands before the view"},
    {.key = "shape", .kind = ARGUMENT_AFFINES, .required = true, .doc = "the extents, as many as the array has"},
    {.key = "offset",
     .kind = ARGUMENT_AFFINES,
     .fallback = "zeros",
     .doc = "the element of the array that is the first one of the view"},
    {.key = "strides",
     .kind = ARGUMENT_INTS,
     .fallback = "ones",
     .doc = "in each dimension, how many elements of the array are from one to the next; negative ones go backwards"},
    {0},
};
static const struct object_type object_part = {.title = "\"view\"", .key = part_keys};

static void read_part(struct reader *reader, const struct value *part, void *into)
{
    const struct value *shape, *offset, *strides;
    struct array *view = into;
    const struct array *array;
    bool failed = false;

    array = read_sound(reader, &object_part, part, view) ? read_viewed(reader, part) : NULL;
    if (!array)
        return;
    shape = dimension_list(reader, part, "shape", array, &failed);
    offset = dimension_list(reader, part, "offset", array, &failed);
    strides = dimension_list(reader, part, "strides", array, &failed);
    view->view_of = array;
    view->type = array->type;
    view->role = array->role;
    view->n_dim = array->n_dim;
    view->shape = ARENA_ARRAY(reader->arena, array->n_dim, struct expr *);
    view->offset_of = ARENA_ARRAY(reader->arena, array->n_dim, struct expr *);
    view->stride_of = ARENA_ARRAY(reader->arena, array->n_dim, int64_t);
    for (int k = 0; k < array->n_dim && !failed; k++)
        failed = !read_dimension(reader, shape, offset, strides, k, view);
}

static const struct argument keys[] = {
    {.key = "name", .kind = ARGUMENT_NAME, .required = true, .doc = "of the view", .read = read_array_name},
    {.key = "view",
     .kind = ARGUMENT_OBJECT,
     .object = &object_part,
     .required = true,
     .doc = "the part of an array that it is",
     .read = read_part},
    {0},
};
const struct object_type object_view = {
    .name = "view",
    .title = "a view",
    .mark = "view",
    .rule = "Gives part of an array a name: with `{\"name\": \"V\", \"view\": {\"of\": \"A\", \"offset\": [1, 0], "
            "\"shape\": "
            "[\"N - 2\", 4], \"strides\": [1, 2]}}` `V[i, j]` is `A[1 + i, 2 * j]`, and so for dependences.",
    .key = keys};
