#include "lower/device/grid.h"

#include "caps/gpu.h"
#include "lower/device/axis_digits.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

#include <limits.h>

/* The variable of a loop that goes on from thread to thread, by step at most, past its end. */
static const struct var *dealt_var(struct grid *grid, const struct node *loop, int64_t step)
{
    struct var *copy = var_like(grid->vars, loop->var);

    copy->narrow = loop->var->narrow && loop->var->high > 0 && loop->var->high <= INT_MAX - step;
    copy->high += copy->narrow ? step : 0;
    return copy;
}

/* The thread's number along the loop's axis, which may have digits. */
static const struct affine *number_along(struct grid *grid, const struct node *loop)
{
    const enum axis axis = loop->axis;
    const bool digits = is_axis_digit(&grid->positions, axis);

    return affine_var(grid->arena, digits ? grid->positions.whole[axis] : grid_thread_number(grid, loop, axis));
}

const struct node *grid_dealing(struct grid *grid, const struct node *loop, unsigned missing,
                                const struct pending *pending)
{
    struct arena *arena = grid->arena;
    const int64_t dealt = loop->info->plan->dealt;
    const bool any = dealt == DEALT_TO_ALL;
    const struct affine *thread = number_along(grid, loop);
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node *body;

    *copy = *loop;
    copy->var = dealt_var(grid, loop, loop->step * (any ? grid->gpu->threads : dealt));
    copy->lower = affine_add(arena, loop->lower, affine_scale(arena, thread, loop->step));
    copy->step = any ? loop->step : loop->step * dealt;
    copy->axis = any ? loop->axis : AXIS_NONE;
    differing_add(&grid->differing, copy->var, loop->axis, NULL, 0);
    body = node_substitute(arena, loop->child[0], loop->var, affine_var(arena, copy->var));
    body = body ? grid_convert(grid, body, missing & ~axis_digits_bits(&grid->positions, loop->axis), NULL) : NULL;
    return body && copy->lower ? pending_around(arena, pending, node_with_body(arena, copy, body)) : NULL;
}
