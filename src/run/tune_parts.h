/* The parts of run/tune.h. */
#ifndef RUN_TUNE_PARTS_H
#define RUN_TUNE_PARTS_H

#include "run/measure.h"
#include "run/tune_log.h"

enum { N_JOB = 3 };

/* A candidate that is legal, in a batch. */
struct runner {
    struct candidate candidate;
    struct subject subject;
    struct process process;
    const char *result; /* NULL: it runs */
    struct times times;
};

struct tune {
    struct run_report *report;
    const polynest *p;
    const struct run_options *options;
    struct scratch scratch;
    struct candidates candidates;
    struct tune_log log;
    struct subject original;
    struct job job[N_JOB]; /* the first one is measured; the others have small sizes */
    struct workload workload[N_JOB];
    double original_time;
    double best;         /* the shortest median; 0: none */
    int refused, tried;  /* candidates; tried counts those that were measured, also by an earlier run */
    const char *refusal; /* the last one's message */
    double start;
};

/* The file with the results that a job must have. */
const char *tune_results(int job);
/* A candidate that is legal becomes a runner; one that is not is counted, and kept in the log. */
bool tune_emit(struct tune *tune, const struct candidate *candidate, int number, struct runner *runner);
/* Builds all, as many at the same time as there are jobs. */
void tune_build(struct tune *tune, struct runner *runner, int n);
/* Compares what they compute. REFUSED, which has been told: one is wrong. */
polynest_status tune_check(struct tune *tune, struct runner *runner, int n);
/* Adds times, for so many nanoseconds. */
void tune_time(struct tune *tune, struct runner *runner, double nanoseconds);
/* The fastest one first; those without a time last. */
void tune_sort(struct runner *runner, int n);
/* Measures them by successive halving: the better half is measured again, twice as long. */
void tune_halve(struct tune *tune, struct runner *runner, int n);
/* Measures the best ones once more and makes the output. */
polynest_status tune_finish(struct tune *tune);
/* A line of the log. */
void tune_keep(struct tune *tune, const struct candidate *candidate, const char *result, const struct times *times);

#endif
