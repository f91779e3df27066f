/* Numbers that are the same in every run with the same seed. */
#ifndef RUN_RANDOM_H
#define RUN_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

/* One of 0 .. n - 1. */
static inline int random_below(struct random *random, int n)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return n > 0 ? (int)((z ^ (z >> 31)) % (uint64_t)n) : 0;
}

/* In so many of a hundred cases. */
static inline bool random_chance(struct random *random, int percent)
{
    return random_below(random, 100) < percent;
}

#endif
