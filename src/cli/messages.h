/* Messages on standard error: in colours on a terminal, and only errors where no more is wanted. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include "cli/options.h"

#include <polynest/polynest.h>

/* Is standard error a terminal that colours are for (no NO_COLOR, no dumb TERM)? */
bool messages_have_colours(void);
/* Prints what a run has told; --quiet: only errors, and the notes that belong to them. */
void messages_print(const char *text, bool quiet, bool colours);
/* With --verbose, prints the name of each stage when it starts. */
void messages_follow(polynest *p, const struct options *options);

#endif
