/* The last stage: the finished tree becomes text. */
#include "api/stages.h"

#include "lower/body/bodies.h"
#include "lower/body/preconditions.h"
#include "lower/body/requirement_checks.h"
#include "lower/body/value_checks.h"
#include "program/calls.h"
#include "program/check/arithmetic.h"
#include "program/check/transfer.h"
#include "program/check/written.h"
#include "report/signature.h"
#include "target/c/several.h"
#include "target/clike/sight.h"

#include <string.h>

/* The name of a file without its folders. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* What the passes declare must not hide what is used: the text would compile, and compute something else. */
static enum status check_names(struct compilation *c)
{
    const struct node *tree = c->pipeline.tree;
    const char *hidden = tree ? sight_hidden_name(c->arena, c->laid_out, c->vars->param, tree) : NULL;

    if (!hidden)
        return STATUS_OK;
    diag_error(c->diags, "internal", PLACE_NONE, "internal error: something else hides the name `%s`", hidden);
    return STATUS_ENVIRONMENT;
}

/* What arithmetic must meet, for the comment, and as a test. */
static enum status add_requirements(struct compilation *c, struct unit *unit)
{
    const requirement_vec requirements = program_requirements(c->program);
    const char **line = ARENA_ARRAY(c->arena, requirements.n + 1, const char *);
    struct text text = {0};

    for (int k = 0; k < requirements.n; k++) {
        text_truncate(&text, 0);
        requirement_print(&text, c->program, &requirements.at[k]);
        line[k] = arena_copy(c->arena, text_str(&text));
    }
    text_free(&text);
    unit->requirement = line;
    unit->n_requirement = requirements.n;
    return unit->check_args ? lower_requirement_checks(c->arena, c->program, c->laid_out, &requirements, c->vars,
                                                       c->diags, &unit->requirement_check)
                            : STATUS_OK;
}

/* The text with the function's declaration; NULL: it is not printed yet, n_before functions of its file being. */
static const char *header_of(const struct compilation *c, const struct several *several, int n_before)
{
    const struct text *header = &c->p->result.header;

    if (several)
        return several->function.n > n_before ? several->function.at[n_before].declaration : NULL;
    return header->size > 0 ? text_str(header) : NULL;
}

/* Functions of one file are C: a device's file has its kernels. */
static bool refuse_language(struct compilation *c)
{
    const char *language = c->program->target.language;

    if (!c->p->several || strcmp(language, "c") == 0)
        return false;
    diag_error(c->diags, "functions", c->program->name_place, "a file of several functions is C, `%s` is for %s",
               c->program->name, language);
    return true;
}

enum status stage_print(struct compilation *c)
{
    const char *header_name = c->p->header_name;
    const char *entry = c->dispatch ? c->dispatch->name : c->program->name;
    struct needs needs = {0};
    struct unit unit = {
        .program = c->laid_out,
        .tree = c->pipeline.tree,
        .param_var = c->vars->param,
        .param_least = lower_param_least(c->arena, c->program),
        .param_most = lower_param_most(c->arena, c->program),
        .written = program_written(c->arena, c->program),
        .transfers = c->program->target.host_launcher ? program_transfers(c->arena, c->program) : NULL,
        .name = c->program->name,
        .header_name = header_name ? header_name : arena_printf(c->arena, "%s.h", entry),
        .dispatch = c->dispatch,
        .input_name = base_name(c->p->input_name),
        .repeats = schedule_repetitions(c->schedule),
        .check_args = c->p->check_args,
        .several = c->goal->kind == GOAL_EMIT ? c->p->several : NULL,
        .needs = &needs,
    };

    c->program->name = entry;
    if (refuse_language(c))
        return STATUS_REFUSED;
    if (c->p->see)
        c->p->see(&(struct finished){c->program, c->laid_out, c->pipeline.tree, c->vars->param, c->vars},
                  c->p->see_user);
    const enum status status = add_requirements(c, &unit);
    if (status != STATUS_OK)
        return status;
    unit.precondition = lower_preconditions(c->arena, c->program, c->vars->param, &unit.n_precondition);
    if (c->dispatch && c->program->when)
        unit.when = body_condition(c->arena, c->laid_out, c->vars->param, c->program->when->condition);
    if (unit.check_args) {
        unit.value_check = lower_value_checks(c->arena, c->program, c->laid_out, c->vars);
        unit.tree = unit.value_check ? unit.tree : NULL;
    }
    if (check_names(c) != STATUS_OK)
        return STATUS_ENVIRONMENT;
    const int n_before = unit.several ? unit.several->function.n : 0;
    const enum status printed = target_print(c->arena, &unit, &c->p->result.source, &c->p->result.header, c->diags);
    const char *header = header_of(c, unit.several, n_before);
    if (printed == STATUS_OK && header)
        report_signature(c->program, c->laid_out, header, needs.flags, needs.condition, &c->p->result.signature);
    return printed;
}
