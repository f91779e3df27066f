/* Part of pass "tiles": the tile at hand. */
#ifndef LOWER_INSTR_TILE_PARTS_H
#define LOWER_INSTR_TILE_PARTS_H

#include "caps/simd.h"
#include "lower/instr/tensor_tile.h"

enum tile_loop { TILE_ROWS, TILE_COLUMNS, TILE_GROUPS, TILE_PRODUCTS, TILE_LOOPS };

/* What the parts of the pass share. */
struct tiles {
    struct arena *arena;
    struct tile_site site; /* what is around; its loops are those of a GPU's tile, none */
    const struct simd *simd;
    struct diags *diags;
    const struct step *step; /* that asked for the tile at hand */
    /* The loops of the tile at hand: their variables, NULL where there is none, their first values, what they grow by,
     * how many iterations there are, and how many of them run, times `apart`, which divides it, NULL: all. */
    const struct var *var[TILE_LOOPS];
    const struct affine *first[TILE_LOOPS];
    int64_t unit[TILE_LOOPS], size[TILE_LOOPS], apart[TILE_LOOPS];
    const struct affine *run[TILE_LOOPS];
    int64_t groups; /* of products in the tiles before, which groups_step asked for */
    const struct step *groups_step;
    struct condition *outside; /* conditions that are the same for all of the tile, n_outside of them */
    int n_outside;
    struct condition *inside; /* those that are not, of the loops' numbers (tiles_numbered), n_inside of them */
    int n_inside;
    bool refused;
};

/* The first of several refusals is reported, with a hint or NULL; NULL. */
const struct node *tiles_refuse(struct tiles *tiles, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* a for the first iteration of the tile's loops. */
const struct affine *tiles_first(const struct tiles *tiles, const struct affine *a);
/* a with the number of its iteration, counted from 0, in the place of each of the tile's loops. */
const struct affine *tiles_numbered(const struct tiles *tiles, const struct affine *a);
/* A condition inside of the tile's loops: how many iterations of one of them run. False after a refusal. */
bool tiles_limit(struct tiles *tiles, const struct condition *condition);
/* Around the tile stands that no loop of a part has less than no iterations: its size is given to instructions. */
void tiles_must_be(struct tiles *tiles);
/* How many iterations of the loop run, times factor. */
const struct affine *tiles_run(const struct tiles *tiles, enum tile_loop loop, int64_t factor);
/* Elements of memory from one iteration of the loop to the next; NULL: not known as one expression. */
const struct affine *tiles_step(const struct tiles *tiles, const struct element *element, enum tile_loop loop);
/* Is that so many elements? */
bool tiles_step_is(const struct tiles *tiles, const struct element *element, enum tile_loop loop, int64_t step);

#endif
