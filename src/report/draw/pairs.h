/* Part of report/draw/draw.h: pairs of instances that depend on each other. */
#ifndef REPORT_DRAW_PAIRS_H
#define REPORT_DRAW_PAIRS_H

#include "dep/dependence.h"

/* An instance and one that depends on it. */
struct pair {
    const struct dependence *dependence;
    bool is_flow;
    int64_t *from, *to;
};

/* The pairs among what is drawn of a program, kept from one picture of it to the next. */
struct pairs {
    const struct dependences *of; /* NULL: not yet looked for */
    struct pair *list;            /* flow dependences first */
    int n;
    bool some; /* not all were looked at: there are too many */
};

#endif
