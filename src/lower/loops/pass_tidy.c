/* Pass "tidy": divisions as isl leaves them in shorter form, (20*p + q)/32 for p - (12*p - q + 31)/32. */
#include "lower/lower.h"

#include "tree/visit.h"

static const struct affine *tidy(struct arena *arena, const struct affine *a, void *user)
{
    (void)user;
    return affine_tidy(arena, a);
}

const struct node *lower_tidy(struct lowering *lowering, const struct node *tree)
{
    return node_map(lowering->arena, tree, tidy, NULL);
}
