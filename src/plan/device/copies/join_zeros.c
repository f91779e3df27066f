#include "plan/device/copies/join_zeros.h"

#include "plan/device/conflict.h"
#include "plan/loop_plan.h"

enum { MAX_LOOPS = 32 };

/* Loops of copies around one statement that writes to a buffer. */
struct chain {
    const struct order *loop[MAX_LOOPS];
    int n;
    const struct order *leaf;
};

/* zeros: has the statement nothing to read? */
static bool find_chain(const struct order *order, bool zeros, struct chain *chain)
{
    const struct statement *statement;

    for (chain->n = 0; order->kind == ORDER_LOOP && chain->n < MAX_LOOPS; order = order->child[0]) {
        if (!order->info->is_copy || (loop_is_bound(order) && !loop_plan_is_cooperative(order->info)))
            return false;
        chain->loop[chain->n++] = order;
    }
    chain->leaf = order;
    statement = order->kind == ORDER_LEAF ? order->statement : NULL;
    return chain->n > 0 && statement && statement->copies && !statement->neighbours && !statement->asynchronous &&
           statement->n_access == (zeros ? 1 : 2);
}

/* Does the copy fill the buffer that the zeros are for, element by element? The loops of both go through the buffer's
 * dimensions, whichever threads take them. The zeros have loops for the iterations in front of subscripts first, with
 * one iteration each. */
static bool go_together(const struct chain *fill, const struct chain *zeros)
{
    const struct access *access = &zeros->leaf->statement->access[0];

    return zeros->n - fill->n == access->array->n_iteration && fill->leaf->statement->access[0].array == access->array;
}

/* The threads that fill elements store the zeros. */
static const struct order *joined(struct arena *arena, const struct chain *fill, const struct chain *zeros)
{
    const struct order *order = order_sequence(arena, (const struct order *[]){fill->leaf, zeros->leaf}, 2);

    for (int k = fill->n - 1; k >= 0; k--) {
        isl_union_pw_aff *time = isl_union_pw_aff_copy(fill->loop[k]->time);
        const struct order *own = zeros->loop[zeros->n - fill->n + k];
        struct loop_info *info = ARENA_NEW(arena, struct loop_info);
        *info = *fill->loop[k]->info;
        info->whole = true;
        time = isl_union_pw_aff_union_add(time, isl_union_pw_aff_copy(own->time));
        order = order_loop(arena, info, time, order);
    }
    return order;
}

/* Joins the first of child[from..n) that uses what the zeros are in with these; false where that is not their copy. */
static bool join(struct arena *arena, const struct order **child, int from, int n, const struct chain *zeros)
{
    struct chain fill;

    while (from < n && !order_uses(child[from], zeros->leaf->statement->access[0].array))
        from++;
    if (from == n || !find_chain(child[from], false, &fill) || !go_together(&fill, zeros))
        return false;
    child[from] = joined(arena, &fill, zeros);
    return true;
}

const struct order *zeros_join(struct arena *arena, const struct order *order)
{
    const struct order **child = ARENA_ARRAY(arena, order->n_child + 1, const struct order *);
    struct chain zeros;
    int n = 0;

    for (int k = 0; k < order->n_child; k++)
        child[k] = zeros_join(arena, order->child[k]);
    if (order->kind == ORDER_LOOP)
        return order_with_children(arena, order, child);
    for (int k = 0; k < order->n_child; k++)
        if (!find_chain(child[k], true, &zeros) || !join(arena, child, k + 1, order->n_child, &zeros))
            child[n++] = child[k];
    return order->kind == ORDER_SEQUENCE ? order_sequence(arena, child, n) : order;
}
