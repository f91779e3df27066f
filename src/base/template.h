/* Text that the program emits and that is always the same but for names, types and operations: the files of templates/.
 *
 * In a template @NAME@ is replaced by a value. Where the value has operands, {a}, {b}, .., the placeholder is followed
 * by them as by the arguments of a function: with "_mm_add_ps({a}, {b})" for ADD, `@ADD@(x, @ADD@(y, z))` becomes
 * `_mm_add_ps(x, _mm_add_ps(y, z))`. Values may have placeholders, too, and "@math/exp_round@" for the text of a
 * template. A line that is nothing but a placeholder is replaced by the lines of its value, which may be none.
 */
#ifndef BASE_TEMPLATE_H
#define BASE_TEMPLATE_H

#include "base/arena.h"

struct template_value {
    const char *name; /* NULL ends a list */
    const char *value;
};

/* A file of templates/, which templates/embed makes rows of. */
struct template_file {
    const char *name; /* "c/relu" */
    const char *text; /* without the comment at its head */
};

extern const struct template_file template_files[]; /* by name */
extern const int template_n_file;

/* The template of that name, which has to exist: tests/self/templates looks for names that do not. */
const char *template_named(const char *name);
/* The template's text with values from n lists, of which those in front have precedence. */
const char *template_filled(struct arena *arena, const char *name, const struct template_value *const *lists, int n);
/* A value with operands, n of which are these. */
const char *template_operation(struct arena *arena, const char *value, const char *const *operand, int n);

#endif
