#include "lower/instr/tiles.h"

#include "lower/facts/descend.h"
#include "lower/facts/facts.h"
#include "lower/facts/pending.h"
#include "lower/instr/tile_parts.h"
#include "lower/instr/tile_registers.h"
#include "lower/instr/tile_unroll.h"
#include "plan/loop_plan.h"
#include "program/permit.h"
#include "tree/layout.h"
#include "tree/visit.h"

static int64_t bytes_of(const struct array *array)
{
    return type_bits(array->type) / 8;
}

/* How many iterations of the loop run, times factor, at most limit / factor: functions for parts know of no smaller
 * tiles. */
static const struct affine *run_of(const struct tiles *tiles, enum tile_loop loop, int64_t factor, int limit)
{
    const struct affine *both[] = {tiles_run(tiles, loop, factor),
                                   affine_constant(tiles->arena, tiles->size[loop] * factor)};

    return tiles->size[loop] * factor == limit ? both[0] : affine_extreme(tiles->arena, ATOM_MIN, both, 2);
}

/* The part of a tile that there is, of loops of rows and columns of so many bytes. */
static void set_part(struct tiles *tiles, struct tile_place *place, enum tile_loop rows, enum tile_loop columns,
                     int64_t bytes)
{
    if (!tiles->run[rows] && !tiles->run[columns])
        return;
    place->rows = run_of(tiles, rows, 1, tiles->simd->tiles->rows);
    place->bytes = run_of(tiles, columns, bytes, tiles->simd->tiles->bytes);
}

/* Where the tile of loops of rows and columns is, of which element is the array's access; depth: neighbours that are
 * one column. False after a refusal. */
static bool find_place(struct tiles *tiles, const struct element *element, enum tile_loop rows, enum tile_loop columns,
                       int depth, struct tile_place *place)
{
    const struct affine *distance = element->indirect ? NULL : tiles_step(tiles, element, rows);
    bool lies = distance && (!tiles->var[columns] || tiles_step_is(tiles, element, columns, depth));

    for (int k = 0; k < TILE_LOOPS && lies; k++)
        if (k != (int)rows && k != (int)columns)
            lies = tiles_step_is(tiles, element, (enum tile_loop)k, tiles->var[k] && k == TILE_PRODUCTS);
    if (!lies)
        return tiles_refuse(tiles,
                            depth > 1
                                ? "lay it out so that the products of a group are neighbours, and groups of one row "
                                  "of the tile behind each other: by its \"layout\", or by a `cache`"
                                : "lay it out in rows",
                            "the tile of `%s` does not lie in rows of neighbours", element->array->name),
               false;
    place->distance = affine_scale(tiles->arena, distance, bytes_of(element->array));
    set_part(tiles, place, rows, columns, depth * bytes_of(element->array));
    return place->distance != NULL;
}

static const struct affine *extent_of(const struct tiles *tiles, const struct array *array, int dim)
{
    const struct scope scope = {tiles->site.program, tiles->site.param_var, NULL};
    const struct affine *extent = NULL;

    return affine_from_expr(tiles->arena, &scope, array->shape[dim], &extent) ? extent : NULL;
}

/* Are the array's last two dimensions rows and columns of the tile, and all of it? The array is then one of tiles. */
static bool take_sums(struct tiles *tiles, const struct element *element)
{
    struct array *array = (struct array *)(uintptr_t)element->array;
    int64_t extent;

    if (!array->in_registers)
        return tiles_refuse(tiles, "cache it with \"memory\": \"register\" at the loop of the sum",
                            "the sums in `%s` are not in registers", array->name),
               false;
    for (int k = 0; k < 2; k++) {
        const int dim = array->n_dim - 2 + k;
        const struct affine *all = dim >= 0 ? extent_of(tiles, array, dim) : NULL;
        if (!all || !affine_is_constant(all, &extent) || extent != tiles->size[k] || tiles->unit[k] != 1 ||
            !affine_equal(element->index[dim],
                          affine_sub(tiles->arena, affine_var(tiles->arena, tiles->var[k]), tiles->first[k])))
            return tiles_refuse(tiles,
                                "divide the loops around the tile before the cache, so that the tile has its own: "
                                "\"layout\" lists them",
                                "`%s` does not have the tile's rows and columns as its last dimensions", array->name),
                   false;
    }
    array->in_tiles = true;
    return true;
}

/* Do the rows, columns and groups fit the registers? */
static bool fits(struct tiles *tiles, enum type sum, const struct simd_product *product)
{
    const struct simd_tiles *set = tiles->simd->tiles;
    const int64_t columns = set->bytes / (type_bits(sum) / 8);

    if (tiles->size[TILE_ROWS] <= set->rows && tiles->size[TILE_COLUMNS] <= columns &&
        tiles->size[TILE_GROUPS] <= set->rows)
        return true;
    return tiles_refuse(tiles, "split the loops by these numbers",
                        "a tile has at most %d rows, %d columns and %d groups of %d products", set->rows, (int)columns,
                        set->rows, product->depth),
           false;
}

static const struct simd_product *find_product(struct tiles *tiles, const struct node *assign,
                                               const struct element *const factor[2])
{
    const unsigned all = PERMIT_REASSOCIATE | PERMIT_CONTRACT | PERMIT_APPROXIMATE;
    const enum type sum = assign->target.array->type, rows = factor[0]->array->type, columns = factor[1]->array->type;
    const struct simd_product *product =
        simd_product_of(tiles->simd, rows, columns, sum, (int)tiles->size[TILE_PRODUCTS]);

    if (!product)
        tiles_refuse(tiles, "groups of 4 bytes with sums of i32, of 2 bf16 with sums of f32",
                     "%s has no tiles of %s by %s with groups of %d products and sums of %s", tiles->simd->name,
                     type_name(rows), type_name(columns), (int)tiles->size[TILE_PRODUCTS], type_name(sum));
    else if (product->rounding && (statement_permit(tiles->site.program, assign->statement) & all) != all)
        tiles_refuse(tiles, "permit it: \"permit\": [\"reassociate\", \"contract\", \"approximate\"]",
                     "`%s` is not what an instruction computes: %s", assign->statement->label, product->rounding);
    return tiles->refused ? NULL : product;
}

static bool multiply(struct tiles *tiles, const struct node *assign, struct matrix_tile *tile)
{
    const struct tree_expr *value = node_added(assign);
    const char *why = tile_difference(assign, value && value->type == assign->target.array->type);
    const struct element *factor[2], *given[2];

    if (why)
        return tiles_refuse(tiles, NULL, "the instruction computes C[i, j] += A[i, k] * B[k, j]; of `%s`, %s",
                            assign->statement->label, why),
               false;
    for (int k = 0; k < 2; k++)
        given[k] = &tree_expr_unwidened(node_added(assign)->arg[k])->element;
    tile->swapped = !given[0]->indirect && tiles_step_is(tiles, given[0], TILE_ROWS, 0);
    for (int k = 0; k < 2; k++)
        factor[k] = given[tile->swapped ? 1 - k : k];
    tile->product = find_product(tiles, assign, factor);
    if (!tile->product || !fits(tiles, assign->target.array->type, tile->product) ||
        !take_sums(tiles, &assign->target) ||
        !find_place(tiles, factor[0], TILE_ROWS, TILE_GROUPS, tile->product->depth, &tile->factor[0]) ||
        !find_place(tiles, factor[1], TILE_GROUPS, TILE_COLUMNS, tile->product->depth, &tile->factor[1]))
        return false;
    tile->kind = TILE_MULTIPLY;
    return true;
}

static bool is_zero(const struct tree_expr *value)
{
    return (value->kind == TREE_INT && value->integer == 0) ||
           (value->kind == TREE_REAL && value->real == 0 && value->spelling && value->spelling[0] != '-');
}

/* A copy between memory and a register, or zeros. */
static bool copy(struct tiles *tiles, const struct node *assign, struct matrix_tile *tile)
{
    const struct tree_expr *value = tree_expr_same_bits(assign->value);
    const struct element *loaded = value->kind == TREE_LOAD ? &value->element : NULL;
    const bool stores = loaded && loaded->array->in_registers, sets = assign->target.array->in_registers;
    const struct element *own = stores ? loaded : &assign->target, *memory = stores ? &assign->target : loaded;
    const bool zero = sets && is_zero(value);

    if (assign->op != OP_NONE || assign->guard_value || (!zero && (!loaded || stores == sets)) ||
        (loaded && memory->array->type != own->array->type))
        return tiles_refuse(tiles,
                            "what computes with the sums reads them behind that from memory: `cache` the array with "
                            "\"memory\": \"register\" around the products only",
                            "`%s` does something else with a tile than to load it, store it or set it to zero",
                            assign->statement->label),
               false;
    tile->kind = zero ? TILE_ZERO : stores ? TILE_STORE : TILE_LOAD;
    return take_sums(tiles, own) && (zero || find_place(tiles, memory, TILE_ROWS, TILE_COLUMNS, 1, &tile->sums));
}

/* An element without its place in the tile. */
static struct element without_tile(struct arena *arena, const struct element *element, void *user)
{
    struct element first = *element;
    const struct affine **index = ARENA_ARRAY(arena, element->array->n_dim + 1, const struct affine *);

    for (int k = 0; k < element->array->n_dim; k++)
        index[k] = element->index[k] ? tiles_first(user, element->index[k]) : NULL;
    first.index = index;
    return first;
}

/* One group of products has no loop: it is a tile by itself, or part of one as large as the others of the step. */
static void take_group(struct tiles *tiles)
{
    const bool part = tiles->groups_step == tiles->step && tiles->groups > 1;

    tiles->size[TILE_GROUPS] = part ? tiles->groups : 1;
    tiles->apart[TILE_GROUPS] = 1;
    tiles->run[TILE_GROUPS] = part ? affine_constant(tiles->arena, 1) : NULL;
}

/* node runs what the loops of the tile ran: their variables are now the numbers of rows, columns and so on. False: an
 * overflow. */
static bool tell_instances(const struct tiles *tiles, struct node *node)
{
    struct arena *arena = tiles->arena;
    struct inner_dim *inner = ARENA_ARRAY(arena, TILE_LOOPS, struct inner_dim);
    const int n = node->statement->n_loop;
    const struct affine **argument = ARENA_ARRAY(arena, n + 1, const struct affine *);
    struct guard *counted = ARENA_NEW(arena, struct guard);

    for (int k = 0; k < n; k++) {
        argument[k] = tiles_numbered(tiles, node->argument[k]);
        if (!argument[k])
            return false;
    }
    node->n_inner = 0;
    for (int k = 0; k < TILE_LOOPS; k++)
        if (tiles->var[k])
            inner[node->n_inner++] = (struct inner_dim){tiles->var[k], tiles->size[k], false};
    *counted = (struct guard){tiles->inside, tiles->n_inside};
    node->argument = argument;
    node->inner = inner;
    node->counted = tiles->n_inside ? counted : NULL;
    return true;
}

static const struct node *tile(struct tiles *tiles, const struct node *assign)
{
    struct matrix_tile *tile = ARENA_NEW(tiles->arena, struct matrix_tile);
    struct node *result = ARENA_NEW(tiles->arena, struct node);
    struct guard *guard = ARENA_NEW(tiles->arena, struct guard);
    const bool product = tiles->var[TILE_PRODUCTS] != NULL;

    if (product && !tiles->var[TILE_GROUPS])
        take_group(tiles);
    tile->rows = (int)tiles->size[TILE_ROWS];
    tile->columns = (int)tiles->size[TILE_COLUMNS];
    tile->groups = (int)tiles->size[TILE_GROUPS];
    if (!tiles->var[TILE_ROWS] || !tiles->var[TILE_COLUMNS] || (tiles->var[TILE_GROUPS] && !product))
        return tiles_refuse(tiles, "a loop of one iteration is none: make it longer, or plan the statement otherwise",
                            "`%s` has not all loops of the tile around it", assign->statement->label);
    if (product ? !multiply(tiles, assign, tile) : !copy(tiles, assign, tile))
        return NULL;
    if (product) {
        tiles->groups = tiles->size[TILE_GROUPS];
        tiles->groups_step = tiles->step;
    }
    *result = *node_map_elements(tiles->arena, assign, without_tile, tiles);
    result->tile = tile;
    if (result->argument && !tell_instances(tiles, result))
        return NULL;
    tiles_must_be(tiles);
    *guard = (struct guard){tiles->outside, tiles->n_outside};
    return tiles->n_outside ? node_if(tiles->arena, guard, 1, result) : result;
}

/* How many iterations the loop has where its tile is full; 0: not a number. The rest of a loop that was cut is part of
 * a tile as large as the others. */
static int64_t full_size(const struct tiles *tiles, const struct node *loop)
{
    int64_t distance;

    if (loop->rest && loop->info->span > 0)
        return (loop->info->span - 1) / loop->step + 1;
    return affine_is_constant(affine_sub(tiles->arena, loop->upper, loop->lower), &distance) ? distance / loop->step + 1
                                                                                             : 0;
}

/* Notes the loop of the tile; false: it is not like that. */
static bool take_loop(struct tiles *tiles, const struct node *loop)
{
    const struct loop_plan *plan = loop->info ? loop->info->plan : NULL;
    const struct condition last = {affine_sub(tiles->arena, loop->upper, affine_var(tiles->arena, loop->var)), false};
    const int which = plan ? plan->tensor - 1 : -1;
    int64_t lower;

    if (which < 0 || loop->threads || loop->step < 1 || full_size(tiles, loop) == 0 ||
        (!loop->rest && (!affine_is_constant(loop->lower, &lower) || lower != 0)))
        return false;
    tiles->var[which] = loop->var;
    tiles->first[which] = loop->lower;
    tiles->unit[which] = loop->step;
    tiles->size[which] = full_size(tiles, loop);
    return !loop->rest || tiles_limit(tiles, &last);
}

/* From a loop of the tile inwards. */
static const struct node *inwards(struct tiles *tiles, const struct node *node)
{
    if (node->kind == NODE_ASSIGN)
        return tile(tiles, node);
    if (node->kind == NODE_IF && node->n_child == 1 && node->n_alternative == 1) {
        for (int k = 0; k < node->alternative[0].n; k++)
            if (!tiles_limit(tiles, &node->alternative[0].condition[k]))
                return NULL;
        return inwards(tiles, node->child[0]);
    }
    if (node->kind != NODE_LOOP || !take_loop(tiles, node))
        return tiles_refuse(
            tiles, "\"assume\" that the sum has whole groups of products",
            "the loops of a tile have no constant lengths, or there is more in them than one statement");
    return inwards(tiles, node->child[0]);
}

static const struct node *begin(struct tiles *tiles, const struct node *node)
{
    for (int k = 0; k < TILE_LOOPS; k++) {
        tiles->var[k] = NULL;
        tiles->size[k] = 0;
        tiles->run[k] = NULL;
    }
    tiles->outside = tiles->inside = NULL;
    tiles->n_outside = tiles->n_inside = 0;
    tiles->step = node->info->plan->tensor_step;
    return inwards(tiles, node);
}

static bool is_tile_loop(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info && node->info->plan && node->info->plan->tensor;
}

/* The step that wants tiles in node, or NULL. */
static const struct step *step_of_tiles(const struct node *node)
{
    const struct step *step = is_tile_loop(node) ? node->info->plan->tensor_step : NULL;

    for (int k = 0; k < node->n_child && !step; k++)
        step = step_of_tiles(node->child[k]);
    return step;
}

/* Refuses tiles in what cannot have them. */
static bool may_have_tiles(struct tiles *tiles, const struct node *node)
{
    const struct loop_plan *plan = node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;
    const struct step *step = (plan && plan->vector) || node->kind == NODE_CALL ? step_of_tiles(node) : NULL;

    if (!step)
        return true;
    tiles->step = step;
    if (plan)
        tiles_refuse(tiles, NULL, "`%s` is to be vectors, and there are tiles in it", node->info->name);
    else
        tiles_refuse(tiles, "choose another \"tail\"", "functions for each remainder cannot have tiles");
    return false;
}

static const struct node *walk(const struct node *node, void *user)
{
    struct tiles *tiles = user;

    if (is_tile_loop(node))
        return begin(tiles, node);
    return may_have_tiles(tiles, node) ? tile_walk_inside(&tiles->site, node, walk, tiles) : NULL;
}

static void find_expr(const struct tree_expr *expr, void *user)
{
    const struct array **found = user;

    if (expr->kind == TREE_LOAD && expr->element.array->in_tiles)
        *found = expr->element.array;
}

/* Refuses statements that use sums in tiles in another way. */
static void check_others(struct tiles *tiles, const struct node *node)
{
    const struct array *found = NULL;

    if (node->kind == NODE_ASSIGN && !node->tile) {
        tree_expr_for_each(node->value, find_expr, &found);
        found = node->target.array->in_tiles ? node->target.array : found;
        if (found)
            tiles_refuse(tiles, "end the cache before it: \"at\" the loop of the sum",
                         "`%s` uses elements of `%s`, which is in registers of tiles", node->statement->label,
                         found->name);
    }
    for (int k = 0; k < node->n_child; k++)
        check_others(tiles, node->child[k]);
}

/* node without conditions that hold in any case: written out, loops have values of which more is known. */
static const struct node *without_known(const struct facts *facts, const struct node *node, void *user)
{
    struct arena *arena = facts->lowering->arena;
    struct guard *guard = ARENA_NEW(arena, struct guard);
    struct condition *open;

    node = descend(facts, node, without_known, user);
    if (!node || node->kind != NODE_IF || node->n_child != 1 || node->n_alternative != 1)
        return node;
    open = ARENA_ARRAY(arena, node->alternative[0].n + 1, struct condition);
    *guard = (struct guard){open, 0};
    for (int k = 0; k < node->alternative[0].n; k++)
        if (!facts_imply_condition(facts, &node->alternative[0].condition[k]))
            open[guard->n++] = node->alternative[0].condition[k];
    return guard->n == node->alternative[0].n ? node
           : guard->n == 0                    ? node->child[0]
                                              : node_if(arena, guard, 1, node->child[0]);
}

/* node without names for coordinates inside of tiles; inside: it is. */
static const struct node *without_names(struct arena *arena, const struct node *node, bool inside)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    inside = inside || is_tile_loop(node);
    if (inside && node->kind == NODE_VALUE)
        return without_names(arena, node_substitute(arena, node->child[0], node->var, node->lower), true);
    for (int k = 0; k < node->n_child; k++)
        child[k] = without_names(arena, node->child[k], inside);
    return node_with_children(arena, node, child);
}

/* The tree with its tiles in registers. */
static const struct node *in_registers(struct tiles *tiles, struct lowering *lowering, const struct node *tree)
{
    const struct facts facts = facts_of_program(lowering);

    tree = tile_unroll(tiles, tree);
    tree = tree ? without_known(&facts, tree, NULL) : NULL;
    tree = tree ? lower_plain(lowering, tree) : NULL;
    tree = tree ? tile_registers(tiles, tree) : NULL;
    return tree ? pending_merged(tiles->arena, tree) : NULL;
}

enum status lower_tiles(struct arena *arena, const struct program *program, struct vars *vars, const struct node *tree,
                        struct diags *diags, const struct node **result)
{
    struct tiles tiles = {.arena = arena,
                          .diags = diags,
                          .simd = simd_by_name(program->target.simd),
                          .site = {.arena = arena, .program = program, .param_var = vars->param}};

    struct lowering lowering = lower_again(arena, program, vars, NULL);

    *result = tree;
    if (!tiles.simd || !tiles.simd->tiles || !step_of_tiles(tree))
        return STATUS_OK;
    tree = lower_plain(&lowering, without_names(arena, tree, false));
    tree = tree ? walk(tree, &tiles) : NULL;
    if (tree)
        check_others(&tiles, tree);
    *result = tree && !tiles.refused ? in_registers(&tiles, &lowering, tree) : NULL;
    return tiles.refused ? STATUS_REFUSED : STATUS_OK;
}
