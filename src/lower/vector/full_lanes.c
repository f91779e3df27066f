#include "lower/vector/full_lanes.h"

#include "base/vec.h"
#include "lower/facts/descend.h"
#include "tree/visit.h"

/* A loop of more vectors, or with more statements, is not written out twice. */
enum { VECTORS_MAX = 8, STATEMENTS_MAX = 8 };

/* How many vectors of the loop at hand are full, from the first on. */
struct leading {
    const struct facts *facts; /* around the loop */
    const struct node *loop;
    int64_t vectors, full;
    VEC(const struct var *) inner; /* variables that the nodes inside bind */
};

/* Are all lanes known to be active? */
static bool is_full(const struct facts *facts, const struct affine *count, int lanes)
{
    const struct affine *others = affine_add_constant(facts->lowering->arena, count, -lanes);

    return others && facts_imply(facts, others);
}

/* The value of the loop's variable in iteration k; NULL: an overflow. */
static const struct affine *value_at(const struct leading *leading, int64_t k)
{
    return affine_add_constant(leading->facts->lowering->arena, leading->loop->lower, k * leading->loop->step);
}

static bool is_full_at(const struct leading *leading, const struct vector *vector, int64_t k)
{
    const struct affine *value = value_at(leading, k);
    const struct affine *count =
        value ? affine_substitute(leading->facts->lowering->arena, vector->count, leading->loop->var, value) : NULL;

    return count && is_full(leading->facts, count, vector->lanes);
}

/* Notes the variables that node binds. */
static void note_inner(struct leading *leading, const struct node *node)
{
    struct arena *arena = leading->facts->lowering->arena;

    if (node->var)
        VEC_PUSH(arena, &leading->inner, node->var);
    for (int k = 0; k < node->n_part; k++)
        VEC_PUSH(arena, &leading->inner, node->part[k].var);
}

/* Is the loop at hand the only one of those from it on that decides how many lanes are active? */
static bool decides(const struct leading *leading, const struct affine *count)
{
    for (int k = 0; k < leading->inner.n; k++)
        if (affine_uses(count, leading->inner.at[k]))
            return false;
    return affine_uses(count, leading->loop->var);
}

static void count_full(const struct node *node, void *user)
{
    struct leading *leading = user;
    int64_t k = 0;

    note_inner(leading, node);
    if (!node->vector || !node->vector->count || !decides(leading, node->vector->count))
        return;
    while (k < leading->full && is_full_at(leading, node->vector, k))
        k++;
    leading->full = k;
}

/* Vectors of a loop with literal bounds; 0: it is another one, or too long. */
static int64_t short_loop(const struct node *loop)
{
    int64_t first, last;

    if (loop->kind != NODE_LOOP || loop->threads || loop->continues || loop->step < 1 ||
        !affine_is_constant(loop->lower, &first) || !affine_is_constant(loop->upper, &last))
        return 0;
    const int64_t n = last < first ? 0 : (last - first) / loop->step + 1;
    return n > VECTORS_MAX || node_count_statements(loop) > STATEMENTS_MAX ? 0 : n;
}

/* Iterations first .. first + n - 1 of the loop. */
static const struct node *part(const struct leading *leading, int64_t first, int64_t n)
{
    struct arena *arena = leading->facts->lowering->arena;
    const struct node *loop = leading->loop;
    const struct affine *lower = value_at(leading, first), *upper = value_at(leading, first + n - 1);
    struct node *copy = ARENA_NEW(arena, struct node);

    if (!lower || !upper)
        return NULL;
    if (n == 1)
        return node_iteration(arena, loop, lower);
    *copy = *loop;
    copy->lower = lower;
    copy->upper = affine_add_constant(arena, upper, loop->step - 1);
    copy->unroll = loop->unroll ? n : 0;
    copy->comment = NULL;
    return copy;
}

/* The loop, cut in front of its first vector that may be partial; itself where that is the first one, or none. */
static const struct node *cut(const struct facts *facts, const struct node *loop)
{
    struct leading leading = {.facts = facts, .loop = loop, .vectors = short_loop(loop)};
    const struct node *both[2];

    leading.full = leading.vectors;
    if (leading.vectors > 1)
        node_for_each(loop->child[0], count_full, &leading);
    if (leading.full == 0 || leading.full == leading.vectors)
        return loop;
    both[0] = part(&leading, 0, leading.full);
    both[1] = part(&leading, leading.full, leading.vectors - leading.full);
    if (!both[0] || !both[1])
        return NULL;
    if (loop->comment)
        both[0] = node_with_comment(facts->lowering->arena, both[0], loop->comment);
    return node_block(facts->lowering->arena, both, 2);
}

/* node with all its lanes active. */
static const struct node *unmasked(struct arena *arena, const struct node *node)
{
    struct vector *vector = ARENA_NEW(arena, struct vector);
    struct node *copy = ARENA_NEW(arena, struct node);

    *vector = *node->vector;
    vector->count = NULL;
    *copy = *node;
    copy->vector = vector;
    return copy;
}

static bool has_masks(const struct node *node)
{
    bool found = node->vector && node->vector->count;

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_masks(node->child[k]);
    return found;
}

/* The branch of a condition with two that runs here, where facts tell; else node. */
static const struct node *decided(const struct facts *facts, const struct node *node)
{
    for (int k = 0; k < 2 && node->kind == NODE_IF && node->n_child == 2; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        if (!facts_possible(&inside))
            return node_with_comment(facts->lowering->arena, node->child[1 - k], node->comment);
    }
    return node;
}

static const struct node *visit(const struct facts *facts, const struct node *node, void *user)
{
    if (!has_masks(node))
        return node;
    node = decided(facts, node);
    if (node->vector && node->vector->count && is_full(facts, node->vector->count, node->vector->lanes))
        node = unmasked(facts->lowering->arena, node);
    if (node->kind == NODE_LOOP)
        node = cut(facts, node);
    return node ? descend(facts, node, visit, user) : NULL;
}

const struct node *lower_full_lanes(struct lowering *lowering, const struct node *tree)
{
    const struct facts facts = facts_of_program(lowering);

    return visit(&facts, tree, NULL);
}
