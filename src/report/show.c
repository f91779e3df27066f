#include "report/show.h"

#include "dep/legal.h"
#include "lower/pipeline.h"
#include "poly/context.h"
#include "report/outline.h"
#include "report/shape.h"
#include "report/times.h"

#include <isl/schedule.h>

/* What failed in an order that need not be right does not count as an error of the whole. */
static void show_loops(const struct schedule *schedule, const struct order *order, struct text *out)
{
    struct diags *diags = diags_new(schedule->arena);
    struct pipeline pipeline = {.arena = schedule->arena,
                                .stored = schedule->program,
                                .order = order,
                                .vars = vars_of_program(schedule->arena, schedule->program),
                                .diags = diags};

    if (pipeline_run(&pipeline, SECTION_LOOPS) == STATUS_OK && pipeline.tree)
        node_dump(out, pipeline.tree, 0);
    else
        text_addf(out, "(no loops: %s)\n", diags->list.n ? diags->list.at[0]->message : "isl made none");
}

static void add_legality(const struct schedule *schedule, const struct dependences *required, const struct order *order,
                         struct text *out)
{
    isl_schedule *isl = order_to_schedule(order);
    struct violation violation;

    if (legal_find_violation(schedule->arena, required, isl, &violation)) {
        text_add(out, "illegal order: ");
        violation_print_instance(out, violation.dependence->from->statement, violation.earlier);
        text_add(out, " must run before ");
        violation_print_instance(out, violation.dependence->to->statement, violation.later);
        text_char(out, '\n');
    }
    isl_schedule_free(isl);
}

/* before: the order that it came from, or NULL. */
static void show_outline(const struct program *program, const struct order *before, const struct order *order,
                         enum show_form form, struct text *out)
{
    struct text then = {0}, now = {0};

    report_outline(program, order, &now);
    if (before) {
        report_outline(program, before, &then);
        report_changes(text_str(&then), text_str(&now), form == SHOW_CHANGES, out);
    } else {
        text_add(out, text_str(&now));
    }
    text_free(&then);
    text_free(&now);
}

/* One order in a form; before: see show_outline. */
static void show_form(const struct schedule *schedule, const struct order *order, const struct order *before,
                      enum show_form form, struct text *out)
{
    if (schedule->program->n_param == 0)
        report_shapes(order, out);
    if (form == SHOW_LOOPS)
        show_loops(schedule, order, out);
    else if (form == SHOW_TREE)
        report_tree(schedule->arena, schedule->program, order, out);
    else if (form == SHOW_OUTLINE || form == SHOW_CHANGES)
        show_outline(schedule->program, before, order, form, out);
    else
        report_map(schedule->arena, schedule->program, order, out);
}

/* What runs in the slice. */
static void show_slice(const struct schedule *schedule, const struct order *order, const struct order *before,
                       const struct showing *showing, struct text *out)
{
    const struct program *now = schedule->program, *then = schedule->program;
    struct schedule sliced = *schedule;

    order = slice_of(schedule->arena, &now, order, showing->slice);
    before = before ? slice_of(schedule->arena, &then, before, showing->slice) : NULL;
    sliced.program = now;
    if (order)
        show_form(&sliced, order, before, showing->form, out);
    else
        text_add(out, "(nothing runs in this slice)\n");
}

/* required: what the whole order is judged by, or NULL; before: see show_outline. */
static enum status show_order(const struct schedule *schedule, const struct order *order, const struct order *before,
                              const struct dependences *required, const struct showing *showing, struct text *out)
{
    isl_ctx *ctx = schedule->program->ctx;

    poly_begin(ctx);
    if (required)
        add_legality(schedule, required, order, out);
    if (showing->slice)
        show_slice(schedule, order, before, showing, out);
    else
        show_form(schedule, order, before, showing->form, out);
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
    enum status status = STATUS_OK;

    for (int step = every_step ? 0 : schedule->n_step; status == STATUS_OK && step <= schedule->n_step; step++) {
        if (every_step)
            add_title(schedule, step, out);
        const struct schedule then = schedule_as_after(schedule, step);
        const struct order *before = every_step && step > 0 ? schedule_as_after(schedule, step - 1).order : NULL;

        status = show_order(&then, then.order, before, step > 0 ? schedule_dependences(&then) : NULL, showing, out);
    }
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

enum status report_show_plan(const struct schedule *schedule, const struct showing *showing, struct text *out)
{
    const bool every_step = showing->every_step;
    enum status status = STATUS_OK;

    for (int step = every_step ? 0 : schedule->n_planned - 1; status == STATUS_OK && step < schedule->n_planned;
         step++) {
        const struct schedule then = after_plan(schedule, step);
        const struct step *made = &schedule->program->plan[step];
        const struct order *before =
            step > 0 ? schedule->planned[step - 1].order : schedule_as_after(schedule, schedule->n_step).order;

        if (every_step) {
            if (made->number > 0)
                text_addf(out, "\n== plan %d: ", made->number);
            else
                text_add(out, "\n== plan, by itself: ");
            step_print(out, made);
            text_char(out, '\n');
        }
        status = show_order(&then, then.order, every_step ? before : NULL, NULL, showing, out);
    }
    return status;
}
