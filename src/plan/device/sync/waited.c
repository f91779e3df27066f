#include "plan/device/sync/waited.h"

#include "plan/device/sync/barrier.h"
#include "program/program.h"

bool waited_serves(const struct order *barrier, const struct conflict *conflict)
{
    const struct statement *statement = barrier->statement;

    if (conflict->own)
        return statement->waits;
    return !statement->lone && (!conflict->array->asynchronous || !conflict->writes || statement->waits);
}

/* Is it a barrier that every iteration has? */
static bool is_always_there(const struct order *order)
{
    return order_is_barrier(order) && !order->statement->sometimes;
}

/* Does a barrier follow (precede) every instance of statement in order, on its way out of (into) it? Of a fusing loop
 * that is not known: not all of its iterations have the barriers. */
static bool separates(const struct order *order, const struct statement *statement, const struct conflict *conflict,
                      bool after)
{
    bool passed = false;

    if (order->kind == ORDER_LEAF || (order->kind == ORDER_LOOP && order->info->role == ROLE_FUSING))
        return false;
    for (int i = 0; i < order->n_child; i++) {
        const struct order *child = order->child[after ? order->n_child - 1 - i : i];
        passed = passed || (is_always_there(child) && waited_serves(child, conflict));
        if (!order_is_barrier(child) && order_has(child, statement) && !passed &&
            !separates(child, statement, conflict, after))
            return false;
    }
    return true;
}

/* Pairs that nothing separates. */
struct leftover {
    const struct program *program;
    const struct conflict *conflict;
    const struct order *a, *b;
    isl_union_map *pairs;
};

static isl_stat add_pairs(__isl_take isl_map *map, void *user)
{
    struct leftover *left = user;
    const struct statement *from = program_statement(left->program, isl_map_get_tuple_name(map, isl_dim_in));
    const struct statement *to = program_statement(left->program, isl_map_get_tuple_name(map, isl_dim_out));

    if ((left->a && separates(left->a, from, left->conflict, true)) ||
        (left->b && separates(left->b, to, left->conflict, false)))
        isl_map_free(map);
    else
        left->pairs = isl_union_map_add_map(left->pairs, map);
    return isl_stat_ok;
}

__isl_give isl_union_map *waited_left(const struct program *program, const struct conflict *conflict,
                                      __isl_keep isl_union_map *pairs, const struct order *a, const struct order *b)
{
    struct leftover left = {program, conflict, a, b, isl_union_map_empty(isl_union_map_get_space(pairs))};

    isl_union_map_foreach_map(pairs, add_pairs, &left);
    return left.pairs;
}

bool waited_among(const struct order *const *child, int from, int to, const struct conflict *conflict)
{
    for (int k = from; k < to; k++)
        if (is_always_there(child[k]) && waited_serves(child[k], conflict))
            return true;
    return false;
}

bool waited_all(const struct conflicts *conflicts, const struct order *const *child, int from, int to)
{
    for (int k = 0; k < conflicts->n; k++)
        if (!waited_among(child, from, to, &conflicts->list[k]))
            return false;
    return true;
}
