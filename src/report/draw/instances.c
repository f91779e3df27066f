#include "report/draw/instances.h"

#include "poly/number.h"

#include <isl/ilp.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

struct search {
    struct arena *arena;
    const struct schedule *schedule;
    isl_set *sizes; /* the caller has it */
    const struct statement *statement;
    VEC(const struct order *) around; /* the loops over tiles */
    int piece;                        /* number of the leaf */
    int n_tile, n_time;               /* of its instances */
    VEC(struct instance) list;
};

/* Is the loop over tiles: does another one below run through each of its iterations? */
static bool is_over_tiles(const struct order *loop, const struct order *below)
{
    if (below->kind == ORDER_LOOP && below->info->outer == loop->info->id)
        return true;
    for (int k = 0; k < below->n_child; k++)
        if (is_over_tiles(loop, below->child[k]))
            return true;
    return false;
}

/* { S[i,j] -> [counts of the loops over tiles around it, t0, t1, ..] } of the times { S[i,j] -> [t0, t1, ..] } */
static __isl_give isl_union_map *with_tiles(struct search *search, __isl_take isl_union_map *times)
{
    search->n_tile = 0;
    for (int k = search->around.n - 1; k >= 0; k--) {
        isl_union_map *own = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(search->around.at[k]->time));
        times = isl_union_map_flat_range_product(own, times);
        search->n_tile++;
    }
    return times;
}

/* The domain where all loops have small values. */
static __isl_give isl_set *small_part(__isl_take isl_set *domain)
{
    const int n = (int)isl_set_dim(domain, isl_dim_set);

    for (int k = 0; k < n; k++) {
        int64_t low;
        if (poly_number(isl_set_dim_min_val(isl_set_copy(domain), k), &low))
            domain = isl_set_upper_bound_si(domain, isl_dim_set, (unsigned)k, (int)low + DRAW_SIDE - 1);
    }
    return domain;
}

static int64_t coordinate(__isl_keep isl_point *point, int k)
{
    int64_t value = 0;

    poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &value);
    return value;
}

/* { [S[i,j] -> [tiles, times]] }: one more instance. */
static isl_stat add_instance(__isl_take isl_point *point, void *user)
{
    struct search *search = user;
    const int n = search->statement->n_loop, dims = n + search->n_tile + search->n_time;
    struct instance instance = {.statement = search->statement,
                                .piece = search->piece,
                                .n_tile = search->n_tile,
                                .n_time = search->n_time};

    instance.at = ARENA_ARRAY(search->arena, dims + 1, int64_t);
    for (int k = 0; k < dims; k++)
        instance.at[k] = coordinate(point, k);
    instance.tile = instance.at + n;
    instance.time = instance.tile + search->n_tile;
    isl_point_free(point);
    VEC_PUSH(search->arena, &search->list, instance);
    return isl_stat_ok;
}

/* The instances of a leaf, those of the statement that are in box, which is bounded. */
static void find_leaf(struct search *search, const struct order *leaf, __isl_keep isl_union_map *times,
                      __isl_keep isl_set *box)
{
    isl_set *domain = isl_set_intersect(isl_set_copy(leaf->domain), isl_set_copy(box)), *points;
    isl_union_map *own;
    isl_map *map;

    if (isl_set_is_empty(domain) != isl_bool_false) {
        isl_set_free(domain);
        return;
    }
    own = isl_union_map_intersect_domain(isl_union_map_copy(times), isl_union_set_from_set(domain));
    map = isl_map_from_union_map(with_tiles(search, own));
    search->n_time = (int)isl_map_dim(map, isl_dim_out) - search->n_tile;
    points = isl_map_wrap(map);
    isl_set_foreach_point(points, add_instance, search);
    isl_set_free(points);
    search->piece++;
}

/* The instances of the statement below order, a leaf after the other. */
static void find(struct search *search, const struct order *order, __isl_keep isl_union_map *times,
                 __isl_keep isl_set *box)
{
    const bool tiles = order->kind == ORDER_LOOP && is_over_tiles(order, order->child[0]);

    if (order->kind == ORDER_LEAF && order->statement == search->statement)
        find_leaf(search, order, times, box);
    if (tiles)
        VEC_PUSH(search->arena, &search->around, order);
    for (int k = 0; k < order->n_child; k++)
        find(search, order->child[k], times, box);
    search->around.n -= tiles;
}

static __isl_give isl_set *domain_at(const struct search *search, const struct statement *statement)
{
    return isl_set_intersect_params(isl_set_copy(statement->domain), isl_set_copy(search->sizes));
}

/* Are there more instances than are drawn? Domains that are not bounded have too many. */
static bool are_many(const struct search *search)
{
    const struct program *program = search->schedule->program;
    int64_t total = 0;

    for (int s = 0; s < program->n_statement; s++) {
        isl_set *domain = domain_at(search, program->statement[s]);
        int64_t box = 1, low, high;
        const bool empty = isl_set_is_empty(domain) == isl_bool_true;
        for (int k = 0; k < program->statement[s]->n_loop && !empty && box <= DRAW_MOST; k++) {
            const bool bounded = poly_number(isl_set_dim_min_val(isl_set_copy(domain), k), &low) &&
                                 poly_number(isl_set_dim_max_val(isl_set_copy(domain), k), &high);
            box = bounded && high - low < DRAW_MOST ? box * (high - low + 1) : DRAW_MOST + 1;
        }
        isl_set_free(domain);
        total += empty ? 0 : box;
    }
    return total > DRAW_MOST;
}

static int compare(const int64_t *a, int n_a, const int64_t *b, int n_b)
{
    for (int k = 0; k < n_a && k < n_b; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int by_time(const void *a, const void *b)
{
    const struct instance *x = *(const struct instance *const *)a, *y = *(const struct instance *const *)b;
    const int order = compare(x->time, x->n_time, y->time, y->n_time);

    return order ? order : x < y ? -1 : x > y;
}

static int by_place(const void *a, const void *b)
{
    const struct instance *x = a, *y = b;

    if (x->statement != y->statement)
        return x->statement->index < y->statement->index ? -1 : 1;
    return compare(x->at, x->statement->n_loop, y->at, y->statement->n_loop);
}

/* Numbers the instances by their times. */
static void rank(struct arena *arena, const struct search *search)
{
    struct instance **sorted = ARENA_ARRAY(arena, search->list.n + 1, struct instance *);

    for (int k = 0; k < search->list.n; k++)
        sorted[k] = &search->list.at[k];
    qsort(sorted, (size_t)search->list.n, sizeof(struct instance *), by_time);
    for (int k = 0; k < search->list.n; k++)
        sorted[k]->rank = k;
}

/* All of them in this order, by place. */
static struct search searched(struct arena *arena, const struct schedule *schedule, __isl_keep isl_set *sizes,
                              const struct order *order, bool some)
{
    struct search search = {.arena = arena, .schedule = schedule, .sizes = sizes};
    isl_union_map *times = order_times(order);

    for (int s = 0; s < schedule->program->n_statement; s++) {
        isl_set *box = domain_at(&search, schedule->program->statement[s]);
        search.statement = schedule->program->statement[s];
        box = some ? small_part(box) : box;
        find(&search, order, times, box);
        isl_set_free(box);
    }
    isl_union_map_free(times);
    if (search.list.n > 0)
        qsort(search.list.at, (size_t)search.list.n, sizeof(struct instance), by_place);
    rank(arena, &search);
    return search;
}

struct instances instances_find(struct arena *arena, const struct schedule *schedule, __isl_keep isl_set *sizes)
{
    const bool some = are_many(&(struct search){.arena = arena, .schedule = schedule, .sizes = sizes});
    const struct search own = searched(arena, schedule, sizes, schedule->original, some);
    const struct search now = searched(arena, schedule, sizes, schedule->order, some);

    for (int k = 0; k < now.list.n && k < own.list.n; k++)
        now.list.at[k].first_rank = own.list.at[k].rank;
    return (struct instances){now.list.at, now.list.n, some};
}

const struct instance *instances_at(const struct instances *instances, const struct statement *statement,
                                    const int64_t *at)
{
    const struct instance wanted = {.statement = statement, .at = (int64_t *)at};

    return instances->n ? bsearch(&wanted, instances->list, (size_t)instances->n, sizeof(wanted), by_place) : NULL;
}
