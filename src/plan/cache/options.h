/* What a step says of a buffer besides its shape. */
#ifndef PLAN_CACHE_OPTIONS_H
#define PLAN_CACHE_OPTIONS_H

#include "sched/edit.h"

/* The memories that primitives offer, for descriptors. */
#define MEMORY_CHOICES "stack heap static register shared local global"

struct buffer_options {
    enum memory memory;
    enum type type;
    int64_t pad, align;
    bool in_registers; /* each element is to be one */
    bool follows;      /* copy loops take the plan of the loops that use the buffer: registers and threads have
                        * their own */
    bool thrifty, asynchronous;
    int buffers;       /* in turn; 1: a single one */
    bool only_written; /* references to other elements keep to the array */
    bool through;      /* it is filled an iteration ahead by way of registers */
};

/* Reads them from the step of a buffer for array. Refused: memories that the target has not, types that lose values
 * though the program does not permit it. */
enum status buffer_options(struct schedule *schedule, const struct step *step, const struct array *array,
                           struct buffer_options *options);
/* The memory that the argument key names; MEMORY_AUTO without it. registers: gets whether it is those; NULL: that is
 * refused. */
enum status memory_argument(struct schedule *schedule, const struct step *step, const char *key, enum memory *memory,
                            bool *registers);

#endif
