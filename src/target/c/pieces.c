#include "target/c/pieces.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void add_piece(struct arena *arena, piece_vec *pieces, const char *text)
{
    for (int k = 0; k < pieces->n; k++)
        if (strcmp(pieces->at[k], text) == 0)
            return;
    VEC_PUSH(arena, pieces, text);
}

/* How deep in braces and conditions of the preprocessor the text is behind a line, which began at depth. */
static int depth_behind(const char *line, size_t size, int depth)
{
    if (strncmp(line, "#if", 3) == 0)
        return depth + 1;
    if (strncmp(line, "#endif", 6) == 0)
        return depth - 1;
    for (size_t k = 0; k < size && line[0] != '#'; k++)
        depth += (line[k] == '{') - (line[k] == '}');
    return depth;
}

void add_pieces(struct arena *arena, piece_vec *pieces, const char *text)
{
    const char *start = text;
    bool declares = false; /* a reduction, a directive of several lines */
    int depth = 0;

    while (*text) {
        const size_t size = strcspn(text, "\n");
        const bool blank = size == 0;

        depth = depth_behind(text, size, depth);
        declares = declares || strncmp(text, "#pragma omp declare", 19) == 0;
        if (depth == 0 && (blank || text[size - 1] == '}' || (declares && text[size - 1] != '\\') ||
                           strncmp(text, "#endif", 6) == 0 || strncmp(text, "#include", 8) == 0)) {
            const char *end = blank ? text : text + size + 1;
            if (end > start)
                add_piece(arena, pieces, arena_printf(arena, "%.*s", (int)(end - start), start));
            start = text + size + 1;
            declares = false;
        }
        text += size + (text[size] == '\n');
    }
    if (text > start)
        add_piece(arena, pieces, arena_copy(arena, start));
}

static bool is_tall(const char *piece)
{
    const char *end = strchr(piece, '\n');

    return end && end[1];
}

void print_pieces(const piece_vec *pieces, struct text *out)
{
    for (int k = 0; k < pieces->n; k++) {
        const bool apart = k > 0 && (is_tall(pieces->at[k]) || is_tall(pieces->at[k - 1]));
        text_addf(out, "%s%s", apart ? "\n" : "", pieces->at[k]);
    }
    text_add(out, pieces->n ? "\n" : "");
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void sort_pieces(piece_vec *pieces)
{
    if (pieces->n > 0)
        qsort(pieces->at, (size_t)pieces->n, sizeof(*pieces->at), compare);
}
