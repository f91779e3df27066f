#include "lower/facts/witness.h"

#include <isl/val.h>

enum { MOST = 96, CHOICES = 3, N_MIXED = 16 };

static bool value_of_var(const struct witness *witness, const struct var *var, int64_t *value)
{
    while (witness && witness->var != var)
        witness = witness->outer;
    if (witness)
        *value = witness->value;
    return witness != NULL;
}

static bool value_of_atom(const struct witness *witness, const struct atom *atom, int64_t *value)
{
    if (atom->kind == ATOM_VAR)
        return value_of_var(witness, atom->var, value);
    if (!witness_value(witness, atom->arg[0], value))
        return false;
    if (atom->kind == ATOM_FLOOR)
        *value = floor_div(*value, atom->divisor);
    for (int k = 1; k < atom->n_arg; k++) {
        int64_t next;
        if (!witness_value(witness, atom->arg[k], &next))
            return false;
        if ((next < *value) == (atom->kind == ATOM_MIN))
            *value = next;
    }
    return true;
}

bool witness_value(const struct witness *witness, const struct affine *a, int64_t *value)
{
    *value = a->constant;
    for (int k = 0; k < a->n_term; k++) {
        int64_t term;
        if (!value_of_atom(witness, a->term[k].atom, &term) || __builtin_mul_overflow(term, a->term[k].factor, &term) ||
            __builtin_add_overflow(*value, term, value))
            return false;
    }
    return true;
}

/* Is it sure whether condition holds, and does it? */
static bool decide(const struct witness *witness, const struct condition *condition, bool *holds)
{
    int64_t value;

    if (!condition->affine || !witness_value(witness, condition->affine, &value))
        return false;
    *holds = condition->equal ? value == 0 : value >= 0;
    return true;
}

bool witness_holds(const struct witness *witness, const struct condition *condition)
{
    bool holds;

    return decide(witness, condition, &holds) && holds;
}

static bool decide_any(const struct witness *witness, const struct guard *alternative, int n, bool *any)
{
    *any = false;
    for (int k = 0; k < n; k++) {
        bool all = true;
        for (int c = 0; c < alternative[k].n; c++) {
            bool holds;
            if (!decide(witness, &alternative[k].condition[c], &holds))
                return false;
            all = all && holds;
        }
        *any = *any || all;
    }
    return true;
}

bool witness_holds_any(const struct witness *witness, const struct guard *alternative, int n)
{
    bool any;

    return decide_any(witness, alternative, n, &any) && any;
}

/* Room for the witnesses that a question leaves, n of them at most. */
static const struct witness **room(struct arena *arena, int n)
{
    return ARENA_ARRAY(arena, n + 1, const struct witness *);
}

struct witnesses witnesses_where(struct arena *arena, struct witnesses all, const struct condition *condition)
{
    const struct witness **at = room(arena, all.n);
    int n = 0;

    for (int k = 0; k < all.n; k++)
        if (witness_holds(all.at[k], condition))
            at[n++] = all.at[k];
    return (struct witnesses){at, n};
}

struct witnesses witnesses_in_branch(struct arena *arena, struct witnesses all, const struct guard *alternative, int n,
                                     bool holds)
{
    const struct witness **at = room(arena, all.n);
    int kept = 0;

    for (int k = 0; k < all.n; k++) {
        bool any;
        if (decide_any(all.at[k], alternative, n, &any) && any == holds)
            at[kept++] = all.at[k];
    }
    return (struct witnesses){at, kept};
}

const struct witness *witness_with(struct arena *arena, const struct witness *outer, const struct var *var,
                                   int64_t value)
{
    struct witness *witness = ARENA_NEW(arena, struct witness);

    *witness = (struct witness){outer, var, value};
    return witness;
}

struct witnesses witnesses_with_value(struct arena *arena, struct witnesses outer, const struct node *value)
{
    const struct witness **at = room(arena, outer.n);
    int64_t number;
    int n = 0;

    for (int k = 0; k < outer.n; k++)
        if (witness_value(outer.at[k], value->lower, &number))
            at[n++] = witness_with(arena, outer.at[k], value->var, number);
    return (struct witnesses){at, n};
}

/* A number that is not like that of the next a or b. */
static int mix(int a, int b)
{
    return (int)(((unsigned)a * 2654435761u + (unsigned)b * 40503u) >> 16);
}

/* The first or last value of the loop there, or any; false when it has none. */
static bool loop_value(const struct witness *outer, const struct node *loop, int choice, int any, int64_t *value)
{
    int64_t first, last, count;

    if (!witness_value(outer, loop->lower, &first) || !witness_value(outer, loop->upper, &last) ||
        __builtin_sub_overflow(last, first, &count) || (loop->step > 0 ? count < 0 : count > 0))
        return false;
    count /= loop->step;
    *value = first + loop->step * (choice == 0 ? 0 : choice == 1 ? count : any % (count + 1));
    return choice == 0 || count >= choice;
}

/* Of each outer witness as many of the loop's values as there is room for, starting with one that depends on its
 * place. */
struct witnesses witnesses_in_loop(struct arena *arena, struct witnesses outer, const struct node *loop)
{
    const struct witness **at = room(arena, MOST);
    int64_t value;
    int n = 0;

    for (int round = 0; round < CHOICES; round++)
        for (int k = 0; k < outer.n && n < MOST; k++) {
            const int mixed = mix(k, loop->var->id);
            if (loop_value(outer.at[k], loop, (mixed + round) % CHOICES, mixed / CHOICES, &value))
                at[n++] = witness_with(arena, outer.at[k], loop->var, value);
        }
    return (struct witnesses){at, n};
}

static bool is_in(__isl_keep isl_set *context, const struct witness *witness, int n_param)
{
    isl_set *set = isl_set_copy(context);
    bool inside;

    for (int k = n_param - 1; k >= 0; k--, witness = witness->outer)
        set = isl_set_fix_val(set, isl_dim_param,
                              (unsigned)isl_set_find_dim_by_name(set, isl_dim_param, witness->var->name),
                              isl_val_int_from_si(isl_set_get_ctx(context), witness->value));
    inside = isl_set_is_empty(set) == isl_bool_false;
    isl_set_free(set);
    return inside;
}

/* All sizes the same, every other one a bit larger; NULL where the context does not allow that. */
static const struct witness *with_sizes(struct arena *arena, __isl_keep isl_set *context,
                                        const struct var *const *param_var, int n_param, int64_t size, int64_t more)
{
    const struct witness *witness = NULL;

    for (int k = 0; k < n_param; k++)
        witness = witness_with(arena, witness, param_var[k], size + k % 2 * more);
    return is_in(context, witness, n_param) ? witness : NULL;
}

/* Sizes that have nothing to do with each other, so that tiles end in many ways. */
static const struct witness *with_mixed_sizes(struct arena *arena, __isl_keep isl_set *context,
                                              const struct var *const *param_var, int n_param, int round)
{
    static const int most[] = {40, 300, 2500, 20000};
    const struct witness *witness = NULL;

    for (int k = 0; k < n_param; k++)
        witness = witness_with(arena, witness, param_var[k], mix(round + 1, k) % most[round % 4]);
    return is_in(context, witness, n_param) ? witness : NULL;
}

struct witnesses witnesses_of_params(struct arena *arena, __isl_keep isl_set *context,
                                     const struct var *const *param_var, int n_param)
{
    static const int64_t sizes[] = {0, 1, 3, 4, 7, 37, 64, 205, 1000, 4999, 100003};
    static const int64_t multiples[] = {256, 4096, 12288, 80640}; /* where sizes have to be divisible */
    const int n_size = (int)(sizeof(sizes) / sizeof(sizes[0]));
    const int n_multiple = (int)(sizeof(multiples) / sizeof(multiples[0]));
    const struct witness **at = room(arena, n_size + N_MIXED);
    int n = 0;

    if (n_param == 0)
        return (struct witnesses){at, is_in(context, NULL, 0)};
    for (int k = 0; k < n_size; k++)
        n += (at[n] = with_sizes(arena, context, param_var, n_param, sizes[k], 1)) != NULL;
    for (int k = 0; k < N_MIXED; k++)
        n += (at[n] = with_mixed_sizes(arena, context, param_var, n_param, k)) != NULL;
    for (int k = 0, none = n == 0; k < n_multiple && none; k++)
        n += (at[n] = with_sizes(arena, context, param_var, n_param, multiples[k], 0)) != NULL;
    return (struct witnesses){at, n};
}
