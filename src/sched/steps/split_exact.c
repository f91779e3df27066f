/* tail "exact": the proof that every tile of a split is full. */
#include "sched/steps/split.h"

#include "poly/sample.h"

#include <isl/space.h>

/* { S[i,j] -> [t0, .., tile, within] } over the loops from the root down to the inner part. */
struct path {
    struct schedule *schedule;
    int inner;           /* identity of the inner part */
    isl_union_map *time; /* of the loops so far */
    isl_set *missing;    /* [tile counts] that some iteration lacks, as a parameter set; NULL: none yet */
    int64_t by;
};

static __isl_give isl_set *missing_params(__isl_take isl_set *tiles, int64_t by)
{
    const unsigned last = (unsigned)isl_set_dim(tiles, isl_dim_set) - 1;
    isl_set *full = isl_set_project_out(isl_set_copy(tiles), isl_dim_set, last, 1);

    full = isl_set_add_dims(full, isl_dim_set, 1);
    full = isl_set_lower_bound_si(full, isl_dim_set, last, 0);
    full = isl_set_upper_bound_si(full, isl_dim_set, last, (int)by - 1);
    return isl_set_params(isl_set_subtract(full, tiles));
}

static isl_stat check_statement(__isl_take isl_map *map, void *user)
{
    struct path *path = user;
    isl_set *missing;

    map = isl_map_intersect_params(map, isl_set_copy(path->schedule->program->context));
    missing = missing_params(isl_map_range(map), path->by);
    path->missing = path->missing ? isl_set_union(path->missing, missing) : missing;
    return isl_stat_ok;
}

static void walk(struct path *path, const struct order *node, __isl_take isl_union_map *time)
{
    if (node->kind == ORDER_LOOP) {
        isl_union_map *own = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(node->time));
        time = time ? isl_union_map_flat_range_product(time, own) : own;
        if (node->info->id == path->inner) {
            time = isl_union_map_intersect_domain(time, order_domain(node));
            isl_union_map_foreach_map(time, check_statement, path);
            isl_union_map_free(time);
            return;
        }
    }
    for (int k = 0; k < node->n_child; k++)
        walk(path, node->child[k], time ? isl_union_map_copy(time) : NULL);
    isl_union_map_free(time);
}

static enum status report(struct path *path, const struct loop_ref *ref, const struct step *step)
{
    const struct program *program = path->schedule->program;
    struct text params = {0};
    struct sample sample;
    enum status status;

    if (!poly_smallest(path->schedule->arena, isl_set_from_params(path->missing), &sample))
        return STATUS_OK;
    for (int k = 0; k < program->n_param; k++)
        text_addf(&params, "%s%s = %lld", k ? ", " : " with ", program->param[k].name, (long long)sample.param[k]);
    status =
        edit_refuse(path->schedule, step->place, "exact", "state the divisibility in `assume`, or use another `tail`",
                    "tiles of %lld do not divide the loop `%s`%s", (long long)path->by, ref->text, text_str(&params));
    text_free(&params);
    return status;
}

enum status split_prove_exact(struct schedule *schedule, const struct loop_ref *ref, const struct step *step, int inner,
                              int64_t by)
{
    struct path path = {.schedule = schedule, .inner = inner, .by = by};

    walk(&path, schedule->order, NULL);
    return path.missing ? report(&path, ref, step) : STATUS_OK;
}
