/* What the oracle writes for the harness: records of runs and the table of functions. */
#ifndef ORACLE_RECORD_H
#define ORACLE_RECORD_H

#include "harness.h"
#include "interpret.h"

#include <stdio.h>

/* The arrays of a run before it is interpreted. */
struct snapshot {
    unsigned char **byte; /* program->n_array copies */
};

struct snapshot snapshot_take(const struct run *run);
void snapshot_free(const struct run *run, struct snapshot *snapshot);

/* The record of a finished run of function number `function`. */
void record_write(FILE *out, const struct run *run, const struct snapshot *before, int function);

/* What the source of calls starts with, then one record_call a function. */
void record_head(FILE *out, const char *header);
/* A function that calls NAME with a record's data, and its line of the table harness_function. */
void record_call(FILE *out, const struct program *program, const char *name);
void record_table_line(FILE *out, const char *name);
/* The whole source of the calls of one function, in a file; false and a message on stderr if it cannot be written. */
bool record_source(const char *path, const char *header, const struct program *program, const char *name);

#endif
