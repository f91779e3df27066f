#include "target/clike/together.h"

#include "tree/visit.h"

static bool changes(const struct node *assign, const struct tree_expr *condition)
{
    return tree_expr_reads(condition, assign->target.array) || assign->into;
}

/* One line of C below its condition. */
static bool is_plain(const struct node *node)
{
    return node->kind == NODE_ASSIGN && node->guard_value && !node->vector && !node->comment && !node->warp_sum &&
           !node->tile && !node->tensor && !node->declares;
}

int together_count(const struct node *block, int first)
{
    const struct node *const *child = block->child + first;
    int n = 1;

    if (!is_plain(child[0]))
        return 1;
    while (first + n < block->n_child && is_plain(child[n]) &&
           tree_expr_equal(child[n]->guard_value, child[0]->guard_value) &&
           !changes(child[n - 1], child[0]->guard_value))
        n++;
    return n;
}

bool together_all(const struct node *block)
{
    return block->kind == NODE_BLOCK && block->n_child > 1 && !node_is_scope(block) &&
           together_count(block, 0) == block->n_child;
}

struct node together_bare(const struct node *assign)
{
    struct node bare = *assign;

    bare.guard_value = NULL;
    return bare;
}

static const struct node *bare_copy(struct arena *arena, const struct node *assign)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = together_bare(assign);
    return copy;
}

const struct node *together_begun(struct arena *arena, const struct node *loop)
{
    const struct node *body = loop->child[0], *first = body;

    if (body->kind == NODE_BLOCK && body->n_child > 0)
        first = body->child[0];
    if (!loop->guard_value || !is_plain(first) || !tree_expr_equal(first->guard_value, loop->guard_value))
        return body;
    return first == body ? bare_copy(arena, first) : node_with_child(arena, body, 0, bare_copy(arena, first));
}
