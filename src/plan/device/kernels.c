#include "plan/device/kernels.h"

#include "base/vec.h"
#include "plan/loop_plan.h"
#include "poly/graph.h"
#include "program/instruction.h"
#include "sched/time.h"

#include <isl/id.h>
#include <isl/space.h>
#include <isl/val.h>

typedef VEC(const struct order *) orders;

static enum axis axis_of(const struct order *order)
{
    return order->kind == ORDER_LOOP && order->info->plan ? order->info->plan->axis : AXIS_NONE;
}

bool kernels_have_blocks(const struct order *order)
{
    if (axis_is_block(axis_of(order)))
        return true;
    for (int k = 0; k < order->n_child; k++)
        if (kernels_have_blocks(order->child[k]))
            return true;
    return false;
}

/* The one nest of all statements below order; NULL: there are several. */
static const struct nest *only_nest(const struct order *order)
{
    const struct nest *nest = order->kind == ORDER_LEAF ? order->statement->nest : only_nest(order->child[0]);

    for (int k = 1; k < order->n_child && nest; k++)
        if (only_nest(order->child[k]) != nest)
            return NULL;
    return nest;
}

/* Do all statements below order fill or flush a buffer, or wait for that? */
static bool is_copying(const struct order *order)
{
    bool all = order->kind != ORDER_LEAF || order->statement->is_copy || order->statement->barrier;

    for (int k = 0; k < order->n_child && all; k++)
        all = is_copying(order->child[k]);
    return all;
}

static bool has_nest(const struct order *order, const struct nest *nest)
{
    bool found = order->kind == ORDER_LEAF && order->statement->nest == nest;

    for (int k = 0; k < order->n_child && !found; k++)
        found = has_nest(order->child[k], nest);
    return found;
}

/* Which child the copies of child k are for, looked for in one direction; k: it is no copies, or there is none. */
static int served_along(const struct order *const *child, int n_child, int k, int direction)
{
    const struct nest *nest = is_copying(child[k]) ? only_nest(child[k]) : NULL;
    int at = k;

    while (nest && at >= 0 && at < n_child && is_copying(child[at]))
        at += direction;
    return at >= 0 && at < n_child && has_nest(child[at], nest) ? at : k;
}

static int served(const struct order *const *child, int n_child, int k)
{
    const int next = served_along(child, n_child, k, 1);

    return next != k ? next : served_along(child, n_child, k, -1);
}

/* Are child k and the next one of one nest, or of one that several nests were fused to, with its copies? */
static bool go_together(const struct order *const *child, int n_child, int k)
{
    const struct nest *nest = only_nest(child[k]);
    const int a = served(child, n_child, k), b = served(child, n_child, k + 1);

    if (kernels_have_blocks(child[k]) || kernels_have_blocks(child[k + 1]))
        return false;
    return (nest && nest == only_nest(child[k + 1])) || (a == b && !kernels_have_blocks(child[a]));
}

struct kernels kernels_parts(struct arena *arena, const struct order *order)
{
    const bool sequence = order->kind == ORDER_SEQUENCE;
    const int n_child = sequence ? order->n_child : 1;
    const struct order *const *child = sequence ? order->child : &order;
    struct kernels parts = {ARENA_ARRAY(arena, n_child, const struct order *), 0};

    for (int k = 0, end; k < n_child; k = end) {
        for (end = k + 1; end < n_child && go_together(child, n_child, end - 1); end++)
            ;
        parts.list[parts.n++] = end - k == 1 ? child[k] : order_sequence(arena, child + k, end - k);
    }
    return parts;
}

bool kernels_is_hosts(const struct order *part)
{
    return part->kind != ORDER_LEAF && axis_of(part) == AXIS_NONE && kernels_have_blocks(part);
}

static void collect(struct arena *arena, const struct order *order, orders *found)
{
    if (!kernels_is_hosts(order))
        VEC_PUSH(arena, found, order);
    for (int k = 0, end; kernels_is_hosts(order) && k < order->n_child; k = end) {
        const struct call *call = order_call(order->child[k]);

        call = call && !call->instruction->state ? call : NULL;
        for (end = k + 1; call && end < order->n_child && order_call(order->child[end]) == call; end++)
            ;
        collect(arena, end == k + 1 ? order->child[k] : order_sequence(arena, order->child + k, end - k), found);
    }
}

struct kernels kernels_of(struct arena *arena, const struct order *order)
{
    const struct kernels parts = kernels_parts(arena, order);
    orders found = {0};

    for (int k = 0; k < parts.n; k++)
        collect(arena, parts.list[k], &found);
    return (struct kernels){found.at, found.n};
}

bool kernels_is_tile(const struct order *order)
{
    return order->kind == ORDER_LOOP && order->info->plan && order->info->plan->tensor;
}

/* Along each thread axis those that the loops below order are bound to. */
static void bound_threads(const struct order *order, int64_t threads[3])
{
    const enum axis axis = axis_of(order);

    if (order->kind == ORDER_LOOP && order->info->plan && order->info->plan->run)
        threads[order->info->plan->threads_axis - AXIS_THREAD_X] = order->info->plan->run;
    if (kernels_is_tile(order) && threads[0] != 0 && threads[0] < TILE_THREADS)
        threads[0] = TILE_THREADS;

    if (axis_is_thread(axis) && axis != AXIS_THREAD && !order->info->plan->dealt && !order->info->plan->within) {
        const struct expr *size = order->info->plan->size;
        int64_t *most = &threads[axis_whole(axis) - AXIS_THREAD_X];
        if (size->kind != EXPR_INT || axis >= AXIS_CARRY)
            *most = 0;
        else if (*most != 0 && size->integer > *most)
            *most = size->integer;
    }
    for (int k = 0; k < order->n_child; k++)
        bound_threads(order->child[k], threads);
}

/* The threads of the warps that one of the loops is to have around it whole; 0: none is. */
static int whole_warp(const struct order *order)
{
    int warp = order->kind == ORDER_LOOP && order->info->plan ? order->info->plan->whole_warp : 0;

    for (int k = 0; k < order->n_child && !warp; k++)
        warp = whole_warp(order->child[k]);
    return warp;
}

void kernel_threads(const struct order *kernel, int64_t threads[3])
{
    const int warp = whole_warp(kernel);

    bound_threads(kernel, threads);
    if (warp)
        threads[0] = (threads[0] + warp - 1) / warp * warp;
}

bool kernel_is_whole_warps(const struct program *program, const struct order *kernel)
{
    int64_t threads[3] = {1, 1, 1};

    kernel_threads(kernel, threads);
    return whole_warp(kernel) || (threads[0] > 0 && threads[0] % program->target.warp == 0);
}

const struct order *kernel_of(struct arena *arena, const struct order *order, const struct statement *statement)
{
    const struct kernels kernels = kernels_of(arena, order);
    const struct order *found = NULL;
    int n = 0;

    for (int k = 0; k < kernels.n; k++)
        if (order_has(kernels.list[k], statement)) {
            found = kernels.list[k];
            n++;
        }
    return n == 1 ? found : NULL;
}

/* count - origin of the loop's instances in domain */
static __isl_give isl_union_pw_aff *position(const struct order *loop, __isl_keep isl_set *domain)
{
    isl_union_pw_aff *time = isl_union_pw_aff_copy(loop->time);

    time = isl_union_pw_aff_intersect_domain(time, isl_union_set_from_set(isl_set_copy(domain)));
    return time_add(time, loop->info->plan->origin, -1);
}

const struct loop_info *kernel_runs(const struct order *kernel)
{
    const struct loop_info *found = NULL;

    if (kernel->kind == ORDER_LOOP && kernel->info->plan && kernel->info->plan->run)
        return kernel->info;
    for (int k = 0; k < kernel->n_child && !found; k++)
        found = kernel_runs(kernel->child[k]);
    return found;
}

int kernels_dims(const struct order *order)
{
    if (axis_of(order) >= AXIS_CARRY)
        return POSITION_MOST;
    for (int k = 0; k < order->n_child; k++)
        if (kernels_dims(order->child[k]) == POSITION_MOST)
            return POSITION_MOST;
    return POSITION_DIMS;
}

struct search {
    const struct program *program;
    const int64_t *threads;
    int dims;
    VEC(const struct order *) around; /* bound loops */
    int tiles;                        /* loops of a matrix instruction's tile around */
    isl_union_map *found;
};

/* The loop around whose iterations the threads go round as one with those of others; NULL: there is none. */
static const struct loop_plan *rounds(const struct search *search)
{
    for (int k = 0; k < search->around.n; k++)
        if (axis_of(search->around.at[k]) == AXIS_THREAD)
            return search->around.at[k]->info->plan;
    return NULL;
}

/* Thread k of 3, out of a number that counts all of them, again and again, or each several times in a row. */
static __isl_give isl_union_pw_aff *digit(const struct search *search, __isl_take isl_union_pw_aff *number, int k)
{
    if (rounds(search)->in_a_row)
        number = time_floor_div(number, rounds(search)->rounds);
    for (int inner = 0; inner < k; inner++)
        number = time_floor_div(number, search->threads[inner]);
    return time_mod(number, search->threads[k]);
}

/* The position on axis, of an iteration's number where loops are gone round as one; NULL: no loop is bound to it. Of
 * several loops on one axis all but one stand at their first position. */
static __isl_give isl_union_pw_aff *on_axis(const struct search *search, __isl_keep isl_set *domain, enum axis axis)
{
    isl_union_pw_aff *sum = NULL, *part;

    for (int k = 0; k < search->around.n; k++) {
        const struct order *loop = search->around.at[k];
        if (axis_of(loop) != axis)
            continue;
        part = position(loop, domain);
        part = axis == AXIS_THREAD           ? time_scale(part, loop->info->plan->weight)
               : loop->info->plan->dealt > 0 ? time_mod(part, loop->info->plan->dealt)
                                             : part;
        sum = sum ? isl_union_pw_aff_add(sum, part) : part;
    }
    return sum;
}

/* Are the loops that are gone round as one those of a copy that only the threads along x share? */
static bool is_along_x(const struct search *search)
{
    return rounds(search) && rounds(search)->copies == RUN_OWN;
}

/* The axis of dimension k. */
static enum axis axis_in(int k)
{
    return axis_digit((enum axis)(AXIS_BLOCK_X + k % POSITION_DIMS), k / POSITION_DIMS);
}

static __isl_give isl_union_pw_aff *coordinate(const struct search *search, __isl_keep isl_set *domain, int k)
{
    const bool threads = k >= 3 && k < (is_along_x(search) ? 4 : POSITION_DIMS);
    isl_union_pw_aff *number = threads ? on_axis(search, domain, AXIS_THREAD) : NULL, *found;
    const int first = search->tiles && k == 3 ? -search->tiles : 0;

    if (number)
        return digit(search, number, k - 3);
    found = on_axis(search, domain, axis_in(k));
    if (found)
        return found;
    return isl_union_pw_aff_val_on_domain(isl_union_set_from_set(isl_set_copy(domain)),
                                          isl_val_int_from_si(isl_set_get_ctx(domain), first));
}

/* { leaf's instances -> positions } */
static __isl_give isl_map *positions_of(const struct search *search, const struct order *leaf)
{
    isl_space *space = isl_set_get_space(leaf->domain);
    isl_set *everywhere = isl_set_universe(isl_space_copy(space));
    isl_space *one = isl_space_add_dims(isl_space_from_domain(isl_space_copy(space)), isl_dim_out, 1);
    isl_pw_aff_list *list = isl_pw_aff_list_alloc(search->program->ctx, search->dims);

    for (int k = 0; k < search->dims; k++) {
        isl_union_pw_aff *found = coordinate(search, everywhere, k);
        list = isl_pw_aff_list_add(list, isl_union_pw_aff_extract_pw_aff(found, isl_space_copy(one)));
        isl_union_pw_aff_free(found);
    }
    isl_space_free(one);
    isl_set_free(everywhere);
    space = isl_space_add_dims(isl_space_from_domain(space), isl_dim_out, (unsigned)search->dims);
    return isl_map_intersect_domain(poly_graph(isl_multi_pw_aff_from_pw_aff_list(space, list)),
                                    isl_set_copy(leaf->domain));
}

static void walk(struct search *search, const struct order *order)
{
    const bool bound = axis_of(order) != AXIS_NONE, tile = kernels_is_tile(order);

    search->tiles += tile;
    if (bound)
        VEC_PUSH(search->program->arena, &search->around, order);
    if (order->kind == ORDER_LEAF)
        search->found = isl_union_map_union(search->found, isl_union_map_from_map(positions_of(search, order)));
    for (int k = 0; k < order->n_child; k++)
        walk(search, order->child[k]);
    search->around.n -= bound;
    search->tiles -= tile;
}

__isl_give isl_union_map *kernel_positions(const struct program *program, const struct order *kernel,
                                           const int64_t threads[3], int dims)
{
    struct search search = {.program = program,
                            .threads = threads,
                            .dims = dims,
                            .found = isl_union_map_empty(program_params_space(program))};

    walk(&search, kernel);
    return search.found;
}

bool kernels_one_thread_updates(const struct program *program, const struct statement *statement, int lanes)
{
    return lanes > 0 && (lanes <= program->target.warp || statement->by_warp);
}
