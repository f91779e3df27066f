/* split of a collapsed tuple: where blocks and threads are to run it, its iterations are dealt out in runs of so many,
 * one run to a block. The order of the iterations stays what it is: the loop over a run is one that stands still in the
 * tuple, and `bind` of both says where they run.
 */
#include "caps/gpu.h"
#include "sched/steps/split.h"

struct dividing {
    struct schedule *schedule;
    const struct loop_info *head, *run;
};

/* The loops of the tuple from node on, the last k of them, and the loop over a run inside. */
static const struct order *divided(const struct dividing *dividing, const struct order *node, int k)
{
    struct arena *arena = dividing->schedule->arena;
    const struct order *body = node->child[0];

    body = k > 1 ? divided(dividing, body, k - 1)
                 : order_loop(arena, dividing->run, time_scale(isl_union_pw_aff_copy(node->time), 0), body);
    return order_loop(arena, k == dividing->head->tuple ? dividing->head : node->info,
                      isl_union_pw_aff_copy(node->time), body);
}

static const struct order *divide(void *data, const struct order *node)
{
    const struct dividing *dividing = data;

    if (node->kind != ORDER_LOOP || node->info->id != dividing->head->id)
        return node;
    return divided(dividing, node, dividing->head->tuple);
}

static struct loop_info *run_info(const struct loop_ref *ref, struct schedule *schedule, const struct step *step,
                                  const char *name)
{
    struct loop_info *info = edit_new_info(schedule, ref->info, name, step);

    info->tuple = 0;
    info->part = NULL;
    info->stride = 1;
    info->offset = NULL;
    info->unit = 1;
    info->outer = ref->info->id;
    info->run = step_int(step, "by", 1);
    return info;
}

bool split_is_of_tuple(const struct schedule *schedule, const struct loop_ref *ref, const struct step *step)
{
    return ref->info->tuple > 1 && ref->info->run == 0 && step_value(step, "by") &&
           gpu_by_language(schedule->program->target.language);
}

enum status split_tuple(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                        const char *name)
{
    struct loop_info *head = edit_copy_info(schedule, ref->info);
    struct dividing dividing = {schedule, head, run_info(ref, schedule, step, name)};

    if (split_tail(step) != TAIL_AUTO && split_tail(step) != TAIL_GUARD)
        return edit_refuse(schedule, step_place(step, "tail"), "tail", NULL,
                           "`%s` is a collapsed loop whose inner extent is not a constant: what is left of it can only "
                           "be tested inside",
                           ref->text);
    head->run = step_int(step, "by", 1);
    return edit_commit(schedule, order_rewrite(schedule->arena, schedule->order, divide, &dividing));
}
