#include "report/draw/arrows.h"

#include "poly/number.h"

#include <isl/point.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

struct search {
    struct arena *arena;
    const struct instances *instances;
    const struct dependence *dependence;
    bool is_flow;
    bool breaks_flow; /* is one that the order breaks a flow dependence? */
    VEC(struct arrow) list;
};

/* { [S[i,j] -> T[i',j']] }: a pair, where both are drawn. */
static isl_stat add_pair(__isl_take isl_point *point, void *user)
{
    struct search *search = user;
    const struct statement *from = search->dependence->from->statement, *to = search->dependence->to->statement;
    int64_t *at = ARENA_ARRAY(search->arena, from->n_loop + to->n_loop + 1, int64_t);
    struct arrow arrow = {.dependence = search->dependence};

    for (int k = 0; k < from->n_loop + to->n_loop; k++)
        poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &at[k]);
    isl_point_free(point);
    arrow.from = instances_at(search->instances, from, at);
    arrow.to = instances_at(search->instances, to, at + from->n_loop);
    if (arrow.from && arrow.to) {
        arrow.broken = !search->dependence->reduction && arrow.from->rank > arrow.to->rank;
        search->breaks_flow |= arrow.broken && search->is_flow;
        if (search->is_flow || (arrow.broken && !search->breaks_flow))
            VEC_PUSH(search->arena, &search->list, arrow);
    }
    return isl_stat_ok;
}

/* The smallest box around the instances of the statement that are drawn, { S[i,j] : .. }. */
static __isl_give isl_set *drawn_box(const struct search *search, const struct statement *statement)
{
    isl_set *box = isl_set_universe(isl_set_get_space(statement->domain));

    for (int k = 0; k < statement->n_loop; k++) {
        int64_t low = INT64_MAX, high = INT64_MIN;
        for (int i = 0; i < search->instances->n; i++) {
            const struct instance *instance = &search->instances->list[i];
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

static void find(struct search *search, const struct dependence *dependence, bool flow, __isl_keep isl_set *sizes)
{
    isl_map *pairs = isl_map_intersect_params(isl_map_copy(dependence->map), isl_set_copy(sizes));
    isl_set *points;

    pairs = isl_map_intersect_domain(pairs, drawn_box(search, dependence->from->statement));
    pairs = isl_map_intersect_range(pairs, drawn_box(search, dependence->to->statement));
    search->dependence = dependence;
    search->is_flow = flow;
    points = isl_map_wrap(pairs);
    isl_set_foreach_point(points, add_pair, search);
    isl_set_free(points);
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
                          __isl_keep isl_set *sizes)
{
    const struct dependences *dependences = schedule_dependences(schedule);
    struct search search = {.arena = arena, .instances = instances};
    struct arrows arrows = {0};
    VEC(struct arrow) kept = {0};

    for (int flow = 1; flow >= 0; flow--)
        for (int k = 0; k < dependences->n; k++)
            if ((strcmp(dependence_kind(&dependences->list[k]), "flow") == 0) == flow)
                find(&search, &dependences->list[k], flow, sizes);
    if (search.list.n > 0)
        qsort(search.list.at, (size_t)search.list.n, sizeof(struct arrow), by_start);
    for (int k = 0; k < search.list.n; k++) {
        const struct arrow *arrow = &search.list.at[k];
        if (is_needless(arrow, kept.at, kept.n))
            continue;
        if (kept.n < ARROWS_MOST)
            VEC_PUSH(arena, &kept, *arrow);
        else
            arrows.left_out++;
    }
    arrows.list = kept.at;
    arrows.n = kept.n;
    return arrows;
}
