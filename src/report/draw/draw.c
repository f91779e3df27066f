#include "report/draw/draw.h"

#include "base/template.h"
#include "report/draw/arrows.h"
#include "report/draw/sizes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* In pixels. */
enum { MARGIN = 20, LINE = 20, CAPTION = 16, GAP = 24, WIDEST = 1100, PANELS_MOST = 12 };

/* The instances of a statement with the same values of all loops but the last two. */
struct panel {
    const struct instance *list; /* n of them, by place */
    int n;
    int64_t low[2], high[2]; /* of the rows, the last loop but one, and of the columns */
    int x, y;                /* of its first cell */
};

struct picture {
    struct arena *arena;
    const struct schedule *schedule;
    struct instances instances;
    VEC(struct panel) panel;
    int cell;          /* its side */
    int width, height; /* so far */
    bool has_tiles;
    struct text body;
    struct text notes; /* what is not drawn, a line each */
};

void report_escape(struct text *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            text_add(out, *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : "&amp;");
        else
            text_char(out, *text);
}

static void add_line(struct picture *picture, const char *style, int x, int y, const char *text)
{
    const int end = x + 7 * (int)strlen(text);

    text_addf(&picture->body, "<text class=\"%s\" x=\"%d\" y=\"%d\">", style, x, y);
    report_escape(&picture->body, text);
    text_add(&picture->body, "</text>\n");
    picture->width = end > picture->width ? end : picture->width;
}

/* The row (0) or column (1) of an instance; 0 where the statement has no such loop. */
static int64_t value(const struct instance *instance, int axis)
{
    const int loop = instance->statement->n_loop - 2 + axis;

    return loop < 0 ? 0 : instance->at[loop];
}

static int x_of(const struct picture *picture, const struct panel *panel, const struct instance *instance)
{
    return panel->x + (int)(value(instance, 1) - panel->low[1]) * picture->cell;
}

static int y_of(const struct picture *picture, const struct panel *panel, const struct instance *instance)
{
    return panel->y + (int)(value(instance, 0) - panel->low[0]) * picture->cell;
}

/* From blue, which runs first, by green to yellow. */
static unsigned colour(int rank, int n)
{
    static const int stop[][3] = {{104, 146, 222}, {92, 184, 178}, {154, 205, 118}, {247, 214, 92}};
    const int at = n > 1 ? (int)((int64_t)rank * 3000 / (n - 1)) : 0, k = at >= 3000 ? 2 : at / 1000;
    unsigned mixed = 0;

    for (int c = 0; c < 3; c++)
        mixed = mixed << 8 | (unsigned)(stop[k][c] + (stop[k + 1][c] - stop[k][c]) * (at - 1000 * k) / 1000);
    return mixed;
}

static void add_cell(struct picture *picture, const struct panel *panel, const struct instance *instance)
{
    const int x = x_of(picture, panel, instance), y = y_of(picture, panel, instance), side = picture->cell;
    struct text name = {0};

    violation_print_instance(&name, instance->statement, instance->at);
    text_addf(
        &picture->body,
        "<rect class=\"cell\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"><title>%s runs as number "
        "%d</title></rect>\n",
        x, y, side, side, colour(instance->rank, picture->instances.n), text_str(&name), instance->rank + 1);
    if (side >= 20)
        text_addf(&picture->body, "<text class=\"number\" x=\"%d\" y=\"%d\">%d</text>\n", x + 2, y + 9,
                  instance->rank + 1);
    text_free(&name);
}

/* The instance of the panel at a place, or NULL. */
static const struct instance *in_panel(const struct panel *panel, int64_t row, int64_t column)
{
    for (int k = 0; k < panel->n; k++)
        if (value(&panel->list[k], 0) == row && value(&panel->list[k], 1) == column)
            return &panel->list[k];
    return NULL;
}

static bool same_tile(const struct instance *a, const struct instance *b)
{
    return b && a->piece == b->piece && memcmp(a->tile, b->tile, (size_t)a->n_tile * sizeof(*a->tile)) == 0;
}

/* Lines where a tile ends. */
static void add_tiles(struct picture *picture, const struct panel *panel)
{
    const int side = picture->cell;
    struct text path = {0};

    for (int k = 0; k < panel->n; k++) {
        const struct instance *instance = &panel->list[k];
        const int x = x_of(picture, panel, instance), y = y_of(picture, panel, instance);
        const int64_t row = value(instance, 0), column = value(instance, 1);
        if (instance->n_tile == 0)
            continue;
        if (!same_tile(instance, in_panel(panel, row - 1, column)))
            text_addf(&path, "M%d %dh%d", x, y, side);
        if (!same_tile(instance, in_panel(panel, row + 1, column)))
            text_addf(&path, "M%d %dh%d", x, y + side, side);
        if (!same_tile(instance, in_panel(panel, row, column - 1)))
            text_addf(&path, "M%d %dv%d", x, y, side);
        if (!same_tile(instance, in_panel(panel, row, column + 1)))
            text_addf(&path, "M%d %dv%d", x + side, y, side);
    }
    picture->has_tiles |= path.size > 0;
    if (path.size)
        text_addf(&picture->body, "<path class=\"tile\" d=\"%s\"/>\n", text_str(&path));
    text_free(&path);
}

/* A line through the instances of a panel that run one after the other. */
static void add_way(struct picture *picture, const struct panel *panel)
{
    const struct instance **by_rank = ARENA_ARRAY(picture->arena, picture->instances.n + 1, const struct instance *);
    bool moved = true;
    struct text path = {0};

    for (int k = 0; k < panel->n; k++)
        by_rank[panel->list[k].rank] = &panel->list[k];
    for (int k = 0; k < picture->instances.n; k++) {
        const struct instance *at = by_rank[k];
        const bool joined = at && k > 0 && by_rank[k - 1];
        if (joined && moved)
            text_addf(&path, "M%d %d", x_of(picture, panel, by_rank[k - 1]) + picture->cell / 2,
                      y_of(picture, panel, by_rank[k - 1]) + picture->cell / 2);
        if (joined)
            text_addf(&path, "L%d %d", x_of(picture, panel, at) + picture->cell / 2,
                      y_of(picture, panel, at) + picture->cell / 2);
        moved = !joined;
    }
    if (path.size)
        text_addf(&picture->body, "<path class=\"way\" d=\"%s\"/>\n", text_str(&path));
    text_free(&path);
}

/* The panel that starts at instance `first`. */
static struct panel panel_at(const struct picture *picture, int first)
{
    const struct instance *list = picture->instances.list + first;
    const int outer = list->statement->n_loop - 2;
    struct panel panel = {.list = list};

    for (int axis = 0; axis < 2; axis++)
        panel.low[axis] = panel.high[axis] = value(list, axis);
    for (; first + panel.n < picture->instances.n; panel.n++) {
        const struct instance *next = &list[panel.n];
        if (next->statement != list->statement ||
            (outer > 0 && memcmp(next->at, list->at, (size_t)outer * sizeof(*list->at)) != 0))
            break;
        for (int axis = 0; axis < 2; axis++) {
            const int64_t at = value(next, axis);
            panel.low[axis] = at < panel.low[axis] ? at : panel.low[axis];
            panel.high[axis] = at > panel.high[axis] ? at : panel.high[axis];
        }
    }
    return panel;
}

static int side_of(const struct picture *picture, const struct panel *panel, int axis)
{
    return (int)(panel->high[axis] - panel->low[axis] + 1) * picture->cell;
}

/* "i = 0, j = 2": the loops that a panel has one value of. */
static const char *caption_of(const struct picture *picture, const struct panel *panel)
{
    const struct statement *statement = panel->list->statement;
    const char *caption = "";

    for (int k = 0; k < statement->n_loop - 2; k++)
        caption = arena_printf(picture->arena, "%s%s%s = %" PRId64, caption, k ? ", " : "", statement->loop_name[k],
                               panel->list->at[k]);
    return caption;
}

/* Room for the panel and its caption, in characters of the least width. */
static int room_of(const struct picture *picture, const struct panel *panel)
{
    const int width = side_of(picture, panel, 1), caption = 8 * (int)strlen(caption_of(picture, panel)) - GAP / 2;
    const int larger = width > caption ? width : caption;

    return larger > 70 ? larger : 70;
}

/* What the statement is, and along which loops it is drawn: "S: y[i] += A[i, j] * x[j]   (i down, j across)". */
static void add_heading(struct picture *picture, const struct statement *statement)
{
    struct text heading = {0};
    const int n = statement->n_loop;

    text_addf(&heading, "%s: ", statement->label);
    statement_print(&heading, statement);
    if (n >= 2)
        text_addf(&heading, "   (%s down, %s across)", statement->loop_name[n - 2], statement->loop_name[n - 1]);
    else if (n == 1)
        text_addf(&heading, "   (%s across)", statement->loop_name[0]);
    picture->height += GAP;
    add_line(picture, "code", MARGIN, picture->height, text_str(&heading));
    picture->height += LINE / 2;
    text_free(&heading);
}

/* Places the panels of the statement whose first instance it is, in rows; returns how many instances these are. */
static int place_panels(struct picture *picture, int first)
{
    const struct statement *statement = picture->instances.list[first].statement;
    const int above = statement->n_loop > 2 ? CAPTION : 0;
    int x = MARGIN, n = 0, panels = 0, row = 0;

    add_heading(picture, statement);
    while (first + n < picture->instances.n && picture->instances.list[first + n].statement == statement) {
        struct panel panel = panel_at(picture, first + n);
        const int width = room_of(picture, &panel), height = side_of(picture, &panel, 0);
        n += panel.n;
        if (panels++ >= PANELS_MOST)
            continue;
        if (x > MARGIN && x + width > WIDEST) {
            picture->height += row + above;
            x = MARGIN;
            row = 0;
        }
        panel.x = x;
        panel.y = picture->height + above;
        x += width + GAP;
        row = height + above > row ? height + above : row;
        picture->width = x > picture->width ? x : picture->width;
        VEC_PUSH(picture->arena, &picture->panel, panel);
    }
    picture->height += row;
    if (panels > PANELS_MOST)
        text_addf(&picture->notes, "%s: the first %d of %d planes are drawn\n", statement->label, PANELS_MOST, panels);
    return n;
}

static const struct panel *panel_of(const struct picture *picture, const struct instance *instance)
{
    for (int k = 0; k < picture->panel.n; k++) {
        const struct panel *panel = &picture->panel.at[k];
        if (instance >= panel->list && instance < panel->list + panel->n)
            return panel;
    }
    return NULL;
}

/* Between the middles of two cells, without its ends. */
static void add_arrow(struct picture *picture, const struct arrow *arrow, const struct panel *from,
                      const struct panel *to)
{
    const int half = picture->cell / 2, gap = picture->cell / 5;
    const int x = x_of(picture, from, arrow->from) + half, y = y_of(picture, from, arrow->from) + half;
    const int right = x_of(picture, to, arrow->to) + half - x, down = y_of(picture, to, arrow->to) + half - y;
    const int far = abs(right) > abs(down) ? abs(right) : abs(down);
    const int gap_x = far ? right * gap / far : 0, gap_y = far ? down * gap / far : 0;

    text_addf(&picture->body, "<path class=\"%s\" d=\"M%d %dl%d %d\"/>\n", arrow->broken ? "broken" : "arrow",
              x + gap_x, y + gap_y, right - 2 * gap_x, down - 2 * gap_y);
}

/* Arrows within a plane, and those that the order breaks; returns how many are broken. */
static int add_arrows(struct picture *picture, const struct arrows *arrows)
{
    int broken = 0, elsewhere = 0;

    for (int k = arrows->n - 1; k >= 0; k--) {
        const struct arrow *arrow = &arrows->list[k];
        const struct panel *from = panel_of(picture, arrow->from), *to = panel_of(picture, arrow->to);
        broken += arrow->broken;
        if (from && to && (from == to || arrow->broken))
            add_arrow(picture, arrow, from, to);
        else
            elsewhere++;
    }
    if (elsewhere > 0)
        text_addf(&picture->notes, "%d arrows between planes are not drawn\n", elsewhere);
    if (arrows->left_out > 0)
        text_addf(&picture->notes, "%d more arrows are not drawn\n", arrows->left_out);
    return broken;
}

static void add_panels(struct picture *picture)
{
    for (int k = 0; k < picture->panel.n; k++) {
        const struct panel *panel = &picture->panel.at[k];
        for (int i = 0; i < panel->n; i++)
            add_cell(picture, panel, &panel->list[i]);
        add_way(picture, panel);
        add_tiles(picture, panel);
        if (caption_of(picture, panel)[0])
            add_line(picture, "code", panel->x, panel->y - 5, caption_of(picture, panel));
    }
}

/* What the colours and arrows mean, and what is not drawn. */
static void add_legend(struct picture *picture, const struct arrows *arrows, int broken)
{
    const char *notes = text_str(&picture->notes);
    struct text line = {0};

    text_add(&line, "colour and thin line: the order of execution");
    if (picture->has_tiles)
        text_add(&line, "; thick line: tiles");
    if (arrows->n > broken)
        text_add(&line, "; arrow: to the next reader of the value");
    if (broken > 0)
        text_add(&line, "; red: dependences that the order breaks");
    picture->height += GAP;
    add_line(picture, "", MARGIN, picture->height, text_str(&line));
    text_free(&line);
    while (*notes) {
        const int n = (int)strcspn(notes, "\n");
        picture->height += LINE;
        add_line(picture, "", MARGIN, picture->height, arena_printf(picture->arena, "%.*s", n, notes));
        notes += n + 1;
    }
    picture->height += MARGIN;
}

static void print_picture(struct picture *picture, const char *template, const char *title, struct text *out)
{
    const struct template_value value[] = {
        {"WIDTH", arena_printf(picture->arena, "%d", picture->width + MARGIN)},
        {"HEIGHT", arena_printf(picture->arena, "%d", picture->height)},
        {"TITLE", title},
        {"BODY", text_str(&picture->body)},
        {NULL, NULL},
    };

    text_add(out, template_filled(picture->arena, template, (const struct template_value *const[]){value}, 1));
}

/* "gemm: 2 steps, M = 8, N = 8". */
static const char *title_of(const struct picture *picture, __isl_keep isl_set *sizes)
{
    const struct schedule *schedule = picture->schedule;
    struct text title = {0}, text = {0};
    const char *copy;

    sizes_print(&text, schedule->program, sizes);
    text_addf(&title, "%s after %d step%s", schedule->program->name, schedule->n_step,
              schedule->n_step == 1 ? "" : "s");
    if (text.size)
        text_addf(&title, ": %s", text_str(&text));
    copy = arena_copy(picture->arena, text_str(&title));
    text_free(&title);
    text_free(&text);
    return copy;
}

enum status report_picture(const struct schedule *schedule, const struct size *size, int n_size, const char *template,
                           struct text *out)
{
    struct picture picture = {.arena = schedule->arena, .schedule = schedule, .height = MARGIN + LINE};
    struct arrows arrows;
    isl_set *sizes;
    const enum status status = sizes_choose(schedule, size, n_size, NULL, &sizes);
    const char *title;
    int broken;

    if (status != STATUS_OK)
        return status;
    title = title_of(&picture, sizes);
    picture.instances = instances_find(picture.arena, schedule, sizes);
    picture.cell = picture.instances.n <= 600 ? 28 : 12;
    arrows = arrows_find(picture.arena, schedule, &picture.instances, sizes);
    add_line(&picture, "title", MARGIN, picture.height, title);
    for (int k = 0; k < picture.instances.n;)
        k += place_panels(&picture, k);
    add_panels(&picture);
    broken = add_arrows(&picture, &arrows);
    if (picture.instances.some)
        text_addf(&picture.notes, "only the first %d values of each loop are drawn\n", DRAW_SIDE);
    add_legend(&picture, &arrows, broken);
    print_picture(&picture, template, title, out);
    isl_set_free(sizes);
    text_free(&picture.body);
    text_free(&picture.notes);
    return STATUS_OK;
}

enum status report_draw(const struct schedule *schedule, const struct size *size, int n_size, struct text *out)
{
    return report_picture(schedule, size, n_size, "report/draw", out);
}
