#include "dep/initialise.h"

#include "dep/legal.h"
#include "dep/sure.h"
#include "poly/context.h"

enum { FEW = 4, MAX_CUTS = 100 };

static bool starts_undefined(const struct array *array)
{
    return array->role == ROLE_OUT || (array->role == ROLE_TEMP && !array->init_zero);
}

static bool same_reference(const struct reference *reference, const struct statement *statement,
                           const struct access *access)
{
    return reference->statement == statement && reference->array == access->array && reference->reads &&
           reference->may == access->may && isl_map_plain_is_equal(reference->map, access->map) == isl_bool_true;
}

/* { S[i,j] -> A[..] }: the elements written before each instance, among those it reads. */
static __isl_give isl_map *written_before(const struct dependences *dependences, const struct statement *statement,
                                          const struct access *access)
{
    isl_map *written = isl_map_empty(isl_map_get_space(access->map));

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        const struct reference *from = dependence->from;
        if (!from->writes || !same_reference(dependence->to, statement, access))
            continue;
        written = isl_map_union(written, isl_map_apply_range(isl_map_reverse(dependence_sure(dependences, dependence)),
                                                             isl_map_copy(from->map)));
    }
    return written;
}

static void print_params(struct text *out, const struct program *program, const int64_t *value)
{
    for (int k = 0; k < program->n_param; k++)
        text_addf(out, "%s%s = %lld", k ? ", " : " (", program->param[k].name, (long long)value[k]);
    if (program->n_param)
        text_char(out, ')');
}

/* The smallest instance of set in words: "S[0, 1]" and " (N = 2)". False when the set is empty. */
static bool describe(struct arena *arena, const struct program *program, const struct statement *statement,
                     __isl_take isl_set *set, struct text *instance, struct text *params)
{
    struct sample sample;

    if (!poly_smallest(arena, set, &sample))
        return false;
    violation_print_instance(instance, statement, sample.dim);
    print_params(params, program, sample.param);
    return true;
}

/* Does a write stand under the condition of the reader, whose arithmetic may come to something else there? */
static bool is_rounded_apart(const struct program *program, const struct statement *reader, const struct array *array)
{
    for (int s = 0; s < program->n_statement; s++)
        if (program->statement[s]->target->array == array && condition_may_differ(program->statement[s], reader))
            return true;
    return false;
}

static void report_read(const struct program *program, const struct statement *statement, const struct access *access,
                        const struct sample *sample, struct diags *diags)
{
    struct text instance = {0}, element = {0}, params = {0};
    struct diag *diag;

    violation_print_instance(&instance, statement, sample->dim);
    print_tuple(&element, access->array->name, sample->dim + statement->n_loop, access->array->n_dim);
    print_params(&params, program, sample->param);
    diag = diag_error(diags, "initialisation", access->expr->place, "%s reads %s, which nothing has written before%s",
                      text_str(&instance), text_str(&element), text_str(&params));
    if (is_rounded_apart(program, statement, access->array))
        diag_hint(diags, diag,
                  "with this \"permit\" the condition's arithmetic may be rounded in another way each time: compute it "
                  "once, as in `go = i32(..)`, and ask for `go > 0`");
    else if (access->array->role == ROLE_TEMP)
        diag_hint(diags, diag, "write it first, or declare the array with \"init\": 0");
    else
        diag_hint(diags, diag, "an array whose old contents matter has the role \"inout\"");
    text_free(&instance);
    text_free(&element);
    text_free(&params);
}

/* The elements that an access reads before anything has written them. */
static __isl_give isl_map *read_unwritten(const struct dependences *dependences, const struct statement *statement,
                                          const struct access *access)
{
    isl_map *unwritten = isl_map_subtract(isl_map_copy(access->map), written_before(dependences, statement, access));

    return isl_map_intersect_params(unwritten, isl_set_copy(dependences->program->context));
}

__isl_give isl_union_map *dependences_initial_reads(const struct dependences *dependences, const struct array *array)
{
    const struct program *program = dependences->program;
    isl_union_map *reads = isl_union_map_empty(isl_set_get_space(program->context));

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            if (access->array == array && !access->write)
                reads = isl_union_map_add_map(reads, read_unwritten(dependences, program->statement[s], access));
        }
    return reads;
}

static bool check_read(struct arena *arena, const struct dependences *dependences, const struct statement *statement,
                       const struct access *access, struct diags *diags)
{
    isl_map *unwritten = read_unwritten(dependences, statement, access);
    struct sample sample;

    if (!poly_smallest(arena, isl_map_wrap(unwritten), &sample))
        return true;
    report_read(dependences->program, statement, access, &sample, diags);
    return false;
}

enum status check_initialised(struct arena *arena, const struct dependences *dependences, struct diags *diags)
{
    const struct program *program = dependences->program;
    enum status status = STATUS_OK;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        for (int k = 0; k < statement->n_access; k++) {
            const struct access *access = &statement->access[k];
            if (access->write || !starts_undefined(access->array))
                continue;
            if (!check_read(arena, dependences, statement, access, diags))
                status = STATUS_REFUSED;
        }
    }
    return status;
}

/* The pairs { w -> r } of kind(from, to) among the exact references of one array. */
typedef bool choose(const struct dependence *dependence);

static bool is_flow(const struct dependence *dependence)
{
    return dependence->from->writes && dependence->to->reads;
}

static bool is_any_overwrite(const struct dependence *dependence)
{
    return dependence->from->writes && dependence->to->writes;
}

static bool is_overwrite(const struct dependence *dependence)
{
    return dependence->from->writes && dependence->to->writes && !dependence->to->may;
}

static __isl_give isl_union_map *pairs_of(const struct dependences *dependences, const struct array *array,
                                          choose *kind)
{
    isl_union_map *pairs = isl_union_map_empty(isl_set_get_space(dependences->program->context));

    for (int k = 0; k < dependences->n; k++)
        if (dependences->list[k].from->array == array && kind(&dependences->list[k]))
            pairs = isl_union_map_union(pairs, isl_union_map_from_map(isl_map_copy(dependences->list[k].map)));
    return pairs;
}

/* Where every write also reads what it replaces and the result leaves the function, no value is lost; and what may
 * be touched is not known exactly enough to warn of. */
static bool worth_looking(const struct dependences *dependences, const struct array *array)
{
    bool plain_write = false;

    for (int k = 0; k < dependences->n; k++) {
        const struct reference *to = dependences->list[k].to, *from = dependences->list[k].from;
        if (from->array != array)
            continue;
        if (from->may || to->may)
            return false;
        plain_write = plain_write || (to->writes && !to->reads) || (from->writes && !from->reads);
    }
    return plain_write || array->role == ROLE_TEMP;
}

static bool has_may(const struct dependences *dependences, const struct array *array)
{
    for (int k = 0; k < dependences->n; k++)
        if (dependences->list[k].from->array == array &&
            (dependences->list[k].from->may || dependences->list[k].to->may))
            return true;
    return false;
}

/* The pairs of kind, or only those whose first instance writes for sure when the second one runs, with the element that
 * both use: { [S -> A[a]] -> [T -> A[a]] }. */
static __isl_give isl_union_map *element_pairs_of(const struct dependences *dependences, const struct array *array,
                                                  choose *kind, bool sure)
{
    isl_union_map *pairs = isl_union_map_empty(isl_set_get_space(dependences->program->context));

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        isl_map *from, *to, *which;
        if (dependence->from->array != array || !kind(dependence))
            continue;
        which = sure ? dependence_sure(dependences, dependence) : isl_map_copy(dependence->map);
        from = isl_map_range_map(isl_map_copy(dependence->from->map));
        to = isl_map_range_map(isl_map_copy(dependence->to->map));
        from = isl_map_zip(isl_map_apply_range(from, isl_map_reverse(to)));
        from = isl_map_zip(isl_map_intersect_domain(from, isl_map_wrap(which)));
        pairs = isl_union_map_union(pairs, isl_union_map_from_map(from));
    }
    return pairs;
}

/* An element that may be written keeps its value, unless it is for sure where it is read; and another one that is
 * overwritten says nothing about it. */
static __isl_give isl_union_map *flow_by_element(const struct dependences *dependences, const struct array *array)
{
    isl_union_map *flow = element_pairs_of(dependences, array, is_flow, false);
    isl_union_map *overwrite = element_pairs_of(dependences, array, is_any_overwrite, false);
    isl_union_map *last = element_pairs_of(dependences, array, is_flow, true);

    flow = isl_union_map_subtract(flow, isl_union_map_apply_range(overwrite, last));
    return isl_union_set_unwrap(isl_union_map_domain(isl_union_map_zip(flow)));
}

__isl_give isl_union_map *dependences_value_flow(const struct dependences *dependences, const struct array *array)
{
    if (has_may(dependences, array))
        return flow_by_element(dependences, array);
    isl_union_map *flow = pairs_of(dependences, array, is_flow);
    isl_union_map *overwrite = pairs_of(dependences, array, is_overwrite);

    return isl_union_map_subtract(flow, isl_union_map_apply_range(overwrite, isl_union_map_copy(flow)));
}

static bool has_quotients(__isl_keep isl_map *map)
{
    isl_set *set = isl_map_wrap(isl_map_copy(map));
    const bool locals = isl_set_involves_locals(set) != isl_bool_false;

    isl_set_free(set);
    return locals;
}

/* isl cuts each piece of the flow along all that are overwritten: where they are many and have quotients, that takes
 * longer than a warning is worth. */
static bool is_quick(const struct dependences *dependences, const struct array *array)
{
    int flow = 0, overwrite = 0;
    bool quotients = false;

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        const isl_size n = isl_map_n_basic_map(dependence->map);
        if (dependence->from->array != array)
            continue;
        flow += is_flow(dependence) ? n : 0;
        overwrite += is_overwrite(dependence) ? n : 0;
        quotients = quotients || has_quotients(dependence->map);
    }
    return !quotients || flow * overwrite <= MAX_CUTS;
}

/* Is what was written last there at the end? A function's state is for calls to come. */
static bool stays(const struct array *array)
{
    return array->role != ROLE_TEMP || (array->is_call && array->full_storage);
}

/* Instances whose value some later read gets, or that is there at the end. */
static __isl_give isl_union_set *useful_writes(const struct dependences *dependences, const struct array *array,
                                               __isl_take isl_union_set *writes)
{
    isl_union_set *useful = isl_union_map_domain(dependences_value_flow(dependences, array));
    isl_union_set *overwritten;

    if (!stays(array)) {
        isl_union_set_free(writes);
        return useful;
    }
    overwritten = isl_union_map_domain(pairs_of(dependences, array, is_overwrite));
    return isl_union_set_union(useful, isl_union_set_subtract(writes, overwritten));
}

/* A write is not worth a warning because some size is 0 or 1 and what would read it does not run: parameters from
 * a few up, if there are any such. */
static __isl_give isl_set *sizes_that_count(const struct program *program)
{
    isl_set *sizes = isl_set_copy(program->context);

    for (int k = 0; k < program->n_param; k++)
        sizes = isl_set_lower_bound_si(sizes, isl_dim_param, (unsigned)k, FEW);
    if (isl_set_is_empty(sizes) != isl_bool_true)
        return sizes;
    isl_set_free(sizes);
    return isl_set_copy(program->context);
}

/* The last iteration of a recurrence leaves a value of a variable that nothing reads: that is no warning. */
static void warn_statement(struct arena *arena, const struct dependences *dependences,
                           const struct statement *statement, __isl_keep isl_union_set *useful, struct diags *diags)
{
    isl_set *dead =
        isl_set_intersect_params(isl_set_copy(statement->domain), isl_set_copy(dependences->program->context));
    struct text instance = {0}, params = {0};
    isl_set *useful_here;
    bool carried;

    useful_here = isl_union_set_extract_set(useful, isl_set_get_space(dead));
    carried = statement->target->array->n_dim == statement->target->array->n_iteration &&
              isl_set_is_empty(useful_here) == isl_bool_false;
    dead = isl_set_subtract(dead, useful_here);
    dead = isl_set_intersect_params(dead, sizes_that_count(dependences->program));
    if (carried)
        isl_set_free(dead);
    else if (describe(arena, dependences->program, statement, dead, &instance, &params))
        diag_warning(diags, "dead-write", statement->target->place, "nothing reads what %s writes to `%s`%s",
                     text_str(&instance), statement->target->array->name, text_str(&params));
    text_free(&instance);
    text_free(&params);
}

static void warn_array(struct arena *arena, const struct dependences *dependences, const struct array *array,
                       struct diags *diags)
{
    const struct program *program = dependences->program;
    isl_union_set *writes = isl_union_set_empty(isl_set_get_space(program->context)), *useful;

    for (int s = 0; s < program->n_statement; s++)
        if (program->statement[s]->target->array == array)
            writes = isl_union_set_union(writes, isl_union_set_from_set(isl_set_copy(program->statement[s]->domain)));
    useful = useful_writes(dependences, array, writes);
    for (int s = 0; s < program->n_statement; s++)
        if (program->statement[s]->target->array == array)
            warn_statement(arena, dependences, program->statement[s], useful, diags);
    isl_union_set_free(useful);
}

/* A warning is worth no more than so many operations. */
enum { WARNING_OPERATIONS = 200000 };

void warn_dead_writes(struct arena *arena, const struct dependences *dependences, struct diags *diags)
{
    const struct program *program = dependences->program;
    unsigned long budget;

    if (isl_ctx_last_error(program->ctx) != isl_error_none)
        return;
    budget = poly_part_begin(program->ctx, WARNING_OPERATIONS);
    for (int k = 0; k < program->n_array; k++)
        if (worth_looking(dependences, &program->array[k]) && is_quick(dependences, &program->array[k]))
            warn_array(arena, dependences, &program->array[k], diags);
    poly_part_end(program->ctx, budget);
}
