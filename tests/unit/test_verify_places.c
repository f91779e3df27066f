/* Unit tests of tree/verify.h: who sees what where, of devices, threads and scopes, and what is told when it is
 * broken. */
#include "unit.h"

#include "breaking.h"

#include "program/program.h"
#include "tree/vars.h"
#include "tree/visit.h"

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
/* A loop over vectors, and one over what is left. */
static const char lanes[] = "{'polynest': 1, 'name': 't', 'params': ['N'], 'arrays': ["
                            "{'name': 'x', 'role': 'in', 'type': 'f64', 'shape': ['N']},"
                            "{'name': 'z', 'role': 'out', 'type': 'f64', 'shape': ['N']}],"
                            "'nests': [{'loops': ['i < N'], 'body': ['z[i] = x[i] * x[i]']}],"
                            "'plan': [{'vectorize': 'i'}], 'target': {'simd': 'avx2'}}";
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

/* Something stands between a loop and what goes on where that ends. */
static const struct node *divide_loops(struct arena *arena, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    bool found = false;

    for (int k = 0; k < node->n_child; k++) {
        struct node *block = copy_of(arena, node);
        child[k] = node->child[k];
        if (node->kind != NODE_BLOCK || k + 1 == node->n_child || !node->child[k + 1]->continues)
            continue;
        block->child = &node->child[k];
        block->n_child = 1;
        child[k] = block;
        found = true;
    }
    return found ? node_with_children(arena, node, child) : NULL;
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
    expect_told(lanes, divide_loops, "goes on where no loop ends");
    expect_told(cases, lose_argument, "is no argument of the function");
    expect_told(around, lose_argument, "is no argument of the function");
}
END_TEST

START_TEST(names)
{
    expect_broken(device, rename_each, (struct trial){NULL, "threadIdx.x", 0});
    expect_broken(device, rename_each, (struct trial){NULL, "blockIdx", 0});
    expect_broken(breaking_mixed, rename_each, (struct trial){NULL, "(int)i", 0});
    expect_told(device, name_as_target, "stands for a name");
}
END_TEST

UNIT_MAIN("verify_places", device_and_threads, waits, scopes, names)
