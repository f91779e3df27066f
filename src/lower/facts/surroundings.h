/* A place in the loop tree: what is known there, and the names that the value nodes around it bind. */
#ifndef LOWER_FACTS_SURROUNDINGS_H
#define LOWER_FACTS_SURROUNDINGS_H

#include "lower/facts/facts.h"

struct surroundings {
    const struct facts *facts;
    const struct node *value; /* the innermost name; NULL: none */
    const struct surroundings *outer;
};

/* a in terms of what the names stand for. */
const struct affine *surroundings_expand(const struct surroundings *around, const struct affine *a);
/* a with names in place of sums that they stand for; not of sums that divide. */
const struct affine *surroundings_name(const struct surroundings *around, const struct affine *a);

#endif
