/* What calls an emitted function has to know, as JSON: for bindings in other languages. */
#ifndef REPORT_SIGNATURE_H
#define REPORT_SIGNATURE_H

#include "program/program.h"

/* Adds the function's arguments in order. laid_out is the program with its arrays as they are stored; header, the
 * emitted one, has the type of the result.
 *
 *     {"name": "f", "language": "c", "returns": "void", "arguments": [
 *       {"name": "N", "kind": "param", "type": "i64"},
 *       {"name": "alpha", "kind": "scalar", "type": "f32"},
 *       {"name": "A", "kind": "array", "type": "f32", "role": "in", "shape": ["N", "N"], "stored": ["N", "N"]}],
 *      "flags": ["-mavx2", "-mfma"], "needs": ["N >= 1"]}
 *
 * Extents are expressions of the description's language in the parameters. "stored" are those of the memory, slowest
 * first; an array with strides has "strides" and "offset" instead. What the caller sees to is there, too: "align" in
 * bytes, "values" (a condition on each element, which has the array's name), "injective" and "monotone";
 * "rounded" is the type that a result of floats is rounded to on the way, where that has fewer digits than its own;
 * "needs" are conditions on all arguments. flags and needs: as the emitted comment has them, with blanks and "; "
 * between them, NULL: none. rounded: by array, NULL: not told. */
void report_signature(const struct program *program, const struct program *laid_out, const char *header,
                      const char *flags, const char *needs, const enum type *rounded, struct text *out);

#endif
