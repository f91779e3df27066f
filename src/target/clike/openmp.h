/* The directives of OpenMP in front of a loop. */
#ifndef TARGET_CLIKE_OPENMP_H
#define TARGET_CLIKE_OPENMP_H

#include "target/clike/emitter.h"

/* "#pragma omp simd simdlen(8) reduction(+ : sum, total)" */
const char *openmp_simd(struct emitter *emitter, const struct node *loop);
/* "#pragma omp parallel if (M * N >= 100000) num_threads(4)": the start of a region. */
const char *openmp_parallel(struct emitter *emitter, const struct threads *threads);
/* "#pragma omp parallel for collapse(2) schedule(dynamic, 4)"; in a region "#pragma omp for nowait" */
const char *openmp_for(struct emitter *emitter, const struct node *loop);

#endif
