/* One statement of a body: text to a typed statement inside its loops. */
#include "program/expr/typing.h"
#include "read/reader.h"

#include <string.h>

bool check_label(struct reader *reader, const char *label, struct place place)
{
    if (!check_local_name(reader, label, place, "a statement"))
        return false;
    for (int k = 0; k < reader->statement.n; k++) {
        const struct statement *other = reader->statement.at[k];

        if (!other->label || strcmp(other->label, label) != 0)
            continue;
        diag_note(reader->diags,
                  diag_error(reader->diags, "duplicate-name", place, "`%s` already names a statement", label),
                  other->place, "here");
        return false;
    }
    return true;
}

static const char **copy_names(struct arena *arena, const struct scope *scope)
{
    const char **names = ARENA_ARRAY(arena, scope->n_loop, const char *);

    for (int k = 0; k < scope->n_loop; k++)
        names[k] = scope->loop[k];
    return names;
}

struct statement *add_statement(struct reader *reader, const struct nest *nest, const struct scope *scope,
                                struct place place, const struct parsed_statement *parsed)
{
    struct statement *statement = ARENA_NEW(reader->arena, struct statement);

    *statement = (struct statement){
        .index = reader->statement.n,
        .label = parsed->label,
        .place = place,
        .nest = nest,
        .loop_name = copy_names(reader->arena, scope),
        .n_loop = scope->n_loop,
        .target = parsed->target,
        .op = parsed->op,
        .value = parsed->value,
    };
    if (!statement_typed(reader->arena, reader->diags, statement))
        return NULL;
    VEC_PUSH(reader->arena, &reader->statement, statement);
    return statement;
}

struct statement *read_statement(struct reader *reader, const struct nest *nest, const struct value *string,
                                 const struct scope *scope)
{
    const struct reading reading = {reader->arena, reader->diags, scope};
    struct parsed_statement parsed;

    if (!parse_statement(&reading, string, &parsed))
        return NULL;
    if (parsed.label && !check_label(reader, parsed.label, parsed.label_place))
        return NULL;
    return add_statement(reader, nest, scope, string->place, &parsed);
}
