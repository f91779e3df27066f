#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for extra bytes and the NUL. */
static void reserve(struct text *text, size_t extra)
{
    size_t wanted, capacity;

    if (extra > SIZE_MAX / 4 - text->size)
        abort();
    wanted = text->size + extra + 1;
    if (wanted <= text->capacity)
        return;
    capacity = text->capacity ? text->capacity : 64;
    while (capacity < wanted)
        capacity *= 2;
    text->data = realloc(text->data, capacity);
    if (!text->data)
        abort();
    text->capacity = capacity;
}

void text_add_n(struct text *text, const char *piece, size_t size)
{
    reserve(text, size);
    if (size)
        memcpy(text->data + text->size, piece, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void text_add(struct text *text, const char *piece)
{
    text_add_n(text, piece, strlen(piece));
}

void text_char(struct text *text, char c)
{
    text_add_n(text, &c, 1);
}

void text_vaddf(struct text *text, const char *format, va_list args)
{
    va_list again;
    int size;

    va_copy(again, args);
    size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0)
        abort();
    reserve(text, (size_t)size);
    vsnprintf(text->data + text->size, (size_t)size + 1, format, args);
    text->size += (size_t)size;
}

void text_addf(struct text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_vaddf(text, format, args);
    va_end(args);
}

const char *text_str(const struct text *text)
{
    return text->data ? text->data : "";
}

void text_truncate(struct text *text, size_t size)
{
    if (size >= text->size)
        return;
    text->size = size;
    text->data[size] = '\0';
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

char *text_take(struct text *text)
{
    char *data;

    reserve(text, 0);
    data = text->data;
    data[text->size] = '\0';
    *text = (struct text){0};
    return data;
}
