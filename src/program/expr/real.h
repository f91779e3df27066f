/* Real literals and text, in the C locale whatever the program's is. */
#ifndef PROGRAM_EXPR_REAL_H
#define PROGRAM_EXPR_REAL_H

#include "base/arena.h"

double real_parse(const char *spelling);
/* Rounded once, to f32. */
float real_parse_single(const char *spelling);
/* Rounded towards zero, and to an odd last bit where that is inexact: rounding once more, to fewer bits, is then
 * rounding once. */
double real_parse_odd(const char *spelling);
/* The shortest spelling that reads back as an f32. */
const char *real_spell_single(struct arena *arena, float value);
/* The shortest spelling that reads back as value, with a point or an exponent. */
const char *real_spell(struct arena *arena, double value);

#endif
