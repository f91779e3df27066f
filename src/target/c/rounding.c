/* Products that gcc 12 would fuse with a sum though contraction is off. Where differences and sums of products lie side
 * by side in memory, or in the sums of a loop, as in a product of complex numbers,
 *
 *     y[2 * i]     = x[2 * i] * w[2 * i]     - x[2 * i + 1] * w[2 * i + 1];
 *     y[2 * i + 1] = x[2 * i] * w[2 * i + 1] + x[2 * i + 1] * w[2 * i];
 *
 * its vectors of them (SLP) are `vfmaddsub`, which do not round the first product (doc/COMPILERS.md, "fused sums and
 * differences"). It takes a product that the difference starts with, so that one is `rounded`; so are the first
 * products of sums there, that the statements stay alike and become vectors, only not fused ones.
 */
#include "target/c/file.h"

#include "program/permit.h"
#include "tree/visit.h"

/* gcc unrolls loops of so many iterations and makes vectors of what is around them. */
enum { UNROLLED_MAX = 16 };

/* A difference that starts with what may be a product, or a sum of a product: in a statement of a region, the body of
 * an innermost loop that is not unrolled. */
struct rounding_site {
    const struct node *region, *statement;
    const struct tree_expr *value; /* the product, a value that is loaded or named, or NULL: the target's old one */
    enum type type;
    bool difference;
    bool chooses; /* the statement has choices, of which unrolled iterations may be different ones */
};

struct rounding {
    struct emitter *emitter;
    const struct node *region, *statement;
    bool chooses;
    VEC(struct rounding_site) site;
    VEC(struct rounding_site) product; /* statements that assign one */
};

static bool is_product(const struct tree_expr *expr)
{
    return expr->kind == TREE_BINARY && expr->op == OP_MUL && type_is_float(expr->type);
}

static bool is_known(const struct tree_expr *expr)
{
    return expr->kind == TREE_NAMED || (expr->kind == TREE_LOAD && expr->element.array->role != ROLE_IN);
}

/* Is `a + expr` the same as a difference? */
static bool is_negative(const struct tree_expr *expr)
{
    if (expr->kind == TREE_REAL)
        return expr->spelling[0] == '-';
    return (expr->kind == TREE_UNARY && expr->op == OP_NEG) ||
           (is_product(expr) && (is_negative(expr->arg[0]) || is_negative(expr->arg[1])));
}

static void add_site(struct rounding *rounding, const struct tree_expr *value, enum type type, bool difference)
{
    if (!value || is_product(value) || (difference && is_known(value)))
        VEC_PUSH(rounding->emitter->arena, &rounding->site,
                 ((struct rounding_site){rounding->region, rounding->statement, value, type, difference,
                                         rounding->chooses}));
}

static void find_sites(const struct tree_expr *expr, void *user)
{
    struct rounding *rounding = user;

    if (expr->kind != TREE_BINARY || !type_is_float(expr->type) || expr->permit & PERMIT_CONTRACT)
        return;
    if (expr->op == OP_SUB) {
        add_site(rounding, expr->arg[0], expr->type, true);
        if (is_negative(expr->arg[1]))
            add_site(rounding, expr->arg[0], expr->type, false);
    } else if (expr->op == OP_ADD) {
        const int first = is_product(expr->arg[0]) ? 0 : 1;
        add_site(rounding, expr->arg[first], expr->type, false);
        for (int k = 0; k < 2; k++)
            if (is_negative(expr->arg[1 - k]))
                add_site(rounding, expr->arg[k], expr->type, true);
    }
}

static void find_choice(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_SELECT;
}

/* An update is a sum, or a difference that starts with the old value. */
static void find_update(struct rounding *rounding, const struct node *assign)
{
    const enum type type = assign->target.array->type;

    if (!type_is_float(type) || (assign->op != OP_ADD && assign->op != OP_SUB) ||
        statement_permit(rounding->emitter->program, assign->statement) & PERMIT_CONTRACT)
        return;
    if ((assign->op == OP_SUB) != is_negative(assign->value))
        add_site(rounding, NULL, type, true);
    else if (is_product(assign->value))
        add_site(rounding, assign->value, type, false);
}

static void find_in_statement(struct rounding *rounding, const struct node *node)
{
    rounding->statement = node;
    rounding->chooses = false;
    tree_expr_for_each(node->value, find_choice, &rounding->chooses);
    tree_expr_for_each(node->value, find_sites, rounding);
    tree_expr_for_each(node->guard_value, find_sites, rounding);
    if (node->kind == NODE_ASSIGN)
        find_update(rounding, node);
    if (node->value && (node->op == OP_MUL || (node->op == OP_NONE && is_product(node->value))))
        VEC_PUSH(rounding->emitter->arena, &rounding->product,
                 ((struct rounding_site){rounding->region, node, node->value, node->value->type, false, false}));
}

static bool is_unrolled(struct arena *arena, const struct node *loop)
{
    const struct affine *length = affine_sub(arena, loop->upper, loop->lower);
    int64_t last;

    return length && affine_is_constant(length, &last) && last / loop->step < UNROLLED_MAX;
}

static void walk(struct rounding *rounding, const struct node *node)
{
    const struct node *region = rounding->region;

    if (node->kind == NODE_TUPLE || (node->kind == NODE_LOOP && !is_unrolled(rounding->emitter->arena, node)))
        rounding->region = node;
    if ((node->kind == NODE_ASSIGN || node->kind == NODE_LET || node->kind == NODE_IF) && !node->vector)
        find_in_statement(rounding, node);
    for (int k = 0; k < node->n_child; k++)
        walk(rounding, node->child[k]);
    rounding->region = region;
}

/* A value that other statements use? */
static bool is_between(const struct node *statement)
{
    return statement->kind != NODE_ASSIGN || statement->target.array->role == ROLE_TEMP ||
           statement->target.array->n_dim == 0;
}

/* May the statements be lanes of one vector: of neighbours in memory, sums of a loop, or what is computed for these? */
static bool may_be_lanes(const struct node *a, const struct node *b)
{
    if (is_between(a) && is_between(b))
        return true;
    return a->kind == NODE_ASSIGN && b->kind == NODE_ASSIGN &&
           (a->target.array == b->target.array || (a->op != OP_NONE && b->op != OP_NONE));
}

/* Is there, for a difference, a sum that may lie beside it, or the other way round? */
static bool has_partner(const struct rounding *rounding, const struct rounding_site *site)
{
    for (int k = 0; k < rounding->site.n; k++) {
        const struct rounding_site *other = &rounding->site.at[k];
        if (other->difference != site->difference && other->type == site->type && other->region == site->region &&
            (other->statement == site->statement ? site->chooses : may_be_lanes(other->statement, site->statement)))
            return true;
    }
    return false;
}

/* Does the statement assign the value? */
static bool assigns(const struct node *statement, const struct rounding_site *site)
{
    if (site->value && site->value->kind == TREE_NAMED)
        return statement->kind == NODE_LET && statement->var == site->value->var;
    return statement->kind == NODE_ASSIGN &&
           statement->target.array == (site->value ? site->value->element.array : site->statement->target.array);
}

static void round_site(struct rounding *rounding, const struct rounding_site *site)
{
    struct emitter *emitter = rounding->emitter;

    if (site->value && is_product(site->value)) {
        VEC_PUSH(emitter->arena, &emitter->rounded, site->value);
        return;
    }
    for (int k = 0; k < rounding->product.n; k++) {
        const struct node *statement = rounding->product.at[k].statement;
        if (rounding->product.at[k].region != site->region || !assigns(statement, site))
            continue;
        if (statement->op == OP_MUL)
            VEC_PUSH(emitter->arena, &emitter->rounded_updates, statement);
        else
            VEC_PUSH(emitter->arena, &emitter->rounded, statement->value);
    }
}

void c_note_rounded(struct c_file *file)
{
    struct rounding rounding = {.emitter = &file->emitter};

    walk(&rounding, file->unit->tree);
    for (int k = 0; k < rounding.site.n; k++)
        if (has_partner(&rounding, &rounding.site.at[k]))
            round_site(&rounding, &rounding.site.at[k]);
}
