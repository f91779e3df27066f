/* Several functions in one file: each is printed by a run of its own and leaves its parts; what they have in common,
 * such as helpers, is there once.
 */
#ifndef TARGET_C_SEVERAL_H
#define TARGET_C_SEVERAL_H

#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

struct function_text {
    const char *name;
    const char *includes, *heads, *helpers, *tables; /* as in a file of its own */
    const char *code;                                /* its comment, and all functions, the main one last */
    const char *declaration;                         /* with the comment of a header; NULL: for this file only */
    bool shows_bool, has_pointers, uses_f16;
};

struct several {
    struct arena *arena;
    const char *header_name, *macro; /* "blas.h", "BLAS"; NULL: not yet known */
    VEC(struct function_text) function;
    bool again;              /* it was printed before, and clashed */
    VEC(const char *) taken; /* names that the function that is printed next must leave to those before */
    const char *clash;       /* one that it has all the same, and what it is for them is another thing; NULL: none */
};

/* header_name: NULL is that of the first function. */
struct several *several_new(const char *header_name);
void several_name(struct several *several, const char *header_name);
void several_free(struct several *several);
/* Adds the function; false, with `taken` and `clash`, where others have its names for something else. */
bool several_add(struct several *several, const struct function_text *function);
void several_print(const struct several *several, struct text *source, struct text *header);

#endif
