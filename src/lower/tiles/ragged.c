#include "lower/tiles/ragged.h"

#include "lower/facts/bound.h"
#include "plan/device/copies/dealing.h"
#include "plan/loop_plan.h"
#include "program/program.h"

/* Is it in registers that subscripts tell apart? These have to be constants. */
static bool is_in_registers(const struct array *array)
{
    return array->in_registers && array->n_dim > array->n_iteration;
}

bool ragged_has_register(const struct node *node)
{
    bool found = false;

    for (int k = 0; node->kind == NODE_STATEMENT && k < node->statement->n_access; k++)
        found = found || is_in_registers(node->statement->access[k].array);
    for (int k = 0; k < node->n_child && !found; k++)
        found = ragged_has_register(node->child[k]);
    return found;
}

enum { MOST_LANES = 64 };

/* May the loop start late? What is left out in front may end inside of a step, or of a vector, which lanes of
 * registers have masks for. */
static bool may_start_late(const struct node *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    return loop->step == 1 && (!plan || !plan->vector || ragged_has_register(loop));
}

const struct affine *ragged_first_value(struct arena *arena, const struct node *loop)
{
    if (affine_is_constant(loop->lower, NULL))
        return loop->lower;
    return may_start_late(loop) ? bound_constant(arena, loop->lower, ATOM_MAX) : NULL;
}

const struct affine *ragged_end(struct arena *arena, const struct node *loop)
{
    const struct affine *end = bound_constant(arena, loop->upper, ATOM_MIN);
    const bool tile = !end && loop->info->span > 0 && ragged_has_register(loop);
    const struct affine *first = tile ? ragged_first_value(arena, loop) : NULL;

    return first ? affine_add_constant(arena, first, loop->info->span - 1) : end;
}

/* Are the loop's iterations the lanes of one vector, or of a few? Others are run in vectors one after the other. */
static bool is_short(struct arena *arena, const struct node *loop)
{
    const struct affine *end = ragged_end(arena, loop);
    const int most = loop->info->plan->lanes ? loop->info->plan->lanes : MOST_LANES;

    return end && affine_is_constant(loop->lower, NULL) && end->constant - loop->lower->constant < most;
}

bool ragged_is_literal(struct arena *arena, const struct node *node)
{
    if (node->kind != NODE_LOOP || !node->info || !loop_plan_is_literal(node->info))
        return false;
    if (node->info->plan->unroll == UNROLL_FULL && node->rest)
        return ragged_has_register(node);
    if (node->info->plan->tensor && node->rest)
        return false; /* part of a tile */
    return node->info->plan->unroll == UNROLL_FULL || node->info->plan->unroll == UNROLL_LITERAL ||
           ragged_has_register(node) || is_short(arena, node);
}

/* Does each thread have one iteration at most of the loops of a copy? */
static bool is_one_round(const struct node *loop)
{
    bool one = true;

    for (; loop->kind == NODE_LOOP && one; loop = loop->child[0])
        one = loop->info && loop_plan_is_cooperative(loop->info) && !is_dealt(loop->info) &&
              (loop->info->plan->axis != AXIS_THREAD || loop->info->plan->rounds == 1);
    return one;
}

bool ragged_copies_again(const struct ragged_around *around, const struct node *node)
{
    return around->repeats && node->kind == NODE_LOOP && node->info && loop_plan_is_cooperative(node->info) &&
           !is_one_round(node);
}

/* The last value that the loop takes when it runs from a constant start to a constant end. */
static const struct affine *last_value(struct arena *arena, const struct node *loop)
{
    const int64_t first = ragged_first_value(arena, loop)->constant, end = ragged_end(arena, loop)->constant;

    return affine_constant(arena, first + (end - first) / loop->step * loop->step);
}

bool ragged_is_ragged(const struct node *loop)
{
    return !affine_is_constant(loop->upper, NULL) ||
           (!affine_is_constant(loop->lower, NULL) && (!loop->info->plan->vector || may_start_late(loop)));
}

static void add_limits(struct arena *arena, ragged_limits *list, const struct affine *bound, bool lower)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);

    for (int k = 0; k < n; k++)
        if (!affine_is_constant(arg[k], NULL))
            VEC_PUSH(arena, list, ((struct ragged_limit){arg[k], lower}));
}

ragged_limits ragged_limits_of(struct arena *arena, const struct node *loop)
{
    ragged_limits list = {0};

    add_limits(arena, &list, loop->lower, true);
    add_limits(arena, &list, loop->upper, false);
    return list;
}

const struct affine *ragged_within(struct arena *arena, const struct ragged_limit *limit, const struct affine *value)
{
    return limit->lower ? affine_sub(arena, value, limit->at) : affine_sub(arena, limit->at, value);
}

static const struct affine *extreme(struct arena *arena, const struct affine *a, const struct node *loop, bool most);

static const struct affine *atom_extreme(struct arena *arena, const struct atom *atom, const struct node *loop,
                                         bool most)
{
    const struct affine **arg = ARENA_ARRAY(arena, atom->n_arg + 1, const struct affine *);

    if (atom->kind == ATOM_VAR && atom->var == loop->var)
        return most ? last_value(arena, loop) : ragged_first_value(arena, loop);
    for (int k = 0; k < atom->n_arg; k++)
        arg[k] = extreme(arena, atom->arg[k], loop, most);
    if (atom->kind == ATOM_VAR)
        return affine_atom(arena, atom);
    return atom->kind == ATOM_FLOOR ? affine_floor(arena, arg[0], atom->divisor)
                                    : affine_extreme(arena, atom->kind, arg, atom->n_arg);
}

/* a with each occurrence of the literal loop's variable at that end which makes it least, or most. */
static const struct affine *extreme(struct arena *arena, const struct affine *a, const struct node *loop, bool most)
{
    const struct affine *result = affine_constant(arena, a->constant);

    if (!affine_uses(a, loop->var))
        return a;
    for (int k = 0; result && k < a->n_term; k++) {
        const int64_t factor = a->term[k].factor;
        const struct affine *value = atom_extreme(arena, a->term[k].atom, loop, most == (factor > 0));
        result = value ? affine_combine(arena, result, 1, value, factor) : NULL;
    }
    return result;
}

/* a with the variables of literal loops around where they make it least. */
static const struct affine *least(const struct ragged *ragged, const struct affine *a)
{
    for (int k = ragged->literal.n - 1; k >= 0 && a; k--)
        a = extreme(ragged->arena, a, ragged->literal.at[k], false);
    return a;
}

/* Of two that are a constant apart the stronger one stays. */
static void add_condition(struct ragged *ragged, const struct affine *affine)
{
    for (int k = 0; k < ragged->full.n; k++) {
        const struct affine *difference = affine_sub(ragged->arena, affine, ragged->full.at[k].affine);
        int64_t distance;
        if (!difference || !affine_is_constant(difference, &distance))
            continue;
        if (distance < 0)
            ragged->full.at[k].affine = affine;
        return;
    }
    VEC_PUSH(ragged->arena, &ragged->full, ((struct condition){affine, false}));
}

bool ragged_is_outside(const struct ragged_remainder *remainder, const struct affine *a)
{
    if (!remainder)
        return false;
    for (int k = 0; k < remainder->inner.n; k++)
        if (affine_uses(a, remainder->inner.at[k]))
            return false;
    return true;
}

/* What is not negative where the loop's first or last value keeps the limit. */
static const struct affine *kept(const struct ragged *ragged, const struct node *loop, const struct ragged_limit *limit)
{
    struct arena *arena = ragged->arena;

    return least(ragged,
                 ragged_within(arena, limit, limit->lower ? ragged_first_value(arena, loop) : last_value(arena, loop)));
}

/* Is it an end that literal loops around give? */
static bool is_inside(const struct ragged *ragged, const struct node *loop, const struct ragged_limit *limit)
{
    const struct affine *value = kept(ragged, loop, limit);

    return value && affine_is_constant(value, NULL) && value->constant < 0;
}

static bool uses_literal(const struct ragged *ragged, const struct affine *a)
{
    for (int k = 0; k < ragged->literal.n; k++)
        if (affine_uses(a, ragged->literal.at[k]->var))
            return true;
    return false;
}

/* When the loop keeps the limit: where it is not before an end that literal loops give, wherever that is, or for all of
 * the loop's values; NULL: not known. */
static const struct affine *when_kept(const struct ragged *ragged, const struct node *loop, const ragged_limits *list,
                                      const struct ragged_limit *limit)
{
    for (int k = 0; k < list->n; k++) {
        const struct ragged_limit *other = &list->at[k];
        const struct affine *before;
        if (other->lower != limit->lower || !is_inside(ragged, loop, other))
            continue;
        before = ragged_within(ragged->arena, limit, other->at);
        if (before && !uses_literal(ragged, before))
            return before;
    }
    return kept(ragged, loop, limit);
}

/* The ragged_conditions under which a literal loop has all of its iterations. */
static void add_loop(struct ragged *ragged, const struct node *loop)
{
    struct arena *arena = ragged->arena;
    const ragged_limits list = ragged_limits_of(arena, loop);

    if (!ragged_end(arena, loop) || loop->step < 0 || !ragged_first_value(arena, loop)) {
        ragged->failed = true;
        ragged->loop = ragged->loop ? ragged->loop : loop;
        return;
    }
    for (int k = 0; k < list.n; k++) {
        const struct ragged_limit *limit = &list.at[k];
        const struct affine *when = when_kept(ragged, loop, &list, limit);
        if (!when || is_inside(ragged, loop, limit))
            VEC_PUSH(arena, &ragged->inside, limit->at);
        else if (!ragged_is_outside(ragged->around.remainder, limit->at))
            add_condition(ragged, when);
    }
}

/* Is it a loop of copies whose iterations can be all there? */
static bool has_full_tiles(const struct ragged *ragged, const struct node *node)
{
    return ragged_copies_again(&ragged->around, node) && node->step > 0 && ragged_end(ragged->arena, node) &&
           ragged_first_value(ragged->arena, node);
}

void ragged_collect(struct ragged *ragged, const struct node *node)
{
    if (node->kind == NODE_CALL)
        return;
    const bool literal = ragged_is_literal(ragged->arena, node) || has_full_tiles(ragged, node);

    if (node->var && !literal)
        VEC_PUSH(ragged->arena, &ragged->inner, node->var);
    if (literal && ragged_is_ragged(node))
        add_loop(ragged, node);
    const bool ends = literal && !ragged->failed;
    if (ends)
        VEC_PUSH(ragged->arena, &ragged->literal, node);
    for (int k = 0; k < node->n_child; k++)
        ragged_collect(ragged, node->child[k]);
    ragged->literal.n -= ends;
}

bool ragged_is_known(const struct ragged *ragged)
{
    for (int k = 0; k < ragged->full.n; k++)
        for (int v = 0; v < ragged->inner.n; v++)
            if (affine_uses(ragged->full.at[k].affine, ragged->inner.at[v]))
                return false;
    return true;
}
