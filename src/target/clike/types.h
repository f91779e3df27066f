/* The description's types and literals in C. */
#ifndef TARGET_CLIKE_TYPES_H
#define TARGET_CLIKE_TYPES_H

#include "base/text.h"
#include "program/type.h"

#include <stdint.h>

const char *c_type_name(enum type type); /* "float", "int32_t" */
int c_type_bytes(enum type type);
/* The type C computes a op b in, whatever the operands' types. */
enum type c_common_type(enum type a, enum type b);
enum type c_unsigned_type(enum type type);
/* Does C compute with values of the type as with int or unsigned? */
bool c_is_int(enum type type);
/* Does C convert every value of `from` to `to` unchanged, by itself and without a warning? */
bool c_widens(enum type from, enum type to);
/* The literal of value that has this type; bare: the shortest, of an int type that widens to it. */
void c_int_literal(struct text *out, enum type type, int64_t value, bool bare);
/* A real literal as spelled, of float or double; INFINITY fits both. */
void c_real_literal(struct text *out, enum type type, const char *spelling);

#endif
