/* Searches for steps that make a description fast. */
#ifndef RUN_TUNE_H
#define RUN_TUNE_H

#include "run/subject.h"

/* output is a schedule file with the best steps that were found, and figures in a comment. REFUSED: the description is,
 * nothing could be measured, or a candidate computes something else. */
polynest_status run_tune(struct run_report *report, const polynest *p, const struct run_options *options);

#endif
