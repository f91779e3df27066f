/* The tails that were asked for are the tails that came out. */
#include "lower/facts/bound.h"
#include "lower/lower.h"

/* Is inner, whose shape should be that of a full tile, still bounded by where the tile is? */
static bool is_ragged(struct lowering *lowering, const struct node *loop, const struct affine *bound)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(lowering->arena, bound, &arg, &kind);

    for (int k = 0; n > 1 && k < n; k++)
        if (affine_uses(arg[k], loop->var))
            return true;
    return false;
}

/* The first inner part of loop whose end or start varies from tile to tile, or NULL. */
static const struct node *ragged_part(struct lowering *lowering, const struct node *loop, const struct node *node)
{
    const struct node *found = NULL;

    if (node->kind == NODE_LOOP && node->info && node->info->outer == loop->info->id &&
        (is_ragged(lowering, loop, node->lower) || is_ragged(lowering, loop, node->upper)))
        return node;
    for (int k = 0; k < node->n_child && !found; k++)
        found = ragged_part(lowering, loop, node->child[k]);
    return found;
}

bool lower_is_guarded(const struct lowering *lowering, const struct loop_info *info)
{
    bool guarded = info->tail == TAIL_GUARD;

    for (int k = 0; k < lowering->guarded.n && !guarded; k++)
        guarded = lowering->guarded.at[k] == info->id;
    return guarded;
}

bool lower_guard_ragged(struct lowering *lowering, const struct node *node)
{
    const struct loop_info *info = node->kind == NODE_LOOP ? node->info : NULL;
    bool found =
        info && info->or_guard && !lower_is_guarded(lowering, info) && ragged_part(lowering, node, node->child[0]);

    if (found)
        VEC_PUSH(lowering->arena, &lowering->guarded, info->id);
    for (int k = 0; k < node->n_child && !found; k++)
        found = lower_guard_ragged(lowering, node->child[k]);
    return found;
}

static bool refuse_ragged(struct lowering *lowering, const struct node *loop, const struct node *part)
{
    const struct loop_info *info = loop->info;
    const struct place place = info->step ? info->step->place : lowering->program->name_place;
    struct diag *diag = diag_error(lowering->diags, "tail", place,
                                   "the rest of loop `%s` cannot be peeled: where its tiles are full depends on a loop "
                                   "between `%s` and `%s`",
                                   info->name, info->name, part->info->name);

    diag_hint(lowering->diags, diag, "the tails `auto` and `guard` keep one copy");
    lowering->refused = true;
    return false;
}

static bool check(struct lowering *lowering, const struct node *node)
{
    const struct node *part;

    if (node->kind == NODE_LOOP && node->info && node->info->tail == TAIL_PEEL &&
        !lower_is_guarded(lowering, node->info)) {
        part = ragged_part(lowering, node, node->child[0]);
        if (part)
            return refuse_ragged(lowering, node, part);
    }
    for (int k = 0; k < node->n_child; k++)
        if (!check(lowering, node->child[k]))
            return false;
    return true;
}

const struct node *lower_check_tails(struct lowering *lowering, const struct node *tree)
{
    return check(lowering, tree) ? tree : NULL;
}
