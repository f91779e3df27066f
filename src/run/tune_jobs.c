#include "run/tune_jobs.h"

#include "base/json.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TRIALS = 64, DRAWS_FOR_ONE = 60 };

static polynest_status cannot(const struct tune *tune, const char *what, const char *path)
{
    run_error(tune->report, "cannot %s %s: %s", what, path, strerror(errno));
    return POLYNEST_ENVIRONMENT;
}

static bool write_file(const char *path, const struct text *text)
{
    FILE *file = fopen(path, "w");
    const bool ok = file && fputs(text_str(text), file) >= 0;

    return file && fclose(file) == 0 && ok;
}

/* "0001.json" and the command that measures it. */
static polynest_status write_job(struct tune *tune, const char *folder, int number, const struct candidate *candidate,
                                 struct text *jobs)
{
    char *path = arena_printf(tune->report->arena, "%s/%04d.json", folder, number);
    struct text text = {0};
    bool ok;

    text_add(&text, "{\"key\": ");
    json_string(&text, candidate->key);
    text_addf(&text, ", \"from\": \"%s\"}\n", candidate->from);
    ok = write_file(path, &text);
    text_addf(jobs, "%s --only '%s' --log '%s/%04d.jsonl'\n", tune->options->command ? tune->options->command : "",
              path, folder, number);
    text_free(&text);
    return ok ? POLYNEST_OK : cannot(tune, "write", path);
}

static bool is_drawn(const char *const *key, int n, const char *other)
{
    for (int k = 0; k < n; k++)
        if (strcmp(key[k], other) == 0)
            return true;
    return false;
}

/* Draws legal candidates that differ, and writes each. */
static polynest_status write_jobs(struct tune *tune, const char *folder, int wanted, int *n, struct text *jobs)
{
    const char **key = ARENA_ARRAY(tune->report->arena, wanted + 1, const char *);
    polynest_status status = POLYNEST_OK;

    for (int draws = 0; *n < wanted && draws < DRAWS_FOR_ONE * wanted && status == POLYNEST_OK; draws++) {
        const struct candidate candidate = candidates_next(&tune->candidates);
        struct runner runner = {0};

        if (run_stopped(tune->options))
            break;
        if (is_drawn(key, *n, candidate.key) || tune_log_find(&tune->log, &candidate) ||
            !tune_emit(tune, &candidate, 0, &runner))
            continue;
        key[(*n)++] = candidate.key;
        status = write_job(tune, folder, *n, &candidate, jobs);
    }
    return status;
}

polynest_status tune_plan(struct tune *tune, const char *folder)
{
    const int wanted = tune->options->trials > 0 ? (int)tune->options->trials : TRIALS;
    char *path = arena_printf(tune->report->arena, "%s/jobs", folder);
    struct text jobs = {0};
    polynest_status status;
    int n = 0;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return cannot(tune, "make", folder);
    candidates_start(&tune->candidates);
    status = write_jobs(tune, folder, wanted, &n, &jobs);
    if (status == POLYNEST_OK && !write_file(path, &jobs))
        status = cannot(tune, "write", path);
    if (status == POLYNEST_OK)
        text_addf(&tune->report->output, "%s: %d commands, %d candidates were illegal\n", path, n, tune->refused);
    text_free(&jobs);
    return status;
}

polynest_status tune_only(struct tune *tune, const char *path)
{
    struct runner runner = {0};
    struct candidate candidate;
    polynest_status status;

    if (!tune_log_candidate(tune->report->arena, path, &candidate)) {
        run_error(tune->report, "%s is no candidate", path);
        return POLYNEST_USAGE;
    }
    if (tune_log_find(&tune->log, &candidate) || !tune_emit(tune, &candidate, 0, &runner))
        return POLYNEST_OK;
    tune_build(tune, &runner, 1);
    status = tune_check(tune, &runner, 1);
    for (int k = 0; k < 3 && status == POLYNEST_OK && !runner.result; k++)
        tune_time(tune, &runner, 4e7);
    if (status == POLYNEST_OK && !run_stopped(tune->options))
        tune_keep(tune, &candidate, runner.result ? runner.result : "measured", runner.result ? NULL : &runner.times);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_log(const char *name)
{
    const size_t size = strlen(name);

    return size > 6 && strcmp(name + size - 6, ".jsonl") == 0;
}

/* Folders give their files in any order. */
polynest_status tune_merge(struct tune *tune, const char *folder)
{
    VEC(char *) name = {0};
    DIR *all = opendir(folder);

    if (!all)
        return cannot(tune, "read", folder);
    for (struct dirent *one; (one = readdir(all));)
        if (is_log(one->d_name))
            VEC_PUSH(tune->report->arena, &name, arena_printf(tune->report->arena, "%s/%s", folder, one->d_name));
    closedir(all);
    if (name.n > 0)
        qsort(name.at, (size_t)name.n, sizeof(*name.at), by_name);
    for (int k = 0; k < name.n; k++)
        if (!tune_log_read(&tune->log, tune->report, name.at[k]))
            return POLYNEST_USAGE;
    return POLYNEST_OK;
}
