/* A cache whose copies are made further out: which loops the copies differ by, and what must not happen meanwhile. */
#include "plan/cache/region.h"
#include "poly/graph.h"

/* Do the references touch the same elements in all iterations of loop k of those between? */
static bool is_independent(const struct region *region, int k)
{
    isl_map *footprint = region_footprint(region);
    isl_set *iterations = isl_map_domain(isl_map_copy(footprint));
    isl_map *any = isl_map_project_out(isl_map_copy(footprint), isl_dim_in, (unsigned)k, 1);
    bool same;

    any = isl_map_intersect_domain(isl_map_insert_dims(any, isl_dim_in, (unsigned)k, 1), iterations);
    same = isl_map_is_equal(any, footprint) == isl_bool_true;
    isl_map_free(any);
    isl_map_free(footprint);
    return same;
}

/* Loops between that do not move through the array need no copies of their own. */
static void drop_independent(struct region *region)
{
    for (int k = region->path.depth - 1; k >= region->n_outside; k--) {
        if (!is_independent(region, k))
            continue;
        for (int next = k; next + 1 < region->path.depth; next++)
            region->path.loop[next] = region->path.loop[next + 1];
        region->path.depth--;
    }
}

static bool is_listed(const struct region *region, const struct statement *statement, int access)
{
    for (int k = 0; k < region->list.n; k++)
        if (region->list.at[k].statement == statement->index && region->list.at[k].access == access)
            return true;
    return false;
}

/* { S[..] -> [c] } of the loops outside */
static __isl_give isl_map *outside_iteration(const struct region *region, const struct statement *statement)
{
    const struct path path = {region->path.loop, region->n_outside};

    return poly_graph(path_iteration(&path, statement));
}

/* Does the access, below the trigger, touch what is copied for the same iteration of the loops outside? */
static bool touches_copied(const struct region *region, __isl_keep isl_map *copied, const struct statement *statement,
                           const struct access *access)
{
    isl_union_set *below = order_domain(region->trigger);
    isl_set *here = isl_union_set_extract_set(below, isl_set_get_space(statement->domain));
    isl_map *touched = isl_map_intersect_domain(outside_iteration(region, statement), here);
    bool meet;

    touched = isl_map_apply_range(isl_map_reverse(touched), isl_map_copy(access->map));
    touched = isl_map_intersect_params(touched, isl_set_copy(region->schedule->program->context));
    touched = isl_map_intersect(touched, isl_map_copy(copied));
    meet = isl_map_is_empty(touched) != isl_bool_true;
    isl_map_free(touched);
    isl_union_set_free(below);
    return meet;
}

static enum status check_access(const struct region *region, __isl_keep isl_map *copied,
                                const struct statement *statement, int k)
{
    const struct access *access = &statement->access[k];

    if (access->array != region->array || (!access->write && !region->written) || is_listed(region, statement, k) ||
        !order_has(region->trigger, statement) || !touches_copied(region, copied, statement, access))
        return STATUS_OK;
    return edit_refuse(region->schedule, access->expr->place, "cache", NULL,
                       access->write ? "%s writes elements of `%s` whose copies were made before the loop `%s`"
                                     : "%s reads elements of `%s` that are flushed behind the loop `%s`",
                       statement->label, region->array->name, region->trigger->info->name);
}

/* Between the trigger and the cached loop nothing else may change what was copied, or read what is not yet flushed. */
static enum status check(const struct region *region)
{
    const struct program *program = region->schedule->program;
    isl_map *copied;
    enum status status = STATUS_OK;

    if (!region->trigger)
        return STATUS_OK;
    if (region->path.depth > region->n_outside && region->written)
        return edit_refuse(region->schedule, step_place(region->step, "trigger"), "cache", NULL,
                           "the array is written inside, and several copies of it cannot be kept equal");
    copied = region_footprint(region);
    copied = isl_map_project_out(copied, isl_dim_in, (unsigned)region->n_outside,
                                 (unsigned)(region->path.depth - region->n_outside));
    for (int s = 0; s < program->n_statement && status == STATUS_OK; s++)
        for (int k = 0; k < program->statement[s]->n_access && status == STATUS_OK; k++)
            status = check_access(region, copied, program->statement[s], k);
    isl_map_free(copied);
    return status;
}

enum status region_settle_trigger(struct region *region)
{
    drop_independent(region);
    return check(region);
}
