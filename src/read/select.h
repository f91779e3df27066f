/* Tunables and variants: which of its values and schedules a description is read with.
 *
 * A description with a selection becomes one without "tunables" and "variants" before the other parts of the reader
 * see it: the members of the variant stand in the place of the description's, and "$name" and "$(name * 4)" are values.
 */
#ifndef READ_SELECT_H
#define READ_SELECT_H

#include "read/read.h"
#include "read/reader.h"

/* *root as selection wants it; the program's `selected` tells what is not the default. STATUS_REFUSED for what is wrong
 * in the description, STATUS_USAGE for what is wrong in the selection. */
enum status select_values(struct reader *reader, const struct selection *selection, const struct value **root);

#endif
