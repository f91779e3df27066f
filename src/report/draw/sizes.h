/* Part of report/draw/draw.h: the values of the parameters. */
#ifndef REPORT_DRAW_SIZES_H
#define REPORT_DRAW_SIZES_H

#include "report/draw/draw.h"

/* { : N = 8 and .. }: the sizes that were given, and for the other parameters, one after the other, the largest value
 * up to most[parameter] (most NULL: 8) that goes with those before, else the smallest. Refused: see report_draw. */
enum status sizes_choose(const struct schedule *schedule, const struct size *size, int n_size, const int *most,
                         __isl_give isl_set **sizes);
/* The value of a parameter that has only one; false: it has others. */
bool sizes_value(__isl_keep isl_set *sizes, int param, int64_t *value);
/* "M = 8, N = 4"; "" without parameters. */
void sizes_print(struct text *out, const struct program *program, __isl_keep isl_set *sizes);

#endif
