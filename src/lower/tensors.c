/* Pass "tensors": tiles that the plan wants as matrix instructions.
 *
 *     for (m < 16) for (n < 16) for (l < 16)
 *         acc[u][m][n] += A[i + m][k + l] * B[k + l][j + n]      becomes one assignment with a tensor, of acc[u]
 *
 * First the products, as they tell which arrays are fragments; what is copied or computed together with those are
 * fragments, too; then the copies, and what is computed element by element.
 */
#include "lower/tensors.h"

#include "caps/gpu.h"
#include "lower/tensor_tile.h"
#include "plan/loop_plan.h"
#include "tree/layout.h"
#include "tree/visit.h"

#include <inttypes.h>

enum phase { PRODUCTS, SPREAD, OTHERS };

struct tensors {
    struct arena *arena;
    struct tile_site site;
    const struct gpu_arch *arch;
    struct diags *diags;
    int64_t size[TENSOR_LOOPS]; /* of the tile at hand */
    const struct step *step;
    enum phase phase;
    bool found; /* SPREAD: another array of fragments */
    bool refused;
};

/* The loops of what a fragment holds: rows and columns of the sums, of the factors. */
static const int loops_of[][2] = {[FRAGMENT_SUMS] = {0, 1}, [FRAGMENT_ROWS] = {0, 2}, [FRAGMENT_COLUMNS] = {2, 1}};

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

static bool find_tile(struct tensors *tensors, const struct element *element, enum fragment_use use,
                      struct tensor_tile *tile)
{
    const char *hint;
    const char *why = tile_find(&tensors->site, element, loops_of[use][0], loops_of[use][1], tile, &hint);

    if (why)
        refuse(tensors, hint, "%s", why);
    return !why;
}

/* Is the fragment one of these loops' tiles? */
static bool fits(const struct tensors *tensors, const struct fragment *fragment, enum fragment_use use)
{
    const int size[] = {fragment->m, fragment->n, fragment->k};
    const int *loops = loops_of[use];

    return fragment->use == use && size[loops[0]] == tensors->size[loops[0]] &&
           size[loops[1]] == tensors->size[loops[1]];
}

/* "left factors of 16 x 16 x 16" */
static const char *kind_text(struct arena *arena, const struct fragment *fragment)
{
    static const char *const words[] = {
        [FRAGMENT_SUMS] = "sums", [FRAGMENT_ROWS] = "left factors", [FRAGMENT_COLUMNS] = "right factors"};

    return arena_printf(arena, "%s of %d x %d x %d", words[fragment->use], fragment->m, fragment->n, fragment->k);
}

static const char *two_copies(struct tensors *tensors, const struct array *array)
{
    return arena_printf(tensors->arena, "a tile in registers is one of these: keep `%s` in another memory, from which "
                        "each instruction loads its own", array->name);
}

/* Does the loop of rows go along the last dimension? */
static bool is_turned(const struct tensors *tensors, const struct element *element, enum fragment_use use)
{
    return tile_dimension(element, tensors->site.var[loops_of[use][0]]) == element->array->n_dim - 1;
}

/* The array becomes one of such fragments: its last two dimensions are all of the tile. */
static bool make_fragment(struct tensors *tensors, const struct element *element, const struct fragment *wanted)
{
    struct array *array = (struct array *)(uintptr_t)element->array;
    const bool turned = is_turned(tensors, element, wanted->use);

    if (!tile_is_whole(&tensors->site, element, loops_of[wanted->use], tensors->size))
        return refuse(tensors, "divide the loops around the tile before the cache, so that the tile has its own",
                      "`%s` does not have the tile's rows and columns as its last dimensions", array->name),
               false;
    if (array->fragment && (!fits(tensors, array->fragment, wanted->use) || array->fragment->k != wanted->k))
        return refuse(tensors, two_copies(tensors, array), "`%s` is used as %s, and as %s", array->name,
                      kind_text(tensors->arena, array->fragment), kind_text(tensors->arena, wanted)),
               false;
    if (array->fragment && array->fragment->turned != turned)
        return refuse(tensors, two_copies(tensors, array), "one instruction takes rows of `%s` for columns of another",
                      array->name),
               false;
    if (array->fragment)
        return true;
    array->fragment = ARENA_NEW(tensors->arena, struct fragment);
    *array->fragment = *wanted;
    array->fragment->turned = turned;
    tensors->found = true;
    return true;
}

static struct fragment wanted_fragment(const struct tensors *tensors, enum fragment_use use)
{
    return (struct fragment){.use = use, .m = (int)tensors->size[0], .n = (int)tensors->size[1],
                             .k = (int)tensors->size[2]};
}

/* "C[i, j] += f32(A[i, k]) * f32(B[k, j])" of the right types, or what is different about it. */
static const char *difference(const struct node *assign)
{
    const struct tree_expr *value = node_added(assign);

    if (!value || assign->guard_value)
        return "it is no sum `+=`";
    if (value->kind != TREE_BINARY || value->op != OP_MUL)
        return "what it adds is no product";
    if (!type_holds(assign->target.array->type, value->type) && assign->target.array->type != TYPE_F16)
        return "the product has another type than the sum";
    for (int k = 0; k < 2; k++)
        if (tree_expr_unwidened(value->arg[k])->kind != TREE_LOAD)
            return "a factor is no element of an array";
    if (tree_expr_unwidened(value->arg[0])->type != tree_expr_unwidened(value->arg[1])->type)
        return "the factors have different types";
    return NULL;
}

static bool is_permitted(struct tensors *tensors, enum type factor, enum type sum)
{
    const unsigned needed = sum == TYPE_F64      ? PERMIT_REASSOCIATE | PERMIT_CONTRACT
                            : type_is_float(sum) ? PERMIT_REASSOCIATE | PERMIT_APPROXIMATE
                                                 : 0;

    if ((tensors->site.program->permit & needed) == needed)
        return true;
    refuse(tensors, NULL, "%s: \"permit\": [\"reassociate\", \"%s\"] allows it",
           factor == TYPE_F32 ? "factors of f32 are rounded to the 11 bits of tf32, and sums in another way"
                              : "sums of a matrix instruction are rounded in another way",
           sum == TYPE_F64 ? "contract" : "approximate");
    return false;
}

/* Is there an instruction for such tiles? */
static bool check_shape(struct tensors *tensors, enum type factor, enum type sum)
{
    const struct gpu_arch *since = gpu_matrix_since(factor, sum, tensors->size);
    const char *others = gpu_matrix_sizes(tensors->arena, factor, sum), *hint;
    const char *tiles = arena_printf(tensors->arena, "tiles of %" PRId64 " x %" PRId64 " x %" PRId64
                                     " of %s with sums of %s", tensors->size[0], tensors->size[1], tensors->size[2],
                                     type_name(factor), type_name(sum));

    if (since && since->version <= tensors->arch->version)
        return true;
    hint = since    ? arena_printf(tensors->arena, "\"arch\": \"%s\" and later ones have it", since->name)
           : others ? arena_printf(tensors->arena, "of these types there are %s", others)
                    : NULL;
    if (since)
        refuse(tensors, hint, "%s has no instruction for %s", tensors->arch->name, tiles);
    else
        refuse(tensors, hint, "there is no instruction for %s", tiles);
    return false;
}

/* One of the factors: in fragments, or in memory. */
static bool take_factor(struct tensors *tensors, const struct element *factor, enum fragment_use use,
                        struct tensor_tile *tile)
{
    const struct fragment wanted = wanted_fragment(tensors, use);

    if (factor->array->in_registers)
        return make_fragment(tensors, factor, &wanted);
    return find_tile(tensors, factor, use, tile);
}

static const struct node *multiply(struct tensors *tensors, const struct node *assign, struct tensor *tensor)
{
    const struct fragment sums = wanted_fragment(tensors, FRAGMENT_SUMS);
    const char *why = difference(assign);
    const struct element *factor[2];
    enum type type;

    if (why)
        return refuse(tensors, NULL, "the instruction computes C[i, j] += A[i, k] * B[k, j]; of `%s`, %s",
                      assign->statement->label, why);
    for (int k = 0; k < 2; k++)
        factor[k] = &tree_expr_unwidened(node_added(assign)->arg[k])->element;
    type = factor[0]->array->type;
    tensor->swapped = tile_dimension(factor[0], tensors->site.var[0]) < 0;
    if (!check_shape(tensors, type, assign->target.array->type) ||
        !is_permitted(tensors, type, assign->target.array->type))
        return NULL;
    if (!assign->target.array->in_registers)
        return refuse(tensors, "cache it with \"memory\": \"register\" at the loop of the sum",
                      "the sums in `%s` are not in registers", assign->target.array->name);
    if (!take_factor(tensors, factor[tensor->swapped], FRAGMENT_ROWS, &tensor->tile[0]) ||
        !take_factor(tensors, factor[!tensor->swapped], FRAGMENT_COLUMNS, &tensor->tile[1]) ||
        !make_fragment(tensors, &assign->target, &sums))
        return NULL;
    tensor->kind = TENSOR_MULTIPLY;
    return assign;
}

/* Which tile the loops at hand go over. */
static enum fragment_use use_of(const struct tensors *tensors)
{
    return !tensors->site.var[2] ? FRAGMENT_SUMS : tensors->site.var[0] ? FRAGMENT_ROWS : FRAGMENT_COLUMNS;
}

/* Do the loops at hand go over the rows and columns of the element's fragment? */
static bool is_in_place(const struct tensors *tensors, const struct element *element)
{
    const struct fragment *fragment = element->array->fragment;
    const enum fragment_use use = use_of(tensors);

    return fits(tensors, fragment, use) && tile_is_whole(&tensors->site, element, loops_of[use], tensors->size) &&
           is_turned(tensors, element, use) == fragment->turned;
}

static const struct tree_expr *without_casts(const struct tree_expr *expr)
{
    while (expr->kind == TREE_CAST)
        expr = expr->arg[0];
    return expr;
}

/* assign goes over another tile than the array's, or over columns first. */
static const struct node *refuse_place(struct tensors *tensors, const struct node *assign, const struct array *array)
{
    const char *holds = kind_text(tensors->arena, array->fragment);

    if (array->fragment->use != use_of(tensors))
        return refuse(tensors, "fill tiles of factors by a `cache`, and use them in matrix instructions only",
                      "the tile of `%s` is one of sums, `%s` holds %s", assign->statement->label, array->name, holds);
    return refuse(tensors, "go over rows and columns as the matrix instructions do",
                  "`%s` takes rows for columns of `%s`, which holds %s", assign->statement->label, array->name, holds);
}

/* acc[..] = C[..], or the other way round */
static const struct node *move(struct tensors *tensors, const struct node *assign, bool stores, struct tensor *tensor)
{
    const enum fragment_use use = use_of(tensors);
    const struct element *from = &without_casts(assign->value)->element;
    const struct element *memory = stores ? &assign->target : from, *own = stores ? from : &assign->target;
    const struct array *array = own->array;

    if (!is_in_place(tensors, own))
        return refuse_place(tensors, assign, array);
    if (stores && use != FRAGMENT_SUMS)
        return refuse(tensors, NULL, "`%s` stores tiles of factors: there is no instruction for that",
                      assign->statement->label);
    tensor->kind = stores ? TENSOR_STORE : TENSOR_LOAD;
    if (memory->array->type != array->type)
        return refuse(tensors, "convert in \"shared\" memory: to tiles, and from them, there are only copies",
                      "`%s` makes %s of the %s of `%s`", assign->statement->label,
                      type_name(assign->target.array->type), type_name(from->array->type), from->array->name);
    if (!find_tile(tensors, memory, use, &tensor->tile[0]))
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
        reading->hint = arena_printf(tensors->arena, "cache `%s` with \"memory\": \"register\" there; a tile that "
                                     "repeats one row can be made in \"shared\" memory", array->name);
    } else if (array->type != reading->target->type) {
        reading->against = arena_printf(tensors->arena, "tiles of %s and of %s are dealt out to the threads in "
                                        "different ways", type_name(array->type), type_name(reading->target->type));
        reading->hint = "keep the sums in \"shared\" memory, and compute there";
    } else if (array->fragment->k != reading->target->fragment->k) {
        reading->against = arena_printf(tensors->arena, "`%s` is of another instruction's tiles", array->name);
    } else if (!is_in_place(tensors, &expr->element)) {
        reading->against = arena_printf(tensors->arena, "it reads `%s` at other places of the tile", array->name);
        reading->hint = "each thread has its own places; what moves between them goes through \"shared\" memory";
    }
}

/* Each element of a fragment by those of others at its place. */
static const struct node *map(struct tensors *tensors, const struct node *assign, struct tensor *tensor)
{
    struct reading reading = {.tensors = tensors, .target = assign->target.array};

    if (use_of(tensors) != FRAGMENT_SUMS)
        return refuse(tensors, NULL, "`%s` computes tiles of factors element by element: that is for sums",
                      assign->statement->label);
    if (assign->target.array->fragment && !is_in_place(tensors, &assign->target))
        return refuse_place(tensors, assign, assign->target.array);
    if (!assign->target.array->in_registers) {
        reading.against = arena_printf(tensors->arena, "`%s` is no tile in registers", assign->target.array->name);
        reading.hint = arena_printf(tensors->arena, "cache `%s` with \"memory\": \"register\" there",
                                    assign->target.array->name);
    } else if (assign->guard_value || assign->atomic) {
        reading.against = "it has a condition";
    } else {
        tree_expr_for_each(assign->value, read_term, &reading);
    }
    if (reading.against)
        return refuse(tensors, reading.hint, "`%s` cannot be computed on tiles in registers: %s",
                      assign->statement->label, reading.against);
    tensor->kind = reading.loads || assign->op != OP_NONE ? TENSOR_MAP : TENSOR_FILL;
    return assign;
}

static const struct node *copy_or_map(struct tensors *tensors, const struct node *assign, struct tensor *tensor)
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

static const struct node *tile(struct tensors *tensors, const struct node *assign)
{
    const bool multiplies = tensors->site.var[0] && tensors->site.var[1] && tensors->site.var[2];
    struct arena *arena = tensors->arena;
    struct tensor *tensor = ARENA_NEW(arena, struct tensor);
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node *node;

    tensor->m = (int)tensors->size[0];
    tensor->n = (int)tensors->size[1];
    tensor->k = (int)tensors->size[2];
    node = multiplies ? multiply(tensors, assign, tensor) : copy_or_map(tensors, assign, tensor);
    if (!node)
        return NULL;
    node = node_map_elements(arena, node, without_tile, tensors);
    for (int k = 0; k < TENSOR_LOOPS; k++)
        if (tensors->site.var[k])
            node = node_substitute(arena, node, tensors->site.var[k], affine_constant(arena, 0));
    *copy = *node;
    copy->tensor = tensor;
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
        make_fragment(spreading->tensors, &expr->element, spreading->known);
}

/* What is in registers and computed together with fragments are fragments like them. */
static void spread(struct tensors *tensors, const struct node *assign)
{
    struct spreading spreading = {tensors, assign->target.array->fragment};

    tree_expr_for_each(assign->value, know, &spreading);
    if (!spreading.known || use_of(tensors) != spreading.known->use)
        return;
    tree_expr_for_each(assign->value, spread_to, &spreading);
    if (assign->target.array->in_registers && !assign->target.array->fragment)
        make_fragment(tensors, &assign->target, spreading.known);
}

/* Tells in the loops of a tile what they are; false: what is not for this phase. */
static bool is_for_phase(const struct tensors *tensors)
{
    const bool product = tensors->site.var[0] && tensors->site.var[1] && tensors->site.var[2];

    return tensors->phase == PRODUCTS ? product : !product;
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
        if (!is_for_phase(tensors))
            return whole;
        if (tensors->phase == SPREAD)
            return spread(tensors, node), whole;
        return tile(tensors, node);
    }
    if (!plan || !plan->tensor || !affine_is_constant(node->lower, NULL) || node->lower->constant != 0 ||
        node->step != 1 || !affine_is_constant(node->upper, NULL))
        return refuse(tensors, "\"assume\" that the extents are multiples of the tile, or pad",
                      "not all tiles are full, or there is more in them than one statement");
    tensors->site.var[plan->tensor - 1] = node->var;
    tensors->size[plan->tensor - 1] = node->upper->constant + 1;
    return descend(tensors, node->child[0], whole);
}

static const struct node *walk(struct tensors *tensors, const struct node *node)
{
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;
    const bool binds = node->kind == NODE_LOOP || node->kind == NODE_VALUE;
    const struct node **child;
    int64_t of;

    if (plan && plan->tensor) {
        for (int k = 0; k < TENSOR_LOOPS; k++) {
            tensors->site.var[k] = NULL;
            tensors->size[k] = 0;
        }
        tensors->step = plan->tensor_step;
        return descend(tensors, node, node);
    }
    of = binds ? tile_multiple_of(&tensors->site, node->lower) : 0;
    if (node->kind == NODE_LOOP)
        of = common_divisor(of, node->step);
    if (binds)
        VEC_PUSH(tensors->arena, &tensors->site.around, ((struct multiple){node->var, of}));
    child = ARENA_ARRAY(tensors->arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = walk(tensors, node->child[k]);
        if (!child[k])
            return NULL;
    }
    tensors->site.around.n -= binds;
    return node_with_children(tensors->arena, node, child);
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

    tree = walk(tensors, tree);
    tensors->phase = SPREAD;
    for (tensors->found = true; tree && tensors->found;) {
        tensors->found = false;
        tree = walk(tensors, tree);
    }
    tensors->phase = OTHERS;
    tree = tree && !tensors->refused ? walk(tensors, tree) : NULL;
    if (tree)
        node_for_each(tree, find_other, &other);
    if (other)
        refuse(tensors, "`tensorize` the loops of rows and columns around it",
               "`%s` uses elements of `%s`, whose tiles only matrix instructions know", other->statement->label,
               other_use(other)->name);
    return tree;
}

enum status lower_tensors(struct arena *arena, const struct program *program, const struct var *const *param_var,
                          const struct node *tree, struct diags *diags, const struct node **result)
{
    struct tensors tensors = {.arena = arena, .diags = diags, .phase = PRODUCTS,
                              .site = {.arena = arena, .program = program, .param_var = param_var},
                              .arch = gpu_arch_by_name(program->target.arch)};

    *result = tree;
    if (!gpu_by_language(program->target.language) || !tree)
        return STATUS_OK;
    *result = run(&tensors, tree);
    for (int k = 0; k < program->n_array; k++)
        program->array[k].n_dim -= program->array[k].fragment ? 2 : 0;
    return tensors.refused ? STATUS_REFUSED : STATUS_OK;
}
