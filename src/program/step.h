/* Steps and the descriptors of the primitives that carry them out.
 *
 * A step is one entry of "schedule" or "plan". The reader checks it against the descriptor
 * (unknown keys, kinds, ranges, required arguments) and hands it on as generic values; it knows
 * no primitive by itself. `polynest primitives`, `polynest help STEP`, the manual and the schema print the same data.
 */
#ifndef PROGRAM_STEP_H
#define PROGRAM_STEP_H

#include "program/object.h"

struct step;
struct schedule; /* sched/schedule.h: what schedule primitives work on */

struct primitive {
    const char *name;                /* the key that names the step: "split" */
    const char *summary;             /* one line */
    const char *rule;                /* what the step does, in sentences */
    const char *proved;              /* what must hold for it, in sentences */
    const struct argument *argument; /* argument[0].key is name itself; ends with a NULL key */
    /* Replaces the schedule's current order (and program) by the one after the step, or reports
     * to its diagnostics why not. */
    enum status (*apply)(struct schedule *schedule, const struct step *step);
};

struct step {
    const struct primitive *primitive;
    struct place place;        /* the whole object */
    const struct value *value; /* the object */
    const char *unsafe;        /* its reason, or NULL */
    int number;                /* 1, 2, ... in the list */
};

/* The one of a NULL-terminated list, which may be NULL, with that name; NULL: there is none. */
const struct primitive *find_primitive(const struct primitive *const *primitives, const char *name);
/* "unsafe", which every step may have. */
extern const struct argument step_unsafe;

/* The value of an argument, or NULL when the step does not give it. */
const struct value *step_value(const struct step *step, const char *key);
int64_t step_int(const struct step *step, const char *key, int64_t fallback);
const char *step_string(const struct step *step, const char *key, const char *fallback);
struct place step_place(const struct step *step, const char *key); /* of the value, else of the step */
/* "split j by 5 as jj": the step in one line for comments and listings. */
void step_print(struct text *out, const struct step *step);

#endif
