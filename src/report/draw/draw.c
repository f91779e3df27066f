#include "report/draw/draw.h"

#include "base/template.h"
#include "caps/gpu.h"
#include "poly/context.h"
#include "report/draw/page.h"
#include "report/draw/picture.h"
#include "report/draw/sizes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void report_escape(struct text *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            text_add(out, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;");
        else
            text_char(out, *text);
}

/* A line of the legend behind a sample of what it is about, 24 pixels wide. */
static void add_sample(struct picture *picture, const char *text, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add_sample(struct picture *picture, const char *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_vaddf(&picture->body, format, args);
    va_end(args);
    text_char(&picture->body, '\n');
    picture->height += LINE;
    picture_line(picture, "", MARGIN + 32, picture->height, text);
}

static void add_vector_sample(struct picture *picture, bool has, const char *text, const char *path)
{
    const int x = MARGIN, y = picture->height + LINE - 4;

    if (has)
        add_sample(picture, text,
                   "<rect class=\"sample\" x=\"%d\" y=\"%d\" width=\"24\" height=\"14\"/>"
                   "<path class=\"vector\" stroke-width=\"8\" d=\"M%d %d%s\"/>",
                   x, y - 7, x + 4, y, path);
}

/* The plan's marks. */
static void add_marks(struct picture *picture)
{
    const int x = MARGIN, *height = &picture->height;

    add_vector_sample(picture, picture->has_full, "what runs in one vector", "h16");
    add_vector_sample(picture, picture->has_open,
                      "what runs in vectors of as many lanes as types, or the compiler, ask for", "h16");
    add_vector_sample(picture, picture->has_part,
                      "what does not fill a vector: in one with lanes left over, or one by one", "h0m8 0h0m8 0h0");
    for (int k = 0; k < 3 && picture->marks.n_worker > 0; k++)
        text_addf(&picture->body, "<rect class=\"w%d\" x=\"%d\" y=\"%d\" width=\"8\" height=\"5\"/>\n", k, x + 8 * k,
                  *height + LINE - 6);
    if (picture->marks.n_worker > 0)
        add_sample(picture,
                   picture->marks.on_device ? "which thread of its block runs it"
                                            : "which iteration of the parallel loops it is in: each may have a thread",
                   "%s", "");
    if (picture->marks.n_worker > 0 && picture->marks.on_device)
        add_sample(picture, "what one block runs", "<path class=\"block\" d=\"M%d %dh24\"/>", x, *height + LINE - 4);
}

static void add_padding_samples(struct picture *picture)
{
    const int x = MARGIN + 6, *height = &picture->height;

    if (picture->has_empty)
        add_sample(picture, "what a partial tile lacks: nothing runs there",
                   "<path class=\"empty\" d=\"M%d %dh10v10h-10z\"/>", x, *height + LINE - 10);
    if (picture->has_padding)
        add_sample(picture, "padding that runs, and that nobody sees",
                   "<rect class=\"sample\" x=\"%d\" y=\"%d\" width=\"10\" height=\"10\"/>"
                   "<path class=\"padding\" d=\"M%d %dl8 -8\"/>",
                   x, *height + LINE - 10, x + 1, *height + LINE - 1);
    if (picture->empties.left_out)
        text_addf(&picture->notes, "what partial tiles of %s lack is not drawn: too much\n", picture->empties.left_out);
}

static void add_held_sample(struct picture *picture)
{
    const int x = MARGIN, y = picture->height + LINE - 10;

    if (picture->has_held)
        add_sample(picture,
                   picture->page || picture->time
                       ? "what a buffer holds at the time, of all that it ever holds; numbers: where it has them"
                       : "what a buffer holds first, of all that it ever holds; numbers: where it has them",
                   "<path class=\"element\" d=\"M%d %dh12v10h-12z\"/><path class=\"held\" d=\"M%d %dh12v10h-12z\"/>", x,
                   y, x + 12, y);
}

static void add_notes(struct picture *picture)
{
    for (const char *notes = text_str(&picture->notes); *notes;) {
        const int n = (int)strcspn(notes, "\n");
        picture->height += LINE;
        picture_line(picture, "", MARGIN, picture->height, arena_printf(picture->arena, "%.*s", n, notes));
        notes += n + 1;
    }
}

/* What the colours and arrows mean, and what is not drawn. */
static void add_legend(struct picture *picture, const struct arrows *arrows, int broken)
{
    struct text line = {0};

    text_add(&line, "colour and thin line: the order of execution");
    if (picture->has_tiles)
        text_add(&line, "; thick line: tiles");
    if (arrows->n > broken)
        text_add(&line, "; arrow: to the next reader of the value");
    if (broken > 0)
        text_add(&line, "; red: dependences that the order breaks");
    picture->height += GAP;
    picture_line(picture, "", MARGIN, picture->height, text_str(&line));
    text_free(&line);
    add_marks(picture);
    add_padding_samples(picture);
    add_held_sample(picture);
    add_notes(picture);
    picture->height += MARGIN;
}

static void print_picture(struct picture *picture, const char *title, struct text *out)
{
    const char *template = picture->page ? "report/picture" : "report/draw";
    const struct template_value value[] = {
        {"WIDTH", arena_printf(picture->arena, "%d", picture->width + MARGIN)},
        {"HEIGHT", arena_printf(picture->arena, "%d", picture->height)},
        {"TITLE", title},
        {"BODY", text_str(&picture->body)},
        {NULL, NULL},
    };

    text_add(out, template_filled(picture->arena, template, (const struct template_value *const[]){value}, 1));
}

static const char *steps(struct arena *arena, int n)
{
    return arena_printf(arena, "%d step%s", n, n == 1 ? "" : "s");
}

/* "gemm after 2 steps and 1 step of the plan: M = 8, N = 8". */
static const char *title_of(const struct picture *picture, const struct view *view, __isl_keep isl_set *sizes)
{
    const struct schedule *schedule = picture->schedule;
    struct text title = {0}, text = {0};
    const char *copy;

    sizes_print(&text, schedule->program, sizes);
    text_addf(&title, "%s after %s", schedule->program->name, steps(picture->arena, schedule->n_step));
    if (view->n_plan > 0)
        text_addf(&title, " and %s of the plan", steps(picture->arena, view->n_plan));
    if (text.size)
        text_addf(&title, ": %s", text_str(&text));
    if (picture->time)
        text_addf(&title, ", while number %" PRId64 " runs", picture->time);
    copy = arena_copy(picture->arena, text_str(&title));
    text_free(&title);
    text_free(&text);
    return copy;
}

/* The names of the loops that are drawn down and across; NULL: no matter. */
static const char *const *plane_of(struct arena *arena, const struct drawing *drawing)
{
    const int n = drawing->plane ? (int)strcspn(drawing->plane, ",") : 0;
    const char **plane = ARENA_ARRAY(arena, 2, const char *);

    if (!drawing->plane)
        return NULL;
    plane[0] = arena_printf(arena, "%.*s", n, drawing->plane);
    plane[1] = drawing->plane[n] ? drawing->plane + n + 1 : "";
    return plane;
}

/* Has a statement the loops of the plane? Otherwise that is told. */
static bool has_plane(const struct schedule *schedule, const struct drawing *drawing)
{
    const char *const *plane = plane_of(schedule->arena, drawing);

    for (int s = 0; plane && s < schedule->program->n_statement; s++)
        if (statement_loop(schedule->program->statement[s], plane[0]) >= 0 &&
            statement_loop(schedule->program->statement[s], plane[1]) >= 0 && strcmp(plane[0], plane[1]) != 0)
            return true;
    if (plane)
        diag_error(schedule->diags, "unknown-loop", PLACE_NONE, "no statement has two loops `%s` and `%s`", plane[0],
                   plane[1]);
    return !plane;
}

/* All of the picture, at these sizes. */
static void draw(struct picture *picture, const struct view *view, const struct drawing *drawing,
                 __isl_keep isl_set *sizes, struct text *out)
{
    const char *const *plane = plane_of(picture->arena, drawing);
    const char *title = title_of(picture, view, sizes);
    struct arrows arrows;
    int broken;

    picture->instances = instances_find(picture->arena, picture->schedule, sizes, plane);
    padding_find(picture->arena, &picture->instances, view->described.program, sizes);
    picture->empties = empties_find(picture->arena, &picture->instances, sizes);
    picture->marks = marks_find(picture->arena, &picture->instances, sizes);
    picture->cell = picture->instances.n_rank <= 600 ? 28 : 12;
    arrows = arrows_find(picture->arena, &view->described, &picture->instances, sizes, drawing->pairs);
    picture_line(picture, "title", MARGIN, picture->height, title);
    for (int k = 0; k < picture->instances.n;)
        k += picture_place_panels(picture, k);
    picture_add_panels(picture);
    picture_add_vectors(picture);
    text_add(&picture->body, text_str(&picture->numbers));
    broken = picture_add_arrows(picture, &arrows);
    picture_add_caches(picture, sizes);
    if (picture->instances.side)
        text_addf(&picture->notes, "only the first %d values of each loop are drawn\n", picture->instances.side);
    add_legend(picture, &arrows, broken);
    print_picture(picture, title, out);
}

enum status report_picture(const struct view *view, const struct drawing *drawing, struct text *out)
{
    const struct schedule *schedule = &view->schedule;
    struct picture picture = {.arena = schedule->arena,
                              .schedule = schedule,
                              .page = drawing->page,
                              .time = drawing->time,
                              .height = MARGIN + LINE};
    isl_set *sizes;
    enum status status;

    if (!has_plane(&view->described, drawing))
        return STATUS_USAGE;
    poly_begin(schedule->program->ctx);
    status = sizes_choose(schedule, drawing->size, drawing->n_size, NULL, &sizes);
    if (status != STATUS_OK)
        return status;
    draw(&picture, view, drawing, sizes, out);
    isl_set_free(sizes);
    text_free(&picture.body);
    text_free(&picture.numbers);
    text_free(&picture.notes);
    return poly_end(schedule->program->ctx, schedule->diags, "drawing the order");
}

struct view view_of_schedule(const struct schedule *schedule, int n_step)
{
    const struct schedule then = schedule_as_after(schedule, n_step);

    return (struct view){.schedule = then, .described = then};
}

struct view view_of_plan(const struct schedule *schedule, int n_plan)
{
    struct view view = view_of_schedule(schedule, schedule->n_step);
    const bool last = n_plan == schedule->program->n_plan && !gpu_by_language(schedule->program->target.language);

    view.n_plan = n_plan;
    if (n_plan > 0 && last) {
        view.schedule.program = schedule->program;
        view.schedule.order = schedule->order;
    } else if (n_plan > 0) {
        view.schedule.program = schedule->planned[n_plan - 1].program;
        view.schedule.order = schedule->planned[n_plan - 1].order;
    }
    view.schedule.original = view.schedule.order;
    return view;
}

enum status report_draw(const struct schedule *schedule, const struct drawing *drawing, struct text *out)
{
    const struct view view = view_of_schedule(schedule, schedule->n_step);

    return drawing->page ? page_add_schedule(schedule, drawing, out) : report_picture(&view, drawing, out);
}

enum status report_draw_plan(const struct schedule *schedule, const struct drawing *drawing, struct text *out)
{
    const struct view view = view_of_plan(schedule, schedule->n_planned);

    if (drawing->page)
        return page_add_plan(schedule, drawing, out);
    text_truncate(out, 0);
    return report_picture(&view, drawing, out);
}
