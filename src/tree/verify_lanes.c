/* Which lanes are active: what has no mask is proved to have an iteration in each lane.
 *
 * An assignment without a mask stores all lanes; the instances that it tells, one for each lane, are the proof's
 * (lower/finished/finished.h): a lane without an instance is one too many. A variable that a statement assigns tells
 * its instances as well. A name for what is loaded in lanes tells none. It is loaded whole where an assignment without
 * a mask uses it, by other names as well:
 *
 *     const __m256 x_v = loadu(&x[i]);
 *     maskstore(&y[i], mask, x_v);            no: who says that x has so many elements?
 *
 *     const __m256 x_v = maskload(&x[i], mask);
 *     storeu(&y[i], x_v);                     no: what lanes beyond the mask have is stored
 */
#include "tree/verifier.h"

#include "program/program.h"
#include "tree/visit.h"

/* Which lanes of the vector are active. */
static enum lanes_active lanes_of(const struct node *node)
{
    if (!node->vector)
        return LANES_ALL;
    if (node->vector->count)
        return LANES_BELOW_COUNT;
    return node->vector->active || node->vector->mask || node->guard_value ? LANES_BY_DATA : LANES_ALL;
}

static bool is_memory(const struct element *element)
{
    return element->array && element->lane_step != 0 && !element->array->in_registers && !element->array->fragment;
}

static void note_load(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_LOAD && is_memory(&expr->element);
}

/* Does the name stand for what is loaded in lanes? */
static bool loads_lanes(const struct node *let)
{
    bool found = false;

    if (let->vector)
        tree_expr_for_each(let->value, note_load, &found);
    return found;
}

/* That of which lanes are used. */
static void note_lanes(struct verifier *verifier, const struct var *var, enum lanes_active lanes)
{
    enum lanes_active *used = &verifier->lanes[var->id];

    *used = lanes > *used ? lanes : *used;
}

void verify_lanes_use(struct verifier *verifier, const struct var *var)
{
    if (verifier->at->kind == NODE_ASSIGN)
        note_lanes(verifier, var, lanes_of(verifier->at));
}

void verify_lanes(struct verifier *verifier, const struct node *node)
{
    if (node->kind == NODE_LET)
        verifier->lanes[node->var->id] = LANES_NONE;
    if (node->kind == NODE_ASSIGN && lanes_of(node) == LANES_ALL && node->vector && !node->vector->sum &&
        is_memory(&node->target) && !node->argument && !node->untold)
        verifier_note(verifier, "a vector without a mask tells no instances of its lanes", NULL);
}

struct used {
    struct verifier *verifier;
    enum lanes_active lanes;
};

/* What the value of a name uses is used as the name is. */
static void note_used(const struct tree_expr *expr, void *user)
{
    const struct used *used = user;

    if (expr->kind == TREE_NAMED || expr->kind == TREE_TOTAL)
        note_lanes(used->verifier, expr->var, expr->kind == TREE_TOTAL ? LANES_ALL : used->lanes);
}

void verify_lanes_leave(struct verifier *verifier, const struct node *let)
{
    struct used used = {verifier, verifier->lanes[let->var->id]};

    if (let->argument && lanes_of(let) > used.lanes)
        used.lanes = lanes_of(let);
    tree_expr_for_each(let->value, note_used, &used);
    if (!loads_lanes(let))
        return;
    if (used.lanes > lanes_of(let))
        verifier_note(verifier, "is loaded in fewer lanes than are used", let->var);
    if (used.lanes <= LANES_BELOW_COUNT && lanes_of(let) > LANES_BELOW_COUNT)
        verifier_note(verifier, "is loaded in lanes that no iteration has", let->var);
}
