#include "lower/prove/partition.h"

#include "lower/loops/ast_expr.h"
#include "lower/prove/counted.h"
#include "lower/prove/parts.h"

/* Cases that are told apart before the proof is given up, and more for each part. */
enum { MOST_CASES = 400, MOST_CASES_OF_PART = 16, FEW_PARTS = 48 };
/* Rows that combinations may come to. */
enum { MOST_ROWS = 200 };
/* Congruences of the context that have columns. */
enum { MOST_CONGRUENCES = 4 };

struct proof {
    struct system common; /* the context, and what divisions are */
    const struct parts *parts;
    int cases, most_cases;
    bool from_middle; /* see dividing_row */
};

/* Adds all rows of `more`. */
static struct system joined(const struct system *system, const struct system *more)
{
    struct system both = system_copy(system);

    for (int k = 0; k < more->row.n; k++)
        system_add(&both, more->row.at[k].at, more->row.at[k].equal, false);
    both.empty = both.empty || more->empty;
    both.failed = both.failed || more->failed;
    return both;
}

/* -row - 1: row is below zero. */
static const int64_t *below(struct arena *arena, int n, const int64_t *row)
{
    int64_t *opposite = ARENA_ARRAY(arena, n + 1, int64_t);

    for (int c = 0; c <= n; c++)
        opposite[c] = -row[c];
    return __builtin_sub_overflow(opposite[n], 1, &opposite[n]) || opposite[n] == INT64_MIN ? NULL : opposite;
}

static bool is_refuted(const struct system *known, const struct interval *box, const int64_t *row)
{
    const int64_t *opposite = below(known->arena, known->n, row);

    return opposite && system_shows(known, box, opposite);
}

/* Does the row hold where known does; an equation, both ways? */
static bool is_shown(const struct system *known, const struct interval *box, const struct row *row)
{
    const int64_t *opposite = row->equal ? row_combine(known->arena, known->n, row->at, -1, row->at, 0) : row->at;

    return opposite && system_shows_by_two(known, box, row->at) && system_shows_by_two(known, box, opposite);
}

/* Does every row of `required`, with the counts that are gone replaced, hold where the part runs? */
static bool is_within(const struct proof *proof, const struct part_rows *part, const struct system *required)
{
    const struct system known = joined(&proof->common, &part->row);
    const struct interval *box = system_box(&known);
    struct system needed = system_copy(required);

    for (int k = 0; k < part->gone.row.n; k++)
        system_substitute(&needed, part->gone.row.at[k].at, part->column[k]);
    for (int k = 0; k < needed.row.n; k++)
        if (!is_shown(&known, box, &needed.row.at[k]))
            return false;
    return !needed.failed && !needed.empty && !known.failed;
}

/* The part's rows, its equations as two each. */
static struct system all_rows(const struct part_rows *part)
{
    struct system rows = system_copy(&part->row);

    for (int k = 0; k < part->gone.row.n; k++) {
        const int64_t *row = part->gone.row.at[k].at, *opposite = row_combine(rows.arena, rows.n, row, -1, row, 0);
        system_add(&rows, row, false, false);
        if (opposite)
            system_add(&rows, opposite, false, false);
        rows.failed = rows.failed || !opposite;
    }
    return rows;
}

/* The rows of the part that hold for some of what is known, and for some not; *out: one never holds. */
static struct system undecided(const struct system *known, const struct interval *box, const struct system *rows,
                               bool *out)
{
    struct system open = system_new(rows->arena, rows->n);

    *out = false;
    for (int k = 0; k < rows->row.n && !*out; k++) {
        const int64_t *row = rows->row.at[k].at;
        if (system_shows(known, box, row))
            continue;
        *out = is_refuted(known, box, row);
        VEC_PUSH(open.arena, &open.row, rows->row.at[k]);
    }
    return open;
}

/* The rows, equations as two each. */
static struct system inequalities(const struct system *known)
{
    struct system rows = system_new(known->arena, known->n);

    for (int k = 0; k < known->row.n; k++) {
        const int64_t *row = known->row.at[k].at;
        const int64_t *opposite = known->row.at[k].equal ? row_combine(rows.arena, rows.n, row, -1, row, 0) : NULL;
        system_add(&rows, row, false, false);
        if (opposite)
            system_add(&rows, opposite, false, false);
    }
    return rows;
}

/* How many rows there would be without the column: each that bounds it below with each that does above; 0: it is in
 * none. *exact: whole numbers for it are where fractions are. */
static int rows_without(const struct system *rows, int column, bool *exact)
{
    int n[2] = {0, 0}, others = 0;
    bool unit[2] = {true, true};

    for (int k = 0; k < rows->row.n; k++) {
        const int64_t c = rows->row.at[k].at[column];
        others += c == 0;
        n[c > 0] += c != 0;
        unit[c > 0] = unit[c > 0] && c >= -1 && c <= 1;
    }
    *exact = unit[0] || unit[1];
    return n[0] + n[1] ? others + n[0] * n[1] + 1 : 0;
}

/* What the rows say without the column, fractions being allowed for it. */
static struct system combined(const struct system *rows, int column)
{
    struct system less = system_new(rows->arena, rows->n);

    for (int a = 0; a < rows->row.n; a++) {
        const int64_t *low = rows->row.at[a].at;
        if (low[column] == 0)
            system_add(&less, low, false, false);
        for (int b = 0; b < rows->row.n && low[column] > 0; b++) {
            const int64_t *high = rows->row.at[b].at, *row;
            if (high[column] >= 0)
                continue;
            row = row_combine(less.arena, less.n, low, -high[column], high, low[column]);
            if (row)
                system_add(&less, row, false, false);
        }
    }
    return less;
}

/* The column to take out next: an exact one if there is any, with the fewest rows; -1: there is none. */
static int next_column(const struct system *rows)
{
    bool best_exact = false;
    int best = -1, fewest = 0;

    for (int c = 0; c < rows->n; c++) {
        bool exact;
        const int n = rows_without(rows, c, &exact);
        if (n == 0 || n > MOST_ROWS || (best >= 0 && (exact != best_exact ? best_exact : n >= fewest)))
            continue;
        best = c;
        fewest = n;
        best_exact = exact;
    }
    return best;
}

/* Do rows together exclude each other? */
static bool is_infeasible(const struct system *known)
{
    struct system rows = inequalities(known);

    for (int column = next_column(&rows); column >= 0 && !rows.empty; column = next_column(&rows))
        rows = combined(&rows, column);
    return rows.empty;
}

/* Does what is known contradict itself? */
static bool is_contradiction(const struct system *known, const struct interval *box)
{
    for (int k = 0; k < known->row.n; k++) {
        const int64_t *opposite = below(known->arena, known->n, known->row.at[k].at);
        if (opposite && system_shows_by_two(known, box, opposite))
            return true;
    }
    return known->empty || is_infeasible(known);
}

/* Are the known counts those of exactly one part? */
static bool is_divided(struct proof *proof, const struct system *known, const struct system *part, int n);

static bool is_divided_where(struct proof *proof, const struct system *known, const int64_t *row,
                             const struct system *part, int n)
{
    struct system inside = system_copy(known);

    if (!row)
        return false;
    system_add(&inside, row, false, false);
    return inside.empty || (!inside.failed && is_divided(proof, &inside, part, n));
}

/* The row to tell cases apart by: the first one; or one that says what a count is, of the part in the middle, which
 * halves many. */
static const int64_t *dividing_row(const struct proof *proof, const struct system *left, int n)
{
    for (int k = 0; k < n; k++) {
        const struct system *part = &left[proof->from_middle ? (n / 2 + k) % n : k];
        if (part->row.n > 0)
            return part->row.at[proof->from_middle ? part->row.n - 1 : 0].at;
    }
    return NULL;
}

static bool is_divided(struct proof *proof, const struct system *known, const struct system *part, int n)
{
    const struct interval *box = system_box(known);
    struct system *left = ARENA_ARRAY(known->arena, n + 1, struct system);
    const int64_t *by;
    int n_left = 0;

    if (++proof->cases > proof->most_cases)
        return false;
    for (int k = 0; k < n; k++) {
        bool out;
        const struct system open = undecided(known, box, &part[k], &out);
        if (!out)
            left[n_left++] = open;
    }
    by = dividing_row(proof, left, n_left);
    if (n_left == 0)
        return is_contradiction(known, box);
    if (!by)
        return n_left == 1 || is_contradiction(known, box);
    return is_divided_where(proof, known, by, left, n_left) &&
           is_divided_where(proof, known, below(known->arena, known->n, by), left, n_left);
}

/* The same, tried in the order of the parts, and if there are many from their middle. */
static bool is_divided_somehow(struct proof *proof, const struct system *known, const struct system *part, int n)
{
    proof->most_cases = MOST_CASES;
    if (n <= FEW_PARTS && is_divided(proof, known, part, n))
        return true;
    proof->from_middle = true;
    proof->cases = 0;
    proof->most_cases = MOST_CASES + MOST_CASES_OF_PART * n;
    return is_divided(proof, known, part, n);
}

/* A parameter that the row says a multiple of; -1: none. */
static int multiple_of(const int64_t *row, int n_param)
{
    for (int c = 0; c < n_param; c++)
        if (row[c] == 1 || row[c] == -1)
            return c;
    return -1;
}

/* Replaces parameters that the context has congruences of: rows are tightened as if by these. */
static void replace_multiples(struct lowering *lowering, struct proof *proof, struct parts *parts, struct system *known)
{
    const int n_param = lowering->program->n_param;
    struct system congruences = system_new(lowering->arena, known->n);

    counts_congruences(lowering, known->n - MOST_CONGRUENCES, MOST_CONGRUENCES, &congruences);
    for (int k = 0; k < congruences.row.n; k++) {
        const int64_t *row = congruences.row.at[k].at;
        const int column = multiple_of(row, n_param);
        if (column < 0)
            continue;
        system_substitute(&proof->common, row, column);
        system_substitute(known, row, column);
        for (int p = 0; p < parts->leaf.n; p++) {
            system_substitute(&parts->leaf.at[p].row, row, column);
            system_substitute(&parts->leaf.at[p].gone, row, column);
        }
    }
}

/* Do the parts divide the counts among them? */
static bool divide(struct proof *proof, const struct system *counts)
{
    const struct system known = joined(&proof->common, counts);
    struct system *part = ARENA_ARRAY(known.arena, proof->parts->leaf.n + 1, struct system);
    int n = 0;

    for (int k = 0; k < proof->parts->leaf.n; k++) {
        const struct part_rows *leaf = &proof->parts->leaf.at[k];
        if (leaf->row.empty)
            continue;
        part[n] = all_rows(leaf);
        if (part[n++].failed || !is_within(proof, leaf, counts))
            return false;
    }
    return !known.failed && is_divided_somehow(proof, &known, part, n);
}

/* The loops around the only leaf of statement; their number, -1 where it has none, or several. */
static int loops_around(const struct order *order, const struct statement *statement, const struct order **loop)
{
    int n = 0;

    if (order_leaves(order, statement) != 1)
        return -1;
    while (order->kind != ORDER_LEAF) {
        int k = 0;
        if (order->kind == ORDER_LOOP && n == MAX_DEPTH)
            return -1;
        if (order->kind == ORDER_LOOP)
            loop[n++] = order;
        while (!order_has(order->child[k], statement))
            k++;
        order = order->child[k];
    }
    return n;
}

static __isl_give isl_set *where_called(const struct program *program, __isl_keep isl_set *domain)
{
    return isl_set_intersect_params(isl_set_copy(domain), isl_set_copy(program->context));
}

/* Are the leaf's instances all of the statement's? */
static bool is_whole(const struct program *program, const struct order *leaf)
{
    isl_set *own, *all;
    bool whole = leaf->domain == leaf->statement->domain;

    if (whole)
        return true;
    own = where_called(program, leaf->domain);
    all = where_called(program, leaf->statement->domain);
    whole = isl_set_is_equal(own, all) == isl_bool_true;
    isl_set_free(own);
    isl_set_free(all);
    return whole;
}

/* The counts of the leaf. What the context says as well, congruences of parameters above all, is not told again. */
static bool find_counts(struct lowering *lowering, const struct order *leaf, const struct order *const *loop, int n,
                        int width, struct counts *counts)
{
    isl_set *instances = isl_set_gist_params(isl_set_copy(leaf->domain), isl_set_copy(lowering->program->context));
    const bool found = counts_of_leaf(lowering, leaf, instances, loop, n, width, counts);

    isl_set_free(instances);
    return found;
}

static bool holds(struct lowering *lowering, const struct order *order, const struct node *tree,
                  const struct statement *statement)
{
    const struct order **loop = ARENA_ARRAY(lowering->arena, MAX_DEPTH, const struct order *);
    const int n = loops_around(order, statement, loop);
    const int width = lowering->program->n_param + n + PARTS_DIVISIONS + MOST_CONGRUENCES;
    struct proof proof = {0};
    struct counts counts;
    struct parts parts;
    struct system known;

    if (n < 0 || !is_whole(lowering->program, order_leaf_of(order, statement)) ||
        !find_counts(lowering, order_leaf_of(order, statement), loop, n, width, &counts) ||
        !parts_of_tree(lowering, tree, &counts, loop, &parts))
        return false;
    proof.common = counts_context(lowering, width);
    proof.common = joined(&proof.common, &parts.defined);
    proof.parts = &parts;
    known = system_copy(&counts.known);
    replace_multiples(lowering, &proof, &parts, &known);
    return !proof.common.failed && divide(&proof, &known) && counts_are_those(lowering, &counts, loop);
}

bool partition_holds(struct lowering *lowering, const struct order *order, const struct node *tree,
                     const struct statement *statement)
{
    const struct arena_mark mark = arena_mark(lowering->arena);
    const bool answer = holds(lowering, order, tree, statement);

    arena_rewind(lowering->arena, mark);
    return answer;
}
