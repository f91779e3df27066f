#include "target/clike/nodes/tuple.h"

struct index_text tuple_size(struct emitter *emitter, const struct node *tuple, int from)
{
    struct index_text product = index_affine(emitter, tuple->part[from].extent);

    for (int k = from + 1; k < tuple->n_part; k++)
        product = index_product(emitter, product, index_affine(emitter, tuple->part[k].extent));
    return product;
}

const char *tuple_coordinate(struct emitter *emitter, const struct node *tuple, int k)
{
    const struct part *part = &tuple->part[k];
    const char *text = index_name(emitter, tuple->var);

    if (k + 1 < tuple->n_part) {
        const struct index_text below = tuple_size(emitter, tuple, k + 1);
        text = arena_printf(emitter->arena, "%s / %s", text,
                            parenthesised(emitter, below.text, below.precedence, PREC_UNARY));
    }
    if (k > 0) {
        const struct index_text extent = index_affine(emitter, part->extent);
        text = arena_printf(emitter->arena, "%s %% %s", text,
                            parenthesised(emitter, extent.text, extent.precedence, PREC_UNARY));
    }
    if (affine_is_constant(part->first, NULL) && part->first->constant == 0)
        return text;
    return index_sum(emitter, (struct index_text){.text = text, .precedence = PREC_PRODUCT, .wide = true}, part->first)
        .text;
}
