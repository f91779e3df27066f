/* A page about a search, without outside resources. */
#ifndef RUN_TUNE_REPORT_H
#define RUN_TUNE_REPORT_H

#include "run/tune_parts.h"

/* Writes it to the path; an error has been told. */
bool tune_report(const struct tune *tune, const char *path);

#endif
