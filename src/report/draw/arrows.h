/* Part of report/draw/draw.h: which dependences are drawn. */
#ifndef REPORT_DRAW_ARROWS_H
#define REPORT_DRAW_ARROWS_H

#include "report/draw/instances.h"
#include "report/draw/pairs.h"

enum { ARROWS_MOST = 600 };

struct arrow {
    const struct instance *from, *to;
    const struct dependence *dependence;
    bool broken; /* by the order */
};

struct arrows {
    struct arrow *list;
    int n;
    int left_out; /* pairs beyond ARROWS_MOST */
    bool some;    /* see struct pairs */
};

/* For each instance and each two references the next instance, in the description's own order, that reads what it
 * writes, also where the order breaks that; where it breaks only other dependences, these. */
struct arrows arrows_find(struct arena *arena, const struct schedule *schedule, const struct instances *instances,
                          __isl_keep isl_set *sizes, struct pairs *pairs);

#endif
