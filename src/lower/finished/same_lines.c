#include "lower/finished/same_lines.h"

#include "lower/finished/least.h"
#include "lower/finished/line.h"
#include "program/program.h"

/* Leaves of a side that are looked at, and numbers that a count may have where each becomes a leaf. */
enum { MOST_LINES = 64, FEW = 8 };

/* Is list[0] <= value, or value <= list[0], of each in the list? */
static bool all_beyond(const struct line_reading *reading, const affine_vec *list, const struct affine *value,
                       bool high)
{
    bool all = true;

    for (int k = 0; k < list->n && all; k++)
        all = least_is_shown(&reading->known,
                             affine_sub(reading->arena, high ? list->at[k] : value, high ? value : list->at[k]));
    return all;
}

/* Adds a line that starts at the number behind the end of whole, whose last line started at *before (NULL: there is one
 * line so far). No line may start in front of the one before it, and the second one not in front of the first: that is
 * shown, or all ends of the first are its own, too, as those of a loop that goes on where the first one stopped. */
static bool joined(const struct line_reading *reading, struct line *whole, const struct affine **before,
                   const struct line *next)
{
    struct arena *arena = reading->arena;
    const struct affine *start;
    bool found = false, clipped = true;

    if (whole->high.n != 1 || !line_same_gates(whole, next))
        return false;
    start = affine_add_constant(arena, whole->high.at[0], 1);
    for (int k = 0; k < next->low.n; k++)
        found = found || (start && affine_equal(next->low.at[k], start));
    for (int k = 0; k < next->low.n && found; k++)
        if (!affine_equal(next->low.at[k], start) && !line_has(arena, &whole->low, false, false, next->low.at[k]) &&
            !line_has(arena, &whole->low, false, true, next->low.at[k]))
            return false;
    for (int k = 0; k < whole->low.n; k++)
        clipped = clipped && line_has(arena, &next->low, false, false, whole->low.at[k]);
    if (!found || (!clipped && !all_beyond(reading, &whole->low, start, false)) ||
        (*before && !least_is_shown(&reading->known, affine_sub(arena, start, *before))))
        return false;
    *before = start;
    whole->high = next->high;
    return true;
}

/* What the leaves of the side run, one behind the other. */
static bool whole_line(const struct line_reading *reading, int dim, struct line *whole)
{
    const leaf_vec *leaves = &reading->side->leaves;
    const struct affine *before = NULL;
    affine_vec ends = {0};

    for (int k = 0; k < leaves->n; k++) {
        struct line_reading own = {.arena = reading->arena, .known = reading->known};
        own.side = reading->side;
        own.leaf = &leaves->at[k];
        if (!line_read(&own, leaves->at[k].argument[dim]) || (k > 0 && !joined(&own, whole, &before, &own.line)))
            return false;
        if (k == 0)
            *whole = own.line;
        if (k + 1 < leaves->n)
            VEC_PUSH(reading->arena, &ends, own.line.high.n == 1 ? own.line.high.at[0] : NULL);
    }
    for (int k = 0; k < ends.n; k++)
        if (!ends.at[k] || !all_beyond(reading, &whole->high, ends.at[k], true))
            return false;
    return leaves->n > 0;
}

static bool same_line(const struct line_reading *proved, const struct line_reading *finished, int dim)
{
    struct line a = {{0}, {0}, {0}}, b = {{0}, {0}, {0}};

    return whole_line(proved, dim, &a) && whole_line(finished, dim, &b) && line_same_gates(&a, &b) &&
           line_same_ends(proved->arena, &a.low, &b.low, false) &&
           line_same_ends(proved->arena, &a.high, &b.high, true);
}

/* The dimension in which the leaf moves: the first one, if there is none. -1: there are several. */
static int moving_dim(struct line_reading *reading, const struct leaf *leaf)
{
    int dim = -1;

    reading->leaf = leaf;
    for (int d = 0; d < leaf->statement->n_loop; d++)
        if (line_has_own(reading, leaf->argument[d])) {
            if (dim >= 0)
                return -1;
            dim = d;
        }
    return dim < 0 ? 0 : dim;
}

/* Is what leaf runs along the line that first is on? */
static bool on_line(struct line_reading *reading, const struct leaf *first, int dim, const struct leaf *leaf)
{
    reading->leaf = leaf;
    for (int d = 0; d < leaf->statement->n_loop; d++)
        if (d != dim &&
            (line_has_own(reading, leaf->argument[d]) || !affine_equal(first->argument[d], leaf->argument[d])))
            return false;
    return true;
}

/* Takes the leaves on that line from those of the side, in their order. */
static struct side taken(struct arena *arena, struct side *side, const struct leaf *first, int dim)
{
    struct side line = {.from = side->from}, rest = {.from = side->from};
    struct line_reading reading = {.arena = arena, .side = side};

    for (int k = 0; k < side->leaves.n; k++)
        if (on_line(&reading, first, dim, &side->leaves.at[k]))
            VEC_PUSH(arena, &line.leaves, side->leaves.at[k]);
        else
            VEC_PUSH(arena, &rest.leaves, side->leaves.at[k]);
    *side = rest;
    return line;
}

/* Is the leaf's argument in some dimension of that count alone? */
static bool is_alone(const struct line_reading *reading, const struct var *count)
{
    for (int d = 0; d < reading->leaf->statement->n_loop; d++) {
        const struct affine *argument = reading->leaf->argument[d];
        const int64_t factor = affine_factor(argument, count);
        const struct affine *var = affine_var(reading->arena, count);
        if (factor && !line_has_own(reading, affine_combine(reading->arena, argument, 1, var, -factor)))
            return true;
    }
    return false;
}

/* Such a count of few numbers; NULL: the leaf moves in one dimension at most, or there is none. */
static const struct way *unrolled_count(struct line_reading *reading, const struct leaf *leaf)
{
    const struct way *found = NULL;
    int n = 0;

    reading->leaf = leaf;
    for (int d = 0; d < leaf->statement->n_loop; d++)
        n += line_has_own(reading, leaf->argument[d]);
    for (const struct way *way = leaf->way; way != reading->side->from && n > 1; way = way->outer)
        if (way->kind == WAY_COUNT && way->low != INT64_MIN && way->width < FEW &&
            (!found || way->width < found->width) && is_alone(reading, way->var))
            found = way;
    return found;
}

static struct condition fixed_condition(struct arena *arena, struct condition condition, const struct var *var,
                                        const struct affine *value)
{
    condition.affine = condition.affine ? affine_substitute(arena, condition.affine, var, value) : NULL;
    return condition;
}

/* The way from inner to end with the value in the place of the count, which is none of it any more. */
static const struct way *fixed_way(struct arena *arena, const struct way *inner, const struct way *end,
                                   const struct var *var, const struct affine *value)
{
    struct way *way;
    struct guard *guard;

    if (inner == end)
        return end;
    way = ARENA_NEW(arena, struct way);
    *way = *inner;
    way->outer = fixed_way(arena, inner->outer, end, var, value);
    if (inner->kind == WAY_COUNT && inner->var == var)
        return way->outer;
    if (inner->kind == WAY_COUNT && inner->most)
        way->most = affine_substitute(arena, inner->most, var, value);
    guard = ARENA_ARRAY(arena, inner->n_alternative + 1, struct guard);
    for (int a = 0; a < inner->n_alternative; a++) {
        struct condition *condition = ARENA_ARRAY(arena, inner->alternative[a].n + 1, struct condition);
        for (int c = 0; c < inner->alternative[a].n; c++)
            condition[c] = fixed_condition(arena, inner->alternative[a].condition[c], var, value);
        guard[a] = (struct guard){condition, inner->alternative[a].n};
    }
    way->alternative = guard;
    return way;
}

static struct leaf fixed_leaf(struct arena *arena, const struct side *side, const struct leaf *leaf,
                              const struct var *var, int64_t number)
{
    const struct affine *value = affine_constant(arena, number);
    const struct affine **argument = ARENA_ARRAY(arena, leaf->statement->n_loop + 1, const struct affine *);
    struct leaf fixed = *leaf;

    for (int d = 0; d < leaf->statement->n_loop; d++)
        argument[d] = affine_substitute(arena, leaf->argument[d], var, value);
    fixed.argument = argument;
    fixed.way = fixed_way(arena, leaf->way, side->from, var, value);
    return fixed;
}

static void add_unrolled(struct arena *arena, const struct side *side, const struct leaf *leaf, leaf_vec *leaves)
{
    struct line_reading reading = {.arena = arena, .side = side};
    const struct way *count = unrolled_count(&reading, leaf);

    if (!count)
        VEC_PUSH(arena, leaves, *leaf);
    for (int64_t k = 0; count && k <= count->width && leaves->n <= MOST_LINES; k++) {
        const struct leaf fixed = fixed_leaf(arena, side, leaf, count->var, count->low + k);
        add_unrolled(arena, side, &fixed, leaves);
    }
}

/* The side with a leaf for each number of such counts. */
static struct side unrolled(struct arena *arena, const struct side *side)
{
    struct side all = {.from = side->from};

    for (int k = 0; k < side->leaves.n; k++)
        add_unrolled(arena, side, &side->leaves.at[k], &all.leaves);
    return all;
}

/* Lines of the proved tree have nothing in common; so do those of the finished one, if they are the same. */
bool same_lines(struct arena *arena, const int64_t *param_least, const struct side *proved, const struct side *finished)
{
    struct side left[2] = {unrolled(arena, proved), unrolled(arena, finished)};

    if (left[0].leaves.n > MOST_LINES || left[1].leaves.n > MOST_LINES)
        return false;
    while (left[0].leaves.n > 0 && left[1].leaves.n > 0) {
        struct line_reading reading = {.arena = arena, .side = &left[1]};
        const struct leaf first = left[1].leaves.at[0];
        const int dim = first.statement->n_loop ? moving_dim(&reading, &first) : -1;
        struct side line[2];
        if (dim < 0)
            return false;
        for (int s = 0; s < 2; s++)
            line[s] = taken(arena, &left[s], &first, dim);
        struct line_reading a = {.arena = arena, .known = {arena, param_least, finished->from}, .side = &line[0]},
                            b = a;
        b.side = &line[1];
        if (!same_line(&a, &b, dim))
            return false;
    }
    return left[0].leaves.n == 0 && left[1].leaves.n == 0;
}
