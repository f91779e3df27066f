/* Part of report/draw/marks.h: who runs an instance. */
#ifndef REPORT_DRAW_WORKERS_H
#define REPORT_DRAW_WORKERS_H

#include "report/draw/marks.h"

/* Sets marks->worker and `worker` of the instances. */
void workers_find(struct arena *arena, const struct instances *instances, __isl_keep isl_set *sizes,
                  struct marks *marks);

#endif
