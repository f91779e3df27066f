/* Values of the abstract machine and the arithmetic of the emitted languages on them.
 *
 * Signed integers wrap around; that the emitted code has no overflow is for the sanitizers to see.
 */
#ifndef MACHINE_WORD_H
#define MACHINE_WORD_H

#include "program/expr/expr.h"

/* A value of one type: integers and bool in `integer`, extended to 64 bits by their sign; floats in `real`, exactly.
 * TYPE_NONE: the bytes of several neighbours in `integer`, which no conversion changes. */
struct word {
    enum type type;
    int64_t integer;
    double real;
};

struct word word_integer(enum type type, int64_t integer);
struct word word_real(enum type type, double real);
/* What nobody may depend on: a NaN, or a pattern. */
struct word word_poison(enum type type);
bool word_true(struct word value);
struct word word_convert(struct word value, enum type type);

/* The type in which an operation on a and b is done. */
enum type word_common(enum type a, enum type b);
/* a op b in the type that is common to both; relations and logic give a bool. */
struct word word_binary(enum expr_op op, struct word a, struct word b);
struct word word_unary(enum expr_op op, struct word a);
/* arg has three values of `type`, as far as the function takes them. */
struct word word_call(enum function function, enum type type, const struct word *arg);

int word_size(enum type type);
struct word word_load(enum type type, const void *bytes);
void word_store(struct word value, void *bytes);

#endif
