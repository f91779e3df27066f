/* Builds a scheduled description and its reference, runs both, and compares. */
#ifndef RUN_VERIFY_H
#define RUN_VERIFY_H

#include "run/subject.h"

/* OK: the same, output tells at which sizes. REFUSED: the description is, or results differ. */
polynest_status run_verify(struct run_report *report, const polynest *p, const struct run_options *options);

#endif
