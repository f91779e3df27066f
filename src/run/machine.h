/* What the machine can do, measured. */
#ifndef RUN_MACHINE_H
#define RUN_MACHINE_H

#include "run/subject.h"

struct machine {
    double bandwidth; /* bytes a second to and from memory */
    double peak;      /* operations a second of values in registers, a fused multiplication and addition being two */
};

/* With values of a C type, "float" or "double". False: it cannot be measured. */
bool machine_measure(struct run_report *report, const struct scratch *scratch, const char *real,
                     const struct run_options *options, struct machine *machine);

#endif
