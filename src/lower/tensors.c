#include "lower/tensors.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "tree/layout.h"
#include "tree/visit.h"

#include <isl/val.h>

#include <inttypes.h>

enum { POINTER_BYTES = 32, ROW_BYTES = 16 }; /* what addresses and distances of rows are multiples of */

/* A variable and what its values are multiples of. */
struct multiple {
    const struct var *var;
    int64_t of;
};

struct tensors {
    struct arena *arena;
    const struct program *program;
    const struct var *const *param_var;
    const struct gpu *gpu;
    struct diags *diags;
    VEC(struct multiple) around;
    const struct var *var[3]; /* of the loops of the tile at hand: rows, columns, sum; NULL: there is none */
    int64_t size[3];
    const struct step *step;
    bool refused;
};

static const struct node *refuse(struct tensors *tensors, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static const struct node *refuse(struct tensors *tensors, const char *hint, const char *format, ...)
{
    struct diag *diag;
    va_list args;

    if (tensors->refused)
        return NULL;
    va_start(args, format);
    diag = diag_error(tensors->diags, "tensorize", tensors->step->place, "%s",
                      arena_vprintf(tensors->arena, format, args));
    va_end(args);
    if (hint)
        diag_hint(tensors->diags, diag, "%s", hint);
    tensors->refused = true;
    return NULL;
}

/* Is the parameter a multiple of factor? */
static bool divides(const struct tensors *tensors, int param, int64_t factor)
{
    const struct program *program = tensors->program;
    isl_space *space = isl_set_get_space(program->context);
    isl_aff *aff = isl_aff_zero_on_domain(isl_local_space_from_space(space));
    isl_set *others;
    bool always;

    aff = isl_aff_set_coefficient_si(aff, isl_dim_param, param, 1);
    aff = isl_aff_mod_val(aff, isl_val_int_from_si(program->ctx, factor));
    others = isl_pw_aff_non_zero_set(isl_pw_aff_from_aff(aff));
    others = isl_set_intersect(others, isl_set_copy(program->context));
    always = isl_set_is_empty(others) == isl_bool_true;
    isl_set_free(others);
    return always;
}

static int64_t multiple_of_var(const struct tensors *tensors, const struct var *var)
{
    for (int k = 0; k < tensors->around.n; k++)
        if (tensors->around.at[k].var == var)
            return tensors->around.at[k].of;
    for (int64_t factor = POINTER_BYTES; var->kind == VAR_PARAM && factor > 1; factor /= 2)
        if (divides(tensors, var->id, factor))
            return factor;
    return 1;
}

/* What all values of a are multiples of; 0: it is 0. */
static int64_t multiple_of(const struct tensors *tensors, const struct affine *a)
{
    int64_t divisor = common_divisor(0, a->constant);

    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const int64_t of = atom->kind == ATOM_VAR ? multiple_of_var(tensors, atom->var) : 1;
        divisor = common_divisor(divisor, a->term[k].factor * of);
    }
    return divisor;
}

static const struct affine *extent_of(const struct tensors *tensors, const struct array *array, int dim)
{
    const struct scope scope = {tensors->program, tensors->param_var, NULL};
    const struct affine *extent = NULL;

    return affine_from_expr(tensors->arena, &scope, array->shape[dim], &extent) ? extent : NULL;
}

/* The product of two extents of which one is constant; NULL: neither is. */
static const struct affine *product(struct arena *arena, const struct affine *a, const struct affine *b)
{
    int64_t factor;

    if (a && b && affine_is_constant(b, &factor))
        return affine_scale(arena, a, factor);
    return a && b && affine_is_constant(a, &factor) ? affine_scale(arena, b, factor) : NULL;
}

/* The only dimension of element whose subscript moves with var, by one; -1: it is not like that. */
static int dimension_of(const struct element *element, const struct var *var)
{
    int found = -1;

    for (int k = 0; k < element->array->n_dim; k++) {
        if (!element->index[k] || !affine_uses(element->index[k], var))
            continue;
        if (found >= 0 || affine_factor(element->index[k], var) != 1)
            return -1;
        found = k;
    }
    return found;
}

/* Elements from dimension dim's one step to the next; NULL: not known as one expression. */
static const struct affine *distance_of(const struct tensors *tensors, const struct array *array, int dim)
{
    const struct affine *distance = affine_constant(tensors->arena, 1);

    for (int k = array->n_dim - 1; k >= 0 && array_dense_dimension(array, k) != dim; k--)
        distance = product(tensors->arena, distance, extent_of(tensors, array, array_dense_dimension(array, k)));
    return distance;
}

static const struct affine *at_first(const struct tensors *tensors, const struct affine *index)
{
    for (int k = 0; k < 3; k++)
        if (tensors->var[k])
            index = affine_substitute(tensors->arena, index, tensors->var[k], affine_constant(tensors->arena, 0));
    return index;
}

/* Is the address of the tile's first element a multiple of what instructions need? */
static bool is_aligned(const struct tensors *tensors, const struct element *element)
{
    const struct array *array = element->array;
    const int64_t bytes = type_bits(array->type) / 8;

    if (array_is_argument(array) && array->align < POINTER_BYTES)
        return false;
    for (int k = 0; k < array->n_dim; k++) {
        const struct affine *index = at_first(tensors, element->index[k]), *distance = distance_of(tensors, array, k);
        int64_t step;
        if (!index || !distance)
            return false;
        step = multiple_of(tensors, index);
        if (step % POINTER_BYTES && step * multiple_of(tensors, distance) * bytes % POINTER_BYTES)
            return false;
    }
    return true;
}

/* Where the tile of loops number `rows` and `columns` is in memory. */
static bool find_tile(struct tensors *tensors, const struct element *element, int rows, int columns,
                      struct tensor_tile *tile)
{
    const struct array *array = element->array;
    const int row = dimension_of(element, tensors->var[rows]), column = dimension_of(element, tensors->var[columns]);
    const int fastest = array->n_dim > 0 && !array->stride ? array_dense_dimension(array, array->n_dim - 1) : -1;

    if (row < 0 || column < 0 || row == column || (column != fastest && row != fastest))
        return refuse(tensors, NULL, "the tile of `%s` does not lie in rows or columns", array->name), false;
    tile->by_columns = column != fastest;
    tile->distance = distance_of(tensors, array, tile->by_columns ? column : row);
    if (!tile->distance)
        return refuse(tensors, NULL, "the rows of `%s` have no distance that is known", array->name), false;
    if (multiple_of(tensors, tile->distance) * (type_bits(array->type) / 8) % ROW_BYTES != 0)
        return refuse(tensors, "pad the array, or assume that its extent is a multiple",
                      "rows of `%s` are not a multiple of %d bytes apart", array->name, ROW_BYTES),
               false;
    if (!is_aligned(tensors, element))
        return refuse(tensors, "\"align\": 32 states it of an argument, \"assume\" that extents are multiples",
                      "a tile of `%s` is not known to start at a multiple of %d bytes", array->name, POINTER_BYTES),
               false;
    if (!array_is_argument(array) && array->align < POINTER_BYTES)
        ((struct array *)(uintptr_t)array)->align = POINTER_BYTES;
    return true;
}

/* The element of an array of fragments: without the two dimensions of the tile. */
static struct element fragment_element(struct tensors *tensors, const struct element *element)
{
    struct element fragment = *element;
    const struct affine **index = ARENA_ARRAY(tensors->arena, element->array->n_dim, const struct affine *);
    const int row = dimension_of(element, tensors->var[0]), column = dimension_of(element, tensors->var[1]);
    int n = 0;

    for (int k = 0; k < element->array->n_dim; k++)
        if (k != row && k != column)
            index[n++] = element->index[k];
    fragment.index = index;
    return fragment;
}

/* Does the tile cover exactly the last two dimensions of the buffer? Then the array becomes one of fragments. */
static bool make_fragment(struct tensors *tensors, const struct element *element, const struct tensor *tensor)
{
    struct array *array = (struct array *)(uintptr_t)element->array;
    const int row = dimension_of(element, tensors->var[0]), column = dimension_of(element, tensors->var[1]);
    const int n = array->n_dim;
    const struct fragment wanted = {tensor->m, tensor->n, tensor->k};

    if (row != n - 2 || column != n - 1)
        return refuse(tensors, NULL, "`%s` does not have the tile's rows and columns as its last dimensions",
                      array->name),
               false;
    if (array->fragment)
        return true;
    array->fragment = ARENA_NEW(tensors->arena, struct fragment);
    *array->fragment = wanted;
    return true;
}

/* "C[i, j] += f32(A[i, k]) * f32(B[k, j])" of the right types, or what is different about it. */
static const char *difference(const struct node *assign)
{
    const struct tree_expr *value = assign->value;

    if (assign->op != OP_ADD || assign->guard_value)
        return "it is no sum `+=`";
    if (value->kind != TREE_BINARY || value->op != OP_MUL)
        return "what it adds is no product";
    if (value->type != assign->target.array->type)
        return "the product has another type than the sum";
    for (int k = 0; k < 2; k++)
        if (tree_expr_unwidened(value->arg[k])->kind != TREE_LOAD)
            return "a factor is no element of an array";
    if (tree_expr_unwidened(value->arg[0])->type != tree_expr_unwidened(value->arg[1])->type)
        return "the factors have different types";
    return NULL;
}

static bool is_permitted(struct tensors *tensors, enum type type)
{
    const unsigned needed = type == TYPE_F64   ? PERMIT_REASSOCIATE | PERMIT_CONTRACT
                            : type == TYPE_F32 ? PERMIT_REASSOCIATE | PERMIT_APPROXIMATE
                                               : 0;

    if ((tensors->program->permit & needed) == needed)
        return true;
    refuse(tensors, NULL, "sums of a matrix instruction are rounded in another way: \"permit\": [\"reassociate\", "
           "\"%s\"] allows it", type == TYPE_F64 ? "contract" : "approximate");
    return false;
}

static const struct node *multiply(struct tensors *tensors, const struct node *assign, struct tensor *tensor)
{
    const char *why = difference(assign);
    const struct element *factor[2];
    enum type type;

    if (why)
        return refuse(tensors, NULL, "the instruction computes C[i, j] += A[i, k] * B[k, j]; of `%s`, %s",
                      assign->statement->label, why);
    for (int k = 0; k < 2; k++)
        factor[k] = &tree_expr_unwidened(assign->value->arg[k])->element;
    type = factor[0]->array->type;
    tensor->swapped = dimension_of(factor[0], tensors->var[0]) < 0;
    if (!gpu_has_matrix(tensors->gpu, type, assign->target.array->type, tensors->size))
        return refuse(tensors, NULL, "there is no instruction for tiles of %" PRId64 " x %" PRId64 " x %" PRId64
                      " of %s with sums of %s", tensors->size[0], tensors->size[1], tensors->size[2], type_name(type),
                      type_name(assign->target.array->type));
    if (!is_permitted(tensors, assign->target.array->type))
        return NULL;
    for (int k = 0; k < 2; k++)
        if (factor[k]->array->in_registers)
            return refuse(tensors, "keep it in \"shared\" memory", "the factor `%s` is in registers, where there "
                          "are only fragments of results", factor[k]->array->name);
    if (!assign->target.array->in_registers)
        return refuse(tensors, "cache it with \"memory\": \"register\" at the loop of the sum",
                      "the sums in `%s` are not in registers", assign->target.array->name);
    if (!find_tile(tensors, factor[tensor->swapped], 0, 2, &tensor->tile[0]) ||
        !find_tile(tensors, factor[!tensor->swapped], 2, 1, &tensor->tile[1]) ||
        !make_fragment(tensors, &assign->target, tensor))
        return NULL;
    tensor->kind = TENSOR_MULTIPLY;
    return assign;
}

/* acc[..] = C[..], or the other way round */
static const struct node *move(struct tensors *tensors, const struct node *assign, struct tensor *tensor)
{
    const bool stores = !assign->target.array->in_registers;
    const struct element *source = assign->value->kind == TREE_LOAD ? &assign->value->element : NULL;
    const struct element *memory = stores ? &assign->target : source;

    if (assign->op != OP_NONE || !source || source->array->in_registers != stores)
        return refuse(tensors, NULL, "`%s` is no copy of a tile of results", assign->statement->label);
    tensor->kind = stores ? TENSOR_STORE : TENSOR_LOAD;
    if (!find_tile(tensors, memory, 0, 1, &tensor->tile[0]) ||
        !make_fragment(tensors, stores ? source : &assign->target, tensor))
        return NULL;
    return assign;
}

static struct element without_tile(struct arena *arena, const struct element *element, void *user)
{
    (void)arena;
    return element->array->fragment ? fragment_element(user, element) : *element;
}

static const struct node *tile(struct tensors *tensors, const struct node *assign)
{
    struct arena *arena = tensors->arena;
    struct tensor *tensor = ARENA_NEW(arena, struct tensor);
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node *node;

    tensor->m = (int)tensors->size[0];
    tensor->n = (int)tensors->size[1];
    tensor->k = (int)gpu_matrix_depth(tensors->size);
    node = tensors->var[2] ? multiply(tensors, assign, tensor) : move(tensors, assign, tensor);
    if (!node)
        return NULL;
    node = node_map_elements(arena, node, without_tile, tensors);
    for (int k = 0; k < 3; k++)
        if (tensors->var[k])
            node = node_substitute(arena, node, tensors->var[k], affine_constant(arena, 0));
    *copy = *node;
    copy->tensor = tensor;
    return copy;
}

/* The loops of a tile from node inwards. */
static const struct node *descend(struct tensors *tensors, const struct node *node)
{
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;

    if (node->kind == NODE_VALUE)
        return descend(tensors, node_substitute(tensors->arena, node->child[0], node->var, node->lower));
    if (node->kind == NODE_ASSIGN && tensors->var[0] && tensors->var[1])
        return tile(tensors, node);
    if (node->kind == NODE_ASSIGN)
        return refuse(tensors, "keep it in \"shared\" memory",
                      "`%s` copies a tile of a factor: there are fragments of results only", node->statement->label);
    if (!plan || !plan->tensor || !affine_is_constant(node->lower, NULL) || node->lower->constant != 0 ||
        node->step != 1 || !affine_is_constant(node->upper, NULL))
        return refuse(tensors, "\"assume\" that the extents are multiples of the tile, or pad",
                      "not all tiles are full, or there is more in them than the product");
    tensors->var[plan->tensor - 1] = node->var;
    tensors->size[plan->tensor - 1] = node->upper->constant + 1;
    return descend(tensors, node->child[0]);
}

static const struct node *walk(struct tensors *tensors, const struct node *node)
{
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;
    const bool binds = node->kind == NODE_LOOP || node->kind == NODE_VALUE;
    const struct node **child;
    int64_t of;

    if (plan && plan->tensor) {
        tensors->var[0] = tensors->var[1] = tensors->var[2] = NULL;
        tensors->step = plan->tensor_step;
        node = descend(tensors, node);
        return node;
    }
    of = binds ? multiple_of(tensors, node->lower) : 0;
    if (node->kind == NODE_LOOP)
        of = common_divisor(of, node->step);
    if (binds)
        VEC_PUSH(tensors->arena, &tensors->around, ((struct multiple){node->var, of}));
    child = ARENA_ARRAY(tensors->arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = walk(tensors, node->child[k]);
        if (!child[k])
            return NULL;
    }
    tensors->around.n -= binds;
    return node_with_children(tensors->arena, node, child);
}

static void find_element(const struct tree_expr *expr, void *user)
{
    const struct array **found = user;

    if (expr->kind == TREE_LOAD && expr->element.array->fragment)
        *found = expr->element.array;
}

/* Uses of fragments by others than matrix instructions. */
static void find_other(const struct node *node, void *user)
{
    const struct array **found = user;

    if (node->kind != NODE_ASSIGN || node->tensor)
        return;
    if (node->target.array->fragment)
        *found = node->target.array;
    tree_expr_for_each(node->value, find_element, user);
}

enum status lower_tensors(struct arena *arena, const struct program *program, const struct var *const *param_var,
                          const struct node *tree, struct diags *diags, const struct node **result)
{
    struct tensors tensors = {.arena = arena, .program = program, .param_var = param_var, .diags = diags,
                              .gpu = gpu_by_language(program->target.language)};
    const struct array *other = NULL;

    *result = tree;
    if (!tensors.gpu || !tree)
        return STATUS_OK;
    *result = walk(&tensors, tree);
    if (*result)
        node_for_each(*result, find_other, &other);
    if (other)
        refuse(&tensors, NULL, "`%s` is used by other statements than matrix instructions, too", other->name);
    for (int k = 0; k < program->n_array; k++)
        program->array[k].n_dim -= program->array[k].fragment ? 2 : 0;
    return tensors.refused ? STATUS_REFUSED : STATUS_OK;
}
