/* The schedule file with variants that `polynest auto` prints. */
#ifndef API_AUTO_FILE_H
#define API_AUTO_FILE_H

#include "api/stages.h"
#include "auto/proposal.h"

/* A variant in it. */
struct auto_entry {
    const char *name, *when;     /* when: NULL: as the variant says that it is of */
    const struct value *variant; /* of the description; NULL: of none */
    bool beside;                 /* others of the description */
};

/* Where the run is for such a file: what is in front of the variants, and behind them. */
void auto_file_begin(const struct compilation *c);
void auto_file_end(const struct compilation *c);
void auto_file_add(struct text *out, const struct proposal *proposal, const struct auto_entry *entry);

#endif
