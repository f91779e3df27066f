/* Names in expressions: what they stand for, and what follows them: subscripts, arguments. */
#include "base/names.h"
#include "program/storage/view.h"
#include "read/parser.h"
#include "read/reader.h"

#include <string.h>

enum { MAX_ARGUMENTS = 16, MAX_UNKNOWN = 8 };

typedef VEC(const char *) string_vec;

/* Every name an expression can use, for suggestions. */
static void candidates(const struct parser *parser, string_vec *names)
{
    struct arena *arena = parser->reading->arena;
    const struct scope *scope = parser->reading->scope;
    const struct program *program = scope->program;

    for (int k = 0; k < scope->n_loop; k++)
        VEC_PUSH(arena, names, scope->loop[k]);
    for (int k = 0; k < program->n_param; k++)
        VEC_PUSH(arena, names, program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        VEC_PUSH(arena, names, program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        VEC_PUSH(arena, names, program->array[k].name);
}

/* The type that C's word for one means. */
static const char *nearest_type(const struct parser *parser, const char *name)
{
    const char *const *types = type_names(parser->reading->arena);
    int n = 0;

    while (types[n])
        n++;
    return name_is_reserved(name) ? name_nearest(name, types, n) : NULL;
}

/* What to write in the place of a constant of C's, or a word like "if"; NULL: nothing is known. */
static const char *instead_of(const char *name)
{
    static const struct {
        const char *words, *hint;
    } rows[] = {
        {" if ", "a choice is `c ? x : y`; a condition of a block is its key \"if\""},
        {" inf infinity INFINITY HUGE_VAL HUGE_VALF ",
         "there is no infinity: start with the first element, `m = x[0]`, or take a scalar for it"},
        {" nan NAN NaN ", "there is no NaN: take a scalar for it"},
        {" pi PI M_PI ", "write the digits, `3.141592653589793`, or take a scalar for it"},
        {" FLT_MAX DBL_MAX FLT_MIN DBL_MIN FLT_EPSILON DBL_EPSILON INT_MAX INT_MIN ",
         "write the number, or take a scalar for it; a maximum starts with the first element, `m = x[0]`"},
        {" true false ", "a condition is a number: 1 or 0"},
    };
    const size_t size = strlen(name);

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
        for (const char *at = strstr(rows[k].words, name); at; at = strstr(at + 1, name))
            if (at > rows[k].words && at[-1] == ' ' && at[size] == ' ')
                return rows[k].hint;
    return NULL;
}

static void unknown_name(struct parser *parser, const char *name, struct place place)
{
    string_vec names = {0};
    struct diag *diag;
    const char *nearest, *type = nearest_type(parser, name);

    parser->failed = true;
    if (++parser->unknown > MAX_UNKNOWN)
        return;
    diag = diag_error(parser->reading->diags, "unknown-name", place,
                      "`%s` is no parameter, scalar, array or enclosing loop", name);
    candidates(parser, &names);
    nearest = name_nearest(name, names.at, names.n);
    if (instead_of(name))
        diag_hint(parser->reading->diags, diag, "%s", instead_of(name));
    else if (type)
        diag_hint(parser->reading->diags, diag, "a conversion is `%s(x)`", type);
    else if (nearest)
        diag_hint(parser->reading->diags, diag, "did you mean `%s`?", nearest);
    else if (names.n > 0)
        diag_hint(parser->reading->diags, diag, "there are %s",
                  names_listed(parser->reading->arena, names.at, names.n));
}

static int find_loop(const struct scope *scope, const char *name)
{
    for (int k = scope->n_loop - 1; k >= 0; k--)
        if (strcmp(scope->loop[k], name) == 0)
            return k;
    return -1;
}

/* A list of expressions up to close, which is stepped over; the number of them, or -1. */
static int parse_list(struct parser *parser, const char *close, struct expr **arg, int n)
{
    do {
        if (n == MAX_ARGUMENTS) {
            parser_expected(parser, close);
            return -1;
        }
        arg[n] = parser_expr(parser, LEVEL_SELECT);
        if (!arg[n++])
            return -1;
    } while (parser_take(parser, ","));
    if (!parser_take(parser, close)) {
        parser_expected(parser, *close == ')' ? "`,` or `)`" : "`,` or `]`");
        return -1;
    }
    return n;
}

static struct expr *parse_subscripts(struct parser *parser, const struct array *array, int first)
{
    struct expr *arg[MAX_ARGUMENTS];
    struct expr *expr;
    int n = 0;

    while (n >= 0 && parser_take(parser, "["))
        n = parse_list(parser, "]", arg, n);
    if (n < 0)
        return NULL;
    expr = parser_new(parser, EXPR_ACCESS, first);
    expr->array = array;
    parser_args(parser, expr, arg, n);
    if (n == array->n_dim && array->view_of)
        view_resolve(parser->reading->arena, expr, array);
    if (n != array->n_dim) {
        struct diag *diag = diag_error(parser->reading->diags, "subscripts", expr->place,
                                       "`%s` has %d dimension%s, this gives %d subscript%s", array->name, array->n_dim,
                                       array->n_dim == 1 ? "" : "s", n, n == 1 ? "" : "s");

        diag_note(parser->reading->diags, diag, array->place, "declared here");
        parser->failed = true;
        return NULL;
    }
    return expr;
}

static const struct array *array_or_view(const struct program *program, const char *name)
{
    const struct array *array = program_array(program, name);

    return array ? array : program_view(program, name);
}

struct expr *parser_access(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    const struct scope *scope = parser->reading->scope;
    const struct array *array = NULL;
    const int first = parser->at;

    if (token->kind != TOKEN_NAME)
        return parser_expected(parser, "an array element"), NULL;
    array = array_or_view(scope->program, token->spelling);
    parser->at++;
    if (array)
        return parse_subscripts(parser, array, first);
    if (find_loop(scope, token->spelling) >= 0 || program_param(scope->program, token->spelling) ||
        program_scalar(scope->program, token->spelling))
        diag_error(parser->reading->diags, "not-assignable", parser_place(parser, first),
                   "`%s` is no array: only array elements can be assigned", token->spelling);
    else
        unknown_name(parser, token->spelling, parser_place(parser, first));
    parser->failed = true;
    return NULL;
}

static void unknown_function(struct parser *parser, const char *name, int first)
{
    string_vec names = {0};
    struct diag *diag = diag_error(parser->reading->diags, "unknown-function", parser_place(parser, first),
                                   "there is no function or type `%s`", name);
    const char *nearest;

    for (int f = FUNCTION_MIN; f <= FUNCTION_MOD; f++)
        VEC_PUSH(parser->reading->arena, &names, function_name((enum function)f));
    for (int k = 0; composed_name(k); k++)
        VEC_PUSH(parser->reading->arena, &names, composed_name(k));
    for (int t = TYPE_BOOL; t <= TYPE_F64; t++)
        VEC_PUSH(parser->reading->arena, &names, type_name((enum type)t));
    nearest = name_nearest(name, names.at, names.n);
    if (nearest)
        diag_hint(parser->reading->diags, diag, "did you mean `%s`?", nearest);
    parser->failed = true;
}

/* The call or cast whose name token is `first`; the current token is the opening parenthesis. */
static struct expr *parse_call(struct parser *parser, const char *name, int first)
{
    struct expr *arg[MAX_ARGUMENTS];
    enum function function = FUNCTION_MIN;
    enum type type = TYPE_NONE;
    const bool cast = type_by_name(name, &type);
    const int composed = composed_by_name(name);
    struct expr *expr;
    int n, arity;

    if (!cast && composed < 0 && !function_by_name(name, &function))
        return unknown_function(parser, name, first), NULL;
    parser->at++;
    n = parse_list(parser, ")", arg, 0);
    if (n < 0)
        return NULL;
    expr = parser_new(parser, cast ? EXPR_CAST : EXPR_CALL, first);
    expr->function = function;
    expr->type = type;
    parser_args(parser, expr, arg, n);
    arity = cast || composed >= 0 ? 1 : function_arity(function);
    if (n == arity)
        return composed >= 0 ? parser_composed(parser, composed, arg[0], first) : expr;
    diag_error(parser->reading->diags, "arguments", expr->place, "`%s` takes %d argument%s, not %d", name, arity,
               arity == 1 ? "" : "s", n);
    parser->failed = true;
    return NULL;
}

struct expr *parser_name(struct parser *parser)
{
    const struct scope *scope = parser->reading->scope;
    const int first = parser->at++;
    const char *name = parser->lexed.token.at[first].spelling;
    const int loop = find_loop(scope, name);
    const struct param *param = program_param(scope->program, name);
    const struct scalar *scalar = program_scalar(scope->program, name);
    const struct array *array = array_or_view(scope->program, name);
    struct expr *expr;

    if (parser_is(parser, "("))
        return parse_call(parser, name, first);
    if (loop < 0 && !param && !scalar && array)
        return parse_subscripts(parser, array, first);
    expr = parser_new(parser, loop >= 0 ? EXPR_LOOP : param ? EXPR_PARAM : scalar ? EXPR_SCALAR : EXPR_INT, first);
    expr->loop = loop;
    expr->param = param;
    expr->scalar = scalar;
    if (expr->kind == EXPR_INT)
        unknown_name(parser, name, expr->place);
    return expr;
}
