/* One function that chooses between variants of itself when it is called: each variant is a static function above it,
 * printed by a run of its own; what the runs have in common, such as helpers, is there once.
 */
#include "target/c/dispatch.h"

#include "target/clike/expr.h"
#include "tree/layout.h"

#include <string.h>

/* What must hold for a variant to be called; NULL: nothing. */
static const char *test_of(struct arena *arena, const struct variant_text *variant)
{
    if (!variant->asks)
        return variant->test;
    return variant->test ? arena_printf(arena, "%s && %s", variant->question, variant->test_in_and) : variant->question;
}

/* How a call of a variant ends the function, where it does not return what the variant does. */
static const char *return_text(const struct c_file *file)
{
    return c_returns_status(file) ? "return 0;" : "return;";
}

/* Does any variant ask the processor, or the function return something? Else the calls are one chain. */
static bool returns_early(const struct c_file *file)
{
    const struct dispatch *dispatch = file->unit->dispatch;

    for (int k = 0; k < dispatch->variant.n; k++)
        if (dispatch->variant.at[k].asks)
            return true;
    return c_returns_status(file);
}

/* test: on which it is called; NULL: where the calls before it are not. */
static void print_call(const struct c_file *file, struct writer *writer, int k, const char *test)
{
    const struct variant_text *variant = &file->unit->dispatch->variant.at[k];
    const bool early = returns_early(file), last = k == file->unit->dispatch->variant.n - 1;
    const bool both = early && !variant->returns_status && !(last && !c_returns_status(file));
    const int indent = writer->indent;

    if (test)
        write_linef(writer, "%sif (%s)%s", k && !early ? "else " : "", test, both ? " {" : "");
    else if (!early)
        write_line(writer, "else");
    writer->indent += test || !early;
    write_linef(writer, "%s%s(%s);", variant->returns_status ? "return " : "", variant->name, c_arguments(file));
    if (both)
        write_line(writer, return_text(file));
    writer->indent = indent;
    if (both && test)
        write_line(writer, "}");
}

/* How many variants from this one on ask the processor for the same. */
static int asking_together(const struct dispatch *dispatch, int k)
{
    const struct variant_text *variant = dispatch->variant.at;
    int end = k + 1;

    while (variant[k].asks && end < dispatch->variant.n && variant[end].asks &&
           strcmp(variant[k].question, variant[end].question) == 0)
        end++;
    return end - k;
}

/* The calls of n variants, of which the processor is asked once. */
static void print_together(const struct c_file *file, struct writer *writer, int k, int n)
{
    const struct variant_text *variant = file->unit->dispatch->variant.at;

    if (n == 1) {
        print_call(file, writer, k, test_of(file->emitter.arena, &variant[k]));
        return;
    }
    write_linef(writer, "if (%s) {", variant[k].question);
    writer->indent++;
    for (int end = k + n; k < end; k++)
        print_call(file, writer, k, variant[k].test);
    writer->indent--;
    write_line(writer, "}");
}

/* The lines that choose a variant and call it. */
static void print_calls(const struct c_file *file, struct text *out)
{
    const struct dispatch *dispatch = file->unit->dispatch;
    struct writer writer = {out, 1, true};

    for (int k = 0, n; k < dispatch->variant.n; k += n) {
        const bool asks = dispatch->variant.at[k].asks, asked = k > 0 && dispatch->variant.at[k - 1].asks;

        text_add(out, asks && !asked ? asked_start : asked && !asks ? asked_end : "");
        n = asking_together(dispatch, k);
        print_together(file, &writer, k, n);
    }
}

/* Adds what stands between separators. */
static void add_words(struct arena *arena, piece_vec *pieces, const char *text, const char *separator)
{
    for (const char *end; text; text = end ? end + strlen(separator) : NULL) {
        end = strstr(text, separator);
        add_piece(arena, pieces, end ? arena_printf(arena, "%.*s", (int)(end - text), text) : text);
    }
}

/* All of them in a row; NULL: there are none. */
static const char *joined_words(struct arena *arena, const piece_vec *words, const char *separator)
{
    const char *all = NULL;

    for (int k = 0; k < words->n; k++)
        all = all ? arena_printf(arena, "%s%s%s", all, separator, words->at[k]) : words->at[k];
    return all;
}

/* "f_small where N < 100; f_large elsewhere" */
static bool any_together(const struct dispatch *dispatch)
{
    bool any = false;

    for (int k = 0; k < dispatch->variant.n; k++)
        any = any || asking_together(dispatch, k) > 1;
    return any;
}

/* "a where K < 3; b elsewhere"; a line each where some ask the processor together. */
static const char *list_of_variants(struct arena *arena, const struct dispatch *dispatch)
{
    const char *between = any_together(dispatch) ? "\n" : "; ";
    struct text list = {0};
    const char *copy;

    for (int k = 0, n; k < dispatch->variant.n; k += n) {
        const struct variant_text *variant = &dispatch->variant.at[k];

        n = asking_together(dispatch, k);
        text_add(&list, k ? between : "");
        if (n == 1)
            text_addf(&list, "%s %s", variant->name, c_where(arena, variant));
        else
            text_addf(&list, "where the processor has %s", question_words(arena, variant->needed));
        for (int of = 0; n > 1 && of < n; of++)
            text_addf(&list, "\n  %s %s%s", variant[of].name, variant[of].condition ? "where " : "else",
                      variant[of].condition ? variant[of].condition : "");
    }
    copy = arena_copy(arena, text_str(&list));
    text_free(&list);
    return copy;
}

/* What is there once for all variants. */
struct shared {
    piece_vec includes, heads, helpers, tables;
    piece_vec asked;                   /* heads, helpers and tables only of those that ask the processor */
    piece_vec flags, permits, statics; /* of the comment */
};

/* Adds the pieces of text that are not in general to own. */
static void add_others(struct arena *arena, const piece_vec *general, piece_vec *own, const char *text)
{
    piece_vec pieces = {0};

    add_pieces(arena, &pieces, text);
    for (int k = 0; k < pieces.n; k++) {
        bool known = false;
        for (int other = 0; other < general->n && !known; other++)
            known = strcmp(general->at[other], pieces.at[k]) == 0;
        if (!known)
            add_piece(arena, own, pieces.at[k]);
    }
}

/* Heads, helpers and tables: compilers that see no variant that asks would find theirs unused. */
static void share_code(struct arena *arena, const struct dispatch *dispatch, struct shared *shared)
{
    const struct variant_text *variant = dispatch->variant.at;
    piece_vec declared = {0};

    for (int k = 0; k < dispatch->variant.n; k++)
        if (!variant[k].asks) {
            add_pieces(arena, &shared->heads, variant[k].heads);
            add_pieces(arena, &shared->helpers, variant[k].helpers);
            add_pieces(arena, &shared->tables, variant[k].tables);
        }
    for (int k = 0; k < dispatch->variant.n; k++)
        if (variant[k].asks)
            add_others(arena, &shared->heads, &shared->asked, variant[k].heads);
    asked_share_declared(dispatch, &declared);
    for (int k = 0; k < declared.n; k++)
        add_others(arena, &shared->heads, &shared->asked, declared.at[k]);
    for (int k = 0; k < dispatch->variant.n; k++)
        if (variant[k].asks)
            add_others(arena, &shared->helpers, &shared->asked, variant[k].helpers);
    for (int k = 0; k < dispatch->variant.n; k++)
        if (variant[k].asks)
            add_others(arena, &shared->tables, &shared->asked, variant[k].tables);
}

/* Lists it, and makes file that of all variants. */
static struct shared share(struct c_file *file)
{
    const struct dispatch *dispatch = file->unit->dispatch;
    struct arena *arena = file->emitter.arena;
    struct shared shared = {0};

    for (int k = 0; k < dispatch->variant.n; k++) {
        const struct variant_text *variant = &dispatch->variant.at[k];
        file->allocates |= variant->allocates;
        file->has_tiles |= variant->has_tiles;
        add_pieces(arena, &shared.includes, variant->includes);
        add_words(arena, &shared.flags, variant->flags, " ");
        add_words(arena, &shared.permits, variant->permits, "; ");
        add_words(arena, &shared.statics, variant->statics, "; ");
    }
    share_code(arena, dispatch, &shared);
    sort_pieces(&shared.includes);
    return shared;
}

/* How a table is declared: all in front of its extents, whose order a layout may change. */
static bool same_table(const char *a, const char *b)
{
    const size_t size = strcspn(a, "[");

    return size == strcspn(b, "[") && strncmp(a, b, size) == 0;
}

/* A table that variants have in different layouts cannot be there once. */
static void check_tables(struct c_file *file)
{
    const struct dispatch *dispatch = file->unit->dispatch;
    piece_vec tables = {0};

    for (int k = 0; k < dispatch->variant.n; k++)
        add_pieces(file->emitter.arena, &tables, dispatch->variant.at[k].tables);
    for (int k = 0; k < tables.n; k++)
        for (int before = 0; before < k; before++)
            if (same_table(tables.at[k], tables.at[before])) {
                file->emitter.lacks = "variants between which a call chooses have a table in different layouts";
                file->emitter.lacks_hint = "give the array a \"layout\" of its own";
            }
}

static void print_includes(const struct dispatch *dispatch, const piece_vec *includes, struct text *out)
{
    const size_t before = out->size;

    for (int k = 0; k < includes->n; k++)
        text_add(out, includes->at[k]);
    asked_print_includes(dispatch, includes, out);
    text_add(out, out->size > before ? "\n" : "");
}

/* The variants, each below its own comment, and the function itself. */
static void print_functions(struct c_file *file, const struct dispatch *dispatch, const char *calls, struct text *out)
{
    for (int k = 0; k < dispatch->variant.n; k++)
        if (!dispatch->variant.at[k].asks) {
            c_comment_variant(file->emitter.arena, &dispatch->variant.at[k], out);
            text_addf(out, "%s\n", dispatch->variant.at[k].code);
        }
    c_signature(file, out, "restrict", "");
    text_add(out, "{\n");
    write_broken(out, calls);
    text_add(out, "}\n");
}

/* A file of its own. */
static void print_file(struct c_file *file, const struct dispatch *dispatch, const struct shared *shared,
                       const char *calls, struct text *source, struct text *header)
{
    c_comment(file, source, false);
    text_addf(source, "#include \"%s\"\n\n", file->unit->header_name);
    print_includes(dispatch, &shared->includes, source);
    print_pieces(&shared->heads, source);
    print_pieces(&shared->helpers, source);
    print_pieces(&shared->tables, source);
    asked_print(dispatch, &shared->asked, &file->emitter.names, source);
    print_functions(file, dispatch, calls, source);
    c_header(file, header);
}

/* The same, beside other functions. */
static enum status leave_parts(struct c_file *file, const struct dispatch *dispatch, const struct shared *shared,
                               const char *calls, struct diags *diags)
{
    struct c_parts parts = {0};
    enum status status;

    print_includes(dispatch, &shared->includes, &parts.includes);
    print_pieces(&shared->heads, &parts.heads);
    print_pieces(&shared->helpers, &parts.helpers);
    print_pieces(&shared->tables, &parts.tables);
    asked_print(dispatch, &shared->asked, &file->emitter.names, &parts.code);
    c_comment(file, &parts.code, false);
    print_functions(file, dispatch, calls, &parts.code);
    status = c_leave_parts(file, &parts, diags);
    c_parts_free(&parts);
    return status;
}

/* The function itself, printed as the last variant would be. */
static enum status print_entry(struct c_file *file, struct text *source, struct text *header, struct diags *diags)
{
    const struct dispatch *dispatch = file->unit->dispatch;
    struct arena *arena = file->emitter.arena;
    const struct shared shared = share(file);
    const struct joined joined = {.variants = list_of_variants(arena, dispatch),
                                  .flags = joined_words(arena, &shared.flags, " "),
                                  .permits = joined_words(arena, &shared.permits, "; "),
                                  .statics = joined_words(arena, &shared.statics, "; ")};
    struct unit unit = *file->unit;
    struct text calls = {0};
    enum status status = STATUS_OK;

    check_tables(file);
    print_calls(file, &calls);
    unit.name = dispatch->name;
    unit.dispatch = NULL;
    file->unit = &unit;
    file->joined = &joined;
    if (unit.several)
        status = leave_parts(file, dispatch, &shared, text_str(&calls), diags);
    else
        print_file(file, dispatch, &shared, text_str(&calls), source, header);
    text_free(&calls);
    return status;
}

static const char *taken(struct arena *arena, struct text *text)
{
    const char *copy = arena_copy(arena, text_str(text));

    text_free(text);
    return copy;
}

/* How its condition is printed, alone and beside another one. */
static void note_test(struct c_file *file, struct variant_text *variant)
{
    struct expr_text test;

    if (!file->unit->when)
        return;
    test = expr_truth(&file->emitter, file->unit->when);
    variant->test = test.text;
    variant->test_in_and = parenthesised(&file->emitter, test.text, test.precedence, PREC_LAND);
}

enum status c_print_variant(struct c_file *file, struct text *source, struct text *header, struct diags *diags)
{
    struct dispatch *dispatch = file->unit->dispatch;
    struct arena *arena = file->emitter.arena;
    struct text includes = {0}, heads = {0}, helpers = {0}, code = {0};
    struct variant_text variant = {
        .name = file->unit->name,
        .condition = file->unit->program->when ? file->unit->program->when->string : NULL,
        .steps = c_steps(file),
        .permits = c_permits(arena, file->unit->program),
        .statics = c_statics(file),
        .flags = c_needed_flags(file),
        .returns_status = c_returns_status(file),
        .allocates = file->allocates,
        .has_tiles = file->has_tiles && !file->asks,
    };

    c_print_includes(file, &includes);
    c_print_heads(file, &heads);
    c_print_helpers(file, &helpers);
    note_test(file, &variant);
    if (file->asks)
        asked_note(file, &variant);
    c_print_code(file, &code);
    variant.includes = taken(arena, &includes);
    variant.heads = taken(arena, &heads);
    variant.helpers = taken(arena, &helpers);
    variant.tables = arena_copy(arena, text_str(&file->tables));
    variant.code = taken(arena, &code);
    VEC_PUSH(arena, &dispatch->variant, variant);
    if (dispatch->variant.n < dispatch->n)
        return STATUS_OK;
    const enum status status = print_entry(file, source, header, diags);
    return status == STATUS_OK ? asked_check(dispatch, diags) : status;
}
