#include "plan/check/check.h"

#include "caps/gpu.h"
#include "dep/parallel.h"
#include "plan/check/check_test.h"
#include "plan/check/clause.h"
#include "plan/check/launch.h"
#include "plan/check/separate.h"
#include "plan/device/kernels.h"
#include "plan/device/reduce/atomic.h"
#include "plan/device/reduce/lanes.h"
#include "plan/loop_plan.h"
#include "plan/storage/tails.h"
#include "poly/context.h"

#include <string.h>

/* Decides how threads make the updates of the reductions; false after reporting one that they cannot make, which an
 * `unsafe` step may leave as it is. */
static bool join_all(struct test *test, __isl_keep isl_schedule_node *band, const struct parallel *parallel)
{
    for (int k = 0; k < parallel->n_reduction; k++) {
        const char *lack = clause_join(test->schedule, test->info, parallel->reduction[k]);

        if (lack && !test->step->unsafe) {
            clause_refuse(test->schedule, test->dependences, test->info, band, parallel->reduction[k], lack);
            return false;
        }
    }
    return true;
}

static void note_carried(struct test *test, __isl_keep isl_schedule_node *band)
{
    isl_union_map *carried =
        parallel_carried(band, test->info->plan->parallel, isl_union_map_copy(test->dependences->required));

    test_note_broken(test, carried);
    isl_union_map_free(carried);
}

/* What helps where iterations update one sum, by no index array, whose order is not free. */
static const char *threads_hint(const struct test *test, const struct violation *violation)
{
    const struct dependence *dependence = violation->dependence;

    return dependence_within_reduction(dependence) && !dependence->reduction &&
                   !violation_index_advice(test->schedule->arena, violation)
               ? "\"permit\": [\"reassociate\"] lets the threads sum up in another order"
               : NULL;
}

/* The same, or what helps where `store_at` keeps values for later iterations. */
static const char *parallel_hint(const struct test *test, const struct violation *violation)
{
    const struct array *array = violation->dependence->from->array;

    if (!array->window || array->must_window)
        return threads_hint(test, violation);
    return arena_printf(test->schedule->arena,
                        "split `%s` in front of the `compute_at`, with `%s` stored at the outer part and computed at "
                        "the inner one: then iterations of the outer part have a `%s` of their own",
                        test->info->name, array->name, array->name);
}

static const char *doacross_hint(const struct test *test, const struct violation *violation)
{
    const struct dependence *dependence = violation->dependence;
    const struct array *array = dependence->from->array;
    const bool flow = dependence->from->writes && dependence->to->reads;

    if (array->role == ROLE_TEMP && !array->is_buffer && !flow)
        return arena_printf(test->schedule->arena, "`expand` over `%s` gives each of its iterations a `%s` of its own",
                            test->info->name, array->name);
    return arena_printf(test->schedule->arena,
                        "an iteration waits for the same one inside of iteration `%s` - 1, not for later ones: "
                        "`skew` or `shift` the loops inside until none needs a later one",
                        test->info->name);
}

static void check_band(struct test *test, __isl_keep isl_schedule_node *band)
{
    const struct schedule *schedule = test->schedule;
    const struct loop_plan *plan = test->info->plan;
    const struct parallel parallel =
        (plan->doacross ? parallel_doacross : parallel_loop)(schedule->arena, test->dependences, band, plan->parallel);

    if (parallel.answer == ANSWER_UNKNOWN)
        test_undecided(test);
    else if (parallel.answer == ANSWER_NO) {
        test_note_missing(test, &parallel);
        if (plan->doacross)
            test_report(test, &parallel.carried, "cannot be a doacross loop", doacross_hint(test, &parallel.carried));
        else
            test_report(test, &parallel.carried, "is not parallel", parallel_hint(test, &parallel.carried));
    } else if (!join_all(test, band, &parallel))
        test->status = STATUS_REFUSED;
}

static bool is_atomic(const struct program *program, const struct dependence *dependence)
{
    return atomic_is_there(program, dependence->from->statement) && atomic_is_there(program, dependence->to->statement);
}

/* Of a loop over thread.x: do the threads of a warp make the updates as one? */
static bool is_warps(const struct test *test, const struct dependence *dependence)
{
    const struct statement *statement = dependence->from->statement;

    return test->info->plan->axis == AXIS_THREAD_X && statement == dependence->to->statement &&
           kernels_one_thread_updates(test->schedule->program, statement,
                                      lanes_of(test->schedule->program, test->schedule->order, statement));
}

/* Reductions, too, unless the device makes their updates in one go. */
static __isl_give isl_union_map *all_pairs(const struct test *test, const struct dependences *dependences)
{
    isl_union_map *pairs = isl_union_map_copy(dependences->required);

    for (int k = 0; k < dependences->n; k++)
        if (dependences->list[k].reduction && !is_atomic(dependences->program, &dependences->list[k]) &&
            !is_warps(test, &dependences->list[k]))
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(isl_map_copy(dependences->list[k].map)));
    return pairs;
}

/* Is it about copies of an element in a buffer in which iterations sum it up? */
static bool is_about_sum(const struct test *test, const struct dependence *dependence)
{
    const char *buffer = dependence->from->statement->copies;

    if (!buffer || !dependence->to->statement->copies || strcmp(buffer, dependence->to->statement->copies) != 0)
        return false;
    for (int k = 0; k < test->dependences->n; k++)
        if (test->dependences->list[k].reduction && strcmp(test->dependences->list[k].from->array->name, buffer) == 0)
            return true;
    return false;
}

static const char *partial_results(const struct test *test)
{
    return axis_is_thread(test->info->plan->axis)
               ? "give the iterations partial results of their own by `rfactor`; threads along x exchange them where a "
                 "block has room for whole warps of 32"
               : "give the iterations partial results of their own by `rfactor`";
}

static const char *bound_hint(const struct test *test, const struct violation *violation)
{
    const struct dependence *dependence = violation->dependence;
    const struct array *array = dependence->from->array;

    if (dependence->reduction || is_about_sum(test, dependence))
        return partial_results(test);
    if (threads_hint(test, violation))
        return threads_hint(test, violation);
    if (array->rotates)
        return arena_printf(test->schedule->arena,
                            "`%s` is filled for the next iteration of `%s`: cache \"at\" a loop further in",
                            array->name, test->info->name);
    return array->role == ROLE_TEMP && !array->is_buffer
               ? "bind another loop, or give each iteration an array of its own by `expand`"
               : "bind another loop";
}

static void check_bound_band(struct test *test, __isl_keep isl_schedule_node *band)
{
    const struct schedule *schedule = test->schedule;
    isl_union_map *carried = parallel_carried(band, 1, all_pairs(test, schedule_dependences(schedule)));
    struct violation violation;

    carried = test_unless_waived(test, carried);
    carried = isl_union_map_intersect_params(carried, isl_set_copy(schedule->program->context));
    if (test_note_broken(test, carried))
        ;
    else if (legal_smallest_pair(schedule->arena, schedule_dependences(schedule), carried, &violation)) {
        const struct parallel parallel = parallel_loop(schedule->arena, test->dependences, band, 1);

        test_note_missing(test, &parallel);
        test_report(test, &violation,
                    arena_printf(schedule->arena, "cannot be bound to %s, where its iterations run at once",
                                 axis_name(test->info->plan->axis)),
                    bound_hint(test, &violation));
    } else if (isl_union_map_is_empty(carried) != isl_bool_true)
        test_undecided(test);
    isl_union_map_free(carried);
}

static bool asks_before(const struct order *const *seen, int n, const struct loop_info *info)
{
    for (int k = 0; k < n; k++)
        if (seen[k]->info == info)
            return true;
    return false;
}

struct checking {
    const struct schedule *schedule;
    const struct step *step; /* only what this one asks for; NULL: everything */
    missing_vec *missing;    /* likewise */
    isl_union_map **broken;  /* see struct test */
    VEC(const struct order *) seen;
    enum status status;
};

static void add_members(const struct order *order, const struct loop_info *info, bool inside, bool *member)
{
    inside = inside || (order->kind == ORDER_LOOP && order->info == info);
    if (order->kind == ORDER_LEAF && inside)
        member[order->statement->index] = true;
    for (int k = 0; k < order->n_child; k++)
        add_members(order->child[k], info, inside, member);
}

static const struct dependences *dependences_inside(const struct schedule *schedule, const struct loop_info *info)
{
    bool *member = ARENA_ARRAY(schedule->arena, schedule->program->n_statement + 1, bool);

    add_members(schedule->order, info, false, member);
    return schedule_dependences_among(schedule, member);
}

static bool is_asked(const struct checking *checking, const struct step *step)
{
    return !checking->step || checking->step == step;
}

/* Do the iterations plainly not meet? Then they may run in any order, at once, or statement by statement; also where
 * the loop is sunk into its body, which changes the order only of instances in different iterations. */
static bool is_separate(const struct checking *checking, const struct loop_info *info)
{
    const int loops = info->tuple > 1 ? info->tuple : 1;

    return loop_separates(checking->schedule, info, info->plan->parallel > loops ? info->plan->parallel : loops);
}

/* The last of the loops that run as one with this one. */
static const struct loop_info *innermost_of(const struct order *loop)
{
    const struct order *inner = loop;

    for (int n = loop->info->plan->parallel; n > 1 && inner->child[0]->kind == ORDER_LOOP; n--)
        inner = inner->child[0];
    return inner->info;
}

static void check_loop(struct checking *checking, const struct order *loop)
{
    const int n_missing = checking->missing ? checking->missing->n : 0;
    const struct loop_plan *plan = loop->info->plan;
    struct test test = {.schedule = checking->schedule,
                        .info = loop->info,
                        .innermost = innermost_of(loop),
                        .broken = checking->broken,
                        .missing = checking->missing};
    const bool vector = plan->vector && is_asked(checking, plan->vector_step);
    const bool independent = plan->independent_step && is_asked(checking, plan->independent_step);
    const bool parallel = plan->parallel > 0 && is_asked(checking, plan->parallel_step);
    const bool bound = plan->axis != AXIS_NONE && is_asked(checking, plan->bind_step);

    if ((!vector && !independent && !parallel && !bound) || (!checking->broken && is_separate(checking, loop->info)))
        return;
    test.dependences = dependences_inside(checking->schedule, loop->info);
    if (vector) {
        test.step = plan->vector_step;
        test_vectors(&test);
    }
    if (independent && test.status == STATUS_OK) {
        test.step = plan->independent_step;
        test_vectors(&test);
    }
    if (parallel && test.status == STATUS_OK) {
        test.step = plan->parallel_step;
        test_visit_final(&test, test.broken ? note_carried : check_band);
    }
    if (bound && test.status == STATUS_OK) {
        test.step = plan->bind_step;
        test_visit_final(&test, check_bound_band);
    }
    /* What would help others is of interest, too. */
    if (test.status != STATUS_REFUSED || !checking->missing || checking->missing->n == n_missing)
        checking->status = test.status;
}

/* Do the n loops from loop on, which are one, still stand directly inside each other? */
static bool is_nest(const struct order *loop, int n)
{
    for (; n > 1 && loop->child[0]->kind == ORDER_LOOP; n--)
        loop = loop->child[0];
    return n <= 1;
}

static void check_nest(struct checking *checking, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    struct diags *diags = checking->schedule->diags;
    struct diag *diag;

    if (is_nest(loop, plan->parallel))
        return;
    diag = diag_error(diags, "parallelize", plan->parallel_step->place,
                      "`%s` and the loops inside are one parallel loop, with nothing between them", loop->info->name);
    diag_hint(diags, diag, "cache inside of the innermost of them, or parallelize fewer loops");
    checking->status = STATUS_REFUSED;
}

static void walk(struct checking *checking, const struct order *order)
{
    if (order->kind == ORDER_LOOP && order->info->plan)
        check_nest(checking, order);
    if (checking->status == STATUS_OK && order->kind == ORDER_LOOP && order->info->plan &&
        !asks_before(checking->seen.at, checking->seen.n, order->info)) {
        VEC_PUSH(checking->schedule->arena, &checking->seen, order);
        check_loop(checking, order);
    }
    for (int k = 0; k < order->n_child && checking->status == STATUS_OK; k++)
        walk(checking, order->child[k]);
}

bool plan_jam_breaks(const struct schedule *schedule, const struct step *step, const struct order *order,
                     struct violation *violation)
{
    isl_schedule *isl = order_to_schedule(order);
    const bool breaks =
        !step->unsafe && legal_find_violation(schedule->arena, schedule_dependences(schedule), isl, violation);

    isl_schedule_free(isl);
    return breaks;
}

void plan_report_jam(const struct schedule *schedule, const struct loop_info *info, const struct step *step,
                     const struct violation *violation)
{
    struct test test = {.schedule = schedule, .info = info, .step = step};

    test_report(&test, violation, "cannot go inside the loops below", "unroll it without `jam`");
}

enum status plan_check(const struct schedule *schedule, missing_vec *missing)
{
    struct checking checking = {.schedule = schedule, .missing = missing};

    if (!gpu_by_language(schedule->program->target.language))
        clause_forget(schedule->program);
    walk(&checking, schedule->order);
    if (checking.status == STATUS_OK && missing && missing->n > 0)
        return STATUS_REFUSED;
    if (checking.status == STATUS_OK)
        checking.status = tails_check(schedule);
    return checking.status == STATUS_OK ? launch_check(schedule) : checking.status;
}

enum status plan_waive(struct schedule *schedule, const struct step *step)
{
    isl_union_map *broken = isl_union_map_empty(isl_set_get_space(schedule->program->context));
    struct checking checking = {.schedule = schedule, .step = step, .broken = &broken};

    walk(&checking, schedule->order);
    schedule_waive(schedule, isl_union_map_union(broken, isl_union_map_reverse(isl_union_map_copy(broken))));
    return checking.status;
}
