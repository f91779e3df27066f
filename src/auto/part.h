/* A nest as a tree of its loops, which is what proposals are about: `auto` divides loops in it, and chooses for each
 * part what is to become of it.
 */
#ifndef AUTO_PART_H
#define AUTO_PART_H

#include "base/vec.h"
#include "program/program.h"

struct nest_part;

typedef VEC(struct nest_part *) part_vec;

/* A loop with what is inside of it, or a statement. */
struct nest_part {
    const char *loop; /* NULL: a statement */
    int depth;        /* of the loop: which dimension it is of the statements inside; of a statement: its loops */
    bool descends;    /* the loop's values get smaller */
    part_vec child;   /* of the loop, in order; of the first part of a call, what its other parts are */
    const struct statement *statement;
};

/* What stands in the body of the nest, in order; conditions are left out. */
part_vec part_of_nest(struct arena *arena, const struct nest *nest);
/* The first statement of part, in the order of the text. */
const struct statement *part_first(const struct nest_part *part);
const struct statement *part_last(const struct nest_part *part);
bool part_has(const struct nest_part *part, const struct statement *statement);
/* Is there a loop inside of the loop? */
bool part_is_deep(const struct nest_part *part);
/* Does one of them call a function? */
bool parts_call(const part_vec *parts);
/* Marks the statements of part in member, by index. */
void part_mark(const struct nest_part *part, bool *member);

#endif
