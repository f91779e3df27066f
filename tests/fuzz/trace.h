/* A program at concrete sizes: its instances in their original order, with what each may touch. */
#ifndef FUZZ_TRACE_H
#define FUZZ_TRACE_H

#include "interpret.h"
#include "sched/order.h"

enum { MAX_TOUCHES = 16, MAX_INSTANCE = 16 };

/* One element that an instance refers to, whether or not the branch is taken. */
struct touch {
    const struct array *array;
    uint64_t element; /* its subscripts, hashed */
    bool write;
    bool own; /* the target of an update: its read and its write */
};

struct event {
    const struct statement *statement;
    int64_t instance[MAX_INSTANCE];
    struct touch touch[MAX_TOUCHES];
    int n_touch;
    enum expr_op update; /* x op= e, or the op of x = x op e; OP_NONE */
    bool free;           /* the order of such updates may change */
};

struct trace {
    struct event *event;
    int n, capacity;
};

/* Interprets the program at these parameters; more than `limit` instances: only the first ones. */
void trace_take(struct trace *trace, const struct program *program, const int64_t *param, int limit);
/* The same for a program that steps have changed, whose nests are no more what it means: its instances in the order
 * that the steps say is the description's. */
void trace_take_changed(struct trace *trace, const struct program *program, const struct order *order,
                        const int64_t *param, int limit);
void trace_free(struct trace *trace);
/* The place of an instance in the trace, or -1. */
int trace_find(const struct trace *trace, const struct statement *statement, const int64_t *instance);

/* Do the two touch a common element that a or, where its reads count, b writes? Pairs of updates of one exact
 * reduction that touch nothing else in common do not count. */
bool trace_conflict(const struct event *a, const struct event *b, bool reads);

#endif
