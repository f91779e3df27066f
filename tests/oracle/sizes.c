/* Reading the sizes of a run. */
#include "sizes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct combination combination_new(const struct program *program, const struct combination *from)
{
    struct combination made = {calloc((size_t)program->n_param + 1, sizeof(int64_t)),
                               calloc((size_t)program->n_scalar + 1, sizeof(double))};

    if (from) {
        memcpy(made.param, from->param, (size_t)program->n_param * sizeof(int64_t));
        memcpy(made.scalar, from->scalar, (size_t)program->n_scalar * sizeof(double));
    }
    return made;
}

static void append(struct combinations *list, struct combination one)
{
    list->at = realloc(list->at, ((size_t)list->n + 1) * sizeof(*list->at));
    list->at[list->n++] = one;
}

void sizes_free(struct combinations *list)
{
    for (int k = 0; k < list->n; k++) {
        free(list->at[k].param);
        free(list->at[k].scalar);
    }
    free(list->at);
    *list = (struct combinations){0};
}

static bool set_value(const struct program *program, struct combination *one, const char *name,
                      const char *value)
{
    char *end;

    for (int k = 0; k < program->n_param; k++)
        if (!strcmp(program->param[k].name, name)) {
            one->param[k] = strtoll(value, &end, 10);
            return *value && !*end;
        }
    for (int k = 0; k < program->n_scalar; k++)
        if (!strcmp(program->scalar[k].name, name)) {
            one->scalar[k] = strtod(value, &end);
            return *value && !*end;
        }
    return false;
}

/* word is NAME=v1,v2,...: every combination of list with every value. */
static bool multiply(const struct program *program, struct combinations *list, char *word)
{
    struct combinations product = {0};
    char *values = strchr(word, '=');
    bool good = values != NULL;

    if (values)
        *values++ = '\0';
    for (int k = 0; good && k < list->n; k++) {
        char *copy = strdup(values), *rest = NULL;
        for (char *value = strtok_r(copy, ",", &rest); good && value; value = strtok_r(NULL, ",", &rest)) {
            append(&product, combination_new(program, &list->at[k]));
            good = set_value(program, &product.at[product.n - 1], word, value);
        }
        free(copy);
    }
    sizes_free(list);
    *list = product;
    return good;
}

static bool all_params_named(const struct program *program, const char *text)
{
    for (int k = 0; k < program->n_param; k++) {
        const char *name = program->param[k].name, *at = text;
        const size_t length = strlen(name);
        while ((at = strstr(at, name)) && !((at == text || at[-1] == ' ') && at[length] == '='))
            at++;
        if (!at) {
            fprintf(stderr, "polynest-oracle: run '%s' gives no value for %s\n", text, name);
            return false;
        }
    }
    return true;
}

bool sizes_read(const struct program *program, const char *text, struct combinations *list)
{
    char *copy = strdup(text), *rest = NULL;
    bool good = all_params_named(program, text);

    *list = (struct combinations){0};
    append(list, combination_new(program, NULL));
    for (int k = 0; k < program->n_scalar; k++)
        list->at[0].scalar[k] = NAN;
    for (char *word = strtok_r(copy, " \t", &rest); good && word; word = strtok_r(NULL, " \t", &rest))
        if (!multiply(program, list, word)) {
            fprintf(stderr, "polynest-oracle: cannot use '%s' in run '%s'\n", word, text);
            good = false;
        }
    free(copy);
    return good;
}
