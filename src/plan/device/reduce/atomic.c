#include "plan/device/reduce/atomic.h"

#include "caps/gpu.h"
#include "dep/dependence.h"
#include "plan/cache/options.h"
#include "plan/device/conflict.h"
#include "plan/device/kernels.h"
#include "plan/device/reduce/lanes.h"
#include "plan/loop_plan.h"

#include <isl/space.h>

#include <string.h>

bool update_stays_in_type(const struct statement *statement)
{
    const enum type type = statement->target->array->type;
    const bool extreme = op_is_extreme(statement->op);
    const struct expr *value = statement->value;

    if (value->kind == EXPR_CAST && value->implicit && value->arg[0]->type == type)
        return true;
    if (type_is_float(type) || type_is_float(value->type) || extreme || type == TYPE_BOOL)
        return type_holds(type, value->type);
    return true; /* what is too large for the type is so by whole multiples of what it has */
}

/* The update's operator, as tables of devices have it. */
static char symbol_of(const struct statement *statement)
{
    return statement->op == OP_MIN ? '<' : statement->op == OP_MAX ? '>' : *op_symbol(statement->op);
}

bool atomic_is_there(const struct program *program, const struct statement *statement)
{
    const struct gpu *gpu = gpu_by_language(program->target.language);
    const enum type type = statement->target->array->type;
    const struct gpu_arch *arch = gpu_arch_by_name(gpu, program->target.arch);
    enum expr_op op;

    return gpu && statement->op != OP_NONE && statement_is_update(statement, &op) && gpu_computes(arch, type) &&
           (strchr(gpu_atomics(gpu, type), symbol_of(statement)) ||
            strchr(gpu_exchanges(gpu, type), symbol_of(statement))) &&
           update_stays_in_type(statement);
}

/* Is it an update that may be made in any order? */
static bool is_free(const struct program *program, const struct statement *statement)
{
    enum expr_op op;

    return !statement->barrier && statement_is_update(statement, &op) && update_order_is_free(program, statement, op) &&
           atomic_is_there(program, statement);
}

/* { S -> T } of updates of array. */
static __isl_give isl_union_map *update_pairs(const struct program *program, const struct order *kernel,
                                              const struct array *array)
{
    isl_union_map *updates = isl_union_map_empty(program_params_space(program)), *others;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        if (order_has(kernel, statement) && is_free(program, statement) && statement->target->array == array)
            updates = isl_union_map_union(updates, isl_union_map_from_map(isl_map_copy(statement->access[0].map)));
    }
    others = isl_union_map_reverse(isl_union_map_copy(updates));
    updates = isl_union_map_apply_range(updates, others);
    return isl_union_map_intersect_params(updates, isl_set_copy(program->context));
}

static isl_stat mark_pair(__isl_take isl_map *map, void *user)
{
    const struct program *program = user;

    for (int s = 0; s < program->n_statement; s++) {
        struct statement *statement = program->statement[s];
        const bool from = strcmp(statement->label, isl_map_get_tuple_name(map, isl_dim_in)) == 0;
        if (from || strcmp(statement->label, isl_map_get_tuple_name(map, isl_dim_out)) == 0)
            statement->atomic = true;
    }
    isl_map_free(map);
    return isl_stat_ok;
}

/* { S -> S } of updates that the threads of a warp make as one. */
static __isl_give isl_union_map *within_warps(const struct program *program)
{
    isl_union_map *pairs = isl_union_map_empty(program_params_space(program));

    for (int s = 0; s < program->n_statement; s++)
        if (kernels_one_thread_updates(program, program->statement[s], program->statement[s]->lanes)) {
            isl_union_set *own = isl_union_set_from_set(isl_set_copy(program->statement[s]->domain));
            pairs = isl_union_map_union(pairs, isl_union_map_from_domain_and_range(isl_union_set_copy(own), own));
        }
    return pairs;
}

/* Marks the statements of pairs in different iterations of a bound loop. */
static void mark_apart(const struct program *program, const struct order *loop, __isl_keep isl_union_map *pairs)
{
    isl_union_map *apart = isl_union_map_intersect(isl_union_map_copy(pairs), conflicts_in_time(loop, true));

    if (loop->info->plan->axis == AXIS_THREAD_X)
        apart = isl_union_map_subtract(apart, within_warps(program));
    if (isl_union_map_is_empty(apart) != isl_bool_true)
        isl_union_map_foreach_map(apart, mark_pair, (void *)(uintptr_t)program);
    isl_union_map_free(apart);
}

/* pairs: those of updates of array in one iteration of the loops around. */
static void walk(const struct program *program, const struct array *array, const struct order *order,
                 __isl_take isl_union_map *pairs)
{
    const bool done = order->kind == ORDER_LEAF || isl_union_map_is_empty(pairs) == isl_bool_true;
    const bool bound = order->kind == ORDER_LOOP && loop_is_bound(order);

    if (!done && bound && !(array->memory == MEMORY_SHARED && axis_is_block(order->info->plan->axis)))
        mark_apart(program, order, pairs);
    if (!done && order->kind == ORDER_LOOP)
        pairs = isl_union_map_intersect(pairs, conflicts_in_time(order, false));
    for (int k = 0; !done && k < order->n_child; k++) {
        isl_union_set *inside = order_domain(order->child[k]);
        walk(program, array, order->child[k],
             isl_union_map_intersect(isl_union_map_copy(pairs),
                                     isl_union_map_from_domain_and_range(isl_union_set_copy(inside), inside)));
    }
    isl_union_map_free(pairs);
}

void atomic_mark(const struct program *program, const struct order *kernel)
{
    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].memory != MEMORY_LOCAL)
            walk(program, &program->array[k], kernel, update_pairs(program, kernel, &program->array[k]));
}
