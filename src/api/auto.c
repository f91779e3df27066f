#include "api/auto.h"

#include "auto/propose.h"

#include <string.h>

enum {
    MOST_TRIALS = 12,           /* each one is a compilation; after these nothing is proposed */
    TRIAL_OPERATIONS = 1000000, /* the budget of one: steps that need more are not worth it */
};

/* Compiles the description with these steps. *line gets the line that is refused, or 0. */
static polynest_status try_steps(const struct polynest *p, char *steps, int *line)
{
    char name[] = "auto";
    struct polynest trial = *p;
    polynest_status status;

    trial.schedule_name = name;
    trial.schedule_text = steps;
    trial.schedule_size = strlen(steps);
    trial.schedule_proposed = true;
    trial.unscheduled = false;
    if (trial.operations == 0 || trial.operations > TRIAL_OPERATIONS)
        trial.operations = TRIAL_OPERATIONS;
    trial.dump_name = NULL;
    trial.see = NULL;
    trial.source = trial.header = trial.output = trial.diagnostics = trial.diagnostics_json = trial.input_files =
        (struct text){0};
    status = compile_run(&trial, &(struct goal){.kind = GOAL_CHECK});
    *line = trial.refused_line;
    text_free(&trial.source);
    text_free(&trial.header);
    text_free(&trial.output);
    text_free(&trial.diagnostics);
    text_free(&trial.diagnostics_json);
    text_free(&trial.input_files);
    return status;
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
    if (c->goal->replace || program->n_schedule + program->n_plan == 0)
        return false;
    diag = diag_error(c->diags, "auto", program->n_schedule ? program->schedule[0].place : program->plan[0].place,
                      "the description has steps of its own");
    diag_hint(c->diags, diag, "--replace proposes others in their place");
    return true;
}

enum status auto_find(struct compilation *c)
{
    struct proposal *proposal;
    polynest_status status = POLYNEST_REFUSED;

    c->done = true;
    if (is_refused(c))
        return STATUS_REFUSED;
    proposal = propose(c->arena, c->dependences);
    for (int k = 0; status != POLYNEST_OK; k++) {
        int line;

        text_truncate(&c->p->output, 0);
        proposal_print(proposal, &c->p->output);
        status = try_steps(c->p, arena_copy(c->arena, text_str(&c->p->output)), &line);
        if (status != POLYNEST_OK && !proposal_step_back(proposal, k < MOST_TRIALS ? line : 0))
            return STATUS_OK;
    }
    return STATUS_OK;
}
