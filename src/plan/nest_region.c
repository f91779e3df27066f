/* Regions that are whole nests of the description: what cache_read and cache_write redirect. */
#include "plan/region.h"

#include "poly/keep.h"

static const char *key_of(const struct region *region)
{
    return region->step->primitive->name;
}

static enum status refuse(const struct region *region, struct place place, const char *hint, const char *text)
{
    return edit_refuse(region->schedule, place, key_of(region), hint, "%s", text);
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

/* A write inside the nest of an element that the statement reads there later. */
static enum status check_unchanged(const struct region *region, const struct statement *statement)
{
    const struct dependences *dependences = region->schedule->dependences;
    const struct order *nest = nest_of(region->schedule->original, statement);

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        if (dependence->from->array == region->array && dependence->from->writes && dependence->to->reads &&
            dependence->to->statement == statement && order_has(nest, dependence->from->statement))
            return edit_refuse(region->schedule, statement->place, key_of(region), NULL,
                               "%s reads elements of `%s` that %s writes in the same nest, after the copy is made",
                               statement->label, region->array->name, dependence->from->statement->label);
    }
    return STATUS_OK;
}

enum status region_of_reader(struct region *region, const struct statement *statement)
{
    enum status status = STATUS_OK;

    region->instances = poly_keep_union_set(region->schedule->arena,
                                            isl_union_set_from_set(isl_set_copy(statement->domain)));
    for (int k = 0; k < statement->n_access && status == STATUS_OK; k++) {
        const struct access *access = &statement->access[k];
        if (access->array != region->array || access->write)
            continue;
        if (is_target(statement, access))
            return refuse(region, statement->place, "use cache_write", "the statement updates this array");
        status = region_add(region, statement, k);
    }
    if (status == STATUS_OK && region->list.n == 0)
        return edit_refuse(region->schedule, step_place(region->step, "for"), key_of(region), NULL,
                           "%s does not read `%s`", statement->label, region->array->name);
    return status == STATUS_OK ? check_unchanged(region, statement) : status;
}

static enum status add_nest(struct region *region, const struct order *nest)
{
    const struct program *program = region->schedule->program;
    enum status status = STATUS_OK;

    region->instances = poly_keep_union_set(region->schedule->arena, order_domain(nest));
    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        for (int k = 0; k < statement->n_access && order_has(nest, statement) && status == STATUS_OK; k++)
            if (statement->access[k].array == region->array)
                status = region_add(region, statement, k);
    }
    return status;
}

enum status region_of_writer(struct region *region, const struct statement *statement)
{
    if (statement->target->array != region->array)
        return edit_refuse(region->schedule, step_place(region->step, "for"), key_of(region), NULL,
                           "%s does not write `%s`", statement->label, region->array->name);
    return add_nest(region, nest_of(region->schedule->original, statement));
}
