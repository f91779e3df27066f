/* A copy that goes through runs of n neighbours in memory element by element becomes one that moves each run at once,
 * of all threads together or of each thread for itself:
 *
 *     for (t = thread; t < 1024; t += 256) AA[t / 32][t % 32] = A[..][t % 32]          becomes, for n = 8,
 *     if (thread < 128) AA[thread / 4][8 * (thread % 4) .. + 7] = A[..][8 * (thread % 4) .. + 7]
 *
 * Where a buffer's elements are apart, as in a tile that is transposed, the run is moved at once on the other side
 * only.
 *
 * Its instances are those of the first elements; they use the elements of the whole run, so that conflicts with them,
 * and with that barriers, stay exact.
 */
#include "plan/device/copies/wide.h"

#include "caps/gpu.h"
#include "plan/device/copies/cooperate.h"
#include "plan/device/copies/neighbours.h"
#include "plan/device/copies/widening.h"
#include "poly/keep.h"
#include "program/expr/index_expr.h"
#include "program/rewrite.h"
#include "sched/edit.h"

#include <inttypes.h>

/* The statement copies runs from now on. */
static void widen_statement(const struct wide *wide, struct widening *widening)
{
    struct statement *statement = widening->statement;
    const struct copied copied = {.program = wide->program,
                                  .statement = statement,
                                  .loop = statement->n_loop - widening->place.at[0].n + widening->fastest};
    isl_map *runs = copied_runs(&copied, widening->n);
    isl_set *first = copied_first(&copied, isl_set_copy(statement->domain), widening->n);

    if (widening->rounded)
        *statement = *widening_extended(wide, widening, widening->fastest, widening->n);

    for (int k = 0; k < statement->n_access; k++) {
        struct access *access = &statement->access[k];
        struct array *array = widening_array(wide, access->array);
        const int64_t align = widening->n * widening_bytes(array);
        access->map = isl_map_apply_range(isl_map_copy(runs), isl_map_copy(access->map));
        access->map = isl_map_intersect_domain(access->map, isl_set_copy(first));
        poly_keep_map(wide->arena, access->map);
        array->align = array->align < align && !widening->apart[k] ? align : array->align;
        statement->apart[k] = widening->apart[k];
    }
    isl_map_free(runs);
    statement->domain = poly_keep_set(wide->arena, first);
    statement->neighbours = widening->n;
}

/* The weights of loops that all threads go round as one; returns how many iterations that are. */
static int64_t weigh(const struct widening *widening, int n, int64_t *weight)
{
    int64_t all = widening_runs(widening, widening->fastest, widening->n);

    weight[widening->fastest] = 1;
    for (int k = n - 1; k >= 0; k--)
        if (k != widening->fastest) {
            weight[k] = all;
            all *= widening->size[k];
        }
    return all;
}

/* A loop of a thread's own that moves on by n elements. */
static struct loop_info *longer_steps(const struct wide *wide, const struct loop_info *like, int64_t n)
{
    struct loop_info *info = edit_copy_info(wide->schedule, like);

    info->tile /= n;
    return info;
}

/* Bound loop number k as it is, with runs as one iteration if it is the fastest; of several that threads go round as
 * one the others then stand for fewer. */
static struct loop_info *shared_runs(const struct wide *wide, const struct widening *widening,
                                     const struct place_of_copy *place, int k)
{
    const struct loop_info *fastest = place->loop[widening->fastest]->info;
    struct loop_info *info = edit_copy_info(wide->schedule, place->loop[k]->info);
    struct loop_plan *plan = ARENA_NEW(wide->arena, struct loop_plan);

    *plan = *info->plan;
    info->plan = plan;
    if (!widening_is_bound(fastest) || fastest->plan->dealt > 0)
        return info;
    if (k == widening->fastest)
        plan->size = index_constant(wide->arena, plan->size->integer / widening->n);
    else if (plan->weight > 1)
        plan->weight /= widening->n;
    return info;
}

/* Loop number k at a place, whose iterations are runs, one of those that threads go round as one. */
static struct loop_info *counted_runs(const struct wide *wide, const struct widening *widening,
                                      const struct place_of_copy *place, int k)
{
    int64_t weight[WIDENING_LOOPS];
    const int64_t all = weigh(widening, place->n, weight);
    const int64_t n = k == widening->fastest ? widening_runs(widening, k, widening->n) : widening->size[k];
    struct loop_info *info = cooperate_info(wide->schedule, place->loop[k]->info, AXIS_THREAD, n, weight[k]);
    struct loop_plan *plan = ARENA_NEW(wide->arena, struct loop_plan);

    *plan = *info->plan;
    plan->rounds = cooperate_rounds(all, place->threads);
    info->plan = plan;
    return info;
}

/* Loop number k at a place, for runs. */
static struct loop_info *widened_info(const struct wide *wide, const struct widening *widening,
                                      const struct place_of_copy *place, int k)
{
    const struct loop_info *like = place->loop[k]->info;

    if (widening->dealt && widening_is_bound(like))
        return shared_runs(wide, widening, place, k);
    return place->dealt_out && !widening->dealt ? counted_runs(wide, widening, place, k)
                                                : longer_steps(wide, like, k == widening->fastest ? widening->n : 1);
}

/* "fill xs[ii][jj] from x, in rows of 68" */
static const char *comment_of_rows(const struct wide *wide, const struct widening *widening, const char *comment)
{
    const int64_t row = widening->n * widening_runs(widening, widening->fastest, widening->n);

    return comment && widening->rounded ? arena_printf(wide->arena, "%s, in rows of %" PRId64, comment, row) : comment;
}

/* The loops at a place, where they are dealt out all of them gone round as one. */
static const struct order *widened_place(struct wide *wide, const struct widening *widening,
                                         const struct place_of_copy *place)
{
    const struct order *order;
    const struct copied copied = {.program = wide->program,
                                  .statement = widening->statement,
                                  .loop = widening->statement->n_loop - place->n + widening->fastest};

    order = order_leaf(wide->arena, widening->statement,
                       copied_first(&copied, isl_set_copy(place->leaf->domain), widening->n));
    for (int k = place->n - 1; k >= 0; k--) {
        const int64_t n = k == widening->fastest ? widening->n : 1;
        struct loop_info *info = widened_info(wide, widening, place, k);
        isl_union_pw_aff *time = isl_union_pw_aff_copy(place->loop[k]->time);
        info->stride *= n;
        info->comment = comment_of_rows(wide, widening, info->comment);
        order = order_loop(wide->arena, info, n > 1 ? time_floor_div(time, n) : time, order);
    }
    return order;
}

/* The place whose outermost loop is order, where runs are copied, and what copies there; NULL: there is none. */
static const struct place_of_copy *place_of_runs(const struct wide *wide, const struct order *order,
                                                 const struct widening **widening)
{
    for (int k = 0; k < wide->list.n; k++) {
        *widening = &wide->list.at[k];
        for (int p = 0; p < (*widening)->place.n && (*widening)->n; p++)
            if ((*widening)->place.at[p].n > 0 && (*widening)->place.at[p].loop[0] == order)
                return &(*widening)->place.at[p];
    }
    return NULL;
}

static const struct order *rewrite(struct wide *wide, const struct order *order)
{
    const struct order **child = ARENA_ARRAY(wide->arena, order->n_child + 1, const struct order *);
    const struct widening *widening;
    const struct place_of_copy *place = place_of_runs(wide, order, &widening);

    if (place)
        return widened_place(wide, widening, place);
    if (order->kind == ORDER_LEAF)
        return order_leaf(wide->arena, wide->program->statement[order->statement->index], isl_set_copy(order->domain));
    for (int k = 0; k < order->n_child; k++)
        child[k] = rewrite(wide, order->child[k]);
    return order_with_children(wide->arena, order, child);
}

static enum status refuse(const struct wide *wide, const struct array *array, const char *hint, const char *why)
{
    return edit_refuse(wide->schedule, array->place, "cache", hint, "`%s` cannot be filled by asynchronous copies: %s",
                       array->name, why);
}

/* The copy is asynchronous, where there is one that can be. */
static enum status mark(const struct wide *wide, struct widening *widening)
{
    struct statement *statement = widening->statement;
    const struct array *array = statement->access[0].array;
    const int64_t n = widening->n ? widening->n : 1;
    const char *why;

    if (!array->asynchronous || statement->n_access == 1)
        return STATUS_OK;
    if (array->memory != MEMORY_SHARED)
        return refuse(wide, array, "\"memory\": \"shared\"", "they fill shared memory");
    if (statement->n_access != 2 || array->type != statement->access[1].array->type)
        return refuse(wide, array, NULL, "they do not convert what they copy");
    if (statement->access[1].array->memory == MEMORY_SHARED || statement->access[1].array->memory == MEMORY_LOCAL)
        return refuse(wide, array, NULL, "they read the device's memory, and no other");
    if (widening_is_overwritten(wide, statement))
        return refuse(wide, array, NULL, "the kernel that reads the elements writes that array, too");
    if (n * widening_bytes(array) < 4) {
        why = arena_printf(wide->arena,
                           "they move 4, 8 or 16 bytes, and elements of %d bytes are not known to be "
                           "copied side by side",
                           (int)widening_bytes(array));
        return refuse(wide, array, "\"align\" states where an argument starts, \"assume\" that extents are multiples",
                      why);
    }
    statement->asynchronous = true;
    return STATUS_OK;
}

enum status wide_copies(struct schedule *schedule, const struct program **program, const struct order **order)
{
    struct wide wide = {.schedule = schedule,
                        .arena = schedule->arena,
                        .order = *order,
                        .gpu = gpu_by_language((*program)->target.language)};
    enum status status = STATUS_OK;
    bool any = false;

    if (!wide.gpu)
        return STATUS_OK;
    wide.before = *program;
    wide.program = program_copy_arrays(wide.arena, *program);
    widenings_collect(&wide);
    for (int k = 0; k < wide.list.n; k++)
        widening_pad(&wide, &wide.list.at[k]);
    for (int k = 0; k < wide.list.n && status == STATUS_OK; k++) {
        widening_choose(&wide, &wide.list.at[k]);
        status = mark(&wide, &wide.list.at[k]);
        any = any || wide.list.at[k].n || wide.list.at[k].statement->asynchronous;
    }
    if (status == STATUS_OK && any) {
        for (int k = 0; k < wide.list.n; k++)
            if (wide.list.at[k].n)
                widen_statement(&wide, &wide.list.at[k]);
        *order = rewrite(&wide, *order);
        *program = wide.program;
    }
    return status;
}
