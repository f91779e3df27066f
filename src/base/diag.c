#include "base/diag.h"
#include "base/template.h"

#include <stdio.h>

struct place place_part(struct place place, size_t start, size_t length)
{
    if (start > place.length)
        start = place.length;
    if (length > place.length - start)
        length = place.length - start;
    return (struct place){place.source, place.offset + start, length};
}

void place_position(struct place place, int *line, int *column)
{
    size_t start = 0, end;

    *line = 1;
    *column = 1;
    if (!place.source)
        return;
    end = place.offset < place.source->size ? place.offset : place.source->size;
    for (size_t i = 0; i < end; i++) {
        if (place.source->text[i] == '\n') {
            (*line)++;
            start = i + 1;
        }
    }
    *column = (int)(end - start) + 1;
}

struct diags *diags_new(struct arena *arena)
{
    struct diags *diags = ARENA_NEW(arena, struct diags);

    diags->arena = arena;
    return diags;
}

__attribute__((format(printf, 5, 0))) static struct diag *diag_new(struct arena *arena, enum severity severity,
                                                                   const char *rule, struct place place,
                                                                   const char *format, va_list args)
{
    struct diag *diag = ARENA_NEW(arena, struct diag);

    diag->severity = severity;
    diag->rule = rule;
    diag->place = place;
    diag->message = arena_vprintf(arena, format, args);
    return diag;
}

struct diag *diag_error(struct diags *diags, const char *rule, struct place place, const char *format, ...)
{
    struct diag *diag;
    va_list args;

    va_start(args, format);
    diag = diag_new(diags->arena, SEVERITY_ERROR, rule, place, format, args);
    va_end(args);
    VEC_PUSH(diags->arena, &diags->list, diag);
    diags->errors++;
    return diag;
}

struct diag *diag_warning(struct diags *diags, const char *rule, struct place place, const char *format, ...)
{
    struct diag *diag;
    va_list args;

    va_start(args, format);
    diag = diag_new(diags->arena, SEVERITY_WARNING, rule, place, format, args);
    va_end(args);
    VEC_PUSH(diags->arena, &diags->list, diag);
    return diag;
}

void diags_forget(struct diags *diags, int n)
{
    for (; diags->list.n > n; diags->list.n--)
        diags->errors -= diags->list.at[diags->list.n - 1]->severity == SEVERITY_ERROR;
}

void diags_add(struct diags *diags, const struct diags *more)
{
    for (int k = 0; k < more->list.n; k++)
        VEC_PUSH(diags->arena, &diags->list, more->list.at[k]);
    diags->errors += more->errors;
}

/* Places may be in copies of one source. */
static bool say_the_same(const struct diag *a, const struct diag *b)
{
    return a->severity == b->severity && a->place.offset == b->place.offset && a->place.length == b->place.length &&
           strcmp(a->message, b->message) == 0;
}

void diags_drop_repeated(struct diags *diags, int n)
{
    int kept = n;

    for (int k = n; k < diags->list.n; k++) {
        struct diag *diag = diags->list.at[k];
        bool repeated = false;

        for (int before = 0; before < n && diag->severity != SEVERITY_ERROR; before++)
            repeated = repeated || say_the_same(diags->list.at[before], diag);
        if (!repeated)
            diags->list.at[kept++] = diag;
    }
    diags->list.n = kept;
}

struct diag *diag_note(struct diags *diags, struct diag *diag, struct place place, const char *format, ...)
{
    struct diag *note;
    va_list args;

    va_start(args, format);
    note = diag_new(diags->arena, SEVERITY_NOTE, NULL, place, format, args);
    va_end(args);
    VEC_PUSH(diags->arena, &diag->notes, note);
    return note;
}

void diag_hint(struct diags *diags, struct diag *diag, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    diag->hint = arena_vprintf(diags->arena, format, args);
    va_end(args);
}

const char *diag_explanation(const char *rule)
{
    char name[64];
    const char *text;

    snprintf(name, sizeof(name), "codes/%s", rule);
    text = template_named(name);
    return *text ? text : NULL;
}
