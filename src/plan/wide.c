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
#include "plan/wide.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "plan/cooperate.h"
#include "plan/kernels.h"
#include "plan/loop_plan.h"
#include "plan/neighbours.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "poly/number.h"
#include "program/index_expr.h"
#include "program/rewrite.h"
#include "sched/edit.h"
#include "sched/path.h"

#include <isl/ilp.h>
#include <isl/val.h>

#include <string.h>

enum { MAX_LOOPS = 32 };

/* A place where a copy runs: its loops, outermost first, down to its leaf. */
struct place_of_copy {
    const struct order **around; /* the loops around it, outermost first, and behind them its own */
    int n_around;
    const struct order *loop[MAX_LOOPS];
    int n;
    const struct order *leaf;
    int64_t threads; /* of a block of its kernel that share in it, */
    int64_t run;     /* in copies for so many iterations of a run one after the other */
    bool dealt_out;  /* its loops are, to all of them; else each thread goes through them for itself */
    bool in_rows;    /* each of the threads has a row of elements */
};

/* A statement that copies. */
struct widening {
    struct statement *statement;
    VEC(struct place_of_copy) place;
    int fastest;             /* number of the loop along which neighbours are copied at once */
    int64_t n;               /* so many; 0: one by one */
    int64_t apart[2];        /* see struct statement */
    bool dealt;              /* only the launch knows all iterations that threads share */
    int64_t size[MAX_LOOPS]; /* iterations of the loops before that */
};

struct wide {
    struct schedule *schedule;
    struct arena *arena;
    const struct gpu *gpu;
    const struct program *before;
    struct program *program;          /* a copy whose statements change */
    const struct order *order;        /* of before */
    VEC(const struct order *) around; /* the loops around the place at hand */
    VEC(struct widening) list;
};

static int64_t bytes_of(const struct array *array)
{
    const int bits = type_bits(array->type);

    return bits < 8 ? 1 : bits / 8;
}

static bool is_bound(const struct loop_info *info)
{
    return info->plan && info->plan->axis != AXIS_NONE;
}

/* The loops of copies from order down to a leaf; false when there is something else, or one that a step has bound. */
static bool find_place(const struct order *order, struct place_of_copy *place)
{
    place->n = 0;
    place->dealt_out = place->in_rows = false;
    for (; order->kind == ORDER_LOOP && order->info->is_copy && place->n < MAX_LOOPS; order = order->child[0]) {
        if (is_bound(order->info) && !is_cooperative(order->info))
            return false;
        place->dealt_out |= is_bound(order->info);
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
        if (is_bound(place->loop[k]->info)) {
            copies = place->loop[k]->info->plan->copies;
            place->in_rows = place->in_rows || place->loop[k]->info->plan->in_a_row > 0;
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

static void collect_all(struct wide *wide)
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
                is_bound(widening->place.at[p].loop[k]->info) ? plan->size->integer : most_of(widening, k);
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

/* Are there enough runs at each place, when n neighbours along loop `fastest` are one? */
static bool is_enough(const struct widening *widening, int fastest, int64_t n)
{
    int64_t runs = 1;

    for (int k = 0; k < widening->place.at[0].n; k++)
        if (__builtin_mul_overflow(runs, k == fastest ? widening->size[k] / n : widening->size[k], &runs))
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

    return !is_bound(place->loop[k]->info) || plan->dealt > 0 ||
           (plan->weight == 1 && plan->size->kind == EXPR_INT && plan->size->integer % n == 0);
}

/* May runs of n neighbours along loop number k be copied at once? */
static bool may_be_runs(const struct wide *wide, struct widening *widening, int k, int64_t n, bool both)
{
    const isl_set **part = ARENA_ARRAY(wide->arena, widening->place.n, const isl_set *);
    const struct copied copied = {wide->program, widening->statement, part, widening->place.n,
                                  widening->statement->n_loop - widening->place.at[0].n + k};

    for (int p = 0; p < widening->place.n; p++) {
        part[p] = widening->place.at[p].leaf->domain;
        if (!runs_follow(widening, &widening->place.at[p], &copied, k, n) ||
            (widening->dealt && !may_share_runs(&widening->place.at[p], k, n)))
            return false;
    }
    return (widening->dealt || is_enough(widening, k, n)) && copied_are_whole(&copied, n) &&
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

/* The most bytes that can be moved at once. */
static void choose(const struct wide *wide, struct widening *widening)
{
    const int64_t bytes = bytes_of(widening->statement->access[0].array);

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

static struct array *own_array(const struct wide *wide, const struct array *array)
{
    return &wide->program->array[array - wide->program->array];
}

/* The statement copies runs from now on. */
static void widen_statement(const struct wide *wide, struct widening *widening)
{
    struct statement *statement = widening->statement;
    const struct copied copied = {.program = wide->program,
                                  .statement = statement,
                                  .loop = statement->n_loop - widening->place.at[0].n + widening->fastest};
    isl_map *runs = copied_runs(&copied, widening->n);
    isl_set *first = copied_first(&copied, isl_set_copy(statement->domain), widening->n);

    for (int k = 0; k < statement->n_access; k++) {
        struct access *access = &statement->access[k];
        struct array *array = own_array(wide, access->array);
        const int64_t align = widening->n * bytes_of(array);
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
    int64_t all = widening->size[widening->fastest] / widening->n;

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
    if (!is_bound(fastest) || fastest->plan->dealt > 0)
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
    const int64_t n = k == widening->fastest ? widening->n : 1;
    int64_t weight[MAX_LOOPS];
    const int64_t all = weigh(widening, place->n, weight);
    struct loop_info *info =
        cooperate_info(wide->schedule, place->loop[k]->info, AXIS_THREAD, widening->size[k] / n, weight[k]);
    struct loop_plan *plan = ARENA_NEW(wide->arena, struct loop_plan);

    *plan = *info->plan;
    plan->in_a_row = place->in_rows ? cooperate_row(all, place->threads) : 0;
    info->plan = plan;
    return info;
}

/* Loop number k at a place, for runs. */
static struct loop_info *widened_info(const struct wide *wide, const struct widening *widening,
                                      const struct place_of_copy *place, int k)
{
    const struct loop_info *like = place->loop[k]->info;

    if (widening->dealt && is_bound(like))
        return shared_runs(wide, widening, place, k);
    return place->dealt_out && !widening->dealt ? counted_runs(wide, widening, place, k)
                                                : longer_steps(wide, like, k == widening->fastest ? widening->n : 1);
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

/* Does a kernel that has the copy write what it copies? */
static bool is_overwritten(const struct wide *wide, const struct statement *copy)
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
    if (is_overwritten(wide, statement))
        return refuse(wide, array, NULL, "the kernel that reads the elements writes that array, too");
    if (n * bytes_of(array) < 4) {
        why = arena_printf(wide->arena,
                           "they move 4, 8 or 16 bytes, and elements of %d bytes are not known to be "
                           "copied side by side",
                           (int)bytes_of(array));
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
    collect_all(&wide);
    for (int k = 0; k < wide.list.n && status == STATUS_OK; k++) {
        choose(&wide, &wide.list.at[k]);
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
