/* Do the parts that several stores have of a load together have all of it? What is known of the load decides their
 * conditions; those that are left are taken to hold, and not to, one inside of the other. */
#include "lower/finished/same_stored.h"

#include <string.h>

/* Conditions that are taken to hold, and not to, one inside of the other. */
enum { MOST_CASES = 5 };

/* What is known of a load besides its shape, and how many conditions more may be taken to hold. */
struct taken {
    condition_vec more;
    int left;
};

static bool holds(struct arena *arena, const struct shape *load, const struct taken *taken,
                  const struct condition *condition)
{
    return stored_known(arena, load, &taken->more, condition->affine, condition->equal);
}

static bool never_holds(struct arena *arena, const struct shape *load, const struct taken *taken,
                        const struct condition *condition)
{
    return !condition->equal &&
           stored_known(arena, load, &taken->more, stored_opposite(arena, condition->affine), false);
}

/* A condition and what is known of it. */
struct decided {
    const struct condition *condition;
    bool holds, never;
};

typedef VEC(struct decided) decided_vec;

static const struct decided *decide(struct arena *arena, const struct shape *load, const struct taken *taken,
                                    const struct condition *condition, decided_vec *decided)
{
    struct decided own = {.condition = condition};

    for (int k = 0; k < decided->n; k++) {
        const struct condition *other = decided->at[k].condition;
        if (other->equal == condition->equal && other->affine && condition->affine &&
            affine_equal(other->affine, condition->affine))
            return &decided->at[k];
    }
    own.holds = holds(arena, load, taken, condition);
    own.never = !own.holds && never_holds(arena, load, taken, condition);
    VEC_PUSH(arena, decided, own);
    return &decided->at[decided->n - 1];
}

/* The parts with what is not decided of them, *open to one of these that may be taken not to hold: none where a part is
 * seen to be nowhere. True: a part has all. Where what is taken to hold cannot, a part that is nowhere has all, too. */
static bool has_all(struct arena *arena, const struct shape *load, const struct taken *taken,
                    const stored_part_vec *parts, stored_part_vec *left, const struct condition **open)
{
    decided_vec decided = {0};

    for (int p = 0; p < parts->n; p++) {
        const condition_vec *condition = &parts->at[p].condition;
        struct stored_part own = {{0}, parts->at[p].some};
        bool never = false;
        for (int k = 0; k < condition->n; k++) {
            const struct decided *one = decide(arena, load, taken, &condition->at[k], &decided);
            never = never || one->never;
            if (!one->holds)
                VEC_PUSH(arena, &own.condition, condition->at[k]);
        }
        if (own.condition.n == 0)
            return true;
        VEC_PUSH(arena, left, own);
        if (!*open && !never && !own.condition.at->equal && own.condition.at->affine)
            *open = own.condition.at;
    }
    return false;
}

/* Do all conditions of the choice hold, or, unless `all`, does one of them never? */
static bool is_decided(struct arena *arena, const struct shape *load, const struct taken *taken,
                       const struct choice *choice, bool all)
{
    for (int k = 0; k < choice->n; k++)
        if (all ? !holds(arena, load, taken, &choice->condition[k])
                : never_holds(arena, load, taken, &choice->condition[k]))
            return !all;
    return all;
}

/* Is nothing loaded where that is taken to hold, as one of the load's limits does not, or a parameter is too small? */
static bool is_impossible(struct arena *arena, const struct shape *load, const struct taken *taken)
{
    int at = 0;

    for (int k = load->implied.n - load->n_least; k < load->implied.n && taken->more.n > 0; k++)
        if (never_holds(arena, load, taken, &load->implied.at[k]))
            return true;
    for (int k = 0; k < load->limit.n; k++) {
        const struct way *limit = load->limit.at[k];
        int n = 0;
        for (int a = 0; a < limit->n_alternative; a++)
            n += is_decided(arena, load, taken, &load->choice.at[at + a], limit->none);
        if (limit->none ? n > 0 : n == limit->n_alternative)
            return true;
        at += limit->n_alternative;
    }
    return false;
}

/* The same where some conditions more hold: one of them after the other is taken to hold, and then not to. */
static bool stored_where(struct arena *arena, const struct shape *load, const stored_part_vec *parts,
                         const struct taken *taken)
{
    stored_part_vec left = {0};
    const struct condition *open = NULL;

    if (has_all(arena, load, taken, parts, &left, &open) || is_impossible(arena, load, taken))
        return true;
    for (int side = 0; open && taken->left > 0 && side < 2; side++) {
        struct taken with = {{0}, taken->left - 1};
        for (int k = 0; k < taken->more.n; k++)
            VEC_PUSH(arena, &with.more, taken->more.at[k]);
        VEC_PUSH(arena, &with.more,
                 ((struct condition){side ? stored_opposite(arena, open->affine) : open->affine, false}));
        if (!with.more.at[with.more.n - 1].affine || !stored_where(arena, load, &left, &with))
            return false;
    }
    return open && taken->left > 0;
}

/* A load and its parts as words; variables but parameters have the number of their place in `var`. */
struct spelling {
    const struct shape *load;
    VEC(int64_t) word;
    VEC(const struct var *) var;
};

static void spell(struct spelling *spelling, int64_t word)
{
    VEC_PUSH(spelling->load->arena, &spelling->word, word);
}

/* What is known of a variable follows its number where it is new. */
static void spell_var(struct spelling *spelling, const struct var *var)
{
    int64_t low, high;
    int k = 0;

    if (var->kind == VAR_PARAM) {
        spell(spelling, -1 - var->id);
        return;
    }
    while (k < spelling->var.n && spelling->var.at[k] != var)
        k++;
    spell(spelling, k);
    if (k < spelling->var.n)
        return;
    VEC_PUSH(spelling->load->arena, &spelling->var, var);
    shape_range(spelling->load, var, &low, &high);
    spell(spelling, low);
    spell(spelling, high);
}

static void spell_affine(struct spelling *spelling, const struct affine *affine)
{
    spell(spelling, affine ? affine->n_term : -1);
    if (!affine)
        return;
    spell(spelling, affine->constant);
    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        spell(spelling, affine->term[k].factor);
        spell(spelling, atom->kind);
        if (atom->kind == ATOM_VAR)
            spell_var(spelling, atom->var);
        spell(spelling, atom->n_arg);
        spell(spelling, atom->divisor);
        for (int a = 0; a < atom->n_arg; a++)
            spell_affine(spelling, atom->arg[a]);
    }
}

static void spell_conditions(struct spelling *spelling, const struct condition *condition, int n)
{
    spell(spelling, n);
    for (int k = 0; k < n; k++) {
        spell(spelling, condition[k].equal);
        spell_affine(spelling, condition[k].affine);
    }
}

/* All that stored_where looks at. */
static struct load_in_parts spelt(const struct shape *load, const stored_part_vec *parts)
{
    struct spelling spelling = {load, {0}, {0}};

    spell_conditions(&spelling, load->condition.at, load->condition.n);
    spell_conditions(&spelling, load->implied.at, load->implied.n);
    spell(&spelling, load->n_least);
    spell(&spelling, load->limit.n);
    for (int k = 0; k < load->limit.n; k++) {
        spell(&spelling, load->limit.at[k]->none);
        spell(&spelling, load->limit.at[k]->n_alternative);
    }
    spell(&spelling, load->choice.n);
    for (int k = 0; k < load->choice.n; k++)
        spell_conditions(&spelling, load->choice.at[k].condition, load->choice.at[k].n);
    for (int k = 0; k < parts->n; k++) {
        spell(&spelling, parts->at[k].some);
        spell_conditions(&spelling, parts->at[k].condition.at, parts->at[k].condition.n);
    }
    return (struct load_in_parts){spelling.word.at, spelling.word.n, false};
}

bool stored_by_parts(struct arena *arena, const struct shape *load, const stored_part_vec *parts)
{
    struct load_in_parts own;

    if (parts->n == 0 || stored_misses(load, parts))
        return false;
    own = spelt(load, parts);
    for (int k = 0; load->in_parts && k < load->in_parts->n; k++) {
        const struct load_in_parts *other = &load->in_parts->at[k];
        if (other->n == own.n && memcmp(other->word, own.word, (size_t)own.n * sizeof(*own.word)) == 0)
            return other->has_all;
    }
    own.has_all = stored_where(arena, load, parts, &(struct taken){{0}, MOST_CASES});
    if (load->in_parts)
        VEC_PUSH(load->arena, load->in_parts, own);
    return own.has_all;
}
