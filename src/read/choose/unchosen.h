/* What is wrong with variants that nobody asked for, as far as it shows without choosing them. */
#ifndef READ_CHOOSE_UNCHOSEN_H
#define READ_CHOOSE_UNCHOSEN_H

#include "read/reader.h"

/* Reports what root's variants other than `chosen` (NULL: all) would be refused for when they are read: values of
 * tunables, names and arguments of steps, the target. Changes these variants, whose `$` it replaces. */
void check_unchosen(struct reader *reader, const struct value *root, const char *chosen);

#endif
