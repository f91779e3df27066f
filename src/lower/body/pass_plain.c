/* Pass "plain": floor divisions in subscripts. What loops over tiles contribute to them is taken out,
 *     4 * floor((i + ii) / 4) is i for i = 0, 4, .. and 0 <= ii < 4, also where i + ii has a name,
 *     (r - i / 64) % 3 is (r - i) % 3 for i = 0, 64, ..
 * minima and maxima that one side decides are that side, max(0, i - 1) where i starts at 1,
 * what chooses by a condition is what it chooses where that is known (lower/body/decide.h),
 * terms of an address that cancel are removed (lower/body/flat.h),
 * names are replaced by their values where these cancel, i_S - i - ii by 2 with i_S = i + ii + 2,
 * and the others are marked where their operand is never negative: C's `/` and `%` round those the same way.
 * (Those of loops and conditions are marked before, in pass "finish".) */
#include "lower/body/decide.h"
#include "lower/body/flat.h"
#include "lower/facts/relation.h"
#include "lower/tiles/refine_bound.h"

#include "tree/visit.h"

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

/* Does factor * v have the same remainder modulo divisor at every iteration? *even is it less that remainder. */
static bool has_remainder(const struct facts *facts, const struct affine_term *term, int64_t divisor,
                          const struct affine **even)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *value, *remainder;
    int64_t constant;

    if (term->atom->kind != ATOM_VAR || term->atom->var->kind == VAR_PARAM)
        return false;
    value = affine_scale(arena, affine_var(arena, term->atom->var), term->factor);
    remainder = affine_mod(arena, value, divisor);
    if (!remainder || !facts_constant(facts, remainder, &constant))
        return false;
    *even = affine_add_constant(arena, value, -constant);
    return true;
}

/* a / divisor where that is whole, with a multiple of the divisor as factor: no floor is left. */
static const struct affine *exact_quotient(struct arena *arena, const struct affine *a, int64_t divisor, int64_t factor)
{
    return factor % divisor == 0 ? affine_scale(arena, a, factor / divisor)
                                 : affine_scale(arena, affine_floor(arena, a, divisor), factor);
}

/* floor((k + kk) / divisor) is floor(k / divisor) for k = 0, g, 2 g, .. and 0 <= kk < g, where g divides the divisor;
 * NULL: the operand does not split up so. */
static const struct affine *without_small(const struct facts *facts, const struct affine *operand, int64_t divisor,
                                          int64_t g)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *whole = affine_constant(arena, 0), *rest = operand, *even;
    int64_t value;

    for (int k = 0; k < operand->n_term; k++) {
        if (!has_remainder(facts, &operand->term[k], g, &even))
            continue;
        whole = affine_add(arena, whole, even);
        rest = affine_sub(arena, rest, even);
    }
    rest = affine_floor(arena, rest, g);
    if (!rest || !whole || whole->n_term == 0 || !facts_constant(facts, rest, &value))
        return NULL;
    return affine_floor(arena, affine_add_constant(arena, whole, value * g), divisor);
}

/* The same for what turns by the iterations of a tiled loop, through 2 numbers or, where it is no remainder of the
 * operand itself, up to TURNS; NULL: it does not. */
static const struct affine *turning(const struct facts *facts, const struct affine_term *floor)
{
    enum { TURNS = 16 };
    const struct affine *operand = floor->atom->arg[0], *turn = NULL;
    const int64_t divisor = floor->atom->divisor, most = floor->factor % divisor != 0 ? TURNS : 2;

    for (int64_t n = 2; n <= most && !turn && operand->n_term > 1; n++)
        turn = divisor % n == 0 && n < divisor ? without_small(facts, operand, divisor, divisor / n) : NULL;
    return turn;
}

/* factor * floor(operand / divisor) without the floor where what does not divide exactly has one value:
 * floor((i + ii + 2) / 4) is floor((i - 2) / 4) + 1 for i = 2, 6, .. and 0 <= ii < 4. */
static const struct affine *take_out(const struct facts *facts, const struct affine_term *floor)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t divisor = floor->atom->divisor;
    const struct affine *operand = floor->atom->arg[0], *whole = affine_constant(arena, 0), *rest = operand;
    const struct affine *even, *turn;
    int64_t value;
    bool one;

    for (int k = 0; k < operand->n_term; k++) {
        if (!has_remainder(facts, &operand->term[k], divisor, &even))
            continue;
        whole = affine_add(arena, whole, even);
        rest = affine_sub(arena, rest, even);
    }
    rest = affine_floor(arena, rest, divisor);
    one = rest && facts_constant(facts, rest, &value);
    turn = one ? NULL : turning(facts, floor);
    if (one)
        rest = affine_constant(arena, value);
    else if (turn)
        return affine_scale(arena, turn, floor->factor);
    else if (floor->factor % divisor != 0)
        return affine_scale(arena, affine_floor(arena, operand, divisor), floor->factor);
    return affine_add(arena, exact_quotient(arena, whole, divisor, floor->factor),
                      affine_scale(arena, rest, floor->factor));
}

/* Is the atom floor(v / divisor) of a variable v, a multiple of the divisor at every iteration? */
static bool is_whole_quotient(const struct facts *facts, const struct atom *atom)
{
    const struct affine *operand = atom->kind == ATOM_FLOOR ? atom->arg[0] : NULL, *even;

    return operand && operand->n_term == 1 && operand->constant == 0 && operand->term[0].factor == 1 &&
           has_remainder(facts, &operand->term[0], atom->divisor, &even) && affine_equal(even, operand);
}

/* a with v = 4 * floor(v / 4) put in for v = 0, 4, .. where it has that floor, too; unless all, only where both go. */
static const struct affine *with_quotients(const struct facts *facts, const struct affine *a, bool all)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *result = a;

    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        for (int v = 0; v < a->n_term && is_whole_quotient(facts, atom); v++) {
            const struct affine_term *term = &a->term[v];
            const struct affine *whole;
            if (term->atom->kind != ATOM_VAR || term->atom->var != atom->arg[0]->term[0].atom->var ||
                (!all && a->term[k].factor % atom->divisor != 0) ||
                (!all && a->term[k].factor / atom->divisor != -term->factor))
                continue;
            whole = affine_scale(arena, affine_floor(arena, atom->arg[0], atom->divisor), atom->divisor);
            whole = affine_sub(arena, whole, affine_var(arena, term->atom->var));
            result = affine_add(arena, result, affine_scale(arena, whole, term->factor));
        }
    }
    return result;
}

/* Is term -factor * e * floor(v / (divisor * e)), and that always whole? */
static bool takes_off(const struct facts *facts, const struct affine_term *term, const struct affine *v, int64_t factor,
                      int64_t divisor)
{
    return is_whole_quotient(facts, term->atom) && affine_equal(term->atom->arg[0], v) &&
           term->atom->divisor % divisor == 0 && term->factor == -factor * (term->atom->divisor / divisor);
}

/* floor((v + r) / d) - e * floor(v / (d * e)) is floor(r / d) for v = 0, d * e, .. */
static const struct affine *without_outer(const struct facts *facts, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;

    for (int k = 0; a && k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const int64_t factor = a->term[k].factor;
        for (int t = 0; atom->kind == ATOM_FLOOR && t < atom->arg[0]->n_term; t++) {
            const struct affine_term *term = &atom->arg[0]->term[t];
            const struct affine *v = term->atom->kind == ATOM_VAR ? affine_var(arena, term->atom->var) : NULL, *both;
            for (int l = 0; v && term->factor == 1 && l < a->n_term; l++) {
                if (!takes_off(facts, &a->term[l], v, factor, atom->divisor))
                    continue;
                both = affine_sub(arena, affine_floor(arena, affine_sub(arena, atom->arg[0], v), atom->divisor),
                                  affine_floor(arena, atom->arg[0], atom->divisor));
                both = affine_scale(arena, both, factor);
                return affine_sub(arena, affine_add(arena, a, both),
                                  affine_scale(arena, affine_floor(arena, v, a->term[l].atom->divisor),
                                               a->term[l].factor));
            }
        }
    }
    return a;
}

static int64_t factor_of(const struct affine *a, const struct atom *atom)
{
    for (int k = 0; k < a->n_term; k++)
        if (atom_compare(a->term[k].atom, atom) == 0)
            return a->term[k].factor;
    return 0;
}

/* The smallest number n with n * size - factor a multiple of the divisor; 0: none is small. */
static int64_t same_remainder(int64_t factor, int64_t size, int64_t divisor)
{
    enum { MOST_TIMES = 64 };

    if (factor < INT32_MIN || factor > INT32_MAX || size > INT32_MAX)
        return 0;
    for (int64_t n = 1; n < divisor && n <= MOST_TIMES; n++) {
        if ((n * size - factor) % divisor == 0)
            return n;
        if ((n * size + factor) % divisor == 0)
            return -n;
    }
    return 0;
}

/* a with multiples of v in the place of the quotient of v = 0, s, .. in the operands of floors; NULL: some quotient is
 * left. (r - v / 64) % 3 is (r - v) % 3, as 64 is 1 modulo 3. */
static const struct affine *with_variable(struct arena *arena, const struct affine *a, const struct atom *quotient)
{
    const struct affine *q = affine_floor(arena, quotient->arg[0], quotient->divisor), *result = a;
    const struct affine *v = quotient->arg[0];
    int64_t left;

    for (int k = 0; k < a->n_term && result; k++) {
        const struct atom *atom = a->term[k].atom;
        const int64_t factor = atom->kind == ATOM_FLOOR ? factor_of(atom->arg[0], quotient) : 0;
        const int64_t n = factor ? same_remainder(factor, quotient->divisor, atom->divisor) : 0;
        const struct affine *operand, *floor;
        if (n == 0)
            continue;
        operand = affine_combine(arena, affine_combine(arena, atom->arg[0], 1, q, -factor), 1, v, n);
        floor = affine_combine(arena, affine_floor(arena, operand, atom->divisor), 1, q,
                               -((n * quotient->divisor - factor) / atom->divisor));
        floor = affine_sub(arena, floor, affine_floor(arena, atom->arg[0], atom->divisor));
        result = affine_combine(arena, result, 1, floor, a->term[k].factor);
    }
    left = result ? factor_of(result, quotient) : 0;
    if (!result || left % quotient->divisor != 0)
        return NULL;
    return affine_combine(arena, affine_combine(arena, result, 1, q, -left), 1, v, left / quotient->divisor);
}

/* a without quotients of v = 0, s, .. in operands of floors, where it is shorter so. */
static const struct affine *without_quotients(const struct facts *facts, const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        for (int t = 0; atom->kind == ATOM_FLOOR && t < atom->arg[0]->n_term; t++) {
            const struct atom *quotient = atom->arg[0]->term[t].atom;
            const struct affine *other =
                is_whole_quotient(facts, quotient) ? with_variable(facts->lowering->arena, a, quotient) : NULL;
            if (other && affine_terms(other) < affine_terms(a))
                return other;
        }
    }
    return a;
}

static const struct affine *without_tiles(const struct facts *facts, const struct affine *a);

/* a with simpler operands of floors that have floors in them. */
static const struct affine *without_inner_tiles(const struct facts *facts, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *result = a;

    for (int k = 0; k < a->n_term && result; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct affine *operand, *floor;
        if (atom->kind != ATOM_FLOOR || !affine_has_floor(atom->arg[0]))
            continue;
        operand = without_tiles(facts, atom->arg[0]);
        operand = operand ? with_quotients(facts, operand, true) : NULL;
        floor = affine_sub(arena, affine_floor(arena, operand, atom->divisor),
                           affine_floor(arena, atom->arg[0], atom->divisor));
        result = affine_add(arena, result, affine_scale(arena, floor, a->term[k].factor));
    }
    return result;
}

static const struct affine *without_tiles(const struct facts *facts, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *inner = without_inner_tiles(facts, a), *result = inner;

    for (int k = 0; inner && k < inner->n_term && result; k++) {
        const struct atom *atom = inner->term[k].atom;
        const struct affine *floor;
        if (atom->kind != ATOM_FLOOR)
            continue;
        floor = affine_floor(arena, atom->arg[0], atom->divisor);
        result = affine_sub(arena, result, affine_scale(arena, floor, inner->term[k].factor));
        result = affine_add(arena, result, take_out(facts, &inner->term[k]));
    }
    return result && affine_has_floor(result) ? without_outer(facts, with_quotients(facts, result, false)) : result;
}

/* One exact division, where that is shorter: jj / 64 for (j + jj + v) / 64 - 32 * (j / 2048). */
static const struct affine *shortest(const struct surroundings *around, const struct affine *a)
{
    const struct affine *quotient;

    if (!affine_has_moving_floor(a))
        return a;
    quotient = surroundings_expand(around, a);
    quotient = quotient ? relation_quotient(around->facts, quotient) : NULL;
    return quotient && affine_terms(quotient) < affine_terms(a) ? quotient : a;
}

static bool is_size(const struct var *var, const void *user)
{
    (void)user;
    return var->kind == VAR_PARAM;
}

/* By fewer terms; of as many, the one in loops and not in sizes, (j / 8) % 2 and not (M / 8) % 2 in the last tile. */
static bool is_simpler(const struct affine *a, const struct affine *b)
{
    const int n = affine_terms(a), n_b = affine_terms(b);

    return n < n_b || (n == n_b && (!affine_any_var(a, is_size, NULL) || affine_any_var(b, is_size, NULL)));
}

static const struct affine *simplest(const struct surroundings *around, const struct affine *a)
{
    const struct affine *simpler = without_tiles(around->facts, a), *other;

    if (!simpler || !affine_has_floor(simpler))
        return simpler;
    other = surroundings_expand(around, a);
    other = other ? without_tiles(around->facts, other) : NULL;
    return other && (!affine_has_floor(other) || is_simpler(other, simpler)) ? other : simpler;
}

static bool is_extreme(const struct atom *atom)
{
    return atom->kind == ATOM_MIN || atom->kind == ATOM_MAX;
}

static const struct affine *without_extremes(const struct facts *facts, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *result = a;

    for (int k = 0; k < a->n_term && result; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct affine *whole, *change;
        if (!is_extreme(atom))
            continue;
        whole = affine_extreme(arena, atom->kind, atom->arg, atom->n_arg);
        change = affine_sub(arena, refine_bound(facts, whole), whole);
        result = affine_add(arena, result, affine_scale(arena, change, a->term[k].factor));
    }
    return result;
}

/* a with the values of names in their place, where that has fewer terms: 2 for i_S - i - ii with i_S = i + ii + 2. */
static const struct affine *without_names(const struct surroundings *around, const struct affine *a)
{
    const struct affine *expanded = surroundings_expand(around, a);

    return expanded && affine_terms(expanded) < affine_terms(a) ? expanded : a;
}

static const struct affine *mark(struct arena *arena, const struct affine *a, void *user)
{
    const struct surroundings *around = user;
    const struct affine *decided = without_extremes(around->facts, a);
    const struct affine *simpler = decided ? simplest(around, decided) : NULL;

    simpler = simpler ? without_quotients(around->facts, without_names(around, simpler)) : NULL;
    simpler = simpler ? affine_alternate(arena, shortest(around, simpler)) : NULL;
    return simpler ? affine_mark_plain(arena, simpler, non_negative, (void *)(uintptr_t)around->facts) : NULL;
}

static bool is_name(const struct atom *atom)
{
    return atom->kind == ATOM_VAR && atom->var->kind == VAR_VALUE;
}

static const struct affine *note_atoms(struct arena *arena, const struct affine *a, void *user)
{
    bool *found = user;

    (void)arena;
    *found = *found || affine_has_floor(a);
    for (int k = 0; k < a->n_term; k++)
        *found = *found || is_extreme(a->term[k].atom) || (a->n_term > 1 && is_name(a->term[k].atom));
    return a;
}

/* Do subscripts below node, or names they may use, divide at all, or have minima or maxima, or names beside other
 * terms? */
static bool has_work(const struct lowering *lowering, const struct node *node)
{
    bool found = node->kind == NODE_VALUE && affine_has_moving_floor(node->lower);

    if (node->kind == NODE_ASSIGN) {
        node_map_own(lowering->arena, node, note_atoms, &found);
        found = found || decide_has_work(lowering->arena, node);
    }
    for (int k = 0; k < node->n_child && !found; k++)
        found = has_work(lowering, node->child[k]);
    return found;
}

static const struct node *walk(const struct surroundings *around, const struct node *node)
{
    struct arena *arena = around->facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (!has_work(around->facts->lowering, node))
        return node;
    if (node->kind == NODE_ASSIGN) {
        node = decide_subscripts(around->facts, node);
        node = node ? decide_values(around->facts, node) : NULL;
        return node ? flat_subscripts(around, node_map_own(arena, node, mark, (void *)(uintptr_t)around)) : NULL;
    }
    for (int k = 0; k < node->n_child; k++) {
        struct facts facts = *around->facts;
        const struct surroundings inside = {&facts, node->kind == NODE_VALUE ? node : NULL, around};
        facts_enter(&facts, node, k);
        child[k] = walk(&inside, node->child[k]);
    }
    node = node_with_children(arena, node, child);
    if (node && node->kind == NODE_VALUE && !node_uses(node->child[0], node->var))
        return node_substitute(arena, node->child[0], node->var, node->lower);
    return node;
}

const struct node *lower_plain(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);
    const struct surroundings around = {&facts, NULL, NULL};
    const struct node *marked = walk(&around, tree);

    return marked;
}
