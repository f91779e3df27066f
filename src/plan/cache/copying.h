/* A cache while it is being put in: what copies.c, redirect.c and copy_loops.c share. */
#ifndef PLAN_CACHE_COPYING_H
#define PLAN_CACHE_COPYING_H

#include "plan/cache/copies.h"

struct copies {
    struct schedule *schedule;
    const struct region *region;
    const struct buffer *buffer;
    const char *name;
    struct program *program;
    struct array *array;            /* the buffer in it */
    const struct array *original;   /* the cached array in it */
    struct statement *fill, *flush; /* NULL: nothing to copy */
    bool nests;                     /* the copies are nests of the schedule */
};

/* The loops outside, which are the buffer's first subscripts, and all its subscripts. */
static inline int copies_depth(const struct copies *copies)
{
    return copies->buffer->n_outside;
}

static inline int copies_rank(const struct copies *copies)
{
    return copies->buffer->n_outside + copies->buffer->n_digit;
}

struct expr *copies_expr(const struct copies *copies, enum expr_kind kind);
struct expr *copies_access(const struct copies *copies, const struct array *array, struct expr **arg, int n);
/* Reference k of the region becomes one to the buffer. Refused when a subscript has no expression. */
enum status copies_redirect(struct copies *copies, int k);
/* The conversions of the region's statements, once they use the buffer. */
void convert_statements(struct copies *copies);
/* The buffer is filled an iteration ahead, once the schedule goes on with the copies. */
enum status copies_ahead(const struct copies *copies);
/* order with the copies around the region. */
const struct order *copies_arrange(const struct copies *copies, const struct order *order);
/* Both orders with the copies as nests around what uses the buffer. */
void copies_arrange_nests(const struct copies *copies, const struct order **order, const struct order **original);

#endif
