/* Unit tests of tree/verify.h: values of finished trees keep its rules, and are told when they are broken. */
#include "unit.h"

#include "breaking.h"

#include "program/program.h"
#include "tree/visit.h"

/* What is loaded once has a name. */
static const char halves[] = "{'polynest': 1, 'name': 't', 'params': ['N'], 'arrays': ["
                             "{'name': 'x', 'role': 'in', 'type': 'f32', 'shape': ['N']},"
                             "{'name': 'y', 'role': 'out', 'type': 'f32', 'shape': ['N']}],"
                             "'nests': [{'loops': ['i < N'], 'body': ['y[i] = x[i] * x[i]']}],"
                             "'plan': [{'vectorize': 'i'}], 'target': {'simd': 'avx512'}}";
/* The same elements in groups, and elements that memory tells. */
static const char apart[] =
    "{'polynest': 1, 'name': 't', 'params': ['N'], 'arrays': ["
    "{'name': 'x', 'role': 'in', 'type': 'f32', 'shape': ['2 * N']},"
    "{'name': 'k', 'role': 'in', 'type': 'i32', 'shape': ['N'], 'values': '0 <= k < 2 * N'},"
    "{'name': 'y', 'role': 'out', 'type': 'f32', 'shape': ['2 * N']},"
    "{'name': 'z', 'role': 'out', 'type': 'f32', 'shape': ['N']}],"
    "'nests': [{'loops': ['i < N'], 'body': ['y[2 * i] = x[2 * i]', 'y[2 * i + 1] = x[2 * i + 1]', 'z[i] = "
    "x[k[i]]']}],"
    "'plan': [{'vectorize': 'i'}], 'target': {'simd': 'avx2'}}";
/* Sums of four products in each lane. */
static const char dots[] =
    "{'polynest': 1, 'name': 'f', 'params': ['M', 'N', 'K'], 'assume': ['K mod 4 = 0'], 'arrays': ["
    "{'name': 'A', 'role': 'in', 'type': 'i8', 'shape': ['M', 'K']},"
    "{'name': 'B', 'role': 'in', 'type': 'i8', 'shape': ['K', 'N'],"
    " 'layout': {'order': [1, 0], 'block': {'1': 8, '0': 4}}},"
    "{'name': 'C', 'role': 'inout', 'type': 'i32', 'shape': ['M', 'N']}],"
    "'nests': [{'loops': ['i < M', 'j < N', 'k < K'], 'body': ['C[i, j] += A[i, k] * B[k, j]']}],"
    "'schedule': [{'split': 'i', 'by': 2}, {'split': 'j', 'by': 4}, {'split': 'k', 'by': 4},"
    "{'reorder': ['i', 'j', 'k', 'ii', 'jj', 'kk']}],"
    "'plan': [{'cache': 'C', 'at': 'k', 'as': 'acc', 'memory': 'register'},"
    "{'kernelize': {'unroll': ['ii'], 'vectorize': 'jj'}}, {'tensorize': ['jj', 'kk']}], 'target': {'simd': 'neon'}}";
/* Tiles in a CPU's registers. */
static const char tiles[] =
    "{'polynest': 1, 'name': 'q', 'params': ['M', 'N', 'K'], 'assume': ['K mod 4 = 0'], 'arrays': ["
    "{'name': 'A', 'role': 'in', 'type': 'u8', 'shape': ['M', 'K']},"
    "{'name': 'B', 'role': 'in', 'type': 'i8', 'shape': ['K', 'N'],"
    " 'layout': {'order': [1, 0], 'block': {'1': 16, '0': 4}}},"
    "{'name': 'C', 'role': 'inout', 'type': 'i32', 'shape': ['M', 'N']}],"
    "'nests': [{'loops': ['i < M', 'j < N', 'k < K'], 'body': ['C[i, j] += A[i, k] * B[k, j]']}],"
    "'schedule': [{'split': 'i', 'by': 16}, {'split': 'j', 'by': 16}, {'split': 'k', 'by': 64},"
    "{'split': 'kk', 'by': 4, 'as': 'q'}, {'reorder': ['i', 'j', 'k', 'ii', 'jj', 'kk', 'q']}],"
    "'plan': [{'cache': 'C', 'at': 'k', 'as': 'acc', 'memory': 'register'}, {'tensorize': ['ii', 'jj', 'kk', 'q']}],"
    "'target': {'simd': 'amx'}}";
/* Tiles of a warp. */
static const char tensors[] =
    "{'polynest': 1, 'name': 'h', 'params': ['M', 'N', 'K'], 'permit': ['reassociate', 'approximate'],"
    "'assume': ['M % 16 = 0', 'N % 16 = 0', 'K % 16 = 0', 'M >= 0'], 'arrays': ["
    "{'name': 'A', 'role': 'in', 'type': 'f16', 'shape': ['M', 'K'], 'align': 32},"
    "{'name': 'B', 'role': 'in', 'type': 'f16', 'shape': ['K', 'N'], 'align': 32},"
    "{'name': 'C', 'role': 'inout', 'type': 'f32', 'shape': ['M', 'N'], 'align': 32}],"
    "'nests': [{'loops': ['i < M', 'j < N', 'k < K'], 'body': ['C[i, j] += f32(A[i, k]) * f32(B[k, j])']}],"
    "'schedule': [{'tile': {'i': 16, 'j': 16, 'k': 16}}, {'reorder': ['i', 'j', 'k', 'ii', 'jj', 'kk']}],"
    "'plan': [{'bind': {'i': 'block.y', 'j': 'block.x'}},"
    "{'cache': 'C', 'at': 'k', 'as': 'acc', 'memory': 'register'}, {'tensorize': ['ii', 'jj', 'kk']}],"
    "'target': {'language': 'cuda'}}";

/* Numbers of lanes that get a name. */
static const char named[] = "{'polynest': 1, 'name': 't', 'params': ['N'], 'arrays': ["
                            "{'name': 'x', 'role': 'in', 'type': 'i32', 'shape': ['N']},"
                            "{'name': 'y', 'role': 'out', 'type': 'i32', 'shape': ['N']}],"
                            "'nests': [{'loops': ['i < N'], 'body': ['y[i] = 7 * i + 3']}],"
                            "'plan': [{'vectorize': 'i'}], 'target': {'simd': 'avx2'}}";

static bool widen_load(struct arena *arena, struct tree_expr *expr)
{
    (void)arena;
    if (expr->kind != TREE_LOAD || expr->type != TYPE_F32)
        return false;
    expr->type = TYPE_F64;
    return true;
}

static const struct node *load_other_type(struct arena *arena, const struct node *node)
{
    return with_value(arena, node, widen_load);
}

static bool lose_cast(struct arena *arena, struct tree_expr *expr)
{
    (void)arena;
    if (expr->kind != TREE_CAST)
        return false;
    *expr = *expr->arg[0];
    return true;
}

static const struct node *lose_conversion(struct arena *arena, const struct node *node)
{
    return with_value(arena, node, lose_cast);
}

static bool is_masked_choice(const struct tree_expr *expr)
{
    return expr->kind == TREE_SELECT && !tree_expr_uniform(expr->arg[0]);
}

static bool turn_choice(struct arena *arena, struct tree_expr *expr)
{
    const struct tree_expr **arg = ARENA_ARRAY(arena, 3, const struct tree_expr *);

    if (!is_masked_choice(expr))
        return false;
    arg[0] = expr->arg[1];
    arg[1] = expr->arg[0];
    arg[2] = expr->arg[2];
    expr->arg = arg;
    return true;
}

static const struct node *choose_by_value(struct arena *arena, const struct node *node)
{
    return with_value(arena, node, turn_choice);
}

static bool grow_number(struct arena *arena, struct tree_expr *expr)
{
    (void)arena;
    if (expr->kind != TREE_RAMP)
        return false;
    expr->type = TYPE_F32;
    return true;
}

static const struct node *number_lanes_by_floats(struct arena *arena, const struct node *node)
{
    return with_value(arena, node, grow_number);
}

/* A node that has a mask for so many lanes as that has, but one less. */
static const struct node *halve_lanes(struct arena *arena, const struct node *node)
{
    struct vector vector;

    if (node->kind != NODE_ASSIGN || !node->vector || !node->vector->mask)
        return NULL;
    vector = *node->vector;
    vector.lanes /= 2;
    return with_vector(arena, node, vector);
}

static const struct node *lose_lanes(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    copy->vector = NULL;
    return node->kind == NODE_ASSIGN && node->vector && !node->vector->sum ? copy : NULL;
}

static const struct node *count_others(struct arena *arena, const struct node *node)
{
    struct vector vector;

    if (node->kind != NODE_ASSIGN || !node->vector || !node->vector->mask)
        return NULL;
    vector = *node->vector;
    vector.count = affine_add_constant(arena, vector.count, 1);
    return with_vector(arena, node, vector);
}

/* Lanes that are not active are stored. */
static const struct node *store_loosely(struct arena *arena, const struct node *node)
{
    struct vector vector;

    if (node->kind != NODE_ASSIGN || !node->vector || !node->vector->count || node->vector->sum)
        return NULL;
    vector = *node->vector;
    vector.loose = true;
    return with_vector(arena, node, vector);
}

/* A group of which not all lanes are active. */
static const struct node *store_part_of_groups(struct arena *arena, const struct node *node)
{
    struct vector vector;

    if (node->kind != NODE_ASSIGN || node->target.parts == 0)
        return NULL;
    vector = *node->vector;
    vector.count = affine_constant(arena, vector.lanes - 1);
    return with_vector(arena, node, vector);
}

static const struct node *forget_lane(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct inner_dim *inner = ARENA_NEW(arena, struct inner_dim);

    if (node->n_inner != 1 || !node->vector)
        return NULL;
    *inner = node->inner[0];
    inner->lane = false;
    copy->inner = inner;
    return copy;
}

static bool shorten_total(struct arena *arena, struct tree_expr *expr)
{
    (void)arena;
    if (expr->kind != TREE_TOTAL)
        return false;
    expr->integer /= 2;
    return true;
}

static const struct node *sum_up_half(struct arena *arena, const struct node *node)
{
    return with_value(arena, node, shorten_total);
}

static const struct node *write_one_element(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    copy->target.lane_step = 0;
    return node->kind == NODE_ASSIGN && node->vector && node->target.lane_step == 1 ? copy : NULL;
}

static const struct node *lose_member(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct tree_expr *parts = ARENA_NEW(arena, struct tree_expr);

    if (node->kind != NODE_ASSIGN || node->value->kind != TREE_PARTS)
        return NULL;
    *parts = *node->value;
    parts->n_arg--;
    copy->value = parts;
    return copy;
}

static bool shorten_group(struct arena *arena, struct tree_expr *expr)
{
    (void)arena;
    if (expr->kind != TREE_LOAD || expr->element.parts == 0)
        return false;
    expr->element.lane_step = 1;
    return true;
}

static const struct node *lose_group(struct arena *arena, const struct node *node)
{
    return with_value(arena, node, shorten_group);
}

static bool float_distance(struct arena *arena, struct tree_expr *expr)
{
    const struct tree_expr **arg = ARENA_ARRAY(arena, 1, const struct tree_expr *);

    if (expr->kind != TREE_LOAD || expr->n_arg == 0)
        return false;
    arg[0] = tree_expr_cast(arena, TYPE_F32, expr->arg[0]);
    expr->arg = arg;
    return true;
}

static const struct node *tell_by_floats(struct arena *arena, const struct node *node)
{
    return with_value(arena, node, float_distance);
}

static bool shorten_neighbours(struct arena *arena, struct tree_expr *expr)
{
    (void)arena;
    if (expr->kind != TREE_LOAD || expr->integer == 0)
        return false;
    expr->integer /= 2;
    return true;
}

static const struct node *load_fewer(struct arena *arena, const struct node *node)
{
    return with_value(arena, node, shorten_neighbours);
}

static bool swap_factors(struct arena *arena, struct tree_expr *expr)
{
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);

    if (expr->kind != TREE_DOT)
        return false;
    arg[0] = arg[1] = tree_expr_integer(arena, TYPE_I32, 0);
    expr->arg = arg;
    return true;
}

static const struct node *multiply_numbers(struct arena *arena, const struct node *node)
{
    return with_value(arena, node, swap_factors);
}

static const struct node *turn_factors(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct matrix_tile *tile = ARENA_NEW(arena, struct matrix_tile);

    if (node->kind != NODE_ASSIGN || !node->tile || node->tile->kind != TILE_MULTIPLY)
        return NULL;
    *tile = *node->tile;
    tile->swapped = !tile->swapped;
    copy->tile = tile;
    return copy;
}

static const struct node *take_other_register(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct matrix_tile *tile = ARENA_NEW(arena, struct matrix_tile);

    if (node->kind != NODE_ASSIGN || !node->tile)
        return NULL;
    *tile = *node->tile;
    tile->sums.number = TILE_REGISTERS;
    copy->tile = tile;
    return copy;
}

static const struct node *halve_tile(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct matrix_tile *tile = ARENA_NEW(arena, struct matrix_tile);

    if (node->kind != NODE_ASSIGN || !node->tile || node->tile->kind != TILE_MULTIPLY)
        return NULL;
    *tile = *node->tile;
    tile->groups /= 2;
    copy->tile = tile;
    return copy;
}

static const struct node *lose_shape(struct arena *arena, const struct node *node)
{
    (void)arena;
    return node->kind == NODE_TILES ? node->child[0] : NULL;
}

static const struct node *other_tensor(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct tensor *tensor = ARENA_NEW(arena, struct tensor);

    if (node->kind != NODE_ASSIGN || !node->tensor)
        return NULL;
    *tensor = *node->tensor;
    tensor->m *= 2;
    copy->tensor = tensor;
    return copy;
}

/* The value of a name stands where the name stood. */
static const struct node *forget_name(struct arena *arena, const struct node *node)
{
    const struct node *inside = node->kind == NODE_LET ? node->child[0] : NULL;
    struct node *copy;

    if (!inside || inside->kind != NODE_ASSIGN || inside->value->kind != TREE_NAMED || inside->value->var != node->var)
        return NULL;
    copy = copy_of(arena, inside);
    copy->value = node->value;
    return node_with_child(arena, node, 0, copy);
}

/* All lanes run the instance of the first one. */
static const struct node *run_one_instance(struct arena *arena, const struct node *node)
{
    struct node *copy;

    if (node->n_inner == 0 || !node->argument)
        return NULL;
    copy = copy_of(arena, node);
    const struct affine **argument = ARENA_ARRAY(arena, node->statement->n_loop + 1, const struct affine *);
    for (int k = 0; k < node->statement->n_loop; k++)
        argument[k] = affine_substitute(arena, node->argument[k], node->inner[0].var, affine_constant(arena, 0));
    copy->argument = argument;
    return copy;
}

static bool is_loaded(const struct node *let)
{
    return let->kind == NODE_LET && let->vector && let->declares == DECLARE_NOTHING && let->value->kind == TREE_LOAD &&
           let->value->element.lane_step == 1;
}

/* What is loaded under a mask is loaded without one. */
static const struct node *load_all_lanes(struct arena *arena, const struct node *node)
{
    struct vector vector;

    if (!is_loaded(node) || !node->vector->count)
        return NULL;
    vector = *node->vector;
    vector.count = NULL;
    vector.mask = NULL;
    return with_vector(arena, node, vector);
}

static const struct node *load_some_lanes(struct arena *arena, const struct node *node)
{
    struct vector vector;

    if (!is_loaded(node) || node->vector->count)
        return NULL;
    vector = *node->vector;
    vector.count = affine_constant(arena, vector.lanes - 1);
    return with_vector(arena, node, vector);
}

static const struct node *store_for_nobody(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    if (node->kind != NODE_ASSIGN || !node->vector || node->vector->sum || node->vector->count)
        return NULL;
    copy->argument = NULL;
    copy->inner = NULL;
    copy->n_inner = 0;
    return copy;
}

START_TEST(types)
{
    expect_told(breaking_mixed, load_other_type, "another type");
    expect_told(breaking_mixed, lose_conversion, "type");
    expect_told(breaking_mixed, number_lanes_by_floats, "numbers of lanes are no integers");
}
END_TEST

START_TEST(masks)
{
    expect_told(breaking_mixed, choose_by_value, "a condition in lanes is no mask");
    expect_told(breaking_mixed, halve_lanes, "lanes");
    expect_told(breaking_mixed, store_loosely, "lanes that are not active are stored");
    expect_told(apart, store_part_of_groups, "a part of a vector is stored as a whole");
    expect_told(breaking_mixed, forget_lane, "does not tell its lanes' instances");
    expect_told(breaking_mixed, count_others, "a mask stands for other lanes");
    expect_told(halves, load_all_lanes, "is loaded in lanes that no iteration has");
    expect_told(halves, load_some_lanes, "is loaded in fewer lanes than are used");
    expect_told(breaking_mixed, store_for_nobody, "tells no instances of its lanes");
}
END_TEST

START_TEST(lanes)
{
    expect_told(breaking_mixed, lose_lanes, "lanes");
    expect_told(breaking_mixed, sum_up_half, "is no vector of these lanes");
    expect_told(breaking_mixed, write_one_element, "all lanes of a vector write one element");
    expect_told(apart, tell_by_floats, "a subscript is no integer");
    expect_told(apart, lose_member, "members of a group");
    expect_told(apart, lose_group, "as many members as its lanes are apart");
}
END_TEST

START_TEST(products)
{
    expect_told(dots, load_fewer, "neighbours");
    expect_told(dots, multiply_numbers, "factors are not those of their instruction");
    expect_told(tiles, turn_factors, "an instruction of other types");
    expect_told(tiles, take_other_register, "not so many registers");
    expect_told(tiles, lose_shape, "registers for tiles have no shape");
    expect_told(tiles, halve_tile, "another shape than its tile");
    expect_told(tensors, other_tensor, "tile");
}
END_TEST

START_TEST(dead_variables)
{
    expect_told(breaking_mixed, run_one_instance, "tells no instances apart");
    expect_told(named, forget_name, "is a name that nothing uses");
}
END_TEST

UNIT_MAIN("verify", types, masks, lanes, products, dead_variables)
