/* The parser: its tokens, operators and values. */
#include "read/parser.h"

#include <string.h>

enum { MAX_DEPTH = 100, MAX_NODES = 2000 };

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

/* What other languages have at the token: `x ** 2`, `x++`; NULL: nothing known. */
static const char *cure_at(const struct parser *parser)
{
    const struct token *token = parser_token(parser);
    const bool is_op = token->kind == TOKEN_OP && parser->at > 0;

    if (is_op && strcmp(token->spelling, "*") == 0 && strcmp(token[-1].spelling, "*") == 0)
        return "a power is `pow(x, y)`, a square `x * x`";
    if (is_op && token[1].kind == TOKEN_OP && strcmp(token->spelling, token[1].spelling) == 0)
        return strcmp(token->spelling, "+") == 0   ? "one more is `x += 1`"
               : strcmp(token->spelling, "-") == 0 ? "one less is `x -= 1`"
                                                   : NULL;
    return NULL;
}

bool parser_expected(struct parser *parser, const char *wanted)
{
    const struct token *token = parser_token(parser);
    const struct place place = parser_place(parser, parser->at);
    struct diag *diag = NULL;

    if (!parser->failed && token->kind == TOKEN_END)
        diag_error(parser->reading->diags, "syntax", place, "expected %s at the end of the text", wanted);
    else if (!parser->failed)
        diag = diag_error(parser->reading->diags, "syntax", place, "expected %s, found `%s`", wanted, token->spelling);
    if (diag && cure_at(parser))
        diag_hint(parser->reading->diags, diag, "%s", cure_at(parser));
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

struct expr *parser_new(struct parser *parser, enum expr_kind kind, int first)
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

void parser_args(struct parser *parser, struct expr *expr, struct expr *const *arg, int n)
{
    expr->arg = ARENA_ARRAY(parser->reading->arena, n, struct expr *);
    expr->n_arg = n;
    for (int k = 0; k < n; k++)
        expr->arg[k] = arg[k];
}

static struct expr *new_binary(struct parser *parser, enum expr_op op, struct expr *a, struct expr *b, int first)
{
    struct expr *expr = parser_new(parser, EXPR_BINARY, first);

    expr->op = op;
    parser_args(parser, expr, (struct expr *[]){a, b}, 2);
    return expr;
}

static struct expr *parse_literal(struct parser *parser)
{
    const struct token *token = parser_token(parser);
    struct expr *expr;

    parser->at++;
    expr = parser_new(parser,
                      token->kind == TOKEN_INT    ? EXPR_INT
                      : token->kind == TOKEN_LONG ? EXPR_LONG
                                                  : EXPR_REAL,
                      parser->at - 1);
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
        return parser_name(parser);
    case TOKEN_INT:
    case TOKEN_LONG:
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
        expr = parser_new(parser, EXPR_UNARY, first);
        expr->op = ops[k];
        parser_args(parser, expr, &arg, 1);
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
    {"||", OP_LOR, 1}, {"&&", OP_LAND, 2}, {"|", OP_OR, 3},  {"^", OP_XOR, 4},  {"&", OP_AND, 5},  {"==", OP_EQ, 6},
    {"!=", OP_NE, 6},  {"<", OP_LT, 7},    {"<=", OP_LE, 7}, {">", OP_GT, 7},   {">=", OP_GE, 7},  {"<<", OP_SHL, 8},
    {">>", OP_SHR, 8}, {"+", OP_ADD, 9},   {"-", OP_SUB, 9}, {"*", OP_MUL, 10}, {"/", OP_DIV, 10}, {"%", OP_MOD, 10},
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
    expr = parser_new(parser, EXPR_CALL, first);
    expr->function = FUNCTION_MOD;
    parser_args(parser, expr, (struct expr *[]){left, right}, 2);
    return expr;
}

struct expr *parser_copy(struct parser *parser, const struct expr *expr, int first)
{
    struct expr *same = parser_new(parser, expr->kind, first);

    *same = *expr;
    same->arg = ARENA_ARRAY(parser->reading->arena, expr->n_arg, struct expr *);
    for (int k = 0; k < expr->n_arg && !parser->failed; k++)
        same->arg[k] = parser_copy(parser, expr->arg[k], first);
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
    expr = parser_copy(parser, *last, first);
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
    expr = parser_new(parser, EXPR_SELECT, first);
    parser_args(parser, expr, (struct expr *[]){condition, yes, no}, 3);
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
