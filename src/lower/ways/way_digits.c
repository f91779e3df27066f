/* Positions in a launch, and what has several coordinates: a position on an axis of which several loops have digits,
 * and numbers of which a block has several, or through which blocks walk:
 *
 *     n = 64 * block + thread        (i, j) are its digits, j below N, i on from 0
 *
 * No expression of n tells these, but each n has one such pair, and each pair is that of one n. So they are new
 * variables, and all numbers that there are have each pair with i < M once.
 */
#include "lower/ways/way.h"

/* So many positions, in runs, are at most so many blocks. */
static const struct affine *launched_extent(struct ways *ways, const struct launch *launch, enum axis axis,
                                            const struct affine *extent)
{
    const struct affine *blocks[2] = {extent, affine_constant(ways->arena, launch->blocks[axis])};

    if (extent && launch->run[axis])
        blocks[0] = extent = affine_floor(ways->arena, affine_add_constant(ways->arena, extent, launch->run[axis] - 1),
                                          launch->run[axis]);
    return extent && launch->blocks[axis] ? affine_extreme(ways->arena, ATOM_MIN, blocks, 2) : extent;
}

static int digits_of(const struct launch *launch, enum axis axis)
{
    int n = 0;

    for (int k = 0; k < AXIS_DIGITS; k++)
        n += launch->extent[axis_digit(axis, k)] != NULL;
    return n;
}

static struct way *with_position(struct ways *ways, const struct way *way, enum axis axis, const struct affine *value)
{
    struct way *name = way_step(ways, way, WAY_NAME);

    name->axis = axis;
    name->value = value;
    return name;
}

/* There are several digits, and of those a block has several, or blocks walk through them: the block is one count. */
static const struct way *with_blocks(struct ways *ways, const struct way *way, const struct launch *launch,
                                     enum axis axis)
{
    const struct affine **extent = ARENA_ARRAY(ways->arena, AXIS_DIGITS, const struct affine *);
    const struct var *count = ways_count(ways);
    int n = 0;

    for (int k = AXIS_DIGITS - 1; k >= 0; k--) {
        const struct affine *own = launch->extent[axis_digit(axis, k)];
        if (own && !(extent[n++] = way_value(ways, way, own)))
            return NULL;
    }
    way = way_with_unended(ways, way, count, launch->blocks[axis] ? NULL : extent, n);
    return with_position(ways, way, axis, affine_var(ways->arena, count));
}

/* A count for each digit of the positions on the axis, and what the whole position is of them. */
const struct way *way_with_axis(struct ways *ways, const struct way *way, const struct launch *launch, enum axis axis)
{
    const struct affine *whole = affine_constant(ways->arena, 0);
    int64_t finer = 1, digits;

    if (digits_of(launch, axis) > 1 && (launch->run[axis] || launch->blocks[axis]))
        return with_blocks(ways, way, launch, axis);
    for (int k = 0; k < AXIS_DIGITS; k++) {
        const struct affine *digit = launch->extent[axis_digit(axis, k)];
        const struct affine *extent = digit ? way_value(ways, way, digit) : NULL;
        const struct var *count = ways_count(ways);
        if (!digit)
            continue;
        extent = launched_extent(ways, launch, axis, extent);
        if (!extent)
            return NULL;
        way = way_with_digit(ways, way, axis_digit(axis, k), count, affine_add_constant(ways->arena, extent, -1));
        whole = whole && finer ? affine_combine(ways->arena, whole, 1, affine_var(ways->arena, count), finer) : NULL;
        finer = affine_is_constant(extent, &digits) && digits < INT32_MAX && finer < INT32_MAX ? finer * digits : 0;
    }
    return with_position(ways, way, axis, whole);
}

/* The coordinates of a position that has several digits, the last part's being the finest. */
static const struct way *of_position(struct ways *ways, const struct way *outer, const struct node *tuple)
{
    const struct way *way = outer;

    for (int k = tuple->n_part - 1, digit = 0; k >= 0; k--, digit++) {
        const enum axis axis = axis_digit(tuple->var->position, digit);
        const struct affine *first = way_value(ways, outer, tuple->part[k].first);
        const struct affine *extent = way_value(ways, outer, tuple->part[k].extent);
        const struct way *own = way;
        while (own && (own->kind != WAY_COUNT || own->axis != axis))
            own = own->outer;
        if (!first || !extent || !own || !own->most ||
            !affine_equal(affine_add_constant(ways->arena, own->most, 1), extent))
            return ways_lost(ways, "digits of positions that have other extents");
        way = way_with_name(ways, way, tuple->part[k].var,
                            affine_add(ways->arena, first, affine_var(ways->arena, own->var)));
    }
    return way;
}

/* The count that goes on, of which value is made; NULL: there is none, or there are several. */
static const struct way *unended_count(const struct way *way, const struct affine *value)
{
    const struct way *found = NULL;

    for (; way; way = way->outer)
        if (way->unended && affine_uses(value, way->var)) {
            if (found)
                return NULL;
            found = way;
        }
    return found;
}

/* A block that walks on by a whole grid at a time, or several blocks: in the place of the block is the number of all
 * these together, as many as a box of those extents has points. *value: of the tuple's variable. */
static const struct way *walking(struct ways *ways, const struct way *outer, const struct node *tuple,
                                 const struct affine *const *extent, const struct affine **value)
{
    const struct way *position = outer, *way;
    const struct var *count = ways_count(ways);
    struct way *gone;

    while (position && (position->kind != WAY_NAME || position->axis != axis_whole(tuple->axis)))
        position = position->outer;
    position = position && position->value ? unended_count(outer, position->value) : NULL;
    *value = way_value(ways, outer, tuple->lower);
    if (!position || position->extent || !*value || affine_factor(*value, position->var) != tuple->step)
        return ways_lost(ways, "digits of positions through which blocks walk");
    *value = affine_substitute(ways->arena, *value, position->var, affine_var(ways->arena, count));
    gone = way_step(ways, outer, WAY_GONE);
    gone->var = position->var;
    way = way_with_unended(ways, gone, count, extent, tuple->n_part);
    way = with_position(ways, way, axis_whole(tuple->axis), NULL);
    return *value ? way_with_name(ways, way, tuple->var, *value) : NULL;
}

/* Are the tuple's extents those of the positions? Digits that are always 0 are left out of both. */
static bool same_extents(const struct way *count, const struct affine *const *extent, int n)
{
    int k = 0, value_at = 0;
    int64_t value;

    while (k < n || value_at < count->n_digit) {
        if (value_at < count->n_digit && affine_is_constant(count->extent[value_at], &value) && value == 1)
            value_at++;
        else if (k < n && affine_is_constant(extent[k], &value) && value == 1)
            k++;
        else if (k == n || value_at == count->n_digit || !affine_equal(extent[k++], count->extent[value_at++]))
            return false;
    }
    return true;
}

/* DIGITS with a variable for each of the tuple's parts, which its names are; the value is not set. */
static const struct way *with_coordinates(struct ways *ways, const struct way *way, const struct node *tuple,
                                          struct way *digits)
{
    const struct var **digit = ARENA_ARRAY(ways->arena, tuple->n_part + 1, const struct var *);

    digits->digit = digit;
    digits->n_digit = tuple->n_part;
    for (int k = 0; k < tuple->n_part; k++) {
        const struct affine *first = way_value(ways, way, tuple->part[k].first);
        digit[k] = ways_count(ways);
        if (!first)
            return NULL;
        way = way_with_name(ways, way, tuple->part[k].var,
                            affine_add(ways->arena, first, affine_var(ways->arena, digit[k])));
    }
    return way;
}

/* The coordinates of a number: new variables. */
static const struct way *of_number(struct ways *ways, const struct way *way, const struct node *tuple)
{
    const struct affine **extent = ARENA_ARRAY(ways->arena, tuple->n_part + 1, const struct affine *);
    const struct affine *value = NULL;
    const struct way *count;
    struct way *digits;

    for (int k = 0; k < tuple->n_part; k++)
        if (!(extent[k] = way_value(ways, way, tuple->part[k].extent)))
            return NULL;
    if (tuple->step)
        way = walking(ways, way, tuple, extent, &value);
    else
        value = way_value(ways, way, affine_var(ways->arena, tuple->var));
    count = way && value ? unended_count(way, value) : NULL;
    if (!count || !count->extent)
        return ways_lost(ways, "digits of positions through which blocks walk");
    if (!same_extents(count, extent, tuple->n_part))
        return ways_lost(ways, "digits of positions that have other extents");
    digits = way_step(ways, way, WAY_DIGITS);
    digits->value = value;
    digits->extent = extent;
    digits->ended = tuple->step > 0;
    return with_coordinates(ways, digits, tuple, digits);
}

const struct way *way_with_digits(struct ways *ways, const struct way *way, const struct node *tuple)
{
    if (!tuple->step && tuple->var->position != AXIS_NONE)
        return of_position(ways, way, tuple);
    return of_number(ways, way, tuple);
}
