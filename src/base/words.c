#include "base/words.h"

#include "base/text.h"

#include <stdbool.h>
#include <string.h>

size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static const struct word *find(const char *at, size_t length, const struct word *word, int n)
{
    for (int k = 0; k < n; k++)
        if (strlen(word[k].from) == length && memcmp(word[k].from, at, length) == 0)
            return &word[k];
    return NULL;
}

const char *words_replaced(struct arena *arena, const char *text, const struct word *word, int n)
{
    struct text out = {0};
    bool any = false;

    for (const char *c = text; n > 0 && *c;) {
        const size_t length = word_length(c);
        const struct word *found = length ? find(c, length, word, n) : NULL;
        if (found)
            text_add(&out, found->to);
        else
            text_add_n(&out, c, length ? length : 1);
        any = any || found;
        c += length ? length : 1;
    }
    if (any)
        text = arena_copy(arena, text_str(&out));
    text_free(&out);
    return text;
}
