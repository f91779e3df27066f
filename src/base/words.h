/* Identifiers in a text of C, as words that are looked for and replaced. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/arena.h"

#include <stddef.h>

/* A word and the one that takes its place. */
struct word {
    const char *from, *to;
};

/* The length of the identifier or number that text starts with, 0: it starts with none. */
size_t word_length(const char *text);
/* text with other words; text itself where none of them occurs. */
const char *words_replaced(struct arena *arena, const char *text, const struct word *word, int n);

#endif
