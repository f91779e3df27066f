#include "sched/graft.h"

static int path_place(const struct path *path, const struct order *node)
{
    for (int k = 0; node->kind == ORDER_LOOP && k < path->depth; k++)
        if (path->loop[k]->info->id == node->info->id)
            return k;
    return -1;
}

static const struct order *with_part(struct arena *arena, const struct graft *graft, const struct order *body)
{
    const struct order *both[2] = {graft->last ? body : graft->part, graft->last ? graft->part : body};

    return order_sequence(arena, both, 2);
}

static bool any_member(const struct order *order, const bool *member)
{
    if (order->kind == ORDER_LEAF)
        return member[order->statement->index];
    for (int k = 0; k < order->n_child; k++)
        if (any_member(order->child[k], member))
            return true;
    return false;
}

const struct order *graft_insert(struct arena *arena, const struct order *order, const struct graft *graft)
{
    const int place = path_place(graft->path, order);
    const struct order **child = ARENA_ARRAY(arena, order->n_child + 1, const struct order *);
    isl_union_pw_aff *time;

    if (order->kind == ORDER_LEAF || (order->kind == ORDER_LOOP && place < 0) ||
        (graft->beside && !any_member(order, graft->beside)))
        return order;
    for (int k = 0; k < order->n_child; k++)
        child[k] = place + 1 == graft->path->depth ? with_part(arena, graft, order->child[k])
                                                   : graft_insert(arena, order->child[k], graft);
    if (order->kind == ORDER_SEQUENCE)
        return order_with_children(arena, order, child);
    time = isl_union_pw_aff_union_add(isl_union_pw_aff_copy(order->time), isl_union_pw_aff_copy(graft->time[place]));
    return order_loop(arena, order->info, time, child[0]);
}

static __isl_give isl_union_pw_aff *without(const struct order *loop, const struct order *body)
{
    isl_union_set *left = isl_union_set_universe(order_domain(body));

    return isl_union_pw_aff_intersect_domain_union_set(isl_union_pw_aff_copy(loop->time), left);
}

const struct order *graft_remove(struct arena *arena, const struct order *order, const bool *member)
{
    const struct order **child;
    int n = 0;

    if (order->kind == ORDER_LEAF)
        return member[order->statement->index] ? NULL : order;
    child = ARENA_ARRAY(arena, order->n_child, const struct order *);
    for (int k = 0; k < order->n_child; k++) {
        child[n] = graft_remove(arena, order->child[k], member);
        n += child[n] != NULL;
    }
    if (n == 0)
        return NULL;
    if (order->kind == ORDER_SEQUENCE)
        return order_sequence(arena, child, n);
    return order_loop(arena, order->info, without(order, child[0]), child[0]);
}

static bool only_members(const struct order *order, const bool *member)
{
    if (order->kind == ORDER_LEAF)
        return member[order->statement->index];
    for (int k = 0; k < order->n_child; k++)
        if (!only_members(order->child[k], member))
            return false;
    return true;
}

const struct order *graft_find(const struct order *order, const bool *member)
{
    const struct order *found = NULL;

    if (only_members(order, member))
        return order;
    for (int k = 0; k < order->n_child; k++)
        if (any_member(order->child[k], member)) {
            if (found)
                return NULL;
            found = order->child[k];
        }
    return found ? graft_find(found, member) : NULL;
}

struct renaming {
    struct schedule *schedule;
    const struct loop_ref *ref;
};

static const struct order *rename_loop(void *data, const struct order *node)
{
    struct renaming *renaming = data;
    struct loop_info *info;
    const char *name;

    if (node->kind != ORDER_LOOP)
        return node;
    name = edit_name_like(renaming->schedule, renaming->ref, node->info->name);
    if (strcmp(name, node->info->name) == 0)
        return node;
    info = edit_copy_info(renaming->schedule, node->info);
    info->name = name;
    return order_loop(renaming->schedule->arena, info, isl_union_pw_aff_copy(node->time), node->child[0]);
}

const struct order *graft_rename(struct schedule *schedule, const struct loop_ref *ref, const struct order *part)
{
    struct renaming renaming = {schedule, ref};

    return order_rewrite(schedule->arena, part, rename_loop, &renaming);
}
