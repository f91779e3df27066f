/* Lines of listings: what a step has changed of them, and long ones cut. */
#ifndef REPORT_LISTING_CHANGES_H
#define REPORT_LISTING_CHANGES_H

#include "base/text.h"

#include <stdbool.h>

/* Adds the lines of `now`, "+ " in front of those that are not in `then`, but for their indentation; with `gone` also
 * those that are in `then` only, behind "- ". then: NULL where nothing was before. */
void report_changes(const char *then, const char *now, bool gone, struct text *out);

/* Adds the lines, those of more than 120 columns with ".." in the place of their end, or in front of the marks of a
 * loop, "  [parallel]". */
void report_cut(const char *lines, struct text *out);

#endif
