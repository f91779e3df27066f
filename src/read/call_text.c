#include "read/call_text.h"

#include "read/parser.h"

static const struct token *token_at(const struct parser *parser, int ahead)
{
    const int last = parser->lexed.token.n - 1, at = parser->at + ahead;

    return &parser->lexed.token.at[at < last ? at : last];
}

static bool is_op(const struct token *token, const char *op)
{
    return token->kind == TOKEN_OP && strcmp(token->spelling, op) == 0;
}

static bool is_one_of(const struct token *token, const char *ops)
{
    return token->kind == TOKEN_OP && token->spelling[1] == '\0' && strchr(ops, token->spelling[0]);
}

/* Steps over the words up to a comma or closing bracket outside of all brackets. */
static void pass_over(struct parser *parser)
{
    int depth = 0;

    for (; token_at(parser, 0)->kind != TOKEN_END; parser->at++) {
        const struct token *token = token_at(parser, 0);

        if (depth == 0 && is_one_of(token, ",)]"))
            return;
        depth += is_one_of(token, "([") ? 1 : is_one_of(token, ")]") ? -1 : 0;
    }
}

/* The words from `first` to the one in front of the current one, as they stand there. */
static const char *text_from(const struct parser *parser, int first)
{
    const struct token *token = parser->lexed.token.at;
    const size_t start = token[first].start;

    return parser->at == first
               ? NULL
               : arena_copy_n(parser->reading->arena, parser->lexed.text + start, token[parser->at - 1].end - start);
}

static struct place place_from(const struct parser *parser, int first)
{
    const struct token *token = parser->lexed.token.at;

    return lexed_place(&parser->lexed, token[first].start, token[parser->at > first ? parser->at - 1 : first].end);
}

static bool take_name(struct parser *parser, const char *wanted, const char **name, struct place *place)
{
    if (parser_token(parser)->kind != TOKEN_NAME)
        return parser_expected(parser, wanted);
    *name = parser_token(parser)->spelling;
    *place = parser_place(parser, parser->at);
    parser->at++;
    return true;
}

static bool take_passed(struct parser *parser, struct call_text *call)
{
    struct passed passed;
    int first;

    if (!take_name(parser, "the name of an operand", &passed.name, &passed.name_place))
        return false;
    if (!parser_take(parser, "="))
        return parser_expected(parser, "`=`");
    first = parser->at;
    pass_over(parser);
    passed.text = text_from(parser, first);
    passed.place = place_from(parser, first);
    if (!passed.text)
        return parser_expected(parser, "what the operand is");
    VEC_PUSH(parser->reading->arena, &call->passed, passed);
    return true;
}

bool call_text_read(const struct reading *reading, const struct value *string, struct call_text *call)
{
    struct parser parser;
    int first;

    *call = (struct call_text){0};
    if (!parser_start(&parser, reading, string))
        return false;
    if (is_op(token_at(&parser, 1), ":") && take_name(&parser, "a label", &call->label, &call->label_place))
        parser.at++;
    first = parser.at;
    if (!take_name(&parser, "the name of a function", &call->name, &call->name_place))
        return false;
    if (!parser_take(&parser, "("))
        return parser_expected(&parser, "`(`");
    while (!parser_is(&parser, ")")) {
        if (call->passed.n && !parser_take(&parser, ","))
            return parser_expected(&parser, "`,` or `)`");
        if (!take_passed(&parser, call))
            return false;
    }
    parser.at++;
    call->written = text_from(&parser, first);
    return parser_end(&parser);
}

static void take_subscript(struct parser *parser, struct section *section)
{
    const int first = parser->at;
    bool moves;
    const char *text;

    pass_over(parser);
    moves = parser->at > first && is_op(token_at(parser, -1), ":");
    parser->at -= moves;
    text = text_from(parser, first);
    parser->at += moves;
    VEC_PUSH(parser->reading->arena, &section->first, text);
    VEC_PUSH(parser->reading->arena, &section->moves, moves);
}

bool section_read(const struct reading *reading, const struct passed *passed, int n_dim, struct section *section)
{
    const struct value string = {.kind = VALUE_STRING, .string = passed->text, .place = passed->place};
    struct parser parser;
    struct place place;

    *section = (struct section){0};
    if (!parser_start(&parser, reading, &string) || !take_name(&parser, "an array", &section->array, &place))
        return false;
    for (int k = 0; k < n_dim && parser_token(&parser)->kind == TOKEN_END; k++) {
        VEC_PUSH(reading->arena, &section->first, NULL);
        VEC_PUSH(reading->arena, &section->moves, true);
    }
    while (parser_take(&parser, "[")) {
        do
            take_subscript(&parser, section);
        while (parser_take(&parser, ","));
        if (!parser_take(&parser, "]"))
            return parser_expected(&parser, "`]`");
    }
    return parser_end(&parser);
}
