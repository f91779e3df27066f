#include "program/meet.h"

#include "program/expr/affine.h"

bool accesses_alike(const struct access *a, const struct access *b)
{
    return a->array == b->array && a->may == b->may && isl_map_plain_is_equal(a->map, b->map) == isl_bool_true &&
           (!a->may || expr_equal(a->expr, b->expr));
}

/* Does a conversion give different results for different integers? */
static bool keeps_apart(const struct expr *cast)
{
    const enum type from = cast->arg[0]->type, to = cast->type;

    return !type_is_float(from) && !type_is_float(to) && to != TYPE_BOOL && type_bits(to) >= type_bits(from);
}

static bool is_fixed(const struct expr *expr)
{
    return expr->kind == EXPR_INT || expr->kind == EXPR_PARAM || expr->kind == EXPR_SCALAR;
}

/* a and b are the same function, with different results for different arguments: number of the argument; -1: they need
 * not be. */
static int same_function(const struct expr *a, const struct expr *b)
{
    if (a->kind != b->kind || a->type != b->type)
        return -1;
    if (a->kind == EXPR_CAST)
        return keeps_apart(a) && keeps_apart(b) && a->arg[0]->type == b->arg[0]->type ? 0 : -1;
    if (a->kind != EXPR_BINARY || a->op != b->op || (a->op != OP_ADD && a->op != OP_SUB) || type_is_float(a->type))
        return -1;
    for (int k = 0; k < 2; k++)
        if (is_fixed(a->arg[k]) && expr_equal(a->arg[k], b->arg[k]))
            return 1 - k;
    return -1;
}

static bool is_affine(const struct expr *access)
{
    const char *why;

    for (int k = 0; k < access->n_arg; k++)
        if (expr_affine_obstacle(access->arg[k], &why))
            return false;
    return true;
}

/* Replaces subscripts by the elements of one array that decide whether they are equal, if these all differ; false:
 * there is none. */
static bool find_reads(const struct expr **a, const struct expr **b)
{
    int k;

    while ((*a)->kind != EXPR_ACCESS && (k = same_function(*a, *b)) >= 0) {
        *a = (*a)->arg[k];
        *b = (*b)->arg[k];
    }
    return (*a)->kind == EXPR_ACCESS && (*b)->kind == EXPR_ACCESS && (*a)->array == (*b)->array && is_affine(*a) &&
           is_affine(*b);
}

/* { S[..] -> [subscripts] } of an access in the statement whose instances space has. */
static __isl_give isl_map *read_map(const struct program *program, __isl_take isl_space *space,
                                    const struct expr *access)
{
    isl_space *map_space =
        isl_space_add_dims(isl_space_from_domain(isl_space_copy(space)), isl_dim_out, (unsigned)access->n_arg);
    isl_pw_aff_list *list = isl_pw_aff_list_alloc(program->ctx, access->n_arg);

    for (int k = 0; k < access->n_arg; k++)
        list = isl_pw_aff_list_add(list, expr_pw_aff(space, access->arg[k]));
    isl_space_free(space);
    return isl_map_from_multi_pw_aff(isl_multi_pw_aff_from_pw_aff_list(map_space, list));
}

__isl_give isl_map *accesses_meeting(const struct program *program, const struct access *a, const struct access *b)
{
    isl_map *pairs = isl_map_apply_range(isl_map_copy(a->map), isl_map_reverse(isl_map_copy(b->map)));

    for (int k = 0; a->may && b->may && k < a->expr->n_arg && k < b->expr->n_arg; k++) {
        const struct expr *from = a->expr->arg[k], *to = b->expr->arg[k];
        isl_map *read;
        if (!find_reads(&from, &to) || !from->array->injective)
            continue;
        read = read_map(program, isl_space_domain(isl_map_get_space(b->map)), to);
        read = isl_map_apply_range(read_map(program, isl_space_domain(isl_map_get_space(a->map)), from),
                                   isl_map_reverse(read));
        pairs = isl_map_intersect(pairs, read);
    }
    return pairs;
}

const struct array *accesses_index(const struct access *a, const struct access *b)
{
    for (int k = 0; a->may && b->may && k < a->expr->n_arg && k < b->expr->n_arg; k++) {
        const struct expr *from = a->expr->arg[k], *to = b->expr->arg[k];
        if (find_reads(&from, &to) && !from->array->injective && from->array->role == ROLE_IN &&
            from->array->n_dim == 1)
            return from->array;
    }
    return NULL;
}
