#include "lower/device/grid.h"

#include "base/diag.h"
#include "lower/device/axis_digits.h"
#include "plan/device/copies/cooperate.h"
#include "plan/loop_plan.h"
#include "program/expr/index_expr.h"
#include "program/program.h"
#include "tree/visit.h"

#include <string.h>

/* The axis of blocks that have a run of a tuple's iterations; AXIS_NONE: there is none. */
static enum axis axis_of_runs(const struct grid *grid)
{
    for (int axis = AXIS_BLOCK_X; axis <= AXIS_BLOCK_Z; axis++)
        if (grid->positions.launch->run[axis])
            return (enum axis)axis;
    return AXIS_NONE;
}

/* The outermost loop of a copy that threads share in, node itself or inside of loops of the copy that each of them goes
 * through; NULL: node is no copy. Those that only the threads of an iteration share are theirs as everything else is.
 */
static const struct node *divided(const struct node *node)
{
    while (node->kind == NODE_LOOP && node->axis == AXIS_NONE && node->info && node->info->is_copy &&
           node->n_child == 1)
        node = node->child[0];
    return node->kind == NODE_LOOP && node->axis != AXIS_NONE && loop_plan_is_cooperative(node->info) &&
                   node->info->plan->copies != RUN_OWN
               ? node
               : NULL;
}

static void note_copy(const struct node *node, void *user)
{
    *(bool *)user |= divided(node) != NULL;
}

bool grid_is_copy(const struct grid *grid, const struct node *node)
{
    return !grid->filling && axis_of_runs(grid) != AXIS_NONE && divided(node);
}

bool grid_has_copy(const struct grid *grid, const struct node *node)
{
    bool found = false;

    if (axis_of_runs(grid) != AXIS_NONE)
        node_for_each(node, note_copy, &found);
    return found;
}

static void find_copied(const struct node *node, void *user)
{
    const struct array **found = user;

    if (node->kind == NODE_ASSIGN && (!*found || node->target.array->memory == MEMORY_SHARED))
        *found = node->target.array;
}

static const struct node *refuse_copy(struct grid *grid, const struct node *copy)
{
    const struct array *array = NULL;
    struct diag *diag;

    node_for_each(copy, find_copied, &array);
    diag =
        diag_error(grid->diags, "memory", array->place,
                   "`%s` cannot be shared: a block has iterations in a row that start anywhere in the collapsed loops, "
                   "as their inner extents are not constants, and what is copied is not the same for all of them",
                   array->name);
    diag_hint(
        grid->diags, diag,
        "split the inner loop alone and bind the loops to axes of their own, or collapse loops whose inner extents "
        "are constants; what each thread has for itself can be \"local\"");
    grid->refused = true;
    return NULL;
}

static bool differs(const struct grid *grid, const struct node *copy)
{
    for (int k = 0; k < grid->differing.all.n; k++)
        if (node_uses(copy, grid->differing.all.at[k]))
            return true;
    return false;
}

/* Those of pending that differ between threads, or only the others. */
static const struct pending *part_of(struct grid *grid, const struct pending *pending, bool differing)
{
    struct pending *copy;

    if (!pending)
        return NULL;
    if (differing_guards(&grid->differing, pending->alternative, pending->n) != differing)
        return part_of(grid, pending->outer, differing);
    copy = ARENA_NEW(grid->arena, struct pending);
    *copy = *pending;
    copy->outer = part_of(grid, pending->outer, differing);
    return copy;
}

/* node without the conditions in it that differ between threads. */
static const struct node *without_conditions(struct grid *grid, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(grid->arena, node->n_child + 1, const struct node *);

    if (node->kind == NODE_IF && node->n_child == 1 &&
        differing_guards(&grid->differing, node->alternative, node->n_alternative))
        return without_conditions(grid, node->child[0]);
    for (int k = 0; k < node->n_child; k++)
        child[k] = without_conditions(grid, node->child[k]);
    return node_with_children(grid->arena, node, child);
}

/* What is the same for all iterations, under those conditions only that are. */
static const struct node *copy_once(struct grid *grid, const struct node *loop, unsigned missing,
                                    const struct pending *pending)
{
    loop = without_conditions(grid, loop);
    return differs(grid, loop) ? refuse_copy(grid, loop)
                               : grid_convert(grid, loop, missing, part_of(grid, pending, false));
}

/* The iterations of a run one after the other: the variables of the one at hand. */
struct run {
    enum axis axis;
    int64_t n;
    const struct var *place, *number;
    const struct var *digit[AXIS_DIGITS];
};

static const struct var *new_var(struct grid *grid, enum var_kind kind, const char *name, int64_t high)
{
    struct var *var = var_new(grid->vars, kind, names_unique(&grid->starts.names, name));

    var->narrow = high > 0;
    var->high = high;
    return var;
}

static struct run new_run(struct grid *grid)
{
    const struct positions *positions = &grid->positions;
    struct run run = {.axis = axis_of_runs(grid)};

    run.n = positions->launch->run[run.axis];
    run.place = new_var(grid, VAR_LOOP, grid->place->name, run.n);
    run.number = new_var(grid, VAR_VALUE, positions->number[run.axis]->name, 0);
    for (int k = AXIS_DIGITS - 1; k >= 0; k--)
        if (positions->launch->extent[axis_digit(run.axis, k)])
            run.digit[k] = new_var(grid, VAR_VALUE, positions->at[axis_digit(run.axis, k)]->name, 0);
    return run;
}

/* node of the iteration at hand instead of the thread's own. */
static const struct node *at_hand(struct grid *grid, const struct run *run, const struct node *node)
{
    const struct positions *positions = &grid->positions;

    for (int k = positions->value.n - 1; k >= 0 && node; k--)
        node = node_substitute(grid->arena, node, positions->value.at[k]->var, positions->value.at[k]->lower);
    for (int k = 0; k < AXIS_DIGITS && node; k++)
        if (run->digit[k])
            node = node_substitute(grid->arena, node, positions->at[axis_digit(run->axis, k)],
                                   affine_var(grid->arena, run->digit[k]));
    return node ? node_substitute(grid->arena, node, grid->place, affine_var(grid->arena, run->place)) : NULL;
}

/* body, with the position of the iteration at hand in front. */
static const struct node *with_digits(struct grid *grid, const struct run *run, const struct node *body)
{
    const struct affine *number = axis_digits_first(&grid->positions, run->axis);

    number = affine_add(grid->arena, number, affine_var(grid->arena, run->place));
    body = axis_digits_of(&grid->positions, run->axis, run->number, run->digit, body);
    return body && number ? node_value(grid->arena, run->number, number, body) : NULL;
}

/* body, the copy for one iteration, for all of them: copies of whole rounds of the threads, or of extents that only the
 * launch knows, one after the other, else all threads go round the elements of all. */
static const struct node *for_all(struct grid *grid, const struct run *run, const struct node *copy,
                                  const struct node *body)
{
    struct arena *arena = grid->arena;
    const int64_t n = copy->axis == AXIS_THREAD ? grid_iterations(copy) : 0;
    struct node *loop = ARENA_NEW(arena, struct node);
    struct loop_info *info = ARENA_NEW(arena, struct loop_info);
    struct loop_plan *plan = ARENA_NEW(arena, struct loop_plan);

    *loop = (struct node){.kind = NODE_LOOP,
                          .comment = copy->comment,
                          .var = run->place,
                          .lower = affine_constant(arena, 0),
                          .upper = affine_constant(arena, run->n - 1),
                          .step = 1};
    if (n != INT64_MAX && n % positions_threads(&grid->positions) != 0) {
        *plan = *copy->info->plan;
        plan->weight = n;
        plan->rounds = cooperate_rounds(n * run->n, positions_threads(&grid->positions));
        plan->size = index_constant(arena, run->n);
        *info = *copy->info;
        info->plan = plan;
        loop->info = info;
        loop->axis = AXIS_THREAD;
    }
    loop->child = ARENA_ARRAY(arena, 1, const struct node *);
    loop->n_child = 1;
    return node_with_body(arena, loop, body);
}

/* What each iteration of the run has for itself. */
static const struct node *copy_all(struct grid *grid, const struct node *loop, unsigned missing,
                                   const struct pending *pending)
{
    const int n_before = grid->starts.names.used.n;
    const struct run run = new_run(grid);
    const int n_name = grid->starts.names.used.n;
    const struct node *body =
        pending_around(grid->arena, part_of(grid, pending, true), node_with_comment(grid->arena, loop, NULL));

    body = body ? at_hand(grid, &run, body) : NULL;
    if (body && differs(grid, body))
        return refuse_copy(grid, loop);
    body = body ? with_digits(grid, &run, body) : NULL;
    body = body ? for_all(grid, &run, loop, body) : NULL;
    body = body ? grid_convert(grid, body, missing, part_of(grid, pending, false)) : NULL;
    if (grid->starts.names.used.n == n_name)
        grid->starts.names.used.n = n_before; /* the next copy may have them, too */
    return body;
}

const struct node *grid_copy(struct grid *grid, const struct node *loop, unsigned missing,
                             const struct pending *pending)
{
    const struct node *result;

    grid->filling = true;
    result = divided(loop)->info->plan->copies == RUN_ALL ? copy_all(grid, loop, missing, pending)
                                                          : copy_once(grid, loop, missing, pending);
    grid->filling = false;
    return result;
}

static void note_array(const struct node *node, void *user)
{
    const struct array **found = user;
    const struct node *assign = node->kind == NODE_ASSIGN ? node : NULL;

    if (assign && assign->target.array && assign->target.array->run)
        *found = assign->target.array;
}

/* The loop of a tuple below node that has runs. */
static void note_runs(const struct node *node, void *user)
{
    const struct loop_plan **found = user;
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;

    if (plan && plan->run)
        *found = plan;
}

static struct element at_place(struct arena *arena, const struct element *element, void *user)
{
    const struct grid *grid = user;
    const int n = element->array ? element->array->n_dim : 0;
    const struct affine **index = ARENA_ARRAY(arena, n + 1, const struct affine *);
    struct element result = *element;

    if (!element->array || !element->array->run)
        return result;
    for (int k = 0; k < n; k++)
        index[k] = k ? element->index[k] : affine_var(arena, grid->place);
    result.index = index;
    return result;
}

static void note_buffer(const struct node *node, void *user)
{
    const char **found = user;

    if (node->kind == NODE_ASSIGN && node->statement && node->statement->copies)
        *found = node->statement->copies;
}

/* "fill xs[t][kk] from x" for "fill xs[kk] from x": the comment of a copy whose buffer has places. */
static const struct node *with_comment(struct grid *grid, const struct node *copy)
{
    const char *buffer = "", *comment = copy->comment, *name;
    int n;

    node_for_each(copy, note_buffer, &buffer);
    name = strstr(comment, arena_printf(grid->arena, " %s[", buffer));
    n = name ? (int)(name - comment) + (int)strlen(buffer) + 1 : 0;
    if (!name || !program_array(grid->program, buffer)->run)
        return copy;

    return node_with_comment(grid->arena, copy,
                             arena_printf(grid->arena, "%.*s[%s]%s", n, comment, grid->place->name, comment + n));
}

static const struct node *with_places(struct grid *grid, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(grid->arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++)
        child[k] = with_places(grid, node->child[k]);
    node = node_with_children(grid->arena, node, child);
    if (node->kind == NODE_LOOP && node->comment && node->info && node->info->is_copy)
        return with_comment(grid, node);
    return node->kind == NODE_ASSIGN ? node_map_elements(grid->arena, node, at_place, grid) : node;
}

const struct node *grid_places(struct grid *grid, const struct node *kernel)
{
    const struct array *array = NULL;
    const struct loop_plan *runs = NULL;
    struct node *loop = ARENA_NEW(grid->arena, struct node);

    node_for_each(kernel, note_array, &array);
    if (!array)
        return kernel;
    node_for_each(kernel, note_runs, &runs);
    *loop = (struct node){.kind = NODE_LOOP,
                          .var = var_new(grid->vars, VAR_LOOP, runs->run_name),
                          .lower = affine_constant(grid->arena, 0),
                          .step = 1,
                          .axis = runs->threads_axis};
    grid->place = grid_start_of(grid, loop, positions_value(&grid->positions, loop->axis));
    return with_places(grid, kernel);
}
