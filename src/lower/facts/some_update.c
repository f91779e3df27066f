#include "lower/facts/some_update.h"

#include "base/vec.h"
#include "program/program.h"
#include "tree/layout.h"
#include "tree/visit.h"

enum { MOST_ROWS = 64 };

/* What holds where place runs: rows, each >= 0, in variables of which the last are to be eliminated. */
struct elimination {
    struct arena *arena;
    const struct node *place;
    VEC(const struct affine *) row;
    VEC(const struct var *) var;
    bool exact;
};

static void add_row(struct elimination *e, const struct affine *row)
{
    if (!row || e->row.n == MOST_ROWS)
        e->exact = false;
    else
        VEC_PUSH(e->arena, &e->row, row);
}

/* The loop's variable becomes the number of the iteration where it does not move by 1. */
static void add_loop(struct elimination *e, const struct node *loop)
{
    const struct affine *var = affine_var(e->arena, loop->var);

    VEC_PUSH(e->arena, &e->var, loop->var);
    if (loop->step == 1) {
        add_row(e, affine_sub(e->arena, var, loop->lower));
        add_row(e, affine_sub(e->arena, loop->upper, var));
        return;
    }
    add_row(e, var);
    add_row(e, affine_scale(e->arena,
                            affine_sub(e->arena, affine_sub(e->arena, loop->upper, loop->lower),
                                       affine_scale(e->arena, var, loop->step)),
                            loop->step < 0 ? -1 : 1));
}

/* a with the value of the loop's variable. */
static const struct affine *in_iteration(struct arena *arena, const struct affine *a, const struct node *loop)
{
    const struct affine *var = affine_var(arena, loop->var);

    return affine_substitute(arena, a, loop->var, affine_add(arena, loop->lower, affine_scale(arena, var, loop->step)));
}

/* The loops and names around the node at hand, outermost first. */
struct level {
    const struct node *node;
    const struct level *outer;
};

static const struct affine *as_row(struct elimination *e, const struct level *level, const struct affine *a)
{
    for (; level && a; level = level->outer) {
        const struct node *node = level->node;
        if (node->kind == NODE_VALUE)
            a = affine_substitute(e->arena, a, node->var, node->lower);
        else if (node->step != 1)
            a = in_iteration(e->arena, a, node);
    }
    return a;
}

static void add_conditions(struct elimination *e, const struct level *level, const struct node *node, int k)
{
    if (k != 0 || node->n_alternative != 1)
        e->exact = false;
    for (int c = 0; e->exact && c < node->alternative->n; c++) {
        const struct condition *condition = &node->alternative->condition[c];
        const struct affine *row = as_row(e, level, condition->affine);
        add_row(e, row);
        if (condition->equal && row)
            add_row(e, affine_scale(e->arena, row, -1));
    }
}

static void add_inner_loop(struct elimination *e, const struct level *level, const struct node *loop)
{
    struct node *copy = ARENA_NEW(e->arena, struct node);

    *copy = *loop;
    copy->lower = as_row(e, level, loop->lower);
    copy->upper = as_row(e, level, loop->upper);
    if (copy->lower && copy->upper)
        add_loop(e, copy);
    else
        e->exact = false;
}

/* Is place in node? Then what its loops and conditions say is added. */
static bool add_around(struct elimination *e, const struct level *level, const struct node *node)
{
    const bool binds = node->kind == NODE_LOOP || node->kind == NODE_VALUE;
    const struct level inside = {node, level};
    bool found = node == e->place;

    for (int k = 0; k < node->n_child && !found; k++) {
        const int n_row = e->row.n, n_var = e->var.n;
        const bool exact = e->exact;
        if (node->kind == NODE_IF)
            add_conditions(e, level, node, k);
        else if (node->kind == NODE_LOOP)
            add_inner_loop(e, level, node);
        else if (node->kind == NODE_TUPLE)
            e->exact = false;
        found = add_around(e, binds ? &inside : level, node->child[k]);
        if (!found) {
            e->row.n = n_row;
            e->var.n = n_var;
            e->exact = exact;
        }
    }
    return found;
}

/* The rows without var. */
static void eliminate(struct elimination *e, const struct var *var)
{
    const struct elimination all = *e;
    int64_t a, b;

    e->row.at = NULL;
    e->row.n = e->row.capacity = 0;
    for (int k = 0; k < all.row.n && e->exact; k++) {
        e->exact = affine_linear_factor(e->arena, all.row.at[k], var, &a);
        if (e->exact && a == 0)
            add_row(e, all.row.at[k]);
        for (int l = 0; l < all.row.n && e->exact && a > 0; l++) {
            if (!affine_linear_factor(e->arena, all.row.at[l], var, &b) || b >= 0)
                continue;
            e->exact = a == 1 || b == -1;
            add_row(e, affine_add(e->arena, affine_scale(e->arena, all.row.at[k], -b),
                                  affine_scale(e->arena, all.row.at[l], a)));
        }
    }
}

/* The rows that do not follow from the facts and one another; NULL: all do. */
static const struct guard *remaining(const struct elimination *e, struct facts facts)
{
    struct condition *condition = ARENA_ARRAY(e->arena, e->row.n + 1, struct condition);
    struct guard *guard = ARENA_NEW(e->arena, struct guard);

    *guard = (struct guard){condition, 0};
    for (int k = 0; k < e->row.n; k++) {
        if (facts_imply(&facts, e->row.at[k]))
            continue;
        facts_assume(&facts, e->row.at[k]);
        condition[guard->n++] = (struct condition){e->row.at[k], false};
    }
    return guard->n ? guard : NULL;
}

bool some_update(const struct facts *outside, const struct node *loop, const struct node *body,
                 const struct node *place, const struct guard **guard)
{
    struct elimination e = {.arena = outside->lowering->arena, .place = place, .exact = true};
    const struct level around = {loop, NULL};

    *guard = NULL;
    add_loop(&e, loop);
    if (!add_around(&e, &around, body))
        return false;
    for (int k = e.var.n - 1; k >= 0 && e.exact; k--)
        eliminate(&e, e.var.at[k]);
    if (e.exact)
        *guard = remaining(&e, *outside);
    return e.exact;
}

bool subscript_is_inside(const struct facts *outside, const struct element *element, int dim)
{
    const struct lowering *lowering = outside->lowering;
    const struct scope parameters = {lowering->program, lowering->param_var, NULL};
    const struct affine *extent = NULL, *left;

    if (!affine_from_expr(lowering->arena, &parameters, element->array->shape[dim], &extent) || !extent)
        return false;
    left = affine_sub(lowering->arena, extent, element->index[dim]);
    return left && facts_imply(outside, element->index[dim]) &&
           facts_imply(outside, affine_add_constant(lowering->arena, left, -1));
}

bool element_is_there(const struct facts *outside, const struct element *element)
{
    bool there = true;

    for (int k = 0; there && k < element->array->n_dim; k++)
        there = subscript_is_inside(outside, element, k);
    return there;
}
