#include "program/isl_text.h"

#include "base/names.h"

#include <string.h>
#include <strings.h>

enum { MAX_SIZE = 20000, MAX_NESTING = 50 };

static const char blanks[] = " \t\n";
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789'";

enum word { WORD_OPENS, WORD_OPERAND, WORD_OTHER };

static bool is_keyword(const char *word, size_t length)
{
    static const char *const keywords[] = {"and", "or", "not", "mod", "implies", "exists", "rat", "true", "false"};

    for (size_t k = 0; k < sizeof(keywords) / sizeof(keywords[0]); k++)
        if (strlen(keywords[k]) == length && strncasecmp(keywords[k], word, length) == 0)
            return true;
    return false;
}

/* The bytes of the word at text, and what it is to the next one: `{`, `;` and `->` open a tuple. */
static size_t next_word(const char *text, enum word *word)
{
    const size_t digits = strspn(text, "0123456789");
    const size_t length = digits ? digits : strspn(text, letters);

    if (length) {
        *word = is_keyword(text, length) ? WORD_OTHER : WORD_OPERAND;
        return length;
    }
    if (strncmp(text, "->", 2) == 0) {
        *word = WORD_OPENS;
        return 2;
    }
    *word = *text == '{' || *text == ';' ? WORD_OPENS : *text == ')' || *text == ']' ? WORD_OPERAND : WORD_OTHER;
    return 1;
}

/* What may follow `{`, `;` and `->` in a union of sets or maps: a tuple with or without name, `:`, the end
 * of an empty union, or the union itself after its parameters. */
static bool opens_tuple(const char *text, size_t length, enum word word)
{
    if (word != WORD_OPERAND || *text == ']' || *text == ')')
        return strchr("[{}:", *text) != NULL;
    return text[length + strspn(text + length, blanks)] == '[';
}

/* isl 0.25 loses memory where a number follows an operand and where something else stands for a tuple;
 * neither is ever right in unions of sets and maps. Returns the fault or NULL. */
static const char *find_leaking(const char *text)
{
    enum word before = WORD_OTHER, word;

    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        const size_t length = next_word(text, &word);
        const bool number = *text >= '0' && *text <= '9';

        if (before == WORD_OPERAND && number)
            return "a number follows an operand";
        if (before == WORD_OPENS && !opens_tuple(text, length, word))
            return "a tuple is expected after `{`, `;` and `->`";
        before = word;
        text += length;
    }
    return NULL;
}

/* isl's parser is recursive and knows no limits of its own. */
static bool is_small(const struct value *string, struct diags *diags)
{
    int depth = 0, deepest = 0;

    for (const char *c = string->string; *c; c++) {
        depth += *c == '(' || *c == '[' || *c == '{';
        depth -= *c == ')' || *c == ']' || *c == '}';
        deepest = depth > deepest ? depth : deepest;
    }
    if (strlen(string->string) <= MAX_SIZE && deepest <= MAX_NESTING)
        return true;
    diag_error(diags, "too-large", string->place, "this text is too long or nested too deeply");
    return false;
}

static bool is_acceptable(const struct value *string, struct diags *diags)
{
    const char *leaking = find_leaking(string->string);

    if (leaking)
        diag_error(diags, "isl-syntax", string->place, "this is not isl's notation: %s", leaking);
    return !leaking && is_small(string, diags);
}

static bool budget_is_spent(isl_ctx *ctx)
{
    isl_space *space = isl_space_params_alloc(ctx, 0);
    const bool spent = !space;

    isl_space_free(space);
    return spent;
}

static bool mentions(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (text += strcspn(text, letters); *text; text += strcspn(text, letters)) {
        const size_t word = strspn(text, letters);

        if (word == length && memcmp(text, name, length) == 0)
            return true;
        text += word;
    }
    return false;
}

/* "M, N": the parameters that text mentions; NULL: none. */
static const char *mentioned_params(const struct program *program, const char *text)
{
    const char *names = NULL;

    for (int k = 0; k < program->n_param; k++)
        if (mentions(text, program->param[k].name))
            names =
                arena_printf(program->arena, "%s%s%s", names ? names : "", names ? ", " : "", program->param[k].name);
    return names;
}

static void report_unreadable(const struct program *program, const struct value *string, struct diags *diags,
                              const char *what)
{
    const char *message = isl_ctx_last_error_msg(program->ctx);
    const char *names = mentioned_params(program, string->string);
    struct diag *diag;

    if (budget_is_spent(program->ctx))
        return;
    diag = diag_error(diags, "isl-syntax", string->place, "this is no %s in isl's notation: %s", what,
                      message ? message : "it is of another kind");
    if (names && string->string[strspn(string->string, blanks)] == '{')
        diag_hint(diags, diag, "parameters stand in front: \"[%s] -> { .. }\"", names);
    isl_ctx_reset_error(program->ctx);
}

static void report_unknown_param(const struct program *program, const struct value *string, struct diags *diags,
                                 const char *name)
{
    const char **names = ARENA_ARRAY(program->arena, program->n_param, const char *);
    struct diag *diag;
    const char *nearest;

    for (int k = 0; k < program->n_param; k++)
        names[k] = program->param[k].name;
    diag = diag_error(diags, "unknown-name", string->place, "`%s` is no parameter of the description", name);
    nearest = name_nearest(name, names, program->n_param);
    if (nearest)
        diag_hint(diags, diag, "did you mean `%s`?", nearest);
}

/* All parameters of space are the program's. */
static bool check_params(const struct program *program, const struct value *string, struct diags *diags,
                         __isl_take isl_space *space)
{
    const isl_size n = isl_space_dim(space, isl_dim_param);
    bool good = n >= 0;

    for (isl_size k = 0; k < n; k++) {
        const char *name = isl_space_get_dim_name(space, isl_dim_param, (unsigned)k);

        if (!name || program_param(program, name))
            continue;
        report_unknown_param(program, string, diags, name);
        good = false;
    }
    isl_space_free(space);
    return good;
}

__isl_give isl_set *isl_text_params(const struct program *program, const struct value *string, struct diags *diags)
{
    isl_set *set;

    if (!is_acceptable(string, diags))
        return NULL;
    set = isl_set_read_from_str(program->ctx, string->string);
    if (isl_set_is_params(set) != isl_bool_true) {
        report_unreadable(program, string, diags, "set of parameters");
        return isl_set_free(set);
    }
    if (!check_params(program, string, diags, isl_set_get_space(set)))
        return isl_set_free(set);
    return isl_set_align_params(set, program_params_space(program));
}

__isl_give isl_union_set *isl_text_union_set(const struct program *program, const struct value *string,
                                             struct diags *diags)
{
    isl_union_set *set;

    if (!is_acceptable(string, diags))
        return NULL;
    set = isl_union_set_read_from_str(program->ctx, string->string);
    if (!set)
        report_unreadable(program, string, diags, "union of sets");
    if (!set || !check_params(program, string, diags, isl_union_set_get_space(set)))
        return isl_union_set_free(set);
    return isl_union_set_align_params(set, program_params_space(program));
}

__isl_give isl_union_map *isl_text_union_map(const struct program *program, const struct value *string,
                                             struct diags *diags)
{
    isl_union_map *map;

    if (!is_acceptable(string, diags))
        return NULL;
    map = isl_union_map_read_from_str(program->ctx, string->string);
    if (!map)
        report_unreadable(program, string, diags, "map");
    if (!map || !check_params(program, string, diags, isl_union_map_get_space(map)))
        return isl_union_map_free(map);
    return isl_union_map_align_params(map, program_params_space(program));
}
