/* Variants between which the emitted function chooses when it is called: those of a description where they have
 * conditions ("when", "when_supported"), the last one without. */
#ifndef READ_CHOOSE_DISPATCH_H
#define READ_CHOOSE_DISPATCH_H

#include "read/reader.h"

/* The variants of root where one of them has a condition, or NULL. */
const struct value *dispatched_list(const struct value *root);
/* The names of the variants of a description (function: of this one of several, see read/read.h) or schedule file, in
 * order, where one of them has a condition; 0: none has, or the text is neither, which reading it reports. */
int dispatched_variants(struct arena *arena, const struct source *source, int function, const char *const **name);
/* Reports variants without a condition in front of others that have one, a last one that has one, and instructions that
 * a call cannot ask the processor for, or need not. */
void check_dispatch(struct reader *reader, const struct value *root);
/* A variant's conditions, into a program. */
void read_when(struct reader *reader, const struct value *value, void *program);
void read_when_supported(struct reader *reader, const struct value *value, void *program);

#endif
