/* What measures a kernel of PolyBench: the program that polybench.awk makes calls both functions on the arrays that it
 * describes. */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include <stddef.h>
#include <stdint.h>

/* An argument twice, and what it holds before each call. */
struct copies {
    void *plain, *other, *start;
    size_t bytes;
    int is_result;
};

extern struct copies array[];

/* An array of count elements of size bytes; row: elements of a row of a square matrix, whose diagonal gets large, or 0. */
void add_array(size_t size, size_t count, size_t row, int is_result);

/* Made by polybench.awk. */
void describe(void);
void run_plain(void);
void run_auto(void);

#endif
