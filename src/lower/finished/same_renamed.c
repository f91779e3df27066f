/* Leaves that are the same but for the names of their counts: loops over positions of a kernel, and the positions. */
#include "lower/finished/shape.h"

/* Which count of the proved leaf stands for which of the finished one. */
struct renaming {
    struct arena *arena;
    const struct shape *to, *from;
    const struct var *to_var[MOST_COUNTS], *from_var[MOST_COUNTS];
    int n;
};

static bool unify_vars(struct renaming *r, const struct var *to, const struct var *from)
{
    const struct count *a = shape_count(r->to, to), *b = shape_count(r->from, from);

    if (!a || !b)
        return !a && !b && to == from;
    for (int k = 0; k < r->n; k++)
        if (r->from_var[k] == from || r->to_var[k] == to)
            return r->from_var[k] == from && r->to_var[k] == to;
    if (a->last != b->last)
        return false;
    r->to_var[r->n] = to;
    r->from_var[r->n++] = from;
    return true;
}

static bool unify(struct renaming *r, const struct affine *to, const struct affine *from);

static bool unify_atoms(struct renaming *r, const struct atom *to, const struct atom *from)
{
    if (to->kind != from->kind || to->n_arg != from->n_arg || to->divisor != from->divisor)
        return false;
    if (to->kind == ATOM_VAR)
        return unify_vars(r, to->var, from->var);
    for (int k = 0; k < to->n_arg; k++)
        if (!unify(r, to->arg[k], from->arg[k]))
            return false;
    return true;
}

/* Makes both the same, if that can be seen term by term. */
static bool unify(struct renaming *r, const struct affine *to, const struct affine *from)
{
    bool *used = ARENA_ARRAY(r->arena, to->n_term + 1, bool);

    if (to->constant != from->constant || to->n_term != from->n_term)
        return false;
    for (int f = 0; f < from->n_term; f++) {
        const int n = r->n;
        bool found = false;
        for (int t = 0; t < to->n_term && !found; t++) {
            if (used[t] || to->term[t].factor != from->term[f].factor)
                continue;
            r->n = n;
            found = used[t] = unify_atoms(r, to->term[t].atom, from->term[f].atom);
        }
        if (!found)
            return false;
    }
    return true;
}

static const struct affine *renamed(const struct renaming *r, const struct affine *affine)
{
    for (int k = 0; k < r->n; k++)
        affine = affine_substitute(r->arena, affine, r->from_var[k], affine_var(r->arena, r->to_var[k]));
    return affine;
}

/* The inequality as tight as whole numbers make it. */
static const struct affine *tight(struct arena *arena, const struct affine *affine)
{
    const int64_t divisor = affine ? affine_gcd(affine) : 0;

    return divisor > 1 ? affine_floor(arena, affine, divisor) : affine;
}

static condition_vec tightened(const struct renaming *r, const struct shape *shape)
{
    condition_vec list = {0};

    for (int k = 0; k < shape->condition.n; k++) {
        struct condition own = shape->condition.at[k];
        own.affine = shape == r->from ? renamed(r, own.affine) : own.affine;
        own.affine = own.equal ? own.affine : tight(r->arena, own.affine);
        VEC_PUSH(r->arena, &list, own);
    }
    return list;
}

/* Does the condition follow from one of the list? */
static bool follows(const struct renaming *r, const struct condition *condition, const condition_vec *list)
{
    for (int k = 0; k < list->n && condition->affine; k++) {
        const struct affine *more = affine_sub(r->arena, condition->affine, list->at[k].affine);
        int64_t constant;
        if (more && list->at[k].equal == condition->equal && affine_is_constant(more, &constant) &&
            (condition->equal ? constant == 0 : constant >= 0))
            return true;
    }
    return false;
}

static bool all_follow(const struct renaming *r, const condition_vec *conditions, const condition_vec *list)
{
    for (int k = 0; k < conditions->n; k++)
        if (!follows(r, &conditions->at[k], list))
            return false;
    return true;
}

/* The same alternatives, in the same order? */
static bool same_alternatives(const struct renaming *r)
{
    const struct shape *a = r->to, *b = r->from;
    bool same = a->limit.n == b->limit.n && a->choice.n == b->choice.n;

    for (int k = 0; k < a->limit.n && same; k++)
        same = a->limit.at[k]->none == b->limit.at[k]->none &&
               a->limit.at[k]->n_alternative == b->limit.at[k]->n_alternative;
    for (int k = 0; k < a->choice.n && same; k++) {
        const struct choice *one = &a->choice.at[k], *other = &b->choice.at[k];
        same = one->n == other->n;
        for (int c = 0; c < one->n && same; c++) {
            const struct affine *there = renamed(r, other->condition[c].affine);
            same = there && one->condition[c].equal == other->condition[c].equal &&
                   affine_equal(one->condition[c].affine, there);
        }
    }
    return same;
}

static bool is_renamed(struct arena *arena, const struct shape *to, const struct shape *from)
{
    struct renaming r = {.arena = arena, .to = to, .from = from};
    condition_vec a, b;

    for (int d = 0; d < to->n_argument; d++)
        if (!unify(&r, to->argument[d], from->argument[d]))
            return false;
    if (shape_counts(to) != r.n || shape_counts(from) != r.n || !same_alternatives(&r))
        return false;
    a = tightened(&r, to);
    b = tightened(&r, from);
    return all_follow(&r, &a, &b) && all_follow(&r, &b, &a);
}

bool same_renamed(struct arena *arena, const struct side *proved, const struct side *finished)
{
    if (proved->leaves.n != finished->leaves.n)
        return false;
    for (int k = 0; k < proved->leaves.n; k++) {
        struct shape to, from;
        if (!shape_of(arena, proved, &proved->leaves.at[k], INT32_MAX, &to) ||
            !shape_of(arena, finished, &finished->leaves.at[k], INT32_MAX - 1, &from))
            return false;
        if (!is_renamed(arena, &to, &from))
            return false;
    }
    return true;
}
