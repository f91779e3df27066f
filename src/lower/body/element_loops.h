/* Loops over all elements of an argument, with the subscripts of the description. */
#ifndef LOWER_BODY_ELEMENT_LOOPS_H
#define LOWER_BODY_ELEMENT_LOOPS_H

#include "base/names.h"
#include "program/program.h"
#include "tree/tree.h"
#include "tree/vars.h"

struct element_loops {
    struct arena *arena;
    const struct program *program, *laid_out;
    struct vars *vars;
    const struct array *array; /* of program */
    const struct var **var;    /* by dimension */
};

/* Makes the variables, whose names are added to names, as those of the program are. */
void element_loops_begin(struct element_loops *loops, struct names *names);
/* The element of laid_out's array at the place of the loops, as that type; NULL: an overflow. */
const struct tree_expr *element_loops_value(const struct element_loops *loops, enum type type);
/* body in the loops; NULL: an overflow, or no body. */
const struct node *element_loops_around(const struct element_loops *loops, const struct node *body);
/* By array of program: LOOPs over the elements of what the function writes, around a LET of the element, its body
 * empty; NULL entry: no result. NULL: an overflow. */
const struct node *const *lower_results(struct arena *arena, const struct program *program,
                                        const struct program *laid_out, struct vars *vars);

#endif
