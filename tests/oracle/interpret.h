/* The oracle: runs a program in its original order, straight from the description.
 *
 * It shares nothing with what it checks: loops are walked as written, instances of a polyhedral
 * nest are enumerated and sorted by their dates, and every operation is done by datum.h.
 */
#ifndef ORACLE_INTERPRET_H
#define ORACLE_INTERPRET_H

#include "storage.h"

enum { INTERPRET_MAX_DEPTH = 32 };

struct run {
    const struct program *program;
    int64_t *param;          /* program->n_param values */
    struct datum *scalar;    /* program->n_scalar values */
    struct storage *storage; /* program->n_array arrays */
    int64_t loop[INTERPRET_MAX_DEPTH];
    bool in_subscript; /* where signed integers are divided downwards */
    struct blame blame; /* undefined arithmetic: the caller's error, the result means nothing */
    char fault[256];    /* an access outside an array or a read before any write; "" if none */
    /* Called before each instance when set; loop holds its values. */
    void (*on_instance)(struct run *run, const struct statement *statement, void *user);
    void *user;
};

void run_init(struct run *run, const struct program *program, const int64_t *param);
void run_free(struct run *run);
/* Do the parameters satisfy the assumptions? */
bool run_allowed(const struct program *program, const int64_t *param);
/* Executes every nest; false after a fault. */
bool run_program(struct run *run);

/* For the parts of the interpreter: expressions, instances. */
int64_t evaluate_extent(const struct program *program, const struct expr *expr, int64_t *param);
int64_t evaluate_index(struct run *run, const struct expr *expr);
struct datum evaluate(struct run *run, const struct expr *expr);
void execute(struct run *run, const struct statement *statement);

#endif
