/* Lines of a driver (templates/run/driver.c), which start with words, among what sanitizers and libraries write. */
#ifndef RUN_TOLD_H
#define RUN_TOLD_H

#include "base/text.h"

/* What is after the word in the first line that starts with it; NULL: none does. */
const char *told_after(const char *text, const char *word);
/* The first line that tells why the driver ended, with its word; NULL: there is none. */
const char *told_reason(const char *text);
/* Adds ": " and the first line with words that is not the driver's, if there is one. */
void told_by_others(struct text *out, const char *text);

#endif
