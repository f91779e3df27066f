#include "lower/dump/dump.h"

#include "lower/dump/reader.h"
#include "program/program.h"

#include <string.h>

/* polynest-dump 1, and the line behind it */
static bool read_version(struct lexer *lexer)
{
    int64_t version = 0;

    lexer_next(lexer);
    if (!lexer_skip(lexer, "polynest") || !lexer_skip(lexer, "-") || !lexer_skip(lexer, "dump"))
        return lexer_fail(lexer, "this is no dump: the first line should be `polynest-dump %d`", DUMP_VERSION);
    if (!lexer_number(lexer, 0, INT64_MAX, &version))
        return false;
    if (version != DUMP_VERSION)
        return lexer_fail(lexer, "the dump has another version: this polynest reads %d", DUMP_VERSION);
    return true;
}

/* == vectors */
static const struct pass *read_pass(struct lexer *lexer)
{
    const struct pass *pass;

    if (lexer->token.kind != TOKEN_LINE || lexer->token.number)
        return lexer_fail(lexer, "a line `== PASS` is missing here"), NULL;
    lexer_next(lexer);
    if (!lexer_expect(lexer, "=="))
        return NULL;
    pass = lexer->token.kind == TOKEN_NAME ? pipeline_find(lexer->token.text) : NULL;
    if (!pass)
        return lexer_fail(lexer, "the name of a pass is missing here"), NULL;
    lexer_next(lexer);
    return pass;
}

const struct pass *dump_pass(struct arena *arena, const struct source *source, struct diags *diags)
{
    struct lexer lexer = lexer_of(arena, source, diags);

    return read_version(&lexer) ? read_pass(&lexer) : NULL;
}

static bool is_at_line(const struct reader *reader, const char *word)
{
    const struct lexer *lexer = &reader->lexer;
    const size_t size = strlen(word);

    return lexer->token.kind == TOKEN_LINE && lexer->token.number == 0 && lexer->at + size < lexer->source->size &&
           strncmp(lexer->source->text + lexer->at, word, size) == 0 && lexer->source->text[lexer->at + size] == ' ';
}

/* guarded i */
static bool read_guarded(struct reader *reader)
{
    const struct loop_info *info;

    while (is_at_line(reader, "guarded")) {
        lexer_next(&reader->lexer);
        lexer_next(&reader->lexer);
        const char *name = lexer_name(&reader->lexer, "a loop");
        info = name ? handle_find(&reader->loops, name) : NULL;
        if (!info)
            return lexer_fail(&reader->lexer, "the description has no such loop");
        VEC_PUSH(reader->scope->arena, &reader->lowering->guarded, info->id);
    }
    return true;
}

/* Keeps these dimensions only. */
static bool read_kept(struct reader *reader, struct array *array)
{
    struct expr **shape = ARENA_ARRAY(reader->scope->arena, array->n_dim + 1, struct expr *);
    int64_t next = 0, dim;
    int n = 0;

    if (!lexer_expect(&reader->lexer, "["))
        return false;
    while (!lexer_at(&reader->lexer, "]") && (n == 0 || lexer_expect(&reader->lexer, ","))) {
        if (!lexer_number(&reader->lexer, next, array->n_dim - 1, &dim))
            return false;
        shape[n++] = array->shape[dim];
        next = dim + 1;
    }
    if (array->stored_dim || array->stride)
        return lexer_fail(&reader->lexer, "the array keeps all of its dimensions");
    array->shape = shape;
    array->dim_order = NULL;
    array->n_dim = n;
    return lexer_expect(&reader->lexer, "]");
}

/* array acc: keeps [1, 2], in_tiles */
static bool read_arrays(struct reader *reader)
{
    const struct program *program = reader->scope->arrays;
    struct lexer *lexer = &reader->lexer;

    while (is_at_line(reader, "array")) {
        if (program == reader->scope->stored)
            return lexer_fail(lexer, "no pass has changed an array yet");
        lexer_next(lexer);
        lexer_next(lexer);
        const struct array *found = dump_read_array(reader);
        if (!found || !lexer_expect(lexer, ":") || !lexer_expect(lexer, "keeps"))
            return false;
        struct array *array = &program->array[found - program->array];
        if (!lexer_skip(lexer, "all") && !read_kept(reader, array))
            return false;
        if (lexer_skip(lexer, ",") && !dump_read_fields(reader, &dump_array, 0, array))
            return false;
    }
    return true;
}

/* The name of a variable called `i#2`. */
static const char *name_of(struct arena *arena, const char *handle)
{
    return arena_copy_n(arena, handle, strcspn(handle, "#"));
}

/* var i: kind loop, narrow */
static bool read_vars(struct reader *reader)
{
    const struct dump_scope *scope = reader->scope;
    struct lexer *lexer = &reader->lexer;
    VEC(struct token) token = {0};

    reader->vars.n = 0;
    for (int k = 0; k < scope->stored->n_param; k++)
        VEC_PUSH(scope->arena, &reader->vars,
                 ((struct handle){.thing = scope->vars->param[k], .name = scope->vars->param[k]->name}));
    while (is_at_line(reader, "var")) {
        lexer_next(lexer);
        lexer_next(lexer);
        VEC_PUSH(scope->arena, &token, lexer->token);
        const char *handle = lexer_name(lexer, "a variable");
        if (!handle || !lexer_expect(lexer, ":"))
            return false;
        struct var *var = var_new(scope->vars, VAR_LOOP, name_of(scope->arena, handle));
        if (!dump_read_fields(reader, &dump_var, 0, var))
            return false;
        if (var->kind == VAR_PARAM)
            return lexer_fail(lexer, "parameters are those of the description");
        VEC_PUSH(scope->arena, &reader->vars, ((struct handle){.thing = var, .name = var->name}));
    }
    handles_set(scope->arena, &reader->vars);
    for (int k = 0; k < token.n; k++) {
        const char *handle = reader->vars.at[scope->stored->n_param + k].handle;
        if (strcmp(handle, token.at[k].text) != 0) {
            lexer->token = token.at[k];
            return lexer_fail(lexer, "the variable should be called `%s` here", handle);
        }
    }
    return true;
}

static bool read_tree(struct reader *reader, const struct pass *pass, dumped_vec *trees)
{
    const struct token begin = reader->lexer.token;
    const struct pass *other = read_pass(&reader->lexer);
    const struct node *tree;

    if (!other)
        return false;
    if (other != pass)
        return lexer_fail(&reader->lexer, "a dump to be read has trees of one pass, of `%s`", pass->name);
    if (!read_guarded(reader) || !read_arrays(reader) || !read_vars(reader))
        return false;
    if (reader->lexer.token.kind == TOKEN_END)
        return lexer_fail(&reader->lexer, "the tree is missing here");
    tree = dump_read_body(reader, 0);
    if (reader->lexer.failed)
        return false;
    VEC_PUSH(reader->scope->arena, trees, ((struct dumped){tree, {reader->lexer.source, begin.offset, 2}}));
    return true;
}

bool dump_read(const struct dump_scope *scope, const struct source *source, struct diags *diags, dumped_vec *trees,
               struct lowering *lowering)
{
    struct reader reader = {.lexer = lexer_of(scope->arena, source, diags),
                            .scope = scope,
                            .lowering = lowering,
                            .loops = handles_of_loops(scope)};
    const struct pass *pass = dump_pass(scope->arena, source, diags);

    if (!pass || !read_version(&reader.lexer))
        return false;
    reader.early = pass->section == SECTION_LOOPS;
    reader.unfolded = pass >= pipeline_find("unfold");
    while (reader.lexer.token.kind != TOKEN_END)
        if (!read_tree(&reader, pass, trees))
            return false;
    return !reader.lexer.failed;
}
