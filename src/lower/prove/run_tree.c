#include "lower/prove/run_tree.h"

#include "plan/device/kernels.h"
#include "program/program.h"

static int64_t fail(struct running *running)
{
    running->failed = true;
    return 0;
}

static uint8_t *slot_of(struct running *running, const struct var *var)
{
    return &running->slot[(unsigned)var->id % RUN_SLOTS];
}

/* Where the variable is; -1: nowhere. Mostly it is where one of its identity was entered last. */
static int find(struct running *running, const struct var *var)
{
    const int last = *slot_of(running, var);

    if (last < running->n && running->var[last] == var)
        return last;
    for (int k = running->n - 1; k >= 0; k--)
        if (running->var[k] == var)
            return k;
    return -1;
}

static int64_t atom_value(struct running *running, const struct atom *atom)
{
    int64_t value;

    if (atom->kind == ATOM_VAR && atom->var->position != AXIS_NONE)
        return running->kernel ? running->position[atom->var->position] : fail(running);
    if (atom->kind == ATOM_VAR) {
        const int at = find(running, atom->var);
        return at >= 0 && !running->let[at] ? running->value[at] : fail(running);
    }
    value = running_value(running, atom->arg[0]);
    if (atom->kind == ATOM_FLOOR)
        return floor_div(value, atom->divisor);
    for (int k = 1; k < atom->n_arg; k++) {
        const int64_t next = running_value(running, atom->arg[k]);
        value = (atom->kind == ATOM_MIN) == (next < value) ? next : value;
    }
    return value;
}

int64_t running_value(struct running *running, const struct affine *a)
{
    int64_t sum = a->constant, product;

    for (int k = 0; k < a->n_term; k++)
        if (__builtin_mul_overflow(a->term[k].factor, atom_value(running, a->term[k].atom), &product) ||
            __builtin_add_overflow(sum, product, &sum))
            return fail(running);
    return sum;
}

static bool guard_holds(struct running *running, const struct guard *guard)
{
    for (int k = 0; k < guard->n; k++) {
        const int64_t value = running_value(running, guard->condition[k].affine);
        if (guard->condition[k].equal ? value != 0 : value < 0)
            return false;
    }
    return true;
}

/* var is in sight, with that value or as what let names; false after a failure. */
static bool enter(struct running *running, const struct var *var, int64_t value, const struct node *let)
{
    if (running->n == RUN_DEEPEST || running->steps-- <= 0) {
        fail(running);
        return false;
    }
    *slot_of(running, var) = (uint8_t)running->n;
    running->var[running->n] = var;
    running->let[running->n] = let;
    running->value[running->n++] = value;
    return true;
}

/* node inside of var being value. */
static void run_with(struct running *running, const struct var *var, int64_t value, const struct node *let,
                     const struct node *node)
{
    if (!enter(running, var, value, let))
        return;
    running_run(running, node);
    running->n--;
}

/* A bound that data gives leaves all iterations. */
static void run_let(struct running *running, const struct node *let)
{
    if (let->limit)
        run_with(running, let->var, running_value(running, let->limit), NULL, let->child[0]);
    else
        run_with(running, let->var, 0, let, let->child[0]);
}

/* What runs inside of a loop's run, and where that was; loop: its variable, or NULL. */
static struct running_place start_run(struct running *running, const struct var *loop)
{
    const struct running_place outside = running->place;

    running->place = (struct running_place){loop, ++running->n_runs};
    return outside;
}

static void run_loop(struct running *running, const struct node *loop)
{
    const struct running_place outside = start_run(running, loop->var);
    const int64_t upper = running_value(running, loop->upper);
    int64_t n = loop->continues ? running->past : running_value(running, loop->lower);

    const int64_t apart = loop->axis != AXIS_NONE && running->kernel ? running->extent[axis_whole(loop->axis)] : 1;

    for (int k = 0; (loop->step > 0 ? n <= upper : n >= upper) && !running->failed && !(loop->once && k); k++) {
        run_with(running, loop->var, n, NULL, loop->child[0]);
        n += loop->step * apart;
    }
    running->past = n;
    running->place = outside;
}

static void run_tuple_from(struct running *running, const struct node *tuple, int64_t rest, int part)
{
    if (part < 0) {
        const struct running_place outside = start_run(running, NULL);
        running_run(running, tuple->child[0]);
        running->place = outside;
        return;
    }
    const int64_t extent = running_value(running, tuple->part[part].extent);
    const int64_t first = running_value(running, tuple->part[part].first);
    if (running->failed || extent < 1 || !enter(running, tuple->part[part].var, first + rest % extent, NULL))
        return;
    run_tuple_from(running, tuple, rest / extent, part - 1);
    running->n--;
}

/* The coordinates of a position, from the last digit on. */
static void run_position(struct running *running, const struct node *tuple)
{
    if (tuple->step || tuple->var->position == AXIS_NONE || !running->kernel)
        fail(running);
    else
        run_tuple_from(running, tuple, running->position[tuple->var->position], tuple->n_part - 1);
}

static void run_tuple(struct running *running, const struct node *tuple)
{
    int64_t total = 1;

    if (tuple->axis != AXIS_NONE) {
        run_position(running, tuple);
        return;
    }
    for (int k = 0; k < tuple->n_part && !running->failed; k++) {
        const int64_t extent = running_value(running, tuple->part[k].extent);
        total = extent > 0 && total <= running->steps ? total * extent : extent > 0 ? total : 0;
    }
    for (int64_t n = 0; n < total && !running->failed; n++) {
        if (!enter(running, tuple->var, n, NULL))
            return;
        run_tuple_from(running, tuple, n, tuple->n_part - 1);
        running->n--;
    }
}

static bool any_holds(struct running *running, const struct node *node)
{
    bool any = node->n_alternative == 0;

    for (int k = 0; k < node->n_alternative && !any; k++)
        any = guard_holds(running, &node->alternative[k]);
    return any;
}

static void run_if(struct running *running, const struct node *node)
{
    if (node->value)
        fail(running);
    else if (any_holds(running, node))
        running_run(running, node->child[0]);
    else if (node->n_child > 1)
        running_run(running, node->child[1]);
}

static void run_switch(struct running *running, const struct node *node)
{
    const int64_t value = running_value(running, node->lower);

    for (int k = 0; k < node->n_child; k++)
        if (node->label[k] == value)
            running_run(running, node->child[k]);
}

static int64_t in_lane(struct running *running, const struct tree_expr *expr, int64_t lane);

/* How many lanes the vector counts. */
static int64_t counted_lanes(struct running *running, const struct vector *vector, const struct affine *place)
{
    const struct affine *count = vector->count;

    if (vector->each)
        count = vector->each[place ? running_value(running, place) : 0];
    return count ? running_value(running, count) : vector->lanes;
}

const struct node *running_let(struct running *running, const struct var *var)
{
    const int at = find(running, var);

    return at >= 0 ? running->let[at] : NULL;
}

/* Does it name the lanes that its vector counts? */
static bool is_mask(const struct node *let)
{
    return let->value->kind == TREE_MASK && !let->value->affine && let->vector;
}

/* What the LET around calls var, in that lane. */
static int64_t named(struct running *running, const struct var *var, const struct affine *place, int64_t lane)
{
    const struct node *let = running_let(running, var);

    if (!let)
        return fail(running);
    if (is_mask(let))
        return lane < counted_lanes(running, let->vector, place) &&
               (!let->vector->active || in_lane(running, let->vector->active, lane));
    return in_lane(running, let->value, lane);
}

static int64_t operation(struct running *running, const struct tree_expr *expr, int64_t lane)
{
    const int64_t a = in_lane(running, expr->arg[0], lane), b = in_lane(running, expr->arg[1], lane);

    switch (expr->op) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    case OP_GE:
        return a >= b;
    case OP_EQ:
        return a == b;
    case OP_NE:
        return a != b;
    case OP_LAND:
        return a && b;
    case OP_LOR:
        return a || b;
    default:
        return fail(running);
    }
}

static int64_t call(struct running *running, const struct tree_expr *expr, int64_t lane)
{
    const int64_t a = in_lane(running, expr->arg[0], lane);
    const int64_t b = expr->n_arg > 1 ? in_lane(running, expr->arg[1], lane) : 0;

    switch (expr->function) {
    case FUNCTION_MIN:
        return a < b ? a : b;
    case FUNCTION_MAX:
        return a > b ? a : b;
    case FUNCTION_FLOOR:
        return b > 0 ? floor_div(a, b) : fail(running);
    case FUNCTION_MOD:
        return b > 0 ? a - b * floor_div(a, b) : fail(running);
    default:
        return fail(running);
    }
}

/* An expression of indices in one lane. */
static int64_t in_lane(struct running *running, const struct tree_expr *expr, int64_t lane)
{
    switch (expr->kind) {
    case TREE_INT:
        return expr->integer;
    case TREE_INDEX:
        return running_value(running, expr->affine);
    case TREE_RAMP:
        return expr->list ? expr->list[lane] : running_value(running, expr->affine) + expr->integer * lane;
    case TREE_MASK:
        return expr->affine ? lane < running_value(running, expr->affine) : fail(running);
    case TREE_NAMED:
        return named(running, expr->var, expr->affine, lane);
    case TREE_UNARY:
        return expr->op == OP_LNOT  ? !in_lane(running, expr->arg[0], lane)
               : expr->op == OP_NEG ? -in_lane(running, expr->arg[0], lane)
                                    : fail(running);
    case TREE_BINARY:
        return operation(running, expr, lane);
    case TREE_SELECT:
        return in_lane(running, expr->arg[in_lane(running, expr->arg[0], lane) ? 1 : 2], lane);
    case TREE_CAST:
        return type_is_float(expr->type) ? fail(running) : in_lane(running, expr->arg[0], lane);
    case TREE_CALL:
        return call(running, expr, lane);
    default:
        return fail(running);
    }
}

/* How many of the lanes may be active: those that the vector counts, and the vector of its mask. */
static int64_t most_lanes(struct running *running, const struct vector *vector, int64_t n_lane)
{
    const struct affine *count = vector->each ? vector->each[0] : vector->count;
    const struct node *mask = vector->mask ? running_let(running, vector->mask) : NULL;
    const int64_t n = count ? running_value(running, count) : n_lane;
    const int64_t m = mask && is_mask(mask) ? counted_lanes(running, mask->vector, vector->mask_place) : n_lane;

    return n < m && n < n_lane ? n : m < n_lane ? m : n_lane;
}

/* Is one of these active? */
static bool is_active(struct running *running, const struct vector *vector, int64_t lane)
{
    const struct node *mask = vector->mask ? running_let(running, vector->mask) : NULL;

    if (vector->active && !in_lane(running, vector->active, lane))
        return false;
    if (mask && is_mask(mask))
        return !mask->vector->active || in_lane(running, mask->vector->active, lane);
    return !vector->mask || named(running, vector->mask, vector->mask_place, lane);
}

static void add_instance(struct running *running, const struct node *node, const struct statement *statement,
                         const struct affine *const *argument, int64_t lane)
{
    int64_t coordinate[RUN_MOST_LOOPS];

    if (statement->n_loop > RUN_MOST_LOOPS) {
        fail(running);
        return;
    }
    for (int k = 0; k < statement->n_loop; k++)
        coordinate[k] = running_value(running, argument[k]);
    if (running->failed)
        return;
    replayed_add(&running->result[statement->index], coordinate, statement->n_loop);
    if (running->look)
        running->look(running->user, running, node, statement, coordinate, lane);
}

/* The instances that node runs at once, from that inner dimension on. */
static void run_instances(struct running *running, const struct node *node, int inner, int64_t lane)
{
    if (inner < node->n_inner) {
        const struct inner_dim *dim = &node->inner[inner];
        const struct vector *vector = dim->lane ? node->vector : NULL;
        const int64_t n = vector ? most_lanes(running, vector, dim->extent) : dim->extent;
        for (int64_t v = 0; v < n && !running->failed; v++) {
            if ((vector && !is_active(running, vector, v)) || !enter(running, dim->var, v, NULL))
                continue;
            run_instances(running, node, inner + 1, dim->lane ? v : lane);
            running->n--;
        }
        return;
    }
    if (node->counted && !guard_holds(running, node->counted))
        return;
    add_instance(running, node, node->statement, node->argument, lane);
    for (int k = 0; k < node->n_also; k++)
        add_instance(running, node, node->also[k].statement, node->also[k].argument, lane);
}

/* Threads of a warp make one update, and one tile, together. */
static bool takes_part(struct running *running, const struct node *node)
{
    return (!node->warp_sum || any_holds(running, node)) &&
           (!node->tensor || !running->kernel || running->position[AXIS_THREAD_X] % TILE_THREADS == 0);
}

static void run_own(struct running *running, const struct node *node)
{
    const bool untold = node->untold || (node->statement && node->statement->n_taking > 0);

    if (untold && running->untold)
        running->untold[node->statement->index] = true;
    running->again = true;
    if (node->argument && takes_part(running, node))
        run_instances(running, node, 0, 0);
}

/* How many positions there are along an axis: the product of its digits, in runs. */
static int64_t extent_along(struct running *running, const struct launch *launch, enum axis axis)
{
    const int64_t run = launch->run[axis] ? launch->run[axis] : 1;
    int64_t n = 1;

    for (int k = 0; k < AXIS_DIGITS; k++) {
        const struct affine *digit = launch->extent[axis_digit(axis, k)];
        const int64_t extent = digit ? running_value(running, digit) : 1;
        if (extent <= 0 || n > running->steps)
            return extent <= 0 ? 0 : fail(running);
        n *= extent;
    }
    n = (n + run - 1) / run;
    return launch->blocks[axis] && n > launch->blocks[axis] ? launch->blocks[axis] : n;
}

/* node at all positions of the axes up to this one. */
static void run_positions(struct running *running, enum axis axis, const struct node *node)
{
    if (axis == AXIS_NONE) {
        running->failed = running->failed || running->steps-- <= 0;
        start_run(running, NULL);
        running_run(running, node);
        return;
    }
    for (int64_t k = 0; k < running->extent[axis] && !running->failed; k++) {
        running->position[axis] = k;
        run_positions(running, (enum axis)(axis - 1), node);
    }
}

static void run_kernel(struct running *running, const struct node *kernel)
{
    for (int axis = AXIS_BLOCK_X; axis < AXIS_THREAD; axis++)
        running->extent[axis] = extent_along(running, kernel->launch, (enum axis)axis);
    running->kernel = kernel;
    run_positions(running, (enum axis)(AXIS_THREAD - 1), kernel->child[0]);
    running->kernel = NULL;
}

void running_run(struct running *running, const struct node *node)
{
    if (running->failed)
        return;
    switch (node->kind) {
    case NODE_LOOP:
        run_loop(running, node);
        break;
    case NODE_TUPLE:
        run_tuple(running, node);
        break;
    case NODE_IF:
        run_if(running, node);
        break;
    case NODE_VALUE:
        run_with(running, node->var, running_value(running, node->lower), NULL, node->child[0]);
        break;
    case NODE_SWITCH:
        run_switch(running, node);
        break;
    case NODE_STATEMENT:
    case NODE_ASSIGN:
        run_own(running, node);
        break;
    case NODE_LET:
        run_own(running, node);
        run_let(running, node);
        break;
    case NODE_KERNEL:
        if (running->untold)
            run_kernel(running, node);
        else
            running_run(running, node->child[0]);
        break;
    case NODE_REFUSE:
        fail(running);
        break;
    case NODE_BLOCK:
    case NODE_CALL:
    case NODE_REGION:
    case NODE_SINGLE:
    case NODE_POINTER:
    case NODE_TILES:
    case NODE_TEXT:
        for (int k = 0; k < node->n_child; k++)
            running_run(running, node->child[k]);
        break;
    case NODE_BARRIER:
    case NODE_FENCE:
    case NODE_PREFETCH:
        break;
    }
}
