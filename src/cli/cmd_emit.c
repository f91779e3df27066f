#include "cli/command.h"
#include "cli/files.h"

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
static bool any_clash(const struct places *places, const char *operand)
{
    const char *const path[] = {operand, places->source, places->header, places->metadata, places->depfile};
    bool clash = false;

    for (int a = 0; a < 5; a++)
        for (int b = a + 1; b < 5 && !clash; b++)
            clash = is_clash(path[a], path[b]);
    return clash;
}

static bool are_places_right(const struct places *places, const struct options *options)
{
    if (options->dump && (options->header || options->metadata || options->depfile || options->make_depfile)) {
        fputs("polynest: error: --dump prints one text: no --header, --metadata, -MD or -MF with it\n", stderr);
        return false;
    }
    return !any_clash(places, options->operand);
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

/* The files that were read: number 0, 1, ...; NULL at the end. */
static const char *read_file(const polynest *p, const struct options *options, int number)
{
    const bool is_standard = strcmp(options->operand, "-") == 0;

    return number == 0 && !is_standard ? options->operand : polynest_input_file(p, number - !is_standard);
}

/* "out.c out.h: in.json data.bin", and with -MP "in.json:" and so on, malloc'ed. */
static char *make_rule(const polynest *p, const struct places *places, const struct options *options)
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
    for (int k = 0; read_file(p, options, k); k++) {
        fputc(' ', out);
        print_make_name(out, read_file(p, options, k));
    }
    fputc('\n', out);
    for (int k = 0; options->make_phony && read_file(p, options, k); k++) {
        fputc('\n', out);
        print_make_name(out, read_file(p, options, k));
        fputs(":\n", out);
    }
    if (fclose(out) != 0)
        abort();
    return rule;
}

static polynest_status write_places(const polynest *p, const struct places *places, const struct options *options)
{
    struct output output[4] = {{.path = places->source, .text = polynest_source(p)}};
    char *rule = places->depfile ? make_rule(p, places, options) : NULL;
    int n = 1;
    bool ok;

    if (options->dump)
        output[0].text = polynest_output(p);
    if (places->header)
        output[n++] = (struct output){.path = places->header, .text = polynest_header(p)};
    if (places->metadata)
        output[n++] = (struct output){.path = places->metadata, .text = polynest_signature(p)};
    if (rule)
        output[n++] = (struct output){.path = places->depfile, .text = rule};
    ok = output_all(output, n);
    free(rule);
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

static polynest_status emit_to(const struct places *places, const struct options *options)
{
    polynest_status status;
    polynest *p = description_open(options, &status);

    if (!p)
        return status;
    polynest_set_check_args(p, options->check_args);
    polynest_set_unscheduled(p, options->unscheduled);
    polynest_set_function_name(p, options->name);
    if (places->header)
        polynest_set_header_name(p, file_base_name(places->header));
    if (options->from_dump && !set_dump(p, options->from_dump)) {
        polynest_free(p);
        return POLYNEST_ENVIRONMENT;
    }
    status = options->dump ? polynest_dump(p, options->dump) : polynest_emit(p);
    description_report(p, options);
    if (status == POLYNEST_OK)
        status = write_places(p, places, options);
    polynest_free(p);
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
    places = find_places(options);
    if (!options->operand || are_places_right(&places, options))
        status = emit_to(&places, options);
    free(places.header);
    free(places.depfile);
    return status;
}

const struct command command_emit = {"emit", "FILE", "the C code", VERB_EMIT, run};
