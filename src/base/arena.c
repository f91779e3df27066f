#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 64 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t used, capacity;
    alignas(max_align_t) unsigned char data[];
};

struct release {
    struct release *next;
    void (*function)(void *object);
    void *object;
};

struct arena {
    struct arena_block *block; /* the newest that still takes small objects is first */
    struct arena_block *spare; /* given back, of BLOCK_SIZE and zeroed; or NULL */
    struct release *release;
};

static void *zeroed_or_abort(size_t size)
{
    void *memory = calloc(1, size);

    if (!memory)
        abort();
    return memory;
}

struct arena *arena_new(void)
{
    return zeroed_or_abort(sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    for (struct release *release = arena->release; release; release = release->next)
        release->function(release->object);
    for (struct arena_block *block = arena->block, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    free(arena->spare);
    free(arena);
}

static struct arena_block *block_new(size_t capacity)
{
    struct arena_block *block = zeroed_or_abort(sizeof(*block) + capacity);

    block->capacity = capacity;
    return block;
}

/* A block of its own, kept behind the current one, which may still have room. */
static void *alloc_large(struct arena *arena, size_t size)
{
    struct arena_block *block = block_new(size);

    block->used = size;
    if (arena->block) {
        block->next = arena->block->next;
        arena->block->next = block;
    } else {
        arena->block = block;
    }
    return block->data;
}

static void *alloc_small(struct arena *arena, size_t size)
{
    struct arena_block *block = arena->block;

    if (!block || block->capacity - block->used < size) {
        block = arena->spare ? arena->spare : block_new(BLOCK_SIZE);
        arena->spare = NULL;
        block->next = arena->block;
        arena->block = block;
    }
    block->used += size;
    return block->data + block->used - size;
}

void *arena_alloc(struct arena *arena, size_t n, size_t size)
{
    const size_t align = alignof(max_align_t), large = (size_t)1 << (sizeof(size_t) * 4 - 1);
    size_t total;

    if ((n >= large || size >= large) && size && n > (SIZE_MAX - sizeof(struct arena_block) - align) / size)
        abort(); /* the division is the dearest part: small factors go without */
    total = (n * size + align - 1) / align * align;
    if (total == 0)
        total = align;
    return total > BLOCK_SIZE / 4 ? alloc_large(arena, total) : alloc_small(arena, total);
}

struct arena_mark arena_mark(const struct arena *arena)
{
    struct arena_block *block = arena->block;

    return block ? (struct arena_mark){block, block->next, block->used} : (struct arena_mark){NULL, NULL, 0};
}

/* Frees the blocks up to end, but for one that the next small objects go to. */
static struct arena_block *give_back(struct arena *arena, struct arena_block *block, const struct arena_block *end)
{
    while (block != end) {
        struct arena_block *next = block->next;
        if (!arena->spare && block->capacity == BLOCK_SIZE) {
            memset(block->data, 0, block->used);
            block->used = 0;
            arena->spare = block;
        } else {
            free(block);
        }
        block = next;
    }
    return block;
}

/* Large blocks allocated since the mark follow the block that was the newest then; all others precede it. */
void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    arena->block = give_back(arena, arena->block, mark.block);
    if (!mark.block)
        return;
    mark.block->next = give_back(arena, mark.block->next, mark.next);
    memset(mark.block->data + mark.used, 0, mark.block->used - mark.used);
    mark.block->used = mark.used;
}

char *arena_copy_n(struct arena *arena, const char *text, size_t size)
{
    char *copy = arena_alloc(arena, size + 1, 1);

    if (size)
        memcpy(copy, text, size);
    return copy;
}

char *arena_copy(struct arena *arena, const char *text)
{
    return arena_copy_n(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list args)
{
    va_list again;
    int size;
    char *text;

    va_copy(again, args);
    size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0)
        abort();
    text = arena_alloc(arena, (size_t)size + 1, 1);
    vsnprintf(text, (size_t)size + 1, format, args);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list args;
    char *text;

    va_start(args, format);
    text = arena_vprintf(arena, format, args);
    va_end(args);
    return text;
}

void arena_on_free(struct arena *arena, void (*function)(void *object), void *object)
{
    struct release *release = ARENA_NEW(arena, struct release);

    release->function = function;
    release->object = object;
    release->next = arena->release;
    arena->release = release;
}
