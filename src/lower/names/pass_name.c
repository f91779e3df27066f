/* Pass "name": coordinates of the original loops that are long or often used get a name where they are known,
 *     const int64_t i_S = i + ii - t - tt;
 * is what S calls i. Conditions and bounds below use the name where that makes them shorter. What all lanes of a
 * coordinate share has a name in front of their loop,
 *     const int64_t j_S = j - 2 * t;
 * and S's j is j_S + jj there.
 */
#include "lower/lower.h"

#include "base/names.h"
#include "base/vec.h"
#include "lower/facts/bound.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

enum { WORTH = 6 }; /* terms that it saves; below that a name costs more */

struct naming {
    struct lowering *lowering;
    struct names used;
    const struct var *unnamed;     /* stands for a name while what that saves is counted */
    VEC(const struct var *) bound; /* loop and value variables known at this place, innermost last */
    int named;                     /* of these, just in front of the last: names given at this place */
    VEC(const struct var *) lanes; /* variables of loops that run in lanes, as many as there are */
};

/* A coordinate, or what is the same in all lanes of it. */
struct coordinate {
    const struct affine *value;
    bool whole; /* all of it */
};

static bool divides(const struct expr *expr)
{
    bool found = expr->kind == EXPR_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD);

    for (int k = 0; k < expr->n_arg && !found; k++)
        found = divides(expr->arg[k]);
    return found;
}

/* Contracted subscripts, i mod 32 in a tile of 32, need only some of what makes up the coordinate. */
static int count_uses(const struct expr *expr, int loop)
{
    int n = expr->kind == EXPR_LOOP && expr->loop == loop;

    for (int k = 0; k < expr->n_arg; k++)
        if (expr->kind != EXPR_ACCESS || !expr->array->contracted_from || !divides(expr->arg[k]))
            n += count_uses(expr->arg[k], loop);
    return n;
}

static int statement_uses(const struct statement *statement, int loop)
{
    if (statement->barrier)
        return 0;
    return count_uses(statement->target, loop) + count_uses(statement->value, loop) +
           (statement->guard ? count_uses(statement->guard, loop) : 0);
}

static bool is_unknown(const struct var *var, const void *user)
{
    const struct naming *naming = user;

    for (int k = 0; k < naming->bound.n; k++)
        if (naming->bound.at[k] == var)
            return false;
    return var->kind != VAR_PARAM;
}

static bool all_known(const struct naming *naming, const struct affine *a)
{
    return !affine_any_var(a, is_unknown, naming);
}

/* Replaces an expression by one of the name. */
struct replacement {
    const struct affine *value, *name;
    bool whole; /* value is all of a coordinate */
    const struct var *innermost;
    const struct affine *solved; /* the innermost variable in terms of the name; NULL when it has a factor */
};

static int size(const struct affine *a)
{
    int n = a->n_term;

    for (int k = 0; k < a->n_term; k++)
        for (int arg = 0; arg < a->term[k].atom->n_arg; arg++)
            n += size(a->term[k].atom->arg[arg]);
    return n;
}

/* a with the name in place of the value, or of its opposite, where all terms of that are in it. */
static const struct affine *with_part(struct arena *arena, const struct affine *a,
                                      const struct replacement *replacement)
{
    for (int sign = 1; sign >= -1; sign -= 2) {
        const struct affine *rest = affine_combine(arena, a, 1, replacement->value, -sign);
        if (rest && rest->n_term + replacement->value->n_term == a->n_term)
            return affine_combine(arena, rest, 1, replacement->name, sign);
    }
    return a;
}

/* The same in the arguments of a minimum or maximum. */
static const struct affine *with_part_inside(struct arena *arena, const struct affine *a,
                                             const struct replacement *replacement)
{
    const struct affine *const *arg, **shorter;
    enum atom_kind kind;
    const int n = bound_args(arena, a, &arg, &kind);
    bool any = false;

    if (n < 2)
        return with_part(arena, a, replacement);
    shorter = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++) {
        shorter[k] = with_part(arena, arg[k], replacement);
        any = any || shorter[k] != arg[k];
    }
    return any ? affine_extreme(arena, kind, shorter, n) : a;
}

static int written(const struct affine *a)
{
    return a->n_term + (a->constant != 0);
}

static const struct affine *replace(struct arena *arena, const struct affine *a, void *user)
{
    const struct replacement *replacement = user;
    const struct affine *rest = affine_sub(arena, a, replacement->value), *named;

    if (affine_is_constant(rest, NULL)) {
        named = affine_add(arena, replacement->name, rest);
        return !named || written(named) < written(a) ? named : a;
    }
    if (!replacement->whole)
        return with_part_inside(arena, a, replacement);
    if (!replacement->solved || !affine_uses(a, replacement->innermost))
        return a;
    const struct affine *shorter = affine_substitute(arena, a, replacement->innermost, replacement->solved);
    return shorter && size(shorter) < size(a) ? shorter : a;
}

/* v from value = +-v + rest. */
static const struct affine *solve(struct arena *arena, const struct affine *value, const struct affine *name,
                                  const struct var *var)
{
    const int64_t factor = affine_factor(value, var);
    const struct affine *rest = affine_sub(arena, value, affine_scale(arena, affine_var(arena, var), factor));

    if (factor * factor != 1 || affine_uses(rest, var))
        return NULL;
    return affine_scale(arena, affine_sub(arena, name, rest), factor);
}

static struct replacement replacement_of(const struct naming *naming, const struct coordinate *coordinate,
                                         const struct var *var)
{
    struct arena *arena = naming->lowering->arena;
    const struct var *innermost = naming->bound.at[naming->bound.n - 1];
    const struct affine *value = coordinate->value, *name = affine_var(arena, var);

    return (struct replacement){value, name, coordinate->whole, innermost, solve(arena, value, name, innermost)};
}

/* What is to be named, and what that would save. */
struct candidate {
    const struct naming *naming;
    const struct statement *statement; /* the first that has it; NULL: none yet */
    int loop;                          /* of the statement */
    struct coordinate value;
    struct replacement replacement;
    int saved; /* terms */
};

/* Is a the value and a constant, or, of a part, what has that in it? */
static bool is_of(struct arena *arena, const struct affine *a, const struct replacement *replacement)
{
    return replacement->whole ? affine_is_constant(affine_sub(arena, a, replacement->value), NULL)
                              : with_part(arena, a, replacement) != a;
}

/* The coordinate without the variable of a loop of lanes, and without what it differs by from others. */
static struct coordinate without_lanes(const struct naming *naming, const struct affine *a)
{
    struct arena *arena = naming->lowering->arena;

    for (int k = 0; k < naming->lanes.n; k++)
        if (affine_factor(a, naming->lanes.at[k]) == 1) {
            const struct affine *rest = affine_sub(arena, a, affine_var(arena, naming->lanes.at[k]));
            return (struct coordinate){affine_add_constant(arena, rest, -rest->constant), false};
        }
    return (struct coordinate){a, true};
}

/* Could the coordinate be named here, inside the innermost variable that it uses? What lanes share may use a name that
 * was given here instead. */
static bool is_nameable(const struct naming *naming, const struct coordinate *coordinate)
{
    bool innermost = false;

    for (int k = naming->bound.n - 1 - (coordinate->whole ? 0 : naming->named); k < naming->bound.n; k++)
        innermost = innermost || affine_uses(coordinate->value, naming->bound.at[k]);
    return coordinate->value->n_term > 1 && innermost && all_known(naming, coordinate->value);
}

static const struct affine *count_saved(struct arena *arena, const struct affine *a, void *user)
{
    struct candidate *candidate = user;
    const struct affine *shorter = replace(arena, a, &candidate->replacement);

    if (shorter)
        candidate->saved += size(a) - size(shorter);
    return a;
}

/* A coordinate of a statement is written as often as its loop stands there. */
static void count_statement(struct candidate *candidate, const struct node *node)
{
    struct arena *arena = candidate->naming->lowering->arena;

    for (int k = 0; k < node->statement->n_loop; k++) {
        const struct affine *value = node->argument[k];
        if (is_of(arena, value, &candidate->replacement))
            candidate->saved += statement_uses(node->statement, k) *
                                (written(value) - written(replace(arena, value, &candidate->replacement)));
        else
            count_saved(arena, value, candidate);
    }
}

static void count_candidate(const struct node *node, void *user)
{
    struct candidate *candidate = user;

    if (node->kind == NODE_STATEMENT)
        count_statement(candidate, node);
    else
        node_map_own(candidate->naming->lowering->arena, node, count_saved, candidate);
}

/* Functions have names of their own. */
static void for_each_outside(const struct node *node, void (*function)(const struct node *node, void *user), void *user)
{
    if (node->kind == NODE_CALL)
        return;
    function(node, user);
    for (int k = 0; k < node->n_child; k++)
        for_each_outside(node->child[k], function, user);
}

struct search {
    const struct naming *naming;
    const struct node *body;
    struct candidate found; /* the first that is worth it */
};

static void consider(struct search *search, const struct node *node, int loop)
{
    const struct coordinate value = without_lanes(search->naming, node->argument[loop]);
    struct candidate candidate = {search->naming, node->statement, loop, value, {0}, 0};

    if (search->found.statement || !is_nameable(search->naming, &value))
        return;
    candidate.replacement = replacement_of(search->naming, &value, search->naming->unnamed);
    for_each_outside(search->body, count_candidate, &candidate);
    if (candidate.saved >= WORTH)
        search->found = candidate;
}

static void search_node(const struct node *node, void *user)
{
    for (int k = 0; node->kind == NODE_STATEMENT && k < node->statement->n_loop; k++)
        consider(user, node, k);
}

/* Is it a coordinate of a statement of the description, too? That lends its name rather than a copy. */
static void prefer_described(const struct node *node, void *user)
{
    struct candidate *candidate = user;

    if (node->kind != NODE_STATEMENT || node->statement->copies || !candidate->statement->copies)
        return;
    for (int k = 0; k < node->statement->n_loop; k++)
        if (candidate->statement->copies && affine_equal(node->argument[k], candidate->value.value)) {
            candidate->statement = node->statement;
            candidate->loop = k;
        }
}

static const char *coordinate_name(struct naming *naming, const struct candidate *candidate)
{
    const struct statement *statement = candidate->statement;
    const char *name = arena_printf(naming->lowering->arena, "%s_%s", statement->loop_name[candidate->loop],
                                    statement->from ? statement->from : statement->label);

    return names_unique(&naming->used, name);
}

static const struct node *walk(struct naming *naming, const struct node *node);

/* var is known from here on; the innermost stays the last. */
static void add_bound(struct naming *naming, const struct var *var, const struct var *innermost)
{
    VEC_PUSH(naming->lowering->arena, &naming->bound, innermost);
    naming->bound.at[naming->bound.n - 2] = var;
}

/* body, directly inside the innermost bound variable, with names. */
static const struct node *name_here(struct naming *naming, const struct node *body)
{
    struct arena *arena = naming->lowering->arena;
    struct search search = {naming, body, {0}};
    const struct var *innermost = naming->bound.at[naming->bound.n - 1];
    const int n_used = naming->used.used.n;

    for_each_outside(body, search_node, &search);
    if (!search.found.statement)
        return walk(naming, body);
    for_each_outside(body, prefer_described, &search.found);
    struct var *var = lower_new_var(naming->lowering, VAR_VALUE, coordinate_name(naming, &search.found));
    struct replacement replacement = replacement_of(naming, &search.found.value, var);
    body = node_map(arena, body, replace, &replacement);
    add_bound(naming, var, innermost);
    naming->named++;
    body = body ? name_here(naming, body) : NULL;
    naming->named--;
    naming->bound.at[--naming->bound.n - 1] = innermost;
    naming->used.used.n = n_used;
    return node_value(arena, var, search.found.value.value, body);
}

/* What differs from lane to lane has no name. */
static bool is_vector(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info && node->info->plan && node->info->plan->vector;
}

static void note_lanes(const struct node *node, void *user)
{
    struct naming *naming = user;

    if (is_vector(node) && !(affine_is_constant(node->lower, NULL) && affine_is_constant(node->upper, NULL)))
        VEC_PUSH(naming->lowering->arena, &naming->lanes, node->var);
}

static const struct node *walk(struct naming *naming, const struct node *node)
{
    struct arena *arena = naming->lowering->arena;
    const bool binds = node->kind == NODE_LOOP || node->kind == NODE_VALUE;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    const int named = naming->named;

    if (binds)
        VEC_PUSH(arena, &naming->bound, node->var);
    if (binds || node->kind == NODE_CALL)
        naming->named = 0;
    for (int k = 0; k < node->n_child; k++) {
        const bool opens = binds || (node->kind == NODE_CALL && naming->bound.n > 0);
        const bool here = opens && !lower_is_inner(node->child[k]) && !is_vector(node);
        child[k] = here ? name_here(naming, node->child[k]) : walk(naming, node->child[k]);
        if (!child[k])
            return NULL;
    }
    naming->bound.n -= binds;
    naming->named = named;
    return node->n_child ? node_with_children(arena, node, child) : node;
}

const struct node *lower_name(struct lowering *lowering, const struct node *tree)
{
    struct naming naming = {.lowering = lowering,
                            .used = {.arena = lowering->arena},
                            .unnamed = lower_new_var(lowering, VAR_VALUE, "")};

    lower_used_names(lowering, tree, &naming.used);
    node_for_each(tree, note_lanes, &naming);
    return walk(&naming, tree);
}
