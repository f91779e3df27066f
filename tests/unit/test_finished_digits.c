/* Unit tests of ways/way_digits.c by finished/finished.h: positions whose digits are those of S[i, j] for i < M, j < N,
 * of which blocks of 8 threads have 8 each, or walk through all; and trees that are broken. */
#include "lower/finished/finished.h"
#include "reading.h"
#include "tree/vars.h"
#include "unit.h"

/* How the finished tree is wrong, if it is. */
struct broken {
    int64_t apart, threads; /* more of what n has of the block, and more threads */
    bool swapped, other;    /* extents N, M; the digits end at M + 1 */
    bool unmasked, far;     /* all positions run; those with i <= M */
    bool shifted, thrice;   /* S[i, j + thread]; a loop of 3 around */
    bool walks, capped;     /* blocks walk through the positions; there are at most 4 */
    int64_t further;        /* more by which they walk */
    bool whole, alone;      /* S[n, j] where n < M, for all j; S[block, j] by the first thread */
    bool from_0;            /* that where the block is at least 0 */
};

struct subject {
    struct reading_result read;
    struct vars *vars;
    const struct var *i, *j, *n, *round, *block, *thread;
    const struct affine *m_end, *n_end;
};

static struct subject s;

static const struct affine *at(const struct var *var)
{
    return affine_var(s.read.arena, var);
}

static const struct affine *plus(const struct affine *a, int64_t constant)
{
    return affine_add_constant(s.read.arena, a, constant);
}

static const struct affine *constant(int64_t value)
{
    return affine_constant(s.read.arena, value);
}

static const struct affine *const *pair(const struct affine *i, const struct affine *j)
{
    const struct affine **list = ARENA_ARRAY(s.read.arena, 2, const struct affine *);

    list[0] = i;
    list[1] = j;
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
    s = (struct subject){
        .read = read_text("{'polynest': 1, 'name': 'd', 'params': ['M', 'N'], 'assume': ['M >= 1', 'N >= 1'],"
                          "'arrays': [{'name': 'A', 'role': 'inout', 'type': 'f32', 'shape': ['M', 'N']}],"
                          "'nests': [{'name': 'n', 'loops': ['i < M', 'j < N'], 'body': ['S: A[i, j] = 1.0']}]}")};
    s.vars = vars_of_program(s.read.arena, s.read.program);
    s.i = var_new(s.vars, VAR_LOOP, "i");
    s.j = var_new(s.vars, VAR_LOOP, "j");
    s.n = var_new(s.vars, VAR_VALUE, "n");
    s.round = var_new(s.vars, VAR_LOOP, "r");
    s.block = position(AXIS_BLOCK_X, "block");
    s.thread = position(AXIS_THREAD_X, "thread");
    s.m_end = at(s.vars->param[0]);
    s.n_end = at(s.vars->param[1]);
}

static void tear_down(void)
{
    reading_free(&s.read);
}

static const struct node *proved(void)
{
    struct arena *arena = s.read.arena;
    const struct node *body = node_statement(arena, s.read.program->statement[0], pair(at(s.i), at(s.j)));

    body = node_loop(arena, s.j, constant(0), plus(s.n_end, -1), 1, NULL, body);
    return node_loop(arena, s.i, constant(0), plus(s.m_end, -1), 1, NULL, body);
}

static const struct node *assign(const struct broken *broken)
{
    const struct statement *statement = s.read.program->statement[0];
    struct node *node = ARENA_NEW(s.read.arena, struct node);
    const struct affine *j = broken->shifted ? affine_add(s.read.arena, at(s.j), at(s.thread)) : at(s.j);

    *node = (struct node){.kind = NODE_ASSIGN,
                          .statement = statement,
                          .argument = pair(at(s.i), j),
                          .target = {.array = statement->target->array, .index = pair(at(s.i), j)},
                          .value = tree_expr_integer(s.read.arena, TYPE_F32, 1)};
    return node;
}

static const struct node *where(const struct affine *affine, const struct node *body)
{
    struct condition *inside = ARENA_NEW(s.read.arena, struct condition);
    struct guard *guard = ARENA_NEW(s.read.arena, struct guard);

    *inside = (struct condition){affine, false};
    *guard = (struct guard){inside, 1};
    return node_if(s.read.arena, guard, 1, body);
}

static const struct node *masked(const struct broken *broken, const struct node *body)
{
    const struct affine *room = plus(affine_sub(s.read.arena, s.m_end, at(s.i)), broken->far ? 0 : -1);

    return broken->unmasked ? body : where(room, body);
}

/* The number, or the block, is i itself. */
static const struct node *without_digits(const struct broken *broken, const struct affine *number)
{
    const struct node *body = assign(broken);

    if (broken->alone) {
        number = at(s.block);
        body = where(affine_scale(s.read.arena, at(s.thread), -1), body);
    }
    body = node_loop(s.read.arena, s.j, constant(0), plus(s.n_end, -1), 1, NULL, body);
    body = node_value(s.read.arena, s.i, number, masked(broken, body));
    return broken->from_0 ? where(at(s.block), body) : body;
}

/* n = 8 * block + thread, (i, j) its digits. */
static const struct node *finished(const struct broken *broken)
{
    struct arena *arena = s.read.arena;
    struct launch *launch = ARENA_NEW(arena, struct launch);
    struct node *tuple = ARENA_NEW(arena, struct node);
    struct part *part = ARENA_ARRAY(arena, 2, struct part);
    const struct node **body = ARENA_ARRAY(arena, 1, const struct node *);
    const struct affine *number = affine_combine(arena, at(s.block), 8 + broken->apart, at(s.thread), 1);

    launch->run[AXIS_BLOCK_X] = 8;
    launch->threads_axis[AXIS_BLOCK_X] = AXIS_THREAD_X;
    launch->blocks[AXIS_BLOCK_X] = broken->capped ? 4 : 0;
    launch->extent[AXIS_THREAD_X] = constant(8 + broken->threads);
    launch->extent[AXIS_BLOCK_X] = s.n_end;
    launch->extent[axis_digit(AXIS_BLOCK_X, 1)] = s.m_end;
    part[0] = (struct part){s.i, constant(0), plus(broken->swapped ? s.n_end : s.m_end, broken->other)};
    part[1] = (struct part){s.j, constant(0), broken->swapped ? s.m_end : s.n_end};
    body[0] = masked(broken, assign(broken));
    if (broken->thrice)
        body[0] = node_loop(arena, s.round, constant(0), constant(2), 1, NULL, body[0]);
    *tuple = (struct node){
        .kind = NODE_TUPLE, .child = body, .n_child = 1, .var = s.n, .axis = AXIS_BLOCK_X, .part = part, .n_part = 2};
    tuple->lower = broken->walks ? number : NULL;
    tuple->step = broken->walks ? 8 + broken->further : 0;
    if (broken->whole || broken->alone)
        return node_kernel(arena, launch, without_digits(broken, number));
    return node_kernel(arena, launch, broken->walks ? tuple : node_value(arena, s.n, number, tuple));
}

static bool is_proved(const struct broken *broken)
{
    const int64_t least[] = {1, 1};
    const struct node *tree = finished(broken);
    const struct finished_proof *proof;
    const struct finished_tree both = {.program = s.read.program,
                                       .laid_out = s.read.program,
                                       .scheduled = s.read.program,
                                       .proved = proved(),
                                       .tree = tree,
                                       .vars = s.vars,
                                       .param_least = least};

    return finished_prove(s.read.arena, &both, s.read.diags, &proof) == STATUS_OK && !proof[0].runs->open &&
           proof[0].elements->shown == proof[0].elements->n;
}

#define ASSERT_PROVED(...) ck_assert(is_proved(&(struct broken){__VA_ARGS__}))
#define ASSERT_OPEN(...) ck_assert(!is_proved(&(struct broken){__VA_ARGS__}))

START_TEST(all_numbers)
{
    ASSERT_PROVED(.apart = 0);
    ASSERT_PROVED(.walks = true, .capped = true);
    ASSERT_PROVED(.walks = true, .capped = true, .unmasked = true);
}
END_TEST

START_TEST(other_numbers)
{
    ASSERT_OPEN(.apart = 1);
    ASSERT_OPEN(.apart = -1);
    ASSERT_OPEN(.threads = 1);
    ASSERT_OPEN(.threads = -1);
    ASSERT_OPEN(.thrice = true);
}
END_TEST

START_TEST(other_digits)
{
    ASSERT_OPEN(.swapped = true);
    ASSERT_OPEN(.other = true);
    ASSERT_OPEN(.shifted = true);
}
END_TEST

START_TEST(too_many)
{
    ASSERT_OPEN(.unmasked = true);
    ASSERT_OPEN(.far = true);
}
END_TEST

/* Blocks that do not walk although there are fewer than positions, or walk by something else. */
START_TEST(wrong_walks)
{
    ASSERT_OPEN(.capped = true);
    ASSERT_OPEN(.walks = true, .capped = true, .further = 1);
    ASSERT_OPEN(.walks = true, .capped = true, .further = -1);
    ASSERT_OPEN(.walks = true, .capped = true, .threads = 1);
    ASSERT_OPEN(.walks = true, .capped = true, .swapped = true);
    ASSERT_OPEN(.walks = true, .capped = true, .thrice = true);
}
END_TEST

/* As many blocks as the digits need, or four blocks: nothing shows that they reach every i. */
START_TEST(no_digits)
{
    ASSERT_OPEN(.whole = true);
    ASSERT_OPEN(.whole = true, .capped = true);
    ASSERT_OPEN(.whole = true, .capped = true, .from_0 = true);
    ASSERT_OPEN(.alone = true, .capped = true);
    ASSERT_OPEN(.alone = true, .capped = true, .from_0 = true);
}
END_TEST

UNIT_MAIN_WITH("finished_digits", set_up, tear_down, all_numbers, other_numbers, other_digits, too_many, wrong_walks,
               no_digits)
