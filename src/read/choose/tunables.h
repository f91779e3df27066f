/* Tunables: names for values that the caller chooses among those that the description lists. */
#ifndef READ_CHOOSE_TUNABLES_H
#define READ_CHOOSE_TUNABLES_H

#include "read/read.h"
#include "read/reader.h"

struct tunable {
    const char *name;
    struct place place;
    const struct value *values; /* a list, not empty */
    const struct value *when;   /* a string, or NULL */
    int chosen;                 /* which of the values */
    bool given;                 /* by the caller or the variant */
};

struct tunables {
    struct reader *reader;
    VEC(struct tunable) list;
    size_t looked_at; /* characters of conditions */
};

/* Those of the description in root; false after reporting a fault. */
bool tunables_read(struct tunables *tunables, const struct value *root);
/* As they were read: nobody gave any a value. */
void tunables_reset(struct tunables *tunables);
/* Values for tunables by name: "set" of a variant or a schedule file, and the caller's text. */
bool tunables_set(struct tunables *tunables, const struct value *set);
bool tunables_set_text(struct tunables *tunables, const struct setting *setting);
/* The first of the values for all others with which each tunable's "when" holds. */
bool tunables_settle(struct tunables *tunables);
/* "tile = 32, order = [i, k, j]"; NULL where there are none. */
const char *tunables_text(const struct tunables *tunables);
/* value with "$tile" and "$(tile * 4)" in it replaced; false after reporting a fault. */
bool tunables_apply(struct tunables *tunables, struct value *value);
/* Adds what helps to errors, from the one of that number on, at a string that names a tunable of root. */
void tunables_hint(struct reader *reader, const struct value *root, int first);

#endif
