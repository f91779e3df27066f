/* How an array is stored in emitted code, and its elements as text. */
#ifndef TARGET_CLIKE_STORAGE_H
#define TARGET_CLIKE_STORAGE_H

#include "target/clike/emitter.h"
#include "tree/layout.h"

enum storage {
    STORAGE_POINTER,    /* an argument: T *A, flat index */
    STORAGE_VALUE,      /* an argument without dimensions that is only read, or a local variable: x */
    STORAGE_REFERENCE,  /* an argument without dimensions that is written: *x */
    STORAGE_LOCAL,      /* an array of constant shape, also a constant or static one: A[i][j] */
    STORAGE_LOCAL_FLAT, /* the same with strides of its own: one flat index */
    STORAGE_HEAP,       /* allocated, rows of constant shape: pointer to the first, A[i][j] */
    STORAGE_HEAP_FLAT,  /* allocated, rows of symbolic shape: T *A, flat index */
};

enum { STACK_LIMIT = 32768 }; /* bytes of one temporary, and of all of a function; see memory_limit_stack */

enum storage storage_of(struct emitter *emitter, const struct array *array);
/* Its elements of storage, gaps included: false when their number is not known now, or too large. */
bool constant_size(struct emitter *emitter, const struct array *array, int64_t *size);
/* `A[(i + ii) * K + k]`; *precedence is that of the text. */
const char *element_text(struct emitter *emitter, const struct element *element, enum precedence *precedence);
/* May the element, which is not accessed, have a subscript outside of its row, so that its text has no meaning in C? */
bool element_may_leave(struct emitter *emitter, const struct element *element);
/* How many elements of storage it is behind the one whose subscripts are 0. */
const char *element_place_text(struct emitter *emitter, const struct element *element);
/* How many elements of storage an element of array is behind one whose subscripts are smaller by distance: `2 * N`. */
const char *element_step_text(struct emitter *emitter, const struct array *array, const int64_t *distance);
/* An expression of parameters, such as an extent. */
const struct affine *param_affine(struct emitter *emitter, const struct expr *expr);
/* The bytes from its start to the end of its last element; negative at run time when there are too many. */
const char *array_bytes_text(struct emitter *emitter, const struct array *array);
/* The same of what each thread has of an array that is called name. */
const char *array_own_bytes_text(struct emitter *emitter, const struct array *array, const char *name);
/* How many rows that is: as many as the array has, or more, that each thread's begin where "align" wants it. */
const struct affine *array_own_rows(struct emitter *emitter, const struct array *array);

/* "x = 0.0" for a variable: compilers do not see that it is always written first. */
const char *variable_text(const struct emitter *emitter, const struct array *array);

#endif
