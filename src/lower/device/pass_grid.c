/* Pass "grid": loops over positions of the launch become values of the position.
 *
 *     for (ii over thread.y) {                      const int ii = threadIdx.y;
 *         if (i + ii < M)                           if (i + ii < M)
 *             a ..                    becomes           a ..
 *         barrier                                   barrier
 *         if (i + ii < M) b ..                      if (i + ii < M) b ..
 *     }
 * A position beyond the loop's own, or of an axis on which a statement has no loop, does nothing: such conditions, and
 * those around barriers that differ between threads, go inside, so that all threads of a block reach every
 * barrier. What then still is in a loop of which threads have different numbers of iterations is refused.
 */
#include "caps/gpu.h"
#include "lower/body/preconditions.h"
#include "lower/device/axis_digits.h"
#include "lower/device/grid.h"
#include "lower/device/warp_sum.h"
#include "lower/lower.h"
#include "plan/device/copies/dealing.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "tree/visit.h"

/* Do all threads of a block wait there for each other, and not each for its own copies only? */
static bool is_barrier(const struct node *node)
{
    return node->kind == NODE_BARRIER && !node->lone;
}

static void note_barrier(const struct node *node, void *user)
{
    *(bool *)user |= is_barrier(node);
}

static bool has_barrier(const struct node *node)
{
    bool found = false;

    node_for_each(node, note_barrier, &found);
    return found;
}

static void note_own_wait(const struct node *node, void *user)
{
    *(bool *)user |= node->kind == NODE_BARRIER;
}

/* Are there threads in it that wait for their own copies, in whatever else only some of them do? */
static bool has_own_wait(const struct node *node)
{
    bool found = false;

    if (node->kind != NODE_BARRIER)
        node_for_each(node, note_own_wait, &found);
    return found;
}

static void note_wait(const struct node *node, void *user)
{
    *(bool *)user |= is_barrier(node) || node->warp_sum;
}

bool grid_waits(const struct grid *grid, const struct node *node)
{
    bool found = false;

    node_for_each(node, note_wait, &found);
    return found || grid_has_copy(grid, node);
}

/* Is it a digit of a position that a block only has in loops that it walks through? */
static bool is_walked_carry(const struct grid *grid, enum axis axis)
{
    return axis >= AXIS_CARRY && axis_digits_walk(&grid->positions, axis) && !grid->positions.walking[axis_whole(axis)];
}

/* Only the first position of the axes in missing. */
static const struct pending *first_only(struct grid *grid, unsigned missing, const struct pending *pending)
{
    for (int axis = AXIS_BLOCK_X; axis < AXIS_COUNT; axis++) {
        struct pending *more;
        if (!(missing & 1u << axis) || is_walked_carry(grid, (enum axis)axis))
            continue;
        more = ARENA_NEW(grid->arena, struct pending);
        *more = pending_with(grid->arena, positions_value(&grid->positions, (enum axis)axis), true, pending);
        pending = more;
    }
    return pending;
}

static void find_barrier(const struct node *node, void *user)
{
    const struct statement **found = user;

    if ((is_barrier(node) || node->warp_sum) && !*found)
        *found = node->statement;
}

static const struct node *refuse(struct grid *grid, const struct node *node, const char *what)
{
    const struct statement *barrier = NULL;
    struct diag *diag;

    node_for_each(node, find_barrier, &barrier);
    diag = diag_error(grid->diags, "barrier", barrier->place, "not all threads of a block would reach %s inside %s%s%s",
                      has_barrier(node) ? "a barrier" : "the sum over them", what, node->var ? " " : "",
                      node->var ? node->var->name : "");
    diag_hint(grid->diags, diag, "all threads have to run the same iterations of the loops around a barrier");
    grid->refused = true;
    return NULL;
}

const struct var *grid_start_of(struct grid *grid, const struct node *loop, const struct affine *value)
{
    const struct start *start = starts_find(&grid->starts, loop);

    if (start)
        return start->var;
    start = starts_add(&grid->starts, loop, value, grid->vars);
    differing_add(&grid->differing, start->var, loop->axis, loop->lower, loop->step);
    return start->var;
}

/* loop over threads with the shared variable in place of its own; its value is put in front of everything. */
static const struct node *renamed(struct grid *grid, const struct node *loop, const struct affine *value)
{
    struct node *copy = ARENA_NEW(grid->arena, struct node);
    const struct node *body;

    *copy = *loop;
    copy->var = grid_start_of(grid, loop, value);
    body = node_substitute(grid->arena, loop->child[0], loop->var, affine_var(grid->arena, copy->var));
    return body ? node_with_body(grid->arena, copy, body) : NULL;
}

/* The body of a bound loop, under the condition that the position is one of the loop's. */
static const struct node *convert_body(struct grid *grid, const struct node *loop, unsigned missing,
                                       const struct pending *pending)
{
    const struct affine *beyond = affine_sub(grid->arena, loop->upper, affine_var(grid->arena, loop->var));
    struct pending own;

    if (positions_are_whole(&grid->positions, loop))
        return grid_convert(grid, loop->child[0], missing, pending);
    own = pending_with(grid->arena, affine_scale(grid->arena, beyond, loop->step < 0 ? -1 : 1), false, pending);
    return grid_convert(grid, loop->child[0], missing, &own);
}

const struct node *grid_with_comment_of(struct grid *grid, const struct node *loop, const struct node *node)
{
    return node && loop->comment && !node->comment ? node_with_comment(grid->arena, node, loop->comment) : node;
}

/* A loop over threads whose variable is made of its position. */
static const struct node *convert_threads(struct grid *grid, const struct node *loop, const struct affine *value,
                                          unsigned missing, const struct pending *pending)
{
    const struct node *body;

    if (!node_uses(loop->child[0], loop->var) && positions_are_whole(&grid->positions, loop)) {
        body = node_substitute(grid->arena, loop->child[0], loop->var, value);
        return grid_with_comment_of(grid, loop, body ? grid_convert(grid, body, missing, pending) : NULL);
    }
    loop = renamed(grid, loop, value);
    body = loop ? convert_body(grid, loop, missing, pending) : NULL;
    return grid_with_comment_of(grid, loop, body);
}

/* A loop that counts a digit of the positions: the digit's variable stands for the loop's. */
static const struct node *convert_axis_digit(struct grid *grid, const struct node *loop, unsigned missing,
                                             const struct pending *pending)
{
    struct node *copy = ARENA_NEW(grid->arena, struct node);
    const struct node *body;

    *copy = *loop;
    copy->var = grid->positions.at[loop->axis];
    body = node_substitute(grid->arena, loop->child[0], loop->var, affine_var(grid->arena, copy->var));
    loop = body ? node_with_body(grid->arena, copy, body) : NULL;
    return loop ? grid_with_comment_of(grid, loop, convert_body(grid, loop, missing, pending)) : NULL;
}

void grid_note_position(struct grid *grid, const struct var *var, enum axis axis, const struct affine *first,
                        int64_t step)
{
    const bool digit = is_axis_digit(&grid->positions, axis);
    const enum axis whole = axis_whole(axis);

    if (axis_digits_walk(&grid->positions, axis) && !grid->positions.walking[whole])
        return;
    if (grid->positions.launch->run[whole])
        differing_add(&grid->differing, var, grid->positions.launch->threads_axis[whole], NULL, 0);
    else if (axis_is_thread(axis))
        differing_add(&grid->differing, var, whole, digit ? NULL : first, digit ? 0 : step);
}

/* loop with a variable whose range has the positions past the last as well, whatever is in them. */
static const struct node *ranged(struct grid *grid, const struct node *loop)
{
    const int64_t past = positions_past_last(&grid->positions, loop) * loop->step;
    struct var *var;
    struct node *copy;
    const struct node *body;

    if (past == 0 || !loop->var->narrow)
        return loop;
    var = var_like(grid->vars, loop->var);
    var->low += past < 0 ? past : 0;
    var->high += past > 0 ? past : 0;
    if ((loop->var->low == 0 && loop->var->high == 0) || var->low < INT32_MIN || var->high > INT32_MAX) {
        var->narrow = false;
        var->low = var->high = 0;
    }
    copy = ARENA_NEW(grid->arena, struct node);
    *copy = *loop;
    copy->var = var;
    body = node_substitute(grid->arena, loop->child[0], loop->var, affine_var(grid->arena, var));
    return body ? node_with_body(grid->arena, copy, body) : NULL;
}

static const struct node *convert_bound(struct grid *grid, const struct node *loop, unsigned missing,
                                        const struct pending *pending)
{
    struct arena *arena = grid->arena;
    const struct affine *value;
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node *body;

    if (is_dealt(loop->info))
        return grid_dealing(grid, loop, missing, pending);
    if (loop->axis == AXIS_THREAD)
        return grid_rounds(grid, loop, missing, pending);
    if (loop->info->tuple > 1 && axis_digits_walk(&grid->positions, loop->axis) &&
        !grid->positions.walking[axis_whole(loop->axis)])
        return grid_walking_digits(grid, loop, missing, pending);
    value =
        affine_add(arena, loop->lower, affine_scale(arena, positions_value(&grid->positions, loop->axis), loop->step));
    missing &= ~positions_bits(&grid->positions, loop->axis);
    if (!value || positions_walk(&grid->positions, loop))
        return value ? grid_walking(grid, loop, value, missing, pending) : NULL;
    if (counts_axis_digit(&grid->positions, loop))
        return convert_axis_digit(grid, loop, missing, pending);
    if (starts_is_one(loop))
        return convert_threads(grid, loop, value, missing, pending);
    loop = ranged(grid, loop);
    if (!loop)
        return NULL;
    grid_note_position(grid, loop->var, loop->axis, loop->lower, loop->step);
    *copy = *loop;
    copy->lower = value;
    body = convert_body(grid, loop, missing, pending);
    if (body && !node_uses(body, loop->var))
        return node_substitute(arena, body, loop->var, value);
    copy->kind = NODE_VALUE;
    copy->axis = AXIS_NONE;
    copy->upper = NULL;
    return body ? node_with_body(arena, copy, body) : NULL;
}

static const struct node *convert_warp_sum(struct grid *grid, const struct node *node, unsigned missing,
                                           const struct pending *pending)
{
    const struct warp_sum_place place = {&grid->differing.along_x, grid->positions.at[AXIS_THREAD_X],
                                         grid->positions.launch->extent[AXIS_THREAD_X], grid->param_least,
                                         grid->param_most};
    const struct pending *all = first_only(grid, missing & ~axis_bits(AXIS_THREAD_X), pending);
    const struct node *under = warp_sum_under(grid->arena, &place, all, node);

    return under ? under : refuse(grid, node, "one of many conditions");
}

/* Is it not to share a condition with its neighbours: is something for all threads in it? */
static bool is_alone(const struct grid *grid, const struct node *node)
{
    return node->kind == NODE_BARRIER || has_own_wait(node) || grid_waits(grid, node);
}

/* Children without barriers that stand next to each other go under one condition. */
static const struct node *convert_block(struct grid *grid, const struct node *block, unsigned missing,
                                        const struct pending *pending)
{
    const struct node **child = ARENA_ARRAY(grid->arena, block->n_child, const struct node *);
    int n = 0;

    for (int k = 0, end; k < block->n_child; k = end) {
        const unsigned axes = node_axes(block->child[k]);
        const struct node *run;
        for (end = k + 1; end < block->n_child && !is_alone(grid, block->child[k]); end++)
            if (is_alone(grid, block->child[end]) || axes || node_axes(block->child[end]))
                break;
        run = end - k == 1 ? block->child[k] : node_block(grid->arena, block->child + k, end - k);
        child[n] = grid_convert(grid, run, missing, pending);
        if (!child[n++])
            return NULL;
    }
    return node_block_like(grid->arena, block, child, n);
}

static const struct node *convert_children(struct grid *grid, const struct node *node, unsigned missing,
                                           const struct pending *pending)
{
    const struct node **child = ARENA_ARRAY(grid->arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++) {
        child[k] = grid_convert(grid, node->child[k], missing, pending);
        if (!child[k])
            return NULL;
    }
    return node_with_children(grid->arena, node, child);
}

static bool moves(const struct var *var, const void *user)
{
    (void)user;
    return var->kind != VAR_PARAM;
}

/* Is it a barrier under a condition that only says where something runs? Waiting where nothing does is right, too; but
 * what stands in some iterations of a loop stays there. */
static bool is_barrier_alone(const struct node *node)
{
    const struct node *child = node->child[0];
    bool alone = !node->value && node->n_child == 1 && child->kind == NODE_BARRIER &&
                 !(child->statement && child->statement->sometimes);

    for (int a = 0; a < node->n_alternative; a++)
        for (int k = 0; k < node->alternative[a].n && alone; k++) {
            const struct condition *condition = &node->alternative[a].condition[k];
            alone = !affine_any_var(condition->affine, moves, NULL) || (child->lone && !condition->equal);
        }
    return alone;
}

static const struct node *convert_if(struct grid *grid, const struct node *node, unsigned missing,
                                     const struct pending *pending)
{
    const struct pending own = {node->alternative, node->n_alternative, pending};

    if (is_barrier_alone(node))
        return grid_convert(grid, node->child[0], missing, pending);
    if (!grid_waits(grid, node) || !differing_guards(&grid->differing, node->alternative, node->n_alternative))
        return convert_children(grid, node, missing, pending);
    if (node->n_child > 1)
        return refuse(grid, node, "a condition that differs between them");
    return grid_convert(grid, node->child[0], missing, &own);
}

/* What the whole block goes into, where there is something for all threads in it. */
static const struct node *convert_switch(struct grid *grid, const struct node *node, unsigned missing,
                                         const struct pending *pending)
{
    if (grid_waits(grid, node) && differing_uses(&grid->differing, node->lower))
        return refuse(grid, node, "a tail of `cases` that differs between them");
    return convert_children(grid, node, missing, pending);
}

static void note_value(struct grid *grid, const struct node *node)
{
    const bool along_x = differs_along_x(&grid->differing.along_x, node->lower);

    if (differing_uses(&grid->differing, node->lower))
        differing_add(&grid->differing, node->var, along_x ? AXIS_THREAD_X : AXIS_THREAD_Y, NULL, 0);
}

/* Is it the number that a tuple inside takes apart? */
static bool is_taken_apart(const struct node *value)
{
    return value->child[0]->kind == NODE_TUPLE && value->child[0]->var == value->var;
}

/* Ends of loops that positions do not test need no name. */
static const struct node *convert_value(struct grid *grid, const struct node *value, unsigned missing,
                                        const struct pending *pending)
{
    note_value(grid, value);
    value = convert_children(grid, value, missing, pending);
    if (!value || value->n_local > 0 || node_uses(value->child[0], value->var) || is_taken_apart(value))
        return value;
    return grid_with_comment_of(grid, value, node_substitute(grid->arena, value->child[0], value->var, value->lower));
}

static const struct node *convert_loop(struct grid *grid, const struct node *loop, unsigned missing,
                                       const struct pending *pending)
{
    if (loop->axis != AXIS_NONE)
        return convert_bound(grid, loop, missing, pending);
    if (has_barrier(loop) &&
        (differing_uses(&grid->differing, loop->lower) || differing_uses(&grid->differing, loop->upper)))
        return refuse(grid, loop, "the loop");
    return convert_children(grid, loop, missing, pending);
}

static const struct node *descend(struct grid *grid, const struct node *node, unsigned missing,
                                  const struct pending *pending)
{
    switch (node->kind) {
    case NODE_CALL:
    case NODE_TUPLE:
        return convert_children(grid, node, missing, pending);
    case NODE_SWITCH:
        return convert_switch(grid, node, missing, pending);
    case NODE_BLOCK:
        return convert_block(grid, node, missing, pending);
    case NODE_IF:
        return convert_if(grid, node, missing, pending);
    case NODE_VALUE:
        return convert_value(grid, node, missing, pending);
    case NODE_LOOP:
        return convert_loop(grid, node, missing, pending);
    default:
        return node;
    }
}

/* node, of which only the first positions of the axes in missing run, under the conditions of pending. */
const struct node *grid_convert(struct grid *grid, const struct node *node, unsigned missing,
                                const struct pending *pending)
{
    if (node->warp_sum)
        return convert_warp_sum(grid, node, missing, pending);
    if (grid_is_copy(grid, node))
        return grid_copy(grid, node, missing, pending);
    if (grid_waits(grid, node) || (node_axes(node) == 0 && has_own_wait(node)))
        return descend(grid, node, missing, pending);
    if (node->kind == NODE_BARRIER)
        return pending_around(grid->arena, first_only(grid, missing & ~axis_bits(AXIS_THREAD), pending), node);
    if (node_axes(node) == 0)
        return pending_around(grid->arena, first_only(grid, missing, pending), node);
    if (node->kind == NODE_ASSIGN)
        return pending_around(grid->arena, first_only(grid, missing & ~node_axes(node), pending), node);
    if ((node_axes(node) & missing) == 0)
        return pending_around(grid->arena, first_only(grid, missing, pending), descend(grid, node, 0, NULL));
    return pending_around(grid->arena, pending, descend(grid, node, missing, NULL));
}

static bool kernel_uses(const struct node *kernel, const struct var *var)
{
    for (int k = 0; k < AXIS_COUNT; k++)
        if (kernel->launch->extent[k] && affine_uses(kernel->launch->extent[k], var))
            return true;
    return node_uses(kernel, var);
}

static const struct node *convert_kernel(struct grid *grid, const struct node *kernel)
{
    unsigned axes = 0;
    const struct node *body;
    struct node *copy = ARENA_NEW(grid->arena, struct node);

    grid->place = NULL;
    grid->positions = positions_of(grid->arena, grid->gpu, kernel, grid->param_least, grid->vars);
    grid->differing = (struct differing){.arena = grid->arena};
    grid->starts = starts_of(&grid->positions, kernel);
    for (int k = 0; k < grid->outside.n; k++)
        if (kernel_uses(kernel, grid->outside.at[k]))
            names_add(&grid->starts.names, grid->outside.at[k]->name);
    program_add_names(grid->program, &grid->starts.names);
    axis_digits_declare(&grid->positions, kernel, &grid->starts.names, grid->vars);
    for (int k = AXIS_BLOCK_X; k < AXIS_COUNT; k++) {
        axes |= grid->positions.launch->extent[k] ? 1u << k : 0;
        if (grid->positions.at[k])
            grid_note_position(grid, grid->positions.at[k], (enum axis)k, affine_constant(grid->arena, 0), 1);
    }
    body = grid_places(grid, kernel->child[0]);
    body = body ? starts_in_front(&grid->starts, grid_convert(grid, body, axes, NULL)) : NULL;
    *copy = *kernel;
    copy->launch = grid->positions.launch;
    return body ? node_with_body(grid->arena, copy, body) : NULL;
}

static const struct node *walk(struct grid *grid, const struct node *node)
{
    const struct node **child;
    const int n_outside = grid->outside.n;

    if (node->kind == NODE_KERNEL)
        return convert_kernel(grid, node);
    child = ARENA_ARRAY(grid->arena, node->n_child + 1, const struct node *);
    if (node->var)
        VEC_PUSH(grid->arena, &grid->outside, node->var);
    for (int k = 0; k < node->n_part; k++)
        VEC_PUSH(grid->arena, &grid->outside, node->part[k].var);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = walk(grid, node->child[k]);
        if (!child[k])
            return NULL;
    }
    grid->outside.n = n_outside;
    return node_with_children(grid->arena, node, child);
}

enum status lower_grid(struct arena *arena, const struct program *program, struct vars *vars, const struct node *tree,
                       struct diags *diags, const struct node **result)
{
    struct grid grid = {.arena = arena, .diags = diags, .gpu = gpu_by_language(program->target.language), .vars = vars};

    *result = tree;
    if (!grid.gpu || !tree)
        return STATUS_OK;
    grid.program = program;
    grid.param_least = lower_param_least(arena, program);
    grid.param_most = lower_param_most(arena, program);
    *result = walk(&grid, tree);
    return grid.refused ? STATUS_REFUSED : STATUS_OK;
}
