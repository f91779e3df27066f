#include "plan/device/copies/ahead.h"

#include "sched/edit.h"

#include <isl/schedule.h>

bool order_is_ahead(const struct order *order)
{
    return order->kind == ORDER_LOOP && order->info->ahead;
}

struct loading {
    struct arena *arena;
    const struct order *copy;
};

/* The body of the loop around with the copy in front of everything else: there it reads. It writes where it stands, and
 * so do the other copies, from which it may read. */
static const struct order *early(void *data, const struct order *node)
{
    const struct loading *loading = data;
    const struct order **child;
    int n = 1;

    for (int k = 0; k < node->n_child; k++)
        if (node->kind == ORDER_SEQUENCE && node->child[k] == loading->copy)
            n = 0;
    if (n > 0)
        return node;
    child = ARENA_ARRAY(loading->arena, node->n_child, const struct order *);
    child[n++] = loading->copy;
    for (int k = 0; k < node->n_child; k++)
        if (node->child[k] != loading->copy)
            child[n++] = node->child[k];
    return order_sequence(loading->arena, child, n);
}

/* The outermost loop of the next copy behind `after`, or the first one; NULL: there is none. */
static const struct order *next_copy(const struct order *order, const struct order *after, bool *passed)
{
    const struct order *found = NULL;

    if (order_is_ahead(order)) {
        const bool wanted = *passed;
        *passed |= order == after;
        return wanted ? order : NULL;
    }
    for (int k = 0; k < order->n_child && !found; k++)
        found = next_copy(order->child[k], after, passed);
    return found;
}

static const struct statement *copy_of(const struct order *order)
{
    while (order->kind != ORDER_LEAF)
        order = order->child[0];
    return order->statement;
}

/* The dependences of what the copy reads on what is written before. */
static struct dependences into(struct schedule *schedule, const struct statement *copy)
{
    const struct dependences *all = schedule_dependences_of(schedule, copy->access[1].array);
    struct dependences some = *all;

    some.n = 0;
    some.list = ARENA_ARRAY(schedule->arena, all->n + 1, struct dependence);
    some.required = isl_union_map_empty(isl_union_map_get_space(all->required));
    for (int k = 0; k < all->n; k++) {
        const struct dependence *dependence = &all->list[k];
        if (dependence->to->statement->index != copy->index || dependence->to->array != copy->access[1].array)
            continue;
        some.list[some.n++] = *dependence;
        some.required = isl_union_map_union(some.required, isl_union_map_from_map(isl_map_copy(dependence->map)));
    }
    return some;
}

static enum status refuse(struct schedule *schedule, const struct step *step, const struct violation *violation)
{
    struct text reason = {0};

    violation_print_reason(&reason, schedule->arena, schedule->program, violation);
    edit_refuse(schedule, step_place(step, "through"), "cache",
                "without \"through\" and \"double_buffer\" it is filled by the iteration itself",
                "an iteration needs what the one before it writes, so it cannot be loaded before that runs: %s",
                text_str(&reason));
    text_free(&reason);
    return STATUS_REFUSED;
}

enum status ahead_check(struct schedule *schedule, const struct order *order)
{
    const struct order *copy = NULL;
    enum status status = STATUS_OK;

    for (bool passed = true; status == STATUS_OK && (copy = next_copy(order, copy, &passed)); passed = false) {
        struct dependences flow = into(schedule, copy_of(copy));
        struct loading loading = {schedule->arena, copy};
        struct violation violation;
        isl_schedule *isl = flow.n ? order_to_schedule(order_rewrite(schedule->arena, order, early, &loading)) : NULL;
        if (isl && legal_find_violation(schedule->arena, &flow, isl, &violation))
            status = refuse(schedule, copy->info->step, &violation);
        isl_schedule_free(isl);
        isl_union_map_free(flow.required);
    }
    return status;
}
