#include "api/auto.h"

#include "api/auto_file.h"
#include "auto/propose.h"
#include "auto/wishes.h"
#include "caps/machine.h"
#include "poly/context.h"
#include "read/json.h"
#include "target/c/several.h"

#include <string.h>

enum {
    MOST_TRIALS = 12,              /* each one is a compilation; after these nothing is proposed */
    TRIAL_OPERATIONS = 2000000,    /* the budget of one: steps that need more are not worth it */
    KERNEL_OPERATIONS = 5000000,   /* the same for devices, whose tiles need more */
    PROPOSAL_OPERATIONS = 1000000, /* what looking for steps may take */
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
    struct polynest trial = *c->p;

    trial.variant = (char *)(uintptr_t)c->variant;
    trial.proposed = steps;
    trial.in_place = asking_step(c) != NULL;
    trial.alone = alone;
    trial.automatic = false;
    trial.several = NULL;
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

static bool is_for_code(const struct compilation *c)
{
    return (c->goal->kind == GOAL_EMIT || c->goal->kind == GOAL_CHECK) && !c->p->dump_name;
}

/* Is a trial all that the run is for? */
static bool serves(const struct compilation *c)
{
    return is_for_code(c) && !c->p->see && !c->p->several && !goes_on(c);
}

/* Is the run for something that variants by sizes have together? */
static bool has_all_sizes(const struct compilation *c)
{
    return is_for_code(c) || c->goal->kind == GOAL_AUTO;
}

/* The name of a variant beside others, which may be for some sizes. */
static const char *called(const struct compilation *c, const struct size_case *size)
{
    if (!size)
        return c->variant;
    return c->set ? arena_printf(c->arena, "%s_%s", c->variant, size->name) : size->name;
}

/* Are there steps that are not to be replaced? */
static bool has_own_steps(const struct compilation *c)
{
    return !replaces(c) && !asking_step(c) && c->program->n_schedule + c->program->n_plan > 0;
}

static struct place own_place(const struct compilation *c)
{
    const struct program *program = c->program;

    return program->n_schedule ? program->schedule[0].place : program->plan[0].place;
}

static void refuse_own_steps(const struct compilation *c, struct place place)
{
    diag_hint(c->diags, diag_error(c->diags, "auto", place, "the description has steps of its own"),
              "--replace proposes others in their place");
}

/* Reports them. */
static bool is_refused(struct compilation *c)
{
    if (!has_own_steps(c))
        return false;
    refuse_own_steps(c, own_place(c));
    return true;
}

/* Compiles the description with these steps, in no more operations than steps are worth. */
static polynest_status try_steps(struct polynest *trial, const struct goal *goal, unsigned long most)
{
    if (trial->operations == 0 || trial->operations > most)
        trial->operations = most;
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
    const unsigned long most = device_of(c->program->target.language) ? KERNEL_OPERATIONS : TRIAL_OPERATIONS;
    char *steps;

    for (int k = 0;; k++) {
        steps = steps_text(c, proposal);
        *trial = with_steps(c, steps, true);
        *status = try_steps(trial, goal, most);
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

/* Into the file that is printed: the steps of all, of a variant, or of it at some sizes (NULL: at all). */
static void print_proposal(struct compilation *c, const struct proposal *proposal, const struct size_case *size)
{
    const struct value *variant = c->program->variant;
    struct text *out = &c->p->result.output;

    if (!c->set && !size)
        proposal_print(proposal, out);
    else
        auto_file_add(out, proposal,
                      &(struct auto_entry){called(c, size), size ? size->when : NULL, variant, c->set != NULL});
}

/* The proposal with the user's own steps around: nothing is left to propose. */
static void print_all(struct compilation *c, struct proposal *proposal, const struct size_case *size)
{
    const struct program *program = c->program;
    const struct step *step = asking_step(c);

    if (step) {
        const int at = (int)(step - program->schedule);
        add_steps(c, &proposal->before, program->schedule, at);
        add_steps(c, &proposal->after, step + 1, program->n_schedule - at - 1);
        add_steps(c, &proposal->after_plan, program->plan, program->n_plan);
    }
    print_proposal(c, proposal, size);
}

/* A variant beside others keeps the steps that it has. */
static enum status keep_own(struct compilation *c)
{
    struct proposal *kept;

    if (c->set->n == c->set->n_proposed + 1)
        c->set->own = own_place(c);
    if (c->goal->kind != GOAL_AUTO)
        return STATUS_OK;
    kept = proposal_new(c->arena, &c->program->target);
    add_steps(c, &kept->before, c->program->schedule, c->program->n_schedule);
    add_steps(c, &kept->after_plan, c->program->plan, c->program->n_plan);
    print_proposal(c, kept, NULL);
    c->done = true;
    return STATUS_OK;
}

/* One variant of several goes on with its steps, which tells diags. */
static struct compilation *go_on(struct compilation *c, char *steps, const struct size_case *size, struct diags *diags,
                                 enum status *status)
{
    struct compilation *rest = ARENA_NEW(c->arena, struct compilation);
    struct polynest *own = ARENA_NEW(c->arena, struct polynest);

    *own = with_steps(c, steps, false);
    own->several = c->p->several;
    own->result = c->p->result;
    *rest = (struct compilation){.p = own,
                                 .goal = c->goal,
                                 .arena = c->arena,
                                 .ctx = c->ctx,
                                 .diags = diags,
                                 .variant = c->variant,
                                 .called = called(c, size),
                                 .size = size,
                                 .set = c->set,
                                 .dispatch = c->dispatch,
                                 .source = c->source};
    *status = compile_stages(rest);
    c->p->result = own->result;
    return rest;
}

static enum status run_in_set(struct compilation *c, char *steps, const struct size_case *size)
{
    const int told = c->diags->list.n;
    enum status status;

    go_on(c, steps, size, c->diags, &status);
    diags_drop_repeated(c->diags, told);
    c->followed = true;
    return status;
}

/* What the last variant leaves when it is refused after all is nobody's result. */
static void forget_variant(struct compilation *c, int n)
{
    c->dispatch->variant.n = n;
    text_truncate(&c->p->result.source, 0);
    text_truncate(&c->p->result.header, 0);
    text_truncate(&c->p->result.signature, 0);
}

/* Each try is the variant itself, if nothing refuses it. */
static enum status find_in_set(struct compilation *c, struct proposal *proposal, const struct size_case *size)
{
    const int n = c->dispatch->variant.n, told = c->diags->list.n;

    for (int k = 0;; k++) {
        struct diags *diags = diags_new(c->arena);
        const unsigned long budget = poly_part_begin(c->ctx, TRIAL_OPERATIONS);
        char *steps = steps_text(c, proposal);
        enum status status;
        struct compilation *rest = go_on(c, steps, size, diags, &status);

        poly_part_end(c->ctx, budget);
        if (status == STATUS_OK) {
            diags_add(c->diags, diags);
            diags_drop_repeated(c->diags, told);
            c->followed = true;
            return STATUS_OK;
        }
        if (c->p->several && c->p->several->clash) {
            diags_add(c->diags, diags);
            return status;
        }
        forget_variant(c, n);
        if (!proposal_step_back(proposal, k < MOST_TRIALS ? compile_refused_line(rest) : 0))
            return run_in_set(c, steps, size);
    }
}

/* Steps for a variant of several, and what the run is for. */
static enum status run_variant(struct compilation *c, struct proposal *proposal, const struct size_case *size)
{
    static const struct goal check = {.kind = GOAL_CHECK};
    struct polynest trial;
    polynest_status status;
    char *steps;

    if (is_for_code(c) && !c->p->see && !goes_on(c))
        return find_in_set(c, proposal, size);
    steps = find(c, proposal, &check, &trial, &status);
    results_free(&trial.result);
    if (c->goal->kind != GOAL_AUTO)
        return run_in_set(c, steps, size);
    print_all(c, proposal, size);
    return STATUS_OK;
}

/* Steps that suit the dependences, for sizes of that number (-1: all); none where it takes too long to see which do. */
static struct proposal *proposed(struct compilation *c, int size)
{
    const struct step *step = asking_step(c);
    const unsigned long budget = poly_part_begin(c->ctx, PROPOSAL_OPERATIONS);
    struct proposal *proposal = propose_for(c->arena, c->dependences, step != NULL, size);

    if (poly_part_end(c->ctx, budget))
        return proposal;
    proposal->empty = true;
    diag_warning(c->diags, "auto", step ? step->place : c->program->name_place,
                 "nothing is proposed: the loops are too intricate to see in %d operations what suits them",
                 PROPOSAL_OPERATIONS);
    return proposal;
}

/* Variants by sizes, each with steps of its own: in the place of the variant that all of them are. */
static enum status run_sizes(struct compilation *c, const struct size_case *size, int n)
{
    struct dispatch own = {.arena = c->arena, .n = 1}, *before = c->dispatch;
    enum status status = STATUS_OK;

    c->dispatch = before ? before : &own;
    c->dispatch->n += n - 1;
    if (!c->set)
        auto_file_begin(c);
    for (int k = 0; k < n && status == STATUS_OK; k++)
        status = run_variant(c, proposed(c, k), &size[k]);
    if (!c->set)
        auto_file_end(c);
    c->dispatch = before;
    return status;
}

/* Steps at all sizes are not one list. */
static enum status refuse_sizes(struct compilation *c, const struct size_case *size)
{
    diag_hint(c->diags,
              diag_error(c->diags, "auto", asking_step(c)->place, "steps are proposed for several sizes, in variants"),
              "`polynest auto FILE -o steps.json` has all of them; --schedule steps.json --variant %s takes one",
              size->name);
    return STATUS_REFUSED;
}

/* Prints the proposal; where nothing that was tried is accepted, it is the description that is refused, unless the
 * trial only took too long. */
static enum status print_accepted(struct compilation *c, struct proposal *proposal, char *steps, polynest_status tried)
{
    static const struct goal check = {.kind = GOAL_CHECK};
    struct polynest last;
    polynest_status status;

    if (tried != POLYNEST_OK) {
        last = with_steps(c, steps, true);
        status = compile_run(&last, &check);
        if (status != POLYNEST_OK)
            return adopt(c, &last, status);
        results_free(&last.result);
    }
    print_all(c, proposal, NULL);
    return STATUS_OK;
}

/* What is proposed first: for all sizes, or for the first of several. */
static struct proposal *first_proposal(struct compilation *c)
{
    const bool by_sizes = asking_step(c) && wishes_of(c->program).sizes && !c->program->when;
    struct proposal *proposal = proposed(c, by_sizes ? 0 : -1);

    return proposal->n_sized > 1 ? proposed(c, -1) : proposal;
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

    if (c->set)
        c->set->n++;
    if (c->set && has_own_steps(c))
        return keep_own(c);
    c->done = true;
    if (is_refused(c))
        return STATUS_REFUSED;
    if (c->set)
        c->set->n_proposed++;
    proposal = first_proposal(c);
    if (proposal->size.n > 1 && !proposal->empty)
        return has_all_sizes(c) ? run_sizes(c, proposal->size.at, proposal->size.n)
                                : refuse_sizes(c, proposal->size.at);
    if (c->set)
        return run_variant(c, proposal, NULL);
    steps = find(c, proposal, serving ? c->goal : &check, &trial, &status);
    if (serving && status == POLYNEST_OK)
        return adopt(c, &trial, status);
    results_free(&trial.result);
    if (c->goal->kind == GOAL_AUTO)
        return print_accepted(c, proposal, steps, status);
    trial = with_steps(c, steps, false);
    trial.several = c->p->several;
    status = compile_run(&trial, c->goal);
    return adopt(c, &trial, status);
}

enum status auto_end_set(const struct compilation *c, const struct auto_set *set)
{
    if (set->n == 0 || set->n_proposed > 0)
        return STATUS_OK;
    refuse_own_steps(c, set->own);
    return STATUS_REFUSED;
}
