#include "plan/plan.h"

#include "plan/device/copies/ahead.h"
#include "plan/device/reduce/block_sum.h"
#include "plan/check/check.h"
#include "plan/device/copies/cooperate.h"
#include "plan/device/from_start.h"
#include "plan/storage/round_up.h"
#include "poly/context.h"
#include "caps/gpu.h"
#include "dep/dependence.h"
#include "program/accesses.h"
#include "program/rewrite.h"
#include "sched/program_step.h"

enum status plan_take_order(struct schedule *schedule)
{
    const bool *reordered = schedule_reordered_updates(schedule, schedule->program->n_statement);
    struct program *program = program_copy_arrays(schedule->arena, schedule->program);
    const bool device = gpu_by_language(program->target.language) != NULL;

    for (int s = 0; s < program->n_statement; s++) {
        program->statement[s]->regrouped |= reordered[s];
        if (device && update_shorten(program, program->statement[s]))
            statement_accesses(program, program->statement[s]);
    }
    schedule->original = schedule->order;
    return program_step_replace(schedule, program);
}

/* What isl did not see through is told instead of success, and of what a step said that did not see it. */
static enum status within_budget(struct schedule *schedule, const struct step *step, int reported, enum status status)
{
    const struct program *program = schedule->program;
    const bool refused = status != STATUS_OK && status != STATUS_ENVIRONMENT;
    enum status end;

    if (refused && !poly_budget_spent(program->ctx))
        return status;
    if (refused)
        diags_forget(schedule->diags, reported);
    end = step ? schedule_step_end(schedule, step, "plan")
               : poly_end_at(program->ctx, schedule->diags,
                             program->n_plan ? program->plan[0].place : program->name_place, "finishing the plan",
                             "fewer steps, and constants in the place of parameters, leave it "
                             "less to prove");
    return end == STATUS_OK ? status : end;
}

/* Runs one step within its own budget. */
static enum status apply_step(struct schedule *schedule, const struct step *step)
{
    const int reported = schedule->diags->list.n;
    enum status status;

    poly_begin(schedule->program->ctx);
    status = step->primitive->apply(schedule, step);
    if (status == STATUS_OK && step->unsafe)
        status = plan_waive(schedule, step);
    return within_budget(schedule, step, reported, status);
}

/* What is done behind the steps, within a budget of its own. */
static enum status finish(struct schedule *schedule, enum status (*part)(struct schedule *schedule))
{
    const int reported = schedule->diags->list.n;

    poly_begin(schedule->program->ctx);
    return within_budget(schedule, NULL, reported, part(schedule));
}

/* Where the budget runs out, loops stay as they are. */
static void count_from_start(struct schedule *schedule)
{
    const struct schedule before = *schedule;

    poly_begin(schedule->program->ctx);
    bound_from_start(schedule);
    if (poly_budget_spent(schedule->program->ctx))
        *schedule = before;
}

static enum status check_ahead(struct schedule *schedule)
{
    return ahead_check(schedule, schedule->order);
}

enum status plan_apply(struct schedule *schedule)
{
    const struct program *program = schedule->program;
    const bool rounds = round_up_asked(schedule->order);
    enum status status;

    schedule->waived = NULL;
    status = program->n_plan || rounds ? plan_take_order(schedule) : STATUS_OK;

    schedule->planned = ARENA_ARRAY(schedule->arena, program->n_plan + 1, struct planned);
    for (int k = 0; k < program->n_plan && status == STATUS_OK; k++) {
        status = apply_step(schedule, &program->plan[k]);
        if (status == STATUS_OK)
            schedule->planned[schedule->n_planned++] = (struct planned){schedule->program, schedule->order};
    }
    if (status == STATUS_OK && rounds)
        status = finish(schedule, round_up_tails);
    if (status == STATUS_OK && program->n_plan)
        count_from_start(schedule);
    if (status == STATUS_OK && program->n_plan)
        status = finish(schedule, block_sums);
    if (status == STATUS_OK && program->n_plan)
        status = finish(schedule, check_ahead);
    return status == STATUS_OK && program->n_plan ? cooperate_copies(schedule) : status;
}
