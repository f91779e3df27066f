#include "report/shape.h"

#include "poly/number.h"

#include <isl/ilp.h>
#include <isl/val.h>

enum { MAX_LOOPS = 64 };

/* Above this many positions nobody wants the empty ones counted one by one. */
static const int64_t count_limit = 1000000;

/* The loops from the root to a leaf. */
struct path {
    const struct order *loop[MAX_LOOPS];
    int n;
};

/* { [c0, c1, ..] }: the counts of all instances below order in the loops of path. */
static __isl_give isl_set *positions(const struct path *path, const struct order *order)
{
    isl_union_set *domain = order_domain(order);
    isl_multi_union_pw_aff *times;
    isl_union_pw_aff_list *list = isl_union_pw_aff_list_alloc(isl_union_set_get_ctx(domain), path->n);
    isl_space *space = isl_union_set_get_space(domain);
    isl_union_set *range;
    isl_set *set;

    for (int i = 0; i < path->n; i++)
        list = isl_union_pw_aff_list_add(list, isl_union_pw_aff_copy(path->loop[i]->time));
    space = isl_space_add_dims(isl_space_set_from_params(space), isl_dim_set, (unsigned)path->n);
    times = isl_multi_union_pw_aff_from_union_pw_aff_list(isl_space_copy(space), list);
    times = isl_multi_union_pw_aff_intersect_domain(times, domain);
    range = isl_union_map_range(isl_union_map_from_multi_union_pw_aff(times));
    set = isl_union_set_extract_set(range, space); /* an empty union has no set of its own */
    isl_union_set_free(range);
    return set;
}

/* The positions along one dimension, -1 when they are not bounded. */
static int64_t extent(__isl_keep isl_set *set, int dimension, int64_t unit)
{
    isl_val *low = isl_set_dim_min_val(isl_set_copy(set), dimension);
    isl_val *high = isl_set_dim_max_val(isl_set_copy(set), dimension);
    int64_t distance;

    return poly_number(isl_val_sub(high, low), &distance) && distance < INT64_MAX ? distance / unit + 1 : -1;
}

static void add_empty(struct text *out, __isl_keep isl_set *set, int64_t box)
{
    int64_t full;

    if (box <= count_limit && poly_number(isl_set_count_val(set), &full) && full < box)
        text_addf(out, ", %lld empty", (long long)(box - full));
}

static void add_labels(struct text *out, const struct order *order)
{
    if (order->kind == ORDER_LEAF)
        text_add(out, order->statement->label);
    for (int i = 0; i < order->n_child; i++) {
        if (i)
            text_add(out, ", ");
        add_labels(out, order->child[i]);
    }
}

static void add_shape(struct text *out, const struct path *path, const struct order *order)
{
    isl_set *set = positions(path, order);
    int64_t box = 1;

    add_labels(out, order);
    text_add(out, ": (");
    for (int i = 0; i < path->n; i++) {
        const int64_t size = extent(set, i, path->loop[i]->info->unit);

        box = size < 0 || size > count_limit || box > count_limit ? count_limit + 1 : box * size;
        text_addf(out, "%s%s %lld", i ? ", " : "", path->loop[i]->info->name, (long long)(size < 0 ? 0 : size));
    }
    text_char(out, ')');
    add_empty(out, set, box);
    text_char(out, '\n');
    isl_set_free(set);
}

/* Statements in one fusing loop, with no loop around only some of them: they share an iteration space. */
static bool is_fused_space(const struct path *path, const struct order *order)
{
    bool fused = false;

    for (int i = 0; i < path->n; i++)
        fused = fused || path->loop[i]->info->role == ROLE_FUSING;
    for (int i = 0; i < order->n_child; i++)
        fused = fused && order->child[i]->kind == ORDER_LEAF;
    return fused && order->kind == ORDER_SEQUENCE;
}

static void walk(struct text *out, struct path *path, const struct order *order)
{
    if (order->kind == ORDER_LEAF || is_fused_space(path, order)) {
        if (path->n > 0)
            add_shape(out, path, order);
        return;
    }
    if (order->kind == ORDER_LOOP) {
        if (path->n == MAX_LOOPS)
            return;
        path->loop[path->n++] = order;
    }
    for (int i = 0; i < order->n_child; i++)
        walk(out, path, order->child[i]);
    path->n -= order->kind == ORDER_LOOP;
}

void report_shapes(const struct order *order, struct text *out)
{
    struct path path = {.n = 0};

    walk(out, &path, order);
}
