/* How long a function takes. */
#ifndef RUN_MEASURE_H
#define RUN_MEASURE_H

#include "run/subject.h"

/* Times of calls, in nanoseconds, sorted. */
struct times {
    double *at;
    int n;
};

/* Runs the subject, compares the results with those in file unless that is "-", and adds the times of so many further
 * calls, or, where these are 0, of that one. False: the outcome, whose text the caller frees in any case, tells why. */
bool measure(struct arena *arena, const struct scratch *scratch, const struct subject *subject, const struct job *job,
             const char *file, double terms, int repetitions, const struct run_options *options, struct times *times,
             struct outcome *outcome);
/* The value below which a part of the times is; 0 without any. */
double times_quantile(const struct times *times, double part);
double times_median(const struct times *times);

#endif
