#include "cli/command.h"
#include "cli/files.h"
#include "cli/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where everything goes; NULL: nowhere, but the source and a dump then go to standard output. */
struct places {
    const char *source, *metadata;
    char *header;  /* malloc'ed */
    char *depfile; /* malloc'ed */
};

static char *copy(const char *text)
{
    char *copied = strdup(text);

    if (!copied)
        abort();
    return copied;
}

static struct places find_places(const struct options *options)
{
    const bool beside = options->output && !file_is_special(options->output) && !options->dump;
    struct places places = {.source = options->output, .metadata = options->metadata};

    if (options->header)
        places.header = copy(options->header);
    else if (beside)
        places.header = file_with_extension(options->output, ".h");
    if (options->depfile)
        places.depfile = copy(options->depfile);
    else if (options->make_depfile)
        places.depfile = file_with_extension(options->output, ".d");
    return places;
}

static bool is_clash(const char *a, const char *b)
{
    if (!a || !b || !file_same(a, b) || file_is_special(a))
        return false;
    fprintf(stderr, "polynest: error: %s and %s are the same file\n", a, b);
    return true;
}

/* Would one file be written over another, or over what is read? */
static bool any_clash(const struct places *places, const struct options *options)
{
    const char *const path[] = {places->source, places->header, places->metadata, places->depfile};
    bool clash = false;

    for (int a = 0; a < 4; a++) {
        for (int k = 0; k < options->n_file && !clash; k++)
            clash = is_clash(options->file[k], path[a]);
        for (int b = a + 1; b < 4 && !clash; b++)
            clash = is_clash(path[a], path[b]);
    }
    return clash;
}

static bool are_places_right(const struct places *places, const struct options *options)
{
    if (options->dump && (options->header || options->metadata || options->depfile || options->make_depfile)) {
        fputs("polynest: error: --dump prints one text: no --header, --metadata, -MD or -MF with it\n", stderr);
        return false;
    }
    return !any_clash(places, options);
}

/* A file name as make reads it. */
static void print_make_name(FILE *out, const char *name)
{
    for (; *name; name++) {
        if (*name == ' ' || *name == '#' || *name == '\\')
            fputc('\\', out);
        else if (*name == '$')
            fputc('$', out);
        fputc(*name, out);
    }
}

/* What is emitted into one file. */
struct functions {
    polynest **p;
    const char **file; /* that each is read from */
    int n;
};

static void add_function(struct functions *functions, polynest *p, const char *file)
{
    const size_t n = (size_t)functions->n + 1;
    polynest **grown = realloc(functions->p, n * sizeof(*grown));
    const char **files = realloc(functions->file, n * sizeof(*files));

    if (!grown || !files)
        abort();
    grown[functions->n] = p;
    files[functions->n++] = file;
    functions->p = grown;
    functions->file = files;
}

static void free_functions(struct functions *functions)
{
    for (int k = 0; k < functions->n; k++)
        polynest_free(functions->p[k]);
    free(functions->p);
    free(functions->file);
}

/* The files that were read for a function: number 0, 1, ...; NULL at the end. */
static const char *read_file(const polynest *p, const char *operand, int number)
{
    const bool is_standard = strcmp(operand, "-") == 0;

    return number == 0 && !is_standard ? operand : polynest_input_file(p, number - !is_standard);
}

/* Is the file one of those of the functions before number k, or of its own before that one? */
static bool is_read_before(const struct functions *functions, int k, int number)
{
    const char *name = read_file(functions->p[k], functions->file[k], number), *other;

    for (int before = 0; before <= k; before++)
        for (int file = 0; (other = read_file(functions->p[before], functions->file[before], file)); file++) {
            if (before == k && file == number)
                break;
            if (strcmp(name, other) == 0)
                return true;
        }
    return false;
}

/* The same for all of them, each once. */
static const char *read_for(const struct functions *functions, int number)
{
    for (int k = 0; k < functions->n; k++)
        for (int file = 0; read_file(functions->p[k], functions->file[k], file); file++)
            if (!is_read_before(functions, k, file) && number-- == 0)
                return read_file(functions->p[k], functions->file[k], file);
    return NULL;
}

/* "out.c out.h: in.json data.bin", and with -MP "in.json:" and so on, malloc'ed. */
static char *make_rule(const struct functions *functions, const struct places *places, const struct options *options)
{
    char *rule = NULL;
    size_t size;
    FILE *out = open_memstream(&rule, &size);

    if (!out)
        abort();
    print_make_name(out, places->source);
    if (places->header) {
        fputc(' ', out);
        print_make_name(out, places->header);
    }
    if (places->metadata) {
        fputc(' ', out);
        print_make_name(out, places->metadata);
    }
    fputc(':', out);
    for (int k = 0; read_for(functions, k); k++) {
        fputc(' ', out);
        print_make_name(out, read_for(functions, k));
    }
    fputc('\n', out);
    for (int k = 0; options->make_phony && read_for(functions, k); k++) {
        fputc('\n', out);
        print_make_name(out, read_for(functions, k));
        fputs(":\n", out);
    }
    if (fclose(out) != 0)
        abort();
    return rule;
}

/* Of one function as it is, of several as a list; malloc'ed. */
static char *metadata_of(const struct functions *functions)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        abort();
    for (int k = 0; k < functions->n; k++)
        fprintf(out, "%s%s", functions->n == 1 ? "" : k ? "," : "[", polynest_signature(functions->p[k]));
    fputs(functions->n == 1 ? "" : "]\n", out);
    if (fclose(out) != 0)
        abort();
    return text;
}

static polynest_status write_places(const struct functions *functions, const struct places *places,
                                    const struct options *options)
{
    const polynest *p = functions->p[0];
    struct output output[4] = {{.path = places->source, .text = polynest_source(p)}};
    char *rule = places->depfile ? make_rule(functions, places, options) : NULL;
    char *metadata = places->metadata ? metadata_of(functions) : NULL;
    int n = 1;
    bool ok;

    if (options->dump)
        output[0].text = polynest_output(p);
    if (places->header)
        output[n++] = (struct output){.path = places->header, .text = polynest_header(p)};
    if (metadata)
        output[n++] = (struct output){.path = places->metadata, .text = metadata};
    if (rule)
        output[n++] = (struct output){.path = places->depfile, .text = rule};
    ok = output_all(output, n);
    free(rule);
    free(metadata);
    return ok ? POLYNEST_OK : POLYNEST_ENVIRONMENT;
}

/* Hands the dump to go on from on. */
static bool set_dump(polynest *p, const char *path)
{
    size_t size;
    char *text = file_read(path, &size);

    if (text)
        polynest_set_dump(p, path, text, size);
    free(text);
    return text != NULL;
}

/* One description, with what the options say of it. */
static polynest *open_one(const struct options *options, const char *path, const struct places *places,
                          polynest_status *status)
{
    struct options own = *options;
    polynest *p;

    own.operand = path;
    p = description_open(&own, false, status);
    if (!p)
        return NULL;
    polynest_set_check_args(p, options->check_args);
    polynest_set_self_check(p, options->self_check);
    polynest_set_unscheduled(p, options->unscheduled);
    polynest_set_function_name(p, options->name);
    if (places->header)
        polynest_set_header_name(p, file_base_name(places->header));
    if (!options->from_dump || set_dump(p, options->from_dump))
        return p;
    *status = POLYNEST_ENVIRONMENT;
    polynest_free(p);
    return NULL;
}

static polynest_status emit_all(const struct functions *functions, const struct places *places,
                                const struct options *options)
{
    polynest *first = functions->p[0];
    polynest_status status;
    int failed;

    if (functions->n > 1)
        status = polynest_emit_together(functions->p, functions->n, &failed);
    else
        status = options->dump ? polynest_dump(first, options->dump) : polynest_emit(first);
    for (int k = 0; k < functions->n; k++)
        description_report(functions->p[k], options);
    return status == POLYNEST_OK ? write_places(functions, places, options) : status;
}

/* Options that are about one function cannot be about several, which need a file. */
static bool options_fit(const struct options *options, int n)
{
    if (n < 2)
        return true;
    if (!options->output || options->name || options->variant || options->schedule || options->dump ||
        options->from_dump) {
        fputs("polynest: error: several functions go to one file, by -o: no --name, --variant, --schedule, --dump or "
              "--from-dump with them\n",
              stderr);
        return false;
    }
    return true;
}

/* All functions of the file that p is about. */
static void add_all(struct functions *functions, polynest *p, const char *file, const struct options *options)
{
    const int n = options->function ? 0 : polynest_functions(p);

    add_function(functions, p, file);
    if (n > 0)
        polynest_set_function(p, 1);
    for (int number = 2; number <= n; number++) {
        polynest *other = polynest_copy(p);

        polynest_set_function(other, number);
        messages_follow(other, options);
        add_function(functions, other, file);
    }
}

static polynest_status emit_to(const struct places *places, const struct options *options)
{
    struct functions functions = {0};
    polynest_status status = POLYNEST_OK;

    for (int k = 0; k < options->n_file && status == POLYNEST_OK; k++) {
        polynest *p = open_one(options, options->file[k], places, &status);
        if (p)
            add_all(&functions, p, options->file[k], options);
    }
    if (status == POLYNEST_OK)
        status = options_fit(options, functions.n) ? emit_all(&functions, places, options) : POLYNEST_USAGE;
    free_functions(&functions);
    return status;
}

static polynest_status run(const struct options *options)
{
    struct places places;
    polynest_status status = POLYNEST_USAGE;

    if ((options->make_depfile || options->depfile) && !options->output) {
        fputs("polynest: error: -MD and -MF need -o: the rule is for the output\n", stderr);
        return POLYNEST_USAGE;
    }
    if (options->make_phony && !options->make_depfile && !options->depfile) {
        fputs("polynest: error: -MP needs -MD or -MF\n", stderr);
        return POLYNEST_USAGE;
    }
    if (options->self_check && (options->dump || options->unscheduled)) {
        fputs("polynest: error: --self-check compares functions: no --dump or --unscheduled with it\n", stderr);
        return POLYNEST_USAGE;
    }
    if (!options_fit(options, options->n_file))
        return POLYNEST_USAGE;
    places = find_places(options);
    if (!options->operand)
        fputs("polynest: error: which file? (\"-\" is standard input)\n", stderr);
    else if (are_places_right(&places, options))
        status = emit_to(&places, options);
    free(places.header);
    free(places.depfile);
    return status;
}

const struct command command_emit = {"emit", "FILE...", "the C code; of several descriptions one file", VERB_EMIT, run};
