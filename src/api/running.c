/* What builds and runs emitted code: src/run with the settings of the description. */
#include "polynest/polynest.h"

#include "api/compile.h"
#include "run/bench.h"
#include "run/tune.h"
#include "run/verify.h"

#include <string.h>

int polynest_set_running(polynest *p, const char *key, const char *value)
{
    return run_options_set(&p->running, key, value);
}

void polynest_set_stop(polynest *p, const volatile sig_atomic_t *stop)
{
    p->running.stop = stop;
}

void polynest_set_progress(polynest *p, void (*progress)(const char *line, void *user), void *user)
{
    p->running.progress = progress;
    p->running.progress_user = user;
}

polynest_status polynest_workload(polynest *p, unsigned number)
{
    return compile_run(p, &(struct goal){.kind = GOAL_WORKLOAD, .number = number});
}

typedef polynest_status verb(struct run_report *report, const polynest *p, const struct run_options *options);

/* Runs it on p and keeps what it makes as the results. */
static polynest_status run(polynest *p, verb *made_by)
{
    struct run_report report = {.arena = arena_new()};
    polynest_status status;

    compile_clear(p);
    report.diags = diags_new(report.arena);
    status = made_by(&report, p, &p->running);
    text_add(&p->result.output, text_str(&report.output));
    if (report.refused.size > 0) {
        text_add(&p->result.diagnostics, text_str(&report.refused));
        text_add(&p->result.diagnostics_json, text_str(&report.refused_json));
    } else {
        diags_print(report.diags, &p->result.diagnostics);
        diags_print_json(report.diags, &p->result.diagnostics_json);
    }
    text_free(&report.output);
    text_free(&report.refused);
    text_free(&report.refused_json);
    arena_free(report.arena);
    return status;
}

polynest_status polynest_verify(polynest *p)
{
    return run(p, run_verify);
}

polynest_status polynest_bench(polynest *p)
{
    return run(p, run_bench);
}

polynest_status polynest_tune(polynest *p)
{
    return run(p, run_tune);
}
