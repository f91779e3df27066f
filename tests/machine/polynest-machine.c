/* polynest-machine: runs the finished tree of a description and compares it with the description's own order.
 *
 * usage: polynest-machine [emit] FILE.json [OPTIONS of polynest emit] --run "M=0,1,15 N=5".. [--whole]
 *            [--close FRACTION] [--orders N] [--assignments N] [--seed N]
 *
 * No compiler and no printer takes part: what differs here is wrong in the tree; what is right here and wrong in the
 * emitted program is the printer's or the compiler's fault. Each size runs in N orders of threads (default 3; one where
 * there are none); beyond N assignments (default 400000) a run stops without a verdict. Exit status 0, 1 (something
 * differs; the message says what), 2 usage, 3 polynest refuses, 77 the machine has no such device, or stopped.
 */
#include "machine.h"

#include "../oracle/inputs.h"
#include "../oracle/record.h"
#include "../oracle/sizes.h"

#include "api/compile.h"
#include "program/program.h"
#include "tree/visit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *file, *variant, *schedule, *run[64], *setting[32], *permit[4];
    int n_run, n_setting, n_permit;
    bool unscheduled, whole;
    double close; /* fraction by which floats may differ; negative: what the permissions suggest */
    int orders;
    int64_t assignments;
    uint64_t seed;
};

/* What one description is run with. */
struct session {
    const struct options *options;
    const struct finished *finished;
    bool good, lacks;
    int runs;
};

static const struct space *memory_by_name(const struct machine *machine, const char *name)
{
    for (int k = 0; k < machine->program->n_array; k++)
        if (strcmp(machine->memory[k].array->name, name) == 0)
            return &machine->memory[k];
    return NULL;
}

/* A const array: its data are in row-major order of its subscripts. */
static void give_data(struct machine *machine, struct space *memory)
{
    const struct array *array = memory->array;
    const size_t size = (size_t)word_size(array->type);
    int64_t *index = ARENA_ARRAY(machine->arena, array->n_dim + 1, int64_t);
    int k = 0;

    memory->byte = ARENA_ARRAY(machine->arena, (size_t)memory->n * size + 1, unsigned char);
    for (int64_t from = 0; from < memory->n && k >= 0; from++) {
        int64_t position = memory->offset;
        for (k = 0; k < array->n_dim; k++)
            position += index[k] * memory->stride[k];
        memcpy(memory->byte + (size_t)position * size, array->data + (size_t)from * size, size);
        for (k = array->n_dim - 1; k >= 0 && ++index[k] == memory->extent[k]; k--)
            index[k] = 0;
    }
}

/* The arrays of the interface start as they did for the interpreter; const ones have their data. */
static void give_arrays(struct machine *machine, const struct run *run, const struct snapshot *before)
{
    for (int k = 0; k < machine->program->n_array; k++)
        space_shape(machine, &machine->memory[k], &machine->program->array[k]);
    for (int k = 0; k < machine->program->n_array; k++)
        if (machine->program->array[k].data)
            give_data(machine, &machine->memory[k]);
    for (int k = 0; k < run->program->n_array; k++) {
        const struct storage *storage = &run->storage[k];
        struct space *memory = (struct space *)memory_by_name(machine, storage->array->name);
        const size_t size = (size_t)(storage->n * word_size(storage->array->type));

        if (storage->array->role == ROLE_TEMP || storage->array->data || !memory)
            continue;
        if (memory->n != storage->n)
            machine_fault(machine, "%s has another size in memory", storage->array->name);
        memory->byte = ARENA_ARRAY(machine->arena, size + 1, unsigned char);
        memcpy(memory->byte, before->byte[k], size);
    }
}

static bool is_close(double a, double b, double fraction)
{
    const double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);

    return fabs(a - b) <= fraction * (size > 1 ? size : 1);
}

static double allowed_fraction(const struct session *session, enum type type)
{
    const struct program *program = session->finished->described;
    unsigned permit = program->permit;

    if (session->options->close >= 0)
        return session->options->close;
    for (int k = 0; k < program->n_nest; k++)
        permit |= program->nest[k].permit;
    if (!(permit & (PERMIT_REASSOCIATE | PERMIT_APPROXIMATE)))
        return 0;
    return type == TYPE_F64 ? (permit & PERMIT_APPROXIMATE ? 1e-2 : 1e-10) : type == TYPE_F32 ? 1e-2 : 5e-2;
}

static bool same(const struct session *session, enum type type, const void *a, const void *b)
{
    const struct word x = word_load(type, a), y = word_load(type, b);
    const double fraction = allowed_fraction(session, type);

    if (!type_is_float(type))
        return x.integer == y.integer;
    if (isnan(x.real) || isnan(y.real))
        return isnan(x.real) && isnan(y.real);
    return (x.real == y.real && signbit(x.real) == signbit(y.real)) ||
           (fraction > 0 && is_close(x.real, y.real, fraction));
}

static bool compare(const struct session *session, const struct machine *machine, const struct run *run,
                    const char *sizes)
{
    for (int k = 0; k < run->program->n_array; k++) {
        const struct storage *storage = &run->storage[k];
        const struct space *memory = memory_by_name(machine, storage->array->name);
        const enum type type = storage->array->type;
        const size_t size = (size_t)word_size(type);

        if (storage->array->role == ROLE_TEMP || storage->array->data || !memory)
            continue;
        for (int64_t n = 0; n < storage->n; n++) {
            if (same(session, type, storage->byte + (size_t)n * size, memory->byte + (size_t)n * size))
                continue;
            const struct word want = word_load(type, storage->byte + (size_t)n * size);
            const struct word got = word_load(type, memory->byte + (size_t)n * size);
            printf("%s: %s[%lld] is %.17g, should be %.17g\n", sizes, storage->array->name, (long long)n,
                   type_is_float(type) ? got.real : (double)got.integer,
                   type_is_float(type) ? want.real : (double)want.integer);
            return false;
        }
    }
    return true;
}

static bool run_once(struct session *session, const struct run *run, const struct snapshot *before,
                     const struct word *scalar, uint64_t order, const char *sizes)
{
    const struct finished *finished = session->finished;
    struct machine machine = {.arena = arena_new(),
                              .program = finished->laid_out,
                              .param_var = finished->param_var,
                              .param = run->param,
                              .scalar = scalar,
                              .order = order,
                              .assignments = session->options->assignments};
    bool good = false;

    machine.memory = ARENA_ARRAY(machine.arena, machine.program->n_array + 1, struct space);
    if (!setjmp(machine.stop)) {
        give_arrays(&machine, run, before);
        good = machine_run(&machine, finished->tree) && compare(session, &machine, run, sizes);
    }
    if (machine.fault[0])
        printf("%s: %s\n", sizes, machine.fault);
    session->lacks |= machine.lacks;
    arena_free(machine.arena);
    session->runs++;
    return good || machine.lacks;
}

static void find_threads(const struct node *node, void *user)
{
    *(bool *)user |= node->threads || node->kind == NODE_REGION || node->kind == NODE_KERNEL;
}

/* In how many orders does it make sense to run the tree? */
static int orders_of(const struct session *session)
{
    bool threads = false;

    node_for_each(session->finished->tree, find_threads, &threads);
    return threads ? session->options->orders : 1;
}

static const char *sizes_text(struct arena *arena, const struct run *run)
{
    const char *text = "";

    for (int k = 0; k < run->program->n_param; k++)
        text = arena_printf(arena, "%s%s%s=%lld", text, k ? " " : "", run->program->param[k].name,
                            (long long)run->param[k]);
    return *text ? text : "the only size";
}

static void run_sizes(struct session *session, const struct combination *sizes, struct prng *prng)
{
    const struct program *program = session->finished->described;
    struct arena *arena = arena_new();
    struct word *scalar = ARENA_ARRAY(arena, program->n_scalar + 1, struct word);
    struct run run;

    run_init(&run, program, sizes->param);
    for (int k = 0; k < program->n_scalar; k++) {
        const enum type type = program->scalar[k].type;
        run.scalar[k] = isnan(sizes->scalar[k])
                            ? inputs_value(type, prng)
                            : datum_convert(datum_real(TYPE_F64, sizes->scalar[k]), type, &run.blame);
        scalar[k] =
            type_is_float(type) ? word_real(type, run.scalar[k].real) : word_integer(type, run.scalar[k].integer);
    }
    inputs_random(&run, prng);
    struct snapshot before = snapshot_take(&run);
    run_program(&run);
    if (run.fault[0] || run.blame.reason)
        printf("%s: skipped, %s\n", sizes_text(arena, &run), run.fault[0] ? run.fault : run.blame.reason);
    for (int k = 0; k < orders_of(session) && !run.fault[0] && !run.blame.reason; k++)
        session->good &= run_once(session, &run, &before, scalar, (uint64_t)k, sizes_text(arena, &run));
    snapshot_free(&run, &before);
    run_free(&run);
    arena_free(arena);
}

static void see(const struct finished *finished, void *user)
{
    struct session *session = user;
    const struct options *options = session->options;
    struct prng prng = {.state = options->seed, .whole = options->whole};
    struct combinations list;

    session->finished = finished;
    for (int k = 0; k < (options->n_run ? options->n_run : 1); k++) {
        if (!sizes_read(finished->described, options->n_run ? options->run[k] : "", &list)) {
            session->good = false;
            continue;
        }
        for (int n = 0; n < list.n; n++)
            if (run_allowed(finished->described, list.at[n].param))
                run_sizes(session, &list.at[n], &prng);
        sizes_free(&list);
    }
}

static char *read_file(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    char *text = malloc(1 << 24);

    *size = in && text ? fread(text, 1, 1 << 24, in) : 0;
    if (!in)
        perror(path);
    else
        fclose(in);
    return text;
}

static void set_tunable(struct polynest *p, const char *setting)
{
    const char *equals = strchr(setting, '=');
    char name[64];

    snprintf(name, sizeof(name), "%.*s", equals ? (int)(equals - setting) : 0, setting);
    polynest_set_tunable(p, name, equals ? equals + 1 : "");
}

static int work(const struct options *options)
{
    size_t size;
    char *text = read_file(options->file, &size), *schedule = NULL;
    struct polynest *p = polynest_new(options->file, text, size);
    struct session session = {.options = options, .good = true};
    const struct goal goal = {.kind = GOAL_SEE, .see = see, .user = &session};

    polynest_set_variant(p, options->variant);
    polynest_set_unscheduled(p, options->unscheduled);
    if (options->schedule) {
        schedule = read_file(options->schedule, &size);
        polynest_set_schedule(p, options->schedule, schedule, size);
    }
    for (int k = 0; k < options->n_permit; k++)
        polynest_permit(p, options->permit[k]);
    for (int k = 0; k < options->n_setting; k++)
        set_tunable(p, options->setting[k]);
    const polynest_status status = compile_run(p, &goal);
    if (status != POLYNEST_OK)
        fputs(polynest_diagnostics(p), stderr);
    polynest_free(p);
    free(schedule);
    free(text);
    if (status != POLYNEST_OK)
        return 3;
    printf("%d runs%s\n", session.runs, session.good ? "" : ", wrong");
    return !session.good ? 1 : session.lacks ? 77 : 0;
}

/* Words that say nothing about the tree. */
static bool is_ignored(const char *word)
{
    return strcmp(word, "-o") == 0 || strcmp(word, "--header") == 0 || strcmp(word, "--name") == 0 ||
           strcmp(word, "--depfile") == 0 || strcmp(word, "--budget") == 0;
}

static bool read_option(struct options *options, const char *word, const char *value)
{
    if (strcmp(word, "--run") == 0 && options->n_run < 64)
        options->run[options->n_run++] = value;
    else if (strcmp(word, "--set") == 0 && options->n_setting < 32)
        options->setting[options->n_setting++] = value;
    else if (strcmp(word, "--variant") == 0)
        options->variant = value;
    else if (strcmp(word, "--schedule") == 0)
        options->schedule = value;
    else if (strcmp(word, "--close") == 0)
        options->close = strtod(value, NULL);
    else if (strcmp(word, "--orders") == 0)
        options->orders = atoi(value);
    else if (strcmp(word, "--assignments") == 0)
        options->assignments = strtoll(value, NULL, 10);
    else if (strcmp(word, "--seed") == 0)
        options->seed = strtoull(value, NULL, 10);
    else
        return is_ignored(word);
    return true;
}

/* A word that stands alone. */
static bool read_word(struct options *options, const char *word)
{
    if (strcmp(word, "--unscheduled") == 0)
        options->unscheduled = true;
    else if (strcmp(word, "--whole") == 0)
        options->whole = true;
    else if (strncmp(word, "--permit=", 9) == 0 && options->n_permit < 4)
        options->permit[options->n_permit++] = word + 9;
    else if (strcmp(word, "--check-args") != 0 && strcmp(word, "emit") != 0 && word[0] == '-')
        return false;
    else if (word[0] != '-' && strcmp(word, "emit") != 0)
        options->file = word;
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.close = -1, .orders = 3, .assignments = 400000, .seed = 1};
    bool good = true;

    for (int k = 1; k < argc && good; k++)
        good = read_word(&options, argv[k]) || (k + 1 < argc && read_option(&options, argv[k], argv[k + 1]) && ++k);
    if (!good || !options.file) {
        fprintf(stderr, "usage: polynest-machine [emit] FILE.json [OPTIONS of polynest emit] --run SIZES..\n"
                        "           [--whole] [--close FRACTION] [--orders N] [--assignments N] [--seed N]\n");
        return 2;
    }
    return work(&options);
}
