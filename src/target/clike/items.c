#include "target/clike/items.h"

#include <stdlib.h>

static int affine_rank(const struct affine *affine)
{
    int rank = 0;

    for (int k = 0; k < affine->n_term; k++) {
        const struct summand item = {.factor = 1, .atom = affine->term[k].atom};
        const int inner = summand_rank(&item);
        rank = inner > rank ? inner : rank;
    }
    return rank;
}

int summand_rank(const struct summand *item)
{
    int rank = 0;

    if (!item->atom)
        return affine_rank(item->operand);
    if (item->atom->kind == ATOM_VAR)
        return item->atom->var->kind == VAR_PARAM ? 0 : item->atom->var->id + 1;
    for (int k = 0; k < item->atom->n_arg; k++) {
        const int inner = affine_rank(item->atom->arg[k]);
        rank = inner > rank ? inner : rank;
    }
    return rank;
}

/* Positive before negative, loops from the outermost, parameters last. */
static int summand_order(const struct summand *a, const struct summand *b)
{
    const int a_rank = summand_rank(a), b_rank = summand_rank(b);

    if ((a->factor > 0) != (b->factor > 0))
        return a->factor > 0 ? -1 : 1;
    if (!a_rank || !b_rank)
        return (a_rank == 0) - (b_rank == 0);
    return a_rank - b_rank;
}

static void add_item(struct items *items, struct summand item)
{
    int at = items->n++;

    for (; at > 0 && summand_order(&items->item[at - 1], &item) > 0; at--)
        items->item[at] = items->item[at - 1];
    items->item[at] = item;
    items->n_positive += item.factor > 0;
}

/* Is k * (operand - divisor * floor) part of affine? Then what remains of it, else NULL. */
static const struct affine *without_rest(struct arena *arena, const struct affine *affine, const struct affine *operand,
                                         const struct atom *floor, int64_t divisor, int64_t k)
{
    const struct affine *rest = affine_combine(arena, operand, 1, affine_atom(arena, floor), -divisor);
    const struct affine *remaining = affine_sub(arena, affine, affine_scale(arena, rest, k));

    return remaining && remaining->n_term == affine->n_term - 1 - operand->n_term ? remaining : NULL;
}

/* floor((e + b * c) / (b * m)) with a term floor(e / b): the latter plus c is the operand of % m. */
static const struct affine *inner_quotient(struct arena *arena, const struct affine *affine, const struct atom *outer,
                                           int64_t *divisor)
{
    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *inner = affine->term[k].atom;
        if (inner->kind != ATOM_FLOOR || inner == outer || outer->divisor % inner->divisor)
            continue;
        const struct affine_term *term = ARENA_NEW(arena, struct affine_term);
        struct affine *operand = ARENA_NEW(arena, struct affine);
        *(struct affine_term *)term = (struct affine_term){1, inner};
        *operand = (struct affine){floor_div(outer->arg[0]->constant, inner->divisor), 1, term};
        *divisor = outer->divisor / inner->divisor;
        const struct affine *floor = affine_floor(arena, operand, *divisor);
        if (floor && floor->n_term == 1 && !floor->constant && floor->term[0].factor == 1 &&
            affine_equal(floor->term[0].atom->arg[0], outer->arg[0]))
            return operand;
    }
    return NULL;
}

/* Takes one k * (operand % divisor) out of *affine that involves the term's floor. */
static bool take_rest(struct arena *arena, struct items *items, const struct affine **affine,
                      const struct affine_term *term)
{
    const struct atom *atom = term->atom;
    const struct affine *operand = atom->kind == ATOM_FLOOR ? atom->arg[0] : NULL;
    int64_t divisor = atom->divisor;

    for (int attempt = 0; operand && attempt < 2; attempt++) {
        const int64_t k = -(term->factor / divisor);
        const struct affine *remaining =
            term->factor % divisor ? NULL : without_rest(arena, *affine, operand, atom, divisor, k);
        if (remaining) {
            add_item(items, (struct summand){k, NULL, false, operand, divisor, atom->plain});
            *affine = remaining;
            return true;
        }
        operand = inner_quotient(arena, *affine, atom, &divisor);
    }
    return false;
}

static bool always(void *user, const struct affine *affine)
{
    (void)user;
    (void)affine;
    return true;
}

/* v - 9 * (v / 8) reads better as v % 8 - v / 8. */
static bool take_part(struct arena *arena, struct items *items, const struct affine **affine,
                      const struct affine_term *term)
{
    const struct atom *atom = term->atom;
    const struct affine *operand = atom->kind == ATOM_FLOOR && atom->plain ? atom->arg[0] : NULL;
    const struct affine *rest, *remaining;
    int64_t k, part, left;

    if (!operand || operand->n_term != 1 || operand->constant || operand->term[0].atom->kind != ATOM_VAR)
        return false;
    k = affine_factor(*affine, operand->term[0].atom->var);
    if (__builtin_mul_overflow(k, atom->divisor, &part) || __builtin_add_overflow(term->factor, part, &left) ||
        left == INT64_MIN || llabs(left) >= llabs(term->factor))
        return false;
    rest = affine_mark_plain(arena, affine_mod(arena, operand, atom->divisor), always, NULL);
    remaining = affine_sub(arena, *affine, affine_scale(arena, rest, k));
    if (!remaining || remaining->n_term != (*affine)->n_term - 1)
        return false;
    add_item(items, (struct summand){k, NULL, false, operand, atom->divisor, true});
    *affine = remaining;
    return true;
}

static bool take_any_rest(struct arena *arena, struct items *items, const struct affine **affine)
{
    const struct affine *whole = *affine;

    for (int k = 0; k < whole->n_term; k++)
        if (take_rest(arena, items, affine, &whole->term[k]))
            return true;
    for (int k = 0; k < whole->n_term; k++)
        if (take_part(arena, items, affine, &whole->term[k]))
            return true;
    return false;
}

/* d * (v / d) of a variable v reads better as v - v % d. */
static bool is_multiple(const struct affine_term *term)
{
    const struct atom *atom = term->atom;

    return atom->kind == ATOM_FLOOR && atom->plain && term->factor == atom->divisor && !atom->arg[0]->constant &&
           atom->arg[0]->n_term == 1 && atom->arg[0]->term[0].factor == 1 &&
           atom->arg[0]->term[0].atom->kind == ATOM_VAR;
}

struct items items_of(struct arena *arena, const struct affine *affine)
{
    struct items items = {ARENA_ARRAY(arena, affine->n_term, struct summand), 0, 0, 0};

    while (take_any_rest(arena, &items, &affine))
        continue;
    for (int k = 0; k < affine->n_term; k++) {
        const struct affine_term *term = &affine->term[k];
        struct summand summand = {.factor = term->factor, .atom = term->atom};
        if (is_multiple(term)) {
            summand.factor = 1;
            summand.multiple = true;
        }
        add_item(&items, summand);
    }
    items.constant = affine->constant;
    return items;
}
