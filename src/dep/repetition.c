#include "dep/repetition.h"

#include "dep/extent.h"
#include "poly/coalesce.h"
#include "poly/context.h"
#include "poly/number.h"
#include "poly/sample.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>

/* Sizes for which an iteration in the middle is like most; the most points that are counted one by one; and the isl
 * operations for either. */
enum { LARGE = 1000, MOST_POINTS = 100000, MOST_OPERATIONS = 50000 };

/* Of the runs { [c] -> [p] }, those whose instance an earlier iteration has run, too. */
static __isl_give isl_map *repeated(__isl_keep isl_map *runs)
{
    isl_map *earlier = isl_map_lex_gt(isl_space_domain(isl_map_get_space(runs)));

    return isl_map_intersect(isl_map_copy(runs), isl_map_apply_range(earlier, isl_map_copy(runs)));
}

static int64_t constant_size(const struct extent *extent)
{
    int64_t size;

    return polynomial_is_constant(extent->box, &size) ? size : INT64_MAX;
}

/* The points of a set as a polynomial; NULL when it is not known. */
static const struct polynomial *points(struct arena *arena, const struct program *program, __isl_take isl_set *set)
{
    return extent_of_set(arena, program, set).count;
}

/* The points of a set without parameters; -1 when there are too many to count. */
static int64_t number(struct arena *arena, const struct program *program, __isl_take isl_set *set)
{
    const struct extent extent = extent_of_set(arena, program, isl_set_copy(set));
    int64_t value;

    if (polynomial_is_constant(extent.count, &value) || constant_size(&extent) > MOST_POINTS) {
        isl_set_free(set);
        return extent.count ? value : -1;
    }
    if (!poly_number(isl_set_count_val(set), &value))
        value = -1;
    isl_set_free(set);
    return value;
}

/* All runs: the same number in each iteration, or counted one by one. */
static const struct polynomial *all_runs(struct arena *arena, const struct program *program, __isl_keep isl_map *runs)
{
    const struct extent each = extent_of_map(arena, program, isl_map_copy(runs));
    const struct polynomial *count;

    count = polynomial_product(arena, each.count, points(arena, program, isl_map_domain(isl_map_copy(runs))));
    return count ? count : points(arena, program, isl_set_flatten(isl_map_wrap(isl_map_copy(runs))));
}

static void print_ratio(struct text *out, int64_t runs, int64_t elements)
{
    const int64_t hundredths = elements > 0 ? (runs * 100 + elements / 2) / elements : 0;

    text_addf(out, ": %lld.%02lld times on average", (long long)(hundredths / 100), (long long)(hundredths % 100));
}

/* "90 instances for 66 elements, 24 of them more than once"; false when these are not known. */
static bool print_exact(struct text *out, struct arena *arena, const struct program *program, __isl_keep isl_map *runs,
                        __isl_keep isl_map *again)
{
    const struct polynomial *all = all_runs(arena, program, runs);
    const struct polynomial *elements = points(arena, program, isl_map_range(isl_map_copy(runs)));
    const struct polynomial *more = points(arena, program, isl_map_range(isl_map_copy(again)));
    int64_t runs_number, elements_number;

    if (!all || !elements)
        return false;
    polynomial_print(out, all);
    text_add(out, " instances for ");
    polynomial_print(out, elements);
    text_add(out, " elements");
    if (more) {
        text_add(out, ", ");
        polynomial_print(out, more);
        text_add(out, " of them more than once");
    }
    if (polynomial_is_constant(all, &runs_number) && polynomial_is_constant(elements, &elements_number) &&
        runs_number < INT64_MAX / 200)
        print_ratio(out, runs_number, elements_number);
    return true;
}

/* Large values for the parameters: LARGE or more where the assumptions allow it. */
static bool large_sizes(struct arena *arena, const struct program *program, struct sample *sample)
{
    isl_set *large = isl_set_copy(program->context);

    for (int k = 0; k < program->n_param; k++) {
        isl_set *larger = isl_set_lower_bound_si(isl_set_copy(large), isl_dim_param, (unsigned)k, LARGE);
        if (isl_set_is_empty(larger) == isl_bool_false) {
            isl_set_free(large);
            large = larger;
        } else {
            isl_set_free(larger);
        }
    }
    return poly_smallest(arena, isl_set_from_params(large), sample);
}

static int64_t bound(__isl_keep isl_set *set, int dim, bool upper)
{
    isl_val *value = upper ? isl_set_dim_max_val(isl_set_copy(set), dim) : isl_set_dim_min_val(isl_set_copy(set), dim);
    int64_t number;

    poly_number(value, &number);
    return number;
}

/* An iteration in the middle, { [c] }; empty when there is none just there. */
static __isl_give isl_set *middle(__isl_take isl_set *iterations)
{
    const int n = (int)isl_set_dim(iterations, isl_dim_set);
    isl_ctx *ctx = isl_set_get_ctx(iterations);

    for (int k = 0; k < n && isl_set_is_empty(iterations) == isl_bool_false; k++) {
        const int64_t at = bound(iterations, k, false) / 2 + bound(iterations, k, true) / 2;
        iterations = isl_set_fix_val(iterations, isl_dim_set, (unsigned)k, isl_val_int_from_si(ctx, at));
    }
    return iterations;
}

static int64_t number_there(struct arena *arena, const struct program *program, __isl_keep isl_map *runs,
                            __isl_keep isl_set *iteration)
{
    return number(arena, program, isl_set_apply(isl_set_copy(iteration), isl_map_copy(runs)));
}

/* "12 instances in an iteration in the middle, 4 of them again"; false when there is no such iteration. */
static bool print_middle(struct text *out, struct arena *arena, const struct program *program, __isl_keep isl_map *runs,
                         __isl_keep isl_map *again)
{
    isl_set *iteration = isl_map_domain(isl_map_copy(runs));
    struct sample sizes;
    int64_t all = -1, more = -1;

    if (large_sizes(arena, program, &sizes))
        for (int k = 0; k < program->n_param; k++)
            iteration = isl_set_fix_val(iteration, isl_dim_param, (unsigned)k,
                                        isl_val_int_from_si(isl_set_get_ctx(iteration), sizes.param[k]));
    iteration = middle(iteration);
    if (isl_set_is_empty(iteration) == isl_bool_false) {
        all = number_there(arena, program, runs, iteration);
        more = number_there(arena, program, again, iteration);
    }
    isl_set_free(iteration);
    if (all <= 0 || more < 0)
        return false;
    text_addf(out, "%lld instances in an iteration in the middle, %lld of them again", (long long)all, (long long)more);
    if (more < all)
        print_ratio(out, all, all - more);
    return true;
}

typedef bool print_numbers(struct text *out, struct arena *arena, const struct program *program,
                           __isl_keep isl_map *runs, __isl_keep isl_map *again);

/* What print says, if it is done within the operations for it. */
static bool within_operations(print_numbers *print, struct text *out, struct arena *arena,
                              const struct program *program, __isl_keep isl_map *runs, __isl_keep isl_map *again)
{
    const unsigned long most = isl_ctx_get_max_operations(program->ctx);
    struct text numbers = {0};
    bool known;

    isl_ctx_set_max_operations(program->ctx, MOST_OPERATIONS);
    poly_begin(program->ctx);
    known = print(&numbers, arena, program, runs, again) && isl_ctx_last_error(program->ctx) == isl_error_none;
    isl_ctx_set_max_operations(program->ctx, most);
    poly_begin(program->ctx);
    if (known)
        text_add(out, text_str(&numbers));
    text_free(&numbers);
    return known;
}

bool repetition_print(struct text *out, struct arena *arena, const struct program *program,
                      const struct repetition *repetition)
{
    isl_map *runs = isl_map_intersect_params(isl_map_copy(repetition->runs), isl_set_copy(program->context));
    isl_map *again = poly_map_coalesce(repeated(runs));
    const bool any = isl_map_is_empty(again) != isl_bool_true;

    if (any) {
        text_addf(out, "%s at %s: ", repetition->label, repetition->loop);
        if (isl_ctx_last_error(program->ctx) != isl_error_none ||
            (!within_operations(print_exact, out, arena, program, runs, again) &&
             !within_operations(print_middle, out, arena, program, runs, again)))
            text_add(out, "some instances run more than once; how many depends on the sizes");
    }
    isl_map_free(runs);
    isl_map_free(again);
    return any;
}
