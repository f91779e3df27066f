#include "api/editing.h"

#include "read/json.h"

#include <stdlib.h>
#include <string.h>

/* Reads a text; NULL where it is no JSON object, which is reported. */
static const struct value *read_text(struct editing *editing, const struct source *source)
{
    const struct value *root = json_read(editing->arena, source, editing->diags);

    if (!root || root->kind == VALUE_OBJECT)
        return root;
    diag_error(editing->diags, "kind", root->place, "a description must be an object");
    return NULL;
}

static bool take_text(struct editing *editing, const char *name, const char *text, size_t size)
{
    struct source *source = ARENA_NEW(editing->arena, struct source);
    const struct value *root;

    *source = (struct source){name, text, size};
    root = read_text(editing, source);
    if (root)
        editing->edited = (struct edited){editing->arena, source, root};
    return root;
}

bool editing_begin(struct editing *editing, struct polynest *p, bool schedule_file)
{
    *editing = (struct editing){.p = p, .schedule_file = schedule_file, .arena = arena_new()};
    editing->diags = diags_new(editing->arena);
    compile_clear(p);
    return schedule_file ? take_text(editing, p->schedule_name, p->schedule_text, p->schedule_size)
                         : take_text(editing, p->input_name, p->input, p->input_size);
}

bool editing_accept(struct editing *editing, const char *text)
{
    struct polynest *p = editing->p;
    char **held = editing->schedule_file ? &p->schedule_text : &p->input;
    size_t *held_size = editing->schedule_file ? &p->schedule_size : &p->input_size;
    struct text copy = {0};

    if (!take_text(editing, editing->edited.source->name, text, strlen(text)))
        return false;
    text_add(&copy, text);
    *held_size = copy.size;
    free(*held);
    *held = text_take(&copy);
    return true;
}

polynest_status editing_end(struct editing *editing)
{
    struct polynest *p = editing->p;
    const polynest_status status = editing->diags->errors ? POLYNEST_REFUSED : POLYNEST_OK;

    diags_print(editing->diags, &p->result.diagnostics);
    diags_print_json(editing->diags, &p->result.diagnostics_json);
    arena_free(editing->arena);
    return status;
}
