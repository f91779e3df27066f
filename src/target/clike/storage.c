#include "target/clike/storage.h"

#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/types.h"

#include <inttypes.h>
#include <limits.h>

bool is_argument(const struct array *array)
{
    return array->role != ROLE_TEMP && array->role != ROLE_CONST;
}

const struct affine *param_affine(struct emitter *emitter, const struct expr *expr)
{
    const struct affine *affine;

    if (affine_from_expr(emitter->arena, &emitter->scope, expr, &affine) && affine)
        return affine;
    emitter->failed = true;
    return affine_constant(emitter->arena, 0);
}

static int dimension(const struct array *array, int k)
{
    return array->dim_order ? array->dim_order[k] : k;
}

bool constant_extents(struct emitter *emitter, const struct array *array, int64_t *extent)
{
    for (int k = 0; k < array->n_dim; k++)
        if (!affine_is_constant(param_affine(emitter, array->shape[dimension(array, k)]), &extent[k]))
            return false;
    return true;
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
    if (is_argument(array))
        return STORAGE_POINTER;
    if (array->stride || !constant_extents(emitter, array, extent))
        return STORAGE_HEAP_FLAT;
    const int64_t bytes = constant_bytes(array, extent);
    return bytes > 0 && bytes <= STACK_LIMIT ? STORAGE_LOCAL : bytes > 0 ? STORAGE_HEAP : STORAGE_HEAP_FLAT;
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

static int count_floors(const struct affine *a)
{
    int n = 0;

    for (int k = 0; k < a->n_term; k++)
        n += a->term[k].atom->kind == ATOM_FLOOR;
    return n;
}

/* The whole index of an array as one affine expression where the strides are constant and that takes divisions out
 * of it (the subscripts of a collapsed loop give back the loop); NULL elsewhere. */
static const struct affine *folded_index(struct emitter *emitter, const struct element *element)
{
    const struct array *array = element->array;
    struct arena *arena = emitter->arena;
    const struct affine *sum = affine_constant(arena, 0);
    int64_t extent = 0;
    int floors = 0;

    for (int k = 0; k < array->n_dim && sum; k++) {
        const int dim = dimension(array, k);
        if (!element->index[dim] ||
            (k > 0 && !affine_is_constant(param_affine(emitter, array->shape[dim]), &extent)))
            return NULL;
        floors += count_floors(element->index[dim]);
        sum = affine_add(arena, affine_scale(arena, sum, extent), element->index[dim]);
    }
    if (floors == 0)
        return NULL;
    sum = affine_fold_floors(arena, sum);
    return sum && count_floors(sum) == 0 ? sum : NULL;
}

/* What of a folded index is whole rows of the given stride, counted in rows. */
static const struct affine *rows_of(struct arena *arena, const struct affine *a, int64_t stride)
{
    const struct affine *whole = affine_constant(arena, 0);

    if (stride == 1)
        return a;
    for (int k = 0; k < a->n_term; k++) {
        const struct affine_term *term = &a->term[k];
        if (term->atom->kind == ATOM_VAR && term->factor % stride == 0)
            whole = affine_add(arena, whole,
                               affine_scale(arena, affine_var(arena, term->atom->var), term->factor / stride));
    }
    return whole && whole->n_term ? affine_add_constant(arena, whole, floor_div(a->constant, stride)) : whole;
}

/* The elements between neighbours along dimension k of the order; false when there are none or too many. */
static bool strides_of(struct emitter *emitter, const struct array *array, int64_t *stride)
{
    int64_t extent = 1;

    for (int k = array->n_dim - 1; k >= 0; k--) {
        stride[k] = k + 1 < array->n_dim ? stride[k + 1] : 1;
        if (__builtin_mul_overflow(stride[k], extent, &stride[k]) || stride[k] <= 0)
            return false;
        if (k > 0 && !affine_is_constant(param_affine(emitter, array->shape[dimension(array, k)]), &extent))
            return false;
    }
    return true;
}

/* The folded index by rows, `(i - 2) * 5 + j`, as the others are written; NULL where that cannot be. */
static const struct element *by_rows(struct emitter *emitter, const struct array *array, const struct affine *folded)
{
    struct arena *arena = emitter->arena;
    const struct affine **index = ARENA_ARRAY(arena, array->n_dim, const struct affine *);
    int64_t *stride = ARENA_ARRAY(arena, array->n_dim, int64_t);
    struct element *rows = ARENA_NEW(arena, struct element);

    if (!strides_of(emitter, array, stride))
        return NULL;
    for (int k = 0; k < array->n_dim && folded; k++) {
        const struct affine *row = rows_of(arena, folded, stride[k]);
        folded = affine_sub(arena, folded, affine_scale(arena, row, stride[k]));
        index[dimension(array, k)] = row;
    }
    *rows = (struct element){.array = array, .index = index};
    return folded ? rows : NULL;
}

static struct index_text dense_index(struct emitter *emitter, const struct element *element)
{
    const struct array *array = element->array;
    const struct affine *folded = folded_index(emitter, element);
    const struct element *rows = folded ? by_rows(emitter, array, folded) : NULL;
    struct flat flat = {.emitter = emitter, .affine = affine_constant(emitter->arena, 0)};

    if (rows)
        element = rows;
    for (int k = 0; k < array->n_dim; k++) {
        const int dim = dimension(array, k);
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
        const int dim = dimension(element->array, k);
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
        const struct affine *extent = param_affine(emitter, array->shape[dimension(array, k)]);
        const char *size = index_affine(emitter, extent).text;
        text = text ? product_text(emitter, text, size) : size;
    }
    return text ? product_text(emitter, text, element) : element;
}
