/* Candidates as jobs of their own, which may run anywhere: DIR/0001.json is one, a line of DIR/jobs is the command that
 * measures it, and DIR/0001.jsonl the log that this command writes. */
#ifndef RUN_TUNE_JOBS_H
#define RUN_TUNE_JOBS_H

#include "run/tune_parts.h"

/* Writes as many candidates as trials say, or 64, into the folder, which is made. Only legal ones are written. output
 * has a line about them. */
polynest_status tune_plan(struct tune *tune, const char *folder);
/* Measures the candidate in a file. */
polynest_status tune_only(struct tune *tune, const char *path);
/* Adds what the logs in the folder know. */
polynest_status tune_merge(struct tune *tune, const char *folder);

#endif
