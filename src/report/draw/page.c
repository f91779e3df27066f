/* Pages: a picture for each step, with sliders through steps and time, and the emitted code. */
#include "report/draw/page.h"

#include "base/template.h"
#include "report/explain.h"
#include "report/listing/changes.h"
#include "report/listing/outline.h"

#include <string.h>

/* Texts of a step, between marks. */
struct texts {
    struct text title, picture, outline, verdict;
};

static void add_title(struct texts *texts, const struct step *step, bool in_plan)
{
    struct text title = {0};

    if (step && in_plan)
        text_add(&title, step->number > 0 ? "plan: " : "plan, by itself: ");
    if (step)
        step_print(&title, step);
    report_escape(&texts->title, step ? text_str(&title) : "as described");
    text_free(&title);
}

/* The order's outline, with what the step changed. */
static void add_outline(struct texts *texts, const struct view *view, const struct order *before)
{
    struct text now = {0}, then = {0}, changes = {0};

    report_outline(view->schedule.program, view->schedule.order, &now);
    if (before)
        report_outline(view->schedule.program, before, &then);
    report_changes(before ? text_str(&then) : NULL, text_str(&now), before != NULL, &changes);
    report_escape(&texts->outline, before ? text_str(&changes) : text_str(&now));
    text_free(&now);
    text_free(&then);
    text_free(&changes);
}

/* What `explain` tells of the step, without its name, which is the title; nothing where that is too much for the
 * budget. */
static void add_verdict(struct texts *texts, const struct schedule *schedule, const struct step *step, bool in_plan,
                        bool legal)
{
    const int reported = schedule->diags->list.n;
    struct text told = {0};
    enum status status = STATUS_OK;

    if (step && in_plan && step->number > 0)
        status = report_explain_plan(schedule, arena_printf(schedule->arena, "plan.%d", step->number), legal, &told);
    else if (step && !in_plan)
        status = report_explain(schedule, arena_printf(schedule->arena, "%d", step->number), &told);
    if (status == STATUS_OK)
        report_escape(&texts->verdict, text_str(&told) + strcspn(text_str(&told), "\n"));
    else
        diags_forget(schedule->diags, reported);
    text_free(&told);
}

static void add_filled(struct arena *arena, const struct texts *texts, struct text *out)
{
    const struct template_value value[] = {
        {"TITLE", text_str(&texts->title)},
        {"PICTURE", text_str(&texts->picture)},
        {"OUTLINE", text_str(&texts->outline)},
        {"VERDICT", text_str(&texts->verdict)},
        {NULL, NULL},
    };

    text_add(out, template_filled(arena, "report/step", (const struct template_value *const[]){value}, 1));
}

/* step: that made it, or NULL; before: the order without it, or NULL. */
static enum status add_part(const struct schedule *schedule, const struct view *view, const struct step *step,
                            const struct order *before, const struct drawing *drawing, struct text *out)
{
    const bool in_plan = view->n_plan > 0;
    struct texts texts = {0};
    const enum status status = report_picture(view, drawing, &texts.picture);

    add_title(&texts, step, in_plan);
    add_outline(&texts, view, before);
    add_verdict(&texts, schedule, step, in_plan, drawing->legal);
    add_filled(schedule->arena, &texts, out);
    text_free(&texts.title);
    text_free(&texts.picture);
    text_free(&texts.outline);
    text_free(&texts.verdict);
    return status;
}

enum status page_add_schedule(const struct schedule *schedule, const struct drawing *drawing, struct text *out)
{
    enum status status = STATUS_OK;

    for (int k = 0; status == STATUS_OK && k <= schedule->n_step; k++) {
        const struct view view = view_of_schedule(schedule, k);
        const struct order *before = k > 0 ? view_of_schedule(schedule, k - 1).schedule.order : NULL;
        const struct step *step = k > 0 ? &view.schedule.program->schedule[k - 1] : NULL;

        status = add_part(schedule, &view, step, before, drawing, out);
    }
    return status;
}

enum status page_add_plan(const struct schedule *schedule, const struct drawing *drawing, struct text *out)
{
    enum status status = STATUS_OK;

    for (int k = 1; status == STATUS_OK && k <= schedule->n_planned; k++) {
        const struct view view = view_of_plan(schedule, k);
        const struct order *before = view_of_plan(schedule, k - 1).schedule.order;

        status = add_part(schedule, &view, &schedule->program->plan[k - 1], before, drawing, out);
    }
    return status;
}

/* Without empty lines at the end. */
static int length_of(const char *text, const char *end)
{
    while (end > text && end[-1] == '\n')
        end--;
    return (int)(end - text);
}

/* A text of headings, lines that do not start with a blank, and what is below them, as parts that can be closed. */
static void add_told(struct arena *arena, const char *told, struct text *out)
{
    while (*told) {
        const int heading = (int)strcspn(told, "\n");
        const char *text = told + heading + (told[heading] == '\n'), *end = text;
        struct text name = {0}, part = {0};

        while (*end == ' ' || *end == '\n')
            end += strcspn(end, "\n") + (end[strcspn(end, "\n")] == '\n');
        report_escape(&name, arena_printf(arena, "%.*s", heading, told));
        report_escape(&part, arena_printf(arena, "%.*s", length_of(text, end), text));
        const struct template_value value[] = {{"HEADING", text_str(&name)}, {"TEXT", text_str(&part)}, {NULL, NULL}};
        text_add(out, template_filled(arena, "report/told", (const struct template_value *const[]){value}, 1));
        text_free(&name);
        text_free(&part);
        told = end;
    }
}

void report_draw_page(const struct page *page, struct text *out)
{
    struct arena *arena = arena_new();
    struct text code = {0}, told = {0};

    report_escape(&code, page->code);
    add_told(arena, page->told, &told);
    const struct template_value value[] = {
        {"TITLE", page->name},
        {"LAST", arena_printf(arena, "%d", page->n_step)},
        {"STEPS", page->steps},
        {"TOLD", text_str(&told)},
        {"WHAT", page->emitted ? "emitted" : "refused"},
        {"CODE", text_str(&code)},
        {NULL, NULL},
    };
    text_add(out, template_filled(arena, "report/page", (const struct template_value *const[]){value}, 1));
    text_free(&code);
    text_free(&told);
    arena_free(arena);
}
