/* Small functions that emitted code may need; only those that are used are emitted. */
#ifndef TARGET_CLIKE_HELPERS_H
#define TARGET_CLIKE_HELPERS_H

#include "base/names.h"
#include "base/text.h"
#include "program/type.h"

enum helper {
    HELPER_MIN, /* of any arithmetic type; i64 for indices */
    HELPER_MAX,
    HELPER_RELU,
    HELPER_ABS,        /* integers */
    HELPER_MINUS,      /* of 32 bits: a negation that compilers do not see */
    HELPER_ROUNDED,    /* a product of floats that gcc is not to fuse with a sum */
    HELPER_AND,        /* signed integers: OpenMP's reduction */
    HELPER_ADD,        /* signed integers: OpenMP's reduction by +, which wraps around */
    HELPER_MULTIPLY,   /* the same by * */
    HELPER_FLOOR_DIV,  /* i64, divisor > 0 */
    HELPER_FLOOR_MOD,  /* i64, divisor > 0 */
    HELPER_FROM_BF16,  /* to float */
    HELPER_TO_BF16,    /* from float, to nearest even */
    HELPER_FROM_F16,   /* to float */
    HELPER_F16_BITS,   /* from float, to nearest even, where the compiler has no f16 */
    HELPER_TO_F16,     /* from float */
    HELPER_F64_TO_F16, /* from double, rounded once */
    HELPER_FURTHER,    /* the place so many elements behind one, maybe outside of the array */
    HELPER_SIZE,       /* product of two sizes, -1 when it does not fit */
    HELPER_SIZE_SUM,   /* likewise their sum */
    HELPER_ALLOCATE,   /* malloc of bytes, NULL for a size that is none */
    HELPER_ALLOCATE_ZERO,
    HELPER_ALLOCATE_ALIGNED, /* with an alignment before the bytes */
    HELPER_ALLOCATE_ALIGNED_ZERO,
    HELPER_COPY_OF, /* of an array of so many bytes, NULL for a size that is none */
    HELPER_COPY_OF_ALIGNED,
    HELPER_IS_THERE,      /* is an array of this many bytes given? */
    HELPER_ORDER,         /* of two integers, for qsort */
    HELPER_NONDECREASING, /* is no element smaller than the one before it? */
    HELPER_DISTINCT,      /* do all elements differ? Uses HELPER_ORDER of the type */
    HELPER_IS_OTHER,      /* do two floats differ, but for the bits of NaNs? */
    HELPER_IS_FAR,        /* and by more than a bound? */
    HELPER_LARGER,        /* the larger of a size and that of a double, if it is finite */
    HELPER_DEVICE_SIZE,   /* bytes to allocate: not none, and more than there is for a size that is none */
    HELPER_COPY_16,       /* bytes at once */
    HELPER_COPY_8,
    HELPER_COPY_4,
    HELPER_SPREAD_16, /* so many bytes that are read at once, to elements apart */
    HELPER_SPREAD_8,
    HELPER_SPREAD_4,
    HELPER_GATHER_16, /* elements apart that are written at once */
    HELPER_GATHER_8,
    HELPER_GATHER_4,
    HELPER_ATOMIC_SUM, /* updates that devices have none for; of products of signed integers the unsigned type */
    HELPER_ATOMIC_PRODUCT,
    HELPER_ATOMIC_MIN,
    HELPER_ATOMIC_MAX,
    HELPER_ATOMIC_AND,
    HELPER_ATOMIC_OR,
    HELPER_ATOMIC_XOR,
    HELPER_WARP_SUM, /* of what all threads of a warp give; of this or, on signed integers, the unsigned type */
    HELPER_WARP_PRODUCT,
    HELPER_WARP_MIN,
    HELPER_WARP_MAX,
    HELPER_WARP_AND,
    HELPER_WARP_OR,
    HELPER_WARP_XOR,
    HELPER_UNROLL, /* the word in front of a loop that is written out, as often as a parameter says */
    HELPER_SIMD,   /* `simd` of loops in threads that sum up */
    HELPER_COUNT,
};

struct helpers {
    const char *(*qualifier)(const char *name, void *user); /* "__device__ " in front of that helper; NULL: none */
    void *user;
    const char *exchange;                         /* device_words.exchange; NULL: there are no kernels */
    int warp;                                     /* threads that exchange values */
    const char *half[2];                          /* the words for f16 and bf16; NULL: those of C */
    struct names *names;                          /* the file's names, which a helper's must differ from */
    const char *name[HELPER_COUNT][TYPE_F64 + 1]; /* NULL: not used */
};

/* The name of the helper; it will be emitted. */
const char *helper_use(struct helpers *helpers, enum helper helper, enum type type);
/* Is any helper used? */
bool helpers_any(const struct helpers *helpers);
bool helper_used(const struct helpers *helpers, enum helper helper);
/* Definitions of all used helpers, one a line where they are short. */
void helpers_print(const struct helpers *helpers, struct text *out);

#endif
