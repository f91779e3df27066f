/* Files of which gcc 12 would distribute a loop wrongly (doc/COMPILERS.md, "distributed loops"): with three stores or
 * more in an iteration, memory of which gcc has to ask at run time whether it overlaps, and a dependence that it knows,
 * parts of the loop change places:
 *
 *     for (int64_t i = 0; i < n; i++) {
 *         a[i] = x[i];
 *         b[i] = c[i];                   what the next iteration but one reads here
 *         c[i + 2] = 2 * x[i];
 *     }
 *
 * in threads, where arguments are not `restrict`; or rows of one array whose distance is a parameter.
 */
#include "target/c/file.h"

#include "tree/layout.h"
#include "tree/pointers.h"
#include "tree/visit.h"

enum { STORES_LEAST = 3 };

/* What an iteration does to memory. */
struct touch {
    const struct element *element;
    const struct node *by;
    bool stores;
};

struct distribution {
    struct arena *arena;
    bool threads; /* the loop is in threads */
    VEC(struct touch) touch;
    int stores;
    const struct node *by; /* the node at hand */
};

static void note_touch(struct distribution *distribution, const struct element *element, bool stores)
{
    const struct array *array = element->array;

    if (array && array->n_dim > 0 && !array->in_registers && !array->in_tiles)
        VEC_PUSH(distribution->arena, &distribution->touch, ((struct touch){element, distribution->by, stores}));
}

static void note_load(const struct tree_expr *expr, void *user)
{
    if (expr->kind == TREE_LOAD)
        note_touch(user, &expr->element, false);
}

/* Notes what the node does, `times` times in an iteration. False: it has a loop that stays one, or is no plain code. */
static bool note_node(struct distribution *distribution, const struct node *node, int64_t times)
{
    int64_t iterations = 1;

    if (node->kind == NODE_TUPLE || node->tile ||
        (node->kind == NODE_LOOP && !c_is_unrolled(distribution->arena, node, &iterations)))
        return false;
    distribution->by = node;
    tree_expr_for_each(node->value, note_load, distribution);
    tree_expr_for_each(node->guard_value, note_load, distribution);
    if (node->kind == NODE_ASSIGN) {
        note_touch(distribution, &node->target, true);
        distribution->stores += times < STORES_LEAST ? (int)times : STORES_LEAST;
    }
    for (int k = 0; k < node->n_child; k++)
        if (!note_node(distribution, node->child[k], times * iterations))
            return false;
    return true;
}

/* The first dimension in which the subscripts differ; the number of dimensions: none. */
static int first_difference(const struct element *a, const struct element *b)
{
    int d = 0;

    while (d < a->array->n_dim && a->index[d] && b->index[d] && affine_equal(a->index[d], b->index[d]))
        d++;
    return d;
}

/* Does gcc know that the two meet in different iterations? */
static bool is_known(const struct touch *a, const struct touch *b)
{
    return a->element->array == b->element->array && a->by != b->by && !a->element->indirect && !b->element->indirect &&
           first_difference(a->element, b->element) == a->element->array->n_dim - 1;
}

/* Are distances in memory numbers? */
static bool has_literal_rows(const struct array *array)
{
    bool literal = !array->stride;

    for (int d = 1; d < array->n_dim && literal; d++)
        literal = array->shape[d]->kind == EXPR_INT;
    return literal;
}

/* Does it have to ask at run time whether they do? */
static bool is_asked(const struct distribution *distribution, const struct touch *a, const struct touch *b)
{
    const struct array *array = a->element->array, *other = b->element->array;

    if (array != other)
        return distribution->threads && array_is_argument(array) && array_is_argument(other);
    return (!has_literal_rows(array) && first_difference(a->element, b->element) < array->n_dim - 1) ||
           a->element->indirect || b->element->indirect;
}

static bool is_distributed(const struct node *loop, bool threads)
{
    struct distribution distribution = {.arena = arena_new(), .threads = threads};
    const bool innermost = note_node(&distribution, loop->child[0], 1) && distribution.stores >= STORES_LEAST;
    bool known = false, asked = false;

    for (int a = 0; a < distribution.touch.n && innermost; a++)
        for (int b = 0; b < a; b++) {
            const struct touch *one = &distribution.touch.at[a], *other = &distribution.touch.at[b];
            if (!one->stores && !other->stores)
                continue;
            known = known || is_known(one, other);
            asked = asked || is_asked(&distribution, one, other);
        }
    arena_free(distribution.arena);
    return known && asked;
}

static bool walk(const struct node *node, bool threads)
{
    bool found = node->kind == NODE_LOOP && !node->simd && is_distributed(node, threads);

    threads = threads || node->threads;
    for (int k = 0; k < node->n_child && !found; k++)
        found = walk(node->child[k], threads);
    return found;
}

bool c_is_distributed(const struct c_file *file)
{
    struct arena *arena = arena_new();
    const bool found = walk(node_without_pointers(arena, file->unit->tree), false);

    arena_free(arena);
    return found;
}
