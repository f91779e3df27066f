#include "lower/device/grid.h"

#include "lower/device/axis_digits.h"
#include "tree/visit.h"

#include <limits.h>
#include <stdlib.h>

/* Does what is a whole grid of blocks past the loop's end fit an int? */
static bool is_narrow_past_end(const struct grid *grid, const struct node *loop)
{
    const int64_t blocks = positions_blocks(&grid->positions, loop->axis);
    int64_t end;

    return loop->var->narrow && affine_is_constant(loop->upper, &end) && llabs(end) <= INT_MAX &&
           llabs(loop->step) <= (INT_MAX - llabs(end)) / blocks;
}

/* The variable of a loop that goes a whole grid past its end. */
static const struct var *walking_var(struct grid *grid, const struct node *loop)
{
    struct var *copy = var_like(grid->vars, loop->var);

    copy->narrow = is_narrow_past_end(grid, loop);
    copy->low = copy->high = 0;
    return copy;
}

/* i <= M - 1 for i <= 8 * ((M + 7) / 8) - 8 where i is a multiple of 8. */
static const struct affine *plain_end(struct arena *arena, const struct node *loop)
{
    const struct affine_term *term = loop->upper->term;
    const bool divided = loop->upper->n_term == 1 && term->atom->kind == ATOM_FLOOR &&
                         term->factor == term->atom->divisor && loop->step == term->factor;
    int64_t first;

    if (!divided || !affine_is_constant(loop->lower, &first) || (first - loop->upper->constant) % loop->step != 0)
        return loop->upper;
    return affine_add_constant(arena, term->atom->arg[0], loop->upper->constant);
}

const struct node *grid_walking(struct grid *grid, const struct node *loop, const struct affine *value,
                                unsigned missing, const struct pending *pending)
{
    struct node *copy = ARENA_NEW(grid->arena, struct node);
    const struct node *body;

    *copy = *loop;
    copy->var = walking_var(grid, loop);
    copy->lower = value;
    copy->upper = plain_end(grid->arena, loop);
    body = node_substitute(grid->arena, loop->child[0], loop->var, affine_var(grid->arena, copy->var));
    body = body ? grid_convert(grid, body, missing, pending) : NULL;
    return copy->upper && body ? node_with_body(grid->arena, copy, body) : NULL;
}

const struct node *grid_walking_digits(struct grid *grid, const struct node *loop, unsigned missing,
                                       const struct pending *pending)
{
    const enum axis axis = axis_whole(loop->axis);
    const bool together = grid_waits(grid, loop);
    const struct positions outside = grid->positions;
    const int n_name = grid->starts.names.used.n;
    const struct node *body;

    axis_digits_enter(&grid->positions, loop, &grid->starts.names, grid->vars);
    grid->positions.ended[axis] = !together;
    for (int k = 0; k < AXIS_DIGITS; k++)
        if (grid->positions.launch->extent[axis_digit(axis, k)])
            grid_note_position(grid, grid->positions.at[axis_digit(axis, k)], axis_digit(axis, k), NULL, 0);
    body = grid_convert(grid, loop, missing & ~axis_digits_bits(&grid->positions, axis), pending);
    body = axis_digits_walking(&grid->positions, axis, body, together);
    grid->positions = outside;
    grid->starts.names.used.n = n_name;
    return body;
}
