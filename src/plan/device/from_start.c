#include "plan/device/from_start.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "plan/device/conflict.h"
#include "plan/device/kernels.h"
#include "plan/loop_plan.h"
#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "program/expr/affine.h"
#include "sched/extent.h"
#include "sched/path.h"

#include <isl/space.h>
#include <isl/val.h>

/* One loop, and the best that was found for it. */
struct moving {
    struct schedule *schedule;
    const struct order *loop;
    struct path path;          /* from loops that its start may depend on to it */
    struct expr *size;         /* the fewest positions so far */
    struct loop_extent extent; /* of time */
    isl_union_pw_aff *time;    /* counts from the start; NULL: none has fewer positions. Kept by the arena */
};

/* { [counts around] -> [count of the loop] } of what is below order */
static __isl_give isl_map *counts_below(const struct moving *moving, const struct order *order)
{
    const unsigned depth = (unsigned)moving->path.depth - 1;
    isl_map *all;

    if (order->kind == ORDER_LEAF) {
        all = isl_map_reset_tuple_id(poly_graph(path_iteration(&moving->path, order->statement)), isl_dim_out);
        all = isl_map_from_range(isl_map_range(isl_map_intersect_domain(all, isl_set_copy(order->domain))));
        return isl_map_move_dims(all, isl_dim_in, 0, isl_dim_out, 0, depth);
    }
    all = counts_below(moving, order->child[0]);
    for (int k = 1; k < order->n_child; k++)
        all = isl_map_union(all, counts_below(moving, order->child[k]));
    return all;
}

/* { S[..] -> [start] } of the statements in the loop, start being { [counts around] -> [start] }. */
static __isl_give isl_union_pw_aff *starts_of(const struct moving *moving, __isl_keep isl_aff *start)
{
    const struct program *program = moving->schedule->program;
    const struct path around = {moving->path.loop, moving->path.depth - 1};
    isl_union_pw_aff *all = isl_union_pw_aff_empty(program_params_space(program));

    for (int s = 0; s < program->n_statement; s++)
        if (order_has(moving->loop, program->statement[s])) {
            isl_multi_pw_aff *counts = path_iteration(&around, program->statement[s]);
            isl_pw_aff *own = isl_pw_aff_pullback_multi_pw_aff(isl_pw_aff_from_aff(isl_aff_copy(start)), counts);
            all = isl_union_pw_aff_union_add(all, isl_union_pw_aff_from_pw_aff(own));
        }
    return all;
}

static bool is_empty(const struct program *program, __isl_take isl_set *params)
{
    isl_set *set = isl_set_intersect_params(params, isl_set_copy(program->context));
    const bool empty = isl_set_is_empty(set) != isl_bool_false;

    isl_set_free(set);
    return empty;
}

/* Are there parameters with which size is less than most, and none with which it is more, unless it is a constant? */
static bool is_less(const struct program *program, const struct expr *size, const struct expr *most)
{
    isl_space *space = isl_space_set_from_params(program_params_space(program));
    isl_pw_aff *a = expr_pw_aff(space, size), *b = expr_pw_aff(space, most);
    const bool less = !is_empty(program, isl_set_params(isl_pw_aff_lt_set(isl_pw_aff_copy(a), isl_pw_aff_copy(b))));
    const bool more = !is_empty(program, isl_set_params(isl_pw_aff_gt_set(a, b)));

    isl_space_free(space);
    return less && (!more || (size->kind == EXPR_INT && most->kind != EXPR_INT));
}

static struct loop_ref ref_of(const struct moving *moving, isl_union_pw_aff *time)
{
    return (struct loop_ref){
        .info = moving->loop->info,
        .node = moving->loop,
        .time = time,
        .domain = poly_keep_union_set(moving->schedule->arena, order_domain(moving->loop)),
    };
}

/* Takes note of the counts from start on, { [counts around] -> [start] }, if they are fewer than others. */
static void try_start(struct moving *moving, __isl_keep isl_aff *start)
{
    struct arena *arena = moving->schedule->arena;
    isl_union_pw_aff *time = isl_union_pw_aff_copy(moving->loop->time);
    struct loop_extent extent;
    struct loop_ref ref;

    time = poly_union_pw_aff_coalesce(isl_union_pw_aff_sub(time, starts_of(moving, start)));
    poly_keep_union_pw_aff(arena, time);
    ref = ref_of(moving, time);
    if (!time || !extent_measure_parts(moving->schedule, &ref, &extent) ||
        !is_less(moving->schedule->program, extent.size, moving->size))
        return;
    moving->extent = extent;
    moving->size = extent.size;
    moving->time = time;
}

static isl_stat try_piece(__isl_take isl_set *set, __isl_take isl_multi_aff *piece, void *user)
{
    struct moving *moving = user;
    isl_aff *start = isl_multi_aff_get_aff(piece, 0);
    isl_val *denominator = isl_aff_get_denominator_val(start);
    const unsigned depth = (unsigned)moving->path.depth - 1;

    if (isl_val_is_one(denominator) == isl_bool_true &&
        isl_aff_involves_dims(start, isl_dim_in, 0, depth) == isl_bool_true)
        try_start(moving, start);
    isl_val_free(denominator);
    isl_aff_free(start);
    isl_multi_aff_free(piece);
    isl_set_free(set);
    return isl_stat_ok;
}

static __isl_give isl_union_pw_aff *new_time(void *data, __isl_take isl_union_pw_aff *time)
{
    const struct moving *moving = data;

    isl_union_pw_aff_free(time);
    return isl_union_pw_aff_copy(moving->time);
}

/* Lets the loop count from the start that was found. */
static void move(struct moving *moving)
{
    const struct loop_ref ref = ref_of(moving, moving->time);
    struct loop_plan plan = loop_plan_of(moving->loop->info);
    struct loop_extent extent;

    plan.origin = moving->extent.first;
    plan.size = moving->extent.size;
    plan.whole = plan.whole || !extent_measure(moving->schedule, &ref, &extent);
    edit_replace(moving->schedule, &ref, moving->loop->info, new_time, moving);
    loop_plan_set(moving->schedule, moving->loop->info->id, &plan);
}

static bool is_followed(const struct order *order, int id)
{
    bool found = order->kind == ORDER_LOOP && order->info->follows == id;

    for (int k = 0; k < order->n_child && !found; k++)
        found = is_followed(order->child[k], id);
    return found;
}

/* Is it a loop of its own, with loops around, none of them on its axis? */
static bool may_move(const struct moving *moving)
{
    const struct loop_info *info = moving->loop->info;

    if (info->tuple != 0 || info->run || info->plan->run || moving->path.depth < 2)
        return false;
    for (int k = 0; k + 1 < moving->path.depth; k++) {
        const struct loop_plan *outer = moving->path.loop[k]->info->plan;
        if (outer && axis_whole(outer->axis) == info->plan->axis)
            return false;
    }
    return order_count(moving->schedule->order, info->id) == 1 && !is_followed(moving->schedule->order, info->id);
}

/* The path without loops that a thread goes round. */
static struct path launched(const struct moving *moving, const struct order *kernel)
{
    struct path path = {ARENA_ARRAY(moving->schedule->arena, moving->path.depth, const struct order *), 0};

    for (int k = 0; k < moving->path.depth; k++)
        if (loop_is_bound(moving->path.loop[k]) || !order_find(kernel, moving->path.loop[k]->info->id))
            path.loop[path.depth++] = moving->path.loop[k];
    return path;
}

/* Moves the loop to the best start that depends on loops around, if there is one; some: only on those of which a thread
 * of the kernel has one iteration. */
static bool find_and_move(struct schedule *schedule, const struct order *kernel, int id, bool some)
{
    struct moving moving = {.schedule = schedule, .loop = order_find(schedule->order, id)};
    isl_pw_multi_aff *start;

    if (!path_find(schedule->arena, schedule->order, moving.loop, &moving.path) || !may_move(&moving))
        return false;
    if (some)
        moving.path = launched(&moving, kernel);
    moving.size = moving.loop->info->plan->size;
    start = isl_map_lexmin_pw_multi_aff(counts_below(&moving, moving.loop));
    isl_pw_multi_aff_foreach_piece(start, try_piece, &moving);
    isl_pw_multi_aff_free(start);
    if (moving.time)
        move(&moving);
    return moving.time;
}

/* Pairs of instances in one launch of the kernel that depend on each other, sums in any order included. */
static __isl_give isl_union_map *pairs_of_launch(const struct schedule *schedule, const struct order *kernel)
{
    const struct dependences *dependences = schedule_dependences(schedule);
    isl_union_map *pairs = isl_union_map_empty(program_params_space(schedule->program));
    struct path path;

    for (int k = 0; k < dependences->n; k++)
        if (order_has(kernel, dependences->list[k].from->statement) &&
            order_has(kernel, dependences->list[k].to->statement))
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(isl_map_copy(dependences->list[k].map)));
    path_find(schedule->arena, schedule->order, kernel, &path);
    for (int k = 0; k < path.depth && path.loop[k] != kernel; k++)
        pairs = isl_union_map_intersect(pairs, conflicts_in_time(path.loop[k], false));
    return pairs;
}

/* Does what depends on each other in one thread (or block) of the kernel still do so in the next one? */
static bool keeps_together(const struct schedule *schedule, const struct order *kernel, const struct order *next,
                           bool threads)
{
    isl_union_map *pairs = pairs_of_launch(schedule, kernel);
    isl_union_map *together = conflicts_same_place(schedule->program, next, threads);
    bool keeps;

    pairs = isl_union_map_intersect(pairs, conflicts_same_place(schedule->program, kernel, threads));
    keeps = isl_union_map_is_subset(pairs, together) == isl_bool_true;
    isl_union_map_free(pairs);
    isl_union_map_free(together);
    return keeps;
}

/* The threads of a block; 0: not known before the launch. */
static int64_t threads_of(const struct order *kernel, int64_t along[3])
{
    along[0] = along[1] = along[2] = 1;
    kernel_threads(kernel, along);
    return along[0] * along[1] * along[2];
}

/* Has a device so many threads for the next kernel where the launcher was to test the kernel's? */
static bool fits(const struct gpu *gpu, const struct order *kernel, const struct order *next)
{
    int64_t before[3], after[3];
    const bool known = threads_of(kernel, before) != 0;
    bool fits = threads_of(next, after) <= gpu->threads || known;

    for (int k = 0; k < 3; k++)
        fits = fits && (before[k] != 0 || after[k] <= gpu->limit[AXIS_THREAD_X + k]);
    return fits;
}

typedef VEC(int) identities;

/* Moves those of the loops, all on one axis of kernel number k, that have better starts. */
static bool move_all(struct schedule *schedule, int k, const int *id, int n, enum axis axis, bool some)
{
    const struct order *kernel = kernels_of(schedule->arena, schedule->order).list[k], *next;
    const struct gpu *gpu = gpu_by_language(schedule->program->target.language);
    struct schedule trial = *schedule;
    bool any = false;

    for (int l = 0; l < n; l++)
        any |= find_and_move(&trial, kernel, id[l], some);
    if (!any)
        return false;
    next = kernels_of(schedule->arena, trial.order).list[k];
    if (fits(gpu, kernel, next) && keeps_together(schedule, kernel, next, axis_is_thread(axis)))
        *schedule = trial;
    return schedule->order == trial.order;
}

static void find_bound(struct arena *arena, const struct order *order, enum axis axis, identities *found)
{
    if (order->kind == ORDER_LOOP && order->info->plan && order->info->plan->axis == axis)
        VEC_PUSH(arena, found, order->info->id);
    for (int k = 0; k < order->n_child; k++)
        find_bound(arena, order->child[k], axis, found);
}

/* All loops on the axis of kernel number k at once, or each for itself. */
static void move_along(struct schedule *schedule, int k, enum axis axis)
{
    identities bound = {0};

    find_bound(schedule->arena, kernels_of(schedule->arena, schedule->order).list[k], axis, &bound);
    if (move_all(schedule, k, bound.at, bound.n, axis, false) || move_all(schedule, k, bound.at, bound.n, axis, true))
        return;
    for (int l = 0; l < bound.n && bound.n > 1; l++)
        if (!move_all(schedule, k, &bound.at[l], 1, axis, false))
            move_all(schedule, k, &bound.at[l], 1, axis, true);
}

void bound_from_start(struct schedule *schedule)
{
    const int n = kernels_of(schedule->arena, schedule->order).n;

    for (int k = 0; k < n; k++)
        for (int axis = AXIS_BLOCK_X; axis <= AXIS_THREAD_Z; axis++)
            move_along(schedule, k, (enum axis)axis);
}
