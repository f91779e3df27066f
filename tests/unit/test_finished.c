/* Unit tests of prove/finished.h: finished trees that run what the proved one runs, and broken ones, at sizes that no
 * sample visits: N is at least 1000. */
#include "lower/finished/finished.h"
#include "reading.h"
#include "tree/vars.h"
#include "unit.h"

/* S[i] for 0 <= i < N: the loop over it, and its parts in the finished tree: 8 lanes at a time, or 8 threads. */
struct subject {
    struct reading_result read;
    struct vars *vars;
    const struct var *i, *lane, *block, *thread;
    const struct affine *at_i, *at_lane, *n;
    const struct node *proved;
    const struct finished_proof *proof;
};

static struct subject s;

static const struct affine *plus(const struct affine *a, int64_t constant)
{
    return affine_add_constant(s.read.arena, a, constant);
}

static const struct node *over(const struct affine *first, const struct affine *last, int64_t step,
                               const struct node *body)
{
    return node_loop(s.read.arena, s.i, first, last, step, NULL, body);
}

static const struct affine *const *one(const struct affine *affine)
{
    const struct affine **list = ARENA_ARRAY(s.read.arena, 1, const struct affine *);

    list[0] = affine;
    return list;
}

static const struct var *position(enum axis axis, const char *name)
{
    struct var *var = var_new(s.vars, VAR_VALUE, name);

    var->position = axis;
    return var;
}

static void set_up(void)
{
    s = (struct subject){.read = read_text("{'polynest': 1, 'name': 'd', 'params': ['N'], 'assume': ['N >= 1000'],"
                                           "'arrays': [{'name': 'A', 'role': 'inout', 'type': 'f32', 'shape': ['N']}],"
                                           "'nests': [{'name': 'n', 'loops': ['i < N'], 'body': ['S: A[i] = 1.0']}]}")};
    s.vars = vars_of_program(s.read.arena, s.read.program);
    s.i = var_new(s.vars, VAR_LOOP, "i");
    s.lane = var_new(s.vars, VAR_LOOP, "lane");
    s.block = position(AXIS_BLOCK_X, "block");
    s.thread = position(AXIS_THREAD_X, "thread");
    s.at_i = affine_var(s.read.arena, s.i);
    s.at_lane = affine_var(s.read.arena, s.lane);
    s.n = affine_var(s.read.arena, s.vars->param[0]);
    s.proved = over(affine_constant(s.read.arena, 0), plus(s.n, -1), 1,
                    node_statement(s.read.arena, s.read.program->statement[0], one(s.at_i)));
}

static void tear_down(void)
{
    reading_free(&s.read);
}

/* A[index] = 1, the instance S[argument]. */
static struct node *assign(const struct affine *index, const struct affine *argument)
{
    const struct statement *statement = s.read.program->statement[0];
    struct node *node = ARENA_NEW(s.read.arena, struct node);

    *node = (struct node){.kind = NODE_ASSIGN,
                          .statement = statement,
                          .argument = one(argument),
                          .target = {.array = statement->target->array, .index = one(index)},
                          .value = tree_expr_integer(s.read.arena, TYPE_F32, 1)};
    return node;
}

/* A[i + shift + lane] = 1 in those of the lanes that are below count (NULL: in all). */
static struct node *lanes(int64_t extent, const struct affine *count, int64_t shift)
{
    struct inner_dim *inner = ARENA_NEW(s.read.arena, struct inner_dim);
    struct vector *vector = ARENA_NEW(s.read.arena, struct vector);
    int64_t *factor = ARENA_NEW(s.read.arena, int64_t);
    struct node *node = assign(plus(s.at_i, shift), affine_add(s.read.arena, s.at_i, s.at_lane));

    *factor = 1;
    *inner = (struct inner_dim){s.lane, extent, true};
    *vector = (struct vector){.lanes = 8, .count = count};
    node->inner = inner;
    node->n_inner = 1;
    node->vector = vector;
    node->target.lane_step = 1;
    node->target.lane_factor = factor;
    return node;
}

/* The loop over vectors, from the first one to the last. */
static const struct node *loop_to(const struct affine *first, const struct affine *last, int64_t step,
                                  const struct node *body)
{
    return over(first, last, step, body);
}

static const struct node *loop(int64_t step, const struct node *body)
{
    return loop_to(affine_constant(s.read.arena, 0), plus(s.n, -1), step, body);
}

/* How many lanes there are elements for. */
static const struct affine *left(void)
{
    return affine_sub(s.read.arena, s.n, s.at_i);
}

static enum status prove(const struct node *finished)
{
    const int64_t least[] = {1000};
    const struct finished_tree tree = {.program = s.read.program,
                                       .laid_out = s.read.program,
                                       .scheduled = s.read.program,
                                       .proved = s.proved,
                                       .tree = finished,
                                       .vars = s.vars,
                                       .param_least = least};

    return finished_prove(s.read.arena, &tree, s.read.diags, &s.proof);
}

/* Is everything proved? */
static bool is_proved(const struct node *finished)
{
    return prove(finished) == STATUS_OK && !s.proof[0].runs->open &&
           s.proof[0].elements->shown == s.proof[0].elements->n;
}

/* Whole vectors up to `whole`, then the rest from `rest` on. */
static const struct node *cut(const struct affine *whole, const struct affine *rest)
{
    const struct node *part[2];

    part[0] = loop_to(affine_constant(s.read.arena, 0), whole, 8, lanes(8, NULL, 0));
    part[1] = loop_to(rest, plus(s.n, -1), 8, lanes(8, left(), 0));
    return node_block(s.read.arena, part, 2);
}

static const struct affine *eights(int64_t more)
{
    return affine_scale(s.read.arena, affine_floor(s.read.arena, plus(s.n, more), 8), 8);
}

START_TEST(vectors_run_all)
{
    ck_assert(is_proved(s.proved));
    ck_assert(is_proved(loop(8, lanes(8, left(), 0))));
    ck_assert(is_proved(cut(plus(s.n, -8), eights(0))));
}
END_TEST

START_TEST(lost_mask)
{
    ck_assert_int_eq(prove(loop(8, lanes(8, NULL, 0))), STATUS_ENVIRONMENT);
}
END_TEST

START_TEST(dropped_lane)
{
    ck_assert_int_eq(prove(loop(8, lanes(7, left(), 0))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(prove(loop(8, lanes(8, plus(left(), -1), 0))), STATUS_ENVIRONMENT);
}
END_TEST

START_TEST(doubled_vector)
{
    ck_assert_int_eq(prove(loop(4, lanes(8, left(), 0))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(prove(loop(16, lanes(8, left(), 0))), STATUS_ENVIRONMENT);
}
END_TEST

/* A rest that overlaps with the whole vectors, or leaves a gap behind them. */
START_TEST(rest_elsewhere)
{
    ck_assert_int_eq(prove(cut(plus(s.n, -8), eights(-8))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(prove(cut(plus(s.n, -8), eights(8))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(prove(cut(plus(s.n, -16), eights(0))), STATUS_ENVIRONMENT);
}
END_TEST

START_TEST(one_too_far)
{
    ck_assert_int_eq(prove(over(affine_constant(s.read.arena, 0), s.n, 1, assign(s.at_i, s.at_i))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(prove(over(affine_constant(s.read.arena, 1), plus(s.n, -1), 1, assign(s.at_i, s.at_i))),
                     STATUS_ENVIRONMENT);
}
END_TEST

START_TEST(shifted_subscript)
{
    ck_assert_int_eq(prove(loop(8, lanes(8, left(), 1))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(prove(over(affine_constant(s.read.arena, 0), plus(s.n, -1), 1, assign(plus(s.at_i, -1), s.at_i))),
                     STATUS_ENVIRONMENT);
}
END_TEST

/* A[i] is what a name around calls A[i + more]. */
static const struct node *named(int64_t more)
{
    struct arena *arena = s.read.arena;
    struct node *use = assign(s.at_i, s.at_i), *let = ARENA_NEW(arena, struct node);
    struct tree_expr *load = tree_expr_new(arena, TREE_LOAD, TYPE_F32);
    struct tree_expr *name = tree_expr_new(arena, TREE_NAMED, TYPE_F32);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);

    load->element = use->target;
    load->element.index = one(plus(s.at_i, more));
    name->var = s.lane;
    use->value = name;
    child[0] = use;
    *let = (struct node){.kind = NODE_LET, .var = s.lane, .value = load, .child = child, .n_child = 1};
    return over(affine_constant(arena, 0), plus(s.n, -1), 1, let);
}

START_TEST(shifted_name)
{
    ck_assert(is_proved(named(0)));
    ck_assert_int_eq(prove(named(1)), STATUS_ENVIRONMENT);
}
END_TEST

/* In so many blocks of 8 threads, i is `apart` for each block and the thread; with a condition unless `masked` is
 * false. */
static const struct node *kernel(const struct affine *blocks, int64_t apart, bool masked)
{
    struct arena *arena = s.read.arena;
    struct launch *launch = ARENA_NEW(arena, struct launch);
    struct condition *inside = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    const struct affine *value =
        affine_combine(arena, affine_var(arena, s.block), apart, affine_var(arena, s.thread), 1);
    const struct node *body = assign(s.at_i, s.at_i);

    *inside = (struct condition){plus(left(), -1), false};
    *guard = (struct guard){inside, 1};
    launch->extent[AXIS_BLOCK_X] = blocks;
    launch->extent[AXIS_THREAD_X] = affine_constant(arena, 8);
    body = masked ? node_if(arena, guard, 1, body) : body;
    return node_kernel(arena, launch, node_value(arena, s.i, value, body));
}

static const struct affine *blocks(void)
{
    return affine_floor(s.read.arena, plus(s.n, 7), 8);
}

START_TEST(kernels_run_all)
{
    ck_assert(is_proved(kernel(blocks(), 8, true)));
}
END_TEST

START_TEST(broken_kernels)
{
    ck_assert_int_eq(prove(kernel(blocks(), 7, true)), STATUS_ENVIRONMENT);
    ck_assert_int_eq(prove(kernel(blocks(), 8, false)), STATUS_ENVIRONMENT);
    ck_assert_int_eq(prove(kernel(plus(blocks(), -1), 8, true)), STATUS_ENVIRONMENT);
    ck_assert(is_proved(kernel(plus(blocks(), 1), 8, true)));
}
END_TEST

/* S[i] where one of n conditions, each affine >= 0, holds. */
static const struct node *where(const struct affine *const *affine, int n)
{
    struct condition *condition = ARENA_ARRAY(s.read.arena, n, struct condition);
    struct guard *guard = ARENA_ARRAY(s.read.arena, n, struct guard);

    for (int k = 0; k < n; k++) {
        condition[k] = (struct condition){affine[k], false};
        guard[k] = (struct guard){&condition[k], 1};
    }
    return loop(1, node_if(s.read.arena, guard, n, assign(s.at_i, s.at_i)));
}

/* Conditions with one alternative more or less, or with something else in the place of what they hold for. */
START_TEST(other_conditions)
{
    const struct affine *const from[] = {plus(s.at_i, -500), plus(affine_scale(s.read.arena, s.at_i, -1), 100)};

    s.proved = where(from, 1);
    ck_assert(is_proved(where(from, 1)));
    ck_assert_int_eq(prove(where(from, 2)), STATUS_ENVIRONMENT);
    s.proved = where(from, 2);
    ck_assert(is_proved(where(from, 2)));
    ck_assert_int_eq(prove(where(from, 1)), STATUS_ENVIRONMENT);
}
END_TEST

/* Beside what runs all instances something that runs some more, nobody knows which. */
START_TEST(untold_instances)
{
    struct node *untold = assign(s.at_i, s.at_i);
    const struct node *both[] = {s.proved, loop(1, untold)};

    untold->argument = NULL;
    untold->untold = true;
    ck_assert_int_eq(prove(node_block(s.read.arena, both, 2)), STATUS_OK);
    ck_assert(s.proof[0].runs->open);
}
END_TEST

/* Of S[0] in some of 8 lanes, data says which: not even constant coordinates tell what runs. */
START_TEST(lanes_by_data)
{
    struct arena *arena = s.read.arena;
    struct node *some = assign(s.at_lane, affine_constant(arena, 0));
    struct vector *vector = ARENA_NEW(arena, struct vector);
    struct tree_expr *load = tree_expr_new(arena, TREE_LOAD, TYPE_F32);
    struct inner_dim *inner = ARENA_NEW(arena, struct inner_dim);

    load->element = some->target;
    *vector = (struct vector){.lanes = 8, .active = load};
    *inner = (struct inner_dim){s.lane, 8, true};
    some->vector = vector;
    some->inner = inner;
    some->n_inner = 1;
    s.proved = assign(affine_constant(arena, 0), affine_constant(arena, 0));
    ck_assert_int_eq(prove(some), STATUS_OK);
    ck_assert(s.proof[0].runs->open);
}
END_TEST

UNIT_MAIN_WITH("finished", set_up, tear_down, vectors_run_all, lost_mask, dropped_lane, doubled_vector, rest_elsewhere,
               one_too_far, shifted_subscript, shifted_name, kernels_run_all, broken_kernels, other_conditions,
               untold_instances, lanes_by_data)
