#include "lower/device/grid.h"

#include "lower/device/rounds.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "tree/visit.h"

#include <limits.h>

/* Compilers do not find out how often a thread goes round: of so many rounds or less they are told. */
enum { LITERAL_ROUNDS = 16 };

static bool always(void *user, const struct affine *affine)
{
    (void)user;
    (void)affine;
    return true;
}

/* The number that `round` tells, divided by a weight. */
static const struct affine *round_over(struct grid *grid, int64_t weight)
{
    if (grid->in_a_row && weight % grid->in_a_row == 0)
        return affine_floor(grid->arena, affine_var(grid->arena, grid->thread), weight / grid->in_a_row);
    return affine_floor(grid->arena, grid->round, weight);
}

/* The same modulo size. */
static const struct affine *round_digit(struct grid *grid, int64_t weight, int64_t size)
{
    return affine_combine(grid->arena, round_over(grid, weight), 1, round_over(grid, weight * size), -size);
}

/* The loop's variable, as the number `round` tells it. */
static const struct node *convert_digit(struct grid *grid, const struct node *loop, unsigned missing,
                                        const struct pending *pending)
{
    const struct loop_plan *plan = loop->info->plan;
    const bool whole = plan->size->kind != EXPR_INT || plan->weight * plan->size->integer >= grid->n_round;
    const struct affine *digit =
        whole ? round_over(grid, plan->weight) : round_digit(grid, plan->weight, plan->size->integer);
    const struct node *body;

    digit = affine_mark_plain(grid->arena, digit, always, NULL);
    digit = affine_add(grid->arena, loop->lower, affine_scale(grid->arena, digit, loop->step));
    body = node_substitute(grid->arena, loop->child[0], loop->var, digit);
    return body ? grid_convert(grid, body, missing, pending) : NULL;
}

static void note_iterations(const struct node *node, void *user)
{
    int64_t *most = user;

    if (node->kind == NODE_LOOP && node->axis == AXIS_THREAD) {
        const struct loop_plan *plan = node->info->plan;
        const bool known = plan->size->kind == EXPR_INT;
        const int64_t n = known ? plan->weight * plan->size->integer : INT64_MAX;
        *most = n > *most ? n : *most;
    }
}

int64_t grid_iterations(const struct node *loop)
{
    int64_t most = 0;

    node_for_each(loop, note_iterations, &most);
    return most;
}

/* That of the one among nested loops whose iterations only the launch knows. */
struct symbolic {
    struct arena *arena;
    const struct affine *iterations;
};

static void note_symbolic(const struct node *node, void *user)
{
    struct symbolic *symbolic = user;
    const struct affine *span;

    if (node->kind != NODE_LOOP || node->axis != AXIS_THREAD || node->info->plan->size->kind == EXPR_INT)
        return;
    span = affine_floor(symbolic->arena, affine_sub(symbolic->arena, node->upper, node->lower), node->step);
    symbolic->iterations =
        affine_scale(symbolic->arena, affine_add_constant(symbolic->arena, span, 1), node->info->plan->weight);
}

/* The least weight of at least `least` among nested loops of more than one iteration. */
struct weight {
    int64_t least, found, size; /* found: 0: there is none */
};

static void note_least_weight(const struct node *node, void *user)
{
    struct weight *weight = user;

    if (node->kind != NODE_LOOP || node->axis != AXIS_THREAD)
        return;
    const struct loop_plan *plan = node->info->plan;
    if ((plan->size->kind == EXPR_INT && plan->size->integer == 1) || plan->weight < weight->least ||
        (weight->found && plan->weight >= weight->found))
        return;
    weight->found = plan->weight;
    weight->size = plan->size->kind == EXPR_INT ? plan->size->integer : INT64_MAX / plan->weight;
}

/* A loop of one iteration is gone. Of the numbers that only it would tell apart the first ones stand for all. */
static const struct pending *first_of_gone(struct grid *grid, const struct node *loop, const struct pending *pending)
{
    struct arena *arena = grid->arena;
    struct weight weight = {.least = 1};

    for (node_for_each(loop, note_least_weight, &weight); weight.found;
         node_for_each(loop, note_least_weight, &weight)) {
        if (weight.found > weight.least) {
            const struct affine *digit = round_digit(grid, weight.least, weight.found / weight.least);
            struct pending *more = ARENA_NEW(arena, struct pending);
            *more = pending_with(arena, affine_mark_plain(arena, digit, always, NULL), true, pending);
            pending = more;
        }
        weight = (struct weight){.least = weight.found * weight.size};
    }
    return pending;
}

/* Do only the threads along x go round? */
static bool is_along_x(const struct node *loop)
{
    return loop->info->plan->copies == RUN_OWN;
}

static int64_t threads_of(const struct grid *grid, const struct node *loop)
{
    int64_t along_x = 1;

    if (!is_along_x(loop))
        return positions_threads(&grid->positions);
    affine_is_constant(grid->positions.launch->extent[AXIS_THREAD_X], &along_x);
    return along_x;
}

/* Are all threads of a block along x? */
static bool is_one_row(const struct grid *grid)
{
    bool row = true;

    for (int k = AXIS_THREAD_Y; k <= AXIS_THREAD_Z; k++) {
        const struct affine *extent = grid->positions.launch->extent[k];
        int64_t n;
        row = row && (!extent || (affine_is_constant(extent, &n) && n == 1));
    }
    return row && grid->positions.launch->extent[AXIS_THREAD_X];
}

const struct var *grid_thread_number(struct grid *grid, const struct node *loop, enum axis axis)
{
    static const char *const name[] = {"tx", "ty", "tz", "thread"};
    const struct var like = {.name = name[axis - AXIS_THREAD_X]};
    struct node *first = ARENA_NEW(grid->arena, struct node);

    *first = *loop;
    first->var = &like;
    first->lower = affine_constant(grid->arena, 0);
    first->step = 1;
    first->axis = axis == AXIS_THREAD && is_one_row(grid) ? AXIS_THREAD_X : axis;
    return grid_start_of(grid, first, positions_value(&grid->positions, axis));
}

/* Of those that go round. */
static const struct var *thread_number(struct grid *grid, const struct node *loop)
{
    return grid_thread_number(grid, loop, is_along_x(loop) ? AXIS_THREAD_X : AXIS_THREAD);
}

static void note_weight(const struct node *node, void *user)
{
    int64_t *all = user;

    if (node->kind == NODE_LOOP && node->axis == AXIS_THREAD && *all % node->info->plan->weight != 0)
        *all = 0;
}

/* Are all threads whole rounds of each of the nested loops, so that these have the same place in each? */
static bool are_whole_rounds(const struct node *loop, int64_t all)
{
    node_for_each(loop, note_weight, &all);
    return all > 0;
}

struct row {
    int64_t n;
    bool whole;
};

static void note_row(const struct node *node, void *user)
{
    struct row *row = user;

    if (node->kind == NODE_LOOP && node->axis == AXIS_THREAD)
        row->whole = row->whole && (row->n % node->info->plan->weight == 0 || node->info->plan->weight % row->n == 0);
}

/* Do so many iterations in a row have the same places, or are they a part of a row, of each of the nested loops? */
static bool is_whole_row(const struct node *loop, int64_t n)
{
    struct row row = {n, true};

    node_for_each(loop, note_row, &row);
    return row.whole;
}

/* Those of a thread, whose number has a variable. */
static struct rounds new_rounds(struct grid *grid, const struct node *loop, const struct var *number)
{
    struct arena *arena = grid->arena;
    const int64_t all = threads_of(grid, loop);
    struct rounds rounds = {.loop = loop,
                            .number = number,
                            .value = affine_var(arena, number),
                            .thread = thread_number(grid, loop),
                            .threads = all,
                            .n = (grid->n_round - 1) / all + 1,
                            .in_a_row = grid->in_a_row > 0,
                            .literal = loop->info->ahead || grid->n_round <= LITERAL_ROUNDS * all};

    rounds.count = var_new(grid->vars, VAR_LOOP, names_unique(&grid->starts.names, "r"));
    rounds.count->narrow = true;
    rounds.count->high = rounds.n - 1;
    grid->starts.names.used.n--;
    if (rounds.in_a_row ? is_whole_row(loop, rounds.n) : are_whole_rounds(loop, all))
        rounds.value = rounds_value(arena, &rounds);
    return rounds;
}

/* The same with literals for how often a thread has gone round, which subscripts of registers are, or with the threads'
 * rows. */
static const struct node *go_literally(struct grid *grid, const struct node *loop, const struct var *number,
                                       unsigned missing, const struct pending *pending)
{
    struct arena *arena = grid->arena;
    const struct rounds rounds = new_rounds(grid, loop, number);
    const bool whole = grid->n_round == rounds.n * rounds.threads;
    const bool rows = !whole && rounds.in_a_row && grid->n_round % rounds.n == 0;
    const struct affine *last = affine_constant(arena, rows ? grid->n_round / rounds.n - 1 : grid->n_round - 1);
    const struct pending own =
        pending_with(arena, affine_sub(arena, last, rows ? affine_var(arena, rounds.thread) : rounds.value), false,
                     rows ? pending : NULL);
    const struct node *body;

    grid->round = rounds.value;
    body = convert_digit(grid, loop, missing, first_of_gone(grid, loop, whole || rows ? NULL : &own));
    return body ? pending_around(arena, rows ? &own : pending, rounds_around(arena, &rounds, body)) : NULL;
}

/* The last iteration of nested loops, of which there are n; INT64_MAX: that only the launch knows. */
static const struct affine *last_round(struct grid *grid, const struct node *loop, int64_t n)
{
    struct symbolic symbolic = {grid->arena, NULL};

    if (n < INT64_MAX)
        return affine_constant(grid->arena, n - 1);
    node_for_each(loop, note_symbolic, &symbolic);
    return affine_add_constant(grid->arena, symbolic.iterations, -1);
}

/* All iterations of nested loops, of which loop is the outermost: for (t = thread; t < 1024; t += 256). */
static const struct node *go_round(struct grid *grid, const struct node *loop, unsigned missing,
                                   const struct pending *pending)
{
    const int64_t all = threads_of(grid, loop);
    const int64_t n = grid_iterations(loop);
    const struct affine *last = last_round(grid, loop, n);
    const struct var *thread = thread_number(grid, loop);
    struct node *copy = ARENA_NEW(grid->arena, struct node);
    struct var *var = var_new(grid->vars, VAR_LOOP, names_unique(&grid->starts.names, "t"));
    const struct pending own =
        pending_with(grid->arena, affine_sub(grid->arena, last, affine_var(grid->arena, thread)), false, pending);
    const bool narrow = n < INT_MAX - all;
    const struct node *body;

    var->narrow = narrow;
    var->high = narrow ? n + all - 1 : 0;
    grid->starts.names.used.n--; /* the next such loop may have it, too */
    grid->round = affine_var(grid->arena, n > all ? var : thread);
    grid->n_round = n;
    grid->in_a_row = n > all && loop->info->plan->in_a_row ? loop->info->plan->rounds : 0;
    grid->thread = thread;
    if (n <= all)
        return grid_with_comment_of(grid, loop,
                                    convert_digit(grid, loop, missing,
                                                  first_of_gone(grid, loop, n < all ? &own : pending)));
    differing_add(&grid->differing, var, AXIS_THREAD, NULL, 0);
    if (grid->in_a_row || (loop->info->ahead && n < INT64_MAX) || (all > 1 && n <= LITERAL_ROUNDS * all))
        return go_literally(grid, loop, var, missing, pending);
    body = convert_digit(grid, loop, missing, first_of_gone(grid, loop, NULL));
    *copy = *loop;
    copy->var = var;
    copy->lower = affine_var(grid->arena, thread);
    copy->upper = last;
    copy->step = all;
    copy->axis = AXIS_NONE;
    return body ? pending_around(grid->arena, pending, node_with_body(grid->arena, copy, body)) : NULL;
}

const struct node *grid_rounds(struct grid *grid, const struct node *loop, unsigned missing,
                               const struct pending *pending)
{
    const struct node *result;

    if (grid->round)
        return convert_digit(grid, loop, missing, pending);
    result = go_round(grid, loop, missing & ~axis_bits(AXIS_THREAD), pending);
    grid->round = NULL;
    return result;
}
