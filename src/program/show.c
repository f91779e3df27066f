#include "program/show.h"

#include <inttypes.h>
#include <isl/constraint.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

void show_point(struct text *out, const char *name, const int64_t *dim, int n_dim)
{
    text_add(out, name);
    for (int k = 0; k < n_dim; k++)
        text_addf(out, "%c%" PRId64, k ? ',' : '[', dim[k]);
    text_add(out, n_dim ? "]" : "");
}

void show_params(struct text *out, const struct program *program, const struct sample *sample, __isl_keep isl_set *set)
{
    isl_set *own = isl_set_gist_params(isl_set_copy(set), isl_set_copy(program->context));
    bool first = true;

    for (int k = 0; k < sample->n_param; k++) {
        if (isl_set_involves_dims(own, isl_dim_param, (unsigned)k, 1) == isl_bool_false)
            continue;
        text_addf(out, "%s%s = %" PRId64, first ? " (" : ", ", program->param[k].name, sample->param[k]);
        first = false;
    }
    text_add(out, first ? "" : ")");
    isl_set_free(own);
}

/* One side of a comparison. */
struct side {
    struct text text;
    bool empty;
    bool named; /* has a parameter */
};

static void side_add(struct side *side, int64_t factor, const char *name)
{
    text_add(&side->text, side->empty ? "" : " + ");
    if (!name)
        text_addf(&side->text, "%" PRId64, factor);
    else if (factor == 1)
        text_add(&side->text, name);
    else
        text_addf(&side->text, "%" PRId64 " * %s", factor, name);
    side->empty = false;
    side->named = side->named || name;
}

static bool small_value(__isl_take isl_val *val, int64_t *value)
{
    const bool good = isl_val_is_int(val) == isl_bool_true && isl_val_cmp_si(val, 1000000000) < 0 &&
                      isl_val_cmp_si(val, -1000000000) > 0;

    *value = good ? isl_val_get_num_si(val) : 0;
    isl_val_free(val);
    return good;
}

/* c1 * a + c0 >= 0 as "positive terms >= negative terms". */
static bool split_sides(__isl_keep isl_constraint *constraint, struct side *left, struct side *right)
{
    const isl_size n = isl_constraint_dim(constraint, isl_dim_param);
    int64_t factor;

    for (isl_size k = 0; k < n; k++) {
        if (!small_value(isl_constraint_get_coefficient_val(constraint, isl_dim_param, k), &factor))
            return false;
        if (factor)
            side_add(factor > 0 ? left : right, factor > 0 ? factor : -factor,
                     isl_constraint_get_dim_name(constraint, isl_dim_param, (unsigned)k));
    }
    if (!small_value(isl_constraint_get_constant_val(constraint), &factor))
        return false;
    if (factor)
        side_add(factor > 0 ? left : right, factor > 0 ? factor : -factor, NULL);
    return n >= 0;
}

struct conjunction {
    struct text *out;
    bool empty;
};

static const char *side_text(const struct side *side)
{
    return side->empty ? "0" : text_str(&side->text);
}

/* `M >= 1` and `M <= N`: a constant stands on the right. */
static void add_comparison(struct conjunction *conjunction, const struct side *left, const struct side *right,
                           bool equal)
{
    const bool flip = right->named;

    text_addf(conjunction->out, "%s%s %s %s", conjunction->empty ? "" : " and ", side_text(flip ? right : left),
              equal  ? "=="
              : flip ? "<="
                     : ">=",
              side_text(flip ? left : right));
    conjunction->empty = false;
}

static isl_stat add_constraint(__isl_take isl_constraint *constraint, void *user)
{
    struct conjunction *conjunction = user;
    struct side left = {.empty = true}, right = {.empty = true};
    const bool equal = isl_constraint_is_equality(constraint) == isl_bool_true;
    const bool good = split_sides(constraint, &left, &right);

    if (good)
        add_comparison(conjunction, &left, &right, equal);
    text_free(&left.text);
    text_free(&right.text);
    isl_constraint_free(constraint);
    return good ? isl_stat_ok : isl_stat_error;
}

bool show_assumption(struct text *out, __isl_keep isl_set *params)
{
    struct conjunction conjunction = {out, true};
    const size_t before = out->size;
    isl_basic_set *basic;
    bool good;

    if (isl_set_n_basic_set(params) != 1)
        return false;
    basic = isl_set_simple_hull(isl_set_copy(params));
    good = isl_basic_set_dim(basic, isl_dim_div) == 0 && isl_basic_set_n_constraint(basic) <= 4 &&
           isl_basic_set_foreach_constraint(basic, add_constraint, &conjunction) == isl_stat_ok && !conjunction.empty;
    isl_basic_set_free(basic);
    if (!good)
        text_truncate(out, before);
    return good;
}

void show_set(struct text *out, __isl_keep isl_set *set)
{
    isl_set *used = isl_set_drop_unused_params(isl_set_copy(set));
    char *text = isl_set_to_str(used);
    const char *start = text ? strchr(text, '{') : NULL;

    if (start) {
        start = strchr(start, ':') ? strchr(start, ':') + 2 : start;
        text_add_n(out, start, strcspn(start, "}") - (strcspn(start, "}") > 0));
    }
    free(text);
    isl_set_free(used);
}

void show_domain(struct text *out, const struct statement *statement)
{
    show_set(out, statement->domain);
}
