#include "lower/grid.h"

#include "base/diag.h"
#include "plan/cooperate.h"
#include "program/program.h"
#include "tree/visit.h"

/* Does a block have a run of a tuple's iterations? */
static bool has_runs(const struct grid *grid)
{
    for (int axis = AXIS_BLOCK_X; axis <= AXIS_BLOCK_Z; axis++)
        if (grid->positions.launch->run[axis])
            return true;
    return false;
}

static bool is_copy(const struct node *node)
{
    return node->kind == NODE_LOOP && node->axis != AXIS_NONE && is_cooperative(node->info);
}

static void note_copy(const struct node *node, void *user)
{
    *(bool *)user |= is_copy(node);
}

bool grid_is_copy(const struct grid *grid, const struct node *node)
{
    return !grid->filling && has_runs(grid) && is_copy(node);
}

bool grid_has_copy(const struct grid *grid, const struct node *node)
{
    bool found = false;

    if (has_runs(grid))
        node_for_each(node, note_copy, &found);
    return found;
}

static void find_copied(const struct node *node, void *user)
{
    const struct array **found = user;

    if (node->kind == NODE_ASSIGN && (!*found || node->target.array->memory == MEMORY_SHARED))
        *found = node->target.array;
}

static const struct node *refuse_copy(struct grid *grid, const struct node *copy)
{
    const struct array *array = NULL;
    struct diag *diag;

    node_for_each(copy, find_copied, &array);
    diag =
        diag_error(grid->diags, "memory", array->place,
                   "`%s` cannot be shared: a block has iterations in a row that start anywhere in the collapsed loops, "
                   "as their inner extents are not constants, and what is copied is not the same for all of them",
                   array->name);
    diag_hint(
        grid->diags, diag,
        "split the inner loop alone and bind the loops to axes of their own, or collapse loops whose inner extents "
        "are constants; what each thread has for itself can be \"local\"");
    grid->refused = true;
    return NULL;
}

static bool differs(const struct grid *grid, const struct node *copy, const struct pending *pending)
{
    for (int k = 0; k < grid->differing.all.n; k++)
        if (node_uses(copy, grid->differing.all.at[k]))
            return true;
    for (; pending; pending = pending->outer)
        if (differing_guards(&grid->differing, pending->alternative, pending->n))
            return true;
    return false;
}

const struct node *grid_copy(struct grid *grid, const struct node *loop, unsigned missing,
                             const struct pending *pending)
{
    const struct node *result;

    pending = pending_of_runs(grid->arena, pending);
    if (differs(grid, loop, pending))
        return refuse_copy(grid, loop);
    grid->filling = true;
    result = grid_convert(grid, loop, missing, pending);
    grid->filling = false;
    return result;
}
