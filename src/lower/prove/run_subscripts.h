/* Is what the finished tree loads and stores what the statements say? At each instance that is run (prove/run_tree.h)
 * the element that an assignment stores must be the statement's target, and each element that it loads the one that the
 * statement reads at this place of its expression (prove/own_part.h), or where the place is not known one of those that
 * it reads, at the coordinates that the node tells for the instance. Numbers and operations at known places must be the
 * statement's. Its subscripts are evaluated from its expressions, the node's as they are printed: a pass that changes
 * one of node and instance, and not the other, is seen.
 *
 * A name (LET) stands for what is loaded where it is bound: those loads are looked at where the name is used, with the
 * instance that uses it.
 *
 * Where instances and elements are equally far apart from each lane and each iteration of a loop to the next, two
 * lanes in two iterations are enough: if these are at the same accesses, all are.
 *
 * Looked at are affine subscripts, of lanes that are a constant number apart too, in arrays that no pass has given
 * another form; of products and tiles those of their first instance, and where in memory the others of a tile in
 * registers are (prove/run_tiles.h). Groups of members, elements behind a POINTER, elements that floors or memory tell
 * and those of arrays that have lost dimensions are not.
 */
#ifndef LOWER_PROVE_RUN_SUBSCRIPTS_H
#define LOWER_PROVE_RUN_SUBSCRIPTS_H

#include "base/diag.h"
#include "lower/prove/linear.h"
#include "lower/prove/node_looks.h"

/* One access of a statement, in the array's stored dimensions. */
struct stored_access {
    const struct expr *expr; /* the statement's */
    const struct array *array;
    struct expr **subscript;
    const struct linear **linear; /* of each subscript, NULL where it is none */
    bool told;                    /* the array has as many dimensions as it had; else no subscripts are known */
    const struct stored_access *next;
};

/* Of an array at the parameters that are looked at: extents, or strides where it has them. */
struct extents {
    const struct array *array;
    int64_t *extent;
    bool known;
};

typedef VEC(struct extents) extents_vec;

struct subscripts {
    struct arena *arena;
    const struct program *program, *laid_out;
    const int64_t *param;
    const struct stored_access **access; /* of each statement, by index, once they were asked for: target first */
    const struct statement *wrong;       /* the first one whose node says something else; NULL: none */
    const char *what;                    /* and what that is */
    const int64_t *coordinate;
    struct looks_table looks;
    extents_vec extents; /* of arrays that were asked for */
    int64_t n_sizes;     /* that were looked at */
};

struct subscripts subscripts_of(struct arena *arena, const struct program *program, const struct program *laid_out);
/* The accesses of the statement: its target first. */
const struct stored_access *subscripts_accesses(struct subscripts *subscripts, const struct statement *statement);
/* Is the element one whose subscripts are told by affine expressions? */
bool subscripts_tell(const struct element *element);
/* From here on the parameters have these values. */
void subscripts_at(struct subscripts *subscripts, const int64_t *param);
/* struct running's look, user being struct subscripts. */
void subscripts_look(void *user, struct running *running, const struct node *node, const struct statement *statement,
                     const int64_t *coordinate, int64_t lane);
void subscripts_report(const struct subscripts *subscripts, struct diags *diags);

#endif
