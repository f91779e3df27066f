#include "program/domains.h"

#include "poly/coalesce.h"
#include "poly/keep.h"
#include "program/expr/affine.h"

#include <isl/val.h>

/* The points of space where loop d is at most (below: at least) bound, or strictly so. A minimum as
 * upper and a maximum as lower bound become conjunctions, which keeps the set in one piece. */
static __isl_give isl_set *bound_set(__isl_keep isl_space *space, int d, const struct expr *bound, bool below,
                                     bool strict)
{
    const enum function split = below ? FUNCTION_MAX : FUNCTION_MIN;
    struct expr loop = {.kind = EXPR_LOOP, .loop = d};
    isl_pw_aff *value, *limit;

    if (bound->kind == EXPR_CALL && bound->function == split)
        return isl_set_intersect(bound_set(space, d, bound->arg[0], below, strict),
                                 bound_set(space, d, bound->arg[1], below, strict));
    value = expr_pw_aff(space, &loop);
    limit = expr_pw_aff(space, bound);
    if (below)
        return strict ? isl_pw_aff_gt_set(value, limit) : isl_pw_aff_ge_set(value, limit);
    return strict ? isl_pw_aff_lt_set(value, limit) : isl_pw_aff_le_set(value, limit);
}

static const struct expr zero = {.kind = EXPR_INT};

/* The points where loop d is a whole number of steps from its first value. */
static __isl_give isl_set *step_set(__isl_keep isl_space *space, int d, const struct nest_loop *loop)
{
    const bool down = loop->step < 0;
    const bool strict = down ? loop->upper_strict : loop->lower_strict;
    const struct expr *start = down ? loop->upper : loop->lower ? loop->lower : &zero;
    struct expr variable = {.kind = EXPR_LOOP, .loop = d};
    isl_ctx *ctx = isl_space_get_ctx(space);
    isl_pw_aff *distance = isl_pw_aff_sub(expr_pw_aff(space, &variable), expr_pw_aff(space, start));
    const long shift = !strict ? 0 : down ? 1 : -1, step = (long)(down ? -loop->step : loop->step);

    distance = isl_pw_aff_add_constant_val(distance, isl_val_int_from_si(ctx, shift));
    return isl_pw_aff_zero_set(isl_pw_aff_mod_val(distance, isl_val_int_from_si(ctx, step)));
}

/* around with one more dimension for loop. */
static __isl_give isl_set *add_loop(__isl_take isl_set *around, const struct nest_loop *loop)
{
    const isl_size d = isl_set_dim(around, isl_dim_set);
    const struct expr *lower = loop->lower ? loop->lower : &zero;
    isl_space *space;

    if (d < 0)
        return isl_set_free(around);
    around = isl_set_add_dims(around, isl_dim_set, 1);
    around = isl_set_set_dim_name(around, isl_dim_set, (unsigned)d, loop->name);
    space = isl_set_get_space(around);
    around = isl_set_intersect(around, bound_set(space, d, lower, true, loop->lower_strict));
    around = isl_set_intersect(around, bound_set(space, d, loop->upper, false, loop->upper_strict));
    if (loop->step != 1)
        around = isl_set_intersect(around, step_set(space, d, loop));
    isl_space_free(space);
    return around;
}

static __isl_give isl_set *enter(__isl_take isl_set *around, const struct block *block)
{
    for (int k = 0; k < block->n_loop; k++)
        around = add_loop(around, &block->loop[k]);
    if (block->condition && block->condition_affine) {
        isl_space *space = isl_set_get_space(around);

        around = isl_set_intersect(around, expr_set(space, block->condition));
        isl_space_free(space);
    }
    return poly_set_coalesce(around);
}

static void block_domains(struct program *program, const struct block *block, __isl_take isl_set *around)
{
    around = enter(around, block);
    for (int k = 0; k < block->n_item; k++) {
        struct statement *statement = block->item[k].statement;

        if (statement)
            statement->domain =
                poly_keep_set(program->arena, isl_set_set_tuple_name(isl_set_copy(around), statement->label));
        else
            block_domains(program, block->item[k].block, isl_set_copy(around));
    }
    isl_set_free(around);
}

void nest_domains(struct program *program, const struct nest *nest)
{
    isl_space *space = isl_space_set_from_params(program_params_space(program));
    isl_set *around = isl_set_universe(space);

    block_domains(program, nest->body, isl_set_intersect_params(around, isl_set_copy(program->context)));
}
