#include "api/auto.h"

#include "auto/propose.h"

#include <string.h>

enum {
    MOST_TRIALS = 12,           /* each one is a compilation; after these nothing is proposed */
    TRIAL_OPERATIONS = 1000000, /* the budget of one: steps that need more are not worth it */
};

/* The caller's description and wishes with these steps, and no results. */
static struct polynest with_steps(const struct polynest *p, char *steps)
{
    static char name[] = "auto";
    struct polynest trial = *p;

    trial.schedule_name = name;
    trial.schedule_text = steps;
    trial.schedule_size = strlen(steps);
    trial.schedule_proposed = true;
    trial.automatic = false;
    trial.result = (struct results){0};
    return trial;
}

/* What a run with the steps that were found made becomes the result; which files were read this one knows. */
static enum status adopt(struct compilation *c, struct polynest *from, polynest_status status)
{
    struct results *result = &c->p->result;
    const struct text input_files = result->input_files;

    text_free(&from->result.input_files);
    from->result.input_files = input_files;
    result->input_files = (struct text){0};
    results_free(result);
    *result = from->result;
    c->p->refused_line = from->refused_line;
    c->adopted = true;
    return (enum status)status;
}

/* Is a trial all that the run is for? */
static bool serves(const struct compilation *c)
{
    return (c->goal->kind == GOAL_EMIT || c->goal->kind == GOAL_CHECK) && !c->p->dump_name && !c->p->see;
}

/* Are there steps that are not to be replaced, or is it a target that nothing is proposed for? */
static bool is_refused(struct compilation *c)
{
    const struct program *program = c->program;
    struct diag *diag;

    if (strcmp(program->target.language, "c") != 0) {
        diag_error(c->diags, "auto", program->name_place, "steps are proposed for C, not for \"%s\"",
                   program->target.language);
        return true;
    }
    if (c->goal->replace || c->p->replacing || program->n_schedule + program->n_plan == 0)
        return false;
    diag = diag_error(c->diags, "auto", program->n_schedule ? program->schedule[0].place : program->plan[0].place,
                      "the description has steps of its own");
    diag_hint(c->diags, diag, "--replace proposes others in their place");
    return true;
}

/* Compiles the description with these steps, in no more operations than steps are worth. */
static polynest_status try_steps(struct polynest *trial, const struct goal *goal)
{
    if (trial->operations == 0 || trial->operations > TRIAL_OPERATIONS)
        trial->operations = TRIAL_OPERATIONS;
    trial->unscheduled = false;
    trial->dump_name = NULL;
    trial->see = NULL;
    return compile_run(trial, goal);
}

/* The first proposal that nothing refuses, or the last one there is, as text; *trial has the results. */
static char *find(struct compilation *c, const struct goal *goal, struct polynest *trial, polynest_status *status)
{
    struct proposal *proposal = propose(c->arena, c->dependences);
    struct text text = {0};
    char *steps;

    for (int k = 0;; k++) {
        text_truncate(&text, 0);
        proposal_print(proposal, &text);
        steps = arena_copy(c->arena, text_str(&text));
        *trial = with_steps(c->p, steps);
        *status = try_steps(trial, goal);
        if (*status == POLYNEST_OK || !proposal_step_back(proposal, k < MOST_TRIALS ? trial->refused_line : 0))
            break;
        results_free(&trial->result);
    }
    text_free(&text);
    return steps;
}

bool auto_is_wanted(const struct compilation *c)
{
    return c->goal->kind == GOAL_AUTO || (c->p->automatic && !c->p->unscheduled && c->goal->kind != GOAL_WORKLOAD);
}

enum status auto_run(struct compilation *c)
{
    static const struct goal check = {.kind = GOAL_CHECK};
    struct polynest trial;
    polynest_status status;
    char *steps;

    c->done = true;
    if (is_refused(c))
        return STATUS_REFUSED;
    steps = find(c, serves(c) ? c->goal : &check, &trial, &status);
    if (serves(c) && status == POLYNEST_OK)
        return adopt(c, &trial, status);
    results_free(&trial.result);
    if (c->goal->kind == GOAL_AUTO) {
        text_add(&c->p->result.output, steps);
        return STATUS_OK;
    }
    trial = with_steps(c->p, steps);
    status = compile_run(&trial, c->goal);
    return adopt(c, &trial, status);
}
