/* A small deterministic random generator (splitmix64), the same on every machine. */
#ifndef ORACLE_PRNG_H
#define ORACLE_PRNG_H

#include <stdbool.h>
#include <stdint.h>

struct prng {
    uint64_t state;
    bool whole; /* reals that are made of it are whole numbers */
};

static inline uint64_t prng_next(struct prng *prng)
{
    uint64_t z = prng->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* low <= result <= high */
static inline int64_t prng_range(struct prng *prng, int64_t low, int64_t high)
{
    return low + (int64_t)(prng_next(prng) % (uint64_t)(high - low + 1));
}

#endif
