/* The sizes of a run: "M=0,1,15 N=1,5 alpha=1.5" is every combination of these values. */
#ifndef ORACLE_SIZES_H
#define ORACLE_SIZES_H

#include "program/program.h"

struct combination {
    int64_t *param; /* program->n_param */
    double *scalar; /* program->n_scalar; NAN where the text gives none */
};

struct combinations {
    struct combination *at;
    int n;
};

/* All combinations, the last word varying fastest; false and a message on stderr when the text
 * is malformed, names something unknown or leaves a parameter without a value. */
bool sizes_read(const struct program *program, const char *text, struct combinations *list);
void sizes_free(struct combinations *list);

#endif
