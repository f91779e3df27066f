#include "target/clike/vector/each.h"

#include "target/clike/expr.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/vector/vector.h"

#include <inttypes.h>
#include <string.h>

/* A longer list of loads is a loop. */
enum { LISTED = 8 };

/* `0, 2, 4, ..`: from first, step apart. */
const char *vec_numbers(struct vec_lanes *lanes, int64_t first, int64_t step)
{
    const char *text = "";

    for (int k = 0; k < lanes->vector->lanes; k++)
        text = arena_printf(lanes->emitter->arena, "%s%s%" PRId64, text, k ? ", " : "", first + k * step);
    return text;
}

const char *vec_offsets(struct vec_lanes *lanes, int64_t step)
{
    static const char *const lists[] = {"_mm512_setr_epi32", "_mm256_setr_epi32", "_mm_setr_epi32"};
    const int n = lanes->vector->lanes;

    if (step > INT32_MAX / 16 || step < -INT32_MAX / 16 || (n != 16 && n != 8 && n != 4))
        return NULL;
    return arena_printf(lanes->emitter->arena, "%s(%s)",
                        lists[n == 16  ? 0
                              : n == 8 ? 1
                                       : 2],
                        vec_numbers(lanes, 0, step));
}

const char *vec_step_text(struct vec_lanes *lanes, const struct element *element)
{
    struct emitter *emitter = lanes->emitter;

    return element->lane_step == LANES_APART ? element_step_text(emitter, element->array, element->lane_factor)
                                             : arena_printf(emitter->arena, "%" PRId64, element->lane_step);
}

/* How many vectors the fastest dimension of an array of vectors holds. */
int64_t vec_in_row(struct emitter *emitter, const struct array *array)
{
    const struct affine *extent = param_affine(emitter, array->shape[array->n_dim - 1]);
    int64_t n;

    return affine_is_constant(extent, &n) ? n / emitter->array_lanes[array - emitter->program->array] : 1;
}

static bool is_index(void *user, const struct affine *a)
{
    (void)user;
    (void)a;
    return true;
}

/* An element of an array of vectors: all subscripts but the lanes'. */
const char *vec_register_text(struct vec_lanes *lanes, const struct element *element)
{
    struct emitter *emitter = lanes->emitter;
    const char *text = element->array->name;

    for (int k = 0; k < element->array->n_dim; k++) {
        const struct affine *index = element->index[k];
        if (k + 1 == element->array->n_dim && vec_in_row(emitter, element->array) == 1)
            return text;
        if (k + 1 == element->array->n_dim)
            index = affine_mark_plain(emitter->arena, affine_floor(emitter->arena, index, lanes->vector->lanes),
                                      is_index, NULL);
        text = arena_printf(emitter->arena, "%s[%s]", text, index_affine(emitter, index).text);
    }
    return text;
}

const char *vec_address(struct vec_lanes *lanes, const struct element *element)
{
    enum precedence precedence;
    const char *text = element_text(lanes->emitter, element, &precedence);
    const size_t size = strlen(text);
    const char *bytes = element->array->type != TYPE_BOOL ? ""
                        : element->array->role == ROLE_IN ? "(const uint8_t *)"
                                                          : "(uint8_t *)";

    if (size > 4 && (text[size - 4] == ']' || element->lane_step == LANES_APART) && strcmp(text + size - 3, "[0]") == 0)
        return arena_printf(lanes->emitter->arena, "%s%.*s", bytes, (int)size - 3, text);
    return arena_printf(lanes->emitter->arena, "%s&%s", bytes, text);
}

/* Is it a number above INT32_MAX that is better read in a cast than as a negative one? */
static bool is_large_unsigned(const struct tree_expr *expr)
{
    return expr->type == TYPE_U32 && (uint32_t)expr->integer > INT32_MAX;
}

/* The value of expr, which is the same in all lanes, with the type that the instructions take: a signed one. */
static const char *scalar_text(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    const enum type type = lanes->emitter->simd->takes_signed ? vec_signed_type(expr->type) : expr->type;
    const struct tree_expr *const arg[] = {expr};
    const bool group = expr->kind == TREE_LOAD && expr->integer > 0;
    struct tree_expr other = {.kind = TREE_CAST, .type = type, .arg = arg, .n_arg = 1};

    if (group) {
        const char *name = vec_own_name(lanes->emitter, "bytes_4");
        vec_use_helpers(lanes->emitter, name);
        return arena_printf(lanes->emitter->arena, "%s(%s)", name, vec_address(lanes, &expr->element));
    }
    if (expr->kind == TREE_INDEX || (expr->kind == TREE_INT && !is_large_unsigned(expr))) {
        other = *expr;
        other.type = type;
        if (type != expr->type && type_bits(type) < 32 && other.integer >> (type_bits(type) - 1) == 1)
            other.integer -= (int64_t)1 << type_bits(type);
    }
    return expr_assigned(lanes->emitter, type == expr->type ? expr : &other, type);
}

const char *vec_splat(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    const bool zero = (expr->kind == TREE_INT && expr->integer == 0) ||
                      (expr->kind == TREE_REAL && expr->real == 0 && expr->spelling[0] != '-');

    if (zero)
        return vec_instruction(lanes, VECTOR_ZERO, expr->type, (struct vec_operands){0});
    if (expr->kind == TREE_LOAD && expr->integer > 0)
        return vec_instruction(lanes, VECTOR_SPLAT, expr->type, (struct vec_operands){.a = scalar_text(lanes, expr)});
    const struct expr_text exact = expr_exact(lanes->emitter, expr);
    return vec_instruction(lanes, VECTOR_SPLAT, expr->type,
                           (struct vec_operands){.a = scalar_text(lanes, expr),
                                                 .s = parenthesised(lanes->emitter, exact.text, exact.precedence,
                                                                    PREC_SUM)});
}

/* The element of lane k. */
struct element vec_element_of_lane(struct emitter *emitter, const struct element *element, int k)
{
    const int n = element->array->n_dim;
    const struct affine **index = ARENA_ARRAY(emitter->arena, n + 1, const struct affine *);
    struct element result = *element;

    for (int d = 0; d < n; d++) {
        if (!element->index[d])
            continue;
        index[d] = element->n_lane_index
                       ? element->lane_index[k * n + d]
                       : affine_add_constant(emitter->arena, element->index[d], k * element->lane_factor[d]);
        emitter->failed |= !index[d];
    }
    result.index = index;
    result.base = element->n_lane_index ? NULL : element->base;
    result.lane_step = 0;
    return emitter->failed ? *element : result;
}

/* `_mm_setr_ps(x[2 * i], x[2 * i + 2], ..)` */
static const char *list_text(struct vec_lanes *lanes, const struct tree_expr *load)
{
    struct emitter *emitter = lanes->emitter;
    const char *text = "";

    for (int k = 0; k < lanes->vector->lanes; k++) {
        struct tree_expr one = *load;
        one.element = vec_element_of_lane(emitter, &load->element, k);
        text = arena_printf(emitter->arena, "%s%s%s", text, k ? ", " : "", scalar_text(lanes, &one));
    }
    return vec_instruction(lanes, VECTOR_LIST, load->type, (struct vec_operands){.a = text});
}

/* Lanes in opposite order: the first one's element is the last in memory. NULL: not by this. */
static const char *reversed_load(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    const struct simd_type *simd = vec_register(lanes, expr->type);

    if (expr->element.lane_step != -1 || vec_is_masked(lanes) || !simd || !simd->row[VECTOR_REVERSE])
        return NULL;
    const struct element last = vec_element_of_lane(lanes->emitter, &expr->element, lanes->vector->lanes - 1);
    return vec_instruction(lanes, VECTOR_REVERSE, expr->type,
                           (struct vec_operands){
                               .a = vec_instruction(lanes, VECTOR_LOAD, expr->type,
                                                    (struct vec_operands){.p = vec_address(lanes, &last)})});
}

/* Loads of elements that are told by their distances. */
static const char *gather_at(struct vec_lanes *lanes, const struct tree_expr *expr, struct vec_operands operands)
{
    const bool is_long = expr->arg[0]->type == TYPE_I64;
    const enum vector_op op = is_long ? (operands.m ? VECTOR_GATHER_LONG_MASK : VECTOR_GATHER_LONG)
                                      : (operands.m ? VECTOR_GATHER_MASK : VECTOR_GATHER);
    const struct simd_type *simd = vec_register(lanes, expr->type);
    struct vec_lanes all = {.emitter = lanes->emitter, .vector = lanes->vector};

    operands.b = vec_value(&all, expr->arg[0]);
    return simd && simd->row[op] ? vec_instruction(lanes, op, expr->type, operands)
                                 : vec_apart_at(lanes, expr->type, operands, expr->arg[0]->type);
}

static const char *gather(struct vec_lanes *lanes, const struct tree_expr *expr, struct vec_operands operands)
{
    const struct element *element = &expr->element;
    const struct simd_type *simd = vec_register(lanes, expr->type);
    const enum vector_op op = operands.m ? VECTOR_GATHER_MASK : VECTOR_GATHER;
    const bool listed = element->lane_step == LANES_APART ? element->n_lane_index > 0 : lanes->vector->lanes <= LISTED;

    if (expr->n_arg > 0)
        return gather_at(lanes, expr, operands);
    if (simd && !simd->row[VECTOR_GATHER] && simd->row[VECTOR_LIST] && !operands.m && listed)
        return list_text(lanes, expr);
    if (element->lane_step == LANES_APART && !element->lane_factor)
        return vec_lack(lanes, "loads from elements apart", expr->type);
    operands.b =
        simd && simd->row[op] && element->lane_step != LANES_APART ? vec_offsets(lanes, element->lane_step) : NULL;
    return operands.b ? vec_instruction(lanes, op, expr->type, operands)
                      : vec_apart(lanes, expr->type, operands, vec_step_text(lanes, element));
}

/* Factors of a sum of products, 32 bits of them a lane. */
static const char *load_groups(struct vec_lanes *lanes, enum type type, struct vec_operands operands)
{
    const struct simd_type *simd = vec_register(lanes, type);

    if (operands.m)
        return simd && simd->row[VECTOR_LOAD_MASK] ? vec_instruction(lanes, VECTOR_LOAD_MASK, type, operands)
                                                   : vec_groups(lanes, type, operands);
    return lanes->emitter->simd->groups ? vec_filled(lanes, lanes->emitter->simd->groups, &operands, type)
                                        : vec_instruction(lanes, VECTOR_LOAD, type, operands);
}

const char *vec_load(struct vec_lanes *lanes, const struct tree_expr *expr)
{
    const struct element *element = &expr->element;
    struct vec_operands operands = {0};

    if (element->lane_step == 0)
        return vec_splat(lanes, expr);
    if (vector_array(lanes->emitter, element->array))
        return vec_register_text(lanes, element);
    if (element->parts)
        return vec_load_part(lanes, element);
    operands.m = vec_is_masked(lanes) ? vec_mask(lanes, expr->type) : NULL;
    const char *reversed = reversed_load(lanes, expr);
    if (reversed)
        return reversed;
    operands.p = vec_address(lanes, element);
    if (expr->integer > 0)
        return load_groups(lanes, expr->type, operands);
    return element->lane_step == 1
               ? vec_instruction(lanes, operands.m ? VECTOR_LOAD_MASK : VECTOR_LOAD, expr->type, operands)
               : gather(lanes, expr, operands);
}
