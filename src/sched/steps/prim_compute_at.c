/* compute_at: the statements P that compute a temporary move under a loop of its readers (CINN's ComputeAt, Halide).
 *
 * Each iteration c of that loop computes what its readers need,
 *     P[p]   becomes   P[c, p]   for { (c, p) : some reader S[s] in iteration c reads what P[p] writes }
 * the exact set, halos included, or the box around it where that has few instances more, for one P after the other:
 * the initialisation of a reduction, its updates, what follows. An element that several iterations need is computed in
 * each of them: the array gets the iteration as further subscripts, which contraction takes away again at the end (it
 * must: see storage/contract.h). It is legal when what P reads keeps its value until the readers run.
 *
 * With `store_at` only the loops further out tell elements apart, and c is the first of their iterations that needs
 * P[p]: no iteration of the loops between computes it again.
 */
#include "poly/coalesce.h"
#include "poly/graph.h"
#include "program/expr/index_expr.h"
#include "program/rewrite.h"
#include "program/storage/grow.h"
#include "sched/program_step.h"
#include "sched/steps/placing.h"
#include "sched/steps/undone.h"

#include <isl/space.h>

#include <string.h>

static enum status refuse_loop(const struct placing *placing, const char *hint, const char *text)
{
    return edit_refuse(placing->schedule, step_place(placing->step, "loop"), "compute_at", hint,
                       "`%s` cannot be computed at `%s`: %s", placing->moving.array->name,
                       step_string(placing->step, "loop", ""), text);
}

static enum status find_loop(struct placing *placing)
{
    struct loop_ref ref;

    if (!edit_loop_argument(placing->schedule, placing->step, "loop", &ref))
        return STATUS_REFUSED;
    if (order_count(placing->schedule->order, ref.info->id) != 1)
        return refuse_loop(placing, "name one of them by a label", "there are several copies of this loop");
    if (!path_find_through(placing->schedule->arena, placing->schedule->order, ref.node, &placing->path))
        return refuse_loop(placing, NULL, "blocks have runs of a collapsed loop's iterations");
    for (int k = 0; k < placing->n; k++)
        if (order_has(ref.node, placing->part[k].producer))
            return refuse_loop(placing, NULL, "the array is already computed inside this loop");
    return STATUS_OK;
}

static enum status refuse_store(const struct placing *placing, const char *hint, const char *text)
{
    return edit_refuse(placing->schedule, step_place(placing->step, "store_at"), "compute_at", hint,
                       "`%s` cannot be stored at `%s`: %s", placing->moving.array->name,
                       step_string(placing->step, "store_at", ""), text);
}

static bool has_loop_named(const struct order *order, const char *name)
{
    bool found = order->kind == ORDER_LOOP && strcmp(order->info->name, name) == 0;

    for (int k = 0; k < order->n_child && !found; k++)
        found = has_loop_named(order->child[k], name);
    return found;
}

/* Around which loops the array is stored: those that it is computed in, or fewer. */
static enum status find_store(struct placing *placing)
{
    const char *name = step_string(placing->step, "store_at", NULL);
    struct loop_ref ref;

    placing->stored = placing->path.depth;
    if (!name)
        return STATUS_OK;
    if (strcmp(name, "root") == 0) {
        placing->stored = 0;
        return !has_loop_named(placing->schedule->order, name)
                   ? STATUS_OK
                   : refuse_store(placing, "another name for this loop", "a loop has this name, too");
    }
    if (!edit_loop_argument(placing->schedule, placing->step, "store_at", &ref))
        return STATUS_REFUSED;
    for (int k = 0; k < placing->path.depth; k++)
        if (placing->path.loop[k] == ref.node)
            placing->stored = k + 1;
    if (placing->path.loop[placing->stored - 1] == ref.node)
        return STATUS_OK;
    return refuse_store(placing, "a loop around it, or \"root\" for the whole function",
                        arena_printf(placing->schedule->arena, "this loop is not around `%s`",
                                     step_string(placing->step, "loop", "")));
}

/* { P[c, p] -> P'[p] }, the instance that it is a copy of; the tuple names are both P's label. */
static __isl_give isl_map *origin(const struct placing *placing, const struct placed *part)
{
    const unsigned depth = (unsigned)placing->path.depth;
    isl_map *map = isl_map_from_domain_and_range(isl_set_universe(isl_set_get_space(part->region)),
                                                 isl_set_universe(isl_set_get_space(part->producer->domain)));

    for (int k = 0; k < part->producer->n_loop; k++)
        map = isl_map_equate(map, isl_dim_in, (int)depth + k, isl_dim_out, k);
    return isl_map_intersect_domain(map, isl_set_copy(part->region));
}

/* { X[..] -> B[c, a] } out of { X -> [c] } and { X -> B[a] }, of c the loops that the array is stored for. */
static isl_map *with_iteration(const struct placing *placing, __isl_take isl_map *iteration,
                               __isl_take isl_map *element)
{
    const unsigned depth = (unsigned)placing->path.depth, stored = (unsigned)placing->stored;
    isl_map *map;

    iteration = isl_map_project_out(iteration, isl_dim_out, stored, depth - stored);
    map = isl_map_flat_range_product(iteration, isl_map_reset_tuple_id(element, isl_dim_out));
    map = isl_map_set_tuple_name(map, isl_dim_out, placing->moving.array->name);
    return program_step_keep_map(placing->schedule->arena, map);
}

static struct expr *loop_expr(struct arena *arena, int loop)
{
    struct expr *expr = ARENA_NEW(arena, struct expr);

    expr->kind = EXPR_LOOP;
    expr->loop = loop;
    return expr;
}

/* The access with the iteration's counts in front of its subscripts. */
static void prepend(struct arena *arena, struct expr *access, struct expr *const *count, int depth)
{
    struct expr **arg = ARENA_ARRAY(arena, depth + access->n_arg, struct expr *);

    for (int k = 0; k < depth; k++)
        arg[k] = count[k];
    for (int k = 0; k < access->n_arg; k++)
        arg[depth + k] = access->arg[k];
    access->arg = arg;
    access->n_arg += depth;
}

static void shift_loops(struct expr *expr, int depth)
{
    if (expr->kind == EXPR_LOOP)
        expr->loop += depth;
    for (int k = 0; k < expr->n_arg; k++)
        shift_loops(expr->arg[k], depth);
}

static const char **moved_names(const struct placing *placing, const struct statement *producer)
{
    const int depth = placing->path.depth;
    const char **name = ARENA_ARRAY(placing->schedule->arena, depth + producer->n_loop, const char *);

    for (int k = 0; k < depth; k++)
        name[k] = placing->path.loop[k]->info->name;
    for (int k = 0; k < producer->n_loop; k++)
        name[depth + k] = producer->loop_name[k];
    return name;
}

/* { P[c, p] -> [c] } */
static __isl_give isl_map *own_iteration(const struct placing *placing, const struct placed *part)
{
    const unsigned n = (unsigned)part->producer->n_loop;
    isl_map *map =
        isl_map_from_domain_and_range(isl_set_copy(part->region), isl_set_universe(isl_set_get_space(part->region)));

    map = isl_map_reset_tuple_id(map, isl_dim_out);
    for (int k = 0; k < placing->path.depth; k++)
        map = isl_map_equate(map, isl_dim_in, k, isl_dim_out, k);
    return isl_map_project_out(map, isl_dim_out, (unsigned)placing->path.depth, n);
}

/* Accesses of the array, which is the copy's, have the iteration in front; an update has one expression for two. */
static void move_accesses(struct placing *placing, const struct placed *part, struct expr *const *count)
{
    struct arena *arena = placing->schedule->arena;

    for (int k = 0; k < part->moved->n_access; k++) {
        struct access *access = &part->moved->access[k];
        isl_map *map = isl_map_apply_range(origin(placing, part), isl_map_copy(access->map));
        if (access->array != placing->array) {
            access->map = program_step_keep_map(arena, map);
            continue;
        }
        access->map = with_iteration(placing, own_iteration(placing, part), map);
        if (access->expr->n_arg == placing->moving.array->n_dim)
            prepend(arena, (struct expr *)(uintptr_t)access->expr, count, placing->stored);
    }
}

static void move_producer(struct placing *placing, struct placed *part)
{
    struct arena *arena = placing->schedule->arena;
    const int depth = placing->path.depth;
    struct statement *moved = part->moved = placing->program->statement[part->producer->index];
    struct expr **count = ARENA_ARRAY(arena, depth, struct expr *);

    shift_loops(moved->target, depth);
    shift_loops(moved->value, depth);
    for (int k = 0; k < depth; k++)
        count[k] = loop_expr(arena, k);
    move_accesses(placing, part, count);
    moved->loop_name = moved_names(placing, part->producer);
    moved->n_loop += depth;
    moved->domain = program_step_keep_set(arena, isl_set_copy(part->region));
}

/* The counts of the loops around reader that the array is stored for, as expressions of its own loops; false when one
 * has no single expression. */
static bool reader_counts(const struct placing *placing, const struct statement *reader, struct expr **count)
{
    isl_multi_pw_aff *iteration = path_iteration(&placing->path, reader);
    bool all = true;

    for (int k = 0; k < placing->stored; k++) {
        isl_pw_aff *own = isl_pw_aff_gist(isl_multi_pw_aff_get_pw_aff(iteration, k), isl_set_copy(reader->domain));
        count[k] = index_expr_of(placing->schedule->arena, placing->program, poly_pw_aff_coalesce(own));
        all = all && count[k];
    }
    isl_multi_pw_aff_free(iteration);
    return all;
}

static enum status redirect_reader(struct placing *placing, struct statement *reader)
{
    struct expr **count = ARENA_ARRAY(placing->schedule->arena, placing->stored + 1, struct expr *);

    if (!reader_counts(placing, reader, count))
        return refuse_loop(placing, NULL, "the loops around it have no single expression for a reader");
    for (int k = 0; k < reader->n_access; k++) {
        struct access *access = &reader->access[k];
        if (access->array != placing->array)
            continue;
        prepend(placing->schedule->arena, (struct expr *)(uintptr_t)access->expr, count, placing->stored);
        access->map =
            with_iteration(placing, poly_graph(path_iteration(&placing->path, reader)), isl_map_copy(access->map));
    }
    return STATUS_OK;
}

/* The array with the iteration in front; the extents there are never printed. */
static void grow_array(struct placing *placing)
{
    struct arena *arena = placing->schedule->arena;
    const int stored = placing->stored;
    struct expr **extent = ARENA_ARRAY(arena, stored + 1, struct expr *);
    isl_set *elements = isl_map_range(isl_map_copy(placing->part[0].moved->access[0].map));

    for (int k = 0; k < stored; k++)
        extent[k] = index_constant(arena, 1);
    for (int k = 1; k < placing->n; k++)
        elements = isl_set_union(elements, isl_map_range(isl_map_copy(placing->part[k].moved->access[0].map)));
    if (stored > 0)
        array_insert_dims(arena, placing->array, 0, extent, stored);
    placing->array->n_iteration += stored;
    placing->array->window = placing->array->window || stored < placing->path.depth;
    placing->array->elements = program_step_keep_set(arena, poly_set_coalesce(elements));
}

static enum status change_program(struct placing *placing)
{
    const struct program *before = placing->schedule->program;
    enum status status = STATUS_OK;

    placing->program = program_copy_arrays(placing->schedule->arena, before);
    placing->array = &placing->program->array[placing->moving.array - before->array];
    for (int s = 0; s < before->n_statement && status == STATUS_OK; s++)
        if (moving_reads(&placing->moving, before->statement[s]) && !placing_moves(placing, before->statement[s]))
            status = redirect_reader(placing, placing->program->statement[s]);
    if (status != STATUS_OK)
        return status;
    for (int k = 0; k < placing->n; k++)
        move_producer(placing, &placing->part[k]);
    grow_array(placing);
    return STATUS_OK;
}

/* A loop over dimension dim of the moved statement. */
static const struct order *dimension_loop(struct placing *placing, const struct placed *part, const char *name, int dim,
                                          const struct order *body)
{
    const struct loop_info plain = {.stride = 1, .unit = 1};
    const struct loop_info *info = edit_new_info(placing->schedule, &plain, name, placing->step);

    return order_loop(placing->schedule->arena, info, path_dimension(part->region, dim), body);
}

static const struct order *moved_leaf(struct placing *placing, const struct placed *part)
{
    return order_leaf(placing->schedule->arena, part->moved, isl_set_copy(part->region));
}

/* P[c, p] for one iteration c: loops over p. */
static const struct order *inner_loops(struct placing *placing, const struct placed *part)
{
    const struct order *order = moved_leaf(placing, part);

    for (int k = part->producer->n_loop - 1; k >= 0; k--)
        order = dimension_loop(placing, part, part->loop_name[k], placing->path.depth + k, order);
    return order;
}

/* In the description's order the copies of P[p] run where it ran, by iteration. */
static const struct order *copies_in_place(struct placing *placing, const struct placed *part)
{
    const struct order *order = moved_leaf(placing, part);

    for (int k = placing->path.depth - 1; k >= 0; k--)
        order = dimension_loop(placing, part, placing->path.loop[k]->info->name, k, order);
    return order;
}

/* { [c] -> [p] } of the region, where c are the loops that the array is stored for: each of their iterations runs what
 * it needs once. */
static void note_runs(struct placing *placing, const struct placed *part)
{
    struct schedule *schedule = placing->schedule;
    const unsigned depth = (unsigned)placing->path.depth, stored = (unsigned)placing->stored;
    isl_map *runs;

    if (stored == 0)
        return;
    runs = isl_map_from_range(isl_set_reset_tuple_id(isl_set_copy(part->region)));
    runs = isl_map_project_out(runs, isl_dim_out, stored, depth - stored);
    runs = isl_map_move_dims(runs, isl_dim_in, 0, isl_dim_out, 0, stored);
    VEC_PUSH(schedule->arena, &schedule->repetitions,
             ((struct repetition){part->moved->label, placing->path.loop[stored - 1]->info->name,
                                  program_step_keep_map(schedule->arena, runs)}));
}

static enum status move(struct placing *placing)
{
    struct schedule *schedule = placing->schedule;
    struct relocation *relocation = ARENA_ARRAY(schedule->arena, placing->n, struct relocation);
    bool *moved = ARENA_ARRAY(schedule->arena, schedule->program->n_statement, bool);
    enum status status;

    for (int k = 0; k < placing->n; k++) {
        const struct placed *part = &placing->part[k];
        relocation[k] = (struct relocation){part->producer,
                                            part->moved,
                                            &placing->path,
                                            inner_loops(placing, part),
                                            copies_in_place(placing, part),
                                            origin(placing, part)};
        moved[part->moved->index] = true;
        note_runs(placing, part);
    }
    schedule_move_members(schedule, moved, placing_target(placing));
    status = program_step_move(schedule, placing->program, relocation, placing->n);
    for (int k = 0; k < placing->n; k++)
        isl_map_free(relocation[k].origin);
    return status;
}

static enum status find_parts(struct placing *placing)
{
    writer_vec writers = {0};
    enum status status = moving_find_all(&placing->moving, placing->schedule, placing->step, "compute_at", &writers);

    if (status != STATUS_OK)
        return status;
    placing->n = writers.n;
    placing->part = ARENA_ARRAY(placing->schedule->arena, writers.n, struct placed);
    for (int k = 0; k < writers.n; k++)
        placing->part[k].producer = writers.at[k];
    return STATUS_OK;
}

static bool has_loop(const struct placing *placing, const char *name)
{
    for (int k = 0; k < placing->n; k++)
        for (int i = 0; i < placing->part[k].producer->n_loop; i++)
            if (strcmp(placing->part[k].producer->loop_name[i], name) == 0)
                return true;
    return false;
}

/* What a loop that is made anew is called: as the step says, or like the old one. */
static const char *new_name(const struct placing *placing, const char *old)
{
    const struct loop_ref ref = {.node = placing_target(placing)};
    const struct value *as = value_member(step_value(placing->step, "as"), old);

    if (!as)
        return edit_name_like(placing->schedule, &ref, old);
    return edit_name_free(placing->schedule, &ref, as->string, as->place) ? as->string : NULL;
}

/* Is loop i of the part, made anew, called like another one of its statement? */
static bool is_named_again(const struct placed *part, int i)
{
    for (int k = 0; k < i; k++)
        if (strcmp(part->loop_name[k], part->loop_name[i]) == 0)
            return true;
    return false;
}

static enum status find_names(struct placing *placing)
{
    const struct value *as = step_value(placing->step, "as");

    for (int k = 0; as && k < as->n_item; k++)
        if (!has_loop(placing, as->key[k]))
            return edit_refuse(placing->schedule, as->key_place[k], "compute_at", NULL,
                               "`%s` is no loop of a statement that computes `%s`", as->key[k],
                               placing->moving.array->name);
    for (int k = 0; k < placing->n; k++) {
        struct placed *part = &placing->part[k];
        part->loop_name = ARENA_ARRAY(placing->schedule->arena, part->producer->n_loop + 1, const char *);
        for (int i = 0; i < part->producer->n_loop; i++) {
            part->loop_name[i] = new_name(placing, part->producer->loop_name[i]);
            if (!part->loop_name[i])
                return STATUS_REFUSED;
            if (as && is_named_again(part, i))
                return edit_refuse(placing->schedule, as->place, "name", NULL, "two loops would be called `%s`",
                                   part->loop_name[i]);
        }
    }
    return STATUS_OK;
}

static enum status check_undone(struct placing *placing)
{
    enum status status = STATUS_OK;

    for (int k = 0; k < placing->n && status == STATUS_OK; k++) {
        placing->moving.producer = placing->part[k].producer;
        status = undone_check(&placing->moving, placing->path.loop, placing->path.depth);
    }
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct placing placing = {.schedule = schedule, .step = step};
    enum status status = find_parts(&placing);

    if (status == STATUS_OK)
        status = find_loop(&placing);
    if (status == STATUS_OK)
        status = find_store(&placing);
    if (status == STATUS_OK && placing.moving.array->full_storage && placing.stored > 0)
        status = moving_refuse(&placing.moving, "\"store_at\": \"root\" keeps all of it",
                               "its \"storage\" is \"full\", and this step makes it smaller");
    if (status == STATUS_OK)
        status = find_names(&placing);
    if (status == STATUS_OK)
        status = check_undone(&placing);
    if (status == STATUS_OK)
        status = placing_find_region(&placing);
    if (status == STATUS_OK)
        status = change_program(&placing);
    if (status == STATUS_OK)
        status = move(&placing);
    for (int k = 0; k < placing.n; k++)
        isl_set_free(placing.part[k].region);
    return status;
}

static const struct argument arguments[] = {
    {.key = "compute_at", .kind = ARGUMENT_TEXT, .required = true, .doc = "a temporary array"},
    {.key = "loop", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop of its readers that it moves under"},
    {.key = "store_at",
     .kind = ARGUMENT_TEXT,
     .doc = "a loop around, or `root`: each of its iterations stores the array once, so that the iterations of `loop` "
            "compute what no earlier one has; without it each computes all that it reads"},
    {.key = "as", .kind = ARGUMENT_LOOP_NAMES, .fallback = "j_1 for j", .doc = "names of the loops that are made anew"},
    {0},
};

const struct primitive primitive_compute_at = {
    .name = "compute_at",
    .summary = "compute an array under a loop of its readers",
    .rule = "Each iteration of a loop first computes those elements of a temporary that it reads, "
            "halo included; of a cross or the like, the box around it, where that has few elements more. "
            "Elements that several iterations read are computed several times. The temporary shrinks to what one "
            "iteration needs. Its loops are made anew: steps on them "
            "come after this one. Several statements, such as the initialisation and the updates of a "
            "reduction, get loops of their own, which `fuse` joins. With `store_at`, elements are computed "
            "once in each iteration of that loop, or in all, in front of the first one that reads them: "
            "a sliding window. What is live at a time is stored, at subscripts modulo a constant number "
            "(`g[i % 3, j]`, a line buffer) where the loops between run one iteration after the other; along "
            "lanes of vectors nothing is folded. The first iteration computes more than the others; `peel` "
            "takes it out of the loop.",
    .proved = "The array is a temporary. All statements that write it move, one after the other in "
              "textual order, such as the initialisation and the updates of a reduction. None reads "
              "other elements of the array than it writes, and none depends on a later one. Nothing "
              "outside of the loop reads the array, and its operands still have their values there.",
    .argument = arguments,
    .apply = apply,
};
