/* The registry of steps: every primitive that a schedule or a plan may name.
 *
 * A new primitive is one file that defines `const struct primitive primitive_NAME` and one word in the
 * list of registry.c; reader, schema and tables follow.
 */
#ifndef API_REGISTRY_H
#define API_REGISTRY_H

#include "program/step.h"

/* In the order of the manual, NULL-terminated. */
extern const struct primitive *const schedule_primitives[];
extern const struct primitive *const plan_primitives[];

#endif
