/* Dumps of a description, read back as they are or changed. */
#ifndef TESTS_DUMPS_DUMPS_H
#define TESTS_DUMPS_DUMPS_H

#include "polynest/polynest.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What a pass left: the trees, each under a line `== PASS`. */
struct dumped {
    char pass[32];
    char *text; /* a dump to be read, with */
    int n_tree; /* so many trees */
};

struct dumps {
    struct dumped *at; /* n of them, in the order of the passes */
    int n;
};

/* The whole file, malloc'ed; NULL: it cannot be read. */
char *read_whole(const char *path);
/* What the description's passes leave, that is run once without a dump; n 0: it is refused. */
struct dumps dumps_of(polynest *p);
void dumps_free(struct dumps *dumps);
/* Text with some changes that `random` draws, malloc'ed; it ends with a NUL. */
char *mutated(const char *text, uint64_t *random);

#endif
