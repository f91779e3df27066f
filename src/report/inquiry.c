#include "report/inquiry.h"

#include "dep/extent.h"
#include "poly/context.h"
#include "report/explain_parts.h"
#include "report/loop_walk.h"
#include "sched/edit.h"

#include <isl/aff.h>

/* What is asked about: loops, outermost first. */
struct asked {
    struct inquiry *inquiry;
    VEC(struct loop_ref) loop;
    const struct array *array; /* of FOOTPRINT */
    isl_union_map *times;      /* of FOOTPRINT: { S[i,j] -> T[..] }, the iterations of all copies of the loop */
    enum answer answer;        /* of PARALLEL and PERMUTABLE, so far */
};

static bool is_loop(const struct loop_ref *ref, const struct loop *loop)
{
    return loop->info->id == ref->info->id;
}

/* The first copy that is not parallel gives the reason. */
static void ask_parallel(struct loop_walk *walk, const struct loop *loop)
{
    struct asked *asked = walk->user;
    struct parallel parallel;

    if (asked->answer == ANSWER_NO || !is_loop(&asked->loop.at[0], loop))
        return;
    parallel = loop_parallel(walk, loop);
    asked->answer = parallel.answer;
    if (parallel.answer == ANSWER_NO)
        explain_pair(walk->schedule, &parallel.carried, walk->out);
    else
        explain_reductions(walk->out, &parallel);
}

/* The required pairs of instances in the loop that are at one time in all loops around it, but for those about
 * temporaries of one iteration of the n loops from it on. */
static __isl_give isl_union_map *pairs_inside(const struct loop_walk *walk, const struct loop *loop, int n)
{
    const struct dependences *dependences = schedule_dependences(walk->schedule);
    isl_union_map *required = dependences->required, *within;

    within = parallel_within(loop->band, loop->n, isl_union_map_copy(required));
    within = isl_union_map_union(within, parallel_carried(loop->band, loop->n, isl_union_map_copy(required)));
    return parallel_shared(dependences, loop->band, n, within);
}

/* Those of the pairs that the loop alone would swap. */
static __isl_give isl_union_map *swapped_by(const struct loop_ref *ref, __isl_keep isl_union_map *pairs)
{
    isl_union_map *time = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(ref->time)), *later;

    time = isl_union_map_intersect_domain(time, isl_union_map_domain(isl_union_map_copy(pairs)));
    later = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(ref->time));
    later = isl_union_map_intersect_domain(later, isl_union_map_range(isl_union_map_copy(pairs)));
    return isl_union_map_intersect(isl_union_map_copy(pairs), isl_union_map_lex_gt_union_map(time, later));
}

/* Loops are permutable when no pair that the loops around leave together goes backwards in any of them. */
static void ask_permutable(struct loop_walk *walk, const struct loop *loop)
{
    const struct schedule *schedule = walk->schedule;
    struct asked *asked = walk->user;
    isl_union_map *pairs;
    struct violation violation;

    if (!is_loop(&asked->loop.at[0], loop))
        return;
    pairs = pairs_inside(walk, loop, asked->loop.n);
    for (int k = 0; k < asked->loop.n && asked->answer == ANSWER_YES; k++) {
        isl_union_map *swapped = swapped_by(&asked->loop.at[k], pairs);

        if (legal_find_among(schedule->arena, schedule_dependences(schedule), swapped, &violation)) {
            asked->answer = ANSWER_NO;
            text_addf(walk->out, "`%s` goes backwards: ", asked->loop.at[k].text);
            explain_pair(schedule, &violation, walk->out);
        }
        isl_union_map_free(swapped);
    }
    isl_union_map_free(pairs);
}

static void add_times(struct loop_walk *walk, const struct loop *loop)
{
    struct asked *asked = walk->user;

    if (is_loop(&asked->loop.at[0], loop))
        asked->times = isl_union_map_union(asked->times, loop_times_inside(loop));
}

/* Is loop b inside of the first copy of loop a? */
static bool is_inside(const struct loop_ref *a, const struct loop_ref *b)
{
    return order_find(a->node, b->info->id) != NULL && a->info->id != b->info->id;
}

static void sort_loops(struct asked *asked)
{
    for (int k = 1; k < asked->loop.n; k++)
        for (int m = k; m > 0 && is_inside(&asked->loop.at[m], &asked->loop.at[m - 1]); m--) {
            const struct loop_ref outer = asked->loop.at[m];

            asked->loop.at[m] = asked->loop.at[m - 1];
            asked->loop.at[m - 1] = outer;
        }
}

/* Is each loop directly inside of the one before, with all that runs in that? Else the answer is no, with a reason. */
static bool are_nested(struct asked *asked, struct text *out)
{
    for (int k = 1; k < asked->loop.n; k++) {
        const struct loop_ref *outer = &asked->loop.at[k - 1], *inner = &asked->loop.at[k];
        const struct order *child = outer->node->child[0];

        if (child->kind == ORDER_LOOP && child->info->id == inner->info->id &&
            isl_union_set_is_subset(outer->domain, inner->domain) == isl_bool_true)
            continue;
        if (is_inside(outer, inner) && child->kind == ORDER_LOOP && child->info->id != inner->info->id)
            text_addf(out, "`%s` is between `%s` and `%s`", child->info->name, outer->text, inner->text);
        else
            text_addf(out, "not all that runs in `%s` runs in `%s`", outer->text, inner->text);
        return false;
    }
    return true;
}

/* Resolves the name of a loop; false after reporting. */
static bool add_loop(struct schedule *schedule, struct asked *asked, const char *name)
{
    const struct value value = {.kind = VALUE_STRING, .string = name};
    struct loop_ref ref;

    if (!edit_loop(schedule, &value, &ref))
        return false;
    VEC_PUSH(schedule->arena, &asked->loop, ref);
    return true;
}

static bool find_loops(struct schedule *schedule, struct asked *asked)
{
    const char *text = asked->inquiry->loops;
    bool found = true;

    if (asked->inquiry->question != QUESTION_PERMUTABLE || !strchr(text, ','))
        return add_loop(schedule, asked, text);
    for (size_t length; found && *text; text += length + (text[length] == ',')) {
        text += strspn(text, " ");
        length = strcspn(text, ",");
        found = add_loop(schedule, asked, arena_copy_n(schedule->arena, text, length));
    }
    sort_loops(asked);
    return found;
}

static bool find_array(struct schedule *schedule, struct asked *asked)
{
    asked->array = program_array(schedule->program, asked->inquiry->array);
    if (!asked->array)
        diag_error(schedule->diags, "unknown-array", PLACE_NONE, "there is no array `%s`", asked->inquiry->array);
    return asked->array;
}

static void print_footprint(struct loop_walk *walk)
{
    struct asked *asked = walk->user;
    const struct polynomial *elements;
    bool exact;

    asked->times = isl_union_map_empty(isl_union_map_get_space(schedule_dependences(walk->schedule)->required));
    walk->visit = add_times;
    walk_loops(walk);
    elements = explain_footprint(walk->schedule, asked->times, asked->array, &exact);
    asked->answer = exact ? ANSWER_YES : ANSWER_NO;
    if (elements)
        polynomial_print(walk->out, elements);
    isl_union_map_free(asked->times);
}

static void answer(struct loop_walk *walk)
{
    struct asked *asked = walk->user;
    struct violation violation;

    asked->answer = ANSWER_YES;
    switch (asked->inquiry->question) {
    case QUESTION_LEGAL:
        if (!explain_violation(walk->schedule, &violation))
            return;
        asked->answer = ANSWER_NO;
        explain_pair(walk->schedule, &violation, walk->out);
        return;
    case QUESTION_PARALLEL:
        walk->visit = ask_parallel;
        walk_loops(walk);
        return;
    case QUESTION_PERMUTABLE:
        walk->visit = ask_permutable;
        if (are_nested(asked, walk->out))
            walk_loops(walk);
        else
            asked->answer = ANSWER_NO;
        return;
    case QUESTION_FOOTPRINT:
        print_footprint(walk);
    }
}

enum status inquire(struct schedule *schedule, struct inquiry *inquiry, struct text *out)
{
    struct asked asked = {.inquiry = inquiry};
    struct loop_walk walk = {.schedule = schedule, .out = out, .user = &asked};
    bool found;
    enum status end;

    poly_begin(schedule->program->ctx);
    found = (inquiry->question == QUESTION_LEGAL || find_loops(schedule, &asked)) &&
            (inquiry->question != QUESTION_FOOTPRINT || find_array(schedule, &asked));
    if (found)
        answer(&walk);
    inquiry->yes = asked.answer == ANSWER_YES;
    end = poly_end(schedule->program->ctx, schedule->diags, "answering");
    return end != STATUS_OK ? end : found ? STATUS_OK : STATUS_USAGE;
}
