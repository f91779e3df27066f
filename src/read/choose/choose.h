/* Descriptions that leave something open: variants, a schedule file laid over, tunables. */
#ifndef READ_CHOOSE_CHOOSE_H
#define READ_CHOOSE_CHOOSE_H

#include "read/read.h"
#include "read/reader.h"

/* root as it is with the choices made: schedule, plan and target are those of the variant and the schedule file, and
 * values stand for the tunables. The chosen values are noted in the program. NULL after reporting a fault. */
const struct value *choose_all(struct reader *reader, const struct value *root, const struct choices *choices);

#endif
