/* Pages: a picture for each step, with sliders through steps and time, and the emitted code. */
#include "report/draw/draw.h"

#include "base/template.h"
#include "report/outline.h"

/* The order's outline, with what the step changed. */
static void add_outline(const struct schedule *schedule, const struct order *before, struct text *out)
{
    struct text now = {0}, then = {0}, changes = {0};

    report_outline(schedule->program, schedule->order, &now);
    if (before)
        report_outline(schedule->program, before, &then);
    report_changes(before ? text_str(&then) : NULL, text_str(&now), before != NULL, &changes);
    text_add(out, "<pre class=\"outline\">");
    report_escape(out, before ? text_str(&changes) : text_str(&now));
    text_add(out, "</pre>\n");
    text_free(&now);
    text_free(&then);
    text_free(&changes);
}

static void add_title(const struct schedule *schedule, int step, struct text *out)
{
    struct text title = {0};

    if (step > 0)
        step_print(&title, &schedule->program->schedule[step - 1]);
    text_add(out, "<h2>");
    report_escape(out, step > 0 ? text_str(&title) : "as described");
    text_add(out, "</h2>\n");
    text_free(&title);
}

enum status report_draw_steps(const struct schedule *schedule, const struct size *size, int n_size, struct text *out)
{
    enum status status = STATUS_OK;

    for (int step = 0; status == STATUS_OK && step <= schedule->n_step; step++) {
        const struct schedule then = schedule_as_after(schedule, step);
        const struct order *before = step > 0 ? schedule_as_after(schedule, step - 1).order : NULL;

        text_add(out, "<section class=\"step\">\n");
        add_title(schedule, step, out);
        text_add(out, "<div class=\"plane\">\n");
        status = report_picture(&then, size, n_size, "report/picture", out);
        text_add(out, "</div>\n");
        add_outline(&then, before, out);
        text_add(out, "</section>\n");
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
