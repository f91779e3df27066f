/* Pass "plain": marks the floor divisions in subscripts of what is never negative, which C's `/` and `%` round the
 * same way. (Those of loops and conditions are marked before, in pass "finish".) */
#include "lower/facts.h"

#include "tree/visit.h"

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

static const struct affine *mark(struct arena *arena, const struct affine *a, void *user)
{
    return affine_mark_plain(arena, a, non_negative, user);
}

static bool has_open_floor(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        if (atom->kind == ATOM_FLOOR && !atom->plain)
            return true;
        for (int arg = 0; arg < atom->n_arg; arg++)
            if (has_open_floor(atom->arg[arg]))
                return true;
    }
    return false;
}

static const struct affine *note_open(struct arena *arena, const struct affine *a, void *user)
{
    (void)arena;
    *(bool *)user |= has_open_floor(a);
    return a;
}

static bool is_open(const struct lowering *lowering, const struct node *node)
{
    bool open = false;

    if (node->kind == NODE_ASSIGN)
        node_map_own(lowering->arena, node, note_open, &open);
    for (int k = 0; k < node->n_child && !open; k++)
        open = is_open(lowering, node->child[k]);
    return open;
}

static void enter(struct facts *facts, const struct node *node)
{
    if (node->kind == NODE_LOOP)
        facts_enter_loop(facts, node);
    else if (node->kind == NODE_VALUE)
        facts_enter_value(facts, node);
    else if (node->kind == NODE_IF)
        facts_assume_guards(facts, node->alternative, node->n_alternative);
}

static const struct node *walk(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (!is_open(facts->lowering, node))
        return node;
    if (node->kind == NODE_ASSIGN)
        return node_map_own(arena, node, mark, (void *)(uintptr_t)facts);
    struct facts inside = facts_copy(facts);
    enter(&inside, node);
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(&inside, node->child[k]);
    facts_free(&inside);
    return node_with_children(arena, node, child);
}

const struct node *lower_plain(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);
    const struct node *marked = walk(&facts, tree);

    facts_free(&facts);
    return marked;
}
