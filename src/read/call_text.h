/* The text of a call, "S: sort(n = N, x = A[i, :])", in its parts. Inner header of calls.c. */
#ifndef READ_CALL_TEXT_H
#define READ_CALL_TEXT_H

#include "read/reader.h"

struct passed {
    const char *name; /* of the operand */
    const char *text; /* "A[i, :]" */
    struct place name_place, place;
};

struct call_text {
    const char *label; /* NULL: none */
    struct place label_place;
    const char *name; /* of the function */
    struct place name_place;
    const char *written; /* all but the label */
    VEC(struct passed) passed;
};

/* Part of an array, "A[i, j:]". */
struct section {
    const char *array;       /* its name, or a view's */
    VEC(const char *) first; /* by subscript: "j", and NULL where nothing stands in front of the colon */
    VEC(bool) moves;         /* does a colon follow? */
};

/* False after reporting what is wrong with it. */
bool call_text_read(const struct reading *reading, const struct value *string, struct call_text *call);
/* The same of an array that is passed; of its name alone all dimensions move, n_dim of them. */
bool section_read(const struct reading *reading, const struct passed *passed, int n_dim, struct section *section);

#endif
