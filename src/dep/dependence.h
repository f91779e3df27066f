/* Dependences: pairs of instances that touch the same element and must keep their order.
 *
 * All pairs are kept, not only the nearest: a reduction's own dependences can then be left out
 * without losing the order against its initialisation. Each is a map
 *     { S[i,j] -> T[i',j'] }   S[i,j] runs before T[i',j'] in the original order
 * at least one of the two writes the element.
 */
#ifndef DEP_DEPENDENCE_H
#define DEP_DEPENDENCE_H

#include "program/program.h"

#include <isl/schedule.h>

/* What a statement does to the elements that one access map names. */
struct reference {
    const struct statement *statement;
    const struct array *array;
    const struct access *access; /* the first access with this map */
    isl_map *map;                /* { S[i,j] -> A[..] }; kept by the access */
    bool reads, writes, may;
    bool reduction; /* the target of a recognised reduction: x op= e, where e and conditions do not read x */
    bool update;    /* and the order of its updates is free */
};

struct dependence {
    const struct reference *from, *to;
    isl_map *map;   /* { S[..] -> T[..] }, see above */
    bool reduction; /* both are updates of one reduction whose order is free */
};

struct dependences {
    const struct program *program;
    struct dependence *list;
    int n;
    const struct reference *const *reference; /* of all statements */
    int n_reference;
    bool complete; /* of each array that statements read and write, all pairs between these statements are here */
    isl_union_map *required; /* all of list but reductions and what `unsafe` waived */
};

/* Which dependences are of interest; NULL: any. */
struct interest {
    const struct array *array;    /* those about it */
    const bool *among;            /* those from and to these statements, by index */
    const struct statement *from; /* those from its instances */
};

/* The dependences of program when run in the original order, those of interest. Kept by the program's arena; NULL on
 * an isl error. */
struct dependences *dependences_compute(struct arena *arena, const struct program *program,
                                        __isl_keep isl_schedule *original, struct interest interest);
/* A copy that does not require the given pairs. */
struct dependences *dependences_without(struct arena *arena, const struct dependences *dependences,
                                        __isl_take isl_union_map *waived);

/* "flow", "anti", "output": how the two references of a dependence conflict. */
const char *dependence_kind(const struct dependence *dependence);

/* Are both ends updates of one reduction, whether its order is free or not? */
bool dependence_within_reduction(const struct dependence *dependence);

/* Is statement an update x op= e (or x = x op e) of a reduction, perhaps under a condition? *op gets the operator,
 * - counts as +. */
bool statement_is_update(const struct statement *statement, enum expr_op *op);
/* Is it x = x + a + b, which is x += a + b only where sums may be regrouped? */
bool statement_is_long_sum(const struct statement *statement);
/* Is the update a minimum or maximum of an integer with operands that its type does not hold, such as u8 min= i8? Each
 * result is converted back, and the order matters. Sums, products and bit operations are the same modulo 2^n. */
bool update_converts(const struct statement *statement, enum expr_op op);
/* May the order of such updates change without changing the result (exact types, or permitted)? */
bool update_order_is_free(const struct program *program, const struct statement *statement, enum expr_op op);
/* Makes x = x op e and the like, in an order that is free, x op= e; false: the statement is none. Its accesses are
 * still those of the longer form. */
bool update_shorten(const struct program *program, struct statement *statement);

#endif
