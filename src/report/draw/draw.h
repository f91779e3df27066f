/* Pictures of iteration spaces: the instances of each statement as cells in the plane of its last two loops, coloured
 * by when they run, with tiles, the way through them, and dependences; those that the order breaks in red. */
#ifndef REPORT_DRAW_DRAW_H
#define REPORT_DRAW_DRAW_H

#include "sched/schedule.h"

/* What the caller gave a parameter. */
struct size {
    const char *name;
    int64_t value;
};

/* The order after the steps that were applied, as an SVG file. Parameters that have no size get the largest value up
 * to 8 that they can have. Refused: a size of no parameter, or one that the assumptions exclude. */
enum status report_draw(const struct schedule *schedule, const struct size *size, int n_size, struct text *out);
/* The same by a template: "report/draw" for a file, "report/picture" for a part of a page. */
enum status report_picture(const struct schedule *schedule, const struct size *size, int n_size, const char *template,
                           struct text *out);
/* A part of a page for each step, and the description's own order: a picture, and the outline with what the step
 * changed. */
enum status report_draw_steps(const struct schedule *schedule, const struct size *size, int n_size, struct text *out);
/* The page of n_step steps with these parts, and what came of them: emitted code, or why there is none. */
void report_draw_page(const char *name, int n_step, const char *parts, const char *code, struct text *out);
/* Text between marks: <, > and & are spelled out. */
void report_escape(struct text *out, const char *text);

#endif
