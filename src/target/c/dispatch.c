/* One function that chooses between variants of itself when it is called: each variant is a static function above it,
 * printed by a run of its own; what the runs have in common, such as helpers, is there once.
 */
#include "target/c/file.h"

#include "target/clike/expr.h"
#include "tree/layout.h"

#include <stdlib.h>
#include <string.h>

/* Texts that are pieces of a file, in order, each of them once. */
typedef VEC(const char *) piece_vec;

static void add_piece(struct arena *arena, piece_vec *pieces, const char *text)
{
    for (int k = 0; k < pieces->n; k++)
        if (strcmp(pieces->at[k], text) == 0)
            return;
    VEC_PUSH(arena, pieces, text);
}

/* How deep in braces and conditions of the preprocessor the text is behind a line, which began at depth. */
static int depth_behind(const char *line, size_t size, int depth)
{
    if (strncmp(line, "#if", 3) == 0)
        return depth + 1;
    if (strncmp(line, "#endif", 6) == 0)
        return depth - 1;
    for (size_t k = 0; k < size && line[0] != '#'; k++)
        depth += (line[k] == '{') - (line[k] == '}');
    return depth;
}

/* Adds what stands in text: definitions, with the comments in front of them, and directives. */
static void add_pieces(struct arena *arena, piece_vec *pieces, const char *text)
{
    const char *start = text;
    int depth = 0;

    while (*text) {
        const size_t size = strcspn(text, "\n");
        const bool blank = size == 0;

        depth = depth_behind(text, size, depth);
        if (depth == 0 &&
            (blank || text[size - 1] == '}' || strncmp(text, "#endif", 6) == 0 || strncmp(text, "#include", 8) == 0)) {
            const char *end = blank ? text : text + size + 1;
            if (end > start)
                add_piece(arena, pieces, arena_printf(arena, "%.*s", (int)(end - start), start));
            start = text + size + 1;
        }
        text += size + (text[size] == '\n');
    }
    if (text > start)
        add_piece(arena, pieces, arena_copy(arena, start));
}

static bool is_tall(const char *piece)
{
    const char *end = strchr(piece, '\n');

    return end && end[1];
}

/* With blank lines around what has several. */
static void print_pieces(const piece_vec *pieces, struct text *out)
{
    for (int k = 0; k < pieces->n; k++) {
        const bool apart = k > 0 && (is_tall(pieces->at[k]) || is_tall(pieces->at[k - 1]));
        text_addf(out, "%s%s", apart ? "\n" : "", pieces->at[k]);
    }
    text_add(out, pieces->n ? "\n" : "");
}

/* "N, alpha, x, y" */
static const char *arguments(const struct c_file *file)
{
    const struct program *program = file->unit->program;
    struct text list = {0};
    const char *copy;

    for (int k = 0; k < program->n_param; k++)
        text_addf(&list, ", %s", program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        text_addf(&list, ", %s", program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]))
            text_addf(&list, ", %s", program->array[k].name);
    copy = arena_copy(file->emitter.arena, list.size ? text_str(&list) + 2 : "");
    text_free(&list);
    return copy;
}

/* The lines that choose a variant and call it. */
static void print_calls(const struct c_file *file, struct text *out)
{
    const struct dispatch *dispatch = file->unit->dispatch;
    const char *list = arguments(file);
    const bool returns = c_returns_status(file);
    struct writer writer = {out, 1, true};

    for (int k = 0; k < dispatch->variant.n; k++) {
        const struct variant_text *variant = &dispatch->variant.at[k];
        const bool both = returns && !variant->returns_status;

        if (variant->test)
            write_linef(&writer, "%sif (%s)%s", k && !returns ? "else " : "", variant->test, both ? " {" : "");
        else if (!returns)
            write_line(&writer, "else");
        writer.indent += variant->test || !returns;
        write_linef(&writer, "%s%s(%s);", variant->returns_status ? "return " : "", variant->name, list);
        if (both)
            write_line(&writer, "return 0;");
        writer.indent = 1;
        if (both && variant->test)
            write_line(&writer, "}");
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
static const char *list_of_variants(struct arena *arena, const struct dispatch *dispatch)
{
    const char *list = "";

    for (int k = 0; k < dispatch->variant.n; k++) {
        const struct variant_text *variant = &dispatch->variant.at[k];
        list = variant->condition ? arena_printf(arena, "%s%s where %s; ", list, variant->name, variant->condition)
                                  : arena_printf(arena, "%s%s elsewhere", list, variant->name);
    }
    return list;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What is there once for all variants. */
struct shared {
    piece_vec includes, heads, helpers, tables;
    piece_vec flags, permits, statics; /* of the comment */
};

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
        add_pieces(arena, &shared.heads, variant->heads);
        add_pieces(arena, &shared.helpers, variant->helpers);
        add_pieces(arena, &shared.tables, variant->tables);
        add_words(arena, &shared.flags, variant->flags, " ");
        add_words(arena, &shared.permits, variant->permits, "; ");
        add_words(arena, &shared.statics, variant->statics, "; ");
    }
    qsort(shared.includes.at, (size_t)shared.includes.n, sizeof(*shared.includes.at), compare);
    return shared;
}

/* How a table is declared: all in front of its extents, whose order a layout may change. */
static bool same_table(const char *a, const char *b)
{
    const size_t size = strcspn(a, "[");

    return size == strcspn(b, "[") && strncmp(a, b, size) == 0;
}

/* A table that variants have in different layouts cannot be there once. */
static void check_tables(struct c_file *file, const piece_vec *tables)
{
    for (int k = 0; k < tables->n; k++)
        for (int before = 0; before < k; before++)
            if (same_table(tables->at[k], tables->at[before])) {
                file->emitter.lacks = "variants between which a call chooses have a table in different layouts";
                file->emitter.lacks_hint = "give the array a \"layout\" of its own";
            }
}

/* The function itself, printed as the last variant would be. */
static void print_entry(struct c_file *file, struct text *source, struct text *header)
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

    check_tables(file, &shared.tables);
    print_calls(file, &calls);
    unit.name = dispatch->name;
    unit.dispatch = NULL;
    file->unit = &unit;
    file->joined = &joined;
    c_comment(file, source, false);
    text_addf(source, "#include \"%s\"\n\n", unit.header_name);
    print_pieces(&shared.includes, source);
    print_pieces(&shared.heads, source);
    print_pieces(&shared.helpers, source);
    print_pieces(&shared.tables, source);
    for (int k = 0; k < dispatch->variant.n; k++)
        text_addf(source, "%s\n", dispatch->variant.at[k].code);
    c_signature(file, source, "restrict", "");
    text_add(source, "{\n");
    write_broken(source, text_str(&calls));
    text_add(source, "}\n");
    c_header(file, header);
    text_free(&calls);
}

static const char *taken(struct arena *arena, struct text *text)
{
    const char *copy = arena_copy(arena, text_str(text));

    text_free(text);
    return copy;
}

void c_print_variant(struct c_file *file, struct text *source, struct text *header)
{
    struct dispatch *dispatch = file->unit->dispatch;
    struct arena *arena = file->emitter.arena;
    struct text includes = {0}, heads = {0}, helpers = {0}, code = {0};
    struct variant_text variant = {
        .name = file->unit->name,
        .condition = file->unit->program->when ? file->unit->program->when->string : NULL,
        .test = file->unit->when ? expr_truth(&file->emitter, file->unit->when).text : NULL,
        .permits = c_permits(arena, file->unit->program),
        .statics = c_statics(file),
        .flags = c_needed_flags(file),
        .returns_status = c_returns_status(file),
        .allocates = file->allocates,
        .has_tiles = file->has_tiles,
    };

    c_print_includes(file, &includes);
    c_print_heads(file, &heads);
    c_print_helpers(file, &helpers);
    c_comment_variant(file, &code);
    c_print_code(file, &code);
    variant.includes = taken(arena, &includes);
    variant.heads = taken(arena, &heads);
    variant.helpers = taken(arena, &helpers);
    variant.tables = arena_copy(arena, text_str(&file->tables));
    variant.code = taken(arena, &code);
    VEC_PUSH(arena, &dispatch->variant, variant);
    if (dispatch->variant.n == dispatch->n)
        print_entry(file, source, header);
}
