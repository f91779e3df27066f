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

/* What is drawn: an order with its program, for looking at only. */
struct view {
    struct schedule schedule;
    struct schedule described; /* what dependences are drawn of: without what the plan changed */
    int n_plan;                /* steps of the plan that were applied */
};

/* After some steps of the schedule, or all of them and some of the plan. */
struct view view_of_schedule(const struct schedule *schedule, int n_step);
struct view view_of_plan(const struct schedule *schedule, int n_plan);

/* The order after the steps that were applied, as an SVG file. Parameters that have no size get the largest value up
 * to 8 that they can have. Refused: a size of no parameter, or one that the assumptions exclude. */
enum status report_draw(const struct schedule *schedule, const struct size *size, int n_size, struct text *out);
/* The same after those of the plan, in its place. */
enum status report_draw_plan(const struct schedule *schedule, const struct size *size, int n_size, struct text *out);
/* The same by a template: "report/draw" for a file, "report/picture" for a part of a page. */
enum status report_picture(const struct view *view, const struct size *size, int n_size, const char *template,
                           struct text *out);
/* A part of a page for each step, and the description's own order: a picture, and the outline with what the step
 * changed. */
enum status report_draw_steps(const struct schedule *schedule, const struct size *size, int n_size, struct text *out);
/* The same for those of the plan. */
enum status report_draw_plan_steps(const struct schedule *schedule, const struct size *size, int n_size,
                                   struct text *out);
/* The page of n_step steps with these parts, and what came of them: emitted code, or why there is none. */
void report_draw_page(const char *name, int n_step, const char *parts, const char *code, struct text *out);
/* Text between marks: <, > and & are spelled out. */
void report_escape(struct text *out, const char *text);

#endif
