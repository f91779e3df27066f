/* Unit tests of tree/verify.h: finished trees keep its rules, and are told when they are broken. Every test compiles a
 * description and breaks its tree in one way, at one place after the other. */
#include "unit.h"

#include "api/compile.h"
#include "base/text.h"
#include "program/program.h"
#include "tree/verify.h"
#include "tree/visit.h"

#include <string.h>

/* How nodes are broken: NULL where the node has nothing of that kind. */
typedef const struct node *breaking(struct arena *arena, const struct node *node);
/* The same of a copy of an expression; false: it is none of that kind. */
typedef bool breaking_expr(struct arena *arena, struct tree_expr *expr);

static struct node *copy_of(struct arena *arena, const struct node *node)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *node;
    return copy;
}

/* expr with the first part broken for which way has something; NULL: there is none. */
static const struct tree_expr *broken_expr(struct arena *arena, const struct tree_expr *expr, breaking_expr *way)
{
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);
    const struct tree_expr **arg = ARENA_ARRAY(arena, expr->n_arg + 1, const struct tree_expr *);

    *copy = *expr;
    if (way(arena, copy))
        return copy;
    for (int k = 0; k < expr->n_arg; k++)
        arg[k] = expr->arg[k];
    copy->arg = arg;
    for (int k = 0; k < expr->n_arg; k++) {
        arg[k] = broken_expr(arena, expr->arg[k], way);
        if (arg[k])
            return copy;
        arg[k] = expr->arg[k];
    }
    return NULL;
}

static const struct node *with_value(struct arena *arena, const struct node *node, breaking_expr *way)
{
    struct node *copy = copy_of(arena, node);

    copy->value = node->value ? broken_expr(arena, node->value, way) : NULL;
    return copy->value ? copy : NULL;
}

static const struct node *with_vector(struct arena *arena, const struct node *node, struct vector vector)
{
    struct node *copy = copy_of(arena, node);
    struct vector *other = ARENA_NEW(arena, struct vector);

    *other = vector;
    copy->vector = other;
    return copy;
}

/* node with the place number *place broken; *place counts down to -1 there. */
static const struct node *broken(struct arena *arena, const struct node *node, breaking *way, int *place)
{
    const struct node *other = way(arena, node);

    if (other && (*place)-- == 0)
        return other;
    for (int k = 0; k < node->n_child && *place >= 0; k++) {
        const struct node *child = broken(arena, node->child[k], way, place);
        if (*place < 0)
            return node_with_child(arena, node, k, child);
    }
    return node;
}

struct trial {
    breaking *way;
    const char *told;
    int places;
};

static void expect_verified(const struct finished *finished, const struct node *tree, const char *told)
{
    struct vars vars = *finished->vars;

    vars.broken = NULL;
    tree = tree_verified(&vars, ~0u, "test", tree);
    ck_assert_msg(!tree == (told != NULL), "%s", vars.broken ? vars.broken : told);
    ck_assert_msg(!told || strstr(vars.broken, told), "%s", vars.broken);
}

static void look(const struct finished *finished, void *user)
{
    struct trial *trial = user;
    struct arena *arena = arena_new();
    int left = -1;

    expect_verified(finished, finished->tree, NULL);
    for (trial->places = 0; left < 0; trial->places += left < 0) {
        left = trial->places;
        const struct node *tree = broken(arena, finished->tree, trial->way, &left);
        if (left < 0)
            expect_verified(finished, tree, trial->told);
    }
    arena_free(arena);
}

/* The finished tree of the description, with ' for ", is shown to see, which breaks it. */
static void expect_broken(const char *description, void (*see)(const struct finished *, void *), struct trial trial)
{
    struct text text = {0};
    struct polynest *p;

    text_add(&text, description);
    for (size_t k = 0; k < text.size; k++)
        text.data[k] = text.data[k] == '\'' ? '"' : text.data[k];
    p = polynest_new("t.json", text.data, text.size);
    p->see = see;
    p->see_user = &trial;
    ck_assert_msg(polynest_check(p) == POLYNEST_OK, "%s", polynest_diagnostics(p));
    ck_assert_msg(trial.places > 0, "there is no place for: %s", trial.told);
    polynest_free(p);
    text_free(&text);
}

/* All places at which the description's tree can be broken in this way are told. */
static void expect_told(const char *description, breaking *way, const char *told)
{
    expect_broken(description, look, (struct trial){way, told, 0});
}

/* Choices and conversions in lanes, with masks, and a sum. */
static const char mixed[] =
    "{'polynest': 1, 'name': 't', 'params': ['N'], 'permit': ['reassociate'], 'arrays': ["
    "{'name': 'x', 'role': 'in', 'type': 'f32', 'shape': ['N']},"
    "{'name': 'b', 'role': 'in', 'type': 'i32', 'shape': ['N']},"
    "{'name': 'y', 'role': 'out', 'type': 'f32', 'shape': ['N']},"
    "{'name': 's', 'role': 'inout', 'type': 'f32', 'shape': []}],"
    "'nests': [{'loops': ['i < N'], 'body': ['y[i] = x[i] > 1.5 ? f32(b[i]) + x[i] : f32(i)', 's += x[i]']}],"
    "'plan': [{'vectorize': 'i'}], 'target': {'simd': 'avx2'}}";
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

/* Factors in shared memory, one of them copied asynchronously, and partial blocks. */
static const char device[] =
    "{'polynest': 1, 'name': 't', 'params': ['M', 'N', 'K'], 'arrays': ["
    "{'name': 'A', 'role': 'in', 'type': 'f32', 'shape': ['M', 'K']},"
    "{'name': 'B', 'role': 'in', 'type': 'f32', 'shape': ['K', 'N']},"
    "{'name': 'C', 'role': 'inout', 'type': 'f32', 'shape': ['M', 'N']}],"
    "'nests': [{'loops': ['i < M', 'j < N', 'k < K'], 'body': ['C[i, j] += A[i, k] * B[k, j]']}],"
    "'schedule': [{'tile': {'i': 4, 'j': 4, 'k': 4}}, {'reorder': ['i', 'j', 'k', 'ii', 'jj', 'kk']}],"
    "'plan': [{'bind': {'i': 'block.y', 'j': 'block.x', 'ii': 'thread.y', 'jj': 'thread.x'}},"
    "{'cache': 'A', 'at': 'ii', 'memory': 'shared', 'double_buffer': true, 'async': true},"
    "{'cache': 'B', 'at': 'ii', 'memory': 'shared'}], 'target': {'language': 'cuda'}}";
/* Two loops in threads, which share a region. */
static const char threads[] =
    "{'polynest': 1, 'name': 't', 'params': ['N'], 'arrays': ["
    "{'name': 'x', 'role': 'in', 'type': 'f64', 'shape': ['N']},"
    "{'name': 'y', 'role': 'out', 'type': 'f64', 'shape': ['N']},"
    "{'name': 'z', 'role': 'out', 'type': 'f64', 'shape': ['N']}],"
    "'nests': [{'loops': ['i < N'], 'body': ['y[i] = x[i] * x[i]']},"
    "{'loops': ['i < N'], 'body': ['z[i] = y[N - 1 - i]']}],"
    "'plan': [{'parallelize': ['n0.i']}, {'parallelize': ['n1.i']}], 'target': {'openmp': true}}";
/* A variable of each iteration. */
static const char variable[] = "{'polynest': 1, 'name': 't', 'params': ['N'], 'arrays': ["
                               "{'name': 'x', 'role': 'in', 'type': 'f64', 'shape': ['N']},"
                               "{'name': 'v', 'role': 'temp', 'type': 'f64', 'shape': []},"
                               "{'name': 'z', 'role': 'out', 'type': 'f64', 'shape': ['N']}],"
                               "'nests': [{'loops': ['i < N'], 'body': ['v = x[N - 1 - i]', 'z[i] = v * v']}]}";
/* A function for each remainder. */
static const char cases[] = "{'polynest': 1, 'name': 't', 'params': ['M', 'N'], 'arrays': ["
                            "{'name': 'x', 'role': 'inout', 'type': 'f32', 'shape': ['M', 'N']}],"
                            "'nests': [{'loops': ['i < M', 'j < N'], 'body': ['x[i, j] = x[i, j] + 1.0']}],"
                            "'schedule': [{'split': 'i', 'by': 4, 'tail': 'cases'}]}";

/* Threads that get the value of a loop around. */
static const char around[] = "{'polynest': 1, 'name': 't', 'params': ['M', 'N'], 'arrays': ["
                             "{'name': 'x', 'role': 'in', 'type': 'f32', 'shape': ['M']},"
                             "{'name': 'y', 'role': 'inout', 'type': 'f32', 'shape': ['N', 'M']}],"
                             "'nests': [{'loops': ['t < M', 'i < N', 'j < M'], 'body': ['y[i, j] += x[t]']}],"
                             "'plan': [{'parallelize': ['i'], 'alone': true}], 'target': {'openmp': true}}";

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

static const struct node *leave_kernel(struct arena *arena, const struct node *node)
{
    (void)arena;
    return node->kind == NODE_KERNEL ? node->child[0] : NULL;
}

/* Barriers beside a condition stand under it. */
static const struct node *divide_threads(struct arena *arena, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *), *condition = NULL;
    bool found = false;

    for (int k = 0; k < node->n_child && node->kind == NODE_BLOCK; k++)
        condition = node->child[k]->kind == NODE_IF ? node->child[k] : condition;
    for (int k = 0; k < node->n_child && condition; k++) {
        const bool barrier = node->child[k]->kind == NODE_BARRIER;
        found |= barrier;
        child[k] =
            barrier ? node_if(arena, condition->alternative, condition->n_alternative, node->child[k]) : node->child[k];
    }
    return found ? node_with_children(arena, node, child) : NULL;
}

static const struct node *do_not_wait(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    copy->waits = false;
    return node->kind == NODE_BARRIER && node->waits ? copy : NULL;
}

static const struct node *copy_sums(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    copy->asynchronous = true;
    return node->kind == NODE_ASSIGN && node->op == OP_ADD ? copy : NULL;
}

/* The position along x is one of the launch no more. */
static const struct node *lose_extent(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct launch *launch = ARENA_NEW(arena, struct launch);

    if (node->kind != NODE_KERNEL)
        return NULL;
    *launch = *node->launch;
    launch->extent[AXIS_BLOCK_X] = NULL;
    copy->launch = launch;
    return copy;
}

static const struct node *write_input(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    if (node->kind != NODE_ASSIGN || node->op != OP_NONE || node->value->kind != TREE_LOAD || node->asynchronous ||
        node->value->element.array->role != ROLE_IN)
        return NULL;
    copy->target = node->value->element;
    return copy;
}

static const struct node *lose_region(struct arena *arena, const struct node *node)
{
    (void)arena;
    return node->kind == NODE_REGION ? node->child[0] : NULL;
}

static const struct node *lose_argument(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    copy->n_argument_var--;
    return node->n_argument_var > 0 ? copy : NULL;
}

/* The first child of a block declares a variable; its scope ends in front of the others. */
static const struct node *end_scope(struct arena *arena, const struct node *node)
{
    struct node *scope = ARENA_NEW(arena, struct node);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);

    if (node->kind != NODE_BLOCK || node->child[0]->declares == DECLARE_NOTHING)
        return NULL;
    child[0] = node->child[0];
    *scope = (struct node){.kind = NODE_BLOCK, .child = child, .n_child = 1, .scope = true};
    return node_with_child(arena, node, 0, scope);
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

/* A wait at the start of a loop's body stands at its end. */
static const struct node *wait_late(struct arena *arena, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (node->kind != NODE_BLOCK || node->child[0]->kind != NODE_BARRIER || !node->child[0]->waits)
        return NULL;
    for (int k = 1; k < node->n_child; k++)
        child[k - 1] = node->child[k];
    child[node->n_child - 1] = node->child[0];
    return node_with_children(arena, node, child);
}

/* Of two buffers the one is read that is being filled. */
static bool turn_buffer(struct arena *arena, struct tree_expr *expr)
{
    const struct array *array = expr->kind == TREE_LOAD ? expr->element.array : NULL;

    if (!array || array->memory != MEMORY_SHARED || array->n_dim != 3)
        return false;
    const struct affine **index = ARENA_ARRAY(arena, 3, const struct affine *);
    memcpy(index, expr->element.index, 3 * sizeof(*index));
    index[0] = affine_sub(arena, affine_constant(arena, 1), index[0]);
    expr->element.index = index;
    return true;
}

static const struct node *read_other_buffer(struct arena *arena, const struct node *node)
{
    return node->kind == NODE_ASSIGN ? with_value(arena, node, turn_buffer) : NULL;
}

/* Only while all is zero is something waited for. */
static const struct node *wait_by_parameters(struct arena *arena, const struct node *node)
{
    const struct condition some = {affine_constant(arena, -1), false};
    struct condition *condition = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    *condition = some;
    *guard = (struct guard){condition, 1};
    return node->kind == NODE_BARRIER && node->waits ? node_if(arena, guard, 1, node) : NULL;
}

static void find_load(const struct node *node, void *user)
{
    const struct tree_expr **found = user;

    if (node->kind == NODE_ASSIGN && node->value->kind == TREE_LOAD)
        *found = node->value;
}

/* Barriers in it stand under a condition on data. */
static const struct node *divide_by_data(struct arena *arena, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    const struct tree_expr *load = NULL, **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);
    struct tree_expr *first = ARENA_NEW(arena, struct tree_expr);
    struct tree_expr *less = tree_expr_new(arena, TREE_BINARY, TYPE_I32);
    struct node *branch = ARENA_NEW(arena, struct node);
    int at = 0;

    while (at < node->n_child && node->child[at]->kind != NODE_BARRIER)
        at++;
    node_for_each(node, find_load, (void *)&load);
    if (node->kind != NODE_BLOCK || at == node->n_child || !load)
        return NULL;
    const struct affine **index = ARENA_ARRAY(arena, load->element.array->n_dim, const struct affine *);
    for (int k = 0; k < load->element.array->n_dim; k++)
        index[k] = affine_constant(arena, 0);
    *first = *load;
    first->element.index = index;
    arg[0] = arg[1] = first;
    less->op = OP_LT;
    less->arg = arg;
    less->n_arg = 2;
    child[0] = node->child[at];
    *branch = (struct node){.kind = NODE_IF, .value = less, .child = child, .n_child = 1};
    return node_with_child(arena, node, at, branch);
}

/* A value of a position becomes a loop over its axis. */
static const struct node *bind_again(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    const struct atom *atom = node->kind == NODE_VALUE && node->lower->n_term == 1 ? node->lower->term[0].atom : NULL;

    if (!atom || atom->kind != ATOM_VAR || atom->var->position == AXIS_NONE)
        return NULL;
    copy->kind = NODE_LOOP;
    copy->axis = atom->var->position;
    copy->lower = affine_constant(arena, 0);
    copy->upper = affine_constant(arena, 3);
    copy->step = 1;
    return copy;
}

static const struct node *name_as_target(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct array *array = ARENA_NEW(arena, struct array);

    if (node->kind != NODE_ASSIGN || node->declares != DECLARE_NOTHING || node->target.array->role == ROLE_TEMP)
        return NULL;
    *array = *node->target.array;
    array->name = "C[threadIdx.x]";
    copy->target.array = array;
    return copy;
}

/* All variables that the tree binds get, one after the other, this name. */
static void rename_each(const struct finished *finished, void *user)
{
    struct trial *trial = user;

    for (int k = 0; k < finished->vars->all.n; k++) {
        struct var *var = (struct var *)(uintptr_t)finished->vars->all.at[k];
        const char *const name = var->name;
        if (var->kind == VAR_PARAM || var->position != AXIS_NONE || !node_uses(finished->tree, var))
            continue;
        var->name = trial->told;
        expect_verified(finished, finished->tree, "stands for a name");
        var->name = name;
        trial->places++;
    }
}

START_TEST(types)
{
    expect_told(mixed, load_other_type, "another type");
    expect_told(mixed, lose_conversion, "type");
    expect_told(mixed, number_lanes_by_floats, "numbers of lanes are no integers");
}
END_TEST

START_TEST(masks)
{
    expect_told(mixed, choose_by_value, "a condition in lanes is no mask");
    expect_told(mixed, halve_lanes, "lanes");
    expect_told(mixed, store_loosely, "lanes that are not active are stored");
    expect_told(apart, store_part_of_groups, "a part of a vector is stored as a whole");
    expect_told(mixed, forget_lane, "does not tell its lanes' instances");
    expect_told(mixed, count_others, "a mask stands for other lanes");
    expect_told(halves, load_all_lanes, "is loaded in lanes that no iteration has");
    expect_told(halves, load_some_lanes, "is loaded in fewer lanes than are used");
    expect_told(mixed, store_for_nobody, "tells no instances of its lanes");
}
END_TEST

START_TEST(lanes)
{
    expect_told(mixed, lose_lanes, "lanes");
    expect_told(mixed, sum_up_half, "is no vector of these lanes");
    expect_told(mixed, write_one_element, "all lanes of a vector write one element");
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
    expect_told(tensors, other_tensor, "tile");
}
END_TEST

START_TEST(device_and_threads)
{
    expect_told(device, leave_kernel, "");
    expect_told(device, divide_threads, "not all threads of a block come to a barrier");
    expect_told(device, divide_by_data, "not all threads of a block come to a barrier");
    expect_told(device, bind_again, "a loop is bound to positions still");
    expect_told(device, do_not_wait, "asynchronous copies and waits for them do not match");
    expect_told(device, copy_sums, "an asynchronous copy is none to shared memory");
    expect_told(device, lose_extent, "a position that the launch does not have");
    expect_told(device, write_input, "what is read only is written");
    expect_told(threads, lose_region, "threads are shared outside of their region");
}
END_TEST

START_TEST(waits)
{
    expect_told(device, wait_late, "is read before it was waited for");
    expect_told(device, read_other_buffer, "is read before it was waited for");
    expect_told(device, wait_by_parameters, "is read before it was waited for");
}
END_TEST

START_TEST(scopes)
{
    expect_told(variable, end_scope, "used where it is not declared");
    expect_told(cases, lose_argument, "is no argument of the function");
    expect_told(around, lose_argument, "is no argument of the function");
}
END_TEST

START_TEST(names)
{
    expect_broken(device, rename_each, (struct trial){NULL, "threadIdx.x", 0});
    expect_broken(device, rename_each, (struct trial){NULL, "blockIdx", 0});
    expect_broken(mixed, rename_each, (struct trial){NULL, "(int)i", 0});
    expect_told(device, name_as_target, "stands for a name");
}
END_TEST

START_TEST(dead_variables)
{
    expect_told(mixed, run_one_instance, "tells no instances apart");
    expect_told(named, forget_name, "is a name that nothing uses");
}
END_TEST

UNIT_MAIN("verify", types, masks, lanes, products, device_and_threads, waits, scopes, names, dead_variables)
