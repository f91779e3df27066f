#include "sched/steps/placing.h"

#include "dep/box.h"
#include "poly/coalesce.h"
#include "poly/context.h"
#include "poly/graph.h"

#include <isl/space.h>

/* Corners of a box that may be left over, and which part of a box of constant size they may be; for finding that. */
enum { MOST_CORNERS = 16, SMALL_PART = 8, MOST_OPERATIONS = 20000 };

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

/* { P[c, p] } -> { [c] -> [p_dim] } */
static __isl_give isl_map *in_dimension(__isl_keep isl_set *region, unsigned depth, int dim)
{
    isl_map *map = isl_map_from_range(isl_set_reset_tuple_id(isl_set_copy(region)));
    isl_map *own;

    map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_out, 0, depth);
    own = box_dimension(map, dim);
    isl_map_free(map);
    return own;
}

/* { P[c, p] }: in each dimension p is between the least and the largest one of the region in that iteration. */
static __isl_give isl_set *box_of(const struct placing *placing, const struct placed *part)
{
    const unsigned depth = (unsigned)placing->path.depth, n = (unsigned)part->producer->n_loop;
    isl_set *domain = isl_set_reset_tuple_id(isl_set_copy(part->producer->domain));
    isl_set *box = isl_set_insert_dims(domain, isl_dim_set, 0, depth);

    for (unsigned d = 0; d < n; d++) {
        isl_map *own = in_dimension(part->region, depth, (int)d);
        isl_set *hull = isl_set_from_basic_set(isl_set_simple_hull(isl_set_flatten(isl_map_wrap(own))));
        hull = isl_set_insert_dims(hull, isl_dim_set, depth, d);
        hull = isl_set_insert_dims(hull, isl_dim_set, depth + d + 1, n - d - 1);
        box = isl_set_intersect(box, hull);
    }
    return isl_set_reset_space(box, isl_set_get_space(part->region));
}

/* How many there are at most in an iteration; where a dimension has no constant size *open has its bit, and counts as
 * one. */
static double size_of(const struct placing *placing, const struct placed *part, __isl_keep isl_set *set, unsigned *open)
{
    double size = 1;

    for (int d = 0; d < part->producer->n_loop; d++) {
        isl_map *own = in_dimension(set, (unsigned)placing->path.depth, d);
        struct box box = box_measure(own);
        if (box.size == 0 && d < 32)
            *open |= 1U << d;
        size *= box.size == 0 ? 1 : (double)box.size;
        box_release(&box);
        isl_map_free(own);
    }
    return size;
}

/* Are there few more in the box than in the region: a constant number in a dimension in which these have no constant
 * size, or a small part of all? */
static bool is_little(const struct placing *placing, const struct placed *part, __isl_keep isl_set *box)
{
    isl_set *region = isl_set_reset_tuple_id(isl_set_copy(part->region));
    isl_set *more = isl_set_make_disjoint(isl_set_subtract(isl_set_reset_tuple_id(isl_set_copy(box)), region));
    isl_basic_set_list *list = isl_set_get_basic_set_list(more);
    const int n = (int)isl_basic_set_list_n_basic_set(list);
    unsigned all = 0;
    const double whole = size_of(placing, part, box, &all);
    double sum = 0;
    bool little = n <= MOST_CORNERS;

    for (int k = 0; k < n && little; k++) {
        isl_set *corner = isl_set_from_basic_set(isl_basic_set_list_get_basic_set(list, k));
        unsigned open = 0;
        sum += size_of(placing, part, corner, &open);
        little = all == 0 || (open != all && (open & ~all) == 0);
        isl_set_free(corner);
    }
    isl_basic_set_list_free(list);
    isl_set_free(more);
    return little && (all == 0 ? sum * SMALL_PART <= whole : sum <= MOST_CORNERS);
}

/* Does nothing write what the statement reads, but what comes before it? */
static bool reads_what_stays(const struct placing *placing, const struct statement *producer)
{
    const struct dependences *dependences = schedule_dependences(placing->schedule);

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        if (dependence->from->statement == producer && dependence->from->reads && dependence->to->writes &&
            dependence->from->array != placing->moving.array)
            return false;
    }
    return true;
}

/* The part's region becomes the box around it, where that has few instances more: all are in the producer's domain, and
 * nothing reads their values. One loop reads better, and is faster, than one and two corners. */
static void make_box(const struct placing *placing, struct placed *part)
{
    isl_ctx *ctx = isl_set_get_ctx(part->region);
    const unsigned long budget = poly_part_begin(ctx, MOST_OPERATIONS);
    isl_set *box = box_of(placing, part);
    const bool little = is_little(placing, part, box);

    if (poly_part_end(ctx, budget) && little) {
        isl_set_free(part->region);
        part->region = poly_set_coalesce(isl_set_copy(box));
    }
    isl_set_free(box);
}

static void make_boxes(struct placing *placing)
{
    for (int k = 0; k < placing->n; k++) {
        struct placed *part = &placing->part[k];
        const bool several = part->producer->n_loop > 1 || isl_set_n_basic_set(part->region) > 1;
        if (several && reads_what_stays(placing, part->producer))
            make_box(placing, part);
    }
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
    for (int k = 0; k < placing->n && status == STATUS_OK; k++)
        placing->part[k].region = poly_set_coalesce(placing->part[k].region);
    if (status == STATUS_OK)
        make_boxes(placing);
    for (int k = 0; k < placing->n && status == STATUS_OK; k++) {
        struct placed *part = &placing->part[k];
        if (placing->stored < placing->path.depth)
            part->region = poly_set_coalesce(first_only(placing, part->region));
    }
    return status;
}
