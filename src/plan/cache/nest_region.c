/* Regions that are whole nests of the description: what cache_read and cache_write redirect. */
#include "plan/cache/region.h"

#include "dep/initialise.h"
#include "dep/legal.h"
#include "poly/keep.h"

static const char *key_of(const struct region *region)
{
    return region->step->primitive->name;
}

static enum status refuse(const struct region *region, struct place place, const char *hint, const char *text)
{
    return edit_refuse(region->schedule, place, key_of(region), hint, "%s", text);
}

/* What the step names. */
static const char *named(const struct region *region)
{
    return region->view ? region->view->name : region->array->name;
}

/* The outermost loop around statement in the description's order, or its leaf. */
static const struct order *nest_of(const struct order *order, const struct statement *statement)
{
    const struct order *found = NULL;

    if (order->kind != ORDER_SEQUENCE)
        return order_has(order, statement) ? order : NULL;
    for (int k = 0; k < order->n_child && !found; k++)
        found = nest_of(order->child[k], statement);
    return found;
}

static bool is_target(const struct statement *statement, const struct access *access)
{
    return access->expr == statement->target;
}

static enum status refuse_changed(const struct region *region, const struct dependence *dependence,
                                  const struct violation *violation)
{
    struct text reason = {0};
    enum status status;

    violation_print_reason(&reason, region->schedule->arena, region->schedule->program, violation);
    status = edit_refuse(region->schedule, dependence->to->statement->place, key_of(region), NULL,
                         "%s reads elements of `%s` that %s writes in the same nest, after the copy is made: %s",
                         dependence->to->statement->label, region->array->name, dependence->from->statement->label,
                         text_str(&reason));
    text_free(&reason);
    return status;
}

/* A write inside the nest of an element that the statement reads there later. */
static enum status check_unchanged(const struct region *region, const struct statement *statement)
{
    const struct dependences *dependences = schedule_dependences(region->schedule);
    const struct order *nest = nest_of(region->schedule->original, statement);

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        struct violation violation;
        if (dependence->from->array == region->array && dependence->from->writes && dependence->to->reads &&
            dependence->to->statement == statement && order_has(nest, dependence->from->statement) &&
            legal_smallest_of(region->schedule->arena, dependences, dependence, &violation))
            return refuse_changed(region, dependence, &violation);
    }
    return STATUS_OK;
}

enum status region_of_reader(struct region *region, const struct statement *statement)
{
    enum status status = STATUS_OK;

    region->instances =
        poly_keep_union_set(region->schedule->arena, isl_union_set_from_set(isl_set_copy(statement->domain)));
    for (int k = 0; k < statement->n_access && status == STATUS_OK; k++) {
        const struct access *access = &statement->access[k];
        if (!region_names(region, access) || access->write)
            continue;
        if (is_target(statement, access))
            return refuse(region, statement->place, "use cache_write", "the statement updates this array");
        status = region_add(region, statement, k);
    }
    if (status == STATUS_OK && region->list.n == 0)
        return edit_refuse(region->schedule, step_place(region->step, "for"), key_of(region), NULL,
                           "%s does not read `%s`", statement->label, named(region));
    return status == STATUS_OK ? check_unchanged(region, statement) : status;
}

static enum status add_statements(struct region *region, const struct order *nest)
{
    const struct program *program = region->schedule->program;
    enum status status = STATUS_OK;

    region->instances =
        poly_keep_union_set(region->schedule->arena,
                            region->instances
                                ? isl_union_set_union(isl_union_set_copy(region->instances), order_domain(nest))
                                : order_domain(nest));
    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        for (int k = 0; k < statement->n_access && order_has(nest, statement) && status == STATUS_OK; k++)
            if (region_names(region, &statement->access[k]))
                status = region_add(region, statement, k);
    }
    return status;
}

/* Is a value of the region's array that the statement writes read in the region? */
static bool flows_in(const struct region *region, const struct statement *statement)
{
    isl_union_map *flow =
        dependences_value_flow(schedule_dependences_of(region->schedule, region->array), region->array);
    isl_union_set *from = isl_union_set_from_set(isl_set_copy(statement->domain));
    bool flows;

    flow = isl_union_map_intersect_range(flow, isl_union_set_copy(region->instances));
    flow = isl_union_map_intersect_domain(flow, from);
    flows = isl_union_map_is_empty(flow) == isl_bool_false;
    isl_union_map_free(flow);
    return flows;
}

/* What a nest does to the array of a region behind it. */
enum use { USE_NONE, USE_INITIALISES, USE_OTHER };

static enum use use_in(const struct region *region, const struct order *nest)
{
    const struct program *program = region->schedule->program;
    enum use use = USE_NONE;

    for (int s = 0; s < program->n_statement && use != USE_OTHER; s++) {
        const struct statement *statement = program->statement[s];
        int n = 0, writes = 0;
        for (int k = 0; k < statement->n_access && order_has(nest, statement); k++)
            if (statement->access[k].array == region->array) {
                n++;
                writes += statement->access[k].write && !statement->access[k].may &&
                          region_names(region, &statement->access[k]);
            }
        if (n > 0)
            use = n == writes && flows_in(region, statement) ? USE_INITIALISES : USE_OTHER;
    }
    return use;
}

/* The nests of order, from the last to the first: those that give the array its first values belong to the region, as
 * far back as nothing else uses the array. */
static enum status add_initialisations(struct region *region, const struct order *order, const struct order *nest,
                                       bool *behind, bool *done)
{
    enum status status = STATUS_OK;
    enum use use;

    for (int k = order->n_child - 1; order->kind == ORDER_SEQUENCE && k >= 0 && !*done && status == STATUS_OK; k--)
        status = add_initialisations(region, order->child[k], nest, behind, done);
    if (order->kind == ORDER_SEQUENCE || *done || status != STATUS_OK)
        return status;
    if (order == nest || *behind) {
        *behind = order != nest;
        return STATUS_OK;
    }
    use = use_in(region, order);
    *done = use == USE_OTHER;
    return use == USE_INITIALISES ? add_statements(region, order) : STATUS_OK;
}

static bool writes(const struct region *region, const struct statement *statement)
{
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].write && region_names(region, &statement->access[k]))
            return true;
    return false;
}

enum status region_of_writer(struct region *region, const struct statement *statement)
{
    const struct order *original = region->schedule->original, *nest = nest_of(original, statement);
    bool behind = true, done = false;
    enum status status;

    if (!writes(region, statement))
        return edit_refuse(region->schedule, step_place(region->step, "for"), key_of(region), NULL,
                           "%s does not write `%s`", statement->label, named(region));
    status = add_statements(region, nest);
    return status == STATUS_OK ? add_initialisations(region, original, nest, &behind, &done) : status;
}
