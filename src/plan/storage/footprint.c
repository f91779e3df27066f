#include "plan/storage/footprint.h"

#include "caps/simd.h"
#include "dep/apart.h"
#include "dep/box.h"
#include "dep/initialise.h"
#include "dep/meeting.h"
#include "dep/told.h"
#include "plan/loop_plan.h"
#include "program/expr/index_expr.h"
#include "sched/path.h"

#include <isl/local_space.h>
#include <isl/space.h>

#include <string.h>

/* Does every read of the array see a value that was written in the same iteration of loop? */
static bool stays_within(const struct schedule *schedule, const struct array *array, const struct order *loop)
{
    isl_multi_union_pw_aff *time;
    isl_union_map *flow, *within;
    bool all;

    if (meetings_at_once(schedule_meetings(schedule), array, loop->time))
        return true;
    time = isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));
    flow = dependences_value_flow(schedule_dependences_of(schedule, array), array);
    within = pairs_at_once(isl_union_map_copy(flow), time);
    all = isl_union_map_is_subset(flow, within) == isl_bool_true;
    isl_union_map_free(flow);
    isl_union_map_free(within);
    return all;
}

/* Do iterations of the loop that run at once use one memory? */
static bool is_shared_by(const struct order *loop, const struct array *array)
{
    const enum axis axis = loop->info->plan ? loop->info->plan->axis : AXIS_NONE;

    if (array->is_buffer || axis == AXIS_NONE)
        return false;
    return (array->memory == MEMORY_GLOBAL && array->n_iteration == 0) ||
           (array->memory == MEMORY_SHARED && axis_is_thread(axis));
}

/* Sets why the loop cannot be one of those; false: it can. */
static bool ends_at(struct footprint *footprint, const struct schedule *schedule, const struct order *loop)
{
    footprint->next = loop;
    footprint->end = loop_is_collapsed(loop->info) && loop->info->run ? END_COLLAPSED
                     : is_shared_by(loop, footprint->array)           ? END_SHARED
                                                                      : END_VALUES;
    return footprint->end != END_VALUES || footprint->depth == MAX_PREFIX ||
           !stays_within(schedule, footprint->array, loop);
}

/* Is there a further loop of the same doacross or collapsed loop directly inside? Nothing can be declared between the
 * two. */
static bool is_of_next(const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const struct order *inner = loop->child[0];

    if (inner->kind == ORDER_LOOP && inner->info->tuple < 0 && loop_is_collapsed(inner->info))
        return true;
    return plan && plan->doacross && inner->kind == ORDER_LOOP && inner->info->plan &&
           inner->info->plan->parallel_step == plan->parallel_step && inner->info->plan->parallel < 0;
}

/* Values that the inner loops of a doacross or collapsed loop hand on stay outside of all of its loops. */
static void leave_joined(struct footprint *footprint)
{
    while (footprint->depth > 0 && is_of_next(footprint->loop[footprint->depth - 1])) {
        footprint->next = footprint->loop[--footprint->depth];
        footprint->end = loop_is_collapsed(footprint->next->info) ? END_COLLAPSED : footprint->end;
    }
}

/* The loops from the root down that contain every use, as long as no value leaves an iteration, and not more than
 * `most`. The loops of a call's parts are none of them: it gets its operand whole. */
static void find_loops(struct footprint *footprint, const struct schedule *schedule, const struct order *order,
                       int most)
{
    for (; order && order->kind != ORDER_LEAF; order = order_using_child(order, footprint->array)) {
        if (order->kind != ORDER_LOOP)
            continue;
        if (order_call(order) || ends_at(footprint, schedule, order) || footprint->depth == most) {
            leave_joined(footprint);
            return;
        }
        footprint->loop[footprint->depth++] = order;
    }
    footprint->next = NULL;
    leave_joined(footprint);
}

__isl_give isl_multi_pw_aff *footprint_iteration(const struct footprint *footprint, const struct statement *statement)
{
    const struct path path = {(const struct order **)(uintptr_t)footprint->loop, footprint->depth};

    return path_iteration(&path, statement);
}

static void add_statement(struct footprint *footprint, const struct statement *statement)
{
    for (int k = 0; k < statement->n_access; k++) {
        isl_map *iteration, *elements;
        if (statement->access[k].array != footprint->array)
            continue;
        iteration = isl_map_from_multi_pw_aff(footprint_iteration(footprint, statement));
        elements = isl_map_apply_range(isl_map_reverse(iteration), isl_map_copy(statement->access[k].map));
        footprint->map = footprint->map ? isl_map_union(footprint->map, elements) : elements;
    }
}

/* Of every use; NULL when there is none. */
static void make_map(struct footprint *footprint, const struct program *program)
{
    for (int s = 0; s < program->n_statement; s++)
        add_statement(footprint, program->statement[s]);
    if (footprint->map)
        footprint->map = isl_map_intersect_params(footprint->map, isl_set_copy(program->context));
}

static void measure(struct footprint *footprint, int dim)
{
    isl_map *map = box_dimension(footprint->map, dim);
    const struct box box = box_measure(map);

    footprint->size[dim] = box.size;
    footprint->offset[dim] = box.offset;
    isl_map_free(map);
}

/* Shared memory is small: a part whose size parameters tell is kept where no constant bounds it. */
static void measure_symbolic(struct footprint *footprint, const struct program *program, int dim)
{
    isl_map *map = box_dimension(footprint->map, dim);
    isl_aff *size;
    struct box box = box_measure_symbolic(map, program->context, &size);

    isl_map_free(map);
    if (size && isl_aff_is_cst(box.offset) != isl_bool_true)
        footprint->extent[dim] = index_expr_of(program->arena, program, isl_pw_aff_from_aff(isl_aff_copy(size)));
    if (footprint->extent[dim])
        footprint->offset[dim] = isl_aff_copy(box.offset);
    isl_aff_free(size);
    box_release(&box);
}

/* What is in the memory that all threads have is there for each position of a loop that is bound. */
static void keep_position(struct footprint *footprint, int dim)
{
    const struct loop_plan *plan = footprint->loop[dim]->info->plan;
    isl_space *space;
    isl_pw_aff *origin;

    if (footprint->array->memory != MEMORY_GLOBAL || !plan || plan->axis == AXIS_NONE)
        return;
    space = isl_space_domain(isl_aff_get_space(footprint->offset[dim]));
    origin = isl_pw_aff_insert_domain(isl_pw_aff_from_aff(isl_aff_copy(plan->origin)), space);
    isl_aff_free(footprint->offset[dim]);
    footprint->offset[dim] = isl_pw_aff_as_aff(origin);
    footprint->size[dim] = 0;
    footprint->extent[dim] = plan->size;
}

/* Where the subscripts are the count of a loop, there is one element in each iteration. */
static bool is_told(struct footprint *footprint, const struct program *program, int dim)
{
    isl_space *space;

    if (dim >= footprint->array->n_iteration || dim >= footprint->depth ||
        !subscripts_tell_time(program, footprint->array, dim, footprint->loop[dim]->time))
        return false;
    space = isl_space_set_from_params(isl_set_get_space(program->context));
    space = isl_space_add_dims(space, isl_dim_set, (unsigned)footprint->depth);
    footprint->size[dim] = 1;
    footprint->offset[dim] = isl_aff_var_on_domain(isl_local_space_from_space(space), isl_dim_set, (unsigned)dim);
    keep_position(footprint, dim);
    return true;
}

bool footprint_shrinks(const struct footprint *footprint, const struct program *program, int dim, int64_t size)
{
    isl_set *elements =
        isl_set_intersect_params(isl_set_copy(footprint->array->elements), isl_set_copy(program->context));
    isl_set *beyond = isl_set_lower_bound_si(elements, isl_dim_set, (unsigned)dim, (int)size);
    const bool larger = isl_set_is_empty(beyond) == isl_bool_false;

    isl_set_free(beyond);
    return larger;
}

static void forget_dimension(struct footprint *footprint, int dim)
{
    footprint->size[dim] = 0;
    footprint->offset[dim] = isl_aff_free(footprint->offset[dim]);
}

/* The dimensions from first on, before n; does one shrink? */
static bool measure_all(struct footprint *footprint, const struct program *program, int first, int n)
{
    bool any = false;

    for (int d = first; d < n; d++) {
        measure(footprint, d);
        if (footprint->size[d] && d >= footprint->array->n_iteration &&
            !footprint_shrinks(footprint, program, d, footprint->size[d]))
            forget_dimension(footprint, d);
        if (!footprint->size[d] && footprint->array->memory == MEMORY_SHARED && !footprint->array->digit)
            measure_symbolic(footprint, program, d);
        any = any || footprint->size[d] || footprint->extent[d];
    }
    return any;
}

/* Do the loops have several of the array's iterations, a constant number? */
static bool has_iterations(const struct footprint *footprint)
{
    bool bounded = true, several = false;

    for (int d = 0; d < footprint->array->n_iteration && bounded; d++) {
        bounded = footprint->size[d] != 0;
        several = several || footprint->size[d] > 1;
    }
    return bounded && several;
}

/* The dimensions behind those of the array's iterations, for one of these: copies of a loop, or lanes, each have a row
 * that moves with them. */
static void measure_each(struct footprint *footprint, const struct program *program)
{
    const unsigned n = (unsigned)footprint->array->n_iteration;
    isl_map *each =
        isl_map_move_dims(isl_map_copy(footprint->map), isl_dim_in, (unsigned)footprint->depth, isl_dim_out, 0, n);

    for (int d = (int)n; d < footprint->array->n_dim; d++) {
        isl_map *map = box_dimension(each, d - (int)n);
        struct box box = box_measure(map);
        isl_map_free(map);
        if (box.size && (!footprint->size[d] || box.size < footprint->size[d]) &&
            footprint_shrinks(footprint, program, d, box.size)) {
            isl_aff_free(footprint->offset[d]);
            footprint->size[d] = box.size;
            footprint->offset[d] = isl_aff_copy(box.offset);
        }
        box_release(&box);
    }
    isl_map_free(each);
}

static bool find_within(struct footprint *footprint, const struct schedule *schedule, const struct program *program,
                        const struct order *order, const struct array *array, int most)
{
    int told = 0, n;

    memset(footprint, 0, sizeof(*footprint));
    footprint->array = array;
    footprint->lane = -1;
    footprint->size = ARENA_ARRAY(program->arena, array->n_dim + 1, int64_t);
    footprint->offset = ARENA_ARRAY(program->arena, array->n_dim + 1, isl_aff *);
    footprint->extent = ARENA_ARRAY(program->arena, array->n_dim + 1, struct expr *);
    footprint->window = ARENA_ARRAY(program->arena, array->n_dim + 1, bool);
    find_loops(footprint, schedule, order, most);
    n = array->is_buffer ? array->n_iteration : array->n_dim;
    while (is_told(footprint, program, told))
        told++;
    if (told == n && !array->init_zero)
        return told > 0;
    if (footprint->depth > 0 || most == 0)
        make_map(footprint, program);
    if (!footprint->map || !(measure_all(footprint, program, told, n) || told > 0))
        return false;
    if (!array->is_buffer && !array->init_zero && !array->digit && has_iterations(footprint))
        measure_each(footprint, program);
    return true;
}

/* The innermost loop whose iterations are lanes; -1: none. */
static int vector_loop(const struct footprint *footprint)
{
    int lane = -1;

    for (int k = 0; k < footprint->depth; k++)
        if (footprint->loop[k]->info->plan && footprint->loop[k]->info->plan->vector)
            lane = k;
    return lane;
}

/* Has an iteration several elements of the array, in dimensions from `first` on other than `lane`? */
static bool has_several(const struct footprint *footprint, int first, int lane)
{
    bool several = false;

    for (int d = first; d < footprint->array->n_dim; d++)
        several = several || (d != lane && footprint->size[d] != 1);
    return several;
}

/* The one dimension of the first n in which iterations of the vector loop have one element each, and all of them
 * together, which have the footprint `wider`, several; -1: there is none. */
static int lane_dimension(const struct footprint *footprint, const struct footprint *wider, int n)
{
    int lane = -1;

    for (int d = 0; d < n; d++) {
        if (footprint->size[d] != 1 || wider->size[d] < 2)
            continue;
        if (lane >= 0)
            return -1;
        lane = d;
    }
    return lane;
}

/* The dimension for lanes, where each has several elements of the array for itself: that of the array's iterations, or
 * one whose subscript moves with the loop. -1: it is not so. */
static int lane_of(const struct footprint *footprint, const struct footprint *wider)
{
    const int n = footprint->array->n_iteration;
    const int lane = lane_dimension(footprint, wider, n > 0 ? n : footprint->array->n_dim);

    return lane >= 0 && has_several(footprint, n, lane) ? lane : -1;
}

bool footprint_find(struct footprint *footprint, const struct schedule *schedule, const struct program *program,
                    const struct order *order, const struct array *array)
{
    const bool found = find_within(footprint, schedule, program, order, array, MAX_PREFIX);
    const bool lanes = found && !simd_asks_compiler(program->target.simd) && !array->is_buffer && !array->digit;
    const int loop = lanes ? vector_loop(footprint) : -1;
    struct footprint wider;
    int lane;

    if (loop < 0)
        return found;
    lane = find_within(&wider, schedule, program, order, array, loop) ? lane_of(footprint, &wider) : -1;
    if (lane < 0) {
        footprint_release(&wider);
        if (has_several(footprint, array->n_iteration, -1))
            footprint->strip = footprint->loop[loop];
        return found;
    }
    footprint_release(footprint);
    *footprint = wider;
    footprint->lane = lane;
    return true;
}

void footprint_release(struct footprint *footprint)
{
    isl_map_free(footprint->map);
    for (int d = 0; footprint->offset && d < footprint->array->n_dim; d++)
        isl_aff_free(footprint->offset[d]);
}

bool footprint_is_one(const struct footprint *footprint, int dim)
{
    return footprint->size[dim] == 1 || dim == footprint->lane ||
           (footprint->array->memory == MEMORY_GLOBAL && footprint->extent[dim]);
}
