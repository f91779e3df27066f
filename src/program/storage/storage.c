#include "program/storage/storage.h"

#include "poly/number.h"
#include "program/expr/affine.h"
#include "program/show.h"

#include <inttypes.h>
#include <isl/point.h>
#include <isl/val.h>

struct storage {
    const struct program *program;
    const struct array *array;
    struct diags *diags;
};

static void report(const struct storage *storage, const char *message)
{
    diag_error(storage->diags, "layout", storage->array->place, "%s", message);
}

/* storage address of each element for constant strides: { A[a] -> [offset + sum stride * a] }. */
static __isl_give isl_map *address_map(const struct storage *storage, const int64_t *stride, int64_t offset)
{
    const struct array *array = storage->array;
    isl_space *space = isl_set_get_space(array->elements);
    isl_ctx *ctx = storage->program->ctx;
    isl_aff *aff = isl_aff_zero_on_domain(isl_local_space_from_space(space));

    for (int k = 0; k < array->n_dim; k++)
        aff = isl_aff_set_coefficient_val(aff, isl_dim_in, k, isl_val_int_from_si(ctx, (long)stride[k]));
    aff = isl_aff_set_constant_val(aff, isl_val_int_from_si(ctx, (long)offset));
    return isl_map_intersect_domain(isl_map_from_aff(aff), isl_set_copy(array->elements));
}

/* Two elements in one place, the smallest such pair; true when there is one, which is reported. */
static bool report_pair(const struct storage *storage, __isl_keep isl_map *address, __isl_keep isl_set *params)
{
    const struct array *array = storage->array;
    isl_map *pairs = isl_map_apply_range(isl_map_copy(address), isl_map_reverse(isl_map_copy(address)));
    struct text first = {0}, second = {0};
    struct sample sample;
    isl_set *wrapped;
    bool found;

    pairs = isl_map_intersect(pairs, isl_map_lex_lt(isl_set_get_space(array->elements)));
    pairs = isl_map_intersect_params(pairs, isl_set_copy(params));
    wrapped = isl_map_wrap(pairs);
    found = poly_smallest(storage->program->arena, isl_set_copy(wrapped), &sample);
    if (found) {
        show_point(&first, array->name, sample.dim, array->n_dim);
        show_point(&second, array->name, sample.dim + array->n_dim, array->n_dim);
        show_params(&second, storage->program, &sample, wrapped);
        diag_error(storage->diags, "layout", array->place, "the strides put %s in the place of %s", text_str(&first),
                   text_str(&second));
    }
    isl_set_free(wrapped);
    text_free(&first);
    text_free(&second);
    return found;
}

static bool report_before_start(const struct storage *storage, __isl_keep isl_map *address, __isl_keep isl_set *params)
{
    isl_map *before = isl_map_upper_bound_si(isl_map_copy(address), isl_dim_out, 0, -1);
    struct text text = {0};
    struct sample sample;
    isl_set *elements;
    bool found;

    elements = isl_map_domain(isl_map_intersect_params(before, isl_set_copy(params)));
    found = poly_smallest(storage->program->arena, isl_set_copy(elements), &sample);
    if (found) {
        show_point(&text, storage->array->name, sample.dim, storage->array->n_dim);
        show_params(&text, storage->program, &sample, elements);
        diag_error(storage->diags, "layout", storage->array->place, "the strides put %s before the array's start",
                   text_str(&text));
    }
    isl_set_free(elements);
    text_free(&text);
    return found;
}

/* Exact answer for the parameters in params, where the strides have these values. */
static bool report_constant(const struct storage *storage, const int64_t *stride, int64_t offset,
                            __isl_keep isl_set *params)
{
    isl_map *address = address_map(storage, stride, offset);
    const bool found = report_pair(storage, address, params) || report_before_start(storage, address, params);

    isl_map_free(address);
    return found;
}

static bool constant_strides(const struct array *array, int64_t *stride, int64_t *offset)
{
    *offset = 0;
    for (int k = 0; k < array->n_dim; k++)
        if (!expr_constant(array->stride[k], &stride[k]))
            return false;
    return !array->offset || expr_constant(array->offset, offset);
}

/* stride * (extent - 1), or NULL when that is not affine. */
static __isl_give isl_pw_aff *span(__isl_keep isl_space *space, const struct array *array, int k)
{
    int64_t value;
    isl_pw_aff *extent, *stride;

    if (!expr_constant(array->stride[k], &value) && !expr_constant(array->shape[k], &value))
        return NULL;
    stride = expr_pw_aff(space, array->stride[k]);
    extent = expr_pw_aff(space, array->shape[k]);
    extent = isl_pw_aff_add_constant_val(extent, isl_val_negone(isl_space_get_ctx(space)));
    return isl_pw_aff_mul(stride, extent);
}

/* The parameters for which the array has a second place along dimension k. */
static __isl_give isl_set *longer_than_one(const struct storage *storage, __isl_keep isl_space *space, int k)
{
    const struct expr two = {.kind = EXPR_INT, .integer = 2};

    return isl_pw_aff_ge_set(expr_pw_aff(space, storage->array->shape[k]), expr_pw_aff(space, &two));
}

/* The parameters of where for which the stride of dimension k matters and does not exceed the spans of
 * the others in rest. */
static __isl_give isl_set *too_small(const struct storage *storage, __isl_keep isl_set *where, int k, const bool *rest)
{
    const struct array *array = storage->array;
    isl_space *space = program_params_space(storage->program);
    isl_pw_aff *sum = expr_pw_aff(space, &(struct expr){.kind = EXPR_INT});
    isl_set *bad;

    for (int j = 0; j < array->n_dim && sum; j++)
        if (rest[j] && j != k) {
            isl_pw_aff *one = span(space, array, j);

            sum = one ? isl_pw_aff_add(sum, one) : isl_pw_aff_free(sum);
        }
    bad = longer_than_one(storage, space, k);
    if (sum)
        bad = isl_set_intersect(bad, isl_pw_aff_le_set(expr_pw_aff(space, array->stride[k]), sum));
    isl_space_free(space);
    return isl_set_intersect(bad, isl_set_copy(where));
}

/* Takes the slowest dimension of rest out of it; where there is none, *bad holds the parameters at which
 * every candidate fails. */
static bool take_slowest(const struct storage *storage, __isl_keep isl_set *where, bool *rest, isl_set **bad)
{
    *bad = isl_set_copy(where);
    for (int k = 0; k < storage->array->n_dim; k++) {
        isl_set *failing;

        if (!rest[k])
            continue;
        failing = too_small(storage, where, k, rest);
        rest[k] = isl_set_is_empty(failing) != isl_bool_true;
        *bad = isl_set_intersect(*bad, failing);
        if (!rest[k])
            return true;
    }
    return false;
}

static int64_t value_at(const struct storage *storage, const struct expr *expr, __isl_keep isl_set *point)
{
    isl_space *space = program_params_space(storage->program);
    isl_val *value = isl_pw_aff_eval(expr_pw_aff(space, expr), isl_set_sample_point(isl_set_copy(point)));
    int64_t result;

    poly_number(value, &result);
    isl_space_free(space);
    return result;
}

static __isl_give isl_set *point_of(const struct storage *storage, const struct sample *sample)
{
    isl_set *point = isl_set_universe(program_params_space(storage->program));

    for (int k = 0; k < sample->n_param; k++)
        point = isl_set_fix_val(point, isl_dim_param, (unsigned)k,
                                isl_val_int_from_si(storage->program->ctx, (long)sample->param[k]));
    return point;
}

/* No order of the dimensions works at the parameters in bad: looks there for two elements in one place. */
static void report_parametric(const struct storage *storage, __isl_take isl_set *bad)
{
    const struct array *array = storage->array;
    int64_t *stride = ARENA_ARRAY(storage->program->arena, array->n_dim, int64_t);
    struct sample sample;
    isl_set *point;
    int64_t offset;

    if (!poly_smallest(storage->program->arena, bad, &sample)) {
        report(storage, "the strides are not known to keep all elements apart");
        return;
    }
    point = point_of(storage, &sample);
    for (int k = 0; k < array->n_dim; k++)
        stride[k] = value_at(storage, array->stride[k], point);
    offset = array->offset ? value_at(storage, array->offset, point) : 0;
    if (!report_constant(storage, stride, offset, point))
        report(storage, "the strides are not known to keep all elements apart");
    isl_set_free(point);
}

/* where: the parameters for which there are elements. */
static void check_offset(const struct storage *storage, __isl_keep isl_set *where)
{
    isl_space *space = program_params_space(storage->program);
    isl_set *negative = isl_set_complement(isl_pw_aff_nonneg_set(expr_pw_aff(space, storage->array->offset)));
    struct sample sample;
    struct text text = {0};

    negative = isl_set_intersect(negative, isl_set_copy(where));
    if (poly_smallest(storage->program->arena, isl_set_copy(negative), &sample)) {
        show_params(&text, storage->program, &sample, negative);
        diag_error(storage->diags, "layout", storage->array->place, "the offset is negative%s", text_str(&text));
    }
    text_free(&text);
    isl_set_free(negative);
    isl_space_free(space);
}

static void check_parametric(const struct storage *storage)
{
    const struct array *array = storage->array;
    bool *rest = ARENA_ARRAY(storage->program->arena, array->n_dim, bool);
    isl_set *where = isl_set_params(isl_set_copy(array->elements)), *bad = NULL;
    bool good = true;

    where = isl_set_intersect(where, isl_set_copy(storage->program->context));
    for (int k = 0; k < array->n_dim; k++)
        rest[k] = true;
    for (int k = 0; k < array->n_dim && good; k++) {
        isl_set_free(bad);
        good = take_slowest(storage, where, rest, &bad);
    }
    if (good)
        isl_set_free(bad);
    else
        report_parametric(storage, bad);
    if (good && array->offset)
        check_offset(storage, where);
    isl_set_free(where);
}

void check_storage(const struct program *program, const struct array *array, struct diags *diags)
{
    const struct storage storage = {program, array, diags};
    int64_t *stride = ARENA_ARRAY(program->arena, array->n_dim, int64_t);
    int64_t offset;

    if (!array->stride)
        return;
    if (constant_strides(array, stride, &offset))
        report_constant(&storage, stride, offset, program->context);
    else
        check_parametric(&storage);
}
