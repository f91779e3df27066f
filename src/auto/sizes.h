/* Variants of a product by its sizes: what is best for few terms, for few rows and for large matrices differs. */
#ifndef AUTO_SIZES_H
#define AUTO_SIZES_H

#include "auto/tiling.h"

/* Where the scene asks for variants: tells the proposal which there are, those that no sizes lead to left out, and adds
 * the option of the one that the scene is for, unless that is the packed one, whose tiling is given. right: the factor
 * of the columns. */
void sizes_propose(const struct site *site, const struct tiling *tiling, const struct access *right);

#endif
