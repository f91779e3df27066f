#include "report/primitives.h"

#include <string.h>

static const char *const kind_name[] = {
    [ARGUMENT_LOOP] = "loop",
    [ARGUMENT_LOOPS] = "[loop, ..]",
    [ARGUMENT_STATEMENT] = "label",
    [ARGUMENT_INT] = "integer",
    [ARGUMENT_INTS] = "[integer, ..]",
    [ARGUMENT_BOOL] = "true | false",
    [ARGUMENT_NAME] = "name",
    [ARGUMENT_NAMES] = "[name, ..]",
    [ARGUMENT_AFFINE] = "affine",
    [ARGUMENT_AFFINES] = "[affine, ..]",
    [ARGUMENT_MAP] = "map",
    [ARGUMENT_CHOICE] = "choice",
    [ARGUMENT_LOOP_INTS] = "{loop: integer, ..}",
    [ARGUMENT_LOOP_CHOICES] = "{loop: choice, ..}",
    [ARGUMENT_LOOP_NAMES] = "{loop: name, ..}",
    [ARGUMENT_LAYOUT] = "order",
    [ARGUMENT_NESTS] = "[nest, ..]",
    [ARGUMENT_CONDITION] = "condition",
    [ARGUMENT_TEXT] = "text",
    [ARGUMENT_NUMBER] = "number",
    [ARGUMENT_ANY] = "value",
    [ARGUMENT_STEPS] = "[step, ..]",
};

static void add_kind(struct text *out, const struct argument *argument);

/* auto | peel */
static void add_choices(struct text *out, const struct argument *argument)
{
    struct arena *arena = arena_new();
    const char *const *words = argument_words(arena, argument);

    for (int k = 0; words[k]; k++)
        text_addf(out, "%s%s", k ? " | " : "", words[k]);
    arena_free(arena);
}

static void add_forms(struct text *out, const struct argument *form)
{
    for (const struct argument *first = form; form->key; form++) {
        text_add(out, form == first ? "" : " | ");
        add_kind(out, form);
    }
}

/* {before: loop, after: loop}; the name of what has a page of its own. */
static void add_object(struct text *out, const struct object_type *object)
{
    if (object->name) {
        text_add(out, object->name);
        return;
    }
    for (const struct argument *key = object->key; key->key; key++) {
        text_addf(out, "%s%s: ", key == object->key ? "{" : ", ", key->key);
        add_kind(out, key);
    }
    text_char(out, '}');
}

static void add_kind(struct text *out, const struct argument *argument)
{
    switch (argument->kind) {
    case ARGUMENT_CHOICE:
        add_choices(out, argument);
        break;
    case ARGUMENT_INT:
        text_add(out, argument->choices ? argument->choices : kind_name[ARGUMENT_INT]);
        break;
    case ARGUMENT_OBJECT:
        add_object(out, argument->object);
        break;
    case ARGUMENT_FORMS:
        add_forms(out, argument->form);
        break;
    case ARGUMENT_LIST:
    case ARGUMENT_MEMBERS:
        text_add(out, argument->kind == ARGUMENT_LIST ? "[" : "{name: ");
        add_kind(out, argument->form);
        text_add(out, argument->kind == ARGUMENT_LIST ? ", ..]" : ", ..}");
        break;
    default:
        text_add(out, kind_name[argument->kind]);
    }
    if (argument->maximum)
        text_addf(out, ", %lld to %lld", (long long)argument->minimum, (long long)argument->maximum);
    else if ((argument->kind == ARGUMENT_INT && !argument->choices) || argument->kind == ARGUMENT_LOOP_INTS)
        text_addf(out, " >= %lld", (long long)argument->minimum);
}

static void add_argument(struct text *out, const struct argument *argument)
{
    text_addf(out, "    %-14s ", argument->key);
    add_kind(out, argument);
    if (argument->required)
        text_add(out, ", required");
    else if (argument->fallback)
        text_addf(out, ", default %s", argument->fallback);
    text_addf(out, "\n                   %s\n", argument->doc);
}

static void add_list(struct text *out, const char *title, const struct primitive *const *primitive)
{
    if (!*primitive)
        return;
    text_addf(out, "%s steps\n", title);
    for (; *primitive; primitive++) {
        text_addf(out, "\n%s: %s\n", (*primitive)->name, (*primitive)->summary);
        for (const struct argument *argument = (*primitive)->argument; argument->key; argument++)
            add_argument(out, argument);
    }
}

/* Words of a paragraph in lines of at most 96 columns; those after the first start with blanks. */
static void add_paragraph(struct text *out, const char *words, const char *blanks)
{
    size_t column = 0;

    while (*words) {
        const size_t size = strcspn(words, " ");

        if (column && column + 1 + size > 96) {
            text_addf(out, "\n%s", blanks);
            column = strlen(blanks);
        } else if (column) {
            text_char(out, ' ');
            column++;
        }
        text_addf(out, "%.*s", (int)size, words);
        column += size;
        words += size + strspn(words + size, " ");
    }
    text_char(out, '\n');
}

static void add_item(struct text *out, const struct argument *argument)
{
    struct text item = {0};

    text_addf(&item, "* `%s` (", argument->key);
    add_kind(&item, argument);
    if (argument->required)
        text_add(&item, ", required");
    else if (argument->fallback)
        text_addf(&item, ", default: %s", argument->fallback);
    text_addf(&item, "): %s", argument->doc);
    add_paragraph(out, text_str(&item), "  ");
    text_free(&item);
}

void report_primitive(const struct primitive *primitive, bool in_plan, struct text *out)
{
    text_addf(out, "# %s: %s\n\nA step of the %s.\n\n", primitive->name, primitive->summary,
              in_plan ? "plan" : "schedule");
    add_paragraph(out, primitive->rule, "");
    text_add(out, "\n## Arguments\n\n");
    for (const struct argument *argument = primitive->argument; argument->key; argument++)
        add_item(out, argument);
    text_add(out, "\n## Proved\n\n");
    add_paragraph(out, primitive->proved, "");
}

void report_object(const struct object_type *object, struct text *out)
{
    text_addf(out, "# %s\n\n", object->name);
    add_paragraph(out, object->rule, "");
    text_add(out, "\n## Keys\n\n");
    for (const struct argument *key = object->key; key->key; key++)
        add_item(out, key);
}

void report_primitives(const struct primitive *const *schedule, const struct primitive *const *plan, struct text *out)
{
    add_list(out, "schedule", schedule);
    text_add(out, *schedule && *plan ? "\n" : "");
    add_list(out, "plan", plan);
}
