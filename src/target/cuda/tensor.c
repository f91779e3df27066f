/* Matrix instructions, as the functions of <mma.h>. */
#include "target/cuda/file.h"

#include "target/clike/body.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"

static const char *shape_text(struct emitter *emitter, const struct tensor *tensor)
{
    return arena_printf(emitter->arena, "%d, %d, %d", tensor->m, tensor->n, tensor->k);
}

/* "&A_tile[ii][kk], 40": where the tile starts, perhaps the fragment that goes there, how far apart rows are. */
static const char *place_text(struct emitter *emitter, const struct element *element, const char *fragment,
                              const struct tensor_tile *tile)
{
    enum precedence precedence;
    const char *first = element_text(emitter, element, &precedence);
    struct index_text distance = index_affine(emitter, tile->distance);
    const char *narrow = distance.text;

    if (distance.wide)
        narrow = arena_printf(emitter->arena, "(unsigned)%s",
                              parenthesised(emitter, distance.text, distance.precedence, PREC_UNARY));
    return arena_printf(emitter->arena, "&%s, %s%s%s", first, fragment ? fragment : "", fragment ? ", " : "", narrow);
}

static const struct element *factor(const struct node *node, int number)
{
    const struct tree_expr *expr = node->value->arg[node->tensor->swapped ? !number : number];

    while (expr->kind == TREE_CAST)
        expr = expr->arg[0];
    return &expr->element;
}

static void declare_factor(struct emitter *emitter, const struct node *node, int number, const char *name)
{
    const struct element *element = factor(node, number);

    write_linef(&emitter->writer, "wmma::fragment<wmma::matrix_%s, %s, %s, wmma::%s_major> %s;", number ? "b" : "a",
                shape_text(emitter, node->tensor), emitter_type(emitter, element->array->type),
                node->tensor->tile[number].by_columns ? "col" : "row", name);
}

static void print_product(struct emitter *emitter, const struct node *node, bool last)
{
    const int n_names = emitter->names.used.n;
    const char *name[2] = {names_unique(&emitter->names, "a"), names_unique(&emitter->names, "b")}, *sum;
    enum precedence precedence;

    emitter->names.used.n = n_names;
    if (!last)
        write_line(&emitter->writer, "{");
    emitter->writer.indent += !last;
    for (int k = 0; k < 2; k++)
        declare_factor(emitter, node, k, name[k]);
    for (int k = 0; k < 2; k++)
        write_linef(&emitter->writer, "wmma::load_matrix_sync(%s, %s);", name[k],
                    place_text(emitter, factor(node, k), NULL, &node->tensor->tile[k]));
    sum = element_text(emitter, &node->target, &precedence);
    write_linef(&emitter->writer, "wmma::mma_sync(%s, %s, %s, %s);", sum, name[0], name[1], sum);
    emitter->writer.indent -= !last;
    if (!last)
        write_line(&emitter->writer, "}");
}

void cuda_print_tensor(struct emitter *emitter, const struct node *node, bool last)
{
    const struct tensor *tensor = node->tensor;
    const bool stores = tensor->kind == TENSOR_STORE;
    enum precedence precedence;
    const char *fragment, *place, *layout;

    if (tensor->kind == TENSOR_MULTIPLY) {
        print_product(emitter, node, last);
        return;
    }
    layout = tensor->tile[0].by_columns ? "wmma::mem_col_major" : "wmma::mem_row_major";
    fragment = element_text(emitter, stores ? &node->value->element : &node->target, &precedence);
    place = place_text(emitter, stores ? &node->target : &node->value->element, stores ? fragment : NULL,
                       &tensor->tile[0]);
    if (stores)
        write_linef(&emitter->writer, "wmma::store_matrix_sync(%s, %s);", place, layout);
    else
        write_linef(&emitter->writer, "wmma::load_matrix_sync(%s, %s, %s);", fragment, place, layout);
}
