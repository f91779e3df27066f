#include "lower/finished/shape_parts.h"

/* Steps towards the form. */
enum { MOST_CHANGES = 24 };

struct two {
    const struct var *one, *other;
};

static bool uses_not_both(const struct affine *affine, void *user)
{
    const struct two *two = user;

    return affine && !(affine_uses(affine, two->one) && affine_uses(affine, two->other));
}

static struct count *add_new(struct shape *shape, int64_t last)
{
    struct var *var = ARENA_NEW(shape->arena, struct var);

    *var = (struct var){.kind = VAR_VALUE, .id = shape->next_id, .name = "d"};
    shape->next_id -= 2;
    if (!shape_add_count(shape, var))
        return NULL;
    shape->count[shape->n - 1].last = last;
    return &shape->count[shape->n - 1];
}

static bool is_range(const struct count *count)
{
    return !count->gone && !count->unended && count->last < INT32_MAX && count->last >= 0;
}

/* Where a count is unended, only its digits show that there are enough blocks (without_number). */
static bool is_from_0(const struct count *count)
{
    return !count->gone && !count->unended && count->from_0;
}

struct shape shape_copied(const struct shape *shape)
{
    struct shape copy = *shape;

    copy.found = NULL;
    copy.argument = ARENA_ARRAY(shape->arena, shape->n_argument + 1, const struct affine *);
    memcpy(copy.argument, shape->argument, (size_t)shape->n_argument * sizeof(*copy.argument));
    copy.condition = (condition_vec){0};
    for (int k = 0; k < shape->condition.n; k++)
        VEC_PUSH(shape->arena, &copy.condition, shape->condition.at[k]);
    copy.choice.at = ARENA_ARRAY(shape->arena, shape->choice.n + 1, struct choice);
    for (int k = 0; k < shape->choice.n; k++) {
        const struct choice *own = &shape->choice.at[k];
        copy.choice.at[k] = (struct choice){ARENA_ARRAY(shape->arena, own->n + 1, struct condition), own->n};
        memcpy(copy.choice.at[k].condition, own->condition, (size_t)own->n * sizeof(*own->condition));
    }
    return copy;
}

/* The first count and the second are digits of a number, low + (last + 1) * high; the second may have no end. Where
 * that number is all that is used of them it becomes a count in their place. */
static bool merge(struct shape *shape, int low, int high)
{
    struct shape copy = *shape;
    struct two two = {shape->count[low].var, shape->count[high].var};
    const bool ends = shape->count[high].last != INT64_MAX;
    struct replacing replacing = {.var = two.one};
    int64_t times;
    struct count *count;

    if (low == high || !is_range(&shape->count[low]) ||
        !(ends ? is_range(&shape->count[high]) : is_from_0(&shape->count[high])) ||
        shape_see(shape, uses_not_both, &two))
        return false;
    copy = shape_copied(shape);
    times = shape->count[low].last + 1;
    count = add_new(&copy, ends ? times * (shape->count[high].last + 1) - 1 : INT64_MAX);
    if (!count)
        return false;
    count->from_0 = true;
    replacing.by = affine_combine(shape->arena, affine_var(shape->arena, count->var), 1,
                                  affine_var(shape->arena, two.other), -times);
    copy.count[low].gone = copy.count[high].gone = true;
    if (!shape_change(&copy, &replacing) || shape_uses(&copy, two.other))
        return false;
    *shape = copy;
    shape_find_ranges(shape);
    return true;
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
        if (atom->kind == ATOM_FLOOR && shape_is_quotient(atom, found->count->var, atom->divisor) &&
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
        shape_see(shape, find_divisor, &found);
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
    return shape_change(shape, &replacing);
}

/* A count that is always 0 goes. */
static bool drop(struct shape *shape, int at)
{
    const struct replacing replacing = {.var = shape->count[at].var, .by = affine_constant(shape->arena, 0)};

    if (!is_range(&shape->count[at]) || shape->count[at].last != 0)
        return false;
    shape->count[at].gone = true;
    return shape_change(shape, &replacing);
}

/* One step towards the form in which shapes are compared. */
static bool change(struct shape *shape)
{
    for (int k = 0; k < shape->n; k++)
        if (drop(shape, k))
            return true;
    for (int k = 0; k < shape->n; k++)
        if (divide(shape, k))
            return true;
    for (int low = 0; low < shape->n; low++)
        for (int high = 0; high < shape->n; high++)
            if (merge(shape, low, high))
                return true;
    return false;
}

static struct count *count_of(struct shape *shape, const struct affine_term *term)
{
    for (int k = 0; k < shape->n; k++)
        if (!shape->count[k].gone && term->atom->kind == ATOM_VAR && term->atom->var == shape->count[k].var)
            return &shape->count[k];
    return NULL;
}

/* Digits of a loop around that nobody uses: is the number below the loop's end where it is that loop's, and some more?
 * factor: of the number's count in it. */
static bool ends_around(const struct way *inner, const struct way *end, const struct shape *shape,
                        const struct count *count, int64_t factor)
{
    for (const struct way *way = inner; way != end; way = way->outer)
        if (way->kind == WAY_DIGITS && way->ended && way != shape->digits &&
            (way->value->n_term != 1 || way->value->constant != 0 || affine_factor(way->value, count->var) != factor))
            return false;
    return true;
}

/* The number whose digits are counts goes, and what it is made of: a count that goes on, and one that is its rest. */
static bool without_number(struct shape *shape, const struct way *inner, const struct way *end)
{
    const struct affine *number = shape->number;
    struct count *count = NULL, *rest = NULL;
    int64_t factor = 1;

    if (number->n_term < 1 || number->n_term > 2 || number->constant != 0)
        return false;
    for (int k = 0; k < number->n_term; k++) {
        struct count *own = count_of(shape, &number->term[k]);
        if (own && own->unended && !count) {
            count = own;
            factor = number->term[k].factor;
        } else if (own && number->term[k].factor == 1) {
            rest = own;
        }
    }
    shape->number = NULL;
    if (!count || factor < 1 || (factor == 1) != (number->n_term == 1) || shape_uses(shape, count->var) ||
        !ends_around(inner, end, shape, count, factor))
        return false;
    if (factor > 1 && (!rest || rest->unended || rest->last != factor - 1 || shape_uses(shape, rest->var)))
        return false;
    count->gone = true;
    if (rest)
        rest->gone = true;
    return true;
}

/* The ranges that have no end. */
static void tell_from_0(struct shape *shape)
{
    for (int c = 0; c < shape->n; c++)
        if (shape->count[c].from_0 && !shape->count[c].gone && shape->count[c].last == INT64_MAX)
            VEC_PUSH(shape->arena, &shape->condition,
                     ((struct condition){affine_var(shape->arena, shape->count[c].var), false}));
}

bool shape_of(struct arena *arena, const struct side *side, const struct leaf *leaf, int first_id, struct shape *shape)
{
    if (!shape_read(arena, side, leaf, first_id, shape))
        return false;
    for (int k = 0; k < MOST_CHANGES && change(shape); k++)
        ;
    if (shape->number && !without_number(shape, leaf->way, side->from))
        return false;
    for (int k = 0; k < shape->n; k++)
        if (shape->count[k].unended && !shape->count[k].gone)
            return false;
    tell_from_0(shape);
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
