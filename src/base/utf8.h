/* UTF-8: where characters end, and text made safe to show. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* The bytes of the well-formed character that text starts with, 0 when there is none. */
size_t utf8_length(const char *text, size_t size);

#endif
