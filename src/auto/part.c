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

/* Adds what the block is: its outermost loop, or its items where it has none. */
static void add_block(struct arena *arena, const struct block *block, int depth, part_vec *into)
{
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

void part_mark(const struct nest_part *part, bool *member)
{
    if (part->statement)
        member[part->statement->index] = true;
    for (int k = 0; k < part->child.n; k++)
        part_mark(part->child.at[k], member);
}
