/* Time is the iteration of the loops inside of those in whose iterations all values stay: loops around the uses that
 * run one iteration after the other. An element is live from the first time at which it is touched to the last one.
 * All that is live at a time lies within a box; subscripts modulo its extents tell its elements apart.
 *
 * Source: Lefebvre and Feautrier, Automatic storage management for parallel programs, Parallel Computing 24 (1998),
 * where time is that of single instances.
 */
#include "plan/storage/window.h"

#include "dep/box.h"
#include "plan/loop_plan.h"
#include "poly/coalesce.h"
#include "poly/context.h"
#include "sched/path.h"

#include <isl/space.h>
#include <isl/val.h>

enum { MOST_JOINED = 1 << 20, MOST_OPERATIONS = 1000 * 1000 };

/* Does one iteration end before the next one begins? */
static bool is_in_order(const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    return !loop_is_collapsed(loop->info) &&
           (!plan ||
            (!plan->vector && plan->parallel == 0 && plan->axis == AXIS_NONE && !plan->dot_step && !plan->tensor_step &&
             !plan->text_step && !(plan->unroll_step && step_int(plan->unroll_step, "jam", 0))));
}

/* Is a loop bound to blocks or threads? Their barriers are placed by elements, not by where these are. */
static bool has_bound(const struct order *order)
{
    bool found = order->kind == ORDER_LOOP && order->info->plan && order->info->plan->axis != AXIS_NONE;

    for (int k = 0; k < order->n_child && !found; k++)
        found = has_bound(order->child[k]);
    return found;
}

/* The most iterations that a loop has, wherever they begin; 0: no constant bounds that. */
static int64_t most_iterations(const struct order *loop)
{
    isl_union_map *count = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));
    isl_set *all =
        isl_set_from_union_set(isl_union_map_range(isl_union_map_intersect_domain(count, order_domain(loop))));
    isl_map *map = isl_map_from_range(all);
    struct box box = box_measure(map);

    isl_map_free(map);
    box_release(&box);
    return box.size <= MOST_JOINED ? box.size : 0;
}

/* { S[i] -> [t] }: the times that the loops from the root of order down tell which run in order and are around all of
 * its uses: the outermost one, and those below it of a constant number of iterations, as the parts of a split,
 *     t = 8 i + ii   where ii has at most 8 iterations
 * NULL: there is none. */
static __isl_give isl_union_pw_aff *common_time(const struct array *array, const struct order *order)
{
    isl_union_pw_aff *time = NULL;

    for (; order && order->kind != ORDER_LEAF; order = order_using_child(order, array)) {
        int64_t size;
        if (order->kind != ORDER_LOOP)
            continue;
        if (!is_in_order(order))
            return time;
        if (time) {
            size = most_iterations(order);
            if (size == 0)
                return time;
            time = isl_union_pw_aff_scale_val(time, isl_val_int_from_si(isl_union_pw_aff_get_ctx(time), size));
            time = isl_union_pw_aff_add(time, isl_union_pw_aff_copy(order->time));
        } else {
            time = isl_union_pw_aff_copy(order->time);
        }
    }
    return time;
}

/* What is below the footprint's loops, down to what uses the array. */
static const struct order *below(const struct footprint *footprint, const struct order *order)
{
    const struct array *array = footprint->array;

    for (int k = 0; order && k < footprint->depth; order = order_using_child(order, array))
        k += order == footprint->loop[k];
    while (order && order->kind == ORDER_SEQUENCE && order_using_child(order, array))
        order = order_using_child(order, array);
    return order;
}

/* The uses of an array, { [c,k,t] -> [a] }: in iteration c of the footprint's loops, and there at time t of part k, of
 * which a loop that is cut into pieces has several. */
struct uses {
    const struct program *program;
    const struct footprint *footprint;
    int n_part; /* values of k */
    isl_map *map;
};

/* { S[i,j] -> [k,t] } */
static __isl_give isl_map *part_time(const struct statement *statement, __isl_keep isl_union_pw_aff *time, int k)
{
    isl_space *space = isl_space_add_dims(isl_space_from_domain(isl_set_get_space(statement->domain)), isl_dim_out, 1);
    isl_map *map;

    if (time)
        map = isl_map_from_pw_aff(isl_union_pw_aff_extract_pw_aff(time, space));
    else
        map = isl_map_fix_si(isl_map_universe(space), isl_dim_out, 0, 0);
    map = isl_map_insert_dims(map, isl_dim_out, 0, 1);
    return isl_map_fix_si(map, isl_dim_out, 0, k);
}

/* Those of the statement in order, which is part k. */
static void add_statement(struct uses *uses, const struct statement *statement, const struct order *order,
                          __isl_keep isl_union_pw_aff *time, int k)
{
    isl_map *when = isl_map_from_multi_pw_aff(footprint_iteration(uses->footprint, statement));
    isl_union_set *domain = order_domain(order);

    when = isl_map_flat_range_product(when, part_time(statement, time, k));
    when = isl_map_intersect_domain(when, isl_union_set_extract_set(domain, isl_set_get_space(statement->domain)));
    when = isl_map_reverse(when);
    isl_union_set_free(domain);
    for (int a = 0; a < statement->n_access; a++) {
        isl_map *elements;
        if (statement->access[a].array != uses->footprint->array)
            continue;
        elements = isl_map_apply_range(isl_map_copy(when), isl_map_copy(statement->access[a].map));
        elements = isl_map_reset_tuple_id(elements, isl_dim_out);
        uses->map = uses->map ? isl_map_union(uses->map, elements) : elements;
    }
    isl_map_free(when);
}

static void add_part(struct uses *uses, const struct order *order, int k)
{
    const struct array *array = uses->footprint->array;
    isl_union_pw_aff *time = common_time(array, order);

    for (int s = 0; s < uses->program->n_statement; s++) {
        const struct statement *statement = uses->program->statement[s];
        if (statement_uses_array(statement, array) && order_has(order, statement))
            add_statement(uses, statement, order, time, k);
    }
    isl_union_pw_aff_free(time);
}

/* All uses in order, which is inside of the footprint's loops. */
static void find_uses(struct uses *uses, const struct order *order)
{
    const struct order *whole[] = {order}, *const *part = order->kind == ORDER_SEQUENCE ? order->child : whole;

    uses->n_part = order->kind == ORDER_SEQUENCE ? order->n_child : 1;
    for (int k = 0; k < uses->n_part; k++)
        add_part(uses, part[k], k);
    uses->map = isl_map_intersect_params(uses->map, isl_set_copy(uses->program->context));
}

/* { [c,t] -> [a] } as { [c,a] -> [t] }; c: the number of dimensions of c. */
static __isl_give isl_map *exchanged(__isl_take isl_map *map, unsigned c)
{
    const unsigned t = (unsigned)isl_map_dim(map, isl_dim_in) - c, a = (unsigned)isl_map_dim(map, isl_dim_out);

    map = isl_map_move_dims(map, isl_dim_out, a, isl_dim_in, c, t);
    return isl_map_move_dims(map, isl_dim_in, c, isl_dim_out, 0, a);
}

/* { [c,t] -> [a] } of what is touched becomes that of what is live: touched at t or before, and at t or later. */
static __isl_give isl_map *live(__isl_take isl_map *touched, unsigned c)
{
    isl_set *iterations = isl_map_domain(isl_map_copy(touched));
    isl_map *times = exchanged(touched, c);
    isl_space *space = isl_space_range(isl_map_get_space(times));
    isl_map *since = isl_map_lexmin(isl_map_copy(times)), *until = isl_map_lexmax(times);

    since = isl_map_apply_range(since, isl_map_lex_le(isl_space_copy(space)));
    until = isl_map_apply_range(until, isl_map_lex_ge(space));
    touched = exchanged(isl_map_intersect(since, until), c);
    return poly_map_coalesce(isl_map_intersect_domain(touched, poly_set_coalesce(iterations)));
}

/* The most subscripts at a time in one dimension, { [c,k,t] -> [a] }, where part k may begin elsewhere than another
 * one; 0: no constant bounds them. */
static int64_t most_at_a_time(const struct uses *uses, __isl_keep isl_map *map)
{
    int64_t most = 0;

    for (int k = 0; k < uses->n_part; k++) {
        isl_map *part = isl_map_fix_si(isl_map_copy(map), isl_dim_in, (unsigned)uses->footprint->depth, k);
        struct box box = box_measure(part);
        const bool none = isl_map_is_empty(part) == isl_bool_true;
        isl_map_free(part);
        box_release(&box);
        if (box.size == 0 && !none)
            return 0;
        most = box.size > most ? box.size : most;
    }
    return most;
}

/* Do lanes of a vector have different elements in dimension dim, when they use the array in a leaf? */
static bool lanes_differ(const struct uses *uses, const struct path *others, const struct order *leaf, int dim)
{
    const struct statement *statement = leaf->statement;
    isl_map *when = isl_map_from_multi_pw_aff(path_iteration(others, statement));
    bool differ = false;

    when = isl_map_reverse(isl_map_intersect_domain(when, isl_set_copy(leaf->domain)));
    for (int a = 0; a < statement->n_access && !differ; a++) {
        isl_map *elements;
        if (statement->access[a].array != uses->footprint->array)
            continue;
        elements = isl_map_apply_range(isl_map_copy(when), isl_map_copy(statement->access[a].map));
        isl_map *subscript = box_dimension(elements, dim);
        differ = isl_map_is_single_valued(subscript) != isl_bool_true;
        isl_map_free(subscript);
        isl_map_free(elements);
    }
    isl_map_free(when);
    return differ;
}

/* The same of all leaves below order; others: the loops around order that are not in vectors. */
static bool lanes_along(const struct uses *uses, const struct path *others, bool vector, const struct order *order,
                        int dim)
{
    struct path path = *others;
    bool along = false;

    if (order->kind == ORDER_LEAF)
        return vector && lanes_differ(uses, others, order, dim);
    if (order->kind == ORDER_LOOP && order->info->plan && order->info->plan->vector)
        vector = true;
    else if (order->kind == ORDER_LOOP && path.depth < MAX_PREFIX)
        path.loop[path.depth++] = order;
    for (int k = 0; k < order->n_child && !along; k++)
        along = lanes_along(uses, &path, vector, order->child[k], dim);
    return along;
}

/* The extent of a window in dimension dim that is smaller than what is stored otherwise; 0: there is none. A subscript
 * is live from the first time at which an element with it is touched to the last one. Lanes of vectors use elements in
 * a row, which they would not be modulo a number. */
static int64_t window_of(const struct uses *uses, const struct order *order, int dim)
{
    const struct footprint *footprint = uses->footprint;
    const struct order *loop[MAX_PREFIX];
    const struct path path = {loop, 0};
    isl_map *map = box_dimension(uses->map, dim);
    int64_t size = most_at_a_time(uses, map);

    if (size == 0) {
        isl_map_free(map);
        return 0;
    }
    map = live(map, (unsigned)footprint->depth);
    size = most_at_a_time(uses, map);
    isl_map_free(map);
    return size > 0 && (footprint->size[dim] == 0 || size < footprint->size[dim]) &&
                   footprint_shrinks(footprint, uses->program, dim, size) &&
                   !lanes_along(uses, &path, false, order, dim)
               ? size
               : 0;
}

static void find_sizes(const struct footprint *footprint, const struct program *program, const struct order *order,
                       const struct order *inside, int64_t *size)
{
    struct uses uses = {.program = program, .footprint = footprint};

    find_uses(&uses, inside);
    for (int d = footprint->array->n_iteration; d < footprint->array->n_dim; d++)
        size[d] = window_of(&uses, order, d);
    isl_map_free(uses.map);
}

bool window_is_bound(const struct footprint *footprint, const struct order *order)
{
    const struct order *inside = below(footprint, order);

    return inside && has_bound(inside);
}

bool window_find(struct footprint *footprint, const struct program *program, const struct order *order)
{
    const struct array *array = footprint->array;
    const struct order *inside = below(footprint, order);
    int64_t *size = ARENA_ARRAY(program->arena, array->n_dim + 1, int64_t);
    bool any = false;
    unsigned long budget;

    if (!array->window || array->digit || footprint->lane >= 0 || !inside || window_is_bound(footprint, order))
        return false;
    budget = poly_part_begin(program->ctx, MOST_OPERATIONS);
    find_sizes(footprint, program, order, inside, size);
    if (!poly_part_end(program->ctx, budget))
        return false;
    for (int d = 0; d < array->n_dim; d++)
        if (size[d] > 0) {
            footprint->window[d] = any = true;
            footprint->size[d] = size[d];
        }
    return any;
}
