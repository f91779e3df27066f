#include "report/show.h"

#include "dep/live_range.h"
#include "poly/context.h"
#include "report/listing/changes.h"
#include "report/listing/listing.h"
#include "report/listing/outline.h"
#include "report/shape.h"
#include "report/times.h"

#include <isl/schedule.h>

#include <string.h>

static void add_legality(const struct schedule *schedule, const struct dependences *required, const struct order *order,
                         struct text *out)
{
    isl_schedule *isl = order_to_schedule(order);
    struct violation violation;

    if (live_range_find_violation(schedule->arena, required, isl, &violation)) {
        text_add(out, "illegal order: ");
        violation_print_instance(out, violation.dependence->from->statement, violation.earlier);
        text_add(out, " must run before ");
        violation_print_instance(out, violation.dependence->to->statement, violation.later);
        text_char(out, '\n');
    }
    isl_schedule_free(isl);
}

/* What is shown so far. */
struct shown {
    const struct showing *showing;
    struct text *out;
    struct text before; /* the lines of the last order, where the next one's are compared with them */
};

static bool has_lines(enum show_form form)
{
    return form == SHOW_LOOPS || form == SHOW_CHANGES || form == SHOW_OUTLINE;
}

/* The order in lines that can be compared. */
static void add_lines(const struct schedule *schedule, const struct order *order, enum show_form form, struct text *out)
{
    if (form == SHOW_OUTLINE)
        report_outline(schedule->program, order, out);
    else
        report_listing(schedule, order, out);
}

/* Adds the lines, marked where they are not those before. */
static void show_lines(struct shown *shown, struct text *lines)
{
    const bool every = shown->showing->every_step;
    struct text marked = {0};

    if (!every || !shown->before.size) {
        report_cut(text_str(lines), shown->out);
    } else if (strcmp(text_str(&shown->before), text_str(lines)) == 0) {
        text_add(shown->out, "(the loops stay as they are)\n");
    } else {
        report_changes(text_str(&shown->before), text_str(lines), shown->showing->form == SHOW_CHANGES, &marked);
        report_cut(text_str(&marked), shown->out);
    }
    text_free(&marked);
    text_free(&shown->before);
    shown->before = *lines;
    *lines = (struct text){0};
}

static void show_form(struct shown *shown, const struct schedule *schedule, const struct order *order)
{
    const enum show_form form = shown->showing->form;
    struct text lines = {0};

    if (schedule->program->n_param == 0)
        report_shapes(order, shown->out);
    if (form == SHOW_TREE) {
        report_tree(schedule->arena, schedule->program, order, shown->out);
    } else if (form == SHOW_MAP) {
        report_map(schedule->arena, schedule->program, order, shown->out);
    } else {
        add_lines(schedule, order, form, &lines);
        show_lines(shown, &lines);
    }
}

/* order of *schedule less what is not in the slice, which *sliced is then of; NULL: nothing is in it. */
static const struct order *in_slice(const struct schedule *schedule, const struct order *order,
                                    const struct slice *slice, struct schedule *sliced)
{
    *sliced = *schedule;
    return slice ? slice_of(schedule->arena, &sliced->program, order, slice) : order;
}

/* The lines that those of the next order are compared with. */
static enum status begin_with(struct shown *shown, const struct schedule *schedule, const struct order *order)
{
    isl_ctx *ctx = schedule->program->ctx;
    struct schedule sliced;

    if (!has_lines(shown->showing->form) || !shown->showing->every_step)
        return STATUS_OK;
    poly_begin(ctx);
    order = in_slice(schedule, order, shown->showing->slice, &sliced);
    if (order)
        add_lines(&sliced, order, shown->showing->form, &shown->before);
    return poly_end(ctx, schedule->diags, "showing the order");
}

/* required: what the whole order is judged by, or NULL. */
static enum status show_order(struct shown *shown, const struct schedule *schedule, const struct order *order,
                              const struct dependences *required)
{
    isl_ctx *ctx = schedule->program->ctx;
    struct schedule sliced;

    poly_begin(ctx);
    if (required)
        add_legality(schedule, required, order, shown->out);
    order = in_slice(schedule, order, shown->showing->slice, &sliced);
    if (order)
        show_form(shown, &sliced, order);
    else
        text_add(shown->out, "(nothing runs in this slice)\n");
    return poly_end(ctx, schedule->diags, "showing the order");
}

static void add_title(const struct schedule *schedule, int step, struct text *out)
{
    if (step == 0) {
        text_add(out, "== as described\n");
        return;
    }
    text_addf(out, "\n== step %d: ", step);
    step_print(out, &schedule->program->schedule[step - 1]);
    text_char(out, '\n');
}

enum status report_show(const struct schedule *schedule, const struct showing *showing, struct text *out)
{
    const bool every_step = showing->every_step;
    struct shown shown = {showing, out, {0}};
    enum status status = STATUS_OK;

    for (int step = every_step ? 0 : schedule->n_step; status == STATUS_OK && step <= schedule->n_step; step++) {
        const struct schedule then = schedule_as_after(schedule, step);

        if (every_step)
            add_title(schedule, step, out);
        status = show_order(&shown, &then, then.order, step > 0 ? schedule_dependences(&then) : NULL);
    }
    text_free(&shown.before);
    return status;
}

/* The schedule as it was after a step of the plan, for looking at only. */
static struct schedule after_plan(const struct schedule *schedule, int step)
{
    struct schedule then = *schedule;

    then.program = schedule->planned[step].program;
    then.order = schedule->planned[step].order;
    return then;
}

static void add_plan_title(const struct step *step, struct text *out)
{
    if (step->number > 0)
        text_addf(out, "\n== plan %d: ", step->number);
    else
        text_add(out, "\n== plan, by itself: ");
    step_print(out, step);
    text_char(out, '\n');
}

enum status report_show_plan(const struct schedule *schedule, const struct showing *showing, struct text *out)
{
    const bool every_step = showing->every_step;
    const struct schedule scheduled = schedule_as_after(schedule, schedule->n_step);
    struct shown shown = {showing, out, {0}};
    enum status status = begin_with(&shown, &scheduled, scheduled.order);

    for (int step = every_step ? 0 : schedule->n_planned - 1; status == STATUS_OK && step < schedule->n_planned;
         step++) {
        const struct schedule then = after_plan(schedule, step);

        if (every_step)
            add_plan_title(&schedule->program->plan[step], out);
        status = show_order(&shown, &then, then.order, NULL);
    }
    text_free(&shown.before);
    return status;
}
