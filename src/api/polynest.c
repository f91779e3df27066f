#include "polynest/polynest.h"

#include "api/compile.h"
#include "api/registry.h"
#include "base/names.h"
#include "report/primitives.h"
#include "read/choose/functions.h"
#include "read/read.h"
#include "report/schema.h"
#include "target/target.h"

#include <stdlib.h>
#include <string.h>

/* Far above what real descriptions need, of which none takes a million. What runs away counts a quarter of a million a
 * second, as isl does not count its arithmetic: that is some twenty seconds. */
enum { DEFAULT_OPERATIONS = 5 * 1000 * 1000 };

static char *copy_n(const char *text, size_t size)
{
    struct text copy = {0};

    text_add_n(&copy, text, size);
    return text_take(&copy);
}

static void replace(char **held, const char *text)
{
    free(*held);
    *held = text ? copy_n(text, strlen(text)) : NULL;
}

const char *polynest_version(void)
{
    return PACKAGE_VERSION;
}

polynest *polynest_new(const char *name, const char *text, size_t size)
{
    polynest *p = calloc(1, sizeof(*p));

    if (!p)
        abort();
    p->input_name = copy_n(name, strlen(name));
    p->input = copy_n(text, size);
    p->input_size = size;
    p->operations = DEFAULT_OPERATIONS;
    run_options_init(&p->running);
    return p;
}

void polynest_free(polynest *p)
{
    if (!p)
        return;
    free(p->input_name);
    free(p->input);
    free(p->function_name);
    free(p->header_name);
    free(p->variant);
    free(p->slice);
    free(p->schedule_name);
    free(p->schedule_text);
    free(p->dump_name);
    free(p->dump_text);
    text_free(&p->setting);
    text_free(&p->sizes);
    free(p->plane);
    run_options_free(&p->running);
    applied_free(p->applied);
    results_free(&p->result);
    free(p);
}

static char *copy_or_null(const char *text, size_t size)
{
    return text ? copy_n(text, size) : NULL;
}

static char *copy_string(const char *text)
{
    return copy_or_null(text, text ? strlen(text) : 0);
}

static struct text copy_text(const struct text *text)
{
    struct text copy = {0};

    text_add_n(&copy, text_str(text), text->size);
    return copy;
}

polynest *polynest_copy(const polynest *p)
{
    polynest *copy = calloc(1, sizeof(*copy));

    if (!copy)
        abort();
    *copy = *p;
    copy->input_name = copy_string(p->input_name);
    copy->input = copy_n(p->input, p->input_size);
    copy->function_name = copy_string(p->function_name);
    copy->header_name = copy_string(p->header_name);
    copy->variant = copy_string(p->variant);
    copy->slice = copy_string(p->slice);
    copy->schedule_name = copy_string(p->schedule_name);
    copy->schedule_text = copy_or_null(p->schedule_text, p->schedule_size);
    copy->dump_name = copy_string(p->dump_name);
    copy->dump_text = copy_or_null(p->dump_text, p->dump_size);
    copy->setting = copy_text(&p->setting);
    copy->sizes = copy_text(&p->sizes);
    copy->plane = copy_string(p->plane);
    copy->running = run_options_copy(&p->running);
    copy->trace = NULL;
    copy->several = NULL;
    copy->checking = NULL;
    copy->applied = NULL;
    copy->result = (struct results){0};
    return copy;
}

int polynest_functions(const polynest *p)
{
    const struct source source = {p->input_name, p->input, p->input_size};
    struct arena *arena = arena_new();
    const char *const *name;
    const int n = functions_listed(arena, &source, &name);

    arena_free(arena);
    return n;
}

int polynest_choose_function(polynest *p, const char *name)
{
    const struct source source = {p->input_name, p->input, p->input_size};
    struct arena *arena = arena_new();
    const char *const *known;
    const int n = functions_listed(arena, &source, &known);
    int number = 0;

    while (number < n && strcmp(known[number], name) != 0)
        number++;
    arena_free(arena);
    return polynest_set_function(p, number + 1);
}

int polynest_set_function(polynest *p, int number)
{
    if (number < 1 || number > polynest_functions(p))
        return 0;
    p->function = number;
    return 1;
}

void polynest_set_function_name(polynest *p, const char *name)
{
    replace(&p->function_name, name);
}

void polynest_set_header_name(polynest *p, const char *name)
{
    replace(&p->header_name, name);
}

void polynest_set_check_args(polynest *p, int on)
{
    p->check_args = on != 0;
}

void polynest_set_self_check(polynest *p, int on)
{
    p->self_check = on != 0;
}

void polynest_set_unscheduled(polynest *p, int on)
{
    p->unscheduled = on != 0;
}

void polynest_set_budget(polynest *p, unsigned long operations)
{
    p->operations = operations;
}

void polynest_set_variant(polynest *p, const char *name)
{
    replace(&p->variant, name);
}

void polynest_set_slice(polynest *p, const char *slice)
{
    replace(&p->slice, slice);
}

void polynest_set_schedule(polynest *p, const char *name, const char *text, size_t size)
{
    replace(&p->schedule_name, name);
    free(p->schedule_text);
    p->schedule_text = name ? copy_n(text, size) : NULL;
    p->schedule_size = size;
}

void polynest_set_dump(polynest *p, const char *name, const char *text, size_t size)
{
    replace(&p->dump_name, name);
    free(p->dump_text);
    p->dump_text = name ? copy_n(text, size) : NULL;
    p->dump_size = size;
}

void polynest_set_tunable(polynest *p, const char *name, const char *value)
{
    text_add_n(&p->setting, name, strlen(name) + 1);
    text_add_n(&p->setting, value, strlen(value) + 1);
}

const char *polynest_description(const polynest *p)
{
    return p->input;
}

const char *polynest_schedule(const polynest *p)
{
    return p->schedule_text;
}

int polynest_permit(polynest *p, const char *word)
{
    static const char *const words[] = {"reassociate", "contract", "approximate"};

    for (int k = 0; k < 3; k++)
        if (strcmp(word, words[k]) == 0) {
            p->permit |= 1u << k;
            return 1;
        }
    return 0;
}

polynest_status polynest_check(polynest *p)
{
    return compile_run(p, &(struct goal){.kind = GOAL_CHECK});
}

polynest_status polynest_emit(polynest *p)
{
    int failed;

    if (p->self_check && !p->unscheduled && !p->several)
        return polynest_emit_together(&p, 1, &failed);
    return compile_run(p, &(struct goal){.kind = GOAL_EMIT});
}

polynest_status polynest_emit_to(polynest *p, polynest_write *write, void *user)
{
    const polynest_status status = polynest_emit(p);
    const struct text *const text[] = {[POLYNEST_SOURCE] = &p->result.source,
                                       [POLYNEST_HEADER] = &p->result.header,
                                       [POLYNEST_SIGNATURE] = &p->result.signature};

    for (int k = 0; status == POLYNEST_OK && k < 3; k++)
        if (write((polynest_part)k, text_str(text[k]), text[k]->size, user) != 0)
            return POLYNEST_ENVIRONMENT;
    return status;
}

polynest_status polynest_dump(polynest *p, const char *stage)
{
    return compile_run(p, &(struct goal){.kind = GOAL_DUMP, .stage = stage});
}

polynest_status polynest_show(polynest *p, polynest_form form, int every_step)
{
    return compile_run(p, &(struct goal){.kind = GOAL_SHOW, .form = form, .every_step = every_step != 0});
}

polynest_status polynest_explain(polynest *p, const char *topic)
{
    return compile_run(p, &(struct goal){.kind = GOAL_EXPLAIN, .topic = topic});
}

polynest_status polynest_explain_json(polynest *p)
{
    return compile_run(p, &(struct goal){.kind = GOAL_EXPLAIN, .json = true});
}

void polynest_set_trace(polynest *p, void (*trace)(const char *stage, void *user), void *user)
{
    p->trace = trace;
    p->trace_user = user;
}

void polynest_set_size(polynest *p, const char *name, long value)
{
    if (!name) {
        text_truncate(&p->sizes, 0);
        return;
    }
    text_addf(&p->sizes, "%s=%ld", name, value);
    text_add_n(&p->sizes, "", 1);
}

void polynest_set_plane(polynest *p, const char *loops)
{
    free(p->plane);
    p->plane = copy_string(loops);
}

void polynest_set_time(polynest *p, long number)
{
    p->time = number > 0 ? number : 0;
}

polynest_status polynest_draw(polynest *p)
{
    return compile_run(p, &(struct goal){.kind = GOAL_DRAW});
}

polynest_status polynest_draw_page(polynest *p)
{
    return compile_run(p, &(struct goal){.kind = GOAL_DRAW, .page = true});
}

polynest_status polynest_auto(polynest *p, int replace)
{
    return compile_run(p, &(struct goal){.kind = GOAL_AUTO, .replace = replace != 0});
}

void polynest_set_auto(polynest *p, int replace)
{
    p->automatic = true;
    p->replacing = replace != 0;
}

const char *polynest_source(const polynest *p)
{
    return text_str(&p->result.source);
}

const char *polynest_header(const polynest *p)
{
    return text_str(&p->result.header);
}

const char *polynest_signature(const polynest *p)
{
    return text_str(&p->result.signature);
}

const char *polynest_output(const polynest *p)
{
    return text_str(&p->result.output);
}

const char *polynest_diagnostics(const polynest *p)
{
    return text_str(&p->result.diagnostics);
}

const char *polynest_diagnostics_json(const polynest *p)
{
    return text_str(&p->result.diagnostics_json);
}

const char *polynest_input_file(const polynest *p, int number)
{
    const char *name = text_str(&p->result.input_files), *end = name + p->result.input_files.size;

    for (; name < end && number > 0; number--)
        name += strlen(name) + 1;
    return name < end ? name : NULL;
}

char *polynest_primitives(void)
{
    struct text out = {0};

    report_primitives(schedule_primitives, plan_primitives, &out);
    return text_take(&out);
}

char *polynest_targets(void)
{
    struct text out = {0};
    int n;
    const struct target *const *all = targets(&n);

    text_add(&out, "language  needs\n");
    for (int k = 0; k < n; k++)
        text_addf(&out, "%-10s%s\n", all[k]->language, all[k]->needs);
    return text_take(&out);
}

char *polynest_schema(void)
{
    struct text out = {0};

    report_schema(&object_several, &object_description, schedule_primitives, plan_primitives, &out);
    return text_take(&out);
}

const char *polynest_nearest(const char *word, const char *const *candidates, int n)
{
    return name_nearest(word, candidates, n);
}
