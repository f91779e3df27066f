/* Where things are in a picture: panels, one after the other, with their headings. */
#include "report/draw/picture.h"

#include "report/listing/outline.h"

#include <inttypes.h>
#include <string.h>

void picture_line(struct picture *picture, const char *style, int x, int y, const char *text)
{
    const int end = x + (strcmp(style, "title") == 0 ? 9 : 7) * (int)strlen(text);

    text_addf(&picture->body, "<text class=\"%s\" x=\"%d\" y=\"%d\">", style, x, y);
    report_escape(&picture->body, text);
    text_add(&picture->body, "</text>\n");
    picture->width = end > picture->width ? end : picture->width;
}

int64_t instance_value(const struct instance *instance, int axis)
{
    const int loop = instance->statement->n_loop - 2 + axis;

    return loop < 0 ? 0 : instance->place[loop];
}

int picture_x(const struct picture *picture, const struct panel *panel, const struct instance *instance)
{
    return panel->x + (int)(instance_value(instance, 1) - panel->low[1]) * picture->cell;
}

int picture_y(const struct picture *picture, const struct panel *panel, const struct instance *instance)
{
    return panel->y + (int)(instance_value(instance, 0) - panel->low[0]) * picture->cell;
}

static int outer_loops(const struct statement *statement)
{
    return statement->n_loop > 2 ? statement->n_loop - 2 : 0;
}

bool panel_has(const struct panel *panel, const struct empty *empty)
{
    return empty->statement == panel->list->statement &&
           compare_counts(empty->place, panel->list->place, outer_loops(empty->statement)) == 0;
}

static void include(struct panel *panel, int axis, int64_t at)
{
    panel->low[axis] = at < panel->low[axis] ? at : panel->low[axis];
    panel->high[axis] = at > panel->high[axis] ? at : panel->high[axis];
}

/* The panel that starts at instance `first`. */
static struct panel panel_at(const struct picture *picture, int first)
{
    const struct instance *list = picture->instances.list + first;
    const int outer = outer_loops(list->statement);
    struct panel panel = {.list = list};

    for (int axis = 0; axis < 2; axis++)
        panel.low[axis] = panel.high[axis] = instance_value(list, axis);
    for (; first + panel.n < picture->instances.n; panel.n++) {
        const struct instance *next = &list[panel.n];
        if (next->statement != list->statement || compare_counts(next->place, list->place, outer) != 0)
            break;
        for (int axis = 0; axis < 2; axis++)
            include(&panel, axis, instance_value(next, axis));
    }
    for (int k = 0; k < picture->empties.n; k++) {
        const struct empty *empty = &picture->empties.list[k];
        const int loops = empty->statement->n_loop;
        for (int axis = loops == 1; panel_has(&panel, empty) && axis < 2; axis++)
            include(&panel, axis, empty->place[loops - 2 + axis]);
    }
    return panel;
}

static int side_of(const struct picture *picture, const struct panel *panel, int axis)
{
    return (int)(panel->high[axis] - panel->low[axis] + 1) * picture->cell;
}

/* The name of the loop that number k of a place is of. */
static const char *loop_at(const struct picture *picture, const struct statement *statement, int k)
{
    return statement->loop_name[picture->instances.axes[statement->index][k]];
}

const char *panel_caption(const struct picture *picture, const struct panel *panel)
{
    const struct statement *statement = panel->list->statement;
    const char *caption = "";

    for (int k = 0; k < statement->n_loop - 2; k++)
        caption = arena_printf(picture->arena, "%s%s%s = %" PRId64, caption, k ? ", " : "",
                               loop_at(picture, statement, k), panel->list->place[k]);
    return caption;
}

/* Room for the panel and its caption, in characters of the least width. */
static int room_of(const struct picture *picture, const struct panel *panel)
{
    const int width = side_of(picture, panel, 1), caption = 8 * (int)strlen(panel_caption(picture, panel)) - GAP / 2;
    const int larger = width > caption ? width : caption;

    return larger > 70 ? larger : 70;
}

/* What the statement is, and along which loops it is drawn: "S: y[i] += A[i, j] * x[j]   (i down, j across)". */
static void add_heading(struct picture *picture, const struct statement *statement)
{
    struct text heading = {0};
    const int n = statement->n_loop;

    text_addf(&heading, "%s: ", statement->label);
    report_assignment(picture->schedule->program, statement, &heading);
    if (n >= 2)
        text_addf(&heading, "   (%s down, %s across)", loop_at(picture, statement, n - 2),
                  loop_at(picture, statement, n - 1));
    else if (n == 1)
        text_addf(&heading, "   (%s across)", statement->loop_name[0]);
    picture->height += GAP;
    picture_line(picture, "code", MARGIN, picture->height, text_str(&heading));
    picture->height += LINE / 2;
    text_free(&heading);
}

/* Places the panels of the statement whose first instance it is, in rows; returns how many instances these are. */
int picture_place_panels(struct picture *picture, int first)
{
    const struct statement *statement = picture->instances.list[first].statement;
    const bool copy = statement_is_copy(statement);
    const int above = statement->n_loop > 2 ? CAPTION : 0;
    int x = MARGIN, n = 0, panels = 0, row = 0;

    if (!copy)
        add_heading(picture, statement);
    while (first + n < picture->instances.n && picture->instances.list[first + n].statement == statement) {
        struct panel panel = panel_at(picture, first + n);
        const int width = room_of(picture, &panel), height = side_of(picture, &panel, 0);
        n += panel.n;
        if (copy || panels++ >= PANELS_MOST)
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

const struct panel *picture_panel_of(const struct picture *picture, const struct instance *instance)
{
    for (int k = 0; k < picture->panel.n; k++) {
        const struct panel *panel = &picture->panel.at[k];
        if (instance >= panel->list && instance < panel->list + panel->n)
            return panel;
    }
    return NULL;
}
