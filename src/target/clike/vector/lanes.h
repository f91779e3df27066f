/* What prints one vector statement: rows of the target's table (vector_rows.c), conversions (vector_convert.c), loads
 * (vector_memory.c), values (vector_value.c) and masks (vector_mask.c). Texts live in the emitter's arena; what there
 * is no instruction for is told in emitter->lacks, and the text is "?". */
#ifndef TARGET_CLIKE_VECTOR_LANES_H
#define TARGET_CLIKE_VECTOR_LANES_H

#include "program/program.h"
#include "target/clike/emitter.h"

/* The vector assignment that is being printed. */
struct vec_lanes {
    struct emitter *emitter;
    const struct vector *vector;
    const struct tree_expr *condition; /* where the value is needed, beside the active lanes; NULL: everywhere */
};

/* What stands for the places of a row. */
struct vec_operands {
    const char *a, *b, *c, *p, *m;
    const char *s; /* {a} as part of a sum; NULL: the same */
};

/* Notes that the target has no instruction for what. */
const char *vec_lack(struct vec_lanes *lanes, const char *what, enum type type);
/* The target's register of these lanes of type, or NULL. */
const struct simd_type *vec_register(const struct vec_lanes *lanes, enum type type);
/* Notes the helpers that code mentions, and those that these use. */
void vec_use_helpers(struct emitter *emitter, const char *code);
/* The name that a type or function which is usually called so has in this file: another one than any of the description
 * or of the loops. */
const char *vec_own_name(struct emitter *emitter, const char *usual);
/* The same where it was asked for before; usual otherwise. */
const char *vec_name_so_far(const struct emitter *emitter, const char *usual);
/* Notes the helpers of this kind that code mentions. */
void vec_use_each(struct emitter *emitter, const char *code);
void vec_need_flags(struct emitter *emitter, const char *flags);
/* A row with its places filled; type is that of the result. */
const char *vec_filled(struct vec_lanes *lanes, const char *row, const struct vec_operands *operands, enum type type);
const char *vec_instruction(struct vec_lanes *lanes, enum vector_op op, enum type type, struct vec_operands operands);

/* The signed type of an integer one; other types are what they are. */
enum type vec_signed_type(enum type type);
/* a, lanes of `from`, as lanes of `to`. */
const char *vec_conversion(struct vec_lanes *lanes, const char *a, enum type from, enum type to);
/* A mask for lanes of one type as one for lanes of another. */
const char *vec_mask_for(struct vec_lanes *lanes, const char *mask, enum type from, enum type to);

/* `0, 2, 4, ..`: from first, step apart. */
const char *vec_numbers(struct vec_lanes *lanes, int64_t first, int64_t step);
/* `_mm512_setr_epi32(0, 2, 4, ..)`: where the lanes' elements are, from the first one's; NULL: that is no such list. */
const char *vec_offsets(struct vec_lanes *lanes, int64_t step);
/* How many elements of storage each lane's element is behind the one before: `3`, `N`. */
const char *vec_step_text(struct vec_lanes *lanes, const struct element *element);
/* How many vectors the fastest dimension of an array of vectors holds. */
int64_t vec_in_row(struct emitter *emitter, const struct array *array);
/* An element of an array of vectors. */
const char *vec_register_text(struct vec_lanes *lanes, const struct element *element);
const char *vec_address(struct vec_lanes *lanes, const struct element *element);
/* The element of lane k. */
struct element vec_element_of_lane(struct emitter *emitter, const struct element *element, int k);
/* A value that is the same in all lanes. */
const char *vec_splat(struct vec_lanes *lanes, const struct tree_expr *expr);
const char *vec_load(struct vec_lanes *lanes, const struct tree_expr *expr);

/* A condition's mask (vector_mask.c). */
struct vec_truth {
    const char *text;
    bool inverted; /* it is set where the condition does not hold */
};

/* Where expr is true, for lanes of type. */
struct vec_truth vec_truth(struct vec_lanes *lanes, const struct tree_expr *expr, enum type type);
/* The lanes that may touch memory, for lanes of type; only where vec_is_masked. */
struct vec_truth vec_active(struct vec_lanes *lanes, enum type type);
bool vec_is_masked(const struct vec_lanes *lanes);
/* The mask that is set where truth holds. */
const char *vec_plain_mask(struct vec_lanes *lanes, struct vec_truth truth, enum type type);
/* That of the lanes that may touch memory. */
const char *vec_mask(struct vec_lanes *lanes, enum type type);
/* truth ? a : b */
const char *vec_choice(struct vec_lanes *lanes, enum type type, struct vec_truth truth, const char *a, const char *b);
/* From here on the variable's condition holds where it is not set. */
void vec_note_inverted(struct emitter *emitter, const struct var *mask);
/* a && b, a || b, !a, which has no b; b alone where a is NULL. */
const struct tree_expr *vec_logical(struct arena *arena, enum expr_op op, const struct tree_expr *a,
                                    const struct tree_expr *b);
const char *vec_value(struct vec_lanes *lanes, const struct tree_expr *expr);
/* A name, of an array of vectors with a place. */
const char *vec_name(struct emitter *emitter, const struct var *var, const struct affine *place);
/* count, the second operand of op if that is a shift, as lanes that are as wide as those it shifts. */
const struct tree_expr *vec_count(struct vec_lanes *lanes, enum expr_op op, enum type type,
                                  const struct tree_expr *count);
/* An operand of op whose other one is other. */
const char *vec_operand(struct vec_lanes *lanes, enum expr_op op, const struct tree_expr *expr,
                        const struct tree_expr *other);
const char *vec_binary(struct vec_lanes *lanes, enum expr_op op, enum type type, const char *a, const char *b);
/* Is the value a product that a sum of the type may take in, rounded once? */
bool vec_may_contract(const struct vec_lanes *lanes, unsigned permit, const struct tree_expr *product);
/* sum plus the products of a TREE_DOT. */
const char *vec_dot(struct vec_lanes *lanes, const struct tree_expr *dot, const char *sum);
const char *vec_product_sum(struct vec_lanes *lanes, const struct tree_expr *product, const char *sum);

#endif
