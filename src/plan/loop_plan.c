#include "plan/loop_plan.h"

#include "caps/gpu.h"
#include "caps/simd.h"
#include "dep/dependence.h"
#include "program/expr/index_expr.h"
#include "program/program.h"

#include <isl/val.h>

struct loop_plan loop_plan_of(const struct loop_info *info)
{
    return info->plan ? *info->plan : (struct loop_plan){0};
}

bool loop_plan_is_inner(const struct loop_info *info)
{
    return info->plan && info->plan->parallel < 0;
}

bool loop_plan_has_positions(const struct loop_info *info)
{
    const struct loop_plan *plan = info ? info->plan : NULL;

    return plan && plan->axis != AXIS_NONE &&
           (info->tuple != 0 || !(plan->size->kind == EXPR_INT && plan->size->integer == 1));
}

bool loop_plan_is_cooperative(const struct loop_info *info)
{
    return info->is_copy && info->plan && info->plan->axis != AXIS_NONE && info->plan->bind_step == info->step;
}

bool loop_plan_is_literal(const struct loop_info *info)
{
    return info->plan && (info->plan->vector || info->plan->literal || info->plan->unroll == UNROLL_FULL ||
                          info->plan->unroll == UNROLL_LITERAL);
}

struct expr *loop_plan_first(struct arena *arena, const struct program *program, const struct loop_info *info)
{
    isl_aff *value = isl_aff_copy(info->plan->origin);

    value = isl_aff_scale_val(value, isl_val_int_from_si(isl_aff_get_ctx(value), info->stride));
    if (info->offset)
        value = isl_aff_add(value, isl_aff_copy(info->offset));
    value = isl_aff_floor(value); /* isl has (2 - N) / 2 where it knows that N is even */
    return index_expr_of(arena, program, isl_pw_aff_from_aff(value));
}

struct marking {
    struct schedule *schedule;
    int id;
    const struct loop_plan *plan;
};

static const struct order *mark(void *data, const struct order *node)
{
    const struct marking *marking = data;
    struct loop_info *info;

    if (node->kind != ORDER_LOOP || (node->info->id != marking->id && node->info->follows != marking->id))
        return node;
    info = edit_copy_info(marking->schedule, node->info);
    info->plan = marking->plan;
    info->whole = info->whole || marking->plan->whole;
    info->digit = info->tuple != 0 && marking->plan->axis != AXIS_NONE;
    return order_loop(marking->schedule->arena, info, isl_union_pw_aff_copy(node->time), node->child[0]);
}

static const struct order *mark_peeled(void *data, const struct order *node)
{
    const struct marking *marking = data;
    struct loop_info *info;

    if (node->kind != ORDER_LOOP || node->info->id != marking->id)
        return node;
    info = edit_copy_info(marking->schedule, node->info);
    info->tail = TAIL_PEEL;
    info->or_guard = true;
    return order_loop(marking->schedule->arena, info, isl_union_pw_aff_copy(node->time), node->child[0]);
}

void loop_plan_peel(struct schedule *schedule, int id)
{
    struct marking marking = {schedule, id, NULL};

    schedule->order = schedule->original = order_rewrite(schedule->arena, schedule->order, mark_peeled, &marking);
}

/* The later of the two steps is the fault. */
static enum status refuse_both(struct schedule *schedule, int id, const struct loop_plan *plan)
{
    const struct order *loop = order_find(schedule->order, id);
    const bool vector_last = plan->vector_step->number >= plan->unroll_step->number;
    const struct step *last = vector_last ? plan->vector_step : plan->unroll_step;

    return edit_refuse(schedule, last->place, last->primitive->name,
                       "split it, vectorize the inner part and unroll the outer one",
                       "`%s` is to be vectorised and unrolled: its iterations are either lanes or copies",
                       loop->info->name);
}

/* The iterations of a bound loop run at once, and are none that copies could stand for. */
static enum status refuse_bound(struct schedule *schedule, int id, const struct loop_plan *plan)
{
    const struct order *loop = order_find(schedule->order, id);
    const bool bind_last = plan->bind_step->number >= plan->unroll_step->number;
    const struct step *last = bind_last ? plan->bind_step : plan->unroll_step;

    return edit_refuse(schedule, last->place, last->primitive->name, "split it, bind one part and unroll the other",
                       "`%s` is to be bound to %s and unrolled: its iterations are either threads or blocks, or copies",
                       loop->info->name, axis_name(plan->axis));
}

static enum status refuse_hint(struct schedule *schedule, int id, const struct loop_plan *plan)
{
    const struct step *step = plan->hints->step;

    return edit_refuse(schedule, step->place, step->primitive->name, NULL,
                       "`%s` is bound to %s: there is no loop for the compiler to know about",
                       order_find(schedule->order, id)->info->name, axis_name(plan->axis));
}

enum status loop_plan_set(struct schedule *schedule, int id, const struct loop_plan *plan)
{
    struct loop_plan *copy = ARENA_NEW(schedule->arena, struct loop_plan);
    struct marking marking = {schedule, id, copy};

    if (plan->vector && (plan->unroll == UNROLL_FULL || plan->unroll == UNROLL_LITERAL))
        return refuse_both(schedule, id, plan);
    if (plan->axis != AXIS_NONE && plan->unroll != UNROLL_NONE)
        return refuse_bound(schedule, id, plan);
    if (plan->axis != AXIS_NONE && plan->hints)
        return refuse_hint(schedule, id, plan);
    *copy = *plan;
    schedule->order = schedule->original = order_rewrite(schedule->arena, schedule->order, mark, &marking);
    return STATUS_OK;
}

bool loop_plan_has_vectors(struct schedule *schedule, const struct step *step)
{
    const char *simd = schedule->program->target.simd;

    if (simd_by_name(simd) || simd_asks_compiler(simd))
        return true;
    edit_refuse(schedule, step->place, step->primitive->name,
                gpu_by_language(schedule->program->target.language)
                    ? "`bind` it to threads; copies of caches move several elements at once where they can"
                    : "choose instructions: \"target\": {\"simd\": \"avx512\"}, \"avx2\" or \"sse4.2\"",
                "the target has no vectors");
    return false;
}

bool loop_plan_may_be_vector(struct schedule *schedule, const struct loop_ref *ref)
{
    return (ref->info->run == 0 || edit_is_single(schedule, ref, "vectorize")) &&
           edit_is_not_fusing(schedule, ref, "vectorize");
}
