#include "lower/vector/clamp.h"

#include "base/vec.h"
#include "program/program.h"
#include "tree/visit.h"

/* Uses of an array, and the condition that they share. */
struct uses {
    const struct facts *facts;
    const struct array *array;
    int dim;                          /* the subscript that the condition is about */
    const struct affine *last;        /* its largest value, or NULL: none seen yet */
    VEC(const struct node *) guarded; /* loops around the place whose body is under a condition on their variable */
    bool same;                        /* so far all uses are under the same one */
};

/* The condition right inside a loop that is `last - variable >= 0`; NULL: there is none. */
static const struct affine *last_of(struct arena *arena, const struct node *loop)
{
    const struct node *inside = loop->kind == NODE_LOOP && loop->unroll ? loop->child[0] : NULL;

    if (!inside || inside->kind != NODE_IF || inside->n_child != 1 || inside->n_alternative != 1 ||
        inside->alternative[0].n != 1 || inside->alternative[0].condition[0].equal)
        return NULL;
    const struct affine *a = inside->alternative[0].condition[0].affine;
    int64_t factor;
    return affine_linear_factor(arena, a, loop->var, &factor) && factor == -1
               ? affine_add(arena, a, affine_var(arena, loop->var))
               : NULL;
}

/* The guarded loop whose variable is the element's subscript. */
static const struct node *loop_of(const struct uses *uses, const struct element *element)
{
    struct arena *arena = uses->facts->lowering->arena;

    for (int k = 0; k < uses->guarded.n; k++)
        if (affine_equal(element->index[uses->dim], affine_var(arena, uses->guarded.at[k]->var)))
            return uses->guarded.at[k];
    return NULL;
}

static void note_element(struct uses *uses, const struct element *element)
{
    const struct node *loop = element->array == uses->array ? loop_of(uses, element) : NULL;
    const struct affine *last = loop ? last_of(uses->facts->lowering->arena, loop) : NULL;

    if (element->array != uses->array)
        return;
    if (!last || (uses->last && !affine_equal(last, uses->last)))
        uses->same = false;
    else
        uses->last = last;
}

static void note_expr(const struct tree_expr *expr, void *user)
{
    struct uses *uses = user;
    const bool divides = expr->kind == TREE_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD);

    if (expr->kind == TREE_LOAD)
        note_element(uses, &expr->element);
    if (divides && !type_is_float(expr->type) && uses->guarded.n > 0)
        uses->same = false;
}

static void note_uses(struct uses *uses, const struct node *node)
{
    const bool guarded = last_of(uses->facts->lowering->arena, node) != NULL;

    if (node->kind == NODE_ASSIGN) {
        note_element(uses, &node->target);
        tree_expr_for_each(node->value, note_expr, uses);
        tree_expr_for_each(node->guard_value, note_expr, uses);
    }
    if (guarded)
        VEC_PUSH(uses->facts->lowering->arena, &uses->guarded, node);
    for (int k = 0; k < node->n_child; k++)
        note_uses(uses, node->child[k]);
    uses->guarded.n -= guarded;
}

struct clamping {
    const struct uses *uses;
    const struct var *var;
};

static const struct affine *clamp_affine(struct arena *arena, const struct affine *a, void *user)
{
    const struct clamping *clamping = user;
    const struct affine *arg[2] = {affine_var(arena, clamping->var), clamping->uses->last};

    if (!a || !affine_uses(a, clamping->var))
        return a;
    return affine_substitute(arena, a, clamping->var, affine_extreme(arena, ATOM_MIN, arg, 2));
}

static struct element clamp_element(struct arena *arena, const struct element *element, void *user)
{
    const int n = element->array->n_dim;
    const struct affine **index = ARENA_ARRAY(arena, n + 1, const struct affine *);
    struct element clamped = *element;

    if (element->array->in_registers)
        return clamped;
    for (int k = 0; k < n; k++)
        index[k] = clamp_affine(arena, element->index[k], user);
    clamped.index = index;
    return clamped;
}

/* The superfluous rows do what the last one does, its own conditions and bounds included. */
static const struct node *clamp_reads(struct clamping *clamping, const struct node *node)
{
    struct arena *arena = clamping->uses->facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (node->kind == NODE_ASSIGN)
        return node_map_elements(arena, node, clamp_element, clamping);
    for (int k = 0; k < node->n_child; k++)
        child[k] = clamp_reads(clamping, node->child[k]);
    return node_map_own(arena, node_with_children(arena, node, child), clamp_affine, clamping);
}

/* Does everything below assign to the array's row of the loop? */
static bool stays_inside(const struct uses *uses, const struct node *loop, const struct node *node)
{
    if (node->kind == NODE_ASSIGN)
        return node->target.array == uses->array && !node->guard_value &&
               affine_equal(node->target.index[uses->dim], affine_var(uses->facts->lowering->arena, loop->var));
    for (int k = 0; k < node->n_child; k++)
        if (!stays_inside(uses, loop, node->child[k]))
            return false;
    return true;
}

static const struct node *without_conditions(const struct uses *uses, const struct node *node)
{
    struct arena *arena = uses->facts->lowering->arena;
    const struct affine *last = last_of(arena, node);
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (node->n_child == 0)
        return node;
    if (last && affine_equal(last, uses->last) && stays_inside(uses, node, node->child[0])) {
        struct clamping clamping = {uses, node->var};
        const struct node *body = clamp_reads(&clamping, node->child[0]->child[0]);
        return node_with_body(arena, node, node_counted(arena, body, &node->child[0]->alternative[0]));
    }
    for (int k = 0; k < node->n_child; k++)
        child[k] = without_conditions(uses, node->child[k]);
    return node_with_children(arena, node, child);
}

/* Is the last row, seen from each place, at or behind the first one? */
static bool has_rows(const struct uses *uses)
{
    return facts_imply(uses->facts, uses->last);
}

const struct node *clamp_rows(const struct facts *facts, const struct node *node, const struct array *array)
{
    for (int dim = 0; dim < array->n_dim; dim++) {
        struct uses uses = {.facts = facts, .array = array, .dim = dim, .same = true};
        note_uses(&uses, node);
        if (uses.same && uses.last && has_rows(&uses))
            return without_conditions(&uses, node);
    }
    return node;
}
