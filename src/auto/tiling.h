/* Sums of products of arrays as tiles of sums: what the loops of such a site are, and steps that recipes share. */
#ifndef AUTO_TILING_H
#define AUTO_TILING_H

#include "auto/site.h"

struct tiling {
    int row, column; /* of the tile; columns are in lanes */
    int sum[MAX_DEPTH], n_sum;
    int other[MAX_DEPTH], n_other; /* further free loops */
    const struct statement *statement;
    int vectors, rows;
    int64_t depth; /* of a block: iterations of the sum */
    int64_t size;  /* of an element, in bytes */
};

/* What access does in a loop of the site. */
enum stride tiling_moves(const struct site *site, const struct access *access, int loop);
/* Tiles of sums in registers: rows that are unrolled, and columns in lanes. */
void tiling_kernel(const struct site *site, struct option *option, const char *row, const char *column,
                   const char *lane);
/* The sums of the target stay in registers while the loop runs. */
void tiling_keep(const struct site *site, const struct tiling *tiling, struct option *option, const char *loop);
/* The sums of the loop's next iteration are fetched, which are in rows far apart. */
void tiling_fetch(const struct site *site, const struct tiling *tiling, struct option *option, const char *loop);

#endif
