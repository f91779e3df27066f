#include "run/json.h"

#include "base/json.h"
#include "base/vec.h"

#include <cjson/cJSON.h>

#include <stdlib.h>
#include <string.h>

/* What cJSON has read, in the arena. */
static const struct json *copied(struct arena *arena, const cJSON *from)
{
    struct json *value = ARENA_NEW(arena, struct json);
    VEC(const struct json *) item = {0};

    value->key = from->string ? arena_copy(arena, from->string) : NULL;
    if (cJSON_IsObject(from) || cJSON_IsArray(from)) {
        value->kind = cJSON_IsObject(from) ? JSON_OBJECT : JSON_LIST;
        for (const cJSON *child = from->child; child; child = child->next)
            VEC_PUSH(arena, &item, copied(arena, child));
        value->item = item.at;
        value->n = item.n;
    } else if (cJSON_IsString(from)) {
        value->kind = JSON_STRING;
        value->text = arena_copy(arena, from->valuestring);
    } else {
        char *word = cJSON_PrintUnformatted(from);
        value->text = arena_copy(arena, word ? word : "null");
        cJSON_free(word);
    }
    return value;
}

const struct json *json_parse(struct arena *arena, const char *text)
{
    char *plain = arena_copy(arena, text);
    const struct json *value;
    cJSON *read;

    cJSON_Minify(plain);
    read = cJSON_Parse(plain);
    value = read ? copied(arena, read) : NULL;
    cJSON_Delete(read);
    return value;
}

const struct json *json_member(const struct json *object, const char *key)
{
    for (int k = 0; object && object->kind == JSON_OBJECT && k < object->n; k++)
        if (strcmp(object->item[k]->key, key) == 0)
            return object->item[k];
    return NULL;
}

const char *json_text(const struct json *object, const char *key)
{
    const struct json *member = json_member(object, key);

    return member && member->text ? member->text : "";
}

double json_number(const struct json *object, const char *key)
{
    return strtod(json_text(object, key), NULL);
}

const struct json *json_with_item(struct arena *arena, const struct json *value, int at, const struct json *item)
{
    struct json *made = ARENA_NEW(arena, struct json);
    VEC(const struct json *) items = {0};

    for (int k = 0; k < value->n; k++)
        if (k != at || item)
            VEC_PUSH(arena, &items, k == at ? item : value->item[k]);
    if (at == value->n && item)
        VEC_PUSH(arena, &items, item);
    *made = *value;
    made->item = items.at;
    made->n = items.n;
    return made;
}

void json_print(struct text *out, const struct json *value)
{
    const bool is_object = value->kind == JSON_OBJECT;

    if (value->kind == JSON_WORD) {
        text_add(out, value->text);
        return;
    }
    if (value->kind == JSON_STRING) {
        json_string(out, value->text);
        return;
    }
    text_char(out, is_object ? '{' : '[');
    for (int k = 0; k < value->n; k++) {
        text_add(out, k ? ", " : "");
        if (is_object) {
            json_string(out, value->item[k]->key);
            text_add(out, ": ");
        }
        json_print(out, value->item[k]);
    }
    text_char(out, is_object ? '}' : ']');
}
