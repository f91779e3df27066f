#include "target/clike/storage.h"

#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/types.h"

#include <inttypes.h>
#include <limits.h>

const struct affine *param_affine(struct emitter *emitter, const struct expr *expr)
{
    const struct affine *affine;

    if (affine_from_expr(emitter->arena, &emitter->scope, expr, &affine) && affine)
        return affine;
    emitter->failed = true;
    return affine_constant(emitter->arena, 0);
}

bool constant_extents(struct emitter *emitter, const struct array *array, int64_t *extent)
{
    return array_constant_extents(emitter->arena, &emitter->scope, array, extent);
}

/* The bytes of an array of constant shape; more than STACK_LIMIT when they are too many to count. */
static int64_t constant_bytes(const struct array *array, const int64_t *extent)
{
    int64_t bytes = c_type_bytes(array->type);

    for (int k = 0; k < array->n_dim; k++)
        if (__builtin_mul_overflow(bytes, extent[k], &bytes))
            return INT64_MAX;
    return bytes;
}

enum storage storage_of(struct emitter *emitter, const struct array *array)
{
    int64_t *extent = ARENA_ARRAY(emitter->arena, array->n_dim, int64_t);

    if (!array->n_dim)
        return array->role == ROLE_OUT || array->role == ROLE_INOUT ? STORAGE_REFERENCE : STORAGE_VALUE;
    if (array_is_argument(array))
        return STORAGE_POINTER;
    if (!array_may_have_rows(emitter->arena, &emitter->scope, array) || !constant_extents(emitter, array, extent))
        return STORAGE_HEAP_FLAT;
    const int64_t bytes = constant_bytes(array, extent);
    const int64_t limit = array->memory == MEMORY_AUTO ? STACK_LIMIT : array->memory == MEMORY_HEAP ? 0 : INT64_MAX;
    return bytes > 0 && bytes <= limit ? STORAGE_LOCAL : bytes > 0 ? STORAGE_HEAP : STORAGE_HEAP_FLAT;
}

/* A flat index: affine as long as it can be, then text. */
struct flat {
    struct emitter *emitter;
    const struct affine *affine; /* NULL once it is text */
    struct index_text text;
};

static struct index_text flat_text(const struct flat *flat)
{
    return flat->affine ? index_affine(flat->emitter, flat->affine) : flat->text;
}

static void flat_scale(struct flat *flat, const struct affine *extent)
{
    struct arena *arena = flat->emitter->arena;
    int64_t value;

    if (affine_is_constant(extent, &value) && value == 1)
        return;
    if (affine_is_constant(flat->affine, &value)) {
        flat->affine = affine_scale(arena, extent, value);
        flat->emitter->failed |= !flat->affine;
        return;
    }
    flat->text = index_product(flat->emitter, flat_text(flat), index_affine(flat->emitter, extent));
    flat->affine = NULL;
}

static void flat_add(struct flat *flat, const struct affine *affine)
{
    if (!flat->affine) {
        flat->text = index_sum(flat->emitter, flat->text, affine);
        return;
    }
    const struct affine *sum = affine_add(flat->emitter->arena, flat->affine, affine);
    flat->emitter->failed |= !sum;
    flat->affine = sum ? sum : affine;
}

static void flat_add_text(struct flat *flat, struct index_text text)
{
    const bool zero = affine_is_constant(flat->affine, NULL) && flat->affine->constant == 0;

    flat->text = zero ? text : index_join(flat->emitter, flat_text(flat), text);
    flat->affine = NULL;
}

static struct index_text indirect_text(struct emitter *emitter, const struct tree_expr *expr)
{
    struct expr_text text = expr_bare(emitter, expr);
    const bool narrow = c_widens(text.type, TYPE_I32);

    if (!narrow && text.type != TYPE_I64)
        text = expr_exact(emitter, expr);
    return (struct index_text){text.text, text.precedence, !narrow, -INT_MAX, INT_MAX};
}

static void flat_add_subscript(struct flat *flat, const struct element *element, int dim)
{
    if (element->index[dim])
        flat_add(flat, element->index[dim]);
    else
        flat_add_text(flat, indirect_text(flat->emitter, element->indirect[dim]));
}

static struct index_text dense_index(struct emitter *emitter, const struct element *element)
{
    const struct array *array = element->array;
    struct flat flat = {.emitter = emitter, .affine = affine_constant(emitter->arena, 0)};

    for (int k = 0; k < array->n_dim; k++) {
        const int dim = array_dense_dimension(array, k);
        flat_scale(&flat, param_affine(emitter, array->shape[dim]));
        flat_add_subscript(&flat, element, dim);
    }
    return flat_text(&flat);
}

/* Adds subscript * stride. */
static void flat_add_strided(struct flat *flat, const struct element *element, int dim)
{
    struct emitter *emitter = flat->emitter;
    struct flat one = {.emitter = emitter, .affine = affine_constant(emitter->arena, 0)};
    const struct affine *stride = param_affine(emitter, element->array->stride[dim]);
    int64_t value;

    flat_add_subscript(&one, element, dim);
    if (one.affine && affine_is_constant(stride, &value)) {
        one.affine = affine_scale(emitter->arena, one.affine, value);
        emitter->failed |= !one.affine;
    } else {
        flat_scale(&one, stride);
    }
    if (one.affine)
        flat_add(flat, one.affine);
    else
        flat_add_text(flat, one.text);
}

static bool has_symbolic_stride(struct emitter *emitter, const struct array *array, int dim)
{
    return !affine_is_constant(param_affine(emitter, array->stride[dim]), NULL);
}

static struct index_text strided_index(struct emitter *emitter, const struct element *element)
{
    const struct array *array = element->array;
    struct flat flat = {.emitter = emitter, .affine = affine_constant(emitter->arena, 0)};

    for (int k = 0; k < array->n_dim; k++)
        if (has_symbolic_stride(emitter, array, k))
            flat_add_strided(&flat, element, k);
    for (int k = 0; k < array->n_dim; k++)
        if (!has_symbolic_stride(emitter, array, k))
            flat_add_strided(&flat, element, k);
    if (array->offset)
        flat_add(&flat, param_affine(emitter, array->offset));
    return flat_text(&flat);
}

static const char *rows_text(struct emitter *emitter, const struct element *element)
{
    const char *text = element->array->name;

    for (int k = 0; k < element->array->n_dim; k++) {
        const int dim = array_dense_dimension(element->array, k);
        const struct index_text index = element->index[dim] ? index_affine(emitter, element->index[dim])
                                                            : indirect_text(emitter, element->indirect[dim]);
        text = arena_printf(emitter->arena, "%s[%s]", text, index.text);
    }
    return text;
}

const char *element_text(struct emitter *emitter, const struct element *element, enum precedence *precedence)
{
    const struct array *array = element->array;
    const enum storage storage = storage_of(emitter, array);

    *precedence = storage == STORAGE_REFERENCE ? PREC_UNARY : PREC_PRIMARY;
    if (storage == STORAGE_VALUE)
        return array->name;
    if (storage == STORAGE_REFERENCE)
        return arena_printf(emitter->arena, "*%s", array->name);
    if (storage == STORAGE_LOCAL || storage == STORAGE_HEAP)
        return rows_text(emitter, element);
    const struct index_text index = array->stride ? strided_index(emitter, element) : dense_index(emitter, element);
    return arena_printf(emitter->arena, "%s[%s]", array->name, index.text);
}

static const char *product_text(struct emitter *emitter, const char *a, const char *b)
{
    const char *name = helper_use(&emitter->helpers, HELPER_SIZE, TYPE_I64);

    return arena_printf(emitter->arena, "%s(%s, %s)", name, a, b);
}

/* max(0, extent - 1) */
static const struct affine *last_index(struct emitter *emitter, const struct expr *extent)
{
    const struct affine *side[2];

    side[0] = affine_constant(emitter->arena, 0);
    side[1] = affine_add_constant(emitter->arena, param_affine(emitter, extent), -1);
    const struct affine *last = affine_extreme(emitter->arena, ATOM_MAX, side, 2);
    emitter->failed |= !last;
    return last ? last : side[0];
}

/* One more than the largest offset of a strided array. */
static const char *strided_size(struct emitter *emitter, const struct array *array)
{
    const char *text = NULL;
    const struct affine *last = affine_constant(emitter->arena, 1);

    if (array->offset)
        last = affine_add(emitter->arena, last, param_affine(emitter, array->offset));
    for (int k = 0; k < array->n_dim; k++) {
        const struct affine *stride = param_affine(emitter, array->stride[k]);
        const struct affine *steps = last_index(emitter, array->shape[k]);
        const char *term = product_text(emitter, index_affine(emitter, steps).text, index_affine(emitter, stride).text);
        text = text ? arena_printf(emitter->arena, "%s + %s", text, term) : term;
    }
    emitter->failed |= !last;
    return last ? arena_printf(emitter->arena, "%s + %s", text, index_affine(emitter, last).text) : text;
}

const char *array_bytes_text(struct emitter *emitter, const struct array *array)
{
    const char *element = arena_printf(emitter->arena, "sizeof(%s)", c_type_name(array->type));
    const char *text = array->stride ? strided_size(emitter, array) : NULL;

    for (int k = 0; k < array->n_dim && !array->stride; k++) {
        const struct affine *extent = param_affine(emitter, array->shape[array_dense_dimension(array, k)]);
        const char *size = index_affine(emitter, extent).text;
        text = text ? product_text(emitter, text, size) : size;
    }
    return text ? product_text(emitter, text, element) : element;
}
