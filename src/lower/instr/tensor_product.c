#include "lower/instr/tensor_product.h"

#include "caps/gpu.h"
#include "program/permit.h"
#include "tree/visit.h"

#include <inttypes.h>

/* "C[i, j] += f32(A[i, k]) * f32(B[k, j])" of the right types, or what is different about it. */
static const char *difference(const struct node *assign)
{
    const struct tree_expr *value = node_added(assign);
    const enum type sum = assign->target.array->type;
    const char *why = tile_difference(assign, value && (type_holds(sum, value->type) || sum == TYPE_F16));

    if (!why && tree_expr_unwidened(value->arg[0])->type != tree_expr_unwidened(value->arg[1])->type)
        return "the factors have different types";
    return why;
}

static bool is_permitted(struct tensors *tensors, const struct node *assign, enum type factor)
{
    const enum type sum = assign->target.array->type;
    const unsigned needed = sum == TYPE_F64      ? PERMIT_REASSOCIATE | PERMIT_CONTRACT
                            : type_is_float(sum) ? PERMIT_REASSOCIATE | PERMIT_APPROXIMATE
                                                 : 0;

    if ((statement_permit(tensors->site.program, assign->statement) & needed) == needed)
        return true;
    tensors_refuse(tensors, NULL, "%s: \"permit\": [\"reassociate\", \"%s\"] allows it",
                   factor == TYPE_F32 ? "factors of f32 are rounded to the 11 bits of tf32, and sums in another way"
                                      : "sums of a matrix instruction are rounded in another way",
                   sum == TYPE_F64 ? "contract" : "approximate");
    return false;
}

/* Is there an instruction for such tiles? */
static bool check_shape(struct tensors *tensors, enum type factor, enum type sum)
{
    const struct gpu *gpu = tensors->gpu;
    const struct gpu_arch *arch = gpu_arch_by_name(gpu, tensors->site.program->target.arch);
    const struct gpu_arch *since = gpu_matrix_since(gpu, factor, sum, tensors->size);
    const char *others = gpu_matrix_sizes(gpu, tensors->arena, factor, sum), *hint;
    const char *tiles =
        arena_printf(tensors->arena, "tiles of %" PRId64 " x %" PRId64 " x %" PRId64 " of %s with sums of %s",
                     tensors->size[0], tensors->size[1], tensors->size[2], type_name(factor), type_name(sum));

    if (since && since->version <= arch->version)
        return true;
    hint = since    ? arena_printf(tensors->arena, "\"arch\": \"%s\" and later ones have it", since->name)
           : others ? arena_printf(tensors->arena, "of these types there are %s", others)
                    : NULL;
    if (since)
        tensors_refuse(tensors, hint, "%s has no instruction for %s", arch->name, tiles);
    else
        tensors_refuse(tensors, hint, "there is no instruction for %s", tiles);
    return false;
}

/* One of the factors: in fragments, or in memory. */
static bool take_factor(struct tensors *tensors, const struct element *factor, enum fragment_use use,
                        struct tensor_tile *tile)
{
    const struct fragment wanted = fragment_wanted(tensors, use);

    if (factor->array->in_registers)
        return fragment_make(tensors, factor, &wanted);
    return fragment_tile(tensors, factor, use, tile);
}

const struct node *tensor_product(struct tensors *tensors, const struct node *assign, struct tensor *tensor)
{
    const struct fragment sums = fragment_wanted(tensors, FRAGMENT_SUMS);
    const char *why = difference(assign);
    const struct element *factor[2];
    enum type type;

    if (why)
        return tensors_refuse(tensors, NULL, "the instruction computes C[i, j] += A[i, k] * B[k, j]; of `%s`, %s",
                              assign->statement->label, why);
    for (int k = 0; k < 2; k++)
        factor[k] = &tree_expr_unwidened(node_added(assign)->arg[k])->element;
    type = factor[0]->array->type;
    tensor->swapped = tile_dimension(tensors->arena, factor[0], tensors->site.var[0]) < 0;
    if (!check_shape(tensors, type, assign->target.array->type) || !is_permitted(tensors, assign, type))
        return NULL;
    if (!assign->target.array->in_registers)
        return tensors_refuse(tensors, "cache it with \"memory\": \"register\" at the loop of the sum",
                              "the sums in `%s` are not in registers", assign->target.array->name);
    if (!take_factor(tensors, factor[tensor->swapped], FRAGMENT_ROWS, &tensor->tile[0]) ||
        !take_factor(tensors, factor[!tensor->swapped], FRAGMENT_COLUMNS, &tensor->tile[1]) ||
        !fragment_make(tensors, &assign->target, &sums))
        return NULL;
    tensor->kind = TENSOR_MULTIPLY;
    return assign;
}
