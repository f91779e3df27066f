#include "lower/ways/way.h"

#include "lower/facts/facts.h"

const void *ways_lost(struct ways *ways, const char *why)
{
    ways->why = why;
    return NULL;
}

const struct var *ways_count(struct ways *ways)
{
    struct var *var = ARENA_NEW(ways->arena, struct var);

    *var = (struct var){.kind = VAR_VALUE, .id = ways->next_id, .name = "c"};
    ways->next_id += ways->stride;
    return var;
}

struct way *way_step(struct ways *ways, const struct way *outer, enum way_kind kind)
{
    struct way *way = ARENA_NEW(ways->arena, struct way);

    *way = (struct way){
        .kind = kind, .outer = outer, .low = INT64_MIN, .width = INT64_MAX, .by_all = outer && outer->by_all};
    return way;
}

const struct way *way_root(struct ways *ways)
{
    return way_step(ways, NULL, WAY_TEAM);
}

const struct way *way_find(const struct way *way, const struct var *var)
{
    for (; way; way = way->outer)
        if ((way->kind == WAY_NAME || way->kind == WAY_LET) &&
            (var->position == AXIS_NONE ? way->var == var : way->axis == var->position))
            return way;
    return NULL;
}

static const struct affine *value_of_var(struct ways *ways, const struct way *way, const struct atom *atom)
{
    const struct way *bound = way_find(way, atom->var);

    if (atom->var->kind == VAR_PARAM)
        return affine_atom(ways->arena, atom);
    if (!bound || bound->kind == WAY_LET)
        return ways_lost(ways, "values that are loaded");
    return bound->value ? bound->value : ways_lost(ways, "positions that several loops share");
}

static const struct affine *value_of_atom(struct ways *ways, const struct way *way, const struct atom *atom)
{
    const struct affine *const *arg;

    if (atom->kind == ATOM_VAR)
        return value_of_var(ways, way, atom);
    arg = way_values(ways, way, atom->arg, atom->n_arg);
    if (!arg)
        return NULL;
    if (atom->kind == ATOM_FLOOR)
        return affine_floor(ways->arena, arg[0], atom->divisor);
    return affine_extreme(ways->arena, atom->kind, arg, atom->n_arg);
}

const struct affine *way_value(struct ways *ways, const struct way *way, const struct affine *affine)
{
    const struct affine *sum = affine ? affine_constant(ways->arena, affine->constant) : NULL;

    for (int k = 0; sum && k < affine->n_term; k++) {
        const struct affine *value = value_of_atom(ways, way, affine->term[k].atom);
        if (!value)
            return NULL;
        sum = affine_combine(ways->arena, sum, 1, value, affine->term[k].factor);
    }
    return sum ? sum : ways_lost(ways, "large numbers");
}

const struct affine *const *way_values(struct ways *ways, const struct way *way, const struct affine *const *affine,
                                       int n)
{
    const struct affine **value = ARENA_ARRAY(ways->arena, n + 1, const struct affine *);

    for (int k = 0; k < n; k++) {
        value[k] = way_value(ways, way, affine[k]);
        if (!value[k])
            return NULL;
    }
    return value;
}

static bool values_of_guard(struct ways *ways, const struct way *way, const struct guard *guard, struct guard *value)
{
    struct condition *condition = ARENA_ARRAY(ways->arena, guard->n + 1, struct condition);

    for (int k = 0; k < guard->n; k++) {
        condition[k] = (struct condition){way_value(ways, way, guard->condition[k].affine), guard->condition[k].equal};
        if (!condition[k].affine)
            return false;
    }
    *value = (struct guard){condition, guard->n};
    return true;
}

static struct way *limited(struct ways *ways, const struct way *way, const struct guard *alternative, int n)
{
    struct way *limit = way_step(ways, way, WAY_LIMIT);

    limit->alternative = alternative;
    limit->n_alternative = n;
    return limit;
}

const struct way *way_with_alternatives(struct ways *ways, const struct way *way, const struct guard *alternative,
                                        int n)
{
    return limited(ways, way, alternative, n);
}

const struct way *way_where(struct ways *ways, const struct way *way, const struct guard *alternative, int n, bool none)
{
    struct guard *value = ARENA_ARRAY(ways->arena, n + 1, struct guard);
    struct way *limit;

    for (int k = 0; k < n; k++)
        if (!values_of_guard(ways, way, &alternative[k], &value[k]))
            return NULL;
    limit = limited(ways, way, value, n);
    limit->none = none;
    return limit;
}

const struct way *way_with_name(struct ways *ways, const struct way *way, const struct var *var,
                                const struct affine *value)
{
    struct way *name = way_step(ways, way, WAY_NAME);

    name->var = var;
    name->value = value;
    return name;
}

const struct way *way_with_least(struct ways *ways, const struct way *way, const struct affine *affine)
{
    struct condition *condition = ARENA_NEW(ways->arena, struct condition);
    struct guard *guard = ARENA_NEW(ways->arena, struct guard);

    if (!affine)
        return ways_lost(ways, "large numbers");
    *condition = (struct condition){affine, false};
    *guard = (struct guard){condition, 1};
    return limited(ways, way, guard, 1);
}

int64_t ways_most(struct ways *ways, const struct affine *affine)
{
    const struct affine_term *term = affine ? facts_splitting_term(affine) : NULL;
    int64_t least = INT64_MAX, value;

    if (affine && affine_is_constant(affine, &value))
        return value;
    for (int k = 0; term && k < term->atom->n_arg; k++) {
        value = ways_most(ways, facts_with_argument(ways->arena, affine, term, k));
        least = value < least ? value : least;
    }
    return least;
}

struct way *way_with_number(struct ways *ways, const struct way *way, const struct var *count, int64_t low,
                            int64_t width)
{
    struct way *bound = way_step(ways, way, WAY_COUNT);

    bound->var = count;
    bound->low = low;
    bound->width = width < 0 ? 0 : width;
    return bound;
}

const struct way *way_with_digit(struct ways *ways, const struct way *way, enum axis axis, const struct var *count,
                                 const struct affine *most)
{
    struct way *bound = way_with_number(ways, way, count, 0, ways_most(ways, most));

    bound->most = most;
    bound->axis = axis;
    return bound;
}

const struct way *way_with_count(struct ways *ways, const struct way *way, const struct var *count,
                                 const struct affine *most)
{
    return way_with_digit(ways, way, AXIS_NONE, count, most);
}

struct way *way_with_unended(struct ways *ways, const struct way *way, const struct var *count,
                             const struct affine *const *extent, int n)
{
    struct way *bound = way_with_number(ways, way, count, 0, INT64_MAX);

    bound->unended = true;
    bound->extent = extent;
    bound->n_digit = n;
    return bound;
}

bool way_has_digits(const struct way *inner, const struct way *end)
{
    for (const struct way *way = inner; way != end; way = way->outer)
        if (way->kind == WAY_DIGITS || way->unended)
            return true;
    return false;
}
