/* Matrix instructions: their operands are tiles of the shapes and types that they compute with. */
#include "tree/verifier.h"

#include "caps/simd.h"
#include "program/program.h"
#include "tree/visit.h"

static void expect(struct verifier *verifier, bool holds, const char *violation)
{
    if (!holds)
        verifier_note(verifier, violation, NULL);
}

static const struct tree_expr *without_casts(const struct tree_expr *expr)
{
    while (expr->kind == TREE_CAST)
        expr = expr->arg[0];
    return expr;
}

/* The array that value loads an element of; NULL: it loads none. */
static const struct array *loaded(const struct tree_expr *value)
{
    value = without_casts(value);
    return value->kind == TREE_LOAD ? value->element.array : NULL;
}

/* Does the array hold tiles of the tensor for this use? */
static bool has_tiles(const struct array *array, const struct tensor *tensor, enum fragment_use use)
{
    const struct fragment *fragment = array->fragment;

    return fragment && fragment->use == use && fragment->m == tensor->m && fragment->n == tensor->n &&
           fragment->k == tensor->k;
}

/* The factor with the rows, 0, or with the columns, 1: in fragments, or in memory with a distance. */
static bool is_factor(const struct node *assign, const struct tree_expr *product, int factor)
{
    const struct tensor *tensor = assign->tensor;
    const struct array *array = loaded(product->arg[factor == 0 ? tensor->swapped : !tensor->swapped]);

    if (!array)
        return false;
    if (!array->fragment)
        return tensor->tile[factor].distance != NULL;
    return has_tiles(array, tensor, factor == 0 ? FRAGMENT_ROWS : FRAGMENT_COLUMNS);
}

static void check_product(struct verifier *verifier, const struct node *assign)
{
    const struct tree_expr *product = node_added(assign);

    expect(verifier, has_tiles(assign->target.array, assign->tensor, FRAGMENT_SUMS),
           "a matrix instruction sums up in what are not its tiles");
    if (!product || product->n_arg != 2)
        expect(verifier, false, "a matrix instruction adds what is no product");
    else
        expect(verifier, is_factor(assign, product, 0) && is_factor(assign, product, 1),
               "a factor of a matrix instruction is no tile of its shape");
}

/* LOAD: to fragments from memory; STORE: the other way. */
static void check_move(struct verifier *verifier, const struct node *assign)
{
    const struct array *value = loaded(assign->value), *target = assign->target.array;
    const bool loads = assign->tensor->kind == TENSOR_LOAD;
    const struct array *in_fragments = loads ? target : value, *in_memory = loads ? value : target;

    expect(verifier,
           in_fragments && in_memory && in_fragments->fragment && !in_memory->fragment &&
               has_tiles(in_fragments, assign->tensor, in_fragments->fragment->use) && assign->tensor->tile[0].distance,
           "a tile is not moved between memory and fragments of its shape");
}

static void check_tensor(struct verifier *verifier, const struct node *assign)
{
    expect(verifier, verifier->kernel, "a matrix instruction is outside of a kernel");
    if (assign->tensor->kind == TENSOR_MULTIPLY)
        check_product(verifier, assign);
    else if (assign->tensor->kind == TENSOR_LOAD || assign->tensor->kind == TENSOR_STORE)
        check_move(verifier, assign);
    else
        expect(verifier, assign->target.array->fragment, "the elements of a tile are computed in what holds none");
}

static bool is_register(const struct verifier *verifier, const struct tile_place *place)
{
    const int n = verifier->shape ? verifier->shape->n : TILE_REGISTERS;

    return place->number >= 0 && place->number < n;
}

enum { TILE_WORD = 4 }; /* bytes of a sum, and of a group of products */

/* A register for tiles of so many rows and words. */
static void check_register(struct verifier *verifier, const struct tile_place *place, int rows, int words)
{
    const struct tile_shape *shape = verifier->shape;

    expect(verifier, is_register(verifier, place), "there are not so many registers for tiles");
    if (shape && is_register(verifier, place))
        expect(verifier, shape->rows[place->number] == rows && shape->bytes[place->number] == TILE_WORD * words,
               "a register for tiles has another shape than its tile");
}

static void check_tile(struct verifier *verifier, const struct node *assign)
{
    const struct matrix_tile *tile = assign->tile;
    const bool multiplies = tile->kind == TILE_MULTIPLY;

    expect(verifier, verifier->shape || !(verifier->facts & FACT_TILE_SHAPES), "registers for tiles have no shape");
    check_register(verifier, &tile->sums, tile->rows, tile->columns);
    if (!multiplies)
        return;
    check_register(verifier, &tile->factor[0], tile->rows, tile->groups);
    check_register(verifier, &tile->factor[1], tile->groups, tile->columns);
    if (!tile->product || !node_added(assign) || node_added(assign)->n_arg != 2)
        expect(verifier, false, "tiles are multiplied by no instruction");
    else
        expect(verifier,
               assign->target.array->type == tile->product->sum &&
                   tile_factor(assign, 0)->array->type == tile->product->rows &&
                   tile_factor(assign, 1)->array->type == tile->product->columns,
               "tiles are multiplied by an instruction of other types");
}

void verify_tiles(struct verifier *verifier, const struct node *node)
{
    if (node->kind == NODE_ASSIGN && node->tensor)
        check_tensor(verifier, node);
    if (node->kind == NODE_ASSIGN && node->tile)
        check_tile(verifier, node);
}
