#include "plan/lane_strips.h"

#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "plan/storage/footprint.h"
#include "sched/steps/split.h"

#include <string.h>

/* Is the statement's dimension in expr? */
static bool uses_dimension(const struct expr *expr, int dimension)
{
    bool uses = expr->kind == EXPR_LOOP && expr->loop == dimension;

    for (int k = 0; k < expr->n_arg && !uses; k++)
        uses = uses_dimension(expr->arg[k], dimension);
    return uses;
}

/* Does a subscript of the array, those of its own iterations apart, change with the loop whose count is `time`? */
static bool moves(const struct statement *statement, const struct array *array, __isl_keep isl_union_pw_aff *time)
{
    isl_pw_aff *count = time_count(time, statement);
    bool any = false;

    for (int k = 0; k < statement->n_access; k++) {
        const struct access *access = &statement->access[k];
        for (int l = 0; access->array == array && l < statement->n_loop && !any; l++)
            for (int d = array->n_iteration; d < access->expr->n_arg && !any; d++)
                any = uses_dimension(access->expr->arg[d], l) &&
                      isl_pw_aff_involves_dims(count, isl_dim_in, (unsigned)l, 1) == isl_bool_true;
    }
    isl_pw_aff_free(count);
    return any;
}

static bool moves_below(const struct order *order, const struct array *array, __isl_keep isl_union_pw_aff *time)
{
    bool any = order->kind == ORDER_LEAF && moves(order->statement, array, time);

    for (int k = 0; k < order->n_child && !any; k++)
        any = moves_below(order->child[k], array, time);
    return any;
}

/* Is there a loop below that is not written out, and chooses elements of the array? What has literal subscripts
 * becomes variables. */
static bool is_indexed(const struct order *order, const struct array *array)
{
    bool any = order->kind == ORDER_LOOP && !(order->info->plan && loop_plan_is_literal(order->info)) &&
               moves_below(order->child[0], array, order->time);

    for (int k = 0; k < order->n_child && !any; k++)
        any = is_indexed(order->child[k], array);
    return any;
}

/* The loop that needs strips for the array; NULL: none does. */
static const struct order *loop_for(const struct schedule *schedule, const struct array *array)
{
    struct footprint footprint;
    const struct order *loop;

    if (array->role != ROLE_TEMP || array->full_storage || array->is_buffer || array->n_dim == array->n_iteration)
        return NULL;
    footprint_find(&footprint, schedule, schedule->program, schedule->order, array);
    loop = footprint.strip;
    footprint_release(&footprint);
    return loop && is_indexed(loop->child[0], array) ? loop : NULL;
}

static void add_types(const struct order *order, enum type *type, int *n)
{
    if (order->kind == ORDER_LEAF)
        for (int k = 0; k < order->statement->n_access; k++) {
            bool has = false;
            for (int t = 0; t < *n; t++)
                has = has || type[t] == order->statement->access[k].array->type;
            if (!has)
                type[(*n)++] = order->statement->access[k].array->type;
        }
    for (int k = 0; k < order->n_child; k++)
        add_types(order->child[k], type, n);
}

/* How many lanes a vector of the loop has; 0: not known. */
static int64_t lanes_of(const struct schedule *schedule, const struct order *loop)
{
    const struct simd *simd = simd_by_name(schedule->program->target.simd);
    enum type *type = ARENA_ARRAY(schedule->arena, schedule->program->n_array, enum type);
    int n = 0;

    add_types(loop, type, &n);
    return loop->info->plan->lanes ? loop->info->plan->lanes : simd_widest(simd, type, n);
}

/* `outer` in the user's words for a loop, replaced by `inner`: `S.ii` for `S.i`. */
static const char *inside_of(struct arena *arena, const char *outer, const char *inner)
{
    const char *dot = strrchr(outer, '.');

    return dot ? arena_printf(arena, "%.*s.%s", (int)(dot - outer), outer, inner) : inner;
}

/* A copy of the step with another loop. */
static struct step with_loop(struct arena *arena, const struct step *step, const char *loop)
{
    struct value *object = ARENA_NEW(arena, struct value);
    struct step copy = *step;

    *object = *step->value;
    object->item = ARENA_ARRAY(arena, object->n_item, struct value);
    for (int k = 0; k < object->n_item; k++) {
        object->item[k] = step->value->item[k];
        if (strcmp(object->key[k], step->primitive->name) == 0)
            object->item[k].string = loop;
    }
    copy.value = object;
    return copy;
}

/* Splits the loop of the step `vectorize` by the number of lanes; the step then names the inner part. */
static bool strip(struct schedule *before, struct step *step, int id, int64_t lanes)
{
    struct loop_ref ref;
    const char *name;

    if (lanes < 2 || !edit_loop_argument(before, step, "vectorize", &ref) || ref.info->id != id ||
        loop_is_collapsed(ref.info))
        return false;
    name = edit_inner_name(before, &ref);
    if (split_loop(before, &ref, step, lanes, name) != STATUS_OK)
        return false;
    *step = with_loop(before->arena, step, inside_of(before->arena, ref.text, name));
    return true;
}

bool lane_strips(const struct schedule *schedule, struct schedule *before)
{
    struct program *program = ARENA_NEW(before->arena, struct program);
    const int n_plan = before->program->n_plan;
    bool any = false;

    if (!n_plan || !simd_by_name(schedule->program->target.simd) || simd_asks_compiler(schedule->program->target.simd))
        return false;
    *program = *before->program;
    program->plan = ARENA_ARRAY(before->arena, n_plan, struct step);
    memcpy(program->plan, before->program->plan, (size_t)n_plan * sizeof(struct step));
    for (int a = 0; a < schedule->program->n_array; a++) {
        const struct order *loop = loop_for(schedule, &schedule->program->array[a]);
        for (int k = 0; k < n_plan && loop; k++)
            if (program->plan[k].number == loop->info->plan->vector_step->number &&
                program->plan[k].value == before->program->plan[k].value) {
                if (!strip(before, &program->plan[k], loop->info->id, lanes_of(schedule, loop)))
                    return false;
                any = true;
            }
    }
    before->program = program;
    return any;
}
