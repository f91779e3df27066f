#include "lower/loops/hulls.h"

#include "poly/coalesce.h"
#include "poly/number.h"
#include "tree/visit.h"

#include <isl/constraint.h>
#include <isl/space.h>
#include <isl/val.h>

/* of a leaf, with quotients */
enum { MOST_PIECES = 8 };

bool hulls_may_help(const struct order *order)
{
    if (order->kind == ORDER_LEAF)
        return isl_set_n_basic_set(order->domain) > 1;
    for (int k = 0; k < order->n_child; k++)
        if (hulls_may_help(order->child[k]))
            return true;
    return false;
}

static isl_stat count_with_quotients(__isl_take isl_basic_set *piece, void *user)
{
    int *n = user;

    *n += isl_basic_set_dim(piece, isl_dim_div) > 0;
    isl_basic_set_free(piece);
    return isl_stat_ok;
}

bool hulls_must_help(const struct order *order)
{
    int n = 0;

    if (order->kind == ORDER_LEAF)
        return isl_set_foreach_basic_set(order->domain, count_with_quotients, &n) == isl_stat_ok && n > MOST_PIECES;
    for (int k = 0; k < order->n_child; k++)
        if (hulls_must_help(order->child[k]))
            return true;
    return false;
}

/* Pieces without quotients around those of set, all within closed, or closed itself where they are many. */
static __isl_give isl_set *without_quotients(__isl_take isl_set *set, __isl_take isl_set *closed)
{
    isl_set *pieces = isl_set_intersect(isl_set_remove_divs(set), isl_set_copy(closed));

    pieces = poly_set_coalesce(pieces);
    if (isl_set_n_basic_set(pieces) > MOST_PIECES) {
        isl_set_free(pieces);
        return closed;
    }
    isl_set_free(closed);
    return pieces;
}

/* What all pieces are within is open where their bounds are of other dimensions, and a box is far more than they are:
 *
 *     { S[i,j] : 0 <= i <= N and (j = i or j = N - i) }  is in  { S[i,j] : 0 <= i <= N }
 */
static __isl_give isl_set *hull_of(const struct order *leaf)
{
    isl_set *hull = isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(leaf->domain)));
    isl_set *closed = isl_set_from_basic_set(isl_set_bounded_simple_hull(isl_set_copy(leaf->domain)));

    if (isl_set_is_equal(hull, closed) == isl_bool_false) {
        isl_set_free(hull);
        return without_quotients(isl_set_copy(leaf->domain), closed);
    }
    isl_set_free(closed);
    return hull;
}

/* The hulls of all leaves of the leaf's statement but itself, and set. */
static __isl_give isl_set *other_hulls(const struct order *order, const struct order *leaf, __isl_take isl_set *set)
{
    if (order->kind == ORDER_LEAF && order != leaf && order->statement == leaf->statement)
        set = isl_set_union(set, hull_of(order));
    for (int k = 0; k < order->n_child; k++)
        set = other_hulls(order->child[k], leaf, set);
    return set;
}

static const struct order *over_hull(struct lowering *lowering, const struct order *all, const struct order *leaf)
{
    isl_set *others = other_hulls(all, leaf, isl_set_empty(isl_set_get_space(leaf->domain)));
    isl_set *hull = hull_of(leaf);
    const bool apart = isl_set_is_disjoint(hull, others) == isl_bool_true;

    isl_set_free(others);
    if (apart)
        return order_leaf(lowering->arena, leaf->statement, hull);
    isl_set_free(hull);
    return leaf;
}

static isl_stat take_value(__isl_take isl_set *set, __isl_take isl_aff *value, void *user)
{
    isl_aff **only = user;

    isl_set_free(set);
    *only = value;
    return isl_stat_ok;
}

/* A time that is one function is this function everywhere. */
static isl_stat add_everywhere(__isl_take isl_pw_aff *time, void *user)
{
    isl_union_pw_aff **all = user;
    isl_aff *value = NULL;

    if (isl_pw_aff_n_piece(time) == 1) {
        isl_pw_aff_foreach_piece(time, take_value, &value);
        isl_pw_aff_free(time);
        time = isl_pw_aff_from_aff(value);
    }
    *all = isl_union_pw_aff_add_pw_aff(*all, time);
    return *all ? isl_stat_ok : isl_stat_error;
}

static const struct order *everywhere(struct lowering *lowering, const struct order *loop)
{
    isl_union_pw_aff *time = isl_union_pw_aff_empty(isl_union_pw_aff_get_space(loop->time));

    if (isl_union_pw_aff_foreach_pw_aff(loop->time, add_everywhere, &time) < 0)
        time = isl_union_pw_aff_free(time);
    return order_loop(lowering->arena, loop->info, time, loop->child[0]);
}

/* The part order of all. */
static const struct order *with_hulls(struct lowering *lowering, const struct order *all, const struct order *order)
{
    const struct order **child;

    if (order->kind == ORDER_LEAF)
        return isl_set_n_basic_set(order->domain) > 1 ? over_hull(lowering, all, order) : order;
    child = ARENA_ARRAY(lowering->arena, order->n_child, const struct order *);
    for (int k = 0; k < order->n_child; k++)
        child[k] = with_hulls(lowering, all, order->child[k]);
    order = order_with_children(lowering->arena, order, child);
    return order->kind == ORDER_LOOP ? everywhere(lowering, order) : order;
}

const struct order *hulls_order(struct lowering *lowering, const struct order *order)
{
    return with_hulls(lowering, order, order);
}

/* The instances of statement below order, and set. */
static __isl_give isl_set *instances(const struct order *order, const struct statement *statement,
                                     __isl_take isl_set *set)
{
    if (order->kind == ORDER_LEAF && order->statement == statement)
        set = isl_set_union(set, isl_set_copy(order->domain));
    for (int k = 0; k < order->n_child; k++)
        set = instances(order->child[k], statement, set);
    return set;
}

/* What becomes of a statement's leaves. */
struct wanted {
    struct lowering *lowering;
    isl_set *condition;        /* { S[x] : .. }; NULL: none */
    const struct node *leaf;   /* the one at work */
    VEC(struct guard) guard;   /* its alternatives */
    VEC(struct condition) row; /* of the piece at work */
    bool failed;
};

static const struct affine *param_named(struct lowering *lowering, const char *name)
{
    for (int k = 0; k < lowering->program->n_param; k++)
        if (strcmp(lowering->program->param[k].name, name) == 0)
            return affine_var(lowering->arena, lowering->param_var[k]);
    return NULL;
}

static const struct affine *affine_of(const struct wanted *wanted, __isl_take isl_aff *aff);

/* a + the value of dimension k of the kind times its coefficient in aff, whose denominator is d. */
static const struct affine *add_dim(const struct wanted *wanted, const struct affine *a, __isl_keep isl_aff *aff,
                                    enum isl_dim_type kind, int k)
{
    struct arena *arena = wanted->lowering->arena;
    isl_val *value = isl_aff_get_coefficient_val(aff, kind, k);
    const struct affine *dim = NULL;
    int64_t factor;

    value = isl_val_mul(value, isl_aff_get_denominator_val(aff));
    if (!poly_number(value, &factor))
        return NULL;
    if (factor == 0)
        return a;
    if (kind == isl_dim_param)
        dim = param_named(wanted->lowering, isl_aff_get_dim_name(aff, isl_dim_param, (unsigned)k));
    else if (kind == isl_dim_in)
        dim = wanted->leaf->argument[k];
    else
        dim = affine_of(wanted, isl_aff_get_div(aff, k));
    return affine_combine(arena, a, 1, dim, factor);
}

/* floor(aff), or aff itself where it has no denominator. */
static const struct affine *affine_of(const struct wanted *wanted, __isl_take isl_aff *aff)
{
    static const enum isl_dim_type kind[] = {isl_dim_param, isl_dim_in, isl_dim_div};
    struct arena *arena = wanted->lowering->arena;
    isl_val *constant = isl_val_mul(isl_aff_get_constant_val(aff), isl_aff_get_denominator_val(aff));
    int64_t number, divisor;
    const bool fits =
        poly_number(constant, &number) && poly_number(isl_aff_get_denominator_val(aff), &divisor) && divisor > 0;
    const struct affine *a = fits ? affine_constant(arena, number) : NULL;

    for (size_t t = 0; t < sizeof(kind) / sizeof(kind[0]); t++)
        for (int k = 0; a && k < isl_aff_dim(aff, kind[t]); k++)
            a = add_dim(wanted, a, aff, kind[t], k);
    isl_aff_free(aff);
    return a && divisor > 1 ? affine_floor(arena, a, divisor) : a;
}

static isl_stat add_row(__isl_take isl_constraint *constraint, void *user)
{
    struct wanted *wanted = user;
    const bool equal = isl_constraint_is_equality(constraint) == isl_bool_true;
    const struct affine *a = affine_of(wanted, isl_constraint_get_aff(constraint));

    isl_constraint_free(constraint);
    wanted->failed = wanted->failed || !a;
    VEC_PUSH(wanted->lowering->arena, &wanted->row, ((struct condition){a, equal}));
    return isl_stat_ok;
}

static isl_stat add_piece(__isl_take isl_basic_set *piece, void *user)
{
    struct wanted *wanted = user;
    struct arena *arena = wanted->lowering->arena;
    struct condition *condition;

    wanted->row.n = 0;
    if (isl_basic_set_foreach_constraint(piece, add_row, wanted) < 0)
        wanted->failed = true;
    isl_basic_set_free(piece);
    condition = ARENA_ARRAY(arena, wanted->row.n + 1, struct condition);
    for (int k = 0; k < wanted->row.n; k++)
        condition[k] = wanted->row.at[k];
    VEC_PUSH(arena, &wanted->guard, ((struct guard){condition, wanted->row.n}));
    return isl_stat_ok;
}

/* A leaf's node keeps its alternatives: the next leaf of the statement gets a list of its own. */
static const struct node *guarded_leaf(const struct wanted *statement, const struct node *leaf)
{
    struct wanted wanted = {.lowering = statement->lowering, .condition = statement->condition, .leaf = leaf};

    if (isl_set_foreach_basic_set(wanted.condition, add_piece, &wanted) < 0 || wanted.failed)
        return NULL;
    return node_if(wanted.lowering->arena, wanted.guard.at, wanted.guard.n, leaf);
}

static const struct node *guarded(const struct wanted *list, const struct node *node)
{
    struct arena *arena;
    const struct node **child;

    if (node->kind == NODE_STATEMENT) {
        const struct wanted *wanted = &list[node->statement->index];
        return wanted->condition ? guarded_leaf(wanted, node) : node;
    }
    arena = list->lowering->arena;
    child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = guarded(list, node->child[k]);
        if (!child[k])
            return NULL;
    }
    return node_with_children(arena, node, child);
}

/* { S[x] : .. }: of what the hulls run this is an instance; NULL: all is. */
static __isl_give isl_set *condition_of(const struct order *order, const struct order *hulls,
                                        const struct statement *statement)
{
    isl_set *empty = isl_set_empty(isl_set_get_space(statement->domain));
    isl_set *own = instances(order, statement, isl_set_copy(empty));
    isl_set *all = instances(hulls, statement, empty);

    if (isl_set_is_subset(all, own) == isl_bool_true) {
        isl_set_free(own);
        isl_set_free(all);
        return NULL;
    }
    return isl_set_compute_divs(isl_set_gist(own, all));
}

const struct node *hulls_conditions(struct lowering *lowering, const struct order *order, const struct order *hulls,
                                    const struct node *tree)
{
    const struct program *program = lowering->program;
    struct wanted *list = ARENA_ARRAY(lowering->arena, program->n_statement + 1, struct wanted);
    const struct node *result;

    for (int k = 0; k < program->n_statement; k++) {
        list[k].lowering = lowering;
        list[k].condition = condition_of(order, hulls, program->statement[k]);
    }
    list->lowering = lowering;
    result = tree ? guarded(list, tree) : NULL;
    for (int k = 0; k < program->n_statement; k++)
        isl_set_free(list[k].condition);
    return result;
}
