/* The order: in which order the instances of the statements run.
 *
 * A tree of loops, sequences and leaves. It is isl's schedule tree in a form that is easy to rewrite:
 * a loop is a band with one member, a sequence is a sequence of filters, a leaf is a (part of a)
 * statement's domain. order_to_schedule gives the isl form. Nodes are immutable and shared; a step
 * makes a new tree out of pieces of the old one.
 *
 * A loop counts: its time maps each instance below it to an integer count,
 *     time  { S[i,j] -> [(floor(j/5))]; T[i] -> [..] }
 * and the value the user sees (and the emitted loop variable has) is stride * count + offset.
 */
#ifndef SCHED_ORDER_H
#define SCHED_ORDER_H

#include "program/program.h"

#include <isl/schedule.h>

enum tail { TAIL_AUTO, TAIL_PEEL, TAIL_GUARD, TAIL_EXACT, TAIL_MASK, TAIL_CASES, TAIL_ROUND_UP };

/* What a loop is to the last fuse that it took part in. */
enum fuse_role { ROLE_NONE, ROLE_FUSED, ROLE_FUSING, ROLE_UNFUSED };

struct loop_plan;

/* What is known of a loop besides its times. Immutable; changed copies keep the id. */
struct loop_info {
    int id;                        /* identity: copies of one loop share it */
    const char *name;              /* the user's handle */
    int64_t stride;                /* value = stride * count + offset; negative: prints a descending loop */
    isl_aff *offset;               /* [N] -> { [(..)] }, NULL: 0 */
    int64_t unit;                  /* counts from one iteration to the next; not 1 only for a stepped loop whose
                       * first value varies with outer loops */
    int64_t pad;                   /* counts by which `pad` moved the origin to the front */
    enum tail tail;                /* how the ragged rest of this loop's tiles is to be emitted */
    bool or_guard;                 /* tail `peel`, or `guard` where the rest cannot be cut off */
    enum tail rest;                /* of an inner part: the same of the loop whose tiles it goes through */
    int64_t tile;                  /* of an inner part: iterations of a full tile; 0: it is none */
    int64_t span;                  /* of an inner part: values that a full tile spans, 0: of `factors` */
    bool pieces;                   /* made of tiles: cut where their inner parts change shape */
    bool skewed;                   /* made of skewed slices: cut where any inner loop changes shape */
    int64_t unroll_below;          /* pieces with fewer iterations are unrolled; 0: none */
    int outer;                     /* identity of the loop this one is the inner part of, by split; 0: none */
    const struct loop_info *uncut; /* the loop this one is a piece of, by cut */
    enum fuse_role role;           /* the parts of a split keep it */
    const struct loop_plan *plan;  /* what the plan asks of it (plan/loop_plan.h), or NULL */
    int follows;  /* of a loop that copies a register buffer: identity of the loop whose plan it takes; 0: none */
    bool is_copy; /* fills or flushes a buffer: only meant by its qualified name */
    bool ahead;   /* outermost of the loops that copy by way of registers, for the next iteration of the loop around */
    bool whole;   /* one piece, with conditions inside, whatever runs in it */
    int tuple;    /* > 1: head of that many nested loops that are one collapsed loop; -1: one of its others */
    bool digit;   /* of a tuple: counts a digit of an axis of the launch, and stays a loop of its own */
    int64_t run;  /* of a head: its iterations go to blocks in runs of so many; of the loop inside of the tuple that
                   * stands for the iterations of a run, the same; 0: one by one */
    const struct loop_info *part; /* of a head: the loop that stood there */
    const char *comment;          /* for the emitted loop, or NULL */
    const struct step *step;      /* that made it; NULL: a loop of the description */
};

/* Is it one of several loops that become one only when it is printed? */
static inline bool loop_is_collapsed(const struct loop_info *info)
{
    return info->tuple != 0 && !info->digit;
}

enum order_kind { ORDER_LEAF, ORDER_SEQUENCE, ORDER_LOOP };

struct order {
    enum order_kind kind;
    const struct order *const *child; /* SEQUENCE: two or more; LOOP: one */
    int n_child;
    const struct loop_info *info;      /* LOOP */
    isl_union_pw_aff *time;            /* LOOP: count of each instance below; kept by the arena */
    const struct statement *statement; /* LEAF */
    isl_set *domain;                   /* LEAF: the instances that run here; kept by the arena */
};

const struct order *order_leaf(struct arena *arena, const struct statement *statement, __isl_take isl_set *domain);
/* One child stands for itself. */
const struct order *order_sequence(struct arena *arena, const struct order *const *child, int n);
const struct order *order_loop(struct arena *arena, const struct loop_info *info, __isl_take isl_union_pw_aff *time,
                               const struct order *body);
/* The same node over other children. */
const struct order *order_with_children(struct arena *arena, const struct order *order,
                                        const struct order *const *child);

/* The call that order is one of the parts of, not all of; NULL: there is none. */
const struct call *order_call(const struct order *order);
/* body with the loop around each of its leaves, and each call, instead of around all of it. */
const struct order *order_sunk(struct arena *arena, const struct order *loop, const struct order *body);

/* The order in which the description lists things. */
const struct order *order_original(struct arena *arena, const struct program *program);

/* Calls visit on node after rewriting its children; what it returns takes the node's place.
 * NULL from visit (refused) makes the whole result NULL. */
typedef const struct order *order_visit(void *data, const struct order *node);
const struct order *order_rewrite(struct arena *arena, const struct order *order, order_visit *visit, void *data);

/* All instances below order, { S[i,j] : ..; T[..] : .. }. */
__isl_give isl_union_set *order_domain(const struct order *order);
/* Is (part of) statement below order? */
bool order_has(const struct order *order, const struct statement *statement);
/* That of the first leaf. */
const struct statement *order_first_statement(const struct order *order);
/* Does a statement below order use the array? */
bool order_uses(const struct order *order, const struct array *array);
/* The only child that uses it; NULL: there is none, or there are several. */
const struct order *order_using_child(const struct order *order, const struct array *array);
/* The first loop below order (itself included) with this identity, or NULL. */
const struct order *order_find(const struct order *order, int id);

/* The first leaf of statement below order, or NULL. */
const struct order *order_leaf_of(const struct order *order, const struct statement *statement);
/* How many it has. */
int order_leaves(const struct order *order, const struct statement *statement);

/* order less one of its leaves; NULL: nothing is left. */
const struct order *order_without(struct arena *arena, const struct order *order, const struct order *leaf);

/* How many copies of the loop with this identity there are. */
int order_count(const struct order *order, int id);
/* The largest identity of the loops below order. */
int order_largest_id(const struct order *order);

/* isl's tree; above each band a mark whose user pointer is the loop's info. */
__isl_give isl_schedule *order_to_schedule(const struct order *order);
/* { S[i,j] -> [t0,t1,..]; T[..] -> .. }: when the instances run. */
__isl_give isl_union_map *order_times(const struct order *order);

/* A readable dump: one line a node. */
void order_dump(struct text *out, const struct order *order, int depth);

#endif
