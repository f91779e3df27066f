#include "plan/storage/branches.h"

#include "base/vec.h"
#include "dep/initialise.h"
#include "dep/told.h"
#include "plan/storage/footprint.h"
#include "poly/keep.h"
#include "program/rewrite.h"
#include "sched/program_step.h"

/* The children of the order's node that have values of an array for themselves: all but the first one and those that
 * hand values to it, or get some of it. */
struct branch {
    const struct array *array;
    const char *like;       /* what the array was called in the description */
    isl_union_set *inside;  /* the instances below them */
    isl_union_set *outside; /* those below the others */
};

/* The outermost sequence in which several children use the array; NULL: there is none. *told: the number of leading
 * iteration dimensions of the array that are counts of the loops around it. */
static const struct order *parting(const struct schedule *schedule, const struct array *array, int *told)
{
    const struct order *order = schedule->order, *child;
    int depth = 0;

    *told = 0;
    while (order && order->kind != ORDER_LEAF) {
        child = order_using_child(order, array);
        if (!child)
            return order->kind == ORDER_SEQUENCE && order_uses(order, array) ? order : NULL;
        *told += order->kind == ORDER_LOOP && depth < array->n_iteration && *told == depth &&
                 subscripts_tell_time(schedule->program, array, depth, order->time);
        depth += order->kind == ORDER_LOOP;
        order = child;
    }
    return NULL;
}

/* Has an iteration of the loops around all uses one of the iterations that have an array each? */
static bool is_one_iteration(const struct schedule *schedule, const struct array *array)
{
    struct footprint footprint;
    bool one;

    footprint_find(&footprint, schedule, schedule->program, schedule->order, array);
    one = footprint.depth > 0;
    for (int d = 0; d < array->n_iteration && one; d++)
        one = footprint_is_one(&footprint, d);
    footprint_release(&footprint);
    return one;
}

static bool goes_between(__isl_keep isl_union_map *flow, const struct order *a, const struct order *b)
{
    isl_union_map *between = isl_union_map_intersect_domain(isl_union_map_copy(flow), order_domain(a));
    bool goes;

    between = isl_union_map_intersect_range(between, order_domain(b));
    goes = isl_union_map_is_empty(between) != isl_bool_true;
    isl_union_map_free(between);
    return goes;
}

/* Marks the first child that uses the array and those between which values go from there on. */
static void mark_first(const struct order *sequence, const struct array *array, __isl_keep isl_union_map *flow,
                       bool *marked)
{
    int first = 0;
    bool more = true;

    while (!order_uses(sequence->child[first], array))
        first++;
    marked[first] = true;
    while (more) {
        more = false;
        for (int a = 0; a < sequence->n_child; a++)
            for (int b = 0; b < sequence->n_child; b++)
                if (marked[a] != marked[b] && goes_between(flow, sequence->child[a], sequence->child[b]))
                    more = marked[a] = marked[b] = true;
    }
}

static __isl_give isl_set *part_of(const struct statement *statement, __isl_keep isl_union_set *all)
{
    isl_set *part = isl_union_set_extract_set(all, isl_set_get_space(statement->domain));

    return isl_set_intersect(part, isl_set_copy(statement->domain));
}

/* Does an instance in the branch use the array? A loop there may never run. */
static bool is_used_inside(const struct schedule *schedule, const struct branch *branch)
{
    bool used = false;

    for (int s = 0; s < schedule->program->n_statement && !used; s++) {
        const struct statement *statement = schedule->program->statement[s];
        isl_set *inside = part_of(statement, branch->inside);

        used = statement_uses_array(statement, branch->array) && isl_set_is_empty(inside) == isl_bool_false;
        isl_set_free(inside);
    }
    return used;
}

/* Finds what has values of its own; false: all uses belong together. The sets are the caller's. */
static bool find_branch(const struct schedule *schedule, struct branch *branch)
{
    const struct array *array = branch->array;
    const struct order *sequence;
    isl_union_map *flow;
    bool *marked, several = false;
    int told;

    sequence = parting(schedule, array, &told);
    if (!sequence || told == array->n_iteration || is_one_iteration(schedule, array))
        return false;
    marked = ARENA_ARRAY(schedule->arena, sequence->n_child, bool);
    flow = dependences_value_flow(schedule_dependences_of(schedule, array), array);
    mark_first(sequence, array, flow, marked);
    branch->inside = isl_union_set_empty(isl_union_map_get_space(flow));
    branch->outside = isl_union_set_copy(branch->inside);
    for (int k = 0; k < sequence->n_child; k++) {
        const struct order *child = sequence->child[k];
        several = several || (!marked[k] && order_uses(child, array));
        if (marked[k])
            branch->outside = isl_union_set_union(branch->outside, order_domain(child));
        else
            branch->inside = isl_union_set_union(branch->inside, order_domain(child));
    }
    isl_union_map_free(flow);
    return several && is_used_inside(schedule, branch);
}

/* A statement that uses the array both in the branch and outside of it; NULL: there is none. */
static const struct statement *in_both(const struct schedule *schedule, const struct branch *branch)
{
    for (int s = 0; s < schedule->program->n_statement; s++) {
        const struct statement *statement = schedule->program->statement[s];
        isl_set *inside = part_of(statement, branch->inside), *outside = part_of(statement, branch->outside);
        const bool both = statement_uses_array(statement, branch->array) && isl_set_is_empty(inside) != isl_bool_true &&
                          isl_set_is_empty(outside) != isl_bool_true;

        isl_set_free(inside);
        isl_set_free(outside);
        if (both)
            return statement;
    }
    return NULL;
}

static void redirect_expr(struct expr *expr, const struct array *from, const struct array *to)
{
    if (!expr)
        return;
    if (expr->kind == EXPR_ACCESS && expr->array == from)
        expr->array = to;
    for (int k = 0; k < expr->n_arg; k++)
        redirect_expr(expr->arg[k], from, to);
}

/* The statement's accesses to `from` are ones to `to`. */
static void redirect(struct arena *arena, struct statement *statement, const struct array *from, const struct array *to)
{
    redirect_expr(statement->target, from, to);
    redirect_expr(statement->value, from, to);
    redirect_expr(statement->guard, from, to);
    for (int k = 0; k < statement->n_access; k++) {
        struct access *access = &statement->access[k];
        if (access->array != from)
            continue;
        access->array = to;
        access->map = poly_keep_map(arena, isl_map_set_tuple_name(isl_map_copy(access->map), isl_dim_out, to->name));
    }
}

/* The statements of the branch, none of which has instances outside, use an array of their own. */
static enum status part_array(struct schedule *schedule, const struct branch *branch)
{
    struct arena *arena = schedule->arena;
    struct program *program = program_copy_arrays(arena, schedule->program);
    const struct array *array = &program->array[branch->array - schedule->program->array];
    struct array *own = program_add_array(arena, program);

    *own = *array;
    own->name = program_default_name(arena, schedule->program, branch->like, NULL, 0);
    own->elements = poly_keep_set(arena, isl_set_set_tuple_name(isl_set_copy(array->elements), own->name));
    for (int s = 0; s < program->n_statement; s++) {
        isl_set *inside = part_of(program->statement[s], branch->inside);
        if (isl_set_is_empty(inside) != isl_bool_true)
            redirect(arena, program->statement[s], array, own);
        isl_set_free(inside);
    }
    return program_step_replace(schedule, program);
}

/* One step further: divides a statement that uses the array in several parts, or gives all parts but the first an array
 * of their own. *done: there was nothing to do. */
static enum status divide_once(struct schedule *schedule, int number, const char *like, bool *done)
{
    struct branch branch = {.array = &schedule->program->array[number], .like = like};
    const struct statement *both;
    enum status status = STATUS_OK;

    *done = !find_branch(schedule, &branch);
    both = *done ? NULL : in_both(schedule, &branch);
    if (!*done)
        schedule->original = schedule->order;
    if (both)
        status = program_step_divide(schedule, both, part_of(both, branch.inside));
    else if (!*done)
        status = part_array(schedule, &branch);
    isl_union_set_free(branch.inside);
    isl_union_set_free(branch.outside);
    return status;
}

/* Has each iteration one of the array for itself, as far as the description or a step says? */
static bool is_iterations_own(const struct array *array)
{
    return array->role == ROLE_TEMP && array->n_iteration > 0 && !array->init_zero && !array->is_buffer;
}

enum status branches_divide(struct schedule *schedule)
{
    VEC(const char *) like = {0};
    enum status status = STATUS_OK;

    for (int k = 0; k < schedule->program->n_array; k++)
        VEC_PUSH(schedule->arena, &like, schedule->program->array[k].name);
    for (int k = 0; k < like.n && status == STATUS_OK; k++) {
        bool done = !is_iterations_own(&schedule->program->array[k]);
        while (!done && status == STATUS_OK) {
            status = divide_once(schedule, k, like.at[k], &done);
            if (like.n < schedule->program->n_array)
                VEC_PUSH(schedule->arena, &like, like.at[k]);
        }
    }
    return status;
}
