#include "caps/machine.h"

#include <string.h>

enum { KIB = 1024, MIB = 1024 * KIB };

/* The last row is for all others. */
static const struct machine machines[] = {
    {"avx512", 32, 96 * KIB, {32 * KIB, 1 * MIB, 4 * MIB}, 30000, 1500000},
    {"amx", 32, 96 * KIB, {32 * KIB, 1 * MIB, 4 * MIB}, 30000, 1500000},
    {"avx2", 16, 24 * KIB, {32 * KIB, 512 * KIB, 4 * MIB}, 30000, 1500000},
    {"sse4.2", 16, 24 * KIB, {32 * KIB, 256 * KIB, 2 * MIB}, 30000, 1500000},
    {"neon", 32, 24 * KIB, {64 * KIB, 512 * KIB, 2 * MIB}, 30000, 1500000},
    {"vector", 16, 24 * KIB, {32 * KIB, 256 * KIB, 2 * MIB}, 30000, 1500000},
    {"", 0, 24 * KIB, {32 * KIB, 256 * KIB, 2 * MIB}, 30000, 1500000},
};

const struct machine *machine_of(const char *simd)
{
    const struct machine *machine = machines;

    while (machine->simd[0] && strcmp(machine->simd, simd) != 0)
        machine++;
    return machine;
}
static const struct device devices[] = {{"cuda", 256}, {"hip", 256}};

const struct device *device_of(const char *language)
{
    for (size_t k = 0; k < sizeof(devices) / sizeof(devices[0]); k++)
        if (strcmp(devices[k].language, language) == 0)
            return &devices[k];
    return NULL;
}
