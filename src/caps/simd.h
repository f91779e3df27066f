/* Instruction sets as data: which vector types there are, and how each operation is written.
 *
 * A row is C text with places {a}, {b}, {c} for operands, {p} for an address and {m} for a mask. Sources: Intel's
 * intrinsics guide; GCC manual, "Vector Extensions".
 */
#ifndef CAPS_SIMD_H
#define CAPS_SIMD_H

#include "program/type.h"

enum vector_op {
    VECTOR_LOAD,       /* from {p}, any alignment */
    VECTOR_LOAD_MASK,  /* the same of the lanes in {m}, zeros elsewhere; the others are not touched */
    VECTOR_STORE,      /* {a} to {p} */
    VECTOR_STORE_MASK,
    VECTOR_SPLAT,      /* {a} in every lane */
    VECTOR_ZERO,
    VECTOR_ADD,
    VECTOR_SUB,
    VECTOR_MUL,
    VECTOR_DIV,
    VECTOR_FMA,        /* {a} * {b} + {c}, rounded once */
    VECTOR_MIN,        /* {a} < {b} ? {a} : {b} */
    VECTOR_MAX,
    VECTOR_SQRT,
    VECTOR_ABS,
    VECTOR_NEG,
    VECTOR_AND,
    VECTOR_OR,
    VECTOR_XOR,
    VECTOR_GATHER,     /* from {p} with the offsets {b}, in elements */
    VECTOR_GATHER_MASK,
    VECTOR_SCATTER,    /* {a} to {p} with the offsets {b} */
    VECTOR_SCATTER_MASK,
    VECTOR_LT,         /* masks */
    VECTOR_LE,
    VECTOR_EQ,
    VECTOR_NE,
    VECTOR_MASK_AND,
    VECTOR_MASK_OR,
    VECTOR_MASK_NOT,
    VECTOR_SELECT,     /* {a} where {m}, else {b} */
    VECTOR_OP_COUNT,
};

/* A register full of values. */
struct simd_type {
    enum type type;
    int lanes;
    const char *name;      /* "__m512" */
    const char *mask_name;  /* the type of a mask; NULL: no masks */
    const char *lanes_name; /* of the function that makes a mask of the first n lanes; NULL: no masks */
    const char *lanes_code; /* its definition */
    const char *row[VECTOR_OP_COUNT]; /* NULL: there is no such instruction */
};

struct simd {
    const char *name;   /* as in "target": {"simd": ..} */
    const char *flags;  /* what compilers need: "-mavx512f" */
    const char *header; /* "immintrin.h"; NULL: none */
    const struct simd_type *type;
    int n_type;
};

/* NULL: no vectors. */
const struct simd *simd_by_name(const char *name);
/* NULL: this many lanes of this type are no register of the target. */
const struct simd_type *simd_type_of(const struct simd *simd, enum type type, int lanes);
/* The most lanes a register has for the type; 0: none. */
int simd_widest(const struct simd *simd, enum type type);

#endif
