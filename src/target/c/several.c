#include "target/c/several.h"

#include "base/names.h"
#include "target/c/file.h"
#include "target/c/pieces.h"

#include <ctype.h>
#include <string.h>

/* "BLAS_64" of "blas-64.h" */
static const char *macro_of(struct arena *arena, const char *header_name)
{
    const char *end = strrchr(header_name, '.');
    const int size = (int)(end ? (size_t)(end - header_name) : strlen(header_name));

    return c_upper_case(arena, arena_printf(arena, "%.*s", size, header_name));
}

struct several *several_new(const char *header_name)
{
    struct arena *arena = arena_new();
    struct several *several = ARENA_NEW(arena, struct several);

    several->arena = arena;
    if (header_name)
        several_name(several, header_name);
    return several;
}

void several_name(struct several *several, const char *header_name)
{
    several->header_name = arena_copy(several->arena, header_name);
    several->macro = macro_of(several->arena, header_name);
}

void several_free(struct several *several)
{
    if (several)
        arena_free(several->arena);
}

/* Behind the attribute that starts at text, "__attribute__((cold))"; text itself where none does. */
static const char *skip_attribute(const char *text, const char *end)
{
    static const char word[] = "__attribute__";
    int depth = 0;

    if (strncmp(text, word, sizeof(word) - 1) != 0)
        return text;
    for (text += sizeof(word) - 1; text < end; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0)
            return text + 1;
    }
    return end;
}

/* What the line defines for the rest of the file, the name in front of the first of "([=;{"; NULL: nothing. */
static const char *defined_by(struct arena *arena, const char *line, size_t size)
{
    static const char macro[] = "#define ";
    const char *end = line + size, *name = NULL, *behind = NULL, *at = line;

    if (strncmp(line, macro, sizeof(macro) - 1) == 0) {
        name = line + sizeof(macro) - 1;
        return arena_printf(arena, "%.*s", (int)strcspn(name, " (\n"), name);
    }
    if (!isalpha((unsigned char)line[0]))
        return NULL;
    while (at < end && !strchr("([=;{", *at)) {
        const char *skipped = skip_attribute(at, end);
        if (skipped == at && c_is_word(*at)) {
            name = at;
            while (at < end && c_is_word(*at))
                at++;
            behind = at;
        } else {
            at = skipped > at ? skipped : at + 1;
        }
    }
    return name && at < end ? arena_printf(arena, "%.*s", (int)(behind - name), name) : NULL;
}

static void add_defined(struct arena *arena, const char *text, struct names *names)
{
    for (const char *line = text; *line;) {
        const size_t size = strcspn(line, "\n");
        const char *name = defined_by(arena, line, size);

        if (name && !names_has(names, name))
            names_add(names, name);
        line += size + (line[size] == '\n');
    }
}

/* What the function shares with those before does not count: it is the same text. */
static void add_own(const struct several *several, const piece_vec *shared, const char *text, struct names *names)
{
    piece_vec pieces = {0};

    add_pieces(several->arena, &pieces, text);
    for (int k = 0; k < pieces.n; k++) {
        bool known = false;
        for (int other = 0; other < shared->n && !known; other++)
            known = strcmp(shared->at[other], pieces.at[k]) == 0;
        if (!known)
            add_defined(several->arena, pieces.at[k], names);
    }
}

static struct names names_before(const struct several *several, piece_vec *shared)
{
    struct names names = {.arena = several->arena};

    for (int k = 0; k < several->function.n; k++) {
        const struct function_text *function = &several->function.at[k];
        add_pieces(several->arena, shared, function->heads);
        add_pieces(several->arena, shared, function->helpers);
        add_pieces(several->arena, shared, function->tables);
        add_defined(several->arena, function->heads, &names);
        add_defined(several->arena, function->helpers, &names);
        add_defined(several->arena, function->tables, &names);
        add_defined(several->arena, function->code, &names);
    }
    return names;
}

static struct function_text copy_of(struct arena *arena, const struct function_text *function)
{
    struct function_text copy = *function;

    copy.name = arena_copy(arena, function->name);
    copy.includes = arena_copy(arena, function->includes);
    copy.heads = arena_copy(arena, function->heads);
    copy.helpers = arena_copy(arena, function->helpers);
    copy.tables = arena_copy(arena, function->tables);
    copy.code = arena_copy(arena, function->code);
    copy.declaration = function->declaration ? arena_copy(arena, function->declaration) : NULL;
    return copy;
}

bool several_add(struct several *several, const struct function_text *function)
{
    struct arena *arena = several->arena;
    piece_vec shared = {0};
    const struct names before = names_before(several, &shared);
    struct names own = {.arena = arena};

    several->clash = NULL;
    several->taken.n = 0;
    add_own(several, &shared, function->heads, &own);
    add_own(several, &shared, function->helpers, &own);
    add_own(several, &shared, function->tables, &own);
    add_defined(arena, function->code, &own);
    for (int k = 0; k < own.used.n; k++)
        if (names_has(&before, own.used.at[k])) {
            several->clash = own.used.at[k];
            VEC_PUSH(arena, &several->taken, own.used.at[k]);
        }
    if (several->clash)
        return false;
    VEC_PUSH(arena, &several->function, copy_of(arena, function));
    return true;
}

/* The tables that no function before has. */
static void print_tables(const struct several *several, const struct function_text *function, piece_vec *printed,
                         struct text *out)
{
    piece_vec all = *printed, own = {0};

    add_pieces(several->arena, &all, function->tables);
    for (int k = printed->n; k < all.n; k++)
        add_piece(several->arena, &own, all.at[k]);
    *printed = all;
    print_pieces(&own, out);
}

static void print_source(const struct several *several, struct text *out)
{
    piece_vec includes = {0}, heads = {0}, helpers = {0}, tables = {0};

    for (int k = 0; k < several->function.n; k++) {
        const struct function_text *function = &several->function.at[k];
        add_pieces(several->arena, &includes, function->includes);
        add_pieces(several->arena, &heads, function->heads);
        add_pieces(several->arena, &helpers, function->helpers);
    }
    sort_pieces(&includes);
    text_addf(out, "#include \"%s\"\n\n", several->header_name);
    print_pieces(&includes, out);
    print_pieces(&heads, out);
    print_pieces(&helpers, out);
    for (int k = 0; k < several->function.n; k++) {
        text_add(out, k ? "\n" : "");
        print_tables(several, &several->function.at[k], &tables, out);
        text_add(out, several->function.at[k].code);
    }
}

void several_print(const struct several *several, struct text *source, struct text *header)
{
    struct c_header all = {.name = several->macro};
    struct text functions = {0};

    for (int k = 0; k < several->function.n; k++) {
        const struct function_text *function = &several->function.at[k];
        if (function->declaration)
            text_addf(&functions, "%s%s", functions.size ? "\n" : "", function->declaration);
        all.shows_bool |= function->shows_bool;
        all.has_pointers |= function->has_pointers;
        all.uses_f16 |= function->uses_f16;
    }
    all.functions = text_str(&functions);
    c_print_header(several->arena, &all, header);
    print_source(several, source);
    text_free(&functions);
}
