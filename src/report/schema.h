/* The JSON Schema of a description, for editors; the steps come from the descriptors. */
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#include "base/text.h"
#include "program/step.h"

/* Both lists are NULL-terminated. */
void report_schema(const struct primitive *const *schedule, const struct primitive *const *plan, struct text *out);

#endif
