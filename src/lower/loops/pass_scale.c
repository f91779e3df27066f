/* Pass "scale": a loop over counts c becomes a loop over the values v = stride * c + offset. */
#include "lower/facts/bound.h"
#include "lower/lower.h"

#include "poly/number.h"
#include "tree/visit.h"

#include <isl/val.h>

#include <stdlib.h>

/* Limits of what is tried for shorter divisions. */
enum { MOST_SHIFT = 64, MOST_FACTOR = 1 << 24 };

/* An affine expression of the parameters as the loop tree has it; NULL when it does not fit. */
static const struct affine *affine_of_aff(struct lowering *lowering, __isl_keep isl_aff *aff);

static const struct affine *div_of_aff(struct lowering *lowering, __isl_keep isl_aff *aff, int position)
{
    isl_aff *div = isl_aff_get_div(aff, position);
    isl_val *denominator = isl_aff_get_denominator_val(div);
    const struct affine *operand;
    int64_t divisor;

    div = isl_aff_scale_val(div, isl_val_copy(denominator));
    operand = poly_number(denominator, &divisor) ? affine_of_aff(lowering, div) : NULL;
    isl_aff_free(div);
    return operand ? affine_floor(lowering->arena, operand, divisor) : NULL;
}

static const struct affine *affine_of_aff(struct lowering *lowering, __isl_keep isl_aff *aff)
{
    struct arena *arena = lowering->arena;
    const int n_div = (int)isl_aff_dim(aff, isl_dim_div);
    int64_t factor;
    const struct affine *sum, *term;

    if (!poly_number(isl_aff_get_constant_val(aff), &factor))
        return NULL;
    sum = affine_constant(arena, factor);
    for (int k = 0; k < lowering->program->n_param + n_div; k++) {
        const bool div = k >= lowering->program->n_param;
        const int at = div ? k - lowering->program->n_param : k;
        if (!poly_number(isl_aff_get_coefficient_val(aff, div ? isl_dim_div : isl_dim_param, at), &factor))
            return NULL;
        if (factor == 0)
            continue;
        term = div ? div_of_aff(lowering, aff, at) : affine_var(arena, lowering->param_var[at]);
        sum = affine_add(arena, sum, affine_scale(arena, term, factor));
    }
    return sum;
}

/* count = (value - offset) / stride */
struct scaling {
    const struct var *count;
    const struct affine *distance; /* value - offset, times the sign of stride */
    int64_t size;                  /* |stride| */
};

static const struct affine *replace_count(struct arena *arena, const struct affine *a, void *user);

static const struct affine *replace_in_atom(struct arena *arena, const struct affine_term *term,
                                            const struct scaling *scaling)
{
    const struct atom *atom = term->atom;
    const struct affine **arg = ARENA_ARRAY(arena, atom->n_arg, const struct affine *);
    const struct affine *whole;

    if (atom->kind == ATOM_FLOOR) {
        /* floor(e / d) = floor(size * e / (size * d)), and size * count is whole in the value */
        whole = affine_scale(arena, atom->arg[0], scaling->size);
        whole = replace_count(arena, whole, (void *)(uintptr_t)scaling);
        whole = affine_floor(arena, whole, scaling->size * atom->divisor);
    } else {
        for (int k = 0; k < atom->n_arg; k++)
            arg[k] = replace_count(arena, atom->arg[k], (void *)(uintptr_t)scaling);
        whole = affine_extreme(arena, atom->kind, arg, atom->n_arg);
    }
    return affine_scale(arena, whole, term->factor);
}

static const struct affine *replace_own(struct arena *arena, int64_t factor, const struct scaling *scaling)
{
    if (factor % scaling->size == 0)
        return affine_scale(arena, scaling->distance, factor / scaling->size);
    return affine_floor(arena, affine_scale(arena, scaling->distance, factor), scaling->size);
}

/* How much of divisor * count must go into the operand of a floor for count not to divide in it; 0: none, or none
 * that is small. */
static int64_t shift_into(const struct affine_term *floor, const struct scaling *scaling)
{
    const int64_t inner = affine_factor(floor->atom->arg[0], scaling->count), divisor = floor->atom->divisor;

    if (inner == 0 || llabs(inner) > MOST_FACTOR || divisor > MOST_FACTOR)
        return 0;
    for (int64_t n = 0; n <= MOST_SHIFT; n++) {
        if ((inner + n * divisor) % scaling->size == 0)
            return n;
        if ((inner - n * divisor) % scaling->size == 0)
            return -n;
    }
    return 0;
}

/* a with some of count's own term in its floors, so that it divides nowhere; NULL where that cannot be. For c = t / 5,
 * c + floor(c / 4) is floor(5 c / 4), which is floor(t / 4). */
static const struct affine *replace_shifted(struct arena *arena, const struct affine *a, struct scaling *scaling)
{
    const struct affine *count = affine_var(arena, scaling->count), *sum = affine_constant(arena, 0), *rest = a;
    const struct affine *operand;
    bool shifted = false;

    for (int k = 0; k < a->n_term; k++) {
        const struct affine_term *floor = &a->term[k];
        const int64_t n = floor->atom->kind == ATOM_FLOOR ? shift_into(floor, scaling) : 0;
        if (n == 0)
            continue;
        operand = affine_floor(arena, floor->atom->arg[0], floor->atom->divisor);
        operand = affine_add(arena, operand, affine_scale(arena, count, n));
        rest = affine_sub(arena, rest, affine_scale(arena, operand, floor->factor));
        operand = affine_add(arena, floor->atom->arg[0], affine_scale(arena, count, n * floor->atom->divisor));
        operand = operand ? replace_count(arena, operand, scaling) : NULL;
        operand = affine_floor(arena, operand, floor->atom->divisor);
        sum = affine_add(arena, sum, affine_scale(arena, operand, floor->factor));
        shifted = true;
    }
    if (!shifted || !rest || affine_factor(rest, scaling->count) % scaling->size)
        return NULL;
    return affine_add(arena, sum, replace_count(arena, rest, scaling));
}

static const struct affine *replace_count(struct arena *arena, const struct affine *a, void *user)
{
    const struct scaling *scaling = user;
    const struct affine *sum;

    if (!affine_uses(a, scaling->count))
        return a;
    sum = affine_factor(a, scaling->count) % scaling->size ? replace_shifted(arena, a, user) : NULL;
    if (sum)
        return sum;
    sum = affine_constant(arena, a->constant);
    for (int k = 0; k < a->n_term; k++) {
        const struct affine_term *term = &a->term[k];
        const struct affine *part;
        if (term->atom->kind != ATOM_VAR)
            part = replace_in_atom(arena, term, scaling);
        else if (term->atom->var == scaling->count)
            part = replace_own(arena, term->factor, scaling);
        else
            part = affine_scale(arena, affine_var(arena, term->atom->var), term->factor);
        sum = affine_add(arena, sum, part);
    }
    return sum;
}

/* A condition on nothing but count, times size: what is v >= 8 for v = 8 * count is not count >= 1 by a division. */
static const struct affine *scale_condition(struct arena *arena, const struct affine *a, void *user)
{
    const struct scaling *scaling = user;

    return a->n_term == 1 && a->term->atom->kind == ATOM_VAR && a->term->atom->var == scaling->count
               ? affine_scale(arena, a, scaling->size)
               : a;
}

static const struct node *scale_conditions(struct arena *arena, const struct node *node, struct scaling *scaling)
{
    const struct node **child;

    if (node->n_child == 0)
        return node;
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = scale_conditions(arena, node->child[k], scaling);
        if (!child[k])
            return NULL;
    }
    node = node_with_children(arena, node, child);
    return node->kind == NODE_IF ? node_map_own(arena, node, scale_condition, scaling) : node;
}

/* The term +-floor(e / d) of a bound as floor(numerator / d) with the rest of the bound; false: there is none. */
static bool floor_of(struct arena *arena, const struct affine *bound, const struct affine **numerator, int64_t *divisor,
                     const struct affine **rest)
{
    for (int k = 0; k < bound->n_term; k++) {
        const struct atom *atom = bound->term[k].atom;
        const int64_t factor = bound->term[k].factor;
        if (atom->kind != ATOM_FLOOR || (factor != 1 && factor != -1))
            continue;
        *divisor = atom->divisor;
        *rest = affine_sub(arena, bound, affine_scale(arena, affine_floor(arena, atom->arg[0], *divisor), factor));
        *numerator = affine_scale(arena, atom->arg[0], factor);
        if (factor == -1) /* -floor(e / d) = floor((d - 1 - e) / d) */
            *numerator = affine_add_constant(arena, *numerator, *divisor - 1);
        return true;
    }
    return false;
}

/* The last value of a loop on a grid of stride: stride * (rest + floor(e / d)) where no value of the grid lies
 * between that and the bound without the floor. */
static const struct affine *scale_last(struct arena *arena, const struct affine *bound, int64_t stride)
{
    const int64_t size = stride < 0 ? -stride : stride, sign = stride < 0 ? -1 : 1;
    const struct affine *numerator, *rest, *whole;
    int64_t divisor;

    if (!floor_of(arena, bound, &numerator, &divisor, &rest))
        return affine_scale(arena, bound, stride);
    whole = affine_add(arena, numerator, affine_scale(arena, rest, divisor));
    if (size % divisor == 0)
        return affine_scale(arena, whole, stride / divisor);
    if (divisor % size == 0)
        return affine_scale(arena, affine_floor(arena, whole, divisor / size), sign);
    return affine_scale(arena, bound, stride);
}

/* stride * last, raised to the next end: no multiple of 4 is between 4 N - 4 and 4 N - 1, and i < 4 N reads better. */
static const struct affine *scale_only_last(struct arena *arena, const struct affine *last, int64_t stride)
{
    const struct affine *scaled = scale_last(arena, last, stride);
    const int64_t gcd = scaled ? common_divisor(affine_gcd(scaled), stride) : 0;

    if (!scaled || stride <= 1 || gcd <= 1 || !scaled->n_term || scaled->constant >= 0)
        return scaled;
    return affine_add_constant(arena, scaled, floor_div(scaled->constant, gcd) * gcd + gcd - 1 - scaled->constant);
}

static bool is_single(struct arena *arena, const struct affine *bound)
{
    const struct affine *const *arg;
    enum atom_kind kind;

    return bound_args(arena, bound, &arg, &kind) == 1;
}

/* The value of count 0; isl has (N - 2) / 2 where it knows that N is even. */
static const struct affine *offset_of(struct lowering *lowering, const struct loop_info *info)
{
    isl_aff *offset = info->offset ? isl_aff_floor(isl_aff_copy(info->offset)) : NULL;
    const struct affine *result = offset ? affine_of_aff(lowering, offset) : affine_constant(lowering->arena, 0);

    isl_aff_free(offset);
    return result;
}

static const struct node *scale_loop(struct lowering *lowering, const struct node *loop, const struct node *body)
{
    struct arena *arena = lowering->arena;
    const struct loop_info *info = loop->info;
    const int64_t stride = info->stride;
    const struct affine *offset = offset_of(lowering, info);
    const struct var *value = lower_new_var(lowering, VAR_LOOP, loop->var->name);
    struct scaling scaling = {loop->var, NULL, stride < 0 ? -stride : stride};
    const struct affine *first, *last;
    const struct node *scaled;

    if (!offset)
        return NULL;
    scaling.distance = affine_sub(arena, affine_var(arena, value), offset);
    if (stride < 0)
        scaling.distance = affine_scale(arena, scaling.distance, -1);
    body = scale_conditions(arena, body, &scaling);
    body = body ? node_map(arena, body, replace_count, &scaling) : NULL;
    first = bound_add(arena, bound_scale_by(arena, loop->lower, stride, affine_scale), offset);
    last = bound_scale_by(arena, loop->upper, stride, is_single(arena, loop->upper) ? scale_only_last : scale_last);
    last = bound_add(arena, last, offset);
    scaled = node_loop(arena, value, first, last, loop->step * stride, info, body);
    return scaled && loop->comment ? node_with_comment(arena, scaled, loop->comment) : scaled;
}

const struct node *lower_scale(struct lowering *lowering, const struct node *tree)
{
    const struct node **child;

    if (tree->n_child == 0)
        return tree;
    child = ARENA_ARRAY(lowering->arena, tree->n_child, const struct node *);
    for (int k = 0; k < tree->n_child; k++) {
        child[k] = lower_scale(lowering, tree->child[k]);
        if (!child[k])
            return NULL;
    }
    if (tree->kind == NODE_LOOP && (tree->info->stride != 1 || tree->info->offset))
        return scale_loop(lowering, tree, child[0]);
    return node_with_children(lowering->arena, tree, child);
}
