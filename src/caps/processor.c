#include "caps/processor.h"

#include <string.h>

/* Those of x86, each of which has all of those above it. */
static const char *const asked[] = {"sse4.2", "avx2", "avx512", "amx"};
enum { ASKED_COUNT = sizeof(asked) / sizeof(asked[0]) };

/* Its place; -1: none. */
static int place_of(const char *simd)
{
    int k = ASKED_COUNT - 1;

    while (k >= 0 && strcmp(asked[k], simd) != 0)
        k--;
    return k;
}

const char *processor_unasked(const char *simd)
{
    if (place_of(simd) >= 0)
        return NULL;
    if (strcmp(simd, "neon") == 0)
        return "every processor that it is compiled for has it";
    return "it has no instructions of its own";
}

bool processor_includes(const char *simd, const char *other)
{
    return place_of(simd) >= place_of(other);
}
