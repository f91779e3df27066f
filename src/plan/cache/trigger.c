/* A cache whose copies are made further out: which loops the copies differ by, and what must not happen meanwhile. */
#include "dep/legal.h"
#include "plan/cache/region.h"
#include "poly/graph.h"
#include "program/show.h"

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

/* { S[..] -> A[..] } of the access, below the trigger, of what is copied for the same iteration of the loops outside.
 * */
static __isl_give isl_map *touches_copied(const struct region *region, __isl_keep isl_map *copied,
                                          const struct statement *statement, const struct access *access)
{
    isl_union_set *below = order_domain(region->trigger);
    isl_set *here = isl_union_set_extract_set(below, isl_set_get_space(statement->domain));
    isl_map *touched = isl_map_intersect_domain(outside_iteration(region, statement), here);

    touched = isl_map_apply_range(touched, isl_map_copy(copied));
    touched = isl_map_intersect(touched, isl_map_copy(access->map));
    isl_union_set_free(below);
    return isl_map_intersect_params(touched, isl_set_copy(region->schedule->program->context));
}

/* "T[0] writes A[1] (N = 2)", the smallest of { T[..] -> A[..] }. */
static void print_example(struct text *out, const struct region *region, const struct statement *statement,
                          const struct access *access, __isl_take isl_map *touched)
{
    const struct array *array = region->array;
    isl_set *pairs = isl_map_wrap(touched);
    struct sample sample;

    if (poly_smallest(region->schedule->arena, isl_set_copy(pairs), &sample)) {
        print_tuple(out, statement->label, sample.dim, statement->n_loop);
        text_add(out, access->write ? " writes " : " reads ");
        print_tuple(out, array->name, sample.dim + statement->n_loop + array->n_iteration,
                    array->n_dim - array->n_iteration);
        show_params(out, region->schedule->program, &sample, pairs);
    }
    isl_set_free(pairs);
}

static enum status refuse(const struct region *region, const struct statement *statement, const struct access *access,
                          __isl_take isl_map *touched)
{
    struct text example = {0};
    enum status status;

    print_example(&example, region, statement, access, touched);
    status =
        edit_refuse(region->schedule, access->expr->place, "cache", NULL,
                    access->write ? "%s writes elements of `%s` whose copies were made before the loop `%s`, and may "
                                    "be used behind that: %s"
                                  : "%s reads elements of `%s` that are flushed behind the loop `%s`, and may have "
                                    "been written before that: %s",
                    statement->label, region->array->name, region->trigger->info->name, text_str(&example));
    text_free(&example);
    return status;
}

static enum status check_access(const struct region *region, __isl_keep isl_map *copied,
                                const struct statement *statement, int k)
{
    const struct access *access = &statement->access[k];
    isl_map *touched;

    if (access->array != region->array || (!access->write && !region->written) || is_listed(region, statement, k) ||
        !order_has(region->trigger, statement))
        return STATUS_OK;
    touched = touches_copied(region, copied, statement, access);
    if (isl_map_is_empty(touched) != isl_bool_true)
        return refuse(region, statement, access, touched);
    isl_map_free(touched);
    return STATUS_OK;
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
