/* Unit tests of finished/same_stored.h: what follows from conditions where a load is, and quotients that they tell. */
#include "lower/finished/same_stored.h"
#include "reading.h"
#include "tree/vars.h"
#include "unit.h"

struct subject {
    struct reading_result read;
    struct vars *vars;
    const struct affine *e, *r, *n;
    struct shape shape;
};

static struct subject s;

static const struct affine *named(const char *name)
{
    return affine_var(s.read.arena, var_new(s.vars, VAR_VALUE, name));
}

static void set_up(void)
{
    s = (struct subject){.read = read_text("{'polynest': 1, 'name': 'd', 'params': ['N'], 'arrays': ["
                                           "{'name': 'x', 'role': 'inout', 'type': 'f32', 'shape': ['N']}],"
                                           "'nests': [{'name': 'n', 'loops': ['i < N'], 'body': ['x[i] = 0']}]}")};
    s.vars = vars_of_program(s.read.arena, s.read.program);
    s.n = affine_var(s.read.arena, s.vars->param[0]);
    s.e = named("e");
    s.r = named("r");
    s.shape = (struct shape){.arena = s.read.arena,
                             .argument = ARENA_ARRAY(s.read.arena, 2, const struct affine *),
                             .n_argument = 1};
}

static void tear_down(void)
{
    reading_free(&s.read);
}

/* a * x + b * y + constant */
static const struct affine *sum(int64_t a, const struct affine *x, int64_t b, const struct affine *y, int64_t constant)
{
    return affine_add_constant(s.read.arena, affine_combine(s.read.arena, x, a, y, b), constant);
}

static void where(const struct affine *affine)
{
    VEC_PUSH(s.read.arena, &s.shape.condition, ((struct condition){affine, false}));
}

/* What becomes of the argument floor(e / 4), where low <= e - 4 * r <= high. */
static bool is_told(int64_t low, int64_t high, const struct affine *wanted)
{
    s.shape.condition = (condition_vec){0};
    where(sum(1, s.e, -4, s.r, -low));
    where(sum(-1, s.e, 4, s.r, high));
    s.shape.argument[0] = affine_floor(s.read.arena, s.e, 4);
    stored_tell_quotients(&s.shape);
    return affine_equal(s.shape.argument[0], wanted);
}

START_TEST(conditions_tell_a_quotient)
{
    const struct affine *as_it_was = affine_floor(s.read.arena, s.e, 4);

    ck_assert(is_told(0, 3, s.r));
    ck_assert(is_told(1, 3, s.r));
    ck_assert(is_told(4, 7, sum(1, s.r, 0, s.r, 1)));
    ck_assert(is_told(-1, 3, as_it_was));
    ck_assert(is_told(0, 4, as_it_was));
    ck_assert(is_told(-4, 3, as_it_was));
}
END_TEST

/* 2 * floor(e / 4) + 5 - floor((r + 1) / 2), of which one quotient is told. */
START_TEST(one_of_two_quotients)
{
    const struct affine *other = affine_floor(s.read.arena, sum(1, s.r, 0, s.r, 1), 2);

    where(sum(1, s.e, -4, s.n, 0));
    where(sum(-1, s.e, 4, s.n, 3));
    s.shape.argument[0] = sum(2, affine_floor(s.read.arena, s.e, 4), -1, other, 5);
    stored_tell_quotients(&s.shape);
    ck_assert(affine_equal(s.shape.argument[0], sum(2, s.n, -1, other, 5)));
}
END_TEST

static bool is_known(const struct affine *affine, const condition_vec *more)
{
    return stored_known(s.read.arena, &s.shape, more, affine, false);
}

/* r <= n - 1 and what is taken not to hold, e < r, say e <= n - 2 together. */
START_TEST(a_case_and_a_condition)
{
    condition_vec more = {0};

    where(sum(1, s.n, -1, s.r, -1));
    ck_assert(!is_known(sum(1, s.n, -1, s.e, -2), &more));
    VEC_PUSH(s.read.arena, &more, ((struct condition){sum(1, s.r, -1, s.e, -1), false}));
    ck_assert(is_known(sum(1, s.n, -1, s.e, -2), &more));
    ck_assert(!is_known(sum(1, s.n, -1, s.e, -3), &more));
    ck_assert(!is_known(sum(1, s.e, -1, s.n, 0), &more));
}
END_TEST

/* What is from 0 beside a quotient, and a choice of which not the first one is enough. */
START_TEST(less_than_a_sum)
{
    const struct affine *tiles = affine_scale(s.read.arena, affine_floor(s.read.arena, s.n, 4), 4);
    const struct affine *choice[2] = {affine_constant(s.read.arena, 0), tiles};
    condition_vec none = {0};

    s.shape.n = 1;
    s.shape.count[0] = (struct count){.var = s.e->term[0].atom->var, .last = INT64_MAX, .from_0 = true};
    ck_assert(!is_known(sum(1, s.e, 1, tiles, 0), &none));
    where(s.n);
    ck_assert(is_known(sum(1, s.e, 1, tiles, 0), &none));
    ck_assert(is_known(sum(5, s.e, 1, tiles, 0), &none));
    ck_assert(!is_known(sum(-1, s.e, 1, tiles, 0), &none));
    ck_assert(!is_known(sum(1, s.e, 1, tiles, -1), &none));
    ck_assert(is_known(sum(1, affine_extreme(s.read.arena, ATOM_MAX, choice, 2), -1, tiles, 0), &none));
}
END_TEST

/* N is no multiple of 8 where it is from 8 * r + least to 8 * r + d, d from 0 to last: its quotient is r. */
static bool has_rest(int64_t least, int64_t last)
{
    const struct affine *quotient = affine_floor(s.read.arena, s.n, 8);
    condition_vec more = {0};

    s.shape.condition = (condition_vec){0};
    s.shape.n = 1;
    s.shape.count[0] = (struct count){.var = s.e->term[0].atom->var, .last = last, .from_0 = true};
    where(sum(1, s.n, -8, s.r, -least));
    VEC_PUSH(s.read.arena, &more, ((struct condition){sum(8, s.r, 1, affine_sub(s.read.arena, s.e, s.n), 0), false}));
    return is_known(sum(1, s.n, -8, quotient, -1), &more);
}

START_TEST(a_rest)
{
    ck_assert(has_rest(1, 7));
    ck_assert(has_rest(5, 5));
    ck_assert(!has_rest(0, 7));
    ck_assert(!has_rest(1, 8));
    ck_assert(!has_rest(1, INT64_MAX));
}
END_TEST

static bool fails(const condition_vec *more, const struct affine *affine)
{
    return stored_fails(&s.shape, stored_points(&s.shape, more), affine);
}

/* e is from 0 to 7, and N >= 10 where it is said. */
START_TEST(a_point_where_it_fails)
{
    condition_vec none = {0}, large = {0};

    s.shape.n = 1;
    s.shape.count[0] = (struct count){.var = s.e->term[0].atom->var, .last = 7, .from_0 = true};
    VEC_PUSH(s.read.arena, &large, ((struct condition){sum(1, s.n, 0, s.n, -10), false}));
    ck_assert(fails(&none, sum(1, s.e, 0, s.e, -1)));
    ck_assert(!fails(&none, s.e));
    ck_assert(fails(&none, sum(1, s.n, 0, s.n, -5)));
    ck_assert(!fails(&large, sum(1, s.n, 0, s.n, -5)));
    ck_assert(fails(&large, sum(1, s.n, 0, s.n, -14)));
    where(sum(1, s.n, 0, s.n, -14));
    ck_assert(!fails(&large, sum(1, s.n, 0, s.n, -14)));
}
END_TEST

/* All of e is in r <= e or e < r, but not in r <= e or e < r - 1. */
START_TEST(parts_of_all)
{
    struct stored_part from = {{0}, false}, below = {{0}, false}, further = {{0}, false};
    stored_part_vec parts = {0}, fewer = {0};

    where(s.r);
    VEC_PUSH(s.read.arena, &from.condition, ((struct condition){sum(1, s.e, -1, s.r, 0), false}));
    VEC_PUSH(s.read.arena, &below.condition, ((struct condition){sum(1, s.r, -1, s.e, -1), false}));
    VEC_PUSH(s.read.arena, &further.condition, ((struct condition){sum(1, s.r, -1, s.e, -2), false}));
    VEC_PUSH(s.read.arena, &parts, from);
    VEC_PUSH(s.read.arena, &fewer, from);
    ck_assert(!stored_by_parts(s.read.arena, &s.shape, &parts));
    VEC_PUSH(s.read.arena, &parts, below);
    VEC_PUSH(s.read.arena, &fewer, further);
    ck_assert(stored_by_parts(s.read.arena, &s.shape, &parts));
    ck_assert(!stored_by_parts(s.read.arena, &s.shape, &fewer));
}
END_TEST

UNIT_MAIN_WITH("finished_known", set_up, tear_down, conditions_tell_a_quotient, one_of_two_quotients,
               a_case_and_a_condition, less_than_a_sum, a_rest, a_point_where_it_fails, parts_of_all)
