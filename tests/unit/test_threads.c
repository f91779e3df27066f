/* Calls on different objects in several threads: each has the answers that it has alone. tests/thread-sanitized runs
 * this with the sanitizer of threads. */
#include "base/text.h"
#include "polynest/polynest.h"
#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { N_THREAD = 4, N_ROUND = 2 };

/* Everything that an object answers, one below the other. */
static void add_results(struct text *out, polynest *p, polynest_status status)
{
    text_addf(out, "%d\n%s%s%s%s%s%s", status, polynest_output(p), polynest_source(p), polynest_header(p),
              polynest_signature(p), polynest_diagnostics(p), polynest_diagnostics_json(p));
}

static polynest *describe(void)
{
    polynest *p = polynest_describe("f");

    polynest_add_param(p, "N", NULL);
    polynest_add_array(p, "A", "inout", "f32", "N, N");
    polynest_add_array(p, "s", "inout", "f32", "N");
    polynest_begin_nest(p, "n", "1 <= i < N, j < N");
    polynest_add_statement(p, "A[i, j] = exp(A[i - 1, j]) + s[j]");
    polynest_end(p);
    polynest_set_target(p, "openmp", "true");
    polynest_set_target(p, "simd", "avx2");
    polynest_set_key(p, NULL, "permit", "approximate, contract");
    return p;
}

static void ask(struct text *out, polynest *p)
{
    int yes;

    add_results(out, p, polynest_is_legal(p, &yes));
    add_results(out, p, polynest_is_parallel(p, "i", &yes));
    add_results(out, p, polynest_is_permutable(p, "i, j", &yes));
    add_results(out, p, polynest_footprint(p, "j", "A", &yes));
}

static void show(struct text *out, polynest *p)
{
    add_results(out, p, polynest_show(p, POLYNEST_LOOPS, 1));
    add_results(out, p, polynest_show(p, POLYNEST_CHANGES, 1));
    add_results(out, p, polynest_explain(p, NULL));
    add_results(out, p, polynest_explain_json(p));
    add_results(out, p, polynest_draw_page(p));
    add_results(out, p, polynest_dump(p, "all"));
    add_results(out, p, polynest_workload(p, 3));
}

static void add_owned(struct text *out, char *text)
{
    text_add(out, text);
    free(text);
}

/* The calls of one thread; malloc'ed. */
static char *all_calls(void)
{
    struct text out = {0};
    polynest *p = describe();

    ask(&out, p);
    add_results(&out, p, polynest_auto(p, 0));
    add_results(&out, p, polynest_apply(p, "tile", "i: 8, j: 32", NULL));
    add_results(&out, p, polynest_apply(p, "reorder", "i, j, ii, jj", NULL));
    add_results(&out, p, polynest_apply(p, "split", "jj", "by", "8", "as", "v", NULL));
    add_results(&out, p, polynest_apply(p, "vectorize", "v", NULL));
    add_results(&out, p, polynest_apply(p, "parallelize", "i", NULL));
    show(&out, p);
    add_results(&out, p, polynest_emit(p));
    polynest_undo(p);
    add_results(&out, p, polynest_apply(p, "parallelize", "j", NULL));
    add_results(&out, p, polynest_emit(p));
    polynest_free(p);
    add_owned(&out, polynest_schema());
    add_owned(&out, polynest_step_help("split"));
    add_owned(&out, polynest_code_help("PN0801"));
    return text_take(&out);
}

static void *run(void *wanted)
{
    for (int k = 0; k < N_ROUND; k++) {
        char *got = all_calls();
        const int same = strcmp(got, wanted) == 0;

        free(got);
        if (!same)
            return wanted;
    }
    return NULL;
}

START_TEST(threads_do_not_disturb_each_other)
{
    pthread_t thread[N_THREAD];
    char *wanted = all_calls();
    void *failed;

    ck_assert(strstr(wanted, "#pragma omp parallel") && strstr(wanted, "_mm256_") && strstr(wanted, "<svg"));
    for (int k = 0; k < N_THREAD; k++)
        ck_assert_int_eq(pthread_create(&thread[k], NULL, run, wanted), 0);
    for (int k = 0; k < N_THREAD; k++) {
        ck_assert_int_eq(pthread_join(thread[k], &failed), 0);
        ck_assert_ptr_null(failed);
    }
    free(wanted);
}
END_TEST

UNIT_MAIN("threads", threads_do_not_disturb_each_other)
