#include "lower/device/differing.h"

#include "lower/device/positions.h"

void differing_add(struct differing *differing, const struct var *var, enum axis axis, const struct affine *first,
                   int64_t step)
{
    const struct along_x_var along_x = {var, axis == AXIS_THREAD_X ? step : 0, axis == AXIS_THREAD_X ? first : NULL};

    VEC_PUSH(differing->arena, &differing->all, var);
    if (axis_bits(axis) & 1u << AXIS_THREAD_X)
        VEC_PUSH(differing->arena, &differing->along_x, along_x);
}

bool differing_uses(const struct differing *differing, const struct affine *affine)
{
    for (int k = 0; k < differing->all.n; k++)
        if (affine_uses(affine, differing->all.at[k]))
            return true;
    return false;
}

bool differing_guards(const struct differing *differing, const struct guard *alternative, int n)
{
    for (int k = 0; k < n; k++)
        for (int c = 0; c < alternative[k].n; c++)
            if (differing_uses(differing, alternative[k].condition[c].affine))
                return true;
    return false;
}

bool differs_along_x(const along_x_vars *along_x, const struct affine *affine)
{
    for (int k = 0; k < along_x->n; k++)
        if (affine_uses(affine, along_x->at[k].var))
            return true;
    return false;
}

/* Is the variable in a quotient of affine, or in another atom than itself? */
static bool is_within(const struct affine *affine, const struct var *var)
{
    for (int k = 0; k < affine->n_term; k++) {
        const struct affine term = {.n_term = 1, .term = &affine->term[k]};
        if (affine->term[k].atom->kind != ATOM_VAR && affine_uses(&term, var))
            return true;
    }
    return false;
}

int64_t step_along_x(const along_x_vars *along_x, const struct affine *affine)
{
    int64_t step = 0;

    for (int k = 0; k < along_x->n; k++) {
        const struct along_x_var *var = &along_x->at[k];
        const int64_t factor = affine_factor(affine, var->var);
        if (!affine_uses(affine, var->var))
            continue;
        if (factor == 0 || var->step == 0 || step != 0 || is_within(affine, var->var))
            return 0;
        step = factor * var->step;
    }
    return step;
}
