#include "read/json.h"

#include "base/json.h"
#include "read/scan.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST_INTEGER 9007199254740992.0 /* 2^53: every integer below it is a double */

struct join {
    struct arena *arena;
    struct diags *diags;
};

static bool join_value(struct join *join, struct value *value, const cJSON *node);

static bool disagree(struct join *join, const struct value *value)
{
    diag_error(join->diags, "json-internal", value->place, "the two JSON readers of polynest disagree here");
    return false;
}

static bool join_number(struct join *join, struct value *value, const cJSON *node)
{
    const double number = node->valuedouble;

    if (!cJSON_IsNumber(node))
        return disagree(join, value);
    value->kind = VALUE_REAL;
    if (!(number > -LARGEST_INTEGER && number < LARGEST_INTEGER) || number != (double)(int64_t)number)
        return true;
    value->kind = VALUE_INT;
    value->integer = (int64_t)number;
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const int order = strcmp(**(const char **const *)a, **(const char **const *)b);

    if (order)
        return order;
    return *(const char **const *)a < *(const char **const *)b ? -1 : 1;
}

static bool check_duplicates(struct join *join, const struct value *object)
{
    const char ***sorted = ARENA_ARRAY(join->arena, object->n_item, const char **);
    bool good = true;

    for (int k = 0; k < object->n_item; k++)
        sorted[k] = &object->key[k];
    if (object->n_item > 1)
        qsort(sorted, (size_t)object->n_item, sizeof(*sorted), compare_keys);
    for (int k = 1; k < object->n_item; k++)
        if (strcmp(*sorted[k], *sorted[k - 1]) == 0) {
            struct diag *diag = diag_error(join->diags, "duplicate-key", object->key_place[sorted[k] - object->key],
                                           "the key \"%s\" occurs twice", *sorted[k]);

            diag_note(join->diags, diag, object->key_place[sorted[k - 1] - object->key], "first here");
            good = false;
        }
    return good;
}

/* The members or elements of node onto those of value. */
static bool join_items(struct join *join, struct value *value, const cJSON *node)
{
    const cJSON *child = node->child;
    bool good = true;

    for (int k = 0; k < value->n_item; k++, child = child->next) {
        if (!child)
            return disagree(join, value);
        if (value->kind == VALUE_OBJECT)
            value->key[k] = arena_copy(join->arena, child->string);
        good &= join_value(join, &value->item[k], child);
    }
    if (child)
        return disagree(join, value);
    return value->kind == VALUE_OBJECT ? good & check_duplicates(join, value) : good;
}

static bool join_value(struct join *join, struct value *value, const cJSON *node)
{
    switch (value->kind) {
    case VALUE_BOOL:
        return (value->integer ? cJSON_IsTrue(node) : cJSON_IsFalse(node)) || disagree(join, value);
    case VALUE_INT:
        return join_number(join, value, node);
    case VALUE_STRING:
        if (!cJSON_IsString(node))
            return disagree(join, value);
        value->string = arena_copy(join->arena, node->valuestring);
        return true;
    case VALUE_LIST:
        return cJSON_IsArray(node) ? join_items(join, value, node) : disagree(join, value);
    default:
        return cJSON_IsObject(node) ? join_items(join, value, node) : disagree(join, value);
    }
}

const struct value *json_read(struct arena *arena, const struct source *source, struct diags *diags)
{
    struct join join = {arena, diags};
    struct value *root = NULL;
    char *blanked = scan_utf8(source, diags) ? scan_blank(arena, source, diags) : NULL;
    cJSON *parsed;
    bool good;

    if (blanked)
        root = scan_values(arena, source, blanked, diags);
    if (!root)
        return NULL;
    parsed = cJSON_ParseWithLengthOpts(blanked, source->size + 1, NULL, 1);
    good = parsed ? join_value(&join, root, parsed) : disagree(&join, root);
    cJSON_Delete(parsed);
    return good ? root : NULL;
}

void value_print(const struct value *value, struct text *out)
{
    const bool is_object = value->kind == VALUE_OBJECT;

    switch (value->kind) {
    case VALUE_BOOL:
        text_add(out, value->integer ? "true" : "false");
        return;
    case VALUE_INT:
        text_addf(out, "%" PRId64, value->integer);
        return;
    case VALUE_REAL:
        text_add_n(out, value->place.source->text + value->place.offset, value->place.length);
        return;
    case VALUE_STRING:
        json_string(out, value->string);
        return;
    default:
        break;
    }
    text_add(out, is_object ? "{" : "[");
    for (int k = 0; k < value->n_item; k++) {
        text_add(out, k ? ", " : "");
        if (is_object) {
            json_string(out, value->key[k]);
            text_add(out, ": ");
        }
        value_print(&value->item[k], out);
    }
    text_add(out, is_object ? "}" : "]");
}
