/* Pass "plain": floor divisions in subscripts. What loops over tiles contribute to them is taken out,
 *     4 * floor((i + ii) / 4) is i for i = 0, 4, .. and 0 <= ii < 4, also where i + ii has a name,
 * what cancels in an address goes (lower/flat.h),
 * and the others are marked where their operand is never negative: C's `/` and `%` round those the same way.
 * (Those of loops and conditions are marked before, in pass "finish".) */
#include "lower/flat.h"

#include "tree/visit.h"

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

/* factor * v, where that is a multiple of the divisor at every iteration. */
static bool is_multiple(const struct facts *facts, const struct affine_term *term, int64_t divisor)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *value;
    struct condition whole;

    if (term->atom->kind != ATOM_VAR || term->atom->var->kind == VAR_PARAM)
        return false;
    value = affine_scale(arena, affine_var(arena, term->atom->var), term->factor);
    whole = (struct condition){affine_mod(arena, value, divisor), true};
    return whole.affine && facts_imply_condition(facts, &whole);
}

/* floor((k + kk) / divisor) is floor(k / divisor) for k = 0, g, 2 g, .. and 0 <= kk < g, where g divides the divisor;
 * NULL when operand does not split up so. */
static const struct affine *without_small(const struct facts *facts, const struct affine *operand, int64_t divisor,
                                          int64_t g)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *multiple = affine_constant(arena, 0), *small;
    int64_t value;

    for (int k = 0; k < operand->n_term; k++)
        if (is_multiple(facts, &operand->term[k], g))
            multiple = affine_add(arena, multiple, affine_scale(arena, affine_var(arena, operand->term[k].atom->var),
                                                                operand->term[k].factor));
    small = affine_floor(arena, affine_sub(arena, operand, multiple), g);
    if (!small || multiple->n_term == 0 || !facts_constant(facts, small, &value))
        return NULL;
    return affine_floor(arena, affine_add_constant(arena, multiple, value * g), divisor);
}

static const struct affine *simple_floor(const struct facts *facts, const struct affine *operand, int64_t divisor)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *floor = affine_floor(arena, operand, divisor), *simple = NULL;
    int64_t value;

    if (!floor || facts_constant(facts, floor, &value))
        return floor ? affine_constant(arena, value) : NULL;
    if (operand->n_term + (operand->constant != 0) > 1)
        simple = without_small(facts, operand, divisor, divisor);
    if (operand->n_term + (operand->constant != 0) > 1 && !simple && divisor % 2 == 0)
        simple = without_small(facts, operand, divisor, divisor / 2);
    return simple ? simple : floor;
}

/* factor * floor(operand / divisor) without what divides exactly, and without the floor where it has one value. */
static const struct affine *take_out(const struct facts *facts, const struct affine_term *floor)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t divisor = floor->atom->divisor;
    const struct affine *operand = floor->atom->arg[0], *whole = affine_constant(arena, 0), *rest = operand;

    for (int k = 0; k < operand->n_term; k++) {
        const struct affine_term *term = &operand->term[k];
        const struct affine *var;
        if (floor->factor * term->factor % divisor != 0 || !is_multiple(facts, term, divisor))
            continue;
        var = affine_var(arena, term->atom->var);
        whole = affine_add(arena, whole, affine_scale(arena, var, floor->factor * term->factor / divisor));
        rest = affine_sub(arena, rest, affine_scale(arena, var, term->factor));
    }
    rest = rest ? simple_floor(facts, rest, divisor) : NULL;
    return affine_add(arena, whole, affine_scale(arena, rest, floor->factor));
}

static const struct affine *without_tiles(const struct facts *facts, const struct affine *a)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *result = a;

    for (int k = 0; k < a->n_term && result; k++) {
        const struct atom *atom = a->term[k].atom;
        const struct affine *floor;
        if (atom->kind != ATOM_FLOOR)
            continue;
        floor = affine_floor(arena, atom->arg[0], atom->divisor);
        result = affine_sub(arena, result, affine_scale(arena, floor, a->term[k].factor));
        result = affine_add(arena, result, take_out(facts, &a->term[k]));
    }
    return result;
}

static int count_terms(const struct affine *a)
{
    int n = a->n_term + (a->constant != 0);

    for (int k = 0; k < a->n_term; k++)
        for (int arg = 0; arg < a->term[k].atom->n_arg; arg++)
            n += count_terms(a->term[k].atom->arg[arg]);
    return n;
}

/* One exact division, where that is shorter: jj / 64 for (j + jj + v) / 64 - 32 * (j / 2048). */
static const struct affine *shortest(const struct surroundings *around, const struct affine *a)
{
    const struct affine *quotient;

    if (!affine_has_moving_floor(a))
        return a;
    quotient = surroundings_expand(around, a);
    quotient = quotient ? facts_quotient(around->facts, quotient) : NULL;
    return quotient && count_terms(quotient) < count_terms(a) ? quotient : a;
}

static const struct affine *simplest(const struct surroundings *around, const struct affine *a)
{
    const struct affine *simpler = without_tiles(around->facts, a), *other;

    if (!simpler || !affine_has_floor(simpler))
        return simpler;
    other = surroundings_expand(around, a);
    other = other ? without_tiles(around->facts, other) : NULL;
    return other && (!affine_has_floor(other) || count_terms(other) <= count_terms(simpler)) ? other : simpler;
}

static const struct affine *mark(struct arena *arena, const struct affine *a, void *user)
{
    const struct surroundings *around = user;
    const struct affine *simpler = simplest(around, a);

    simpler = simpler ? shortest(around, simpler) : NULL;
    return simpler ? affine_mark_plain(arena, simpler, non_negative, (void *)(uintptr_t)around->facts) : NULL;
}

static const struct affine *note_floor(struct arena *arena, const struct affine *a, void *user)
{
    (void)arena;
    *(bool *)user |= affine_has_floor(a);
    return a;
}

/* Do subscripts below node, or names they may use, divide at all? */
static bool divides(const struct lowering *lowering, const struct node *node)
{
    bool found = node->kind == NODE_VALUE && affine_has_moving_floor(node->lower);

    if (node->kind == NODE_ASSIGN)
        node_map_own(lowering->arena, node, note_floor, &found);
    for (int k = 0; k < node->n_child && !found; k++)
        found = divides(lowering, node->child[k]);
    return found;
}

static void enter(struct facts *facts, const struct node *node)
{
    if (node->kind == NODE_LOOP)
        facts_enter_loop(facts, node);
    else if (node->kind == NODE_VALUE)
        facts_enter_value(facts, node);
    else if (node->kind == NODE_IF)
        facts_assume_guards(facts, node->alternative, node->n_alternative);
}

static const struct node *walk(const struct surroundings *around, const struct node *node)
{
    struct arena *arena = around->facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (!divides(around->facts->lowering, node))
        return node;
    if (node->kind == NODE_ASSIGN)
        return flat_subscripts(around, node_map_own(arena, node, mark, (void *)(uintptr_t)around));
    struct facts facts = facts_copy(around->facts);
    const struct surroundings inside = {&facts, node->kind == NODE_VALUE ? node : NULL, around};
    enter(&facts, node);
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(&inside, node->child[k]);
    facts_free(&facts);
    node = node_with_children(arena, node, child);
    return node && node->kind == NODE_VALUE && !node_uses(node->child[0], node->var) ? node->child[0] : node;
}

const struct node *lower_plain(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);
    const struct surroundings around = {&facts, NULL, NULL};
    const struct node *marked = walk(&around, tree);

    facts_free(&facts);
    return marked;
}
