/* What the parts of a function that checks itself share. Inner header of target/c. */
#ifndef TARGET_C_SELF_CHECK_H
#define TARGET_C_SELF_CHECK_H

#include "target/c/file.h"

/* What is printed of it. */
struct check {
    struct c_file *file;
    const struct self_check *self;
    const char **copy, **bound;              /* by array: names; NULL: it is no result */
    const char *terms, *status, *comparison; /* names; the latter is that of the function that compares */
    struct writer *writer;                   /* of file->emitter */
};

/* A result's element, and that of the copy. */
struct pair {
    const struct array *array;
    const char *got, *expected;
};

bool check_is_result(const struct check *check, int number);
const struct array *check_array(const struct check *check, int number);
/* Is it one element, which is known by its address? */
bool check_is_variable(const struct check *check, const struct array *array);
struct pair check_pair(const struct check *check, int number, const struct element *element);
/* Prints the loops over its elements, which it lists in loop, up to what is in the innermost one. */
const struct node *check_open_loops(const struct check *check, int number, const struct node **loop);
/* A list with room for them and a NULL. */
const struct node **check_loops(const struct check *check, int number);
/* compare.c: the function that compares; how it is called. */
const char *check_print_comparison(const struct check *check, struct text *out);

#endif
