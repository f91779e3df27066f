/* Statements that copy, the places where they run, and how many neighbours each may move at once: what wide.c starts
 * from. */
#ifndef PLAN_DEVICE_COPIES_WIDENING_H
#define PLAN_DEVICE_COPIES_WIDENING_H

#include "base/vec.h"
#include "plan/loop_plan.h"

struct copied;
struct gpu;

enum { WIDENING_LOOPS = 32 };

/* A place where a copy runs: its loops, outermost first, down to its leaf. */
struct place_of_copy {
    const struct order **around; /* the loops around it, outermost first, and behind them its own */
    int n_around;
    const struct order *loop[WIDENING_LOOPS];
    int n;
    const struct order *leaf;
    int64_t threads; /* of a block of its kernel that share in it, */
    int64_t run;     /* in copies for so many iterations of a run one after the other */
    bool dealt_out;  /* its loops are, to all of them; else each thread goes through them for itself */
    bool in_rows;    /* each of the threads has a row of elements */
};

/* A statement that copies. */
struct widening {
    struct statement *statement;
    VEC(struct place_of_copy) place;
    int fastest;      /* number of the loop along which neighbours are copied at once */
    int64_t n;        /* so many; 0: one by one */
    int64_t rounded;  /* runs of so many may be partly behind a row of the buffer, in its pad; 0: none may */
    int64_t apart[2]; /* see struct statement */
    bool dealt;       /* only the launch knows all iterations that threads share */
    int64_t size[WIDENING_LOOPS]; /* iterations of the loops before that */
};

struct wide {
    struct schedule *schedule;
    struct arena *arena;
    const struct gpu *gpu;
    const struct program *before;
    struct program *program;          /* a copy whose statements change */
    const struct order *order;        /* of before */
    VEC(const struct order *) around; /* the loops around the place at hand */
    VEC(struct widening) list;
};

/* Finds the copies of all kernels. */
void widenings_collect(struct wide *wide);
/* Finds how many neighbours one moves at once, the most bytes that can be. */
void widening_choose(const struct wide *wide, struct widening *widening);
/* The rows of a shared buffer get a pad where more could be moved at once if they were longer. */
void widening_pad(const struct wide *wide, struct widening *widening);
/* May runs of n be copied of which not all instances are there? The statement of copied has them all. */
bool widening_may_round(const struct wide *wide, const struct widening *widening, const struct copied *copied,
                        int64_t n);
/* The statement with all instances of the runs of n neighbours along loop number k. */
struct statement *widening_extended(const struct wide *wide, const struct widening *widening, int k, int64_t n);
/* How many runs of n neighbours along loop number k there are in it. */
int64_t widening_runs(const struct widening *widening, int k, int64_t n);
/* Does a kernel that has the copy write what it copies? */
bool widening_is_overwritten(const struct wide *wide, const struct statement *copy);
/* The array as the program that changes has it. */
struct array *widening_array(const struct wide *wide, const struct array *array);

static inline int64_t widening_bytes(const struct array *array)
{
    const int bits = type_bits(array->type);

    return bits < 8 ? 1 : bits / 8;
}

static inline bool widening_is_bound(const struct loop_info *info)
{
    return info->plan && info->plan->axis != AXIS_NONE;
}

#endif
