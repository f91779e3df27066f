/* The pages of steps and objects. That of a step: the text of its descriptor, and its example in examples/steps, which
 * is run for it. */
#include "polynest/polynest.h"

#include "api/registry.h"
#include "base/template.h"
#include "read/read.h"
#include "report/primitives.h"

#include <stdio.h>
#include <string.h>

/* What the emitted source starts with besides its function: comment, includes and helpers. */
static const char *function_in(const char *source)
{
    static const char *const start[] = {"\nstatic __global__ ", "\nvoid ", "\nint "};
    const char *first = NULL;

    for (size_t i = 0; i < sizeof(start) / sizeof(start[0]); i++) {
        const char *found = strstr(source, start[i]);

        if (found && (!first || found < first))
            first = found;
    }
    return first ? first + 1 : source;
}

static void add_listing(struct text *out, const char *title, const char *language, const char *text)
{
    text_addf(out, "\n## %s\n\n```%s\n%s```\n", title, language, text);
}

/* The function that is emitted for the variant, or without schedule and plan where there is none. */
static void add_function(struct text *out, const char *title, const char *file, const char *text, const char *variant)
{
    polynest *p = polynest_new(file, text, strlen(text));

    if (variant)
        polynest_set_variant(p, variant);
    if (polynest_emit(p) == POLYNEST_OK)
        add_listing(out, title, "c", function_in(polynest_source(p)));
    polynest_free(p);
}

static void add_before(struct text *out, const char *file, const char *text)
{
    polynest *p;

    if (strstr(text, "\"name\": \"before\"")) {
        add_function(out, "Before", file, text, "before");
        return;
    }
    p = polynest_new(file, text, strlen(text));
    polynest_set_unscheduled(p, 1);
    if (polynest_emit(p) == POLYNEST_OK)
        add_listing(out, "Before", "c", function_in(polynest_source(p)));
    polynest_free(p);
}

static void add_refused(struct text *out, const char *file, const char *text)
{
    polynest *p = polynest_new(file, text, strlen(text));

    polynest_set_variant(p, "refused");
    if (polynest_check(p) == POLYNEST_REFUSED)
        add_listing(out, "Refused", "", polynest_diagnostics(p));
    polynest_free(p);
}

static void add_example(struct text *out, const char *name)
{
    char file[128];
    const char *text;

    snprintf(file, sizeof(file), "examples/steps/%s", name);
    text = template_named(file);
    snprintf(file, sizeof(file), "examples/steps/%s.json", name);
    add_listing(out, "Example", "json", text);
    add_before(out, file, text);
    add_function(out, "After", file, text, NULL);
    add_refused(out, file, text);
}

static const struct primitive *step_number(int number, bool *in_plan)
{
    const struct primitive *const *primitive = schedule_primitives;

    for (*in_plan = false; number >= 0; primitive++) {
        if (!*primitive) {
            if (*in_plan)
                return NULL;
            *in_plan = true;
            primitive = plan_primitives;
        }
        if (number-- == 0)
            return *primitive;
    }
    return NULL;
}

const char *polynest_step(int number)
{
    bool in_plan;
    const struct primitive *primitive = step_number(number, &in_plan);

    return primitive ? primitive->name : NULL;
}

/* Of a description, the description first, and of a file of several. */
static object_vec all_objects(struct arena *arena)
{
    object_vec all = objects_inside(arena, &object_description);

    VEC_PUSH(arena, &all, &object_several);
    return all;
}

const char *polynest_object(int number)
{
    struct arena *arena = arena_new();
    const object_vec all = all_objects(arena);
    const char *name = number < all.n ? all.at[number]->name : NULL;

    arena_free(arena);
    return name;
}

/* The page of the object with this name; NULL: there is none. */
static char *object_help(const char *name)
{
    struct arena *arena = arena_new();
    const object_vec all = all_objects(arena);
    struct text out = {0};

    for (int k = 0; k < all.n; k++)
        if (strcmp(all.at[k]->name, name) == 0)
            report_object(all.at[k], &out);
    arena_free(arena);
    return out.size ? text_take(&out) : NULL;
}

char *polynest_step_help(const char *name)
{
    struct text out = {0};
    bool in_plan;
    const struct primitive *primitive;

    for (int i = 0; (primitive = step_number(i, &in_plan)); i++) {
        if (strcmp(primitive->name, name) == 0)
            break;
    }
    if (!primitive)
        return object_help(name);
    report_primitive(primitive, in_plan, &out);
    add_example(&out, name);
    return text_take(&out);
}
