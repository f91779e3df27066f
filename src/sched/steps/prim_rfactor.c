/* rfactor: a reduction is computed as partial results along one of its loops, then as their reduction (CINN's Rfactor).
 *
 *     i: { Z: B[i] = 0;  j: k: S: B[i] += A[i, j, k] }     becomes, for k at axis 0,
 *     rf_k: i: { S_rf_init: rf[k, i] = 0;  j: S_rf: rf[k, i] += A[i, j, k] }
 *     i: { Z: B[i] = 0;  k: S: B[i] += rf[k, i] }
 *
 * In the description's order the initialisation of rf stands right before the outermost loop R that reduces (does not
 * choose the element), S_rf where S was, and the new S right after R. That computes the same when every other access
 * { T[t] } to an element of B has the same place before or after all of S's updates of it as before.
 */
#include "poly/coalesce.h"
#include "poly/keep.h"
#include "sched/program_step.h"
#include "sched/steps/rfactor.h"

#include <isl/space.h>

static enum status refuse_statement(const struct rfactor *rfactor, const char *hint, const char *text)
{
    return edit_refuse(rfactor->schedule, step_place(rfactor->step, "of"), "rfactor", hint, "%s %s",
                       rfactor->statement->label, text);
}

static enum status refuse_loop(const struct rfactor *rfactor, const char *text)
{
    return edit_refuse(rfactor->schedule, step_place(rfactor->step, "rfactor"), "rfactor", NULL, "%s", text);
}

/* Partial results that the user can write. */
static const char *parts_hint(const struct rfactor *rfactor)
{
    const char *name = rfactor->statement->target->array->name;

    return arena_printf(
        rfactor->schedule->arena,
        "give each part p of the loop results of its own in the description, a temporary `%s_part[p, ..]` "
        "with \"init\": 0, and add these up in another nest",
        name);
}

/* The update's own read of its target is the only one, and the operation happens in the array's type. */
static enum status check_update(const struct rfactor *rfactor)
{
    const struct statement *s = rfactor->statement;
    const enum type type = s->target->array->type;
    int reads = 0;

    for (int k = 1; k < s->n_access; k++)
        reads += s->access[k].array == s->target->array;
    if (s->access[0].may)
        return refuse_statement(rfactor, parts_hint(rfactor), "updates an element that depends on data");
    if (s->target->array->n_iteration > 0)
        return refuse_statement(rfactor, "rfactor first", "updates an array that is computed at a loop");
    if (reads != 1)
        return refuse_statement(rfactor, NULL, "reads the array that it updates besides the updated element");
    if (update_converts(s, rfactor->op))
        return refuse_statement(rfactor, NULL, "converts its result back in each update, so their grouping matters");
    if (!update_order_is_free(rfactor->schedule->program, s, rfactor->op))
        return refuse_statement(rfactor, "\"permit\": [\"reassociate\"] allows it",
                                "is a floating-point reduction, whose result changes when it is regrouped");
    return type == TYPE_BOOL ? refuse_statement(rfactor, NULL, "updates a bool") : STATUS_OK;
}

static enum status find_statement(struct rfactor *rfactor)
{
    const char *label = step_string(rfactor->step, "of", "");

    rfactor->statement = program_statement(rfactor->schedule->program, label);
    if (!rfactor->statement)
        return edit_no_statement(rfactor->schedule, step_place(rfactor->step, "of"), label);
    if (rfactor->statement->guard || !statement_is_update(rfactor->statement, &rfactor->op))
        return refuse_statement(rfactor, NULL, "is not a reduction x op= e without conditions that depend on data");
    return check_update(rfactor);
}

/* The loop of that name around S. */
static enum status find_loop(struct rfactor *rfactor)
{
    struct schedule *schedule = rfactor->schedule;
    struct value name = *step_value(rfactor->step, "rfactor");

    if (!strchr(name.string, '.'))
        name.string = arena_printf(schedule->arena, "%s.%s", rfactor->statement->label, name.string);
    if (!edit_loop(schedule, &name, &rfactor->loop) || !edit_is_single(schedule, &rfactor->loop, "factor"))
        return STATUS_REFUSED;
    if (!order_has(rfactor->loop.node, rfactor->statement))
        return refuse_loop(rfactor, "this loop is not around the statement");
    if (!extent_measure(schedule, &rfactor->loop, &rfactor->extent))
        return refuse_loop(rfactor, "the range of this loop is not given by affine expressions of the parameters");
    rfactor->axis = (int)step_int(rfactor->step, "axis", 0);
    if (rfactor->axis > rfactor->statement->target->n_arg)
        return edit_refuse(schedule, step_place(rfactor->step, "axis"), "rfactor", NULL,
                           "the array of partial results has %d dimensions, the axis is one of 0 .. %d",
                           rfactor->statement->target->n_arg + 1, rfactor->statement->target->n_arg);
    return STATUS_OK;
}

static enum status find_name(struct rfactor *rfactor)
{
    struct schedule *schedule = rfactor->schedule;
    const char *like = arena_printf(schedule->arena, "%s_rf", rfactor->statement->target->array->name);

    rfactor->name = step_string(rfactor->step, "as", NULL);
    if (!rfactor->name)
        rfactor->name = edit_name_like(schedule, NULL, like);
    else if (strcmp(rfactor->name, schedule->program->name) == 0)
        return edit_refuse(schedule, step_place(rfactor->step, "as"), "name", NULL, "the name `%s` is already in use",
                           rfactor->name);
    else if (!edit_name_free(schedule, NULL, rfactor->name, step_place(rfactor->step, "as")))
        return STATUS_REFUSED;
    return STATUS_OK;
}

static void mark_loops(const struct expr *expr, bool *used)
{
    if (expr->kind == EXPR_LOOP)
        used[expr->loop] = true;
    for (int k = 0; k < expr->n_arg; k++)
        mark_loops(expr->arg[k], used);
}

/* The dimensions that choose the element are kept, and each choice is another element. */
static enum status find_kept(struct rfactor *rfactor)
{
    const struct statement *s = rfactor->statement;
    isl_map *element;
    bool injective;

    rfactor->kept = ARENA_ARRAY(rfactor->schedule->arena, s->n_loop + 1, bool);
    mark_loops(s->target, rfactor->kept);
    element = isl_map_copy(s->access[0].map);
    for (int d = s->n_loop - 1; d >= 0; d--) {
        rfactor->n_kept += rfactor->kept[d];
        if (!rfactor->kept[d])
            element = isl_map_project_out(element, isl_dim_in, (unsigned)d, 1);
    }
    injective = isl_map_is_injective(element) == isl_bool_true;
    isl_map_free(element);
    if (!injective)
        return refuse_statement(rfactor, NULL, "updates one element from several values of its subscripts' loops");
    return STATUS_OK;
}

/* The count of the factored loop must not choose the element. */
static enum status check_count(const struct rfactor *rfactor)
{
    isl_pw_aff *count = extent_count(&rfactor->loop, &rfactor->extent, rfactor->statement);
    bool chooses = false;

    for (int d = 0; d < rfactor->statement->n_loop; d++)
        chooses = chooses || (rfactor->kept[d] && isl_pw_aff_involves_dims(count, isl_dim_in, (unsigned)d, 1));
    isl_pw_aff_free(count);
    if (!chooses)
        return STATUS_OK;
    return refuse_loop(rfactor, "this loop chooses the element that is updated: it is not one of the reduction");
}

static bool find_path(const struct rfactor *rfactor, const struct order *order, struct path *path)
{
    return order_leaves(order, rfactor->statement) == 1 &&
           path_find(rfactor->schedule->arena, order, order_leaf_of(order, rfactor->statement), path);
}

/* The instances in the first iteration of the other loops that reduce. */
static isl_set *least_instances(const struct rfactor *rfactor)
{
    struct schedule *schedule = rfactor->schedule;
    isl_union_set *all = isl_union_set_from_set(isl_set_copy(rfactor->statement->domain));
    isl_set *least = isl_set_copy(rfactor->statement->domain);
    struct path path;

    if (!find_path(rfactor, schedule->order, &path))
        path.depth = 0;
    for (int k = 0; k < path.depth; k++) {
        isl_union_pw_aff *time = time_of(path.loop[k]->time, rfactor->statement);
        isl_aff *first = time_least(schedule->program, time, all);
        if (first && path.loop[k]->info->id != rfactor->loop.info->id && rfactor_reduces(rfactor, path.loop[k])) {
            isl_union_set *there = isl_union_pw_aff_zero_union_set(time_add(isl_union_pw_aff_copy(time), first, -1));
            least = isl_set_intersect(least, isl_union_set_extract_set(there, isl_set_get_space(least)));
            isl_union_set_free(there);
        }
        isl_aff_free(first);
        isl_union_pw_aff_free(time);
    }
    isl_union_set_free(all);
    return poly_keep_set(schedule->arena, poly_set_coalesce(least));
}

static __isl_give isl_union_pw_aff *without(const struct rfactor *rfactor, const struct order *loop)
{
    isl_union_set *s = isl_union_set_from_set(isl_set_universe(isl_set_get_space(rfactor->statement->domain)));

    return isl_union_pw_aff_subtract_domain_union_set(isl_union_pw_aff_copy(loop->time), s);
}

/* The tree under change, and the loops around S in it. */
struct rebuild {
    struct rfactor *rfactor;
    struct path path;
    const struct statement *blocked; /* shares a reduction loop with S */
};

static bool on_path(const struct rebuild *rebuild, const struct order *node)
{
    for (int k = 0; k < rebuild->path.depth; k++)
        if (node->kind == ORDER_LOOP && rebuild->path.loop[k]->info->id == node->info->id)
            return true;
    return false;
}

/* All instances of a projected statement, one after the other. */
static const struct order *dimension_loops(const struct rfactor *rfactor, const struct statement *statement)
{
    const struct loop_info plain = {.stride = 1, .unit = 1};
    const struct order *order = rfactor_leaf(rfactor, statement);

    for (int d = statement->n_loop - 1; d >= 0; d--) {
        const struct loop_info *info = edit_new_info(rfactor->schedule, &plain, statement->loop_name[d], rfactor->step);
        order = order_loop(rfactor->schedule->arena, info, path_dimension(statement->domain, d), order);
    }
    return order;
}

/* Around R, the outermost loop that reduces: init before it, final after it. */
static const struct order *around_reduction(const struct rfactor *rfactor, const struct order *loop)
{
    const struct order *all[3] = {dimension_loops(rfactor, rfactor->init), loop,
                                  dimension_loops(rfactor, rfactor->final)};

    return order_sequence(rfactor->schedule->arena, all, 3);
}

/* The outermost loop of the path that reduces; the innermost one where all have a single iteration. */
static int reducing_loop(const struct rebuild *rebuild)
{
    int k = 0;

    while (k + 1 < rebuild->path.depth && !rfactor_reduces(rebuild->rfactor, rebuild->path.loop[k]))
        k++;
    return k;
}

static const struct order *rebuild_original(void *data, const struct order *node)
{
    struct rebuild *rebuild = data;
    const struct rfactor *rfactor = rebuild->rfactor;
    const int reducing = reducing_loop(rebuild);
    isl_union_pw_aff *time;
    int at = 0;

    if (node->kind == ORDER_LEAF)
        return node->statement == rfactor->statement ? rfactor_leaf(rfactor, rfactor->partial) : node;
    if (!on_path(rebuild, node) || !order_has(node, rfactor->partial))
        return node;
    time = isl_union_pw_aff_union_add(without(rfactor, node), rfactor_time(rfactor, node, rfactor->partial));
    while (rebuild->path.loop[at]->info->id != node->info->id)
        at++;
    if (at < reducing) {
        time = isl_union_pw_aff_union_add(time, rfactor_time(rfactor, node, rfactor->init));
        time = isl_union_pw_aff_union_add(time, rfactor_time(rfactor, node, rfactor->final));
    }
    node = order_loop(rfactor->schedule->arena, node->info, time, node->child[0]);
    return at == reducing ? around_reduction(rfactor, node) : node;
}

static const struct statement *other_statement(const struct order *order, const struct statement *statement)
{
    if (order->kind == ORDER_LEAF)
        return order->statement != statement ? order->statement : NULL;
    for (int k = 0; k < order->n_child; k++) {
        const struct statement *other = other_statement(order->child[k], statement);
        if (other)
            return other;
    }
    return NULL;
}

/* In the order as it is now, S becomes final: the loops that reduce go, but for the factored one. */
static const struct order *rebuild_current(void *data, const struct order *node)
{
    struct rebuild *rebuild = data;
    const struct rfactor *rfactor = rebuild->rfactor;
    const bool factored = node->kind == ORDER_LOOP && node->info->id == rfactor->loop.info->id;
    isl_union_pw_aff *time;

    if (node->kind == ORDER_LEAF)
        return node->statement == rfactor->statement ? rfactor_leaf(rfactor, rfactor->final) : node;
    if (!on_path(rebuild, node) || !order_has(node, rfactor->final))
        return node;
    if (!factored && rfactor_reduces(rfactor, node)) {
        const struct statement *other = other_statement(node, rfactor->final);
        rebuild->blocked = other ? other : rebuild->blocked;
        return node->child[0];
    }
    time = factored ? rfactor_count(rfactor, rfactor->final) : rfactor_time(rfactor, node, rfactor->final);
    time = isl_union_pw_aff_union_add(without(rfactor, node), time);
    return order_loop(rfactor->schedule->arena, node->info, time, node->child[0]);
}

/* The nest of partial results goes right before the nest that S is in. */
static const struct order *put_before(const struct rfactor *rfactor, const struct order *nest, const struct order *root)
{
    struct arena *arena = rfactor->schedule->arena;
    const struct order **child = ARENA_ARRAY(arena, root->n_child + 2, const struct order *);
    int n = 0;

    if (root->kind != ORDER_SEQUENCE) {
        child[n++] = nest;
        child[n++] = root;
    }
    for (int k = 0; root->kind == ORDER_SEQUENCE && k < root->n_child; k++) {
        if (order_has(root->child[k], rfactor->final))
            child[n++] = nest;
        child[n++] = root->child[k];
    }
    return order_sequence(arena, child, n);
}

static enum status find_paths(const struct rfactor *rfactor, struct path *original, struct path *current)
{
    const struct schedule *schedule = rfactor->schedule;

    if (find_path(rfactor, schedule->original, original) && find_path(rfactor, schedule->order, current))
        return STATUS_OK;
    return refuse_statement(rfactor, "rfactor before `cut` and `collapse`",
                            "runs in several places, or in a collapsed loop");
}

static enum status rebuild_orders(struct rfactor *rfactor, const struct order **original, const struct order **current)
{
    struct schedule *schedule = rfactor->schedule;
    struct rebuild before = {.rfactor = rfactor}, now = {.rfactor = rfactor};

    if (find_paths(rfactor, &before.path, &now.path) != STATUS_OK)
        return STATUS_REFUSED;
    *original = order_rewrite(schedule->arena, schedule->original, rebuild_original, &before);
    if (rfactor_check_contiguous(rfactor, *original) != STATUS_OK)
        return STATUS_REFUSED;
    *current = order_rewrite(schedule->arena, schedule->order, rebuild_current, &now);
    if (now.blocked)
        return edit_refuse(schedule, step_place(rfactor->step, "of"), "rfactor", "separate them with `fission`",
                           "%s shares a loop of the reduction with %s", now.blocked->label, rfactor->statement->label);
    *current = put_before(rfactor, rfactor_partial_nest(rfactor, &now.path), *current);
    return STATUS_OK;
}

/* The loops that are left must give every instance of final a time of its own. */
static enum status check_times(const struct rfactor *rfactor)
{
    struct path original, path;
    isl_map *times;
    bool injective;

    if (find_paths(rfactor, &original, &path) != STATUS_OK)
        return STATUS_REFUSED;
    times = isl_map_from_domain(isl_set_copy(rfactor->final->domain));
    for (int k = 0; k < path.depth; k++) {
        const bool factored = path.loop[k]->info->id == rfactor->loop.info->id;
        isl_union_pw_aff *time;
        if (!factored && rfactor_reduces(rfactor, path.loop[k]))
            continue;
        time = factored ? rfactor_count(rfactor, rfactor->final) : rfactor_time(rfactor, path.loop[k], rfactor->final);
        times = isl_map_flat_range_product(times, isl_map_from_union_map(isl_union_map_from_union_pw_aff(time)));
    }
    injective = isl_map_is_injective(times) == isl_bool_true;
    isl_map_free(times);
    return injective ? STATUS_OK
                     : refuse_statement(rfactor, "rfactor first",
                                        "has loops that both reduce and choose the element, as after a skew");
}

/* What `unsafe` waived of S's old instances is not waived for the new ones. */
static void forget_waived(struct rfactor *rfactor)
{
    struct schedule *schedule = rfactor->schedule;
    isl_union_set *old = isl_union_set_from_set(isl_set_universe(isl_set_get_space(rfactor->statement->domain)));
    isl_union_map *waived;

    if (schedule->waived) {
        waived = isl_union_map_subtract_domain(isl_union_map_copy(schedule->waived), isl_union_set_copy(old));
        waived = isl_union_map_subtract_range(waived, isl_union_set_copy(old));
        schedule->waived = poly_keep_union_map(schedule->arena, waived);
    }
    isl_union_set_free(old);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct rfactor rfactor = {.schedule = schedule, .step = step};
    const struct order *original = NULL, *current = NULL;
    enum status status = find_statement(&rfactor);

    if (status == STATUS_OK)
        status = find_loop(&rfactor);
    if (status == STATUS_OK)
        status = find_name(&rfactor);
    if (status == STATUS_OK)
        status = find_kept(&rfactor);
    if (status == STATUS_OK)
        status = check_count(&rfactor);
    if (status != STATUS_OK)
        return status;
    rfactor_project(&rfactor);
    rfactor.least = least_instances(&rfactor);
    status = rfactor_program(&rfactor);
    if (status == STATUS_OK)
        status = check_times(&rfactor);
    if (status == STATUS_OK)
        status = rebuild_orders(&rfactor, &original, &current);
    if (status != STATUS_OK)
        return status;
    forget_waived(&rfactor);
    return program_step_two_more(schedule, rfactor.program, rfactor.statement->index, current, original);
}

static const struct argument arguments[] = {
    {.key = "rfactor", .kind = ARGUMENT_LOOP, .required = true, .doc = "a loop of the reduction"},
    {.key = "of", .kind = ARGUMENT_STATEMENT, .required = true, .doc = "the update x op= e"},
    {.key = "axis",
     .kind = ARGUMENT_INT,
     .minimum = 0,
     .fallback = "0",
     .doc = "place of the loop among the dimensions of the partial results, and in their nest"},
    {.key = "as", .kind = ARGUMENT_NAME, .fallback = "x_rf for an array x", .doc = "array of the partial results"},
    {0},
};

const struct primitive primitive_rfactor = {
    .name = "rfactor",
    .summary = "reduce to partial results along a loop, then those",
    .rule = "A reduction x op= e becomes two: the first computes a partial result for each "
            "iteration of a loop, in a new array that starts at the operator's neutral element; "
            "the second combines them. The loop may then run in threads, lanes or blocks.",
    .proved = "The operator is associative and commutative: for floats this needs `\"permit\": "
              "[\"reassociate\"]`. Nothing uses x between its updates.",
    .argument = arguments,
    .apply = apply,
};
