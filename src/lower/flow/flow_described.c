#include "lower/flow/flow_described.h"

#include "poly/number.h"
#include "program/expr/range.h"
#include "tree/visit.h"

#include <isl/map.h>
#include <isl/point.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_DIMS = 32 };

struct described {
    struct flow *flow;
    int64_t loop[DEEPEST];
    bool in_subscript; /* where signed integers are divided downwards */
};

static struct term value_of(struct described *run, const struct expr *expr);
static int64_t index_of(struct described *run, const struct expr *expr);

static int64_t decline(struct described *run, const char *what)
{
    flow_end(run->flow, FLOW_DECLINED, "%s", what);
    return 0;
}

static int64_t floor_of(struct described *run, int64_t a, int64_t b)
{
    return b > 0 ? a / b - (a % b < 0) : decline(run, "a quotient by what is not positive");
}

static int64_t index_binary(struct described *run, const struct expr *expr)
{
    const int64_t a = index_of(run, expr->arg[0]);
    int64_t b;

    if (expr->op == OP_LAND || expr->op == OP_LOR)
        return (a != 0) == (expr->op == OP_LOR) ? a != 0 : index_of(run, expr->arg[1]) != 0;
    b = index_of(run, expr->arg[1]);
    switch (expr->op) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_DIV:
        return floor_of(run, a, b);
    case OP_MOD:
        return a - b * floor_of(run, a, b);
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
        return decline(run, "an operator in a subscript");
    }
}

static int64_t index_call(struct described *run, const struct expr *expr)
{
    const struct expr *first = expr->arg[0];
    int64_t a, b;

    if (expr->function == FUNCTION_CEIL && first->kind == EXPR_BINARY && first->op == OP_DIV)
        return -floor_of(run, -index_of(run, first->arg[0]), index_of(run, first->arg[1]));
    a = index_of(run, first);
    b = expr->n_arg > 1 ? index_of(run, expr->arg[1]) : 0;
    switch (expr->function) {
    case FUNCTION_MIN:
        return a < b ? a : b;
    case FUNCTION_MAX:
        return a > b ? a : b;
    case FUNCTION_ABS:
        return a < 0 ? -a : a;
    case FUNCTION_FLOOR:
    case FUNCTION_CEIL:
        return a;
    case FUNCTION_MOD:
        return a - b * floor_of(run, a, b);
    default:
        return decline(run, "a function in a subscript");
    }
}

/* A number that is read, or computed of such. */
static int64_t known_number(struct described *run, const struct expr *expr)
{
    const bool outside = run->in_subscript;
    struct term term;

    run->in_subscript = true;
    term = value_of(run, expr);
    run->in_subscript = outside;
    return term.kind == TERM_NUMBER ? (int64_t)term.hash : decline(run, "a subscript that is computed of data");
}

/* Exact integers: of bounds, conditions and subscripts. */
static int64_t index_of(struct described *run, const struct expr *expr)
{
    if (expr->type != TYPE_NONE && expr->n_arg > 0)
        return known_number(run, expr);
    switch (expr->kind) {
    case EXPR_INT:
        return expr->integer;
    case EXPR_PARAM:
        return run->flow->param[expr->param - run->flow->program->param];
    case EXPR_LOOP:
        return run->loop[expr->loop];
    case EXPR_UNARY:
        return expr->op == OP_LNOT ? !index_of(run, expr->arg[0]) : -index_of(run, expr->arg[0]);
    case EXPR_BINARY:
        return index_binary(run, expr);
    case EXPR_SELECT:
        return index_of(run, expr->arg[index_of(run, expr->arg[0]) ? 1 : 2]);
    case EXPR_CALL:
        return index_call(run, expr);
    default:
        return known_number(run, expr);
    }
}

/* -1: the subscripts are outside of the array, which is the caller's fault: of subscripts that were chosen. */
static int64_t place_of(struct described *run, const struct expr *access)
{
    const struct space *space = &run->flow->space[flow_array(run->flow, access->array)];
    int64_t index[MOST_DIMS], position;

    if (access->n_arg > MOST_DIMS)
        return decline(run, "many dimensions") - 1;
    for (int k = 0; k < access->n_arg; k++)
        index[k] = k < access->array->n_iteration ? 0 : index_of(run, access->arg[k]);
    position = flow_position_in(space, index);
    if (position < 0)
        flow_end(run->flow, FLOW_SPENT, "chosen subscripts are outside of %s", access->array->name);
    return position;
}

static struct term loaded(struct described *run, const struct expr *access)
{
    const int64_t position = place_of(run, access);

    if (position < 0)
        return flow_term_poison();
    return flow_read(run->flow, &run->flow->space[flow_array(run->flow, access->array)], position, (struct moment){0},
                     0);
}

static struct term literal(const struct expr *expr)
{
    if (expr->kind == EXPR_INT)
        return flow_term_number(expr->integer);
    if (type_promote(expr->type) == TYPE_F32 && expr->spelling)
        return flow_term_real(TYPE_F32, strtof(expr->spelling, NULL));
    return flow_term_real(TYPE_F64, expr->real);
}

/* By 2^n as what the bits say, which text says, too. */
static struct term divided_downwards(struct described *run, enum expr_op op, enum type type, struct term a,
                                     struct term b)
{
    const int64_t divisor = b.kind == TERM_NUMBER ? (int64_t)b.hash : 0;
    const struct algebra *algebra = &run->flow->algebra;
    const struct term arg[2] = {a, b};

    if (divisor < 1 || (divisor & (divisor - 1)) != 0)
        return flow_term_call(algebra, op == OP_DIV ? FUNCTION_FLOOR : FUNCTION_MOD, TYPE_I64, arg, 2);
    if (op == OP_MOD)
        return flow_term_binary(algebra, OP_AND, type, a, flow_term_number(divisor - 1));
    return flow_term_binary(algebra, OP_SHR, type, a, flow_term_number(__builtin_ctzll((uint64_t)divisor)));
}

static struct term binary(struct described *run, const struct expr *expr)
{
    const struct term a = value_of(run, expr->arg[0]);

    if ((expr->op == OP_LAND || expr->op == OP_LOR) && a.kind != TERM_POISON &&
        flow_term_true(a) == (expr->op == OP_LOR))
        return flow_term_number(expr->op == OP_LOR);
    if (run->in_subscript && (expr->op == OP_DIV || expr->op == OP_MOD) && type_is_signed(expr->type))
        return divided_downwards(run, expr->op, type_promote(expr->type), a, value_of(run, expr->arg[1]));
    return flow_term_binary(&run->flow->algebra, expr->op, type_promote(expr->type), a, value_of(run, expr->arg[1]));
}

static struct term call(struct described *run, const struct expr *expr)
{
    struct term arg[3] = {{0}};

    for (int k = 0; k < expr->n_arg && k < 3; k++)
        arg[k] = value_of(run, expr->arg[k]);
    return flow_term_call(&run->flow->algebra, expr->function, type_promote(expr->type), arg, expr->n_arg);
}

static struct term chosen(struct described *run, const struct expr *expr)
{
    const struct term condition = value_of(run, expr->arg[0]);

    if (condition.kind == TERM_POISON)
        return condition;
    return value_of(run, expr->arg[flow_term_true(condition) ? 1 : 2]);
}

static struct term raw_value_of(struct described *run, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_INT:
    case EXPR_REAL:
        return literal(expr);
    case EXPR_PARAM:
    case EXPR_LOOP:
        return flow_term_number(index_of(run, expr));
    case EXPR_SCALAR:
        return flow_term_leaf(&run->flow->algebra, expr->scalar->type, expr->scalar->name, 0);
    case EXPR_ACCESS:
        return loaded(run, expr);
    case EXPR_UNARY:
        return flow_term_unary(expr->op, value_of(run, expr->arg[0]));
    case EXPR_BINARY:
        return binary(run, expr);
    case EXPR_SELECT:
        return chosen(run, expr);
    case EXPR_CALL:
        return call(run, expr);
    default:
        return value_of(run, expr->arg[0]);
    }
}

static struct term value_of(struct described *run, const struct expr *expr)
{
    if (!flow_step(run->flow, 1))
        return flow_term_poison();
    return flow_term_convert(&run->flow->algebra, expr->type, raw_value_of(run, expr));
}

static void run_statement(struct described *run, const struct statement *statement)
{
    const struct expr *target = statement->target;
    struct term value;
    int64_t position;

    if (!flow_step(run->flow, 1) || !target)
        return;
    value = value_of(run, statement->value);
    if (statement->op != OP_NONE)
        value = flow_term_binary(&run->flow->algebra, statement->op, type_promote(statement->value->type),
                                 loaded(run, target), value);
    position = place_of(run, target);
    run->flow->statement = statement;
    if (position >= 0)
        flow_write(run->flow, &run->flow->space[flow_array(run->flow, target->array)], position, value,
                   (struct moment){0}, 0);
}

static void run_block(struct described *run, const struct block *block, int depth, int loop);

static bool is_met(struct described *run, const struct block *block)
{
    struct term value;

    if (!block->condition)
        return true;
    if (block->condition_affine)
        return index_of(run, block->condition);
    value = value_of(run, block->condition);
    return value.kind != TERM_POISON && flow_term_true(value);
}

static void run_items(struct described *run, const struct block *block, int depth)
{
    if (!is_met(run, block))
        return;
    for (int k = 0; k < block->n_item && run->flow->end == FLOW_GOES_ON; k++) {
        if (block->item[k].statement)
            run_statement(run, block->item[k].statement);
        else
            run_block(run, block->item[k].block, depth, 0);
    }
}

/* The loops of block from this one on. */
static void run_block(struct described *run, const struct block *block, int depth, int loop)
{
    const struct nest_loop *own = &block->loop[loop];
    int64_t lower, upper;

    if (loop == block->n_loop) {
        run_items(run, block, depth);
        return;
    }
    if (depth == DEEPEST)
        decline(run, "deep loops");
    lower = (own->lower ? index_of(run, own->lower) : 0) + (own->lower && own->lower_strict);
    upper = index_of(run, own->upper) - own->upper_strict;
    for (int64_t n = own->step > 0 ? lower : upper; n >= lower && n <= upper && flow_step(run->flow, 1);
         n += own->step) {
        run->loop[depth] = n;
        run_block(run, block, depth + 1, loop + 1);
    }
}

/* An instance of a polyhedral nest: its loops, and the date that its order gives it. */
struct instance {
    const struct statement *statement;
    const int64_t *value; /* of the loops, then n_date of the date */
    int n_date;
};

struct instances {
    struct described *run;
    VEC(struct instance) list;
    const struct statement *statement; /* whose points are added */
    int n_date;
};

static isl_stat add_point(__isl_take isl_point *point, void *user)
{
    struct instances *instances = user;
    const int n = instances->statement->n_loop + instances->n_date;
    int64_t *value = ARENA_ARRAY(instances->run->flow->arena, n + 1, int64_t);
    bool fits = true;

    for (int k = 0; k < n && fits; k++)
        fits = poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &value[k]);
    isl_point_free(point);
    VEC_PUSH(instances->run->flow->arena, &instances->list,
             ((struct instance){instances->statement, value, instances->n_date}));
    return fits && flow_step(instances->run->flow, 60) ? isl_stat_ok : isl_stat_error;
}

static __isl_give isl_set *at_parameters(const struct flow *flow, __isl_take isl_set *set)
{
    for (int k = 0; k < flow->program->n_param; k++) {
        const int at = isl_set_find_dim_by_name(set, isl_dim_param, flow->program->param[k].name);
        if (at >= 0)
            set = isl_set_fix_si(set, isl_dim_param, (unsigned)at, (int)flow->param[k]);
    }
    return isl_set_project_out(set, isl_dim_param, 0, (unsigned)isl_set_dim(set, isl_dim_param));
}

/* { [S[i,j] -> [t0,t1]] } */
static void add_instances(struct instances *instances, const struct nest *nest, const struct statement *statement)
{
    isl_union_set *domain = isl_union_set_from_set(isl_set_copy(statement->domain));
    isl_union_map *dates = isl_union_map_intersect_domain(isl_union_map_copy(nest->order), domain);
    isl_set *points;
    isl_map *date;

    if (isl_union_map_is_empty(dates) != isl_bool_false) {
        isl_union_map_free(dates);
        return;
    }
    date = isl_map_from_union_map(dates);
    instances->statement = statement;
    instances->n_date = (int)isl_map_dim(date, isl_dim_out);
    points = at_parameters(instances->run->flow, isl_map_wrap(date));
    if (isl_set_foreach_point(points, add_point, instances) < 0)
        flow_end(instances->run->flow, FLOW_SPENT, "too many instances");
    isl_set_free(points);
}

/* Short dates end in zeros; ties run in the order of the text. */
static int compare_instances(const void *pa, const void *pb)
{
    const struct instance *a = pa, *b = pb;

    for (int k = 0; k < a->n_date || k < b->n_date; k++) {
        const int64_t x = k < a->n_date ? a->value[a->statement->n_loop + k] : 0;
        const int64_t y = k < b->n_date ? b->value[b->statement->n_loop + k] : 0;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return a->statement->index - b->statement->index;
}

static void run_instance(struct described *run, const struct instance *instance)
{
    const struct expr *guard = instance->statement->guard;

    memcpy(run->loop, instance->value, (size_t)instance->statement->n_loop * sizeof(int64_t));
    if (!guard || flow_term_true(value_of(run, guard)))
        run_statement(run, instance->statement);
}

static void run_polyhedral(struct described *run, const struct nest *nest)
{
    struct instances instances = {.run = run};

    for (int k = 0; k < nest->n_statement && run->flow->end == FLOW_GOES_ON; k++)
        add_instances(&instances, nest, run->flow->program->statement[nest->first_statement + k]);
    if (instances.list.n > 0 && run->flow->end == FLOW_GOES_ON)
        qsort(instances.list.at, (size_t)instances.list.n, sizeof(*instances.list.at), compare_instances);
    for (int k = 0; k < instances.list.n && run->flow->end == FLOW_GOES_ON; k++)
        run_instance(run, &instances.list.at[k]);
}

void flow_run_described(struct flow *flow)
{
    const struct program *program = flow->program;
    struct described run = {.flow = flow};

    for (int k = 0; k < program->n_nest && flow->end == FLOW_GOES_ON; k++) {
        if (program->nest[k].order)
            run_polyhedral(&run, &program->nest[k]);
        else
            run_block(&run, program->nest[k].body, 0, 0);
    }
}

/* Marks the arrays that conditions compare and whose elements ascend: not each comparison may turn out anyhow. */
static void find_ascending(struct flow *flow, const struct expr *guard, bool *found)
{
    if (!guard)
        return;
    if (guard->kind == EXPR_ACCESS && guard->array->nondecreasing)
        found[flow_array(flow, guard->array)] = true;
    for (int k = 0; k < guard->n_arg; k++)
        find_ascending(flow, guard->arg[k], found);
}

/* Marks the arrays that are read in subscripts. */
static void find_subscripts(struct flow *flow, const struct expr *expr, bool inside, bool *found)
{
    if (!expr)
        return;
    if (expr->kind == EXPR_ACCESS && inside)
        found[flow_array(flow, expr->array)] = true;
    for (int k = 0; k < expr->n_arg; k++)
        find_subscripts(flow, expr->arg[k], inside || expr->kind == EXPR_ACCESS, found);
}

/* The arrays of the flow's program, by number, that are marked. */
struct marking {
    struct flow *flow;
    bool *found;
};

static void mark_load(const struct tree_expr *expr, void *user)
{
    const struct marking *marking = user;

    if (expr->kind == TREE_LOAD)
        marking->found[flow_array(marking->flow, expr->element.array)] = true;
}

static void mark_bound(const struct node *node, void *user)
{
    if (node->kind == NODE_LET && node->limit)
        tree_expr_for_each(node->value, mark_load, user);
}

static int compare_numbers(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Number k, from somewhere among them, of those that the array's elements may be. */
static bool choose_all(struct described *run, const struct array *array, int64_t *number, int64_t n)
{
    VEC(int64_t) allowed = {0};
    const struct range range = type_range(array->type);
    int64_t most = 8;

    for (int k = 0; k < run->flow->program->n_param; k++)
        most += run->flow->param[k] > 0 ? run->flow->param[k] : 0;
    for (int64_t value = -8; value <= most + n; value++) {
        run->loop[0] = value;
        if (value >= range.least && value <= range.greatest && (!array->values || index_of(run, array->values)))
            VEC_PUSH(run->flow->arena, &allowed, value);
    }
    if (allowed.n == 0 || (array->injective && allowed.n < n))
        return false;
    for (int64_t k = 0; k < n; k++)
        number[k] = allowed.at[array->injective ? (allowed.n - 1 - k) % allowed.n
                                                : (int)(flow_term_mix((uint64_t)k, 7) % (uint64_t)allowed.n)];
    if (array->nondecreasing)
        qsort(number, (size_t)n, sizeof(*number), compare_numbers);
    return flow_step(run->flow, most + 2 * n);
}

void flow_choose_subscripts(struct flow *flow, const struct node *tree)
{
    const struct program *program = flow->program;
    bool *found = ARENA_ARRAY(flow->arena, program->n_array + 1, bool);
    struct given *given = ARENA_ARRAY(flow->arena, program->n_array + 1, struct given);
    struct described run = {.flow = flow};
    struct marking marking = {flow, found};

    flow->given = given;
    for (int k = 0; k < program->n_statement; k++) {
        find_subscripts(flow, program->statement[k]->target, false, found);
        find_subscripts(flow, program->statement[k]->value, false, found);
        find_subscripts(flow, program->statement[k]->guard, false, found);
        find_ascending(flow, program->statement[k]->guard, found);
    }
    node_for_each(tree, mark_bound, &marking);
    for (int k = 0; k < program->n_array && flow->end == FLOW_GOES_ON; k++) {
        const struct array *array = &program->array[k];
        int64_t *number = ARENA_ARRAY(flow->arena, flow->space[k].n + 1, int64_t);
        if (!found[k] || array->role == ROLE_TEMP || array->role == ROLE_CONST)
            continue;
        if (!choose_all(&run, array, number, flow->space[k].n))
            flow_end(flow, FLOW_SPENT, "no numbers for %s", array->name);
        given[flow->n_given++] = (struct given){array->name, number, flow->space[k].n};
    }
}
