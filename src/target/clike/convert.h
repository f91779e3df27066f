/* Texts of typed C expressions, and the conversions between types that C does not do by itself. */
#ifndef TARGET_CLIKE_CONVERT_H
#define TARGET_CLIKE_CONVERT_H

#include "target/clike/emitter.h"

struct expr_text {
    const char *text;
    enum precedence precedence;
    enum type type;    /* the type C gives the text */
    bool truth;        /* 0 or 1: a comparison, a logical operation or a bool */
    bool bits;         /* &, | or ^ of such values */
    bool short_inside; /* an operation on signed operands shorter than int */
};

/* A name, literal or call, which needs no parentheses. */
struct expr_text expr_primary(const char *text, enum type type);
/* "name(args)" */
struct expr_text expr_call(struct emitter *emitter, const char *name, const char *args, enum type type);
/* Is it of a type shorter than int, or an operation on such operands? */
bool expr_is_short(struct expr_text text);

/* from with exactly this type. */
struct expr_text convert_to(struct emitter *emitter, struct expr_text from, enum type type);
/* from == 0 or from != 0 */
struct expr_text convert_zero_test(struct emitter *emitter, struct expr_text from, const char *op);
/* from as a condition. */
struct expr_text convert_truth(struct emitter *emitter, struct expr_text from);
/* A truth value as a number; compilers doubt ~ and - of the former. */
struct expr_text convert_number(struct emitter *emitter, struct expr_text truth);
/* Are both 0 or 1, so that op makes a value of bits? clang takes & and | of two calls for && and ||: then *left becomes
 * an int, and the value none of bits. */
bool convert_bits(struct emitter *emitter, enum expr_op op, struct expr_text *left, struct expr_text right);
/* Does C convert the text to that type by itself, and no compiler warn of it? */
bool convert_is_widened(struct expr_text from, enum type to);
/* The text, converted where C does it by itself and a compiler warns. */
struct expr_text convert_doubted(struct emitter *emitter, struct expr_text text, enum type to);
/* value, which `target =` takes: with a cast to its own type where a variable is assigned to itself, of which clang
 * warns. */
const char *convert_kept(struct emitter *emitter, const char *target, const char *value, const char *type);

#endif
