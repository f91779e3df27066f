#include "program/check/check.h"

#include "poly/coalesce.h"
#include "poly/context.h"
#include "program/accesses.h"
#include "program/expr/affine.h"
#include "program/expr/interval.h"
#include "program/expr/lift.h"
#include "program/show.h"
#include "program/storage/storage.h"
#include "program/storage/view.h"

#include <inttypes.h>
#include <string.h>

struct check {
    const struct program *program;
    struct diags *diags;
    const struct statement *statement;
    const struct access *access; /* of the view, where the user named one */
};

/* Subscript k as the user wrote it. */
static const struct expr *subscript(const struct check *check, int k)
{
    const struct expr *expr = check->access->expr;

    return check->access->array->view_of ? view_subscript(expr, k) : expr->arg[k];
}

typedef VEC(const struct expr *) expr_vec;

/* "A, which has 10 elements" or "A, whose shape is [M, N]". */
static void add_array(struct text *out, const struct array *array)
{
    text_add(out, array->name);
    text_add(out, array->n_dim == 1 ? ", which has " : ", whose shape is [");
    for (int k = 0; k < array->n_dim; k++) {
        text_add(out, k ? ", " : "");
        expr_print(out, array->shape[k], NULL);
    }
    text_add(out, array->n_dim == 1 ? " elements" : "]");
}

/* The assumption that would rule out the parameters of bad, in the user's notation; false when there is
 * no simple one under which the statement still runs. */
static bool enough(const struct check *check, __isl_take isl_set *bad, struct text *out)
{
    isl_set *runs = poly_set_coalesce(isl_set_params(isl_set_copy(check->statement->domain)));
    isl_set *good = isl_set_subtract(isl_set_copy(runs), isl_set_params(bad));
    bool found;

    good = poly_set_coalesce(isl_set_remove_redundancies(good));
    found = isl_set_is_empty(good) == isl_bool_false;
    good = isl_set_gist(good, runs);
    found = found && show_assumption(out, good);
    isl_set_free(good);
    return found;
}

/* False: there is no such assumption. One that fixes a size is none. */
static bool hint_assumption(const struct check *check, struct diag *diag, __isl_take isl_set *bad)
{
    struct text text = {0};
    const bool found = enough(check, bad, &text) && !strstr(text_str(&text), "==");

    if (found)
        diag_hint(check->diags, diag, "\"assume\": [\"%s\"] would be enough", text_str(&text));
    text_free(&text);
    return found;
}

/* bad: { [S[i] -> A[a]] }, the pairs outside the array. */
static void report_outside(const struct check *check, __isl_take isl_set *bad)
{
    const struct access *access = check->access;
    const struct statement *statement = check->statement;
    struct text what = {0}, array = {0}, example = {0};
    struct sample sample;
    struct diag *diag;

    if (!poly_smallest(check->program->arena, isl_set_copy(bad), &sample)) {
        isl_set_free(bad);
        return;
    }
    expr_print(&what, access->expr, statement->loop_name);
    add_array(&array, access->array);
    show_point(&example, statement->label, sample.dim, statement->n_loop);
    text_add(&example, access->write ? " writes " : " reads ");
    show_point(&example, access->array->name, sample.dim + statement->n_loop, access->array->n_dim);
    show_params(&example, check->program, &sample, bad);
    diag = diag_error(check->diags, "bounds", access->expr->place, "%s is outside %s: %s", text_str(&what),
                      text_str(&array), text_str(&example));
    hint_assumption(check, diag, bad);
    text_free(&what);
    text_free(&array);
    text_free(&example);
}

/* The affine subscripts; the others are widened to all elements in the access map. */
static void check_affine(const struct check *check)
{
    isl_map *map = isl_map_copy(check->access->map);
    isl_set *bad = isl_map_wrap(isl_map_subtract_range(map, isl_set_copy(check->access->array->elements)));

    if (isl_set_is_empty(bad) == isl_bool_false)
        report_outside(check, bad);
    else
        isl_set_free(bad);
}

/* Does expr multiply what is not known? */
static bool is_product(const struct expr *expr)
{
    const char *why;

    return expr->kind == EXPR_BINARY && expr->op == OP_MUL && expr_affine_obstacle(expr, &why) == expr;
}

static bool is_division(const struct expr *expr)
{
    int64_t divisor;

    return expr->kind == EXPR_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD) &&
           !expr_constant(expr->arg[1], &divisor);
}

/* A part of expr that is what is asked for; NULL: there is none. */
static const struct expr *find_part(const struct expr *expr, bool (*is)(const struct expr *expr))
{
    const struct expr *found = is(expr) ? expr : NULL;

    for (int k = 0; k < expr->n_arg && !found; k++)
        found = find_part(expr->arg[k], is);
    return found;
}

static void hint_product(const struct check *check, struct diag *diag, const struct expr *product)
{
    struct text text = {0};

    expr_print(&text, product, check->statement->loop_name);
    diag_hint(check->diags, diag, "no proof follows the product %s; %s[i, j] in place of %s[i * N + j] needs none",
              text_str(&text), check->access->array->name, check->access->array->name);
    text_free(&text);
}

static void hint_division(const struct check *check, struct diag *diag, const struct expr *division)
{
    struct text value = {0}, divisor = {0};

    expr_print(&value, division->arg[0], check->statement->loop_name);
    expr_print(&divisor, division->arg[1], check->statement->loop_name);
    if (division->op == OP_MOD)
        diag_hint(check->diags, diag,
                  "proofs follow `%%` by constants only; an index that wraps around once is %s < %s ? %s : %s - %s",
                  text_str(&value), text_str(&divisor), text_str(&value), text_str(&value), text_str(&divisor));
    else
        diag_hint(check->diags, diag, "proofs follow `/` by constants only");
    text_free(&value);
    text_free(&divisor);
}

/* Of parameters and loops, whose types may not hold them there? */
static bool is_conversion(const struct expr *expr)
{
    const char *why;

    return expr->kind == EXPR_PARAM || expr->kind == EXPR_LOOP ||
           (expr->kind == EXPR_CAST && !expr_affine_obstacle(expr->arg[0], &why));
}

static void hint_conversion(const struct check *check, struct diag *diag, const struct expr *cast)
{
    struct text text = {0};

    expr_print(&text, cast->kind == EXPR_CAST ? cast->arg[0] : cast, check->statement->loop_name);
    diag_hint(check->diags, diag, "`%s` has the type %s there, and may not fit: \"assume\" bounds it", text_str(&text),
              type_name(cast->type));
    text_free(&text);
}

static void report_unknown_index(const struct check *check, const struct expr *index, const struct expr *culprit)
{
    struct text what = {0};
    struct diag *diag;

    expr_print(&what, index, check->statement->loop_name);
    diag = diag_error(check->diags, "bounds", index->place, "the index %s is not known to be inside %s",
                      text_str(&what), check->access->array->name);
    if (culprit && culprit->kind == EXPR_ACCESS && culprit->array->role == ROLE_IN)
        diag_hint(check->diags, diag, "\"values\": \"0 <= %s < ..\" on the array `%s` states what its elements are",
                  culprit->array->name, culprit->array->name);
    else if (culprit && culprit->kind == EXPR_ACCESS)
        diag_hint(check->diags, diag,
                  "clamp it, `min(max(.., 0), N - 1)`, or take some of its bits, `.. & 255`; so does a type of at most "
                  "16 bits");
    else if (culprit && is_conversion(culprit))
        hint_conversion(check, diag, culprit);
    else if (find_part(index, is_product))
        hint_product(check, diag, find_part(index, is_product));
    else if (find_part(index, is_division))
        hint_division(check, diag, find_part(index, is_division));
    text_free(&what);
}

/* What a condition around would have to say of the index: value is one that is outside of the array. */
static void hint_condition(const struct check *check, struct diag *diag, const struct expr *index, int k, int64_t value)
{
    const struct statement *statement = check->statement;
    const struct expr *wraps =
        statement->guard ? lift_wrapping(check->program, statement->domain, statement->guard) : NULL;
    struct text what = {0}, end = {0};

    expr_print(&what, wraps ? wraps : index, statement->loop_name);
    expr_print(&end, check->access->array->shape[k], NULL);
    if (wraps)
        diag_hint(check->diags, diag,
                  "`%s` has the type %s in the condition around it, and may wrap around there: \"assume\" bounds it",
                  text_str(&what), type_name(wraps->type));
    else if (value < 0)
        diag_hint(check->diags, diag, "conditions around it count: \"if\": \"%s >= 0\"", text_str(&what));
    else
        diag_hint(check->diags, diag, "conditions around it count: \"if\": \"%s < %s\"", text_str(&what),
                  text_str(&end));
    text_free(&what);
    text_free(&end);
}

/* Subscript k, which is index and is value in some instance of bad: what its elements should meet, or, where it
 * computes with them, what would be enough, or count. */
static void hint_indirect(const struct check *check, struct diag *diag, const struct expr *index, int k, int64_t value,
                          __isl_keep isl_set *bad)
{
    const struct expr *narrow = NULL;
    struct text end = {0};

    for (; index->kind == EXPR_CAST; index = index->arg[0])
        narrow = type_bits(index->type) < 64 ? index : narrow;
    if (narrow && index->kind == EXPR_ACCESS && index->array->values) {
        diag_hint(check->diags, diag, "the type %s does not hold all that \"values\" on the array `%s` allows",
                  type_name(narrow->type), index->array->name);
        return;
    }
    if (index->kind != EXPR_ACCESS || index->array->role != ROLE_IN) {
        if (!hint_assumption(check, diag, isl_set_copy(bad)))
            hint_condition(check, diag, index, k, value);
        return;
    }
    expr_print(&end, check->access->array->shape[k], NULL);
    diag_hint(check->diags, diag, "\"values\": \"0 <= %s < %s\" on the array `%s` would be enough", index->array->name,
              text_str(&end), index->array->name);
    text_free(&end);
}

static void report_indirect(const struct check *check, const struct expr *index, int k, __isl_take isl_set *bad)
{
    const struct statement *statement = check->statement;
    struct text what = {0}, example = {0};
    struct sample sample;
    struct diag *diag;

    if (poly_smallest(check->program->arena, isl_set_copy(bad), &sample)) {
        expr_print(&what, index, statement->loop_name);
        show_point(&example, statement->label, sample.dim, statement->n_loop);
        text_addf(&example, " with %s = %" PRId64, text_str(&what), sample.dim[sample.n_dim - 1]);
        show_params(&example, check->program, &sample, bad);
        diag = diag_error(check->diags, "bounds", index->place, "index %d of %s may be outside it: %s", k,
                          check->access->array->name, text_str(&example));
        hint_indirect(check, diag, index, k, sample.dim[sample.n_dim - 1], bad);
    }
    isl_set_free(bad);
    text_free(&what);
    text_free(&example);
}

/* The instances that make the access: the map from them to elements has none where the array has no element. */
static __isl_give isl_set *accessing(const struct check *check)
{
    const struct array *array = check->access->array;
    isl_set *all = isl_set_copy(check->statement->domain), *domain = isl_map_domain(isl_map_copy(check->access->map));
    isl_space *space = isl_set_get_space(all);

    for (int k = array->n_iteration; k < array->n_dim; k++) {
        const struct expr one = {.kind = EXPR_INT, .integer = 1};
        isl_set *none = isl_pw_aff_lt_set(expr_pw_aff(space, array->shape[k]), expr_pw_aff(space, &one));
        domain = isl_set_union(domain, isl_set_intersect(isl_set_copy(all), none));
    }
    isl_space_free(space);
    isl_set_free(all);
    return domain;
}

/* Does it divide signed integers, downwards as it is a subscript, which no range of values knows? */
static bool rounds_down(const struct expr *expr)
{
    bool rounds = expr->kind == EXPR_BINARY && (expr->op == OP_DIV || expr->op == OP_MOD) && type_is_signed(expr->type);

    for (int k = 0; k < expr->n_arg && !rounds && expr->kind != EXPR_ACCESS; k++)
        rounds = rounds_down(expr->arg[k]);
    return rounds;
}

/* By what the values are made of, and by the condition around the statement. */
static struct range range_there(const void *user, const struct expr *expr)
{
    const struct check *check = user;
    const struct known guard = {.condition = check->statement->guard, .holds = true};
    const struct standing standing = {check->program, check->statement, guard.condition ? &guard : NULL};

    if (rounds_down(expr))
        return type_range(TYPE_I64);
    return expr_range(&standing, expr);
}

/* Subscript k, which reads arrays: with what their "values" promise. */
static void check_indirect(const struct check *check, int k)
{
    const struct expr *index = subscript(check, k), *culprit = NULL;
    isl_set *domain = accessing(check);
    const struct expr *wraps = lift_wrapping(check->program, domain, index);
    isl_set *values = lift_values(check->program, domain, index, check->statement->guard, range_there, check, &culprit);
    isl_set *bad;
    isl_size last;

    if (values && wraps) {
        isl_set_free(values);
        report_unknown_index(check, index, wraps);
        return;
    }
    if (!values) {
        report_unknown_index(check, index, culprit);
        return;
    }
    last = isl_set_dim(values, isl_dim_set) - 1;
    bad = lift_outside(values, last, check->access->array->shape[k]);
    if (isl_set_is_empty(bad) == isl_bool_false && !culprit) {
        report_indirect(check, index, k, bad);
        return;
    }
    if (isl_set_is_empty(bad) == isl_bool_false)
        report_unknown_index(check, index, culprit);
    isl_set_free(bad);
}

static void check_access(const struct check *check)
{
    const char *why;

    check_affine(check);
    for (int k = 0; k < check->access->expr->n_arg; k++)
        if (expr_affine_obstacle(check->access->expr->arg[k], &why))
            check_indirect(check, k);
}

/* The access of a view's elements; an index that is not affine is all of them. */
static void check_view_access(const struct check *check)
{
    const struct access *access = check->access;
    const struct array *view = access->expr->view;
    struct access viewed = *access;
    struct check own = *check;
    const char *why;

    viewed.array = view;
    viewed.map = isl_map_apply_range(isl_map_copy(access->map), view_map(check->program, view));
    for (int k = 0; k < view->n_dim; k++)
        if (expr_affine_obstacle(access->expr->arg[k], &why)) {
            viewed.map = isl_map_eliminate(viewed.map, isl_dim_out, (unsigned)k, 1);
            viewed.map = isl_map_intersect_range(viewed.map, array_box(check->program, view, k, k + 1));
        }
    own.access = &viewed;
    check_access(&own);
    isl_map_free(viewed.map);
}

/* Every reference once: `+=` reads and writes by one, statements share the conditions around them. */
static void check_statement(const struct program *program, const struct statement *statement, expr_vec *seen,
                            struct diags *diags)
{
    for (int k = 0; k < statement->n_access; k++) {
        const struct check check = {program, diags, statement, &statement->access[k]};
        const int errors = diags->errors;
        bool again = false;

        for (int s = 0; s < seen->n && !again; s++)
            again = seen->at[s] == check.access->expr;
        if (!again && check.access->expr->view)
            check_view_access(&check);
        else if (!again)
            check_access(&check);
        if (diags->errors > errors)
            VEC_PUSH(program->arena, seen, check.access->expr);
    }
}

static enum status check_bounds(const struct program *program, bool storage, struct diags *diags)
{
    const int errors = diags->errors, reported = diags->list.n;
    struct place place = program->name_place;
    expr_vec seen = {0};
    enum status end;

    poly_begin(program->ctx);
    for (int k = 0; storage && k < program->n_array; k++)
        check_storage(program, &program->array[k], diags);
    for (int k = 0; k < program->n_view; k++)
        check_view(program, &program->view[k], diags);
    for (int k = 0; k < program->n_statement && isl_ctx_last_error(program->ctx) == isl_error_none; k++) {
        place = program->statement[k]->place;
        check_statement(program, program->statement[k], &seen, diags);
    }
    if (isl_ctx_last_error(program->ctx) != isl_error_none)
        diags_forget(diags, reported);
    end = poly_end_at(program->ctx, diags, place, "checking bounds",
                      "constants in the place of parameters, or `assume` about them, leave it less to prove");
    return end != STATUS_OK ? end : diags->errors == errors ? STATUS_OK : STATUS_REFUSED;
}

enum status program_check_bounds(const struct program *program, struct diags *diags)
{
    return check_bounds(program, true, diags);
}

enum status program_check_accesses(const struct program *program, struct diags *diags)
{
    return check_bounds(program, false, diags);
}

static void check_written(const struct statement *statement, struct diags *diags)
{
    const struct array *array = statement->target->array;
    struct diag *diag;

    if (array->role != ROLE_IN && array->role != ROLE_CONST)
        return;
    diag = diag_error(diags, "read-only", statement->target->place, "%s writes `%s`, whose role is %s",
                      statement->label, array->name, role_name(array->role));
    diag_note(diags, diag, array->place, "declared here");
    diag_hint(diags, diag, "the role \"inout\" lets it be written");
}

/* An array of constant shape is smaller than PTRDIFF_MAX bytes. */
static void check_size(const struct array *array, struct diags *diags)
{
    int64_t bytes = type_bits(array->type) / 8, extent;
    bool overflow = false, empty = false;

    for (int k = 0; k < array->n_dim; k++) {
        if (!expr_constant(array->shape[k], &extent))
            return;
        empty = empty || extent == 0;
        overflow = overflow || __builtin_mul_overflow(bytes, extent, &bytes);
    }
    if (overflow && !empty)
        diag_error(diags, "too-large", array->place, "`%s` is larger than the address space", array->name);
}

enum status program_check_types(const struct program *program, struct diags *diags)
{
    const int errors = diags->errors;

    for (int k = 0; k < program->n_array; k++)
        check_size(&program->array[k], diags);
    for (int k = 0; k < program->n_statement; k++)
        check_written(program->statement[k], diags);
    return diags->errors == errors ? STATUS_OK : STATUS_REFUSED;
}
