/* Random affine schedules: dimensions swapped, negated and interleaved, constants, parameters as shifts, ties. */
#ifndef RUN_AFFINE_H
#define RUN_AFFINE_H

#include "run/json.h"
#include "run/random.h"

enum { AFFINE_DIMENSIONS = 8 };

/* A statement with the names of its loops, outermost first. */
struct affine_statement {
    const char *name;
    const char *loop[AFFINE_DIMENSIONS];
    int n;
};

struct affine {
    const struct affine_statement *statement;
    int n;
    const char *const *param;
    int n_param;
    bool threads, lanes; /* has the target these? */
};

/* The statements in `polynest show --map` of a description without steps, params of its text. n 0: there is none, or
 * one has too many loops. */
struct affine affine_read(struct arena *arena, const char *maps, const struct json *description);
/* A schedule file with a map, perhaps with its first loop in threads and its last one in lanes. It may be illegal. */
const char *affine_draw(struct arena *arena, const struct affine *affine, const struct json *target,
                        struct random *random);

#endif
