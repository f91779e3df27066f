/* The JSON Schema of a description, for editors: its objects and steps, from their descriptors.
 *
 * A value of several forms is tested by its kind, and an object among others by the key that tells it from these,
 * before it is looked into: a validator has one message for one fault.
 */
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#include "base/text.h"
#include "program/step.h"

/* Of one description, or of several, which has its mark. Both lists are NULL-terminated. */
void report_schema(const struct object_type *several, const struct object_type *description,
                   const struct primitive *const *schedule, const struct primitive *const *plan, struct text *out);

#endif
