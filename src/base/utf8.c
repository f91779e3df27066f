#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>

static const uint32_t smallest_of_length[] = {0, 0, 0x80, 0x800, 0x10000};

static size_t announced_length(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        return 2;
    if (first >= 0xe0 && first <= 0xef)
        return 3;
    return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

static bool is_scalar_value(uint32_t code, size_t length)
{
    return code >= smallest_of_length[length] && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

size_t utf8_length(const char *text, size_t size)
{
    const unsigned char *byte = (const unsigned char *)text;
    const size_t length = size ? announced_length(byte[0]) : 0;
    uint32_t code;

    if (length < 2 || length > size)
        return length <= size ? length : 0;
    code = byte[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((byte[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte[i] & 0x3fu);
    }
    return is_scalar_value(code, length) ? length : 0;
}
