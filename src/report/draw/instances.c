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
    VEC(const struct order *) around; /* the loops around */
    const struct leaf *leaf;
    VEC(const struct leaf *) leaves;
    const struct instances *instances; /* what is known of them so far: the axes */
    bool some_copies;
    int n_time; /* of its instances */
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

/* { S[i,j] -> [counts of the loops around it, t0, t1, ..] } of the times { S[i,j] -> [t0, t1, ..] } */
static __isl_give isl_union_map *with_counts(const struct search *search, __isl_take isl_union_map *times)
{
    for (int k = search->around.n - 1; k >= 0; k--) {
        isl_union_map *own = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(search->around.at[k]->time));
        times = isl_union_map_flat_range_product(own, times);
    }
    return times;
}

static const struct leaf *leaf_here(struct search *search, const struct order *order)
{
    struct leaf *leaf = ARENA_NEW(search->arena, struct leaf);
    const int n = search->around.n;

    *leaf =
        (struct leaf){.statement = search->statement, .domain = order->domain, .n_loop = n, .number = search->leaves.n};
    leaf->loop = ARENA_ARRAY(search->arena, n + 1, const struct order *);
    leaf->over_tiles = ARENA_ARRAY(search->arena, n + 1, bool);
    for (int k = 0; k < n; k++) {
        leaf->loop[k] = search->around.at[k];
        leaf->over_tiles[k] = is_over_tiles(leaf->loop[k], leaf->loop[k]->child[0]);
        leaf->n_tile += leaf->over_tiles[k];
    }
    VEC_PUSH(search->arena, &search->leaves, leaf);
    return leaf;
}

/* How many values of each of n loops are drawn. */
static int side_for(int n)
{
    for (int side = DRAW_SIDE; side > 2; side--) {
        int64_t points = 1;
        for (int k = 0; k < n && points <= 2 * DRAW_MOST; k++)
            points *= side;
        if (points <= 2 * DRAW_MOST)
            return side;
    }
    return 2;
}

/* The domain where all loops have small values. */
static __isl_give isl_set *small_part(__isl_take isl_set *domain, int side)
{
    const int n = (int)isl_set_dim(domain, isl_dim_set);

    for (int k = 0; k < n; k++) {
        int64_t low;
        if (poly_number(isl_set_dim_min_val(isl_set_copy(domain), k), &low))
            domain = isl_set_upper_bound_si(domain, isl_dim_set, (unsigned)k, (int)low + side - 1);
    }
    return domain;
}

static int64_t coordinate(__isl_keep isl_point *point, int k)
{
    int64_t value = 0;

    poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &value);
    return value;
}

/* { [S[i,j] -> [counts, times]] }: one more instance. */
static isl_stat add_instance(__isl_take isl_point *point, void *user)
{
    struct search *search = user;
    const int n = search->statement->n_loop, n_count = search->leaf->n_loop, dims = n + n_count + search->n_time;
    struct instance instance = {
        .statement = search->statement, .leaf = search->leaf, .n_time = search->n_time, .worker = -1, .vector = -1};

    instance.at = ARENA_ARRAY(search->arena, dims + 1, int64_t);
    for (int k = 0; k < dims; k++)
        instance.at[k] = coordinate(point, k);
    instance.place = instances_place(search->instances, search->statement, instance.at);
    instance.count = instance.at + n;
    instance.time = instance.count + n_count;
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
    search->leaf = leaf_here(search, leaf);
    map = isl_map_from_union_map(with_counts(search, own));
    search->n_time = (int)isl_map_dim(map, isl_dim_out) - search->leaf->n_loop;
    points = isl_map_wrap(map);
    isl_set_foreach_point(points, add_instance, search);
    isl_set_free(points);
}

/* The instances of the statement below order, a leaf after the other. */
static void find(struct search *search, const struct order *order, __isl_keep isl_union_map *times,
                 __isl_keep isl_set *box)
{
    const bool loop = order->kind == ORDER_LOOP;

    if (order->kind == ORDER_LEAF && order->statement == search->statement)
        find_leaf(search, order, times, box);
    if (loop)
        VEC_PUSH(search->arena, &search->around, order);
    for (int k = 0; k < order->n_child; k++)
        find(search, order->child[k], times, box);
    search->around.n -= loop;
}

static __isl_give isl_set *domain_at(const struct search *search, const struct statement *statement)
{
    return isl_set_intersect_params(isl_set_copy(statement->domain), isl_set_copy(search->sizes));
}

/* How many points a box around the statement's instances has; more than DRAW_MOST: too many, or it is not bounded. */
static int64_t box_of(const struct search *search, const struct statement *statement)
{
    isl_set *domain = domain_at(search, statement);
    const bool empty = isl_set_is_empty(domain) == isl_bool_true;
    int64_t box = empty ? 0 : 1, low, high;

    for (int k = 0; k < statement->n_loop && !empty && box <= DRAW_MOST; k++) {
        const bool bounded = poly_number(isl_set_dim_min_val(isl_set_copy(domain), k), &low) &&
                             poly_number(isl_set_dim_max_val(isl_set_copy(domain), k), &high);
        box = bounded && high - low < DRAW_MOST ? box * (high - low + 1) : DRAW_MOST + 1;
    }
    isl_set_free(domain);
    return box;
}

/* The values of each loop that are drawn where there are more instances than are drawn; else 0. */
static int side_of(const struct search *search)
{
    const struct program *program = search->schedule->program;
    int64_t total = 0;
    int deepest = 0;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        if (statement_is_copy(statement))
            continue;
        total += box_of(search, statement);
        deepest = statement->n_loop > deepest ? statement->n_loop : deepest;
    }
    return total > DRAW_MOST ? side_for(deepest) : 0;
}

bool statement_is_copy(const struct statement *statement)
{
    return statement->is_copy || statement->barrier;
}

int compare_counts(const int64_t *a, const int64_t *b, int n)
{
    for (int k = 0; k < n; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int by_time(const void *a, const void *b)
{
    const struct instance *x = *(const struct instance *const *)a, *y = *(const struct instance *const *)b;
    const int order = compare_counts(x->time, y->time, x->n_time < y->n_time ? x->n_time : y->n_time);

    return order ? order : x < y ? -1 : x > y;
}

static int by_place(const void *a, const void *b)
{
    const struct instance *x = a, *y = b;

    if (x->statement != y->statement)
        return x->statement->index < y->statement->index ? -1 : 1;
    return compare_counts(x->place, y->place, x->statement->n_loop);
}

/* Numbers the instances by their times; returns how many are no copies. */
static int rank(struct arena *arena, const struct search *search)
{
    struct instance **sorted = ARENA_ARRAY(arena, search->list.n + 1, struct instance *);
    int n = 0;

    for (int k = 0; k < search->list.n; k++)
        sorted[k] = &search->list.at[k];
    qsort(sorted, (size_t)search->list.n, sizeof(struct instance *), by_time);
    for (int k = 0; k < search->list.n; k++) {
        sorted[k]->rank = n;
        n += !statement_is_copy(sorted[k]->statement);
    }
    return n;
}

/* All of them in this order, by place. Of copies there may be many where there are few instances, as in halos. */
static struct search searched(const struct instances *instances, const struct schedule *schedule,
                              __isl_keep isl_set *sizes, const struct order *order, int side)
{
    struct search search = {.arena = instances->arena, .instances = instances, .schedule = schedule, .sizes = sizes};
    isl_union_map *times = order_times(order);

    for (int s = 0; s < schedule->program->n_statement; s++) {
        const struct statement *statement = schedule->program->statement[s];
        const bool many = side || (statement_is_copy(statement) && box_of(&search, statement) > DRAW_MOST);
        isl_set *box = domain_at(&search, statement);
        search.statement = statement;
        search.some_copies |= many && statement_is_copy(statement);
        if (many)
            box = small_part(box, statement_is_copy(statement) ? side_for(statement->n_loop) : side);
        find(&search, order, times, box);
        isl_set_free(box);
    }
    isl_union_map_free(times);
    if (search.list.n > 0)
        qsort(search.list.at, (size_t)search.list.n, sizeof(struct instance), by_place);
    return search;
}

int statement_loop(const struct statement *statement, const char *name)
{
    for (int k = 0; k < statement->n_loop; k++)
        if (strcmp(statement->loop_name[k], name) == 0)
            return k;
    return -1;
}

/* The statement's loops, those of the plane last where it has both. */
static const int *axes_of(struct arena *arena, const struct statement *statement, const char *const *plane)
{
    int *axes = ARENA_ARRAY(arena, statement->n_loop + 1, int), n = 0;
    int down = plane ? statement_loop(statement, plane[0]) : -1,
        across = plane ? statement_loop(statement, plane[1]) : -1;

    if (down < 0 || across < 0 || down == across) {
        down = statement->n_loop - 2;
        across = statement->n_loop - 1;
    }
    for (int k = 0; k < statement->n_loop; k++)
        if (k != down && k != across)
            axes[n++] = k;
    if (down >= 0)
        axes[n++] = down;
    if (across >= 0)
        axes[n] = across;
    return axes;
}

int64_t *instances_place(const struct instances *instances, const struct statement *statement, const int64_t *at)
{
    int64_t *place = ARENA_ARRAY(instances->arena, statement->n_loop + 1, int64_t);

    for (int k = 0; k < statement->n_loop; k++)
        place[k] = at[instances->axes[statement->index][k]];
    return place;
}

struct instances instances_find(struct arena *arena, const struct schedule *schedule, __isl_keep isl_set *sizes,
                                const char *const *plane)
{
    const struct program *program = schedule->program;
    const int **axes = ARENA_ARRAY(arena, program->n_statement + 1, const int *);
    struct instances instances = {.arena = arena, .axes = axes, .program = program};
    struct search own, now;

    for (int s = 0; s < program->n_statement; s++)
        axes[s] = axes_of(arena, program->statement[s], plane);
    instances.side = side_of(&(struct search){.arena = arena, .schedule = schedule, .sizes = sizes});
    own = searched(&instances, schedule, sizes, schedule->original, instances.side);
    now = searched(&instances, schedule, sizes, schedule->order, instances.side);
    rank(arena, &own);
    instances.n_rank = rank(arena, &now);
    for (int k = 0; k < now.list.n && k < own.list.n; k++)
        now.list.at[k].first_rank = own.list.at[k].rank;
    instances.some_copies = now.some_copies;
    instances.list = now.list.at;
    instances.n = now.list.n;
    instances.leaf = now.leaves.at;
    instances.n_leaf = now.leaves.n;
    return instances;
}

bool statement_is_of(const struct statement *statement, const struct statement *described)
{
    const char *name = statement->from ? statement->from : statement->label;

    return statement == described ||
           (statement->n_loop == described->n_loop && !statement_is_copy(statement) &&
            (strcmp(statement->label, described->label) == 0 || strcmp(name, described->label) == 0));
}

static const struct instance *instance_of(const struct instances *instances, const struct statement *statement,
                                          const int64_t *at)
{
    const struct instance wanted = {.statement = statement, .place = instances_place(instances, statement, at)};

    return instances->n ? bsearch(&wanted, instances->list, (size_t)instances->n, sizeof(wanted), by_place) : NULL;
}

const struct instance *instances_at(const struct instances *instances, const struct statement *statement,
                                    const int64_t *at)
{
    const struct instance *found = NULL;

    for (int s = 0; s < instances->program->n_statement && !found; s++)
        if (statement_is_of(instances->program->statement[s], statement))
            found = instance_of(instances, instances->program->statement[s], at);
    return found;
}

__isl_give isl_set *instances_box(const struct instances *instances, const struct statement *statement)
{
    isl_set *box = isl_set_universe(isl_set_get_space(statement->domain));

    for (int k = 0; k < statement->n_loop; k++) {
        int64_t low = INT64_MAX, high = INT64_MIN;
        for (int i = 0; i < instances->n; i++) {
            const struct instance *instance = &instances->list[i];
            if (!statement_is_of(instance->statement, statement))
                continue;
            low = instance->at[k] < low ? instance->at[k] : low;
            high = instance->at[k] > high ? instance->at[k] : high;
        }
        if (low > high) {
            isl_set_free(box);
            return isl_set_empty(isl_set_get_space(statement->domain));
        }
        box = isl_set_lower_bound_si(box, isl_dim_set, (unsigned)k, (int)low);
        box = isl_set_upper_bound_si(box, isl_dim_set, (unsigned)k, (int)high);
    }
    return box;
}
