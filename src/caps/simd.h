/* Instruction sets as data: which vector types there are, and how each operation is written.
 *
 * A row is C text with places {a}, {b}, {c} for operands, {p} for an address and {m} for a mask; a helper whose name
 * occurs in it, followed by a parenthesis, is emitted with it. Sources: Intel's intrinsics guide; Arm's intrinsics
 * reference (ACLE); GCC manual, "Vector Extensions".
 */
#ifndef CAPS_SIMD_H
#define CAPS_SIMD_H

#include "base/template.h"
#include "program/type.h"

enum vector_op {
    VECTOR_LOAD,      /* from {p}, any alignment */
    VECTOR_LOAD_MASK, /* the same of the lanes in {m}, zeros elsewhere; the others are not touched */
    VECTOR_STORE,     /* {a} to {p} */
    VECTOR_STORE_MASK,
    VECTOR_STREAM, /* {a} to {p}, a multiple of the register's size, past the caches; see `fence` */
    VECTOR_SPLAT,  /* {a} in every lane */
    VECTOR_ZERO,
    VECTOR_LIST,    /* the values {a}, one a lane */
    VECTOR_REVERSE, /* the lanes of {a} in opposite order */
    VECTOR_ADD,
    VECTOR_SUB,
    VECTOR_MUL,
    VECTOR_DIV,
    VECTOR_MOD,
    VECTOR_FMA, /* {a} * {b} + {c}, rounded once */
    VECTOR_MIN, /* {a} < {b} ? {a} : {b} */
    VECTOR_MAX,
    VECTOR_SQRT,
    VECTOR_ABS,
    VECTOR_NEG,
    VECTOR_FLOOR,
    VECTOR_CEIL,
    VECTOR_ROUND, /* to the nearest integer, halves away from zero */
    VECTOR_EXP,   /* approximations, see templates/math */
    VECTOR_LOG,
    VECTOR_TANH,
    VECTOR_SIN,
    VECTOR_COS,
    VECTOR_POW,
    VECTOR_AND,
    VECTOR_OR,
    VECTOR_XOR,
    VECTOR_NOT,
    VECTOR_SHL, /* {a} shifted by the lanes of {b} */
    VECTOR_SHR,
    VECTOR_SHL_ALL, /* {a}, all lanes shifted by the literal {c}, which is more than 0 and less than their bits */
    VECTOR_SHR_ALL,
    VECTOR_GATHER, /* from {p} with the offsets {b}, in elements */
    VECTOR_GATHER_MASK,
    VECTOR_GATHER_LONG, /* the same with offsets of 64 bits */
    VECTOR_GATHER_LONG_MASK,
    VECTOR_SCATTER, /* {a} to {p} with the offsets {b} */
    VECTOR_SCATTER_MASK,
    VECTOR_SCATTER_LONG, /* the same with offsets of 64 bits */
    VECTOR_SCATTER_LONG_MASK,
    VECTOR_LOAD_PART,     /* of {c} neighbours a lane from {p} on the one that {a} says, a number */
    VECTOR_STORE_PARTS,   /* the vectors {a}, separated by commas, as {c} neighbours a lane from {p} on; {b}: as many
                         * registers, a type of NEON */
    VECTOR_AS_PART,       /* {a} as STORE_PARTS takes it; NULL: as it is */
    VECTOR_SHUFFLE,       /* the lanes {c} of {a} and {b}, which go on counting; it makes functions that do the same */
    VECTOR_SHUFFLE_BYTES, /* the bytes {c}, 0 where it is -1, of the 16 bytes {a}; likewise */
    VECTOR_JOIN,          /* registers {a} and {b} of half as many lanes; likewise, with functions of these */
    VECTOR_FIRST_HALF,    /* and the halves of {a} */
    VECTOR_LAST_HALF,
    VECTOR_LT, /* masks; of LT and LE, and of EQ and NE, one is enough, where there is MASK_ANDNOT */
    VECTOR_LE,
    VECTOR_EQ,
    VECTOR_NE,
    VECTOR_MASK_AND,
    VECTOR_MASK_OR,
    VECTOR_MASK_ANDNOT, /* {b} without {a}; NULL: inverted masks cost nothing */
    VECTOR_MASK_NOT,
    VECTOR_MASK_ANY,   /* is any lane of mask {a} set? */
    VECTOR_MASK_BYTES, /* in its place: mask {a} as a number, of a bit for each byte of its lanes */
    VECTOR_SELECT,     /* {a} where {m}, else {b} */
    VECTOR_SUM,        /* of all lanes of the variable {a}, as one value */
    VECTOR_PRODUCT,
    VECTOR_LEAST,
    VECTOR_GREATEST,
    VECTOR_ALL_AND,
    VECTOR_ALL_OR,
    VECTOR_ALL_XOR,
    VECTOR_FLAGS, /* no operation: what compilers need besides for any of these, or NULL */
    VECTOR_OP_COUNT,
};

/* A register full of values. */
struct simd_type {
    enum type type;
    int lanes;
    const char *name;                 /* "__m512" */
    const char *mask_name;            /* the type of a mask */
    const char *lanes_name;           /* of the function that makes a mask of the first n lanes */
    const char *mask_flags;           /* what compilers need besides for masked loads and stores, or NULL */
    const char *row[VECTOR_OP_COUNT]; /* NULL: there is no such instruction */
};

/* The lanes of one type as another type's. */
struct simd_conversion {
    enum type from, to;
    int lanes;
    const char *row;
    const char *flags; /* what compilers need besides, or NULL */
};

/* Sums of products in one instruction: each lane of {c} plus the products of `depth` neighbours in its lanes of {a}
 * and {b}, which are of narrower types; these are given as lanes of 32 bits. */
struct simd_dot {
    enum type a, b, sum;
    int lanes; /* of the sum */
    int depth;
    const char *row;
    const char *flags;    /* what compilers need besides, or NULL */
    const char *rounding; /* how it differs from sums of products as written; NULL: it does not */
    bool in_16_bits;      /* it adds up products of two neighbours in 16 bits, which they have to fit */
};

/* A product of tiles in registers: each element of the sums plus the products of so many groups of `depth`
 * neighbours, of a row of the first factor and a column of the second one. {a}: the sums' register, {b} and {c}: the
 * factors'. */
struct simd_product {
    enum type rows, columns, sum;
    int depth;
    const char *row;
    const char *rounding; /* see struct simd_dot */
};

/* Registers that hold tiles: rows of bytes. In the texts {a} is a register, {p} an address, {b} the bytes from a row
 * there to the next one; of a part of a tile, {c} its rows and {m} the bytes of one. */
struct simd_tiles {
    int number;      /* of registers */
    int rows, bytes; /* most rows, most bytes of one */
    const char *load, *store, *zero;
    const char *load_stored;   /* from what the function stores otherwise */
    const char *load_part;     /* by way of a buffer, with zeros for what is not there */
    const char *store_part[2]; /* to a buffer, and from there */
    const char *buffer;        /* its declaration */
    const char *shape;         /* of the registers: its type */
    const char *values[2];     /* and the lines of its value, of the registers' bytes {b} and rows {c} */
    const char *begin, *end;   /* registers get a shape, {a}, and give it up */
    const char *test;          /* may the function use them? */
    const struct simd_product *product;
    int n_product;
};

/* A call that can leave lanes as they are: those outside of {m} are {b}'s; {a} stands for its arguments. */
struct simd_masked {
    const char *call, *row;
    bool last; /* only where {b} is its last argument */
    int bits;  /* only of lanes of this size; 0: its name says it */
};

/* A definition that rows use. Those used by another one come before it. */
struct simd_helper {
    const char *name;                    /* NAME in the template */
    const char *template;                /* of templates/: "x86/lanes" */
    const struct template_value *value;  /* or NULL */
    const struct template_value *shared; /* those that helpers have in common, or NULL */
};

/* Compilers need further flags for code in which the word occurs. */
struct simd_need {
    const char *word;
    const char *flags;
};

struct simd {
    const char *name;   /* as in "target": {"simd": ..} */
    const char *flags;  /* what compilers need: "-mavx512f"; NULL: nothing */
    const char *header; /* "immintrin.h"; NULL: none */
    bool takes_signed;  /* integers given to instructions are signed, whatever the vector's type */
    bool operators;     /* instructions are C's operators, which take scalars beside vectors */
    const struct simd_type *type;
    int n_type;
    const struct simd_conversion *conversion;
    int n_conversion;
    const struct simd_helper *helper;
    int n_helper;
    const struct simd_dot *dot;
    int n_dot;
    const struct simd_need *need;
    int n_need;
    const struct simd_masked *masked;
    int n_masked;
    const char *fence; /* a statement: what was streamed before is seen before what is stored after it; or NULL */
    const struct simd_tiles *tiles; /* NULL: none */
    const char *groups;             /* loads factors of dots from {p}, as lanes of 32 bits; NULL: as these are loaded */
};

/* What "simd" of a target can be, the first one by default; then NULL. */
const char *const *simd_names(struct arena *arena);
/* Are vectors the compiler's business, who is asked for them (OpenMP)? */
bool simd_asks_compiler(const char *name);
/* NULL: no vectors, or the compiler's. */
const struct simd *simd_by_name(const char *name);
/* NULL: this many lanes of this type are no register of the target. */
const struct simd_type *simd_type_of(const struct simd *simd, enum type type, int lanes);
/* NULL: there is no such conversion. */
const struct simd_conversion *simd_conversion_of(const struct simd *simd, enum type from, enum type to, int lanes);
/* The instruction for factors of these types, in either order; NULL: there is none. */
const struct simd_dot *simd_dot_of(const struct simd *simd, enum type a, enum type b, enum type sum, int lanes,
                                   int depth);
/* NULL: there is no such product of tiles. */
const struct simd_product *simd_product_of(const struct simd *simd, enum type rows, enum type columns, enum type sum,
                                           int depth);
/* The helper's definition. */
const char *simd_helper_code(struct arena *arena, const struct simd_helper *helper);
/* Can neighbours, so many a lane, be loaded and stored by whole registers? */
bool simd_has_parts(const struct simd *simd, const struct simd_type *type, int parts);
/* The most lanes that registers of all n types have; 0: there is no such number. */
int simd_widest(const struct simd *simd, const enum type *type, int n);

#endif
