#include "lower/vector/weights.h"

#include <math.h>

static bool same_atom(const struct atom *a, const struct atom *b)
{
    bool same = a->kind == b->kind && a->var == b->var && a->n_arg == b->n_arg && a->divisor == b->divisor;

    for (int k = 0; same && k < a->n_arg; k++)
        same = affine_equal(a->arg[k], b->arg[k]);
    return same;
}

double affine_share(const struct affine *affine, const struct atom *atom)
{
    double factor = atom ? 0 : (double)affine->constant;

    for (int k = 0; k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        if (term->atom->kind == ATOM_FLOOR)
            factor += (double)term->factor * affine_share(term->atom->arg[0], atom) / (double)term->atom->divisor;
        else if (atom && same_atom(term->atom, atom))
            factor += (double)term->factor;
    }
    return factor;
}

bool weights_add(struct weights *weights, struct equation equation)
{
    int place = -1;

    for (int d = 0; d < WEIGHTS_MOST; d++)
        if (weights->has[d] && equation.coefficient[d] != 0) {
            const double factor = equation.coefficient[d];
            for (int k = 0; k <= WEIGHTS_MOST; k++)
                equation.coefficient[k] -= factor * weights->solved[d].coefficient[k];
        }
    for (int d = 0; d < WEIGHTS_MOST && place < 0; d++)
        if (fabs(equation.coefficient[d]) > 1e-9)
            place = d;
    if (place < 0)
        return fabs(equation.coefficient[WEIGHTS_MOST]) < 1e-9;
    const double factor = equation.coefficient[place];
    for (int k = 0; k <= WEIGHTS_MOST; k++)
        equation.coefficient[k] /= factor;
    weights->solved[place] = equation;
    weights->has[place] = true;
    for (int d = 0; d < WEIGHTS_MOST; d++)
        if (d != place && weights->has[d] && weights->solved[d].coefficient[place] != 0) {
            const double left = weights->solved[d].coefficient[place];
            for (int k = 0; k <= WEIGHTS_MOST; k++)
                weights->solved[d].coefficient[k] -= left * equation.coefficient[k];
        }
    return true;
}
