#include "report/signature.h"

#include "base/json.h"
#include "program/storage/lay_out.h"
#include "tree/layout.h"

#include <string.h>

static void add_expr(struct text *out, const struct expr *expr)
{
    struct text text = {0};

    expr_print(&text, expr, NULL);
    json_string(out, text_str(&text));
    text_free(&text);
}

static void add_extents(struct text *out, const char *key, struct expr *const *extent, int n)
{
    text_addf(out, ", \"%s\": [", key);
    for (int k = 0; k < n; k++) {
        text_add(out, k ? ", " : "");
        add_expr(out, extent[k]);
    }
    text_char(out, ']');
}

static void add_memory(struct text *out, const struct array *array)
{
    if (array->stride) {
        add_extents(out, "strides", array->stride, array->n_dim);
        text_add(out, ", \"offset\": ");
        array->offset ? add_expr(out, array->offset) : json_string(out, "0");
        return;
    }
    text_add(out, ", \"stored\": [");
    for (int k = 0; k < array->n_dim; k++) {
        text_add(out, k ? ", " : "");
        add_expr(out, array->shape[array_dense_dimension(array, k)]);
    }
    text_char(out, ']');
}

/* What callers see to. */
static void add_needs(struct text *out, const struct array *array)
{
    if (array->align > 0)
        text_addf(out, ", \"align\": %lld", (long long)array->align);
    if (array->values) {
        struct text values = {0};

        expr_print(&values, array->values, &array->name);
        text_add(out, ", \"values\": ");
        json_string(out, text_str(&values));
        text_free(&values);
    }
    if (array->injective)
        text_add(out, ", \"injective\": true");
    if (array->nondecreasing)
        text_add(out, ", \"monotone\": \"nondecreasing\"");
}

static void start_argument(struct text *out, const char *name, const char *kind, enum type type)
{
    const bool first = out->size > 0 && text_str(out)[out->size - 1] == '[';

    text_addf(out, "%s\n  {\"name\": ", first ? "" : ",");
    json_string(out, name);
    text_addf(out, ", \"kind\": \"%s\", \"type\": \"%s\"", kind, type_name(type));
}

/* The word in front of the function's name in its prototype. */
static void add_result(struct text *out, const char *name, const char *header)
{
    const char *end = strstr(header, name), *start;
    const size_t size = strlen(name);

    while (end && !(end > header + 1 && end[-1] == ' ' && end[size] == '('))
        end = strstr(end + 1, name);
    for (start = end; start && start > header && start[-1] != '\n';)
        start--;
    text_add(out, "\"");
    if (end)
        text_add_n(out, start, (size_t)(end - start) - 1);
    text_add(out, "\"");
}

/* The parts of text between separators. */
static void add_parts(struct text *out, const char *key, const char *text, const char *separator)
{
    text_addf(out, ",\n \"%s\": [", key);
    for (const char *end, *start = text; start; start = end ? end + strlen(separator) : NULL) {
        struct text part = {0};

        end = strstr(start, separator);
        text_add_n(&part, start, end ? (size_t)(end - start) : strlen(start));
        text_add(out, start > text ? ", " : "");
        json_string(out, text_str(&part));
        text_free(&part);
    }
    text_char(out, ']');
}

void report_signature(const struct program *program, const struct program *laid_out, const char *header,
                      const char *flags, const char *needs, const enum type *rounded, struct text *out)
{
    text_addf(out, "{\"name\": \"%s\", \"language\": \"%s\", \"returns\": ", program->name, program->target.language);
    add_result(out, program->name, header);
    text_add(out, ", \"arguments\": [");
    for (int k = 0; k < program->n_param; k++) {
        start_argument(out, program->param[k].name, "param", program->param[k].type);
        text_char(out, '}');
    }
    for (int k = 0; k < program->n_scalar; k++) {
        start_argument(out, program->scalar[k].name, "scalar", program->scalar[k].type);
        text_char(out, '}');
    }
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];

        if (!array_is_argument(array))
            continue;
        start_argument(out, array->name, "array", array->type);
        text_addf(out, ", \"role\": \"%s\"", role_name(array->role));
        add_extents(out, "shape", array->shape, array->n_dim);
        add_memory(out, laid_out_array(laid_out, program, array));
        add_needs(out, array);
        if (rounded && array->role != ROLE_IN && rounded[k] != TYPE_NONE && rounded[k] != array->type)
            text_addf(out, ", \"rounded\": \"%s\"", type_name(rounded[k]));
        text_char(out, '}');
    }
    text_char(out, ']');
    add_parts(out, "flags", flags, " ");
    add_parts(out, "needs", needs, "; ");
    text_add(out, "}\n");
}
