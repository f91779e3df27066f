#include "sched/extent.h"

#include "poly/coalesce.h"
#include "poly/keep.h"
#include "poly/number.h"
#include "program/expr/index_expr.h"
#include "sched/time.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>

static struct expr *larger(struct arena *arena, struct expr *a, struct expr *b)
{
    struct expr *most = ARENA_NEW(arena, struct expr);

    *most = (struct expr){.kind = EXPR_CALL,
                          .function = FUNCTION_MAX,
                          .arg = ARENA_ARRAY(arena, 2, struct expr *),
                          .n_arg = 2};
    most->arg[0] = a;
    most->arg[1] = b;
    return most;
}

/* The number of iterations as an extent: never negative. M/64 is a floor, which is the same where it is a number of
 * iterations. */
static struct expr *extent_of(struct schedule *schedule, __isl_take isl_aff *count)
{
    const struct program *program = schedule->program;
    struct arena *arena = schedule->arena;
    isl_pw_aff *value = isl_pw_aff_from_aff(isl_aff_floor(count));
    isl_set *negative = isl_set_subtract(isl_set_params(isl_set_copy(program->context)),
                                         isl_set_params(isl_pw_aff_nonneg_set(isl_pw_aff_copy(value))));
    const bool may_be = isl_set_is_empty(negative) != isl_bool_true;
    struct expr *expr = index_expr_of(arena, program, value);

    isl_set_free(negative);
    if (!expr || !may_be)
        return expr;
    return larger(arena, index_constant(arena, 0), expr);
}

/* The largest (smallest) count for all parameters, when it is a constant; NULL otherwise. */
static __isl_give isl_aff *constant_end(const struct program *program, const struct loop_ref *ref, bool least)
{
    isl_set *range = isl_set_intersect_params(time_range(ref->time, ref->domain), isl_set_copy(program->context));
    int64_t value;

    range = isl_set_project_out(range, isl_dim_param, 0, (unsigned)program->n_param);
    return poly_number(least ? isl_set_dim_min_val(range, 0) : isl_set_dim_max_val(range, 0), &value)
               ? params_constant(program, value)
               : NULL;
}

/* A bound of the counts: exact where it is affine in the parameters. */
static __isl_give isl_aff *end_of(const struct program *program, const struct loop_ref *ref, bool least)
{
    isl_aff *end = least ? time_least(program, ref->time, ref->domain) : time_greatest(program, ref->time, ref->domain);

    return end ? end : constant_end(program, ref, least);
}

bool extent_measure(struct schedule *schedule, const struct loop_ref *ref, struct loop_extent *extent)
{
    isl_aff *first = poly_keep_aff(schedule->arena, end_of(schedule->program, ref, true));
    isl_aff *last = end_of(schedule->program, ref, false);

    *extent = (struct loop_extent){.first = first};
    if (first && last)
        last = isl_aff_add_constant_si(isl_aff_sub(last, isl_aff_copy(first)), 1);
    if (first && last)
        extent->size = extent_of(schedule, isl_aff_copy(last));
    isl_aff_free(last);
    return extent->size;
}

/* The iterations from first to the last one of the statement's instances; NULL: no affine bound. */
static struct expr *part_size(struct schedule *schedule, const struct loop_ref *ref, __isl_keep isl_aff *first,
                              __isl_keep isl_set *part)
{
    isl_union_set *domain = isl_union_set_from_set(isl_set_copy(part));
    isl_aff *last = time_greatest(schedule->program, ref->time, domain);
    struct expr *size = NULL;

    if (last)
        size = extent_of(schedule, isl_aff_add_constant_si(isl_aff_sub(isl_aff_copy(last), isl_aff_copy(first)), 1));
    isl_aff_free(last);
    isl_union_set_free(domain);
    return size;
}

bool extent_measure_parts(struct schedule *schedule, const struct loop_ref *ref, struct loop_extent *extent)
{
    const struct program *program = schedule->program;
    bool known;

    if (extent_measure(schedule, ref, extent))
        return true;
    known = extent->first;
    for (int s = 0; s < program->n_statement && known; s++) {
        isl_set *part = isl_union_set_extract_set(ref->domain, isl_set_get_space(program->statement[s]->domain));
        struct expr *size = NULL;
        if (isl_set_is_empty(part) == isl_bool_false) {
            size = part_size(schedule, ref, extent->first, part);
            known = size;
        }
        if (size)
            extent->size = extent->size ? larger(schedule->arena, extent->size, size) : size;
        isl_set_free(part);
    }
    extent->size = known ? extent->size : NULL;
    return extent->size;
}

__isl_give isl_pw_aff *extent_count(const struct loop_ref *ref, const struct loop_extent *extent,
                                    const struct statement *statement)
{
    isl_union_pw_aff *time = time_add(time_of(ref->time, statement), extent->first, -1);
    isl_pw_aff *count = time_count(time, statement);

    isl_union_pw_aff_free(time);
    return isl_pw_aff_gist(poly_pw_aff_coalesce(count), isl_set_copy(statement->domain));
}

struct expr *extent_count_expr(struct schedule *schedule, const struct loop_ref *ref, const struct loop_extent *extent,
                               const struct statement *statement)
{
    return index_expr_of(schedule->arena, schedule->program, extent_count(ref, extent, statement));
}
