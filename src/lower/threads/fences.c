#include "lower/threads/fences.h"

#include "tree/visit.h"

static void note_stream(const struct node *node, void *user)
{
    bool *streams = user;

    *streams |= node->streams;
}

static bool has_streams(const struct node *node)
{
    bool streams = false;

    node_for_each(node, note_stream, &streams);
    return streams;
}

static bool has_threads(const struct node *node)
{
    bool has = node->kind == NODE_REGION || node_is_parallel(node);

    for (int k = 0; k < node->n_child && !has; k++)
        has = has_threads(node->child[k]);
    return has;
}

static const struct node *fence(struct arena *arena, bool waits)
{
    struct node *node = ARENA_NEW(arena, struct node);

    *node = (struct node){.kind = NODE_FENCE, .waits = waits};
    return node;
}

static const struct node *followed(struct arena *arena, const struct node *node, const struct node *by)
{
    const struct node **part = ARENA_ARRAY(arena, 2, const struct node *);

    part[0] = node;
    part[1] = by;
    return node_block(arena, part, 2);
}

/* The loop of a region's threads, and what each does behind it; last: the region ends there, with a wait. */
static const struct node *fenced_loop(struct arena *arena, const struct node *loop, bool last)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *loop;
    copy->nowait = true;
    return followed(arena, copy, fence(arena, !loop->nowait && !last));
}

/* Part of a region. */
static const struct node *in_region(struct arena *arena, const struct node *node, bool last)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (!has_streams(node))
        return node;
    if (node_is_parallel(node))
        return fenced_loop(arena, node, last);
    if (node->kind == NODE_SINGLE)
        return node_with_child(arena, node, 0, followed(arena, node->child[0], fence(arena, false)));
    for (int k = 0; k < node->n_child; k++)
        child[k] = in_region(arena, node->child[k],
                             last && node->kind != NODE_LOOP && (node->kind != NODE_BLOCK || k + 1 == node->n_child));
    return node_with_children(arena, node, child);
}

static const struct node *walk(struct arena *arena, const struct node *node);

/* A fence behind children that one thread runs, in front of others that several do, and at the end. */
static const struct node *walk_block(struct arena *arena, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(arena, 2 * block->n_child, const struct node *);
    struct node *copy = ARENA_NEW(arena, struct node);
    bool streams = false;
    int n = 0;

    for (int k = 0; k < block->n_child; k++) {
        const struct node *node = block->child[k];
        const bool threads = has_threads(node);
        if (threads && streams)
            child[n++] = fence(arena, false);
        streams = !threads && (streams || has_streams(node));
        child[n++] = threads ? walk(arena, node) : node;
    }
    if (streams)
        child[n++] = fence(arena, false);
    *copy = *block;
    copy->child = child;
    copy->n_child = n;
    return copy;
}

static const struct node *walk(struct arena *arena, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (!has_streams(node))
        return node;
    if (node_is_parallel(node))
        return node_region(arena, node, fenced_loop(arena, node_shared_loop(arena, node), true));
    if (node->kind == NODE_REGION)
        return node_with_child(arena, node, 0, in_region(arena, node->child[0], true));
    if (node->kind == NODE_BLOCK && has_threads(node))
        return walk_block(arena, node);
    if (!has_threads(node))
        return followed(arena, node, fence(arena, false));
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(arena, node->child[k]);
    return node_with_children(arena, node, child);
}

const struct node *lower_fences(struct arena *arena, const struct node *tree)
{
    return tree ? walk(arena, tree) : NULL;
}
