/* Which instances of a kernel must not run in different threads at once: pairs that use one element of an array, one of
 * them writing. */
#ifndef PLAN_DEVICE_CONFLICT_H
#define PLAN_DEVICE_CONFLICT_H

#include "sched/order.h"

struct gpu;
struct places;

/* Pairs of instances that use an element of one array in different threads, whichever runs first; or in one, of which
 * the earlier one is an asynchronous copy. */
struct conflict {
    const struct array *array;
    bool writes;           /* the earlier one writes it */
    bool own;              /* in one thread */
    isl_union_map *pairs;  /* kept by the arena; with those of one thread unless own: see conflict_some */
    struct places *places; /* what tells those apart; NULL: own */
};

struct conflicts {
    struct arena *arena;
    const struct program *program;
    struct conflict *list;
    int n;
};

/* Those of a kernel of program's order, in one block for what each block has for itself, else in any two. */
struct conflicts conflicts_find(struct arena *arena, const struct program *program, const struct order *kernel);
/* Are there pairs of the conflict among these, which are some of its own? */
bool conflict_some(const struct conflict *conflict, __isl_keep isl_union_map *pairs);
/* The pairs of the conflict among these: exactly. */
__isl_give isl_union_map *conflict_exact(const struct program *program, const struct conflict *conflict,
                                         __isl_take isl_union_map *pairs);
/* { S -> T } of the kernel's instances that run in one block. */
__isl_give isl_union_map *conflicts_same_block(const struct program *program, const struct order *kernel);
/* The same, or of those that run in one thread. */
__isl_give isl_union_map *conflicts_same_place(const struct program *program, const struct order *kernel, bool threads);
/* { S -> T } of which the loop's counts are equal, or less for S. */
__isl_give isl_union_map *conflicts_in_time(const struct order *loop, bool less);

/* Is the loop bound to an axis of the launch? */
bool loop_is_bound(const struct order *loop);
/* To blocks of which there may be fewer than iterations, so that each walks on through several? */
bool loop_walks(const struct gpu *gpu, const struct order *loop);

#endif
