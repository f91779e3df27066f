#include "lower/prove/injective.h"

#include "lower/facts/over.h"
#include "lower/facts/relation.h"

#include "base/vec.h"

#include <isl/mat.h>
#include <isl/space.h>
#include <isl/val.h>

/* What an instance tells of the iteration that runs it: value is one of width + 1 neighbouring numbers. */
struct reading {
    const struct affine *value;
    int64_t width;
};

/* Variables whose value is told by the readings so far. */
struct solving {
    const struct facts *facts;
    bool *solved; /* by place in facts->bound */
    VEC(struct reading) reading;
};

static bool is_solved(const struct solving *solving, const struct var *var)
{
    int at = 0;

    if (var->kind == VAR_PARAM)
        return true;
    for (const struct bound_var *bound = solving->facts->bound; bound; bound = bound->outer, at++)
        if (bound->var == var)
            return solving->solved[at];
    return false;
}

static bool is_unsolved(const struct var *var, const void *user)
{
    return !is_solved(user, var);
}

static bool all_solved(const struct solving *solving, const struct affine *a)
{
    return !affine_any_var(a, is_unsolved, solving);
}

/* a without its terms that are known; NULL when some other term is not a variable, or on overflow. */
static const struct affine *unsolved_part(const struct solving *solving, const struct affine *a)
{
    struct arena *arena = solving->facts->lowering->arena;
    struct affine *part = ARENA_NEW(arena, struct affine);
    struct affine_term *term = ARENA_ARRAY(arena, a->n_term + 1, struct affine_term);

    for (int k = 0; k < a->n_term; k++) {
        const struct affine one = {0, 1, &a->term[k]};
        if (all_solved(solving, &one))
            continue;
        if (a->term[k].atom->kind != ATOM_VAR)
            return NULL;
        term[part->n_term++] = a->term[k];
    }
    part->term = term;
    return part;
}

/* Is the value of term's variable told by that of a, give or take width? It is when the rest moves by less than one
 * step of the term. */
static bool decides(const struct facts *facts, const struct affine *a, int64_t width, const struct affine_term *term)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine one = {0, 1, term};
    const struct affine *rest = affine_sub(arena, a, &one);
    const struct span range = rest ? span_of(arena, facts->bound, rest) : span_any();
    int64_t moves;

    if (range.low == INT64_MIN || range.high == INT64_MAX || __builtin_sub_overflow(range.high, range.low, &moves) ||
        __builtin_add_overflow(width, moves, &width))
        return false;
    return width < span_of(arena, facts->bound, &one).modulus || width == 0;
}

/* Marks what a reading tells; true when that is something new. */
static bool solve(struct solving *solving, const struct reading *reading)
{
    const struct affine *part = unsolved_part(solving, reading->value);

    for (int k = 0; part && k < part->n_term; k++) {
        int at = 0;
        if (!decides(solving->facts, part, reading->width, &part->term[k]))
            continue;
        for (const struct bound_var *bound = solving->facts->bound; bound->var != part->term[k].atom->var;
             bound = bound->outer)
            at++;
        return solving->solved[at] = true;
    }
    return false;
}

/* a, or a multiple of it that does not divide: of floor(j / 64) for j = 0, 64, .. that is j. */
static const struct affine *undivided(const struct facts *facts, const struct affine *a)
{
    struct quotient quotient;

    return relation_is_told(facts, a, &quotient) ? quotient.sum : a;
}

/* Do the readings tell every variable? */
static bool all_told(struct solving *solving)
{
    int n = 0, n_solved = 0;
    bool more = true;

    for (const struct bound_var *bound = solving->facts->bound; bound; bound = bound->outer)
        n += bound->var->kind != VAR_PARAM;
    solving->solved = ARENA_ARRAY(solving->facts->lowering->arena, n + 1, bool);
    while (more) {
        more = false;
        for (int k = 0; k < solving->reading.n; k++)
            while (solve(solving, &solving->reading.at[k])) {
                more = true;
                n_solved++;
            }
    }
    return n_solved == n;
}

bool injective_by_digits(const struct facts *facts, const struct node *leaf)
{
    struct solving solving = {.facts = facts};

    for (int k = 0; k < leaf->statement->n_loop; k++)
        VEC_PUSH(facts->lowering->arena, &solving.reading, ((struct reading){undivided(facts, leaf->argument[k]), 0}));
    return all_told(&solving);
}

/* Constraints of a set as rows of numbers: its parameters, dimensions, divisions and the constant. */
struct rows {
    int n, width;
    int64_t *at;
};

static bool fits(__isl_keep isl_val *val)
{
    return isl_val_cmp_si(val, INT32_MAX) <= 0 && isl_val_cmp_si(val, INT32_MIN) >= 0;
}

/* Rows with larger numbers are left out. */
static struct rows rows_of(struct arena *arena, __isl_take isl_mat *mat)
{
    const int n = isl_mat_rows(mat), width = isl_mat_cols(mat);
    struct rows rows = {0, width, ARENA_ARRAY(arena, n * width + 1, int64_t)};

    for (int r = 0; r < n; r++) {
        bool all = true;
        for (int c = 0; c < width; c++) {
            isl_val *val = isl_mat_get_element_val(mat, r, c);
            all = all && fits(val);
            rows.at[rows.n * width + c] = all ? isl_val_get_num_si(val) : 0;
            isl_val_free(val);
        }
        rows.n += all;
    }
    isl_mat_free(mat);
    return rows;
}

/* The part of a row that the loops' variables are; NULL: it has a division, or none of them. */
static const struct affine *moving_part(const struct facts *facts, __isl_keep isl_space *space, const int64_t *row,
                                        int n_told, int width)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *part = affine_constant(arena, 0);

    for (int c = n_told; c < width - 1; c++)
        if (row[c] != 0)
            return NULL;
    for (const struct bound_var *bound = facts->bound; bound; bound = bound->outer) {
        const int at = bound->var->kind == VAR_PARAM ? -1 : over_dimension(space, bound->var);
        if (at >= 0 && row[at] != 0)
            part = affine_add(arena, part, affine_scale(arena, affine_var(arena, bound->var), row[at]));
    }
    return part && part->n_term > 0 ? part : NULL;
}

/* Do the rows a, b and c (NULL: none) add up to a constant? */
static bool are_constant(const int64_t *a, const int64_t *b, const int64_t *c, int width)
{
    for (int k = 0; k < width - 1; k++)
        if (a[k] + b[k] + (c ? c[k] : 0) != 0)
            return false;
    return true;
}

static int64_t smaller_width(int64_t width, int64_t other)
{
    return width < 0 || other < width ? other : width;
}

/* The number of values that a row can have less one, by one or two others; negative: they do not bound it. */
static int64_t row_width(const struct rows *rows, int r)
{
    const int last = rows->width - 1;
    const int64_t *row = &rows->at[r * rows->width];
    int64_t least = -1;

    for (int i = 0; i < rows->n; i++) {
        const int64_t *a = &rows->at[i * rows->width];
        if (are_constant(row, a, NULL, rows->width))
            least = smaller_width(least, row[last] + a[last]);
        for (int k = 0; k < i; k++) {
            const int64_t *b = &rows->at[k * rows->width];
            if (are_constant(row, a, b, rows->width))
                least = smaller_width(least, row[last] + a[last] + b[last]);
        }
    }
    return least;
}

static void read_rows(struct solving *solving, __isl_keep isl_space *space, struct rows rows, bool equal)
{
    const struct facts *facts = solving->facts;
    const int n_told = isl_space_dim(space, isl_dim_param) + isl_space_dim(space, isl_dim_set);

    for (int r = 0; r < rows.n; r++) {
        const struct affine *part = moving_part(facts, space, &rows.at[r * rows.width], n_told, rows.width);
        const int64_t width = equal ? 0 : part ? row_width(&rows, r) : -1;
        if (part && width >= 0)
            VEC_PUSH(facts->lowering->arena, &solving->reading, ((struct reading){part, width}));
    }
}

bool injective_by_bounds(const struct facts *facts, __isl_keep isl_set *run)
{
    static const enum isl_dim_type order[] = {isl_dim_param, isl_dim_set, isl_dim_div, isl_dim_cst};
    struct arena *arena = facts->lowering->arena;
    isl_basic_set *hull = isl_set_plain_unshifted_simple_hull(isl_set_copy(run));
    isl_space *space = isl_basic_set_get_space(hull);
    struct solving solving = {.facts = facts};

    read_rows(&solving, space,
              rows_of(arena, isl_basic_set_equalities_matrix(hull, order[0], order[1], order[2], order[3])), true);
    read_rows(&solving, space,
              rows_of(arena, isl_basic_set_inequalities_matrix(hull, order[0], order[1], order[2], order[3])), false);
    isl_space_free(space);
    isl_basic_set_free(hull);
    return all_told(&solving);
}
