/* What may become of a site: each recipe looks whether the site is what it is for, and adds its options. */
#ifndef AUTO_RECIPES_RECIPES_H
#define AUTO_RECIPES_RECIPES_H

#include "auto/site.h"

/* Iterations for a thread of a loop that also runs in lanes. */
enum { CHUNK = 2048 };

/* All recipes of a site, the best first. */
void recipes_of_site(const struct site *site);

/* A product of arrays summed up: tiles of results in registers, factors from packed panels where they are arrays of
 * their own. */
void recipe_tile(const struct site *site);
/* Sums along rows, each in its own order, and other recurrences along them: several rows at a time. Sums of rows
 * into a vector: several rows at a time, the vector in lanes. */
void recipe_rows(const struct site *site);
/* Is it another recurrence along rows, several of which go at a time? */
bool rows_recur(const struct site *site);
/* The loop over the rows where those are added to a vector, neighbours in lanes; -1: that is not so. */
int rows_added(const struct site *site);
/* The loop over the rows where each is summed up, neighbours after each other; -1: that is not so. */
int rows_summed(const struct site *site);
/* Are rows added to a vector that registers could hold? */
bool rows_fit_registers(const struct site *site);
/* Anything with a loop whose iterations do not depend on each other: vectors, and threads outside of them. */
void recipe_stream(const struct site *site);
/* The loop for the lanes, of those that are free; -1: none gains. */
int stream_lanes(const struct site *site);

/* Loops without dependences in which neighbours are clamped at the ends: those in lanes between the ends. */
void recipe_border(const struct site *site);
/* Does that do more than threads? *ends: iterations that stay apart. */
bool border_gains(const struct site *site, struct stride_ends *ends);

/* Loops in which nothing else gains, whose iterations share only temporaries: threads and lanes that have these for
 * themselves. */
void recipe_private(const struct site *site);

/* A whole nest that repeats sweeps over arrays: tiles of several sweeps, skewed so that each finds what it needs. */
void recipe_time(const struct scene *scene, const part_vec *parts, struct choice *choice);
/* A whole nest in which each row needs those before it: blocks of rows, whose sums over earlier rows do not wait. */
void recipe_blocks(const struct scene *scene, const part_vec *parts, struct choice *choice);
/* A whole nest in which rows sum up rows behind or before them, for many columns: tiles of sums in registers. */
void recipe_triangle(const struct scene *scene, const part_vec *parts, struct choice *choice);
/* A whole nest whose iterations of a loop over neighbours have scalars of their own: those in lanes. */
void recipe_columns(const struct scene *scene, const part_vec *parts, struct choice *choice);
/* A whole nest in which elements of a row sum up what is in front of them in the same row: each is added to all behind
 * it, which are neighbours. */
void recipe_push(const struct scene *scene, const part_vec *parts, struct choice *choice);
/* A whole nest in which elements of a row depend on one of them only, the pivot, which an outer loop counts: the
 * elements before it and the elements after it in lanes. */
void recipe_pivot(const struct scene *scene, const part_vec *parts, struct choice *choice);
/* A right-looking factorisation, each step of which completes a column and updates all later ones: left-looking, in
 * blocks of columns, each of which receives all earlier updates while it is in cache. */
void recipe_left(const struct scene *scene, const part_vec *parts, struct choice *choice);
/* A whole nest with loops over lines that do not wait for each other, though elements along them do, or though they
 * share scalars: lines in lanes. */
void recipe_lines(const struct scene *scene, const part_vec *parts, struct choice *choice);
/* Loops in which nothing else gains, one of which has iterations that share nothing: those in lanes. */
void recipe_apart(const struct scene *scene, const struct nest_part *part, struct choice *choice);
/* n nests after each other, of whose arrays later ones read rows nearby, as the stages of an image pipeline. */
void recipe_stages(const struct scene *scene, const struct nest *first, int n, struct choice *choice);
/* Two nests, the second of which adds rows of what the first makes to a vector. */
void recipe_pair(const struct scene *scene, const part_vec *first, const part_vec *second, struct choice *choice);
/* Parts after each other, one of which sums up the rows of a matrix, and one adds them to a vector. */
void recipe_once(const struct scene *scene, const struct nest_part *first, const struct nest_part *second,
                 struct choice *choice);

#endif
