#include "api/auto.h"

#include "auto/propose.h"
#include "auto/wishes.h"
#include "read/json.h"

#include <string.h>

enum {
    MOST_TRIALS = 12,           /* each one is a compilation; after these nothing is proposed */
    TRIAL_OPERATIONS = 1000000, /* the budget of one: steps that need more are not worth it */
};

static bool replaces(const struct compilation *c)
{
    return c->goal->replace || c->p->replacing;
}

/* The description's step `auto`, which the proposed steps replace; NULL: they replace all steps. */
static const struct step *asking_step(const struct compilation *c)
{
    return replaces(c) ? NULL : wishes_step(c->program);
}

/* Are there steps that apply to the result of what is proposed? */
static bool goes_on(const struct compilation *c)
{
    const struct program *program = c->program;
    const struct step *step = asking_step(c);

    return step && (step + 1 < program->schedule + program->n_schedule || program->n_plan > 0);
}

/* The caller's description and wishes with these steps, and no results. */
static struct polynest with_steps(const struct compilation *c, char *steps, bool alone)
{
    static char name[] = "auto";
    struct polynest trial = *c->p;

    trial.schedule_name = name;
    trial.schedule_text = steps;
    trial.schedule_size = strlen(steps);
    trial.schedule_proposed = true;
    trial.in_place = asking_step(c) != NULL;
    trial.alone = alone;
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
    return (c->goal->kind == GOAL_EMIT || c->goal->kind == GOAL_CHECK) && !c->p->dump_name && !c->p->see && !goes_on(c);
}

/* Are there steps that are not to be replaced, or is it a target that nothing is proposed for? */
static bool is_refused(struct compilation *c)
{
    const struct program *program = c->program;
    const struct step *step = asking_step(c);
    struct diag *diag;

    if (strcmp(program->target.language, "c") != 0) {
        diag_error(c->diags, "auto", step ? step->place : program->name_place,
                   "steps are proposed for C, not for \"%s\"", program->target.language);
        return true;
    }
    if (replaces(c) || step || program->n_schedule + program->n_plan == 0)
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

static char *steps_text(struct compilation *c, const struct proposal *proposal)
{
    struct text text = {0};
    char *steps;

    proposal_print(proposal, &text);
    steps = arena_copy(c->arena, text_str(&text));
    text_free(&text);
    return steps;
}

/* The first proposal that nothing refuses, or the last one there is, as text; *trial has the results. */
static char *find(struct compilation *c, struct proposal *proposal, const struct goal *goal, struct polynest *trial,
                  polynest_status *status)
{
    char *steps;

    for (int k = 0;; k++) {
        steps = steps_text(c, proposal);
        *trial = with_steps(c, steps, true);
        *status = try_steps(trial, goal);
        if (*status == POLYNEST_OK || !proposal_step_back(proposal, k < MOST_TRIALS ? trial->refused_line : 0))
            break;
        results_free(&trial->result);
    }
    return steps;
}

static void add_steps(struct compilation *c, line_vec *lines, const struct step *step, int n)
{
    struct text text = {0};

    for (int k = 0; k < n; k++) {
        text_truncate(&text, 0);
        value_print(step[k].value, &text);
        line_add(c->arena, lines, "%s", text_str(&text));
    }
    text_free(&text);
}

/* The proposal with the user's own steps around: a schedule file in which nothing is left to propose. */
static void print_all(struct compilation *c, struct proposal *proposal)
{
    const struct program *program = c->program;
    const struct step *step = asking_step(c);

    if (step) {
        const int at = (int)(step - program->schedule);
        add_steps(c, &proposal->before, program->schedule, at);
        add_steps(c, &proposal->after, step + 1, program->n_schedule - at - 1);
        add_steps(c, &proposal->after_plan, program->plan, program->n_plan);
    }
    proposal_print(proposal, &c->p->result.output);
}

bool auto_is_wanted(const struct compilation *c)
{
    const bool asks = c->p->automatic || (c->program && !c->p->in_place && wishes_step(c->program));

    return c->goal->kind == GOAL_AUTO || (asks && !c->p->unscheduled && c->goal->kind != GOAL_WORKLOAD);
}

enum status auto_run(struct compilation *c)
{
    static const struct goal check = {.kind = GOAL_CHECK};
    const bool serving = serves(c);
    struct proposal *proposal;
    struct polynest trial;
    polynest_status status;
    char *steps;

    c->done = true;
    if (is_refused(c))
        return STATUS_REFUSED;
    proposal = propose(c->arena, c->dependences, asking_step(c) != NULL);
    steps = find(c, proposal, serving ? c->goal : &check, &trial, &status);
    if (serving && status == POLYNEST_OK)
        return adopt(c, &trial, status);
    results_free(&trial.result);
    if (c->goal->kind == GOAL_AUTO) {
        print_all(c, proposal);
        return STATUS_OK;
    }
    trial = with_steps(c, steps, false);
    status = compile_run(&trial, c->goal);
    return adopt(c, &trial, status);
}
