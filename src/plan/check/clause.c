#include "plan/check/clause.h"

#include "dep/dependence.h"
#include "plan/loop_plan.h"

/* A copy that fits the stack of a thread. */
enum { MOST_BYTES = 32 * 1024 };

static bool is_sum(enum expr_op op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_MUL;
}

const char *statement_lacks_clause(const struct statement *statement)
{
    const enum type type = statement->target->array->type;

    if (type == TYPE_F16 || type == TYPE_BF16)
        return "OpenMP does not know halves";
    switch (statement->op) {
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return NULL;
    case OP_MIN:
    case OP_MAX:
        if (type == TYPE_BOOL)
            return "OpenMP knows no minima and maxima of bool";
        return update_converts(statement, statement->op) ? "each update converts what it compares" : NULL;
    default:
        return "an update has one where it is written as `+=`, `max=` or the like";
    }
}

bool statement_has_clause(const struct statement *statement)
{
    return !statement_lacks_clause(statement) && (statement->target->array->n_dim == 0 || statement->joins);
}

/* The same updates, of which any number in any order have one result. */
static bool are_alike(const struct statement *a, const struct statement *b)
{
    return a->op == b->op || (a->op == OP_SUB && b->op == OP_ADD) || (a->op == OP_ADD && b->op == OP_SUB);
}

/* Is all that the statement does with the array an update like that one? */
static bool only_updates(const struct statement *statement, const struct statement *update)
{
    const struct array *array = update->target->array;

    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].array == array && (k > 1 || !are_alike(statement, update)))
            return false;
    return true;
}

/* Do all statements in the loop, a copy of it or several, use the array of the update for such updates only? */
static bool is_only_updated(const struct order *order, const struct loop_info *info, const struct statement *update,
                            bool inside)
{
    bool only = true;

    inside = inside || (order->kind == ORDER_LOOP && order->info->id == info->id);
    if (order->kind == ORDER_LEAF && inside)
        only = only_updates(order->statement, update);
    for (int k = 0; k < order->n_child && only; k++)
        only = is_only_updated(order->child[k], info, update, inside);
    return only;
}

/* Is the array an argument of few elements that lie side by side, anywhere in memory? On copies of arrays of bool clang
 * 14 crashes. */
static bool is_small(const struct array *array)
{
    int64_t bytes = type_bits(array->type) / 8;

    if ((array->role != ROLE_INOUT && array->role != ROLE_OUT) || array->align > bytes)
        return false;
    for (int d = 0; d < array->n_dim; d++)
        if (array->shape[d]->kind != EXPR_INT || __builtin_mul_overflow(bytes, array->shape[d]->integer, &bytes))
            return false;
    return !array->stride && !array->digit && bytes <= MOST_BYTES && array->type != TYPE_BOOL;
}

/* Why the update, of what is no small array, is not made atomically; NULL: it is, where data choose the element. Others
 * meet in all iterations, and would wait for each other. */
static const char *lacks_atomic(const struct reference *update)
{
    if (update->array->type == TYPE_BOOL)
        return "arrays of bool have none, and OpenMP no atomic updates of them";
    if (!update->may)
        return "threads have one for small arrays of constant size, arguments that the loop uses for nothing else";
    return op_is_extreme(update->statement->op) ? "OpenMP has no atomic minima and maxima" : NULL;
}

/* Are its updates atomic, or of copies for another loop? Of two loops in threads, inside of each other, both would need
 * them. */
static bool is_decided(const struct statement *statement, const struct loop_info *info)
{
    return statement->atomic || (statement->joins && statement->joins->id != info->id);
}

/* Narrow integers are computed as int, which has room for what partial sums and products of them may be. */
static void mark(struct statement *statement, const struct loop_info *joins, bool atomic)
{
    const enum type type = statement->target->array->type;
    const bool has_room = type_is_float(type) || (type_bits(type) < 32 && type != TYPE_U16);

    statement->joins = joins;
    statement->atomic = atomic;
    statement->regrouped |= is_sum(statement->op) && !has_room;
}

const char *clause_join(const struct schedule *schedule, const struct loop_info *info,
                        const struct dependence *reduction)
{
    struct statement *update[] = {schedule->program->statement[reduction->from->statement->index],
                                  schedule->program->statement[reduction->to->statement->index]};
    const struct array *array = update[0]->target->array;
    const bool copies =
        array->n_dim == 0 || (!is_decided(update[0], info) && !is_decided(update[1], info) && is_small(array) &&
                              is_only_updated(schedule->order, info, update[0], false));
    const struct reference *reference[] = {reduction->from, reduction->to};
    const char *lack = NULL;

    if (array->n_dim > 0 && info->plan->doacross)
        return "a doacross loop has one for variables only";
    for (int k = 0; k < 2 && !lack; k++) {
        lack = statement_lacks_clause(update[k]);
        lack = lack || copies ? lack : lacks_atomic(reference[k]);
    }
    for (int k = 0; k < 2 && !lack; k++)
        mark(update[k], copies && array->n_dim > 0 ? info : NULL, !copies);
    return lack;
}

void clause_forget(const struct program *program)
{
    for (int s = 0; s < program->n_statement; s++) {
        program->statement[s]->joins = NULL;
        program->statement[s]->atomic = false;
    }
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
    if (!statement_lacks_clause(update->statement) && update->array->n_dim > 0 &&
        is_of_one_element(band, info->plan->parallel, update))
        return arena_printf(arena,
                            "with {\"cache\": \"%s\", \"at\": \"%s\"} in front of this step the threads sum up in a "
                            "variable, which has a clause",
                            name, info->name);
    return "give the threads partial results of their own by `rfactor`";
}

void clause_refuse(const struct schedule *schedule, const struct dependences *dependences, const struct loop_info *info,
                   __isl_keep isl_schedule_node *band, const struct dependence *reduction, const char *lack)
{
    const struct reference *update = reduction->to;
    isl_union_map *pairs =
        parallel_carried(band, info->plan->parallel, isl_union_map_from_map(isl_map_copy(reduction->map)));
    struct text reason = {0};
    struct violation violation;
    struct diag *diag = diag_error(schedule->diags, "parallelize", info->plan->parallel_step->place,
                                   "`%s` sums up in `%s` across its iterations, without a reduction clause: %s",
                                   info->name, update->array->name, lack);

    pairs = isl_union_map_intersect_params(pairs, isl_set_copy(schedule->program->context));
    if (legal_smallest_pair(schedule->arena, dependences, pairs, &violation)) {
        violation_print_reason(&reason, schedule->arena, schedule->program, &violation);
        diag_note(schedule->diags, diag, update->statement->place, "%s", text_str(&reason));
    }
    diag_hint(schedule->diags, diag, "%s", advice(schedule->arena, band, info, update));
    isl_union_map_free(pairs);
    text_free(&reason);
}
