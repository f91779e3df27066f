/* The instances of nests as they are written, at certain parameters, by running their loops: bounds, steps and affine
 * conditions are evaluated from the expressions that the reader made, without isl. What is compared with them does not
 * share the sets that everything else is made of.
 *
 * Nests in polyhedral form have no expressions: theirs are the points of the domains as isl read them.
 */
#ifndef PROGRAM_CHECK_REPLAY_H
#define PROGRAM_CHECK_REPLAY_H

#include "program/program.h"

/* A number of instances and a sum over them that tells different multisets of instances apart. */
struct replayed {
    int64_t n;
    uint64_t sum;
};

/* Adds the instance with these coordinates. */
void replayed_add(struct replayed *replayed, const int64_t *coordinate, int n);

/* The instances of each statement, by index, at these values of the parameters. False where that takes more than
 * `steps` steps or numbers do not fit. */
bool replay_program(const struct program *program, const int64_t *param, int64_t steps, struct replayed *result);
/* An affine expression in the instance with these coordinates; false where it is none. */
bool replay_value(const struct program *program, const int64_t *param, const int64_t *loop, int n_loop,
                  const struct expr *expr, int64_t *value);

#endif
