/* The machine's verdict on a finished tree: does it compute what the interpreter of descriptions does? */
#ifndef MACHINE_JUDGE_H
#define MACHINE_JUDGE_H

#include "machine.h"

#include "../oracle/interpret.h"
#include "../oracle/prng.h"

#include "api/compile.h"
#include "base/text.h"

#include <stdio.h>

struct judge {
    const struct finished *finished;
    double close;        /* fraction by which floats may differ; negative: what the permissions suggest */
    int orders;          /* of threads, where there are any */
    int64_t assignments; /* that a run may do */
    int64_t large;       /* sizes with more assignments run in one order, the next one each time; 0: in all */
    int n_large;         /* of these, so far */
    FILE *records; /* gets the inputs and results of each run, in which the description has to be defined; or NULL */
    int runs, undefined; /* so far; sizes at which the description itself is undefined */
    bool lacks;          /* the machine could not run, or not finish, all of it */
};

/* Runs the tree for these parameters and scalars (NULL, or NAN for one: random), with inputs from prng. False and a
 * message where it differs; true also where there is no verdict. */
bool judge_size(struct judge *judge, const int64_t *param, const double *given, struct prng *prng,
                struct text *message);

#endif
