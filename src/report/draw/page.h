/* Part of report/draw/draw.h: what a page has of each step. */
#ifndef REPORT_DRAW_PAGE_H
#define REPORT_DRAW_PAGE_H

#include "report/draw/draw.h"

enum status page_add_schedule(const struct schedule *schedule, const struct drawing *drawing, struct text *out);
enum status page_add_plan(const struct schedule *schedule, const struct drawing *drawing, struct text *out);

#endif
