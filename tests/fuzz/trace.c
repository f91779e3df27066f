/* Recording what instances touch, from the expressions alone. */
#include "trace.h"

#include "dates.h"
#include "inputs.h"

#include <isl/point.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

struct recorder {
    struct trace *trace;
    int limit;
};

static void add_touch(struct run *run, struct event *event, const struct expr *access, bool write, bool own)
{
    uint64_t element = 0;

    for (int k = 0; k < access->n_arg; k++)
        element = (element ^ (uint64_t)evaluate_index(run, access->arg[k])) * UINT64_C(0x9E3779B97F4A7C15) + 1;
    if (event->n_touch < MAX_TOUCHES)
        event->touch[event->n_touch++] = (struct touch){access->array, element, write, own};
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
    const bool is_float = type_is_float(statement->target->array->type);
    const struct expr *rest = statement->value;

    if (trace->n >= recorder->limit)
        return;
    event.free = !is_float || (run->program->permit & PERMIT_REASSOCIATE);
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
    struct prng prng = {.state = 1};
    struct run run;

    *trace = (struct trace){0};
    run_init(&run, program, param);
    run.on_instance = record;
    run.user = &recorder;
    inputs_random(&run, &prng);
    run_program(&run);
    run_free(&run);
}

/* Instances of a changed program, before they are sorted. */
struct enumeration {
    struct recorder recorder;
    struct run run;
    const struct order *leaf; /* whose instances are being added */
};

static isl_stat add_instance(__isl_take isl_point *point, void *user)
{
    struct enumeration *enumeration = user;
    struct trace *trace = enumeration->recorder.trace;
    const struct statement *statement = enumeration->leaf->statement;
    struct run *run = &enumeration->run;

    for (int k = 0; k < statement->n_loop; k++) {
        isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, k);
        run->loop[k] = isl_val_get_num_si(value);
        isl_val_free(value);
    }
    isl_point_free(point);
    if (trace->n < enumeration->recorder.limit)
        record(run, statement, &enumeration->recorder);
    return isl_stat_ok;
}

static __isl_give isl_set *at_values(__isl_take isl_set *set, const struct program *program, const int64_t *param)
{
    for (int k = 0; k < program->n_param; k++) {
        const int at = isl_set_find_dim_by_name(set, isl_dim_param, program->param[k].name);
        if (at >= 0)
            set = isl_set_fix_si(set, isl_dim_param, (unsigned)at, (int)param[k]);
    }
    return set;
}

static void enumerate(struct enumeration *enumeration, const struct order *order)
{
    if (order->kind == ORDER_LEAF) {
        isl_set *instances = at_values(isl_set_copy(order->domain), enumeration->run.program, enumeration->run.param);
        enumeration->leaf = order;
        isl_set_foreach_point(instances, add_instance, enumeration);
        isl_set_free(instances);
    }
    for (int k = 0; k < order->n_child; k++)
        enumerate(enumeration, order->child[k]);
}

struct dated {
    struct date date;
    struct event event;
};

static int compare_dated(const void *a, const void *b)
{
    return date_compare(&((const struct dated *)a)->date, &((const struct dated *)b)->date);
}

static void sort_by_date(struct trace *trace, const struct program *program, const struct order *order,
                         const int64_t *param)
{
    struct dated *list = calloc((size_t)trace->n + 1, sizeof(*list));

    for (int k = 0; k < trace->n; k++) {
        list[k].event = trace->event[k];
        date_of(order, program, param, list[k].event.statement, list[k].event.instance, &list[k].date);
    }
    qsort(list, (size_t)trace->n, sizeof(*list), compare_dated);
    for (int k = 0; k < trace->n; k++)
        trace->event[k] = list[k].event;
    free(list);
}

void trace_take_changed(struct trace *trace, const struct program *program, const struct order *order,
                        const int64_t *param, int limit)
{
    struct enumeration enumeration = {.recorder = {trace, limit}};

    *trace = (struct trace){0};
    run_init(&enumeration.run, program, param);
    enumerate(&enumeration, order);
    run_free(&enumeration.run);
    sort_by_date(trace, program, order, param);
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

    return class && class == reduction_class(b->update) && a->free;
}

bool trace_conflict(const struct event *a, const struct event *b, bool reads)
{
    const bool reduction = one_reduction(a, b);

    for (int i = 0; i < a->n_touch; i++)
        for (int j = 0; j < b->n_touch; j++) {
            const struct touch *x = &a->touch[i], *y = &b->touch[j];
            if (x->array != y->array || x->element != y->element || !(x->write || (reads && y->write)))
                continue;
            if (!(reduction && x->own && y->own))
                return true;
        }
    return false;
}
