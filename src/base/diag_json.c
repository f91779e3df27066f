#include "base/diag.h"
#include "base/json.h"

static const char *const severity_name[] = {
    [SEVERITY_ERROR] = "error", [SEVERITY_WARNING] = "warning", [SEVERITY_NOTE] = "note"};

static void add_member(struct text *out, const char *key, const char *value)
{
    text_addf(out, ", \"%s\": ", key);
    json_string_or_null(out, value);
}

/* The place's line and columns; a place that spans lines ends at the end of its first line. */
static void add_place(struct text *out, struct place place)
{
    size_t length = 0;
    int line, column;

    text_add(out, "\"file\": ");
    json_string_or_null(out, place.source ? place.source->name : NULL);
    if (!place.source) {
        text_add(out, ", \"line\": null, \"column\": null, \"end_column\": null");
        return;
    }
    place_position(place, &line, &column);
    while (length < place.length && place.offset + length < place.source->size &&
           place.source->text[place.offset + length] != '\n')
        length++;
    text_addf(out, ", \"line\": %d, \"column\": %d, \"end_column\": %d", line, column, column + (int)length);
}

static void add_code(struct text *out, const char *explanation)
{
    if (explanation)
        text_addf(out, ", \"code\": \"%.*s\"", DIAG_CODE_SIZE, explanation);
    else
        text_add(out, ", \"code\": null");
}

static void add_diag(struct text *out, const struct diag *diag)
{
    text_char(out, '{');
    add_place(out, diag->place);
    add_member(out, "severity", severity_name[diag->severity]);
    add_member(out, "rule", diag->rule);
    add_code(out, diag->rule ? diag_explanation(diag->rule) : NULL);
    add_member(out, "message", diag->message);
    add_member(out, "hint", diag->hint);
    text_add(out, ", \"notes\": [");
    for (int i = 0; i < diag->notes.n; i++) {
        text_add(out, i ? ", " : "");
        add_diag(out, diag->notes.at[i]);
    }
    text_add(out, "]}");
}

void diags_print_json(const struct diags *diags, struct text *out)
{
    text_char(out, '[');
    for (int i = 0; i < diags->list.n; i++) {
        text_add(out, i ? ",\n " : "");
        add_diag(out, diags->list.at[i]);
    }
    text_add(out, "]\n");
}
