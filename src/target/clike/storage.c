#include "target/clike/storage.h"

#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/types.h"

#include <inttypes.h>
#include <limits.h>

/* Do the parameters' least values make a sum of them non-negative? */
static bool non_negative(void *user, const struct affine *a)
{
    const struct emitter *emitter = user;
    int64_t least = a->constant, part;

    for (int k = 0; k < a->n_term; k++) {
        const struct affine_term *term = &a->term[k];
        const int64_t bound = term->atom->kind == ATOM_VAR ? emitter->param_least[term->atom->var->id] : INT64_MIN;
        if (bound == INT64_MIN || term->factor < 0 || __builtin_mul_overflow(term->factor, bound, &part) ||
            __builtin_add_overflow(least, part, &least))
            return false;
    }
    return least >= 0;
}

const struct affine *param_affine(struct emitter *emitter, const struct expr *expr)
{
    const struct affine *affine;

    if (affine_from_expr(emitter->arena, &emitter->scope, expr, &affine) && affine)
        return affine_mark_plain(emitter->arena, affine, non_negative, emitter);
    emitter->failed = true;
    return affine_constant(emitter->arena, 0);
}

static bool constant_expr(struct emitter *emitter, const struct expr *expr, int64_t *value)
{
    return affine_is_constant(param_affine(emitter, expr), value);
}

/* Adds to *size the span of each dimension that goes forward: the others end at the offset. */
static bool add_spans(struct emitter *emitter, const struct array *array, int64_t *size)
{
    int64_t extent, stride;

    for (int k = 0; k < array->n_dim; k++)
        if (!constant_expr(emitter, array->shape[k], &extent) || !constant_expr(emitter, array->stride[k], &stride) ||
            __builtin_mul_overflow(extent - 1, stride > 0 ? stride : 0, &stride) ||
            __builtin_add_overflow(*size, stride, size))
            return false;
    return true;
}

bool constant_size(struct emitter *emitter, const struct array *array, int64_t *size)
{
    int64_t extent, offset = 0;

    *size = 1;
    if (array->stride) {
        if (array->offset && !constant_expr(emitter, array->offset, &offset))
            return false;
        return add_spans(emitter, array, size) && !__builtin_add_overflow(*size, offset, size);
    }
    for (int k = 0; k < array->n_dim; k++)
        if (!constant_expr(emitter, array->shape[k], &extent) || __builtin_mul_overflow(*size, extent, size))
            return false;
    return true;
}

static bool is_moved(const struct emitter *emitter, const struct array *array)
{
    return emitter->array_moved && emitter->array_moved[array - emitter->program->array];
}

static bool is_local(struct emitter *emitter, const struct array *array)
{
    int64_t size;

    if (array->role == ROLE_CONST || array->memory == MEMORY_STACK || array->memory == MEMORY_STATIC ||
        array->memory == MEMORY_LOCAL)
        return true;
    if (array->memory == MEMORY_SHARED)
        return constant_size(emitter, array, &size);
    return array->memory == MEMORY_AUTO && !is_moved(emitter, array) && constant_size(emitter, array, &size) &&
           size > 0 && (array->in_registers || size <= STACK_LIMIT / c_type_bytes(array->type));
}

enum storage storage_of(struct emitter *emitter, const struct array *array)
{
    const bool global = array->memory == MEMORY_GLOBAL;

    if (!array->n_dim && emitter->by_reference && emitter->by_reference[array - emitter->program->array])
        return STORAGE_REFERENCE;
    if (!array->n_dim)
        return array->role == ROLE_OUT || array->role == ROLE_INOUT || global ? STORAGE_REFERENCE : STORAGE_VALUE;
    if (array_is_argument(array) || global)
        return STORAGE_POINTER;
    if (array_may_have_rows(emitter->arena, &emitter->scope, array))
        return is_local(emitter, array) ? STORAGE_LOCAL : STORAGE_HEAP;
    return is_local(emitter, array) ? STORAGE_LOCAL_FLAT : STORAGE_HEAP_FLAT;
}

/* A flat index: affine as long as it can be, then text. */
struct flat {
    struct emitter *emitter;
    const struct affine *affine; /* NULL once it is text */
    struct index_text text;
    int64_t factor; /* by which it is still to be multiplied; 0: none */
};

static struct index_text flat_text(const struct flat *flat)
{
    struct index_text text = flat->affine ? index_affine(flat->emitter, flat->affine) : flat->text;

    if (flat->factor)
        text = index_product(flat->emitter, text,
                             index_affine(flat->emitter, affine_constant(flat->emitter->arena, flat->factor)));
    return text;
}

static void flat_settle(struct flat *flat)
{
    if (!flat->factor)
        return;
    flat->text = flat_text(flat);
    flat->affine = NULL;
    flat->factor = 0;
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
    if (affine_is_constant(extent, &value) && value > 0 &&
        !__builtin_mul_overflow(flat->factor ? flat->factor : 1, value, &value)) {
        flat->factor = value;
        return;
    }
    flat->text = index_product(flat->emitter, flat_text(flat), index_affine(flat->emitter, extent));
    flat->affine = NULL;
    flat->factor = 0;
}

/* (t / 5) * 5 + t % 5 is t: the sum where quotients cancel in it, else NULL. */
static const struct affine *without_quotients(const struct flat *flat, const struct affine *affine)
{
    const struct affine *sum;

    if (!flat->affine || !flat->factor || !affine_has_floor(flat->affine))
        return NULL;
    sum = affine_combine(flat->emitter->arena, flat->affine, flat->factor, affine, 1);
    return sum && !affine_has_floor(sum) ? sum : NULL;
}

static void flat_add(struct flat *flat, const struct affine *affine)
{
    const struct affine *sum = without_quotients(flat, affine);
    int64_t value;

    if (sum) {
        flat->affine = sum;
        flat->factor = 0;
        return;
    }
    if (affine_is_constant(affine, &value) && value == 0)
        return;
    flat_settle(flat);
    if (!flat->affine) {
        flat->text = index_sum(flat->emitter, flat->text, affine);
        return;
    }
    sum = affine_add(flat->emitter->arena, flat->affine, affine);
    flat->emitter->failed |= !sum;
    flat->affine = sum ? sum : affine;
}

static void flat_add_text(struct flat *flat, struct index_text text)
{
    const bool zero = affine_is_constant(flat->affine, NULL) && flat->affine->constant == 0;

    flat->text = zero ? text : index_join(flat->emitter, flat_text(flat), text);
    flat->affine = NULL;
    flat->factor = 0;
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

/* How many elements `rows` subscripts of dense dimension k are, rows being above 0. */
static struct index_text rows_apart(struct emitter *emitter, const struct array *array, int k, int64_t rows)
{
    struct flat flat = {.emitter = emitter, .affine = affine_constant(emitter->arena, rows)};

    for (k++; k < array->n_dim; k++)
        flat_scale(&flat, param_affine(emitter, array->shape[array_dense_dimension(array, k)]));
    return flat_text(&flat);
}

/* From a pointer into a row: `k + N - N * N + 1`; of other rows only how far they are. */
static struct index_text index_from_row(struct emitter *emitter, const struct element *element)
{
    const struct array *array = element->array;
    const struct affine *in_row = element->index[array_dense_dimension(array, array->n_dim - 1)];
    struct index_text text;
    int64_t rows;

    if (affine_is_constant(in_row, &rows))
        return dense_index(emitter, element);
    text = index_affine(emitter, affine_add_constant(emitter->arena, in_row, -in_row->constant));
    for (int k = array->n_dim - 2; k >= 0; k--) {
        if (!affine_is_constant(element->index[array_dense_dimension(array, k)], &rows))
            return dense_index(emitter, element);
        if (rows > 0)
            text = index_join(emitter, text, rows_apart(emitter, array, k, rows));
        if (rows < 0)
            text = index_difference(emitter, text, rows_apart(emitter, array, k, -rows));
    }
    return index_sum(emitter, text, affine_constant(emitter->arena, in_row->constant));
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
        flat_add_text(flat, flat_text(&one));
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

    if (element->base) {
        *precedence = PREC_PRIMARY;
        return arena_printf(emitter->arena, "%s[%s]", element->base->name, index_from_row(emitter, element).text);
    }
    *precedence = storage == STORAGE_REFERENCE ? PREC_UNARY : PREC_PRIMARY;
    if (array->fragment)
        return arena_printf(emitter->arena, "%s%s", rows_text(emitter, element),
                            emitter->of_fragment ? emitter->of_fragment : "");
    if (storage == STORAGE_VALUE)
        return array->name;
    if (storage == STORAGE_REFERENCE)
        return arena_printf(emitter->arena, "*%s", array->name);
    if (storage == STORAGE_LOCAL || storage == STORAGE_HEAP)
        return rows_text(emitter, element);
    const struct index_text index = array->stride ? strided_index(emitter, element) : dense_index(emitter, element);
    return arena_printf(emitter->arena, "%s[%s]", array->name, index.text);
}

/* Is a subscript inside of its dimension, as far as its range is known? A variable without one may be negative. */
static bool stays_inside(struct emitter *emitter, const struct element *element, int dim)
{
    const struct index_text index = index_affine(emitter, element->index[dim]);
    const struct expr *extent = element->array->shape[dim];

    return extent->kind != EXPR_INT || index.wide || index.low < 0 || index.high < extent->integer;
}

bool element_may_leave(struct emitter *emitter, const struct element *element)
{
    const enum storage storage = storage_of(emitter, element->array);
    bool inside = true;

    if (element->base || element->indirect || (storage != STORAGE_LOCAL && storage != STORAGE_HEAP))
        return false;
    for (int k = storage == STORAGE_HEAP; k < element->array->n_dim; k++)
        inside = inside && stays_inside(emitter, element, array_dense_dimension(element->array, k));
    return !inside;
}

const char *element_place_text(struct emitter *emitter, const struct element *element)
{
    struct array from_start = *element->array;
    struct element place = *element;

    from_start.offset = NULL;
    place.array = &from_start;
    return (from_start.stride ? strided_index(emitter, &place) : dense_index(emitter, &place)).text;
}

const char *element_step_text(struct emitter *emitter, const struct array *array, const int64_t *distance)
{
    const struct affine **index = ARENA_ARRAY(emitter->arena, array->n_dim + 1, const struct affine *);

    for (int k = 0; k < array->n_dim; k++)
        index[k] = affine_constant(emitter->arena, distance[k]);
    return element_place_text(emitter, &(struct element){.array = array, .index = index});
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
    if (side[1] && non_negative(emitter, side[1]))
        return side[1];
    const struct affine *last = affine_extreme(emitter->arena, ATOM_MAX, side, 2);
    emitter->failed |= !last;
    return last ? last : side[0];
}

/* "a + b", a may be none */
static const char *sum_text(struct emitter *emitter, const char *a, const char *b)
{
    if (!a)
        return b;
    return arena_printf(emitter->arena, "%s(%s, %s)", helper_use(&emitter->helpers, HELPER_SIZE_SUM, TYPE_I64), a, b);
}

/* One more than the largest offset of a strided array. */
static const char *strided_size(struct emitter *emitter, const struct array *array)
{
    const char *text = NULL;
    const struct affine *known = affine_constant(emitter->arena, 1);
    int64_t size = 0, n = 0, product;

    if (array->offset)
        known = affine_add(emitter->arena, known, param_affine(emitter, array->offset));
    for (int k = 0; k < array->n_dim; k++) {
        const struct affine *stride = param_affine(emitter, array->stride[k]);
        const struct affine *steps = last_index(emitter, array->shape[k]);
        const bool constant = affine_is_constant(stride, &size);
        if (constant && size <= 0)
            continue;
        if (constant && affine_is_constant(steps, &n) && !__builtin_mul_overflow(n, size, &product)) {
            known = known ? affine_add_constant(emitter->arena, known, product) : NULL;
            continue;
        }
        const char *term = index_affine(emitter, steps).text;
        if (!constant || size != 1)
            term = product_text(emitter, term, index_affine(emitter, stride).text);
        text = sum_text(emitter, text, term);
    }
    emitter->failed |= !known;
    return known ? sum_text(emitter, text, index_affine(emitter, known).text) : text;
}

static const struct affine *dense_extent(struct emitter *emitter, const struct array *array, int k)
{
    return param_affine(emitter, array->shape[array_dense_dimension(array, k)]);
}

static int64_t multiple_of(const struct affine *a)
{
    return common_divisor(affine_gcd(a), a->constant);
}

const struct affine *array_own_rows(struct emitter *emitter, const struct array *array)
{
    const struct affine *rows = dense_extent(emitter, array, 0);
    const int64_t align = array->align > 0 ? array->align : 1;
    int64_t unit = common_divisor(align, c_type_bytes(array->type));

    for (int k = 1; k < array->n_dim; k++)
        unit = common_divisor(align, unit * common_divisor(align, multiple_of(dense_extent(emitter, array, k))));
    if (multiple_of(rows) % (align / unit) == 0)
        return rows;
    rows = affine_floor(emitter->arena, affine_add_constant(emitter->arena, rows, align / unit - 1), align / unit);
    rows = affine_mark_plain(emitter->arena, rows, non_negative, emitter);
    return affine_scale(emitter->arena, rows, align / unit);
}

/* The product of the first n_counted extents, of which the first is rows, and sizeof *A, which has the others. */
static const char *dense_bytes(struct emitter *emitter, const struct array *array, const struct affine *rows,
                               int n_counted)
{
    const char *text = NULL;
    int64_t constant = 1, extent;

    for (int k = 0; k < n_counted; k++) {
        const struct affine *affine = k == 0 ? rows : dense_extent(emitter, array, k);
        const char *size = index_affine(emitter, affine).text;
        if (!affine_is_constant(affine, &extent) || __builtin_mul_overflow(constant, extent, &constant))
            text = text ? product_text(emitter, text, size) : size;
    }
    const char *unit = arena_printf(emitter->arena, "sizeof *%s", array->name);
    if (constant != 1)
        unit = arena_printf(emitter->arena, "%" PRId64 " * %s", constant, unit);
    return text ? product_text(emitter, text, unit) : unit;
}

const char *array_bytes_text(struct emitter *emitter, const struct array *array)
{
    const bool rows = storage_of(emitter, array) == STORAGE_HEAP;

    if (array->stride)
        return product_text(emitter, strided_size(emitter, array),
                            arena_printf(emitter->arena, "sizeof *%s", array->name));
    return dense_bytes(emitter, array, array->n_dim ? dense_extent(emitter, array, 0) : NULL, rows ? 1 : array->n_dim);
}

const char *array_own_bytes_text(struct emitter *emitter, const struct array *array, const char *name)
{
    const bool rows = storage_of(emitter, array) == STORAGE_HEAP;
    struct array named = *array;

    named.name = name;
    return dense_bytes(emitter, &named, array_own_rows(emitter, array), rows ? 1 : array->n_dim);
}

const char *variable_text(const struct emitter *emitter, const struct array *array)
{
    struct text zero = {0};
    const char *text;

    if (emitter_has_class(emitter, array->type))
        return arena_printf(emitter->arena, "%s = {}", array->name);
    c_int_literal(&zero, array->type == TYPE_F16 || array->type == TYPE_BF16 ? TYPE_U16 : array->type, 0, true);
    text = arena_printf(emitter->arena, "%s = %s", array->name, text_str(&zero));
    text_free(&zero);
    return text;
}
