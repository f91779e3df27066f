#include "plan/device/copies/widening.h"

#include "plan/device/copies/neighbours.h"
#include "plan/device/kernels.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "poly/number.h"
#include "program/accesses.h"
#include "sched/path.h"

#include <isl/ilp.h>
#include <isl/val.h>

struct array *widening_array(const struct wide *wide, const struct array *array)
{
    return &wide->program->array[array - wide->program->array];
}

/* The loops of copies from order down to a leaf; false when there is something else, or one that a step has bound. */
static bool find_place(const struct order *order, struct place_of_copy *place)
{
    place->n = 0;
    place->dealt_out = place->in_rows = false;
    for (; order->kind == ORDER_LOOP && order->info->is_copy && place->n < WIDENING_LOOPS; order = order->child[0]) {
        if (widening_is_bound(order->info) && !loop_plan_is_cooperative(order->info))
            return false;
        place->dealt_out |= widening_is_bound(order->info);
        place->loop[place->n++] = order;
    }
    place->leaf = order;
    return order->kind == ORDER_LEAF && order->statement->copies;
}

static struct widening *widening_of(struct wide *wide, const struct statement *statement)
{
    for (int k = 0; k < wide->list.n; k++)
        if (wide->list.at[k].statement->index == statement->index)
            return &wide->list.at[k];
    return NULL;
}

static void add_around(const struct wide *wide, struct place_of_copy *place)
{
    place->n_around = wide->around.n;
    place->around = ARENA_ARRAY(wide->arena, place->n_around + place->n + 1, const struct order *);
    for (int k = 0; k < place->n_around + place->n; k++)
        place->around[k] = k < place->n_around ? wide->around.at[k] : place->loop[k - place->n_around];
}

/* Which of the kernel's threads share in the copy, and for how many iterations of a run. */
static void find_crew(struct place_of_copy *place, const struct order *kernel)
{
    const struct loop_info *runs = kernel_runs(kernel);
    enum run_copies copies = RUN_ONCE;
    int64_t threads[3] = {1, 1, 1};

    for (int k = 0; k < place->n; k++)
        if (widening_is_bound(place->loop[k]->info)) {
            copies = place->loop[k]->info->plan->copies;
            place->in_rows = place->in_rows || place->loop[k]->info->plan->in_a_row;
        }
    kernel_threads(kernel, threads);
    place->threads = copies == RUN_OWN ? threads[0] : threads[0] * threads[1] * threads[2];
    place->run = copies == RUN_ALL ? runs->plan->run : 1;
}

static void collect(struct wide *wide, const struct order *order, const struct order *kernel)
{
    struct place_of_copy place;

    if (find_place(order, &place)) {
        struct widening *known = widening_of(wide, place.leaf->statement);
        if (!known) {
            VEC_PUSH(wide->arena, &wide->list,
                     ((struct widening){.statement = wide->program->statement[place.leaf->statement->index]}));
            known = &wide->list.at[wide->list.n - 1];
        }
        find_crew(&place, kernel);
        add_around(wide, &place);
        VEC_PUSH(wide->arena, &known->place, place);
        return;
    }
    if (order->kind == ORDER_LOOP)
        VEC_PUSH(wide->arena, &wide->around, order);
    for (int k = 0; k < order->n_child; k++)
        collect(wide, order->child[k], kernel);
    wide->around.n -= order->kind == ORDER_LOOP;
}

void widenings_collect(struct wide *wide)
{
    const struct kernels kernels = kernels_of(wide->arena, wide->order);

    for (int k = 0; k < kernels.n; k++)
        collect(wide, kernels.list[k], kernels.list[k]);
}

/* Are there loops at the place, whose iterations are single elements? */
static bool may_be_wide(const struct place_of_copy *place)
{
    for (int k = 0; k < place->n; k++) {
        const struct loop_plan *plan = place->loop[k]->info->plan;
        if (plan && (plan->tensor || plan->vector))
            return false;
    }
    return place->n > 0 && (!place->dealt_out || place->threads > 0);
}

/* How many values from 0 on the dimension of loop number k has; 0: that is not known. */
static int64_t most_of(const struct widening *widening, int k)
{
    const struct statement *statement = widening->statement;
    const int dim = statement->n_loop - widening->place.at[0].n + k;
    int64_t most;

    return poly_number(isl_set_dim_max_val(isl_set_copy(statement->domain), dim), &most) && most < INT64_MAX ? most + 1
                                                                                                             : 0;
}

static bool is_symbolic(const struct loop_plan *plan)
{
    return plan && plan->axis != AXIS_NONE && plan->size->kind != EXPR_INT;
}

/* Is there a place whose threads share as many iterations as only the launch knows? */
static bool are_dealt(const struct widening *widening)
{
    for (int p = 0; p < widening->place.n; p++)
        for (int k = 0; k < widening->place.at[p].n; k++)
            if (is_symbolic(widening->place.at[p].loop[k]->info->plan))
                return true;
    return false;
}

/* How many iterations the loops have at every place where they are dealt out; false where that is not known. */
static bool find_sizes(struct widening *widening)
{
    const int n = widening->place.at[0].n;
    int64_t *const known = widening->size;

    for (int k = 0; k < n; k++)
        for (int p = 0; p < widening->place.n; p++) {
            const struct loop_plan *plan = widening->place.at[p].loop[k]->info->plan;
            if (!widening->place.at[p].dealt_out)
                continue;
            const int64_t size =
                widening_is_bound(widening->place.at[p].loop[k]->info) ? plan->size->integer : most_of(widening, k);
            if (size == 0 || (known[k] != 0 && size != known[k]))
                return false;
            known[k] = size;
        }
    return true;
}

/* { S[..] -> [c, .., floor(y_k / n), ..] }: the iteration of the loops around and at the place, n of loop number k as
 * one. */
static __isl_give isl_map *iteration_of_run(const struct widening *widening, const struct place_of_copy *place, int k,
                                            int64_t n)
{
    const struct path path = {place->around, place->n_around + place->n};
    isl_multi_pw_aff *iteration = path_iteration(&path, widening->statement);
    isl_val *length = isl_val_int_from_si(isl_multi_pw_aff_get_ctx(iteration), (long)n);
    isl_pw_aff *count = isl_multi_pw_aff_get_pw_aff(iteration, place->n_around + k);

    count = isl_pw_aff_floor(isl_pw_aff_scale_down_val(count, length));
    return poly_graph(isl_multi_pw_aff_set_pw_aff(iteration, place->n_around + k, count));
}

/* Are the instances of each run together, one after the other, in loop number k at the place? */
static bool runs_follow(const struct widening *widening, const struct place_of_copy *place, const struct copied *copied,
                        int k, int64_t n)
{
    isl_map *runs = isl_map_intersect_domain(copied_runs(copied, n), isl_set_copy(place->leaf->domain));
    isl_map *iteration = iteration_of_run(widening, place, k, n), *together;
    bool follow;

    runs = isl_map_intersect_range(runs, isl_set_copy(place->leaf->domain));
    together = isl_map_apply_range(isl_map_copy(iteration), isl_map_reverse(isl_map_copy(iteration)));
    follow = isl_map_is_subset(runs, together) == isl_bool_true;
    isl_map_free(iteration);
    isl_map_free(together);
    isl_map_free(runs);
    return follow;
}

/* How many runs of n neighbours there have to be at the place: one for each thread or, where threads have rows of
 * elements, so many that rows are no shorter than a run. */
static int64_t least_runs(const struct place_of_copy *place, int64_t n)
{
    const int64_t least = place->in_rows ? place->threads * (n - 1) / n + 1 : place->threads;

    return (least - 1) / place->run + 1;
}

int64_t widening_runs(const struct widening *widening, int k, int64_t n)
{
    return (widening->size[k] + (widening->rounded == n ? n - 1 : 0)) / n;
}

/* Are there enough runs at each place, when n neighbours along loop `fastest` are one? */
static bool is_enough(const struct widening *widening, int fastest, int64_t n)
{
    int64_t runs = 1;

    for (int k = 0; k < widening->place.at[0].n; k++)
        if (__builtin_mul_overflow(runs, k == fastest ? widening_runs(widening, k, n) : widening->size[k], &runs))
            return true;
    for (int k = 0; k < widening->place.n; k++)
        if (widening->place.at[k].dealt_out && runs < least_runs(&widening->place.at[k], n))
            return false;
    return true;
}

static bool is_on_chip(const struct array *array)
{
    return array->memory == MEMORY_SHARED || array->memory == MEMORY_LOCAL;
}

/* Can n elements at once be moved: from or to neighbours on both sides or, unless `both`, in the device's memory? */
static bool can_move(const struct copied *copied, int64_t n, bool both, int64_t apart[2])
{
    const struct access *access = copied->statement->access;

    for (int k = 0; k < 2; k++) {
        const bool neighbours = copied_are_neighbours(copied, k, n);
        apart[k] = neighbours || both ? 0 : copied_distance(copied, k, n);
        if (!neighbours && apart[k] == 0)
            return false;
    }
    for (int k = 0; k < 2; k++)
        if (apart[k] && (apart[1 - k] || !is_on_chip(access[k].array) || is_on_chip(access[1 - k].array) ||
                         access[0].array->asynchronous || access[1].array->asynchronous))
            return false;
    return both || apart[0] || apart[1];
}

/* Where only the launch knows how many iterations threads share: is loop number k at the place one whose runs of n
 * they can share in the same way? */
static bool may_share_runs(const struct place_of_copy *place, int k, int64_t n)
{
    const struct loop_plan *plan = place->loop[k]->info->plan;

    return !widening_is_bound(place->loop[k]->info) || plan->dealt > 0 ||
           (plan->weight == 1 && plan->size->kind == EXPR_INT && plan->size->integer % n == 0);
}

struct statement *widening_extended(const struct wide *wide, const struct widening *widening, int k, int64_t n)
{
    struct statement *statement = ARENA_NEW(wide->arena, struct statement);
    const struct copied copied = {.program = wide->program,
                                  .statement = widening->statement,
                                  .loop = widening->statement->n_loop - widening->place.at[0].n + k};

    *statement = *widening->statement;
    statement->domain =
        poly_keep_set(wide->arena, isl_set_apply(isl_set_copy(widening->statement->domain), copied_runs(&copied, n)));
    statement_accesses(wide->program, statement);
    return statement;
}

/* May runs of n neighbours along loop number k be copied at once? */
static bool may_be_runs(const struct wide *wide, struct widening *widening, int k, int64_t n, bool both)
{
    const isl_set **part = ARENA_ARRAY(wide->arena, widening->place.n, const isl_set *);
    const bool rounded = widening->rounded == n && both;
    const struct copied copied = {wide->program,
                                  rounded ? widening_extended(wide, widening, k, n) : widening->statement, part,
                                  widening->place.n, widening->statement->n_loop - widening->place.at[0].n + k};

    for (int p = 0; p < widening->place.n; p++) {
        part[p] = widening->place.at[p].leaf->domain;
        if (!runs_follow(widening, &widening->place.at[p], &copied, k, n) ||
            (widening->dealt && !may_share_runs(&widening->place.at[p], k, n)))
            return false;
    }
    return (widening->dealt || is_enough(widening, k, n)) &&
           (rounded ? widening_may_round(wide, widening, &copied, n) : copied_are_whole(&copied, n)) &&
           can_move(&copied, n, both, widening->apart);
}

/* Is it a copy of single elements whose places are all of one form? */
static bool is_simple(const struct widening *widening)
{
    const struct statement *statement = widening->statement;
    const int n = widening->place.at[0].n;

    for (int p = 0; p < widening->place.n; p++)
        if (widening->place.at[p].n != n || !may_be_wide(&widening->place.at[p]))
            return false;
    return statement->n_access == 2 && statement->op == OP_NONE && !statement->guard &&
           statement->access[0].array->type == statement->access[1].array->type;
}

void widening_choose(const struct wide *wide, struct widening *widening)
{
    const int64_t bytes = widening_bytes(widening->statement->access[0].array);

    widening->n = 0;
    widening->dealt = are_dealt(widening);
    if (!is_simple(widening) || (!widening->dealt && !find_sizes(widening)))
        return;
    for (int64_t n = 16 / bytes; n > 1 && n * bytes >= 4; n /= 2)
        for (int both = 1; both >= 0; both--)
            for (int k = widening->place.at[0].n - 1; k >= 0; k--)
                if (may_be_runs(wide, widening, k, n, both)) {
                    widening->fastest = k;
                    widening->n = n;
                    return;
                }
}

bool widening_is_overwritten(const struct wide *wide, const struct statement *copy)
{
    const struct kernels kernels = kernels_of(wide->arena, wide->order);
    const struct statement *const *list = (const struct statement *const *)wide->before->statement;

    for (int k = 0; k < kernels.n; k++)
        for (int s = 0; s < wide->before->n_statement; s++)
            if (list[s]->access[0].array == list[copy->index]->access[1].array &&
                order_has(kernels.list[k], list[copy->index]) && order_has(kernels.list[k], list[s]))
                return true;
    return false;
}
