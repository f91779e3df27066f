#include "run/tune_log.h"

#include "base/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of the description's text and of what else decides about candidates. */
static uint64_t fingerprint(const char *text)
{
    uint64_t sum = UINT64_C(14695981039346656037);

    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return sum;
}

static char *head_line(struct arena *arena, const polynest *p, const char *name, const struct params *params)
{
    const char *schedule = polynest_schedule(p);
    struct text text = {0};
    char *line;

    text_add(&text, "{\"tune\": ");
    json_string(&text, name);
    text_add(&text, ", \"sizes\": {");
    for (int k = 0; k < params->n; k++)
        text_addf(&text, "%s\"%s\": %" PRId64, k ? ", " : "", params->param[k].name, params->param[k].value);
    text_addf(&text, "}, \"description\": \"%016" PRIx64 "\"}",
              fingerprint(polynest_description(p)) ^ (schedule ? fingerprint(schedule) : 0));
    line = arena_copy(arena, text_str(&text));
    text_free(&text);
    return line;
}

static const char *copied(struct arena *arena, const struct json *line, const char *key)
{
    return arena_copy(arena, json_text(line, key));
}

static struct candidate candidate_of(struct arena *arena, const struct json *line)
{
    struct candidate candidate = {.from = copied(arena, line, "from"), .key = copied(arena, line, "key")};

    if (strcmp(candidate.from, "grid") == 0)
        candidate.set = candidate.key;
    else if (strcmp(candidate.from, "steps") != 0)
        candidate.steps = candidate.key;
    return candidate;
}

/* A line that was cut when the program was killed is none. */
static void read_line(struct tune_log *log, const char *text)
{
    const struct json *line = json_parse(log->arena, text);
    struct known known = {.candidate = candidate_of(log->arena, line), .result = copied(log->arena, line, "result")};

    if (!*known.candidate.key || !*known.result || tune_log_find(log, &known.candidate))
        return;
    known.median = json_number(line, "median_ns");
    known.calls = (int)json_number(line, "calls");
    VEC_PUSH(log->arena, &log->known, known);
}

static void read_lines(struct tune_log *log, char *text)
{
    char *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        read_line(log, line);
    log->resumed = log->known.n;
}

/* The whole file, malloc'ed; NULL: there is none. */
static char *file_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct text text = {0};
    char part[4096];
    size_t n;

    while (file && (n = fread(part, 1, sizeof(part), file)) > 0)
        text_add_n(&text, part, n);
    if (!file)
        return NULL;
    fclose(file);
    return text_take(&text);
}

static bool append(const struct tune_log *log, const char *line)
{
    FILE *file = log->path ? fopen(log->path, "a") : NULL;
    const bool ok = file && fputs(line, file) >= 0;

    return !log->path || (file && fclose(file) == 0 && ok);
}

/* Does the text start with the log's head? An empty one does. */
static bool is_of_this(const struct tune_log *log, const char *text)
{
    const size_t size = strlen(log->head);

    return !*text || (strncmp(text, log->head, size) == 0 && text[size] == '\n');
}

bool tune_log_read(struct tune_log *log, struct run_report *report, const char *path)
{
    char *text = file_text(path);
    const bool ok = text && is_of_this(log, text);

    if (!text)
        run_error(report, "cannot read the log %s", path);
    else if (!ok)
        run_error(report, "the log %s is of another description, or of other sizes", path);
    else if (*text)
        read_lines(log, text + strlen(log->head));
    free(text);
    return ok;
}

/* A line that was cut is ended. */
static bool ends_with_line(const char *path)
{
    char *text = file_text(path);
    const size_t size = text ? strlen(text) : 0;
    const bool ends = size == 0 || text[size - 1] == '\n';

    free(text);
    return ends;
}

bool tune_log_open(struct tune_log *log, struct run_report *report, const char *path, const polynest *p,
                   const char *name, const struct params *params)
{
    struct stat info;
    bool ok = true;

    *log = (struct tune_log){.arena = report->arena, .path = path, .head = head_line(report->arena, p, name, params)};
    if (!path)
        return true;
    if (stat(path, &info) == 0 && info.st_size > 0) {
        if (!tune_log_read(log, report, path))
            return false;
        ok = ends_with_line(path) || append(log, "\n");
    } else {
        ok = append(log, log->head) && append(log, "\n");
    }
    if (!ok)
        run_error(report, "cannot write the log %s", path);
    return ok;
}

bool tune_log_candidate(struct arena *arena, const char *path, struct candidate *candidate)
{
    char *text = file_text(path);
    const struct json *line = text ? json_parse(arena, text) : NULL;

    *candidate = candidate_of(arena, line);
    free(text);
    return *candidate->key && *candidate->from;
}

const struct known *tune_log_find(const struct tune_log *log, const struct candidate *candidate)
{
    for (int k = 0; k < log->known.n; k++)
        if (strcmp(log->known.at[k].candidate.key, candidate->key) == 0)
            return &log->known.at[k];
    return NULL;
}

void tune_log_add(struct tune_log *log, const struct known *known)
{
    struct text line = {0};

    VEC_PUSH(log->arena, &log->known, *known);
    text_add(&line, "{\"key\": ");
    json_string(&line, known->candidate.key);
    text_addf(&line, ", \"from\": \"%s\", \"result\": \"%s\"", known->candidate.from, known->result);
    if (known->calls > 0)
        text_addf(&line, ", \"median_ns\": %.0f, \"calls\": %d", known->median, known->calls);
    text_add(&line, "}\n");
    append(log, text_str(&line));
    text_free(&line);
}
