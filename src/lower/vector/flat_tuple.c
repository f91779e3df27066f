#include "lower/vector/flat_tuple.h"

#include "tree/layout.h"
#include "tree/visit.h"

#include <string.h>

struct flattening {
    struct lowering *lowering;
    const struct node *tuple;
    const struct array *apart; /* the first array that has not all of them side by side; NULL: none */
};

static bool uses_part(const struct flattening *flattening, const struct affine *a)
{
    for (int k = 0; k < flattening->tuple->n_part; k++)
        if (affine_uses(a, flattening->tuple->part[k].var))
            return true;
    return false;
}

/* Is it there as declared, without gaps? */
static bool is_dense(const struct array *array)
{
    return !array->stride && !array->digit && !array->stored_dim && array->pad == 0 && !array->in_registers &&
           !array->fragment && !array->in_tiles;
}

/* The extent of the dimension number k from the slowest on. */
static const struct affine *extent_of(const struct flattening *flattening, const struct array *array, int k)
{
    const struct lowering *lowering = flattening->lowering;
    const struct scope parameters = {lowering->program, lowering->param_var, NULL};
    const struct affine *extent = NULL;

    return affine_from_expr(lowering->arena, &parameters, array->shape[array_dense_dimension(array, k)], &extent)
               ? extent
               : NULL;
}

/* What the subscript number k from the slowest on has beside part q's variable; NULL where it is no such sum. */
static const struct affine *beside(const struct flattening *flattening, const struct element *element, int k, int q)
{
    struct arena *arena = flattening->lowering->arena;
    const struct affine *index = element->index[array_dense_dimension(element->array, k)];
    const struct affine *rest =
        index ? affine_sub(arena, index, affine_var(arena, flattening->tuple->part[q].var)) : NULL;

    return rest && !uses_part(flattening, rest) ? rest : NULL;
}

/* Do the subscripts from number k on go through the tuple's positions one by one? */
static bool goes_along(const struct flattening *flattening, const struct element *element, int k)
{
    const struct node *tuple = flattening->tuple;

    for (int q = 0; q < tuple->n_part; q++) {
        const struct affine *extent = q > 0 ? extent_of(flattening, element->array, k + q) : NULL;
        if (!beside(flattening, element, k + q, q) ||
            (q > 0 && (!extent || !affine_equal(extent, tuple->part[q].extent))))
            return false;
    }
    return true;
}

/* The first subscript, from the slowest dimension on, that uses the tuple; n_dim: none does. */
static int first_used(const struct flattening *flattening, const struct element *element)
{
    const int n = element->array->n_dim;
    int k = 0;

    while (k < n) {
        const struct affine *index = element->index[array_dense_dimension(element->array, k)];
        if (!index || uses_part(flattening, index))
            break;
        k++;
    }
    return k;
}

static struct element flatten(struct arena *arena, const struct element *element, void *user)
{
    struct flattening *flattening = user;
    const struct node *tuple = flattening->tuple;
    const struct array *array = element->array;
    const int first = first_used(flattening, element), last = first + tuple->n_part - 1;
    const struct affine **index = ARENA_ARRAY(arena, array->n_dim + 1, const struct affine *);
    struct element flat = *element;

    if (first == array->n_dim)
        return flat;
    if (!is_dense(array) || last >= array->n_dim || !goes_along(flattening, element, first)) {
        flattening->apart = flattening->apart ? flattening->apart : array;
        return flat;
    }
    memcpy(index, element->index, (size_t)array->n_dim * sizeof(*index));
    for (int k = first; k <= last; k++)
        index[array_dense_dimension(array, k)] = beside(flattening, element, k, k - first);
    index[array_dense_dimension(array, last)] =
        affine_add(arena, index[array_dense_dimension(array, last)], affine_var(arena, tuple->var));
    flat.index = index;
    return flat;
}

static const struct node *flat_body(struct flattening *flattening, const struct node *node)
{
    struct arena *arena = flattening->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    node = node_map_elements(arena, node, flatten, flattening);
    for (int k = 0; k < node->n_child; k++)
        child[k] = flat_body(flattening, node->child[k]);
    return node_with_children(arena, node, child);
}

/* The body with each part's variable counted from 0 instead of its first value. */
static const struct node *from_zero(struct arena *arena, const struct node *tuple)
{
    const struct node *body = tuple->child[0];

    for (int k = 0; k < tuple->n_part && body; k++)
        body = node_substitute(arena, body, tuple->part[k].var,
                               affine_add(arena, affine_var(arena, tuple->part[k].var), tuple->part[k].first));
    return body;
}

static const struct tree_expr *index_expr(struct arena *arena, const struct affine *affine)
{
    struct tree_expr *index = tree_expr_new(arena, TREE_INDEX, TYPE_I64);

    index->affine = affine;
    return index;
}

/* M * N */
static const struct tree_expr *number_of(struct arena *arena, const struct node *tuple)
{
    const struct tree_expr *product = index_expr(arena, tuple->part[0].extent);

    for (int k = 1; k < tuple->n_part; k++)
        product = tree_expr_binary(arena, OP_MUL, TYPE_I64, product, index_expr(arena, tuple->part[k].extent));
    return product;
}

/* The loop over number positions, as what the tuple is. */
static const struct node *flat_loop(struct arena *arena, const struct node *tuple, const struct var *number,
                                    const struct node *body)
{
    struct node *loop = ARENA_NEW(arena, struct node);

    *loop = *tuple;
    loop->kind = NODE_LOOP;
    loop->lower = affine_constant(arena, 0);
    loop->upper = affine_add_constant(arena, affine_var(arena, number), -1);
    loop->step = 1;
    loop->part = NULL;
    loop->n_part = 0;
    return node_with_body(arena, loop, body);
}

const struct node *flat_tuple(struct lowering *lowering, const struct node *tuple, const char **obstacle)
{
    struct arena *arena = lowering->arena;
    struct flattening flattening = {lowering, tuple, NULL};
    const struct node *body = from_zero(arena, tuple);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct node *let = ARENA_NEW(arena, struct node);

    body = body ? flat_body(&flattening, body) : NULL;
    *obstacle = flattening.apart ? arena_printf(arena, "the elements of `%s` do not lie side by side along it",
                                                flattening.apart->name)
                                 : "its iterations depend on where they are in the collapsed loops";
    for (int k = 0; k < tuple->n_part && body; k++)
        if (node_uses(body, tuple->part[k].var))
            return NULL;
    body = body ? node_untold(arena, body) : NULL;
    *let = (struct node){.kind = NODE_LET, .child = child, .n_child = 1, .value = number_of(arena, tuple)};
    let->var = lower_new_var(lowering, VAR_VALUE,
                             names_unique(&lowering->taken, arena_printf(arena, "%s_n", tuple->var->name)));
    child[0] = body ? flat_loop(arena, tuple, let->var, body) : NULL;
    return body ? let : NULL;
}
