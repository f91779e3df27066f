/* The tunables of a description, the value that each has in this run, and what is written with them. Inner header of
 * read/. */
#ifndef READ_TUNABLES_H
#define READ_TUNABLES_H

#include "read/reader.h"

struct tunable {
    const char *name;
    struct place place;
    const struct value *values; /* a list, the default first */
    const struct value *when;   /* what its value must meet, or NULL */
    const struct value *chosen;
};

struct tunables {
    VEC(struct tunable) list;
    const char **name; /* the same, for scopes */
};

/* The member "tunables" of root, each with its default; reports faults. */
void tunables_read(struct reader *reader, const struct value *root, struct tunables *tunables);
/* Chooses the value of a tunable that wanted equals; reports, at place, that there is none. */
bool tunables_choose(struct reader *reader, struct tunables *tunables, const char *name, const struct value *wanted,
                     struct place place);
/* Whether the chosen values meet every "when"; reports those that they do not meet. */
bool tunables_agree(struct reader *reader, const struct tunables *tunables);
/* value with the chosen values in the place of "$name" and "$(expression)"; reports what cannot be replaced. */
struct value tunables_replace(struct reader *reader, const struct tunables *tunables, const struct value *value);
/* As one would write it behind `--set NAME=`. */
void tunables_print(struct text *out, const struct value *value);

#endif
