#include "lower/vector/vectors.h"

#include "caps/simd.h"
#include "lower/vector/clamp.h"
#include "lower/vector/fill_all.h"
#include "lower/vector/flat_tuple.h"
#include "lower/vector/lane_ends.h"
#include "lower/vector/lane_locals.h"
#include "lower/vector/simd_sums.h"
#include "lower/vector/strips.h"
#include "lower/vector/sums.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

#include <inttypes.h>

/* What is known inside of the path. */
struct facts vectors_facts(struct vectors *vectors)
{
    struct facts facts = facts_of_program(vectors->lowering);

    for (int k = 0; k < vectors->path.n; k++)
        facts_enter(&facts, vectors->path.at[k].node, vectors->path.at[k].child);
    return facts;
}

/* Do all the types have as many lanes? */
static bool have(const struct vectors *vectors, int lanes)
{
    for (int k = 0; k < vectors->types.n; k++)
        if (!simd_type_of(vectors->lanes.simd, vectors->types.type[k], lanes))
            return false;
    return vectors->types.n > 0;
}

/* Lanes of one vector for n iterations, asked lanes (0: no matter how many) a step; 0: the target has none. */
static void choose_lanes(struct vectors *vectors, int asked, int64_t n)
{
    const int widest = simd_widest(vectors->lanes.simd, vectors->types.type, vectors->types.n);
    int lanes = widest;

    if (!asked && n <= 64 && have(vectors, (int)n))
        lanes = (int)n;
    else if (asked && have(vectors, asked))
        lanes = asked;
    while (asked && lanes > 1 && (asked % lanes != 0 || !have(vectors, lanes)))
        lanes--;
    vectors->lanes.n = lanes > 1 ? lanes : 0;
    vectors->registers = asked && lanes > 1 ? asked / lanes : 1;
}

static bool has_bool(const struct lane_types *types)
{
    for (int k = 0; k < types->n; k++)
        if (types->type[k] == TYPE_BOOL)
            return true;
    return types->n == 0;
}

/* asked: as for choose_lanes. */
static const struct node *refuse_types(struct vectors *vectors, int asked)
{
    struct arena *arena = vectors->lowering->arena;
    const int widest = simd_widest(vectors->lanes.simd, vectors->types.type, vectors->types.n);
    const char *list = "";

    if (has_bool(&vectors->types))
        return lanes_refuse(&vectors->lanes, "u8 in the place of bool, and values such as `u8(x[i] > 0)`",
                            arena_printf(arena, "%s has vectors of bool in memory only, not in variables and registers",
                                         vectors->lanes.simd->name));
    for (int k = 0; k < vectors->types.n; k++)
        list = arena_printf(arena, "%s%s%s", list,
                            k == 0                     ? ""
                            : k + 1 < vectors->types.n ? ", "
                                                       : " and ",
                            type_name(vectors->types.type[k]));
    if (widest > 1 && asked)
        return lanes_refuse(&vectors->lanes, arena_printf(arena, "\"lanes\": %d is one vector", widest),
                            arena_printf(arena, "%s has no vectors of %d lanes of %s", vectors->lanes.simd->name, asked,
                                         list));
    return lanes_refuse(&vectors->lanes,
                        vectors->types.n > 1 ? "a loop for each type behind `fission`; a `cache` with "
                                               "\"type\" converts in a loop of its own"
                                             : NULL,
                        arena_printf(arena,
                                     vectors->types.n > 1 ? "%s has no vectors with equally many lanes of %s"
                                                          : "%s has no vectors of %s",
                                     vectors->lanes.simd->name, list));
}

/* Does the loop at hand stand in a function of its own? */
static bool is_called(const struct vectors *vectors)
{
    for (int k = 0; k < vectors->path.n; k++)
        if (vectors->path.at[k].node->kind == NODE_CALL)
            return true;
    return false;
}

/* Has each thread of the loop copies of arrays? */
static bool has_copies(const struct node *loop)
{
    for (int k = 0; loop->threads && k < loop->threads->n_reduction; k++)
        if (loop->threads->reduction[k]->joins)
            return true;
    return false;
}

/* loop, which the compiler is to run in vectors. */
static const struct node *for_compiler(struct vectors *vectors, const struct node *loop)
{
    struct node *copy = ARENA_NEW(vectors->lowering->arena, struct node);
    struct facts facts = vectors_facts(vectors);

    if (has_copies(loop))
        return lanes_refuse_name(&vectors->lanes, "threads sum up in copies of arrays in ", loop->info->name,
                                 ": vectorize a loop inside of it");
    if (loop->unroll)
        return lanes_refuse_name(&vectors->lanes, "", loop->info->name,
                                 " cannot be unrolled by a pragma beside the one that asks for vectors");
    *copy = *loop;
    copy->simd = true;
    copy->lanes = loop->info->plan->lanes;
    facts_assume(&facts, vectors_distance(vectors->lowering->arena, loop));
    const struct simd_sums sums = simd_sums_of(&facts, copy, is_called(vectors));
    if (sums.refusal)
        return lanes_refuse(&vectors->lanes, sums.hint, sums.refusal);
    return sums.node == sums.loop ? sums.loop : vectors_if_any(vectors, loop, 0, sums.node);
}

/* Does no other thread run beside the loop at hand? */
static bool is_alone(const struct vectors *vectors)
{
    for (int k = 0; k < vectors->path.n; k++)
        if (node_is_parallel(vectors->path.at[k].node) || vectors->path.at[k].node->kind == NODE_REGION)
            return false;
    return true;
}

static const struct node *in_vectors(struct vectors *vectors, const struct node *loop)
{
    struct arena *arena = vectors->lowering->arena;
    const struct loop_plan *plan = loop->info->plan;
    int64_t distance, n;

    const bool constant = affine_is_constant(affine_sub(arena, loop->upper, loop->lower), &distance);
    n = constant ? distance / loop->step + 1 : INT32_MAX;
    choose_lanes(vectors, plan->lanes, vectors->tail == TAIL_MASK && loop->info->tile > n ? loop->info->tile : n);
    if (vectors->lanes.n == 0)
        return refuse_types(vectors, plan->lanes);
    if (n == vectors->lanes.n)
        return vectors_lanes(vectors, loop, loop->lower, NULL);
    if (!loop->threads) {
        struct facts facts = vectors_facts(vectors);
        facts_assume(&facts, vectors_distance(arena, loop));
        vectors->lanes.sums = sums_of(&facts, loop, vectors->body, is_alone(vectors));
    }
    return constant ? vectors_short_strip(vectors, loop, n) : vectors_long_strip(vectors, loop);
}

/* Is the loop one with others in threads? Vectors would come between them. */
static bool is_joined(const struct node *loop)
{
    return lower_is_inner(loop) || (loop->threads && loop->threads->collapse > 1);
}

static bool is_for_vectors(const struct node *node)
{
    return (node->kind == NODE_LOOP || node->kind == NODE_TUPLE) && node->info && node->info->plan &&
           node->info->plan->vector;
}

/* A loop inside of node that is to be in vectors, too; NULL: none. */
static const struct node *vectors_inside(const struct node *node)
{
    const struct node *found = NULL;

    for (int k = 0; k < node->n_child && !found; k++) {
        const struct node *child = node->child[k];
        found = is_for_vectors(child) ? child : vectors_inside(child);
    }
    return found;
}

static const struct node *refuse_nested(struct vectors *vectors, const struct node *loop, const struct node *inner)
{
    vectors->lowering->refused = true;
    vectors->lanes.step = inner->info->plan->vector_step;
    return lanes_refuse(&vectors->lanes, "one loop of a nest runs in vectors, loops inside of it may be unrolled",
                        arena_printf(vectors->lowering->arena, "`%s` is inside of `%s`, which is vectorised",
                                     inner->info->name, loop->info->name));
}

/* Adds the arrays that iterations have for themselves. */
static void find_local(const struct node *node, void *user)
{
    struct lanes *lanes = user;

    for (int k = 0; k < node->n_local; k++)
        VEC_PUSH(lanes->lowering->arena, &lanes->local, node->local[k]);
    for (int k = 0; k < node->n_own; k++)
        VEC_PUSH(lanes->lowering->arena, &lanes->local, node->own[k]);
}

/* An update in the loop that other threads make, too; NULL: there is none. */
static const struct node *find_atomic(const struct node *node)
{
    const struct node *found = node->kind == NODE_ASSIGN && node->atomic ? node : NULL;

    for (int k = 0; k < node->n_child && !found; k++)
        found = find_atomic(node->child[k]);
    return found;
}

static const struct node *refuse_atomic(struct vectors *vectors, const struct node *update)
{
    const char *name = update->target.array->name;

    vectors->lowering->refused = true;
    return lanes_refuse(&vectors->lanes,
                        arena_printf(vectors->lowering->arena,
                                     "give the threads partial results of their own by `rfactor`, or let them have "
                                     "different elements of `%s`",
                                     name),
                        arena_printf(vectors->lowering->arena,
                                     "threads update elements of `%s` one at a time, as others may, too", name));
}

static const struct node *vectorise(struct vectors *vectors, const struct node *loop)
{
    const struct node *inner = vectors_inside(loop);
    const int taken = vectors->lowering->taken.used.n;
    struct facts facts;
    const struct node *result;

    const struct loop_plan *plan = loop->info->plan;

    vectors->inner[0] = vectors->inner[1] = NULL;
    vectors->tail = plan->tail == TAIL_AUTO && loop->info->rest == TAIL_MASK ? TAIL_MASK : plan->tail;
    vectors->lanes = (struct lanes){.lowering = vectors->lowering,
                                    .step = plan->vector_step,
                                    .whole = plan->tail == TAIL_PEEL || plan->tail == TAIL_EXACT,
                                    .simd = simd_by_name(vectors->lowering->program->target.simd),
                                    .runs = vectors_share_soundly,
                                    .user = vectors};
    if (is_joined(loop)) {
        vectors->lowering->refused = true;
        return lanes_refuse(&vectors->lanes, "parallelize the outer ones only",
                            arena_printf(vectors->lowering->arena, "`%s` is one loop with others in threads",
                                         loop->info->name));
    }
    if (inner)
        return refuse_nested(vectors, loop, inner);
    if (find_atomic(loop))
        return refuse_atomic(vectors, find_atomic(loop));
    if (vectors->asks_compiler) {
        result = for_compiler(vectors, loop);
        vectors->lowering->refused |= vectors->lanes.refused;
        return result;
    }
    vectors->scalar = loop;
    loop = lane_locals_declared(vectors->lowering->arena, loop);
    node_for_each(loop, find_local, &vectors->lanes);
    facts = vectors_facts(vectors);
    facts_enter_loop(&facts, loop);
    vectors->body = lane_types_fold(&facts, vectors->lanes.simd, loop);
    vectors->variable = loop->var;
    if (!vectors->body)
        return NULL;
    vectors->types = lane_types_of(vectors->lowering->arena, vectors->body, loop->var);
    result = in_vectors(vectors, loop);
    vectors->lowering->taken.used.n = taken;
    vectors->lowering->refused |= vectors->lanes.refused;
    return vectors->lanes.refused ? NULL : result;
}

/* A collapsed loop of symbolic size. */
static const struct node *vectorise_tuple(struct vectors *vectors, const struct node *tuple)
{
    struct arena *arena = vectors->lowering->arena;
    const int taken = vectors->lowering->taken.used.n;
    const char *obstacle;
    const struct node *number = flat_tuple(vectors->lowering, tuple, &obstacle);
    const struct node *result;

    if (number) {
        VEC_PUSH(arena, &vectors->path, ((struct path){number, 0}));
        result = vectorise(vectors, number->child[0]);
        vectors->path.n--;
        vectors->lowering->taken.used.n = taken;
        return result ? node_with_child(arena, number, 0, result) : NULL;
    }
    vectors->lowering->refused = true;
    vectors->lanes = (struct lanes){.lowering = vectors->lowering, .step = tuple->info->plan->vector_step};
    return lanes_refuse(&vectors->lanes, "vectorize the innermost of the loops, and collapse the others",
                        arena_printf(arena, "cannot vectorize the collapsed loop `%s`: %s", tuple->info->name,
                                     obstacle));
}

static const struct node *rows_in_one(const struct facts *facts, const struct node *body, const struct array *array)
{
    const struct node *clamped = clamp_rows(facts, body, array);

    return clamped == body ? fill_all(facts, body, array) : clamped;
}

/* The body of a loop that has an array of vectors for itself; each branch of a condition on its own. */
static const struct node *without_branches(struct vectors *vectors, const struct node *body, const struct array *array)
{
    struct arena *arena = vectors->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, body->n_child + 1, const struct node *);
    struct facts facts = vectors_facts(vectors);

    for (int k = 0; k < body->n_child && body->kind == NODE_IF; k++) {
        struct facts inside = facts;
        facts_enter(&inside, body, k);
        child[k] = rows_in_one(&inside, body->child[k], array);
    }
    return body->kind == NODE_IF ? node_with_children(arena, body, child) : rows_in_one(&facts, body, array);
}

static const struct node *clamped(struct vectors *vectors, const struct node *loop)
{
    const struct node *body = loop->child[0];

    VEC_PUSH(vectors->lowering->arena, &vectors->path, ((struct path){loop, 0}));
    for (int k = 0; k < loop->n_local && body; k++)
        if (loop->local[k]->in_registers && loop->local[k]->n_dim > 0)
            body = without_branches(vectors, body, loop->local[k]);
    vectors->path.n--;
    return body ? node_with_body(vectors->lowering->arena, loop, body) : NULL;
}

static const struct node *walk(struct vectors *vectors, const struct node *node)
{
    const struct node **child;

    if ((node->kind == NODE_LOOP || node->kind == NODE_CALL) && node->n_local > 0)
        node = clamped(vectors, node);
    if (!node)
        return NULL;
    if (is_for_vectors(node))
        return node->kind == NODE_TUPLE ? vectorise_tuple(vectors, node) : vectorise(vectors, node);
    if (node->n_child == 0)
        return node;
    child = ARENA_ARRAY(vectors->lowering->arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        VEC_PUSH(vectors->lowering->arena, &vectors->path, ((struct path){node, k}));
        child[k] = walk(vectors, node->child[k]);
        vectors->path.n--;
        if (!child[k])
            return NULL;
    }
    node = node_with_children(vectors->lowering->arena, node, child);
    return node && node->kind == NODE_LOOP && node->guard_value ? lanes_ended_around(vectors->lowering->arena, node)
                                                                : node;
}

const struct node *lower_vectors(struct lowering *lowering, const struct node *tree)
{
    struct vectors state = {.lowering = lowering, .asks_compiler = simd_asks_compiler(lowering->program->target.simd)};

    return walk(&state, tree);
}
