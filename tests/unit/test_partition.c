/* Unit tests of prove/partition.h, retrace.h and counted.h: loop trees that run every instance once, and others. */
#include "lower/facts/facts.h"
#include "lower/facts/over.h"
#include "lower/prove/counted.h"
#include "lower/prove/partition.h"
#include "lower/prove/retrace.h"
#include "poly/context.h"
#include "reading.h"
#include "unit.h"

/* S[i, j] for 0 <= i, j < N and the loops of the description, as variables of the tree. */
struct subject {
    struct reading_result read;
    struct lowering lowering;
    const struct order *order;
    const struct loop_info *info[2];
    const struct affine *n, *i, *j;
    const struct var *var_i, *var_j;
};

static struct subject s;

static const struct affine *number(int64_t value)
{
    return affine_constant(s.read.arena, value);
}

static const struct affine *plus(const struct affine *a, int64_t constant)
{
    return affine_add_constant(s.read.arena, a, constant);
}

static const struct var *variable(enum var_kind kind, const char *name)
{
    return lower_new_var(&s.lowering, kind, name);
}

/* assumed: more of the parameters, ", 'N mod 4 = 0'". */
static void set_up_where(const char *assumed)
{
    static const char form[] = "{'polynest': 1, 'name': 'd', 'params': ['N'], 'assume': ['N >= 1'%s],"
                               "'arrays': [{'name': 'A', 'role': 'inout', 'type': 'f32', 'shape': ['N', 'N']}],"
                               "'nests': [{'name': 'n', 'loops': ['i < N', 'j < N'], 'body': ['S: A[i, j] = 1.0']}]}";
    char text[sizeof(form) + 100];

    snprintf(text, sizeof(text), form, assumed);
    s = (struct subject){.read = read_text(text)};
    s.order = order_original(s.read.arena, s.read.program);
    struct vars *vars = vars_of_program(s.read.arena, s.read.program);
    s.lowering = (struct lowering){.arena = s.read.arena,
                                   .program = s.read.program,
                                   .vars = vars,
                                   .param_var = vars->param,
                                   .diags = s.read.diags};
    s.info[0] = s.order->info;
    s.info[1] = s.order->child[0]->info;
    s.var_i = variable(VAR_LOOP, "i");
    s.var_j = variable(VAR_LOOP, "j");
    s.n = affine_var(s.read.arena, vars->param[0]);
    s.i = affine_var(s.read.arena, s.var_i);
    s.j = affine_var(s.read.arena, s.var_j);
}

static void set_up(void)
{
    set_up_where("");
}

static void tear_down(void)
{
    reading_free(&s.read);
}

static const struct node *statement(const struct affine *first, const struct affine *second)
{
    const struct affine **argument = ARENA_ARRAY(s.read.arena, 2, const struct affine *);

    argument[0] = first;
    argument[1] = second;
    return node_statement(s.read.arena, s.read.program->statement[0], argument);
}

static const struct node *loop(int depth, const struct affine *lower, const struct affine *upper, int64_t step,
                               const struct node *body)
{
    return node_loop(s.read.arena, depth == 0 ? s.var_i : s.var_j, lower, upper, step, s.info[depth], body);
}

static const struct node *loop_j(const struct node *body)
{
    return loop(1, number(0), plus(s.n, -1), 1, body);
}

static const struct node *both(const struct node *a, const struct node *b)
{
    const struct node *child[] = {a, b};

    return node_block(s.read.arena, child, 2);
}

static const struct node *where(const struct affine *a, bool equal, const struct node *body)
{
    struct condition *condition = ARENA_NEW(s.read.arena, struct condition);
    struct guard *guard = ARENA_NEW(s.read.arena, struct guard);

    *condition = (struct condition){a, equal};
    *guard = (struct guard){condition, 1};
    return node_if(s.read.arena, guard, 1, body);
}

static bool is_proved(const struct node *tree)
{
    const struct statement *statement = s.read.program->statement[0];
    const bool proved = partition_holds(&s.lowering, s.order, tree, statement);

    ck_assert(retrace_holds(&s.lowering, s.order, tree, statement, 200000) == proved);
    return proved;
}

START_TEST(a_box_is_all)
{
    const struct node *body = loop_j(statement(s.i, s.j));

    ck_assert(is_proved(loop(0, number(0), plus(s.n, -1), 1, body)));
    ck_assert(is_proved(loop(0, plus(s.n, -1), number(0), -1, body)));
}
END_TEST

START_TEST(other_bounds_miss_or_exceed)
{
    const struct node *body = loop_j(statement(s.i, s.j));

    ck_assert(!is_proved(loop(0, number(1), plus(s.n, -1), 1, body)));
    ck_assert(!is_proved(loop(0, number(0), plus(s.n, -2), 1, body)));
    ck_assert(!is_proved(loop(0, number(-1), plus(s.n, -1), 1, body)));
    ck_assert(!is_proved(loop(0, number(0), s.n, 1, body)));
    ck_assert(!is_proved(loop(0, number(0), plus(s.n, -1), 2, body)));
    ck_assert(!is_proved(loop(0, number(0), plus(s.n, -1), 1, loop(1, number(0), s.i, 1, statement(s.i, s.j)))));
}
END_TEST

START_TEST(other_instances_are_not_those)
{
    ck_assert(!is_proved(loop(0, number(0), plus(s.n, -1), 1, loop_j(statement(s.i, s.i)))));
    ck_assert(!is_proved(loop(0, number(0), plus(s.n, -1), 1, loop_j(statement(plus(s.i, 1), s.j)))));
    ck_assert(!is_proved(loop(0, number(0), plus(s.n, -1), 1, loop_j(loop_j(statement(s.i, s.j))))));
}
END_TEST

/* i in [0, 4 * floor(N / 4)) and the rest */
START_TEST(pieces_have_to_meet)
{
    const struct affine *whole = affine_scale(s.read.arena, affine_floor(s.read.arena, s.n, 4), 4);
    const struct node *body = loop_j(statement(s.i, s.j));
    const struct node *front = loop(0, number(0), plus(whole, -1), 1, body);

    ck_assert(is_proved(both(front, loop(0, whole, plus(s.n, -1), 1, body))));
    ck_assert(!is_proved(both(front, loop(0, plus(whole, 1), plus(s.n, -1), 1, body))));
    ck_assert(!is_proved(both(front, loop(0, plus(whole, -1), plus(s.n, -1), 1, body))));
    ck_assert(!is_proved(front));
    ck_assert(!is_proved(both(front, front)));
}
END_TEST

/* The same without a rest. */
START_TEST(multiples_have_no_rest)
{
    static const char *const assumed[] = {"", ", 'N mod 4 = 0'", ", '3 * N mod 8 = 4'", ", 'N mod 6 = 0'"};

    for (int k = 0; k < 4; k++) {
        tear_down();
        set_up_where(assumed[k]);
        const struct affine *whole = affine_scale(s.read.arena, affine_floor(s.read.arena, s.n, 4), 4);
        const struct node *body = loop_j(statement(s.i, s.j)), *past = loop(0, whole, plus(s.n, -1), 1, body);
        const struct node *front = loop(0, number(0), plus(whole, -1), 1, body);
        ck_assert_int_eq(partition_holds(&s.lowering, s.order, front, s.read.program->statement[0]), k == 1 || k == 2);
        ck_assert(partition_holds(&s.lowering, s.order, both(front, past), s.read.program->statement[0]));
        ck_assert(!partition_holds(&s.lowering, s.order, past, s.read.program->statement[0]));
        ck_assert(!partition_holds(&s.lowering, s.order, both(front, front), s.read.program->statement[0]));
    }
}
END_TEST

START_TEST(conditions_have_to_be_opposites)
{
    const struct node *body = statement(s.i, s.j);
    const struct affine *past = plus(s.i, -3), *before = plus(affine_scale(s.read.arena, s.i, -1), 2);
    const struct affine *range = plus(s.n, -1);

    ck_assert(
        is_proved(loop(0, number(0), range, 1, loop_j(both(where(past, false, body), where(before, false, body))))));
    ck_assert(!is_proved(
        loop(0, number(0), range, 1, loop_j(both(where(past, false, body), where(plus(before, 1), false, body))))));
    ck_assert(!is_proved(
        loop(0, number(0), range, 1, loop_j(both(where(past, false, body), where(plus(before, -1), false, body))))));
    ck_assert(!is_proved(loop(0, number(0), range, 1, loop_j(where(past, false, body)))));
    ck_assert(
        is_proved(loop(0, number(0), range, 1, loop_j(node_with_else(s.read.arena, where(past, true, body), body)))));
    ck_assert(!is_proved(loop(0, number(0), range, 1, loop_j(where(past, true, body)))));
}
END_TEST

/* Both i and j are at least 3, or one of them is less. */
START_TEST(one_argument_of_a_minimum_is_enough)
{
    const struct affine *argument[] = {plus(s.i, -3), plus(s.j, -3)};
    const struct affine *least = affine_extreme(s.read.arena, ATOM_MIN, argument, 2);
    const struct affine *below = plus(affine_scale(s.read.arena, least, -1), -1);
    const struct affine *range = plus(s.n, -1);
    const struct node *body = statement(s.i, s.j), *inside = where(least, false, body);

    ck_assert(is_proved(loop(0, number(0), range, 1, loop_j(node_with_else(s.read.arena, inside, body)))));
    ck_assert(partition_holds(&s.lowering, s.order,
                              loop(0, number(0), range, 1,
                                   loop_j(node_with_else(s.read.arena, where(below, false, body), inside))),
                              s.read.program->statement[0]));
    ck_assert(!is_proved(loop(0, number(0), range, 1,
                              loop_j(node_with_else(s.read.arena, inside, where(plus(below, -1), false, body))))));
    ck_assert(!is_proved(loop(0, number(0), range, 1, loop_j(inside))));
}
END_TEST

/* A row for each of the first iterations, and the others. */
static const struct node *rows_apart(int n, int missing)
{
    const struct node **child = ARENA_ARRAY(s.read.arena, n + 1, const struct node *);
    int n_child = 0;

    for (int k = 0; k < n; k++) {
        const struct node *row = loop_j(statement(number(k), s.j));
        if (k != missing)
            child[n_child++] = where(plus(s.n, -k - 1), false, row);
    }
    child[n_child++] = loop(0, number(n), plus(s.n, -1), 1, loop_j(statement(s.i, s.j)));
    return node_block(s.read.arena, child, n_child);
}

START_TEST(many_parts_are_told_apart)
{
    const struct statement *statement = s.read.program->statement[0];

    ck_assert(partition_holds(&s.lowering, s.order, rows_apart(300, -1), statement));
    ck_assert(!partition_holds(&s.lowering, s.order, rows_apart(300, 170), statement));
    ck_assert(!partition_holds(&s.lowering, s.order, rows_apart(300, 0), statement));
}
END_TEST

/* The last row apart, without a loop over it. */
START_TEST(an_iteration_needs_no_loop)
{
    const struct affine *last = plus(s.n, -1);
    const struct node *front = loop(0, number(0), plus(s.n, -2), 1, loop_j(statement(s.i, s.j)));

    ck_assert(is_proved(both(front, loop_j(statement(last, s.j)))));
    ck_assert(!is_proved(both(front, loop_j(statement(plus(last, -1), s.j)))));
    ck_assert(!is_proved(loop_j(statement(last, s.j))));
}
END_TEST

/* Rows that run twice, the second time in a loop that is none of the order's. */
START_TEST(loops_of_other_steps_are_no_parts)
{
    const struct node *body = loop_j(statement(s.i, s.j)), *all = loop(0, number(0), plus(s.n, -1), 1, body);

    ck_assert(is_proved(all));
    ck_assert(!is_proved(both(all, loop(0, number(0), number(0), 3, body))));
    ck_assert(!is_proved(both(loop(0, number(0), number(0), 3, body), all)));
}
END_TEST

START_TEST(counts_are_those_of_the_order)
{
    const struct order *const around[] = {s.order, s.order->child[0]};
    const struct order *const swapped[] = {around[1], around[0]}, *const leaf = around[1]->child[0];
    const int64_t *argument[2];
    struct counts counts, other;

    ck_assert(counts_of_leaf(&s.lowering, leaf, leaf->domain, around, 2, 3, &counts));
    ck_assert(counts_are_those(&s.lowering, &counts, around));
    ck_assert(!counts_are_those(&s.lowering, &counts, swapped));
    other = counts;
    other.known.row.n--;
    ck_assert(!counts_are_those(&s.lowering, &other, around));
    other = counts;
    other.argument = argument;
    argument[0] = argument[1] = counts.argument[0];
    ck_assert(!counts_are_those(&s.lowering, &other, around));
}
END_TEST

/* What is known of a place is kept for later questions, but not what a spent budget left of it. */
START_TEST(a_spent_budget_is_not_remembered)
{
    isl_ctx *ctx = s.read.program->ctx;
    const struct facts all = facts_of_program(&s.lowering);

    facts_known(&all);
    for (int64_t most = 1; most < 400; most++) {
        const struct affine *last = number(most);
        const struct condition beyond = {affine_sub(s.read.arena, s.i, plus(last, 1)), false};
        struct facts inside = all;
        isl_set *none;
        unsigned long budget;

        facts_enter_loop(&inside, loop(0, number(0), last, 1, statement(s.i, s.i)));
        budget = poly_part_begin(ctx, (unsigned long)most);
        facts_known(&inside);
        poly_part_end(ctx, budget);
        none = over_where(isl_set_copy(facts_known(&inside)), &beyond);
        ck_assert_msg(isl_set_is_empty(none) == isl_bool_true, "after %d operations", (int)most);
        isl_set_free(none);
    }
}
END_TEST

UNIT_MAIN_WITH("partition", set_up, tear_down, a_box_is_all, other_bounds_miss_or_exceed, other_instances_are_not_those,
               pieces_have_to_meet, multiples_have_no_rest, conditions_have_to_be_opposites,
               one_argument_of_a_minimum_is_enough, many_parts_are_told_apart, an_iteration_needs_no_loop,
               loops_of_other_steps_are_no_parts, counts_are_those_of_the_order, a_spent_budget_is_not_remembered)
