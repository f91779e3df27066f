#include "lower/vector/reuse/row_pointers.h"

#include "base/vec.h"
#include "caps/simd.h"
#include "lower/facts/descend.h"
#include "lower/facts/some_update.h"
#include "lower/vector/reuse/rows.h"
#include "lower/vector/reuse/strip.h"
#include "program/program.h"
#include "tree/layout.h"
#include "tree/visit.h"

/* Elements of an array for which a pointer pays, pointers of one strip, and how far away a neighbour is at most. */
enum { FEW_ELEMENTS = 3, MOST_POINTERS = 4, MOST_AWAY = 64 };

/* An element, subscript by subscript what stays the same in the strip, and what does not. */
struct use {
    const struct element *element;
    const struct affine **outer, **inner;
};

struct pointer {
    struct element row; /* what it points to */
    const struct var *var;
};

/* Loops over vectors, the second one over what the first one leaves. */
struct strip {
    const struct facts *facts;     /* in front of it */
    VEC(const struct var *) inner; /* variables that they bind */
    VEC(struct use) use;           /* different ones */
    VEC(struct pointer) pointer;
    bool lanes; /* is the node at hand one of a vector? */
};

/* Is it an element of an array with rows, in memory that callers have, and of a vector one for each lane? */
static bool may_count_from_row(const struct strip *strip, const struct element *element)
{
    const struct array *array = element->array;

    return array && array->n_dim >= 2 && array->role != ROLE_TEMP && !array->in_registers && !array->stride &&
           !array->offset && !element->indirect && !element->base && !element->parts && !element->distance &&
           (element->lane_step != 0 || !strip->lanes) && element->lane_step != LANES_APART;
}

/* The terms of a that use what the strip binds; or those that do not, and the constant. */
static const struct affine *part_of(const struct strip *strip, const struct affine *a, bool inner)
{
    struct arena *arena = strip->facts->lowering->arena;
    struct affine_term *term = ARENA_ARRAY(arena, a->n_term + 1, struct affine_term);
    struct affine *result = ARENA_NEW(arena, struct affine);

    *result = (struct affine){inner ? 0 : a->constant, 0, term};
    for (int k = 0; k < a->n_term; k++) {
        const struct affine one = {.n_term = 1, .term = &a->term[k]};
        bool uses = false;
        for (int v = 0; v < strip->inner.n && !uses; v++)
            uses = affine_uses(&one, strip->inner.at[v]);
        if (uses == inner)
            term[result->n_term++] = a->term[k];
    }
    return result;
}

static struct use use_of(const struct strip *strip, const struct element *element)
{
    struct arena *arena = strip->facts->lowering->arena;
    const int n = element->array->n_dim;
    struct use use = {element, ARENA_ARRAY(arena, n, const struct affine *),
                      ARENA_ARRAY(arena, n, const struct affine *)};

    for (int d = 0; d < n; d++) {
        use.outer[d] = part_of(strip, element->index[d], false);
        use.inner[d] = part_of(strip, element->index[d], true);
    }
    return use;
}

static bool same_place(const struct element *a, const struct element *b)
{
    bool same = a->array == b->array;

    for (int d = 0; same && d < a->array->n_dim; d++)
        same = affine_equal(a->index[d], b->index[d]);
    return same;
}

/* Does it stay in one row? */
static bool stays_in_row(const struct use *use)
{
    const struct array *array = use->element->array;

    for (int d = 0; d < array->n_dim - 1; d++)
        if (use->inner[array_dense_dimension(array, d)]->n_term > 0)
            return false;
    return true;
}

static void note_element(struct strip *strip, const struct element *element)
{
    struct use use;

    if (!may_count_from_row(strip, element))
        return;
    for (int k = 0; k < strip->use.n; k++)
        if (same_place(strip->use.at[k].element, element))
            return;
    use = use_of(strip, element);
    if (stays_in_row(&use))
        VEC_PUSH(strip->facts->lowering->arena, &strip->use, use);
}

static void note_load(const struct tree_expr *expr, void *user)
{
    if (expr->kind == TREE_LOAD)
        note_element(user, &expr->element);
}

static void note_node(const struct node *node, void *user)
{
    struct strip *strip = user;

    strip->lanes = true;
    if (!node->vector)
        return;
    tree_expr_for_each(node->value, note_load, user);
    if (node->kind == NODE_ASSIGN && !node->vector->sum)
        note_element(user, &node->target);
}

static void note_variable(const struct node *node, void *user)
{
    struct strip *strip = user;

    if (node->var)
        VEC_PUSH(strip->facts->lowering->arena, &strip->inner, node->var);
}

/* How far the other use is from this one, summed over the subscripts; -1: that is not one number. */
static int64_t distance(const struct strip *strip, const struct use *use, const struct use *other)
{
    int64_t sum = 0, constant;

    if (use->element->array != other->element->array)
        return -1;
    for (int d = 0; d < use->element->array->n_dim; d++) {
        const struct affine *more = affine_sub(strip->facts->lowering->arena, other->outer[d], use->outer[d]);
        if (!more || !affine_is_constant(more, &constant) || constant < -MOST_AWAY || constant > MOST_AWAY)
            return -1;
        sum += constant < 0 ? -constant : constant;
    }
    return sum;
}

/* Of how many uses the distance from this one is known; *sum: of their distances. */
static int neighbours(const struct strip *strip, const struct use *use, int64_t *sum)
{
    int n = 0;

    *sum = 0;
    for (int k = 0; k < strip->use.n; k++) {
        const int64_t away = distance(strip, use, &strip->use.at[k]);
        n += away >= 0;
        *sum += away >= 0 ? away : 0;
    }
    return n;
}

/* Has the row a subscript that something is multiplied with? Else there is nothing to save. */
static bool is_long(const struct element *row)
{
    for (int d = 0; d < row->array->n_dim - 1; d++)
        if (row->index[array_dense_dimension(row->array, d)]->n_term > 0)
            return true;
    return false;
}

/* The use's row: what stays the same in its subscripts, and no number in those in which something changes; of these, if
 * not `whole`, nothing. */
static struct element row_of(const struct strip *strip, const struct use *use, bool whole)
{
    struct arena *arena = strip->facts->lowering->arena;
    const int n = use->element->array->n_dim;
    const struct affine **index = ARENA_ARRAY(arena, n, const struct affine *);

    for (int d = 0; d < n; d++) {
        const struct affine *outer = use->outer[d];
        const bool moves = use->inner[d]->n_term > 0;
        index[d] = !moves  ? outer
                   : whole ? affine_add_constant(arena, outer, -outer->constant)
                           : affine_constant(arena, 0);
    }
    return (struct element){.array = use->element->array, .index = index};
}

/* Does the row begin in the array, or where that ends, as a row without elements may? */
static bool begins_inside(const struct strip *strip, const struct element *row)
{
    int64_t constant;
    bool inside = true;

    for (int d = 0; d < row->array->n_dim && inside; d++)
        inside = (affine_is_constant(row->index[d], &constant) && constant == 0) ||
                 subscript_is_inside(strip->facts, row, d);
    return inside;
}

/* Makes the pointer for the uses around this one, if that is one into the array wherever the strip stands. */
static void add_pointer(struct strip *strip, const struct use *use)
{
    struct lowering *lowering = strip->facts->lowering;
    struct pointer pointer = {.row = row_of(strip, use, true)};

    if (!is_long(&pointer.row))
        return;
    if (!begins_inside(strip, &pointer.row))
        pointer.row = row_of(strip, use, false);
    if (!begins_inside(strip, &pointer.row))
        return;
    pointer.var = lower_new_var(lowering, VAR_LOOP, rows_pointer_name(lowering, pointer.row.array));
    VEC_PUSH(lowering->arena, &strip->pointer, pointer);
}

/* Is its row told without numbers, and first, as A[i, k] is beside A[i + 1, k] and A[i + 2, k]? */
static bool is_plain(const struct strip *strip, const struct use *use)
{
    for (int k = 0; k < strip->use.n; k++)
        for (int d = 0; d < use->element->array->n_dim && strip->use.at[k].element->array == use->element->array; d++)
            if (use->inner[d]->n_term == 0 && (use->outer[d]->constant != 0 || strip->use.at[k].outer[d]->constant < 0))
                return false;
    return true;
}

/* Of the array's uses the one from which most others are a number of elements away, of these a plain one, or the least
 * far; *n: how many. */
static const struct use *middle(const struct strip *strip, const struct array *array, int *n)
{
    const struct use *best = NULL;
    int64_t least = 0, sum = 0;

    *n = 0;
    for (int k = 0; k < strip->use.n; k++) {
        const struct use *use = &strip->use.at[k];
        const int near = use->element->array == array ? neighbours(strip, use, &sum) : 0;
        sum = near > 0 && is_plain(strip, use) ? -1 : sum;
        if (near > *n || (near == *n && near > 0 && sum < least)) {
            best = use;
            *n = near;
            least = sum;
        }
    }
    return best;
}

static bool is_first_of_array(const struct strip *strip, int use)
{
    for (int k = 0; k < use; k++)
        if (strip->use.at[k].element->array == strip->use.at[use].element->array)
            return false;
    return true;
}

/* loop: the first one of the strip. */
static void find_pointers(struct strip *strip, const struct node *loop)
{
    node_for_each(loop, note_node, strip);
    for (int k = 0; k < strip->use.n && strip->pointer.n < MOST_POINTERS; k++) {
        const struct array *array = strip->use.at[k].element->array;
        int n = 0;
        const struct use *use = is_first_of_array(strip, k) ? middle(strip, array, &n) : NULL;
        if (n >= FEW_ELEMENTS)
            add_pointer(strip, use);
    }
}

/* The subscript, counted from the row's; NULL: what they differ in stays the same, and is no number. */
static const struct affine *from_row(const struct strip *strip, const struct affine *index, const struct affine *row)
{
    const struct affine *rest = affine_sub(strip->facts->lowering->arena, index, row);
    int64_t constant;

    if (!rest || (affine_is_constant(row, &constant) && constant == 0))
        return rest;
    return affine_is_constant(part_of(strip, rest, false), NULL) ? rest : NULL;
}

static struct element from_pointer(struct arena *arena, const struct element *element, void *user)
{
    const struct strip *strip = user;
    struct element rest = *element;

    for (int k = 0; k < strip->pointer.n && may_count_from_row(strip, element); k++) {
        const struct pointer *pointer = &strip->pointer.at[k];
        const struct affine **index = ARENA_ARRAY(arena, element->array->n_dim, const struct affine *);
        bool counts = pointer->row.array == element->array;
        for (int d = 0; counts && d < element->array->n_dim; d++) {
            index[d] = from_row(strip, element->index[d], pointer->row.index[d]);
            counts = index[d] != NULL;
        }
        if (!counts)
            continue;
        rest.index = index;
        rest.base = pointer->var;
        return rest;
    }
    return rest;
}

static const struct node *replaced(struct strip *strip, const struct node *node)
{
    struct arena *arena = strip->facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    strip->lanes = node->vector != NULL;
    node = node_map_elements(arena, node, from_pointer, strip);
    for (int k = 0; node && k < node->n_child; k++)
        child[k] = replaced(strip, node->child[k]);
    return node && node->n_child ? node_with_children(arena, node, child) : node;
}

/* The n nodes, of which the first `loops` are the strip, inside of its pointers. */
static const struct node *around(struct strip *strip, const struct node **node, int loops, int n)
{
    struct arena *arena = strip->facts->lowering->arena;
    const struct node *inside;

    for (int k = 0; k < loops; k++)
        node[k] = replaced(strip, node[k]);
    inside = node_block(arena, node, n);
    for (int k = strip->pointer.n - 1; k >= 0; k--)
        inside = rows_pointer(arena, strip->pointer.at[k].var, &strip->pointer.at[k].row, inside);
    return inside;
}

static const struct node *visit(const struct facts *facts, const struct node *node, void *user);

static void find_strip(struct strip *strip, const struct node *const *loop, int n)
{
    if (!strip_is(loop, n))
        return;
    for (int k = 0; k < n; k++)
        node_for_each(loop[k], note_variable, strip);
    find_pointers(strip, loop[0]);
}

/* Puts the new nodes for the n nodes into child and returns their number. A strip's pointers enclose all nodes behind
 * it; beside loops in threads there are none, as a region may take these in. */
static int visit_nodes(const struct facts *facts, const struct node *const *node, int n, bool beside_threads,
                       const struct node **child)
{
    struct strip strip = {.facts = facts};
    const int taken = facts->lowering->taken.used.n;

    if (n == 0)
        return 0;
    const int loops = strip_length(node, n);
    if (!beside_threads)
        find_strip(&strip, node, loops);
    for (int k = 0; k < loops; k++)
        child[k] = strip.pointer.n > 0           ? node[k]
                   : node[k]->kind == NODE_BLOCK ? visit(facts, node[k], NULL)
                                                 : descend(facts, node[k], visit, NULL);
    n = loops + visit_nodes(facts, node + loops, n - loops, beside_threads, child + loops);
    if (strip.pointer.n > 0) {
        child[0] = around(&strip, child, loops, n);
        n = 1;
    }
    facts->lowering->taken.used.n = taken;
    return n;
}

static const struct node *visit(const struct facts *facts, const struct node *node, void *user)
{
    struct arena *arena = facts->lowering->arena;
    const bool block = node->kind == NODE_BLOCK;
    const int n = block ? node->n_child : 1;
    const struct node **child = ARENA_ARRAY(arena, n + 1, const struct node *);
    struct node *copy;

    (void)user;
    if (!block) {
        visit_nodes(facts, &node, 1, strip_has_threads(node), child);
        return child[0];
    }
    copy = ARENA_NEW(arena, struct node);
    *copy = *node;
    copy->n_child = visit_nodes(facts, node->child, n, strip_has_threads(node), child);
    copy->child = child;
    return copy;
}

const struct node *lower_row_pointers(struct arena *arena, const struct program *program, struct vars *vars,
                                      const struct node *tree)
{
    struct lowering lowering = lower_again(arena, program, vars, NULL);
    struct facts facts;

    if (!simd_by_name(program->target.simd))
        return tree;
    lower_used_names(&lowering, tree, &lowering.taken);
    facts = facts_of_program(&lowering);
    return visit(&facts, tree, NULL);
}
