#include "program/accesses.h"

#include "poly/coalesce.h"
#include "poly/keep.h"
#include "program/expr/affine.h"

struct collector {
    struct program *program;
    const struct statement *statement;
    VEC(struct access) access;
};

static __isl_give isl_space *array_space(const struct program *program, const struct array *array)
{
    isl_space *space = isl_space_set_from_params(program_params_space(program));

    space = isl_space_add_dims(space, isl_dim_set, (unsigned)array->n_dim);
    return isl_space_set_tuple_name(space, isl_dim_set, array->name);
}

__isl_give isl_set *array_box(const struct program *program, const struct array *array, int first, int last)
{
    isl_space *space = array_space(program, array);
    isl_set *box = isl_set_universe(isl_space_copy(space));

    for (int k = first; k < last; k++) {
        const struct expr index = {.kind = EXPR_LOOP, .loop = k};
        isl_pw_aff *extent = expr_pw_aff(space, array->shape[k]);

        box = isl_set_lower_bound_si(box, isl_dim_set, (unsigned)k, 0);
        box = isl_set_intersect(box, isl_pw_aff_lt_set(expr_pw_aff(space, &index), extent));
    }
    isl_space_free(space);
    return poly_set_coalesce(box);
}

/* The subscripts as functions of the instance; 0 stands for those that are not affine. */
static __isl_give isl_multi_pw_aff *subscripts(const struct collector *collector, const struct expr *expr)
{
    isl_space *from = isl_set_get_space(collector->statement->domain);
    isl_space *space =
        isl_space_map_from_domain_and_range(isl_space_copy(from), array_space(collector->program, expr->array));
    isl_pw_aff_list *list = isl_pw_aff_list_alloc(collector->program->ctx, expr->n_arg);
    const struct expr zero = {.kind = EXPR_INT};
    const char *why;

    for (int k = 0; k < expr->n_arg; k++) {
        const bool affine = !expr_affine_obstacle(expr->arg[k], &why);

        list = isl_pw_aff_list_add(list, expr_pw_aff(from, affine ? expr->arg[k] : &zero));
    }
    isl_space_free(from);
    return isl_multi_pw_aff_from_pw_aff_list(space, list);
}

/* All elements along the dimensions whose subscript is not affine; *indirect tells of any. */
static __isl_give isl_map *widen(const struct collector *collector, __isl_take isl_map *map, const struct expr *expr,
                                 bool *indirect)
{
    const char *why;

    for (int k = 0; k < expr->n_arg; k++) {
        if (!expr_affine_obstacle(expr->arg[k], &why))
            continue;
        map = isl_map_eliminate(map, isl_dim_out, (unsigned)k, 1);
        map = isl_map_intersect_range(map, array_box(collector->program, expr->array, k, k + 1));
        *indirect = true;
    }
    return map;
}

static void add_access(struct collector *collector, const struct expr *expr, __isl_keep isl_set *where, bool write,
                       bool may)
{
    struct access access = {.array = expr->array, .expr = expr, .write = write, .may = may};
    isl_map *map = isl_map_from_multi_pw_aff(subscripts(collector, expr));

    map = isl_map_intersect_domain(map, isl_set_copy(where));
    map = poly_map_coalesce(widen(collector, map, expr, &access.may));
    access.map = poly_keep_map(collector->program->arena, map);
    VEC_PUSH(collector->program->arena, &collector->access, access);
}

/* Does expr, a value, mean the same as the affine expression of its form? Not where C's division
 * and a conversion of a name to another type differ from exact integers. */
static bool is_exact(const struct expr *expr)
{
    if ((expr->kind == EXPR_LOOP || expr->kind == EXPR_PARAM) && expr->type != TYPE_I64 && expr->type != TYPE_NONE)
        return false;
    if (expr->kind == EXPR_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD))
        return false;
    for (int k = 0; k < expr->n_arg; k++)
        if (!is_exact(expr->arg[k]))
            return false;
    return true;
}

static bool is_affine_condition(const struct expr *expr)
{
    const char *why;

    return is_exact(expr) && !expr_condition_obstacle(expr, &why);
}

static void collect(struct collector *collector, const struct expr *expr, __isl_keep isl_set *where, bool may);

/* The references of expr, which is evaluated only where condition has the given truth. */
static void collect_if(struct collector *collector, const struct expr *expr, const struct expr *condition, bool truth,
                       __isl_keep isl_set *where, bool may)
{
    isl_space *space;
    isl_set *here;

    if (!is_affine_condition(condition)) {
        collect(collector, expr, where, true);
        return;
    }
    space = isl_set_get_space(where);
    here = expr_set(space, condition);
    here = truth ? isl_set_intersect(isl_set_copy(where), here) : isl_set_subtract(isl_set_copy(where), here);
    collect(collector, expr, here, may);
    isl_set_free(here);
    isl_space_free(space);
}

/* The reads in expr at the instances where it is evaluated; may: perhaps not even there. */
static void collect(struct collector *collector, const struct expr *expr, __isl_keep isl_set *where, bool may)
{
    const bool select = expr->kind == EXPR_SELECT;
    const bool lazy = expr->kind == EXPR_BINARY && (expr->op == OP_LAND || expr->op == OP_LOR);

    for (int k = 0; k < expr->n_arg; k++) {
        if (k == 0 || (!select && !lazy))
            collect(collector, expr->arg[k], where, may);
        else
            collect_if(collector, expr->arg[k], expr->arg[0], select ? k == 1 : expr->op == OP_LAND, where, may);
    }
    if (expr->kind == EXPR_ACCESS)
        add_access(collector, expr, where, false, may);
}

void statement_accesses(struct program *program, struct statement *statement)
{
    struct collector collector = {.program = program, .statement = statement};
    const bool may = statement->guard != NULL;
    const struct expr *target = statement->target;

    add_access(&collector, target, statement->domain, true, may);
    if (statement->op != OP_NONE)
        add_access(&collector, target, statement->domain, false, may);
    for (int k = 0; k < target->n_arg; k++)
        collect(&collector, target->arg[k], statement->domain, may);
    collect(&collector, statement->value, statement->domain, may);
    if (statement->guard)
        collect(&collector, statement->guard, statement->domain, false);
    statement->access = collector.access.at;
    statement->n_access = collector.access.n;
}
