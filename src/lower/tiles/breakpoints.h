/* Where the inner loops of a loop of tiles change their shape. */
#ifndef LOWER_TILES_BREAKPOINTS_H
#define LOWER_TILES_BREAKPOINTS_H

#include "base/vec.h"
#include "tree/tree.h"

/* A condition factor * v + rest >= 0 on the loop's variable under which an inner loop has its full shape. */
struct breakpoint {
    int64_t factor;            /* not 0 */
    const struct affine *rest; /* free of v and of the variables inside */
};

/* A walk over the loops inside the one that is cut. */
struct search {
    struct arena *arena;
    const struct node *loop;
    VEC(int) parts;                 /* identities of the loop and its inner parts on the way down */
    VEC(const struct node *) inner; /* loops and values on the way down */
    bool worst_case;                /* conditions on loops inside count where these are hardest to meet */
    VEC(struct breakpoint) found;
};

/* The breakpoints of loop, in found. All of it lives in the arena. */
struct search search_loop(struct arena *arena, const struct node *loop, bool worst_case);

#endif
