#include "cli/numbers.h"

#ifdef HAVE_GMP

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 8, N_LIST = 8, CHUNK = 64 * 1024 };

/* Free memory: list k has pieces of k + 1 words. Larger pieces are malloc's. */
struct piece {
    struct piece *next;
};

static struct piece *list[N_LIST];
static unsigned char *chunk, *chunk_end; /* of which nothing has been taken yet */

static size_t list_of(size_t size)
{
    return size ? (size - 1) / WORD : 0;
}

/* GMP knows no failure. */
static void *or_abort(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void *new_piece(size_t size)
{
    unsigned char *piece;

    if ((size_t)(chunk_end - chunk) < size) {
        chunk = or_abort(malloc(CHUNK));
        chunk_end = chunk + CHUNK;
    }
    piece = chunk;
    chunk += size;
    return piece;
}

static void *take(size_t size)
{
    const size_t k = list_of(size);
    struct piece *piece;

    if (k >= N_LIST)
        return or_abort(malloc(size));
    piece = list[k];
    if (!piece)
        return new_piece((k + 1) * WORD);
    list[k] = piece->next;
    return piece;
}

static void give_back(void *memory, size_t size)
{
    const size_t k = list_of(size);
    struct piece *piece = memory;

    if (k >= N_LIST) {
        free(memory);
        return;
    }
    piece->next = list[k];
    list[k] = piece;
}

static void *resize(void *memory, size_t before, size_t size)
{
    void *copy;

    if (list_of(before) >= N_LIST && list_of(size) >= N_LIST)
        return or_abort(realloc(memory, size));
    if (list_of(before) == list_of(size))
        return memory;
    copy = take(size);
    memcpy(copy, memory, before < size ? before : size);
    give_back(memory, before);
    return copy;
}

void numbers_from_lists(void)
{
    mp_set_memory_functions(take, resize, give_back);
}

#else

void numbers_from_lists(void)
{
}

#endif
