/* How emitted code is built and run. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct run_options {
    char *compiler; /* NULL: $CC, else cc */
    char *flags;
    int64_t seed;
    int64_t runs;                      /* of verify: how many sizes and data */
    int64_t timeout;                   /* seconds that a run may take */
    bool json;                         /* of bench */
    char *log;                         /* of tune; NULL: none */
    char *from;                        /* of tune: which kinds of candidates, "grid,neighbour,affine"; NULL: all */
    char *page;                        /* of tune: a file for a page about the search; NULL: none */
    char *plan, *only, *merge;         /* of tune: a folder for jobs, a candidate, a folder with logs; NULL: none */
    char *command;                     /* that jobs start with */
    int64_t trials;                    /* of tune: how many candidates are measured; 0: as many as time allows */
    int64_t time;                      /* of tune, in seconds */
    int64_t jobs;                      /* of tune: compilers at the same time */
    int64_t threads;                   /* 0: the runtime chooses */
    const volatile sig_atomic_t *stop; /* NULL: nothing stops */
    void (*progress)(const char *line, void *user); /* NULL: nobody wants to know */
    void *progress_user;
};

void run_options_init(struct run_options *options);
void run_options_free(struct run_options *options);
/* Another one with texts of its own. */
struct run_options run_options_copy(const struct run_options *options);
/* False: there is no such key, or it cannot have this value. */
bool run_options_set(struct run_options *options, const char *key, const char *value);
/* Was it told to stop? */
bool run_stopped(const struct run_options *options);
/* The command of the compiler. */
const char *run_compiler(const struct run_options *options);

#endif
