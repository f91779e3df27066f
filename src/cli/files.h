/* Files of the command line: whole inputs, and outputs that appear whole or not at all. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* A file's content, malloc'ed, with a NUL behind it; "-" is standard input. NULL when it cannot be
 * read, which has been told on standard error. */
char *file_read(const char *path, size_t *size);

/* One text that goes to a file, or to standard output when path is NULL. */
struct output {
    const char *path;
    const char *text;
    bool create;     /* it must not be there yet */
    char *place;     /* private to output_all: the file itself, behind symbolic links */
    char *temporary; /* likewise */
};

/* Writes all of them, or none: into temporary files beside their places first. False when that
 * fails, which has been told on standard error; no file is left behind then. */
bool output_all(struct output *output, int n);
/* Do both paths name one file? */
bool file_same(const char *a, const char *b);
/* Does path name something that is there and no regular file, such as /dev/null? */
bool file_is_special(const char *path);
/* path without its folders. */
const char *file_base_name(const char *path);
/* path with extension (".h") instead of its own, malloc'ed. */
char *file_with_extension(const char *path, const char *extension);

#endif
