#include "lower/vector/lane_locals.h"

#include "tree/visit.h"

static bool is_variable(const struct array *array)
{
    return array->n_dim == 0 && array->role == ROLE_TEMP && !array->is_buffer;
}

static bool is_updated(const struct node *node, const struct array *array)
{
    bool updated = node->kind == NODE_ASSIGN && node->op != OP_NONE && node->target.array == array;

    for (int k = 0; k < node->n_child && !updated; k++)
        updated = is_updated(node->child[k], array);
    return updated;
}

static bool is_read(const struct node *loop, const struct array *array)
{
    return node_reads(loop, array) || is_updated(loop, array);
}

static const struct node *declaration(struct arena *arena, const struct array *array)
{
    struct tree_expr *zero = ARENA_NEW(arena, struct tree_expr);
    struct node *assign = ARENA_NEW(arena, struct node);

    *zero = (struct tree_expr){.kind = TREE_INT, .type = array->type};
    if (type_is_float(array->type))
        *zero = (struct tree_expr){.kind = TREE_REAL, .type = array->type, .spelling = "0.0"};
    *assign = (struct node){
        .kind = NODE_ASSIGN, .op = OP_NONE, .target = {.array = array}, .value = zero, .declares = DECLARE_VARIABLE};
    return assign;
}

/* The loop with a body in which its variables are declared first. */
static const struct node *declared(struct arena *arena, const struct node *loop)
{
    const struct node **child = ARENA_ARRAY(arena, loop->n_local + 1, const struct node *);
    const struct array **local = ARENA_ARRAY(arena, loop->n_local, const struct array *);
    struct node *copy;
    int n = 0, n_local = 0;

    for (int k = 0; k < loop->n_local; k++)
        if (is_variable(loop->local[k]) && is_read(loop, loop->local[k]))
            child[n++] = declaration(arena, loop->local[k]);
        else
            local[n_local++] = loop->local[k];
    if (n == 0)
        return loop;
    child[n++] = loop->child[0];
    copy = ARENA_NEW(arena, struct node);
    *copy = *node_with_body(arena, loop, node_block(arena, child, n));
    copy->local = local;
    copy->n_local = n_local;
    return copy;
}

const struct node *lane_locals_declared(struct arena *arena, const struct node *loop)
{
    const struct node **child = ARENA_ARRAY(arena, loop->n_child, const struct node *);

    for (int k = 0; k < loop->n_child; k++)
        child[k] = lane_locals_declared(arena, loop->child[k]);
    loop = node_with_children(arena, loop, child);
    return loop->kind == NODE_LOOP ? declared(arena, loop) : loop;
}
