/* The state of reading one description, and what its parts share. Inner header of read/. */
#ifndef READ_READER_H
#define READ_READER_H

#include "read/parse.h"

struct reader {
    struct arena *arena;
    struct diags *diags;
    struct program *program;
    isl_set *assumed; /* the assumptions so far, a parameter set */
    bool undeclared;  /* a parameter, scalar or array could not be read: its uses are not looked at */
    VEC(struct statement *) statement;
};

/* Reports members of object with other keys than keys (NULL-terminated); what: "a nest". */
void check_keys(struct reader *reader, const struct value *object, const char *const *keys, const char *what);
/* True when value is of the kind; otherwise reports that `what` must be. */
bool check_kind(struct reader *reader, const struct value *value, enum value_kind kind, const char *what);
/* The member when it is there and of the kind. Reports a wrong kind, and absence when required. */
const struct value *member(struct reader *reader, const struct value *object, const char *key, enum value_kind kind,
                           bool required);
/* Reports a feature of the format that is not built yet. */
void unsupported(struct reader *reader, struct place place, const char *what);
/* "did you mean `x`?" as hint of diag, when one of the names is near. */
void suggest(struct reader *reader, struct diag *diag, const char *name, const char *const *names, int n);
/* The same, or else all of the names, unless they are many. */
void suggest_all(struct reader *reader, struct diag *diag, const char *name, const char *const *names, int n);
/* Finds a word in a NULL-terminated list: its index, or -1 after reporting that `what` is none of them. */
int choose(struct reader *reader, const struct value *string, const char *const *words, const char *what);

/* Reports a name that is no identifier, reserved in C or CUDA, or a word of the expression language. */
bool check_name(struct reader *reader, const char *name, struct place place, const char *what);
/* The same, and that no parameter, scalar or array has the name: it is for something inside the function. */
bool check_local_name(struct reader *reader, const char *name, struct place place, const char *what);
/* The same, and that the function has another name. */
bool check_new_name(struct reader *reader, const char *name, struct place place, const char *what);
/* Reports text that cannot stand in a comment of the emitted file. */
bool check_comment(struct diags *diags, const struct value *string);

/* An integer, or a string with an affine expression of the parameters; NULL after reporting. */
struct expr *read_affine(struct reader *reader, const struct value *value, const char *what);
bool read_type(struct reader *reader, const struct value *string, enum type *type);

/* A view, whose name is read; false after reporting. */
bool read_view(struct reader *reader, const struct value *object, struct array *view);

/* The sections of a description, each reporting its faults (declare.c, arrays.c, nests.c, steps.c, polyhedral.c). */
void read_params(struct reader *reader, const struct value *root);
void read_assumptions(struct reader *reader, const struct value *root);
void read_scalars(struct reader *reader, const struct value *root);
void read_arrays(struct reader *reader, const struct value *root);
void read_nests(struct reader *reader, const struct value *root);
void read_target(struct reader *reader, const struct value *root);
/* The permissions of a description or a nest, of enum permit. */
unsigned read_permit(struct reader *reader, const struct value *object);
struct step *read_steps(struct reader *reader, const struct value *root, const char *list,
                        const struct primitive *const *primitives, int *n);

/* The statement in string inside scope's loops, as the next of the program; NULL after reporting. */
struct statement *read_statement(struct reader *reader, const struct nest *nest, const struct value *string,
                                 const struct scope *scope);
/* A nest given by "domain" instead of "loops". */
void read_polyhedral(struct reader *reader, struct nest *nest, const struct value *object);
/* Checks the name of a loop against everything declared. */
bool check_loop_name(struct reader *reader, const char *name, struct place place, const struct scope *scope);

#endif
