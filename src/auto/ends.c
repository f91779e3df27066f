#include "auto/ends.h"

static bool uses_loop(const struct expr *expr, int loop)
{
    bool uses = expr->kind == EXPR_LOOP && expr->loop == loop;

    for (int k = 0; !uses && k < expr->n_arg; k++)
        uses = uses_loop(expr->arg[k], loop);
    return uses;
}

/* Is there an element in expr that the loop chooses? */
static bool reads_by(const struct expr *expr, int loop)
{
    bool reads = expr->kind == EXPR_ACCESS && uses_loop(expr, loop);

    for (int k = 0; !reads && k < expr->n_arg; k++)
        reads = reads_by(expr->arg[k], loop);
    return reads;
}

static const struct expr *without_casts(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST)
        expr = expr->arg[0];
    return expr;
}

static bool reads(const struct expr *expr)
{
    bool does = expr->kind == EXPR_ACCESS;

    for (int k = 0; !does && k < expr->n_arg; k++)
        does = reads(expr->arg[k]);
    return does;
}

/* Is one side the loop, and does the other one read an element? */
static bool ends_loop(const struct expr *condition, int loop)
{
    const struct expr *a, *b;

    if (condition->kind != EXPR_BINARY)
        return false;
    if (condition->op == OP_LAND)
        return ends_loop(condition->arg[0], loop) || ends_loop(condition->arg[1], loop);
    if (condition->op < OP_LT || condition->op > OP_GE)
        return false;
    a = without_casts(condition->arg[0]);
    b = without_casts(condition->arg[1]);
    return (a->kind == EXPR_LOOP && a->loop == loop && reads(b)) ||
           (b->kind == EXPR_LOOP && b->loop == loop && reads(a));
}

/* Is it a loop inside of `loop`, and does `other` read an element that `loop` chooses? */
static bool is_end(const struct expr *side, const struct expr *other, int loop)
{
    side = without_casts(side);
    return side->kind == EXPR_LOOP && side->loop > loop && reads_by(other, loop);
}

static bool says_end(const struct expr *condition, int loop)
{
    if (condition->kind != EXPR_BINARY)
        return false;
    if (condition->op == OP_LAND)
        return says_end(condition->arg[0], loop) || says_end(condition->arg[1], loop);
    return condition->op >= OP_LT && condition->op <= OP_GE &&
           (is_end(condition->arg[0], condition->arg[1], loop) || is_end(condition->arg[1], condition->arg[0], loop));
}

bool says_ends(const struct statement *statement, int dim)
{
    return statement->guard && says_end(statement->guard, dim);
}

bool site_says_ends(const struct site *site, int loop)
{
    for (int s = 0; s < site->statement.n; s++)
        if (says_ends(site->statement.at[s], site->outer + loop))
            return true;
    return false;
}

bool site_has_ends(const struct site *site)
{
    for (int k = 0; k < site->n; k++)
        if (site_says_ends(site, k))
            return true;
    return false;
}

bool site_is_ended(const struct site *site, int loop)
{
    for (int s = 0; s < site->statement.n; s++)
        if (site->statement.at[s]->guard && ends_loop(site->statement.at[s]->guard, site->outer + loop))
            return true;
    return false;
}
