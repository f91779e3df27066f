/* Pass "threads": loops that the plan makes parallel say so. Loops that are to be one must still stand directly inside
 * each other, with bounds that do not depend on one another. Those of two steps are one where they may be: OpenMP gives
 * a parallel region inside of another a single thread. */
#include "lower/lower.h"

#include "base/vec.h"
#include "caps/simd.h"
#include "lower/facts/facts.h"
#include "lower/threads/rectangle.h"
#include "plan/check/clause.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "tree/visit.h"

#include <string.h>

bool lower_is_inner(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info && (node->joined || loop_plan_is_inner(node->info));
}

static bool refuse(struct lowering *lowering, const struct node *loop, const char *text, const char *hint)
{
    const struct step *step = loop->info->plan->parallel_step;
    struct diag *diag = diag_error(lowering->diags, "parallelize", step->place, "`%s` %s", loop->info->name, text);

    diag_hint(lowering->diags, diag, "%s", hint);
    lowering->refused = true;
    return false;
}

static bool is_marked(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info && node->info->plan && node->info->plan->parallel > 0;
}

/* Is one of the inner loops of a parallel loop at or below node? Those of one iteration are not loops any more. */
static bool has_inner(const struct node *node)
{
    bool has = lower_is_inner(node);

    for (int k = 0; k < node->n_child && !is_marked(node); k++)
        has = has || has_inner(node->child[k]);
    return has;
}

/* What a hint would put between loop and the loop inside, or in front of that one; NULL: nothing. */
static const struct step *hint_between(const struct node *loop, const struct node *inner)
{
    for (const struct loop_hint *hint = loop->info->plan->hints; hint; hint = hint->before)
        if (!hint->pragma)
            return hint->step;
    for (const struct loop_hint *hint = inner->info->plan->hints; hint; hint = hint->before)
        if (hint->pragma)
            return hint->step;
    return NULL;
}

static bool refuse_hint(struct lowering *lowering, const struct node *loop, const struct step *step)
{
    struct diag *diag =
        diag_error(lowering->diags, step->primitive->name, step->place,
                   "`%s` and the loops inside are one parallel loop, with nothing between them", loop->info->name);

    diag_hint(lowering->diags, diag, "use the innermost of them for prefetches, and loops inside of it for pragmas");
    lowering->refused = true;
    return false;
}

/* Do the bounds of inner use var, or those of another loop that is to be one with it, as a tuple? */
static bool bounds_use(const struct node *inner, const struct var *var)
{
    const struct node *loop = inner;

    for (int k = 1;; k++, loop = loop->child[0]) {
        if (affine_uses(loop->lower, var) || affine_uses(loop->upper, var))
            return true;
        if (k >= inner->info->tuple || loop->child[0]->kind != NODE_LOOP)
            return false;
    }
}

/* The loops that are one with loop in *n. */
static bool may_collapse(struct lowering *lowering, const struct node *loop, int *n)
{
    static const char fewer[] = "parallelize fewer loops, or collapse them first";
    static const char lattice[] =
        "let the loops inside rise, and start at values that differ by multiples of their steps";
    static const char other[] = "unroll other loops than those in threads";
    const struct node *inner = loop;

    for (*n = 1; has_inner(inner->child[0]); ++*n) {
        if (!lower_is_inner(inner->child[0]) || inner->n_local > 0)
            return refuse(lowering, loop,
                          "and the loops inside are not one rectangle of iterations in the emitted code", fewer);
        if (hint_between(inner, inner->child[0]))
            return refuse_hint(lowering, loop, hint_between(inner, inner->child[0]));
        inner = inner->child[0];
        for (const struct node *outer = loop; outer != inner; outer = outer->child[0])
            if (bounds_use(inner, outer->var))
                return refuse(lowering, loop, "and the loops inside have bounds that depend on one another",
                              loop->info->plan->doacross ? lattice : fewer);
        if (inner->unroll)
            return refuse(lowering, inner, "cannot be unrolled by a pragma: it is one of the loops in threads", other);
    }
    return loop->unroll == 0 || refuse(lowering, loop, "cannot be unrolled by a pragma and run in threads", other);
}

/* How many loops are one with loop, so far as they stand directly inside each other. */
static int n_directly_inside(const struct node *loop)
{
    int n = 1;

    while (lower_is_inner(loop->child[0])) {
        loop = loop->child[0];
        n++;
    }
    return n;
}

static bool is_same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const char *condition_of(const struct threads *threads)
{
    return threads->only_if ? threads->only_if->string : NULL;
}

bool threads_are_alike(const struct threads *a, const struct threads *b)
{
    return a->number == b->number && is_same_text(a->places, b->places) &&
           is_same_text(condition_of(a), condition_of(b));
}

/* Do the steps that put two loops in threads ask for the same? */
static bool ask_alike(const struct threads *a, const struct threads *b)
{
    return threads_are_alike(a, b) && !a->alone && !b->alone && !a->doacross && !b->doacross && a->chunk == b->chunk &&
           is_same_text(a->policy, b->policy) && a->n_reduction == b->n_reduction;
}

/* The loop in threads directly inside of the n loops that are one with loop; NULL: there is none. */
static const struct node *threads_inside(const struct node *loop, int n)
{
    while (--n > 0)
        loop = loop->child[0];
    loop = loop->child[0];
    return is_marked(loop) ? loop : NULL;
}

/* May the n loops that are one with loop and those of inner, directly inside of them, be one? */
static bool may_join(const struct node *loop, int n, const struct node *inner)
{
    const struct node *outer = loop;

    if (loop->info->tuple > 0)
        return false;
    for (; n > 0; n--, outer = outer->child[0]) {
        const struct node *in = inner;
        for (int k = 0; k < inner->threads->collapse; k++, in = in->child[0])
            if (bounds_use(in, outer->var) || in->info->plan->vector)
                return false;
        if (n == 1 && (outer->n_local > 0 || hint_between(outer, inner)))
            return false;
    }
    return true;
}

/* loop, with the loops of inner as more of those that are one. */
static const struct node *join(struct arena *arena, const struct node *loop, const struct node *inner)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    if (loop != inner)
        return node_with_child(arena, loop, 0, join(arena, loop->child[0], inner));
    *copy = *inner;
    copy->threads = NULL;
    copy->joined = true;
    return copy;
}

/* The updates below a parallel loop that all its threads share. */
struct updates {
    struct arena *arena;
    const struct node *loop;
    int collapse; /* the number of loops that are collapsed into one */
    VEC(const struct statement *) found;
};

static bool reads(const struct expr *expr, const struct array *array)
{
    bool found = expr && expr->kind == EXPR_ACCESS && expr->array == array;

    for (int k = 0; expr && k < expr->n_arg && !found; k++)
        found = reads(expr->arg[k], array);
    return found;
}

static enum expr_op reduction_op(const struct statement *statement)
{
    return statement->op == OP_SUB ? OP_ADD : statement->op;
}

/* A use of the element that update changes, other than by updates of its kind. */
struct other_use {
    const struct statement *update;
    bool found;
};

static void look_for_use(const struct node *node, void *user)
{
    struct other_use *use = user;
    const struct statement *statement = node->kind == NODE_STATEMENT ? node->statement : NULL;
    const struct array *array = use->update->target->array;

    if (!statement || statement->barrier)
        return;
    use->found |= reads(statement->value, array) || reads(statement->guard, array) ||
                  (statement->target->array == array && reduction_op(statement) != reduction_op(use->update));
    for (int k = 0; k < statement->target->n_arg; k++)
        use->found |= reads(statement->target->arg[k], array);
}

/* What is also used otherwise belongs to one iteration: else these uses would not be in order. */
static bool is_of_one_iteration(const struct statement *update, const struct node *loop)
{
    struct other_use use = {update, false};

    node_for_each(loop, look_for_use, &use);
    return use.found;
}

/* Is `joins` one of the n loops, directly inside each other, that are collapsed into one? */
static bool is_joined_by(const struct node *loop, int n, const struct loop_info *joins)
{
    for (; n > 0 && loop->info; n--, loop = loop->child[0])
        if (loop->info->id == joins->id)
            return true;
    return false;
}

static void note_update(const struct node *node, void *user)
{
    struct updates *updates = user;
    const struct statement *statement = node->kind == NODE_STATEMENT ? node->statement : NULL;

    if (!statement || !statement_has_clause(statement) ||
        array_is_within(statement->target->array, updates->loop->info->id) ||
        (statement->joins && !is_joined_by(updates->loop, updates->collapse, statement->joins)))
        return;
    for (int k = 0; k < updates->found.n; k++)
        if (updates->found.at[k]->target->array == statement->target->array)
            return;
    if (!is_of_one_iteration(statement, updates->loop))
        VEC_PUSH(updates->arena, &updates->found, statement);
}

static const struct threads *threads_of(struct lowering *lowering, const struct node *loop, int collapse)
{
    const struct loop_plan *plan = loop->info->plan;
    struct updates updates = {.arena = lowering->arena, .loop = loop, .collapse = collapse};
    static const char *const policy[] = {NULL, "static", "dynamic", "guided"};
    struct threads *threads = ARENA_NEW(lowering->arena, struct threads);

    node_for_each(loop, note_update, &updates);
    *threads = (struct threads){.collapse = collapse,
                                .doacross = plan->doacross,
                                .policy = policy[plan->policy],
                                .chunk = plan->chunk,
                                .number = plan->threads,
                                .places = plan->places,
                                .only_if = plan->only_if,
                                .alone = plan->alone,
                                .reduction = updates.found.at,
                                .n_reduction = updates.found.n};
    return threads;
}

/* A loop in threads at or below node; NULL: there is none. */
static const struct node *find_threads(const struct node *node)
{
    const struct node *found = node->threads ? node : NULL;

    for (int k = 0; k < node->n_child && !found; k++)
        found = find_threads(node->child[k]);
    return found;
}

/* Vectors that the compiler makes cannot have threads inside. */
static bool may_contain(struct lowering *lowering, const struct node *loop)
{
    const bool vectors = loop->kind == NODE_LOOP && loop->info && loop->info->plan && loop->info->plan->vector &&
                         !simd_by_name(lowering->program->target.simd);
    const struct node *inner = vectors ? find_threads(loop->child[0]) : NULL;

    return !inner || refuse(lowering, inner,
                            arena_printf(lowering->arena,
                                         "cannot be in threads: the compiler runs `%s` around it in "
                                         "vectors",
                                         loop->info->name),
                            "parallelize loops around the vectors");
}

/* loop, with the `collapse` loops that are one by its step. */
static const struct node *in_threads(struct lowering *lowering, const struct node *loop, int collapse)
{
    const struct node *inner = threads_inside(loop, collapse);
    const struct threads *threads = threads_of(lowering, loop, collapse);
    struct node *copy = ARENA_NEW(lowering->arena, struct node);

    if (inner && ask_alike(threads, inner->threads) && may_join(loop, collapse, inner)) {
        threads = threads_of(lowering, loop, collapse + inner->threads->collapse);
        loop = join(lowering->arena, loop, inner);
    }
    *copy = *loop;
    copy->threads = threads;
    return copy;
}

/* May the loop's end be more than one step before its start? Not where the end is a named value, as in a tile. */
static bool may_end_early(struct lowering *lowering, const struct affine *more)
{
    const struct facts facts = facts_of_program(lowering);

    for (int k = 0; more && k < more->n_term; k++) {
        const struct atom *atom = more->term[k].atom;
        if (atom->kind != ATOM_VAR || atom->var->kind != VAR_PARAM)
            return atom->kind != ATOM_VAR || atom->var->kind == VAR_LOOP;
    }
    return more && !facts_imply(&facts, more);
}

/* The n collapsed loops of a doacross; no inner loop ends before its start, since clang's run-time aborts there
 * (doc/COMPILERS.md). */
static const struct node *with_counts(struct lowering *lowering, const struct node *loop, int n, bool inside)
{
    struct arena *arena = lowering->arena;
    const int one = loop->step > 0 ? 1 : -1;
    const struct affine *end[] = {affine_add_constant(arena, loop->upper, one), loop->lower};
    const struct affine *more = end[0] ? affine_scale(arena, affine_sub(arena, end[0], end[1]), one) : NULL;

    if (n > 1)
        loop = node_with_child(arena, loop, 0, with_counts(lowering, loop->child[0], n - 1, true));
    if (!inside || !may_end_early(lowering, more))
        return loop;
    end[0] = affine_extreme(arena, loop->step > 0 ? ATOM_MAX : ATOM_MIN, end, 2);
    return node_with_bounds(arena, loop, loop->lower, affine_add_constant(arena, end[0], -one));
}

const struct node *lower_threads(struct lowering *lowering, const struct node *tree)
{
    const struct node **child = ARENA_ARRAY(lowering->arena, tree->n_child + 1, const struct node *);
    const bool marked = is_marked(tree);
    int collapse;

    for (int k = 0; k < tree->n_child; k++) {
        child[k] = lower_threads(lowering, tree->child[k]);
        if (!child[k])
            return NULL;
    }
    tree = node_with_children(lowering->arena, tree, child);
    if (!may_contain(lowering, tree))
        return NULL;
    if (!marked)
        return tree;
    if (tree->info->plan->doacross)
        tree = rectangle_of(lowering->arena, tree, n_directly_inside(tree));
    if (!may_collapse(lowering, tree, &collapse))
        return NULL;
    if (tree->info->plan->doacross)
        tree = with_counts(lowering, tree, collapse, false);
    return in_threads(lowering, tree, collapse);
}
