/* Files whose vectors gcc 12's predictive commoning would get wrong (doc/COMPILERS.md, "predictive commoning"). In an
 * innermost loop it keeps in a register what an iteration before has stored, and treats partly overlapping vectors as
 * disjoint:
 *
 *     for (int i = 0; i < 9; i++) {
 *         v4 q = load(&s[i]);
 *         store(&s[i], q + load(&x[4 * i]));      the next iteration loads three of these four
 *     }
 *
 * That takes an array to which a loop stores, and vectors of it whose distance, in the dimension that they go along,
 * is no multiple of their length: in one iteration, or from one to another. Of nested loops all count, not only the
 * innermost: compilers that know how many iterations there are may unroll the others.
 */
#include "target/c/file.h"

#include "tree/pointers.h"
#include "tree/visit.h"

/* What a loop does to memory. */
struct touch {
    const struct element *element;
    int64_t width; /* elements at once */
    bool stores;
    const struct node *const *around; /* the loops and values that it is in, outermost first, n_around of them */
    int n_around;
};

struct overlap {
    struct arena *arena;
    VEC(struct touch) touch;
    VEC(const struct node *) binds; /* the loops and values around */
    int loops;                      /* how many of them are loops */
    int64_t lanes;                  /* of the node at hand */
    bool found;
};

static bool is_memory(const struct element *element)
{
    return element->array && element->array->n_dim > 0 && !element->array->in_registers && !element->array->in_tiles;
}

static void note_touch(struct overlap *overlap, const struct element *element, int64_t width, bool stores)
{
    const int n = overlap->binds.n;
    const struct node **around;

    if (!is_memory(element))
        return;
    around = ARENA_ARRAY(overlap->arena, n + 1, const struct node *);
    for (int k = 0; k < n; k++)
        around[k] = overlap->binds.at[k];
    VEC_PUSH(overlap->arena, &overlap->touch, ((struct touch){element, width, stores, around, n}));
}

static void note_load(const struct tree_expr *expr, void *user)
{
    struct overlap *overlap = user;
    const int64_t width = expr->element.lane_step ? overlap->lanes : 1;

    if (expr->kind == TREE_LOAD)
        note_touch(overlap, &expr->element, expr->integer > 1 ? expr->integer * width : width, false);
}

static void note_own(struct overlap *overlap, const struct node *node)
{
    const int64_t copied = node->neighbours > 1 ? node->neighbours : 1;

    overlap->lanes = (node->vector ? node->vector->lanes : 1) * copied;
    tree_expr_for_each(node->guard_value, note_load, overlap);
    tree_expr_for_each(node->value, note_load, overlap);
    if (node->vector)
        tree_expr_for_each(node->vector->active, note_load, overlap);
    if (node->kind != NODE_ASSIGN || node_writes_vector(node))
        return;
    note_touch(overlap, &node->target, overlap->lanes, true);
    if (node->op != OP_NONE)
        note_touch(overlap, &node->target, overlap->lanes, false);
}

/* The dimension that the vector goes along, or -1. */
static int along(const struct touch *touch)
{
    const struct element *element = touch->element;
    int found = -1;

    if (element->lane_step != 1 || element->indirect || element->parts || !element->lane_factor || element->base)
        return -1;
    for (int k = 0; k < element->array->n_dim; k++)
        if (element->lane_factor[k] != 0) {
            if (found >= 0 || element->lane_factor[k] != 1)
                return -1;
            found = k;
        }
    return found;
}

/* The first subscript of the dimension that touch goes along, in the first iteration of the loops around. NULL: in
 * later ones it is not larger by multiples of its width. */
static const struct affine *first_subscript(struct arena *arena, const struct touch *touch)
{
    const int dim = along(touch);
    const struct affine *a = dim < 0 ? NULL : touch->element->index[dim];

    for (int k = touch->n_around - 1; k >= 0 && a; k--) {
        const struct node *binds = touch->around[k];
        int64_t factor;
        if (binds->kind == NODE_TUPLE)
            return NULL;
        if (binds->kind == NODE_LOOP &&
            (!affine_linear_factor(arena, a, binds->var, &factor) || factor * binds->step % touch->width != 0))
            return NULL;
        a = affine_substitute(arena, a, binds->var, binds->lower);
    }
    return a;
}

/* Of two vectors, in any iterations: is each the same as the other, or apart from it? */
static bool side_by_side(struct arena *arena, const struct touch *a, const struct touch *b)
{
    const struct affine *first = first_subscript(arena, a), *other = first_subscript(arena, b);
    const struct affine *distance = first && other ? affine_sub(arena, first, other) : NULL;
    int64_t number;

    return distance && affine_is_constant(distance, &number) && number % a->width == 0 && a->width == b->width &&
           a->element->array == b->element->array && along(a) == along(b);
}

static const struct array *memory_of(const struct array *array)
{
    while (array->view_of)
        array = array->view_of;
    return array;
}

static bool may_meet(const struct touch *a, const struct touch *b)
{
    return memory_of(a->element->array) == memory_of(b->element->array) && (a->stores || b->stores) &&
           (a->width > 1 || b->width > 1);
}

/* May two that were noted overlap in part? */
static bool has_overlap(const struct overlap *overlap)
{
    for (int a = 0; a < overlap->touch.n; a++)
        for (int b = a; b < overlap->touch.n; b++)
            if (may_meet(&overlap->touch.at[a], &overlap->touch.at[b]) &&
                !side_by_side(overlap->arena, &overlap->touch.at[a], &overlap->touch.at[b]))
                return true;
    return false;
}

static void walk(struct overlap *overlap, const struct node *node)
{
    const bool loop = node->kind == NODE_LOOP || node->kind == NODE_TUPLE;
    const bool outermost = loop && overlap->loops == 0;

    overlap->touch.n = outermost ? 0 : overlap->touch.n;
    overlap->loops += loop;
    if (loop || node->kind == NODE_VALUE)
        VEC_PUSH(overlap->arena, &overlap->binds, node);
    note_own(overlap, node);
    for (int k = 0; k < node->n_child; k++)
        walk(overlap, node->child[k]);
    overlap->binds.n -= loop || node->kind == NODE_VALUE;
    overlap->loops -= loop;
    overlap->found |= outermost && has_overlap(overlap);
}

bool c_has_overlap(const struct c_file *file)
{
    struct overlap overlap = {.arena = arena_new()};

    walk(&overlap, node_without_pointers(overlap.arena, file->unit->tree));
    const bool found = overlap.found;
    arena_free(overlap.arena);
    return found;
}
