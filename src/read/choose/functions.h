/* Files of several functions, with what all of them have beside the list. */
#ifndef READ_CHOOSE_FUNCTIONS_H
#define READ_CHOOSE_FUNCTIONS_H

#include "read/reader.h"

/* The names of the functions in the file's list, in order, "" for one without; how many there are, 0 where it has no
 * list, and what is wrong shows when it is read. */
int functions_listed(struct arena *arena, const struct source *source, const char *const **name);
/* The function with this number, from 1 on, as it stands in the list; root itself where there is none. */
const struct value *function_number(const struct value *root, int number);
/* The same with what the file says for all, checked; NULL after reporting a fault. */
const struct value *choose_function(struct reader *reader, const struct value *root, int number);

#endif
