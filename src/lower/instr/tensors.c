/* Pass "tensors": tiles that the plan wants as matrix instructions.
 *
 *     for (m < 16) for (n < 16) for (l < 16)
 *         acc[u][m][n] += A[i + m][k + l] * B[k + l][j + n]      becomes one assignment with a tensor, of acc[u]
 *
 * First the products, as they tell which arrays are fragments; what is copied or computed together with those are
 * fragments, too; then the copies, and what is computed element by element.
 */
#include "lower/instr/tensors.h"

#include "caps/gpu.h"
#include "lower/instr/tensor_copy.h"
#include "lower/instr/tensor_product.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

/* An element without its place in the tile: as long as the array has its dimensions, those subscripts are NULL. */
static struct element without_tile(struct arena *arena, const struct element *element, void *user)
{
    struct element fragment = *element;
    const int n = element->array->n_dim - 2;
    const struct affine **index;

    (void)user;
    if (!element->array->fragment)
        return fragment;
    index = ARENA_ARRAY(arena, element->array->n_dim, const struct affine *);
    for (int k = 0; k < n; k++)
        index[k] = element->index[k];
    fragment.index = index;
    return fragment;
}

static bool is_product(const struct tensors *tensors)
{
    return tensors->site.var[0] && tensors->site.var[1] && tensors->site.var[2];
}

/* assign with the tile's loops as dimensions of its own, for what it becomes. */
static void tell_instances(struct tensors *tensors, struct node *node, const struct node *assign)
{
    struct inner_dim *inner = ARENA_ARRAY(tensors->arena, TENSOR_LOOPS, struct inner_dim);
    int n = 0;

    for (int k = 0; k < TENSOR_LOOPS; k++)
        if (tensors->site.var[k])
            inner[n++] = (struct inner_dim){tensors->site.var[k], tensors->size[k], false};
    node->argument = assign->argument;
    node->inner = inner;
    node->n_inner = n;
}

static const struct node *tile(struct tensors *tensors, const struct node *assign)
{
    struct arena *arena = tensors->arena;
    struct tensor *tensor = ARENA_NEW(arena, struct tensor);
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node *node;

    tensor->m = (int)tensors->size[0];
    tensor->n = (int)tensors->size[1];
    tensor->k = (int)tensors->size[2];
    node = is_product(tensors) ? tensor_product(tensors, assign, tensor) : tensor_copy_or_map(tensors, assign, tensor);
    if (!node)
        return NULL;
    node = node_map_elements(arena, node, without_tile, tensors);
    for (int k = 0; k < TENSOR_LOOPS; k++)
        if (tensors->site.var[k])
            node = node_substitute(arena, node, tensors->site.var[k], affine_constant(arena, 0));
    *copy = *node;
    copy->tensor = tensor;
    tell_instances(tensors, copy, assign);
    return copy;
}

/* The fragments that one assignment is about. */
struct spreading {
    struct tensors *tensors;
    const struct fragment *known;
};

static void know(const struct tree_expr *expr, void *user)
{
    struct spreading *spreading = user;

    if (expr->kind == TREE_LOAD && expr->element.array->fragment)
        spreading->known = expr->element.array->fragment;
}

static void spread_to(const struct tree_expr *expr, void *user)
{
    struct spreading *spreading = user;

    if (expr->kind == TREE_LOAD && expr->element.array->in_registers && !expr->element.array->fragment)
        fragment_make(spreading->tensors, &expr->element, spreading->known);
}

/* What is in registers and computed together with fragments are fragments like them. */
static void spread(struct tensors *tensors, const struct node *assign)
{
    struct spreading spreading = {tensors, assign->target.array->fragment};

    tree_expr_for_each(assign->value, know, &spreading);
    if (!spreading.known || fragment_use(tensors) != spreading.known->use)
        return;
    tree_expr_for_each(assign->value, spread_to, &spreading);
    if (assign->target.array->in_registers && !assign->target.array->fragment)
        fragment_make(tensors, &assign->target, spreading.known);
}

static int n_loops(const struct tensors *tensors)
{
    return (tensors->site.var[0] != NULL) + (tensors->site.var[1] != NULL) + (tensors->site.var[2] != NULL);
}

/* The loops of a tile from node inwards; whole: from the outermost of them on. */
static const struct node *descend(struct tensors *tensors, const struct node *node, const struct node *whole)
{
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;

    if (node->kind == NODE_VALUE)
        return descend(tensors, node_substitute(tensors->arena, node->child[0], node->var, node->lower), whole);
    if (node->kind == NODE_ASSIGN && n_loops(tensors) >= 2) {
        if (is_product(tensors) != (tensors->phase == PRODUCTS))
            return whole;
        if (tensors->phase == SPREAD)
            return spread(tensors, node), whole;
        return tile(tensors, node);
    }
    if (!plan || !plan->tensor || !affine_is_constant(node->lower, NULL) || node->lower->constant != 0 ||
        node->step != 1 || !affine_is_constant(node->upper, NULL))
        return tensors_refuse(tensors, "\"assume\" that the extents are multiples of the tile, or pad",
                              "not all tiles are full, or there is more in them than one statement");
    tensors->site.var[plan->tensor - 1] = node->var;
    tensors->size[plan->tensor - 1] = node->upper->constant + 1;
    return descend(tensors, node->child[0], whole);
}

static const struct node *walk(const struct node *node, void *user)
{
    struct tensors *tensors = user;
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;

    if (!plan || !plan->tensor)
        return tile_walk_inside(&tensors->site, node, walk, tensors);
    for (int k = 0; k < TENSOR_LOOPS; k++) {
        tensors->site.var[k] = NULL;
        tensors->size[k] = 0;
    }
    tensors->step = plan->tensor_step;
    return descend(tensors, node, node);
}

static void find_fragment(const struct tree_expr *expr, void *user)
{
    const struct array **found = user;

    if (expr->kind == TREE_LOAD && expr->element.array->fragment)
        *found = expr->element.array;
}

/* The array of fragments that an assignment uses without being a matrix instruction, or NULL. */
static const struct array *other_use(const struct node *assign)
{
    const struct array *found = assign->target.array->fragment ? assign->target.array : NULL;

    tree_expr_for_each(assign->value, find_fragment, &found);
    return found;
}

static void find_other(const struct node *node, void *user)
{
    const struct node **found = user;

    if (node->kind == NODE_ASSIGN && !node->tensor && other_use(node))
        *found = node;
}

static const struct node *run(struct tensors *tensors, const struct node *tree)
{
    const struct node *other = NULL;

    tree = walk(tree, tensors);
    tensors->phase = SPREAD;
    for (tensors->found = true; tree && tensors->found;) {
        tensors->found = false;
        tree = walk(tree, tensors);
    }
    tensors->phase = OTHERS;
    tree = tree && !tensors->refused ? walk(tree, tensors) : NULL;
    if (tree)
        node_for_each(tree, find_other, &other);
    if (other)
        tensors_refuse(tensors, "`tensorize` the loops of rows and columns around it",
                       "`%s` uses elements of `%s`, whose tiles only matrix instructions know", other->statement->label,
                       other_use(other)->name);
    return tree;
}

enum status lower_tensors(struct arena *arena, const struct program *program, struct vars *vars,
                          const struct node *tree, struct diags *diags, const struct node **result)
{
    struct tensors tensors = {.arena = arena,
                              .diags = diags,
                              .phase = PRODUCTS,
                              .site = {.arena = arena, .program = program, .param_var = vars->param},
                              .gpu = gpu_by_language(program->target.language)};

    *result = tree;
    if (!tensors.gpu || !tree)
        return STATUS_OK;
    *result = run(&tensors, tree);
    for (int k = 0; k < program->n_array; k++)
        program->array[k].n_dim -= program->array[k].fragment ? 2 : 0;
    return tensors.refused ? STATUS_REFUSED : STATUS_OK;
}
