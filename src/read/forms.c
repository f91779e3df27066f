/* Whole texts of the description: values, conditions, statements and loop headers. */
#include "base/names.h"
#include "program/expr/affine.h"
#include "read/parser.h"

#include <string.h>

struct expr *parse_value(const struct reading *reading, const struct value *string)
{
    struct parser parser;
    struct expr *expr;

    if (!parser_start(&parser, reading, string))
        return NULL;
    expr = parser_expr(&parser, LEVEL_SELECT);
    return parser_end(&parser) ? expr : NULL;
}

struct expr *parse_condition(const struct reading *reading, const struct value *string)
{
    struct parser parser;
    struct expr *expr;

    if (!parser_start(&parser, reading, string))
        return NULL;
    parser.condition = true;
    expr = parser_expr(&parser, LEVEL_SELECT);
    return parser_end(&parser) ? expr : NULL;
}

static bool is_name(const struct parser *parser, int ahead)
{
    const int at = parser->at + ahead;

    return at < parser->lexed.token.n && parser->lexed.token.at[at].kind == TOKEN_NAME;
}

static bool is_op(const struct parser *parser, int ahead, const char *op)
{
    const int at = parser->at + ahead;

    return at < parser->lexed.token.n && parser->lexed.token.at[at].kind == TOKEN_OP &&
           strcmp(parser->lexed.token.at[at].spelling, op) == 0;
}

static void take_label(struct parser *parser, struct parsed_statement *statement)
{
    statement->label = NULL;
    statement->label_place = parser->lexed.place;
    if (!is_name(parser, 0) || !is_op(parser, 1, ":"))
        return;
    statement->label = parser_token(parser)->spelling;
    statement->label_place = parser_place(parser, parser->at);
    parser->at += 2;
}

static bool take_extreme_assignment(struct parser *parser, enum expr_op *op)
{
    const char *name = parser_token(parser)->spelling;
    const bool least = is_name(parser, 0) && strcmp(name, "min") == 0;

    if (!is_op(parser, 1, "=") || !is_name(parser, 0) || (!least && strcmp(name, "max") != 0))
        return false;
    *op = least ? OP_MIN : OP_MAX;
    parser->at += 2;
    return true;
}

static bool take_assignment(struct parser *parser, enum expr_op *op)
{
    static const struct {
        const char *symbol;
        enum expr_op op;
    } rows[] = {
        {"=", OP_NONE}, {"+=", OP_ADD}, {"-=", OP_SUB}, {"*=", OP_MUL},  {"/=", OP_DIV},
        {"&=", OP_AND}, {"|=", OP_OR},  {"^=", OP_XOR}, {"<<=", OP_SHL}, {">>=", OP_SHR},
    };

    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
        if (parser_take(parser, rows[k].symbol)) {
            *op = rows[k].op;
            return true;
        }
    return take_extreme_assignment(parser, op) || parser_expected(parser, "`=`, `+=` or another assignment");
}

bool parse_statement(const struct reading *reading, const struct value *string, struct parsed_statement *statement)
{
    struct parser parser;

    if (!parser_start(&parser, reading, string))
        return false;
    take_label(&parser, statement);
    statement->target = parser_access(&parser);
    if (!statement->target || !take_assignment(&parser, &statement->op))
        return false;
    statement->value = parser_expr(&parser, LEVEL_SELECT);
    return parser_end(&parser);
}

/* The comparisons outside all parentheses: how many. */
static int count_comparisons(const struct parser *parser)
{
    int count = 0, depth = 0;

    for (int k = 0; k < parser->lexed.token.n; k++) {
        const struct token *token = &parser->lexed.token.at[k];

        if (token->kind != TOKEN_OP)
            continue;
        depth += *token->spelling == '(' || *token->spelling == '[';
        depth -= *token->spelling == ')' || *token->spelling == ']';
        if (depth || (strcmp(token->spelling, "<") != 0 && strcmp(token->spelling, "<=") != 0))
            continue;
        count++;
    }
    return count;
}

/* `<` or `<=` at the current token. */
static bool take_less(struct parser *parser, bool *strict)
{
    *strict = parser_is(parser, "<");
    return parser_take(parser, "<") || parser_take(parser, "<=") || parser_expected(parser, "`<` or `<=`");
}

static bool take_loop_name(struct parser *parser, struct nest_loop *loop)
{
    if (!is_name(parser, 0))
        return parser_expected(parser, "the name of the loop");
    loop->name = parser_token(parser)->spelling;
    loop->place = parser_place(parser, parser->at);
    parser->at++;
    return true;
}

static bool take_step(struct parser *parser, struct nest_loop *loop)
{
    bool negative;

    loop->step = 1;
    if (!is_name(parser, 0) || strcmp(parser_token(parser)->spelling, "step") != 0)
        return true;
    parser->at++;
    negative = parser_take(parser, "-");
    if (parser_token(parser)->kind != TOKEN_INT)
        return parser_expected(parser,
                               parser_token(parser)->kind == TOKEN_LONG ? "an integer that fits i64" : "an integer");
    loop->step = negative ? -parser_token(parser)->integer : parser_token(parser)->integer;
    parser->at++;
    if (loop->step != 0)
        return true;
    diag_error(parser->reading->diags, "step", parser_place(parser, parser->at - 1), "the step of a loop cannot be 0");
    parser->failed = true;
    return false;
}

static bool take_header(struct parser *parser, bool lower, struct nest_loop *loop)
{
    if (lower) {
        loop->lower = parser_expr(parser, LEVEL_SUM);
        if (!loop->lower || !take_less(parser, &loop->lower_strict))
            return false;
    }
    if (!take_loop_name(parser, loop) || !take_less(parser, &loop->upper_strict))
        return false;
    loop->upper = parser_expr(parser, LEVEL_SUM);
    return loop->upper && take_step(parser, loop) && parser_end(parser);
}

static bool no_header(const struct reading *reading, const struct value *string)
{
    struct diag *diag = diag_error(reading->diags, "loop", string->place, "this is no loop header");

    diag_hint(reading->diags, diag, "headers read \"i < M\", \"1 <= i < M - 1\" or \"0 <= i < M step 2\"");
    return false;
}

/* "for i in range(N)", "i in 0..N" */
static bool is_range(const char *text)
{
    return strstr(text, " in ") && !strchr(text, ';');
}

bool parse_loop(const struct reading *reading, const struct value *string, struct nest_loop *loop)
{
    struct parser parser;
    int n;

    *loop = (struct nest_loop){.place = string->place, .step = 1};
    if (is_range(string->string))
        return no_header(reading, string);
    if (!parser_start(&parser, reading, string))
        return false;
    n = count_comparisons(&parser);
    if (n != 1 && n != 2)
        return no_header(reading, string);
    return take_header(&parser, n == 2, loop);
}

bool require_affine(const struct reading *reading, const struct expr *expr, const char *what)
{
    const char *why = NULL;
    const struct expr *obstacle = expr_affine_obstacle(expr, &why);

    if (!obstacle)
        return true;
    diag_error(reading->diags, "not-affine", obstacle->place, "%s is not affine: %s", what, why);
    return false;
}
