/* One side of flow.h at some parameters: the memory of arrays, whose elements hold terms, and who touched them when.
 *
 * Time is a sequence of epochs. One ends where threads start, end or wait for each other; what two threads do in one
 * epoch has no order. The blocks of a launch have no order either. Two accesses to one element without an order, one of
 * which writes, are a race unless both are atomic.
 *
 * In a doacross loop each iteration (k, m) counts as a thread, k being the number of the outermost loop's iteration and
 * m that of the inner loops: (k, m) is ordered after (k', m') where k' <= k and m' <= m.
 */
#ifndef LOWER_FLOW_FLOW_RUN_H
#define LOWER_FLOW_FLOW_RUN_H

#include "base/vec.h"
#include "lower/flow/flow_term.h"
#include "program/program.h"

struct statement;

/* Who touches memory, and when; the epoch says of which block. */
struct moment {
    uint32_t epoch;
    uint32_t thread : 31;
    uint32_t atomic : 1; /* so are all that have no order with it */
};

enum { THREAD_MANY = INT32_MAX, THREAD_MANY_BLOCKS = INT32_MAX - 1 };

struct cell {
    struct term term;
    const struct statement *writer;
    struct moment written, read;
    uint32_t generation; /* the space's when it was written; another one: it holds what the space starts with */
};

/* The elements of an array. */
struct space {
    const struct array *array;
    int64_t *extent, *stride; /* of each dimension, in elements */
    int64_t offset, n;
    int columns;       /* of an array of fragments: those of one, whose rows lie one after the other */
    struct cell *cell; /* NULL before the first access */
    uint32_t generation;
    int level; /* of nested threads that it was declared in: those have it for themselves */
};

enum flow_end {
    FLOW_GOES_ON,
    FLOW_SPENT,    /* no steps are left */
    FLOW_DECLINED, /* there is something that is not followed */
    FLOW_WRONG,
};

struct epoch {
    uint32_t launch, block; /* 0: of the host */
};

/* A doacross loop that was started: iteration (k, m) is thread first + k * inner + m. */
struct doacross {
    int64_t first, outer, inner;
};

/* Numbers that an array's elements start with, as they are subscripts; by position. */
struct given {
    const char *name;
    const int64_t *number;
    int64_t n;
};

struct flow {
    struct arena *arena;
    const struct program *program;
    const int64_t *param;
    struct algebra algebra;    /* with all that is permitted anywhere in the program */
    const struct given *given; /* n_given of them */
    int n_given;
    struct space *space; /* by array of the program */
    VEC(void *) cells;   /* of all spaces */
    int64_t steps;       /* left */
    enum flow_end end;
    const char *why; /* of an end */
    VEC(struct epoch) epoch;
    VEC(struct doacross) doacross;
    uint32_t threads, launches;        /* that were started */
    const struct statement *statement; /* that runs, or ran last */
};

/* A run of program, in which nothing is done yet. */
void flow_begin(struct flow *flow, struct arena *arena, const struct program *program, const int64_t *param,
                int64_t steps);
void flow_free(struct flow *flow);
/* Ends the run, unless it has ended. */
void flow_end(struct flow *flow, enum flow_end end, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Counts n steps; false when the run is over. */
bool flow_step(struct flow *flow, int64_t n);
/* What is done from now on is ordered behind what was done before, but for other blocks of the launch. */
void flow_new_epoch(struct flow *flow, uint32_t launch, uint32_t block);

/* The array of the flow's program: array itself or the one that it is a copy of; its number. */
int flow_array(struct flow *flow, const struct array *array);
/* New elements for the array, which hold what an array of its role starts with. */
struct space flow_space(struct flow *flow, const struct array *array, int level);
/* The same elements as if they were new. */
void flow_renew(struct space *space);
int flow_fragment_rows(const struct fragment *fragment);
int flow_fragment_columns(const struct fragment *fragment);
/* The position of an element whose subscripts are these; outside of the array: negative. */
int64_t flow_position_in(const struct space *space, const int64_t *index);
struct term flow_read(struct flow *flow, struct space *space, int64_t position, struct moment moment, int level);
void flow_write(struct flow *flow, struct space *space, int64_t position, struct term term, struct moment moment,
                int level);
/* What the element holds; of whose reading nobody takes note. */
struct term flow_look(struct flow *flow, const struct space *space, int64_t position);
/* The value of an expression of parameters. */
int64_t flow_extent(struct flow *flow, const struct expr *expr);

#endif
