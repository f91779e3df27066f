/* Small sets of integer points in two forms: rows that are evaluated at a point without isl, and isl's set of the same.
 *
 * A point is (N, i, j): one parameter and up to two dimensions.
 */
#ifndef TESTS_ISL_POINTS_H
#define TESTS_ISL_POINTS_H

#include <isl/set.h>

#include <stdbool.h>
#include <stdint.h>

enum { COLUMNS = 3, MOST_ROWS = 12, MOST_PIECES = 3 };

/* Where sets are compared; those that are drawn in a box lie inside of it with a margin. */
enum { LEAST = -6, MOST = 12, LEAST_N = -1, MOST_N = 6 };

/* factor * floor((a . x + a0) / divisor) */
struct quotient {
    int a[COLUMNS + 1]; /* the constant last */
    int divisor, factor;
};

/* a . x + a0 + the quotient >= 0, or == 0 */
struct row {
    int a[COLUMNS + 1];
    bool equal;
    struct quotient quotient; /* divisor 0: none */
};

struct piece {
    struct row row[MOST_ROWS];
    int n;
};

struct points {
    struct piece piece[MOST_PIECES];
    int n;
    int n_dim; /* 1 or 2 */
};

/* Random numbers, the same on every machine. */
struct draw {
    uint64_t state;
};
struct draw draw_new(uint64_t seed);
int draw_of(struct draw *draw, int n);             /* 0 .. n - 1 */
int draw_between(struct draw *draw, int a, int b); /* a .. b */

/* n_dim dimensions; boxed: for no points outside of -4 .. 9, with N in 0 .. 5. */
struct points points_draw(struct draw *draw, int n_dim, bool boxed);
bool points_have(const struct points *points, const long *x);
__isl_give isl_set *points_set(isl_ctx *ctx, const struct points *points);
/* Calls at with every point of the window; stops and is false where that is. */
bool points_each(int n_dim, bool (*at)(void *user, const long *x), void *user);

/* Is x in the set? By isl's constraints and the definitions of its quotients; by isl itself where these are unknown. */
struct reader;
struct reader *reader_new(__isl_keep isl_set *set, int n_dim);
bool reader_has(const struct reader *reader, const long *x);
void reader_free(struct reader *reader);

#endif
