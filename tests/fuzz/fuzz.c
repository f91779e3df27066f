/* polynest-fuzz: random programs with random schedules, judged from both sides.
 *
 * usage: polynest-fuzz FOLDER FIRST-SEED COUNT [caches|plans|loops|grid|products|sums|chains|polyhedral|calls]
 *
 * Every seed gives one description. Accepted: its C file, its header and records of the oracle at several
 * sizes are written to FOLDER (fuzz_SEED.c, fuzz_SEED.h, records, call.c), for run-fuzz to build
 * and run. Refused for its order: the counterexample is confirmed by enumeration. The description at work is
 * FOLDER/current.json, and stays there when the program dies. Exit status 0, or 1 when a verdict is wrong.
 */
#include "generate.h"
#include "inputs.h"
#include "judge_loop.h"
#include "record.h"

#include "../machine/judge.h"
#include "api/registry.h"
#include "poly/context.h"
#include "polynest/polynest.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

enum outcome { ACCEPTED, ILLEGAL, STRUCTURE, LATER, UNDECIDED, UNDEFINED, WRONG, N_OUTCOME };

struct fuzz {
    const char *folder;
    FILE *records, *calls, *table;
    int n_function;
    int count[N_OUTCOME];
    enum drawn drawn; /* for the plan; a program has all of it that is not refused */
    int n_chosen;
    int n_run; /* programs whose trees the abstract machine ran */
};

/* One description on its way. */
struct subject {
    struct fuzz *fuzz;
    uint64_t seed;
    char name[32];
    struct text description;
    struct text reason; /* why the verdict is wrong */
    const struct program *program;
};

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, mode);
    if (!file) {
        perror(path);
        exit(3);
    }
    return file;
}

static void write_text(const char *folder, const char *stem, const char *ending, const char *text)
{
    char name[64];
    FILE *file;

    snprintf(name, sizeof(name), "%s%s", stem, ending);
    file = open_in(folder, name, "w");
    fputs(text, file);
    fclose(file);
}

/* One record; false when the arithmetic is undefined at this size. */
static bool record_size(struct subject *subject, const int64_t *param, struct prng *prng)
{
    struct run run;
    bool good;

    run_init(&run, subject->program, param);
    inputs_random(&run, prng);
    struct snapshot before = snapshot_take(&run);
    good = run_program(&run) && !run.blame.reason;
    if (run.fault[0])
        text_addf(&subject->reason, "accepted, but %s at N = %lld, M = %lld", run.fault, (long long)param[0],
                  (long long)param[1]);
    if (good)
        record_write(subject->fuzz->records, &run, &before, subject->fuzz->n_function);
    snapshot_free(&run, &before);
    run_free(&run);
    return good;
}

/* Are sizes that are no multiples of 4 assumed away? */
static bool is_even(const struct program *program)
{
    for (int k = 0; k < program->n_assume; k++)
        if (strchr(program->assume[k], '%'))
            return true;
    return false;
}

enum { N_SIZES = 8 };

/* Sizes for what is drawn, N and M in turn. */
static const int64_t (*sizes_for(enum drawn drawn, const struct program *program))[2]
{
    static const int64_t sizes[][2] = {{0, 0}, {1, 1}, {2, 5}, {3, 0}, {4, 3}, {5, 7}, {7, 2}, {9, 11}};
    static const int64_t even[][2] = {{0, 0}, {4, 0}, {0, 4}, {4, 4}, {8, 4}, {4, 12}, {12, 8}, {16, 20}};
    static const int64_t tiles[][2] = {{0, 0}, {1, 1}, {16, 16}, {17, 3}, {32, 35}, {40, 16}, {5, 20}, {33, 47}};
    static const int64_t warps[][2] = {{0, 0}, {1, 1}, {2, 5}, {3, 33}, {2, 64}, {1, 100}, {4, 32}, {2, 130}};

    return drawn == DRAW_PRODUCT ? tiles : drawn == DRAW_SUM ? warps : is_even(program) ? even : sizes;
}

static struct prng inputs_for(const struct subject *subject)
{
    const enum drawn drawn = subject->fuzz->drawn;

    return (struct prng){.state = subject->seed, .whole = drawn == DRAW_PRODUCT || drawn == DRAW_SUM};
}

static bool record_sizes(struct subject *subject)
{
    const int64_t(*own)[2] = sizes_for(subject->fuzz->drawn, subject->program);
    struct prng prng = inputs_for(subject);
    int n = 0;

    for (int k = 0; k < N_SIZES; k++)
        n += record_size(subject, own[k], &prng);
    return n > 0;
}

/* The finished tree on the abstract machine, before any compiler sees the text of it. */
static void see_tree(const struct finished *finished, void *user)
{
    struct subject *subject = user;
    struct judge judge = {.finished = finished, .close = -1, .orders = 3, .assignments = 400000};
    const int64_t(*own)[2] = sizes_for(subject->fuzz->drawn, finished->described);
    struct prng prng = inputs_for(subject);

    for (int k = 0; k < N_SIZES && !judge.lacks && !subject->reason.size; k++)
        judge_size(&judge, own[k], NULL, &prng, &subject->reason);
    subject->fuzz->n_run += judge.runs > 0 && !judge.lacks;
}

static enum outcome keep(struct subject *subject, const polynest *p)
{
    struct fuzz *fuzz = subject->fuzz;

    if (!record_sizes(subject))
        return subject->reason.size ? WRONG : UNDEFINED;
    write_text(fuzz->folder, subject->name, ".c", polynest_source(p));
    write_text(fuzz->folder, subject->name, ".h", polynest_header(p));
    fprintf(fuzz->calls, "#include \"%s.h\"\n", subject->name);
    record_call(fuzz->calls, subject->program, subject->name);
    record_table_line(fuzz->table, subject->name);
    fuzz->n_function++;
    return subject->reason.size ? WRONG : ACCEPTED;
}

static enum outcome wrong(struct subject *subject, const polynest *p, const char *what)
{
    text_addf(&subject->reason, "%s\n%s", what, polynest_diagnostics(p));
    return WRONG;
}

/* The step that everything is there for. */
static const char *step_of(const struct fuzz *fuzz)
{
    return fuzz->drawn == DRAW_SUM ? "\"bind\"" : "\"tensorize\"";
}

/* Is it one that must be accepted with that step, and was not? */
static bool is_plain_without(const struct subject *subject)
{
    const char *description = text_str(&subject->description);

    return strncmp(description, GENERATE_PLAIN, strlen(GENERATE_PLAIN)) == 0 &&
           !strstr(description, step_of(subject->fuzz));
}

/* What emit said against what the judge says. */
static enum outcome compare(struct subject *subject, const polynest *p, polynest_status status, enum verdict verdict)
{
    const bool for_order = strstr(polynest_diagnostics(p), "[order]") != NULL;

    if (verdict == VERDICT_WRONG)
        return WRONG;
    if (status == POLYNEST_OK && subject->reason.size)
        return wrong(subject, p, ", on the abstract machine");
    if (is_plain_without(subject))
        return wrong(subject, p, "the step is refused that it is there for");
    if (status == POLYNEST_UNDECIDED || verdict == VERDICT_UNDECIDED)
        return UNDECIDED;
    if (status == POLYNEST_OK)
        return verdict == VERDICT_LEGAL ? keep(subject, p) : wrong(subject, p, "emitted, though not legal");
    if (status != POLYNEST_REFUSED || !strstr(polynest_diagnostics(p), "error:"))
        return wrong(subject, p, "neither done nor refused with a reason");
    if (verdict == VERDICT_ILLEGAL)
        return for_order ? ILLEGAL : wrong(subject, p, "illegal, but refused for another reason");
    if (verdict == VERDICT_LEGAL)
        return for_order ? wrong(subject, p, "refused for its order, though legal") : LATER;
    return STRUCTURE;
}

/* What emit said of one loop in threads or vectors against every pair of instances. */
static enum outcome compare_loop(struct subject *subject, struct arena *arena, const polynest *p,
                                 polynest_status status, struct diags *diags)
{
    const char *said = polynest_diagnostics(p);
    const bool for_pair = strstr(said, " must run before ") != NULL;
    const bool for_sum = strstr(said, " sums up in ") != NULL;
    bool sums;
    enum verdict verdict = judge_loop(arena, subject->program, diags, said, false, &sums);

    if (status == POLYNEST_UNDECIDED)
        return UNDECIDED;
    if (status == POLYNEST_OK && subject->reason.size)
        return wrong(subject, p, ", on the abstract machine");
    if (verdict == VERDICT_STRUCTURE)
        return status == POLYNEST_OK ? wrong(subject, p, "emitted, though not legal") : STRUCTURE;
    if (status == POLYNEST_OK && verdict == VERDICT_ILLEGAL)
        verdict = judge_loop(arena, subject->program, diags, said, true, &sums);
    if (status == POLYNEST_OK)
        return verdict == VERDICT_LEGAL ? keep(subject, p) : wrong(subject, p, "emitted, though a pair forbids it");
    if ((for_pair || for_sum) && verdict == VERDICT_LEGAL && !sums)
        return wrong(subject, p, "refused for a pair, though none forbids it");
    return for_pair ? ILLEGAL : LATER;
}

/* Enumeration knows nothing of statements that steps made. */
static enum verdict opinion(struct subject *subject, struct arena *arena, polynest_status status, struct diags *diags)
{
    if (strstr(text_str(&subject->description), "{\"cache_read\"") ||
        strstr(text_str(&subject->description), "{\"cache_write\""))
        return status == POLYNEST_OK ? VERDICT_LEGAL : VERDICT_STRUCTURE;
    return judge(arena, subject->program, diags, &subject->reason);
}

/* Is it refused for two instances of one time? Enumeration takes the order of the description as it is. */
static bool is_tie(const polynest *p)
{
    return strstr(polynest_diagnostics(p), " get one time, but both touch ") != NULL;
}

static enum outcome examine(struct subject *subject, struct arena *arena, isl_ctx *ctx)
{
    struct diags *diags = diags_new(arena);
    const struct source source = {"fuzz.json", text_str(&subject->description), subject->description.size};
    polynest *p = polynest_new("fuzz.json", source.text, source.size);
    struct program *program;
    enum outcome outcome;
    polynest_status status;

    polynest_set_function_name(p, subject->name);
    p->see = see_tree;
    p->see_user = subject;
    status = polynest_emit(p);
    if (read_program(arena, ctx, &source, schedule_primitives, plan_primitives, diags, &program) != STATUS_OK) {
        outcome = wrong(subject, p, "the description is refused");
    } else {
        subject->program = program;
        outcome = is_tie(p)                            ? ILLEGAL
                  : subject->fuzz->drawn == DRAW_LOOP
                      ? compare_loop(subject, arena, p, status, diags)
                      : compare(subject, p, status, opinion(subject, arena, status, diags));
    }
    polynest_free(p);
    return outcome;
}

/* Is it not refused? What fails in another way is kept, for the verdict. */
static bool is_accepted(const char *description, size_t size)
{
    polynest *p = polynest_new("fuzz.json", description, size);
    const polynest_status status = polynest_emit(p);

    polynest_free(p);
    return status != POLYNEST_REFUSED && status != POLYNEST_UNDECIDED;
}

/* Does the plan have what is not refused of what was drawn? */
static bool is_chosen(enum drawn drawn)
{
    return drawn != DRAW_NOTHING && drawn != DRAW_LOOP && drawn != DRAW_CHAIN;
}

/* The description with as many of its caches as are accepted together. */
static void describe(struct fuzz *fuzz, uint64_t seed, struct text *out)
{
    unsigned chosen = 0, more = 0;
    bool good = true;

    const int most = fuzz->drawn == DRAW_POLYHEDRAL ? MAX_POLYHEDRAL_STEPS : MAX_CACHES;

    for (int k = 0; k <= most && good && is_chosen(fuzz->drawn); k++) {
        struct prng prng = {.state = seed};
        text_truncate(out, 0);
        generate(&prng, fuzz->drawn, more, out);
        write_text(fuzz->folder, "current", ".json", text_str(out));
        good = is_accepted(text_str(out), out->size);
        chosen = good ? more : chosen;
        good = good || k > 0;
        more = chosen | (1u << k);
    }
    struct prng prng = {.state = seed};
    text_truncate(out, 0);
    generate(&prng, fuzz->drawn, chosen, out);
    if (fuzz->drawn == DRAW_PRODUCT || fuzz->drawn == DRAW_SUM)
        chosen = strstr(text_str(out), step_of(fuzz)) ? 1 : 0;
    for (unsigned k = chosen; k; k &= k - 1)
        fuzz->n_chosen++;
}

static void run_seed(struct fuzz *fuzz, uint64_t seed)
{
    struct subject subject = {.fuzz = fuzz, .seed = seed};
    struct arena *arena = arena_new();
    isl_ctx *ctx = poly_context_new(0);
    enum outcome outcome;

    snprintf(subject.name, sizeof(subject.name), "fuzz_%llu", (unsigned long long)seed);
    describe(fuzz, seed, &subject.description);
    write_text(fuzz->folder, "current", ".json", text_str(&subject.description));
    outcome = examine(&subject, arena, ctx);
    fuzz->count[outcome]++;
    if (outcome == WRONG) {
        printf("seed %llu: %s\n", (unsigned long long)seed, text_str(&subject.reason));
        write_text(fuzz->folder, subject.name, ".json", text_str(&subject.description));
    }
    text_free(&subject.description);
    text_free(&subject.reason);
    arena_free(arena);
    poly_context_free(ctx);
}

/* The table after the calls that it names. */
static void append_table(struct fuzz *fuzz)
{
    char line[256];

    rewind(fuzz->table);
    fprintf(fuzz->calls, "const struct harness_function harness_function[] = {\n");
    while (fgets(line, sizeof(line), fuzz->table))
        fputs(line, fuzz->calls);
    fprintf(fuzz->calls, "    {0, 0, 0},\n};\n");
}

int main(int argc, char **argv)
{
    static const char *const names[N_OUTCOME] = {"accepted",      "illegal",   "refused by a step",
                                                 "refused later", "undecided", "undefined arithmetic",
                                                 "WRONG"};
    struct fuzz fuzz = {0};

    if (argc < 4) {
        fprintf(stderr, "usage: polynest-fuzz FOLDER FIRST-SEED COUNT "
                        "[caches|plans|loops|grid|products|sums|chains|polyhedral|calls]\n");
        return 2;
    }
    if (argc > 4)
        fuzz.drawn = strcmp(argv[4], "plans") == 0      ? DRAW_PLANS
                     : strcmp(argv[4], "loops") == 0    ? DRAW_LOOP
                     : strcmp(argv[4], "grid") == 0     ? DRAW_GRID
                     : strcmp(argv[4], "products") == 0 ? DRAW_PRODUCT
                     : strcmp(argv[4], "sums") == 0     ? DRAW_SUM
                     : strcmp(argv[4], "chains") == 0   ? DRAW_CHAIN
                     : strcmp(argv[4], "polyhedral") == 0 ? DRAW_POLYHEDRAL
                     : strcmp(argv[4], "calls") == 0    ? DRAW_CALLS
                                                        : DRAW_CACHES;
    fuzz.folder = argv[1];
    fuzz.records = open_in(fuzz.folder, "records", "wb");
    fuzz.calls = open_in(fuzz.folder, "call.c", "w");
    fuzz.table = tmpfile();
    record_head(fuzz.calls, "stdint.h");
    for (uint64_t k = 0, first = strtoull(argv[2], NULL, 10); k < strtoull(argv[3], NULL, 10); k++)
        run_seed(&fuzz, first + k);
    append_table(&fuzz);
    fclose(fuzz.records);
    fclose(fuzz.calls);
    fclose(fuzz.table);
    for (int k = 0; k < N_OUTCOME; k++)
        printf("%s %d%s", names[k], fuzz.count[k], k + 1 < N_OUTCOME ? ", " : "");
    printf(", trees run %d", fuzz.n_run);
    if (fuzz.drawn != DRAW_NOTHING)
        printf(", %s %d", argv[4], fuzz.n_chosen);
    printf("\n");
    return fuzz.count[WRONG] ? 1 : 0;
}
