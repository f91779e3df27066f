#include "base/json.h"
#include "base/utf8.h"

#include <string.h>

static void add_escaped(struct text *out, char c)
{
    switch (c) {
    case '"':
        text_add(out, "\\\"");
        break;
    case '\\':
        text_add(out, "\\\\");
        break;
    case '\n':
        text_add(out, "\\n");
        break;
    case '\r':
        text_add(out, "\\r");
        break;
    case '\t':
        text_add(out, "\\t");
        break;
    default:
        text_addf(out, "\\u%04x", (unsigned)(unsigned char)c);
    }
}

void json_string(struct text *out, const char *text)
{
    const size_t size = strlen(text);

    text_char(out, '"');
    for (size_t i = 0, length; i < size; i += length ? length : 1) {
        length = utf8_length(text + i, size - i);
        if (length == 0)
            text_add(out, "\\ufffd");
        else if (length == 1 && (text[i] == '"' || text[i] == '\\' || (unsigned char)text[i] < 0x20 || text[i] == 0x7f))
            add_escaped(out, text[i]);
        else
            text_add_n(out, text + i, length);
    }
    text_char(out, '"');
}

void json_string_or_null(struct text *out, const char *text)
{
    if (text)
        json_string(out, text);
    else
        text_add(out, "null");
}
