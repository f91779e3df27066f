/* A folder for files that go with it, whatever happens to the process: another process, which waits for the end of this
 * one, removes it. */
#ifndef RUN_SCRATCH_H
#define RUN_SCRATCH_H

#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

struct scratch {
    char *folder; /* malloc'ed */
    int held;     /* the end of a pipe that the remover waits for */
    pid_t remover;
};

/* In $TMPDIR, else /tmp. False: there is none, and why is added to messages. */
bool scratch_open(struct scratch *scratch, struct text *messages);
/* Removes it. */
void scratch_close(struct scratch *scratch);
/* Writes a file in it, NAME or FOLDER/NAME. */
bool scratch_write(const struct scratch *scratch, const char *name, const char *content, struct text *messages);
/* Makes a folder in it. */
bool scratch_folder(const struct scratch *scratch, const char *name, struct text *messages);

#endif
