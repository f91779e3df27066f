/* A matrix product that calls of the library describe and schedule, with questions in between; prints the C.
 *
 *     cc build_gemm.c $(pkg-config --cflags --libs polynest) -o build_gemm && ./build_gemm > gemm.c
 */
#include <polynest/polynest.h>

#include <stdio.h>
#include <stdlib.h>

static void must(polynest *p, polynest_status status)
{
    if (status == POLYNEST_OK)
        return;
    fputs(polynest_diagnostics(p), stderr);
    exit((int)status);
}

/* C = A B */
static polynest *describe(void)
{
    polynest *p = polynest_describe("gemm");

    must(p, polynest_add_param(p, "M", NULL));
    must(p, polynest_add_param(p, "N", NULL));
    must(p, polynest_add_param(p, "K", NULL));
    must(p, polynest_add_array(p, "A", "in", "f32", "M, K"));
    must(p, polynest_add_array(p, "B", "in", "f32", "K, N"));
    must(p, polynest_add_array(p, "C", "out", "f32", "M, N"));
    must(p, polynest_begin_nest(p, "zero", "i < M, j < N"));
    must(p, polynest_add_statement(p, "C[i, j] = 0.0"));
    must(p, polynest_end(p));
    must(p, polynest_begin_nest(p, "mm", "i < M, j < N, k < K"));
    must(p, polynest_add_statement(p, "C[i, j] += A[i, k] * B[k, j]"));
    must(p, polynest_end(p));
    must(p, polynest_set_target(p, "simd", "avx2"));
    must(p, polynest_set_key(p, NULL, "permit", "contract"));
    return p;
}

/* Rows and columns of C in registers, 6 by 16. */
static void schedule(polynest *p)
{
    must(p, polynest_apply(p, "tile", "mm.i: 6, mm.j: 16", NULL));
    must(p, polynest_apply(p, "split", "mm.jj", "by", "8", "as", "v", NULL));
    must(p, polynest_apply(p, "reorder", "mm.i, mm.j, k, ii, jj, v", NULL));
    must(p, polynest_apply(p, "cache", "C", "at", "k", "as", "acc", "memory", "register", NULL));
    must(p, polynest_apply(p, "kernelize", "unroll: [ii, jj], vectorize: v", NULL));
}

static int print(polynest_part part, const char *text, size_t size, void *user)
{
    return part == POLYNEST_SOURCE && fwrite(text, 1, size, user) != size;
}

int main(void)
{
    polynest *p = describe();
    int yes;

    must(p, polynest_is_permutable(p, "mm.i, mm.j, k", &yes));
    fprintf(stderr, "the loops of mm can be tiled: %s\n", yes ? "yes" : polynest_output(p));
    must(p, polynest_is_parallel(p, "k", &yes));
    fprintf(stderr, "k is parallel: %s\n", yes ? "yes" : polynest_output(p));
    schedule(p);
    must(p, polynest_footprint(p, "mm.j", "B", &yes));
    fprintf(stderr, "a tile reads of B: %s%s\n", yes ? "" : "at most ", polynest_output(p));
    must(p, polynest_apply(p, "vectorize", "k", NULL));
    if (polynest_check(p) != POLYNEST_OK) {
        fprintf(stderr, "k stays scalar:\n%s", polynest_diagnostics(p));
        polynest_undo(p);
    }
    polynest_set_header_name(p, "gemm.h");
    must(p, polynest_emit_to(p, print, stdout));
    polynest_free(p);
    return 0;
}
