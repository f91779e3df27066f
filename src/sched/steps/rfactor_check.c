/* Does an update keep its meaning when it is computed by partial results? */
#include "dep/compare.h"
#include "sched/edit.h"
#include "sched/steps/rfactor.h"

static bool is_own_update(const struct rfactor *rfactor, const struct reference *reference)
{
    return reference->statement == rfactor->statement && reference->array == rfactor->statement->target->array;
}

/* { S[s] -> T[t] } as { S[K, c] -> T[t] }, and the other way round. */
static __isl_give isl_map *as_final(const struct rfactor *rfactor, __isl_take isl_map *pairs, bool from)
{
    isl_map *project = isl_map_set_tuple_name(isl_map_copy(rfactor->project), isl_dim_out, rfactor->final->label);

    return from ? isl_map_apply_domain(pairs, project) : isl_map_apply_range(pairs, project);
}

static bool keeps(const struct rfactor *rfactor, const struct dependence *dependence, __isl_keep isl_schedule *original)
{
    const bool from = is_own_update(rfactor, dependence->from), to = is_own_update(rfactor, dependence->to);
    isl_union_map *swapped;
    bool kept;

    if (from == to || dependence->reduction)
        return true;
    swapped =
        pairs_not_before(original, isl_union_map_from_map(as_final(rfactor, isl_map_copy(dependence->map), from)));
    kept = isl_union_map_is_empty(swapped) == isl_bool_true;
    isl_union_map_free(swapped);
    return kept;
}

/* What starts the sum anew in each iteration of a loop wants a sum for each iteration. */
static const char *reset_hint(const struct rfactor *rfactor, const struct reference *other)
{
    const struct statement *s = rfactor->statement, *reset = other->statement;
    int d = 0;

    while (d < s->n_loop && d < reset->n_loop && rfactor->kept[d])
        d++;
    if (!other->writes || d == s->n_loop || d == reset->n_loop || strcmp(s->loop_name[d], reset->loop_name[d]) != 0)
        return NULL;
    if (other->array->role == ROLE_TEMP)
        return arena_printf(rfactor->schedule->arena, "`expand` it over `%s` first: each iteration starts it anew",
                            s->loop_name[d]);
    return arena_printf(rfactor->schedule->arena,
                        "each iteration of `%s` starts it anew: sum up in a temporary, and `expand` that over `%s`",
                        s->loop_name[d], s->loop_name[d]);
}

enum status rfactor_check_contiguous(const struct rfactor *rfactor, const struct order *original)
{
    const struct dependences *dependences = schedule_dependences(rfactor->schedule);
    isl_schedule *isl = order_to_schedule(original);
    enum status status = STATUS_OK;

    for (int k = 0; k < dependences->n && status == STATUS_OK; k++) {
        const struct dependence *dependence = &dependences->list[k];
        const struct reference *other = dependence->from;
        if (keeps(rfactor, dependence, isl))
            continue;
        if (is_own_update(rfactor, other))
            other = dependence->to;
        status = edit_refuse(rfactor->schedule, step_place(rfactor->step, "of"), "rfactor", reset_hint(rfactor, other),
                             "%s %s elements of `%s` between updates by %s, which partial results would join",
                             other->statement->label, other->writes ? "writes" : "reads", other->array->name,
                             rfactor->statement->label);
    }
    isl_schedule_free(isl);
    return status;
}
