/* Recording what instances touch, from the expressions alone. */
#include "trace.h"

#include "inputs.h"

#include <stdlib.h>
#include <string.h>

struct recorder {
    struct trace *trace;
    int limit;
};

static void add_touch(struct run *run, struct event *event, const struct expr *access, bool write, bool own)
{
    const struct storage *storage = &run->storage[access->array - run->program->array];
    int64_t index[INTERPRET_MAX_DEPTH];

    for (int k = 0; k < access->n_arg; k++)
        index[k] = evaluate_index(run, access->arg[k]);
    if (event->n_touch < MAX_TOUCHES)
        event->touch[event->n_touch++] =
            (struct touch){access->array, storage_position(storage, index), write, own};
}

static void add_reads(struct run *run, struct event *event, const struct expr *expr)
{
    if (expr->kind == EXPR_ACCESS)
        add_touch(run, event, expr, false, false);
    for (int k = 0; k < expr->n_arg; k++)
        add_reads(run, event, expr->arg[k]);
}

static const struct expr *without_casts(const struct expr *expr)
{
    while (expr->kind == EXPR_CAST)
        expr = expr->arg[0];
    return expr;
}

/* The operator of a value `a op b`, min and max as calls included. */
static enum expr_op outer_operator(const struct expr *value)
{
    if (value->kind == EXPR_BINARY)
        return value->op;
    if (value->kind == EXPR_CALL && value->function == FUNCTION_MIN)
        return OP_MIN;
    return value->kind == EXPR_CALL && value->function == FUNCTION_MAX ? OP_MAX : OP_NONE;
}

/* Are these the same subscripts, not only here by chance? */
static bool same_subscripts(struct run *run, const struct expr *a, const struct expr *b)
{
    const struct run kept = *run;
    bool same = true;

    for (int far = 0; far < 2 && same; far++) {
        for (int k = 0; k < INTERPRET_MAX_DEPTH; k++)
            run->loop[k] += far * 1009 * (k + 1);
        for (int k = 0; k < a->n_arg && same; k++)
            same = evaluate_index(run, a->arg[k]) == evaluate_index(run, b->arg[k]);
    }
    memcpy(run->loop, kept.loop, sizeof(kept.loop));
    return same;
}

static bool reads_target(struct run *run, const struct event *event, const struct expr *expr)
{
    const struct expr *target = event->statement->target;

    return expr->kind == EXPR_ACCESS && expr->array == target->array && same_subscripts(run, target, expr);
}

/* x = x op e: the write and that one read of x belong to the update, as for x op= e. */
static const struct expr *find_update(struct run *run, struct event *event, const struct expr *value)
{
    const enum expr_op op = outer_operator(value);

    for (int k = 0; op != OP_NONE && k < (op == OP_SUB ? 1 : 2); k++)
        if (reads_target(run, event, without_casts(value->arg[k]))) {
            event->update = op;
            event->touch[0].own = true;
            add_touch(run, event, without_casts(value->arg[k]), false, true);
            return value->arg[1 - k];
        }
    return value;
}

static void record(struct run *run, const struct statement *statement, void *user)
{
    struct recorder *recorder = user;
    struct trace *trace = recorder->trace;
    struct event event = {.statement = statement, .update = statement->op};
    const struct expr *rest = statement->value;

    if (trace->n >= recorder->limit)
        return;
    memcpy(event.instance, run->loop, (size_t)statement->n_loop * sizeof(event.instance[0]));
    add_touch(run, &event, statement->target, true, statement->op != OP_NONE);
    if (statement->op != OP_NONE)
        add_touch(run, &event, statement->target, false, true);
    else
        rest = find_update(run, &event, without_casts(statement->value));
    add_reads(run, &event, rest);
    if (trace->n == trace->capacity) {
        trace->capacity = 2 * trace->capacity + 64;
        trace->event = realloc(trace->event, (size_t)trace->capacity * sizeof(*trace->event));
    }
    trace->event[trace->n++] = event;
}

void trace_take(struct trace *trace, const struct program *program, const int64_t *param, int limit)
{
    struct recorder recorder = {trace, limit};
    struct prng prng = {1};
    struct run run;

    *trace = (struct trace){0};
    run_init(&run, program, param);
    run.on_instance = record;
    run.user = &recorder;
    inputs_random(&run, &prng);
    run_program(&run);
    run_free(&run);
}

void trace_free(struct trace *trace)
{
    free(trace->event);
    *trace = (struct trace){0};
}

int trace_find(const struct trace *trace, const struct statement *statement, const int64_t *instance)
{
    for (int k = 0; k < trace->n; k++)
        if (trace->event[k].statement == statement &&
            !memcmp(trace->event[k].instance, instance, (size_t)statement->n_loop * sizeof(*instance)))
            return k;
    return -1;
}

/* Sums and differences are one reduction; the others are each their own. */
static int reduction_class(enum expr_op op)
{
    switch (op) {
    case OP_ADD:
    case OP_SUB:
        return 1;
    case OP_MUL:
        return 2;
    case OP_AND:
        return 3;
    case OP_OR:
        return 4;
    case OP_XOR:
        return 5;
    case OP_MIN:
        return 6;
    case OP_MAX:
        return 7;
    default:
        return 0;
    }
}

static bool one_reduction(const struct event *a, const struct event *b)
{
    const int class = reduction_class(a->update);

    return class && class == reduction_class(b->update) && !type_is_float(a->statement->target->array->type);
}

bool trace_conflict(const struct event *a, const struct event *b)
{
    const bool reduction = one_reduction(a, b);

    for (int i = 0; i < a->n_touch; i++)
        for (int j = 0; j < b->n_touch; j++) {
            const struct touch *x = &a->touch[i], *y = &b->touch[j];
            if (x->array != y->array || x->position != y->position || (!x->write && !y->write))
                continue;
            if (!(reduction && x->own && y->own))
                return true;
        }
    return false;
}
