#include "plan/cache/copying.h"

#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "program/expr/index_expr.h"

#include <isl/val.h>

/* { S[..] -> AA[c, y] }; NULL (an isl error) or not total when the geometry is wrong. */
static __isl_give isl_map *redirected_map(const struct copies *copies, const struct statement *statement,
                                          __isl_keep isl_map *access)
{
    isl_map *map = poly_graph(region_iteration(copies->region, statement));

    map = isl_map_intersect_domain(map, isl_set_copy(statement->domain));
    map = isl_map_flat_range_product(map, isl_map_reset_tuple_id(isl_map_copy(access), isl_dim_out));
    map = isl_map_apply_range(map, isl_map_reverse(isl_map_copy(copies->buffer->place)));
    map = isl_map_set_tuple_name(map, isl_dim_out, copies->name);
    return poly_keep_map(copies->schedule->arena, poly_map_coalesce(map));
}

/* { S[..] -> [c] } or, for `between` too, { S[..] -> [c, m] } */
static __isl_give isl_multi_pw_aff *iteration(const struct copies *copies, const struct statement *statement,
                                              bool between)
{
    const struct path path = {copies->buffer->path.loop,
                              between ? copies->buffer->path.depth : copies->buffer->n_outside};

    return path_iteration(&path, statement);
}

/* An access that is redirected. */
struct redirected {
    const struct statement *statement;
    isl_pw_multi_aff *subscripts; /* its elements, and where it has some */
    isl_set *domain;
};

/* How far an instance is from the first element of its box in one axis, counted in elements of the box. */
static __isl_give isl_pw_aff *in_box(const struct copies *copies, const struct redirected *redirected, int axis)
{
    const struct buffer *buffer = copies->buffer;
    const struct box *box = axis < 0 ? &buffer->between[-1 - axis] : &buffer->box[axis];
    isl_multi_pw_aff *around = iteration(copies, redirected->statement, axis >= 0);
    isl_pw_aff *first = isl_pw_aff_from_aff(isl_aff_copy(box->offset)), *own;

    if (axis < 0) {
        isl_multi_pw_aff *all = iteration(copies, redirected->statement, true);
        own = isl_multi_pw_aff_get_pw_aff(all, buffer->n_outside - 1 - axis);
        isl_multi_pw_aff_free(all);
    } else {
        own = isl_pw_multi_aff_get_pw_aff(redirected->subscripts, axis);
    }
    own = isl_pw_aff_sub(own, isl_pw_aff_pullback_multi_pw_aff(first, around));
    own = isl_pw_aff_scale_down_val(own, isl_val_int_from_si(isl_pw_aff_get_ctx(own), box->stride));
    return isl_pw_aff_gist(poly_pw_aff_coalesce(own), isl_set_copy(redirected->domain));
}

/* floor(index / unit) */
static __isl_give isl_pw_aff *quotient(__isl_keep isl_pw_aff *index, int64_t unit)
{
    isl_val *val = isl_val_int_from_si(isl_pw_aff_get_ctx(index), unit);

    return isl_pw_aff_floor(isl_pw_aff_scale_down_val(isl_pw_aff_copy(index), val));
}

/* value as an expression where domain holds; that also may take a floor away that is needed, floor(i/2) for even i. */
static struct expr *simple_expr(const struct copies *copies, __isl_take isl_pw_aff *value, __isl_take isl_set *domain)
{
    struct arena *arena = copies->schedule->arena;
    struct expr *expr = index_expr_of(arena, copies->program, isl_pw_aff_gist(isl_pw_aff_copy(value), domain));

    if (!expr)
        return index_expr_of(arena, copies->program, value);
    isl_pw_aff_free(value);
    return expr;
}

static struct expr *digit_expr(const struct copies *copies, const struct redirected *redirected,
                               const struct digit *digit)
{
    isl_pw_aff *index = in_box(copies, redirected, digit->axis);
    isl_pw_aff *value = quotient(index, digit->unit);
    const int64_t coarser = digit_coarser(copies->buffer, digit);

    if (coarser) {
        isl_val *ratio = isl_val_int_from_si(isl_pw_aff_get_ctx(index), coarser / digit->unit);
        value = isl_pw_aff_sub(value, isl_pw_aff_scale_val(quotient(index, coarser), ratio));
    }
    isl_pw_aff_free(index);
    return simple_expr(copies, poly_pw_aff_coalesce(value), isl_set_copy(redirected->domain));
}

static struct expr *iteration_expr(const struct copies *copies, const struct statement *statement, int k)
{
    isl_multi_pw_aff *around = iteration(copies, statement, false);
    isl_pw_aff *count = isl_multi_pw_aff_get_pw_aff(around, k);

    isl_multi_pw_aff_free(around);
    return simple_expr(copies, poly_pw_aff_coalesce(count), isl_set_copy(statement->domain));
}

/* The subscripts in the buffer; NULL when one has no single expression. */
static struct expr **subscripts_of(const struct copies *copies, const struct redirected *redirected)
{
    struct expr **arg = ARENA_ARRAY(copies->schedule->arena, copies_rank(copies) + 1, struct expr *);
    const int depth = copies_depth(copies);

    for (int k = 0; k < copies_rank(copies); k++) {
        arg[k] = k < depth ? iteration_expr(copies, redirected->statement, k)
                           : digit_expr(copies, redirected, &copies->buffer->digit[k - depth]);
        if (!arg[k])
            return NULL;
    }
    return arg;
}

/* What takes the place of an access; NULL after reporting. */
static struct expr *in_buffer(const struct copies *copies, const struct statement *statement,
                              __isl_keep isl_map *access)
{
    const struct redirected redirected = {statement, isl_pw_multi_aff_from_map(isl_map_copy(access)),
                                          isl_map_domain(isl_map_copy(access))};
    struct expr **arg = subscripts_of(copies, &redirected);

    isl_pw_multi_aff_free(redirected.subscripts);
    isl_set_free(redirected.domain);
    if (arg)
        return copies_access(copies, copies->array, arg, copies_rank(copies));
    edit_refuse(copies->schedule, copies->buffer->step->place, "cache", NULL,
                "the place of its element in the buffer has no single expression for %s", statement->label);
    return NULL;
}

/* expr, an access, becomes new: as it is, or converted back to the array's type. The access is returned. */
static const struct expr *replace(const struct copies *copies, struct expr *expr, struct expr *new, bool target)
{
    const enum type type = copies->buffer->array->type;

    if (target || new->type == type) {
        *expr = *new;
        return expr;
    }
    *expr = *copies_expr(copies, EXPR_CAST);
    expr->type = type;
    expr->implicit = true;
    expr->arg = ARENA_ARRAY(copies->schedule->arena, 1, struct expr *);
    expr->arg[0] = new;
    expr->n_arg = 1;
    return new;
}

/* Is map, made of access by the iteration and the places of the buffer, a function? */
static bool is_function(const struct copies *copies, __isl_keep isl_map *access, __isl_keep isl_map *map)
{
    if (isl_map_plain_is_single_valued(access) == isl_bool_true && buffer_is_injective(copies->buffer))
        return true;
    return isl_map_is_single_valued(map) == isl_bool_true;
}

/* A map that does not place each element of access once would be wrong code; isl's quota may also be the reason. */
static enum status check_map(const struct copies *copies, const struct statement *statement, __isl_keep isl_map *access,
                             __isl_keep isl_map *map)
{
    isl_set *used = isl_map_domain(isl_map_copy(access)), *placed = isl_map_domain(isl_map_copy(map));
    const bool good = isl_set_is_subset(used, placed) == isl_bool_true && is_function(copies, access, map);

    isl_set_free(used);
    isl_set_free(placed);
    if (good)
        return STATUS_OK;
    if (isl_ctx_last_error(copies->program->ctx) == isl_error_none)
        diag_error(copies->schedule->diags, "internal", copies->buffer->step->place,
                   "internal error: the buffer has no place for some element that %s uses", statement->label);
    return STATUS_ENVIRONMENT;
}

/* The reference by this expression, for all of the statement's accesses that it stands for. */
static enum status redirect_expr(const struct copies *copies, struct statement *statement, struct access *access)
{
    const struct expr *old = access->expr;
    struct expr *new = in_buffer(copies, statement, access->map);
    const struct expr *now;

    if (!new)
        return STATUS_REFUSED;
    now = replace(copies, (struct expr *)(uintptr_t)old, new, old == statement->target);
    for (int k = 0; k < statement->n_access; k++)
        if (statement->access[k].expr == old)
            statement->access[k].expr = now;
    return STATUS_OK;
}

enum status copies_redirect(struct copies *copies, int k)
{
    const struct region_access *at = &copies->region->list.at[k];
    struct statement *statement = copies->program->statement[at->statement];
    struct access *access = &statement->access[at->access];
    isl_map *before = access->map;
    enum status status = STATUS_OK;

    if (access->expr->array != copies->array)
        status = redirect_expr(copies, statement, access);
    access->map = redirected_map(copies, statement, before);
    if (status == STATUS_OK)
        status = check_map(copies, statement, before, access->map);
    access->array = copies->array;
    return status;
}
