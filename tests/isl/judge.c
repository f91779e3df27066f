/* judge-isl FIRST NUMBER: isl's operations that polynest relies on, on random small sets, against enumeration.
 *
 * A result that is not what the points say fails the test, so that a new isl is judged before it is trusted. What isl
 * 0.25 is known to get wrong stands in the table: polynest works around it, and the test only counts it.
 */
#include "points.h"

#include "poly/coalesce.h"
#include "poly/same.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/space.h>

#include <stdio.h>
#include <stdlib.h>

/* Two random sets of one space, as rows and as isl's. */
struct pair {
    struct points a, b;
    isl_set *set_a, *set_b;
    bool boxed; /* all points are in the window */
};

enum kind { SAME, ABOVE }; /* what a result must be: the wanted set; this or more */

struct operation {
    const char *name;
    __isl_give isl_set *(*apply)(const struct pair *pair);
    bool (*wanted)(const struct pair *pair, const long *x);
    enum kind kind;
    int n_less;      /* dimensions that the result has less */
    bool boxed;      /* only for sets in the window */
    const char *why; /* isl is known to be wrong: what works around it; NULL: it is right */
};

static __isl_give isl_set *a_of(const struct pair *pair)
{
    return isl_set_copy(pair->set_a);
}

static __isl_give isl_set *b_of(const struct pair *pair)
{
    return isl_set_copy(pair->set_b);
}

static bool in_a(const struct pair *pair, const long *x)
{
    return points_have(&pair->a, x);
}

static bool in_both(const struct pair *pair, const long *x)
{
    return in_a(pair, x) && points_have(&pair->b, x);
}

static bool in_either(const struct pair *pair, const long *x)
{
    return in_a(pair, x) || points_have(&pair->b, x);
}

static bool in_a_only(const struct pair *pair, const long *x)
{
    return in_a(pair, x) && !points_have(&pair->b, x);
}

/* Is there a j with (N, i, j) in a? */
static bool in_projection(const struct pair *pair, const long *x)
{
    for (long j = LEAST; j <= MOST; j++) {
        const long y[COLUMNS] = {x[0], x[1], j};
        if (in_a(pair, y))
            return true;
    }
    return false;
}

/* sign > 0: no point of a with this N comes before; else: after. */
static bool is_extreme(const struct pair *pair, const long *x, int sign)
{
    if (!in_a(pair, x))
        return false;
    for (long i = LEAST; i <= MOST; i++)
        for (long j = LEAST; j <= MOST; j++) {
            const long y[COLUMNS] = {x[0], i, pair->a.n_dim > 1 ? j : 0};
            const long distance = y[1] != x[1] ? y[1] - x[1] : y[2] - x[2];
            if (sign * distance < 0 && in_a(pair, y))
                return false;
        }
    return true;
}

static bool is_first(const struct pair *pair, const long *x)
{
    return is_extreme(pair, x, 1);
}

static bool is_last(const struct pair *pair, const long *x)
{
    return is_extreme(pair, x, -1);
}

/* i of a moved by the quotient of i by 3: (N, i) with (N, i', ..) in a and i = i' + floor(i' / 3). */
static bool in_image(const struct pair *pair, const long *x)
{
    for (long i = LEAST; i <= MOST; i++)
        for (long j = LEAST; j <= (pair->a.n_dim > 1 ? MOST : LEAST); j++) {
            const long y[COLUMNS] = {x[0], i, pair->a.n_dim > 1 ? j : 0};
            if (x[1] == i + (i >= 0 ? i / 3 : -((2 - i) / 3)) && in_a(pair, y))
                return true;
        }
    return false;
}

static __isl_give isl_set *coalesce(const struct pair *pair)
{
    return isl_set_coalesce(a_of(pair));
}

static __isl_give isl_set *own_coalesce(const struct pair *pair)
{
    return poly_set_coalesce(a_of(pair));
}

static __isl_give isl_set *own_coalesce_map(const struct pair *pair)
{
    isl_map *map = isl_map_from_domain(isl_set_union(a_of(pair), b_of(pair)));

    return isl_map_domain(poly_map_coalesce(map));
}

/* Where a function that is 1 on a and 0 elsewhere is 1, after coalescing. */
static __isl_give isl_set *own_coalesce_function(const struct pair *pair)
{
    return isl_pw_aff_non_zero_set(poly_pw_aff_coalesce(isl_set_indicator_function(a_of(pair))));
}

static __isl_give isl_set *intersect(const struct pair *pair)
{
    return isl_set_intersect(a_of(pair), b_of(pair));
}

static __isl_give isl_set *unite(const struct pair *pair)
{
    return isl_set_union(a_of(pair), b_of(pair));
}

static __isl_give isl_set *subtract(const struct pair *pair)
{
    return isl_set_subtract(a_of(pair), b_of(pair));
}

static __isl_give isl_set *complement(const struct pair *pair)
{
    return isl_set_complement(isl_set_complement(a_of(pair)));
}

static __isl_give isl_set *gist(const struct pair *pair)
{
    return isl_set_intersect(isl_set_gist(a_of(pair), b_of(pair)), b_of(pair));
}

static __isl_give isl_set *gist_params(const struct pair *pair)
{
    isl_set *params = isl_set_params(b_of(pair));
    isl_set *set = isl_set_gist_params(a_of(pair), isl_set_copy(params));

    return isl_set_intersect(isl_set_intersect_params(set, params), b_of(pair));
}

static __isl_give isl_set *compute_divs(const struct pair *pair)
{
    return isl_set_compute_divs(a_of(pair));
}

static __isl_give isl_set *remove_redundancies(const struct pair *pair)
{
    return isl_set_remove_redundancies(a_of(pair));
}

static __isl_give isl_set *detect_equalities(const struct pair *pair)
{
    return isl_set_detect_equalities(a_of(pair));
}

static __isl_give isl_set *make_disjoint(const struct pair *pair)
{
    return isl_set_make_disjoint(a_of(pair));
}

static __isl_give isl_set *affine_hull(const struct pair *pair)
{
    return isl_set_from_basic_set(isl_set_affine_hull(a_of(pair)));
}

static __isl_give isl_set *simple_hull(const struct pair *pair)
{
    return isl_set_from_basic_set(isl_set_simple_hull(a_of(pair)));
}

static __isl_give isl_set *bounded_simple_hull(const struct pair *pair)
{
    return isl_set_from_basic_set(isl_set_bounded_simple_hull(a_of(pair)));
}

/* Of one piece, as it may take minutes otherwise. */
static __isl_give isl_set *polyhedral_hull(const struct pair *pair)
{
    if (isl_set_n_basic_set(pair->set_a) != 1)
        return a_of(pair);
    return isl_set_from_basic_set(isl_set_polyhedral_hull(a_of(pair)));
}

static __isl_give isl_set *remove_divs(const struct pair *pair)
{
    return isl_set_remove_divs(a_of(pair));
}

static __isl_give isl_set *project_out(const struct pair *pair)
{
    return isl_set_project_out(a_of(pair), isl_dim_set, 1, 1);
}

static __isl_give isl_set *lexmin(const struct pair *pair)
{
    return isl_set_lexmin(a_of(pair));
}

static __isl_give isl_set *lexmax(const struct pair *pair)
{
    return isl_set_lexmax(a_of(pair));
}

/* The same by way of a piecewise function. */
static __isl_give isl_set *lexmin_function(const struct pair *pair)
{
    return isl_set_from_pw_multi_aff(isl_set_lexmin_pw_multi_aff(a_of(pair)));
}

static __isl_give isl_set *apply(const struct pair *pair)
{
    static const char *const text[] = {"[N] -> { [i] -> [i + floor(i/3)] }", "[N] -> { [i, j] -> [i + floor(i/3)] }"};
    isl_map *map = isl_map_read_from_str(isl_set_get_ctx(pair->set_a), text[pair->a.n_dim - 1]);

    return isl_set_apply(a_of(pair), map);
}

static __isl_give isl_set *function_domain(const struct pair *pair)
{
    isl_pw_multi_aff *function = isl_pw_multi_aff_from_map(isl_set_identity(a_of(pair)));

    return isl_pw_multi_aff_domain(function);
}

static const struct operation operations[] = {
    {"as it is", a_of, in_a, SAME, 0, false, NULL},
    {"coalesce", coalesce, in_a, SAME, 0, false, "poly/coalesce.h"},
    {"poly_set_coalesce", own_coalesce, in_a, SAME, 0, false, NULL},
    {"poly_map_coalesce", own_coalesce_map, in_either, SAME, 0, false, NULL},
    {"poly_pw_aff_coalesce", own_coalesce_function, in_a, SAME, 0, false, NULL},
    {"intersect", intersect, in_both, SAME, 0, false, NULL},
    {"union", unite, in_either, SAME, 0, false, NULL},
    {"subtract", subtract, in_a_only, SAME, 0, false, NULL},
    {"complement", complement, in_a, SAME, 0, false, NULL},
    {"gist", gist, in_both, SAME, 0, false, NULL},
    {"gist_params", gist_params, in_both, SAME, 0, false, NULL},
    {"compute_divs", compute_divs, in_a, SAME, 0, false, NULL},
    {"remove_redundancies", remove_redundancies, in_a, SAME, 0, false, NULL},
    {"detect_equalities", detect_equalities, in_a, SAME, 0, false, NULL},
    {"make_disjoint", make_disjoint, in_a, SAME, 0, false, NULL},
    {"affine_hull", affine_hull, in_a, ABOVE, 0, false, NULL},
    {"simple_hull", simple_hull, in_a, ABOVE, 0, false, NULL},
    {"bounded_simple_hull", bounded_simple_hull, in_a, ABOVE, 0, false, NULL},
    {"polyhedral_hull", polyhedral_hull, in_a, ABOVE, 0, true, NULL},
    {"remove_divs", remove_divs, in_a, ABOVE, 0, false, NULL},
    {"project_out", project_out, in_projection, SAME, 1, true, NULL},
    {"lexmin", lexmin, is_first, SAME, 0, true, NULL},
    {"lexmax", lexmax, is_last, SAME, 0, true, NULL},
    {"lexmin_pw_multi_aff", lexmin_function, is_first, SAME, 0, true, NULL},
    {"apply", apply, in_image, SAME, -1, true, NULL},
    {"pw_multi_aff_from_map", function_domain, in_a, SAME, 0, false, NULL},
};
enum { N_OPERATION = (int)(sizeof(operations) / sizeof(operations[0])) };

struct judging {
    const struct pair *pair;
    const struct operation *operation;
    struct reader *result;
    long at[COLUMNS];  /* where the result is wrong */
    int n_a, n_a_only; /* points of a and of a less b */
};

static bool agrees(void *user, const long *x)
{
    struct judging *judging = user;
    const bool wanted = judging->operation->wanted(judging->pair, x), has = reader_has(judging->result, x);

    for (int k = 0; k < COLUMNS; k++)
        judging->at[k] = x[k];
    return judging->operation->kind == SAME ? wanted == has : has || !wanted;
}

/* Is the operation right? */
static bool judge(const struct pair *pair, const struct operation *operation, long seed)
{
    struct judging judging = {.pair = pair, .operation = operation};
    const int n_dim = operation->n_less < 0 ? 1 : pair->a.n_dim - operation->n_less;
    isl_set *set = operation->apply(pair);
    bool right = set != NULL;

    if (set) {
        judging.result = reader_new(set, n_dim);
        right = points_each(n_dim, agrees, &judging);
        reader_free(judging.result);
    }
    if (!right && !operation->why) {
        printf("seed %ld: %s is wrong at N=%ld, (%ld, %ld)\n", seed, operation->name, judging.at[0], judging.at[1],
               judging.at[2]);
        isl_set_dump(pair->set_a);
        isl_set_dump(pair->set_b);
        isl_set_dump(set);
    }
    isl_set_free(set);
    return right;
}

static bool count_points(void *user, const long *x)
{
    struct judging *judging = user;

    judging->n_a += in_a(judging->pair, x);
    judging->n_a_only += in_a_only(judging->pair, x);
    return true;
}

static bool tell(const char *what, long seed, isl_bool says, bool is)
{
    if (says == (is ? isl_bool_true : isl_bool_false))
        return true;
    printf("seed %ld: %s says %d\n", seed, what, (int)says);
    return false;
}

/* isl's answers of yes and no, also about what its own coalesce made. */
static bool judge_answers(const struct pair *pair, long seed)
{
    struct judging judging = {.pair = pair, .operation = &operations[0]};
    isl_set *fused = isl_set_coalesce(a_of(pair)), *less = subtract(pair);
    bool same, right = true;

    judging.result = reader_new(fused, pair->a.n_dim);
    same = points_each(pair->a.n_dim, agrees, &judging);
    points_each(pair->a.n_dim, count_points, &judging);
    if (!same || pair->boxed) {
        right = tell("is_equal", seed, isl_set_is_equal(pair->set_a, fused), same);
        right = tell("poly_same", seed, poly_same(fused, pair->set_a), same) && right;
    }
    if (pair->boxed) {
        right = tell("poly_same", seed, poly_same(pair->set_a, less), judging.n_a_only == judging.n_a) && right;
        right = tell("is_empty", seed, isl_set_is_empty(pair->set_a), judging.n_a == 0) && right;
        right = tell("is_subset", seed, isl_set_is_subset(pair->set_a, pair->set_b), judging.n_a_only == 0) && right;
        right =
            tell("is_disjoint", seed, isl_set_is_disjoint(pair->set_a, pair->set_b), judging.n_a_only == judging.n_a) &&
            right;
        right = tell("is_empty of a difference", seed, isl_set_is_empty(less), judging.n_a_only == 0) && right;
    }
    reader_free(judging.result);
    isl_set_free(fused);
    isl_set_free(less);
    return right;
}

/* Counts what is wrong: of known errors into known, of others as the result. */
static int judge_seed(isl_ctx *ctx, long seed, int *known)
{
    struct draw draw = draw_new((uint64_t)seed);
    const int n_dim = draw_between(&draw, 1, 2);
    const bool boxed = draw_of(&draw, 2);
    struct pair pair = {points_draw(&draw, n_dim, boxed), points_draw(&draw, n_dim, boxed), NULL, NULL, boxed};
    int wrong = 0;

    pair.set_a = points_set(ctx, &pair.a);
    pair.set_b = points_set(ctx, &pair.b);
    for (int k = 0; k < N_OPERATION; k++) {
        if ((operations[k].boxed && !boxed) || operations[k].n_less >= n_dim || judge(&pair, &operations[k], seed))
            continue;
        known[k]++;
        wrong += operations[k].why == NULL;
    }
    wrong += !judge_answers(&pair, seed);
    isl_set_free(pair.set_a);
    isl_set_free(pair.set_b);
    return wrong;
}

int main(int argc, char **argv)
{
    const long first = argc > 1 ? atol(argv[1]) : 1, n = argc > 2 ? atol(argv[2]) : 150;
    isl_ctx *ctx = isl_ctx_alloc();
    int known[N_OPERATION] = {0}, wrong = 0;

    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    for (long k = 0; k < n; k++)
        wrong += judge_seed(ctx, first + k, known);
    printf("%ld pairs of sets, %d operations: %d wrong\n", n, N_OPERATION, wrong);
    for (int k = 0; k < N_OPERATION; k++)
        if (operations[k].why)
            printf("%s: wrong %d times, as known; see %s\n", operations[k].name, known[k], operations[k].why);
    isl_ctx_free(ctx);
    return wrong > 0;
}
