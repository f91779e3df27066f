#include "plan/cache/region.h"

#include "caps/gpu.h"
#include "dep/initialise.h"
#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "program/expr/affine.h"
#include "program/storage/view.h"

#include <isl/id.h>
#include <isl/space.h>
#include <isl/val.h>

#include <string.h>

static enum status refuse(const struct region *region, struct place place, const char *hint, const char *text)
{
    return edit_refuse(region->schedule, place, "cache", hint, "%s", text);
}

const struct access *region_access(const struct region *region, int k)
{
    const struct region_access *at = &region->list.at[k];

    return &region->schedule->program->statement[at->statement]->access[at->access];
}

const struct statement *region_statement(const struct region *region, int k)
{
    return region->schedule->program->statement[region->list.at[k].statement];
}

const struct array *region_array(struct schedule *schedule, const struct step *step, const struct array **view)
{
    const char *key = step->primitive->name, *name = step_string(step, key, "");
    const struct array *array = program_array(schedule->program, name);

    *view = array ? NULL : program_view(schedule->program, name);
    if (*view)
        array = program_array(schedule->program, (*view)->view_of->name);
    if (!array)
        edit_no_array(schedule, step_place(step, key), name);
    return array;
}

bool region_names(const struct region *region, const struct access *access)
{
    const struct array *view = access->expr->view;

    return access->array == region->array && (!region->view || (view && strcmp(view->name, region->view->name) == 0));
}

enum status region_add(struct region *region, const struct statement *statement, int number)
{
    const struct access *access = &statement->access[number];

    if (isl_map_is_single_valued(access->map) != isl_bool_true)
        return edit_refuse(
            region->schedule, access->expr->place, "cache",
            "all of it is a temporary of its own: write to one in the description, with \"init\": 0, and "
            "add it up behind the loop",
            "which element of `%s` %s touches depends on data, so no buffer can take its place", region->array->name,
            statement->label);
    VEC_PUSH(region->schedule->arena, &region->list, ((struct region_access){statement->index, number}));
    region->written = region->written || access->write;
    return STATUS_OK;
}

static bool runs_elsewhere(const struct region *region, const struct statement *statement)
{
    isl_union_set *all = isl_union_set_from_set(isl_set_copy(statement->domain));
    const bool inside = isl_union_set_is_subset(all, region->instances) == isl_bool_true;

    isl_union_set_free(all);
    return !inside;
}

/* Does it have an instance there, for any parameters? Its conditions may never hold. */
static bool runs_there(const struct region *region, const struct statement *statement)
{
    isl_set *inside = region_instances(region, statement);
    bool runs;

    inside = isl_set_intersect_params(inside, isl_set_copy(region->schedule->program->context));
    runs = isl_set_is_empty(inside) != isl_bool_true;
    isl_set_free(inside);
    return runs;
}

static enum status add_statement(struct region *region, const struct statement *statement)
{
    const int before = region->list.n;

    for (int k = 0; k < statement->n_access && runs_there(region, statement); k++)
        if (region_names(region, &statement->access[k]) && region_add(region, statement, k) != STATUS_OK)
            return STATUS_REFUSED;
    if (region->list.n > before && runs_elsewhere(region, statement))
        region->divided = statement;
    return STATUS_OK;
}

__isl_give isl_multi_pw_aff *region_iteration(const struct region *region, const struct statement *statement)
{
    return path_iteration(&region->path, statement);
}

/* { [c, m] -> A[a] } of what a set of instances of one statement touches through an access. */
static __isl_give isl_map *touched(const struct region *region, const struct statement *statement,
                                   const struct access *access, __isl_take isl_set *instances)
{
    isl_map *iteration = poly_graph(region_iteration(region, statement));

    iteration = isl_map_intersect_domain(iteration, instances);
    return isl_map_apply_range(isl_map_reverse(iteration), isl_map_copy(access->map));
}

__isl_give isl_set *region_instances(const struct region *region, const struct statement *statement)
{
    isl_set *inside = isl_union_set_extract_set(region->instances, isl_set_get_space(statement->domain));

    return isl_set_intersect(isl_set_copy(statement->domain), inside);
}

__isl_give isl_map *region_touched(const struct region *region, int k)
{
    const struct statement *statement = region_statement(region, k);

    return touched(region, statement, region_access(region, k), region_instances(region, statement));
}

static __isl_give isl_map *nothing(const struct region *region)
{
    isl_space *elements = isl_set_get_space(region->array->elements);
    isl_space *iterations = isl_space_params(isl_space_copy(elements));

    iterations = isl_space_add_dims(isl_space_set_from_params(iterations), isl_dim_set, (unsigned)region->path.depth);
    return isl_map_empty(isl_space_map_from_domain_and_range(iterations, elements));
}

static __isl_give isl_map *possible(const struct region *region, __isl_take isl_map *touched)
{
    return poly_map_coalesce(isl_map_intersect_params(touched, isl_set_copy(region->schedule->program->context)));
}

/* Does the access touch an element of footprint in the same iteration, where one of both writes? */
static bool meets(const struct region *region, const struct statement *statement, const struct access *access,
                  __isl_keep isl_map *footprint)
{
    isl_map *common;
    bool meet;

    if (access->array != region->array || region_names(region, access) || (!access->write && !region->written))
        return false;
    common = touched(region, statement, access, region_instances(region, statement));
    common = isl_map_intersect(possible(region, common), isl_map_copy(footprint));
    meet = isl_map_is_empty(common) != isl_bool_true;
    isl_map_free(common);
    return meet;
}

enum status region_check_view(const struct region *region)
{
    const struct program *program = region->schedule->program;
    isl_map *footprint = region->view && region->list.n > 0 ? region_footprint(region) : NULL;
    enum status status = STATUS_OK;

    for (int s = 0; footprint && s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access && status == STATUS_OK; k++) {
            const struct access *access = &program->statement[s]->access[k];
            if (meets(region, program->statement[s], access, footprint))
                status = edit_refuse(region->schedule, access->expr->place, region->step->primitive->name,
                                     "name the array instead of the view",
                                     "%s may use elements of `%s` here, not by the view `%s`, that are in its buffer",
                                     program->statement[s]->label, region->array->name, region->view->name);
        }
    isl_map_free(footprint);
    return status;
}

__isl_give isl_map *region_footprint(const struct region *region)
{
    isl_map *footprint = nothing(region);

    for (int k = 0; k < region->list.n; k++)
        footprint = isl_map_union(footprint, region_touched(region, k));
    return possible(region, footprint);
}

enum status region_find(struct region *region)
{
    struct schedule *schedule = region->schedule;
    const struct program *program = schedule->program;

    if (!path_find(schedule->arena, schedule->order, region->loop, &region->path))
        return refuse(region, step_place(region->step, "at"),
                      gpu_by_language(region->schedule->program->target.language) ? "bind that one first" : NULL,
                      "this loop is inside of a collapsed one");
    if (region->loop->info->tuple < 0)
        return refuse(region, step_place(region->step, "at"), "choose the collapsed loop, or one inside of it",
                      "this loop is one of a collapsed loop's, between which there can be nothing");
    region->path.depth--;
    for (region->n_outside = 0; region->n_outside < region->path.depth; region->n_outside++)
        if (region->path.loop[region->n_outside] == region->trigger)
            break;
    region->instances = poly_keep_union_set(schedule->arena, order_domain(region->loop));
    for (int s = 0; s < program->n_statement; s++)
        if (order_has(region->loop, program->statement[s]) && add_statement(region, program->statement[s]) != STATUS_OK)
            return STATUS_REFUSED;
    return STATUS_OK;
}

/* { w -> r } of pairs with w and r in the region, in the same iteration of the loops outside and between. */
static __isl_give isl_union_map *within(const struct region *region, __isl_take isl_union_map *pairs)
{
    pairs = isl_union_map_intersect_domain(pairs, isl_union_set_copy(region->instances));
    pairs = isl_union_map_intersect_range(pairs, isl_union_set_copy(region->instances));
    return path_at_once(&region->path, pairs);
}

/* { w -> x } of a write that surely happens before another use of its element, in the same iteration. */
static __isl_give isl_union_map *sure_writes(const struct region *region)
{
    const struct dependences *dependences = schedule_dependences_of(region->schedule, region->array);
    isl_union_map *pairs = isl_union_map_empty(isl_set_get_space(region->schedule->program->context));

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        if (dependence->from->array == region->array && dependence->from->writes && !dependence->from->may)
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(isl_map_copy(dependence->map)));
    }
    return within(region, pairs);
}

/* The instances whose element of access k was surely written before, in the same iteration. */
static __isl_give isl_set *served(const struct region *region, __isl_keep isl_union_map *sure, int k)
{
    const struct statement *user = region_statement(region, k);
    isl_set *all = isl_set_empty(isl_set_get_space(user->domain));

    for (int w = 0; w < region->list.n; w++) {
        const struct access *write = region_access(region, w);
        isl_map *same;
        if (!write->write || write->may)
            continue;
        same =
            isl_map_apply_range(isl_map_copy(write->map), isl_map_reverse(isl_map_copy(region_access(region, k)->map)));
        same = isl_map_intersect(same, isl_union_map_extract_map(sure, isl_map_get_space(same)));
        all = isl_set_union(all, isl_map_range(same));
    }
    return all;
}

static __isl_give isl_union_map *value_flow(const struct region *region)
{
    return dependences_value_flow(schedule_dependences_of(region->schedule, region->array), region->array);
}

/* What is read, and what is perhaps not written and then flushed as it was. */
static bool needs_value(const struct access *access)
{
    return !access->write || access->may;
}

__isl_give isl_map *region_filled(const struct region *region)
{
    isl_union_map *sure = region->written ? sure_writes(region) : NULL;
    isl_map *all = nothing(region);

    for (int k = 0; k < region->list.n; k++) {
        const struct access *access = region_access(region, k);
        const struct statement *statement = region_statement(region, k);
        isl_set *instances;
        if (!needs_value(access))
            continue;
        instances = region_instances(region, statement);
        if (sure)
            instances = isl_set_subtract(instances, served(region, sure, k));
        all = isl_map_union(all, touched(region, statement, access, instances));
    }
    isl_union_map_free(sure);
    return possible(region, all);
}

/* The instances whose writes matter outside of the iteration. */
static __isl_give isl_union_set *lasting_writes(const struct region *region)
{
    isl_union_map *flow;

    if (region->array->role != ROLE_TEMP)
        return isl_union_set_copy(region->instances);
    flow = value_flow(region);
    return isl_union_map_domain(isl_union_map_subtract(flow, within(region, isl_union_map_copy(flow))));
}

__isl_give isl_map *region_flushed(const struct region *region)
{
    isl_union_set *lasting = lasting_writes(region);
    isl_map *all = nothing(region);

    for (int k = 0; k < region->list.n; k++) {
        const struct access *access = region_access(region, k);
        const struct statement *statement = region_statement(region, k);
        isl_set *instances;
        if (!access->write)
            continue;
        instances = isl_union_set_extract_set(lasting, isl_set_get_space(statement->domain));
        all = isl_map_union(all, touched(region, statement, access, instances));
    }
    isl_union_set_free(lasting);
    return possible(region, all);
}

/* { [t] -> A[a] } for all loops around the statement. */
static __isl_give isl_pw_multi_aff *by_time(const struct path *path, const struct statement *statement,
                                            const struct access *access)
{
    isl_map *times = poly_graph(path_iteration(path, statement));
    isl_map *map;

    times = isl_map_intersect_domain(times, isl_set_copy(statement->domain));
    map = isl_map_apply_range(isl_map_reverse(times), isl_map_copy(access->map));
    map = poly_map_coalesce(isl_map_detect_equalities(map));
    if (isl_map_plain_is_single_valued(map) != isl_bool_true && isl_map_is_single_valued(map) != isl_bool_true) {
        isl_map_free(map);
        return NULL;
    }
    return isl_pw_multi_aff_from_map(map);
}

static int place_in(const struct path *path, const struct order *loop)
{
    int k = 0;

    while (path->loop[k] != loop)
        k++;
    return k;
}

struct drivers region_drivers(const struct region *region)
{
    struct schedule *schedule = region->schedule;
    const struct statement *statement = region_statement(region, 0);
    struct drivers drivers = {0};
    struct path path;
    isl_pw_multi_aff *subscripts;

    if (!region->loop || !path_find(schedule->arena, schedule->order, order_leaf_of(region->loop, statement), &path))
        return drivers;
    subscripts = by_time(&path, statement, region_access(region, 0));
    if (!subscripts)
        return drivers;
    drivers.list = ARENA_ARRAY(schedule->arena, path.depth, struct driver);
    for (int k = place_in(&path, region->loop); k < path.depth; k++) {
        struct driver *driver = &drivers.list[drivers.n++];
        driver->info = path.loop[k]->info;
        for (int d = 0; d < region->array->n_dim && d < BUFFER_MAX_DIM; d++)
            driver->factor[d] = subscript_factor(subscripts, d, k);
    }
    isl_pw_multi_aff_free(subscripts);
    return drivers;
}

enum status region_buffer(const struct region *region, struct buffer *buffer)
{
    const struct drivers drivers = region_drivers(region);
    enum status status;

    *buffer = (struct buffer){.schedule = region->schedule,
                              .step = region->step,
                              .array = region->array,
                              .options = region->options,
                              .path = region->path,
                              .n_outside = region->n_outside,
                              .n_between = region->path.depth - region->n_outside,
                              .footprint = region_footprint(region)};
    status = buffer_measure(buffer);
    if (status == STATUS_OK)
        status = buffer_lay_out(buffer, &drivers);
    if (status == STATUS_OK)
        buffer_place(buffer);
    return status;
}
