/* Text: a growing, always NUL-terminated character buffer. Zeroed = empty. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

struct text {
    char *data;      /* NULL while empty */
    size_t size;     /* without the NUL */
    size_t capacity; /* bytes allocated */
};

void text_add(struct text *text, const char *piece);
void text_add_n(struct text *text, const char *piece, size_t size);
void text_char(struct text *text, char c);
void text_addf(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vaddf(struct text *text, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
const char *text_str(const struct text *text); /* "" while empty; valid until the next change */
void text_truncate(struct text *text, size_t size);
void text_free(struct text *text); /* back to empty */
/* The buffer itself (malloc'ed, never NULL); text is empty afterwards. */
char *text_take(struct text *text);

#endif
