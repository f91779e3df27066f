/* What is known of candidates, kept in a file as JSON lines, so that nothing is lost and a later run goes on.
 *
 *     {"tune": "gemm", "sizes": {"N": 1000}, "description": "<number>"}
 *     {"key": "..", "from": "neighbour", "result": "measured", "median_ns": 1234, "calls": 5}
 *
 * result: "measured"; "refused", by polynest; "slow", it was not waited for; "failed", it could not be built. */
#ifndef RUN_TUNE_LOG_H
#define RUN_TUNE_LOG_H

#include "base/vec.h"
#include "run/candidates.h"
#include "run/subject.h"

struct known {
    struct candidate candidate;
    const char *result;
    double median; /* in nanoseconds */
    int calls;
};

struct tune_log {
    struct arena *arena;
    const char *path; /* NULL: nothing is kept */
    const char *head; /* its first line */
    VEC(struct known) known;
    int resumed; /* of these are from the file */
};

/* Reads the file, if it is there, and starts it otherwise. False, which has been told: it is that of another
 * description or other sizes, or cannot be written. */
bool tune_log_open(struct tune_log *log, struct run_report *report, const char *path, const polynest *p,
                   const char *name, const struct params *params);
/* Adds what another one knows; false, which has been told: it is none, or of something else. */
bool tune_log_read(struct tune_log *log, struct run_report *report, const char *path);
/* The candidate in the first line of a file; false: there is none. */
bool tune_log_candidate(struct arena *arena, const char *path, struct candidate *candidate);
/* NULL: it has not been there. */
const struct known *tune_log_find(const struct tune_log *log, const struct candidate *candidate);
/* Adds a line. */
void tune_log_add(struct tune_log *log, const struct known *known);

#endif
