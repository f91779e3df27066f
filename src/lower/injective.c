#include "lower/injective.h"

#include "lower/relation.h"

/* Variables whose value is told by the arguments so far. */
struct solving {
    const struct facts *facts;
    bool *solved; /* by place in facts->bound */
};

static bool is_solved(const struct solving *solving, const struct var *var)
{
    int at = 0;

    if (var->kind == VAR_PARAM)
        return true;
    for (const struct bound_var *bound = solving->facts->bound; bound; bound = bound->outer, at++)
        if (bound->var == var)
            return solving->solved[at];
    return false;
}

static bool all_solved(const struct solving *solving, const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        if (atom->kind == ATOM_VAR && !is_solved(solving, atom->var))
            return false;
        for (int arg = 0; arg < atom->n_arg; arg++)
            if (!all_solved(solving, atom->arg[arg]))
                return false;
    }
    return true;
}

/* a without its terms that are known; NULL when some other term is not a variable, or on overflow. */
static const struct affine *unsolved_part(const struct solving *solving, const struct affine *a)
{
    struct arena *arena = solving->facts->lowering->arena;
    struct affine *part = ARENA_NEW(arena, struct affine);
    struct affine_term *term = ARENA_ARRAY(arena, a->n_term + 1, struct affine_term);

    for (int k = 0; k < a->n_term; k++) {
        const struct affine one = {0, 1, &a->term[k]};
        if (all_solved(solving, &one))
            continue;
        if (a->term[k].atom->kind != ATOM_VAR)
            return NULL;
        term[part->n_term++] = a->term[k];
    }
    part->term = term;
    return part;
}

/* Is the value of term's variable told by that of a? It is when the rest moves by less than one step of the term. */
static bool decides(const struct facts *facts, const struct affine *a, const struct affine_term *term)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine one = {0, 1, term};
    const struct affine *rest = affine_sub(arena, a, &one);
    const struct span range = rest ? span_of(arena, facts->bound, rest) : span_any();
    int64_t width;

    if (range.low == INT64_MIN || range.high == INT64_MAX ||
        __builtin_sub_overflow(range.high, range.low, &width))
        return false;
    return width < span_of(arena, facts->bound, &one).modulus || width == 0;
}

/* Marks what argument a tells; true when that is something new. */
static bool solve(struct solving *solving, const struct affine *a)
{
    const struct affine *part = unsolved_part(solving, a);

    for (int k = 0; part && k < part->n_term; k++) {
        int at = 0;
        if (!decides(solving->facts, part, &part->term[k]))
            continue;
        for (const struct bound_var *bound = solving->facts->bound; bound->var != part->term[k].atom->var;
             bound = bound->outer)
            at++;
        return solving->solved[at] = true;
    }
    return false;
}

/* a, or a multiple of it that does not divide: of floor(j / 64) for j = 0, 64, .. that is j. */
static const struct affine *undivided(const struct facts *facts, const struct affine *a)
{
    struct quotient quotient;

    return relation_is_told(facts, a, &quotient) ? quotient.sum : a;
}

bool injective_by_digits(const struct facts *facts, const struct node *leaf)
{
    struct solving solving = {.facts = facts};
    const struct affine **argument =
        ARENA_ARRAY(facts->lowering->arena, leaf->statement->n_loop + 1, const struct affine *);
    int n = 0, n_solved = 0;
    bool more = true;

    for (const struct bound_var *bound = facts->bound; bound; bound = bound->outer)
        n += bound->var->kind != VAR_PARAM;
    solving.solved = ARENA_ARRAY(facts->lowering->arena, n + 1, bool);
    for (int k = 0; k < leaf->statement->n_loop; k++)
        argument[k] = undivided(facts, leaf->argument[k]);
    while (more) {
        more = false;
        for (int k = 0; k < leaf->statement->n_loop; k++)
            while (solve(&solving, argument[k])) {
                more = true;
                n_solved++;
            }
    }
    return n_solved == n;
}
