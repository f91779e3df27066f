/* The directives of OpenMP in front of a loop. */
#ifndef TARGET_CLIKE_NODES_OPENMP_H
#define TARGET_CLIKE_NODES_OPENMP_H

#include "target/clike/emitter.h"

/* "#pragma omp simd simdlen(8) reduction(+ : sum, total)" */
const char *openmp_simd(struct emitter *emitter, const struct node *loop);
/* "#pragma omp parallel if (M * N >= 100000) num_threads(4)": the start of a region, whose text is code. */
const char *openmp_parallel(struct emitter *emitter, const struct node *region, const char *code);
/* "#pragma omp parallel for collapse(2) schedule(dynamic, 4)"; in a region "#pragma omp for nowait". code: the loop's
 * text. */
const char *openmp_for(struct emitter *emitter, const struct node *loop, const char *code);
/* "y[j] += x;": the update that follows `#pragma omp atomic`. */
const char *openmp_atomic(struct emitter *emitter, const struct node *assign);
/* "#pragma omp ordered depend(sink : i - 8, j)": what an iteration of the innermost of the doacross loop's loops waits
 * for. */
const char *openmp_wait(struct emitter *emitter, const struct node *doacross);

#endif
