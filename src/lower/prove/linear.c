#include "lower/prove/linear.h"

#include "tree/affine.h"

enum { MOST = 1 << 30 }; /* of a factor: values of small instances then fit */

struct adding {
    struct arena *arena;
    const struct program *program;
    int n_loop;
    int64_t *loop, *param; /* a factor for each */
    struct linear *linear;
};

static bool add_to(int64_t *number, int64_t more)
{
    *number += more;
    return *number > -MOST && *number < MOST;
}

/* Adds factor times a quotient or remainder. */
static bool add_digit(const struct adding *adding, const struct expr *expr, int64_t factor)
{
    struct linear_digit *digit = ARENA_NEW(adding->arena, struct linear_digit);

    digit->of = linear_of(adding->arena, adding->program, adding->n_loop, expr);
    digit->factor = factor;
    digit->next = adding->linear->digit;
    adding->linear->digit = digit;
    return digit->of && (digit->of->divisor || digit->of->modulus);
}

/* Adds factor times the expression. */
static bool add(const struct adding *adding, const struct expr *expr, int64_t factor)
{
    const struct expr *number = NULL, *other = NULL;

    if (factor <= -MOST || factor >= MOST)
        return false;
    if (expr->kind == EXPR_INT)
        return expr->integer > -MOST && expr->integer < MOST &&
               add_to(&adding->linear->constant, factor * expr->integer);
    if (expr->kind == EXPR_PARAM)
        return add_to(&adding->param[expr->param - adding->program->param], factor);
    if (expr->kind == EXPR_LOOP)
        return expr->loop < adding->n_loop && add_to(&adding->loop[expr->loop], factor);
    if (expr->kind == EXPR_UNARY && expr->op == OP_NEG)
        return add(adding, expr->arg[0], -factor);
    if (expr->kind != EXPR_BINARY)
        return false;
    if (expr->op == OP_DIV || expr->op == OP_MOD)
        return expr->arg[1]->kind == EXPR_INT && expr->arg[1]->integer >= 1 && add_digit(adding, expr, factor);
    if (expr->op == OP_ADD || expr->op == OP_SUB)
        return add(adding, expr->arg[0], factor) && add(adding, expr->arg[1], expr->op == OP_ADD ? factor : -factor);
    for (int k = 0; k < 2 && expr->op == OP_MUL; k++)
        if (expr->arg[k]->kind == EXPR_INT) {
            number = expr->arg[k];
            other = expr->arg[1 - k];
        }
    return number && number->integer > -MOST && number->integer < MOST && add(adding, other, factor * number->integer);
}

/* What the expression is a quotient, or a remainder, of; *number is its divisor. It is what it was where it is none. */
static const struct expr *dividend(const struct expr *expr, enum expr_op op, int64_t *number)
{
    if (expr->kind != EXPR_BINARY || expr->op != op || expr->arg[1]->kind != EXPR_INT || expr->arg[1]->integer < 1)
        return expr;
    *number = expr->arg[1]->integer;
    return expr->arg[0];
}

/* Keeps the factors that are not 0. */
static void note_terms(const struct adding *adding)
{
    for (int k = 0; k < adding->n_loop; k++)
        if (adding->loop[k] != 0)
            VEC_PUSH(adding->arena, &adding->linear->term, ((struct linear_term){k, -1, adding->loop[k]}));
    for (int k = 0; k < adding->program->n_param; k++)
        if (adding->param[k] != 0)
            VEC_PUSH(adding->arena, &adding->linear->term, ((struct linear_term){-1, k, adding->param[k]}));
}

const struct linear *linear_of(struct arena *arena, const struct program *program, int n_loop, const struct expr *expr)
{
    struct linear *linear = ARENA_NEW(arena, struct linear);
    const struct adding adding = {.arena = arena,
                                  .program = program,
                                  .n_loop = n_loop,
                                  .loop = ARENA_ARRAY(arena, n_loop + 1, int64_t),
                                  .param = ARENA_ARRAY(arena, program->n_param + 1, int64_t),
                                  .linear = linear};

    *linear = (struct linear){0};
    expr = dividend(expr, OP_MOD, &linear->modulus);
    expr = dividend(expr, OP_DIV, &linear->divisor);
    if (!add(&adding, expr, 1))
        return NULL;
    note_terms(&adding);
    return linear;
}

int64_t linear_value(const struct linear *linear, const int64_t *loop, const int64_t *param)
{
    int64_t value = linear->constant;

    for (int k = 0; k < linear->term.n; k++) {
        const struct linear_term *term = &linear->term.at[k];
        value += term->factor * (term->loop >= 0 ? loop[term->loop] : param[term->param]);
    }
    for (const struct linear_digit *digit = linear->digit; digit; digit = digit->next)
        value += digit->factor * linear_value(digit->of, loop, param);
    if (linear->divisor)
        value = floor_div(value, linear->divisor);
    return linear->modulus ? value - linear->modulus * floor_div(value, linear->modulus) : value;
}
