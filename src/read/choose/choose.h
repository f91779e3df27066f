/* Descriptions that leave something open: variants, a schedule file laid over, tunables. */
#ifndef READ_CHOOSE_CHOOSE_H
#define READ_CHOOSE_CHOOSE_H

#include "read/read.h"
#include "read/reader.h"

/* The value of a schedule file, in *file, or NULL for NULL; false after reporting a fault. */
bool choose_file(struct reader *reader, const struct source *source, const struct value **file);
/* root, where the file has variants with what it says, these among it. */
const struct value *choose_variants(struct reader *reader, const struct value *root, const struct value *file);
/* That root as it is with the choices made: schedule, plan and target are those of the variant and the schedule file,
 * and values stand for the tunables. The chosen values are noted in the program. NULL after reporting a fault. */
const struct value *choose_all(struct reader *reader, const struct value *root, const struct value *file,
                               const struct choices *choices);

#endif
