/* Part of report/draw/draw.h: places that tiles have and the description does not. */
#ifndef REPORT_DRAW_PADDING_H
#define REPORT_DRAW_PADDING_H

#include "report/draw/instances.h"

/* A place of a tile where nothing runs. */
struct empty {
    const struct statement *statement;
    int64_t *place; /* as of an instance */
};

struct empties {
    struct empty *list;
    int n;
    const char *left_out; /* loops whose partial tiles lack too many; NULL: none */
};

/* What the innermost partial tiles lack, where all instances are drawn. */
struct empties empties_find(struct arena *arena, const struct instances *instances, __isl_keep isl_set *sizes);
/* Marks instances that the description does not have: `round_up` fills tiles with them. */
void padding_find(struct arena *arena, const struct instances *instances, const struct program *described,
                  __isl_keep isl_set *sizes);

#endif
