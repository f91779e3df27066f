#include "run/params.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const struct params *params;
    const char *at;
    const char *word;
    int64_t word_value;
    bool failed;
};

/* Operators of two operands, weakest first; of one level the longer in front. */
static const struct operator
{
    const char *text;
    int level;
}
operators[] = {{"||", 0}, {"or", 0}, {"&&", 1}, {"and", 1}, {"<=", 3}, {">=", 3}, {"==", 2}, {"!=", 2},
               {"<", 3},  {">", 3},  {"=", 2},  {"+", 4},   {"-", 4},  {"*", 5},  {"/", 5},  {"%", 5}};

enum { N_OPERATOR = (int)(sizeof(operators) / sizeof(operators[0])), HIGHEST = 6 };

struct params params_from(struct arena *arena, const struct json *object)
{
    const int n = object ? object->n : 0;
    struct param_value *param = ARENA_ARRAY(arena, n + 1, struct param_value);

    for (int k = 0; k < n; k++)
        param[k] = (struct param_value){object->item[k]->key,
                                        object->item[k]->text ? strtoll(object->item[k]->text, NULL, 10) : 0};
    return (struct params){param, n};
}

void params_print(struct text *out, const struct params *params)
{
    for (int k = 0; k < params->n; k++)
        text_addf(out, "%s%s = %" PRId64, k ? ", " : "", params->param[k].name, params->param[k].value);
    if (params->n == 0)
        text_add(out, "no parameters");
}

static void skip(struct reader *reader)
{
    reader->at += strspn(reader->at, " ");
}

static int64_t read_level(struct reader *reader, int level);

static int64_t floor_quotient(struct reader *reader, int64_t a, int64_t b)
{
    reader->failed = reader->failed || b == 0 || (a == INT64_MIN && b == -1);
    return reader->failed ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t apply(struct reader *reader, const char *operator, int64_t a, int64_t b)
{
    int64_t value = 0;

    switch (operator[0]) {
    case '|':
    case 'o':
        return a || b;
    case '&':
    case 'a':
        return a && b;
    case '<':
        return operator[1] ? a <= b : a<b;
    case '>':
        return operator[1] ? a >= b : a> b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '+':
        reader->failed = __builtin_add_overflow(a, b, &value) || reader->failed;
        return value;
    case '-':
        reader->failed = __builtin_sub_overflow(a, b, &value) || reader->failed;
        return value;
    case '*':
        reader->failed = __builtin_mul_overflow(a, b, &value) || reader->failed;
        return value;
    case '/':
        return floor_quotient(reader, a, b);
    default:
        value = floor_quotient(reader, a, b);
        return reader->failed ? 0 : a - b * value;
    }
}

static int64_t call(struct reader *reader, const char *name, size_t length)
{
    int64_t value = 0, next;
    int n = 0;

    reader->at++;
    do {
        next = read_level(reader, 0);
        if (n++ == 0)
            value = next;
        else if (strncmp(name, "min", length) == 0)
            value = next < value ? next : value;
        else if (strncmp(name, "max", length) == 0)
            value = next > value ? next : value;
        else
            reader->failed = true;
        skip(reader);
    } while (*reader->at == ',' && reader->at++);
    reader->failed = reader->failed || *reader->at != ')';
    reader->at += *reader->at == ')';
    return strncmp(name, "abs", length) == 0 && value < 0 ? -value : value;
}

/* ceil(a / b): the quotient is exact in between. */
static int64_t ceiling(struct reader *reader)
{
    int64_t a, b;

    reader->at++;
    a = read_level(reader, HIGHEST);
    for (skip(reader); *reader->at == '*';) {
        reader->at++;
        a = apply(reader, "*", a, read_level(reader, HIGHEST));
        skip(reader);
    }
    reader->failed = reader->failed || *reader->at != '/';
    reader->at += *reader->at == '/';
    b = read_level(reader, HIGHEST);
    skip(reader);
    reader->failed = reader->failed || *reader->at != ')';
    reader->at += *reader->at == ')';
    return -floor_quotient(reader, -a, b);
}

static int64_t named(struct reader *reader)
{
    const char *name = reader->at;
    size_t length = 0;

    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    reader->at += length;
    skip(reader);
    if (*reader->at == '(' && length == 4 && strncmp(name, "ceil", 4) == 0)
        return ceiling(reader);
    if (*reader->at == '(')
        return call(reader, name, length);
    if (reader->word && strlen(reader->word) == length && strncmp(reader->word, name, length) == 0)
        return reader->word_value;
    for (int k = 0; k < reader->params->n; k++)
        if (strlen(reader->params->param[k].name) == length &&
            strncmp(reader->params->param[k].name, name, length) == 0)
            return reader->params->param[k].value;
    reader->failed = true;
    return 0;
}

static int64_t operand(struct reader *reader)
{
    int64_t value;
    char *end;

    skip(reader);
    if (*reader->at == '-') {
        reader->at++;
        return apply(reader, "-", 0, operand(reader));
    }
    if (*reader->at == '!') {
        reader->at++;
        return !operand(reader);
    }
    if (*reader->at == '(') {
        reader->at++;
        value = read_level(reader, 0);
        skip(reader);
        reader->failed = reader->failed || *reader->at != ')';
        reader->at += *reader->at == ')';
        return value;
    }
    if (isdigit((unsigned char)*reader->at)) {
        value = strtoll(reader->at, &end, 10);
        reader->at = end;
        return value;
    }
    if (isalpha((unsigned char)*reader->at) || *reader->at == '_')
        return named(reader);
    reader->failed = true;
    return 0;
}

static const char *operator_here(const struct reader *reader, int level)
{
    for (int k = 0; k < N_OPERATOR; k++)
        if (strncmp(reader->at, operators[k].text, strlen(operators[k].text)) == 0)
            return operators[k].level == level ? operators[k].text : NULL;
    return NULL;
}

/* A chain of comparisons, 0 <= x < N, is all of them. */
static int64_t read_level(struct reader *reader, int level)
{
    const char *operator;
    int64_t value, left;
    bool all = true, compared = false;

    if (level == HIGHEST)
        return operand(reader);
    value = read_level(reader, level + 1);
    for (skip(reader); !reader->failed && (operator= operator_here(reader, level)); skip(reader)) {
        reader->at += strlen(operator);
        left = value;
        value = read_level(reader, level + 1);
        if (level == 2 || level == 3) {
            all = apply(reader, operator, left, value) && all;
            compared = true;
        } else {
            value = apply(reader, operator, left, value);
        }
    }
    return compared ? all : value;
}

bool params_evaluate(const struct params *params, const char *expression, const char *word, int64_t value_of_word,
                     int64_t *value)
{
    struct reader reader = {params, expression, word, value_of_word, false};

    *value = read_level(&reader, 0);
    skip(&reader);
    return !reader.failed && *reader.at == '\0';
}
