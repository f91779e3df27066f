#include "sched/order.h"
#include "poly/keep.h"
#include "program/instruction.h"

#include <isl/id.h>
#include <isl/schedule_node.h>
#include <isl/space.h>

const struct order *order_leaf(struct arena *arena, const struct statement *statement, __isl_take isl_set *domain)
{
    struct order *leaf = ARENA_NEW(arena, struct order);

    leaf->kind = ORDER_LEAF;
    leaf->statement = statement;
    leaf->domain = domain;
    poly_keep_set(arena, domain);
    return leaf;
}

const struct order *order_sequence(struct arena *arena, const struct order *const *child, int n)
{
    struct order *sequence;
    const struct order **flat;
    int n_flat = 0, filled = 0;

    if (n == 1)
        return child[0];
    for (int k = 0; k < n; k++)
        n_flat += child[k]->kind == ORDER_SEQUENCE ? child[k]->n_child : 1;
    flat = ARENA_ARRAY(arena, n_flat, const struct order *);
    for (int k = 0; k < n; k++) {
        const bool nested = child[k]->kind == ORDER_SEQUENCE;
        for (int c = 0; c < (nested ? child[k]->n_child : 1); c++)
            flat[filled++] = nested ? child[k]->child[c] : child[k];
    }
    sequence = ARENA_NEW(arena, struct order);
    sequence->kind = ORDER_SEQUENCE;
    sequence->child = flat;
    sequence->n_child = n_flat;
    return sequence;
}

const struct order *order_loop(struct arena *arena, const struct loop_info *info, __isl_take isl_union_pw_aff *time,
                               const struct order *body)
{
    struct order *loop = ARENA_NEW(arena, struct order);
    const struct order **child = ARENA_ARRAY(arena, 1, const struct order *);

    child[0] = body;
    loop->kind = ORDER_LOOP;
    loop->info = info;
    loop->time = time;
    loop->child = child;
    loop->n_child = 1;
    poly_keep_union_pw_aff(arena, time);
    return loop;
}

const struct order *order_with_children(struct arena *arena, const struct order *order,
                                        const struct order *const *child)
{
    struct order *copy;

    if (order->kind == ORDER_SEQUENCE)
        return order_sequence(arena, child, order->n_child);
    copy = ARENA_NEW(arena, struct order);
    *copy = *order;
    copy->child = child;
    return copy;
}

/* Counts the leaves that are parts of the call; false: there are others. */
static bool count_parts(const struct order *order, const struct call *call, int *n)
{
    bool all = order->kind != ORDER_LEAF || order->statement->call == call;

    *n += order->kind == ORDER_LEAF;
    for (int k = 0; k < order->n_child && all; k++)
        all = count_parts(order->child[k], call, n);
    return all;
}

const struct call *order_call(const struct order *order)
{
    const struct call *call = order_first_statement(order)->call;
    int n = 0;

    return call && count_parts(order, call, &n) && n < call->n_part ? call : NULL;
}

const struct order *order_sunk(struct arena *arena, const struct order *loop, const struct order *body)
{
    const struct order **child;
    int n = 0;

    if (body->kind == ORDER_LEAF)
        return order_loop(arena, loop->info, isl_union_pw_aff_copy(loop->time), body);
    child = ARENA_ARRAY(arena, body->n_child, const struct order *);
    for (int k = 0, end; k < body->n_child; k = end) {
        const struct call *call = order_call(body->child[k]);

        for (end = k + 1; end < body->n_child && call && order_call(body->child[end]) == call; end++)
            ;
        child[n++] = end == k + 1 ? order_sunk(arena, loop, body->child[k])
                                  : order_loop(arena, loop->info, isl_union_pw_aff_copy(loop->time),
                                               order_sequence(arena, body->child + k, end - k));
    }
    return body->kind == ORDER_SEQUENCE ? order_sequence(arena, child, n) : order_with_children(arena, body, child);
}

const struct order *order_rewrite(struct arena *arena, const struct order *order, order_visit *visit, void *data)
{
    const struct order **child;
    bool changed = false;

    if (order->n_child == 0)
        return visit(data, order);
    child = ARENA_ARRAY(arena, order->n_child, const struct order *);
    for (int k = 0; k < order->n_child; k++) {
        child[k] = order_rewrite(arena, order->child[k], visit, data);
        if (!child[k])
            return NULL;
        changed = changed || child[k] != order->child[k];
    }
    return visit(data, changed ? order_with_children(arena, order, child) : order);
}

__isl_give isl_union_set *order_domain(const struct order *order)
{
    isl_union_set *domain;

    if (order->kind == ORDER_LEAF)
        return isl_union_set_from_set(isl_set_copy(order->domain));
    domain = order_domain(order->child[0]);
    for (int k = 1; k < order->n_child; k++)
        domain = isl_union_set_union(domain, order_domain(order->child[k]));
    return domain;
}

bool order_has(const struct order *order, const struct statement *statement)
{
    if (order->kind == ORDER_LEAF)
        return order->statement == statement;
    for (int k = 0; k < order->n_child; k++)
        if (order_has(order->child[k], statement))
            return true;
    return false;
}

const struct order *order_find(const struct order *order, int id)
{
    const struct order *found = NULL;

    if (order->kind == ORDER_LOOP && order->info->id == id)
        return order;
    for (int k = 0; k < order->n_child && !found; k++)
        found = order_find(order->child[k], id);
    return found;
}

const struct order *order_leaf_of(const struct order *order, const struct statement *statement)
{
    const struct order *found = NULL;

    if (order->kind == ORDER_LEAF)
        return order->statement == statement ? order : NULL;
    for (int k = 0; k < order->n_child && !found; k++)
        found = order_leaf_of(order->child[k], statement);
    return found;
}

int order_leaves(const struct order *order, const struct statement *statement)
{
    int n = order->kind == ORDER_LEAF && order->statement == statement;

    for (int k = 0; k < order->n_child; k++)
        n += order_leaves(order->child[k], statement);
    return n;
}

const struct statement *order_first_statement(const struct order *order)
{
    while (order->kind != ORDER_LEAF)
        order = order->child[0];
    return order->statement;
}

bool order_uses(const struct order *order, const struct array *array)
{
    bool found = order->kind == ORDER_LEAF && statement_uses_array(order->statement, array);

    for (int k = 0; k < order->n_child && !found; k++)
        found = order_uses(order->child[k], array);
    return found;
}

const struct order *order_using_child(const struct order *order, const struct array *array)
{
    const struct order *found = NULL;

    for (int k = 0; k < order->n_child; k++)
        if (order_uses(order->child[k], array)) {
            if (found)
                return NULL;
            found = order->child[k];
        }
    return found;
}

const struct order *order_without(struct arena *arena, const struct order *order, const struct order *leaf)
{
    const struct order **child = ARENA_ARRAY(arena, order->n_child + 1, const struct order *);
    int n = 0;

    if (order->kind == ORDER_LEAF)
        return order == leaf ? NULL : order;
    for (int k = 0; k < order->n_child; k++) {
        child[n] = order_without(arena, order->child[k], leaf);
        n += child[n] != NULL;
    }
    if (order->kind == ORDER_SEQUENCE && n > 0)
        return order_sequence(arena, child, n);
    return n > 0 ? order_with_children(arena, order, child) : NULL;
}

int order_count(const struct order *order, int id)
{
    int n = order->kind == ORDER_LOOP && order->info->id == id;

    for (int k = 0; k < order->n_child; k++)
        n += order_count(order->child[k], id);
    return n;
}

int order_largest_id(const struct order *order)
{
    int largest = order->kind == ORDER_LOOP ? order->info->id : 0;

    for (int k = 0; k < order->n_child; k++) {
        const int below = order_largest_id(order->child[k]);
        largest = below > largest ? below : largest;
    }
    return largest;
}

/* Of loops fused from schedules of different constant sizes, what only one of them has becomes a loop of its own;
 * with symbolic sizes that would be one piece for every way in which they can differ. */
static bool is_separated(const struct order *loop)
{
    isl_union_set *domain;
    bool constant;

    if (loop->info->role != ROLE_FUSED || loop->info->pieces || loop->info->outer)
        return false;
    domain = order_domain(loop);
    constant = isl_union_set_dim(domain, isl_dim_param) == 0;
    isl_union_set_free(domain);
    return constant;
}

/* How isl is to make the loop; a fusing loop is never one. */
static enum isl_ast_loop_type loop_type(const struct order *loop)
{
    if (loop->info->role == ROLE_FUSING)
        return isl_ast_loop_unroll;
    if (loop->info->whole)
        return isl_ast_loop_atomic;
    return is_separated(loop) ? isl_ast_loop_separate : isl_ast_loop_default;
}

static __isl_give isl_schedule *insert_mark(__isl_take isl_schedule *schedule, const struct loop_info *info,
                                            enum isl_ast_loop_type type)
{
    isl_schedule_node *node = isl_schedule_get_root(schedule);
    isl_id *id = isl_id_alloc(isl_schedule_get_ctx(schedule), info->name, (void *)(uintptr_t)info);

    isl_schedule_free(schedule);
    node = isl_schedule_node_child(node, 0);
    node = isl_schedule_node_band_member_set_ast_loop_type(node, 0, type);
    node = isl_schedule_node_insert_mark(node, id);
    schedule = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return schedule;
}

static __isl_give isl_schedule *insert_loop(__isl_take isl_schedule *schedule, const struct order *loop)
{
    isl_multi_union_pw_aff *band = isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));

    band = isl_multi_union_pw_aff_set_tuple_name(band, isl_dim_set, loop->info->name);
    schedule = isl_schedule_insert_partial_schedule(schedule, band);
    return insert_mark(schedule, loop->info, loop_type(loop));
}

/* isl has no sequences with empty parts: a tree without instances gives NULL. */
static __isl_give isl_schedule *schedule_of_instances(const struct order *order)
{
    isl_schedule *schedule = NULL;

    if (order->kind == ORDER_LEAF)
        return isl_set_is_empty(order->domain) ? NULL : isl_schedule_from_domain(order_domain(order));
    for (int k = 0; k < order->n_child; k++) {
        isl_schedule *child = schedule_of_instances(order->child[k]);
        schedule = schedule && child ? isl_schedule_sequence(schedule, child) : schedule ? schedule : child;
    }
    return schedule && order->kind == ORDER_LOOP ? insert_loop(schedule, order) : schedule;
}

__isl_give isl_schedule *order_to_schedule(const struct order *order)
{
    isl_schedule *schedule = schedule_of_instances(order);
    isl_union_set *domain = schedule ? NULL : order_domain(order);

    if (domain && isl_union_set_is_empty(domain) == isl_bool_true)
        return isl_schedule_from_domain(domain);
    isl_union_set_free(domain);
    return schedule;
}

__isl_give isl_union_map *order_times(const struct order *order)
{
    isl_schedule *isl = order_to_schedule(order);
    isl_union_map *times = isl_schedule_get_map(isl);

    isl_schedule_free(isl);
    return times;
}
