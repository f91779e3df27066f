/* Growing arrays in an arena: VEC(T) is { T *at; int n; int capacity; }, zeroed = empty. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include "base/arena.h"

#include <string.h>

#define VEC(T)                                                                                                         \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        int n, capacity;                                                                                               \
    }

/* Appends one element; evaluates vec more than once. */
#define VEC_PUSH(arena, vec, element)                                                                                  \
    do {                                                                                                               \
        if ((vec)->n == (vec)->capacity)                                                                               \
            (vec)->at = vec_grow((arena), (vec)->at, (vec)->n, &(vec)->capacity, sizeof(*(vec)->at));                  \
        (vec)->at[(vec)->n++] = (element);                                                                             \
    } while (0)

static inline void *vec_grow(struct arena *arena, const void *at, int n, int *capacity, size_t size)
{
    const int grown = *capacity ? 2 * *capacity : 4;
    void *copy = arena_alloc(arena, (size_t)grown, size);

    if (n)
        memcpy(copy, at, (size_t)n * size);
    *capacity = grown;
    return copy;
}

#endif
