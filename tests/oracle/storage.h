/* The arrays of one run: their bytes, and which elements have been written. */
#ifndef ORACLE_STORAGE_H
#define ORACLE_STORAGE_H

#include "datum.h"
#include "program/program.h"

/* One array. Bytes and marks cover everything from the array pointer to the last element. */
struct storage {
    const struct array *array;
    int64_t *extent; /* n_dim of them */
    int64_t *stride; /* in elements */
    int64_t offset;
    int64_t n;           /* elements of storage, gaps included */
    unsigned char *byte; /* n * size of an element */
    bool *written;       /* by the run or as input */
};

/* Evaluated shape and layout, all bytes 0xA5 (floats: NaN), nothing written; temps with init zeroed. */
void storage_init(struct storage *storage, const struct program *program, const struct array *array,
                  int64_t *param);
void storage_free(struct storage *storage);

/* The position of an element, or -1 when an index is outside the shape. */
int64_t storage_position(const struct storage *storage, const int64_t *index);

#endif
