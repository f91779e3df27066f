/* Typed values and C's arithmetic on them: what one operation of a statement computes. */
#ifndef ORACLE_DATUM_H
#define ORACLE_DATUM_H

#include "program/expr/expr.h"

/* A value of one type. Integers: sign- or zero-extended to 64 bits; floats: exactly, as a double. */
struct datum {
    enum type type;
    int64_t integer;
    double real;
};

/* What an operation had to do that C leaves undefined; NULL when nothing. */
struct blame {
    const char *reason;
};

struct datum datum_integer(enum type type, int64_t value);
struct datum datum_real(enum type type, double value);
bool datum_true(struct datum value);
/* The value as C converts it to type. */
struct datum datum_convert(struct datum value, enum type type, struct blame *blame);

/* The type of a op b after C's usual arithmetic conversions. */
enum type datum_common(enum type a, enum type b);
/* Operands of any types; comparisons and logic give i32. Signed overflow wraps and is blamed. */
struct datum datum_binary(enum expr_op op, struct datum a, struct datum b, struct blame *blame);
struct datum datum_unary(enum expr_op op, struct datum a, struct blame *blame);
/* Arguments of any types, computed in type. */
struct datum datum_call(enum function function, enum type type, const struct datum *arg, struct blame *blame);

/* Storage: the bytes of an element, little-endian as on the machine. */
int datum_size(enum type type);
struct datum datum_load(enum type type, const void *bytes);
void datum_store(struct datum value, void *bytes);

#endif
