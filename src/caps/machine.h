/* What `auto` assumes of the processors that have an instruction set: a table, so that a description gives the same
 * steps on every machine.
 */
#ifndef CAPS_MACHINE_H
#define CAPS_MACHINE_H

#include <stdint.h>

struct machine {
    const char *simd;  /* the instruction set */
    int registers;     /* of vectors; 0: there are none that a plan could ask for */
    int64_t panel;     /* bytes of packed columns that go past the registers while these hold their sums */
    int64_t cache[3];  /* bytes that a core has to itself at each level, from the first on; of the last one its share */
    int64_t team_pays; /* operations from which on threads are worth their start */
    int64_t team_again; /* and in a loop that starts them again and again, where one that is late keeps all waiting */
};

/* Never NULL. */
const struct machine *machine_of(const char *simd);

/* What `auto` assumes of devices. */
struct device {
    const char *language;
    int threads; /* of a block whose threads have nothing to do with each other */
};

/* NULL: the language is of none. */
const struct device *device_of(const char *language);

#endif
