/* Running a command as a child that can do no harm: its output is kept, its time is limited. */
#ifndef RUN_PROCESS_H
#define RUN_PROCESS_H

#include "run/options.h"

#include "base/text.h"

#include <sys/types.h>

struct process {
    pid_t id;
    int output; /* the end of a pipe with what it prints */
};

enum ending { ENDED_WITH_STATUS, ENDED_BY_SIGNAL, ENDED_BY_TIME, ENDED_BY_STOP };

struct outcome {
    enum ending ending;
    int value;        /* the exit status (127: the command does not run), or the number of the signal */
    struct text text; /* standard output and error */
};

/* Starts the shell's command in a folder. seconds: after that long it is killed. */
bool process_start(struct process *process, const char *folder, const char *command, int64_t seconds);
/* Waits for the end of the process and of what it started. */
void process_finish(struct process *process, const struct run_options *options, int64_t seconds,
                    struct outcome *outcome);
/* Both. */
void process_run(const char *folder, const char *command, const struct run_options *options, int64_t seconds,
                 struct outcome *outcome);
/* Is it the machine that lacks something: memory, an instruction, or was it told to stop? */
bool outcome_lacks_machine(const struct outcome *outcome);
/* Adds "it ended by signal 11 (Segmentation fault)", "it did not end within 60 s" and the like. */
void outcome_print(struct text *out, const struct outcome *outcome, int64_t seconds);

#endif
