/* Reading a description: JSON text to a program with its steps. */
#ifndef READ_READ_H
#define READ_READ_H

#include "program/program.h"

/* Which of its variants and values a description is read with: section "tunables" and "variants" of the design. */
struct selection {
    const char *variant;        /* its name, or NULL: the description's own schedule, plan and target */
    const char *const *setting; /* "tile=32": values of tunables that are not the default or the variant's */
    int n_setting;
};

/* Reads source. schedule_primitives and plan_primitives: the known steps, NULL-terminated.
 * *program is set when the result is STATUS_OK; several errors may be reported in one run.
 * The program's isl objects are released with the arena, which must go before ctx. */
enum status read_program(struct arena *arena, isl_ctx *ctx, const struct source *source,
                         const struct primitive *const *schedule_primitives,
                         const struct primitive *const *plan_primitives, struct diags *diags, struct program **program);
/* The same with a selection, whose faults are STATUS_USAGE. */
enum status read_selected(struct arena *arena, isl_ctx *ctx, const struct source *source,
                          const struct selection *selection, const struct primitive *const *schedule_primitives,
                          const struct primitive *const *plan_primitives, struct diags *diags,
                          struct program **program);

#endif
