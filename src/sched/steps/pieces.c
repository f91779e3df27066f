#include "sched/steps/pieces.h"

#include "poly/coalesce.h"

const struct order *pieces_restrict(struct arena *arena, const struct order *order, __isl_keep isl_union_set *domain)
{
    const struct order **child;
    int n = 0;

    if (order->kind == ORDER_LEAF) {
        isl_set *own = isl_union_set_extract_set(domain, isl_set_get_space(order->domain));
        isl_set *left = isl_set_intersect(own, isl_set_copy(order->domain));
        if (isl_set_is_empty(left) != isl_bool_true)
            return order_leaf(arena, order->statement, poly_set_coalesce(left));
        isl_set_free(left);
        return NULL;
    }
    child = ARENA_ARRAY(arena, order->n_child, const struct order *);
    for (int k = 0; k < order->n_child; k++) {
        child[n] = pieces_restrict(arena, order->child[k], domain);
        n += child[n] != NULL;
    }
    if (n == 0)
        return NULL;
    if (order->kind == ORDER_SEQUENCE)
        return order_sequence(arena, child, n);
    return order_with_children(arena, order, child);
}

struct cut {
    struct schedule *schedule;
    int id;
    const struct loop_info **info; /* of each piece */
    isl_union_set **piece;
    int n;
};

static const struct order *cut_copy(void *data, const struct order *node)
{
    struct cut *cut = data;
    struct arena *arena = cut->schedule->arena;
    const struct order **child;
    int n = 0;

    if (node->kind != ORDER_LOOP || node->info->id != cut->id)
        return node;
    child = ARENA_ARRAY(arena, cut->n, const struct order *);
    for (int k = 0; k < cut->n; k++) {
        const struct order *body = pieces_restrict(arena, node->child[0], cut->piece[k]);
        if (body)
            child[n++] = order_loop(arena, cut->info[k], isl_union_pw_aff_copy(node->time), body);
    }
    return order_sequence(arena, child, n);
}

static const char *piece_name(struct schedule *schedule, const struct loop_ref *ref, const struct step *step, int k)
{
    const struct value *as = step_value(step, "as");

    return as ? as->item[k].string : edit_numbered_name(schedule, ref, k);
}

static bool names_free(struct schedule *schedule, const struct loop_ref *ref, const struct step *step, int n)
{
    const struct value *as = step_value(step, "as");

    if (as && as->n_item != n) {
        edit_refuse(schedule, as->place, "cut", NULL, "%d names for %d pieces", as->n_item, n);
        return false;
    }
    if (!edit_list_free(schedule, as))
        return false;
    for (int k = 0; as && k < n; k++)
        if (!edit_name_free(schedule, ref, as->item[k].string, as->item[k].place))
            return false;
    return true;
}

static const struct loop_info *piece_info(struct schedule *schedule, const struct loop_ref *ref,
                                          const struct step *step, int k)
{
    struct loop_info *info = edit_new_info(schedule, ref->info, piece_name(schedule, ref, step, k), step);

    info->uncut = ref->info;
    return info;
}

enum status pieces_cut(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                       isl_union_set **piece, int n, const char *outside)
{
    struct cut cut = {schedule, ref->info->id, ARENA_ARRAY(schedule->arena, n, const struct loop_info *), piece, n};

    if (!names_free(schedule, ref, step, n))
        return STATUS_REFUSED;
    for (int k = 0; k < n; k++) {
        if (isl_union_set_is_empty(piece[k]) == isl_bool_true)
            return edit_refuse(schedule, step->place, "cut", NULL, "%s: piece %d of `%s` would have no iterations",
                               outside, k + 1, ref->text);
        cut.info[k] = piece_info(schedule, ref, step, k);
    }
    return edit_commit(schedule, order_rewrite(schedule->arena, schedule->order, cut_copy, &cut));
}
