/* Does an update keep its meaning when it is computed by partial results? */
#include "dep/compare.h"
#include "dep/legal.h"
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

/* The pairs of the dependence whose order the statement that joins the partial results does not keep. */
static __isl_give isl_map *lost_pairs(const struct rfactor *rfactor, const struct dependence *dependence,
                                      __isl_keep isl_schedule *original)
{
    const bool from = is_own_update(rfactor, dependence->from), to = is_own_update(rfactor, dependence->to);
    isl_map *pairs = isl_map_copy(dependence->map), *final, *back;
    isl_union_map *swapped;

    if (from == to || dependence->reduction)
        return isl_map_subtract(pairs, isl_map_copy(dependence->map));
    final = as_final(rfactor, isl_map_copy(pairs), from);
    back = isl_map_reverse(isl_map_set_tuple_name(isl_map_copy(rfactor->project), isl_dim_out, rfactor->final->label));
    swapped = pairs_not_before(original, isl_union_map_from_map(isl_map_copy(final)));
    final = isl_map_intersect(final, isl_union_map_extract_map(swapped, isl_map_get_space(final)));
    isl_union_map_free(swapped);
    final = from ? isl_map_apply_domain(final, back) : isl_map_apply_range(final, back);
    pairs = isl_map_intersect(pairs, final);
    return isl_map_intersect_params(pairs, isl_set_copy(rfactor->schedule->program->context));
}

/* "T[1] writes x[1] between updates by S, which partial results would join: after S[1, 0]; N = 2" */
static enum status refuse_pair(const struct rfactor *rfactor, const struct dependence *dependence, const char *hint)
{
    const bool from = is_own_update(rfactor, dependence->from);
    const struct reference *other = from ? dependence->to : dependence->from;
    struct text instance = {0}, update = {0}, element = {0}, params = {0};
    struct violation pair;
    enum status status = STATUS_REFUSED;

    if (legal_smallest_of(rfactor->schedule->arena, schedule_dependences(rfactor->schedule), dependence, &pair)) {
        violation_print_instance(&instance, other->statement, from ? pair.later : pair.earlier);
        violation_print_instance(&update, rfactor->statement, from ? pair.earlier : pair.later);
        violation_print_element(&element, rfactor->schedule->arena, &pair);
        violation_print_params(&params, rfactor->schedule->program, &pair);
        status = edit_refuse(rfactor->schedule, step_place(rfactor->step, "of"), "rfactor", hint,
                             "%s %s %s between updates by %s, which partial results would join: %s %s%s%s",
                             text_str(&instance), other->writes ? "writes" : "reads", text_str(&element),
                             rfactor->statement->label, from ? "after" : "before", text_str(&update),
                             params.size ? "; " : "", text_str(&params));
    }
    text_free(&instance);
    text_free(&update);
    text_free(&element);
    text_free(&params);
    return status;
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
        struct dependence dependence = dependences->list[k];
        dependence.map = lost_pairs(rfactor, &dependence, isl);
        if (isl_map_is_empty(dependence.map) != isl_bool_true)
            status = refuse_pair(rfactor, &dependence,
                                 reset_hint(rfactor,
                                            is_own_update(rfactor, dependence.from) ? dependence.to : dependence.from));
        isl_map_free(dependence.map);
    }
    isl_schedule_free(isl);
    return status;
}
