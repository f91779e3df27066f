/* Element and value types of the description (design section 4). */
#ifndef PROGRAM_TYPE_H
#define PROGRAM_TYPE_H

#include <stdbool.h>

/* clang-format off */
enum type {
    TYPE_NONE, /* not yet known; a literal, parameter or loop name before typing */
    TYPE_BOOL,
    TYPE_I8, TYPE_I16, TYPE_I32, TYPE_I64,
    TYPE_U8, TYPE_U16, TYPE_U32, TYPE_U64,
    TYPE_F16, TYPE_BF16, TYPE_F32, TYPE_F64,
};
/* clang-format on */

bool type_by_name(const char *name, enum type *type);
const char *type_name(enum type type); /* "f32" */
int type_bits(enum type type);
bool type_is_float(enum type type);
bool type_is_signed(enum type type);
/* The type of integers of as many bits, all of them without a sign; other types as they are. */
enum type type_unsigned(enum type type);
/* The type that a value of it has in lanes of vectors: bool is a byte. */
enum type type_in_lanes(enum type type);
/* The type arithmetic on it happens in: narrow integers and bool i32, f16 and bf16 f32. */
enum type type_promote(enum type type);
/* Binary digits of a float. */
int type_digits(enum type type);
/* The one of both whose numbers have fewer digits; what is no float, TYPE_NONE among it, has none to lose. */
enum type type_less_precise(enum type a, enum type b);
/* Does every value of `from` convert to type `to` and back without a change? */
bool type_holds(enum type to, enum type from);

#endif
