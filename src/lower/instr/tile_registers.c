#include "lower/instr/tile_registers.h"

#include "tree/layout.h"
#include "tree/visit.h"

#include <string.h>

enum { TILE_WORD = 4 }; /* bytes of a sum, and of a group of products */

/* What a register holds. */
struct held {
    int rows, bytes;            /* its shape, once it has one */
    bool sums;                  /* an array that lives here has it */
    const struct node *product; /* the factor of this one; NULL: none */
    int factor;
    int used; /* when, last */
};

/* An array of tiles of sums, in registers from number first on. */
struct sums {
    const struct array *array;
    int first;
};

struct registers {
    struct tiles *tiles;
    struct held held[TILE_REGISTERS];
    VEC(struct sums) sums;
    int now;
};

static bool is_shape(const struct held *held, int rows, int bytes)
{
    return held->rows == 0 || (held->rows == rows && held->bytes == bytes);
}

static void shape_of(const struct matrix_tile *tile, int factor, int *rows, int *bytes)
{
    *rows = factor == 1 ? tile->groups : tile->rows;
    *bytes = TILE_WORD * (factor == 0 ? tile->groups : tile->columns);
}

/* How many tiles the array has; 0: not a number. */
static int64_t tiles_of(const struct tiles *tiles, const struct array *array)
{
    const struct scope scope = {tiles->site.program, tiles->site.param_var, NULL};
    int64_t n = 1, extent;

    for (int k = 0; k < array->n_dim - 2; k++) {
        const struct affine *all = NULL;
        if (!affine_from_expr(tiles->arena, &scope, array->shape[k], &all) || !all || !affine_is_constant(all, &extent))
            return 0;
        n *= extent;
    }
    return n;
}

static bool is_free(const struct registers *registers, int first, int64_t n, int rows, int bytes)
{
    if (n > TILE_REGISTERS - first)
        return false;
    for (int k = first; k < first + n; k++)
        if (registers->held[k].sums || !is_shape(&registers->held[k], rows, bytes))
            return false;
    return true;
}

static bool refuse_number(struct registers *registers, const struct array *array, int64_t n)
{
    struct tiles *tiles = registers->tiles;

    tiles_refuse(tiles, "split the loops around the tile by less: 32 x 32 sums are four tiles of 16 x 16",
                 "`%s` has %d tiles: there are %d registers, and two have to be left for factors", array->name, (int)n,
                 tiles->simd->tiles->number);
    return false;
}

static bool refuse_shape(struct registers *registers, const struct array *array)
{
    tiles_refuse(registers->tiles, "split the loops around the tile by less, or all into tiles of one size",
                 "no register is left for the tiles of `%s`", array->name);
    return false;
}

/* Registers for the tiles of an array, until it is given up. */
static bool take_array(struct registers *registers, const struct array *array, const struct matrix_tile *tile)
{
    const int64_t n = tiles_of(registers->tiles, array);
    int rows, bytes, first = 0;

    shape_of(tile, -1, &rows, &bytes);
    while (first < TILE_REGISTERS - 2 && !is_free(registers, first, n, rows, bytes))
        first++;
    if (n == 0 || n > TILE_REGISTERS - 2)
        return refuse_number(registers, array, n);
    if (first + n > TILE_REGISTERS - 2)
        return refuse_shape(registers, array);
    for (int k = first; k < first + n; k++)
        registers->held[k] = (struct held){.rows = rows, .bytes = bytes, .sums = true};
    VEC_PUSH(registers->tiles->arena, &registers->sums, ((struct sums){array, first}));
    return true;
}

static void give_up(struct registers *registers, int n_sums)
{
    while (registers->sums.n > n_sums) {
        const struct sums *sums = &registers->sums.at[--registers->sums.n];
        const int64_t n = tiles_of(registers->tiles, sums->array);
        for (int k = sums->first; k < sums->first + n; k++)
            registers->held[k].sums = false;
    }
}

static const struct sums *find_sums(const struct registers *registers, const struct array *array)
{
    for (int k = 0; k < registers->sums.n; k++)
        if (registers->sums.at[k].array == array)
            return &registers->sums.at[k];
    return NULL;
}

/* The register of the assignment's sums; -1 after a refusal. */
static int number_of(struct registers *registers, const struct node *assign)
{
    struct tiles *tiles = registers->tiles;
    const struct element *element = tile_sums(assign);
    const struct scope scope = {tiles->site.program, tiles->site.param_var, NULL};
    const struct sums *sums = find_sums(registers, element->array);
    int64_t number = 0, extent, index;

    for (int k = 0; k < element->array->n_dim - 2; k++) {
        const struct affine *all = NULL;
        affine_from_expr(tiles->arena, &scope, element->array->shape[k], &all);
        if (!affine_is_constant(all, &extent) || !affine_is_constant(element->index[k], &index))
            return tiles_refuse(tiles, "registers have no subscripts: `unroll` these loops",
                                "which tile of `%s` is meant is not known before the program runs",
                                element->array->name),
                   -1;
        number = number * extent + index;
    }
    return sums->first + (int)number;
}

static bool same(const struct affine *a, const struct affine *b)
{
    return a == b || (a && b && affine_equal(a, b));
}

/* Does the register hold this factor? */
static bool holds(const struct held *held, const struct node *assign, int factor)
{
    const struct tile_place *place = &assign->tile->factor[factor], *other;

    if (!held->product || held->factor != factor)
        return false;
    other = &held->product->tile->factor[factor];
    return element_equal(tile_factor(assign, factor), tile_factor(held->product, factor)) &&
           same(place->rows, other->rows) && same(place->bytes, other->bytes);
}

/* A register for a factor: one that is free, else the one that was used longest ago; -1: there is none. besides:
 * another one that must stay. */
static int choose(const struct registers *registers, int rows, int bytes, int besides)
{
    int best = -1;

    for (int k = 0; k < TILE_REGISTERS; k++) {
        const struct held *held = &registers->held[k];
        if (held->sums || k == besides || !is_shape(held, rows, bytes))
            continue;
        if (best < 0 || (registers->held[best].product && (!held->product || held->used < registers->held[best].used)))
            best = k;
    }
    return best;
}

static bool take_factor(struct registers *registers, const struct node *assign, struct matrix_tile *tile, int factor)
{
    const int besides = factor == 1 ? tile->factor[0].number : -1;
    struct tile_place *place = &tile->factor[factor];
    int rows, bytes, number = -1;

    shape_of(tile, factor, &rows, &bytes);
    for (int k = 0; k < TILE_REGISTERS; k++)
        if (!registers->held[k].sums && holds(&registers->held[k], assign, factor))
            number = k;
    place->stays = number >= 0;
    if (!place->stays)
        number = choose(registers, rows, bytes, besides);
    if (number < 0)
        return refuse_shape(registers, tile_factor(assign, factor)->array);
    registers->held[number] =
        (struct held){.rows = rows, .bytes = bytes, .product = assign, .factor = factor, .used = ++registers->now};
    place->number = number;
    return true;
}

static void forget(struct registers *registers)
{
    for (int k = 0; k < TILE_REGISTERS; k++)
        registers->held[k].product = NULL;
}

static const struct node *number(struct registers *registers, const struct node *assign)
{
    struct matrix_tile *tile = ARENA_NEW(registers->tiles->arena, struct matrix_tile);
    struct node *copy = ARENA_NEW(registers->tiles->arena, struct node);

    if (!assign->tile || assign->tile->kind == TILE_STORE)
        forget(registers);
    if (!assign->tile)
        return assign;
    *tile = *assign->tile;
    *copy = *assign;
    copy->tile = tile;
    tile->sums.number = number_of(registers, assign);
    if (tile->sums.number < 0)
        return NULL;
    for (int k = 0; k < 2 && tile->kind == TILE_MULTIPLY; k++)
        if (!take_factor(registers, assign, tile, k))
            return NULL;
    return copy;
}

struct tile_search {
    const struct array *array;
    const struct matrix_tile *found;
};

static void find_tile(const struct node *node, void *user)
{
    struct tile_search *search = user;

    if (node->tile && tile_sums(node)->array == search->array)
        search->found = node->tile;
}

/* A tile of the array in node, or NULL. */
static const struct matrix_tile *tile_of(const struct node *node, const struct array *array)
{
    struct tile_search search = {array, NULL};

    node_for_each(node, find_tile, &search);
    return search.found;
}

/* The arrays of a list that are not in tiles; those that are, and live in node, get registers. False after a
 * refusal. */
static bool take_list(struct registers *registers, const struct node *node, const struct array *const **list, int *n)
{
    const struct array **left = ARENA_ARRAY(registers->tiles->arena, *n + 1, const struct array *);
    int n_left = 0;

    for (int k = 0; k < *n; k++) {
        const struct array *array = (*list)[k];
        const struct matrix_tile *tile = array->in_tiles && !find_sums(registers, array) ? tile_of(node, array) : NULL;
        if (!array->in_tiles)
            left[n_left++] = array;
        else if (tile && !take_array(registers, array, tile))
            return false;
    }
    *list = left;
    *n = n_left;
    return true;
}

static const struct node *walk(struct registers *registers, const struct node *node);

/* What one branch loads is not there behind it. */
static const struct node *walk_if(struct registers *registers, const struct node *node)
{
    struct held before[TILE_REGISTERS];
    bool stays[TILE_REGISTERS];
    const struct node **child = ARENA_ARRAY(registers->tiles->arena, node->n_child, const struct node *);

    memcpy(before, registers->held, sizeof before);
    for (int r = 0; r < TILE_REGISTERS; r++)
        stays[r] = true;
    for (int k = 0; k < node->n_child; k++) {
        for (int r = 0; r < TILE_REGISTERS; r++) {
            registers->held[r].product = before[r].product;
            registers->held[r].factor = before[r].factor;
        }
        child[k] = walk(registers, node->child[k]);
        if (!child[k])
            return NULL;
        for (int r = 0; r < TILE_REGISTERS; r++)
            stays[r] = stays[r] && registers->held[r].product == before[r].product;
    }
    for (int r = 0; r < TILE_REGISTERS; r++)
        if (!stays[r])
            registers->held[r].product = NULL;
    return node_with_children(registers->tiles->arena, node, child);
}

static const struct node *walk_inside(struct registers *registers, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(registers->tiles->arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++) {
        if (node->kind != NODE_BLOCK)
            forget(registers);
        child[k] = walk(registers, node->child[k]);
        if (!child[k])
            return NULL;
    }
    if (node->kind != NODE_BLOCK)
        forget(registers);
    return node_with_children(registers->tiles->arena, node, child);
}

static const struct node *walk(struct registers *registers, const struct node *node)
{
    struct node *copy = ARENA_NEW(registers->tiles->arena, struct node);
    const int n_sums = registers->sums.n;

    *copy = *node;
    if (!take_list(registers, node, &copy->own, &copy->n_own) ||
        !take_list(registers, node, &copy->local, &copy->n_local))
        return NULL;
    node = node->kind == NODE_ASSIGN ? number(registers, copy)
           : node->kind == NODE_IF   ? walk_if(registers, copy)
                                     : walk_inside(registers, copy);
    give_up(registers, n_sums);
    return node;
}

static void find_local(const struct node *node, void *user)
{
    const struct array **array = user;

    for (int k = 0; k < node->n_local + node->n_own; k++)
        if ((k < node->n_local ? node->local[k] : node->own[k - node->n_local]) == *array)
            *array = NULL;
}

/* Registers for arrays that live in all of the function. */
static bool take_others(struct registers *registers, const struct node *tree)
{
    const struct program *program = registers->tiles->site.program;

    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        const struct matrix_tile *tile = array->in_tiles ? tile_of(tree, array) : NULL;
        if (tile)
            node_for_each(tree, find_local, &array);
        if (tile && array && !take_array(registers, array, tile))
            return false;
    }
    return true;
}

const struct node *tile_registers(struct tiles *tiles, const struct node *tree)
{
    struct registers registers = {.tiles = tiles};

    return take_others(&registers, tree) ? walk(&registers, tree) : NULL;
}

static void add_register(struct tile_shape *shape, const struct tile_place *place, int rows, int words)
{
    if (shape->n <= place->number)
        shape->n = place->number + 1;
    shape->rows[place->number] = rows;
    shape->bytes[place->number] = TILE_WORD * words;
    shape->parts |= place->rows != NULL;
}

static void add_shape(const struct node *node, void *user)
{
    struct tile_shape *shape = user;
    const struct matrix_tile *tile = node->tile;

    if (!tile)
        return;
    add_register(shape, &tile->sums, tile->rows, tile->columns);
    if (tile->kind != TILE_MULTIPLY)
        return;
    add_register(shape, &tile->factor[0], tile->rows, tile->groups);
    add_register(shape, &tile->factor[1], tile->groups, tile->columns);
}

struct tile_shape tile_shape_of(const struct node *node)
{
    struct tile_shape shape = {0};

    node_for_each(node, add_shape, &shape);
    return shape;
}
