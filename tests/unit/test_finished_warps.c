/* Unit tests of finished/sources.h: sums of blocks by way of sums of warps, and trees in which a part of them is lost,
 * counted twice, or another one's. */
#include "lower/finished/sources.h"
#include "reading.h"
#include "tree/vars.h"
#include "unit.h"

/* S adds x[i, j] to s[i] when it was scheduled, to s_warps[j / 32] now; T adds that to s[i]. */
enum { SUM, BLOCK, BEFORE, OTHER };

struct subject {
    struct reading_result read;
    struct program scheduled;
    struct vars *vars;
    const struct var *block, *thread;
    struct array *parts;
};

static struct subject s;

/* part, warps: which one T reads, and how often. */
static void set_up_with(const char *part, const char *warps)
{
    struct statement **statement, *before, *sum;
    struct text text = {0};

    text_addf(&text,
              "{'polynest': 1, 'name': 'd', 'params': ['M'], 'arrays': ["
              "{'name': 'x', 'role': 'in', 'type': 'f32', 'shape': ['M', 256]},"
              "{'name': 's', 'role': 'inout', 'type': 'f32', 'shape': ['M']},"
              "{'name': 'p', 'role': 'temp', 'type': 'f32', 'shape': [8], 'init': 0}],"
              "'nests': [{'name': 'a', 'loops': ['i < M', 'j < 256'], 'body': ['S: p[j / 32] += x[i, j]']},"
              "{'name': 'b', 'loops': ['i < M', 'w < %s'], 'body': ['T: s[i] += p[%s]']},"
              "{'name': 'c', 'loops': ['i < M', 'j < 256'], 'body': ['B: s[i] += x[i, j]', 'O: s[0] += x[i, j]']}]}",
              warps, part);
    s = (struct subject){.read = read_text(text_str(&text))};
    text_free(&text);
    statement = s.read.program->statement;
    s.parts = &s.read.program->array[2];
    s.parts->init_zero = false;
    s.parts->memory = MEMORY_SHARED;
    sum = statement[SUM];
    sum->by_warp = true;
    s.scheduled = *s.read.program;
    s.scheduled.statement = ARENA_ARRAY(s.read.arena, 1, struct statement *);
    before = ARENA_NEW(s.read.arena, struct statement);
    *before = *sum;
    before->target = statement[BEFORE]->target;
    s.scheduled.statement[0] = before;
    s.scheduled.n_statement = 1;
    s.vars = vars_of_program(s.read.arena, s.read.program);
    s.block = var_new(s.vars, VAR_VALUE, "block");
    s.thread = var_new(s.vars, VAR_VALUE, "thread");
    ((struct var *)(uintptr_t)s.block)->position = AXIS_BLOCK_X;
    ((struct var *)(uintptr_t)s.thread)->position = AXIS_THREAD_X;
}

static void set_up(void)
{
    set_up_with("w", "8");
}

static void tear_down(void)
{
    reading_free(&s.read);
}

static const struct affine *at(const struct var *var)
{
    return affine_var(s.read.arena, var);
}

static const struct affine *plus(const struct affine *a, int64_t constant)
{
    return affine_add_constant(s.read.arena, a, constant);
}

/* factor * thread + constant >= 0 */
static const struct guard *where_thread(int64_t factor, int64_t constant)
{
    struct condition *condition = ARENA_NEW(s.read.arena, struct condition);
    struct guard *guard = ARENA_NEW(s.read.arena, struct guard);

    *condition = (struct condition){plus(affine_scale(s.read.arena, at(s.thread), factor), constant), false};
    *guard = (struct guard){condition, 1};
    return guard;
}

static const struct guard *up_to(int64_t last)
{
    return where_thread(-1, last);
}

static const struct tree_expr *load(const struct array *array)
{
    struct tree_expr *expr = ARENA_NEW(s.read.arena, struct tree_expr);

    *expr = (struct tree_expr){.kind = TREE_LOAD, .type = TYPE_F32, .element = {.array = array}};
    return expr;
}

/* The statement in the threads of a block up to last, by warps. */
static struct node *sum(int number, int64_t last)
{
    struct node *node = ARENA_NEW(s.read.arena, struct node);
    struct warp_sum *warps = ARENA_NEW(s.read.arena, struct warp_sum);
    const struct affine **argument = ARENA_ARRAY(s.read.arena, 2, const struct affine *);
    const struct statement *statement = s.read.program->statement[number];

    argument[0] = at(s.block);
    argument[1] = at(s.thread);
    *warps = (struct warp_sum){.threads = 256, .warp = 32, .by_warp = number == SUM};
    *node = (struct node){.kind = NODE_ASSIGN,
                          .statement = statement,
                          .argument = argument,
                          .target = {.array = statement->target->array},
                          .op = OP_ADD,
                          .value = load(number == SUM ? &s.read.program->array[0] : s.parts),
                          .lower = at(s.thread),
                          .alternative = up_to(last),
                          .n_alternative = 1,
                          .warp_sum = warps};
    return node;
}

static struct node *parts(void)
{
    return sum(SUM, 255);
}

static struct node *of_block(int64_t last)
{
    return sum(BLOCK, last);
}

static const struct node *both(const struct node *a, const struct node *b)
{
    const struct node *const child[] = {a, b};

    return node_block(s.read.arena, child, 2);
}

static const struct node *where(int64_t last, const struct node *body)
{
    return node_if(s.read.arena, up_to(last), 1, body);
}

static bool is_shown(const struct node *body)
{
    const int64_t least[] = {1};
    struct launch *launch = ARENA_NEW(s.read.arena, struct launch);
    struct same_sets sets = {.arena = s.read.arena,
                             .program = s.read.program,
                             .param_var = s.vars->param,
                             .param_least = least};
    const struct source_result *result;

    launch->extent[AXIS_BLOCK_X] = at(s.vars->param[0]);
    launch->extent[AXIS_THREAD_X] = affine_constant(s.read.arena, 256);
    result = sources(&sets, &s.scheduled, s.vars->all.n, node_kernel(s.read.arena, launch, body));
    ck_assert_int_gt(result[BLOCK].n, 0);
    ck_assert_int_eq(result[SUM].n, 0);
    return result[BLOCK].shown == result[BLOCK].n;
}

START_TEST(warps_then_the_block)
{
    ck_assert(is_shown(both(parts(), where(31, of_block(7)))));
    ck_assert(is_shown(both(parts(), of_block(7))));
    ck_assert(!is_shown(both(where(31, of_block(7)), parts())));
    ck_assert(!is_shown(where(31, of_block(7))));
}
END_TEST

/* The same in warps of so many threads, each of which stores where `update` holds in its first thread. */
static struct node *parts_of(int warp, const struct guard *update, int64_t last)
{
    struct node *node = sum(SUM, last);
    struct warp_sum *warps = ARENA_NEW(s.read.arena, struct warp_sum);

    *warps = *node->warp_sum;
    warps->warp = warp;
    warps->update = update;
    node->warp_sum = warps;
    return node;
}

START_TEST(parts_are_lost)
{
    ck_assert(!is_shown(both(parts(), of_block(6))));
    ck_assert(!is_shown(both(parts(), where(6, of_block(7)))));
    ck_assert(is_shown(both(parts_of(32, up_to(223), 223), of_block(6))));
    ck_assert(!is_shown(both(parts_of(32, up_to(223), 223), of_block(7))));
    ck_assert(!is_shown(both(parts_of(32, up_to(223), 255), of_block(6))));
    ck_assert(is_shown(both(parts_of(32, up_to(250), 250), of_block(7))));
    ck_assert(!is_shown(both(both(parts(), of_block(7)), parts())));
    ck_assert(!is_shown(both(parts(), node_if(s.read.arena, where_thread(1, -1), 1, of_block(7)))));
}
END_TEST

/* Warps that share a part, of which only the last one's is kept, and such that have two. */
START_TEST(parts_are_of_other_warps)
{
    ck_assert(is_shown(both(parts_of(32, up_to(255), 255), of_block(7))));
    ck_assert(!is_shown(both(parts_of(16, up_to(255), 255), of_block(7))));
    ck_assert(!is_shown(both(parts_of(64, up_to(255), 255), of_block(7))));
}
END_TEST

START_TEST(the_first_thread_is_not_there)
{
    ck_assert(is_shown(both(where(255, parts()), of_block(7))));
    ck_assert(!is_shown(both(node_if(s.read.arena, where_thread(1, -8), 1, parts()), of_block(7))));
}
END_TEST

/* Positions that are not those of threads along x. */
START_TEST(the_position_is_another)
{
    struct node *node = parts();

    node->lower = plus(at(s.thread), 32);
    ck_assert(!is_shown(both(node, of_block(7))));
}
END_TEST

START_TEST(parts_are_read_twice)
{
    tear_down();
    set_up_with("w / 2", "16");
    ck_assert(!is_shown(both(parts(), of_block(15))));
}
END_TEST

START_TEST(parts_are_of_another_sum)
{
    s.scheduled.statement[0]->target = s.read.program->statement[OTHER]->target;
    ck_assert(!is_shown(both(parts(), of_block(7))));
    s.scheduled.statement[0]->op = OP_MUL;
    ck_assert(!is_shown(both(parts(), of_block(7))));
}
END_TEST

/* The sum is in a buffer: of which of the schedule's elements is what the parts are of, as the loops' names say. */
START_TEST(the_sum_is_in_a_buffer)
{
    const char *other[] = {"k", "j"};
    struct array *sum = &s.read.program->array[1];

    sum->role = ROLE_TEMP;
    sum->is_buffer = sum->init_zero = true;
    ck_assert(is_shown(both(parts(), where(31, of_block(7)))));
    ck_assert(!is_shown(both(parts(), where(31, of_block(6)))));
    ck_assert(!is_shown(both(where(31, of_block(7)), parts())));
    s.scheduled.statement[0]->loop_name = other;
    ck_assert(!is_shown(both(parts(), where(31, of_block(7)))));
}
END_TEST

UNIT_MAIN_WITH("finished_warps", set_up, tear_down, warps_then_the_block, the_position_is_another, parts_are_lost,
               parts_are_of_other_warps, the_first_thread_is_not_there, parts_are_read_twice, parts_are_of_another_sum,
               the_sum_is_in_a_buffer)
