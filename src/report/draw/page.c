/* Pages: a picture for each step, with sliders through steps and time, and the emitted code. */
#include "report/draw/page.h"

#include "base/template.h"
#include "report/outline.h"

/* The order's outline, with what the step changed. */
static void add_outline(const struct view *view, const struct order *before, struct text *out)
{
    struct text now = {0}, then = {0}, changes = {0};

    report_outline(view->schedule.program, view->schedule.order, &now);
    if (before)
        report_outline(view->schedule.program, before, &then);
    report_changes(before ? text_str(&then) : NULL, text_str(&now), before != NULL, &changes);
    text_add(out, "<pre class=\"outline\">");
    report_escape(out, before ? text_str(&changes) : text_str(&now));
    text_add(out, "</pre>\n");
    text_free(&now);
    text_free(&then);
    text_free(&changes);
}

/* "split i 4"; of the plan "plan: vectorize ii". */
static void add_title(const struct step *step, bool in_plan, struct text *out)
{
    struct text title = {0};

    if (step && in_plan)
        text_add(&title, step->number > 0 ? "plan: " : "plan, by itself: ");
    if (step)
        step_print(&title, step);
    text_add(out, "<h2>");
    report_escape(out, step ? text_str(&title) : "as described");
    text_add(out, "</h2>\n");
    text_free(&title);
}

/* step: that made it, or NULL; before: the order without it, or NULL. */
static enum status add_part(const struct view *view, const struct step *step, const struct order *before,
                            const struct drawing *drawing, struct text *out)
{
    enum status status;

    text_add(out, "<section class=\"step\">\n");
    add_title(step, view->n_plan > 0, out);
    text_add(out, "<div class=\"plane\">\n");
    status = report_picture(view, drawing, out);
    text_add(out, "</div>\n");
    add_outline(view, before, out);
    text_add(out, "</section>\n");
    return status;
}

enum status page_add_schedule(const struct schedule *schedule, const struct drawing *drawing, struct text *out)
{
    enum status status = STATUS_OK;

    for (int k = 0; status == STATUS_OK && k <= schedule->n_step; k++) {
        const struct view view = view_of_schedule(schedule, k);
        const struct order *before = k > 0 ? view_of_schedule(schedule, k - 1).schedule.order : NULL;
        const struct step *step = k > 0 ? &view.schedule.program->schedule[k - 1] : NULL;

        status = add_part(&view, step, before, drawing, out);
    }
    return status;
}

enum status page_add_plan(const struct schedule *schedule, const struct drawing *drawing, struct text *out)
{
    enum status status = STATUS_OK;

    for (int k = 1; status == STATUS_OK && k <= schedule->n_planned; k++) {
        const struct view view = view_of_plan(schedule, k);
        const struct order *before = view_of_plan(schedule, k - 1).schedule.order;

        status = add_part(&view, &schedule->program->plan[k - 1], before, drawing, out);
    }
    return status;
}

void report_draw_page(const char *name, int n_step, const char *parts, const char *code, struct text *out)
{
    struct arena *arena = arena_new();
    struct text escaped = {0};

    report_escape(&escaped, code);
    const struct template_value value[] = {
        {"TITLE", name}, {"LAST", arena_printf(arena, "%d", n_step)}, {"STEPS", parts}, {"CODE", text_str(&escaped)},
        {NULL, NULL},
    };
    text_add(out, template_filled(arena, "report/page", (const struct template_value *const[]){value}, 1));
    text_free(&escaped);
    arena_free(arena);
}
