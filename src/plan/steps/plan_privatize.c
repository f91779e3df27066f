/* privatize: each iteration of a loop has its own copy of a temporary.
 *
 *     { S[s] -> T[f(s)] }   becomes   { S[s] -> T[c(s), f(s)] }   for the counts c of the loops down to this one
 *
 * It changes no result when every value is read in the iteration that wrote it, which is proved here; then what one
 * iteration does to T is no dependence between iterations. Contraction takes the counts away again. Where statements
 * outside of the loop use T, too, and no value goes between them and those inside, these have a temporary of their own.
 */
#include "dep/initialise.h"
#include "dep/legal.h"
#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "program/expr/index_expr.h"
#include "program/rewrite.h"
#include "program/storage/grow.h"
#include "sched/program_step.h"

struct privatizing {
    struct schedule *schedule;
    const struct step *step;
    const struct array *array;
    struct path path;      /* the loop, and those around it */
    isl_union_set *inside; /* what runs in the loop; kept by the arena */
    bool shared;           /* statements outside of the loop use the array, too */
    const char *own;       /* what that of the loop is called then */
};

static enum status refuse(const struct privatizing *privatizing, const char *key, const char *text)
{
    return edit_refuse(privatizing->schedule, step_place(privatizing->step, key), "privatize", NULL,
                       "`%s` cannot be private: %s", privatizing->array->name, text);
}

/* The instances of all pieces of a loop that was cut. */
static __isl_give isl_union_set *in_pieces(const struct order *order, const struct loop_info *uncut,
                                           __isl_take isl_union_set *found)
{
    if (order->kind == ORDER_LOOP && order->info->uncut == uncut)
        return isl_union_set_union(found, order_domain(order));
    for (int k = 0; k < order->n_child; k++)
        found = in_pieces(order->child[k], uncut, found);
    return found;
}

/* What runs in the loop; of one that was cut in all of its pieces, whose iterations have different counts. */
static __isl_give isl_union_set *instances_inside(const struct privatizing *privatizing)
{
    const struct order *loop = privatizing->path.loop[privatizing->path.depth - 1];
    isl_union_set *inside = order_domain(loop);

    return loop->info->uncut ? in_pieces(privatizing->schedule->order, loop->info->uncut, inside) : inside;
}

static enum status find(struct privatizing *privatizing)
{
    struct schedule *schedule = privatizing->schedule;
    const char *name = step_string(privatizing->step, "privatize", "");
    struct loop_ref ref;

    privatizing->array = program_array(schedule->program, name);
    if (!privatizing->array)
        return edit_no_array(schedule, step_place(privatizing->step, "privatize"), name);
    if (privatizing->array->role != ROLE_TEMP)
        return refuse(privatizing, "privatize", "it is no temporary, but the caller's");
    privatizing->own = step_string(privatizing->step, "as", NULL);
    if (privatizing->own && !edit_name_free(schedule, NULL, privatizing->own, step_place(privatizing->step, "as")))
        return STATUS_REFUSED;
    if (!privatizing->own)
        privatizing->own = program_default_name(schedule->arena, schedule->program, name, NULL, 0);
    if (!edit_loop_argument(schedule, privatizing->step, "at", &ref))
        return STATUS_REFUSED;
    if (order_count(schedule->order, ref.info->id) != 1)
        return refuse(privatizing, "at", "there are several copies of this loop");
    if (!path_find_through(schedule->arena, schedule->order, ref.node, &privatizing->path))
        return edit_refuse(schedule, step_place(privatizing->step, "at"), "privatize",
                           "`bind` the parts of the collapsed loop in front of this step",
                           "`%s` cannot be private: blocks have runs of a collapsed loop's iterations",
                           privatizing->array->name);
    privatizing->inside = poly_keep_union_set(schedule->arena, instances_inside(privatizing));
    return STATUS_OK;
}

/* Those that say which values of the array are read where: all where it is written under a condition on data, as what
 * that reads must not change. */
static const struct dependences *dependences_about(const struct privatizing *privatizing)
{
    const struct program *program = privatizing->schedule->program;
    bool guarded = false;

    for (int s = 0; s < program->n_statement && !guarded; s++)
        guarded = program->statement[s]->guard && program->statement[s]->target->array == privatizing->array;
    return guarded ? schedule_dependences(privatizing->schedule)
                   : schedule_dependences_of(privatizing->schedule, privatizing->array);
}

/* The pairs of a write and a read of its value in different iterations, or one of which is outside of the loop. */
static __isl_give isl_union_map *leaving(const struct privatizing *privatizing)
{
    isl_union_map *flow = dependences_value_flow(dependences_about(privatizing), privatizing->array);
    isl_union_map *within = isl_union_map_copy(flow), *outside;

    within = isl_union_map_intersect_domain(within, isl_union_set_copy(privatizing->inside));
    within = isl_union_map_intersect_range(within, isl_union_set_copy(privatizing->inside));
    flow = isl_union_map_subtract(flow, path_at_once(&privatizing->path, within));
    outside = isl_union_map_subtract_domain(isl_union_map_copy(flow), isl_union_set_copy(privatizing->inside));
    outside = isl_union_map_subtract_range(outside, isl_union_set_copy(privatizing->inside));
    flow = isl_union_map_subtract(flow, outside);
    return isl_union_map_intersect_params(flow, isl_set_copy(privatizing->schedule->program->context));
}

static enum status report_leaving(const struct privatizing *privatizing, __isl_keep isl_union_map *pairs)
{
    const struct schedule *schedule = privatizing->schedule;
    struct violation violation;
    struct text reason = {0};

    if (!legal_smallest_pair(schedule->arena, schedule_dependences(schedule), pairs, &violation))
        return refuse(privatizing, "at", "a value may be read in another iteration than wrote it");
    violation_print_reason(&reason, schedule->arena, schedule->program, &violation);
    edit_refuse(privatizing->schedule, step_place(privatizing->step, "at"), "privatize",
                "every iteration must write what it reads", "a value leaves its iteration: %s", text_str(&reason));
    text_free(&reason);
    return STATUS_REFUSED;
}

/* Do the counts of the loops stand in front of the subscripts already? */
static bool has_counts(const struct privatizing *privatizing, const struct statement *statement,
                       const struct access *access)
{
    const unsigned depth = (unsigned)privatizing->path.depth, n = (unsigned)access->array->n_dim;
    isl_map *first = isl_map_reset_tuple_id(isl_map_copy(access->map), isl_dim_out), *counts;
    bool has;

    first = isl_map_project_out(first, isl_dim_out, depth, n - depth);
    counts = isl_map_reset_tuple_id(poly_graph(path_iteration(&privatizing->path, statement)), isl_dim_out);
    has = isl_map_is_subset(first, counts) == isl_bool_true;
    isl_map_free(first);
    isl_map_free(counts);
    return has;
}

/* Has every iteration its own elements by a step before this one? */
static bool is_private(const struct privatizing *privatizing)
{
    const struct program *program = privatizing->schedule->program;
    bool own = privatizing->array->n_iteration >= privatizing->path.depth;

    for (int s = 0; own && s < program->n_statement; s++)
        for (int k = 0; own && k < program->statement[s]->n_access; k++)
            if (program->statement[s]->access[k].array == privatizing->array)
                own = has_counts(privatizing, program->statement[s], &program->statement[s]->access[k]);
    return own;
}

/* The instances of the statement in the loop, of those that use the array; NULL: none, or all of them are there. */
static __isl_give isl_set *part_inside(const struct privatizing *privatizing, const struct statement *statement)
{
    isl_set *inside = isl_union_set_extract_set(privatizing->inside, isl_set_get_space(statement->domain)), *outside;
    bool parted;

    inside = isl_set_intersect(inside, isl_set_copy(statement->domain));
    outside = isl_set_subtract(isl_set_copy(statement->domain), isl_set_copy(inside));
    parted = isl_set_is_empty(inside) != isl_bool_true && isl_set_is_empty(outside) != isl_bool_true;
    isl_set_free(outside);
    return parted && statement_uses_array(statement, privatizing->array) ? inside : isl_set_free(inside);
}

/* A statement that uses the array in the loop and outside of it becomes two. *done: none does. */
static enum status divide_once(struct privatizing *privatizing, bool *done)
{
    struct schedule *schedule = privatizing->schedule;

    *done = false;
    for (int s = 0; s < schedule->program->n_statement; s++) {
        isl_set *inside = part_inside(privatizing, schedule->program->statement[s]);
        if (inside)
            return program_step_divide(schedule, schedule->program->statement[s], inside);
    }
    *done = true;
    return STATUS_OK;
}

/* Are there statements outside of the loop that use the array? */
static bool is_used_outside(const struct privatizing *privatizing)
{
    const struct program *program = privatizing->schedule->program;
    bool used = false;

    for (int s = 0; s < program->n_statement && !used; s++) {
        isl_union_set *all = isl_union_set_from_set(isl_set_copy(program->statement[s]->domain));
        used = statement_uses_array(program->statement[s], privatizing->array) &&
               isl_union_set_is_subset(all, privatizing->inside) != isl_bool_true;
        isl_union_set_free(all);
    }
    return used;
}

static enum status check(struct privatizing *privatizing)
{
    isl_union_map *pairs;
    enum status status = STATUS_OK;

    if (privatizing->array->init_zero)
        return refuse(privatizing, "privatize", "it starts with zeros, which only the first iteration would see");
    if (is_private(privatizing))
        return edit_refuse(privatizing->schedule, privatizing->step->place, "privatize", "leave the step out",
                           "each iteration has a `%s` of its own already", privatizing->array->name);
    privatizing->shared = is_used_outside(privatizing);
    pairs = leaving(privatizing);
    if (isl_union_map_is_empty(pairs) != isl_bool_true)
        status = report_leaving(privatizing, pairs);
    isl_union_map_free(pairs);
    return status;
}

static struct expr *count_of(const struct privatizing *privatizing, const struct statement *statement, int k)
{
    isl_multi_pw_aff *iteration = path_iteration(&privatizing->path, statement);
    isl_pw_aff *count = isl_multi_pw_aff_get_pw_aff(iteration, k);

    isl_multi_pw_aff_free(iteration);
    count = poly_pw_aff_coalesce(isl_pw_aff_gist(count, isl_set_copy(statement->domain)));
    return index_expr_of_integer(privatizing->schedule->arena, privatizing->schedule->program, count);
}

static isl_map *own_map(const struct privatizing *privatizing, const struct statement *statement,
                        __isl_keep isl_map *access, const char *name)
{
    isl_map *map = poly_graph(path_iteration(&privatizing->path, statement));

    map = isl_map_intersect_domain(map, isl_set_copy(statement->domain));
    map = isl_map_flat_range_product(map, isl_map_reset_tuple_id(isl_map_copy(access), isl_dim_out));
    map = isl_map_set_tuple_name(map, isl_dim_out, name);
    return poly_keep_map(privatizing->schedule->arena, poly_map_coalesce(map));
}

/* The counts in front of the subscripts, of array `own`; false when one has no single expression. */
static bool add_counts(const struct privatizing *privatizing, const struct statement *statement, struct expr *access,
                       const struct array *own)
{
    const int depth = privatizing->path.depth;
    struct expr **arg = ARENA_ARRAY(privatizing->schedule->arena, depth + access->n_arg, struct expr *);

    for (int k = 0; k < depth; k++) {
        arg[k] = count_of(privatizing, statement, k);
        if (!arg[k])
            return false;
    }
    for (int k = 0; k < access->n_arg; k++)
        arg[depth + k] = access->arg[k];
    access->array = own;
    access->arg = arg;
    access->n_arg += depth;
    return true;
}

/* It uses `own` where it used the array. */
static enum status change_statement(const struct privatizing *privatizing, struct statement *statement,
                                    const struct array *array, const struct array *own)
{
    const struct expr *done = NULL;

    for (int k = 0; k < statement->n_access; k++) {
        struct access *access = &statement->access[k];
        if (access->array != array)
            continue;
        if (access->expr != done && !add_counts(privatizing, statement, (struct expr *)(uintptr_t)access->expr, own))
            return edit_refuse(privatizing->schedule, step_place(privatizing->step, "at"), "privatize", NULL,
                               "the iteration of %s has no single expression", statement->label);
        done = access->expr;
        access->map = own_map(privatizing, statement, access->map, own->name);
        access->array = own;
    }
    return STATUS_OK;
}

static void change_array(const struct privatizing *privatizing, struct array *array)
{
    struct arena *arena = privatizing->schedule->arena;
    const int depth = privatizing->path.depth;
    struct expr **extent = ARENA_ARRAY(arena, depth, struct expr *);
    isl_set *elements = isl_set_insert_dims(isl_set_copy(array->elements), isl_dim_set, 0, (unsigned)depth);

    for (int k = 0; k < depth; k++)
        extent[k] = index_constant(arena, 1);
    array_insert_dims(arena, array, 0, extent, depth);
    array->n_iteration += depth;
    array->elements = poly_keep_set(arena, isl_set_set_tuple_name(elements, array->name));
}

/* The array of the statements in the loop, still without the dimensions for iterations. */
static struct array *array_inside(const struct privatizing *privatizing, struct program *program, struct array *array)
{
    struct array *own = array;

    if (privatizing->shared) {
        own = program_add_array(privatizing->schedule->arena, program);
        *own = *array;
        own->place = privatizing->step->place;
    }
    if (privatizing->shared || step_value(privatizing->step, "as"))
        own->name = privatizing->own;
    return own;
}

static enum status change_program(const struct privatizing *privatizing)
{
    struct schedule *schedule = privatizing->schedule;
    struct program *program = program_copy_arrays(schedule->arena, schedule->program);
    struct array *array = &program->array[privatizing->array - schedule->program->array];
    struct array *own = array_inside(privatizing, program, array);
    enum status status = STATUS_OK;

    for (int s = 0; s < program->n_statement && status == STATUS_OK; s++) {
        isl_union_set *all = isl_union_set_from_set(isl_set_copy(program->statement[s]->domain));

        if (isl_union_set_is_subset(all, privatizing->inside) == isl_bool_true)
            status = change_statement(privatizing, program->statement[s], array, own);
        isl_union_set_free(all);
    }
    change_array(privatizing, own);
    return status == STATUS_OK ? program_step_replace(schedule, program) : status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct privatizing privatizing = {.schedule = schedule, .step = step};
    enum status status = STATUS_OK;
    bool done = false;

    while (!done && status == STATUS_OK) {
        status = find(&privatizing);
        if (status == STATUS_OK)
            status = divide_once(&privatizing, &done);
    }
    if (status == STATUS_OK)
        status = check(&privatizing);
    return status == STATUS_OK ? change_program(&privatizing) : status;
}

static const struct argument arguments[] = {
    {.key = "privatize", .kind = ARGUMENT_TEXT, .required = true, .doc = "a temporary array"},
    {.key = "at", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop whose iterations each have their own"},
    {.key = "as",
     .kind = ARGUMENT_NAME,
     .fallback = "t_1 for a temporary t",
     .doc = "what that of the loop is called where statements outside of it use the temporary, too"},
    {0},
};

const struct primitive primitive_privatize = {
    .name = "privatize",
    .summary = "give each iteration its own temporary",
    .rule = "Each iteration of a loop works on a temporary of its own. The loop may then run in "
            "threads, lanes or blocks. The step is not needed where such a loop can be had by it alone: "
            "`parallelize`, `vectorize` and `bind` then do the same by themselves.",
    .proved = "Each value is read in the iteration that wrote it. Where statements outside of the loop use the "
              "temporary, too, no value goes between them and the loop.",
    .argument = arguments,
    .apply = apply,
};
