/* A call that changes the text of a description, or of its schedule file. */
#ifndef API_EDITING_H
#define API_EDITING_H

#include "api/compile.h"
#include "base/diag.h"
#include "read/edit/insert.h"

struct editing {
    struct polynest *p;
    bool schedule_file; /* the text is that of the schedule file */
    struct arena *arena;
    struct diags *diags;
    struct edited edited; /* the text as it is now */
};

/* Starts a call. False where the text is no JSON object, which is reported. editing_end follows in any case. */
bool editing_begin(struct editing *editing, struct polynest *p, bool schedule_file);
/* text, which the arena keeps, becomes that of p. False where it is no JSON, which is reported: p then has the text
 * that it had. */
bool editing_accept(struct editing *editing, const char *text);
/* What was reported becomes the messages of the call: POLYNEST_REFUSED where there are errors. */
polynest_status editing_end(struct editing *editing);

#endif
