#include "lower/instr/tensor_copy.h"

#include "tree/visit.h"

static const struct tree_expr *without_casts(const struct tree_expr *expr)
{
    while (expr->kind == TREE_CAST)
        expr = expr->arg[0];
    return expr;
}

/* assign goes over another tile than the array's, or over columns first. */
static const struct node *refuse_place(struct tensors *tensors, const struct node *assign, const struct array *array)
{
    const char *holds = fragment_text(tensors->arena, array->fragment);

    if (array->fragment->use != fragment_use(tensors))
        return tensors_refuse(tensors, "fill tiles of factors by a `cache`, and use them in matrix instructions only",
                              "the tile of `%s` is one of sums, `%s` holds %s", assign->statement->label, array->name,
                              holds);
    return tensors_refuse(tensors, "go over rows and columns as the matrix instructions do",
                          "`%s` takes rows for columns of `%s`, which holds %s", assign->statement->label, array->name,
                          holds);
}

/* acc[..] = C[..], or the other way round */
static const struct node *move(struct tensors *tensors, const struct node *assign, bool stores, struct tensor *tensor)
{
    const enum fragment_use use = fragment_use(tensors);
    const struct element *from = &without_casts(assign->value)->element;
    const struct element *memory = stores ? &assign->target : from, *own = stores ? from : &assign->target;
    const struct array *array = own->array;

    if (!fragment_in_place(tensors, own))
        return refuse_place(tensors, assign, array);
    if (stores && use != FRAGMENT_SUMS)
        return tensors_refuse(tensors, NULL, "`%s` stores tiles of factors: there is no instruction for that",
                              assign->statement->label);
    tensor->kind = stores ? TENSOR_STORE : TENSOR_LOAD;
    if (memory->array->type != array->type)
        return tensors_refuse(tensors, "convert in \"shared\" memory: to tiles, and from them, there are only copies",
                              "`%s` makes %s of the %s of `%s`", assign->statement->label,
                              type_name(assign->target.array->type), type_name(from->array->type), from->array->name);
    if (!fragment_tile(tensors, memory, use, &tensor->tile[0]))
        return NULL;
    array->fragment->by_columns = tensor->tile[0].by_columns;
    return assign;
}

/* What is against computing an expression for each element of a fragment. */
struct reading {
    struct tensors *tensors;
    const struct array *target;
    const char *against, *hint;
    bool loads;
};

static void read_term(const struct tree_expr *expr, void *user)
{
    struct reading *reading = user;
    struct tensors *tensors = reading->tensors;
    const struct array *array = expr->kind == TREE_LOAD ? expr->element.array : NULL;
    bool uses = false;

    for (int k = 0; k < TENSOR_LOOPS; k++)
        uses |= tensors->site.var[k] && expr->kind == TREE_INDEX && affine_uses(expr->affine, tensors->site.var[k]);
    if (uses)
        reading->against = "its value depends on the row or column, and no thread knows those of its elements";
    if (!array)
        return;
    reading->loads = true;
    if (!array->fragment) {
        reading->against = arena_printf(tensors->arena, "`%s` is no tile in registers", array->name);
        reading->hint = arena_printf(tensors->arena,
                                     "cache `%s` with \"memory\": \"register\" there; a tile that "
                                     "repeats one row can be made in \"shared\" memory",
                                     array->name);
    } else if (array->type != reading->target->type) {
        reading->against = arena_printf(tensors->arena,
                                        "tiles of %s and of %s are dealt out to the threads in "
                                        "different ways",
                                        type_name(array->type), type_name(reading->target->type));
        reading->hint = "keep the sums in \"shared\" memory, and compute there";
    } else if (array->fragment->k != reading->target->fragment->k) {
        reading->against = arena_printf(tensors->arena, "`%s` is of another instruction's tiles", array->name);
    } else if (!fragment_in_place(tensors, &expr->element)) {
        reading->against = arena_printf(tensors->arena, "it reads `%s` at other places of the tile", array->name);
        reading->hint = "each thread has its own places; what moves between them goes through \"shared\" memory";
    }
}

/* Each element of a fragment by those of others at its place. */
static const struct node *map(struct tensors *tensors, const struct node *assign, struct tensor *tensor)
{
    struct reading reading = {.tensors = tensors, .target = assign->target.array};

    if (fragment_use(tensors) != FRAGMENT_SUMS)
        return tensors_refuse(tensors, NULL, "`%s` computes tiles of factors element by element: that is for sums",
                              assign->statement->label);
    if (assign->target.array->fragment && !fragment_in_place(tensors, &assign->target))
        return refuse_place(tensors, assign, assign->target.array);
    if (!assign->target.array->in_registers) {
        reading.against = arena_printf(tensors->arena, "`%s` is no tile in registers", assign->target.array->name);
        reading.hint =
            arena_printf(tensors->arena, "cache `%s` with \"memory\": \"register\" there", assign->target.array->name);
    } else if (assign->guard_value || assign->atomic) {
        reading.against = "it has a condition";
    } else {
        tree_expr_for_each(assign->value, read_term, &reading);
    }
    if (reading.against)
        return tensors_refuse(tensors, reading.hint, "`%s` cannot be computed on tiles in registers: %s",
                              assign->statement->label, reading.against);
    tensor->kind = reading.loads || assign->op != OP_NONE ? TENSOR_MAP : TENSOR_FILL;
    return assign;
}

const struct node *tensor_copy_or_map(struct tensors *tensors, const struct node *assign, struct tensor *tensor)
{
    const struct array *target = assign->target.array;
    const struct tree_expr *value = without_casts(assign->value);
    const struct array *source = value->kind == TREE_LOAD ? value->element.array : NULL;
    const struct fragment *fragment = target->fragment ? target->fragment : source ? source->fragment : NULL;
    const bool is_move = assign->op == OP_NONE && source && !target->fragment != !source->fragment &&
                         target->in_registers != source->in_registers;

    if (fragment) {
        tensor->m = fragment->m;
        tensor->n = fragment->n;
        tensor->k = fragment->k;
    }
    return is_move ? move(tensors, assign, !target->fragment, tensor) : map(tensors, assign, tensor);
}
