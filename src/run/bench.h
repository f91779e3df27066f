/* Measures what becomes of a description: compilers' own optimisers, its steps, its variants, what `auto` proposes. */
#ifndef RUN_BENCH_H
#define RUN_BENCH_H

#include "run/subject.h"

/* output is a table, or JSON. REFUSED: the description is, or a result differs. */
polynest_status run_bench(struct run_report *report, const polynest *p, const struct run_options *options);

#endif
