#include "sched/time.h"

#include "poly/coalesce.h"
#include "poly/context.h"
#include "poly/number.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

#include <ctype.h>

/* A pw_aff on the same domain space as pa, from an affine expression of the parameters. */
static __isl_give isl_pw_aff *on_domain_of(__isl_keep isl_pw_aff *pa, __isl_keep isl_aff *amount)
{
    isl_space *space = isl_pw_aff_get_domain_space(pa);
    isl_pw_aff *constant = isl_pw_aff_from_aff(isl_aff_copy(amount));

    return isl_pw_aff_insert_domain(constant, space);
}

struct change {
    enum { CHANGE_SCALE, CHANGE_FLOOR, CHANGE_MOD, CHANGE_ADD } kind;
    int64_t value;
    isl_aff *amount;
    isl_union_pw_aff *result;
};

static __isl_give isl_pw_aff *changed(__isl_take isl_pw_aff *pa, const struct change *change)
{
    isl_val *value = isl_val_int_from_si(isl_pw_aff_get_ctx(pa), change->value);

    switch (change->kind) {
    case CHANGE_SCALE:
        return isl_pw_aff_scale_val(pa, value);
    case CHANGE_FLOOR:
        return isl_pw_aff_floor(isl_pw_aff_scale_down_val(pa, value));
    case CHANGE_MOD:
        return isl_pw_aff_mod_val(pa, value);
    case CHANGE_ADD:
        return isl_pw_aff_add(pa, isl_pw_aff_scale_val(on_domain_of(pa, change->amount), value));
    }
    return isl_pw_aff_free(pa);
}

static isl_stat change_piece(__isl_take isl_pw_aff *pa, void *user)
{
    struct change *change = user;
    isl_union_pw_aff *one = isl_union_pw_aff_from_pw_aff(changed(pa, change));

    change->result = change->result ? isl_union_pw_aff_union_add(change->result, one) : one;
    return change->result ? isl_stat_ok : isl_stat_error;
}

static __isl_give isl_union_pw_aff *apply(__isl_take isl_union_pw_aff *time, struct change change)
{
    if (isl_union_pw_aff_foreach_pw_aff(time, change_piece, &change) < 0)
        change.result = isl_union_pw_aff_free(change.result);
    isl_union_pw_aff_free(time);
    return change.result;
}

__isl_give isl_union_pw_aff *time_scale(__isl_take isl_union_pw_aff *time, int64_t factor)
{
    return factor == 1 ? time : apply(time, (struct change){CHANGE_SCALE, factor, NULL, NULL});
}

__isl_give isl_union_pw_aff *time_floor_div(__isl_take isl_union_pw_aff *time, int64_t divisor)
{
    return apply(time, (struct change){CHANGE_FLOOR, divisor, NULL, NULL});
}

__isl_give isl_union_pw_aff *time_mod(__isl_take isl_union_pw_aff *time, int64_t divisor)
{
    return apply(time, (struct change){CHANGE_MOD, divisor, NULL, NULL});
}

__isl_give isl_union_pw_aff *time_add(__isl_take isl_union_pw_aff *time, __isl_keep isl_aff *amount, int64_t factor)
{
    return apply(time, (struct change){CHANGE_ADD, factor, amount, NULL});
}

__isl_give isl_union_pw_aff *time_add_constant(__isl_take isl_union_pw_aff *time, int64_t amount)
{
    isl_aff *aff = NULL;

    if (amount == 0)
        return time;
    aff = isl_aff_zero_on_domain(isl_local_space_from_space(isl_space_params(isl_union_pw_aff_get_space(time))));
    aff = isl_aff_add_constant_si(aff, (int)amount);
    time = time_add(time, aff, 1);
    isl_aff_free(aff);
    return time;
}

/* map where sign * (b - a) + constant >= 0 for { [a] -> [b] } */
static __isl_give isl_map *where_apart(__isl_take isl_map *map, int sign, int64_t constant)
{
    isl_constraint *apart = isl_constraint_alloc_inequality(isl_local_space_from_space(isl_map_get_space(map)));

    apart = isl_constraint_set_coefficient_si(apart, isl_dim_out, 0, sign);
    apart = isl_constraint_set_coefficient_si(apart, isl_dim_in, 0, -sign);
    apart = isl_constraint_set_constant_val(apart, isl_val_int_from_si(isl_map_get_ctx(map), constant));
    return isl_map_add_constraint(map, apart);
}

__isl_give isl_map *time_apart(__isl_take isl_space *space, int64_t least, int64_t most)
{
    isl_map *map = isl_map_universe(isl_space_map_from_set(space));

    return where_apart(where_apart(map, 1, -least), -1, most);
}

__isl_give isl_union_pw_aff *time_of(__isl_keep isl_union_pw_aff *time, const struct statement *statement)
{
    isl_space *space = isl_set_get_space(statement->domain);

    space = isl_space_add_dims(isl_space_from_domain(space), isl_dim_out, 1);
    return isl_union_pw_aff_from_pw_aff(isl_union_pw_aff_extract_pw_aff(time, space));
}

__isl_give isl_aff *params_constant(const struct program *program, int64_t value)
{
    isl_space *space = isl_set_get_space(program->context);
    isl_aff *aff = isl_aff_zero_on_domain(isl_local_space_from_space(space));
    isl_val *val = isl_val_int_from_si(program->ctx, value);

    return isl_aff_add_constant_val(aff, val);
}

/* The only piece of a pw_aff, if it has one piece. */
static __isl_give isl_aff *single_aff(__isl_take isl_pw_aff *pa)
{
    isl_aff *aff = NULL;

    if (isl_pw_aff_isa_aff(pa) == isl_bool_true)
        aff = isl_pw_aff_as_aff(isl_pw_aff_copy(pa));
    isl_pw_aff_free(pa);
    return aff;
}

static void add_param_names(struct text *text, const struct program *program)
{
    text_char(text, '[');
    for (int k = 0; k < program->n_param; k++)
        text_addf(text, "%s%s", k ? ", " : "", program->param[k].name);
    text_char(text, ']');
}

static bool affine_characters(const char *string)
{
    for (; *string; string++)
        if (!isalnum((unsigned char)*string) && !strchr("_+-*/%(), ", *string))
            return false;
    return true;
}

__isl_give isl_aff *params_read(const struct program *program, const struct value *value)
{
    struct text text = {0};
    isl_pw_aff *pa = NULL;

    if (value->kind == VALUE_INT)
        return params_constant(program, value->integer);
    if (value->kind != VALUE_STRING || !affine_characters(value->string))
        return NULL;
    add_param_names(&text, program);
    text_addf(&text, " -> { [(%s)] }", value->string);
    pa = isl_pw_aff_read_from_str(program->ctx, text_str(&text));
    text_free(&text);
    if (!pa)
        isl_ctx_reset_error(program->ctx);
    return pa ? single_aff(pa) : NULL;
}

__isl_give isl_set *time_range(__isl_keep isl_union_pw_aff *time, __isl_keep isl_union_set *domain)
{
    isl_union_map *map = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(time));

    map = isl_union_map_intersect_domain(map, isl_union_set_copy(domain));
    if (isl_union_map_is_empty(map) == isl_bool_true) {
        isl_space *space = isl_space_add_unnamed_tuple_ui(isl_union_map_get_space(map), 1);
        isl_union_map_free(map);
        return isl_set_empty(space);
    }
    return poly_set_coalesce(isl_set_from_union_set(isl_union_map_range(map)));
}

bool time_is_single(__isl_keep isl_union_pw_aff *time, __isl_keep isl_set *instances)
{
    isl_union_set *domain = isl_union_set_from_set(isl_set_copy(instances));
    isl_set *counts = time_range(time, domain);
    const bool single = isl_set_is_singleton(counts) == isl_bool_true;

    isl_set_free(counts);
    isl_union_set_free(domain);
    return single;
}

/* One end of the range as an affine expression of the parameters, if it is one. */
static __isl_give isl_aff *range_end(const struct program *program, __isl_take isl_set *range, bool least)
{
    isl_pw_multi_aff *end;
    isl_pw_aff *pa;

    end = least ? isl_set_lexmin_pw_multi_aff(range) : isl_set_lexmax_pw_multi_aff(range);
    pa = poly_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(end, 0));
    isl_pw_multi_aff_free(end);
    pa = isl_pw_aff_gist_params(pa, isl_set_copy(program->context));
    if (isl_pw_aff_n_piece(pa) == 1) {
        isl_set *where = isl_pw_aff_domain(isl_pw_aff_copy(pa));
        pa = isl_pw_aff_gist_params(pa, where);
    }
    return single_aff(pa);
}

static __isl_give isl_aff *end_of(const struct program *program, __isl_keep isl_union_pw_aff *time,
                                  __isl_keep isl_union_set *domain, bool least)
{
    isl_set *range = time_range(time, domain);
    isl_bool bounded;

    range = isl_set_intersect_params(range, isl_set_copy(program->context));
    bounded =
        least ? isl_set_dim_has_lower_bound(range, isl_dim_set, 0) : isl_set_dim_has_upper_bound(range, isl_dim_set, 0);
    if (bounded != isl_bool_true || isl_set_is_empty(range) != isl_bool_false) {
        isl_set_free(range);
        return NULL;
    }
    return range_end(program, range, least);
}

/* Where isl needs more operations than any end that is one expression takes it, there is none. */
enum { END_OPERATIONS = 200000 };

static __isl_give isl_aff *time_end(const struct program *program, __isl_keep isl_union_pw_aff *time,
                                    __isl_keep isl_union_set *domain, bool least)
{
    unsigned long budget;
    isl_aff *end;

    if (isl_ctx_last_error(program->ctx) != isl_error_none)
        return NULL;
    budget = poly_part_begin(program->ctx, END_OPERATIONS);
    end = end_of(program, time, domain, least);
    if (poly_part_end(program->ctx, budget))
        return end;
    isl_aff_free(end);
    return NULL;
}

__isl_give isl_aff *time_least(const struct program *program, __isl_keep isl_union_pw_aff *time,
                               __isl_keep isl_union_set *domain)
{
    return time_end(program, time, domain, true);
}

__isl_give isl_aff *time_greatest(const struct program *program, __isl_keep isl_union_pw_aff *time,
                                  __isl_keep isl_union_set *domain)
{
    return time_end(program, time, domain, false);
}

bool aff_constant(__isl_keep isl_aff *aff, int64_t *value)
{
    return aff && isl_aff_is_cst(aff) == isl_bool_true && poly_number(isl_aff_get_constant_val(aff), value);
}

bool pw_aff_constant(__isl_keep isl_pw_aff *pa, int64_t *value)
{
    isl_aff *aff = isl_pw_aff_isa_aff(pa) == isl_bool_true ? isl_pw_aff_as_aff(isl_pw_aff_copy(pa)) : NULL;
    const bool constant = aff_constant(aff, value);

    isl_aff_free(aff);
    return constant;
}

__isl_give isl_pw_aff *time_count(__isl_keep isl_union_pw_aff *time, const struct statement *statement)
{
    isl_space *space = isl_space_from_domain(isl_set_get_space(statement->domain));

    return isl_union_pw_aff_extract_pw_aff(time, isl_space_add_dims(space, isl_dim_out, 1));
}
