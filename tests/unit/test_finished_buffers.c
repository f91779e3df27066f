/* Unit tests of finished/meaning.h: what elements stand for in buffers of buffers, buffers of other types, subscripts,
 * and in a part of a statement; and trees in which a buffer has something else. */
#include "lower/finished/sources.h"
#include "reading.h"
#include "tree/vars.h"
#include "unit.h"

/* F fills b with 8 elements of x, G fills c with 4 of b, and S reads c in the place of x as in B. */
enum { OUTER, INNER, READ, BEFORE, STATEMENTS };

struct subject {
    struct reading_result read;
    struct program scheduled;
    struct vars *vars;
    const struct var *t, *h, *l, *m;
};

static struct subject s;

static void set_up_with(const char *reads, const char *before_reads, const char *type)
{
    struct statement **statement, *before;
    struct text text = {0};

    text_addf(&text,
              "{'polynest': 1, 'name': 'd', 'params': ['N'], 'assume': ['N >= 1'], 'arrays': ["
              "{'name': 'x', 'role': 'in', 'type': 'i32', 'shape': ['8 * N + 8']},"
              "{'name': 'y', 'role': 'out', 'type': 'i32', 'shape': ['8 * N']},"
              "{'name': 'z', 'role': 'in', 'type': 'i32', 'shape': ['8 * N']},"
              "{'name': 'b', 'role': 'temp', 'type': '%s', 'shape': [8]},"
              "{'name': 'c', 'role': 'temp', 'type': '%s', 'shape': [4]}],"
              "'nests': [{'name': 'f', 'loops': ['t < N', 'l < 8'], 'body': ['F: b[l] = x[8 * t + l]']},"
              "{'name': 'g', 'loops': ['t < N', 'h < 2', 'm < 4'], 'body': ['G: c[m] = b[4 * h + m]']},"
              "{'name': 's', 'loops': ['t < N', 'h < 2', 'm < 4'], 'body': ['S: y[8 * t + 4 * h + m] = %s']},"
              "{'name': 'r', 'loops': ['t < N', 'h < 2', 'm < 4'], 'body': ['B: y[8 * t + 4 * h + m] = %s']}]}",
              type, type, reads, before_reads);
    s = (struct subject){.read = read_text(text_str(&text))};
    text_free(&text);
    statement = s.read.program->statement;
    for (int k = OUTER; k <= INNER; k++) {
        statement[k]->is_copy = true;
        s.read.program->array[statement[k]->target->array - s.read.program->array].is_buffer = true;
    }
    statement[OUTER]->copies = "b";
    statement[INNER]->copies = "c";
    before = ARENA_NEW(s.read.arena, struct statement);
    *before = *statement[READ];
    before->value = statement[BEFORE]->value;
    s.scheduled = *s.read.program;
    s.scheduled.statement = ARENA_ARRAY(s.read.arena, 1, struct statement *);
    s.scheduled.statement[0] = before;
    s.scheduled.n_statement = 1;
    s.vars = vars_of_program(s.read.arena, s.read.program);
    s.t = var_new(s.vars, VAR_LOOP, "t");
    s.h = var_new(s.vars, VAR_LOOP, "h");
    s.l = var_new(s.vars, VAR_LOOP, "l");
    s.m = var_new(s.vars, VAR_LOOP, "m");
}

static void set_up(void)
{
    set_up_with("c[m]", "x[8 * t + 4 * h + m]", "i32");
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

static const struct node *through(const struct var *var, const struct affine *last, const struct node *body)
{
    return node_loop(s.read.arena, var, affine_constant(s.read.arena, 0), last, 1, NULL, body);
}

static const struct node *count(const struct var *var, int64_t last, const struct node *body)
{
    return through(var, affine_constant(s.read.arena, last), body);
}

static const struct node *both(const struct node *one, const struct node *other)
{
    const struct node *child[] = {one, other};

    return node_block(s.read.arena, child, 2);
}

/* The statement at that instance, loading the array with that number. */
static const struct node *assign(int number, const struct affine *const *instance, int n, int array)
{
    struct arena *arena = s.read.arena;
    struct node *node = ARENA_NEW(arena, struct node);
    struct tree_expr *load = ARENA_NEW(arena, struct tree_expr);
    const struct affine **argument = ARENA_ARRAY(arena, n, const struct affine *);
    const struct statement *statement = s.read.program->statement[number];

    memcpy(argument, instance, (size_t)n * sizeof(*argument));
    *load =
        (struct tree_expr){.kind = TREE_LOAD, .type = TYPE_I32, .element = {.array = &s.read.program->array[array]}};
    *node = (struct node){.kind = NODE_ASSIGN,
                          .statement = statement,
                          .argument = argument,
                          .target = {.array = statement->target->array},
                          .value = load};
    return node;
}

/* b for tile t + more. */
static const struct node *outer(int64_t more, int64_t last)
{
    const struct affine *instance[] = {plus(at(s.t), more), at(s.l)};

    return count(s.l, last, assign(OUTER, instance, 2, 0));
}

/* The half h + more of it, by G or S. */
static const struct node *half(int number, int64_t more, int64_t last)
{
    const struct affine *instance[] = {at(s.t), plus(at(s.h), more), at(s.m)};

    return count(s.m, last, assign(number, instance, 3, number == INNER ? 3 : 4));
}

static const struct node *tiles(const struct node *fill, const struct node *halves)
{
    const struct node *body = count(s.h, 1, halves);

    return through(s.t, plus(at(s.vars->param[0]), -1), fill ? both(fill, body) : body);
}

static bool is_shown(int number, const struct node *tree)
{
    const int64_t least[] = {1};
    struct same_sets sets = {.arena = s.read.arena,
                             .program = s.read.program,
                             .param_var = s.vars->param,
                             .param_least = least};
    const struct source_result *result = sources(&sets, &s.scheduled, s.vars->all.n, tree);

    ck_assert_int_gt(result[number].n, 0);
    return result[number].shown == result[number].n;
}

static bool are_shown(const struct node *tree)
{
    return is_shown(INNER, tree) && is_shown(READ, tree);
}

/* Each load is of what is stored for it, and G's is of what S reads in the end. */
START_TEST(buffers_of_buffers)
{
    ck_assert(are_shown(tiles(outer(0, 7), both(half(INNER, 0, 3), half(READ, 0, 3)))));
    ck_assert(!is_shown(INNER, tiles(outer(1, 7), both(half(INNER, 0, 3), half(READ, 0, 3)))));
    ck_assert(!is_shown(INNER, tiles(outer(0, 6), both(half(INNER, 0, 3), half(READ, 0, 3)))));
    ck_assert(!is_shown(INNER, tiles(NULL, both(half(INNER, 0, 3), half(READ, 0, 3)))));
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(INNER, 1, 3), half(READ, 0, 3)))));
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(INNER, 0, 2), half(READ, 0, 3)))));
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(READ, 0, 3), half(INNER, 0, 3)))));
}
END_TEST

/* What b is filled with is not what c is said to hold. */
START_TEST(buffers_of_other_buffers)
{
    s.read.program->statement[OUTER]->loop_name[0] = "u";
    ck_assert(!is_shown(INNER, tiles(outer(0, 7), both(half(INNER, 0, 3), half(READ, 0, 3)))));
    tear_down();
    set_up_with("c[m]", "z[8 * t + 4 * h + m]", "i32");
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(INNER, 0, 3), half(READ, 0, 3)))));
    tear_down();
    set_up_with("c[m]", "x[8 * t + 4 * h + 3 - m]", "i32");
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(INNER, 0, 3), half(READ, 0, 3)))));
}
END_TEST

/* A buffer of another type is converted where it is read. */
START_TEST(buffers_of_other_types)
{
    tear_down();
    set_up_with("i32(c[m]) + 1", "x[8 * t + 4 * h + m] + 1", "i64");
    ck_assert(are_shown(tiles(outer(0, 7), both(half(INNER, 0, 3), half(READ, 0, 3)))));
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(INNER, 1, 3), half(READ, 0, 3)))));
    tear_down();
    set_up_with("i32(c[m]) + 1", "1 + x[8 * t + 4 * h + m]", "i64");
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(INNER, 0, 3), half(READ, 0, 3)))));
}
END_TEST

/* Subscripts of the same array: which element of another one they are is the same question. */
START_TEST(buffers_of_subscripts)
{
    tear_down();
    set_up_with("z[c[m]]", "z[x[8 * t + 4 * h + m]]", "i32");
    ck_assert(is_shown(READ, tiles(outer(0, 7), both(half(INNER, 0, 3), half(READ, 0, 3)))));
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(INNER, 1, 3), half(READ, 0, 3)))));
    tear_down();
    set_up_with("z[c[m]]", "x[x[8 * t + 4 * h + m]]", "i32");
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(INNER, 0, 3), half(READ, 0, 3)))));
}
END_TEST

/* S as one of two parts of a statement that the schedule had. */
START_TEST(parts_of_a_statement)
{
    const struct node *good = tiles(outer(0, 7), both(half(INNER, 0, 3), half(READ, 0, 3)));
    struct statement *part = s.read.program->statement[READ];
    const char *other[] = {"t", "h", "warp"};

    part->label = "S_2";
    ck_assert(!is_shown(READ, good));
    part->divided = s.scheduled.statement[0];
    ck_assert(are_shown(good));
    ck_assert(!is_shown(READ, tiles(outer(0, 7), both(half(INNER, 1, 3), half(READ, 0, 3)))));
    part->loop_name = other;
    ck_assert(!is_shown(READ, good));
}
END_TEST

UNIT_MAIN_WITH("finished_buffers", set_up, tear_down, buffers_of_buffers, buffers_of_other_buffers,
               buffers_of_other_types, buffers_of_subscripts, parts_of_a_statement)
