#include "poly/context.h"

#include <isl/ast_build.h>
#include <isl/options.h>
#include <isl/space.h>

static void set_options(isl_ctx *ctx)
{
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_options_set_ast_build_detect_min_max(ctx, 1);
    isl_options_set_ast_build_atomic_upper_bound(ctx, 1);
    isl_options_set_ast_build_prefer_pdiv(ctx, 1);
    isl_options_set_ast_build_exploit_nested_bounds(ctx, 1);
    isl_options_set_ast_build_allow_or(ctx, 1);
    isl_options_set_ast_build_scale_strides(ctx, 0);
}

isl_ctx *poly_context_new(unsigned long operations)
{
    isl_ctx *ctx = isl_ctx_alloc();

    if (!ctx)
        return NULL;
    set_options(ctx);
    isl_ctx_set_max_operations(ctx, operations);
    return ctx;
}

void poly_context_free(isl_ctx *ctx)
{
    if (!ctx)
        return;
#ifndef NDEBUG
    isl_options_set_on_error(ctx, ISL_ON_ERROR_ABORT);
#endif
    isl_ctx_free(ctx);
}

void poly_begin(isl_ctx *ctx)
{
    isl_ctx_reset_operations(ctx);
    isl_ctx_reset_error(ctx);
}

/* Every isl allocation asks the budget first, and a spent budget stays spent: so one more allocation
 * tells whether it was the budget, even where a later error has covered isl's own answer. */
bool poly_budget_spent(isl_ctx *ctx)
{
    if (isl_ctx_get_max_operations(ctx) == 0)
        return false;
    isl_ctx_reset_error(ctx);
    isl_space_free(isl_space_params_alloc(ctx, 0));
    return isl_ctx_last_error(ctx) == isl_error_quota;
}

unsigned long poly_part_begin(isl_ctx *ctx, unsigned long most)
{
    const unsigned long budget = isl_ctx_get_max_operations(ctx);

    isl_ctx_set_max_operations(ctx, budget && budget < most ? budget : most);
    poly_begin(ctx);
    return budget;
}

bool poly_part_end(isl_ctx *ctx, unsigned long budget)
{
    const bool fine = isl_ctx_last_error(ctx) == isl_error_none;

    isl_ctx_set_max_operations(ctx, budget);
    poly_begin(ctx);
    return fine;
}

enum status poly_end(isl_ctx *ctx, struct diags *diags, const char *stage)
{
    return poly_end_at(ctx, diags, PLACE_NONE, stage, "constants in the place of parameters leave it less to prove");
}

enum status poly_end_at(isl_ctx *ctx, struct diags *diags, struct place place, const char *stage, const char *easier)
{
    const enum isl_error error = isl_ctx_last_error(ctx);
    const char *message = isl_ctx_last_error_msg(ctx);

    if (error == isl_error_none)
        return STATUS_OK;
    if (error == isl_error_quota || poly_budget_spent(ctx)) {
        struct diag *diag = diag_error(diags, "budget", place, "%s is undecided: the budget of %lu operations ran out",
                                       stage, isl_ctx_get_max_operations(ctx));

        diag_hint(diags, diag, "a larger --budget, or --budget=0 for none, gives it more time; %s", easier);
        return STATUS_UNDECIDED;
    }
    diag_error(diags, "internal", place, "%s failed: isl says: %s", stage, message ? message : "no reason");
    return STATUS_ENVIRONMENT;
}
