/* Pass "tuple": a collapsed loop whose inner extents are not constants. The order and the passes before this one
 * have its loops inside each other; here they become one,
 *     for (int64_t ij = 0; ij < M * N; ij++) {
 *         const int64_t i = ij / N, j = ij % N;
 * over the rectangle around all of them, with a condition for what a triangle does not have. A loop with a step has the
 * number of its iteration here, j = j0 + 2 * n. How many iterations of a rectangle do nothing is told; loops that
 * cannot become one are refused.
 * Those on an axis of the launch stay loops, over digits of the positions there.
 */
#include "lower/facts/bound.h"
#include "lower/facts/mark.h"

#include "base/names.h"
#include "tree/visit.h"

#include <inttypes.h>

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

/* The least (or greatest) a over all iterations of the tuple's loops so far, which may have none where it is computed;
 * NULL when it moves both ways. */
static const struct affine *hull_of_all(const struct tuple *tuple, const struct affine *a, bool least)
{
    for (int k = tuple->n - 1; k >= 0 && a; k--)
        a = hull(tuple->lowering->arena, a, tuple->loop[k], least);
    return a ? affine_unmark(tuple->lowering->arena, a) : NULL;
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

/* The loop over the numbers of its iterations, 0, 1, ..; itself where it counts by ones already. */
static const struct node *counted(const struct facts *facts, const struct node *loop)
{
    struct lowering *lowering = facts->lowering;
    struct arena *arena = lowering->arena;
    const int64_t size = loop->step > 0 ? loop->step : -loop->step;
    const struct affine *first = loop->step > 0 ? loop->lower : loop->upper;
    const struct affine *last = loop->step > 0 ? loop->upper : loop->lower;

    if (loop->step == 1)
        return loop;
    const struct affine *n =
        affine_floor(arena, affine_add_constant(arena, affine_sub(arena, last, first), size), size);
    const struct var *var = lower_new_var(lowering, VAR_LOOP, loop->var->name);
    const struct affine *value =
        affine_add(arena, loop->lower, affine_scale(arena, affine_var(arena, var), loop->step));
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    *copy = *loop;
    child[0] = value ? node_substitute(arena, loop->child[0], loop->var, value) : NULL;
    copy->child = child;
    copy->var = var;
    copy->step = 1;
    copy->lower = affine_constant(arena, 0);
    copy->upper = affine_add_constant(arena, n, -1);
    return child[0] && copy->upper ? copy : loop;
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

    both[1] =
        bound_add(arena, tuple->upper[k], affine_add_constant(arena, affine_scale(arena, tuple->lower[k], -1), 1));
    if (!both[1] || facts_imply(facts, both[1]))
        return both[1];
    return affine_extreme(arena, ATOM_MAX, both, 2);
}

static const struct var *named(struct lowering *lowering, const char *name, enum var_kind kind)
{
    return lower_new_var(lowering, kind, name);
}

static void add_var_name(const struct node *node, void *names)
{
    if (node->var)
        names_add(names, node->var->name);
}

/* The name of the loop that the tuple's head has replaced; another one where a loop around, inside, or the program
 * has that by now: the name was free for later steps. */
static const char *first_name(const struct facts *facts, const struct tuple *tuple)
{
    struct names used = {.arena = facts->lowering->arena};

    program_add_names(facts->lowering->program, &used);
    for (const struct bound_var *bound = facts->bound; bound; bound = bound->outer)
        names_add(&used, bound->var->name);
    node_for_each(tuple->loop[0], add_var_name, &used);
    return names_unique(&used, tuple->loop[0]->info->part->name);
}

/* Its extents are computed where its loops may be empty, and the conditions in all of the rectangle. */
static const struct node *mark(const struct facts *facts, const struct node *tuple)
{
    const struct node *inside = tuple->child[0];
    struct facts rectangle = *facts;

    facts_enter(&rectangle, tuple, 0);
    inside = inside->kind == NODE_IF ? mark_own_plain(&rectangle, inside) : inside;
    tuple = mark_own_plain(facts, tuple);
    return inside && tuple ? node_with_body(facts->lowering->arena, tuple, inside) : NULL;
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
        part[k].var = named(lowering, k == 0 ? first_name(facts, tuple) : loop->var->name, VAR_VALUE);
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
    return child[0] ? mark(facts, node) : NULL;
}

/* A number for each parameter, to tell what sizes mean. */
enum { SAMPLE = 50 };

/* The value where all parameters are SAMPLE and the tuple's first n loops have these values; false: there is none. */
static bool value_at(const struct tuple *tuple, const int64_t *value, int n, const struct affine *affine, int64_t *sum)
{
    *sum = affine->constant;
    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        int64_t own = SAMPLE, arg;
        bool known = atom->kind != ATOM_VAR || atom->var->kind == VAR_PARAM;
        for (int j = 0; atom->kind == ATOM_VAR && j < n; j++)
            if (atom->var == tuple->loop[j]->var) {
                own = value[j];
                known = true;
            }
        for (int j = 0; j < atom->n_arg && known; j++) {
            known = value_at(tuple, value, n, atom->arg[j], &arg);
            own = j == 0 || (atom->kind == ATOM_MIN ? arg < own : arg > own) ? arg : own;
        }
        if (!known)
            return false;
        own = atom->kind == ATOM_FLOOR ? floor_div(own, atom->divisor) : own;
        if (__builtin_mul_overflow(own, affine->term[k].factor, &own) || __builtin_add_overflow(*sum, own, sum))
            return false;
    }
    return true;
}

/* Adds the iterations of the loops from number n on to *count. */
static bool count_from(const struct tuple *tuple, int64_t *value, int n, int64_t *count)
{
    int64_t lower, upper;

    if (n == tuple->n) {
        ++*count;
        return true;
    }
    if (*count > SAMPLE * SAMPLE * SAMPLE || !value_at(tuple, value, n, tuple->loop[n]->lower, &lower) ||
        !value_at(tuple, value, n, tuple->loop[n]->upper, &upper))
        return false;
    for (value[n] = lower; value[n] <= upper; value[n]++)
        if (!count_from(tuple, value, n + 1, count))
            return false;
    return true;
}

/* "50 for each parameter: 2800 iterations, of which 350 do something"; "" where that takes more than parameters. */
static const char *example(const struct tuple *tuple, const struct node *node)
{
    int64_t *value = ARENA_ARRAY(tuple->lowering->arena, tuple->n + 1, int64_t), all = 1, extent, count = 0;

    for (int k = 0; k < node->n_part; k++) {
        if (!value_at(tuple, value, 0, node->part[k].extent, &extent) || __builtin_mul_overflow(all, extent, &all))
            return "";
    }
    if (!count_from(tuple, value, 0, &count))
        return "";
    return arena_printf(tuple->lowering->arena,
                        "; with %d for each parameter, %" PRId64 " iterations of which %" PRId64 " do something",
                        SAMPLE, all, count);
}

/* How many iterations there are, where some of them are not those of the loops. */
static void tell_rectangle(const struct tuple *tuple, const struct node *node)
{
    struct lowering *lowering = tuple->lowering;
    const struct step *step = node->info->step;
    struct text size = {0};

    for (int k = 0; k < node->n_part && lowering->diags && step; k++) {
        const struct affine *extent = node->part[k].extent;
        const bool sum = extent->n_term + (extent->constant != 0) > 1;
        text_add(&size, k ? sum ? " * (" : " * " : sum ? "(" : "");
        affine_dump(&size, extent);
        text_add(&size, sum ? ")" : "");
    }
    if (lowering->diags && step)
        diag_warning(lowering->diags, "collapse", step->place,
                     "`%s` goes through the rectangle around its loops, %s iterations%s", node->info->name,
                     text_str(&size), example(tuple, node));
    text_free(&size);
}

/* inner: the loop whose bounds are in the way; NULL: the loops are not directly inside each other. */
static const struct node *refuse(struct lowering *lowering, const struct node *loop, const struct node *inner)
{
    const struct step *step = loop->info->step;

    if (!lowering->diags || !step)
        return loop;
    lowering->refused = true;
    if (inner)
        diag_error(lowering->diags, "collapse", step->place,
                   "`%s` cannot be one loop: the bounds of `%s` have no rectangle around them", loop->info->name,
                   inner->var->name);
    else
        diag_error(lowering->diags, "collapse", step->place,
                   "`%s` cannot be one loop: something stands between its loops", loop->info->name);
    return NULL;
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
    struct facts inside = *facts;

    for (int k = 0; k < n; k++, at = at->child[0]) {
        const bool nested = at->kind == NODE_LOOP && (k == 0 || at->info->tuple == -1);
        at = nested ? counted(&inside, at) : at;
        if (!nested || !add_loop(&tuple, at))
            return refuse(facts->lowering, loop, nested ? at : NULL);
        facts_enter_loop(&inside, at);
    }
    const struct node *node = build(facts, &tuple);
    if (node && tuple.tested.n > 0)
        tell_rectangle(&tuple, node);
    return node;
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
    if (node->kind == NODE_LOOP || node->kind == NODE_VALUE || node->kind == NODE_LET)
        facts_enter(&inside, node, 0);
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
