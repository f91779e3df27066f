/* Unit tests of finished/lane_totals.h: vectors that collect what updates of s add to it, and trees in which s would
 * get something else. */
#include "lower/finished/lane_totals.h"
#include "reading.h"
#include "tree/vars.h"
#include "tree/visit.h"
#include "unit.h"

enum { LANES = 8 };

struct subject {
    struct reading_result read;
    struct vars *vars;
    const struct var *v, *j;
    const struct array *x, *s;
    enum expr_op op;
    int registers;
};

static struct subject s;

static void set_up(void)
{
    s = (struct subject){.read = read_text("{'polynest': 1, 'name': 'd', 'params': ['N'], 'arrays': ["
                                           "{'name': 'x', 'role': 'in', 'type': 'f32', 'shape': ['N']},"
                                           "{'name': 's', 'role': 'temp', 'type': 'f32', 'shape': [2]}],"
                                           "'nests': [{'name': 'n', 'loops': ['i < N'], 'body': ["
                                           "'S: s[0] += x[i]']}]}")};
    s.vars = vars_of_program(s.read.arena, s.read.program);
    s.v = var_new(s.vars, VAR_VALUE, "v");
    s.j = var_new(s.vars, VAR_LOOP, "j");
    s.x = &s.read.program->array[0];
    s.s = &s.read.program->array[1];
    s.op = OP_ADD;
    s.registers = 2;
}

static void tear_down(void)
{
    reading_free(&s.read);
}

static struct element element(const struct array *array, int64_t at)
{
    const struct affine **index = ARENA_ARRAY(s.read.arena, 1, const struct affine *);

    index[0] = affine_constant(s.read.arena, at);
    return (struct element){.array = array, .index = index};
}

static struct tree_expr *expr(enum tree_expr_kind kind)
{
    struct tree_expr *expr = ARENA_NEW(s.read.arena, struct tree_expr);

    *expr = (struct tree_expr){.kind = kind, .type = TYPE_F32, .op = s.op, .var = s.v, .integer = LANES};
    return expr;
}

static struct tree_expr *load(const struct array *array, int64_t at)
{
    struct tree_expr *own = expr(TREE_LOAD);

    own->element = element(array, at);
    own->integer = 0;
    return own;
}

/* Register k of the vector. */
static const struct tree_expr *part(int64_t k)
{
    struct tree_expr *own = expr(TREE_NAMED);

    own->affine = affine_constant(s.read.arena, k);
    return own;
}

static const struct tree_expr *number(double value)
{
    struct tree_expr *own = expr(TREE_REAL);

    own->real = value;
    return own;
}

static struct node *assign(int64_t at, enum expr_op op, const struct tree_expr *value)
{
    struct node *node = ARENA_NEW(s.read.arena, struct node);

    *node = (struct node){.kind = NODE_ASSIGN,
                          .statement = s.read.program->statement[0],
                          .target = element(s.s, at),
                          .op = op,
                          .value = value};
    return node;
}

/* The assignment, into the vector. */
static struct node *into(struct node *node)
{
    struct vector *vector = ARENA_NEW(s.read.arena, struct vector);

    *vector = (struct vector){.lanes = LANES, .sum = s.v, .place = affine_constant(s.read.arena, 0)};
    node->vector = vector;
    return node;
}

/* v[0] op= x[1], for an instance. */
static struct node *update(void)
{
    struct node *node = into(assign(0, s.op, load(s.x, 1)));
    const struct affine **argument = ARENA_ARRAY(s.read.arena, 1, const struct affine *);

    argument[0] = affine_var(s.read.arena, s.j);
    node->argument = argument;
    return node;
}

static struct node *combine(int64_t k)
{
    return into(assign(0, s.op, part(k)));
}

static struct node *end_with(enum expr_op op)
{
    return assign(0, op, expr(TREE_TOTAL));
}

static struct node *end(void)
{
    return end_with(s.op);
}

static const struct node *loop(const struct node *body)
{
    return node_loop(s.read.arena, s.j, affine_constant(s.read.arena, 0), affine_constant(s.read.arena, 9), 1, NULL,
                     body);
}

static const struct node *block(const struct node *a, const struct node *b, const struct node *c, const struct node *d)
{
    const struct node *const part[] = {a, b, c, d};

    return node_block(s.read.arena, part, d ? 4 : c ? 3 : 2);
}

static bool is_kept_from(const struct tree_expr *start, const struct node *body)
{
    struct node *let = ARENA_NEW(s.read.arena, struct node);
    struct vector *vector = ARENA_NEW(s.read.arena, struct vector);
    lane_total_vec kept = {0};

    *vector = (struct vector){.lanes = LANES, .registers = s.registers};
    *let = (struct node){.kind = NODE_LET,
                         .var = s.v,
                         .value = start,
                         .vector = vector,
                         .declares = DECLARE_VARIABLE,
                         .child = &body,
                         .n_child = 1};
    lane_totals_find(s.read.arena, let, &kept);
    ck_assert(kept.n == 0 || lane_totals_of(&kept, update()) == let);
    return kept.n == 1;
}

static bool is_kept(const struct node *body)
{
    return is_kept_from(number(0), body);
}

START_TEST(all_comes_to_the_element)
{
    ck_assert(is_kept(block(loop(update()), combine(1), end(), NULL)));
    ck_assert(is_kept(block(loop(update()), loop(update()), combine(1), end())));
    ck_assert(is_kept(block(loop(update()), combine(1), end(), assign(0, OP_NONE, load(s.s, 0)))));
    ck_assert(!is_kept_from(number(1), block(loop(update()), combine(1), end(), NULL)));
    ck_assert(!is_kept(block(loop(update()), combine(1), end_with(OP_NONE), NULL)));
    ck_assert(!is_kept(block(loop(update()), combine(1), end_with(OP_MUL), NULL)));
    s.op = OP_MUL;
    ck_assert(is_kept_from(number(1), block(loop(update()), combine(1), end(), NULL)));
    ck_assert(!is_kept_from(number(0), block(loop(update()), combine(1), end(), NULL)));
}
END_TEST

START_TEST(registers_are_all_combined)
{
    ck_assert(!is_kept(block(loop(update()), end(), NULL, NULL)));
    ck_assert(!is_kept(block(loop(update()), combine(0), end(), NULL)));
    ck_assert(!is_kept(block(loop(update()), combine(2), end(), NULL)));
    ck_assert(!is_kept(block(loop(update()), combine(1), combine(1), end())));
    ck_assert(!is_kept(block(loop(update()), loop(combine(1)), end(), NULL)));
    ck_assert(!is_kept(block(combine(1), loop(update()), end(), NULL)));
    s.registers = 0;
    ck_assert(is_kept(block(loop(update()), end(), NULL, NULL)));
    ck_assert(!is_kept(block(loop(update()), combine(1), end(), NULL)));
}
END_TEST

/* Of another operation, or only where a condition on data holds. */
START_TEST(registers_are_combined_as_they_are_updated)
{
    struct node *other = combine(1), *guarded = combine(1);

    other->op = OP_MUL;
    guarded->guard_value = number(1);
    ck_assert(!is_kept(block(loop(update()), other, end(), NULL)));
    ck_assert(!is_kept(block(loop(update()), guarded, end(), NULL)));
}
END_TEST

/* Another vector's total goes to another element of the array, or to the same one. */
START_TEST(several_are_kept)
{
    struct tree_expr *total = expr(TREE_TOTAL);

    total->var = s.j;
    ck_assert(is_kept(block(loop(update()), assign(1, OP_ADD, total), combine(1), end())));
    ck_assert(is_kept(block(loop(update()), assign(0, OP_ADD, total), combine(1), end())));
    ck_assert(!is_kept(block(loop(update()), assign(0, OP_NONE, total), combine(1), end())));
}
END_TEST

START_TEST(the_end_comes_once_and_last)
{
    s.registers = 0;
    ck_assert(!is_kept(loop(update())));
    ck_assert(!is_kept(block(end(), loop(update()), NULL, NULL)));
    ck_assert(!is_kept(block(loop(update()), end(), end(), NULL)));
    ck_assert(!is_kept(block(loop(update()), end(), loop(update()), NULL)));
    ck_assert(!is_kept(block(loop(update()), loop(end()), NULL, NULL)));
    ck_assert(!is_kept(loop(block(update(), end(), NULL, NULL))));
}
END_TEST

START_TEST(nothing_else_sees_it)
{
    struct node *other = update(), *wider = update(), *guarded = end();
    struct vector *vector = ARENA_NEW(s.read.arena, struct vector);

    s.registers = 0;
    other->target = element(s.s, 1);
    ck_assert(!is_kept(block(loop(other), end(), NULL, NULL)));
    ck_assert(!is_kept(block(loop(update()), assign(0, OP_NONE, load(s.x, 0)), end(), NULL)));
    ck_assert(!is_kept(block(loop(update()), assign(1, OP_NONE, load(s.s, 0)), end(), NULL)));
    ck_assert(!is_kept(block(loop(update()), assign(1, OP_ADD, part(0)), end(), NULL)));
    ck_assert(!is_kept(block(loop(update()), end(), assign(1, OP_ADD, part(0)), NULL)));
    other = update();
    other->value = part(0);
    ck_assert(!is_kept(block(loop(other), end(), NULL, NULL)));
    *vector = *wider->vector;
    vector->lanes = 2 * LANES;
    wider->vector = vector;
    ck_assert(!is_kept(block(loop(wider), end(), NULL, NULL)));
    guarded->guard_value = number(1);
    ck_assert(!is_kept(block(loop(update()), guarded, NULL, NULL)));
}
END_TEST

/* Each thread would have a vector of its own, or all one. */
START_TEST(threads_are_none_of_it)
{
    const struct threads threads = {.collapse = 1};
    struct node *shared = ARENA_NEW(s.read.arena, struct node);

    s.registers = 0;
    *shared = *loop(update());
    ck_assert(is_kept(block(shared, end(), NULL, NULL)));
    shared->threads = &threads;
    ck_assert(!is_kept(block(shared, end(), NULL, NULL)));
}
END_TEST

/* All lanes start with the element. */
START_TEST(a_maximum_starts_with_the_element)
{
    s.registers = 0;
    ck_assert(!is_kept_from(load(s.s, 0), block(loop(update()), end(), NULL, NULL)));
    s.op = OP_MAX;
    ck_assert(is_kept_from(load(s.s, 0), block(loop(update()), end_with(OP_NONE), NULL, NULL)));
    ck_assert(is_kept_from(load(s.s, 0), block(loop(update()), end(), NULL, NULL)));
    ck_assert(!is_kept_from(load(s.s, 1), block(loop(update()), end_with(OP_NONE), NULL, NULL)));
    ck_assert(!is_kept_from(load(s.x, 0), block(loop(update()), end_with(OP_NONE), NULL, NULL)));
    ck_assert(!is_kept_from(number(0), block(loop(update()), end(), NULL, NULL)));
}
END_TEST

UNIT_MAIN_WITH("finished_totals", set_up, tear_down, all_comes_to_the_element,
               registers_are_combined_as_they_are_updated, several_are_kept, registers_are_all_combined,
               the_end_comes_once_and_last, nothing_else_sees_it, threads_are_none_of_it,
               a_maximum_starts_with_the_element)
