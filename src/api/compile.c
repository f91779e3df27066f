/* Runs the stages of a compilation, each within its own budget. */
#include "api/stages.h"

#include "api/auto.h"
#include "api/auto_file.h"
#include "base/names.h"
#include "lower/lower.h"
#include "poly/context.h"
#include "read/choose/dispatch.h"
#include "report/draw/draw.h"

#include <string.h>

/* May an isl error that the stage did not see, or did not tell, be behind its answer? */
static bool is_doubtful(const struct compilation *c, enum status status, int errors_before)
{
    switch (status) {
    case STATUS_OK:
        return true;
    case STATUS_REFUSED:
        return poly_budget_spent(c->ctx);
    case STATUS_ENVIRONMENT:
    case STATUS_UNDECIDED:
        return c->diags->errors == errors_before;
    default:
        return false;
    }
}

/* Did a pass make a tree that is wrong, or one of which nothing can be proved? */
static bool has_broken(struct compilation *c, const struct stage *stage)
{
    const char *broken = c->vars ? c->vars->broken : NULL;

    if (broken)
        diag_error(c->diags, "internal", PLACE_NONE, "internal error: %s: %s", stage->title, broken);
    return broken;
}

/* What is undecided is about the last step that makes loops, once there are some. */
static struct place undecided_place(const struct compilation *c)
{
    const struct step *step = c->pipeline.order ? lower_last_step(c->pipeline.order) : NULL;
    const struct place start = {&c->source, 0, 0};

    return step ? step->place : c->program ? c->program->name_place : start;
}

/* Runs one stage within its own budget. */
static enum status run_stage(struct compilation *c, const struct stage *stage)
{
    const int errors = c->diags->errors, reported = c->diags->list.n;
    enum status status, end;

    if (c->p->trace)
        c->p->trace(stage->title, c->p->trace_user);
    poly_begin(c->ctx);
    status = stage->run(c);
    if (has_broken(c, stage))
        return STATUS_ENVIRONMENT;
    if (c->adopted || c->followed || !is_doubtful(c, status, errors))
        return status;
    if (status == STATUS_REFUSED)
        diags_forget(c->diags, reported);
    end = poly_end_at(c->ctx, c->diags, undecided_place(c), stage->title,
                      "fewer steps, and constants in the place of parameters, leave it less to prove");
    if (end == STATUS_OK && status != STATUS_OK && c->diags->errors == errors)
        diag_error(c->diags, "internal", PLACE_NONE, "internal error: %s failed without a reason", stage->title);
    return end == STATUS_OK ? status : end;
}

/* The names of all dumps: stages, and passes over the loop tree. */
static int dump_names(struct arena *arena, const char *const **name)
{
    int n_pass, n = 0;
    const struct pass *pass = pipeline_passes(&n_pass);
    const char **known = ARENA_ARRAY(arena, n_stages + n_pass, const char *);

    for (int i = 0; i < n_stages; i++)
        if (stages[i].name)
            known[n++] = stages[i].name;
    for (int i = 0; i < n_pass; i++)
        known[n++] = pass[i].name;
    *name = known;
    return n;
}

/* The dump that was asked for must be there before anything runs. */
static enum status check_goal(struct compilation *c)
{
    const char *const *known, *nearest;
    struct diag *diag;

    if (c->goal->kind != GOAL_DUMP)
        return STATUS_OK;
    const int n = dump_names(c->arena, &known);
    for (int i = 0; i < n; i++)
        if (strcmp(known[i], c->goal->stage) == 0)
            return STATUS_OK;
    diag = diag_error(c->diags, "stage", PLACE_NONE, "there is no stage \"%s\" to dump", c->goal->stage);
    nearest = name_nearest(c->goal->stage, known, n);
    diag_hint(c->diags, diag, nearest ? "did you mean \"%s\"?" : "the first one is \"%s\"",
              nearest ? nearest : known[0]);
    return STATUS_USAGE;
}

static bool is_cut(const struct compilation *c, const struct stage *stage)
{
    const struct goal *goal = c->goal;

    return goal->kind == GOAL_DUMP && !auto_is_wanted(c) && stage->name && strcmp(stage->name, goal->stage) == 0;
}

static enum status run_stages(struct compilation *c)
{
    for (int i = 0; i < n_stages; i++) {
        const enum status status = run_stage(c, &stages[i]);

        if (status != STATUS_OK)
            return status;
        if (c->pipeline.ended || c->done)
            return STATUS_OK;
        if (is_cut(c, &stages[i])) {
            stages[i].dump(c, &c->p->result.output);
            return STATUS_OK;
        }
    }
    return STATUS_OK;
}

enum status compile_stages(struct compilation *c)
{
    enum status status;

    c->scratch = arena_new();
    status = run_stages(c);
    arena_free(c->scratch);
    return status;
}

void results_free(struct results *result)
{
    text_free(&result->source);
    text_free(&result->header);
    text_free(&result->signature);
    text_free(&result->output);
    text_free(&result->diagnostics);
    text_free(&result->diagnostics_json);
    text_free(&result->input_files);
}

void compile_clear(struct polynest *p)
{
    text_truncate(&p->result.source, 0);
    text_truncate(&p->result.header, 0);
    text_truncate(&p->result.signature, 0);
    text_truncate(&p->result.output, 0);
    text_truncate(&p->result.input_files, 0);
    text_truncate(&p->result.diagnostics, 0);
    text_truncate(&p->result.diagnostics_json, 0);
}

/* What a run that failed, or was for something else, made on its way is nobody's result. */
static void drop_unasked(struct polynest *p, const struct goal *goal, enum status status)
{
    if (status == STATUS_OK && goal->kind == GOAL_EMIT)
        return;
    text_truncate(&p->result.source, 0);
    text_truncate(&p->result.header, 0);
    text_truncate(&p->result.signature, 0);
}

int compile_refused_line(const struct compilation *c)
{
    const struct diag *error = NULL;
    int line = 0, column;

    for (int k = 0; !error && k < c->diags->list.n; k++)
        if (c->diags->list.at[k]->severity == SEVERITY_ERROR)
            error = c->diags->list.at[k];
    for (int k = -1; error && line == 0 && k < error->notes.n; k++) {
        const struct place place = k < 0 ? error->place : error->notes.at[k]->place;

        if (place.source && place.source->text == c->p->proposed)
            place_position(place, &line, &column);
    }
    return line;
}

/* The page around pictures of steps, with the emitted code, or why there is none. */
static void finish_page(struct compilation *c, enum status status)
{
    struct polynest *p = c->p;
    struct text page = {0}, messages = {0};

    diags_print(c->diags, &messages);
    const struct page parts = {.name = c->program->name,
                               .n_step = c->schedule->n_step + c->schedule->n_planned,
                               .steps = text_str(&p->result.output),
                               .told = text_str(&c->told),
                               .emitted = status == STATUS_OK,
                               .code = text_str(status == STATUS_OK ? &p->result.source : &messages)};
    report_draw_page(&parts, &page);
    text_free(&messages);
    text_free(&p->result.output);
    p->result.output = page;
}

/* What the stages made becomes the results. */
static void finish(struct compilation *c, enum status status)
{
    struct polynest *p = c->p;

    if (c->goal->page && p->result.output.size > 0)
        finish_page(c, status);
    text_free(&c->told);
    drop_unasked(p, c->goal, status);
    p->refused_line = compile_refused_line(c);
    diags_print(c->diags, &p->result.diagnostics);
    diags_print_json(c->diags, &p->result.diagnostics_json);
}

int compile_variants(const struct compilation *c, const char *const **name)
{
    const struct polynest *p = c->p;

    const struct source file = {p->schedule_name, p->schedule_text, p->schedule_size};
    const bool all = c->goal->kind == GOAL_EMIT || c->goal->kind == GOAL_CHECK || c->goal->kind == GOAL_AUTO;

    if (!all || p->variant || p->proposed || p->dump_name || p->unscheduled)
        return 0;
    return dispatched_variants(c->arena, p->schedule_name ? &file : &c->source, p->schedule_name ? 0 : p->function,
                               name);
}

/* All stages for each of the variants. A warning that several of them give is reported once. */
static enum status run_variants(const struct compilation *c, const char *const *name, int n)
{
    struct dispatch dispatch = {.arena = c->arena, .n = n};
    struct auto_set set = {0};
    enum status status = STATUS_OK;

    auto_file_begin(c);
    for (int k = 0; k < n && status == STATUS_OK; k++) {
        struct compilation *variant = ARENA_NEW(c->arena, struct compilation);
        const int told = c->diags->list.n;

        *variant = *c;
        variant->variant = variant->called = name[k];
        variant->dispatch = &dispatch;
        variant->set = &set;
        status = compile_stages(variant);
        diags_drop_repeated(c->diags, told);
    }
    auto_file_end(c);
    return status == STATUS_OK ? auto_end_set(c, &set) : status;
}

static enum status run_all(struct compilation *c)
{
    const char *const *name;
    const int n = compile_variants(c, &name);

    return n > 0 ? run_variants(c, name, n) : compile_stages(c);
}

polynest_status compile_run(struct polynest *p, const struct goal *goal)
{
    struct compilation c = {.p = p, .goal = goal, .variant = p->variant};
    enum status status = STATUS_ENVIRONMENT;

    compile_clear(p);
    c.arena = arena_new();
    c.diags = diags_new(c.arena);
    c.source = (struct source){p->input_name, p->input, p->input_size};
    c.ctx = poly_context_new(p->operations);
    if (!c.ctx)
        diag_error(c.diags, "internal", PLACE_NONE, "no memory for isl");
    else if ((status = check_goal(&c)) == STATUS_OK)
        status = run_all(&c);
    if (!c.adopted)
        finish(&c, status);
    arena_free(c.arena);
    poly_context_free(c.ctx);
    return (polynest_status)status;
}
