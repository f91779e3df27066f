#include "read/while_loops.h"

#include "program/expr/typing.h"
#include "read/made.h"

int while_count(const struct value *description)
{
    int n = value_member(description, "while") != NULL;

    for (int k = 0; k < description->n_item; k++)
        n += while_count(&description->item[k]);
    return n;
}

/* A type of integers of the size of the largest value that the condition reads, as lanes of both are alike. */
static int bits_read(const struct expr *expr)
{
    int bits = expr->kind == EXPR_ACCESS   ? type_bits(expr->array->type)
               : expr->kind == EXPR_SCALAR ? type_bits(expr->scalar->type)
                                           : 0;

    for (int k = 0; k < expr->n_arg && expr->kind != EXPR_ACCESS; k++) {
        const int own = bits_read(expr->arg[k]);
        bits = own > bits ? own : bits;
    }
    return bits;
}

static enum type type_for(const struct expr *condition)
{
    const int bits = bits_read(condition);

    return bits == 64 ? TYPE_I64 : bits == 16 ? TYPE_I16 : bits == 8 || bits == 1 ? TYPE_I8 : TYPE_I32;
}

const struct array *while_temporary(struct reader *reader, const struct scope *scope, const struct nest_loop *loop,
                                    const struct value *string, const struct expr *condition)
{
    struct array *array = made_temporary(reader, arena_printf(reader->arena, "more_%s", loop->name), scope,
                                         type_for(condition), string->place);

    array->is_while = true;
    return array;
}

static struct statement *assigned(struct reader *reader, const struct nest *nest, const struct scope *scope,
                                  const struct array *temporary, struct expr *value)
{
    const struct parsed_statement parsed = {.target = made_element(reader, temporary), .op = OP_NONE, .value = value};

    return add_statement(reader, nest, scope, temporary->place, &parsed);
}

struct statement *while_begins(struct reader *reader, const struct nest *nest, const struct scope *scope,
                               const struct array *temporary)
{
    struct expr *one = made_expr(reader, EXPR_INT, temporary->place);

    one->integer = 1;
    return assigned(reader, nest, scope, temporary, one);
}

/* Whether condition, a value, is not 0, where it is no comparison. */
static struct expr *truth(struct reader *reader, const struct expr *condition)
{
    struct expr *expr = made_expr(reader, EXPR_BINARY, condition->place);

    *expr = *condition;
    if (condition->kind == EXPR_BINARY && condition->op >= OP_LT && condition->op <= OP_LOR)
        return expr;
    *expr = (struct expr){.kind = EXPR_BINARY, .op = OP_NE, .place = condition->place, .n_arg = 2};
    expr->arg = ARENA_ARRAY(reader->arena, 2, struct expr *);
    expr->arg[0] = ARENA_NEW(reader->arena, struct expr);
    *expr->arg[0] = *condition;
    expr->arg[1] = made_expr(reader, EXPR_INT, condition->place);
    return expr;
}

struct statement *while_asks(struct reader *reader, const struct nest *nest, const struct scope *scope,
                             const struct array *temporary, const struct expr *condition)
{
    struct expr *value = made_expr(reader, EXPR_CAST, condition->place);

    value->type = temporary->type;
    value->n_arg = 1;
    value->arg = ARENA_ARRAY(reader->arena, 1, struct expr *);
    value->arg[0] = truth(reader, condition);
    return assigned(reader, nest, scope, temporary, value);
}

const char *while_label(struct reader *reader, const struct statement *statement)
{
    const struct array *temporary = statement->target->array;

    return arena_printf(reader->arena, "%s_%s", temporary->name,
                        statement->n_loop == temporary->n_dim ? "first" : "next");
}
