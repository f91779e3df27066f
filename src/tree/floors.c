/* Which divisions an affine expression has. */
#include "tree/affine.h"

/* Is there a variable that is no parameter? */
static bool moves(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        if (atom->kind == ATOM_VAR && atom->var->kind != VAR_PARAM)
            return true;
        for (int arg = 0; arg < atom->n_arg; arg++)
            if (moves(atom->arg[arg]))
                return true;
    }
    return false;
}

static bool has_floor(const struct affine *a, bool moving)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        if (atom->kind == ATOM_FLOOR && (!moving || moves(atom->arg[0])))
            return true;
        for (int arg = 0; arg < atom->n_arg; arg++)
            if (has_floor(atom->arg[arg], moving))
                return true;
    }
    return false;
}

bool affine_has_floor(const struct affine *a)
{
    return has_floor(a, false);
}

bool affine_has_moving_floor(const struct affine *a)
{
    return has_floor(a, true);
}
