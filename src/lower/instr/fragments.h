/* Part of pass "tensors": the tile at hand, and arrays of which matrix instructions hold tiles in registers, their
 * fragments. */
#ifndef LOWER_INSTR_FRAGMENTS_H
#define LOWER_INSTR_FRAGMENTS_H

#include "lower/instr/tensor_tile.h"

struct gpu;

/* What a walk over the tree is for: see lower/instr/tensors.c. */
enum phase { PRODUCTS, SPREAD, OTHERS };

/* What the parts of the pass share. */
struct tensors {
    struct arena *arena;
    struct tile_site site;
    const struct gpu *gpu;
    struct diags *diags;
    int64_t size[TENSOR_LOOPS]; /* of the tile at hand */
    const struct step *step;    /* that asked for it */
    enum phase phase;
    bool found; /* SPREAD: another array of fragments */
    bool refused;
};

/* The first of several refusals is reported, with a hint or NULL; NULL. */
const struct node *tensors_refuse(struct tensors *tensors, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Which tile the loops at hand go over. */
enum fragment_use fragment_use(const struct tensors *tensors);
/* Such a one of the size of the tile at hand. */
struct fragment fragment_wanted(const struct tensors *tensors, enum fragment_use use);
/* The array becomes one of such fragments: its last two dimensions are all of the tile. False after a refusal. */
bool fragment_make(struct tensors *tensors, const struct element *element, const struct fragment *wanted);
/* Do the loops at hand go over the rows and columns of the element's fragment? */
bool fragment_in_place(const struct tensors *tensors, const struct element *element);
/* "left factors of 16 x 16 x 16" */
const char *fragment_text(struct arena *arena, const struct fragment *fragment);
/* Where in memory the element's tile is; false after a refusal. */
bool fragment_tile(struct tensors *tensors, const struct element *element, enum fragment_use use,
                   struct tensor_tile *tile);

#endif
