#include "read/reader.h"

#include "base/names.h"
#include "program/calls.h"
#include "program/storage/view.h"
#include "read/edit/notation.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_LISTED = 16 };

void suggest(struct reader *reader, struct diag *diag, const char *name, const char *const *names, int n)
{
    const char *nearest = name_nearest(name, names, n);

    if (nearest)
        diag_hint(reader->diags, diag, "did you mean `%s`?", nearest);
}

void suggest_all(struct reader *reader, struct diag *diag, const char *name, const char *const *names, int n)
{
    const char *list = NULL;

    suggest(reader, diag, name, names, n);
    for (int k = 0; k < n && n <= MOST_LISTED; k++) {
        const char *between = k == n - 1 ? " or " : ", ";

        list = arena_printf(reader->arena, "%s%s`%s`", list ? list : "", k ? between : "", names[k]);
    }
    if (list && !diag->hint)
        diag_hint(reader->diags, diag, "it can be %s", list);
}

/* May texts be in the list that the argument takes? */
static bool lists_texts(const struct argument *argument)
{
    const struct value text = {.kind = VALUE_STRING};

    switch (argument->kind) {
    case ARGUMENT_LOOPS:
    case ARGUMENT_NAMES:
    case ARGUMENT_NESTS:
    case ARGUMENT_INTS:
    case ARGUMENT_AFFINES:
        return true;
    case ARGUMENT_LIST:
        return argument_takes(argument->form, &text);
    default:
        return false;
    }
}

void suggest_shape(struct reader *reader, const struct argument *argument, const struct value *value, struct diag *diag)
{
    const struct value object = {.kind = VALUE_OBJECT};
    struct text shaped = {0};

    if (lists_texts(argument) && value->kind == VALUE_STRING)
        notation_json(argument, value->string, &shaped);
    else if (lists_texts(argument) && value->kind == VALUE_INT)
        text_addf(&shaped, "[%" PRId64 "]", value->integer);
    else if (argument->kind == ARGUMENT_LOOP_INTS && argument_takes(argument, &object))
        text_add(&shaped, "{\"i\": 16, \"j\": 64}");
    if (shaped.size)
        diag_hint(reader->diags, diag, argument->kind == ARGUMENT_LOOP_INTS ? "as in %s" : "write %s",
                  text_str(&shaped));
    text_free(&shaped);
}

static int count(const char *const *words)
{
    int n = 0;

    while (words[n])
        n++;
    return n;
}

static int find(const char *const *words, const char *word)
{
    for (int k = 0; words[k]; k++)
        if (strcmp(words[k], word) == 0)
            return k;
    return -1;
}

bool check_kind(struct reader *reader, const struct value *value, enum value_kind kind, const char *what)
{
    if (value->kind == kind)
        return true;
    if (kind == VALUE_INT && value->kind == VALUE_REAL) {
        diag_error(reader->diags, "number", value->place, "%s must be an integer below 2^53", what);
        return false;
    }
    diag_error(reader->diags, "kind", value->place, "%s must be %s, this is %s", what, value_kind_name(kind),
               value_kind_name(value->kind));
    return false;
}

int choose(struct reader *reader, const struct value *string, const char *const *words, const char *what)
{
    const int found = find(words, string->string);

    if (found < 0)
        suggest_all(reader,
                    diag_error(reader->diags, "choice", string->place, "there is no %s \"%s\"", what, string->string),
                    string->string, words, count(words));
    return found;
}

/* Words with a meaning in expressions, which a name would hide. */
static bool is_language_word(const char *name)
{
    static const char *const words[] = {"and", "or", "not", "mod", "step", NULL};
    enum function function;
    enum type type;

    if (function_by_name(name, &function) && (!function_is_library(function) || name_is_reserved(name)))
        return true;
    return find(words, name) >= 0 || type_by_name(name, &type);
}

static void report_called(struct reader *reader, const char *name, struct place place, const char *what)
{
    struct diag *diag = diag_error(reader->diags, "reserved-name", place,
                                   "`%s` cannot name %s: a function of C has the name, and is called", name, what);

    diag_note(reader->diags, diag, program_call(reader->program, name)->place, "here");
}

/* A name that was given before the statements were read. */
static void check_called(struct reader *reader, const char *name, struct place place, const char *what)
{
    if (program_call(reader->program, name))
        report_called(reader, name, place, what);
}

void check_called_names(struct reader *reader)
{
    const struct program *program = reader->program;

    check_called(reader, program->name, program->name_place, "a function");
    for (int k = 0; k < program->n_param; k++)
        check_called(reader, program->param[k].name, program->param[k].place, "a parameter");
    for (int k = 0; k < program->n_scalar; k++)
        check_called(reader, program->scalar[k].name, program->scalar[k].place, "a scalar");
    for (int k = 0; k < program->n_array; k++)
        check_called(reader, program->array[k].name, program->array[k].place, "an array");
    for (int k = 0; k < program->n_view; k++)
        check_called(reader, program->view[k].name, program->view[k].place, "a view");
    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_loop; k++)
            check_called(reader, program->statement[s]->loop_name[k], program->statement[s]->place, "a loop");
}

static bool is_free(struct reader *reader, const char *name, struct place place, const char *what, bool of_file)
{
    if (!name_is_identifier(name))
        diag_error(reader->diags, "name", place, "\"%s\" cannot name %s: names are letters, digits and _", name, what);
    else if (is_language_word(name))
        diag_error(reader->diags, "reserved-name", place, "`%s` cannot name %s: it is a word of expressions", name,
                   what);
    else if (program_call(reader->program, name))
        report_called(reader, name, place, what);
    else if (name_is_reserved(name) || (of_file && name_is_library_function(name)))
        diag_error(reader->diags, "reserved-name", place, "`%s` cannot name %s: C or CUDA reserves it", name, what);
    else
        return true;
    return false;
}

bool check_name(struct reader *reader, const char *name, struct place place, const char *what)
{
    return is_free(reader, name, place, what, false);
}

bool check_function_name(struct reader *reader, const char *name, struct place place)
{
    return is_free(reader, name, place, "a function", true);
}

static bool report_duplicate(struct reader *reader, const char *name, struct place place, const char *first_names,
                             struct place first)
{
    struct diag *diag = diag_error(reader->diags, "duplicate-name", place, "`%s` already names %s", name, first_names);

    diag_note(reader->diags, diag, first, "here");
    return false;
}

bool check_local_name(struct reader *reader, const char *name, struct place place, const char *what)
{
    const struct program *program = reader->program;
    const struct param *param = program_param(program, name);
    const struct scalar *scalar = program_scalar(program, name);
    const struct array *array = program_array(program, name), *view = program_view(program, name);

    if (!check_name(reader, name, place, what))
        return false;
    if (param)
        return report_duplicate(reader, name, place, "a parameter", param->place);
    if (scalar)
        return report_duplicate(reader, name, place, "a scalar", scalar->place);
    if (view)
        return report_duplicate(reader, name, place, "a view", view->place);
    return !array || report_duplicate(reader, name, place, "an array", array->place);
}

bool check_new_name(struct reader *reader, const char *name, struct place place, const char *what)
{
    if (!check_local_name(reader, name, place, what))
        return false;
    return strcmp(name, reader->program->name) != 0 ||
           report_duplicate(reader, name, place, "the function", reader->program->name_place);
}

bool check_comment(struct diags *diags, const struct value *string)
{
    for (const char *c = string->string; *c; c++) {
        const bool control = (unsigned char)*c < ' ';

        if (!control && strncmp(c, "*/", 2) != 0 && strncmp(c, "/*", 2) != 0)
            continue;
        diag_error(diags, "comment", string->place, "%s cannot stand in this text: it goes into a comment",
                   control ? "a control character" : "`/*` or `*/`");
        return false;
    }
    return true;
}

struct expr *read_affine(struct reader *reader, const struct value *value, const char *what)
{
    const struct scope scope = {.program = reader->program};
    const struct reading reading = {reader->arena, reader->diags, &scope};
    struct expr *expr;

    if (value->kind == VALUE_INT) {
        expr = ARENA_NEW(reader->arena, struct expr);
        expr->kind = EXPR_INT;
        expr->place = value->place;
        expr->integer = value->integer;
        return expr;
    }
    if (!check_kind(reader, value, VALUE_STRING, what))
        return NULL;
    expr = parse_value(&reading, value);
    return expr && require_affine(&reading, expr, what) ? expr : NULL;
}

const char *const *type_names(struct arena *arena)
{
    const char **names = ARENA_ARRAY(arena, TYPE_F64 - TYPE_BOOL + 2, const char *);

    for (int t = TYPE_BOOL; t <= TYPE_F64; t++)
        names[t - TYPE_BOOL] = type_name((enum type)t);
    return names;
}
