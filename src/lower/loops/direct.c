/* The loops of an order whose statements fill them: each loop goes from a largest lower to a smallest upper bound that
 * are the same for all that runs in it, as in tiles of boxes and of triangles. They are read off the constraints on the
 * counts (lower/loops/counts.h); isl, which makes loops of any order, takes many times as long. */
#include "lower/loops/counts.h"

#include "lower/loops/ast_expr.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

struct direct {
    struct lowering *lowering;
    int width;
    struct system known;     /* of the parameters: the context, and the conditions around */
    VEC(struct counts) leaf; /* all of them, in order */
    const struct order *around[MAX_DEPTH];
    const struct affine *count[MAX_DEPTH]; /* of the loops around */
};

static int depth_of(const struct order *order)
{
    int deepest = 0;

    for (int k = 0; k < order->n_child; k++) {
        const int depth = depth_of(order->child[k]);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + (order->kind == ORDER_LOOP);
}

/* Is the loop one that isl is not told anything special of? */
static bool is_plain(const struct loop_info *info)
{
    return info->role != ROLE_FUSING && info->unit == 1;
}

static bool find_leaves(struct direct *d, const struct order *order, int depth)
{
    if (order->kind == ORDER_LEAF) {
        struct counts counts;
        if (!counts_of_leaf(d->lowering, order, order->domain, d->around, depth, d->width, &counts) ||
            !counts_bounds(&counts, &d->known))
            return false;
        VEC_PUSH(d->lowering->arena, &d->leaf, counts);
        return true;
    }
    if (order->kind == ORDER_LOOP) {
        if (!is_plain(order->info))
            return false;
        d->around[depth++] = order;
    }
    for (int k = 0; k < order->n_child; k++)
        if (!find_leaves(d, order->child[k], depth))
            return false;
    return true;
}

/* sum of coefficient * column from the first column to the last before end, and the constant */
static const struct affine *affine_of_row(struct direct *d, const int64_t *row, int end)
{
    struct arena *arena = d->lowering->arena;
    const int n_param = d->lowering->program->n_param;
    const struct affine *sum = affine_constant(arena, row[d->width]);

    for (int c = 0; c < end; c++) {
        const struct affine *term;
        if (row[c] == 0)
            continue;
        term = c < n_param ? affine_var(arena, d->lowering->param_var[c]) : d->count[c - n_param];
        sum = affine_combine(arena, sum, 1, term, row[c]);
    }
    return sum;
}

/* The largest lower (sign 1) or smallest upper (sign -1) bound that the rows give of the column; NULL: none. */
static const struct affine *bound_of(struct direct *d, const struct system *rows, int column, int sign)
{
    struct arena *arena = d->lowering->arena;
    const struct affine **arg = ARENA_ARRAY(arena, rows->row.n + 1, const struct affine *);
    int n = 0;

    for (int k = 0; k < rows->row.n; k++) {
        const int64_t *row = rows->row.at[k].at;
        const int64_t factor = sign * row[column];
        const struct affine *rest;
        if (factor <= 0)
            continue;
        rest = affine_scale(arena, affine_of_row(d, row, column), -sign);
        rest = affine_add_constant(arena, rest, sign > 0 ? factor - 1 : 0);
        arg[n++] = affine_floor(arena, rest, factor);
        if (!arg[n - 1])
            return NULL;
    }
    return n == 0 ? NULL : affine_extreme(arena, sign > 0 ? ATOM_MAX : ATOM_MIN, arg, n);
}

static bool has_row(const struct system *system, const struct row *row)
{
    for (int k = 0; k < system->row.n; k++)
        if (system->row.at[k].equal == row->equal &&
            memcmp(system->row.at[k].at, row->at, (size_t)(system->n + 1) * sizeof(*row->at)) == 0)
            return true;
    return false;
}

static bool same_rows(const struct system *a, const struct system *b)
{
    for (int k = 0; k < a->row.n; k++)
        if (!has_row(b, &a->row.at[k]))
            return false;
    return a->row.n == b->row.n;
}

/* The first of n leaves that has instances; all have the same bounds at this depth, else NULL. */
static const struct counts *common(const struct counts *leaf, int n, int depth)
{
    const struct counts *first = NULL;

    for (int k = 0; k < n; k++) {
        if (leaf[k].empty)
            continue;
        if (first && !same_rows(&first->bound[depth], &leaf[k].bound[depth]))
            return NULL;
        first = first ? first : &leaf[k];
    }
    return first;
}

static int n_leaves(const struct order *order)
{
    int n = order->kind == ORDER_LEAF;

    for (int k = 0; k < order->n_child; k++)
        n += n_leaves(order->child[k]);
    return n;
}

static const struct node *build(struct direct *d, const struct order *order, const struct counts *leaf, int depth);

static const struct node *build_leaf(struct direct *d, const struct counts *leaf)
{
    const struct statement *statement = leaf->leaf->statement;
    const struct affine **argument = ARENA_ARRAY(d->lowering->arena, statement->n_loop + 1, const struct affine *);

    for (int k = 0; k < statement->n_loop; k++)
        if (!(argument[k] = affine_of_row(d, leaf->argument[k], d->width)))
            return NULL;
    return node_statement(d->lowering->arena, statement, argument);
}

static bool has_instances(const struct counts *leaf, int n)
{
    for (int k = 0; k < n; k++)
        if (!leaf[k].empty)
            return true;
    return false;
}

static const struct node *build_sequence(struct direct *d, const struct order *order, const struct counts *leaf,
                                         int depth)
{
    const struct node **child = ARENA_ARRAY(d->lowering->arena, order->n_child + 1, const struct node *);
    int n = 0;

    for (int k = 0; k < order->n_child; k++) {
        const int n_leaf = n_leaves(order->child[k]);
        if (has_instances(leaf, n_leaf) && !(child[n++] = build(d, order->child[k], leaf, depth)))
            return NULL;
        leaf += n_leaf;
    }
    return node_block(d->lowering->arena, child, n);
}

/* The value of a count that is no loop; NULL: it is one. */
static const struct affine *only_value(struct direct *d, const struct system *rows, int column)
{
    const struct row *row = rows->row.n == 1 && rows->row.at[0].equal ? &rows->row.at[0] : NULL;

    return row ? affine_scale(d->lowering->arena, affine_of_row(d, row->at, column), -row->at[column]) : NULL;
}

static const struct node *build_loop(struct direct *d, const struct order *order, const struct counts *leaf, int depth)
{
    struct arena *arena = d->lowering->arena;
    const struct counts *first = common(leaf, n_leaves(order), depth);
    const int column = d->lowering->program->n_param + depth;
    const struct affine *lower, *upper;
    const struct node *body, *loop;
    const struct var *var;

    if (!first)
        return NULL;
    d->count[depth] = only_value(d, &first->bound[depth], column);
    if (d->count[depth] && !loop_plan_has_positions(order->info))
        return build(d, order->child[0], leaf, depth + 1);
    lower = d->count[depth] ? d->count[depth] : bound_of(d, &first->bound[depth], column, 1);
    upper = d->count[depth] ? d->count[depth] : bound_of(d, &first->bound[depth], column, -1);
    var = lower_new_var(d->lowering, VAR_LOOP, lower_printed_name(order->info));
    d->count[depth] = affine_var(arena, var);
    body = lower && upper ? build(d, order->child[0], leaf, depth + 1) : NULL;
    loop = body ? node_loop(arena, var, lower, upper, 1, order->info, body) : NULL;
    return loop && order->info->comment ? node_with_comment(arena, loop, order->info->comment) : loop;
}

static const struct node *build_order(struct direct *d, const struct order *order, const struct counts *leaf, int depth)
{
    if (order->kind == ORDER_LEAF)
        return build_leaf(d, leaf);
    return order->kind == ORDER_LOOP ? build_loop(d, order, leaf, depth) : build_sequence(d, order, leaf, depth);
}

/* Does the system have the row, or a tighter one? */
static bool says(const struct system *system, const struct row *row)
{
    for (int k = 0; k < system->row.n; k++) {
        const struct row *own = &system->row.at[k];
        if (own->equal == row->equal && memcmp(own->at, row->at, (size_t)system->n * sizeof(*row->at)) == 0 &&
            own->at[system->n] <= row->at[system->n])
            return true;
    }
    return false;
}

/* Does the row hold for all n leaves, and is there one whose loops do not say so themselves? */
static bool is_wanted(const struct counts *leaf, int n, const struct row *row)
{
    bool wanted = false, all = true;

    for (int k = 0; k < n; k++) {
        if (leaf[k].empty)
            continue;
        all = all && says(&leaf[k].guard, row);
        for (int r = 0; r < leaf[k].guard.row.n; r++) {
            const struct row *own = &leaf[k].guard.row.at[r];
            wanted = wanted || (!own->derived && own->equal == row->equal &&
                                memcmp(own->at, row->at, (size_t)(leaf[k].guard.n + 1) * sizeof(*row->at)) == 0);
        }
    }
    return wanted && all;
}

/* Is the row a condition of all of order? In a sequence, of each part. */
static bool is_guard(const struct order *order, const struct counts *leaf, const struct row *row)
{
    if (order->kind != ORDER_SEQUENCE)
        return is_wanted(leaf, n_leaves(order), row);
    for (int k = 0; k < order->n_child; k++) {
        const int n = n_leaves(order->child[k]);
        if (has_instances(leaf, n) && !is_wanted(leaf, n, row))
            return false;
        leaf += n;
    }
    return true;
}

/* What no loop says of the parameters and holds for all of order; it is then known. */
static struct system common_guard(struct direct *d, const struct order *order, const struct counts *leaf)
{
    const int n = n_leaves(order);
    struct system guard = system_new(d->lowering->arena, d->width);

    for (int k = 0; k < n; k++)
        for (int r = 0; !leaf[k].empty && r < leaf[k].guard.row.n; r++) {
            const struct row *row = &leaf[k].guard.row.at[r];
            if (!row->derived && !says(&d->known, row) && is_guard(order, leaf, row)) {
                system_add(&guard, row->at, row->equal, false);
                system_add(&d->known, row->at, row->equal, false);
            }
        }
    return guard;
}

static const struct node *guarded(struct direct *d, const struct system *rows, const struct node *body)
{
    struct arena *arena = d->lowering->arena;
    struct condition *condition = ARENA_ARRAY(arena, rows->row.n + 1, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    for (int k = 0; k < rows->row.n; k++) {
        const struct row *row = &rows->row.at[k];
        condition[k] = (struct condition){affine_of_row(d, row->at, d->width), row->equal};
        if (!condition[k].affine)
            return NULL;
    }
    *guard = (struct guard){condition, rows->row.n};
    return body && rows->row.n > 0 ? node_if(arena, guard, 1, body) : body;
}

static const struct node *build(struct direct *d, const struct order *order, const struct counts *leaf, int depth)
{
    const struct system outside = system_copy(&d->known);
    const struct system guard = common_guard(d, order, leaf);
    const struct node *node = build_order(d, order, leaf, depth);

    d->known = outside;
    return guarded(d, &guard, node);
}

/* Guards that the context says are none. */
static void drop_known(struct direct *d, struct counts *leaf)
{
    const struct interval *box = system_box(&d->known);

    for (int r = 0; r < leaf->guard.row.n; r++)
        if (!leaf->guard.row.at[r].equal && system_shows(&d->known, box, leaf->guard.row.at[r].at))
            leaf->guard.row.at[r].derived = true;
}

const struct node *lower_direct(struct lowering *lowering, const struct order *order)
{
    struct direct d = {.lowering = lowering, .width = lowering->program->n_param + depth_of(order)};

    d.known = counts_context(lowering, d.width);
    if (depth_of(order) >= MAX_DEPTH || !find_leaves(&d, order, 0))
        return NULL;
    for (int k = 0; k < d.leaf.n; k++)
        drop_known(&d, &d.leaf.at[k]);
    return build(&d, order, d.leaf.at, 0);
}
