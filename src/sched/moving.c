#include "sched/moving.h"

#include "dep/compare.h"
#include "dep/legal.h"

enum status moving_refuse(const struct moving *moving, const char *hint, const char *text)
{
    return edit_refuse(moving->schedule, step_place(moving->step, moving->key), moving->key, hint, "%s", text);
}

bool moving_reads(const struct moving *moving, const struct statement *statement)
{
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].array == moving->array && !statement->access[k].write)
            return true;
    return false;
}

/* The only writer of the array, when that can be moved at all. */
static enum status find_producer(struct moving *moving)
{
    const struct program *program = moving->schedule->program;
    const struct statement *producer = NULL;

    for (int s = 0; s < program->n_statement; s++) {
        if (program->statement[s]->target->array != moving->array)
            continue;
        if (producer)
            return moving_refuse(moving, NULL, "several statements write it");
        producer = program->statement[s];
    }
    if (!producer)
        return moving_refuse(moving, NULL, "no statement writes it");
    if (producer->op != OP_NONE || moving_reads(moving, producer))
        return moving_refuse(moving, NULL, "it is a reduction: its value takes more than one statement instance");
    if (producer->guard || producer->access[0].may)
        return moving_refuse(moving, NULL, "whether or where it is written depends on data");
    if (isl_map_is_injective(producer->access[0].map) != isl_bool_true)
        return moving_refuse(moving, NULL, "several instances write the same element");
    moving->producer = producer;
    return STATUS_OK;
}

enum status moving_find(struct moving *moving, struct schedule *schedule, const struct step *step, const char *key)
{
    const char *name = step_string(step, key, "");

    *moving = (struct moving){.schedule = schedule, .step = step, .key = key};
    moving->array = program_array(moving->schedule->program, name);
    if (!moving->array)
        return edit_refuse(moving->schedule, step_place(moving->step, moving->key), "unknown-name", NULL,
                           "there is no array `%s` here", name);
    if (moving->array->role != ROLE_TEMP)
        return moving_refuse(moving, NULL, "it is an argument of the function, so its elements must be there");
    return find_producer(moving);
}

/* { S[..] -> P[..] }: the instance whose value the access reads. */
__isl_give isl_map *moving_source(const struct moving *moving, const struct access *access)
{
    isl_map *store = isl_map_reverse(isl_map_copy(moving->producer->access[0].map));

    return isl_map_apply_range(isl_map_copy(access->map), store);
}

/* Reports when something writes what P read between an instance of P and the read that takes its place. */
enum status moving_check_unchanged(const struct moving *moving, const struct statement *reader,
                                   __isl_keep isl_map *source, __isl_keep isl_schedule *original)
{
    const struct dependences *dependences = moving->schedule->dependences;

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        isl_map *pairs;
        isl_union_map *between;
        bool changed;
        if (dependence->from->statement != moving->producer || !dependence->from->reads || !dependence->to->writes ||
            dependence->from->array == moving->array)
            continue;
        pairs = isl_map_reverse(isl_map_apply_range(isl_map_copy(source), isl_map_copy(dependence->map)));
        between = pairs_before(original, isl_union_map_from_map(pairs));
        changed = isl_union_map_is_empty(between) != isl_bool_true;
        isl_union_map_free(between);
        if (changed)
            return edit_refuse(moving->schedule, step_place(moving->step, moving->key), moving->key, NULL,
                               "%s writes `%s` between %s and %s, which would then read the new value",
                               dependence->to->statement->label, dependence->from->array->name,
                               moving->producer->label, reader->label);
    }
    return STATUS_OK;
}

