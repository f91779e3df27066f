#include "target/clike/index.h"

/* left OP right + constant */
struct relation {
    struct items left, right; /* factors positive, own constants 0 */
    int64_t constant;
    bool offset_left; /* `left + n <= right` rather than `left < right - (n - 1)` */
};

static const char *relation_text(struct emitter *emitter, const struct items *left, const char *op,
                                 const struct items *right)
{
    const char *text = index_items(emitter, left).text;

    return arena_printf(emitter->arena, "%s %s %s", text, op, index_items(emitter, right).text);
}

static const char *with_constants(struct emitter *emitter, const struct relation *relation, int64_t left_constant,
                                  const char *op, int64_t right_constant)
{
    struct items left = relation->left, right = relation->right;

    left.constant = left_constant;
    right.constant = right_constant;
    return relation_text(emitter, &left, op, &right);
}

/* left <= right + constant. A bare constant is printed with < from strict_from on. */
static const char *at_most(struct emitter *emitter, const struct relation *relation, int64_t strict_from)
{
    const int64_t c = relation->constant;
    const bool strict = c >= strict_from && c < INT64_MAX;

    if (!relation->right.n)
        return with_constants(emitter, relation, 0, strict ? "<" : "<=", strict ? c + 1 : c);
    if (c >= 0)
        return with_constants(emitter, relation, 0, "<=", c);
    if (c < -1 && relation->offset_left)
        return with_constants(emitter, relation, -c, "<=", 0);
    return with_constants(emitter, relation, 0, "<", c + 1);
}

/* left >= right + constant */
static const char *at_least(struct emitter *emitter, const struct relation *relation)
{
    const int64_t c = relation->constant;

    if (relation->right.n && c == 1)
        return with_constants(emitter, relation, 0, ">", 0);
    if (relation->right.n && c < -1 && relation->offset_left)
        return with_constants(emitter, relation, -c, ">=", 0);
    return with_constants(emitter, relation, 0, ">=", c);
}

/* The items of one sign, as positive ones. */
static struct items one_side(struct arena *arena, const struct items *items, bool positive)
{
    const int n = positive ? items->n_positive : items->n - items->n_positive;
    const int first = positive ? 0 : items->n_positive;
    struct items side = {ARENA_ARRAY(arena, n, struct summand), n, n, 0};

    for (int k = 0; k < n; k++) {
        side.item[k] = items->item[first + k];
        side.item[k].factor *= positive ? 1 : -1;
    }
    return side;
}

static int side_rank(const struct items *side)
{
    int rank = -1;

    for (int k = 0; k < side->n; k++) {
        const int inner = summand_rank(&side->item[k]);
        rank = inner > rank ? inner : rank;
    }
    return rank;
}

/* Is it e % d >= 1? */
static bool is_indivisible(const struct items *items, const struct condition *condition)
{
    return !condition->equal && items->n == 1 && items->constant == -1 && !items->item[0].atom &&
           items->item[0].factor == 1;
}

/* e % d == 0 means the same rounded down or towards 0, and so does its opposite. */
static void simplify_divisibility(struct items *items, const struct condition *condition)
{
    const bool divisible = condition->equal && items->n == 1 && !items->constant && !items->item[0].atom;

    if (divisible || is_indivisible(items, condition))
        items->item[0].plain = true;
}

/* The condition with var, whose factor is 1 or -1, on its left side and all else on the other. */
static const char *alone_text(struct emitter *emitter, const struct condition *condition, const struct var *var,
                              const char *equality)
{
    struct arena *arena = emitter->arena;
    const int64_t factor = affine_factor(condition->affine, var);
    const struct affine *self = affine_var(arena, var);
    const struct affine *rest = affine_sub(arena, condition->affine, affine_scale(arena, self, factor));
    struct relation relation = {.left = items_of(arena, self)};

    rest = affine_scale(arena, rest, -factor);
    emitter->failed |= !rest;
    if (!rest)
        return "";
    relation.right = items_of(arena, rest);
    relation.constant = relation.right.constant;
    relation.right.constant = 0;
    if (condition->equal)
        return with_constants(emitter, &relation, 0, equality, relation.constant);
    return factor < 0 ? at_most(emitter, &relation, -1) : at_least(emitter, &relation);
}

/* Does emitter->alone occur as itself, and nowhere else? */
static bool has_alone(const struct emitter *emitter, const struct affine *affine)
{
    int64_t factor;

    return emitter->alone && affine_linear_factor(emitter->arena, affine, emitter->alone, &factor) &&
           (factor == 1 || factor == -1);
}

/* inside: of a guard that has an opposite bound, too */
static const char *condition_text(struct emitter *emitter, const struct condition *condition, const char *equality,
                                  bool inside)
{
    if (has_alone(emitter, condition->affine))
        return alone_text(emitter, condition, emitter->alone, equality);
    struct items items = items_of(emitter->arena, condition->affine);
    simplify_divisibility(&items, condition);
    const struct items more = one_side(emitter->arena, &items, true);
    const struct items less = one_side(emitter->arena, &items, false);
    const bool less_left = side_rank(&less) >= side_rank(&more);
    const int64_t c = less_left ? items.constant : -items.constant;
    const int64_t offset_from = less_left && !inside ? -2 : -4;
    const struct relation relation = {less_left ? less : more, less_left ? more : less, c, c <= offset_from};

    if (is_indivisible(&items, condition))
        return relation_text(emitter, &more, "!=", &less);
    if (!items.n)
        return items.constant == 0 || (items.constant > 0 && !condition->equal) ? "1" : "0";
    if (condition->equal)
        return with_constants(emitter, &relation, 0, equality, c);
    return less_left ? at_most(emitter, &relation, -1) : at_least(emitter, &relation);
}

const char *index_condition(struct emitter *emitter, const struct condition *condition)
{
    return condition_text(emitter, condition, "==", false);
}

const char *index_negation(struct emitter *emitter, const struct condition *condition)
{
    const struct affine *opposite =
        affine_add_constant(emitter->arena, affine_scale(emitter->arena, condition->affine, -1), -1);
    const struct condition negated = {condition->equal ? condition->affine : opposite, condition->equal};

    emitter->failed |= !opposite;
    return opposite ? condition_text(emitter, &negated, "!=", false) : "";
}

static const struct atom *only_minimum(const struct affine *affine)
{
    const bool single = affine->n_term == 1 && affine->term[0].factor == 1;

    return single && affine->term[0].atom->kind == ATOM_MIN ? affine->term[0].atom : NULL;
}

/* `ii < min(32, M - i)` for ii <= min(31, M - i - 1) + constant; NULL where <= reads better. */
static const char *below_minimum(struct emitter *emitter, const struct node *loop, const struct atom *minimum)
{
    const struct affine **arg = ARENA_ARRAY(emitter->arena, minimum->n_arg, const struct affine *);
    int better = 0;

    for (int k = 0; k < minimum->n_arg; k++) {
        const int64_t constant = minimum->arg[k]->constant + loop->upper->constant;
        arg[k] = affine_add_constant(emitter->arena, minimum->arg[k], loop->upper->constant + 1);
        better += minimum->arg[k]->n_term == 0 || constant < 0 ? 1 : -1;
    }
    const struct affine *end = affine_extreme(emitter->arena, ATOM_MIN, arg, minimum->n_arg);
    if (better < 0 || !end)
        return NULL;
    return arena_printf(emitter->arena, "%s < %s", loop->var->name, index_affine(emitter, end).text);
}

static bool room_for_step(struct emitter *emitter, const struct node *loop)
{
    const struct var *var = loop->var;

    return !index_is_narrow(emitter, var) ||
           (var->low | var->high && var->high < INT32_MAX - 2 * (loop->step > 0 ? loop->step : -loop->step));
}

/* Is right a size or an end, so that `i < N + 2` says how many there are and `i <= N + 1` does not? */
static bool is_size(const struct items *right)
{
    for (int k = 0; k < right->n; k++) {
        const struct atom *atom = right->item[k].atom;
        if (atom && atom->kind == ATOM_VAR && atom->var->kind != VAR_LOOP)
            return true;
    }
    return false;
}

const char *index_loop_condition(struct emitter *emitter, const struct node *loop)
{
    const struct affine *self = affine_var(emitter->arena, loop->var);
    const struct items left = items_of(emitter->arena, self);
    struct items right = items_of(emitter->arena, loop->upper);
    const struct atom *minimum = loop->step > 0 ? only_minimum(loop->upper) : NULL;
    const char *text = minimum ? below_minimum(emitter, loop, minimum) : NULL;
    const int64_t c = right.constant;

    if (text)
        return text;
    if (affine_is_constant(loop->upper, NULL) && c == 0 && loop->step > 0)
        return arena_printf(emitter->arena, "%s <= 0", loop->var->name);
    right.constant = 0;
    struct relation relation = {left, right, c, false};
    if (loop->step > 0 && c >= 1 && c < INT64_MAX && is_size(&right))
        return with_constants(emitter, &relation, 0, "<", c + 1);
    relation.offset_left =
        loop->step > 1 && c == -loop->step && emitter->canonical == 0 && room_for_step(emitter, loop);
    return loop->step > 0 ? at_most(emitter, &relation, 1) : at_least(emitter, &relation);
}

/* Is there a bound on the other side of what condition k is about, as in `h >= 1 && h < N - 1`? */
static bool has_opposite(struct emitter *emitter, const struct guard *guard, int k)
{
    const struct affine *a = guard->condition[k].affine;

    for (int c = 0; c < guard->n; c++) {
        const struct affine *b = guard->condition[c].affine, *sum = affine_add(emitter->arena, a, b);
        if (c != k && !guard->condition[c].equal && sum && sum->n_term == a->n_term + b->n_term - 2)
            return true;
    }
    return false;
}

static const char *guard_text(struct emitter *emitter, const struct guard *guard)
{
    const char *text = NULL;

    for (int k = 0; k < guard->n; k++) {
        const char *one = condition_text(emitter, &guard->condition[k], "==", has_opposite(emitter, guard, k));
        text = text ? arena_printf(emitter->arena, "%s && %s", text, one) : one;
    }
    return text;
}

const char *index_guards(struct emitter *emitter, const struct guard *alternative, int n)
{
    const char *text = NULL;

    for (int k = 0; k < n; k++) {
        const char *one = guard_text(emitter, &alternative[k]);
        if (n > 1 && alternative[k].n > 1)
            one = arena_printf(emitter->arena, "(%s)", one);
        text = text ? arena_printf(emitter->arena, "%s || %s", text, one) : one;
    }
    return text;
}
