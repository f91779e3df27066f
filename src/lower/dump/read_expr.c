#include "lower/dump/reader.h"

#include "caps/simd.h"
#include "program/program.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool reader_enter(struct reader *reader)
{
    if (reader->depth == MOST_DEPTH)
        return lexer_fail(&reader->lexer, "more than %d of these are inside of each other", MOST_DEPTH);
    reader->depth++;
    return true;
}

void reader_leave(struct reader *reader)
{
    reader->depth--;
}

const struct var *dump_read_var(struct reader *reader)
{
    const struct token token = reader->lexer.token;
    const bool named = token.kind == TOKEN_NAME || token.kind == TOKEN_STRING;
    const struct var *var = named ? handle_find(&reader->vars, token.text) : NULL;

    if (!var)
        return lexer_fail(&reader->lexer, "a variable that the dump lists is missing here"), NULL;
    lexer_next(&reader->lexer);
    return var;
}

const struct array *dump_read_array(struct reader *reader)
{
    const struct token token = reader->lexer.token;
    const bool named = token.kind == TOKEN_NAME || token.kind == TOKEN_STRING;
    const struct array *array = named ? program_array(reader->scope->arrays, token.text) : NULL;

    if (!array)
        return lexer_fail(&reader->lexer, "an array of the description is missing here"), NULL;
    lexer_next(&reader->lexer);
    return array;
}

bool dump_read_word(struct reader *reader, const struct words *words, int *number)
{
    for (int k = 0; k < words->n; k++)
        if (words->word(k) && lexer_skip(&reader->lexer, words->word(k))) {
            *number = k;
            return true;
        }
    return lexer_fail(&reader->lexer, "a word like `%s` is missing here", words->word(words->n - 1));
}

/* Affine values, of two or more or of one, up to the parenthesis. Behind one that is none there is nothing at hand. */
static bool read_operands(struct reader *reader, struct atom *atom)
{
    VEC(const struct affine *) arg = {0};

    do
        VEC_PUSH(reader->scope->arena, &arg, dump_read_affine(reader));
    while (lexer_skip(&reader->lexer, ","));
    atom->arg = arg.at;
    atom->n_arg = arg.n;
    if (atom->kind != ATOM_FLOOR && arg.n < 2)
        return lexer_fail(&reader->lexer, "there is one value here");
    return lexer_expect(&reader->lexer, ")");
}

/* floor((i + 3)/4), behind the first parenthesis. */
static bool read_quotient(struct reader *reader, struct atom *atom)
{
    if (!lexer_expect(&reader->lexer, "(") || !read_operands(reader, atom) || !lexer_expect(&reader->lexer, "/"))
        return false;
    if (atom->n_arg != 1)
        return lexer_fail(&reader->lexer, "one value is divided");
    return lexer_number(&reader->lexer, 2, INT64_MAX, &atom->divisor) && lexer_expect(&reader->lexer, ")");
}

/* Is there a word with this sign right behind it? */
static bool is_call(const struct reader *reader)
{
    const struct lexer *lexer = &reader->lexer;

    return lexer->token.kind == TOKEN_NAME && lexer->at < lexer->source->size && lexer->source->text[lexer->at] == '(';
}

static const struct atom *read_atom(struct reader *reader)
{
    struct atom *atom = ARENA_NEW(reader->scope->arena, struct atom);
    struct lexer *lexer = &reader->lexer;
    bool right;

    if (!is_call(reader)) {
        atom->var = dump_read_var(reader);
        return atom->var ? atom : NULL;
    }
    atom->plain = lexer_at(lexer, "trunc");
    atom->kind = lexer_at(lexer, "min") ? ATOM_MIN : lexer_at(lexer, "max") ? ATOM_MAX : ATOM_FLOOR;
    if (atom->kind == ATOM_FLOOR && !atom->plain && !lexer_at(lexer, "floor"))
        return lexer_fail(lexer, "there is no such function of indices"), NULL;
    lexer_next(lexer);
    right = reader_enter(reader) && lexer_expect(lexer, "(") &&
            (atom->kind == ATOM_FLOOR ? read_quotient(reader, atom) : read_operands(reader, atom));
    reader_leave(reader);
    return right ? atom : NULL;
}

/* 4*i, i or 4; NULL: it is none, or has more than 64 bits. */
static const struct affine *read_term(struct reader *reader, int64_t sign)
{
    struct arena *arena = reader->scope->arena;
    const struct atom *atom;
    int64_t factor = 1;

    if (reader->lexer.token.kind == TOKEN_NUMBER) {
        if (!lexer_number(&reader->lexer, 0, INT64_MAX, &factor))
            return NULL;
        if (!lexer_skip(&reader->lexer, "*"))
            return affine_constant(arena, sign * factor);
    }
    atom = read_atom(reader);
    return atom ? affine_scale(arena, affine_atom(arena, atom), sign * factor) : NULL;
}

const struct affine *dump_read_affine(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    const struct affine *sum = affine_constant(reader->scope->arena, 0);
    int64_t sign = lexer_skip(lexer, "-") ? -1 : 1;

    for (;;) {
        sum = affine_add(reader->scope->arena, sum, read_term(reader, sign));
        if (!sum)
            return lexer_fail(lexer, "the numbers have more than 64 bits"), NULL;
        if (!lexer_at(lexer, "+") && !lexer_at(lexer, "-"))
            return sum;
        sign = lexer_at(lexer, "-") ? -1 : 1;
        lexer_next(lexer);
    }
}

static bool read_subscript(struct reader *reader, const struct affine **index, const struct tree_expr **indirect)
{
    struct lexer *lexer = &reader->lexer;

    if (lexer_skip(lexer, "*"))
        return true;
    if (!lexer_skip(lexer, "(")) {
        *index = dump_read_affine(reader);
        return *index;
    }
    *indirect = dump_read_expr(reader);
    return *indirect && lexer_expect(lexer, ")");
}

static bool read_subscripts(struct reader *reader, struct element *element)
{
    const int n = element->array->n_dim;
    const struct affine **index = ARENA_ARRAY(reader->scope->arena, n + 1, const struct affine *);
    const struct tree_expr **indirect = ARENA_ARRAY(reader->scope->arena, n + 1, const struct tree_expr *);
    bool has_indirect = false;

    for (int k = 0; k < n; k++) {
        if ((k && !lexer_expect(&reader->lexer, ",")) || !read_subscript(reader, &index[k], &indirect[k]))
            return false;
        has_indirect = has_indirect || indirect[k];
    }
    element->index = index;
    element->indirect = has_indirect ? indirect : NULL;
    return true;
}

bool dump_read_element(struct reader *reader, struct element *element)
{
    struct lexer *lexer = &reader->lexer;
    bool right;

    element->array = dump_read_array(reader);
    if (!element->array || !reader_enter(reader))
        return false;
    right = lexer_expect(lexer, "[") && read_subscripts(reader, element) && lexer_expect(lexer, "]");
    if (right && lexer_skip(lexer, "{"))
        right = dump_read_fields(reader, &dump_element, 0, element) && lexer_expect(lexer, "}");
    reader_leave(reader);
    return right;
}

/* n expressions, up to the parenthesis; -1: any number. */
static bool read_args(struct reader *reader, struct tree_expr *expr, int n)
{
    VEC(const struct tree_expr *) arg = {0};

    do {
        const struct tree_expr *operand = dump_read_expr(reader);
        if (!operand)
            return false;
        VEC_PUSH(reader->scope->arena, &arg, operand);
    } while (lexer_skip(&reader->lexer, ","));
    expr->arg = arg.at;
    expr->n_arg = arg.n;
    if (n >= 0 && arg.n != n)
        return lexer_fail(&reader->lexer, "there are %d operands, and not %d", arg.n, n);
    return lexer_expect(&reader->lexer, ")");
}

static bool read_scalar(struct reader *reader, struct tree_expr *expr)
{
    const char *name = lexer_name(&reader->lexer, "a scalar");

    expr->scalar = name ? program_scalar(reader->scope->stored, name) : NULL;
    if (!expr->scalar)
        return lexer_fail(&reader->lexer, "the description has no such scalar");
    return lexer_expect(&reader->lexer, ")");
}

static bool read_real(struct reader *reader, struct tree_expr *expr)
{
    char *end;

    expr->spelling = lexer_name(&reader->lexer, "a number in quotes");
    if (!expr->spelling)
        return false;
    expr->real = strtod(expr->spelling, &end);
    if (end == expr->spelling || *end)
        return lexer_fail(&reader->lexer, "the number in quotes is none");
    return lexer_expect(&reader->lexer, ")");
}

static bool read_index(struct reader *reader, struct tree_expr *expr)
{
    expr->affine = dump_read_affine(reader);
    return expr->affine && lexer_expect(&reader->lexer, ")");
}

/* number(v, i), behind the first parenthesis */
static bool read_number(struct reader *reader, struct tree_expr *expr)
{
    expr->var = dump_read_var(reader);
    return expr->var && lexer_expect(&reader->lexer, ",") && read_index(reader, expr);
}

static bool read_mask(struct reader *reader, struct tree_expr *expr)
{
    return lexer_skip(&reader->lexer, ")") || read_index(reader, expr);
}

static bool read_operator(struct reader *reader, struct tree_expr *expr)
{
    for (int op = 0; op < OP_NONE; op++)
        if (lexer_skip(&reader->lexer, op_symbol((enum expr_op)op))) {
            expr->op = (enum expr_op)op;
            return true;
        }
    return lexer_fail(&reader->lexer, "an operator is missing here");
}

static bool read_total(struct reader *reader, struct tree_expr *expr)
{
    struct lexer *lexer = &reader->lexer;
    bool named;

    if (is_call(reader) && lexer_skip(lexer, "number")) {
        named = lexer_expect(lexer, "(") && read_number(reader, expr);
    } else {
        expr->var = dump_read_var(reader);
        named = expr->var;
    }
    return named && lexer_expect(&reader->lexer, ",") && read_operator(reader, expr) &&
           lexer_expect(&reader->lexer, ",") && lexer_number(&reader->lexer, 1, INT_MAX, &expr->integer) &&
           lexer_expect(&reader->lexer, ")");
}

static bool read_any(struct reader *reader, struct tree_expr *expr)
{
    const struct tree_expr **arg = ARENA_ARRAY(reader->scope->arena, 1, const struct tree_expr *);

    arg[0] = dump_read_expr(reader);
    expr->arg = arg;
    expr->n_arg = 1;
    return arg[0] && lexer_expect(&reader->lexer, ",") && lexer_number(&reader->lexer, 1, INT_MAX, &expr->integer) &&
           lexer_expect(&reader->lexer, ")");
}

/* load(A[i], 2, distance) */
static bool read_load(struct reader *reader, struct tree_expr *expr)
{
    return dump_read_element(reader, &expr->element) && lexer_expect(&reader->lexer, ",") &&
           lexer_number(&reader->lexer, 0, INT_MAX, &expr->integer) &&
           (lexer_skip(&reader->lexer, ")") || (lexer_expect(&reader->lexer, ",") && read_args(reader, expr, 1)));
}

static bool read_numbers(struct reader *reader, struct tree_expr *expr)
{
    VEC(int64_t) list = {0};
    int64_t number;

    do {
        if (!lexer_number(&reader->lexer, INT64_MIN, INT64_MAX, &number))
            return false;
        VEC_PUSH(reader->scope->arena, &list, number);
    } while (lexer_skip(&reader->lexer, ","));
    expr->list = list.at;
    expr->integer = list.n;
    return lexer_expect(&reader->lexer, "]");
}

static bool read_ramp(struct reader *reader, struct tree_expr *expr)
{
    struct lexer *lexer = &reader->lexer;

    if (lexer_skip(lexer, "["))
        return read_numbers(reader, expr) && lexer_expect(lexer, ")");
    expr->affine = dump_read_affine(reader);
    return expr->affine && lexer_expect(lexer, ",") && lexer_number(lexer, INT64_MIN, INT64_MAX, &expr->integer) &&
           lexer_expect(lexer, ")");
}

static bool read_dot(struct reader *reader, struct tree_expr *expr)
{
    const struct simd *simd = simd_by_name(reader->scope->stored->target.simd);
    int64_t number;

    if (!simd || simd->n_dot == 0)
        return lexer_fail(&reader->lexer, "the target has no sums of products");
    if (!read_args(reader, expr, 2) || !lexer_expect(&reader->lexer, "{") ||
        !lexer_number(&reader->lexer, 0, simd->n_dot - 1, &number))
        return false;
    expr->dot = &simd->dot[number];
    return lexer_expect(&reader->lexer, "}");
}

/* Three operands, one, or as many as there are. */
static bool read_select(struct reader *reader, struct tree_expr *expr)
{
    return read_args(reader, expr, 3);
}

static bool read_cast(struct reader *reader, struct tree_expr *expr)
{
    return read_args(reader, expr, 1);
}

static bool read_parts(struct reader *reader, struct tree_expr *expr)
{
    return read_args(reader, expr, -1);
}

static const struct {
    const char *word;
    enum tree_expr_kind kind;
    bool (*read)(struct reader *reader, struct tree_expr *expr);
} call[] = {
    {"real", TREE_REAL, read_real},       {"index", TREE_INDEX, read_index},
    {"scalar", TREE_SCALAR, read_scalar}, {"load", TREE_LOAD, read_load},
    {"ramp", TREE_RAMP, read_ramp},       {"lanes", TREE_MASK, read_mask},
    {"total", TREE_TOTAL, read_total},    {"dot", TREE_DOT, read_dot},
    {"select", TREE_SELECT, read_select}, {"number", TREE_NAMED, read_number},
    {"cast", TREE_CAST, read_cast},       {"any", TREE_ANY, read_any},
    {"parts", TREE_PARTS, read_parts},    {"operands", TREE_OPERANDS, read_parts},
};

static bool read_function(struct reader *reader, struct tree_expr *expr)
{
    const char *name = lexer_name(&reader->lexer, "a function");

    if (!lexer_expect(&reader->lexer, "("))
        return false;
    for (size_t k = 0; k < sizeof(call) / sizeof(call[0]); k++)
        if (strcmp(name, call[k].word) == 0) {
            expr->kind = call[k].kind;
            return call[k].read(reader, expr);
        }
    expr->kind = TREE_CALL;
    if (!function_by_any_name(name, &expr->function))
        return lexer_fail(&reader->lexer, "there is no function `%s`", name);
    return read_args(reader, expr, function_arity(expr->function));
}

static bool read_binary(struct reader *reader, struct tree_expr *expr)
{
    const struct tree_expr **arg = ARENA_ARRAY(reader->scope->arena, 2, const struct tree_expr *);

    expr->kind = TREE_BINARY;
    expr->arg = arg;
    expr->n_arg = 2;
    arg[0] = dump_read_expr(reader);
    if (!arg[0] || !read_operator(reader, expr))
        return false;
    arg[1] = dump_read_expr(reader);
    return arg[1] && lexer_expect(&reader->lexer, ")");
}

/* -5, or an operator in front of a parenthesis */
static bool read_signed(struct reader *reader, struct tree_expr *expr)
{
    struct lexer *lexer = &reader->lexer;
    const bool minus = lexer_at(lexer, "-");
    const char after = lexer->at < lexer->source->size ? lexer->source->text[lexer->at] : '\0';

    if (lexer->token.kind == TOKEN_NUMBER || (minus && after >= '0' && after <= '9')) {
        expr->kind = TREE_INT;
        return lexer_number(lexer, INT64_MIN, INT64_MAX, &expr->integer);
    }
    expr->kind = TREE_UNARY;
    expr->op = minus ? OP_NEG : lexer_at(lexer, "~") ? OP_NOT : OP_LNOT;
    if (!minus && !lexer_at(lexer, "~") && !lexer_at(lexer, "!"))
        return lexer_fail(lexer, "an expression is missing here");
    lexer_next(lexer);
    return lexer_expect(lexer, "(") && read_args(reader, expr, 1);
}

static bool read_untyped(struct reader *reader, struct tree_expr *expr)
{
    struct lexer *lexer = &reader->lexer;
    const enum token_kind kind = lexer->token.kind;

    if (lexer_skip(lexer, "("))
        return read_binary(reader, expr);
    if (is_call(reader))
        return read_function(reader, expr);
    if (kind != TOKEN_NAME && kind != TOKEN_STRING)
        return read_signed(reader, expr);
    if (lexer->at < lexer->source->size && lexer->source->text[lexer->at] == '[') {
        expr->kind = TREE_LOAD;
        return dump_read_element(reader, &expr->element);
    }
    expr->kind = TREE_NAMED;
    expr->var = dump_read_var(reader);
    return expr->var;
}

const struct tree_expr *dump_read_expr(struct reader *reader)
{
    struct tree_expr *expr = ARENA_NEW(reader->scope->arena, struct tree_expr);
    struct lexer *lexer = &reader->lexer;
    int64_t permit = 0;
    int type = TYPE_NONE;
    bool right = reader_enter(reader) && read_untyped(reader, expr);

    if (right && lexer_skip(lexer, "!"))
        right = lexer_number(lexer, 1, PERMIT_REASSOCIATE | PERMIT_CONTRACT | PERMIT_APPROXIMATE, &permit);
    right = right && lexer_expect(lexer, ":") && dump_read_word(reader, &dump_types, &type);
    reader_leave(reader);
    expr->permit = (unsigned)permit;
    expr->type = (enum type)type;
    return right ? expr : NULL;
}
