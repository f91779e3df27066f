#include "lower/prove/replay_tree.h"

#include "program/check/replay.h"

enum {
    STEPS = 20000, /* iterations that a look at some parameters may take */
    DEEPEST = 256, /* variables in sight */
    MOST_LOOPS = 64
};

struct running {
    const struct var *var[DEEPEST];
    int64_t value[DEEPEST];
    int n;
    int64_t steps; /* left */
    bool failed;   /* too many, or something that is not run here */
    struct replayed *result;
};

static int64_t fail(struct running *running)
{
    running->failed = true;
    return 0;
}

static int64_t value_of(struct running *running, const struct affine *a);

static int64_t atom_value(struct running *running, const struct atom *atom)
{
    int64_t value;

    if (atom->kind == ATOM_VAR) {
        for (int k = running->n - 1; k >= 0; k--)
            if (running->var[k] == atom->var)
                return running->value[k];
        return fail(running);
    }
    value = value_of(running, atom->arg[0]);
    if (atom->kind == ATOM_FLOOR)
        return floor_div(value, atom->divisor);
    for (int k = 1; k < atom->n_arg; k++) {
        const int64_t next = value_of(running, atom->arg[k]);
        value = (atom->kind == ATOM_MIN) == (next < value) ? next : value;
    }
    return value;
}

static int64_t value_of(struct running *running, const struct affine *a)
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
        const int64_t value = value_of(running, guard->condition[k].affine);
        if (guard->condition[k].equal ? value != 0 : value < 0)
            return false;
    }
    return true;
}

static void run(struct running *running, const struct node *node);

/* node inside of var being value. */
static void run_with(struct running *running, const struct var *var, int64_t value, const struct node *node)
{
    if (running->n == DEEPEST || running->steps-- <= 0) {
        fail(running);
        return;
    }
    running->var[running->n] = var;
    running->value[running->n++] = value;
    run(running, node);
    running->n--;
}

static void run_loop(struct running *running, const struct node *loop)
{
    const int64_t lower = value_of(running, loop->lower), upper = value_of(running, loop->upper);

    for (int64_t n = lower; (loop->step > 0 ? n <= upper : n >= upper) && !running->failed; n += loop->step)
        run_with(running, loop->var, n, loop->child[0]);
}

static void run_if(struct running *running, const struct node *node)
{
    bool any = node->n_alternative == 0;

    if (node->value) {
        fail(running);
        return;
    }
    for (int k = 0; k < node->n_alternative && !any; k++)
        any = guard_holds(running, &node->alternative[k]);
    if (any)
        run(running, node->child[0]);
    else if (node->n_child > 1)
        run(running, node->child[1]);
}

static void run_switch(struct running *running, const struct node *node)
{
    const int64_t value = value_of(running, node->lower);

    for (int k = 0; k < node->n_child; k++)
        if (node->label[k] == value)
            run(running, node->child[k]);
}

static void run_statement(struct running *running, const struct node *node)
{
    int64_t coordinate[MOST_LOOPS];

    if (node->statement->n_loop > MOST_LOOPS) {
        fail(running);
        return;
    }
    for (int k = 0; k < node->statement->n_loop; k++)
        coordinate[k] = value_of(running, node->argument[k]);
    replayed_add(&running->result[node->statement->index], coordinate, node->statement->n_loop);
}

static void run(struct running *running, const struct node *node)
{
    if (running->failed)
        return;
    switch (node->kind) {
    case NODE_LOOP:
        run_loop(running, node);
        break;
    case NODE_IF:
        run_if(running, node);
        break;
    case NODE_VALUE:
        run_with(running, node->var, value_of(running, node->lower), node->child[0]);
        break;
    case NODE_SWITCH:
        run_switch(running, node);
        break;
    case NODE_STATEMENT:
        run_statement(running, node);
        break;
    case NODE_BLOCK:
    case NODE_CALL:
    case NODE_KERNEL:
        for (int k = 0; k < node->n_child; k++)
            run(running, node->child[k]);
        break;
    default:
        fail(running);
    }
}

struct replaying {
    struct arena *arena;
    const struct program *written, *program;
    const struct node *tree;
    const struct var *const *param_var;
    struct diags *diags;
};

static void report(const struct replaying *replaying, const struct statement *statement, const int64_t *param,
                   int64_t runs, int64_t wanted)
{
    struct text at = {0};

    for (int k = 0; k < replaying->program->n_param; k++)
        text_addf(&at, "%s%s = %lld", k ? ", " : " at ", replaying->program->param[k].name, (long long)param[k]);
    diag_error(
        replaying->diags, "internal", statement->place,
        "internal error: the emitted loops run other instances of %s than those that are written%s: %lld of %lld",
        statement->label, text_str(&at), (long long)runs, (long long)wanted);
    text_free(&at);
}

/* Do both have the same instances? A look that takes too long finds nothing. */
static bool same_at(const struct replaying *replaying, const int64_t *param)
{
    const struct program *program = replaying->program, *written = replaying->written;
    struct replayed *wanted = ARENA_ARRAY(replaying->arena, written->n_statement + 1, struct replayed);
    struct replayed *found = ARENA_ARRAY(replaying->arena, program->n_statement + 1, struct replayed);
    struct running running = {.steps = STEPS, .result = found};

    for (; running.n < program->n_param && running.n < DEEPEST; running.n++) {
        running.var[running.n] = replaying->param_var[running.n];
        running.value[running.n] = param[running.n];
    }
    if (!replay_program(written, param, STEPS, wanted))
        return true;
    run(&running, replaying->tree);
    for (int k = 0; k < written->n_statement && !running.failed; k++) {
        const struct statement *own = written->statement[k];
        const struct statement *now = program_statement(program, own->label);
        const struct replayed *a = &wanted[k], *b = now ? &found[now->index] : NULL;
        if (!now || now->domain != own->domain || (a->n == b->n && a->sum == b->sum))
            continue;
        report(replaying, own, param, b->n, a->n);
        return false;
    }
    return true;
}

static bool is_allowed(const struct program *program, const int64_t *param)
{
    isl_set *set = isl_set_copy(program->context);
    bool allowed;

    for (int k = 0; k < program->n_param; k++) {
        const int at = isl_set_find_dim_by_name(set, isl_dim_param, program->param[k].name);
        if (at >= 0)
            set = isl_set_fix_si(set, isl_dim_param, (unsigned)at, (int)param[k]);
    }
    allowed = isl_set_is_empty(set) == isl_bool_false;
    isl_set_free(set);
    return allowed;
}

/* Parameter k is first + k * step, modulo 24. */
static bool same_from(const struct replaying *replaying, int64_t first, int64_t step)
{
    const struct program *program = replaying->program;
    int64_t *param = ARENA_ARRAY(replaying->arena, program->n_param + 1, int64_t);

    for (int k = 0; k < program->n_param; k++)
        param[k] = (first + k * step) % 24;
    return !is_allowed(program, param) || same_at(replaying, param);
}

enum status replay_tree(struct arena *arena, const struct program *written, const struct program *program,
                        const struct node *tree, const struct var *const *param_var, struct diags *diags)
{
    static const int64_t first[][2] = {{1, 0}, {5, 2}, {8, 0}, {13, 3}, {16, 8}};
    const struct replaying replaying = {arena, written, program, tree, param_var, diags};
    const int n = program->n_param > 0 ? (int)(sizeof(first) / sizeof(first[0])) : 1;

    for (int k = 0; k < n; k++)
        if (!same_from(&replaying, first[k][0], first[k][1]))
            return STATUS_ENVIRONMENT;
    return STATUS_OK;
}
