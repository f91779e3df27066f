/* The text of a function with gaps for those of its numbers that may be parameters. */
#ifndef TARGET_C_PATTERN_H
#define TARGET_C_PATTERN_H

#include "target/c/file.h"

enum {
    PATTERN_GAP = '\1',    /* in place of a number */
    PATTERN_UNROLL = '\2', /* in place of `#pragma GCC unroll 4` */
};

struct c_number {
    int value;
    const char *loop;   /* whose end it is, in its heading; NULL: none's */
    const char *callee; /* whose argument it is, alone; NULL: none's */
    int argument;       /* of the callee */
    char before, after; /* what stands beside it, blanks aside */
};

struct c_pattern {
    const char *text; /* equal for functions that differ in these numbers only */
    VEC(struct c_number) number;
};

/* The pattern of a function's parameters and body. A number may be a parameter in subscripts, the headings of loops and
 * conditions, and in arguments of the file's functions: not where C wants a constant, as instructions do of some
 * operands, nor in data, whose type a variable would widen. */
struct c_pattern c_pattern_of(struct c_file *file, const struct c_function *function);
/* The function of this name, which takes `size` bytes; NULL: none. */
const struct c_function *c_function_named(const struct c_file *file, const char *name, size_t size);
/* Bytes of the identifier or number that code begins with; 0: it does not. */
size_t c_word_size(const char *code);

#endif
