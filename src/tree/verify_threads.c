/* Threads of a block: which values they share, and who comes to which barrier; and what doacross loops are made of. */
#include "tree/verifier.h"

#include "program/program.h"
#include "tree/visit.h"

static void expect(struct verifier *verifier, bool holds, const char *violation)
{
    if (!holds)
        verifier_note(verifier, violation, NULL);
}

/* Has the variable different values in the threads of a block? */
static bool is_different(const struct var *var, const void *user)
{
    const struct verifier *verifier = user;

    return var->position != AXIS_NONE ? axis_is_thread(var->position) : verifier->differs[var->id];
}

bool verify_affine_differs(const struct verifier *verifier, const struct affine *affine)
{
    return affine_any_var(affine, is_different, verifier);
}

/* Data may be other ones in each thread, whatever they are. */
static bool expr_differs(const struct verifier *verifier, const struct tree_expr *expr)
{
    if (!expr)
        return false;
    if (expr->kind == TREE_LOAD || (expr->var && is_different(expr->var, verifier)) ||
        verify_affine_differs(verifier, expr->affine))
        return true;
    for (int k = 0; k < expr->n_arg; k++)
        if (expr_differs(verifier, expr->arg[k]))
            return true;
    return false;
}

static bool guards_differ(const struct verifier *verifier, const struct guard *guard, int n)
{
    for (int k = 0; k < n; k++)
        for (int c = 0; c < guard[k].n; c++)
            if (verify_affine_differs(verifier, guard[k].condition[c].affine))
                return true;
    return false;
}

/* May other threads of a block have another value of the variable that the node binds? */
static bool binds_different(const struct verifier *verifier, const struct node *node)
{
    return verify_affine_differs(verifier, node->lower) || verify_affine_differs(verifier, node->upper) ||
           (node->kind == NODE_TUPLE && node->axis != AXIS_NONE && node->step == 0 &&
            is_different(node->var, verifier)) ||
           (node->kind == NODE_LET && (node->declares != DECLARE_NOTHING || expr_differs(verifier, node->value)));
}

/* Do threads of a block come to different children of the node, or differently often? */
static bool divides_threads(const struct verifier *verifier, const struct node *node)
{
    switch (node->kind) {
    case NODE_IF:
        return guards_differ(verifier, node->alternative, node->n_alternative) || expr_differs(verifier, node->value);
    case NODE_SWITCH:
        return verify_affine_differs(verifier, node->lower);
    case NODE_LOOP:
        return binds_different(verifier, node);
    case NODE_TUPLE:
        return node->step != 0 && binds_different(verifier, node);
    default:
        return false;
    }
}

/* Its loops are a rectangle, and nothing is between them: OpenMP counts them together. */
static void verify_doacross(struct verifier *verifier, const struct node *node)
{
    const struct node *loop = node;

    for (int k = 1; k < node->threads->collapse; k++) {
        loop = loop->child[0];
        if (loop->kind != NODE_LOOP) {
            verifier_note(verifier, "something is between the loops of a doacross loop", NULL);
            return;
        }
        for (const struct node *outer = node; outer != loop; outer = outer->child[0])
            if (affine_uses(loop->lower, outer->var) || affine_uses(loop->upper, outer->var))
                verifier_note(verifier, "bounds another one of a doacross loop's", outer->var);
    }
}

void verify_threads(struct verifier *verifier, const struct node *node)
{
    bool differs;

    if (node->threads && node->threads->doacross && node->kind != NODE_REGION)
        verify_doacross(verifier, node);

    if (!verifier->kernel || !(verifier->facts & FACT_GRID))
        return;
    differs = binds_different(verifier, node);
    for (int k = 0; k < node->n_part; k++)
        verifier->differs[node->part[k].var->id] = differs;
    if (node->var && node->var->position == AXIS_NONE)
        verifier->differs[node->var->id] = differs;
    verifier->divided |= divides_threads(verifier, node);
}

void verify_barrier(struct verifier *verifier, const struct node *barrier)
{
    expect(verifier, verifier->kernel, "threads of a block wait outside of kernels");
    expect(verifier, barrier->waits || !barrier->lone || barrier->prior > 0, "a barrier waits for nothing");
    expect(verifier, barrier->waits || barrier->lone || barrier->prior == 0,
           "a barrier leaves copies for which it does not wait");
    if (!barrier->lone)
        expect(verifier, !verifier->divided, "not all threads of a block come to a barrier");
}

/* Does the node take positions on the axis apart? */
static bool is_digit_of(const struct node *node, enum axis axis)
{
    return node->kind == NODE_TUPLE && node->axis != AXIS_NONE && axis_whole(node->axis) == axis_whole(axis);
}

/* Is it made of the position on this axis? */
static bool has_position(const struct verifier *verifier, const struct affine *affine, enum axis axis)
{
    for (int k = 0; affine && k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        const struct var *var = atom->kind == ATOM_VAR ? atom->var : NULL;
        const struct node *binder = var && var->position == AXIS_NONE ? verifier->binder[var->id] : NULL;
        if (var && var->position != AXIS_NONE && axis_whole(var->position) == axis_whole(axis))
            return true;
        if (binder && (has_position(verifier, binder->lower, axis) || is_digit_of(binder, axis)))
            return true;
        for (int a = 0; a < atom->n_arg; a++)
            if (has_position(verifier, atom->arg[a], axis))
                return true;
    }
    return false;
}

/* A bound loop has its axis in the launch, and stands in it. From pass "grid" on it starts at the position. */
void verify_axis(struct verifier *verifier, const struct node *node)
{
    const struct node *kernel = verifier->kernel;

    if (node->axis == AXIS_NONE || !(verifier->facts & FACT_KERNELS))
        return;
    expect(verifier, kernel, "a loop is bound to positions outside of kernels");
    if (!kernel || !(verifier->facts & FACT_GRID))
        return;
    if (node->axis != AXIS_THREAD)
        expect(verifier, kernel->launch->extent[node->axis], "a loop is bound to what the launch does not have");
    if (node->kind == NODE_LOOP)
        expect(verifier, has_position(verifier, node->lower, node->axis), "a loop is bound to positions still");
}
