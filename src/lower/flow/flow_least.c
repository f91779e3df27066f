#include "lower/flow/flow_least.h"

#include "program/check/replay.h"

enum { DEEPEST = 64 };

struct counting {
    const struct program *program;
    const int64_t *param;
    int64_t loop[DEEPEST];
    int64_t most;
};

static bool uses_loop(const struct expr *expr, int depth)
{
    bool uses = expr && expr->kind == EXPR_LOOP && expr->loop == depth;

    for (int k = 0; expr && k < expr->n_arg && !uses; k++)
        uses = uses_loop(expr->arg[k], depth);
    return uses;
}

/* Is there a bound inside of the loops of block, from this one on, that uses the loop at depth? */
static bool is_used(const struct block *block, int loop, int depth)
{
    bool used = false;

    for (int k = loop; k < block->n_loop && !used; k++)
        used = uses_loop(block->loop[k].lower, depth) || uses_loop(block->loop[k].upper, depth);
    for (int k = 0; k < block->n_item && !used; k++)
        used = block->item[k].block && is_used(block->item[k].block, 0, depth);
    return used;
}

/* Operations that are looked at in any case: not those of one side of a choice. */
static int64_t value_steps(const struct expr *expr)
{
    const bool stops = expr->kind == EXPR_SELECT || expr->op == OP_LAND || expr->op == OP_LOR;
    int64_t steps = 1;

    for (int k = 0; k < (stops ? 1 : expr->n_arg) && expr->kind != EXPR_ACCESS; k++)
        steps += value_steps(expr->arg[k]);
    return steps;
}

static bool evaluate(const struct counting *counting, int depth, const struct expr *expr, int64_t *value)
{
    return replay_value(counting->program, counting->param, counting->loop, depth, expr, value);
}

static int64_t block_steps(struct counting *counting, const struct block *block, int depth, int loop);

static int64_t items_steps(struct counting *counting, const struct block *block, int depth)
{
    int64_t steps = 0;

    for (int k = 0; k < block->n_item && !block->condition; k++)
        steps += block->item[k].statement && block->item[k].statement->target
                     ? 1 + value_steps(block->item[k].statement->value)
                 : block->item[k].block ? block_steps(counting, block->item[k].block, depth, 0)
                                        : 0;
    return steps;
}

static int64_t block_steps(struct counting *counting, const struct block *block, int depth, int loop)
{
    const struct nest_loop *own = &block->loop[loop];
    int64_t lower = 0, upper, n, steps = 0, body;

    if (loop == block->n_loop)
        return items_steps(counting, block, depth);
    if (depth == DEEPEST || (own->lower && !evaluate(counting, depth, own->lower, &lower)) ||
        !evaluate(counting, depth, own->upper, &upper))
        return 0;
    lower += own->lower && own->lower_strict;
    upper -= own->upper_strict;
    n = upper < lower ? 0 : (upper - lower) / (own->step > 0 ? own->step : -own->step) + 1;
    for (int64_t k = 0; k < n && steps <= counting->most; k++) {
        counting->loop[depth] = own->step > 0 ? lower + k * own->step : upper + k * own->step;
        body = 1 + block_steps(counting, block, depth + 1, loop + 1);
        if (!is_used(block, loop + 1, depth))
            return body > counting->most / n ? counting->most + 1 : n * body;
        steps += body;
    }
    return steps;
}

bool flow_takes_more(const struct program *program, const int64_t *param, int64_t most)
{
    struct counting counting = {.program = program, .param = param, .most = most};
    int64_t steps = 0;

    for (int k = 0; k < program->n_nest && steps <= most; k++)
        if (!program->nest[k].order)
            steps += block_steps(&counting, program->nest[k].body, 0, 0);
    return steps > most;
}
