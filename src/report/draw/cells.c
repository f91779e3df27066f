/* What is drawn in panels: instances in the colours of their order, tiles, vectors, threads and dependences. */
#include "report/draw/picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* ", by block 1, thread 3", ", by iteration 2 of i"; ", in lane 0 of a vector". */
static void add_marks(const struct picture *picture, const struct instance *instance, struct text *out)
{
    if (instance->padding)
        text_add(out, ", as padding");
    if (instance->worker >= 0)
        text_addf(out, ", by %s", picture->marks.worker[instance->worker].name);
    if (instance->vector >= 0 && picture->marks.vector[instance->vector].open)
        text_add(out, ", in a lane");
    else if (instance->vector >= 0)
        text_addf(out, ", in lane %d of a vector", instance->lane);
}

/* A stripe at the foot of the cell, in a colour for each thread. */
static void add_stripe(struct picture *picture, int x, int y, int worker)
{
    const int side = picture->cell, high = side / 5;

    if (worker >= 0)
        text_addf(&picture->body, "<rect class=\"w%d\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                  picture->marks.worker[worker].thread % THREAD_COLOURS, x + 1, y + side - high - 1, side - 2, high);
}

static void add_cell(struct picture *picture, const struct panel *panel, const struct instance *instance)
{
    const int x = picture_x(picture, panel, instance), y = picture_y(picture, panel, instance), side = picture->cell;
    struct text name = {0};

    violation_print_instance(&name, instance->statement, instance->at);
    text_addf(&name, " runs as number %d", instance->rank + 1);
    add_marks(picture, instance, &name);
    text_addf(&picture->body, "<rect class=\"cell%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\">",
              picture->time && instance->rank >= picture->time ? " later" : "", x, y, side, side,
              colour(instance->rank, picture->instances.n_rank));
    text_addf(&picture->body, "<title>%s</title></rect>\n", text_str(&name));
    add_stripe(picture, x, y, instance->worker);
    if (side >= 20)
        text_addf(&picture->numbers, "<text class=\"number\" x=\"%d\" y=\"%d\">%d</text>\n", x + 2, y + 9,
                  instance->rank + 1);
    text_free(&name);
}

/* The instance of the panel at a place, or NULL. */
static const struct instance *in_panel(const struct panel *panel, int64_t row, int64_t column)
{
    for (int k = 0; k < panel->n; k++)
        if (instance_value(&panel->list[k], 0) == row && instance_value(&panel->list[k], 1) == column)
            return &panel->list[k];
    return NULL;
}

typedef bool same(const struct picture *picture, const struct instance *a, const struct instance *b);

static bool same_tile(const struct picture *picture, const struct instance *a, const struct instance *b)
{
    (void)picture;
    if (!b || a->leaf != b->leaf)
        return false;
    for (int k = 0; k < a->leaf->n_loop; k++)
        if (a->leaf->over_tiles[k] && a->count[k] != b->count[k])
            return false;
    return true;
}

static bool same_block(const struct picture *picture, const struct instance *a, const struct instance *b)
{
    const struct worker *worker = picture->marks.worker;

    return b && b->worker >= 0 && worker[a->worker].block == worker[b->worker].block;
}

/* Adds the sides of the instance's cell beyond which it is not the same. */
static void add_sides(const struct picture *picture, const struct panel *panel, const struct instance *instance,
                      same *is_same, struct text *path)
{
    const int side = picture->cell;
    const int x = picture_x(picture, panel, instance), y = picture_y(picture, panel, instance);
    const int64_t row = instance_value(instance, 0), column = instance_value(instance, 1);

    if (!is_same(picture, instance, in_panel(panel, row - 1, column)))
        text_addf(path, "M%d %dh%d", x, y, side);
    if (!is_same(picture, instance, in_panel(panel, row + 1, column)))
        text_addf(path, "M%d %dh%d", x, y + side, side);
    if (!is_same(picture, instance, in_panel(panel, row, column - 1)))
        text_addf(path, "M%d %dv%d", x, y, side);
    if (!is_same(picture, instance, in_panel(panel, row, column + 1)))
        text_addf(path, "M%d %dv%d", x + side, y, side);
}

/* Lines where a tile, or what a block runs, ends. */
static void add_borders(struct picture *picture, const struct panel *panel)
{
    struct text tiles = {0}, blocks = {0};

    for (int k = 0; k < panel->n; k++) {
        const struct instance *instance = &panel->list[k];
        if (instance->leaf->n_tile > 0)
            add_sides(picture, panel, instance, same_tile, &tiles);
        if (picture->marks.on_device && instance->worker >= 0)
            add_sides(picture, panel, instance, same_block, &blocks);
    }
    picture->has_tiles |= tiles.size > 0;
    if (tiles.size)
        text_addf(&picture->body, "<path class=\"tile\" d=\"%s\"/>\n", text_str(&tiles));
    if (blocks.size)
        text_addf(&picture->body, "<path class=\"block\" d=\"%s\"/>\n", text_str(&blocks));
    text_free(&tiles);
    text_free(&blocks);
}

/* Where tiles have places at which nothing runs, and where padding does. */
static void add_padding(struct picture *picture, const struct panel *panel)
{
    const int side = picture->cell;
    struct text empty = {0}, padding = {0};

    for (int k = 0; k < picture->empties.n; k++) {
        const struct empty *place = &picture->empties.list[k];
        const struct instance like = {.statement = place->statement, .place = place->place};
        if (panel_has(panel, place))
            text_addf(&empty, "M%d %dh%dv%dh-%dz", picture_x(picture, panel, &like) + 2,
                      picture_y(picture, panel, &like) + 2, side - 4, side - 4, side - 4);
    }
    for (int k = 0; k < panel->n; k++)
        if (panel->list[k].padding)
            text_addf(&padding, "M%d %dl%d -%d", picture_x(picture, panel, &panel->list[k]) + 2,
                      picture_y(picture, panel, &panel->list[k]) + side - 2, side - 4, side - 4);
    picture->has_empty |= empty.size > 0;
    picture->has_padding |= padding.size > 0;
    if (empty.size)
        text_addf(&picture->body, "<path class=\"empty\" d=\"%s\"/>\n", text_str(&empty));
    if (padding.size)
        text_addf(&picture->body, "<path class=\"padding\" d=\"%s\"/>\n", text_str(&padding));
    text_free(&empty);
    text_free(&padding);
}

/* Does one thread run both, or is nothing said of threads? */
static bool same_worker(const struct instance *a, const struct instance *b)
{
    return a->worker == b->worker;
}

/* A line through the instances of a panel that run one after the other. */
static void add_way(struct picture *picture, const struct panel *panel)
{
    const struct instance **by_rank =
        ARENA_ARRAY(picture->arena, picture->instances.n_rank + 1, const struct instance *);
    bool moved = true;
    struct text path = {0};

    for (int k = 0; k < panel->n; k++)
        by_rank[panel->list[k].rank] = &panel->list[k];
    for (int k = 0; k < picture->instances.n_rank; k++) {
        const struct instance *at = by_rank[k];
        const bool joined = at && k > 0 && by_rank[k - 1] && same_worker(at, by_rank[k - 1]);
        if (joined && moved)
            text_addf(&path, "M%d %d", picture_x(picture, panel, by_rank[k - 1]) + picture->cell / 2,
                      picture_y(picture, panel, by_rank[k - 1]) + picture->cell / 2);
        if (joined)
            text_addf(&path, "L%d %d", picture_x(picture, panel, at) + picture->cell / 2,
                      picture_y(picture, panel, at) + picture->cell / 2);
        moved = !joined;
    }
    if (path.size)
        text_addf(&picture->body, "<path class=\"way\" d=\"%s\"/>\n", text_str(&path));
    text_free(&path);
}

void picture_add_panels(struct picture *picture)
{
    for (int k = 0; k < picture->panel.n; k++) {
        const struct panel *panel = &picture->panel.at[k];
        for (int i = 0; i < panel->n; i++)
            add_cell(picture, panel, &panel->list[i]);
        add_way(picture, panel);
        add_borders(picture, panel);
        add_padding(picture, panel);
        if (panel_caption(picture, panel)[0])
            picture_line(picture, "code", panel->x, panel->y - 5, panel_caption(picture, panel));
    }
}

/* A line through the lanes of a vector, where they are in one panel; one that is not full is a dot in each cell. */
static bool add_vector(struct picture *picture, const struct drawn_vector *vector)
{
    const struct panel *panel = picture_panel_of(picture, vector->lane[0]);
    const int half = picture->cell / 2;
    struct text path = {0};

    for (int k = 0; k < vector->n; k++) {
        if (!panel || picture_panel_of(picture, vector->lane[k]) != panel) {
            text_free(&path);
            return false;
        }
        text_addf(&path, "%c%d %d", k > 0 && vector->full ? 'L' : 'M',
                  picture_x(picture, panel, vector->lane[k]) + half, picture_y(picture, panel, vector->lane[k]) + half);
        if (!vector->full)
            text_add(&path, "h0");
    }
    text_addf(&picture->body, "<path class=\"vector\" stroke-width=\"%d\" d=\"%s\"/>\n", picture->cell * 5 / 12,
              text_str(&path));
    text_free(&path);
    return true;
}

void picture_add_vectors(struct picture *picture)
{
    int elsewhere = 0;

    for (int k = 0; k < picture->marks.n_vector; k++) {
        const struct drawn_vector *vector = &picture->marks.vector[k];
        bool *kind = vector->open ? &picture->has_open : vector->full ? &picture->has_full : &picture->has_part;
        if (add_vector(picture, vector))
            *kind = true;
        else
            elsewhere++;
    }
    if (elsewhere > 0)
        text_addf(&picture->notes, "%d vectors whose lanes are in several planes are not drawn\n", elsewhere);
}

/* Between the middles of two cells, without its ends. */
static void add_arrow(struct picture *picture, const struct arrow *arrow, const struct panel *from,
                      const struct panel *to)
{
    const int half = picture->cell / 2, gap = picture->cell / 5;
    const int x = picture_x(picture, from, arrow->from) + half, y = picture_y(picture, from, arrow->from) + half;
    const int right = picture_x(picture, to, arrow->to) + half - x, down = picture_y(picture, to, arrow->to) + half - y;
    const int far = abs(right) > abs(down) ? abs(right) : abs(down);
    const int gap_x = far ? right * gap / far : 0, gap_y = far ? down * gap / far : 0;

    text_addf(&picture->body, "<path class=\"%s\" d=\"M%d %dl%d %d\"/>\n", arrow->broken ? "broken" : "arrow",
              x + gap_x, y + gap_y, right - 2 * gap_x, down - 2 * gap_y);
}

int picture_add_arrows(struct picture *picture, const struct arrows *arrows)
{
    int broken = 0, elsewhere = 0;

    for (int k = arrows->n - 1; k >= 0; k--) {
        const struct arrow *arrow = &arrows->list[k];
        const struct panel *from = picture_panel_of(picture, arrow->from), *to = picture_panel_of(picture, arrow->to);
        broken += arrow->broken;
        if (from && to && (from == to || arrow->broken))
            add_arrow(picture, arrow, from, to);
        else
            elsewhere++;
    }
    if (elsewhere > 0)
        text_addf(&picture->notes, "%d arrows between planes are not drawn\n", elsewhere);
    if (arrows->some)
        text_add(&picture->notes, "there are more dependences than are looked at, and more arrows than are drawn\n");
    else if (arrows->left_out > 0)
        text_addf(&picture->notes, "%d more arrows are not drawn\n", arrows->left_out);
    return broken;
}
