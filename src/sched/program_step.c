#include "sched/program_step.h"

#include "poly/keep.h"

isl_map *program_step_keep_map(struct arena *arena, __isl_take isl_map *map)
{
    return poly_keep_map(arena, map);
}

/* order with the statements of program, by label, and without those that it does not have; NULL when nothing is
 * left. */
static const struct order *with_statements(struct arena *arena, const struct order *order,
                                           const struct program *program)
{
    const struct order **child;
    int n = 0;

    if (order->kind == ORDER_LEAF) {
        const struct statement *statement = program_statement(program, order->statement->label);
        return statement ? order_leaf(arena, statement, isl_set_copy(order->domain)) : NULL;
    }
    child = ARENA_ARRAY(arena, order->n_child, const struct order *);
    for (int k = 0; k < order->n_child; k++) {
        child[n] = with_statements(arena, order->child[k], program);
        n += child[n] != NULL;
    }
    if (n == 0)
        return NULL;
    return order->kind == ORDER_SEQUENCE ? order_sequence(arena, child, n) : order_with_children(arena, order, child);
}

static void remove_statement(struct program *program, int index)
{
    for (int s = index; s + 1 < program->n_statement; s++) {
        program->statement[s] = program->statement[s + 1];
        program->statement[s]->index = s;
    }
    program->n_statement--;
    for (int k = 0; k < program->n_nest; k++) {
        struct nest *nest = &program->nest[k];
        if (index < nest->first_statement)
            nest->first_statement--;
        else if (index < nest->first_statement + nest->n_statement)
            nest->n_statement--;
    }
}

/* The groups' statements by their new numbers. */
static void renumber_groups(struct schedule *schedule, int index, int n_before)
{
    for (int k = 0; k < schedule->groups.n; k++) {
        const bool *old = schedule->groups.at[k].member;
        bool *member = ARENA_ARRAY(schedule->arena, n_before + 1, bool);
        for (int s = 0, to = 0; s < n_before; s++)
            if (s != index)
                member[to++] = old[s];
        schedule->groups.at[k].member = member;
    }
}

static enum status recompute(struct schedule *schedule)
{
    isl_schedule *isl = order_to_schedule(schedule->original);
    const struct dependences *dependences = dependences_compute(schedule->arena, schedule->program, isl);

    isl_schedule_free(isl);
    if (!dependences)
        return STATUS_ENVIRONMENT;
    if (schedule->waived)
        dependences = dependences_without(schedule->arena, dependences, isl_union_map_copy(schedule->waived));
    schedule->dependences = dependences;
    return dependences ? STATUS_OK : STATUS_ENVIRONMENT;
}

static void mark_unused(struct schedule *schedule, struct program *program, const struct array *array)
{
    bool *unused = ARENA_ARRAY(schedule->arena, program->n_array, bool);

    for (int k = 0; k < program->n_array; k++)
        unused[k] = &program->array[k] == array || (program->unused && program->unused[k]);
    program->unused = unused;
}

enum status program_step_without(struct schedule *schedule, struct program *program, const struct statement *gone,
                                 const struct array *array)
{
    const int n_before = program->n_statement;

    mark_unused(schedule, program, array);
    remove_statement(program, gone->index);
    renumber_groups(schedule, gone->index, n_before);
    schedule->order = with_statements(schedule->arena, schedule->order, program);
    schedule->original = with_statements(schedule->arena, schedule->original, program);
    schedule->program = program;
    return recompute(schedule);
}
