#include "validate.h"

#include <regex.h>
#include <stdbool.h>
#include <string.h>

struct validation {
    const cJSON *root; /* the whole schema */
    struct text *out;  /* NULL: only the number of messages is asked for */
};

static int check(const struct validation *v, const cJSON *schema, const cJSON *value);

static int fault(const struct validation *v, const cJSON *value, const char *rule, const char *what)
{
    if (v->out)
        text_addf(v->out, "%s: %s: %s\n", value->string ? value->string : "(item)", rule, what);
    return 1;
}

static bool has_type(const cJSON *value, const char *type)
{
    if (strcmp(type, "integer") == 0)
        return cJSON_IsNumber(value) && value->valuedouble == (double)(long long)value->valuedouble;
    return strcmp(type, "object") == 0   ? cJSON_IsObject(value)
           : strcmp(type, "array") == 0  ? cJSON_IsArray(value)
           : strcmp(type, "string") == 0 ? cJSON_IsString(value)
           : strcmp(type, "number") == 0 ? cJSON_IsNumber(value)
                                         : strcmp(type, "boolean") == 0 && cJSON_IsBool(value);
}

static int check_type(const struct validation *v, const cJSON *types, const cJSON *value)
{
    const cJSON *type;

    if (cJSON_IsString(types))
        return has_type(value, types->valuestring) ? 0 : fault(v, value, "type", types->valuestring);
    cJSON_ArrayForEach(type, types) if (has_type(value, type->valuestring)) return 0;
    return fault(v, value, "type", "none of several");
}

static int check_enum(const struct validation *v, const cJSON *words, const cJSON *value)
{
    const cJSON *word;

    cJSON_ArrayForEach(word, words) if (cJSON_Compare(word, value, true)) return 0;
    return fault(v, value, "enum", cJSON_IsString(value) ? value->valuestring : "no string");
}

static int check_pattern(const struct validation *v, const cJSON *pattern, const cJSON *value)
{
    regex_t expression;
    bool matches;

    if (!cJSON_IsString(value))
        return 0;
    if (regcomp(&expression, pattern->valuestring, REG_EXTENDED | REG_NOSUB) != 0)
        return fault(v, value, "pattern", "it is none");
    matches = regexec(&expression, value->valuestring, 0, NULL, 0) == 0;
    regfree(&expression);
    return matches ? 0 : fault(v, value, "pattern", value->valuestring);
}

static int check_required(const struct validation *v, const cJSON *keys, const cJSON *value)
{
    const cJSON *key;
    int n = 0;

    cJSON_ArrayForEach(key,
                       keys) if (cJSON_IsObject(value) && !cJSON_GetObjectItemCaseSensitive(value, key->valuestring))
        n += fault(v, value, "required", key->valuestring);
    return n;
}

static int check_properties(const struct validation *v, const cJSON *schema, const cJSON *value)
{
    const cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties");
    const cJSON *others = cJSON_GetObjectItemCaseSensitive(schema, "additionalProperties"), *item;
    int n = 0;

    if (!cJSON_IsObject(value))
        return 0;
    cJSON_ArrayForEach(item, value)
    {
        const cJSON *property = cJSON_GetObjectItemCaseSensitive(properties, item->string);

        if (property)
            n += check(v, property, item);
        else if (cJSON_IsFalse(others))
            n += fault(v, value, "additionalProperties", item->string);
        else if (others)
            n += check(v, others, item);
    }
    return n;
}

static int check_items(const struct validation *v, const cJSON *schema, const cJSON *value)
{
    const cJSON *item;
    int n = 0;

    if (cJSON_IsArray(value))
        cJSON_ArrayForEach(item, value) n += check(v, schema, item);
    return n;
}

static bool holds(const struct validation *v, const cJSON *schema, const cJSON *value)
{
    const struct validation silent = {v->root, NULL};

    return check(&silent, schema, value) == 0;
}

static int check_if(const struct validation *v, const cJSON *schema, const cJSON *value)
{
    const bool is = holds(v, cJSON_GetObjectItemCaseSensitive(schema, "if"), value);
    const cJSON *rest = cJSON_GetObjectItemCaseSensitive(schema, is ? "then" : "else");

    return rest ? check(v, rest, value) : 0;
}

static int check_reference(const struct validation *v, const char *path, const cJSON *value)
{
    const cJSON *schemas = cJSON_GetObjectItemCaseSensitive(v->root, "$defs");
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(schemas, path + strlen("#/$defs/"));

    return schema ? check(v, schema, value) : fault(v, value, "$ref", path);
}

static int check_number(const struct validation *v, const cJSON *keyword, const cJSON *value)
{
    const double limit = keyword->valuedouble, number = value->valuedouble;
    const bool least = strcmp(keyword->string, "minimum") == 0;

    return !cJSON_IsNumber(value) || (least ? number >= limit : number <= limit) ? 0
                                                                                 : fault(v, value, keyword->string, "");
}

static bool says_nothing(const char *keyword)
{
    static const char *const words[] = {
        "$schema",   "$defs",        "title", "description", "then", "else", "additionalProperties",
        "maxLength", "minProperties"};

    for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
        if (strcmp(words[k], keyword) == 0)
            return true;
    return false;
}

static int check_keyword(const struct validation *v, const cJSON *schema, const cJSON *keyword, const cJSON *value)
{
    const char *word = keyword->string;

    if (strcmp(word, "$ref") == 0)
        return check_reference(v, keyword->valuestring, value);
    if (strcmp(word, "type") == 0)
        return check_type(v, keyword, value);
    if (strcmp(word, "const") == 0)
        return cJSON_Compare(keyword, value, true) ? 0 : fault(v, value, "const", "another value");
    if (strcmp(word, "enum") == 0)
        return check_enum(v, keyword, value);
    if (strcmp(word, "pattern") == 0)
        return check_pattern(v, keyword, value);
    if (strcmp(word, "minimum") == 0 || strcmp(word, "maximum") == 0)
        return check_number(v, keyword, value);
    if (strcmp(word, "required") == 0)
        return check_required(v, keyword, value);
    if (strcmp(word, "properties") == 0)
        return check_properties(v, schema, value);
    if (strcmp(word, "items") == 0)
        return check_items(v, keyword, value);
    if (strcmp(word, "if") == 0)
        return check_if(v, schema, value);
    if (strcmp(word, "not") == 0)
        return holds(v, keyword, value) ? fault(v, value, "not", "") : 0;
    return says_nothing(word) ? 0 : fault(v, value, word, "an unknown keyword");
}

static int check(const struct validation *v, const cJSON *schema, const cJSON *value)
{
    const cJSON *keyword;
    int n = 0;

    if (cJSON_IsBool(schema))
        return cJSON_IsTrue(schema) ? 0 : fault(v, value, "false", "nothing is allowed");
    cJSON_ArrayForEach(keyword, schema) n += check_keyword(v, schema, keyword, value);
    if (!cJSON_GetObjectItemCaseSensitive(schema, "properties") &&
        cJSON_GetObjectItemCaseSensitive(schema, "additionalProperties"))
        n += check_properties(v, schema, value);
    return n;
}

int validate(const cJSON *schema, const cJSON *value, struct text *out)
{
    const struct validation v = {schema, out};

    return check(&v, schema, value);
}
