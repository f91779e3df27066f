#include "program/check/replay.h"

#include "poly/number.h"
#include "program/expr/affine.h"

#include <isl/point.h>
#include <isl/val.h>

enum { DEEPEST = 64 };

struct replay {
    const struct program *program;
    const int64_t *param;
    const int64_t *loop; /* of the instance, */
    int64_t *running;    /* as the nests' loops go on; NULL: they do not */
    int64_t steps;       /* left */
    bool failed;
    struct replayed *result;
};

void replayed_add(struct replayed *replayed, const int64_t *coordinate, int n)
{
    uint64_t hash = 0x9E3779B97F4A7C15u;

    for (int k = 0; k < n; k++) {
        hash = (hash ^ (uint64_t)coordinate[k]) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 29;
    }
    replayed->n++;
    replayed->sum += hash * 0x94D049BB133111EBu;
}

static int64_t value_of(struct replay *replay, const struct expr *expr);

static int64_t fail(struct replay *replay)
{
    replay->failed = true;
    return 0;
}

static int64_t floor_of(struct replay *replay, int64_t a, int64_t b)
{
    return b > 0 ? a / b - (a % b < 0) : fail(replay);
}

static int64_t binary_value(struct replay *replay, const struct expr *expr)
{
    const int64_t a = value_of(replay, expr->arg[0]), b = value_of(replay, expr->arg[1]);
    int64_t value = 0;
    bool overflow = false;

    switch (expr->op) {
    case OP_ADD:
        overflow = __builtin_add_overflow(a, b, &value);
        break;
    case OP_SUB:
        overflow = __builtin_sub_overflow(a, b, &value);
        break;
    case OP_MUL:
        overflow = __builtin_mul_overflow(a, b, &value);
        break;
    case OP_DIV:
        return floor_of(replay, a, b);
    case OP_MOD:
        return a - b * floor_of(replay, a, b);
    default:
        overflow = true;
    }
    return overflow ? fail(replay) : value;
}

static int64_t call_value(struct replay *replay, const struct expr *expr)
{
    const struct expr *first = expr->arg[0];
    int64_t a, b;

    if (expr->function == FUNCTION_CEIL && first->kind == EXPR_BINARY && first->op == OP_DIV)
        return -floor_of(replay, -value_of(replay, first->arg[0]), value_of(replay, first->arg[1]));
    a = value_of(replay, first);
    b = expr->n_arg > 1 ? value_of(replay, expr->arg[1]) : 0;
    switch (expr->function) {
    case FUNCTION_MIN:
        return a < b ? a : b;
    case FUNCTION_MAX:
        return a > b ? a : b;
    case FUNCTION_ABS:
        return a < 0 ? -a : a;
    case FUNCTION_FLOOR:
        return a;
    case FUNCTION_MOD:
        return a - b * floor_of(replay, a, b);
    default:
        return fail(replay);
    }
}

static bool compare(struct replay *replay, const struct expr *expr)
{
    const int64_t a = value_of(replay, expr->arg[0]), b = value_of(replay, expr->arg[1]);

    switch (expr->op) {
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    case OP_GE:
        return a >= b;
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    default:
        return fail(replay);
    }
}

static bool holds(struct replay *replay, const struct expr *condition)
{
    if (condition->kind == EXPR_UNARY && condition->op == OP_LNOT)
        return !holds(replay, condition->arg[0]);
    if (condition->kind == EXPR_BINARY && condition->op == OP_LAND)
        return holds(replay, condition->arg[0]) && holds(replay, condition->arg[1]);
    if (condition->kind == EXPR_BINARY && condition->op == OP_LOR)
        return holds(replay, condition->arg[0]) || holds(replay, condition->arg[1]);
    return condition->kind == EXPR_BINARY ? compare(replay, condition) : fail(replay);
}

static int64_t value_of(struct replay *replay, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
        return expr->integer;
    case EXPR_PARAM:
        return replay->param[expr->param - replay->program->param];
    case EXPR_LOOP:
        return replay->loop[expr->loop];
    case EXPR_UNARY:
        return expr->op == OP_NEG ? -value_of(replay, expr->arg[0]) : fail(replay);
    case EXPR_BINARY:
        return binary_value(replay, expr);
    case EXPR_CALL:
        return call_value(replay, expr);
    case EXPR_SELECT:
        return value_of(replay, expr->arg[holds(replay, expr->arg[0]) ? 1 : 2]);
    default:
        return fail(replay);
    }
}

bool replay_value(const struct program *program, const int64_t *param, const int64_t *loop, int n_loop,
                  const struct expr *expr, int64_t *value)
{
    struct replay replay = {.program = program, .param = param, .loop = loop};

    *value = value_of(&replay, expr);
    return !replay.failed && n_loop <= DEEPEST;
}

static void run_block(struct replay *replay, const struct block *block, int depth, int loop);

static void run_items(struct replay *replay, const struct block *block, int depth)
{
    if (block->condition && block->condition_affine && !holds(replay, block->condition))
        return;
    for (int k = 0; k < block->n_item && !replay->failed; k++) {
        const struct statement *statement = block->item[k].statement;
        if (statement)
            replayed_add(&replay->result[statement->index], replay->loop, depth);
        else
            run_block(replay, block->item[k].block, depth, 0);
    }
}

/* The loops of block from this one on. */
static void run_block(struct replay *replay, const struct block *block, int depth, int loop)
{
    const struct nest_loop *own = &block->loop[loop];
    int64_t lower, upper;

    if (loop == block->n_loop) {
        run_items(replay, block, depth);
        return;
    }
    lower = (own->lower ? value_of(replay, own->lower) : 0) + own->lower_strict;
    upper = value_of(replay, own->upper) - own->upper_strict;
    for (int64_t n = own->step > 0 ? lower : upper; n >= lower && n <= upper && !replay->failed; n += own->step) {
        if (depth == DEEPEST || replay->steps-- <= 0)
            fail(replay);
        else {
            replay->running[depth] = n;
            run_block(replay, block, depth + 1, loop + 1);
        }
    }
}

/* What the points of a domain are added to. */
struct adding {
    struct replay *replay;
    const struct statement *statement;
};

static isl_stat add_point(__isl_take isl_point *point, void *user)
{
    struct adding *adding = user;
    struct replay *replay = adding->replay;
    bool fits = replay->steps-- > 0 && adding->statement->n_loop <= DEEPEST;

    for (int k = 0; k < adding->statement->n_loop && fits; k++)
        fits = poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &replay->running[k]);
    isl_point_free(point);
    if (fits)
        replayed_add(&replay->result[adding->statement->index], replay->loop, adding->statement->n_loop);
    replay->failed = replay->failed || !fits;
    return isl_stat_ok;
}

static void run_domain(struct replay *replay, const struct statement *statement)
{
    struct adding adding = {replay, statement};
    isl_set *set = isl_set_copy(statement->domain);

    for (int k = 0; k < replay->program->n_param; k++) {
        isl_val *value = isl_val_int_from_si(isl_set_get_ctx(set), replay->param[k]);
        const int at = isl_set_find_dim_by_name(set, isl_dim_param, replay->program->param[k].name);
        if (at >= 0)
            set = isl_set_fix_val(set, isl_dim_param, (unsigned)at, value);
        else
            isl_val_free(value);
    }
    if (isl_set_foreach_point(set, add_point, &adding) < 0)
        replay->failed = true;
    isl_set_free(set);
}

bool replay_program(const struct program *program, const int64_t *param, int64_t steps, struct replayed *result)
{
    int64_t loop[DEEPEST];
    struct replay replay = {
        .program = program, .param = param, .loop = loop, .running = loop, .steps = steps, .result = result};

    for (int k = 0; k < program->n_nest && !replay.failed; k++) {
        const struct nest *nest = &program->nest[k];
        if (!nest->order)
            run_block(&replay, nest->body, 0, 0);
        for (int s = 0; nest->order && s < nest->n_statement && !replay.failed; s++)
            run_domain(&replay, program->statement[nest->first_statement + s]);
    }
    return !replay.failed;
}
