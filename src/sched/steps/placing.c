#include "sched/steps/placing.h"

#include "poly/coalesce.h"
#include "poly/graph.h"

#include <isl/space.h>

const struct order *placing_target(const struct placing *placing)
{
    return placing->path.loop[placing->path.depth - 1];
}

bool placing_moves(const struct placing *placing, const struct statement *statement)
{
    return statement->target->array == placing->moving.array;
}

/* Every instance that reads the array must be inside the loop. */
static enum status check_inside(const struct placing *placing, const struct statement *reader)
{
    isl_union_set *inside = order_domain(placing_target(placing));
    isl_union_set *all = isl_union_set_from_set(isl_set_copy(reader->domain));
    const bool is = isl_union_set_is_subset(all, inside) == isl_bool_true;

    isl_union_set_free(inside);
    isl_union_set_free(all);
    if (is)
        return STATUS_OK;
    return edit_refuse(placing->schedule, step_place(placing->step, "loop"), "compute_at", NULL,
                       "%s reads `%s` outside of this loop", reader->label, placing->moving.array->name);
}

/* { S[s] -> [c, p] } joined to the region. */
static void add_region(struct placing *placing, struct placed *part, const struct statement *reader,
                       __isl_take isl_map *source)
{
    isl_map *iteration = poly_graph(path_iteration(&placing->path, reader));
    isl_set *needed;

    source = isl_map_reset_tuple_id(source, isl_dim_out);
    needed = isl_map_range(isl_map_flat_range_product(iteration, source));
    needed = isl_set_set_tuple_name(needed, part->producer->label);
    part->region = part->region ? isl_set_union(part->region, needed) : needed;
}

static enum status need_access(struct placing *placing, const struct statement *reader, const struct access *access)
{
    isl_set *covered = isl_set_empty(isl_set_get_space(reader->domain));

    if (isl_map_is_single_valued(access->map) != isl_bool_true) {
        isl_set_free(covered);
        return moving_refuse(&placing->moving, NULL,
                             arena_printf(placing->schedule->arena, "which element %s reads depends on data",
                                          reader->label));
    }
    for (int k = 0; k < placing->n; k++) {
        isl_map *source;
        placing->moving.producer = placing->part[k].producer;
        source = moving_source(&placing->moving, access);
        if (!moving_reads(&placing->moving, placing->moving.producer))
            covered = isl_set_union(covered, isl_map_domain(isl_map_copy(source)));
        add_region(placing, &placing->part[k], reader, source);
    }
    return moving_check_covered(&placing->moving, reader, access, covered);
}

/* Of { P[c, p] } those where c is the first of the iterations with the same c[0..stored) that need P[p]. */
static __isl_give isl_set *first_only(const struct placing *placing, __isl_take isl_set *region)
{
    const unsigned depth = (unsigned)placing->path.depth, stored = (unsigned)placing->stored;
    const unsigned n = (unsigned)isl_set_dim(region, isl_dim_set) - depth;
    isl_space *space = isl_set_get_space(region);
    isl_map *first = isl_map_from_range(isl_set_reset_tuple_id(region));

    first = isl_map_move_dims(first, isl_dim_in, 0, isl_dim_out, depth, n);
    first = isl_map_move_dims(first, isl_dim_in, 0, isl_dim_out, 0, stored);
    first = isl_map_lexmin(first);
    first = isl_map_move_dims(first, isl_dim_out, 0, isl_dim_in, 0, stored);
    first = isl_map_move_dims(first, isl_dim_out, depth, isl_dim_in, 0, n);
    return isl_set_reset_space(isl_map_range(first), space);
}

enum status placing_find_region(struct placing *placing)
{
    const struct program *program = placing->schedule->program;
    enum status status = STATUS_OK;

    for (int s = 0; s < program->n_statement && status == STATUS_OK; s++) {
        const struct statement *reader = program->statement[s];
        if (!moving_reads(&placing->moving, reader) || placing_moves(placing, reader))
            continue;
        status = check_inside(placing, reader);
        for (int k = 0; k < reader->n_access && status == STATUS_OK; k++)
            if (reader->access[k].array == placing->moving.array)
                status = need_access(placing, reader, &reader->access[k]);
    }
    if (status == STATUS_OK && !placing->part[0].region)
        status = moving_refuse(&placing->moving, NULL, "nothing reads it");
    for (int k = 0; k < placing->n && status == STATUS_OK; k++) {
        struct placed *part = &placing->part[k];
        part->region = poly_set_coalesce(part->region);
        if (placing->stored < placing->path.depth)
            part->region = poly_set_coalesce(first_only(placing, part->region));
    }
    return status;
}
