/* The last stage: the finished tree becomes text. */
#include "api/stages.h"

#include "dep/polynomial.h"
#include "lower/body/bodies.h"
#include "lower/body/element_loops.h"
#include "lower/body/preconditions.h"
#include "lower/body/requirement_checks.h"
#include "lower/body/value_checks.h"
#include "program/calls.h"
#include "program/check/arithmetic.h"
#include "program/check/transfer.h"
#include "program/check/written.h"
#include "program/permit.h"
#include "program/precision.h"
#include "report/explain_parts.h"
#include "report/signature.h"
#include "target/c/several.h"
#include "target/clike/sight.h"
#include "tree/layout.h"

#include <ctype.h>
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
    if (c->p->checking) {
        diag_hint(c->diags,
                  diag_error(c->diags, "functions", c->program->name_place,
                             "a function that checks itself is C, `%s` is for %s", c->program->name, language),
                  "`polynest verify` compares what a device computes");
        return true;
    }
    diag_error(c->diags, "functions", c->program->name_place, "a file of several functions is C, `%s` is for %s",
               c->program->name, language);
    return true;
}

/* Numbers of statements and elements as C computes them in doubles: "2 * (double)N"; NULL: not known. */
static const char *real_text(struct arena *arena, const struct polynomial *number)
{
    struct text text = {0}, real = {0};
    const char *at, *copy;
    int64_t value;

    if (!number)
        return NULL;
    polynomial_print(&text, number);
    for (at = text_str(&text); *at;) {
        const int size = (int)strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        const bool is_param = size > 0 && !isdigit((unsigned char)*at) && at[size] != '(';
        text_addf(&real, "%s%.*s", is_param ? "(double)" : "", size > 0 ? size : 1, at);
        at += size > 0 ? size : 1;
    }
    text_add(&real, polynomial_is_constant(number, &value) ? ".0" : "");
    copy = arena_copy(arena, text_str(&real));
    text_free(&text);
    text_free(&real);
    return copy;
}

/* Sets the counts of elements that are known; each of several variants does, and they are the same. */
static void add_counts(const struct compilation *c, const struct polynomial *const *touched, bool results,
                       struct self_check *self)
{
    const char **share = ARENA_ARRAY(c->arena, c->program->n_array + 1, const char *);

    self->n_share = 0;
    for (int k = 0; k < c->program->n_array; k++) {
        const struct array *array = &c->program->array[k];
        const char *one =
            array_is_argument(array) && !(results && array->role == ROLE_IN) ? real_text(c->arena, touched[k]) : NULL;
        bool known = !one;

        for (int other = 0; other < self->n_share && !known; other++)
            known = strcmp(share[other], one) == 0;
        if (!known)
            share[self->n_share++] = one;
    }
    self->share = share;
}

/* As many rounding errors as `polynest verify` allows (run/subject.h). */
static void allow_errors(const struct compilation *c, struct self_check *self)
{
    const struct polynomial *const *touched;

    self->times = self->permits & PERMIT_APPROXIMATE ? 65536 : self->permits ? 1 : 0;
    if (self->times == 0)
        return;
    self->operations = real_text(c->arena, explain_operations(c->schedule, &touched));
    add_counts(c, touched, self->operations != NULL, self);
    self->rounded = program_precision(c->arena, c->program, self->permits_all);
}

/* In which types results are rounded in what is printed so far. */
static const enum type *add_precision(const struct compilation *c)
{
    struct self_check *self = c->p->checking;
    struct precision own = {0}, *precision = c->dispatch ? &c->dispatch->precision : &own;

    precision_add(precision, c->arena, c->schedule->program);
    if (self && !self->is_last)
        precision_add(&self->precision, self->arena, c->schedule->program);
    return self ? self->precision.type : precision->type;
}

/* What the calls of a function read and change besides their operands cannot be had twice. */
static enum status refuse_state(const struct compilation *c)
{
    const struct program *program = c->program;

    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].is_call && program->array[k].full_storage) {
            struct diag *diag = diag_error(c->diags, "called", program->array[k].place,
                                           "a function that checks itself would call what changes a \"state\" twice");
            diag_hint(c->diags, diag, "`polynest verify` compares both in processes of their own");
            return STATUS_REFUSED;
        }
    return STATUS_OK;
}

/* What a part of a function that checks itself knows of all of it. */
static enum status prepare_self_check(const struct compilation *c, struct unit *unit)
{
    struct self_check *self = unit->self_check;

    if (!self)
        return STATUS_OK;
    if (refuse_state(c) != STATUS_OK)
        return STATUS_REFUSED;
    for (int k = 0; k < c->program->n_statement; k++)
        self->permits |= statement_permit(c->program, c->program->statement[k]);
    self->permits_all |= c->program->permit;
    if (!self->is_last)
        return STATUS_OK;
    allow_errors(c, self);
    unit->result = lower_results(c->arena, c->program, c->laid_out, c->vars);
    if (unit->result)
        return STATUS_OK;
    diag_error(c->diags, "index", PLACE_NONE, "an index does not fit 64 bits");
    return STATUS_REFUSED;
}

/* The flags are those of what is scheduled, the first part. */
static void finish_self_check(struct self_check *self, struct needs *needs)
{
    if (self && self->is_last)
        needs->flags = self->flags;
    else if (self)
        self->flags = needs->flags ? arena_copy(self->arena, needs->flags) : NULL;
}

enum status stage_print(struct compilation *c)
{
    const char *header_name = c->p->header_name;
    const char *entry = c->p->checking ? c->p->checking->name : c->dispatch ? c->dispatch->name : c->program->name;
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
        .self_check = c->goal->kind == GOAL_EMIT && c->p->several ? c->p->checking : NULL,
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
    if (prepare_self_check(c, &unit) != STATUS_OK)
        return STATUS_REFUSED;
    const int n_before = unit.several ? unit.several->function.n : 0;
    const enum type *rounded = add_precision(c);
    const enum status printed = target_print(c->arena, &unit, &c->p->result.source, &c->p->result.header, c->diags);
    const char *header = header_of(c, unit.several, n_before);
    finish_self_check(unit.self_check, &needs);
    if (printed == STATUS_OK && header)
        report_signature(c->program, c->laid_out, header, needs.flags, needs.condition, rounded,
                         &c->p->result.signature);
    return printed;
}
