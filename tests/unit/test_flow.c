/* Unit tests of lower/flow/flow.h: finished trees are right, and are not when they are broken. Every test compiles a
 * description and breaks its tree in one way, at one place after the other. */
#include "breaking.h"
#include "reading.h"
#include "unit.h"

#include "base/text.h"
#include "lower/flow/flow.h"
#include "lower/flow/flow_described.h"
#include "lower/flow/flow_least.h"
#include "tree/visit.h"

#include <string.h>

static const struct node *nothing(struct arena *arena)
{
    return node_block(arena, NULL, 0);
}

static const struct node *forget_barrier(struct arena *arena, const struct node *node)
{
    return node->kind == NODE_BARRIER ? nothing(arena) : NULL;
}

/* The barrier is there, but nobody waits for copies. */
static const struct node *forget_copies(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    copy->waits = false;
    return node->kind == NODE_BARRIER && node->waits && !node->lone ? copy : NULL;
}

static const struct node *do_not_wait(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    copy->nowait = true;
    return node_is_parallel(node) && node->threads->shared && !node->nowait ? copy : NULL;
}

static const struct node *swap_children(struct arena *arena, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (node->kind != NODE_BLOCK || node->n_child < 2)
        return NULL;
    memcpy(child, node->child, (size_t)node->n_child * sizeof(*child));
    child[0] = node->child[1];
    child[1] = node->child[0];
    return node_with_children(arena, node, child);
}

static struct element shifted(struct arena *arena, const struct element *element)
{
    struct element copy = *element;
    const struct affine **index = ARENA_ARRAY(arena, element->array->n_dim + 1, const struct affine *);

    memcpy(index, element->index, (size_t)element->array->n_dim * sizeof(*index));
    index[element->array->n_dim - 1] = affine_add_constant(arena, index[element->array->n_dim - 1], 1);
    copy.index = index;
    return copy;
}

static bool has_subscripts(const struct element *element)
{
    return element->array && element->array->n_dim > 0 && element->index && !element->indirect;
}

static const struct node *shift_target(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);

    if (node->kind != NODE_ASSIGN || !has_subscripts(&node->target) || node_writes_vector(node))
        return NULL;
    copy->target = shifted(arena, &node->target);
    return copy;
}

static const struct node *shift_load(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct tree_expr *load;

    if ((node->kind != NODE_ASSIGN && node->kind != NODE_LET) || node->value->kind != TREE_LOAD ||
        !has_subscripts(&node->value->element))
        return NULL;
    load = ARENA_NEW(arena, struct tree_expr);
    *load = *node->value;
    load->element = shifted(arena, &load->element);
    copy->value = load;
    return copy;
}

static const struct node *lose_mask(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct vector *vector;

    if (node->kind != NODE_ASSIGN || !node->vector || !node->vector->count || node->vector->sum)
        return NULL;
    vector = ARENA_NEW(arena, struct vector);
    *vector = *node->vector;
    vector->count = NULL;
    vector->mask = NULL;
    copy->vector = vector;
    return copy;
}

static const struct node *drop_lane(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct vector *vector;

    if (node->kind != NODE_ASSIGN || !node->vector || node->vector->count || node->vector->sum)
        return NULL;
    vector = ARENA_NEW(arena, struct vector);
    *vector = *node->vector;
    vector->count = affine_constant(arena, vector->lanes - 1);
    copy->vector = vector;
    return copy;
}

static const struct node *lose_iteration(struct arena *arena, const struct node *node)
{
    if (node->kind != NODE_LOOP || node->axis != AXIS_NONE)
        return NULL;
    return node_with_bounds(arena, node, node->lower, affine_add_constant(arena, node->upper, -node->step));
}

static const struct node *lose_condition(struct arena *arena, const struct node *node)
{
    return node->kind == NODE_IF && node->n_child == 1 && !node->value
               ? node_block(arena, (const struct node *const[]){node->child[0]}, 1)
               : NULL;
}

static const struct node *drop_assignment(struct arena *arena, const struct node *node)
{
    return node->kind == NODE_ASSIGN && node->declares == DECLARE_NOTHING ? nothing(arena) : NULL;
}

/* The outermost of its loops does not wait any more. */
static const struct node *forget_doacross(struct arena *arena, const struct node *node)
{
    struct node *copy = copy_of(arena, node);
    struct threads *threads;

    if (!node->threads || !node->threads->doacross)
        return NULL;
    threads = ARENA_NEW(arena, struct threads);
    *threads = *node->threads;
    threads->doacross = false;
    threads->collapse = 1;
    copy->threads = threads;
    return copy;
}

struct flow_trial {
    breaking *way;
    int places, caught;
    bool right; /* the tree as it was */
    struct text told;
};

static bool is_caught(struct flow_trial *trial, const struct finished *finished, struct arena *arena,
                      const struct node *tree)
{
    struct diags *diags = diags_new(arena);
    int compared;
    const enum status status =
        flow_check(arena, finished->described, finished->laid_out, finished->vars, tree, diags, &compared);

    diags_print(diags, &trial->told);
    return status != STATUS_OK;
}

static void look(const struct finished *finished, void *user)
{
    struct flow_trial *trial = user;
    struct arena *arena = arena_new();
    int left = -1;

    trial->right = !is_caught(trial, finished, arena, finished->tree);
    for (trial->places = 0; left < 0; trial->places += left < 0) {
        left = trial->places;
        const struct node *tree = broken(arena, finished->tree, trial->way, &left);
        trial->caught += left < 0 && is_caught(trial, finished, arena, tree);
    }
    arena_free(arena);
}

/* Of the places at which the description's tree, with ' for ", can be broken in this way, so many are told: `equal` of
 * them change no result. */
static void expect_caught(const char *description, breaking *way, int places, int equal, const char *told)
{
    struct text text = {0};
    struct flow_trial trial = {.way = way};
    struct polynest *p;

    text_add(&text, description);
    for (size_t k = 0; k < text.size; k++)
        text.data[k] = text.data[k] == '\'' ? '"' : text.data[k];
    p = polynest_new("t.json", text.data, text.size);
    p->see = look;
    p->see_user = &trial;
    ck_assert_msg(polynest_check(p) == POLYNEST_OK, "%s", polynest_diagnostics(p));
    ck_assert_msg(trial.right, "%s", text_str(&trial.told));
    ck_assert_int_eq(trial.places, places);
    ck_assert_int_eq(trial.caught, places - equal);
    ck_assert_msg(!told || strstr(text_str(&trial.told), told), "%s", text_str(&trial.told));
    polynest_free(p);
    text_free(&trial.told);
    text_free(&text);
}

#define MATMUL(TYPES_AND_MORE, SCHEDULE, PLAN, TARGET)                                                                 \
    "{'polynest': 1, 'name': 't', 'params': ['M', 'N', 'K'], " TYPES_AND_MORE                                          \
    "'arrays': [{'name': 'A', 'role': 'in', 'type': 'f32', 'shape': ['M', 'K']},"                                      \
    "{'name': 'B', 'role': 'in', 'type': 'f32', 'shape': ['K', 'N']},"                                                 \
    "{'name': 'C', 'role': 'inout', 'type': 'f32', 'shape': ['M', 'N']}],"                                             \
    "'nests': [{'loops': ['i < M', 'j < N', 'k < K'], 'body': ['C[i, j] += A[i, k] * B[k, j]']}],"                     \
    "'schedule': [" SCHEDULE "], 'plan': [" PLAN "], 'target': {" TARGET "}}"

/* A tile of B in a buffer. */
static const char cached[] = MATMUL("", "{'tile': {'j': 4, 'k': 4}}, {'reorder': ['j', 'k', 'i', 'jj', 'kk']}",
                                    "{'cache': 'B', 'at': 'k', 'as': 'b'}", "");
/* Sums in registers, and partial tiles with masks. */
static const char vectors[] =
    MATMUL("", "{'split': 'i', 'by': 3}, {'split': 'j', 'by': 8}, {'reorder': ['i', 'j', 'k', 'ii', 'jj']}",
           "{'cache': 'C', 'at': 'k', 'as': 'acc', 'memory': 'register'},"
           "{'kernelize': {'unroll': ['ii'], 'vectorize': 'jj'}}",
           "'simd': 'avx2'");
/* Tiles of both factors in shared memory, one of them copied asynchronously. */
static const char device[] =
    MATMUL("", "{'tile': {'i': 4, 'j': 4, 'k': 4}}, {'reorder': ['i', 'j', 'k', 'ii', 'jj', 'kk']}",
           "{'bind': {'i': 'block.y', 'j': 'block.x', 'ii': 'thread.y', 'jj': 'thread.x'}},"
           "{'cache': 'A', 'at': 'ii', 'memory': 'shared', 'double_buffer': true, 'async': true},"
           "{'cache': 'B', 'at': 'ii', 'memory': 'shared'}",
           "'language': 'cuda'");
/* Two loops in threads, the second of which reads what the first writes. */
static const char threads[] =
    "{'polynest': 1, 'name': 't', 'params': ['N'], 'arrays': ["
    "{'name': 'x', 'role': 'in', 'type': 'f64', 'shape': ['N']}, {'name': 'y', 'role': 'out', 'type': 'f64', 'shape': "
    "['N']},"
    "{'name': 'z', 'role': 'out', 'type': 'f64', 'shape': ['N']}],"
    "'nests': [{'loops': ['i < N'], 'body': ['y[i] = x[i] * x[i]']}, {'loops': ['i < N'], 'body': ['z[i] = y[N - 1 - "
    "i]']}],"
    "'plan': [{'parallelize': ['n0.i']}, {'parallelize': ['n1.i']}], 'target': {'openmp': true}}";

/* Each element needs the one above, and the one to the left. */
static const char doacross[] =
    "{'polynest': 1, 'name': 't', 'params': ['N'], 'arrays': ["
    "{'name': 'x', 'role': 'inout', 'type': 'f64', 'shape': ['N', 'N']}], 'nests': [{'loops': ['1 <= i < N', '1 <= j < "
    "N'], 'body': ['x[i, j] = x[i - 1, j] * x[i, j - 1]']}],"
    "'plan': [{'parallelize': ['i', 'j'], 'doacross': true}], 'target': {'openmp': true}}";

START_TEST(subscripts)
{
    expect_caught(cached, shift_target, 2, 0, NULL);
    expect_caught(cached, shift_load, 1, 0, NULL);
    expect_caught(vectors, shift_target, 6, 0, NULL);
    expect_caught(vectors, shift_load, 8, 0, NULL);
    expect_caught(device, shift_target, 4, 0, NULL);
    expect_caught(device, shift_load, 3, 0, NULL);
}
END_TEST

START_TEST(copies)
{
    expect_caught(cached, swap_children, 1, 0, NULL);
    expect_caught(vectors, swap_children, 2, 0, NULL);
    expect_caught(device, swap_children, 2, 0, NULL);
    expect_caught(cached, drop_assignment, 2, 0, NULL);
    expect_caught(vectors, drop_assignment, 6, 0, NULL);
    expect_caught(device, drop_assignment, 4, 0, NULL);
}
END_TEST

START_TEST(lanes)
{
    /* What sums get in lanes that are not stored shows nowhere. */
    expect_caught(vectors, lose_mask, 3, 1, NULL);
    expect_caught(vectors, drop_lane, 3, 0, NULL);
}
END_TEST

START_TEST(bounds)
{
    expect_caught(cached, lose_iteration, 7, 0, NULL);
    expect_caught(vectors, lose_iteration, 10, 0, NULL);
    expect_caught(device, lose_iteration, 2, 0, NULL);
    expect_caught(device, lose_condition, 4, 0, NULL);
}
END_TEST

START_TEST(waits)
{
    expect_caught(device, forget_barrier, 2, 0, "race");
    expect_caught(device, forget_copies, 1, 0, NULL);
    /* Behind the second loop the region ends. */
    expect_caught(threads, do_not_wait, 2, 1, "race");
    expect_caught(doacross, forget_doacross, 1, 0, "race");
}
END_TEST

/* Steps that the nests take are more than what is counted ahead, and not many more where nothing is conditional. */
static void expect_steps(const char *items, bool near)
{
    const int64_t param[] = {12}, all = 1000000;
    char text[600];
    struct reading_result read;
    struct flow flow;
    int64_t used;

    snprintf(text, sizeof text,
             "{'polynest': 1, 'name': 'd', 'params': ['N'],"
             "'arrays': [{'name': 'A', 'role': 'inout', 'type': 'f32', 'shape': ['N + 1', 'N + 1']}],"
             "'nests': [{'loops': ['i < N'], 'body': [%s]}]}",
             items);
    read = read_text(text);
    ck_assert_ptr_nonnull(read.program);
    flow_begin(&flow, read.arena, read.program, param, all);
    flow_run_described(&flow);
    used = all - flow.steps;
    ck_assert_int_eq(flow.end, FLOW_GOES_ON);
    ck_assert(used > 0 && !flow_takes_more(read.program, param, used));
    ck_assert(!near || flow_takes_more(read.program, param, used / 2));
    flow_free(&flow);
    reading_free(&read);
}

START_TEST(steps_ahead)
{
    expect_steps("{'loops': ['j < N'], 'body': ['A[i, j] += 1.0']}", true);
    expect_steps("{'loops': ['j < i', 'i <= k < N'], 'body': ['A[i, j] = A[i, k] + 2.0 * A[k, j]']}", true);
    expect_steps("{'loops': ['j < N'], 'if': 'j > i', 'body': ['A[i, j] = 1.0', 'A[j, i] = A[i, j]']}", false);
    expect_steps("{'loops': ['2 <= j < N'], 'body': ['A[i, j] = A[i, 0] > 0.0 ? A[i, j - 1] * 2.0 + 1.0 : 3.0']}",
                 false);
    expect_steps("{'loops': ['j < N'], 'if': 'A[i, j] > 0.0', 'body': ['A[i, j] = 1.0']}", false);
}
END_TEST

UNIT_MAIN("flow", subscripts, copies, lanes, bounds, waits, steps_ahead)
