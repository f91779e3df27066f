#include "lower/vector/reuse/rows.h"

#include "base/vec.h"
#include "lower/facts/descend.h"
#include "program/program.h"
#include "tree/visit.h"

#include <ctype.h>

/* Dimensions from that of the unrolled loop on, from which a subscript is long. */
enum { LONG = 3 };

struct row {
    struct element first;
    const struct var *var; /* the pointer to it */
};

/* An unrolled loop. */
struct rows {
    const struct facts *facts; /* in front of it */
    VEC(struct row) found;
    VEC(const struct node *) loop; /* it, and those of literal bounds between it and the place at hand */
};

static bool uses_inner(const struct rows *rows, const struct affine *a)
{
    for (int k = 0; k < rows->loop.n; k++)
        if (affine_uses(a, rows->loop.at[k]->var))
            return true;
    return false;
}

/* The terms of a that change in the loop. */
static const struct affine *moving(const struct rows *rows, const struct affine *a)
{
    struct affine_term *term = ARENA_ARRAY(rows->facts->lowering->arena, a->n_term + 1, struct affine_term);
    struct affine *result = ARENA_NEW(rows->facts->lowering->arena, struct affine);

    result->term = term;
    for (int k = 0; k < a->n_term; k++) {
        const struct affine one = {.n_term = 1, .term = &a->term[k]};
        if (uses_inner(rows, &one))
            term[result->n_term++] = a->term[k];
    }
    return result;
}

/* Do elements that only the loop's own variable tells apart lie far from each other, at a distance that is known at run
 * time, with a long subscript? */
static bool is_far(const struct rows *rows, const struct element *element)
{
    const struct array *array = element->array;
    bool symbolic = false;
    int first = 0;

    if (!array || array->role != ROLE_IN || array->stride || element->indirect || element->lane_step || element->base)
        return false;
    while (first < array->n_dim && !affine_uses(element->index[first], rows->loop.at[0]->var))
        first++;
    for (int k = first + 1; k < array->n_dim; k++)
        symbolic = symbolic || array->shape[k]->kind != EXPR_INT;
    return symbolic && array->n_dim - first >= LONG;
}

const char *rows_pointer_name(struct lowering *lowering, const struct array *array)
{
    char *name = arena_copy(lowering->arena, array->name);

    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return names_unique(&lowering->taken, arena_printf(lowering->arena, "%s_at", name));
}

static const struct var *pointer_to(struct rows *rows, const struct element *first)
{
    struct row row = {*first, NULL};

    for (int k = 0; k < rows->found.n; k++) {
        const struct element *known = &rows->found.at[k].first;
        bool same = known->array == first->array;
        for (int dim = 0; same && dim < first->array->n_dim; dim++)
            same = affine_equal(known->index[dim], first->index[dim]);
        if (same)
            return rows->found.at[k].var;
    }
    row.var = lower_new_var(rows->facts->lowering, VAR_LOOP, rows_pointer_name(rows->facts->lowering, first->array));
    VEC_PUSH(rows->facts->lowering->arena, &rows->found, row);
    return row.var;
}

/* Is it zero in the first iteration? Then what remains without it is an element that is read. */
static bool starts_at_zero(const struct rows *rows, const struct affine *moving)
{
    struct arena *arena = rows->facts->lowering->arena;

    for (int k = 0; k < rows->loop.n && moving; k++)
        moving = affine_substitute(arena, moving, rows->loop.at[k]->var, rows->loop.at[k]->lower);
    return moving && facts_imply(rows->facts, moving) && facts_imply(rows->facts, affine_scale(arena, moving, -1));
}

static struct element from_pointer(struct arena *arena, const struct element *element, void *user)
{
    struct rows *rows = user;
    struct element first = *element, rest = *element;

    if (!is_far(rows, element))
        return *element;
    const struct affine **at = ARENA_ARRAY(arena, element->array->n_dim, const struct affine *);
    const struct affine **from = ARENA_ARRAY(arena, element->array->n_dim, const struct affine *);
    for (int k = 0; k < element->array->n_dim; k++) {
        from[k] = moving(rows, element->index[k]);
        at[k] = affine_sub(arena, element->index[k], from[k]);
        if (!at[k] || !starts_at_zero(rows, from[k]))
            return *element;
    }
    first.index = at;
    rest.index = from;
    rest.base = pointer_to(rows, &first);
    return rest;
}

static void note_select(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_SELECT;
}

/* Does node read all that it names, in each iteration? */
static bool reads_all(const struct node *node)
{
    bool selects = false;

    tree_expr_for_each(node->value, note_select, &selects);
    return node->vector && !node->guard_value && !selects;
}

static bool is_literal(const struct node *loop)
{
    int64_t first, last;

    return affine_is_constant(loop->lower, &first) && affine_is_constant(loop->upper, &last);
}

/* node with what its vectors share by way of pointers; what does not run in each iteration stays. */
static const struct node *replaced(struct rows *rows, const struct node *node)
{
    struct arena *arena = rows->facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    const bool loop = node->kind == NODE_LOOP;

    if (!(loop && is_literal(node)) && node->kind != NODE_BLOCK && node->kind != NODE_LET && node->kind != NODE_ASSIGN)
        return node;
    if (loop)
        VEC_PUSH(arena, &rows->loop, node);
    if (reads_all(node))
        node = node_map_elements(arena, node, from_pointer, rows);
    for (int k = 0; node && k < node->n_child; k++)
        child[k] = replaced(rows, node->child[k]);
    rows->loop.n -= loop;
    return node && node->n_child ? node_with_children(arena, node, child) : node;
}

const struct node *rows_pointer(struct arena *arena, const struct var *var, const struct element *first,
                                const struct node *body)
{
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *node = ARENA_NEW(arena, struct node);

    child[0] = node_with_comment(arena, body, NULL);
    *node = (struct node){
        .kind = NODE_POINTER, .child = child, .n_child = 1, .var = var, .target = *first, .comment = body->comment};
    return node;
}

static const struct node *in_loop(const struct facts *facts, const struct node *loop)
{
    struct lowering *lowering = facts->lowering;
    struct rows rows = {.facts = facts};
    const int taken = lowering->taken.used.n;

    loop = replaced(&rows, loop);
    for (int k = rows.found.n - 1; k >= 0 && loop; k--)
        loop = rows_pointer(lowering->arena, rows.found.at[k].var, &rows.found.at[k].first, loop);
    lowering->taken.used.n = taken;
    return loop;
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user)
{
    if (node->kind == NODE_LOOP && node->unroll && !node->continues)
        return in_loop(facts, node);
    return descend(facts, node, walk, user);
}

static void look_for_long(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->element.array && expr->element.array->n_dim >= LONG;
}

static void look_in_vector(const struct node *node, void *user)
{
    if (node->vector)
        tree_expr_for_each(node->value, look_for_long, user);
}

const struct node *lower_rows(struct arena *arena, const struct program *program, struct vars *vars,
                              const struct node *tree)
{
    struct lowering lowering = lower_again(arena, program, vars, NULL);
    bool any = false;
    struct facts facts;

    node_for_each(tree, look_in_vector, &any);
    if (!any)
        return tree;
    lower_used_names(&lowering, tree, &lowering.taken);
    facts = facts_of_program(&lowering);
    return walk(&facts, tree, NULL);
}
