/* Sets of instructions that a function can ask the processor for, on which it runs. */
#ifndef CAPS_PROCESSOR_H
#define CAPS_PROCESSOR_H

#include <stdbool.h>

/* NULL: a function can ask for the set of this name; else why it cannot. */
const char *processor_unasked(const char *simd);
/* Has a processor with all of simd, which can be asked for, all of other, too? */
bool processor_includes(const char *simd, const char *other);

#endif
