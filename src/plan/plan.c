#include "plan/plan.h"

#include "plan/check.h"
#include "plan/cooperate.h"
#include "poly/context.h"
#include "program/rewrite.h"
#include "sched/program_step.h"

enum status plan_take_order(struct schedule *schedule)
{
    const bool *reordered = schedule_reordered_updates(schedule, schedule->program->n_statement);
    struct program *program = program_copy_arrays(schedule->arena, schedule->program);

    for (int s = 0; s < program->n_statement; s++)
        program->statement[s]->regrouped |= reordered[s];
    schedule->original = schedule->order;
    return program_step_replace(schedule, program);
}

/* Runs one step within its own budget; what isl did not see through is told instead of the step's success. */
static enum status apply_step(struct schedule *schedule, const struct step *step)
{
    isl_ctx *ctx = schedule->program->ctx;
    enum status status, end;

    poly_begin(ctx);
    status = step->primitive->apply(schedule, step);
    if (status == STATUS_OK && step->unsafe)
        status = plan_waive(schedule, step);
    if (status != STATUS_OK && status != STATUS_ENVIRONMENT)
        return status;
    end = poly_end(ctx, schedule->diags, "applying the plan");
    return end == STATUS_OK ? status : end;
}

enum status plan_apply(struct schedule *schedule)
{
    const struct program *program = schedule->program;
    enum status status;

    schedule->waived = NULL;
    status = program->n_plan ? plan_take_order(schedule) : STATUS_OK;

    schedule->planned = ARENA_ARRAY(schedule->arena, program->n_plan + 1, struct planned);
    for (int k = 0; k < program->n_plan && status == STATUS_OK; k++) {
        status = apply_step(schedule, &program->plan[k]);
        if (status == STATUS_OK)
            schedule->planned[schedule->n_planned++] = (struct planned){schedule->program, schedule->order};
    }
    return status == STATUS_OK && program->n_plan ? cooperate_copies(schedule) : status;
}
