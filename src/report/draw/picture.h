/* Part of report/draw/draw.h: what the parts of a picture share. */
#ifndef REPORT_DRAW_PICTURE_H
#define REPORT_DRAW_PICTURE_H

#include "report/draw/arrows.h"
#include "report/draw/draw.h"
#include "report/draw/marks.h"
#include "report/draw/padding.h"

/* In pixels. */
enum { MARGIN = 20, LINE = 20, CAPTION = 16, GAP = 24, WIDEST = 1100, PANELS_MOST = 12, THREAD_COLOURS = 7 };

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
    struct marks marks;
    struct empties empties;
    VEC(struct panel) panel;
    bool page;         /* for a page, which shows what is so at a time */
    int64_t time;      /* what is so while the instance with this number runs; 0: all have run */
    int cell;          /* its side */
    int width, height; /* so far */
    bool has_tiles, has_full, has_part, has_open; /* tiles; vectors that are full, are not, or left open */
    bool has_held, has_empty, has_padding; /* what buffers hold; places where nothing runs, and where padding does */
    struct text body;
    struct text numbers; /* of instances, on top of what marks them */
    struct text notes;   /* what is not drawn, a line each */
};

void picture_line(struct picture *picture, const char *style, int x, int y, const char *text);
/* The row (0) or column (1) of an instance; 0 where the statement has no such loop. */
int64_t instance_value(const struct instance *instance, int axis);
int picture_x(const struct picture *picture, const struct panel *panel, const struct instance *instance);
int picture_y(const struct picture *picture, const struct panel *panel, const struct instance *instance);
/* Is the place one of the panel's plane? */
bool panel_has(const struct panel *panel, const struct empty *empty);
/* The panel that has the instance; NULL: none. */
const struct panel *picture_panel_of(const struct picture *picture, const struct instance *instance);
/* "i = 0, j = 2": the loops that a panel has one value of. */
const char *panel_caption(const struct picture *picture, const struct panel *panel);

/* Places the panels of the statement whose first instance is number `first`; returns how many instances it has. */
int picture_place_panels(struct picture *picture, int first);
/* What is in the panels. */
void picture_add_panels(struct picture *picture);
/* Arrows within a plane, and those that the order breaks; returns how many are broken. */
int picture_add_arrows(struct picture *picture, const struct arrows *arrows);
/* What runs in one vector. */
void picture_add_vectors(struct picture *picture);
/* What buffers hold of arrays. */
void picture_add_caches(struct picture *picture, __isl_keep isl_set *sizes);

#endif
