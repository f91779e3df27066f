/* Steps that are applied one by one: each is put into the text, and is taken out again where it is refused. */
#include "api/editing.h"
#include "api/registry.h"
#include "base/json.h"
#include "read/choose/functions.h"
#include "read/edit/notation.h"
#include "read/json.h"
#include "read/read.h"

#include <stdlib.h>
#include <string.h>

/* The text that a step was put into. */
struct applied_step {
    struct applied_step *before;
    bool schedule_file;
    size_t size;
    char text[];
};

void applied_free(struct applied_step *applied)
{
    while (applied) {
        struct applied_step *before = applied->before;

        free(applied);
        applied = before;
    }
}

/* The text that p has now, on top of those before. */
static void remember(struct polynest *p, bool schedule_file)
{
    const char *text = schedule_file ? p->schedule_text : p->input;
    const size_t size = schedule_file ? p->schedule_size : p->input_size;
    struct applied_step *applied = malloc(sizeof(*applied) + size + 1);

    if (!applied)
        abort();
    *applied = (struct applied_step){p->applied, schedule_file, size};
    memcpy(applied->text, text, size + 1);
    p->applied = applied;
}

static void take_back(struct polynest *p)
{
    struct applied_step *applied = p->applied;
    struct text copy = {0};

    text_add_n(&copy, applied->text, applied->size);
    if (applied->schedule_file) {
        free(p->schedule_text);
        p->schedule_text = text_take(&copy);
        p->schedule_size = applied->size;
    } else {
        free(p->input);
        p->input = text_take(&copy);
        p->input_size = applied->size;
    }
    p->applied = applied->before;
    free(applied);
}

/* What is neither a step of a plan nor one of a schedule is refused in the schedule. */
static const char *list_of(const struct value *step)
{
    for (int k = 0; k < step->n_item; k++)
        if (find_primitive(plan_primitives, step->key[k]))
            return "plan";
    return "schedule";
}

/* The variant that was chosen where it has a list of this name, else the whole. */
static const struct value *owner_of(const struct value *root, const char *variant, const char *list)
{
    const struct value *variants = value_of_kind(root, "variants", VALUE_LIST);

    for (int k = 0; variant && variants && k < variants->n_item; k++) {
        const struct value *name = value_of_kind(&variants->item[k], "name", VALUE_STRING);

        if (name && strcmp(name->string, variant) == 0 && value_member(&variants->item[k], list))
            return &variants->item[k];
    }
    return root;
}

/* Puts the step at the end of its list in the text. */
static bool put_in(struct editing *editing, const char *text)
{
    struct source *source = ARENA_NEW(editing->arena, struct source);
    const struct value *root = function_number(editing->edited.root, editing->p->function), *step;

    *source = (struct source){"step", text, strlen(text)};
    step = json_read(editing->arena, source, editing->diags);
    if (!step)
        return false;
    if (step->kind != VALUE_OBJECT) {
        diag_error(editing->diags, "kind", step->place, "a step must be an object, this is %s",
                   value_kind_name(step->kind));
        return false;
    }
    const char *list = list_of(step);
    return editing_accept(editing, insert_into(&editing->edited, owner_of(root, editing->p->variant, list),
                                               object_description.key, list, text));
}

polynest_status polynest_apply_json(polynest *p, const char *step)
{
    const bool schedule_file = p->schedule_name;
    struct editing editing;
    polynest_status status;
    bool good = editing_begin(&editing, p, schedule_file);

    if (good) {
        remember(p, schedule_file);
        good = put_in(&editing, step);
        if (!good)
            take_back(p);
    }
    status = editing_end(&editing);
    if (!good)
        return status;
    status = compile_run(p, &(struct goal){.kind = GOAL_APPLY});
    if (status != POLYNEST_OK)
        take_back(p);
    return status;
}

static void add_argument(struct text *out, const struct primitive *primitive, const char *key, const char *value)
{
    text_add(out, out->size ? ", " : "{");
    json_string(out, key);
    text_add(out, ": ");
    notation_json(primitive ? find_key(primitive->argument, key) : NULL, value, out);
}

polynest_status polynest_apply(polynest *p, const char *name, const char *value, ...)
{
    const struct primitive *primitive = find_primitive(schedule_primitives, name);
    struct text step = {0};
    polynest_status status;
    va_list keys;

    if (!primitive)
        primitive = find_primitive(plan_primitives, name);
    add_argument(&step, primitive, name, value);
    va_start(keys, value);
    for (const char *key; (key = va_arg(keys, const char *));)
        add_argument(&step, primitive, key, va_arg(keys, const char *));
    va_end(keys);
    text_char(&step, '}');
    status = polynest_apply_json(p, text_str(&step));
    text_free(&step);
    return status;
}

polynest_status polynest_undo(polynest *p)
{
    compile_clear(p);
    if (!p->applied)
        return POLYNEST_USAGE;
    take_back(p);
    return POLYNEST_OK;
}
