#include "lower/instr/tensor_tile.h"

#include "tree/layout.h"
#include "tree/visit.h"

#include <isl/val.h>

enum { POINTER_BYTES = 32, ROW_BYTES = 16 }; /* what addresses and distances of rows are multiples of */

/* Is the parameter a multiple of factor? */
static bool divides(const struct tile_site *site, int param, int64_t factor)
{
    const struct program *program = site->program;
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

static int64_t multiple_of_var(const struct tile_site *site, const struct var *var)
{
    for (int k = 0; k < site->around.n; k++)
        if (site->around.at[k].var == var)
            return site->around.at[k].of;
    for (int64_t factor = POINTER_BYTES; var->kind == VAR_PARAM && factor > 1; factor /= 2)
        if (divides(site, var->id, factor))
            return factor;
    return 1;
}

int64_t tile_multiple_of(const struct tile_site *site, const struct affine *a)
{
    int64_t divisor = common_divisor(0, a->constant);

    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const int64_t of = atom->kind == ATOM_VAR ? multiple_of_var(site, atom->var) : 1;
        divisor = common_divisor(divisor, a->term[k].factor * of);
    }
    return divisor;
}

int tile_enter(struct tile_site *site, const struct node *node)
{
    int64_t of;

    if (node->kind != NODE_LOOP && node->kind != NODE_VALUE)
        return 0;
    of = tile_multiple_of(site, node->lower);
    if (node->kind == NODE_LOOP)
        of = common_divisor(of, node->step);
    VEC_PUSH(site->arena, &site->around, ((struct multiple){node->var, of}));
    return 1;
}

const struct node *tile_walk_inside(struct tile_site *site, const struct node *node,
                                    const struct node *(*walk)(const struct node *node, void *user), void *user)
{
    const struct node **child = ARENA_ARRAY(site->arena, node->n_child + 1, const struct node *);
    const int entered = tile_enter(site, node);

    for (int k = 0; k < node->n_child; k++) {
        child[k] = walk(node->child[k], user);
        if (!child[k])
            return NULL;
    }
    site->around.n -= entered;
    return node_with_children(site->arena, node, child);
}

const char *tile_difference(const struct node *assign, bool fits)
{
    const struct tree_expr *value = node_added(assign);

    if (!value || assign->guard_value)
        return "it is no sum `+=`";
    if (value->kind != TREE_BINARY || value->op != OP_MUL)
        return "what it adds is no product";
    if (!fits)
        return "the product has another type than the sum";
    for (int k = 0; k < 2; k++)
        if (tree_expr_unwidened(value->arg[k])->kind != TREE_LOAD)
            return "a factor is no element of an array";
    return NULL;
}

static const struct affine *extent_of(const struct tile_site *site, const struct array *array, int dim)
{
    const struct scope scope = {site->program, site->param_var, NULL};
    const struct affine *extent = NULL;

    return affine_from_expr(site->arena, &scope, array->shape[dim], &extent) ? extent : NULL;
}

/* The product of two extents of which one is constant; NULL: neither is. */
static const struct affine *product(struct arena *arena, const struct affine *a, const struct affine *b)
{
    int64_t factor;

    if (a && b && affine_is_constant(b, &factor))
        return affine_scale(arena, a, factor);
    return a && b && affine_is_constant(a, &factor) ? affine_scale(arena, b, factor) : NULL;
}

int tile_dimension(struct arena *arena, const struct element *element, const struct var *var)
{
    int64_t factor;
    int found = -1;

    for (int k = 0; k < element->array->n_dim; k++) {
        if (!element->index[k] || !affine_uses(element->index[k], var))
            continue;
        if (found >= 0 || !affine_linear_factor(arena, element->index[k], var, &factor) || factor != 1)
            return -1;
        found = k;
    }
    return found;
}

const struct affine *tile_distance(const struct tile_site *site, const struct array *array, int dim)
{
    const struct affine *distance = affine_constant(site->arena, 1);

    for (int k = array->n_dim - 1; k >= 0 && array_dense_dimension(array, k) != dim; k--)
        distance = product(site->arena, distance, extent_of(site, array, array_dense_dimension(array, k)));
    return distance;
}

/* What the same is a multiple of, at least; extents need not be constant to have a product. */
static int64_t multiple_of_distance(const struct tile_site *site, const struct array *array, int dim)
{
    int64_t of = 1;

    for (int k = array->n_dim - 1; k >= 0 && array_dense_dimension(array, k) != dim; k--) {
        const struct affine *extent = extent_of(site, array, array_dense_dimension(array, k));
        if (extent)
            of = common_divisor(of * tile_multiple_of(site, extent), POINTER_BYTES);
    }
    return of;
}

static const struct affine *at_first(const struct tile_site *site, const struct affine *index)
{
    for (int k = 0; k < TENSOR_LOOPS; k++)
        if (site->var[k])
            index = affine_substitute(site->arena, index, site->var[k], affine_constant(site->arena, 0));
    return index;
}

/* Is the address of the tile's first element a multiple of what instructions need? */
static bool is_aligned(const struct tile_site *site, const struct element *element)
{
    const struct array *array = element->array;
    const int64_t bytes = type_bits(array->type) / 8;

    if (array_is_argument(array) && array->align < POINTER_BYTES)
        return false;
    for (int k = 0; k < array->n_dim; k++) {
        const struct affine *index = at_first(site, element->index[k]);
        int64_t step;
        if (!index)
            return false;
        step = tile_multiple_of(site, index);
        if (step % POINTER_BYTES && step * multiple_of_distance(site, array, k) * bytes % POINTER_BYTES)
            return false;
    }
    return true;
}

/* Neither in the device's memory nor in that of a block. */
static bool is_threads_own(const struct array *array)
{
    return array->role == ROLE_TEMP && array->memory == MEMORY_LOCAL;
}

const char *tile_find(const struct tile_site *site, const struct element *element, int rows, int columns,
                      struct tensor_tile *tile, const char **hint)
{
    struct array *array = (struct array *)(uintptr_t)element->array;
    const int row = tile_dimension(site->arena, element, site->var[rows]),
              column = tile_dimension(site->arena, element, site->var[columns]);
    const int fastest = array->n_dim > 0 && !array->stride ? array_dense_dimension(array, array->n_dim - 1) : -1;

    *hint = NULL;
    if (is_threads_own(array)) {
        *hint = "cache it with \"memory\": \"register\" around all statements that use it";
        return arena_printf(site->arena, "`%s` is each thread's own, and not in registers as tiles", array->name);
    }
    if (row < 0 || column < 0 || row == column || (column != fastest && row != fastest))
        return arena_printf(site->arena, "the tile of `%s` does not lie in rows or columns", array->name);
    tile->by_columns = column != fastest;
    tile->distance = tile_distance(site, array, tile->by_columns ? column : row);
    if (!tile->distance)
        return arena_printf(site->arena, "the rows of `%s` have no distance that is known", array->name);
    *hint = "pad the array, or assume that its extent is a multiple";
    if (tile_multiple_of(site, tile->distance) * (type_bits(array->type) / 8) % ROW_BYTES != 0)
        return arena_printf(site->arena, "rows of `%s` are not a multiple of %d bytes apart", array->name, ROW_BYTES);
    *hint = array->is_buffer
                ? "a \"layout\" of the cache with the loops of the tile last keeps the elements of each tile together"
                : "\"align\": 32 states it of an argument, \"assume\" that extents are multiples";
    if (!is_aligned(site, element))
        return arena_printf(site->arena, "a tile of `%s` is not known to start at a multiple of %d bytes", array->name,
                            POINTER_BYTES);
    if (!array_is_argument(array) && array->align < POINTER_BYTES)
        array->align = POINTER_BYTES;
    return NULL;
}

bool tile_is_whole(const struct tile_site *site, const struct element *element, const int loops[2], const int64_t *size)
{
    const struct array *array = element->array;
    const int row = tile_dimension(site->arena, element, site->var[loops[0]]),
              column = tile_dimension(site->arena, element, site->var[loops[1]]);
    int64_t extent;

    if (row < array->n_dim - 2 || column < array->n_dim - 2 || row == column)
        return false;
    for (int k = 0; k < 2; k++) {
        const struct affine *all = extent_of(site, array, k ? column : row), *first;
        first = at_first(site, element->index[k ? column : row]);
        if (!all || !affine_is_constant(all, &extent) || extent != size[loops[k]] || !affine_is_constant(first, NULL) ||
            first->constant != 0)
            return false;
    }
    return true;
}
