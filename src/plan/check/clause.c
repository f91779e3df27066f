#include "plan/check/clause.h"

#include "dep/dependence.h"
#include "plan/loop_plan.h"

static const char *type_lacks_clause(const struct statement *statement, enum type type)
{
    if (type == TYPE_F16 || type == TYPE_BF16)
        return "OpenMP does not know halves";
    switch (statement->op) {
    case OP_AND:
    case OP_OR:
    case OP_XOR:
        return NULL;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return type_is_float(type) || !type_is_signed(type)
                   ? NULL
                   : "partial results of signed integers may overflow where the result does not";
    case OP_MIN:
    case OP_MAX:
        if (type == TYPE_BOOL)
            return "OpenMP knows no minima and maxima of bool";
        return update_converts(statement, statement->op) ? "each update converts what it compares" : NULL;
    default:
        return "an update has one where it is written as `+=`, `max=` or the like";
    }
}

const char *statement_lacks_clause(const struct statement *statement)
{
    const struct array *array = statement->target->array;
    const char *lack = type_lacks_clause(statement, array->type);

    return lack || array->n_dim == 0 ? lack : "threads have one for arrays of shape [] only";
}

bool statement_has_clause(const struct statement *statement)
{
    return !statement_lacks_clause(statement);
}

/* Pairs of the statement's instances that update different elements. */
static __isl_give isl_union_map *apart(const struct reference *update)
{
    isl_set *domain = isl_map_domain(isl_map_copy(update->map));
    isl_map *pairs = isl_map_from_domain_and_range(domain, isl_set_copy(domain));
    isl_map *same = isl_map_apply_range(isl_map_copy(update->map), isl_map_reverse(isl_map_copy(update->map)));

    return isl_union_map_from_map(isl_map_subtract(pairs, same));
}

/* Does the loop update one element in all of its iterations, those of loops around standing still? */
static bool is_of_one_element(__isl_keep isl_schedule_node *band, int n, const struct reference *update)
{
    isl_union_map *carried = parallel_carried(band, n, apart(update)),
                  *within = parallel_within(band, n, apart(update));
    const bool one =
        isl_union_map_is_empty(carried) == isl_bool_true && isl_union_map_is_empty(within) == isl_bool_true;

    isl_union_map_free(carried);
    isl_union_map_free(within);
    return one;
}

static const char *advice(struct arena *arena, __isl_keep isl_schedule_node *band, const struct loop_info *info,
                          const struct reference *update)
{
    const char *name = update->array->name;

    if (update->may)
        return arena_printf(arena,
                            "give each part p of the loop results of its own in the description, a temporary "
                            "`%s_part[p, ..]` with \"init\": 0, and add these up in another nest",
                            name);
    if (!type_lacks_clause(update->statement, update->array->type) &&
        is_of_one_element(band, info->plan->parallel, update))
        return arena_printf(arena,
                            "with {\"cache\": \"%s\", \"at\": \"%s\"} in front of this step the threads sum up in a "
                            "variable, which has a clause",
                            name, info->name);
    return "give the threads partial results of their own by `rfactor`";
}

void clause_refuse(const struct schedule *schedule, const struct dependences *dependences, const struct loop_info *info,
                   __isl_keep isl_schedule_node *band, const struct dependence *reduction)
{
    const struct reference *update = reduction->to;
    const char *lack = statement_lacks_clause(update->statement);
    isl_union_map *pairs =
        parallel_carried(band, info->plan->parallel, isl_union_map_from_map(isl_map_copy(reduction->map)));
    struct text reason = {0};
    struct violation violation;
    struct diag *diag =
        diag_error(schedule->diags, "parallelize", info->plan->parallel_step->place,
                   "`%s` sums up in `%s` across its iterations, without a reduction clause: %s", info->name,
                   update->array->name, lack ? lack : statement_lacks_clause(reduction->from->statement));

    pairs = isl_union_map_intersect_params(pairs, isl_set_copy(schedule->program->context));
    if (legal_smallest_pair(schedule->arena, dependences, pairs, &violation)) {
        violation_print_reason(&reason, schedule->arena, schedule->program, &violation);
        diag_note(schedule->diags, diag, update->statement->place, "%s", text_str(&reason));
    }
    diag_hint(schedule->diags, diag, "%s", advice(schedule->arena, band, info, update));
    isl_union_map_free(pairs);
    text_free(&reason);
}
