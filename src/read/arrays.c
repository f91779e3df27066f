#include "program/expr/affine.h"
#include "read/data.h"
#include "read/layout.h"

#include <string.h>

enum { MAX_ALIGN = 1 << 16, MAX_PAD = 1 << 16 };

void read_array_name(struct reader *reader, const struct value *name, void *into)
{
    struct array *array = into;

    if (!check_new_name(reader, name->string, name->place, "an array"))
        return;
    array->name = name->string;
    array->place = name->place;
}

static const char *const *role_names(struct arena *arena)
{
    const char **names = ARENA_ARRAY(arena, ROLE_CONST + 2, const char *);

    for (int role = ROLE_IN; role <= ROLE_CONST; role++)
        names[role] = role_name((enum role)role);
    return names;
}

/* The number of the word among those of its key. */
static int number_of(struct reader *reader, const char *key, const struct value *word)
{
    return argument_number(reader->arena, find_key(object_array.key, key), word->string);
}

static void read_role(struct reader *reader, const struct value *role, void *into)
{
    struct array *array = into;

    array->role = (enum role)number_of(reader, "role", role);
}

static void read_array_type(struct reader *reader, const struct value *type, void *into)
{
    struct array *array = into;

    (void)reader;
    type_by_name(type->string, &array->type);
}

static void read_shape(struct reader *reader, const struct value *shape, void *into)
{
    struct array *array = into;

    if (shape->n_item > MAX_RANK) {
        diag_error(reader->diags, "too-large", shape->place, "an array has at most %d dimensions", MAX_RANK);
        return;
    }
    array->shape = ARENA_ARRAY(reader->arena, shape->n_item, struct expr *);
    for (int k = 0; k < shape->n_item; k++) {
        const struct value *extent = &shape->item[k];

        array->shape[k] = read_affine(reader, extent, "an extent");
        if (!array->shape[k])
            return;
        if (extent->kind == VALUE_INT && extent->integer < 0)
            diag_error(reader->diags, "range", extent->place, "an extent is at least 0");
    }
    array->n_dim = shape->n_item;
    set_order(reader, array, false);
}

static void read_initial(struct reader *reader, const struct value *init, void *into)
{
    struct array *array = into;

    if (init->integer != 0)
        diag_error(reader->diags, "init", init->place, "the only initial value is 0");
    else if (array->role != ROLE_TEMP)
        diag_error(reader->diags, "init", init->place, "only temp arrays have an initial value");
    array->init_zero = true;
}

static void read_align(struct reader *reader, const struct value *align, void *into)
{
    struct array *array = into;

    array->align = align->integer;
    if (array->n_dim == 0)
        diag_error(reader->diags, "align", align->place, "only arrays with dimensions can be aligned");
    else if (align->integer * 8 < type_bits(array->type))
        diag_error(reader->diags, "range", align->place, "an %s is aligned to %d bytes anyway", type_name(array->type),
                   type_bits(array->type) / 8);
    if (align->integer & (align->integer - 1))
        diag_error(reader->diags, "range", align->place, "an alignment is a power of two, in bytes, up to %d",
                   MAX_ALIGN);
}

/* After a name in "values" that is unknown, unless it is misspelt: what names there are does not help. */
static void hint_element(struct reader *reader, const struct array *array)
{
    struct diags *diags = reader->diags;
    struct diag *last = diags->list.n ? diags->list.at[diags->list.n - 1] : NULL;

    if (last && strcmp(last->rule, "unknown-name") == 0 &&
        !(last->hint && strncmp(last->hint, "did you mean", strlen("did you mean")) == 0))
        diag_hint(diags, last, "an element of the array is called `%s` here", array->name);
}

/* "values": what the elements of an index array meet; the array's name stands for an element. */
static void read_values(struct reader *reader, const struct value *values, void *into)
{
    struct array *array = into;
    const struct scope scope = {.program = reader->program, .loop = &array->name, .n_loop = 1};
    const struct reading reading = {reader->arena, reader->diags, &scope};
    const struct expr *obstacle;
    const char *why;

    if (!check_comment(reader->diags, values))
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

static void read_storage(struct reader *reader, const struct value *storage, void *into)
{
    struct array *array = into;

    if (array->role != ROLE_TEMP)
        diag_error(reader->diags, "storage", storage->place, "only temp arrays can be stored in part or in full");
    array->full_storage = strcmp(storage->string, "full") == 0;
    array->window = array->must_window = !array->full_storage;
}

/* "pad" and "memory" of temporaries, which have dimensions. */
static bool check_kept(struct reader *reader, const struct array *array, const struct value *value, const char *key)
{
    if (array->role == ROLE_TEMP && array->n_dim > 0)
        return true;
    diag_error(reader->diags, "storage", value->place, "\"%s\" is for temp arrays with dimensions", key);
    return false;
}

static void read_pad(struct reader *reader, const struct value *pad, void *into)
{
    struct array *array = into;

    if (!check_kept(reader, array, pad, "pad"))
        return;
    array->pad = pad->integer;
    if (array->stride)
        diag_error(reader->diags, "layout", pad->place, "an array with strides of its own is padded by them");
}

static void read_memory(struct reader *reader, const struct value *memory, void *into)
{
    struct array *array = into;

    if (check_kept(reader, array, memory, "memory"))
        array->memory = (enum memory)(MEMORY_STACK + number_of(reader, "memory", memory));
}

static bool is_index_array(const struct array *array)
{
    return !type_is_float(array->type) && array->type != TYPE_BOOL && array->role == ROLE_IN && array->n_dim == 1 &&
           !array->stride && !array->digit;
}

/* "monotone": elements of an array of bounds do not decrease. */
static void read_monotone(struct reader *reader, const struct value *word, void *into)
{
    struct array *array = into;

    array->nondecreasing = true;
    if (!is_index_array(array))
        diag_error(reader->diags, "monotone", word->place,
                   "\"monotone\" is for arrays of integers with the role in and one dimension, dense");
}

/* "injective": all elements of an index array differ. */
static void read_injective(struct reader *reader, const struct value *injective, void *into)
{
    struct array *array = into;

    array->injective = injective->integer;
    if (!is_index_array(array))
        diag_error(reader->diags, "injective", injective->place,
                   "\"injective\" is for arrays of integers with the role in and one dimension, dense");
}

/* Loops over a part of the array, one for each dimension; NULL after reporting. */
static const struct nest_loop *part_loops(struct reader *reader, const struct value *list, const struct array *array)
{
    const char **name = ARENA_ARRAY(reader->arena, array->n_dim + 1, const char *);
    struct nest_loop *loop = ARENA_ARRAY(reader->arena, array->n_dim + 1, struct nest_loop);

    if (list->n_item != array->n_dim) {
        diag_error(reader->diags, "instruction", list->place, "`%s` has %d dimension%s, and these are %d loop%s",
                   array->name, array->n_dim, array->n_dim == 1 ? "" : "s", list->n_item, list->n_item == 1 ? "" : "s");
        return NULL;
    }
    for (int d = 0; d < array->n_dim; d++) {
        const struct scope scope = {.program = reader->program, .loop = name, .n_loop = d};
        const struct reading reading = {reader->arena, reader->diags, &scope};

        if (!parse_loop(&reading, &list->item[d], &loop[d]) ||
            !check_loop_name(reader, loop[d].name, loop[d].place, &scope) ||
            (loop[d].lower && !require_affine(&reading, loop[d].lower, "the bound of a loop")) ||
            !require_affine(&reading, loop[d].upper, "the bound of a loop"))
            return NULL;
        if (loop[d].step != 1) {
            diag_error(reader->diags, "instruction", loop[d].place, "all elements between the bounds are in it");
            return NULL;
        }
        name[d] = loop[d].name;
    }
    return loop;
}

static const struct nest_loop *read_part(struct reader *reader, const struct value *list, const struct array *array,
                                         const char *key, enum role without)
{
    if (!reader->has_operands)
        diag_error(reader->diags, "instruction", list->place,
                   "\"%s\" is for operands of a function that statements call", key);
    else if (array->role == without)
        diag_error(reader->diags, "instruction", list->place, "\"%s\" of what is only %s", key,
                   without == ROLE_IN ? "read" : "written");
    else
        return part_loops(reader, list, array);
    return NULL;
}

static void read_reads(struct reader *reader, const struct value *list, void *into)
{
    struct array *array = into;

    array->reads = read_part(reader, list, array, "reads", ROLE_OUT);
}

static void read_writes(struct reader *reader, const struct value *list, void *into)
{
    struct array *array = into;

    array->writes = read_part(reader, list, array, "writes", ROLE_IN);
}

static const struct argument form_part[] = {{.key = "a loop", .kind = ARGUMENT_TEXT}};

static const struct argument keys[] = {
    {.key = "name", .kind = ARGUMENT_NAME, .required = true, .doc = "of the array", .read = read_array_name},
    {.key = "role",
     .kind = ARGUMENT_CHOICE,
     .words = role_names,
     .required = true,
     .doc = "`in`, `out`, `inout`: arguments; `temp`: inside the function; `const`: a table in the emitted file",
     .read = read_role},
    {.key = "type",
     .kind = ARGUMENT_CHOICE,
     .words = type_names,
     .required = true,
     .doc = "of its elements",
     .read = read_array_type},
    {.key = "shape",
     .kind = ARGUMENT_AFFINES,
     .required = true,
     .doc = "its extents; `[]` is one element, without subscripts",
     .read = read_shape},
    {.key = "layout",
     .kind = ARGUMENT_FORMS,
     .form = form_layout,
     .fallback = "row_major",
     .doc = "where elements are: in the order of the dimensions, the last one or (`\"col_major\"`) the first one "
            "fastest, or an order such as `[1, 0]`; "
            "`{\"strides\": [..], \"offset\": ..}`; `{\"block\": {\"1\": 16}}`: dimension 1 in blocks of 16, the place "
            "in the block fastest, the last block full (`\"order\"` is that of the other dimensions); `\"auto\"` for "
            "`temp` and `const`: as the first `cache` of the array lays it out, so that a `thrifty` one needs no copy",
     .read = read_layout},
    {.key = "init",
     .kind = ARGUMENT_INT,
     .choices = "0",
     .doc = "of a `temp`: what its elements are before they are written, which is `0`",
     .read = read_initial},
    {.key = "storage",
     .kind = ARGUMENT_CHOICE,
     .choices = "full window",
     .doc =
         "of a `temp`: `full`: all of it is kept, though less would do; `window`: no more than what is live at a "
         "time, at subscripts modulo a constant number (`t[i % 3, j]`), for values that go from one iteration to "
         "later ones; refused where nothing makes it smaller. Without it, an array whose values stay in an iteration "
         "of some loops is as large as what one iteration uses",
     .read = read_storage},
    {.key = "align",
     .kind = ARGUMENT_INT,
     .minimum = 1,
     .maximum = MAX_ALIGN,
     .doc = "bytes, a power of two; a precondition of arguments, which `--check-args` tests",
     .read = read_align},
    {.key = "pad",
     .kind = ARGUMENT_INT,
     .maximum = MAX_PAD,
     .fallback = "0",
     .doc = "of a `temp`: unused elements after each row of its fastest dimension",
     .read = read_pad},
    {.key = "memory",
     .kind = ARGUMENT_CHOICE,
     .choices = "stack heap static local shared global",
     .doc = "of a `temp`: `stack`, `heap` or `static` (on a GPU `local`, `shared` or `global`); by default the "
            "stack up to 32 KiB, which is also what all of a function take there (the largest leave first), else the "
            "heap, and the function returns `ENOMEM` where there is none. A static one makes the function one call at "
            "a time",
     .read = read_memory},
    {.key = "values",
     .kind = ARGUMENT_CONDITION,
     .doc =
         "what the elements of an array of integers that is `in` meet: `\"0 <= idx < N\"`, where `idx` is the array's "
         "name; without, an index array of at most 16 bits has the values of its type. A precondition of "
         "arguments, which `--check-args` tests (in C)",
     .read = read_values},
    {.key = "data",
     .kind = ARGUMENT_FORMS,
     .form = form_data,
     .doc =
         "of a `const` array: a list, nested as the shape or flat, or `{\"file\": \"w.bin\"}` beside the description, "
         "raw little-endian, or a list when it ends in `.json`",
     .read = read_data},
    {.key = "injective",
     .kind = ARGUMENT_BOOL,
     .fallback = "false",
     .doc = "of an index array: its elements all differ, so that iterations which use `y[idx[i]]` never "
            "meet; a precondition of arguments, which `--check-args` tests (in C)",
     .read = read_injective},
    {.key = "monotone",
     .kind = ARGUMENT_CHOICE,
     .choices = "nondecreasing",
     .doc = "of an array of integers: no element is smaller than the one before it, so that loops from `start[i]` to "
            "`start[i + 1]` have no iteration in common for different `i`; a precondition of arguments, which "
            "`--check-args` tests (in C)",
     .read = read_monotone},
    {.key = "reads",
     .kind = ARGUMENT_LIST,
     .form = form_part,
     .doc = "of an operand of a function: loops over the elements that a call reads, one for each dimension, "
            "`[\"i < n\", \"j <= i\"]`; by default all of what is `in` or `inout`",
     .read = read_reads},
    {.key = "writes",
     .kind = ARGUMENT_LIST,
     .form = form_part,
     .doc = "likewise the elements that it changes; by default all of what is `out` or `inout`",
     .read = read_writes},
    {0},
};
const struct object_type object_array = {.name = "array",
                                         .title = "an array",
                                         .rule = "Elements of one type: an argument, a temporary or a table.",
                                         .key = keys};

static bool read_array(struct reader *reader, const struct value *object, struct array *array)
{
    const bool view = value_member(object, "view") != NULL;

    *array = (struct array){.place = object->place};
    if (!read_object(reader, view ? &object_view : &object_array, object, array))
        return false;
    check_data(reader, object, array);
    return true;
}

/* Arrays and views stand in one list and are kept in two. */
void read_arrays(struct reader *reader, const struct value *list, void *into)
{
    struct program *program = into;

    if (reader->unread)
        return;
    program->array = ARENA_ARRAY(reader->arena, list->n_item + reader->n_made, struct array);
    program->view = ARENA_ARRAY(reader->arena, list->n_item, struct array);
    for (int k = 0; k < list->n_item; k++) {
        struct array array;

        if (!read_array(reader, &list->item[k], &array))
            reader->undeclared = true;
        else if (array.view_of)
            program->view[program->n_view++] = array;
        else
            program->array[program->n_array++] = array;
    }
}
