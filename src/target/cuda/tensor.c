/* Matrix instructions, as the functions of <mma.h>. */
#include "target/cuda/tensor.h"

#include "target/clike/body.h"
#include "target/clike/declare.h"
#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "tree/visit.h"

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

static const struct tree_expr *without_casts(const struct tree_expr *expr)
{
    while (expr->kind == TREE_CAST)
        expr = expr->arg[0];
    return expr;
}

static const struct element *factor(const struct node *node, int number)
{
    const struct tree_expr *product = node_added(node);

    return &without_casts(product->arg[node->tensor->swapped ? !number : number])->element;
}

/* A name for a variable of the block that is printed next. */
static const char *block_name(struct emitter *emitter, const char *wanted)
{
    const int n_names = emitter->names.used.n;
    const char *name = names_unique(&emitter->names, wanted);

    emitter->names.used.n = n_names;
    return name;
}

/* "for (int e = 0; e < a.num_elements; e++)" and, further in, the text. */
static void print_each(struct emitter *emitter, const char *fragment, const char *e, const char *text)
{
    write_linef(&emitter->writer, "for (int %s = 0; %s < %s.num_elements; %s++)", e, e, fragment, e);
    emitter->writer.indent++;
    write_line(&emitter->writer, text);
    emitter->writer.indent--;
}

/* Factors of f32 are rounded as the instruction wants them. */
static void print_rounding(struct emitter *emitter, const char *fragment)
{
    const char *e = block_name(emitter, "e");
    const char *element = arena_printf(emitter->arena, "%s.x[%s]", fragment, e);

    print_each(emitter, fragment, e, arena_printf(emitter->arena, "%s = wmma::__float_to_tf32(%s);", element, element));
}

static void declare_factor(struct emitter *emitter, const struct node *node, int number, const char *name)
{
    const struct tensor *tensor = node->tensor;
    const struct fragment fragment = {.use = number ? FRAGMENT_COLUMNS : FRAGMENT_ROWS,
                                      .m = tensor->m,
                                      .n = tensor->n,
                                      .k = tensor->k,
                                      .by_columns = tensor->tile[number].by_columns};

    write_linef(&emitter->writer, "%s %s;", declare_fragment(emitter, &fragment, factor(node, number)->array->type),
                name);
}

/* The factors that are in memory, in fragments of the block. */
static void load_factors(struct emitter *emitter, const struct node *node, const char *const name[2])
{
    for (int k = 0; k < 2; k++)
        if (!factor(node, k)->array->fragment)
            declare_factor(emitter, node, k, name[k]);
    for (int k = 0; k < 2; k++) {
        if (factor(node, k)->array->fragment)
            continue;
        write_linef(&emitter->writer, "wmma::load_matrix_sync(%s, %s);", name[k],
                    place_text(emitter, factor(node, k), NULL, &node->tensor->tile[k]));
        if (factor(node, k)->array->type == TYPE_F32)
            print_rounding(emitter, name[k]);
    }
}

static void print_product(struct emitter *emitter, const struct node *node, bool last)
{
    static const char *const names[] = {"a", "b"};
    const int n_names = emitter->names.used.n;
    const char *name[2], *sum;
    enum precedence precedence;
    bool loads = false;

    for (int k = 0; k < 2; k++) {
        const struct element *element = factor(node, k);
        loads |= !element->array->fragment;
        name[k] = element->array->fragment ? element_text(emitter, element, &precedence)
                                           : names_unique(&emitter->names, names[k]);
    }
    if (!last && loads)
        write_line(&emitter->writer, "{");
    emitter->writer.indent += !last && loads;
    load_factors(emitter, node, name);
    sum = element_text(emitter, &node->target, &precedence);
    write_linef(&emitter->writer, "wmma::mma_sync(%s, %s, %s, %s);", sum, name[0], name[1], sum);
    emitter->writer.indent -= !last && loads;
    if (!last && loads)
        write_line(&emitter->writer, "}");
    emitter->names.used.n = n_names;
}

/* Each thread computes its elements of a fragment, wherever they are in the tile. */
static void print_map(struct emitter *emitter, const struct node *node)
{
    enum precedence precedence;
    const char *fragment = element_text(emitter, &node->target, &precedence), *e = block_name(emitter, "e");

    emitter->of_fragment = arena_printf(emitter->arena, ".x[%s]", e);
    print_each(emitter, fragment, e, assignment_text(emitter, node));
    emitter->of_fragment = NULL;
}

static void print_fill(struct emitter *emitter, const struct node *node)
{
    enum precedence precedence;
    const char *fragment = element_text(emitter, &node->target, &precedence);

    write_linef(&emitter->writer, "wmma::fill_fragment(%s, %s);", fragment, expr_exact(emitter, node->value).text);
}

static void print_load(struct emitter *emitter, const struct node *node)
{
    const struct array *array = node->target.array;
    enum precedence precedence;
    const char *fragment = element_text(emitter, &node->target, &precedence);
    const char *place = place_text(emitter, &node->value->element, NULL, &node->tensor->tile[0]);
    const bool sums = array->fragment->use == FRAGMENT_SUMS;

    write_linef(&emitter->writer, "wmma::load_matrix_sync(%s, %s%s);", fragment, place,
                !sums                              ? ""
                : node->tensor->tile[0].by_columns ? ", wmma::mem_col_major"
                                                   : ", wmma::mem_row_major");
    if (!sums && array->type == TYPE_F32)
        print_rounding(emitter, fragment);
}

static void print_store(struct emitter *emitter, const struct node *node)
{
    const struct tensor_tile *tile = &node->tensor->tile[0];
    enum precedence precedence;
    const char *fragment = element_text(emitter, &node->value->element, &precedence);

    write_linef(&emitter->writer, "wmma::store_matrix_sync(%s, wmma::mem_%s_major);",
                place_text(emitter, &node->target, fragment, tile), tile->by_columns ? "col" : "row");
}

void cuda_print_tensor(struct emitter *emitter, const struct node *node, bool last)
{
    switch (node->tensor->kind) {
    case TENSOR_MULTIPLY:
        print_product(emitter, node, last);
        return;
    case TENSOR_LOAD:
        print_load(emitter, node);
        return;
    case TENSOR_STORE:
        print_store(emitter, node);
        return;
    case TENSOR_FILL:
        print_fill(emitter, node);
        return;
    case TENSOR_MAP:
        print_map(emitter, node);
        return;
    }
}
