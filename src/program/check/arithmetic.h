/* Integer arithmetic that C does not define: division by 0, the least number divided by -1, shifts by less than 0 or by
 * the width and more. What is never defined is refused; what is not proved to be defined is up to the caller. */
#ifndef PROGRAM_CHECK_ARITHMETIC_H
#define PROGRAM_CHECK_ARITHMETIC_H

#include "base/vec.h"
#include "program/program.h"

/* What must hold for an operation of a statement. */
struct requirement {
    const struct statement *statement;
    const struct expr *guard; /* the operation runs only where this is so; NULL: wherever the statement does */
    const struct expr *holds; /* a condition, typed */
};

typedef VEC(struct requirement) requirement_vec;

/* Refuses divisors that are 0 and counts of shifts that are out of range whatever the input is. */
enum status program_check_arithmetic(const struct program *program, struct diags *diags);
/* What is not proved, in the order of the statements, each once. */
requirement_vec program_requirements(const struct program *program);
/* The opposite, to be tested. */
const struct expr *requirement_violated(const struct program *program, const struct requirement *requirement);
/* a || b */
const struct expr *requirement_either(const struct program *program, const struct expr *a, const struct expr *b);
/* "b[i] != 0 in S where a[i] > 0", without S where there is no other statement. */
void requirement_print(struct text *out, const struct program *program, const struct requirement *requirement);

#endif
