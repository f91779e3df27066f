/* Unit tests of prove/replay_tree.h: finished trees that run what the proved one runs, and broken ones. */
#include "lower/prove/linear.h"
#include "lower/prove/replay_tree.h"
#include "program/check/replay.h"
#include "reading.h"
#include "tree/vars.h"
#include "unit.h"

/* S[i] for 0 <= i < N: the loop over it, and its parts in the finished tree: 8 lanes at a time. */
struct subject {
    struct reading_result read;
    struct vars *vars;
    const struct var *i, *lane;
    const struct affine *at_i, *at_lane, *n;
    const struct node *proved;
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

static void set_up_with(const char *body)
{
    char text[400];

    snprintf(text, sizeof text,
             "{'polynest': 1, 'name': 'd', 'params': ['N'],"
             "'arrays': [{'name': 'A', 'role': 'inout', 'type': 'f32', 'shape': ['N + 8']}],"
             "'nests': [{'name': 'n', 'loops': ['i < N'], 'body': ['S: %s']}]}",
             body);
    s = (struct subject){.read = read_text(text)};
    s.vars = vars_of_program(s.read.arena, s.read.program);
    s.i = var_new(s.vars, VAR_LOOP, "i");
    s.lane = var_new(s.vars, VAR_LOOP, "lane");
    s.at_i = affine_var(s.read.arena, s.i);
    s.at_lane = affine_var(s.read.arena, s.lane);
    s.n = affine_var(s.read.arena, s.vars->param[0]);
    s.proved = over(affine_constant(s.read.arena, 0), plus(s.n, -1), 1,
                    node_statement(s.read.arena, s.read.program->statement[0], one(s.at_i)));
}

static void set_up(void)
{
    set_up_with("A[i] = 1.0");
}

static void tear_down(void)
{
    reading_free(&s.read);
}

/* A[i + shift + lane] = 1 in those of the lanes that are below count (NULL: in all). */
static struct node *lanes(int64_t extent, const struct affine *count, int64_t shift)
{
    struct arena *arena = s.read.arena;
    struct inner_dim *inner = ARENA_NEW(arena, struct inner_dim);
    struct vector *vector = ARENA_NEW(arena, struct vector);
    int64_t *factor = ARENA_NEW(arena, int64_t);
    struct node *node = ARENA_NEW(arena, struct node);
    const struct statement *statement = s.read.program->statement[0];

    *factor = 1;
    *inner = (struct inner_dim){s.lane, extent, true};
    *vector = (struct vector){.lanes = 8, .count = count};
    *node = (struct node){.kind = NODE_ASSIGN,
                          .statement = statement,
                          .argument = one(affine_add(arena, s.at_i, s.at_lane)),
                          .inner = inner,
                          .n_inner = 1,
                          .vector = vector,
                          .target = {.array = statement->target->array,
                                     .index = one(plus(s.at_i, shift)),
                                     .lane_step = 1,
                                     .lane_factor = factor},
                          .op = OP_NONE,
                          .value = tree_expr_integer(arena, TYPE_F32, 1)};
    return node;
}

/* The loop over vectors. */
static const struct node *loop(int64_t step, const struct node *body)
{
    return over(affine_constant(s.read.arena, 0), plus(s.n, -1), step, body);
}

/* How many lanes there are elements for. */
static const struct affine *left(void)
{
    return affine_sub(s.read.arena, s.n, s.at_i);
}

static enum status replay(const struct node *finished)
{
    return replay_finished(s.read.arena, s.read.program, s.read.program, s.proved, finished, s.vars->param, NULL,
                           s.read.diags);
}

START_TEST(all_lanes_run)
{
    ck_assert_int_eq(replay(loop(8, lanes(8, left(), 0))), STATUS_OK);
}
END_TEST

START_TEST(lost_mask)
{
    ck_assert_int_eq(replay(loop(8, lanes(8, NULL, 0))), STATUS_ENVIRONMENT);
}
END_TEST

START_TEST(dropped_lane)
{
    ck_assert_int_eq(replay(loop(8, lanes(7, left(), 0))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay(loop(8, lanes(8, plus(left(), -1), 0))), STATUS_ENVIRONMENT);
}
END_TEST

START_TEST(doubled_vector)
{
    ck_assert_int_eq(replay(loop(4, lanes(8, left(), 0))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay(loop(16, lanes(8, left(), 0))), STATUS_ENVIRONMENT);
}
END_TEST

START_TEST(shifted_subscript)
{
    ck_assert_int_eq(replay(loop(8, lanes(8, left(), 1))), STATUS_ENVIRONMENT);
}
END_TEST

static const struct node *both(const struct node *a, const struct node *b)
{
    const struct node *const child[] = {a, b};

    return node_block(s.read.arena, child, 2);
}

/* A[index] = 1 as S[i]. */
static struct node *single(const struct affine *index)
{
    struct node *node = lanes(1, NULL, 0);

    node->argument = one(s.at_i);
    node->n_inner = 0;
    node->vector = NULL;
    node->target.index = one(index);
    node->target.lane_step = 0;
    return node;
}

/* The first iterations, and lanes, are at the right elements. */
START_TEST(subscript_of_later_iterations)
{
    struct arena *arena = s.read.arena;
    const struct affine *const least[] = {s.at_i, affine_constant(arena, 5)};
    const struct affine *up_to_5 = affine_extreme(arena, ATOM_MIN, least, 2);
    const struct var *name = var_new(s.vars, VAR_VALUE, "name");
    struct node *vector = lanes(8, left(), 0);

    ck_assert_int_eq(replay(loop(1, single(s.at_i))), STATUS_OK);
    ck_assert_int_eq(replay(loop(1, single(up_to_5))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay(loop(1, node_value(arena, name, up_to_5, single(affine_var(arena, name))))),
                     STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay(loop(1, node_value(arena, name, s.at_i, single(affine_var(arena, name))))), STATUS_OK);
    vector->target.index = one(up_to_5);
    ck_assert_int_eq(replay(loop(8, vector)), STATUS_ENVIRONMENT);
}
END_TEST

/* Two loops, and two runs of one, do not tell each other's elements. */
START_TEST(subscript_of_later_runs)
{
    struct arena *arena = s.read.arena;
    const struct affine *at_4 = affine_constant(arena, 4), *zero = affine_constant(arena, 0);
    const struct var *tile = var_new(s.vars, VAR_LOOP, "tile");
    const struct affine *first = affine_scale(arena, affine_var(arena, tile), 4), *of_tile[2];
    const struct node *front =
        over(zero, plus(affine_extreme(arena, ATOM_MIN, (const struct affine *[]){at_4, s.n}, 2), -1), 1,
             single(s.at_i));
    const struct node *rest = over(at_4, plus(s.n, -1), 1, single(plus(s.at_i, -1)));
    const struct node *good = over(at_4, plus(s.n, -1), 1, single(s.at_i));

    ck_assert_int_eq(replay(both(front, good)), STATUS_OK);
    ck_assert_int_eq(replay(both(front, rest)), STATUS_ENVIRONMENT);
    of_tile[0] = plus(first, 3);
    of_tile[1] = plus(s.n, -1);
    for (int shift = 0; shift < 2; shift++) {
        const struct affine *late = affine_floor(arena, affine_var(arena, tile), 3);
        const struct node *inner = over(first, affine_extreme(arena, ATOM_MIN, of_tile, 2), 1,
                                        single(affine_combine(arena, s.at_i, 1, late, shift)));
        const struct node *tiles = node_loop(arena, tile, zero, affine_floor(arena, plus(s.n, -1), 4), 1, NULL, inner);
        ck_assert_int_eq(replay(tiles), shift ? STATUS_ENVIRONMENT : STATUS_OK);
    }
}
END_TEST

/* node with a name around that stands for value; what it assigns is the name. */
static const struct node *named(const struct tree_expr *value, struct node *node, const struct statement *statement)
{
    struct arena *arena = s.read.arena;
    struct tree_expr *name = tree_expr_new(arena, TREE_NAMED, TYPE_F32);
    struct node *let = ARENA_NEW(arena, struct node);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);

    name->var = var_new(s.vars, VAR_LOOP, "name");
    node->value = name;
    child[0] = node;
    *let = (struct node){.kind = NODE_LET, .var = name->var, .value = value, .child = child, .n_child = 1};
    let->statement = statement;
    return let;
}

/* What A[i + shift + lane] has. */
static const struct tree_expr *loaded(int64_t shift)
{
    struct tree_expr *load = tree_expr_new(s.read.arena, TREE_LOAD, TYPE_F32);

    load->element = lanes(8, NULL, shift)->target;
    return load;
}

/* Names stand for what is loaded where they are bound, but for values that another statement stores. */
START_TEST(shifted_name)
{
    const struct statement *own = s.read.program->statement[0], other = *own;
    struct tree_expr *both = tree_expr_new(s.read.arena, TREE_NAMED, TYPE_F32);
    const struct node *inner;

    ck_assert_int_eq(replay(loop(8, named(loaded(0), lanes(8, left(), 0), NULL))), STATUS_OK);
    ck_assert_int_eq(replay(loop(8, named(loaded(1), lanes(8, left(), 0), NULL))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay(loop(8, named(loaded(1), lanes(8, left(), 0), own))), STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay(loop(8, named(loaded(1), lanes(8, left(), 0), &other))), STATUS_OK);
    inner = named(both, lanes(8, left(), 0), NULL);
    both->var = var_new(s.vars, VAR_LOOP, "outer");
    for (int64_t shift = 0; shift < 2; shift++) {
        struct node *outer = ARENA_NEW(s.read.arena, struct node);
        *outer = *named(loaded(shift), lanes(8, left(), 0), NULL);
        outer->var = both->var;
        ck_assert_int_eq(replay(loop(8, node_with_body(s.read.arena, outer, inner))),
                         shift ? STATUS_ENVIRONMENT : STATUS_OK);
    }
}
END_TEST

static const struct tree_expr *operation(enum expr_op op, const struct tree_expr *a, const struct tree_expr *b)
{
    struct tree_expr *result = tree_expr_new(s.read.arena, TREE_BINARY, TYPE_F32);
    const struct tree_expr **arg = ARENA_ARRAY(s.read.arena, 2, const struct tree_expr *);

    arg[0] = a;
    arg[1] = b;
    result->op = op;
    result->arg = arg;
    result->n_arg = 2;
    return result;
}

static const struct tree_expr *real(double value)
{
    struct tree_expr *result = tree_expr_new(s.read.arena, TREE_REAL, TYPE_F32);

    result->real = value;
    return result;
}

static enum status replay_computing(const struct tree_expr *value)
{
    struct node *node = lanes(8, left(), 0);

    node->value = value;
    return replay(loop(8, node));
}

/* Each operand loads what the statement loads there; numbers and operations are its own. */
START_TEST(swapped_operands)
{
    tear_down();
    set_up_with("A[i] = 0.5 * A[i + 8] - A[i]");
    const struct tree_expr *near = loaded(0), *far = loaded(8);

    ck_assert_int_eq(replay_computing(operation(OP_SUB, operation(OP_MUL, real(0.5), far), near)), STATUS_OK);
    ck_assert_int_eq(replay_computing(operation(OP_SUB, operation(OP_MUL, real(0.5), near), far)), STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay_computing(operation(OP_SUB, operation(OP_MUL, real(0.25), far), near)), STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay_computing(operation(OP_ADD, operation(OP_MUL, real(0.5), far), near)), STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay_computing(operation(OP_SUB, near, far)), STATUS_ENVIRONMENT);
    ck_assert_int_eq(replay_computing(near), STATUS_OK);
}
END_TEST

/* Code is made of the lanes' distance in memory, proofs of their subscripts. */
START_TEST(lanes_elsewhere)
{
    struct node *node = lanes(8, left(), 0);

    node->target.lane_step = 2;
    ck_assert_int_eq(replay(loop(8, node)), STATUS_ENVIRONMENT);
}
END_TEST

/* What nobody uses is no instance; what is not told is not compared. */
START_TEST(counted_and_untold)
{
    struct arena *arena = s.read.arena;
    struct condition *inside = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    *inside = (struct condition){affine_sub(arena, plus(left(), -1), s.at_lane), false};
    *guard = (struct guard){inside, 1};
    ck_assert_int_eq(replay(loop(8, node_counted(arena, lanes(8, NULL, 0), guard))), STATUS_OK);
    ck_assert_int_eq(replay(loop(8, node_untold(arena, lanes(8, NULL, 0)))), STATUS_OK);
}
END_TEST

/* The subscript of the only access that the body reads; NULL: it is no sum. */
static const struct linear *linear(const char *body, const struct expr **subscript)
{
    const struct statement *statement;
    const struct expr *value;

    tear_down();
    set_up_with(body);
    statement = s.read.program->statement[0];
    for (value = statement->value; value->kind == EXPR_CAST;)
        value = value->arg[0];
    *subscript = value->arg[0];
    return linear_of(s.read.arena, s.read.program, statement->n_loop, *subscript);
}

/* Sums, and digits of sums. */
START_TEST(linear_subscripts)
{
    static const char *const some[] = {"A[i] = A[-(2 * i - 3) + (N - i) * 2 + 4 * i]",
                                       "A[i] = A[i % 8]",
                                       "A[i] = A[(i - 7) / 2]",
                                       "A[i] = A[(2 * i - N) / 3 % 4]",
                                       "A[i] = A[i % 8 / 2]",
                                       "A[i] = A[i / 2 + 1]",
                                       "A[i] = A[i - 4 * (i / 4) + (N - i) % 3 * 2]"};
    static const char *const none[] = {"A[i] = A[min(i, 3)]", "A[i] = A[i + min(i, 3) / 2]"};
    const struct expr *subscript;

    for (size_t k = 0; k < sizeof(some) / sizeof(some[0]); k++) {
        const struct linear *sum = linear(some[k], &subscript);
        ck_assert_ptr_nonnull(sum);
        for (int64_t i = 0; i < 20; i++)
            for (int64_t n = 1; n < 20; n += 6) {
                int64_t value;
                ck_assert(replay_value(s.read.program, &n, &i, 1, subscript, &value));
                ck_assert_int_eq(linear_value(sum, &i, &n), value);
            }
    }
    for (size_t k = 0; k < sizeof(none) / sizeof(none[0]); k++)
        ck_assert_ptr_null(linear(none[k], &subscript));
}
END_TEST

UNIT_MAIN_WITH("replay", set_up, tear_down, all_lanes_run, lost_mask, dropped_lane, doubled_vector, shifted_subscript,
               subscript_of_later_iterations, subscript_of_later_runs, shifted_name, swapped_operands, lanes_elsewhere,
               linear_subscripts, counted_and_untold)
