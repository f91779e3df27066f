#include "program/storage/lay_out.h"

#include "program/expr/affine.h"
#include "program/expr/index_expr.h"

#include <string.h>

static struct expr *combined(struct arena *arena, enum expr_op op, struct expr *a, int64_t constant)
{
    struct expr *expr = ARENA_NEW(arena, struct expr), *b = index_constant(arena, constant);

    b->type = a->type;
    b->place = a->place;
    *expr = (struct expr){.kind = EXPR_BINARY, .op = op, .type = a->type, .place = a->place, .n_arg = 2};
    expr->arg = ARENA_ARRAY(arena, 2, struct expr *);
    expr->arg[0] = a;
    expr->arg[1] = b;
    return expr;
}

static struct expr *added(struct arena *arena, struct expr *a, int64_t constant)
{
    int64_t value;

    if (constant == 0)
        return a;
    if (expr_constant(a, &value) && !__builtin_add_overflow(value, constant, &value))
        return index_constant(arena, value);
    return combined(arena, OP_ADD, a, constant);
}

/* Is a, an extent, always a multiple of size? */
static bool is_multiple(const struct program *program, const struct expr *a, int64_t size)
{
    const char *why;

    if (expr_affine_obstacle(a, &why))
        return false;
    isl_space *space = isl_set_get_space(program->context);
    isl_pw_aff *rest = expr_pw_aff(space, a);
    isl_space_free(space);
    rest = isl_pw_aff_mod_val(rest, isl_val_int_from_si(isl_set_get_ctx(program->context), size));
    isl_set *others = isl_set_subtract(isl_set_copy(program->context), isl_pw_aff_zero_set(rest));
    const isl_bool none = isl_set_is_empty(others);
    isl_set_free(others);
    return none == isl_bool_true;
}

/* ceil(a / size) */
static struct expr *block_count(struct arena *arena, const struct program *program, struct expr *a, int64_t size)
{
    int64_t value;

    if (expr_constant(a, &value))
        return index_constant(arena, value / size + (value % size > 0));
    if (is_multiple(program, a, size))
        return combined(arena, OP_DIV, a, size);
    return combined(arena, OP_DIV, added(arena, a, size - 1), size);
}

/* One digit for each dimension of an array that is not in blocks. */
static const struct stored_dim *plain_digits(struct arena *arena, const struct array *array)
{
    struct stored_dim *digit = ARENA_ARRAY(arena, array->n_dim, struct stored_dim);

    for (int k = 0; k < array->n_dim; k++)
        digit[k] = (struct stored_dim){array->dim_order ? array->dim_order[k] : k, 1, 0};
    return digit;
}

static struct expr *extent_of(struct arena *arena, const struct program *program, const struct array *array,
                              const struct stored_dim *digit)
{
    if (digit->size)
        return index_constant(arena, digit->size);
    return digit->unit > 1 ? block_count(arena, program, array->shape[digit->dim], digit->unit)
                           : array->shape[digit->dim];
}

static struct array stored_array(struct arena *arena, const struct program *program, const struct array *array)
{
    struct array stored = *array;

    stored.stored_dim = array->digit ? array->digit : plain_digits(arena, array);
    stored.n_dim = array->digit ? array->n_digit : array->n_dim;
    stored.shape = ARENA_ARRAY(arena, stored.n_dim, struct expr *);
    stored.dim_order = NULL;
    for (int k = 0; k < stored.n_dim; k++)
        stored.shape[k] = extent_of(arena, program, array, &stored.stored_dim[k]);
    stored.shape[stored.n_dim - 1] = added(arena, stored.shape[stored.n_dim - 1], array->pad);
    stored.digit = NULL;
    stored.pad = 0;
    return stored;
}

/* Constant extents; false when there is a symbolic one. */
static bool constant_shape(const struct array *array, int64_t *extent)
{
    for (int k = 0; k < array->n_dim; k++)
        if (!expr_constant(array->shape[k], &extent[k]))
            return false;
    return true;
}

static int64_t product(const int64_t *extent, int n)
{
    int64_t result = 1;

    for (int k = 0; k < n; k++)
        result *= extent[k];
    return result;
}

/* The elements of array in the order in which they are stored; what is between them is 0. */
static const unsigned char *stored_data(struct arena *arena, const struct array *array, const struct array *stored)
{
    const int64_t size = type_bits(array->type) / 8;
    int64_t *extent = ARENA_ARRAY(arena, array->n_dim, int64_t), *index = ARENA_ARRAY(arena, array->n_dim, int64_t);
    int64_t *room = ARENA_ARRAY(arena, stored->n_dim, int64_t);
    unsigned char *data;

    if (!constant_shape(array, extent) || !constant_shape(stored, room))
        return NULL;
    data = ARENA_ARRAY(arena, product(room, stored->n_dim) * size, unsigned char);
    for (int64_t n = 0; n < product(extent, array->n_dim); n++) {
        int64_t position = 0, rest = n;
        for (int k = array->n_dim - 1; k >= 0; rest /= extent[k--])
            index[k] = rest % extent[k];
        for (int k = 0; k < stored->n_dim; k++) {
            const int64_t digit = index[stored->stored_dim[k].dim] / stored->stored_dim[k].unit;
            position = position * room[k] + (stored->stored_dim[k].size ? digit % stored->stored_dim[k].size : digit);
        }
        memcpy(data + position * size, array->data + n * size, (size_t)size);
    }
    return data;
}

const struct program *program_lay_out(struct arena *arena, const struct program *program)
{
    struct program *copy = ARENA_NEW(arena, struct program);

    *copy = *program;
    copy->described = program->described ? program->described : program;
    copy->array = ARENA_ARRAY(arena, program->n_array, struct array);
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        copy->array[k] = *array;
        if (array->n_dim == 0 || (!array->digit && !array->pad))
            continue;
        copy->array[k] = stored_array(arena, program, array);
        if (array->data)
            copy->array[k].data = stored_data(arena, array, &copy->array[k]);
    }
    return copy;
}

const struct array *laid_out_array(const struct program *laid_out, const struct program *program,
                                   const struct array *array)
{
    return &laid_out->array[array - program->array];
}

struct expr **laid_out_subscripts(struct arena *arena, const struct array *stored, const struct expr *access)
{
    struct expr **arg = ARENA_ARRAY(arena, stored->n_dim, struct expr *);

    if (!stored->stored_dim)
        return access->arg;
    for (int k = 0; k < stored->n_dim; k++) {
        const struct stored_dim *digit = &stored->stored_dim[k];
        arg[k] = access->arg[digit->dim];
        if (digit->unit > 1)
            arg[k] = combined(arena, OP_DIV, arg[k], digit->unit);
        if (digit->size)
            arg[k] = combined(arena, OP_MOD, arg[k], digit->size);
    }
    return arg;
}
