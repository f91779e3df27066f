#include "sched/steps/moving.h"

#include "dep/compare.h"
#include "dep/legal.h"
#include "poly/sample.h"

enum status moving_refuse(const struct moving *moving, const char *hint, const char *text)
{
    return edit_refuse(moving->schedule, step_place(moving->step, moving->key), moving->key, hint,
                       "`%s` cannot be computed where it is read: %s", moving->array->name, text);
}

enum status moving_check_sources(const struct moving *moving, const struct statement *reader,
                                 const struct access *access, __isl_keep isl_map *source)
{
    return moving_check_covered(moving, reader, access, isl_map_domain(isl_map_copy(source)));
}

enum status moving_check_covered(const struct moving *moving, const struct statement *reader,
                                 const struct access *access, __isl_take isl_set *covered)
{
    const struct schedule *schedule = moving->schedule;
    isl_set *without = isl_map_domain(isl_map_copy(access->map));
    struct text text = {0};
    struct sample sample;
    enum status status;

    without = isl_set_subtract(without, covered);
    if (isl_set_is_empty(without) == isl_bool_true) {
        isl_set_free(without);
        return STATUS_OK;
    }
    without = isl_set_intersect_params(without, isl_set_copy(schedule->program->context));
    if (poly_smallest(schedule->arena, without, &sample)) {
        violation_print_instance(&text, reader, sample.dim);
        text_add(&text, " reads an element that only has its initial value");
        for (int k = 0; k < sample.n_param; k++)
            text_addf(&text, "%s%s = %lld", k ? ", " : "; ", schedule->program->param[k].name,
                      (long long)sample.param[k]);
    } else {
        text_addf(&text, "%s may read elements that only have their initial value", reader->label);
    }
    status = moving_refuse(moving, NULL, text_str(&text));
    text_free(&text);
    return status;
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

static enum status find_array(struct moving *moving, struct schedule *schedule, const struct step *step,
                              const char *key)
{
    const char *name = step_string(step, key, "");

    *moving = (struct moving){.schedule = schedule, .step = step, .key = key};
    moving->array = program_array(moving->schedule->program, name);
    if (!moving->array)
        return edit_no_array(moving->schedule, step_place(moving->step, moving->key), name);
    if (moving->array->role != ROLE_TEMP)
        return moving_refuse(moving, NULL, "it is an argument of the function, so its elements must be there");
    return STATUS_OK;
}

enum status moving_find(struct moving *moving, struct schedule *schedule, const struct step *step, const char *key)
{
    const enum status status = find_array(moving, schedule, step, key);

    return status == STATUS_OK ? find_producer(moving) : status;
}

/* Does it read the element that it writes, and no other one of the array? */
static bool reads_own_element(const struct moving *moving, const struct statement *writer)
{
    for (int k = 1; k < writer->n_access; k++)
        if (writer->access[k].array == moving->array &&
            isl_map_is_subset(writer->access[k].map, writer->access[0].map) != isl_bool_true)
            return false;
    return true;
}

static enum status check_writer(const struct moving *moving, const struct statement *writer)
{
    if (writer->guard || writer->access[0].may)
        return moving_refuse(moving, NULL, "whether or where it is written depends on data");
    if (!reads_own_element(moving, writer))
        return moving_refuse(moving, NULL,
                             arena_printf(moving->schedule->arena,
                                          "%s reads other elements of it, which would have to move, too",
                                          writer->label));
    return STATUS_OK;
}

/* The dependence goes from a statement to one in front of it in the text. */
static enum status refuse_turns(const struct moving *moving, const struct dependence *dependence)
{
    struct arena *arena = moving->schedule->arena;
    struct text text = {0};
    struct violation violation;
    enum status status;

    text_addf(&text, "%s and %s write its elements in turns", dependence->to->statement->label,
              dependence->from->statement->label);
    if (legal_smallest_of(arena, schedule_dependences(moving->schedule), dependence, &violation)) {
        text_add(&text, ", as ");
        violation_print_instance(&text, dependence->from->statement, violation.earlier);
        text_add(&text, " before ");
        violation_print_instance(&text, dependence->to->statement, violation.later);
    }
    status = moving_refuse(moving, "`simple_compute_at` or `fuse` moves them together", text_str(&text));
    text_free(&text);
    return status;
}

/* No writer depends on a later one in the text. */
static enum status check_turns(const struct moving *moving)
{
    const struct dependences *dependences = schedule_dependences(moving->schedule);

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        if (dependence->from->array == moving->array && dependence->from->writes && dependence->to->writes &&
            dependence->from->statement->index > dependence->to->statement->index &&
            isl_map_is_empty(dependence->map) != isl_bool_true)
            return refuse_turns(moving, dependence);
    }
    return STATUS_OK;
}

enum status moving_find_all(struct moving *moving, struct schedule *schedule, const struct step *step, const char *key,
                            writer_vec *writers)
{
    const struct program *program = schedule->program;
    enum status status = find_array(moving, schedule, step, key);

    for (int s = 0; s < program->n_statement && status == STATUS_OK; s++)
        if (program->statement[s]->target->array == moving->array) {
            VEC_PUSH(schedule->arena, writers, program->statement[s]);
            status = check_writer(moving, program->statement[s]);
        }
    if (status == STATUS_OK && writers->n == 0)
        status = moving_refuse(moving, NULL, "no statement writes it");
    return status == STATUS_OK && writers->n > 1 ? check_turns(moving) : status;
}

/* { S[..] -> P[..] }: the instance whose value the access reads. */
__isl_give isl_map *moving_source(const struct moving *moving, const struct access *access)
{
    isl_map *store = isl_map_reverse(isl_map_copy(moving->producer->access[0].map));

    return isl_map_apply_range(isl_map_copy(access->map), store);
}

/* P reads an element that the dependence's other end writes before the reader runs. */
struct change {
    const struct moving *moving;
    const struct statement *reader;
    const struct dependence *dependence; /* from P to what writes */
};

/* { [[S[s] -> [P[p] -> W[w]]] -> A[a]] }: S[s] wants what P[p] computed from the element that W[w] then writes.
 * source { S[s] -> P[p] }, writers { S[s] -> W[w] }. */
static __isl_give isl_set *changed_elements(const struct change *change, __isl_keep isl_map *source,
                                            __isl_take isl_map *writers)
{
    const struct dependence *dependence = change->dependence;
    isl_map *element = isl_map_domain_product(isl_map_copy(dependence->from->map), isl_map_copy(dependence->to->map));
    isl_map *changed = isl_map_range_product(isl_map_copy(source), writers);

    changed = isl_map_intersect_range(changed, isl_map_wrap(isl_map_copy(dependence->map)));
    changed = isl_map_intersect_params(changed, isl_set_copy(change->moving->schedule->program->context));
    return isl_map_wrap(isl_map_apply_range(isl_map_range_map(changed), element));
}

/* "W[0] writes A[0] after P[0] and before S[0]; N = 1", the smallest such. */
static void print_example(struct text *out, const struct change *change, __isl_take isl_set *changed)
{
    const struct program *program = change->moving->schedule->program;
    const struct statement *producer = change->moving->producer, *writer = change->dependence->to->statement;
    struct sample sample;

    if (!poly_smallest(change->moving->schedule->arena, changed, &sample))
        return;
    const int64_t *produced = sample.dim + change->reader->n_loop, *written = produced + producer->n_loop;
    text_add(out, ": ");
    print_tuple(out, writer->label, written, writer->n_loop);
    text_add(out, " writes ");
    print_tuple(out, change->dependence->from->array->name, written + writer->n_loop,
                change->dependence->from->array->n_dim);
    text_add(out, " after ");
    print_tuple(out, producer->label, produced, producer->n_loop);
    text_add(out, " and before ");
    print_tuple(out, change->reader->label, sample.dim, change->reader->n_loop);
    for (int k = 0; k < program->n_param; k++)
        text_addf(out, "%s%s = %lld", k ? ", " : "; ", program->param[k].name, (long long)sample.param[k]);
}

static enum status refuse_changed(const struct change *change, __isl_take isl_set *changed)
{
    const struct moving *moving = change->moving;
    struct text example = {0};
    enum status status;

    print_example(&example, change, changed);
    status = edit_refuse(moving->schedule, step_place(moving->step, moving->key), moving->key, NULL,
                         "%s writes `%s` between %s and %s, which would then read the new value%s",
                         change->dependence->to->statement->label, change->dependence->from->array->name,
                         moving->producer->label, change->reader->label, text_str(&example));
    text_free(&example);
    return status;
}

static bool may_change(const struct moving *moving, const struct dependence *dependence)
{
    return dependence->from->statement == moving->producer && dependence->from->reads && dependence->to->writes &&
           dependence->from->array != moving->array;
}

enum status moving_check_unchanged(const struct moving *moving, const struct statement *reader,
                                   __isl_keep isl_map *source, __isl_keep isl_schedule *original)
{
    const struct dependences *dependences = schedule_dependences_from(moving->schedule, moving->producer);
    enum status status = STATUS_OK;

    for (int k = 0; k < dependences->n && status == STATUS_OK; k++) {
        const struct change change = {moving, reader, &dependences->list[k]};
        isl_map *pairs;
        isl_union_map *between;
        if (!may_change(moving, change.dependence))
            continue;
        pairs = isl_map_reverse(isl_map_apply_range(isl_map_copy(source), isl_map_copy(change.dependence->map)));
        between = pairs_before(original, isl_union_map_from_map(pairs));
        if (isl_union_map_is_empty(between) == isl_bool_true) {
            isl_union_map_free(between);
            continue;
        }
        pairs = isl_map_reverse(isl_map_from_union_map(between));
        status = refuse_changed(&change, changed_elements(&change, source, pairs));
    }
    return status;
}
