/* Pass "tuple": a collapsed loop whose inner extents are not constants. The order and the passes before this one
 * have its loops inside each other; here they become one,
 *     for (int64_t ij = 0; ij < M * N; ij++) {
 *         const int64_t i = ij / N, j = ij % N;
 * over the rectangle around all of them, with a condition for what a triangle does not have.
 * Those on an axis of the launch stay loops, over digits of the positions there.
 */
#include "lower/bound.h"
#include "lower/facts.h"

#include "tree/visit.h"

enum sign { RISES = 1, FALLS = 2 }; /* both: neither */

/* How a moves with var: a set of signs, 0 when it does not. */
static int moves_with(const struct affine *a, const struct var *var)
{
    int signs = 0;

    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        int own = atom->kind == ATOM_VAR && atom->var == var ? RISES : 0;
        for (int i = 0; i < atom->n_arg; i++)
            own |= moves_with(atom->arg[i], var);
        if (a->term[k].factor < 0 && (own == RISES || own == FALLS))
            own = own == RISES ? FALLS : RISES;
        signs |= own;
    }
    return signs;
}

/* The least (or greatest) a over all iterations of outer; NULL when it moves both ways. */
static const struct affine *hull(struct arena *arena, const struct affine *a, const struct node *outer, bool least)
{
    const int signs = moves_with(a, outer->var);

    if (signs == 0)
        return a;
    if (signs == (RISES | FALLS))
        return NULL;
    return affine_substitute(arena, a, outer->var, least == (signs == RISES) ? outer->lower : outer->upper);
}

/* A tuple under construction: its loops from the outside in, with bounds free of each other's variables. */
struct tuple {
    struct lowering *lowering;
    const struct node **loop;
    const struct affine **lower, **upper;
    int n;
    VEC(struct condition) tested; /* what the rectangle has too much of */
};

/* The least (or greatest) a over all iterations of the tuple's loops so far; NULL when it moves both ways. */
static const struct affine *hull_of_all(const struct tuple *tuple, const struct affine *a, bool least)
{
    for (int k = tuple->n - 1; k >= 0 && a; k--)
        a = hull(tuple->lowering->arena, a, tuple->loop[k], least);
    return a;
}

static void test(struct tuple *tuple, const struct affine *bound, const struct affine *var, bool least)
{
    struct arena *arena = tuple->lowering->arena;
    const struct affine *hull = hull_of_all(tuple, bound, least);
    struct condition condition = {least ? affine_sub(arena, var, bound) : affine_sub(arena, bound, var), false};

    if (!hull || !affine_equal(hull, bound))
        VEC_PUSH(arena, &tuple->tested, condition);
}

/* What the rectangle has outside of a loop's bound, of a maximum's or minimum's arguments, becomes conditions. */
static void test_bound(struct tuple *tuple, const struct affine *bound, const struct affine *var, bool least)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(tuple->lowering->arena, bound, &arg, &kind);

    if (kind != (least ? ATOM_MAX : ATOM_MIN))
        test(tuple, bound, var, least);
    else
        for (int k = 0; k < n; k++)
            test(tuple, arg[k], var, least);
}

/* Adds loop, whose bounds may use the variables of the loops around it in the tuple. */
static bool add_loop(struct tuple *tuple, const struct node *loop)
{
    const struct affine *var = affine_var(tuple->lowering->arena, loop->var);
    const struct affine *lower = hull_of_all(tuple, loop->lower, true);
    const struct affine *upper = hull_of_all(tuple, loop->upper, false);

    if (!lower || !upper || loop->step != 1)
        return false;
    test_bound(tuple, loop->lower, var, true);
    test_bound(tuple, loop->upper, var, false);
    tuple->lower[tuple->n] = lower;
    tuple->upper[tuple->n] = upper;
    tuple->loop[tuple->n++] = loop;
    return true;
}

/* upper - lower + 1, never negative. */
static const struct affine *extent(const struct facts *facts, const struct tuple *tuple, int k)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *both[2] = {affine_constant(arena, 0), NULL};

    both[1] = bound_add(arena, tuple->upper[k],
                        affine_add_constant(arena, affine_scale(arena, tuple->lower[k], -1), 1));
    if (!both[1] || facts_imply(facts, both[1]))
        return both[1];
    return affine_extreme(arena, ATOM_MAX, both, 2);
}

static const struct var *named(struct lowering *lowering, const char *name, enum var_kind kind)
{
    return lower_new_var(lowering, kind, name);
}

static const struct node *build(const struct facts *facts, struct tuple *tuple)
{
    struct lowering *lowering = facts->lowering;
    struct arena *arena = lowering->arena;
    struct node *node = ARENA_NEW(arena, struct node);
    struct part *part = ARENA_ARRAY(arena, tuple->n, struct part);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    const struct loop_info *head = tuple->loop[0]->info;
    struct guard *guard = ARENA_NEW(arena, struct guard);

    *guard = (struct guard){tuple->tested.at, tuple->tested.n};
    child[0] = tuple->loop[tuple->n - 1]->child[0];
    if (tuple->tested.n > 0)
        child[0] = node_if(arena, guard, 1, child[0]);
    for (int k = 0; k < tuple->n; k++) {
        const struct node *loop = tuple->loop[k];
        part[k].var = named(lowering, k == 0 ? head->part->name : loop->var->name, VAR_VALUE);
        part[k].first = tuple->lower[k];
        part[k].extent = extent(facts, tuple, k);
        child[0] = child[0] ? node_substitute(arena, child[0], loop->var, affine_var(arena, part[k].var)) : NULL;
    }
    *node = (struct node){.kind = NODE_TUPLE,
                          .comment = tuple->loop[0]->comment,
                          .child = child,
                          .n_child = 1,
                          .info = head,
                          .threads = tuple->loop[0]->threads,
                          .part = part,
                          .n_part = tuple->n};
    node->var = named(lowering, tuple->loop[0]->var->name, VAR_LOOP);
    return child[0] ? node : NULL;
}

/* The tuple that starts at loop, or loop itself when its loops are not directly inside each other any more. */
static const struct node *collapse(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const int n = loop->info->tuple;
    struct tuple tuple = {.lowering = facts->lowering,
                          .loop = ARENA_ARRAY(arena, n, const struct node *),
                          .lower = ARENA_ARRAY(arena, n, const struct affine *),
                          .upper = ARENA_ARRAY(arena, n, const struct affine *)};
    const struct node *at = loop;

    for (int k = 0; k < n; k++, at = at->child[0])
        if (at->kind != NODE_LOOP || (k > 0 && at->info->tuple != -1) || !add_loop(&tuple, at))
            return loop;
    return build(facts, &tuple);
}

/* Is it a tuple's outermost loop? Pass "grid" has those on an axis. */
static bool is_tuple(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info && node->info->tuple > 1 && node->axis == AXIS_NONE;
}

static const struct node *walk(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child;
    struct facts inside;

    if (is_tuple(node))
        node = collapse(facts, node);
    if (!node || node->n_child == 0 || node->kind == NODE_TUPLE)
        return node;
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    inside = *facts;
    if (node->kind == NODE_LOOP)
        facts_enter_loop(&inside, node);
    if (node->kind == NODE_VALUE)
        facts_enter_value(&inside, node);
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(&inside, node->child[k]);
    return node_with_children(arena, node, child);
}

/* Is there a tuple at all? */
static bool has_tuple(const struct node *node)
{
    if (is_tuple(node))
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (has_tuple(node->child[k]))
            return true;
    return false;
}

const struct node *lower_tuples(struct lowering *lowering, const struct node *tree)
{
    struct facts facts;

    if (!has_tuple(tree))
        return tree;
    facts = facts_of_program(lowering);
    tree = walk(&facts, tree);
    return tree;
}
