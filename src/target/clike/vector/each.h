/* What there is no instruction for, lane by lane: functions of the library, operations and conversions (vector_each.c),
 * elements that are not side by side (vector_apart.c). */
#ifndef TARGET_CLIKE_VECTOR_EACH_H
#define TARGET_CLIKE_VECTOR_EACH_H

#include "target/clike/vector/lanes.h"

/* Can vectors of the type be taken apart? */
bool vec_has_each(const struct simd_type *type);
/* "16f", "8i32": lanes and type in names. */
const char *vec_each_suffix(struct emitter *emitter, const struct simd_type *type);
/* `_mm_storeu_ps(x, a)`, `_mm_loadu_ps(x)` */
const char *vec_each_store(struct emitter *emitter, const struct simd_type *type, const char *array, const char *value);
const char *vec_each_load(struct emitter *emitter, const struct simd_type *type, const char *array);
/* A definition by a template, its own values, and those of the type: VECTOR, ELEMENT and N. */
const char *vec_each_code(struct emitter *emitter, const char *template, const char *name, const struct simd_type *type,
                          const struct template_value *own);
/* Names the functions of the library that rows call by lanes, where something else has their usual name. */
void vec_name_each(struct emitter *emitter);
/* Notes a definition that is called by its name, which vec_own_name gave. */
void vec_each_add(struct emitter *emitter, const char *name, const char *code);

/* A member of each lane's group of neighbours (vector_parts.c). */
const char *vec_load_part(struct vec_lanes *lanes, const struct element *element);
/* All members, of which value is a TREE_PARTS, to the groups from target on. */
const char *vec_store_parts(struct vec_lanes *lanes, const struct element *target, const struct tree_expr *value);

/* The number a in every lane. */
const char *vec_each_splat(struct vec_lanes *lanes, const struct simd_type *simd, const char *a);
/* The library's function for each lane. */
const char *vec_each(struct vec_lanes *lanes, enum function function, enum type type, struct vec_operands operands);
/* An operation of each lane, or of all lanes as one value; NULL: none that is known here. */
const char *vec_each_op(struct vec_lanes *lanes, enum vector_op op, enum type type, struct vec_operands operands);
/* NULL: one of the types has no vectors. */
const char *vec_each_conversion(struct vec_lanes *lanes, const char *a, enum type from, enum type to);

/* Elements that are `step` apart, text of a number, from p on; m: in these lanes, or NULL; a: what is stored, NULL:
 * they are loaded. */
const char *vec_apart(struct vec_lanes *lanes, enum type type, struct vec_operands operands, const char *step);
/* The same at the offsets b, lanes of `offset`. */
const char *vec_apart_at(struct vec_lanes *lanes, enum type type, struct vec_operands operands, enum type offset);
/* Lanes of 32 bits that consist of smaller elements, next to each other from p on. */
const char *vec_groups(struct vec_lanes *lanes, enum type type, struct vec_operands operands);

#endif
