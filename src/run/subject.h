/* An emitted function that is to be built and called, and what it is called with. */
#ifndef RUN_SUBJECT_H
#define RUN_SUBJECT_H

#include "base/diag.h"
#include "polynest/polynest.h"
#include "run/options.h"
#include "run/params.h"
#include "run/process.h"
#include "run/scratch.h"

/* What a verb makes. refused, refused_json: the messages of a description that was refused, else empty. */
struct run_report {
    struct arena *arena;
    struct text output, refused, refused_json;
    struct diags *diags;
};

/* Adds an error that no place of the description is to blame for. */
void run_error(struct run_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct subject {
    const char *name; /* of its folder, and for messages */
    const char *function, *source, *header;
    const struct json *signature;
    const char *compiler, *flags; /* besides those that the file names */
};

/* Emits p, which is freed, as a subject with the compiler and flags of options. */
polynest_status subject_emit(struct run_report *report, polynest *p, const char *name,
                             const struct run_options *options, struct subject *subject);
/* Writes its files and starts the compiler. False: they cannot be written, which has been told. */
bool subject_start_build(struct run_report *report, const struct scratch *scratch, const struct subject *subject,
                         struct process *process);
/* Waits for the compiler. ENVIRONMENT, which has been told: it does not run, or refuses the text. */
polynest_status subject_finish_build(struct run_report *report, const struct subject *subject, struct process *process,
                                     const struct run_options *options);
/* Builds n subjects at the same time. */
polynest_status subjects_build(struct run_report *report, const struct scratch *scratch, const struct subject *subject,
                               int n, const struct run_options *options);

/* What to call a function with. */
struct job {
    const char *name; /* of the file */
    struct params params;
    const struct json *rounded; /* of its workload */
    bool approximate;
    int64_t seed;
    bool at_end; /* arrays end where their memory does; else they start there */
};

/* Writes the file; an environment error has been told. */
bool job_write(struct run_report *report, const struct scratch *scratch, const struct subject *subject,
               const struct job *job);
/* Runs the subject's program: mode "record", "compare" or "time" of templates/run/driver.c. */
void subject_run(const struct scratch *scratch, const struct subject *subject, const struct job *job, const char *mode,
                 const char *file, double terms, int repetitions, const struct run_options *options,
                 struct outcome *outcome);
/* "differs 0 5 1.5 2 1" as "C[0, 5] is 2, not 1.5; 1 element differs", and other lines and endings alike. */
void outcome_explain(struct text *out, const struct subject *subject, const struct job *job,
                     const struct outcome *outcome, const struct run_options *options);

/* What a description computes at some sizes (polynest_workload). */
struct workload {
    struct params params;
    double operations; /* negative: not known */
    bool at_most;      /* data decide how many of them there are */
    bool approximate;  /* functions may be other ones: 65536 rounding errors in the place of one */
    double terms;      /* rounding errors that results may differ by; 0: none */
    const struct json *touched, *rounded;
};

/* Of number, with the sizes that p was given. */
polynest_status workload_read(struct run_report *report, const polynest *p, unsigned number,
                              const struct subject *subject, struct workload *workload);

#endif
