#include "run/subject.h"
#include "run/told.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The values of an index array are looked for up to here. */
enum { MOST_VALUES = 1 << 20, BELOW = 8 };

static bool is_text(const struct json *object, const char *key, const char *text)
{
    return strcmp(json_text(object, key), text) == 0;
}

/* Values of an index array that its condition allows, as "N LOW HIGH ..". */
static void add_values(struct text *out, const struct json *argument, const struct params *params)
{
    const char *name = json_text(argument, "name"), *condition = json_text(argument, "values");
    struct text intervals = {0};
    int64_t most = BELOW, value, holds, start = 0;
    int n = 0;
    bool inside = false;

    for (int k = 0; k < params->n; k++)
        most += params->param[k].value > 0 ? params->param[k].value : 0;
    most = most < MOST_VALUES ? most : MOST_VALUES;
    for (value = -BELOW; value <= most + 1; value++) {
        const bool allowed = value <= most && params_evaluate(params, condition, name, value, &holds) && holds;
        if (allowed && !inside)
            start = value;
        if (!allowed && inside) {
            text_addf(&intervals, " %" PRId64 " %" PRId64, start, value - 1);
            n++;
        }
        inside = allowed;
    }
    text_addf(out, " %d%s", n ? n : 1, n ? text_str(&intervals) : " 0 0");
    text_free(&intervals);
}

/* The extents of the memory; none is negative. */
static bool extents_of(const struct json *argument, const struct params *params, int64_t *extent, int *n)
{
    const struct json *stored = json_member(argument, "stored");

    *n = stored ? stored->n : 1;
    for (int k = 0; stored && k < stored->n; k++) {
        if (!params_evaluate(params, stored->item[k]->text, NULL, 0, &extent[k]))
            return false;
        extent[k] = extent[k] > 0 ? extent[k] : 0;
    }
    if (stored)
        return true;
    if (!params_evaluate(params, json_text(argument, "offset"), NULL, 0, &extent[0]))
        return false;
    for (int k = 0; k < json_member(argument, "shape")->n; k++) {
        int64_t size, stride;

        if (!params_evaluate(params, json_member(argument, "shape")->item[k]->text, NULL, 0, &size) ||
            !params_evaluate(params, json_member(argument, "strides")->item[k]->text, NULL, 0, &stride))
            return false;
        extent[0] += (size - 1) * (stride > 0 ? stride : 0);
    }
    extent[0] = extent[0] >= 0 ? extent[0] + 1 : 0;
    return true;
}

enum { MOST_DIMENSIONS = 64 };

/* How the driver chooses elements (templates/run/driver.c). */
enum { DRAWN_ANYHOW, DRAWN_DISTINCT, DRAWN_SORTED };

static double unit_of(const char *type)
{
    static const char *const types[] = {"f64", "f32", "f16", "bf16"};
    static const double unit[] = {0x1p-53, 0x1p-24, 0x1p-11, 0x1p-8};
    int k = 0;

    while (k < 4 && strcmp(type, types[k]) != 0)
        k++;
    return k < 4 ? unit[k] : 0;
}

/* The rounding error of a result, by the type that what makes it is rounded to; that of buffers of another type is no
 * approximation of a function, so it counts once. */
static double rounding_error(const struct json *argument, const struct job *job)
{
    const struct json *written = json_member(job->rounded, json_text(argument, "name"));
    const double unit = unit_of(written ? written->text : json_text(argument, "type"));
    const double scheduled = unit_of(json_text(argument, "rounded")) / (job->approximate ? 65536 : 1);

    return scheduled > unit ? scheduled : unit;
}

static bool add_array(struct text *out, const struct json *argument, const struct job *job)
{
    const struct params *params = &job->params;
    int64_t extent[MOST_DIMENSIONS], elements = 1;
    int n;

    if (json_member(argument, "shape")->n > MOST_DIMENSIONS / 2 || !extents_of(argument, params, extent, &n))
        return false;
    for (int k = 0; k < n; k++)
        if (__builtin_mul_overflow(elements, extent[k], &elements))
            return false;
    text_addf(out, "array %s %s %.17g %" PRId64 " %.0f %" PRId64 " %d", json_text(argument, "type"),
              json_text(argument, "role"), rounding_error(argument, job), elements, json_number(argument, "align"),
              n == 2 && extent[0] == extent[1] ? extent[0] : 0,
              is_text(argument, "injective", "true")           ? DRAWN_DISTINCT
              : is_text(argument, "monotone", "nondecreasing") ? DRAWN_SORTED
                                                               : DRAWN_ANYHOW);
    if (json_member(argument, "values"))
        add_values(out, argument, params);
    else
        text_add(out, " 0");
    text_char(out, '\n');
    return true;
}

/* A value that is passed: of an array of one element, too. */
static bool add_argument(struct text *out, const struct json *argument, const struct job *job)
{
    int64_t value;

    if (is_text(argument, "kind", "param")) {
        if (!params_evaluate(&job->params, json_text(argument, "name"), NULL, 0, &value))
            return false;
        text_addf(out, "param %" PRId64 "\n", value);
        return true;
    }
    if (is_text(argument, "kind", "array") &&
        (json_member(argument, "shape")->n > 0 || !is_text(argument, "role", "in")))
        return add_array(out, argument, job);
    text_addf(out, "scalar %s\n", json_text(argument, "type"));
    return true;
}

bool job_write(struct run_report *report, const struct scratch *scratch, const struct subject *subject,
               const struct job *job)
{
    const struct json *arguments = json_member(subject->signature, "arguments");
    struct text text = {0}, why = {0};
    bool ok = true;

    text_addf(&text, "%" PRId64 " %d %d\n", job->seed, job->at_end, arguments->n);
    for (int k = 0; ok && k < arguments->n; k++) {
        ok = add_argument(&text, arguments->item[k], job);
        if (!ok)
            text_addf(&why, "the extents of %s have no value", json_text(arguments->item[k], "name"));
    }
    ok = ok && scratch_write(scratch, job->name, text_str(&text), &why);
    if (!ok)
        run_error(report, "%s", text_str(&why));
    text_free(&text);
    text_free(&why);
    return ok;
}

/* "C[0, 5]" where the memory has the array's shape, else "C, element 5 of its memory,". */
static void add_element(struct text *out, const struct json *argument, const struct params *params, int64_t at)
{
    const struct json *stored = json_member(argument, "stored"), *shape = json_member(argument, "shape");
    int64_t extent[MOST_DIMENSIONS], index[MOST_DIMENSIONS];
    bool same = stored && stored->n == shape->n;
    int n;

    for (int k = 0; same && k < shape->n; k++)
        same = strcmp(stored->item[k]->text, shape->item[k]->text) == 0;
    text_add(out, json_text(argument, "name"));
    if (!same || !extents_of(argument, params, extent, &n)) {
        text_addf(out, ", element %" PRId64 " of its memory,", at);
        return;
    }
    for (int k = n - 1; k >= 0; k--) {
        index[k] = extent[k] ? at % extent[k] : 0;
        at = extent[k] ? at / extent[k] : 0;
    }
    for (int k = 0; k < n; k++)
        text_addf(out, "%s%" PRId64, k ? ", " : "[", index[k]);
    text_add(out, n ? "]" : "");
}

static void explain_line(struct text *out, const struct subject *subject, const struct job *job, char *line)
{
    const struct json *arguments = json_member(subject->signature, "arguments");
    char *rest = NULL, *word[6] = {0};
    int n = 0;

    for (char *at = strtok_r(line, " \n", &rest); at && n < 6; at = strtok_r(NULL, " \n", &rest))
        word[n++] = at;
    if (n == 2 && strcmp(word[0], "returned") == 0) {
        text_addf(out, "the function returns %s (%s)", word[1], strerror(atoi(word[1])));
        return;
    }
    const int number = n > 1 ? atoi(word[1]) : -1;
    if (number < 0 || number >= arguments->n)
        return;
    const struct json *argument = arguments->item[number];
    if (n == 6) {
        add_element(out, argument, &job->params, strtoll(word[2], NULL, 10));
        text_addf(out, " is %s, not %s; %s element%s of it differ%s", word[4], word[3], word[5],
                  strcmp(word[5], "1") == 0 ? "" : "s", strcmp(word[5], "1") == 0 ? "s" : "");
    } else if (n == 3) {
        text_addf(out, "memory outside of %s is used, %s bytes from its start", json_text(argument, "name"), word[2]);
    } else {
        text_addf(out, "%s is written, which is only read", json_text(argument, "name"));
    }
}

void outcome_explain(struct text *out, const struct subject *subject, const struct job *job,
                     const struct outcome *outcome, const struct run_options *options)
{
    const bool told =
        outcome->ending == ENDED_WITH_STATUS && (outcome->value == 1 || outcome->value == 2 || outcome->value == 4);
    const char *reason = told ? told_reason(text_str(&outcome->text)) : NULL;
    char *line = reason ? strndup(reason, strcspn(reason, "\n")) : NULL;

    if (line)
        explain_line(out, subject, job, line);
    else if (outcome->ending == ENDED_WITH_STATUS && outcome->value == 3)
        text_add(out, "it had not enough memory");
    else if (outcome->ending == ENDED_BY_SIGNAL && outcome->value == SIGILL)
        text_add(out, "this machine lacks an instruction that the code uses");
    else
        outcome_print(out, outcome, options->timeout);
    told_by_others(out, text_str(&outcome->text));
    free(line);
}
