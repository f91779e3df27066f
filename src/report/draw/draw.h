/* Pictures of iteration spaces: the instances of each statement as cells in the plane of its last two loops, coloured
 * by when they run, with tiles, the way through them, and dependences, those that the order breaks in red; and what the
 * plan makes of them. */
#ifndef REPORT_DRAW_DRAW_H
#define REPORT_DRAW_DRAW_H

#include "sched/schedule.h"

/* What the caller gave a parameter. */
struct size {
    const char *name;
    int64_t value;
};

struct pairs;

/* What is asked for. */
struct drawing {
    const struct size
        *size; /* of parameters, n_size of them; others get the largest value up to 8 that they can have */
    int n_size;
    const char *plane;   /* "i,k": these loops are drawn down and across; NULL: the last two of each statement */
    int64_t time;        /* a file shows what is so while the instance with this number runs; 0: all have run */
    bool page;           /* a page with all steps, else a file with the last one */
    bool legal;          /* is what was drawn so far, the plan included? */
    struct pairs *pairs; /* what is kept from one picture to the next; zeroed at first */
};

/* What is drawn: an order with its program, for looking at only. */
struct view {
    struct schedule schedule;
    struct schedule described; /* what dependences are drawn of: without what the plan changed */
    int n_plan;                /* steps of the plan that were applied */
};

/* After some steps of the schedule, or all of them and some of the plan; after the last one of a processor also what
 * `round_up` adds. */
struct view view_of_schedule(const struct schedule *schedule, int n_step);
struct view view_of_plan(const struct schedule *schedule, int n_plan);

/* The order after the steps that were applied, as an SVG file; for a page a part of it for each step, and for the
 * description's own order: a picture, and the outline with what the step changed. Refused: a size of no parameter, or
 * one that the assumptions exclude. */
enum status report_draw(const struct schedule *schedule, const struct drawing *drawing, struct text *out);
/* The same after those of the plan, in its place; for a page, behind it. */
enum status report_draw_plan(const struct schedule *schedule, const struct drawing *drawing, struct text *out);
/* The picture of a view. */
enum status report_picture(const struct view *view, const struct drawing *drawing, struct text *out);
/* A page, and what is on it. */
struct page {
    const char *name;
    int n_step;
    const char *steps; /* what report_draw and report_draw_plan made */
    const char *told;  /* what `explain` tells */
    bool emitted;
    const char *code; /* or why there is none */
};

void report_draw_page(const struct page *page, struct text *out);
/* Text between marks: <, > and & are spelled out. */
void report_escape(struct text *out, const char *text);

#endif
