/* Terms: what a value is made of, in the place of numbers.
 *
 * A term stands for the operations that made a value and for the elements, scalars and constants that they started
 * from. It is kept as a hash of 64 bits that is the same for all ways to write the term that give the same bits:
 *   - integers are sums and products modulo 2^64 of their parts, as C's unsigned integers are, so that any order of
 *     sums and products is the same term; conversions between integer types do not show;
 *   - floats, where an order may change the result, are trees of operations and their types, a + b being b + a; with
 *     `reassociate` they are sums and products as integers are, and roundings to smaller types do not show; with
 *     `contract` an fma is its product and sum, with `approximate` types do not show;
 *   - minima, maxima and bit operations that may be regrouped are sets of what they are of, and the constants among
 *     them are one number;
 *   - small constants are known numbers, and arithmetic on them is done.
 * Lanes of 8 and 16 bits compute modulo 2^n what the nests compute in int and convert then; numbers that are known wrap
 * around in these types, before or after they meet unknown ones. Where there are such lanes, or such numbers, integers
 * can be numbers that are drawn: those of these types wrap around, and bit operations are done.
 * Comparisons order terms by their hashes, so that a condition on data has an outcome, the same wherever it is asked.
 */
#ifndef LOWER_FLOW_FLOW_TERM_H
#define LOWER_FLOW_FLOW_TERM_H

#include "base/arena.h"
#include "program/expr/expr.h"

enum term_kind {
    TERM_POISON, /* of what was never written, and all that is made of it */
    TERM_VALUE,
    TERM_NUMBER, /* known: hash is the number */
    TERM_SET,    /* minimum, maximum, bit operation: hash is the address of a struct term_set */
    TERM_GROUP, /* neighbours in memory as one value: hash is the address of their terms, number of them, of the type */
};

struct term {
    uint64_t hash;
    unsigned char kind, type; /* type: a small one that holds the value */
    unsigned char op;         /* SET */
    bool has_number;          /* SET: number is a member */
    int32_t number;
};

/* Members without numbers: their hashes, rising. */
struct term_set {
    int n;
    uint64_t sum;
    const uint64_t *member;
};

/* What equal terms depend on. */
struct algebra {
    struct arena *arena;
    unsigned permit; /* of enum permit */
    bool wraps;      /* integers are numbers */
    bool *narrowed;  /* set where a known number wraps around in 8 or 16 bits; NULL: nobody asks */
};

struct term flow_term_poison(void);
struct term flow_term_number(int64_t number);
struct term flow_term_real(enum type type, double real);
/* What changes no value of the type by the operator. */
struct term flow_term_neutral(enum expr_op op, enum type type);
/* An unknown value of that type: the element of `name` at a position, or a scalar. */
struct term flow_term_leaf(const struct algebra *algebra, enum type type, const char *name, int64_t position);
/* The operation is done in type, and has a value of it. */
struct term flow_term_binary(const struct algebra *algebra, enum expr_op op, enum type type, struct term a,
                             struct term b);
struct term flow_term_unary(enum expr_op op, struct term a);
struct term flow_term_call(const struct algebra *algebra, enum function function, enum type type,
                           const struct term *arg, int n);
struct term flow_term_convert(const struct algebra *algebra, enum type type, struct term a);
bool flow_term_true(struct term a);
bool flow_term_same(struct term a, struct term b);
/* A number that depends on nothing but both of these. */
uint64_t flow_term_mix(uint64_t a, uint64_t b);

#endif
