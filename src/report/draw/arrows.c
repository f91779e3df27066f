#include "report/draw/arrows.h"

#include "poly/context.h"
#include "poly/number.h"

#include <isl/point.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

/* Pairs of a dependence that are looked at: those of early instances. */
enum { PAIRS_MOST = 5000, ISL_MOST = 2500000 };

struct search {
    struct arena *arena;
    const struct instances *instances;
    isl_set *sizes;
    const struct dependence *dependence;
    bool is_flow;
    int seen;     /* pairs of the dependence */
    bool stopped; /* at the first PAIRS_MOST of them */
    VEC(struct pair) list;
};

/* { [S[i,j] -> T[i',j']] }: a pair. */
static isl_stat add_pair(__isl_take isl_point *point, void *user)
{
    struct search *search = user;
    const int n_from = search->dependence->from->statement->n_loop,
              n = n_from + search->dependence->to->statement->n_loop;
    int64_t *at;

    search->stopped |= search->seen >= PAIRS_MOST;
    if (search->seen++ >= PAIRS_MOST) {
        isl_point_free(point);
        return isl_stat_error;
    }
    at = ARENA_ARRAY(search->arena, n + 1, int64_t);
    for (int k = 0; k < n; k++)
        poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &at[k]);
    isl_point_free(point);
    VEC_PUSH(search->arena, &search->list, ((struct pair){search->dependence, search->is_flow, at, at + n_from}));
    return isl_stat_ok;
}

static void find(struct search *search, const struct dependence *dependence, bool flow)
{
    isl_map *pairs = isl_map_intersect_params(isl_map_copy(dependence->map), isl_set_copy(search->sizes));
    isl_set *points;

    pairs = isl_map_intersect_domain(pairs, instances_box(search->instances, dependence->from->statement));
    pairs = isl_map_intersect_range(pairs, instances_box(search->instances, dependence->to->statement));
    search->dependence = dependence;
    search->is_flow = flow;
    search->seen = 0;
    points = isl_map_wrap(pairs);
    isl_set_foreach_point(points, add_pair, search);
    isl_set_free(points);
}

static void find_pairs(struct arena *arena, const struct dependences *dependences, const struct instances *instances,
                       __isl_keep isl_set *sizes, struct pairs *pairs)
{
    struct search search = {.arena = arena, .instances = instances, .sizes = sizes};
    isl_ctx *ctx = isl_set_get_ctx(sizes);
    const unsigned long budget = poly_part_begin(ctx, ISL_MOST);

    for (int flow = 1; flow >= 0; flow--)
        for (int k = 0; k < dependences->n; k++)
            if ((strcmp(dependence_kind(&dependences->list[k]), "flow") == 0) == flow)
                find(&search, &dependences->list[k], flow);
    *pairs = (struct pairs){.of = dependences, .list = search.list.at, .n = search.list.n};
    pairs->some = !poly_part_end(ctx, budget) || search.stopped;
}

/* The pairs where both are drawn: those of flow dependences, and others that the order breaks, where it keeps all of
 * the former. */
static struct arrow *arrows_of(struct arena *arena, const struct instances *instances, const struct pairs *pairs,
                               int *n)
{
    struct arrow *list = ARENA_ARRAY(arena, pairs->n + 1, struct arrow);
    bool breaks_flow = false;

    *n = 0;
    for (int k = 0; k < pairs->n; k++) {
        const struct pair *pair = &pairs->list[k];
        struct arrow arrow = {.dependence = pair->dependence,
                              .from = instances_at(instances, pair->dependence->from->statement, pair->from),
                              .to = instances_at(instances, pair->dependence->to->statement, pair->to)};
        if (!arrow.from || !arrow.to)
            continue;
        arrow.broken = !pair->dependence->reduction && arrow.from->rank > arrow.to->rank;
        breaks_flow |= arrow.broken && pair->is_flow;
        if (pair->is_flow || (arrow.broken && !breaks_flow))
            list[(*n)++] = arrow;
    }
    return list;
}

/* What is broken first; then by where it starts, the two references, and how early the later one runs. */
static int by_start(const void *a, const void *b)
{
    const struct arrow *x = a, *y = b;

    if (x->broken != y->broken)
        return x->broken ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->dependence != y->dependence)
        return x->dependence < y->dependence ? -1 : 1;
    return x->to->first_rank - y->to->first_rank;
}

/* Is there one between the same instances, or a nearer one of the same references? */
static bool is_needless(const struct arrow *arrow, const struct arrow *kept, int n)
{
    for (int k = n - 1; k >= 0 && kept[k].from == arrow->from && kept[k].broken == arrow->broken; k--)
        if (kept[k].to == arrow->to || kept[k].dependence == arrow->dependence)
            return true;
    return false;
}

struct arrows arrows_find(struct arena *arena, const struct schedule *schedule, const struct instances *instances,
                          __isl_keep isl_set *sizes, struct pairs *pairs)
{
    const struct dependences *dependences = schedule_dependences(schedule);
    struct arrows arrows = {0};
    struct arrow *list;
    int n;

    if (pairs->of != dependences)
        find_pairs(arena, dependences, instances, sizes, pairs);
    arrows.some = pairs->some;
    list = arrows_of(arena, instances, pairs, &n);
    qsort(list, (size_t)n, sizeof(struct arrow), by_start);
    arrows.list = ARENA_ARRAY(arena, ARROWS_MOST, struct arrow);
    for (int k = 0; k < n; k++) {
        if (is_needless(&list[k], arrows.list, arrows.n))
            continue;
        if (arrows.n < ARROWS_MOST)
            arrows.list[arrows.n++] = list[k];
        else
            arrows.left_out++;
    }
    return arrows;
}
