/* What holds where a leaf runs besides its conditions: what is around it, and what both say of the dividends of
 * quotients. */
#include "lower/finished/shape_parts.h"

/* floor(E / d) >= R is E >= d * R, and floor(E / d) <= R is E <= d * R + d - 1; an equation is both. */
static void tell_dividend(struct arena *arena, const struct condition *condition, const struct affine_term *term,
                          condition_vec *implied)
{
    const struct affine one = {0, 1, term}, *last = affine_constant(arena, term->atom->divisor - 1), *rest;

    if (term->atom->kind != ATOM_FLOOR || (term->factor != 1 && term->factor != -1))
        return;
    rest = affine_scale(arena, affine_sub(arena, condition->affine, &one), -term->factor);
    rest = affine_combine(arena, term->atom->arg[0], 1, rest, -term->atom->divisor);
    if (rest && (condition->equal || term->factor == 1))
        shape_add_condition(arena, rest, false, implied);
    rest = rest ? affine_combine(arena, rest, -1, last, 1) : NULL;
    if (rest && (condition->equal || term->factor == -1))
        shape_add_condition(arena, rest, false, implied);
}

void shape_tell_dividends(struct arena *arena, const struct condition *condition, condition_vec *implied)
{
    for (int k = 0; condition->affine && k < condition->affine->n_term; k++)
        tell_dividend(arena, condition, &condition->affine->term[k], implied);
}

void shape_find_implied(struct shape *shape)
{
    int n;

    shape->implied = (condition_vec){0};
    for (const struct way *way = shape->around; way; way = way->outer)
        if (way->kind == WAY_LIMIT)
            shape_add_limit(shape->arena, way, &shape->implied);
    n = shape->implied.n;
    for (int k = 0; k < n; k++)
        shape_tell_dividends(shape->arena, &shape->implied.at[k], &shape->implied);
    for (int k = 0; k < shape->condition.n; k++)
        shape_tell_dividends(shape->arena, &shape->condition.at[k], &shape->implied);
}
