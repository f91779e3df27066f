#include "lower/prove/run_tiles.h"

#include "caps/simd.h"
#include "tree/visit.h"

/* The numbers of an instance: a single group has no loop. */
struct numbers {
    int64_t row, column, group, product;
};

static struct numbers numbers_of(const struct node *node, const int64_t *inner)
{
    struct numbers numbers = {.row = inner[0], .column = inner[1]};

    if (node->n_inner > 3)
        numbers.group = inner[2];
    if (node->n_inner > 2)
        numbers.product = inner[node->n_inner - 1];
    return numbers;
}

int tile_accesses(const struct node *node, const int64_t *inner, struct tile_access access[TILE_FACTORS])
{
    const struct matrix_tile *tile = node->tile;
    const struct numbers at = node->n_inner > 1 ? numbers_of(node, inner) : (struct numbers){0};
    const int64_t depth = tile->product ? tile->product->depth : 1;

    if (node->n_inner < 2 || tile->kind == TILE_ZERO)
        return 0;
    if (tile->kind == TILE_MULTIPLY) {
        access[0] = (struct tile_access){tile_factor(node, 0), &tile->factor[0], at.row, at.group * depth + at.product};
        access[1] =
            (struct tile_access){tile_factor(node, 1), &tile->factor[1], at.group, at.column * depth + at.product};
        return TILE_FACTORS;
    }
    access[0] =
        (struct tile_access){tile->kind == TILE_STORE ? &node->target : &tree_expr_same_bits(node->value)->element,
                             &tile->sums, at.row, at.column};
    return 1;
}
