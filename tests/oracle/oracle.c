/* polynest-oracle: what a description computes, by interpretation.
 *
 * usage: polynest-oracle FILE.json [--name FUNCTION] [--run "M=0,1 N=5"]... [--seed N] [--whole] [--refused]
 *            [--records OUT] [--call OUT.c --header FUNCTION.h]
 *            [--inputs RAW] [--expect RAW] [--print]
 *
 * Interprets the nests in their original order for every combination of sizes that the assumptions
 * allow, with random inputs (--whole: whole numbers only, which no sum or product of a few rounds, in whatever order)
 * or with those of a raw file; with --refused, for launches that fail, it interprets nothing. Writes records for the
 * harness, the source that calls the emitted function, or the arrays as text; --expect compares the arrays afterwards
 * with a raw file. Exit status 0, 1 (the program misbehaves, differs from --expect or is refused), 2 usage.
 */
#include "inputs.h"
#include "record.h"
#include "sizes.h"

#include "api/registry.h"
#include "poly/context.h"
#include "read/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *file, *name, *records, *call, *header, *inputs, *expect;
    const char *run[64];
    int n_run;
    uint64_t seed;
    bool print, whole, refused;
};

struct contents {
    unsigned char *byte;
    size_t size;
};

static bool read_file(const char *path, struct contents *contents)
{
    FILE *in = fopen(path, "rb");
    size_t capacity = 1 << 16;

    *contents = (struct contents){malloc(capacity), 0};
    if (!in) {
        perror(path);
        return false;
    }
    for (size_t n; (n = fread(contents->byte + contents->size, 1, capacity - contents->size - 1, in)) > 0;) {
        contents->size += n;
        if (contents->size + 1 == capacity)
            contents->byte = realloc(contents->byte, capacity *= 2);
    }
    contents->byte[contents->size] = '\0';
    fclose(in);
    return true;
}

static void print_array(const struct storage *storage)
{
    const enum type type = storage->array->type;

    printf("%s:", storage->array->name);
    for (int64_t at = 0; at < storage->n; at++) {
        const struct datum value = datum_load(type, storage->byte + at * datum_size(type));
        if (type_is_float(type))
            printf(" %.17g", value.real);
        else
            printf(" %lld", (long long)value.integer);
    }
    printf("\n");
}

/* The arrays after the run, concatenated, against the bytes of --expect. */
static bool as_expected(const struct run *run, const struct contents *expected)
{
    size_t at = 0;

    for (int k = 0; k < run->program->n_array; k++) {
        const struct storage *storage = &run->storage[k];
        const size_t element = (size_t)datum_size(storage->array->type), size = (size_t)storage->n * element;
        if (storage->array->role == ROLE_TEMP)
            continue;
        for (size_t n = 0; n < size; n += element)
            if (at + size > expected->size || memcmp(storage->byte + n, expected->byte + at + n, element)) {
                fprintf(stderr, "polynest-oracle: element %zu of %s differs\n", n / element, storage->array->name);
                return false;
            }
        at += size;
    }
    return at == expected->size;
}

static void set_scalars(struct run *run, const struct combination *sizes, struct prng *prng)
{
    for (int k = 0; k < run->program->n_scalar; k++) {
        const enum type type = run->program->scalar[k].type;
        const struct datum given = datum_real(TYPE_F64, sizes->scalar[k]);
        run->scalar[k] = isnan(given.real) ? inputs_value(type, prng) : datum_convert(given, type, &run->blame);
    }
}

static bool set_inputs(struct run *run, const struct options *options, struct prng *prng)
{
    struct contents raw;
    bool good;

    if (!options->inputs) {
        inputs_random(run, prng);
        return true;
    }
    good = read_file(options->inputs, &raw) && inputs_raw(run, raw.byte, raw.size);
    if (!good)
        fprintf(stderr, "polynest-oracle: %s does not have the size of the arrays\n", options->inputs);
    free(raw.byte);
    return good;
}

static bool check_result(const struct run *run, const struct options *options)
{
    struct contents expected;
    bool good = true;

    if (run->fault[0] || run->blame.reason) {
        fprintf(stderr, "polynest-oracle: %s\n", run->fault[0] ? run->fault : run->blame.reason);
        return false;
    }
    for (int k = 0; options->print && k < run->program->n_array; k++)
        print_array(&run->storage[k]);
    if (options->expect) {
        good = read_file(options->expect, &expected) && as_expected(run, &expected);
        free(expected.byte);
    }
    return good;
}

static bool run_sizes(const struct program *program, const struct combination *sizes, const struct options *options,
                      struct prng *prng, FILE *records)
{
    struct run run;
    bool good;

    run_init(&run, program, sizes->param);
    set_scalars(&run, sizes, prng);
    good = set_inputs(&run, options, prng);
    struct snapshot before = snapshot_take(&run);
    if (good && !options->refused) {
        run_program(&run);
        good = check_result(&run, options);
    }
    if (good && records)
        record_write(records, &run, &before, 0);
    snapshot_free(&run, &before);
    run_free(&run);
    return good;
}

static bool run_text(const struct program *program, const char *text, const struct options *options, struct prng *prng,
                     FILE *records)
{
    struct combinations list;
    bool good = sizes_read(program, text, &list);
    int n = 0;

    for (int k = 0; good && k < list.n; k++)
        if (run_allowed(program, list.at[k].param)) {
            n++;
            good = run_sizes(program, &list.at[k], options, prng, records);
        }
    if (good && !n)
        fprintf(stderr, "polynest-oracle: the assumptions forbid all of run '%s'\n", text);
    sizes_free(&list);
    return good && n;
}

static bool work(const struct program *program, const struct options *options)
{
    struct prng prng = {.state = options->seed, .whole = options->whole};
    FILE *records = options->records ? fopen(options->records, "wb") : NULL;
    const char *name = options->name ? options->name : program->name;
    bool good = !options->call || record_source(options->call, options->header, program, name);

    if (options->records && !records) {
        perror(options->records);
        return false;
    }
    for (int k = 0; good && k < options->n_run; k++)
        good = run_text(program, options->run[k], options, &prng, records);
    if (records && fclose(records))
        good = false;
    return good;
}

static bool read_and_work(const struct options *options, const struct contents *contents)
{
    struct arena *arena = arena_new();
    struct diags *diags = diags_new(arena);
    struct source source = {options->file, (const char *)contents->byte, contents->size};
    isl_ctx *ctx = poly_context_new(0);
    struct program *program;
    bool good = false;

    if (read_program(arena, ctx, &source, schedule_primitives, plan_primitives, diags, &program) == STATUS_OK) {
        good = work(program, options);
    } else {
        struct text text = {0};
        diags_print(diags, &text);
        fputs(text_str(&text), stderr);
        text_free(&text);
    }
    arena_free(arena);
    poly_context_free(ctx);
    return good;
}

static const char **string_option(struct options *options, const char *word)
{
    const struct {
        const char *word;
        const char **value;
    } table[] = {{"--name", &options->name},     {"--records", &options->records}, {"--call", &options->call},
                 {"--header", &options->header}, {"--inputs", &options->inputs},   {"--expect", &options->expect}};

    for (size_t k = 0; k < sizeof(table) / sizeof(*table); k++)
        if (!strcmp(word, table[k].word))
            return table[k].value;
    if (!strcmp(word, "--run") && options->n_run < 64)
        return &options->run[options->n_run++];
    return NULL;
}

static bool read_options(int argc, char **argv, struct options *options)
{
    for (int k = 1; k < argc; k++) {
        const char **value = string_option(options, argv[k]);
        if (value && k + 1 < argc)
            *value = argv[++k];
        else if (!strcmp(argv[k], "--seed") && k + 1 < argc)
            options->seed = strtoull(argv[++k], NULL, 10);
        else if (!strcmp(argv[k], "--whole"))
            options->whole = true;
        else if (!strcmp(argv[k], "--refused"))
            options->refused = true;
        else if (!strcmp(argv[k], "--print"))
            options->print = true;
        else if (!options->file && argv[k][0] != '-')
            options->file = argv[k];
        else
            return false;
    }
    return options->file && !options->call == !options->header;
}

int main(int argc, char **argv)
{
    struct options options = {.seed = 1};
    struct contents contents;
    bool good;

    if (!read_options(argc, argv, &options)) {
        fprintf(stderr,
                "usage: polynest-oracle FILE.json [--name FUNCTION] [--run SIZES]... [--seed N] [--whole] [--refused]\n"
                "           [--print] [--records OUT] [--call OUT.c --header NAME.h] [--inputs RAW] [--expect RAW]\n");
        return 2;
    }
    good = read_file(options.file, &contents) && read_and_work(&options, &contents);
    free(contents.byte);
    return good ? 0 : 1;
}
