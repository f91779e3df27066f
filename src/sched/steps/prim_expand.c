/* expand: a temporary gets one element for each iteration of some loops.
 *
 *     t = A[i];  B[i] = t * t     becomes     t[i] = A[i];  B[i] = t[i] * t[i]
 *
 * An instance S[s] that runs in iteration c(s) and used T[f(s)] uses T[c(s) - first, f(s)] afterwards:
 *     { S[s] -> T[f(s)] }   becomes   { S[s] -> T[c(s) - first, f(s)] }
 * It is legal when every value is read in the iteration that wrote it: { w -> r } has c(w) = c(r) for each of the
 * loops. With "as", statements outside of the loops keep T, and no value goes between them and those inside, which use
 * an array of that name.
 */
#include "dep/apart.h"
#include "dep/initialise.h"
#include "dep/legal.h"
#include "poly/coalesce.h"
#include "poly/keep.h"
#include "program/storage/grow.h"
#include "program/accesses.h"
#include "program/rewrite.h"
#include "sched/extent.h"
#include "sched/program_step.h"
#include "sched/steps/expand.h"

struct expansion {
    struct schedule *schedule;
    const struct step *step;
    const struct array *array;
    struct loop_ref *loop;
    struct loop_extent *extent;
    int n;
    const char *as;        /* the name of the array of statements inside; NULL: it stays what it is */
    bool shared;           /* do statements outside use it? */
    isl_union_set *inside; /* the instances that use the array inside of the loops; kept by the arena */
};

static struct place loop_place(const struct expansion *expansion, int k)
{
    return expansion->loop[k].place;
}

static enum status refuse(const struct expansion *expansion, struct place place, const char *hint, const char *text)
{
    return edit_refuse(expansion->schedule, place, "expand", hint, "%s", text);
}

static enum status find_array(struct expansion *expansion)
{
    const char *name = step_string(expansion->step, "expand", "");
    const struct place place = step_place(expansion->step, "expand");

    expansion->as = step_string(expansion->step, "as", NULL);
    if (expansion->as && !edit_name_free(expansion->schedule, NULL, expansion->as, step_place(expansion->step, "as")))
        return STATUS_REFUSED;
    expansion->array = program_array(expansion->schedule->program, name);
    if (!expansion->array)
        return edit_no_array(expansion->schedule, place, name);
    if (expansion->array->role != ROLE_TEMP)
        return refuse(expansion, place, NULL, "only a temporary can be expanded, others have the shape of the caller");
    return STATUS_OK;
}

static enum status measure(struct expansion *expansion, int k)
{
    if (extent_measure(expansion->schedule, &expansion->loop[k], &expansion->extent[k]))
        return STATUS_OK;
    return refuse(expansion, loop_place(expansion, k), NULL,
                  "the range of this loop is not given by affine expressions of the parameters");
}

static enum status find_loops(struct expansion *expansion)
{
    const struct value *over = step_value(expansion->step, "over");
    struct arena *arena = expansion->schedule->arena;

    if (over->n_item == 0)
        return refuse(expansion, step_place(expansion->step, "over"), NULL, "expand needs a loop");
    expansion->loop = ARENA_ARRAY(arena, over->n_item, struct loop_ref);
    expansion->extent = ARENA_ARRAY(arena, over->n_item, struct loop_extent);
    for (int k = 0; k < over->n_item; k++) {
        struct loop_ref *ref = &expansion->loop[k];
        if (!edit_loop(expansion->schedule, &over->item[k], ref) ||
            !edit_is_single(expansion->schedule, ref, "expand over"))
            return STATUS_REFUSED;
        for (int before = 0; before < k; before++)
            if (expansion->loop[before].info->id == ref->info->id)
                return refuse(expansion, ref->place, NULL, "this loop is listed twice");
        if (measure(expansion, k) != STATUS_OK)
            return STATUS_REFUSED;
        expansion->n = k + 1;
    }
    return STATUS_OK;
}

static enum status check_elements(const struct expansion *expansion, const struct statement *statement)
{
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].array == expansion->array &&
            isl_map_is_single_valued(statement->access[k].map) != isl_bool_true)
            return refuse(expansion, step_place(expansion->step, "expand"), NULL,
                          "which of its elements is used depends on data");
    return STATUS_OK;
}

/* Each use is inside of the loops, or with another name for the array all of the statement's uses are outside. */
static enum status check_place(struct expansion *expansion, const struct statement *statement)
{
    isl_union_set *all = isl_union_set_from_set(isl_set_copy(statement->domain)), *some = isl_union_set_copy(all);
    int outside = -1;
    bool none;

    for (int k = expansion->n - 1; k >= 0; k--) {
        if (isl_union_set_is_subset(all, expansion->loop[k].domain) != isl_bool_true)
            outside = k;
        some = isl_union_set_intersect(some, isl_union_set_copy(expansion->loop[k].domain));
    }
    none = isl_union_set_is_empty(some) == isl_bool_true;
    isl_union_set_free(some);
    if (outside < 0) {
        expansion->inside = isl_union_set_union(expansion->inside, all);
        return STATUS_OK;
    }
    isl_union_set_free(all);
    if (none && expansion->as) {
        expansion->shared = true;
        return STATUS_OK;
    }
    return edit_refuse(expansion->schedule, loop_place(expansion, outside), "expand",
                       none ? "`as` gives the statements inside an array of their own" : NULL,
                       "%s uses `%s` outside of this loop", statement->label, expansion->array->name);
}

static bool is_inside(const struct expansion *expansion, const struct statement *statement)
{
    isl_union_set *all = isl_union_set_from_set(isl_set_copy(statement->domain));
    const bool inside = isl_union_set_is_subset(all, expansion->inside) == isl_bool_true;

    isl_union_set_free(all);
    return inside && statement_uses_array(statement, expansion->array);
}

/* The smallest of the pairs { w -> r }, as an error at loop k. */
static enum status report_pair(const struct expansion *expansion, int k, __isl_keep isl_union_map *pairs,
                               const char *where)
{
    const struct dependences *dependences = schedule_dependences(expansion->schedule);
    struct violation violation;
    struct text writer = {0}, reader = {0}, element = {0}, params = {0};

    if (!legal_smallest_pair(expansion->schedule->arena, dependences, pairs, &violation))
        return refuse(expansion, loop_place(expansion, k), NULL, "values leave the iteration that writes them");
    violation_print_instance(&writer, violation.dependence->from->statement, violation.earlier);
    violation_print_instance(&reader, violation.dependence->to->statement, violation.later);
    violation_print_element(&element, expansion->schedule->arena, &violation);
    violation_print_params(&params, expansion->schedule->program, &violation);
    edit_refuse(expansion->schedule, loop_place(expansion, k), "expand",
                "expand over loops in whose iterations every value is written before it is read",
                "%s reads %s, which %s writes %s `%s`%s%s%s", text_str(&reader), text_str(&element), text_str(&writer),
                where, expansion->loop[k].info->name, params.size ? " (" : "", text_str(&params),
                params.size ? ")" : "");
    text_free(&writer);
    text_free(&reader);
    text_free(&element);
    text_free(&params);
    return STATUS_REFUSED;
}

static enum status check_flow(const struct expansion *expansion, int k, __isl_keep isl_union_map *flow)
{
    isl_multi_union_pw_aff *time =
        isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(expansion->loop[k].time));
    isl_union_map *within = pairs_at_once(isl_union_map_copy(flow), time);
    isl_union_map *leaving = isl_union_map_subtract(isl_union_map_copy(flow), within);
    enum status status = STATUS_OK;

    leaving = isl_union_map_intersect_params(leaving, isl_set_copy(expansion->schedule->program->context));
    if (isl_union_map_is_empty(leaving) != isl_bool_true)
        status = report_pair(expansion, k, leaving, "in another iteration of");
    isl_union_map_free(leaving);
    return status;
}

/* Values that go into the loops, or out of them. */
static enum status check_border(const struct expansion *expansion, __isl_keep isl_union_map *flow)
{
    isl_union_map *in = isl_union_map_subtract_domain(isl_union_map_copy(flow), isl_union_set_copy(expansion->inside));
    isl_union_map *out = isl_union_map_subtract_range(isl_union_map_copy(flow), isl_union_set_copy(expansion->inside));
    enum status status = STATUS_OK;

    in = isl_union_map_intersect_range(in, isl_union_set_copy(expansion->inside));
    out = isl_union_map_intersect_domain(out, isl_union_set_copy(expansion->inside));
    if (isl_union_map_is_empty(in) != isl_bool_true)
        status = report_pair(expansion, 0, in, "outside of");
    else if (isl_union_map_is_empty(out) != isl_bool_true)
        status = report_pair(expansion, 0, out, "inside of");
    isl_union_map_free(in);
    isl_union_map_free(out);
    return status;
}

static enum status check_uses(struct expansion *expansion)
{
    const struct program *program = expansion->schedule->program;
    enum status status = STATUS_OK;

    expansion->inside = isl_union_set_empty(isl_set_get_space(program->context));
    for (int s = 0; s < program->n_statement && status == STATUS_OK; s++) {
        if (!statement_uses_array(program->statement[s], expansion->array))
            continue;
        status = check_elements(expansion, program->statement[s]);
        if (status == STATUS_OK)
            status = check_place(expansion, program->statement[s]);
    }
    poly_keep_union_set(expansion->schedule->arena, expansion->inside);
    return status;
}

static enum status check(struct expansion *expansion)
{
    isl_union_map *flow;
    enum status status = check_uses(expansion);

    if (status != STATUS_OK)
        return status;
    flow = dependences_value_flow(schedule_dependences(expansion->schedule), expansion->array);
    if (expansion->as)
        status = check_border(expansion, flow);
    flow = isl_union_map_intersect_domain(flow, isl_union_set_copy(expansion->inside));
    for (int k = 0; k < expansion->n && status == STATUS_OK; k++)
        status = check_flow(expansion, k, flow);
    isl_union_map_free(flow);
    return status;
}

/* The subscripts of one access with the counts behind those of iterations that compute_at put there. */
static void redirect(const struct expansion *expansion, struct expr *access, struct expr *const *count,
                     const struct array *to)
{
    const int at = expansion->array->n_iteration, n = expansion->n;
    struct expr **arg = ARENA_ARRAY(expansion->schedule->arena, n + access->n_arg, struct expr *);

    for (int k = 0; k < n + access->n_arg; k++)
        arg[k] = k < at ? access->arg[k] : k < at + n ? count[k - at] : access->arg[k - n];
    access->array = to;
    access->arg = arg;
    access->n_arg += n;
}

static isl_map *expanded_map(const struct expansion *expansion, const struct statement *statement, isl_map *map,
                             const char *name)
{
    const unsigned at = (unsigned)expansion->array->n_iteration;
    const unsigned n = (unsigned)(expansion->array->n_dim + expansion->n);
    isl_map *result = isl_map_insert_dims(isl_map_copy(map), isl_dim_out, at, (unsigned)expansion->n);

    result = isl_map_set_tuple_name(result, isl_dim_out, name);
    for (int k = 0; k < expansion->n; k++) {
        isl_map *count = isl_map_from_pw_aff(extent_count(&expansion->loop[k], &expansion->extent[k], statement));
        count = isl_map_insert_dims(count, isl_dim_out, 1, n - at - (unsigned)k - 1);
        count = isl_map_insert_dims(count, isl_dim_out, 0, at + (unsigned)k);
        result = isl_map_intersect(result, isl_map_set_tuple_name(count, isl_dim_out, name));
    }
    return poly_keep_map(expansion->schedule->arena, poly_map_coalesce(result));
}

/* The statement uses `to` where it used `from`. */
static enum status expand_statement(const struct expansion *expansion, struct statement *statement,
                                    const struct array *from, const struct array *to)
{
    struct expr **count = ARENA_ARRAY(expansion->schedule->arena, expansion->n, struct expr *);
    const struct expr *done = NULL;

    for (int k = 0; k < expansion->n; k++) {
        count[k] = extent_count_expr(expansion->schedule, &expansion->loop[k], &expansion->extent[k], statement);
        if (!count[k])
            return edit_refuse(expansion->schedule, loop_place(expansion, k), "expand", NULL,
                               "its count has no single expression for %s", statement->label);
    }
    for (int k = 0; k < statement->n_access; k++) {
        struct access *access = &statement->access[k];
        if (access->array != from)
            continue;
        if (access->expr != done)
            redirect(expansion, (struct expr *)(uintptr_t)access->expr, count, to);
        done = access->expr;
        access->map = expanded_map(expansion, statement, access->map, to->name);
        access->array = to;
    }
    return STATUS_OK;
}

static void insert_extents(const struct expansion *expansion, struct array *array)
{
    struct expr **extent = ARENA_ARRAY(expansion->schedule->arena, expansion->n, struct expr *);

    for (int k = 0; k < expansion->n; k++)
        extent[k] = expansion->extent[k].size;
    array_insert_dims(expansion->schedule->arena, array, array->n_iteration, extent, expansion->n);
}

/* The array of the statements inside, still without the dimensions for the loops. */
static struct array *array_inside(const struct expansion *expansion, struct program *program)
{
    struct array *array = &program->array[expansion->array - expansion->schedule->program->array], *own;

    if (!expansion->as)
        return array;
    if (!expansion->shared) {
        array->name = expansion->as;
        return array;
    }
    own = program_add_array(expansion->schedule->arena, program);
    *own = *array;
    own->name = expansion->as;
    own->place = step_place(expansion->step, "as");
    return own;
}

static enum status change_program(const struct expansion *expansion)
{
    struct schedule *schedule = expansion->schedule;
    struct program *program = program_copy_arrays(schedule->arena, schedule->program);
    const struct array *from = &program->array[expansion->array - schedule->program->array];
    struct array *array = array_inside(expansion, program);

    for (int s = 0; s < program->n_statement; s++)
        if (is_inside(expansion, schedule->program->statement[s]) &&
            expand_statement(expansion, program->statement[s], from, array) != STATUS_OK)
            return STATUS_REFUSED;
    insert_extents(expansion, array);
    array->elements = poly_keep_set(schedule->arena, array_box(program, array, 0, array->n_dim));
    return program_step_replace(schedule, program);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct expansion expansion = {.schedule = schedule, .step = step};
    enum status status = find_array(&expansion);

    if (status == STATUS_OK)
        status = find_loops(&expansion);
    if (status == STATUS_OK)
        status = check(&expansion);
    if (status == STATUS_OK)
        status = change_program(&expansion);
    return status;
}

/* Does a statement outside of the loop use the array? */
static bool used_outside(const struct program *program, const struct array *array, const struct loop_ref *loop)
{
    bool outside = false;

    for (int s = 0; s < program->n_statement && !outside; s++) {
        isl_union_set *all = isl_union_set_from_set(isl_set_copy(program->statement[s]->domain));
        outside = statement_uses_array(program->statement[s], array) &&
                  isl_union_set_is_disjoint(all, loop->domain) == isl_bool_true;
        isl_union_set_free(all);
    }
    return outside;
}

enum status expand_over_loop(struct schedule *schedule, const struct step *step, const struct array *array,
                             const struct loop_ref *loop)
{
    struct loop_ref own = *loop;
    struct loop_extent extent;
    struct expansion expansion = {
        .schedule = schedule, .step = step, .array = array, .loop = &own, .extent = &extent, .n = 1};
    enum status status;

    if (used_outside(schedule->program, array, loop))
        expansion.as = program_default_name(schedule->arena, schedule->program, array->name, NULL, 0);
    status = measure(&expansion, 0);
    if (status == STATUS_OK)
        status = check(&expansion);
    return status == STATUS_OK ? change_program(&expansion) : status;
}

static const struct argument arguments[] = {
    {.key = "expand", .kind = ARGUMENT_TEXT, .required = true, .doc = "a temporary array"},
    {.key = "over", .kind = ARGUMENT_LOOPS, .required = true, .doc = "loops in whose iterations its values stay"},
    {.key = "as",
     .kind = ARGUMENT_NAME,
     .fallback = "the array's own",
     .doc = "the name of the array inside of the loops; statements outside keep the old one"},
    {0},
};

const struct primitive primitive_expand = {
    .name = "expand",
    .summary = "give each iteration its own elements of an array",
    .rule = "The array gets a dimension for each loop in `over`, so that each iteration has "
            "elements of its own. Iterations that only shared the memory are then independent. With `as`, "
            "statements outside the loops keep the array as it is.",
    .proved = "The array is a temporary, all of its uses are inside the loops, and no iteration reads "
              "what another one wrote. With `as`, no value goes into the loops or out of them.",
    .argument = arguments,
    .apply = apply,
};
