#include "program/check/arithmetic.h"

#include "program/expr/affine.h"
#include "program/expr/interval.h"

struct walk {
    const struct program *program;
    const struct statement *statement;
    struct diags *diags; /* NULL: nothing is reported */
    requirement_vec requirements;
};

/* An operation, or the one of an update. */
struct operation {
    enum expr_op op;
    enum type type;
    const struct expr *left, *right;
    struct place place;
};

static struct expr *new_expr(const struct walk *walk, enum expr_kind kind, enum type type)
{
    struct expr *expr = ARENA_NEW(walk->program->arena, struct expr);

    expr->kind = kind;
    expr->type = type;
    return expr;
}

static struct expr *literal(const struct walk *walk, enum type type, int64_t value)
{
    struct expr *expr = new_expr(walk, EXPR_INT, type);

    expr->integer = value;
    return expr;
}

static const struct expr *binary(const struct walk *walk, enum expr_op op, const struct expr *a, const struct expr *b)
{
    struct expr *expr = new_expr(walk, EXPR_BINARY, TYPE_I32);

    expr->op = op;
    expr->n_arg = 2;
    expr->arg = ARENA_ARRAY(walk->program->arena, 2, struct expr *);
    expr->arg[0] = (struct expr *)(uintptr_t)a;
    expr->arg[1] = (struct expr *)(uintptr_t)b;
    return expr;
}

static const struct expr *opposite(const struct walk *walk, const struct expr *condition)
{
    struct expr *expr = new_expr(walk, EXPR_UNARY, TYPE_I32);

    expr->op = OP_LNOT;
    expr->n_arg = 1;
    expr->arg = ARENA_ARRAY(walk->program->arena, 1, struct expr *);
    expr->arg[0] = (struct expr *)(uintptr_t)condition;
    return expr;
}

/* a && b; either may be NULL, which is true. */
static const struct expr *both(const struct walk *walk, const struct expr *a, const struct expr *b)
{
    return a && b ? binary(walk, OP_LAND, a, b) : a ? a : b;
}

static const struct expr *guard_of(const struct walk *walk, const struct known *known)
{
    const struct expr *guard = NULL;

    for (; known; known = known->around)
        guard = both(walk, known->holds ? known->condition : opposite(walk, known->condition), guard);
    return guard;
}

static bool same_guard(const struct expr *a, const struct expr *b)
{
    return a == b || (a && b && expr_equal(a, b));
}

static void require(struct walk *walk, const struct known *known, const struct expr *holds)
{
    const struct requirement wanted = {walk->statement, guard_of(walk, known), holds};

    for (int k = 0; k < walk->requirements.n; k++) {
        const struct requirement *other = &walk->requirements.at[k];
        if (other->statement == wanted.statement && same_guard(other->guard, wanted.guard) &&
            expr_equal(other->holds, wanted.holds))
            return;
    }
    VEC_PUSH(walk->program->arena, &walk->requirements, wanted);
}

static void refuse(const struct walk *walk, const struct operation *operation, const char *what)
{
    if (walk->diags)
        diag_error(walk->diags, "arithmetic", operation->place, "%s", what);
}

/* A literal, also one that a cast gave a narrower type. */
static bool is_literal(const struct expr *expr, int64_t *value)
{
    while (expr->kind == EXPR_CAST && !type_is_float(expr->type))
        expr = expr->arg[0];
    *value = expr->integer;
    return expr->kind == EXPR_INT;
}

static int64_t least_of(enum type type)
{
    return type_bits(type) == 64 ? INT64_MIN : type_range(type).least;
}

static void check_division(struct walk *walk, const struct known *known, const struct operation *operation)
{
    const struct standing standing = {walk->program, walk->statement, known};
    const struct range divisor = expr_range(&standing, operation->right);
    const enum type type = operation->type;
    int64_t value;
    const bool constant = is_literal(operation->right, &value);

    if (constant && value == 0) {
        refuse(walk, operation,
               operation->op == OP_DIV ? "this divides by 0" : "this is a remainder of a division by 0");
        return;
    }
    if (divisor.least > divisor.greatest)
        return;
    if (expr_may_be(&standing, operation->right, 0))
        require(walk, known, binary(walk, OP_NE, operation->right, literal(walk, type, 0)));
    if (!type_is_signed(type) || !expr_may_be(&standing, operation->right, -1) ||
        !expr_may_be(&standing, operation->left, least_of(type)))
        return;
    const struct expr *left = binary(walk, OP_NE, operation->left, literal(walk, type, least_of(type)));
    const struct expr *right = binary(walk, OP_NE, operation->right, literal(walk, type, -1));
    require(walk, known, constant ? left : binary(walk, OP_LOR, left, right));
}

static void check_shift(struct walk *walk, const struct known *known, const struct operation *operation)
{
    const struct standing standing = {walk->program, walk->statement, known};
    const struct expr *count = operation->right;
    const struct range range = expr_range(&standing, count);
    const int64_t width = type_bits(operation->type);
    int64_t value;

    if (is_literal(count, &value) && (value < 0 || value >= width)) {
        refuse(walk, operation,
               arena_printf(walk->program->arena, "a shift of %s is by 0 to %d bits", type_name(operation->type),
                            (int)width - 1));
        return;
    }
    if (range.least > range.greatest)
        return;
    if (range.least < 0)
        require(walk, known, binary(walk, OP_GE, count, literal(walk, count->type, 0)));
    if (range.greatest >= width)
        require(walk, known, binary(walk, OP_LT, count, literal(walk, count->type, width)));
}

static void check_operation(struct walk *walk, const struct known *known, const struct operation *operation)
{
    if (type_is_float(operation->type))
        return;
    if (operation->op == OP_DIV || operation->op == OP_MOD)
        check_division(walk, known, operation);
    else if (operation->op == OP_SHL || operation->op == OP_SHR)
        check_shift(walk, known, operation);
}

static void walk_expr(struct walk *walk, const struct known *known, const struct expr *expr);

/* Subscripts that are affine are exact numbers and divide by constants. */
static void walk_subscripts(struct walk *walk, const struct known *known, const struct expr *access)
{
    const char *why;

    for (int k = 0; k < access->n_arg; k++)
        if (access->arg[k]->type != TYPE_NONE && expr_affine_obstacle(access->arg[k], &why))
            walk_expr(walk, known, access->arg[k]);
}

static void walk_expr(struct walk *walk, const struct known *known, const struct expr *expr)
{
    const bool logic = expr->kind == EXPR_BINARY && (expr->op == OP_LAND || expr->op == OP_LOR);
    const bool selects = expr->kind == EXPR_SELECT;
    struct known inside = {expr->n_arg ? expr->arg[0] : NULL, expr->op != OP_LOR, false, known};

    if (expr->kind == EXPR_ACCESS) {
        walk_subscripts(walk, known, expr);
        return;
    }
    for (int k = 0; k < expr->n_arg; k++) {
        inside.holds = selects ? k == 1 : expr->op != OP_LOR;
        walk_expr(walk, k > 0 && (logic || selects) ? &inside : known, expr->arg[k]);
    }
    if (expr->kind == EXPR_BINARY)
        check_operation(walk, known,
                        &(struct operation){expr->op, expr->type, expr->arg[0], expr->arg[1], expr->place});
}

static void walk_statement(struct walk *walk, const struct statement *statement)
{
    const struct known guard = {statement->guard, true, true, NULL};
    const struct known *known = statement->guard ? &guard : NULL;
    const bool shift = statement->op == OP_SHL || statement->op == OP_SHR;
    struct operation update = {statement->op, statement->value->type, statement->target, statement->value,
                               statement->value->place};

    walk->statement = statement;
    if (shift)
        update.type = type_promote(statement->target->type);
    if (statement->guard)
        walk_expr(walk, NULL, statement->guard);
    walk_subscripts(walk, known, statement->target);
    walk_expr(walk, known, statement->value);
    check_operation(walk, known, &update);
}

static void walk_program(struct walk *walk)
{
    for (int k = 0; k < walk->program->n_statement; k++)
        walk_statement(walk, walk->program->statement[k]);
}

enum status program_check_arithmetic(const struct program *program, struct diags *diags)
{
    const int errors = diags->errors;
    struct walk walk = {.program = program, .diags = diags};

    walk_program(&walk);
    return diags->errors == errors ? STATUS_OK : STATUS_REFUSED;
}

requirement_vec program_requirements(const struct program *program)
{
    struct walk walk = {.program = program};

    walk_program(&walk);
    return walk.requirements;
}

/* Not condition, which check_division or check_shift made. */
static const struct expr *negated(const struct walk *walk, const struct expr *condition)
{
    if (condition->op == OP_LOR)
        return binary(walk, OP_LAND, negated(walk, condition->arg[0]), negated(walk, condition->arg[1]));
    return binary(walk,
                  condition->op == OP_NE   ? OP_EQ
                  : condition->op == OP_LT ? OP_GE
                                           : OP_LT,
                  condition->arg[0], condition->arg[1]);
}

const struct expr *requirement_violated(const struct program *program, const struct requirement *requirement)
{
    const struct walk walk = {.program = program};

    return both(&walk, requirement->guard, negated(&walk, requirement->holds));
}

const struct expr *requirement_either(const struct program *program, const struct expr *a, const struct expr *b)
{
    const struct walk walk = {.program = program};

    return binary(&walk, OP_LOR, a, b);
}

void requirement_print(struct text *out, const struct program *program, const struct requirement *requirement)
{
    const struct statement *statement = requirement->statement;

    expr_print(out, requirement->holds, statement->loop_name);
    if (program->n_statement > 1)
        text_addf(out, " in %s", statement->label);
    if (!requirement->guard)
        return;
    text_add(out, " where ");
    expr_print(out, requirement->guard, statement->loop_name);
}
