/* Affine values and conditions as C text.
 *
 * The text computes in int while all its variables are narrow and every partial result is proved to fit,
 * and in int64_t otherwise; casts are put in where C would not do so by itself.
 */
#ifndef TARGET_CLIKE_INDEX_H
#define TARGET_CLIKE_INDEX_H

#include "target/clike/emitter.h"
#include "target/clike/items.h"

struct index_text {
    const char *text;
    enum precedence precedence;
    bool wide;         /* int64_t, else int */
    int64_t low, high; /* bounds of the value when it is an int */
};

/* What var is called; the position of a block or a thread, which has no sign in the target, is converted. */
const char *index_name(const struct emitter *emitter, const struct var *var);
/* Terms in the order people write them: positive ones first, outer loops first, the constant last; `%` recognised. */
struct index_text index_affine(struct emitter *emitter, const struct affine *affine);
/* a * b */
struct index_text index_product(struct emitter *emitter, struct index_text a, struct index_text b);
/* a + b */
struct index_text index_sum(struct emitter *emitter, struct index_text a, const struct affine *b);
/* a + b for any b. */
struct index_text index_join(struct emitter *emitter, struct index_text a, struct index_text b);
/* a - b */
struct index_text index_difference(struct emitter *emitter, struct index_text a, struct index_text b);
/* The same of terms that are already taken apart. */
struct index_text index_items(struct emitter *emitter, const struct items *items);
/* Is var printed as an int? */
bool index_is_narrow(const struct emitter *emitter, const struct var *var);

/* `i + 32 <= M`, `j < N - 1`, `i % 4 == 0`: the innermost loop on the left, constants on the friendlier side. */
const char *index_condition(struct emitter *emitter, const struct condition *condition);
/* The opposite of it. */
const char *index_negation(struct emitter *emitter, const struct condition *condition);
/* The condition under which a loop goes on. */
const char *index_loop_condition(struct emitter *emitter, const struct node *loop);
/* The conditions of an IF node, joined. */
const char *index_guards(struct emitter *emitter, const struct guard *alternative, int n);

#endif
