/* Values as calls of the library give them: as in a description, without the quotes.
 *
 * What a key is decides how its value is read: "16" is a number, "N - 1" an expression, "i, j, k" a list where the key
 * takes lists, and "i: 16, j: 64" an object where it takes objects. A list or an object may also be given as JSON.
 */
#ifndef READ_EDIT_NOTATION_H
#define READ_EDIT_NOTATION_H

#include "program/object.h"

/* Adds text, a value of argument, as JSON to out; argument NULL: of a key that nobody knows. What is no such value
 * becomes something of another kind, which the reader of the description reports. */
void notation_json(const struct argument *argument, const char *text, struct text *out);

#endif
