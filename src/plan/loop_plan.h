/* What the plan asks of a loop. Immutable; loops that a step marks get a changed copy. */
#ifndef PLAN_LOOP_PLAN_H
#define PLAN_LOOP_PLAN_H

#include "program/axis.h"
#include "sched/edit.h"
#include "sched/schedule.h"

/* FULL: as text; LITERAL: the compiler is asked, and the loop has literal bounds; HINT: the compiler is asked. */
enum unroll { UNROLL_NONE, UNROLL_FULL, UNROLL_LITERAL, UNROLL_HINT };
/* What threads of a block copy for iterations of a run: what is the same for all, once; for each of them its own, all
 * threads for one after the other; or for each its own, those threads along x that run it. */
enum run_copies { RUN_ONCE, RUN_ALL, RUN_OWN };
enum omp_policy { OMP_DEFAULT, OMP_STATIC, OMP_DYNAMIC, OMP_GUIDED };

/* What a loop tells the compiler (a pragma in front of it) or the processor (a prefetch in each iteration). */
struct loop_hint {
    const char *pragma; /* its text behind "#pragma "; NULL: a prefetch */
    const char *array;  /* prefetch: what is loaded `ahead` iterations later */
    int64_t ahead;
    const struct loop_info *of; /* prefetch: whose iterations `ahead` counts, a loop around; NULL: the loop's own */
    bool write;                 /* prefetch: it will be written */
    int64_t locality;           /* prefetch: 0 (used once) .. 3 (stays in all caches) */
    int64_t lines;              /* prefetch: at most so many of the lines that one iteration uses in a row; 0: all */
    const struct step *step;
    const struct loop_hint *before; /* asked for earlier, or NULL */
};

/* The vectors of an array that are stored inside of a loop bypass the caches. */
struct loop_stream {
    const char *array;
    const struct value *only_if; /* where it holds; NULL: always */
    const struct step *step;
    const struct loop_stream *before; /* asked for earlier, or NULL */
};

enum { DEALT_TO_ALL = -1 };

struct loop_plan {
    enum unroll unroll;
    int64_t hint; /* iterations that the compiler is to unroll; 0: all */
    bool vector;
    int lanes;      /* of one vector; 0: all iterations of the loop */
    enum tail tail; /* vector: how iterations that fill no vector are emitted */
    int parallel;  /* this many loops of the order are one parallel loop, of which this is the outermost; -1: another of
                          * them; 0: not parallel */
    bool doacross; /* parallel: iterations of the inner loops wait for the previous one of the outermost */
    enum omp_policy policy;
    int64_t chunk;                       /* 0: none given */
    int64_t threads;                     /* 0: the run-time's */
    const struct value *only_if;         /* parallel: threads are used where it holds; NULL: always */
    const char *places;                  /* parallel: where threads run: "close", "spread", "primary"; NULL: anywhere */
    bool alone;                          /* parallel: in a region of its own */
    const struct loop_hint *hints;       /* the last one asked for, or NULL */
    const struct loop_stream *streams;   /* the last one asked for, or NULL */
    const struct step *independent_step; /* promises the compiler that lanes do not depend on each other, or NULL */
    const struct step *dot_step;         /* its iterations are the products of one instruction, or NULL */
    enum axis axis;                      /* of the launch, where its iterations run at once */
    int64_t run;            /* with an axis, of the loops of a tuple: a block has so many of the tuple's iterations, */
    enum axis threads_axis; /* one for each thread along this axis; 0: one iteration */
    const char *run_name;   /* what counts them */
    enum run_copies copies; /* with an axis, of a copy that threads make together in a kernel with runs */
    isl_aff *origin;        /* with an axis: the count that the loop has at position 0, kept by the arena */
    struct expr *size;      /* and its positions */
    int64_t blocks;   /* with an axis of blocks: at most so many, each of which walks on; 0: as many as iterations */
    int64_t resident; /* with an axis: so many blocks are to be on a multiprocessor at once; 0: that is not said */
    int64_t within; /* with an axis: at most so many positions, which the kernel has without the loop, too; 0: others */
    int whole_warp; /* with an axis along x: a block is rounded up to warps of so many threads; 0: it is not */
    bool whole;     /* with an axis: statements inside have other numbers of iterations; one loop is for all */
    int64_t weight; /* with AXIS_THREAD: of nested loops, whose iterations all threads go round as one: how many of
                          * these one iteration has */
    int64_t rounds; /* with AXIS_THREAD: a thread has so many of these iterations, or less; 0: that is not known */
    bool in_a_row;  /* and has them in a row; else they go from thread to thread */
    int64_t dealt;  /* with an axis of threads: the iterations go to so many threads in turn, however many there are,
                    * or to as many as the launch has (DEALT_TO_ALL); 0: each has a position */
    int tensor;     /* of a matrix instruction's tile: 1 the rows, 2 the columns, 3 the sum, 4 the products of a group;
                       * 0: none */
    const struct step *text_step; /* that wants an instruction of the description's in the place of loops, or NULL */
    int text_place;               /* which of these it is: 1, 2, ..; 0: none */
    bool literal;                 /* its full tiles are to have as many iterations as that one's loop */
    const struct step *sync[2];   /* the steps that ask for a barrier before and after it, or NULL */
    const struct step *unroll_step, *vector_step, *parallel_step, *bind_step, *tensor_step;
};

/* The copy of what is asked of info so far; to be changed and given to loop_plan_set. */
struct loop_plan loop_plan_of(const struct loop_info *info);
/* The value of a loop with an axis at position 0, an expression of the parameters; NULL: it is none. */
struct expr *loop_plan_first(struct arena *arena, const struct program *program, const struct loop_info *info);
/* Every loop with this identity, and every copy loop of a register buffer that follows it, gets the plan; refused when
 * it is to be unrolled and vectorised. */
enum status loop_plan_set(struct schedule *schedule, int id, const struct loop_plan *plan);
/* Has the target vectors? Otherwise that is told. */
bool loop_plan_has_vectors(struct schedule *schedule, const struct step *step);
/* Can the loop run in vectors? Reports why not: it is part of a collapsed one, or says which schedule runs. */
bool loop_plan_may_be_vector(struct schedule *schedule, const struct loop_ref *ref);
/* The rest of the tiles that the loop with this identity runs over becomes a loop of its own. */
void loop_plan_peel(struct schedule *schedule, int id);
/* Is it one of the inner loops of a parallel loop, between which nothing else may stand? */
bool loop_plan_is_inner(const struct loop_info *info);
/* Has it positions of a launch that tell what runs where, though it may have one iteration only? */
bool loop_plan_has_positions(const struct loop_info *info);
/* Was the loop of a copy bound by plan/device/copies/cooperate.h, and not by a step? */
bool loop_plan_is_cooperative(const struct loop_info *info);
/* Do all the values of the loop have to be literals in the emitted code? */
bool loop_plan_is_literal(const struct loop_info *info);

#endif
