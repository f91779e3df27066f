#include "lower/device/positions.h"

#include "caps/gpu.h"
#include "lower/device/axis_digits.h"
#include "plan/device/copies/dealing.h"
#include "plan/device/kernels.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"
#include "tree/vars.h"

unsigned axis_bits(enum axis axis)
{
    return axis == AXIS_THREAD ? 1u << AXIS_THREAD_X | 1u << AXIS_THREAD_Y | 1u << AXIS_THREAD_Z : 1u << axis;
}

unsigned positions_bits(const struct positions *positions, enum axis axis)
{
    const enum axis whole = axis_whole(axis);

    return axis_bits(axis) | (positions->launch->run[whole] ? axis_bits(positions->launch->threads_axis[whole]) : 0);
}

/* What is asked of a loop of a tuple whose iterations go to blocks in runs; NULL: it is none. */
static const struct loop_plan *runs_of(const struct node *node)
{
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->axis != AXIS_NONE ? node->info->plan : NULL;

    return plan && plan->run ? plan : NULL;
}

static void note_axis(const struct node *node, void *user)
{
    const struct loop_plan *runs = runs_of(node);

    if (runs)
        *(unsigned *)user |= axis_bits(runs->threads_axis);
    if (node->kind == NODE_ASSIGN && node->tensor)
        *(unsigned *)user |= axis_bits(AXIS_THREAD_X);
    if (node->kind == NODE_LOOP && node->axis != AXIS_NONE)
        *(unsigned *)user |= axis_bits(node->axis);
}

unsigned node_axes(const struct node *node)
{
    unsigned axes = 0;

    node_for_each(node, note_axis, &axes);
    return axes;
}

/* affine without the values that the kernel gives names. */
static const struct affine *of_params(const struct positions *positions, const struct affine *affine)
{
    for (int k = positions->value.n - 1; k >= 0; k--)
        affine =
            affine_substitute(positions->arena, affine, positions->value.at[k]->var, positions->value.at[k]->lower);
    return affine;
}

/* How many positions the loop has. */
static const struct affine *extent_of(const struct positions *positions, const struct node *loop)
{
    const int64_t size = loop->step < 0 ? -loop->step : loop->step;
    const struct affine *span = loop->step < 0 ? affine_sub(positions->arena, loop->lower, loop->upper)
                                               : affine_sub(positions->arena, loop->upper, loop->lower);

    span = of_params(positions, span);
    return span ? affine_add_constant(positions->arena, affine_floor(positions->arena, span, size), 1) : NULL;
}

int64_t positions_threads(const struct positions *positions)
{
    int64_t all = 1, extent;

    for (int k = AXIS_THREAD_X; k <= AXIS_THREAD_Z; k++)
        if (positions->launch->extent[k] && affine_is_constant(positions->launch->extent[k], &extent))
            all *= extent;
    return all;
}

int64_t positions_blocks(const struct positions *positions, enum axis axis)
{
    const int64_t blocks = positions->launch->blocks[axis];

    return blocks ? blocks : positions->gpu->limit[axis];
}

bool positions_walk(const struct positions *positions, const struct node *loop)
{
    int64_t extent;

    if (!axis_is_block(loop->axis))
        return false;
    if (is_axis_digit(positions, loop->axis))
        return loop->info->tuple == 0 && axis_digits_walk(positions, loop->axis) && !positions->walking[loop->axis];
    if (!affine_is_constant(positions->launch->extent[loop->axis], &extent))
        return positions->launch->blocks[loop->axis] > 0;
    return extent > positions_blocks(positions, loop->axis);
}

const struct affine *positions_value(const struct positions *positions, enum axis axis)
{
    const struct affine *sum = affine_constant(positions->arena, 0);
    int64_t factor = 1, extent;

    if (axis < AXIS_THREAD && axis_digits_walk(positions, axis) && !positions->walking[axis])
        return affine_var(positions->arena, positions->whole[axis]);
    if (axis != AXIS_THREAD)
        return affine_sub(positions->arena, affine_var(positions->arena, positions->at[axis]), positions->first[axis]);
    for (int k = AXIS_THREAD_X; k <= AXIS_THREAD_Z; k++) {
        if (!positions->launch->extent[k])
            continue;
        sum = affine_add(positions->arena, sum,
                         affine_scale(positions->arena, affine_var(positions->arena, positions->at[k]), factor));
        if (affine_is_constant(positions->launch->extent[k], &extent))
            factor *= extent;
    }
    return sum;
}

bool positions_are_as_many(const struct positions *positions, const struct node *loop)
{
    const struct affine *own = extent_of(positions, loop);

    return own && affine_equal(own, positions->launch->extent[loop->axis]);
}

int64_t positions_past_last(const struct positions *positions, const struct node *loop)
{
    const enum axis whole = axis_whole(loop->axis);
    const int64_t run = positions->launch->run[whole];

    return run && !positions->ended[whole] && axis_digits_coarsest(positions, whole) == loop->axis ? run : 0;
}

bool positions_are_whole(const struct positions *positions, const struct node *loop)
{
    return !positions_past_last(positions, loop) && positions_are_as_many(positions, loop);
}

const struct affine *positions_extent_below(const struct positions *positions, const struct node *node, enum axis axis)
{
    const bool own = node->kind == NODE_LOOP && node->axis == axis;
    const struct affine *found = own ? extent_of(positions, node) : NULL;

    for (int k = 0; k < node->n_child; k++) {
        const struct affine *const side[] = {positions_extent_below(positions, node->child[k], axis), found};
        if (side[0])
            found = found ? affine_extreme(positions->arena, ATOM_MAX, side, 2) : side[0];
    }
    return found;
}

static void measure_runs(struct positions *positions, const struct loop_plan *runs, enum axis axis)
{
    positions->launch->run[axis] = runs->run;
    positions->launch->threads_axis[axis] = runs->threads_axis;
    positions->launch->extent[runs->threads_axis] = affine_constant(positions->arena, runs->run);
}

static void measure(const struct node *node, void *user)
{
    struct positions *positions = user;
    const struct affine **extent = &positions->launch->extent[node->axis], *side[2];

    if (node->kind == NODE_VALUE)
        VEC_PUSH(positions->arena, &positions->value, node);
    if (node->kind == NODE_ASSIGN && node->tensor)
        positions->launch->extent[AXIS_THREAD_X] = affine_constant(positions->arena, TILE_THREADS);
    if (node->kind != NODE_LOOP || node->axis == AXIS_NONE || node->axis == AXIS_THREAD || is_dealt(node->info) ||
        node->info->plan->within)
        return;
    if (runs_of(node))
        measure_runs(positions, runs_of(node), axis_whole(node->axis));
    if (axis_is_block(node->axis) && node->axis < AXIS_CARRY)
        positions->launch->blocks[node->axis] = node->info->plan->blocks;
    if (node->info->plan->resident > positions->launch->resident)
        positions->launch->resident = node->info->plan->resident;
    side[0] = extent_of(positions, node);
    side[1] = *extent;
    *extent = side[1] ? affine_extreme(positions->arena, ATOM_MAX, side, 2) : side[0];
}

/* The position on an axis: fits an int where it is proved to. */
static const struct var *position(const struct positions *positions, enum axis axis, struct vars *vars)
{
    const int64_t most = positions_blocks(positions, axis);
    int64_t extent = most;
    const bool known = !positions->launch->extent[axis] || affine_is_constant(positions->launch->extent[axis], &extent);
    const bool narrow = axis_is_thread(axis) || (known && !is_axis_digit(positions, axis));
    struct var *var = var_new(vars, VAR_LOOP, axis_name(axis));

    var->position = axis;
    var->narrow = narrow;
    var->high = (extent < most ? extent : most) - 1;
    return var;
}

static void note_global(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_LOAD && expr->element.array->memory == MEMORY_GLOBAL;
}

static void look_global(const struct node *node, void *user)
{
    if (node->kind != NODE_ASSIGN)
        return;
    *(bool *)user |= node->target.array->memory == MEMORY_GLOBAL;
    tree_expr_for_each(node->value, note_global, user);
}

/* Does the loop distribute copies over any number of positions, and do other kernels use them? */
static bool is_dealt_for_others(const struct node *loop)
{
    bool global = false;

    if (is_dealt(loop->info))
        node_for_each(loop, look_global, &global);
    return global;
}

/* Is there something in node outside of the loops on the axis, or a copy for other kernels in one of them? What a block
 * copies for itself is not needed where none of its threads has an iteration. */
static bool has_more(const struct node *node, enum axis axis)
{
    if (node->kind == NODE_LOOP && axis_bits(node->axis) & 1u << axis && !is_dealt_for_others(node))
        return false;
    for (int k = 0; k < node->n_child; k++)
        if (has_more(node->child[k], axis))
            return true;
    return node->kind == NODE_ASSIGN || node->kind == NODE_TEXT;
}

/* What stands outside of the loops on an axis runs at its first position, which is there even if they are empty. */
static void keep_first(const struct positions *positions, const struct node *kernel, const int64_t *param_least)
{
    for (int axis = AXIS_BLOCK_X; axis < AXIS_COUNT; axis++) {
        const struct affine **extent = &positions->launch->extent[axis];
        const struct affine *const side[] = {affine_constant(positions->arena, 1), *extent};
        if (*extent && affine_least(*extent, param_least) < 1 && has_more(kernel, (enum axis)axis))
            *extent = affine_extreme(positions->arena, ATOM_MAX, side, 2);
    }
}

static void note_whole_warps(const struct node *node, void *user)
{
    if (node->kind == NODE_LOOP && node->info && node->info->plan && node->info->plan->whole_warp)
        *(int *)user = node->info->plan->whole_warp;
}

/* Where whole warps are asked for, there are such along x. */
static void fill_warps(const struct positions *positions, const struct node *kernel)
{
    const struct affine **extent = &positions->launch->extent[AXIS_THREAD_X], *all;
    int warp = 0;

    node_for_each(kernel, note_whole_warps, &warp);
    if (!warp || !*extent)
        return;
    positions->launch->wanted_x = *extent;
    all = affine_floor(positions->arena, affine_add_constant(positions->arena, *extent, warp - 1), warp);
    *extent = affine_scale(positions->arena, all, warp);
}

struct positions positions_of(struct arena *arena, const struct gpu *gpu, const struct node *kernel,
                              const int64_t *param_least, struct vars *vars)
{
    struct positions positions = {.arena = arena, .gpu = gpu, .launch = ARENA_NEW(arena, struct launch)};

    *positions.launch = *kernel->launch;
    node_for_each(kernel, measure, &positions);
    keep_first(&positions, kernel, param_least);
    fill_warps(&positions, kernel);
    axis_digits_begin(&positions, kernel);
    for (int k = AXIS_BLOCK_X; k <= AXIS_THREAD_Z; k++)
        positions.at[k] = positions.whole[k] = positions.number[k] = position(&positions, (enum axis)k, vars);
    return positions;
}
