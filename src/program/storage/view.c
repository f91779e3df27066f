#include "program/storage/view.h"

#include "program/accesses.h"
#include "program/expr/affine.h"
#include "program/expr/index_expr.h"
#include "program/show.h"

#include <string.h>

const struct array *program_view(const struct program *program, const char *name)
{
    for (int k = 0; k < program->n_view; k++)
        if (strcmp(program->view[k].name, name) == 0)
            return &program->view[k];
    return NULL;
}

static bool starts_at_zero(const struct array *view, int k)
{
    int64_t value;

    return expr_constant(view->offset_of[k], &value) && value == 0;
}

static struct expr *joined(struct arena *arena, enum expr_op op, struct expr *a, struct expr *b, struct place place)
{
    struct expr *expr = ARENA_NEW(arena, struct expr);

    *expr = (struct expr){.kind = EXPR_BINARY, .op = op, .place = place, .n_arg = 2};
    expr->arg = ARENA_ARRAY(arena, 2, struct expr *);
    expr->arg[0] = a;
    expr->arg[1] = b;
    return expr;
}

void view_resolve(struct arena *arena, struct expr *access, const struct array *view)
{
    for (int k = 0; k < view->n_dim; k++) {
        struct expr *arg = access->arg[k];
        const struct place place = arg->place;
        if (view->stride_of[k] != 1)
            arg = joined(arena, OP_MUL, index_constant(arena, view->stride_of[k]), arg, place);
        if (!starts_at_zero(view, k))
            arg = joined(arena, OP_ADD, view->offset_of[k], arg, place);
        access->arg[k] = arg;
    }
    access->array = view->view_of;
    access->view = view;
}

/* The right operand of op, below conversions that typing put in. */
static const struct expr *operand(const struct expr *expr, enum expr_op op)
{
    while (expr && expr->kind == EXPR_CAST && expr->implicit)
        expr = expr->arg[0];
    return expr && expr->kind == EXPR_BINARY && expr->op == op ? expr->arg[1] : NULL;
}

const struct expr *view_subscript(const struct expr *access, int k)
{
    const struct array *view = access->view;
    const struct expr *arg;

    if (!view || access->n_arg != view->n_dim || strcmp(access->array->name, view->view_of->name) != 0)
        return NULL;
    arg = access->arg[k];
    if (!starts_at_zero(view, k))
        arg = operand(arg, OP_ADD);
    if (view->stride_of[k] != 1)
        arg = operand(arg, OP_MUL);
    return arg;
}

bool view_shows(const struct expr *access)
{
    for (int k = 0; k < access->n_arg; k++)
        if (!view_subscript(access, k))
            return false;
    return access->view != NULL && access->n_arg > 0;
}

__isl_give isl_map *view_map(const struct program *program, const struct array *view)
{
    isl_space *space = isl_set_get_space(view->elements);
    isl_pw_aff_list *list = isl_pw_aff_list_alloc(program->ctx, view->n_dim);
    isl_space *pair =
        isl_space_map_from_domain_and_range(isl_space_copy(space), isl_set_get_space(view->view_of->elements));

    for (int k = 0; k < view->n_dim; k++) {
        const struct expr index = {.kind = EXPR_LOOP, .loop = k};
        isl_pw_aff *step = expr_pw_aff(space, &index);
        step = isl_pw_aff_scale_val(step, isl_val_int_from_si(program->ctx, (long)view->stride_of[k]));
        list = isl_pw_aff_list_add(list, isl_pw_aff_add(step, expr_pw_aff(space, view->offset_of[k])));
    }
    isl_space_free(space);
    return isl_map_reverse(isl_map_from_multi_pw_aff(isl_multi_pw_aff_from_pw_aff_list(pair, list)));
}

void check_view(const struct program *program, const struct array *view, struct diags *diags)
{
    const int n = view->n_dim;
    isl_map *outside = isl_map_reverse(view_map(program, view));
    struct text text = {0};
    struct sample sample;
    isl_set *pairs;

    outside = isl_map_intersect_domain(outside, isl_set_copy(view->elements));
    outside = isl_map_intersect_params(outside, isl_set_copy(program->context));
    outside = isl_map_subtract_range(outside, isl_set_copy(view->view_of->elements));
    pairs = isl_map_wrap(outside);
    if (poly_smallest(program->arena, isl_set_copy(pairs), &sample)) {
        show_point(&text, view->name, sample.dim, n);
        text_add(&text, " would be ");
        show_point(&text, view->view_of->name, sample.dim + n, n);
        show_params(&text, program, &sample, pairs);
        diag_note(diags,
                  diag_error(diags, "bounds", view->place, "the view `%s` is not inside `%s`: %s", view->name,
                             view->view_of->name, text_str(&text)),
                  view->view_of->place, "declared here");
    }
    isl_set_free(pairs);
    text_free(&text);
}
