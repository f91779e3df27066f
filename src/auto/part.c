#include "auto/part.h"

static void add_block(struct arena *arena, const struct block *block, int depth, part_vec *into);

static void add_items(struct arena *arena, const struct block *block, int depth, part_vec *into)
{
    for (int k = 0; k < block->n_item; k++) {
        const struct item *item = &block->item[k];
        struct nest_part *leaf;

        if (item->block) {
            add_block(arena, item->block, depth, into);
            continue;
        }
        leaf = ARENA_NEW(arena, struct nest_part);
        leaf->statement = item->statement;
        leaf->depth = depth;
        VEC_PUSH(arena, into, leaf);
    }
}

/* The call that the block is, or NULL. */
static const struct statement *call_of(const struct block *block)
{
    const struct statement *first = block->n_item ? block->item[0].statement : NULL;

    return first && first->call && first->part == 0 && block->n_loop == 0 ? first : NULL;
}

/* A call is one statement, its first part, which has the others as children. */
static void add_call(struct arena *arena, const struct block *block, int depth, part_vec *into)
{
    struct nest_part *call = ARENA_NEW(arena, struct nest_part);

    call->statement = call_of(block);
    call->depth = depth;
    add_items(arena, &(struct block){.item = block->item + 1, .n_item = block->n_item - 1}, depth, &call->child);
    VEC_PUSH(arena, into, call);
}

/* Adds what the block is: its outermost loop, or its items where it has none. */
static void add_block(struct arena *arena, const struct block *block, int depth, part_vec *into)
{
    if (call_of(block)) {
        add_call(arena, block, depth, into);
        return;
    }
    for (int k = 0; k < block->n_loop; k++) {
        struct nest_part *loop = ARENA_NEW(arena, struct nest_part);

        loop->loop = block->loop[k].name;
        loop->depth = depth + k;
        loop->descends = block->loop[k].step < 0;
        VEC_PUSH(arena, into, loop);
        into = &loop->child;
    }
    add_items(arena, block, depth + block->n_loop, into);
}

part_vec part_of_nest(struct arena *arena, const struct nest *nest)
{
    part_vec parts = {0};

    add_block(arena, nest->body, 0, &parts);
    return parts;
}

const struct statement *part_first(const struct nest_part *part)
{
    while (part->loop)
        part = part->child.at[0];
    return part->statement;
}

const struct statement *part_last(const struct nest_part *part)
{
    while (part->loop)
        part = part->child.at[part->child.n - 1];
    return part->statement;
}

bool part_has(const struct nest_part *part, const struct statement *statement)
{
    bool has = part->statement == statement;

    for (int k = 0; !has && k < part->child.n; k++)
        has = part_has(part->child.at[k], statement);
    return has;
}

bool part_is_deep(const struct nest_part *part)
{
    for (int k = 0; k < part->child.n; k++)
        if (part->child.at[k]->loop)
            return true;
    return false;
}

bool parts_call(const part_vec *parts)
{
    for (int k = 0; k < parts->n; k++)
        if ((parts->at[k]->statement && parts->at[k]->statement->call) || parts_call(&parts->at[k]->child))
            return true;
    return false;
}

void part_mark(const struct nest_part *part, bool *member)
{
    if (part->statement)
        member[part->statement->index] = true;
    for (int k = 0; k < part->child.n; k++)
        part_mark(part->child.at[k], member);
}
