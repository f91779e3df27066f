#include "plan/check.h"

#include "dep/parallel.h"
#include "caps/gpu.h"
#include "caps/simd.h"
#include "plan/atomic.h"
#include "plan/clause.h"
#include "plan/lanes.h"
#include "plan/lockstep.h"
#include "plan/launch.h"
#include "plan/loop_plan.h"
#include "plan/separate.h"
#include "plan/tails.h"
#include "poly/context.h"

#include <isl/constraint.h>
#include <isl/id.h>

#include <string.h>

/* One loop under test. */
struct test {
    const struct schedule *schedule;
    const struct loop_info *info;
    const struct dependences *dependences; /* between statements in the loop: the order of others does not change */
    const struct step *step;
    isl_union_map **broken;  /* where the pairs go that the loop breaks; NULL: they are reported */
    const struct array *own; /* see struct parallel */
    enum status status;
};

/* Takes note of what the loop breaks, instead of reporting it? */
static bool note_broken(struct test *test, __isl_keep isl_union_map *pairs)
{
    if (test->broken)
        *test->broken = isl_union_map_union(*test->broken, isl_union_map_copy(pairs));
    return test->broken != NULL;
}

/* What an `unsafe` step broke does not count. */
static __isl_give isl_union_map *unless_waived(const struct test *test, __isl_take isl_union_map *pairs)
{
    isl_union_map *waived = test->schedule->waived;

    return waived ? isl_union_map_subtract(pairs, isl_union_map_copy(waived)) : pairs;
}

/* What the statement is, if it is one that the user knows nothing of. */
static void note_sum(const struct test *test, struct diag *diag, const struct statement *statement)
{
    if (statement->total && !statement->by_warp)
        diag_note(test->schedule->diags, diag, statement->place,
                  "%s is the update of `%s` by what the threads of a block have of %s", statement->label,
                  statement->target->array->name, statement->from);
}

/* "S[0] writes A[0], which ..": the two instances, as an error at the step. */
static void report(struct test *test, const struct violation *violation, const char *what, const char *hint)
{
    const struct schedule *schedule = test->schedule;
    const char *index = violation_index_advice(schedule->arena, violation);
    struct text earlier = {0}, later = {0}, reason = {0};
    struct diag *diag;

    violation_print_instance(&earlier, violation->dependence->from->statement, violation->earlier);
    violation_print_instance(&later, violation->dependence->to->statement, violation->later);
    violation_print_reason(&reason, schedule->arena, schedule->program, violation);
    diag = diag_error(schedule->diags, test->step->primitive->name, test->step->place, "`%s` %s: %s must run before %s",
                      test->info->name, what, text_str(&earlier), text_str(&later));
    diag_note(schedule->diags, diag, violation->dependence->to->statement->place, "%s", text_str(&reason));
    note_sum(test, diag, violation->dependence->from->statement);
    if (hint || index)
        diag_hint(schedule->diags, diag, "%s%s%s", hint ? hint : "", hint && index ? "; " : "", index ? index : "");
    text_free(&earlier);
    text_free(&later);
    text_free(&reason);
    test->status = STATUS_REFUSED;
}

static void undecided(struct test *test)
{
    if (test->status == STATUS_OK)
        test->status = STATUS_UNDECIDED;
}

/* Do vectors collect sums? */
static bool collects_sums(const struct test *test)
{
    const char *simd = test->schedule->program->target.simd;

    return test->step == test->info->plan->vector_step && (simd_by_name(simd) || simd_asks_compiler(simd));
}

/* Is it among updates of a sum whose order is free, and of a type that OpenMP sums up if it is to? */
static bool is_collected(const struct test *test, const struct dependence *dependence)
{
    const bool asks_compiler = simd_asks_compiler(test->schedule->program->target.simd);
    const enum type type = dependence->from->array->type;

    return collects_sums(test) && dependence->reduction &&
           (!asks_compiler || (type != TYPE_F16 && type != TYPE_BF16 && type != TYPE_BOOL));
}

/* The pairs whose later instance reads or overwrites what the earlier one writes: no two lanes may have such, unless
 * they are updates of one sum whose order is free. */
static __isl_give isl_union_map *pairs_after_writes(const struct test *test)
{
    const struct dependences *dependences = test->dependences;
    isl_union_map *pairs = isl_union_map_empty(isl_set_get_space(dependences->program->context));

    for (int k = 0; k < dependences->n; k++)
        if (dependences->list[k].from->writes && !is_collected(test, &dependences->list[k]))
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(isl_map_copy(dependences->list[k].map)));
    return pairs;
}

typedef void visit_band(struct test *test, __isl_keep isl_schedule_node *band);

struct search {
    struct test *test;
    visit_band *visit;
};

/* Calls visit on the bands below marks of the loop. */
static isl_bool search_band(__isl_keep isl_schedule_node *node, void *user)
{
    struct search *search = user;
    isl_schedule_node *band;
    isl_id *id;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_mark)
        return isl_bool_true;
    id = isl_schedule_node_mark_get_id(node);
    if (isl_id_get_user(id) == (const void *)search->test->info && search->test->status == STATUS_OK) {
        band = isl_schedule_node_child(isl_schedule_node_copy(node), 0);
        search->visit(search->test, band);
        isl_schedule_node_free(band);
    }
    isl_id_free(id);
    return isl_bool_true;
}

static void visit_bands(struct test *test, __isl_keep isl_schedule *isl, visit_band *visit)
{
    struct search search = {test, visit};

    isl_schedule_foreach_schedule_node_top_down(isl, search_band, &search);
}

/* The same in the final order. */
static void visit_order(struct test *test, visit_band *visit)
{
    isl_schedule *isl = order_to_schedule(test->schedule->order);

    visit_bands(test, isl, visit);
    isl_schedule_free(isl);
}

/* "cannot be vectorised", or what else the step asks for */
static const char *refusal(const struct test *test, const char *reason)
{
    const bool vector = test->step == test->info->plan->vector_step;

    return arena_printf(test->schedule->arena, "%s: %s",
                        vector ? "cannot be vectorised" : "cannot promise independent lanes", reason);
}

/* Do compilers make the vectors, or are told that lanes do not depend on each other? They move accesses beyond those of
 * other statements. */
static bool asks_compiler(const struct test *test)
{
    return test->step != test->info->plan->vector_step || simd_asks_compiler(test->schedule->program->target.simd);
}

/* What helps where the compiler's lanes meet in two statements, or where lanes update one sum, by no index array, whose
 * sums are not collected. */
static const char *lanes_hint(const struct test *test, const struct violation *violation)
{
    const bool sums = collects_sums(test);

    if (asks_compiler(test) && violation->dependence->from->statement != violation->dependence->to->statement)
        return "separate the statements by `fission`";
    if (!dependence_within_reduction(violation->dependence) || violation_index_advice(test->schedule->arena, violation))
        return NULL;
    return sums && !violation->dependence->reduction
               ? "\"permit\": [\"reassociate\"] lets the lanes sum up in another order"
               : "give the lanes partial results of their own by `rfactor`";
}

/* { [c] -> [c'] : c' - c >= least } */
static __isl_give isl_map *apart_by(__isl_take isl_space *params, int64_t least)
{
    isl_space *space = isl_space_add_dims(isl_space_set_from_params(params), isl_dim_set, 1);
    isl_map *map = isl_map_universe(isl_space_map_from_set(space));
    isl_constraint *far = isl_constraint_alloc_inequality(isl_local_space_from_space(isl_map_get_space(map)));
    isl_val *constant = isl_val_neg(isl_val_int_from_si(isl_map_get_ctx(map), least));

    far = isl_constraint_set_coefficient_si(far, isl_dim_out, 0, 1);
    far = isl_constraint_set_coefficient_si(far, isl_dim_in, 0, -1);
    return isl_map_add_constraint(map, isl_constraint_set_constant_val(far, constant));
}

/* { S[i] -> [c] }: the counts of the tested loop. */
static __isl_give isl_union_map *counts_of(const struct test *test, const struct order *order)
{
    isl_union_map *counts;

    if (order->kind == ORDER_LOOP && order->info == test->info) {
        counts = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(order->time));
        return isl_union_map_intersect_domain(counts, order_domain(order));
    }
    counts = isl_union_map_empty(isl_set_get_space(test->schedule->program->context));
    for (int k = 0; k < order->n_child; k++)
        counts = isl_union_map_union(counts, counts_of(test, order->child[k]));
    return counts;
}

/* The pairs that one vector may hold: vectors of so many lanes run one after the other. */
static __isl_give isl_union_map *of_one_vector(const struct test *test, __isl_take isl_union_map *pairs)
{
    const struct loop_plan *plan = test->info->plan;
    isl_union_map *count, *far;

    if (test->step != plan->vector_step || plan->lanes == 0 || !simd_by_name(test->schedule->program->target.simd))
        return pairs;
    count = counts_of(test, test->schedule->order);
    far = isl_union_map_from_map(apart_by(isl_union_map_get_space(count), plan->lanes * test->info->unit));
    far = isl_union_map_apply_range(isl_union_map_copy(count), far);
    far = isl_union_map_apply_range(far, isl_union_map_reverse(count));
    return isl_union_map_subtract(pairs, far);
}

static void note_own(struct test *test, __isl_keep isl_schedule_node *band)
{
    const struct parallel parallel = parallel_loop(test->schedule->arena, test->dependences, band, 1);

    test->own = test->own ? test->own : parallel.own;
}

/* What helps where all that the loop carries are temporaries that each iteration could have for itself; NULL. */
static const char *own_hint(struct test *test, const struct array *own)
{
    return own ? arena_printf(test->schedule->arena,
                              "{\"privatize\": \"%s\", \"at\": \"%s\"} in front of this step gives each iteration a "
                              "`%s` of its own",
                              own->name, test->info->name, own->name)
               : NULL;
}

/* That, or else hint, which helps the loop that is refused. */
static const char *or_own(struct test *test, const char *hint)
{
    const char *own;

    visit_order(test, note_own);
    own = own_hint(test, test->own);
    return own ? own : hint;
}

static void report_lanes(struct test *test, __isl_take isl_union_map *carried)
{
    const struct schedule *schedule = test->schedule;
    struct violation violation;

    carried = isl_union_map_intersect_params(carried, isl_set_copy(schedule->program->context));
    if (note_broken(test, carried))
        ;
    else if (legal_smallest_pair(schedule->arena, test->dependences, carried, &violation))
        report(test, &violation, refusal(test, "its lanes depend on each other"),
               or_own(test, lanes_hint(test, &violation)));
    else if (isl_union_map_is_empty(carried) != isl_bool_true)
        undecided(test);
    isl_union_map_free(carried);
}

static void check_lanes(struct test *test, __isl_keep isl_schedule_node *band)
{
    isl_union_map *carried = parallel_carried(band, 1, pairs_after_writes(test));

    report_lanes(test, of_one_vector(test, unless_waived(test, carried)));
}

/* Of a collapsed loop of symbolic size: nothing that two iterations use may be written by one of them. */
static void check_collapsed_lanes(struct test *test, __isl_keep isl_schedule_node *band)
{
    isl_union_map *pairs = isl_union_map_copy(test->dependences->required);

    for (int k = 0; k < test->dependences->n; k++)
        if (test->dependences->list[k].reduction)
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(isl_map_copy(test->dependences->list[k].map)));
    report_lanes(test, unless_waived(test, parallel_carried(band, test->info->tuple, pairs)));
}

/* The pairs that the order swaps. */
static __isl_give isl_union_map *swapped_in(const struct test *test, __isl_keep isl_schedule *order)
{
    return of_one_vector(test, legal_violated(test->dependences, order));
}

static void check_vector(struct test *test)
{
    const struct schedule *schedule = test->schedule;
    const struct order *order = lockstep_order(schedule, test->info);
    isl_schedule *isl = order_to_schedule(order);
    isl_union_map *swapped = order != schedule->original ? swapped_in(test, isl) : NULL;
    struct violation violation;

    if (swapped && !note_broken(test, swapped) &&
        legal_find_pair(schedule->arena, test->dependences, isl_union_map_copy(swapped), &violation))
        report(test, &violation, refusal(test, "each statement would run for all lanes before the next one"),
               or_own(test, "vectorize an inner loop, or separate the statements by `fission`"));
    else if (asks_compiler(test))
        visit_order(test, check_lanes);
    else
        visit_bands(test, isl, check_lanes);
    isl_union_map_free(swapped);
    isl_schedule_free(isl);
}

/* The first reduction that can have no clause, or NULL. */
static const struct dependence *without_clause(const struct parallel *parallel)
{
    for (int k = 0; k < parallel->n_reduction; k++)
        if (!statement_has_clause(parallel->reduction[k]->to->statement) ||
            !statement_has_clause(parallel->reduction[k]->from->statement))
            return parallel->reduction[k];
    return NULL;
}

static void report_sum(struct test *test, __isl_keep isl_schedule_node *band, const struct dependence *reduction)
{
    clause_refuse(test->schedule, test->dependences, test->info, band, reduction);
    test->status = STATUS_REFUSED;
}

static void note_carried(struct test *test, __isl_keep isl_schedule_node *band)
{
    isl_union_map *carried =
        parallel_carried(band, test->info->plan->parallel, isl_union_map_copy(test->dependences->required));

    note_broken(test, carried);
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

static void check_band(struct test *test, __isl_keep isl_schedule_node *band)
{
    const struct schedule *schedule = test->schedule;
    const struct parallel parallel =
        parallel_loop(schedule->arena, test->dependences, band, test->info->plan->parallel);

    if (parallel.answer == ANSWER_UNKNOWN)
        undecided(test);
    else if (parallel.answer == ANSWER_NO)
        report(test, &parallel.carried, "is not parallel",
               parallel.own ? own_hint(test, parallel.own) : threads_hint(test, &parallel.carried));
    else if (without_clause(&parallel) && !test->step->unsafe)
        report_sum(test, band, without_clause(&parallel));
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
           lanes_are_one_warps(statement, lanes_of(test->schedule->program, test->schedule->order, statement));
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

    carried = unless_waived(test, carried);
    carried = isl_union_map_intersect_params(carried, isl_set_copy(schedule->program->context));
    if (note_broken(test, carried))
        ;
    else if (legal_smallest_pair(schedule->arena, schedule_dependences(schedule), carried, &violation))
        report(test, &violation,
               arena_printf(schedule->arena, "cannot be bound to %s, where its iterations run at once",
                            axis_name(test->info->plan->axis)),
               bound_hint(test, &violation));
    else if (isl_union_map_is_empty(carried) != isl_bool_true)
        undecided(test);
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

static void check_loop(struct checking *checking, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    struct test test = {.schedule = checking->schedule, .info = loop->info, .broken = checking->broken};
    const bool vector = plan->vector && is_asked(checking, plan->vector_step);
    const bool independent = plan->independent_step && is_asked(checking, plan->independent_step);
    const bool parallel = plan->parallel > 0 && is_asked(checking, plan->parallel_step);
    const bool bound = plan->axis != AXIS_NONE && is_asked(checking, plan->bind_step);

    if ((!vector && !independent && !parallel && !bound) || (!checking->broken && is_separate(checking, loop->info)))
        return;
    test.dependences = dependences_inside(checking->schedule, loop->info);
    if (vector) {
        test.step = plan->vector_step;
        if (loop->info->tuple > 1)
            visit_order(&test, check_collapsed_lanes);
        else
            check_vector(&test);
    }
    if (independent && test.status == STATUS_OK) {
        test.step = plan->independent_step;
        check_vector(&test);
    }
    if (parallel && test.status == STATUS_OK) {
        test.step = plan->parallel_step;
        visit_order(&test, test.broken ? note_carried : check_band);
    }
    if (bound && test.status == STATUS_OK) {
        test.step = plan->bind_step;
        visit_order(&test, check_bound_band);
    }
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

bool plan_check_jam(const struct schedule *schedule, const struct loop_info *info, const struct step *step,
                    const struct order *order)
{
    struct test test = {.schedule = schedule, .info = info, .step = step};
    isl_schedule *isl = order_to_schedule(order);
    struct violation violation;

    if (!step->unsafe && legal_find_violation(schedule->arena, schedule_dependences(schedule), isl, &violation))
        report(&test, &violation, "cannot go inside the loops below", "unroll it without `jam`");
    isl_schedule_free(isl);
    return test.status == STATUS_OK;
}

enum status plan_check(const struct schedule *schedule)
{
    struct checking checking = {.schedule = schedule};

    walk(&checking, schedule->order);
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
