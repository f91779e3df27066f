/* The table of primitives: the steps of a schedule and a plan with their arguments, from the descriptors. */
#ifndef REPORT_PRIMITIVES_H
#define REPORT_PRIMITIVES_H

#include "base/text.h"
#include "program/step.h"

/* Both lists are NULL-terminated. */
void report_primitives(const struct primitive *const *schedule, const struct primitive *const *plan, struct text *out);
/* The page of one step, in Markdown, but for its example. */
void report_primitive(const struct primitive *primitive, bool in_plan, struct text *out);
/* The page of an object of descriptions. */
void report_object(const struct object_type *object, struct text *out);

#endif
