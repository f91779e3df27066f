/* The state of reading one description, and what its parts share. Inner header of read/. */
#ifndef READ_READER_H
#define READ_READER_H

#include "read/parse.h"

struct reader {
    struct arena *arena;
    struct diags *diags;
    struct program *program;
    const struct primitive *const *schedule_primitives, *const *plan_primitives;
    isl_set *assumed; /* the assumptions so far, a parameter set; NULL: none (reader_assumed) */
    int n_made;       /* arrays more than are declared, for loops that end where data say, and for calls */
    const struct instruction *function; /* of whose own program this is; NULL: none */
    bool has_operands;                  /* the arrays are operands of a function that statements call */
    VEC(const struct array *) state;    /* of functions that are called, and which state it is */
    VEC(const char *) state_name;
    const struct value *when, *when_supported; /* the conditions of the variant that was chosen, or NULL */
    bool undeclared; /* a parameter, scalar or array could not be read: its uses are not looked at */
    bool unread;     /* nor could their list: what may use them is not looked at */
    VEC(struct statement *) statement;
};

/* The objects of a description; which keys they have is in the files that read them. */
extern const struct object_type object_param, object_scalar, object_array, object_view, object_nest, object_block,
    object_target, object_tunable, object_variant, object_schedule_file, object_instruction;
extern const struct argument form_permit[]; /* a permission */

/* Reports what value has besides the object's keys. */
void check_keys(struct reader *reader, const struct object_type *object, const struct value *value);
/* Reports what value lacks of them, or has of another kind; members that are good are read by the keys' functions, in
 * the order of the keys, until a required one has a fault. False in this case. */
bool read_members(struct reader *reader, const struct object_type *object, const struct value *value, void *into);
/* Both; false also where value is no object. */
bool read_object(struct reader *reader, const struct object_type *object, const struct value *value, void *into);
/* The same, and false where any member has a fault. */
bool read_sound(struct reader *reader, const struct object_type *object, const struct value *value, void *into);
/* Reports member k of value, which is none of the keys of `what`. */
void unknown_key(struct reader *reader, const struct value *value, int k, const struct argument *keys,
                 const char *what);
void missing_key(struct reader *reader, const struct value *value, const char *key);
/* True when value is of the kind; otherwise reports that `what` must be. */
bool check_kind(struct reader *reader, const struct value *value, enum value_kind kind, const char *what);
/* "did you mean `x`?" as hint of diag, when one of the names is near. */
void suggest(struct reader *reader, struct diag *diag, const char *name, const char *const *names, int n);
/* The same, or else all of the names, unless they are many. */
void suggest_all(struct reader *reader, struct diag *diag, const char *name, const char *const *names, int n);
/* As hint of diag the value, which is no list or object, as one in the list or object that the argument takes. */
void suggest_shape(struct reader *reader, const struct argument *argument, const struct value *value,
                   struct diag *diag);
/* Finds a word in a NULL-terminated list: its index, or -1 after reporting that `what` is none of them. */
int choose(struct reader *reader, const struct value *string, const char *const *words, const char *what);

/* Reports a name that is no identifier, reserved in C or CUDA, or a word of the expression language. */
bool check_name(struct reader *reader, const char *name, struct place place, const char *what);
/* The name of the emitted function, which stands beside what headers declare. */
bool check_function_name(struct reader *reader, const char *name, struct place place);
/* Names that were given before the statements were read are none of the functions that these call. */
void check_called_names(struct reader *reader);
/* The same, and that no parameter, scalar or array has the name: it is for something inside the function. */
bool check_local_name(struct reader *reader, const char *name, struct place place, const char *what);
/* The same, and that the function has another name. */
bool check_new_name(struct reader *reader, const char *name, struct place place, const char *what);
/* Reports text that cannot stand in a comment of the emitted file. */
bool check_comment(struct diags *diags, const struct value *string);

/* An integer, or a string with an affine expression of the parameters; NULL after reporting. */
struct expr *read_affine(struct reader *reader, const struct value *value, const char *what);
const char *const *type_names(struct arena *arena); /* those of values, then NULL */

/* The name of an array or view, into it. */
void read_array_name(struct reader *reader, const struct value *name, void *array);

/* The sections of a description, each reporting its faults (declare.c, arrays.c, nests.c, steps.c, target.c). */
void read_params(struct reader *reader, const struct value *list, void *program);
void read_assumptions(struct reader *reader, const struct value *list, void *program);
void read_scalars(struct reader *reader, const struct value *list, void *program);
void read_arrays(struct reader *reader, const struct value *list, void *program);
void read_nests(struct reader *reader, const struct value *list, void *program);
void read_instructions(struct reader *reader, const struct value *list, void *program);
void read_target(struct reader *reader, const struct value *object, void *options);
void target_defaults(struct target_options *target);
/* What is assumed so far. */
__isl_keep isl_set *reader_assumed(struct reader *reader);
/* The permissions in a list, into an unsigned of enum permit. */
void read_permit(struct reader *reader, const struct value *list, void *permit);
struct step *read_steps(struct reader *reader, const struct value *value, const struct primitive *const *primitives,
                        int *n);

/* Reports a label that is no name, or taken. */
bool check_label(struct reader *reader, const char *label, struct place place);
/* The statement in string inside scope's loops, as the next of the program; NULL after reporting. */
struct statement *read_statement(struct reader *reader, const struct nest *nest, const struct value *string,
                                 const struct scope *scope);
/* The same of one that was parsed. */
struct statement *add_statement(struct reader *reader, const struct nest *nest, const struct scope *scope,
                                struct place place, const struct parsed_statement *parsed);
/* A condition of parameters and scalars: leaves in *value what it says. False after reporting. */
bool read_condition(struct reader *reader, const char *key, struct value *value);
/* A nest given by "domain" instead of "loops". */
void read_polyhedral(struct reader *reader, struct nest *nest, const struct value *object);
/* Checks the name of a loop against everything declared. */
bool check_loop_name(struct reader *reader, const char *name, struct place place, const struct scope *scope);

#endif
