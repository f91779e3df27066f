/* peel: the first and last iterations of a loop, in every outer iteration, become pieces of their own. */
#include "sched/steps/pieces.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>

/* Collects { S[i,j] -> [t0, .., t] } over the loops from the root to each copy of the peeled one. */
struct path {
    int id;
    isl_union_map *time;
};

static void walk(struct path *path, const struct order *node, __isl_take isl_union_map *time)
{
    if (node->kind == ORDER_LOOP) {
        isl_union_map *own = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(node->time));
        time = time ? isl_union_map_flat_range_product(time, own) : own;
        if (node->info->id == path->id) {
            time = isl_union_map_intersect_domain(time, order_domain(node));
            path->time = path->time ? isl_union_map_union(path->time, time) : time;
            return;
        }
    }
    for (int k = 0; k < node->n_child; k++)
        walk(path, node->child[k], time ? isl_union_map_copy(time) : NULL);
    isl_union_map_free(time);
}

/* { [p,t] -> [p,t'] : t' >= t + n } (sign 1) or t' <= t - n (sign -1), over the times in space. */
static __isl_give isl_map *beyond(__isl_take isl_space *space, int n, int sign)
{
    const unsigned last = (unsigned)isl_space_dim(space, isl_dim_set) - 1;
    isl_map *map = isl_map_universe(isl_space_map_from_set(space));
    isl_constraint *constraint;
    isl_local_space *local;

    for (unsigned k = 0; k < last; k++)
        map = isl_map_equate(map, isl_dim_in, (int)k, isl_dim_out, (int)k);
    local = isl_local_space_from_space(isl_map_get_space(map));
    constraint = isl_constraint_alloc_inequality(local);
    constraint = isl_constraint_set_coefficient_si(constraint, isl_dim_out, (int)last, sign);
    constraint = isl_constraint_set_coefficient_si(constraint, isl_dim_in, (int)last, -sign);
    constraint = isl_constraint_set_constant_si(constraint, -n);
    return isl_map_add_constraint(map, constraint);
}

struct away {
    int n, sign;
    isl_union_set *result;
};

static isl_stat away_in_space(__isl_take isl_set *times, void *user)
{
    struct away *away = user;
    isl_map *map = beyond(isl_set_get_space(times), away->n, away->sign);

    away->result = isl_union_set_union(away->result, isl_union_set_from_set(isl_set_apply(times, map)));
    return isl_stat_ok;
}

/* The instances that are not among the first (sign 1) or last (sign -1) n iterations. */
static __isl_give isl_union_set *away_from_end(__isl_keep isl_union_map *time, int64_t n, int sign)
{
    isl_union_set *times = isl_union_map_range(isl_union_map_copy(time));
    struct away away = {(int)n, sign, isl_union_set_empty(isl_union_set_get_space(times))};
    isl_union_map *map;

    isl_union_set_foreach_set(times, away_in_space, &away);
    isl_union_set_free(times);
    map = isl_union_map_intersect_range(isl_union_map_copy(time), away.result);
    return isl_union_map_domain(map);
}

/* piece[0..): first iterations, the middle, last ones, as asked; returns how many pieces. */
static int make_pieces(struct schedule *schedule, const struct loop_ref *ref, int64_t first, int64_t last,
                       isl_union_set **piece)
{
    struct path path = {ref->info->id, NULL};
    isl_union_set *middle = isl_union_set_copy(ref->domain), *tail = NULL;
    int n = 0;

    walk(&path, schedule->order, NULL);
    if (first > 0) {
        isl_union_set *rest = away_from_end(path.time, first * ref->info->unit, 1);
        piece[n++] = isl_union_set_subtract(isl_union_set_copy(middle), isl_union_set_copy(rest));
        middle = isl_union_set_intersect(middle, rest);
    }
    if (last > 0) {
        isl_union_set *rest = away_from_end(path.time, last * ref->info->unit, -1);
        tail = isl_union_set_subtract(isl_union_set_copy(middle), isl_union_set_copy(rest));
        middle = isl_union_set_intersect(middle, rest);
    }
    piece[n++] = middle;
    if (tail)
        piece[n++] = tail;
    isl_union_map_free(path.time);
    return n;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const int64_t first = step_int(step, "first", 0), last = step_int(step, "last", 0);
    isl_union_set *piece[3];
    struct loop_ref ref;
    enum status status;
    int n;

    if (!edit_loop_argument(schedule, step, "peel", &ref) || !edit_is_single(schedule, &ref, "peel"))
        return STATUS_REFUSED;
    if (first == 0 && last == 0)
        return edit_refuse(schedule, step->place, "peel", NULL, "peel needs `first`, `last` or both");
    if (first > INT32_MAX / ref.info->unit || last > INT32_MAX / ref.info->unit)
        return edit_refuse(schedule, step->place, "range", NULL, "so many iterations do not fit an int");
    n = make_pieces(schedule, &ref, first, last, piece);
    status = pieces_cut(schedule, &ref, step, piece, n, "there are not enough iterations to peel");
    for (int k = 0; k < n; k++)
        isl_union_set_free(piece[k]);
    return status;
}

static const struct argument arguments[] = {
    {.key = "peel", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop"},
    {.key = "first", .kind = ARGUMENT_INT, .minimum = 0, .fallback = "0", .doc = "iterations peeled off the front"},
    {.key = "last", .kind = ARGUMENT_INT, .minimum = 0, .fallback = "0", .doc = "iterations peeled off the end"},
    {.key = "as", .kind = ARGUMENT_NAMES, .fallback = "i_0, i_1, ...", .doc = "names of the pieces"},
    {0},
};

const struct primitive primitive_peel = {
    .name = "peel",
    .summary = "take first or last iterations off a loop",
    .rule = "The first or last iterations become loops of their own. In what is left, minima, "
            "maxima and conditions that only serve the border disappear. Where the loop is "
            "shorter, pieces are empty.",
    .proved = "Each piece has iterations at some size that `assume` allows. The order of the "
              "instances does not change.",
    .argument = arguments,
    .apply = apply,
};
