/* Unit tests of src/tree: affine expressions, nodes, walks, dumps. */
#include "program/program.h"
#include "tree/visit.h"

#include <check.h>
#include <stdlib.h>

static struct arena *arena;
static struct var N = {.kind = VAR_PARAM, .id = 0, .name = "N"};
static struct var M = {.kind = VAR_PARAM, .id = 1, .name = "M"};
static struct var i = {.kind = VAR_LOOP, .id = 2, .name = "i"};
static struct var j = {.kind = VAR_LOOP, .id = 3, .name = "j"};

static void set_up(void)
{
    arena = arena_new();
}

static void tear_down(void)
{
    arena_free(arena);
}

static const struct affine *number(int64_t value)
{
    return affine_constant(arena, value);
}

static const struct affine *times(int64_t factor, const struct var *var)
{
    return affine_scale(arena, affine_var(arena, var), factor);
}

static const struct affine *plus(const struct affine *a, const struct affine *b)
{
    return affine_add(arena, a, b);
}

static const struct affine *of(const struct var *var, int64_t constant)
{
    return affine_add_constant(arena, affine_var(arena, var), constant);
}

static const struct affine *extreme(enum atom_kind kind, const struct affine *a, const struct affine *b)
{
    const struct affine *arg[] = {a, b};

    return affine_extreme(arena, kind, arg, 2);
}

static void expect(const struct affine *a, const char *text)
{
    struct text out = {0};

    affine_dump(&out, a);
    ck_assert_str_eq(text_str(&out), text);
    text_free(&out);
}

static void expect_node(const struct node *node, const char *text)
{
    struct text out = {0};

    node_dump(&out, node, 0);
    ck_assert_str_eq(text_str(&out), text);
    text_free(&out);
}

START_TEST(sums_are_canonical)
{
    expect(plus(of(&j, 1), of(&i, -3)), "i + j - 2");
    expect(plus(of(&i, 0), times(-1, &i)), "0");
    expect(plus(times(-2, &i), of(&N, 0)), "N - 2*i");
    ck_assert(affine_equal(plus(of(&j, 1), of(&i, 2)), plus(of(&i, 3), of(&j, 0))));
    ck_assert(!affine_equal(of(&i, 1), of(&i, 2)));
    ck_assert(!affine_equal(of(&i, 1), NULL));
    ck_assert_int_eq(affine_factor(plus(times(5, &i), of(&j, 0)), &i), 5);
    ck_assert_int_eq(affine_factor(affine_floor(arena, of(&i, 0), 2), &i), 0);
}
END_TEST

START_TEST(floors_are_reduced)
{
    expect(affine_floor(arena, plus(times(32, &i), of(&j, 33)), 32), "i + floor((j + 1)/32) + 1");
    expect(affine_floor(arena, of(&i, -1), 4), "floor((i + 3)/4) - 1");
    expect(affine_floor(arena, times(-1, &i), 4), "-floor((i + 3)/4)");
    expect(affine_floor(arena, plus(of(&i, 0), times(-1, &N)), 4), "-floor((N - i + 3)/4)");
    expect(affine_floor(arena, plus(times(4, &i), number(3)), 8), "floor((i)/2)");
    expect(affine_floor(arena, times(7, &i), 3), "2*i + floor((i)/3)");
    expect(affine_floor(arena, times(-7, &i), 3), "-2*i - floor((i + 2)/3)");
    expect(affine_floor(arena, number(-7), 2), "-4");
    expect(affine_floor(arena, of(&i, 5), 1), "i + 5");
    ck_assert_ptr_null(affine_floor(arena, of(&i, 5), 0));
}
END_TEST

START_TEST(nested_floors_are_one)
{
    const struct affine *inner = affine_floor(arena, of(&i, 1), 4);

    expect(affine_floor(arena, inner, 8), "floor((i + 1)/32)");
    expect(affine_floor(arena, affine_add_constant(arena, inner, 3), 8), "floor((i + 13)/32)");
    expect(affine_floor(arena, affine_scale(arena, inner, 2), 4), "floor((i + 1)/8)");
}
END_TEST

START_TEST(quotient_and_rest_fold_back)
{
    const struct affine *e = plus(times(3, &i), of(&j, 7));
    const struct affine *quotient = affine_floor(arena, e, 5);

    ck_assert(affine_equal(plus(affine_scale(arena, quotient, 5), affine_mod(arena, e, 5)), e));
    expect(affine_mod(arena, plus(times(32, &i), of(&j, 64)), 32), "j - 32*floor((j)/32)");
    expect(affine_mod(arena, number(-1), 4), "3");
}
END_TEST

START_TEST(extremes_are_folded)
{
    expect(extreme(ATOM_MIN, of(&N, 0), number(3)), "min(3, N)");
    expect(extreme(ATOM_MIN, of(&N, 2), of(&N, -1)), "N - 1");
    expect(extreme(ATOM_MAX, of(&N, 2), of(&N, -1)), "N + 2");
    expect(extreme(ATOM_MAX, of(&N, 2), of(&N, 2)), "N + 2");
    expect(extreme(ATOM_MIN, extreme(ATOM_MIN, of(&N, 0), number(9)), number(4)), "min(4, N)");
    expect(extreme(ATOM_MIN, affine_add_constant(arena, extreme(ATOM_MIN, of(&N, 0), of(&M, 0)), 1), of(&N, 0)),
           "min(N, M + 1)");
    expect(extreme(ATOM_MIN, extreme(ATOM_MAX, of(&N, 0), of(&M, 0)), number(4)), "min(4, max(N, M))");
    expect(affine_add_constant(arena, extreme(ATOM_MIN, of(&N, 0), number(3)), 1), "min(3, N) + 1");
    ck_assert(affine_equal(extreme(ATOM_MIN, of(&N, 0), of(&M, 0)), extreme(ATOM_MIN, of(&M, 0), of(&N, 0))));
}
END_TEST

START_TEST(terms_go_into_floors)
{
    const struct affine *quotient = affine_floor(arena, plus(times(20, &i), of(&j, 0)), 32);
    const struct affine *isl = affine_floor(arena, plus(times(12, &i), plus(times(-1, &j), number(31))), 32);

    expect(affine_tidy(arena, affine_sub(arena, of(&i, 0), isl)), "floor((20*i + j)/32)");
    ck_assert_ptr_eq(affine_tidy(arena, quotient), quotient);
    expect(affine_tidy(arena, extreme(ATOM_MIN, number(3), affine_sub(arena, of(&i, 0), isl))),
           "min(3, floor((20*i + j)/32))");
    expect(affine_tidy(arena, plus(of(&i, 0), quotient)), "i + floor((20*i + j)/32)");
    ck_assert_ptr_null(affine_tidy(arena, NULL));
}
END_TEST

START_TEST(substitution_simplifies)
{
    const struct affine *e = affine_mod(arena, plus(of(&i, 0), times(32, &j)), 32);

    expect(affine_substitute(arena, e, &i, plus(times(32, &N), of(&j, 0))), "j - 32*floor((j)/32)");
    expect(affine_substitute(arena, extreme(ATOM_MIN, of(&i, 0), of(&N, 0)), &i, of(&N, 1)), "N");
    ck_assert_ptr_eq(affine_substitute(arena, e, &M, number(1)), e);
    ck_assert(affine_uses(e, &i));
    ck_assert(!affine_uses(e, &j));
    ck_assert(affine_uses(extreme(ATOM_MIN, of(&i, 0), of(&N, 0)), &i));
}
END_TEST

START_TEST(overflow_gives_null)
{
    const struct affine *huge = number(INT64_MAX);

    ck_assert_ptr_nonnull(huge);
    ck_assert_ptr_null(number(INT64_MIN));
    ck_assert_ptr_null(affine_add_constant(arena, huge, 1));
    ck_assert_ptr_null(affine_sub(arena, number(-2), huge));
    ck_assert_ptr_null(affine_scale(arena, times(INT64_MAX / 2, &i), 3));
    ck_assert_ptr_null(plus(affine_scale(arena, huge, 2), of(&i, 0)));
    ck_assert_ptr_null(affine_floor(arena, affine_floor(arena, of(&i, 0), INT64_MAX / 2), 4));
    ck_assert_ptr_null(affine_floor(arena, NULL, 4));
    ck_assert_ptr_null(affine_mod(arena, NULL, 4));
    ck_assert_ptr_null(extreme(ATOM_MIN, of(&i, 0), NULL));
    ck_assert_ptr_null(affine_substitute(arena, times(2, &i), &i, huge));
    ck_assert_ptr_null(affine_substitute(arena, times(2, &i), &i, NULL));
    ck_assert(!affine_is_constant(NULL, NULL));
}
END_TEST

static bool is_positive_sum(void *user, const struct affine *a)
{
    (void)user;
    for (int k = 0; k < a->n_term; k++)
        if (a->term[k].factor < 0)
            return false;
    return a->constant >= 0;
}

START_TEST(plain_floors_are_marked)
{
    const struct affine *up = affine_floor(arena, of(&i, 3), 4),
                        *down = affine_floor(arena, plus(of(&N, 0), times(-1, &i)), 4);
    const struct affine *marked =
        affine_mark_plain(arena, plus(up, extreme(ATOM_MIN, down, up)), is_positive_sum, NULL);

    ck_assert(marked->term[0].atom->plain);
    ck_assert(marked->term[1].atom->arg[0]->term[0].atom->plain != marked->term[1].atom->arg[1]->term[0].atom->plain);
    ck_assert(affine_equal(marked, plus(up, extreme(ATOM_MIN, down, up))));
    ck_assert(!affine_add(arena, up, affine_mark_plain(arena, up, is_positive_sum, NULL))->term[0].atom->plain);
}
END_TEST

static struct statement statement_s = {.label = "S", .n_loop = 2};

static const struct node *instance(const struct affine *a, const struct affine *b)
{
    const struct affine **argument = ARENA_ARRAY(arena, 2, const struct affine *);

    argument[0] = a;
    argument[1] = b;
    return node_statement(arena, &statement_s, argument);
}

static const struct node *nest(void)
{
    struct condition *condition = ARENA_ARRAY(arena, 2, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    condition[0] = (struct condition){plus(of(&N, -1), times(-1, &j)), false};
    condition[1] = (struct condition){of(&i, 0), true};
    *guard = (struct guard){condition, 2};
    const struct node *guarded = node_if(arena, guard, 1, instance(of(&i, 0), of(&j, 0)));
    const struct node *pair[] = {guarded, node_with_comment(arena, instance(of(&i, 0), of(&i, 1)), "once more")};
    const struct node *inner = node_loop(arena, &j, of(&i, 0), of(&N, -1), 4, NULL, node_block(arena, pair, 2));
    return node_loop(arena, &i, of(&N, -1), number(0), -1, NULL, inner);
}

START_TEST(dump_shows_everything)
{
    expect_node(nest(), "for i = N - 1 down to 0 step -1\n"
                        "    for j = i to N - 1 step 4\n"
                        "        if N - j - 1 >= 0 and i == 0\n"
                        "            S[i, j]\n"
                        "        # once more\n"
                        "        S[i, i + 1]\n");
    expect_node(node_value(arena, &M, of(&N, 2), instance(of(&M, 0), number(0))), "let M = N + 2\n"
                                                                                  "    S[M, 0]\n");
    expect_node(NULL, "overflow\n");
}
END_TEST

START_TEST(blocks_are_flat)
{
    const struct node *one = instance(of(&i, 0), of(&j, 0));
    const struct node *two[] = {one, one};
    const struct node *nested[] = {node_block(arena, two, 2), one};

    ck_assert_ptr_eq(node_block(arena, &one, 1), one);
    ck_assert_int_eq(node_block(arena, nested, 2)->n_child, 3);
    ck_assert_int_eq(node_block(arena, NULL, 0)->n_child, 0);
    nested[1] = NULL;
    ck_assert_ptr_null(node_block(arena, nested, 2));
}
END_TEST

START_TEST(conditions_vanish_when_empty)
{
    const struct node *one = instance(of(&i, 0), of(&j, 0));
    const struct guard always = {NULL, 0};

    ck_assert_ptr_eq(node_if(arena, NULL, 0, one), one);
    ck_assert_ptr_eq(node_if(arena, &always, 1, one), one);
    ck_assert_ptr_null(node_if(arena, &always, 1, NULL));
}
END_TEST

START_TEST(nodes_are_substituted_and_shared)
{
    const struct node *tree = nest();

    expect_node(node_substitute(arena, tree, &N, number(8)), "for i = 7 down to 0 step -1\n"
                                                             "    for j = i to 7 step 4\n"
                                                             "        if -j + 7 >= 0 and i == 0\n"
                                                             "            S[i, j]\n"
                                                             "        # once more\n"
                                                             "        S[i, i + 1]\n");
    ck_assert_ptr_eq(node_substitute(arena, tree, &M, number(8)), tree);
    ck_assert_ptr_eq(node_substitute(arena, tree, &i, number(8)), tree);
    ck_assert_ptr_null(node_substitute(arena, tree, &N, NULL));
    ck_assert_int_eq(node_count_statements(tree), 2);
    ck_assert_int_eq(node_count(tree), 6);
    ck_assert(node_uses(tree, &N));
    ck_assert(node_uses(tree, &i));
    ck_assert(!node_uses(tree, &M));
}
END_TEST

static struct array array_a = {.name = "A", .type = TYPE_F32, .n_dim = 1};
static struct array array_x = {.name = "x", .type = TYPE_I32, .n_dim = 1};

/* A[i + 1] += 2.5 * A[x[j]] if x[j] < 3 */
static const struct node *assignment(void)
{
    const struct affine **at_i = ARENA_NEW(arena, const struct affine *),
                        **at_j = ARENA_NEW(arena, const struct affine *);
    const struct affine **none = ARENA_NEW(arena, const struct affine *);
    const struct tree_expr **indirect = ARENA_NEW(arena, const struct tree_expr *);
    const struct tree_expr **arg = ARENA_ARRAY(arena, 4, const struct tree_expr *);
    struct tree_expr *expr = ARENA_ARRAY(arena, 6, struct tree_expr);
    struct node *node = ARENA_NEW(arena, struct node);

    at_i[0] = of(&i, 1);
    at_j[0] = of(&j, 0);
    expr[0] = (struct tree_expr){.kind = TREE_LOAD, .type = TYPE_I32, .element = {&array_x, at_j, NULL}};
    indirect[0] = &expr[0];
    expr[1] = (struct tree_expr){.kind = TREE_LOAD, .type = TYPE_F32, .element = {&array_a, none, indirect}};
    expr[2] = (struct tree_expr){.kind = TREE_REAL, .type = TYPE_F32, .spelling = "2.5"};
    arg[0] = &expr[2];
    arg[1] = &expr[1];
    expr[3] = (struct tree_expr){.kind = TREE_BINARY, .type = TYPE_F32, .op = OP_MUL, .arg = arg, .n_arg = 2};
    expr[4] = (struct tree_expr){.kind = TREE_INT, .type = TYPE_I32, .integer = 3};
    arg[2] = &expr[0];
    arg[3] = &expr[4];
    expr[5] = (struct tree_expr){.kind = TREE_BINARY, .type = TYPE_BOOL, .op = OP_LT, .arg = arg + 2, .n_arg = 2};
    *node = (struct node){.kind = NODE_ASSIGN,
                          .target = {&array_a, at_i, NULL},
                          .op = OP_ADD,
                          .value = &expr[3],
                          .guard_value = &expr[5]};
    return node;
}

START_TEST(expressions_are_walked)
{
    const struct node *node = assignment();

    expect_node(node, "A[i + 1] += (2.5 * A[x[j]]) if (x[j] < 3)\n");
    ck_assert(node_uses(node, &j));
    ck_assert(!node_uses(node, &N));
    const struct node *changed = node_substitute(arena, node, &j, of(&N, 2));
    expect_node(changed, "A[i + 1] += (2.5 * A[x[N + 2]]) if (x[N + 2] < 3)\n");
    expect_node(node, "A[i + 1] += (2.5 * A[x[j]]) if (x[j] < 3)\n");
    ck_assert_ptr_eq(changed->value->arg[0], node->value->arg[0]);
    ck_assert_ptr_eq(node_substitute(arena, node, &N, number(1)), node);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tree");
    TCase *affine = tcase_create("affine"), *node = tcase_create("node");

    tcase_add_checked_fixture(affine, set_up, tear_down);
    tcase_add_test(affine, sums_are_canonical);
    tcase_add_test(affine, floors_are_reduced);
    tcase_add_test(affine, nested_floors_are_one);
    tcase_add_test(affine, quotient_and_rest_fold_back);
    tcase_add_test(affine, extremes_are_folded);
    tcase_add_test(affine, terms_go_into_floors);
    tcase_add_test(affine, substitution_simplifies);
    tcase_add_test(affine, overflow_gives_null);
    tcase_add_test(affine, plain_floors_are_marked);
    tcase_add_checked_fixture(node, set_up, tear_down);
    tcase_add_test(node, dump_shows_everything);
    tcase_add_test(node, blocks_are_flat);
    tcase_add_test(node, conditions_vanish_when_empty);
    tcase_add_test(node, nodes_are_substituted_and_shared);
    tcase_add_test(node, expressions_are_walked);
    suite_add_tcase(suite, affine);
    suite_add_tcase(suite, node);

    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
