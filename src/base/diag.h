/* Diagnostics: what is wrong, where, by which rule, and what would help.
 *
 * Every stage appends to one list; nothing is printed here. A diagnostic has a place in a source
 * (the description, a schedule file, the command line) and may carry notes (further places or
 * facts, such as a counterexample) and one hint.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

/* What a stage answers; the command line turns it into the exit status of design section 9. */
enum status {
    STATUS_OK = 0,
    STATUS_REFUSED = 1,     /* the input is wrong or illegal; diagnostics say why */
    STATUS_USAGE = 2,       /* the call itself was wrong */
    STATUS_ENVIRONMENT = 3, /* no compiler, no space, unreadable file */
    STATUS_UNDECIDED = 4,   /* the budget ran out before there was an answer */
};

/* A text that places point into; lives in the arena. */
struct source {
    const char *name; /* as the user gave it */
    const char *text; /* size bytes, then a NUL */
    size_t size;
};

/* length bytes at offset of a source; source NULL = no place. */
struct place {
    const struct source *source;
    size_t offset, length;
};

#define PLACE_NONE ((struct place){NULL, 0, 0})

/* The part of place that starts start bytes into it; used for pieces of a JSON string without escapes. */
struct place place_part(struct place place, size_t start, size_t length);
/* 1-based line and column (column in bytes). */
void place_position(struct place place, int *line, int *column);

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

/* "PN0801": each rule has a code, with which the text of templates/codes that explains it starts. */
enum { DIAG_CODE_SIZE = 6 };

struct diag {
    enum severity severity;
    const char *rule; /* short stable id such as "unknown-key", "bounds", "order" */
    struct place place;
    const char *message; /* one line, no final full stop */
    const char *hint;    /* what would help, or NULL */
    VEC(struct diag *) notes;
};

struct diags {
    struct arena *arena;
    VEC(struct diag *) list;
    int errors;
};

struct diags *diags_new(struct arena *arena);
struct diag *diag_error(struct diags *diags, const char *rule, struct place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
struct diag *diag_warning(struct diags *diags, const char *rule, struct place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Forgets all but the first n. */
void diags_forget(struct diags *diags, int n);
/* Also those of more, in the same arena. */
void diags_add(struct diags *diags, const struct diags *more);
/* Forgets warnings and notes after the first n that say at their place what one before them says. */
void diags_drop_repeated(struct diags *diags, int n);
/* A note below diag; returns the note. */
struct diag *diag_note(struct diags *diags, struct diag *diag, struct place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_hint(struct diags *diags, struct diag *diag, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The text that explains a rule, which starts with its code; NULL for one that is no rule of polynest's. */
const char *diag_explanation(const char *rule);

/* gcc's form: file:line:column: error: message [rule] code, the line, a caret line, notes, hint. */
void diags_print(const struct diags *diags, struct text *out);
/* One JSON array for editors: {file, line, column, end_column, severity, rule, code, message, hint, notes}. */
void diags_print_json(const struct diags *diags, struct text *out);

#endif
