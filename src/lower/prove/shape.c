#include "lower/prove/shape.h"

#include "program/program.h"

/* Steps towards the form. */
enum { MOST_CHANGES = 24 };

static void add_condition(struct shape *shape, const struct affine *affine, bool equal)
{
    VEC_PUSH(shape->arena, &shape->condition, ((struct condition){affine, equal}));
}

static bool add_count(struct shape *shape, const struct var *var)
{
    if (shape->n == MOST_COUNTS)
        return false;
    shape->count[shape->n++] = (struct count){var, INT64_MAX, false};
    return true;
}

static bool is_gone(const struct way *inner, const struct way *end, const struct var *var)
{
    for (const struct way *way = inner; way != end; way = way->outer)
        if (way->kind == WAY_GONE && way->var == var)
            return true;
    return false;
}

static void add_guards(struct shape *shape, const struct way *limit)
{
    VEC_PUSH(shape->arena, &shape->limit, limit);
    for (int k = 0; k < limit->n_alternative; k++) {
        const struct guard *guard = &limit->alternative[k];
        struct condition *own = ARENA_ARRAY(shape->arena, guard->n + 1, struct condition);
        memcpy(own, guard->condition, (size_t)guard->n * sizeof(*own));
        VEC_PUSH(shape->arena, &shape->choice, ((struct choice){own, guard->n}));
    }
}

static bool add_limits(struct shape *shape, const struct way *inner, const struct way *end)
{
    for (const struct way *way = inner; way != end; way = way->outer) {
        const struct affine *most = way->kind == WAY_COUNT ? way->most : NULL;
        if (way->kind == WAY_COUNT && is_gone(inner, end, way->var))
            continue;
        if (way->kind == WAY_COUNT && !add_count(shape, way->var))
            return false;
        if (most) {
            const struct affine *var = affine_var(shape->arena, way->var), *room = affine_sub(shape->arena, most, var);
            add_condition(shape, var, false);
            add_condition(shape, room, false);
            if (!room)
                return false;
        }
        if (way->kind == WAY_LIMIT && (way->none || way->n_alternative != 1))
            add_guards(shape, way);
        else if (way->kind == WAY_LIMIT)
            for (int k = 0; k < way->alternative->n; k++)
                add_condition(shape, way->alternative->condition[k].affine, way->alternative->condition[k].equal);
    }
    return true;
}

/* The place of the count that the condition is of, and of nothing else; -1: there is none. */
static int only_count(const struct shape *shape, const struct condition *condition)
{
    const struct affine *affine = condition->affine;

    if (condition->equal || affine->n_term != 1 || affine->term[0].atom->kind != ATOM_VAR)
        return -1;
    for (int c = 0; c < shape->n; c++)
        if (shape->count[c].var == affine->term[0].atom->var)
            return c;
    return -1;
}

static bool is_from_0(const struct affine *affine)
{
    return affine->term[0].factor > 0 && floor_div(affine->constant, affine->term[0].factor) == 0;
}

/* Takes conditions that say 0 <= c <= a constant, of a count, out of the list: they are its range. */
static void find_ranges(struct shape *shape)
{
    bool from_0[MOST_COUNTS] = {false};
    condition_vec rest = {0};

    for (int k = 0; k < shape->condition.n; k++) {
        const int at = only_count(shape, &shape->condition.at[k]);
        if (at >= 0 && is_from_0(shape->condition.at[k].affine))
            from_0[at] = true;
    }
    for (int k = 0; k < shape->condition.n; k++) {
        const struct condition *condition = &shape->condition.at[k];
        const int at = only_count(shape, condition);
        if (at >= 0 && from_0[at] && condition->affine->term[0].factor < 0) {
            const int64_t last = floor_div(condition->affine->constant, -condition->affine->term[0].factor);
            shape->count[at].last = last < shape->count[at].last ? last : shape->count[at].last;
        } else if (at < 0 || !is_from_0(condition->affine)) {
            VEC_PUSH(shape->arena, &rest, *condition);
        }
    }
    shape->condition = rest;
    for (int c = 0; c < shape->n; c++)
        if (from_0[c] && shape->count[c].last == INT64_MAX)
            add_condition(shape, affine_var(shape->arena, shape->count[c].var), false);
}

static bool read_leaf(struct arena *arena, const struct side *side, const struct leaf *leaf, int first_id,
                      struct shape *shape)
{
    *shape = (struct shape){.arena = arena, .next_id = first_id, .n_argument = leaf->statement->n_loop};
    shape->argument = ARENA_ARRAY(arena, shape->n_argument + 1, const struct affine *);
    for (int d = 0; d < shape->n_argument; d++)
        shape->argument[d] = leaf->argument[d];
    if (!add_limits(shape, leaf->way, side->from))
        return false;
    find_ranges(shape);
    return true;
}

/* Calls function on all expressions; false once it says so. */
typedef bool see_function(const struct affine *affine, void *user);

static bool see_all(const struct shape *shape, see_function *function, void *user)
{
    bool good = true;

    for (int d = 0; d < shape->n_argument && good; d++)
        good = function(shape->argument[d], user);
    for (int k = 0; k < shape->condition.n && good; k++)
        good = function(shape->condition.at[k].affine, user);
    for (int k = 0; k < shape->choice.n; k++)
        for (int c = 0; c < shape->choice.at[k].n && good; c++)
            good = function(shape->choice.at[k].condition[c].affine, user);
    return good;
}

typedef const struct affine *change_function(struct arena *arena, const struct affine *affine, const void *user);

static bool change_all(struct shape *shape, change_function *function, const void *user)
{
    bool good = true;

    for (int d = 0; d < shape->n_argument; d++) {
        shape->argument[d] = function(shape->arena, shape->argument[d], user);
        good = good && shape->argument[d];
    }
    for (int k = 0; k < shape->condition.n; k++) {
        shape->condition.at[k].affine = function(shape->arena, shape->condition.at[k].affine, user);
        good = good && shape->condition.at[k].affine;
    }
    for (int k = 0; k < shape->choice.n; k++)
        for (int c = 0; c < shape->choice.at[k].n; c++) {
            struct condition *own = &shape->choice.at[k].condition[c];
            own->affine = function(shape->arena, own->affine, user);
            good = good && own->affine;
        }
    return good;
}

/* Two counts of which the second has `times` the factor of the first wherever one of them is. */
struct two {
    const struct var *low, *high;
    int64_t times;
    bool seen;
};

static bool are_digits(const struct affine *affine, void *user)
{
    struct two *two = user;
    const int64_t low = affine ? affine_factor(affine, two->low) : 0;
    int64_t product;

    if (!affine || __builtin_mul_overflow(low, two->times, &product) || affine_factor(affine, two->high) != product)
        return false;
    two->seen = two->seen || low != 0;
    for (int k = 0; k < affine->n_term; k++)
        for (int a = 0; a < affine->term[k].atom->n_arg; a++)
            if (!are_digits(affine->term[k].atom->arg[a], user))
                return false;
    return true;
}

struct replacing {
    const struct var *var;
    const struct affine *by;
    const struct affine *quotient; /* in the place of floor(var / divisor); NULL: no quotient is replaced */
    int64_t divisor;
};

static bool is_quotient(const struct atom *atom, const struct var *var, int64_t divisor)
{
    const struct affine *arg = atom->kind == ATOM_FLOOR && atom->divisor == divisor ? atom->arg[0] : NULL;

    return arg && arg->constant == 0 && arg->n_term == 1 && arg->term[0].factor == 1 &&
           arg->term[0].atom->kind == ATOM_VAR && arg->term[0].atom->var == var;
}

static const struct affine *with_quotient(struct arena *arena, const struct affine *affine,
                                          const struct replacing *replacing)
{
    const struct affine *sum = affine_constant(arena, affine->constant);

    for (int k = 0; k < affine->n_term && sum; k++) {
        const struct affine_term *term = &affine->term[k];
        const struct affine one = {0, 1, &(struct affine_term){1, term->atom}};
        const struct affine *value = affine_combine(arena, &one, 1, affine_constant(arena, 0), 0);
        if (is_quotient(term->atom, replacing->var, replacing->divisor))
            value = replacing->quotient;
        else if (term->atom->kind == ATOM_FLOOR)
            value = affine_floor(arena, with_quotient(arena, term->atom->arg[0], replacing), term->atom->divisor);
        sum = affine_combine(arena, sum, 1, value, term->factor);
    }
    return sum;
}

static const struct affine *replace(struct arena *arena, const struct affine *affine, const void *user)
{
    const struct replacing *replacing = user;

    if (affine && replacing->quotient)
        affine = with_quotient(arena, affine, replacing);
    return affine ? affine_substitute(arena, affine, replacing->var, replacing->by) : NULL;
}

static bool uses_not(const struct affine *affine, void *user)
{
    return affine && !affine_uses(affine, user);
}

static struct count *add_new(struct shape *shape, int64_t last)
{
    struct var *var = ARENA_NEW(shape->arena, struct var);

    *var = (struct var){.kind = VAR_VALUE, .id = shape->next_id, .name = "d"};
    shape->next_id -= 2;
    if (!add_count(shape, var))
        return NULL;
    shape->count[shape->n - 1].last = last;
    return &shape->count[shape->n - 1];
}

static bool is_range(const struct count *count)
{
    return !count->gone && count->last < INT32_MAX && count->last >= 0;
}

/* The first count becomes the number that both are the digits of. */
static bool merge(struct shape *shape, int low, int high)
{
    struct two two = {shape->count[low].var, shape->count[high].var, shape->count[low].last + 1, false};
    const struct affine *number;
    struct replacing replacing = {.var = two.low};
    struct count *count;

    if (low == high || !is_range(&shape->count[low]) || !is_range(&shape->count[high]) ||
        !see_all(shape, are_digits, &two) || !two.seen)
        return false;
    count = add_new(shape, two.times * (shape->count[high].last + 1) - 1);
    if (!count)
        return false;
    number = affine_var(shape->arena, count->var);
    replacing.by = affine_combine(shape->arena, number, 1, affine_var(shape->arena, two.high), -two.times);
    shape->count[low].gone = shape->count[high].gone = true;
    return change_all(shape, replace, &replacing) && see_all(shape, uses_not, (void *)(uintptr_t)two.high);
}

/* A divisor by which the count is divided, and which divides what it counts; 0: none. */
struct divisor {
    const struct count *count;
    int64_t divisor;
};

static bool find_divisor(const struct affine *affine, void *user)
{
    struct divisor *found = user;

    for (int k = 0; affine && k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        if (atom->kind == ATOM_FLOOR && is_quotient(atom, found->count->var, atom->divisor) &&
            (found->count->last + 1) % atom->divisor == 0 && atom->divisor > found->divisor)
            found->divisor = atom->divisor;
        for (int a = 0; a < atom->n_arg; a++)
            find_divisor(atom->arg[a], user);
    }
    return true;
}

static bool divide(struct shape *shape, int at)
{
    struct arena *arena = shape->arena;
    struct divisor found = {&shape->count[at], 0};
    struct replacing replacing = {.var = shape->count[at].var};
    const struct count *high, *low;

    if (is_range(&shape->count[at]))
        see_all(shape, find_divisor, &found);
    if (found.divisor == 0)
        return false;
    high = add_new(shape, (shape->count[at].last + 1) / found.divisor - 1);
    low = add_new(shape, found.divisor - 1);
    if (!high || !low)
        return false;
    replacing.divisor = found.divisor;
    replacing.quotient = affine_var(arena, high->var);
    replacing.by = affine_combine(arena, replacing.quotient, found.divisor, affine_var(arena, low->var), 1);
    shape->count[at].gone = true;
    return change_all(shape, replace, &replacing);
}

/* One step towards the form in which shapes are compared. */
static bool change(struct shape *shape)
{
    for (int k = 0; k < shape->n; k++)
        if (divide(shape, k))
            return true;
    for (int low = 0; low < shape->n; low++)
        for (int high = 0; high < shape->n; high++)
            if (merge(shape, low, high))
                return true;
    return false;
}

bool shape_of(struct arena *arena, const struct side *side, const struct leaf *leaf, int first_id, struct shape *shape)
{
    if (!read_leaf(arena, side, leaf, first_id, shape))
        return false;
    for (int k = 0; k < MOST_CHANGES && change(shape); k++)
        ;
    return true;
}

const struct count *shape_count(const struct shape *shape, const struct var *var)
{
    for (int k = 0; k < shape->n; k++)
        if (!shape->count[k].gone && shape->count[k].var == var)
            return &shape->count[k];
    return NULL;
}

int shape_counts(const struct shape *shape)
{
    int n = 0;

    for (int k = 0; k < shape->n; k++)
        n += !shape->count[k].gone && shape->count[k].last != 0;
    return n;
}
