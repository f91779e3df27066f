/* The command line: one table of options, each with the verbs that take it. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Verbs as bits, for the table. */
enum verb {
    VERB_EMIT = 1,
    VERB_CHECK = 2,
    VERB_SHOW = 4,
    VERB_PLAIN = 8,
    VERB_EXPLAIN = 16,
    VERB_FORMAT = 32,
    VERB_NEW = 64,
    VERB_AUTO = 128,
    VERB_DRAW = 256,
    VERB_VERIFY = 512,
    VERB_BENCH = 1024,
    VERB_TUNE = 2048,
    VERB_ALL = 4095
};

struct options {
    const char *operand; /* the file, "-" for standard input; the topic of help; NULL: none */
    const char **file;   /* the operands of fmt and emit, n_file of them, malloc'ed */
    int n_file;
    const char *topic; /* the second word after explain; NULL: none */
    const char *output;
    const char *header;
    const char *metadata;
    const char *depfile;
    const char *dump;
    const char *from_dump;   /* a file */
    const char *diagnostics; /* "text", "json" */
    const char *name;
    const char *function; /* of a file of several */
    const char *variant;
    const char *slice;    /* "1,*,*" */
    const char *plane;    /* "i,k" */
    const char *time;     /* the number of an instance */
    const char *schedule; /* a schedule file */
    const char **set;     /* "tile=32", n_set of them, malloc'ed */
    int n_set;
    const char **size; /* "N=8", n_size of them, malloc'ed */
    int n_size;
    char **running; /* "seed=3", n_running of them, malloc'ed as they are */
    int n_running;
    const char *permit; /* words with commas between them, or NULL */
    unsigned long budget;
    bool budget_given;
    bool make_depfile, make_phony;
    bool check_args, self_check;
    bool unscheduled;
    bool check; /* only tell what would change */
    bool steps, tree, map, outline, diff;
    bool json;
    bool quiet, verbose; /* only errors; also the stages */
    bool automatic;      /* steps that are proposed */
    bool replace;        /* in the place of those there are */
    bool help;
    uint64_t given; /* a bit for each row of the table */
};

/* Reads the words after the verb. False when they are wrong, which has been told on standard error. */
bool options_parse(struct options *options, enum verb verb, int n, char **word);
void options_free(struct options *options);
/* The options of a verb with their meaning, on standard output. */
void options_help(enum verb verb);
/* "polynest: error: ..." on standard error, with `did you mean` when one of n candidates is near word. */
void usage_error(const char *what, const char *word, const char *const *candidates, int n);

#endif
