#include "read/data.h"

#include "program/expr/affine.h"
#include "program/expr/index_expr.h"
#include "read/json.h"
#include "read/number.h"
#include "read/scan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_ELEMENTS = 1 << 20 };

/* An array whose data is being read. */
struct filling {
    struct reader *reader;
    const struct array *array;
    int64_t *extent;
    int64_t n; /* elements */
    int size;  /* of one, in bytes */
    unsigned char *byte;
};

static bool report_count(const struct filling *filling, struct place place, int64_t wanted, int64_t given)
{
    diag_error(filling->reader->diags, "data", place, "`%s` needs %" PRId64 " %s here, there %s %" PRId64,
               filling->array->name, wanted, wanted == 1 ? "item" : "items", given == 1 ? "is" : "are", given);
    return false;
}

static bool count_elements(struct filling *filling)
{
    const struct array *array = filling->array;

    filling->n = 1;
    filling->extent = ARENA_ARRAY(filling->reader->arena, array->n_dim, int64_t);
    for (int k = 0; k < array->n_dim; k++) {
        const bool constant = expr_constant(array->shape[k], &filling->extent[k]);
        if (!constant || filling->extent[k] < 1) {
            diag_error(filling->reader->diags, "data", array->shape[k]->place,
                       "an extent of a const array is a number, at least 1");
            return false;
        }
        if (__builtin_mul_overflow(filling->n, filling->extent[k], &filling->n) || filling->n > MAX_ELEMENTS) {
            diag_error(filling->reader->diags, "too-large", array->place, "a const array has at most %d elements",
                       MAX_ELEMENTS);
            return false;
        }
    }
    return true;
}

static bool read_one(const struct filling *filling, const struct value *value, int64_t at)
{
    return read_element(filling->reader, value, filling->array->type, filling->byte + at * filling->size);
}

static bool read_flat(const struct filling *filling, const struct value *list)
{
    for (int k = 0; k < list->n_item; k++)
        if (!read_one(filling, &list->item[k], k))
            return false;
    return true;
}

/* The elements of dimensions dim and on, from element at on. */
static bool read_nested(const struct filling *filling, const struct value *value, int dim, int64_t at)
{
    int64_t step = 1;

    if (dim == filling->array->n_dim)
        return read_one(filling, value, at);
    if (!check_kind(filling->reader, value, VALUE_LIST, "a row of \"data\""))
        return false;
    if (value->n_item != filling->extent[dim])
        return report_count(filling, value->place, filling->extent[dim], value->n_item);
    for (int k = dim + 1; k < filling->array->n_dim; k++)
        step *= filling->extent[k];
    for (int k = 0; k < value->n_item; k++)
        if (!read_nested(filling, &value->item[k], dim + 1, at + k * step))
            return false;
    return true;
}

static bool read_list(const struct filling *filling, const struct value *list)
{
    const bool flat = list->n_item == 0 || list->item[0].kind != VALUE_LIST;

    if (!flat)
        return read_nested(filling, list, 0, 0);
    if (list->n_item != filling->n)
        return report_count(filling, list->place, filling->n, list->n_item);
    return read_flat(filling, list);
}

/* name beside the description, unless it is absolute. */
static const char *beside(const struct filling *filling, const char *name)
{
    const char *own = filling->reader->program->source->name, *slash = own ? strrchr(own, '/') : NULL;

    if (name[0] == '/' || !slash)
        return name;
    return arena_printf(filling->reader->arena, "%.*s%s", (int)(slash - own + 1), own, name);
}

/* The bytes of a file with a NUL behind them, *size up to most + 1; NULL when it cannot be read. */
static unsigned char *file_bytes(struct arena *arena, const char *path, size_t most, size_t *size)
{
    FILE *in = fopen(path, "rb");
    unsigned char *byte = in ? ARENA_ARRAY(arena, most + 2, unsigned char) : NULL;
    bool failed;

    if (!in)
        return NULL;
    *size = fread(byte, 1, most + 1, in);
    failed = ferror(in);
    fclose(in);
    byte[*size] = '\0';
    return failed ? NULL : byte;
}

static bool is_json(const char *path)
{
    const size_t size = strlen(path);

    return size >= 5 && strcmp(path + size - 5, ".json") == 0;
}

static bool read_json_file(const struct filling *filling, const char *path, const unsigned char *byte, size_t size)
{
    struct reader *reader = filling->reader;
    struct source *source = ARENA_NEW(reader->arena, struct source);
    const struct value *root;

    *source = (struct source){path, (const char *)byte, size};
    root = json_read(reader->arena, source, reader->diags);
    return root && check_kind(reader, root, VALUE_LIST, "a file of \"data\"") && read_list(filling, root);
}

static const struct argument file_keys[] = {
    {.key = "file",
     .kind = ARGUMENT_TEXT,
     .required = true,
     .doc = "beside the description; raw little-endian, or a list when it ends in `.json`"},
    {0},
};
static const struct object_type object_file = {.title = "\"data\"", .key = file_keys};
static const struct argument form_items[] = {{.key = "an element", .kind = ARGUMENT_ANY}};
const struct argument form_data[] = {{.key = "data", .kind = ARGUMENT_LIST, .form = form_items},
                                     {.key = "data", .kind = ARGUMENT_NUMBER},
                                     {.key = "data", .kind = ARGUMENT_OBJECT, .object = &object_file},
                                     {0}};

static bool read_file(struct filling *filling, const struct value *object)
{
    struct reader *reader = filling->reader;
    const size_t wanted = (size_t)(filling->n * filling->size);
    const struct value *name;
    unsigned char *byte;
    const char *path;
    size_t size = 0;

    if (!read_sound(reader, &object_file, object, filling))
        return false;
    name = value_member(object, "file");
    path = beside(filling, name->string);
    VEC_PUSH(reader->arena, &reader->program->file, path);
    byte = file_bytes(reader->arena, path, is_json(path) ? SCAN_MAX_SIZE : wanted, &size);
    if (!byte) {
        diag_error(reader->diags, "file", name->place, "cannot read %s", path);
        return false;
    }
    if (is_json(path))
        return read_json_file(filling, path, byte, size);
    filling->byte = byte;
    if (size == wanted)
        return true;
    diag_error(reader->diags, "data", name->place, "`%s` needs %zu bytes, %s has %s", filling->array->name, wanted,
               path, size > wanted ? "more" : arena_printf(reader->arena, "%zu", size));
    return false;
}

/* Bytes of a raw file that are no truth values. */
static bool check_truths(const struct filling *filling, const struct value *data)
{
    for (int64_t k = 0; filling->array->type == TYPE_BOOL && k < filling->n; k++)
        if (filling->byte[k] > 1) {
            diag_error(filling->reader->diags, "data", data->place, "element %" PRId64 " is neither 0 nor 1", k);
            return false;
        }
    return true;
}

static struct expr *comparison(struct arena *arena, enum expr_op op, struct expr *a, struct expr *b)
{
    struct expr *expr = ARENA_NEW(arena, struct expr);

    expr->kind = EXPR_BINARY;
    expr->op = op;
    expr->arg = ARENA_ARRAY(arena, 2, struct expr *);
    expr->arg[0] = a;
    expr->arg[1] = b;
    expr->n_arg = 2;
    return expr;
}

/* "least <= element <= most", as "values" of an argument says it. */
static struct expr *range_of(const struct filling *filling)
{
    struct arena *arena = filling->reader->arena;
    struct expr *element = ARENA_NEW(arena, struct expr);
    int64_t least = INT64_MAX, most = INT64_MIN;

    for (int64_t k = 0; k < filling->n; k++) {
        const int64_t value = element_integer(filling->array->type, filling->byte + k * filling->size);
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    element->kind = EXPR_LOOP;
    return comparison(arena, OP_LAND, comparison(arena, OP_GE, element, index_constant(arena, least)),
                      comparison(arena, OP_LE, element, index_constant(arena, most)));
}

static bool fill(struct filling *filling, const struct value *data)
{
    if (data->kind == VALUE_OBJECT)
        return read_file(filling, data) && check_truths(filling, data);
    if (filling->array->n_dim == 0 && data->kind != VALUE_LIST)
        return read_one(filling, data, 0);
    return check_kind(filling->reader, data, VALUE_LIST, "\"data\"") && read_list(filling, data);
}

void check_data(struct reader *reader, const struct value *object, const struct array *array)
{
    if (array->role == ROLE_CONST && !value_member(object, "data"))
        diag_hint(reader->diags,
                  diag_error(reader->diags, "missing-key", array->place, "the const array `%s` has no data",
                             array->name),
                  "\"data\": [..] or \"data\": {\"file\": \"..\"}");
}

void read_data(struct reader *reader, const struct value *data, void *into)
{
    struct array *array = into;
    struct filling filling = {.reader = reader, .array = array, .size = type_bits(array->type) / 8};

    if (array->role != ROLE_CONST)
        diag_error(reader->diags, "data", data->place, "only const arrays have data");
    if (array->role != ROLE_CONST || !count_elements(&filling))
        return;
    filling.byte = ARENA_ARRAY(reader->arena, filling.n * filling.size, unsigned char);
    if (!fill(&filling, data))
        return;
    array->data = filling.byte;
    if (!type_is_float(array->type) && array->type != TYPE_BOOL)
        array->values = range_of(&filling);
}
