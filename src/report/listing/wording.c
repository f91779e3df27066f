#include "report/listing/wording.h"

struct wording {
    const struct around *around;
    const struct scope *scope;
};

/* A text in the place of an expression; bracketed: as an operand. */
static struct expr *in_words(const struct wording *wording, const struct affine *value, bool bracketed)
{
    struct arena *arena = wording->around->arena;
    struct param *words = ARENA_NEW(arena, struct param);
    struct expr *expr = ARENA_NEW(arena, struct expr);
    struct text text = {0};
    const bool composite = terms_print(wording->around, value, &text);

    words->name = arena_printf(arena, bracketed && composite ? "(%s)" : "%s", text_str(&text));
    text_free(&text);
    *expr = (struct expr){.kind = EXPR_PARAM, .param = words};
    return expr;
}

static struct expr *worded(const struct wording *wording, const struct expr *expr, bool bracketed);

/* All of it where it is affine, so that terms meet. */
static struct expr *worded_subscript(const struct wording *wording, const struct expr *expr)
{
    const struct affine *value;

    if (affine_from_expr(wording->around->arena, wording->scope, expr, &value) && value)
        return in_words(wording, value, false);
    return worded(wording, expr, false);
}

static struct expr *worded(const struct wording *wording, const struct expr *expr, bool bracketed)
{
    struct arena *arena = wording->around->arena;
    struct expr *copy;

    if (expr->kind == EXPR_LOOP)
        return in_words(wording, wording->scope->loop[expr->loop], bracketed);
    copy = ARENA_NEW(arena, struct expr);
    *copy = *expr;
    copy->arg = ARENA_ARRAY(arena, expr->n_arg, struct expr *);
    for (int k = 0; k < expr->n_arg; k++)
        copy->arg[k] = expr->kind == EXPR_ACCESS && !expr->view ? worded_subscript(wording, expr->arg[k])
                                                                : worded(wording, expr->arg[k], true);
    return copy;
}

void wording_print(const struct around *around, const struct scope *scope, const struct statement *statement,
                   struct text *out)
{
    const struct wording wording = {around, scope};
    struct statement here = *statement;

    here.target = worded(&wording, statement->target, false);
    here.value = worded(&wording, statement->value, false);
    statement_print(out, &here);
    if (!statement->guard)
        return;
    text_add(out, " if ");
    expr_print(out, worded(&wording, statement->guard, false), NULL);
}
