/* What instructions for vectors do to memory, told to the sanitizer of threads: of masks, gathers, scatters and stores
 * past the caches it sees nothing by itself. build-judge appends macros of their names, which call the
 * functions below. */
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

enum races_access { RACES_READ, RACES_WRITE };

void __tsan_read_range(void *at, unsigned long size);
void __tsan_write_range(void *at, unsigned long size);

static __attribute__((unused, noinline, no_sanitize_thread)) void races_range(const void *at, int size,
                                                                              enum races_access access)
{
    if (access == RACES_WRITE)
        __tsan_write_range((void *)at, (unsigned long)size);
    else
        __tsan_read_range((void *)at, (unsigned long)size);
}

/* Elements of that size from at on, those of the mask's bits. */
static __attribute__((unused, no_sanitize_thread)) void races_masked(const void *at, uint64_t mask, int size,
                                                                     enum races_access access)
{
    for (int k = 0; k < 64; k++)
        if (mask >> k & 1)
            races_range((const char *)at + k * size, size, access);
}

/* The bits of a mask that is a vector of n elements: their signs. */
static __attribute__((unused, no_sanitize_thread)) uint64_t races_signs(const void *vector, int size, int n)
{
    uint64_t mask = 0;

    for (int k = 0; k < n; k++)
        mask |= (uint64_t)(((const signed char *)vector)[k * size + size - 1] < 0) << k;
    return mask;
}

/* Elements of that size, those of the mask's bits, at + scale * index[k]. */
static __attribute__((unused, no_sanitize_thread)) void races_apart(const void *at, const void *index, int index_size,
                                                                    int scale, uint64_t mask, int size,
                                                                    enum races_access access)
{
    for (int k = 0; k < 16; k++) {
        int64_t wide;
        int32_t narrow;
        if (!(mask >> k & 1))
            continue;
        memcpy(&narrow, (const char *)index + k * index_size, sizeof(narrow));
        wide = narrow;
        if (index_size == 8)
            memcpy(&wide, (const char *)index + k * index_size, sizeof(wide));
        races_range((const char *)at + scale * wide, size, access);
    }
}
