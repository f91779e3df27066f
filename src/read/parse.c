#include "base/names.h"
#include "program/view.h"
#include "read/parser.h"

#include <string.h>

enum { MAX_DEPTH = 100, MAX_NODES = 2000, MAX_ARGUMENTS = 16, MAX_UNKNOWN = 8 };

typedef VEC(const char *) string_vec;

const struct token *parser_token(const struct parser *parser)
{
    return &parser->lexed.token.at[parser->at];
}

struct place parser_place(const struct parser *parser, int token)
{
    const struct token *t = &parser->lexed.token.at[token];

    return lexed_place(&parser->lexed, t->start, t->end);
}

static struct place place_from(const struct parser *parser, int first)
{
    const int last = parser->at > first ? parser->at - 1 : first;

    return lexed_place(&parser->lexed, parser->lexed.token.at[first].start, parser->lexed.token.at[last].end);
}

bool parser_start(struct parser *parser, const struct reading *reading, const struct value *string)
{
    *parser = (struct parser){.reading = reading};
    parser->failed = !lex(reading->arena, reading->diags, string->string, string->place, &parser->lexed);
    return !parser->failed;
}

bool parser_is(const struct parser *parser, const char *op)
{
    const struct token *token = parser_token(parser);

    return token->kind == TOKEN_OP && strcmp(token->spelling, op) == 0;
}

bool parser_take(struct parser *parser, const char *op)
{
    if (!parser_is(parser, op))
        return false;
    parser->at++;
    return true;
}

bool parser_expected(struct parser *parser, const char *wanted)
{
    const struct token *token = parser_token(parser);
    const struct place place = parser_place(parser, parser->at);

    if (!parser->failed && token->kind == TOKEN_END)
        diag_error(parser->reading->diags, "syntax", place, "expected %s at the end of the text", wanted);
    else if (!parser->failed)
        diag_error(parser->reading->diags, "syntax", place, "expected %s, found `%s`", wanted, token->spelling);
    parser->failed = true;
    return false;
}

bool parser_end(struct parser *parser)
{
    if (parser->failed)
        return false;
    if (parser_token(parser)->kind == TOKEN_END)
        return true;
    if (parser_is(parser, "<") || parser_is(parser, "<=") || parser_is(parser, ">") || parser_is(parser, ">=")) {
        diag_hint(parser->reading->diags,
                  diag_error(parser->reading->diags, "syntax", parser_place(parser, parser->at),
                             "a chain of comparisons is for conditions"),
                  "write a < b && b < c");
        parser->failed = true;
        return false;
    }
    return parser_expected(parser, "an operator or the end of the text");
}

static struct expr *new_expr(struct parser *parser, enum expr_kind kind, int first)
{
    struct expr *expr = ARENA_NEW(parser->reading->arena, struct expr);

    expr->kind = kind;
    expr->place = place_from(parser, first);
    if (++parser->nodes > MAX_NODES && !parser->failed) {
        diag_error(parser->reading->diags, "too-large", expr->place, "this expression has more than %d parts",
                   MAX_NODES);
        parser->failed = true;
    }
    return expr;
}

static void set_args(struct parser *parser, struct expr *expr, struct expr *const *arg, int n)
{
    expr->arg = ARENA_ARRAY(parser->reading->arena, n, struct expr *);
    expr->n_arg = n;
    for (int k = 0; k < n; k++)
        expr->arg[k] = arg[k];
}

static struct expr *new_binary(struct parser *parser, enum expr_op op, struct expr *a, struct expr *b, int first)
{
    struct expr *expr = new_expr(parser, EXPR_BINARY, first);

    expr->op = op;
    set_args(parser, expr, (struct expr *[]){a, b}, 2);
    return expr;
}

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

static void unknown_name(struct parser *parser, const char *name, struct place place)
{
    string_vec names = {0};
    struct diag *diag;
    const char *nearest;

    parser->failed = true;
    if (++parser->unknown > MAX_UNKNOWN)
        return;
    diag = diag_error(parser->reading->diags, "unknown-name", place,
                      "`%s` is no parameter, scalar, array or enclosing loop", name);
    candidates(parser, &names);
    nearest = name_nearest(name, names.at, names.n);
    if (nearest)
        diag_hint(parser->reading->diags, diag, "did you mean `%s`?", nearest);
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
    expr = new_expr(parser, EXPR_ACCESS, first);
    expr->array = array;
    set_args(parser, expr, arg, n);
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
    struct expr *expr;
    int n, arity;

    if (!cast && !function_by_name(name, &function))
        return unknown_function(parser, name, first), NULL;
    parser->at++;
    n = parse_list(parser, ")", arg, 0);
    if (n < 0)
        return NULL;
    expr = new_expr(parser, cast ? EXPR_CAST : EXPR_CALL, first);
    expr->function = function;
    expr->type = type;
    set_args(parser, expr, arg, n);
    arity = cast ? 1 : function_arity(function);
    if (n == arity)
        return expr;
    diag_error(parser->reading->diags, "arguments", expr->place, "`%s` takes %d argument%s, not %d", name, arity,
               arity == 1 ? "" : "s", n);
    parser->failed = true;
    return NULL;
}

static struct expr *parse_name(struct parser *parser)
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
    expr = new_expr(parser, loop >= 0 ? EXPR_LOOP : param ? EXPR_PARAM : scalar ? EXPR_SCALAR : EXPR_INT, first);
    expr->loop = loop;
    expr->param = param;
    expr->scalar = scalar;
    if (expr->kind == EXPR_INT)
        unknown_name(parser, name, expr->place);
    return expr;
}

static struct expr *parse_literal(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    struct expr *expr;

    parser->at++;
    expr = new_expr(parser, token->kind == TOKEN_INT ? EXPR_INT : EXPR_REAL, parser->at - 1);
    expr->integer = token->integer;
    expr->real = token->real;
    expr->spelling = token->spelling;
    return expr;
}

static struct expr *parse_primary(struct parser *parser)
{
    struct expr *expr;

    switch (parser_token(parser)->kind) {
    case TOKEN_NAME:
        return parse_name(parser);
    case TOKEN_INT:
    case TOKEN_REAL:
        return parse_literal(parser);
    default:
        break;
    }
    if (!parser_take(parser, "("))
        return parser_expected(parser, "a value"), NULL;
    expr = parser_expr(parser, LEVEL_SELECT);
    if (expr && !parser_take(parser, ")"))
        return parser_expected(parser, "`)`"), NULL;
    return expr;
}

static struct expr *parse_unary(struct parser *parser)
{
    static const enum expr_op ops[] = {OP_NEG, OP_NOT, OP_LNOT};
    const int first = parser->at;
    struct expr *arg, *expr;

    if (parser_take(parser, "+"))
        return parser_expr(parser, LEVEL_UNARY);
    for (size_t k = 0; k < sizeof(ops) / sizeof(ops[0]); k++) {
        if (!parser_take(parser, op_symbol(ops[k])))
            continue;
        arg = parser_expr(parser, LEVEL_UNARY);
        if (!arg)
            return NULL;
        expr = new_expr(parser, EXPR_UNARY, first);
        expr->op = ops[k];
        set_args(parser, expr, &arg, 1);
        return expr;
    }
    return parse_primary(parser);
}

struct binary_row {
    const char *symbol;
    enum expr_op op;
    int level;
};

static const struct binary_row binaries[] = {
    {"||", OP_LOR, 1}, {"&&", OP_LAND, 2}, {"|", OP_OR, 3},  {"^", OP_XOR, 4},  {"&", OP_AND, 5},
    {"==", OP_EQ, 6},  {"!=", OP_NE, 6},   {"<", OP_LT, 7},  {"<=", OP_LE, 7},  {">", OP_GT, 7},
    {">=", OP_GE, 7},  {"<<", OP_SHL, 8},  {">>", OP_SHR, 8}, {"+", OP_ADD, 9}, {"-", OP_SUB, 9},
    {"*", OP_MUL, 10}, {"/", OP_DIV, 10},  {"%", OP_MOD, 10},
};

enum { LEVEL_EQUALITY = 6, LEVEL_COMPARE = 7, LEVEL_PRODUCT = 10 };

/* The binary operator at the current token, or NULL. Conditions know `=`, and all comparisons on one level. */
static const struct binary_row *current_binary(const struct parser *parser, struct binary_row *condition_row)
{
    const struct token *token = parser_token(parser);

    if (token->kind != TOKEN_OP)
        return NULL;
    for (size_t k = 0; k < sizeof(binaries) / sizeof(binaries[0]); k++) {
        const bool equals = parser->condition && binaries[k].op == OP_EQ && strcmp(token->spelling, "=") == 0;

        if (!equals && strcmp(binaries[k].symbol, token->spelling) != 0)
            continue;
        *condition_row = binaries[k];
        if (parser->condition && binaries[k].level == LEVEL_COMPARE)
            condition_row->level = LEVEL_EQUALITY;
        return condition_row;
    }
    return NULL;
}

static bool is_mod(const struct parser *parser)
{
    const struct token *token = parser_token(parser);

    return token->kind == TOKEN_NAME && strcmp(token->spelling, "mod") == 0;
}

static struct expr *parse_mod(struct parser *parser, struct expr *left, int first)
{
    struct expr *right, *expr;

    parser->at++;
    right = parser_expr(parser, LEVEL_UNARY);
    if (!right)
        return NULL;
    expr = new_expr(parser, EXPR_CALL, first);
    expr->function = FUNCTION_MOD;
    set_args(parser, expr, (struct expr *[]){left, right}, 2);
    return expr;
}

static struct expr *copy(struct parser *parser, const struct expr *expr, int first)
{
    struct expr *same = new_expr(parser, expr->kind, first);

    *same = *expr;
    same->arg = ARENA_ARRAY(parser->reading->arena, expr->n_arg, struct expr *);
    for (int k = 0; k < expr->n_arg && !parser->failed; k++)
        same->arg[k] = copy(parser, expr->arg[k], first);
    return parser->failed ? NULL : same;
}

/* left op right; in a chain a < b < c, *last is b and the result is a < b && b < c. */
static struct expr *join(struct parser *parser, const struct binary_row *row, struct expr *left, struct expr **last,
                         struct expr *right, int first)
{
    const bool comparison = row->op >= OP_LT && row->op <= OP_NE;
    struct expr *expr;

    if (!parser->condition || !comparison || !*last) {
        *last = comparison ? right : NULL;
        return new_binary(parser, row->op, left, right, first);
    }
    expr = copy(parser, *last, first);
    if (!expr)
        return NULL;
    expr = new_binary(parser, row->op, expr, right, first);
    *last = right;
    return new_binary(parser, OP_LAND, left, expr, first);
}

static struct expr *parse_binaries(struct parser *parser, struct expr *left, int level, int first)
{
    struct expr *last = NULL, *right;
    struct binary_row row;

    while (left) {
        if (is_mod(parser) && level <= LEVEL_PRODUCT) {
            left = parse_mod(parser, left, first);
            continue;
        }
        if (!current_binary(parser, &row) || row.level < level)
            break;
        if (!parser->condition && last && row.level == LEVEL_COMPARE)
            break;
        parser->at++;
        right = parser_expr(parser, row.level + 1);
        left = right ? join(parser, &row, left, &last, right, first) : NULL;
    }
    return left;
}

static struct expr *parse_select(struct parser *parser, struct expr *condition, int first)
{
    struct expr *yes, *no, *expr;

    parser->at++;
    yes = parser_expr(parser, LEVEL_SELECT);
    if (!yes)
        return NULL;
    if (!parser_take(parser, ":"))
        return parser_expected(parser, "`:`"), NULL;
    no = parser_expr(parser, LEVEL_SELECT);
    if (!no)
        return NULL;
    expr = new_expr(parser, EXPR_SELECT, first);
    set_args(parser, expr, (struct expr *[]){condition, yes, no}, 3);
    return expr;
}

struct expr *parser_expr(struct parser *parser, int level)
{
    const int first = parser->at;
    struct expr *expr;

    if (++parser->depth > MAX_DEPTH) {
        if (!parser->failed)
            diag_error(parser->reading->diags, "depth", parser_place(parser, parser->at),
                       "this expression is nested too deeply");
        parser->failed = true;
        return NULL;
    }
    expr = parse_unary(parser);
    if (level < LEVEL_UNARY)
        expr = parse_binaries(parser, expr, level, first);
    if (expr && level == LEVEL_SELECT && parser_is(parser, "?"))
        expr = parse_select(parser, expr, first);
    parser->depth--;
    return expr;
}
