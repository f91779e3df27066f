#include "api/auto_file.h"

#include "read/json.h"

#include <string.h>

static const char start[] = "{\n  \"variants\": [\n", end[] = "\n  ]\n}\n";

void auto_file_begin(const struct compilation *c)
{
    if (c->goal->kind == GOAL_AUTO)
        text_add(&c->p->result.output, start);
}

void auto_file_end(const struct compilation *c)
{
    if (c->goal->kind == GOAL_AUTO)
        text_add(&c->p->result.output, end);
}

static void add_member(struct text *out, const struct value *variant, const char *key)
{
    const struct value *value = value_member(variant, key);

    if (!value)
        return;
    text_addf(out, ", \"%s\": ", key);
    value_print(value, out);
}

/* When it runs, and with what. */
static void add_head(struct text *out, const struct auto_entry *entry)
{
    text_addf(out, "      \"name\": \"%s\"", entry->name);
    if (entry->when)
        text_addf(out, ", \"when\": \"%s\"", entry->when);
    else if (entry->beside)
        add_member(out, entry->variant, "when");
    if (entry->beside)
        add_member(out, entry->variant, "when_supported");
    add_member(out, entry->variant, "permit");
    add_member(out, entry->variant, "set");
    text_add(out, ",\n");
}

void auto_file_add(struct text *out, const struct proposal *proposal, const struct auto_entry *entry)
{
    struct text steps = {0};
    const char *line, *next;

    text_addf(out, "%s    {\n", out->size + 1 > sizeof(start) ? ",\n" : "");
    add_head(out, entry);
    proposal_print(proposal, &steps);
    for (line = strchr(text_str(&steps), '\n') + 1; *line; line = next) {
        next = strchr(line, '\n') + 1;
        text_addf(out, "    %.*s", (int)(next - line - !*next), line);
    }
    text_free(&steps);
}
