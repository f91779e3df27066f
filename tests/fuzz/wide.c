/* polynest-wide: random programs of all features (wide.h), for run-wide to build, run and count.
 *
 * usage: polynest-wide FOLDER FIRST-SEED COUNT [free|product|dots|cores|chain|stages|rows|devices]
 *
 * A program whose description is refused at the place of a step loses that step and is tried again. What is accepted is
 * written to FOLDER: NAME.c, NAME.h, NAME.records with the interpreter's results at several sizes, and NAME.ref, the
 * same in plain C. FOLDER/log has a line for each event, words and features behind it:
 *
 *     drawn NAME FEATURE..             accepted NAME GROUP CLOSE WHOLE FEATURE..
 *     refused RULE                     of a step; base RULE of a whole program
 *     undefined NAME                   arithmetic is at all sizes
 *     finding NAME WHAT..              an internal error, a crash, or more than a second; NAME.json is kept
 *
 * Seeds are worked on in child processes, so that a crash ends one program only.
 */
#include "inputs.h"
#include "record.h"
#include "wide.h"
#include "wide_machine.h"

#include "api/registry.h"
#include "poly/context.h"
#include "polynest/polynest.h"
#include "read/read.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SECONDS = 40 };

static const struct {
    const char *word;
    void (*draw)(struct wide *wide);
    int share; /* of a hundred programs of all kinds; those of the last kinds are in others */
} kinds[] = {
    {"free", wide_free, 30},  {"product", wide_product, 11}, {"dots", wide_dots, 9},
    {"chain", wide_chain, 6}, {"stages", wide_stages, 24},   {"rows", wide_rows, 13},
    {"cores", wide_cores, 4}, {"texts", wide_texts, 3},      {"devices", wide_devices, 0},
};

enum { N_KIND = sizeof(kinds) / sizeof(*kinds) };

static const char *folder;
static FILE *events;

static void event(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void event(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(events, format, args);
    va_end(args);
}

static void event_features(const struct features *features)
{
    for (int k = 0; k < N_FEATURE; k++)
        if (features->has[k])
            event(" %s", wide_feature_name[k]);
    event("\n");
    fflush(events);
}

static void keep(const char *name, const char *ending, const char *text)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending);
    file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(3);
    }
    fputs(text, file);
    fclose(file);
}

/* The rule in the brackets at the end of the first error, in front of its code. */
static void rule_of(const char *said, char *rule, size_t size)
{
    const char *error = strstr(said, "error:"), *end = error ? strchr(error, '\n') : NULL, *from;

    snprintf(rule, size, "none");
    for (from = end; from > error && *from != '['; from--)
        ;
    if (from > error)
        snprintf(rule, size, "%.*s", (int)strcspn(from + 1, "]"), from + 1);
}

/* The step in whose line the first error is; -1: elsewhere. */
static int step_at(const struct wide *wide, const char *said)
{
    const char *error = strstr(said, "error:"), *line = error;
    int number;

    while (line && line > said && line[-1] != '\n')
        line--;
    if (!line || sscanf(line, "%*[^:]:%d:", &number) != 1)
        return -1;
    for (int k = 0; k < wide->n_step; k++)
        if (!wide->step[k].dropped && wide->step[k].line == number)
            return k;
    return -1;
}

static void drop(struct wide *wide, int number)
{
    wide->step[number].dropped = true;
    for (int k = number + 1; k < wide->n_step; k++)
        if (wide->step[k].goes_with == number && !wide->step[k].dropped)
            drop(wide, k);
}

/* Is it about the program as written, whatever the steps are? */
static bool is_of_reading(const char *rule)
{
    static const char *const rules[] = {"reserved-name", "narrowing",   "constant",    "guard",
                                        "bounds",        "initialised", "unknown-name"};

    for (size_t k = 0; k < sizeof(rules) / sizeof(*rules); k++)
        if (strcmp(rule, rules[k]) == 0)
            return true;
    return false;
}

/* A step whose tail is refused goes on without it; false where it has none. */
static bool drop_tail(struct wide_step *step)
{
    char *tail = strstr(step->text.data, ", \"tail\": \""), *end = tail ? strpbrk(tail + 2, ",}") : NULL;

    if (!end)
        return false;
    memmove(tail, end, strlen(end) + 1);
    step->text.size = strlen(step->text.data);
    for (int k = WIDE_TAIL_PEEL; k <= WIDE_TAIL_EXACT; k++)
        step->features.has[k] = false;
    step->features.has[WIDE_REGISTER_TAIL] = false;
    return true;
}

/* The last step that is still there; -1: none. */
static int last_step(const struct wide *wide)
{
    for (int plan = 1; plan >= 0; plan--)
        for (int k = wide->n_step - 1; k >= 0; k--)
            if (!wide->step[k].dropped && wide->step[k].plan == plan)
                return k;
    return -1;
}

static struct features all_features(struct wide *wide)
{
    struct features all = wide->features;
    static const struct {
        const char *simd;
        enum feature feature;
    } simds[] = {{"none", WIDE_NONE}, {"omp", WIDE_OMP},       {"vector", WIDE_VECTOR}, {"sse4.2", WIDE_SSE},
                 {"avx2", WIDE_AVX2}, {"avx512", WIDE_AVX512}, {"amx", WIDE_AMX},       {"neon", WIDE_NEON}};

    for (int k = 0; k < wide->n_step; k++)
        for (int f = 0; f < N_FEATURE && !wide->step[k].dropped; f++)
            all.has[f] = all.has[f] || wide->step[k].features.has[f];
    for (size_t k = 0; k < sizeof(simds) / sizeof(*simds) && !wide->cuda; k++)
        all.has[simds[k].feature] = strcmp(wide->simd, simds[k].simd) == 0;
    if (wide->type != TYPE_NONE)
        all.has[WIDE_WORK_BOOL + (enum feature)(wide->type - TYPE_BOOL)] = true;
    all.has[WIDE_CUDA] = wide->cuda;
    all.has[WIDE_OPENMP] = wide->openmp && !wide->cuda;
    all.has[WIDE_NO_OPENMP] = !wide->openmp && !wide->cuda;
    all.has[WIDE_VARIANT] = wide->variant;
    all.has[WIDE_ASKS] = wide->asks;
    all.has[WIDE_AUTO] = wide->automatic;
    all.has[WIDE_CHECK_ARGS] = wide->check_args;
    all.has[WIDE_SELF_CHECK] = wide->self_check;
    all.has[WIDE_REASSOCIATE] = wide->reassociate;
    all.has[WIDE_CONTRACT] = wide->contract;
    all.has[WIDE_APPROXIMATE] = wide->approximate;
    return all;
}

static int64_t size_drawn(struct wide *wide, int k)
{
    static const int64_t one[] = {0, 1, 5, 16, 37, 70, 130, 64}, two[] = {0, 1, 3, 8, 17, 33, 41, 20},
                         three[] = {0, 1, 2, 5, 9, 16, 19, 12};
    const int64_t *sizes = wide->depth < 2 ? one : wide->depth == 2 ? two : three;
    int64_t size = sizes[pick(wide, 8)];

    size = size < wide->least[k] ? wide->least[k] : size;
    if (wide->most[k] > 0 && size > wide->most[k])
        size = wide->most[k];
    if (wide->multiple[k] > 1)
        size = (size + wide->multiple[k] - 1) / wide->multiple[k] * wide->multiple[k];
    return size;
}

/* Sizes of its own, so that what is drawn next does not depend on them. */
static struct wide_seen seen_of(const struct wide *wide)
{
    struct wide_seen seen = {.close = wide->close > 0 ? wide->close : -1, .whole = wide->whole};
    struct wide sizes = *wide;

    sizes.prng.state = 1;
    for (int k = 0; k < SEEN_SIZES; k++)
        for (int p = 0; p < 2; p++)
            seen.size[k][p] = sizes.n_sizes ? sizes.sizes[k % sizes.n_sizes][p] : size_drawn(&sizes, p);
    return seen;
}

static void tell_seen(const struct wide_seen *seen, const char *name, const struct text *description)
{
    if (seen->reason.size) {
        keep(name, ".json", text_str(description));
        event("finding %s on the abstract machine: %s\n", name, text_str(&seen->reason));
    } else if (seen->ran) {
        event("machine %s\n", name);
    }
}

static polynest *emit(struct wide *wide, const char *name, struct text *description, polynest_status *status)
{
    struct wide_seen seen = seen_of(wide);
    double took;
    char header[64];
    polynest *p;

    text_truncate(description, 0);
    wide_describe(wide, false, description);
    keep("current", ".json", text_str(description));
    p = polynest_new("wide.json", text_str(description), description->size);
    snprintf(header, sizeof(header), "%s.h", name);
    polynest_set_function_name(p, name);
    polynest_set_header_name(p, header);
    if (wide->variant && !wide->asks)
        polynest_set_variant(p, "v");
    polynest_set_check_args(p, wide->check_args);
    polynest_set_self_check(p, wide->self_check);
    if (wide->automatic)
        polynest_set_auto(p, 0);
    wide_watch(p, &seen);
    took = -wide_seconds();
    *status = polynest_emit(p);
    took += wide_seconds() - seen.took;
    tell_seen(&seen, name, description);
    text_free(&seen.reason);
    event("took %s %.3f\n", name, took);
    if (took > (wide->self_check ? 2 : 1) && !wide->slow) {
        wide->slow = true;
        char slow[64];
        snprintf(slow, sizeof(slow), "%s_slow", name);
        keep(slow, ".json", text_str(description));
        event("finding %s slow %.1f s\n", slow, took);
    }
    return p;
}

/* Emits, dropping what is refused; NULL when nothing is left to drop. */
static polynest *emit_rest(struct wide *wide, const char *name, struct text *description)
{
    char rule[64];

    for (;;) {
        polynest_status status;
        polynest *p = emit(wide, name, description, &status);
        const char *said = polynest_diagnostics(p);
        int step;
        if (status == POLYNEST_OK)
            return p;
        rule_of(said, rule, sizeof(rule));
        step = step_at(wide, said);
        if (status == POLYNEST_ENVIRONMENT || strstr(said, "internal") || !strstr(said, "error:")) {
            keep(name, ".json", text_str(description));
            keep(name, ".said", said);
            event("finding %s internal %s\n", name, rule);
            polynest_free(p);
            return NULL;
        }
        event("refused %s %s %.*s\n", step < 0 ? "elsewhere" : "step", rule, (int)strcspn(strstr(said, "error:"), "\n"),
              strstr(said, "error:"));
        if (wide->slow) {
            polynest_free(p);
            return NULL;
        }
        if (step < 0 && !is_of_reading(rule))
            step = last_step(wide);
        if (step < 0) {
            char base[64];
            snprintf(base, sizeof(base), "%s_base", name);
            keep(base, ".json", text_str(description));
            keep(base, ".said", said);
            event("base %s %s\n", name, rule);
            polynest_free(p);
            return NULL;
        }
        if ((strcmp(rule, "tail") != 0 && strcmp(rule, "exact") != 0) || !drop_tail(&wide->step[step]))
            drop(wide, step);
        polynest_free(p);
    }
}

/* Interpreted, and its record written; false when the arithmetic is undefined at this size. */
static bool record_size(struct wide *wide, const struct program *program, const char *name, FILE *records,
                        const int64_t *param)
{
    struct prng prng = {.state = (uint64_t)param[0] * 1000 + (uint64_t)param[1], .whole = wide->whole};
    struct run run;
    bool good;

    run_init(&run, program, param);
    for (int k = 0; k < program->n_scalar; k++)
        run.scalar[k] = inputs_value(program->scalar[k].type, &prng);
    inputs_random(&run, &prng);
    struct snapshot before = snapshot_take(&run);
    good = run_program(&run) && !run.blame.reason;
    if (run.fault[0]) {
        event("finding %s accepted, but %s at %lld, %lld\n", name, run.fault, (long long)param[0], (long long)param[1]);
        good = false;
    }
    if (good) {
        record_write(records, &run, &before, 0);
        record_write(records, &run, &before, 1);
    }
    snapshot_free(&run, &before);
    run_free(&run);
    return good;
}

/* Records at sizes; false when there are none. */
static bool record_all(struct wide *wide, const struct program *program, const char *name)
{
    char path[512];
    FILE *records;
    int n = 0;

    snprintf(path, sizeof(path), "%s/%s.records", folder, name);
    records = fopen(path, "wb");
    for (int k = 0; k < (wide->n_sizes ? wide->n_sizes : 6); k++) {
        int64_t param[2];
        for (int p = 0; p < 2; p++)
            param[p] = wide->n_sizes ? wide->sizes[k][p] : size_drawn(wide, p);
        if (run_allowed(program, param))
            n += record_size(wide, program, name, records, param);
    }
    fclose(records);
    if (!n)
        unlink(path);
    return n > 0;
}

static const char *group_of(const struct wide *wide)
{
    if (wide->asks)
        return "asked";
    return wide->cuda ? "cuda" : strcmp(wide->simd, "sse4.2") == 0 ? "sse" : wide->simd;
}

static void keep_call(const struct program *program, const char *name, const char *called)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s.call", folder, name);
    file = fopen(path, "w");
    record_call(file, program, called);
    fclose(file);
}

static void keep_accepted(struct wide *wide, polynest *p, const struct program *program, const char *name,
                          const struct text *description)
{
    const struct features features = all_features(wide);
    struct text plain = {0};
    char called[64], judge[80];

    snprintf(called, sizeof(called), "%s%s", name, "");
    snprintf(judge, sizeof(judge), "ref_%s", called);
    keep(name, ".json", text_str(description));
    keep(name, ".c", polynest_source(p));
    keep(name, ".h", polynest_header(p));
    keep_call(program, name, called);
    wide_plain(wide, judge, &plain);
    keep(name, ".ref", text_str(&plain));
    text_free(&plain);
    event("accepted %s %s %s %g %s", name, called, group_of(wide), wide->close, wide->contract ? "contract" : "exact");
    event_features(&features);
}

/* Reads the bare description for the interpreter, and keeps all that there is. */
static void judge(struct wide *wide, polynest *p, const char *name, const struct text *description)
{
    struct arena *arena = arena_new();
    isl_ctx *ctx = poly_context_new(0);
    struct diags *diags = diags_new(arena);
    struct text bare = {0};
    struct program *program;

    wide_describe(wide, true, &bare);
    const struct source source = {"wide.json", text_str(&bare), bare.size};
    if (read_program(arena, ctx, &source, schedule_primitives, plan_primitives, diags, &program) != STATUS_OK) {
        keep(name, ".json", text_str(description));
        event("finding %s accepted, but refused without its steps\n", name);
    } else if (record_all(wide, program, name)) {
        keep_accepted(wide, p, program, name, description);
    } else {
        event("undefined %s\n", name);
    }
    text_free(&bare);
    arena_free(arena);
    poly_context_free(ctx);
}

/* Data are whole numbers where sums may be rounded otherwise; that shows in those alone that grow beyond what is exact.
 * */
static void allow_rounding(struct wide *wide)
{
    if (wide->close > 0 || (!wide->contract && !wide->reassociate))
        return;
    wide->close = wide->type == TYPE_F32    ? 4e-6
                  : wide->type == TYPE_F64  ? 1e-13
                  : wide->type == TYPE_F16  ? 2e-2
                  : wide->type == TYPE_BF16 ? 1e-1
                                            : 0;
}

/* One program in twelve; what it is does not depend on that. */
static void leave_steps(struct wide *wide, uint64_t seed)
{
    wide->self_check = seed % 11 == 4 && !wide->cuda;
    wide->automatic = seed % 12 == 5 && (!wide->variant || wide->asks) && !wide->tuned;
    for (int k = 0; wide->automatic && k < wide->n_step; k++)
        wide->step[k].dropped = true;
}

static void draw_program(struct wide *wide, uint64_t seed, const char *kind)
{
    int which = 0;

    *wide = (struct wide){.prng = {.state = seed}, .simd = "none"};
    snprintf(wide->function, sizeof(wide->function), "wide");
    if (kind) {
        while (which + 1 < N_KIND && strcmp(kinds[which].word, kind) != 0)
            which++;
    } else {
        int left = pick(wide, 100);
        while (which + 1 < N_KIND && left >= kinds[which].share)
            left -= kinds[which++].share;
    }
    kinds[which].draw(wide);
    allow_rounding(wide);
}

/* Of processor time, after which the process dies; 0: no more. */
static void limit(int most)
{
    const struct itimerval time = {.it_value = {.tv_sec = most}};

    setitimer(ITIMER_PROF, &time, NULL);
}

static void run_seed(uint64_t seed, const char *kind)
{
    struct wide *wide = malloc(sizeof(*wide));
    struct text description = {0};
    char name[32];
    polynest *p;

    snprintf(name, sizeof(name), "w%llu", (unsigned long long)seed);
    limit(MAX_SECONDS);
    draw_program(wide, seed, kind);
    leave_steps(wide, seed);
    const struct features features = all_features(wide);
    event("drawn %s", name);
    event_features(&features);
    p = emit_rest(wide, name, &description);
    if (p)
        judge(wide, p, name, &description);
    limit(0);
    fflush(events);
    polynest_free(p);
    text_free(&description);
    free(wide);
}

/* What the child that died had before it. */
static void keep_death(uint64_t seed, int status)
{
    char path[512], kept[512];

    snprintf(path, sizeof(path), "%s/current.json", folder);
    snprintf(kept, sizeof(kept), "%s/w%llu_died.json", folder, (unsigned long long)seed);
    rename(path, kept);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
        event("finding w%llu_died no end in %d s\n", (unsigned long long)seed, MAX_SECONDS);
    else
        event("finding w%llu_died signal or exit %d\n", (unsigned long long)seed, status);
    fflush(events);
}

/* The seed that was being worked on, in memory that all processes share. */
static uint64_t *shared_seed(void);

static void run_seeds(uint64_t first, uint64_t end, const char *kind)
{
    uint64_t *at = shared_seed();

    for (*at = first; *at < end; ++*at) {
        int status = 0;
        fflush(events);
        const pid_t child = fork();
        if (child == 0) {
            for (; *at < end; ++*at)
                run_seed(*at, kind);
            fflush(events);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (!status)
            break;
        keep_death(*at, status);
    }
}

static uint64_t *shared_seed(void)
{
    return mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int main(int argc, char **argv)
{
    char path[512];

    if (argc < 4) {
        fprintf(stderr, "usage: polynest-wide FOLDER FIRST-SEED COUNT [KIND]\n");
        return 2;
    }
    folder = argv[1];
    snprintf(path, sizeof(path), "%s/log", folder);
    events = fopen(path, "a");
    if (!events) {
        perror(path);
        return 3;
    }
    const uint64_t first = strtoull(argv[2], NULL, 10);
    run_seeds(first, first + strtoull(argv[3], NULL, 10), argc > 4 ? argv[4] : NULL);
    fclose(events);
    return 0;
}
