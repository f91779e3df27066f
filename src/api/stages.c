#include "api/stages.h"

#include "api/auto.h"
#include "api/registry.h"
#include "auto/proposal.h"
#include "base/names.h"
#include "caps/processor.h"
#include "dep/initialise.h"
#include "lower/body/bodies.h"
#include "lower/body/preconditions.h"
#include "lower/finished/finished.h"
#include "lower/flow/flow.h"
#include "plan/device/copies/ahead.h"
#include "plan/check/check.h"
#include "plan/storage/branches.h"
#include "plan/storage/contract.h"
#include "plan/storage/device.h"
#include "plan/device/copies/join_zeros.h"
#include "plan/plan.h"
#include "plan/device/sync/sync.h"
#include "plan/device/copies/wide.h"
#include "program/calls.h"
#include "program/check/arithmetic.h"
#include "program/check/check.h"
#include "program/instruction.h"
#include "program/storage/lay_out.h"
#include "program/permit.h"
#include "read/read.h"
#include "sched/ties.h"
#include "report/draw/draw.h"
#include "report/draw/pairs.h"
#include "report/explain.h"
#include "report/inquiry.h"
#include "report/show.h"
#include "report/signature.h"
#include "report/workload.h"
#include "target/target.h"
#include "tree/pointers.h"

#include <stdlib.h>
#include <string.h>

/* The name of the dump of all passes over the loop tree. */
static const char every_pass[] = "all";

/* What the caller chose of a description that leaves something open. */
static struct choices choices_of(struct compilation *c)
{
    const struct polynest *p = c->p;
    struct choices choices = {.function = p->function,
                              .variant = c->variant,
                              .as_written = p->unscheduled || c->goal->kind == GOAL_WORKLOAD,
                              .permit_all = c->goal->kind == GOAL_WORKLOAD};
    VEC(struct setting) setting = {0};
    const char *end = text_str(&p->setting) + p->setting.size;

    for (const char *name = text_str(&p->setting), *value; name < end; name = value + strlen(value) + 1) {
        value = name + strlen(name) + 1;
        VEC_PUSH(c->arena, &setting, ((struct setting){name, value}));
    }
    choices.setting = setting.at;
    choices.n_setting = setting.n;
    if (p->schedule_name) {
        c->schedule_source = (struct source){p->schedule_name, p->schedule_text, p->schedule_size};
        choices.schedule = &c->schedule_source;
    }
    if (p->proposed) {
        c->proposed_source = (struct source){"auto", p->proposed, strlen(p->proposed)};
        choices.proposed = &c->proposed_source;
        choices.in_place_of = p->in_place ? "auto" : NULL;
        choices.alone = p->alone;
    }
    if (c->size) {
        choices.size = c->size->name;
        choices.when = c->size->when;
    }
    return choices;
}

/* A file is named once, however many variants read it. */
static void add_input_file(struct text *names, const char *file)
{
    const char *name = text_str(names), *end = name + names->size;

    while (name < end && strcmp(name, file) != 0)
        name += strlen(name) + 1;
    if (name >= end)
        text_add_n(names, file, strlen(file) + 1);
}

static enum status run_read(struct compilation *c)
{
    const struct choices choices = choices_of(c);
    const enum status status = read_chosen(c->arena, c->ctx, &c->source, &choices, schedule_primitives, plan_primitives,
                                           c->diags, &c->program);

    if (status == STATUS_OK && c->p->schedule_name)
        add_input_file(&c->p->result.input_files, c->p->schedule_name);
    for (int k = 0; status == STATUS_OK && k < c->program->file.n; k++)
        add_input_file(&c->p->result.input_files, c->program->file.at[k]);
    return status;
}

/* The function that chooses between variants has the description's name, or the caller's. */
static void name_dispatch(struct compilation *c)
{
    const int size = (int)(strlen(c->program->name) - strlen(c->called)) - 1;

    c->dispatch->name = c->p->function_name ? arena_copy(c->arena, c->p->function_name)
                                            : arena_printf(c->arena, "%.*s", size, c->program->name);
}

/* What tunables put into a variant's target is seen here first. */
static enum status check_asked(struct compilation *c)
{
    const char *set = c->program->target.simd, *unasked = processor_unasked(set);

    if (!unasked)
        return STATUS_OK;
    diag_error(c->diags, "variant", c->program->when_supported->place, "a call cannot ask for simd %s: %s", set,
               unasked);
    return STATUS_REFUSED;
}

/* The name of the argument that two lists of them, a line for each, tell different things of. */
static const char *differing_argument(struct arena *arena, const char *a, const char *b)
{
    const char *line = b, *name;

    for (; *a && *a == *b; a++, b++)
        line = *b == '\n' ? b : line;
    name = strstr(line, "\"name\": \"");
    name = name ? name + strlen("\"name\": \"") : "";
    return arena_copy_n(arena, name, strcspn(name, "\""));
}

/* A call hands the same arguments to whichever variant it chooses: tunables in layouts could make others of them. */
static enum status check_arguments(struct compilation *c)
{
    struct text signature = {0};
    const char *arguments;

    report_signature(c->program, program_lay_out(c->arena, c->program), "", NULL, NULL, NULL, &signature);
    arguments = arena_copy(c->arena, strstr(text_str(&signature), "\"arguments\""));
    text_free(&signature);
    if (!c->dispatch->arguments)
        c->dispatch->arguments = arguments;
    if (strcmp(c->dispatch->arguments, arguments) == 0)
        return STATUS_OK;
    diag_hint(c->diags,
              diag_error(c->diags, "variant", c->program->variant ? c->program->variant->place : PLACE_NONE,
                         "variant `%s` does not take `%s` as the first one does: a call chooses between them",
                         c->called, differing_argument(c->arena, c->dispatch->arguments, arguments)),
              "leave tunables out of its shape and layout, or leave \"when\" out and emit each with --variant");
    return STATUS_REFUSED;
}

/* Variants between which a call chooses are in one file, for one compiler and, but for those that ask the processor,
 * one set of instructions. */
static enum status check_dispatched(struct compilation *c)
{
    const struct target_options *target = &c->program->target, *first = c->dispatch->target;
    const bool is_c = strcmp(target->language, "c") == 0;

    if (check_arguments(c) != STATUS_OK)
        return STATUS_REFUSED;
    if (is_c && c->program->when_supported)
        return check_asked(c);
    if (!first)
        c->dispatch->target = target;
    if (is_c && (!first || strcmp(first->simd, target->simd) == 0))
        return STATUS_OK;
    diag_hint(c->diags,
              diag_error(c->diags, "variant", c->program->when ? c->program->when->place : c->program->name_place,
                         "variant `%s` is for %s%s: variants between which a call chooses are C for one set of "
                         "instructions",
                         c->called, is_c ? "simd " : "", is_c ? target->simd : target->language),
              is_c && !processor_unasked(target->simd)
                  ? "give each variant but the last \"when_supported\": true: calls then ask the processor"
                  : "leave \"when\" out, and emit each with --variant");
    return STATUS_REFUSED;
}

/* Without its steps: then temporaries may be larger than their storage allows, which asks for less. */
static void forget_steps(struct program *program)
{
    program->n_schedule = program->n_plan = 0;
    for (int k = 0; k < program->n_array; k++) {
        struct array *array = &program->array[k];
        array->must_window = false;
        if (array->role == ROLE_TEMP &&
            (array->memory == MEMORY_STACK || array->memory == MEMORY_STATIC || array->memory == MEMORY_HEAP))
            array->memory = MEMORY_AUTO;
    }
}

/* What the caller's options change in the program. */
static enum status run_adapt(struct compilation *c)
{
    const char *name = c->p->function_name;

    if (c->p->unscheduled || c->goal->kind == GOAL_WORKLOAD)
        forget_steps(c->program);
    c->program->permit |= c->p->permit;
    program_mark_permits(c->program);
    if (c->size && !c->set)
        c->program->when_supported = NULL;
    if (c->dispatch && !c->dispatch->name)
        name_dispatch(c);
    if (c->dispatch && check_dispatched(c) != STATUS_OK)
        return STATUS_REFUSED;
    if (name && (!name_is_identifier(name) || name_is_reserved(name) || name_is_library_function(name))) {
        diag_error(c->diags, "name", PLACE_NONE, "\"%s\" cannot be the name of a C function", name);
        return STATUS_USAGE;
    }
    if (name)
        c->program->name = c->dispatch ? arena_printf(c->arena, "%s_%s", name, c->called) : arena_copy(c->arena, name);
    together_name_part(c);
    return STATUS_OK;
}

static enum status run_check_bounds(struct compilation *c)
{
    enum status status = program_check_bounds(c->program, c->diags);

    for (int k = 0; k < c->program->n_instruction && status == STATUS_OK; k++)
        status = program_check_accesses(c->program->instruction[k].program, c->diags);
    return status;
}

static enum status run_check_types(struct compilation *c)
{
    enum status status = program_check_types(c->program, c->diags);

    for (int k = 0; k < c->program->n_instruction && status == STATUS_OK; k++)
        status = program_check_types(c->program->instruction[k].program, c->diags);

    return status == STATUS_OK ? program_check_arithmetic(c->program, c->diags) : status;
}

static enum status run_dependences(struct compilation *c)
{
    isl_schedule *isl;

    c->original = order_original(c->arena, c->program);
    if (!c->original)
        return STATUS_ENVIRONMENT;
    isl = order_to_schedule(c->original);
    c->dependences = dependences_compute(c->arena, c->program, isl, (struct interest){0});
    isl_schedule_free(isl);
    return c->dependences ? STATUS_OK : STATUS_ENVIRONMENT;
}

static enum status run_check_initialised(struct compilation *c)
{
    enum status status = ties_check_nests(c->arena, c->dependences, c->diags);

    if (status == STATUS_OK)
        status = check_initialised(c->arena, c->dependences, c->diags);
    if (status == STATUS_OK)
        warn_dead_writes(c->arena, c->dependences, c->diags);
    return status;
}

static enum status run_propose(struct compilation *c)
{
    return auto_is_wanted(c) ? auto_run(c) : STATUS_OK;
}

static const enum show_form show_form[] = {[POLYNEST_LOOPS] = SHOW_LOOPS,
                                           [POLYNEST_TREE] = SHOW_TREE,
                                           [POLYNEST_MAP] = SHOW_MAP,
                                           [POLYNEST_OUTLINE] = SHOW_OUTLINE,
                                           [POLYNEST_CHANGES] = SHOW_CHANGES};

/* Reports for the parameter values that the caller gave: a picture, before the plan or after it, or the workload. */
static enum status at_sizes(struct compilation *c, bool planned, bool legal)
{
    struct text *out = &c->p->result.output;
    const char *text = text_str(&c->p->sizes), *end = text + c->p->sizes.size;
    VEC(struct size) size = {0};

    for (; text < end; text += strlen(text) + 1) {
        const int n = (int)strcspn(text, "=");
        VEC_PUSH(c->arena, &size,
                 ((struct size){arena_printf(c->arena, "%.*s", n, text), strtoll(text + n + 1, NULL, 10)}));
    }
    if (c->goal->kind == GOAL_WORKLOAD)
        return report_workload(c->schedule, size.at, size.n, c->goal->number, out);
    if (!c->pairs)
        c->pairs = ARENA_NEW(c->arena, struct pairs);
    const struct drawing drawing = {.size = size.at,
                                    .n_size = size.n,
                                    .plane = c->p->plane,
                                    .time = c->goal->page ? 0 : c->p->time,
                                    .page = c->goal->page,
                                    .legal = legal,
                                    .pairs = c->pairs};

    return (planned ? report_draw_plan : report_draw)(c->schedule, &drawing, out);
}

static enum status show(struct compilation *c, enum status (*report)(const struct schedule *schedule,
                                                                     const struct showing *showing, struct text *out))
{
    struct slice slice;
    const struct showing showing = {show_form[c->goal->form], c->goal->every_step, c->p->slice ? &slice : NULL};

    if (c->p->slice && !slice_read(c->arena, c->diags, c->p->slice, &slice))
        return STATUS_USAGE;
    return report(c->schedule, &showing, &c->p->result.output);
}

/* What a page tells beside its pictures; what is too much for the budget is left out. */
static void tell_page(struct compilation *c, bool planned, bool legal)
{
    const int reported = c->diags->list.n;
    const size_t size = c->told.size;
    enum status status;

    if (!c->goal->page)
        return;
    status =
        planned ? report_explain_plan(c->schedule, NULL, legal, &c->told) : report_explain(c->schedule, NULL, &c->told);
    if (status == STATUS_OK)
        return;
    text_truncate(&c->told, size);
    diags_forget(c->diags, reported);
}

/* Steps that were applied are not yet the last ones: what only the final order must keep is not asked. */
static bool ends_with_schedule(const struct compilation *c)
{
    return c->goal->kind == GOAL_APPLY && c->program->n_plan == 0;
}

/* A listing shows the steps that could be applied even if a later one is refused. */
static enum status run_schedule(struct compilation *c)
{
    enum status status, shown = STATUS_OK;

    c->schedule = schedule_new(c->arena, c->program, c->dependences, c->original, c->diags);
    status = schedule_apply(c->schedule);
    if (status != STATUS_OK && status != STATUS_REFUSED)
        return status;
    if (c->goal->kind == GOAL_EXPLAIN)
        shown = c->goal->json ? report_explain_json(c->schedule, &c->p->result.output)
                              : report_explain(c->schedule, c->goal->topic, &c->p->result.output);
    if (c->goal->kind == GOAL_DRAW || c->goal->kind == GOAL_WORKLOAD)
        shown = at_sizes(c, false, false);
    tell_page(c, false, false);
    if (c->goal->kind == GOAL_ASK && status == STATUS_OK)
        shown = inquire(c->schedule, c->goal->inquiry, &c->p->result.output);
    c->done = c->goal->kind == GOAL_WORKLOAD || c->goal->kind == GOAL_ASK || ends_with_schedule(c);
    if (c->goal->kind == GOAL_SHOW)
        shown = show(c, report_show);
    return status == STATUS_OK ? shown : status;
}

static enum status run_check_order(struct compilation *c)
{
    return schedule_check(c->schedule);
}

/* What the listing of the schedule goes on with; only the end is shown unless every step is. */
static enum status show_plan(struct compilation *c)
{
    if (!c->goal->every_step)
        text_truncate(&c->p->result.output, 0);
    return show(c, report_show_plan);
}

/* The steps before the one that is refused are drawn. */
static enum status draw_refused_plan(struct compilation *c)
{
    const enum status drawn = c->schedule->n_planned > 0 ? at_sizes(c, true, false) : STATUS_OK;

    return drawn == STATUS_OK ? STATUS_REFUSED : drawn;
}

static enum status run_plan(struct compilation *c)
{
    c->scheduled = c->schedule->program;
    c->before_plan = (struct before_plan){*c->schedule, c->diags->list.n};
    const enum status status = plan_apply(c->schedule);

    c->done = c->goal->kind == GOAL_APPLY;
    return status == STATUS_REFUSED && c->goal->kind == GOAL_DRAW ? draw_refused_plan(c) : status;
}

/* What `show`, `draw` and `explain` print of the plan, which may have been refused. */
static enum status tell_plan(struct compilation *c, bool legal)
{
    if (c->schedule->n_planned == 0)
        return STATUS_OK;
    if (c->goal->kind == GOAL_SHOW)
        return show_plan(c);
    if (c->goal->kind == GOAL_DRAW)
        return at_sizes(c, true, legal);
    if (c->goal->kind == GOAL_EXPLAIN && !c->goal->json)
        return report_explain_plan(c->schedule, c->goal->topic, legal, &c->p->result.output);
    return STATUS_OK;
}

static enum status run_check_plan(struct compilation *c)
{
    const enum status status = privacy_check(c->schedule, &c->before_plan);
    const enum status told = tell_plan(c, status == STATUS_OK);

    tell_page(c, true, status == STATUS_OK);

    c->done = c->goal->kind == GOAL_DRAW && !c->goal->page;
    return status == STATUS_OK ? told : status;
}

static enum status run_contract(struct compilation *c)
{
    const enum status status = branches_divide(c->schedule);

    return status == STATUS_OK ? contract_temporaries(c->schedule, &c->stored, &c->order) : status;
}

static enum status run_device(struct compilation *c)
{
    enum status status = device_place(c->schedule, &c->stored, &c->order);

    if (status == STATUS_OK)
        status = wide_copies(c->schedule, &c->stored, &c->order);
    if (status == STATUS_OK)
        status = ahead_split(c->schedule, &c->stored, &c->order);
    if (status == STATUS_OK)
        c->order = zeros_join(c->arena, c->order);
    if (status == STATUS_OK)
        status = sync_insert(c->schedule, &c->stored, &c->order);
    if (status != STATUS_OK)
        return status;
    if (c->goal->kind == GOAL_EXPLAIN && !c->goal->json && !c->goal->topic)
        report_explain_device(c->schedule, c->order, &c->p->result.output);
    if (c->goal->page)
        report_explain_device(c->schedule, c->order, &c->told);
    return STATUS_OK;
}

static enum status run_lower(struct compilation *c)
{
    const char *dump = c->goal->kind == GOAL_DUMP ? c->goal->stage : "";
    const char *last = pipeline_find(dump) ? dump : NULL;

    if (last && !pipeline_runs(pipeline_find(last), c->stored)) {
        diag_error(c->diags, "stage", PLACE_NONE, "the pass \"%s\" runs for devices only", last);
        return STATUS_USAGE;
    }
    c->vars = vars_of_program(c->scratch, c->stored);
    c->pipeline = (struct pipeline){.arena = c->scratch,
                                    .described = c->program,
                                    .stored = c->stored,
                                    .order = c->order,
                                    .vars = c->vars,
                                    .diags = c->diags,
                                    .last = last,
                                    .dump = last || strcmp(dump, every_pass) == 0 ? &c->p->result.output : NULL};
    if (c->p->dump_name) {
        c->dumped = (struct source){c->p->dump_name, c->p->dump_text, c->p->dump_size};
        const enum status status = pipeline_resume(&c->pipeline, &c->dumped);
        if (status != STATUS_OK)
            return status;
    }
    return pipeline_run(&c->pipeline, SECTION_LOOPS);
}

static enum status run_bodies(struct compilation *c)
{
    c->laid_out = program_lay_out(c->arena, c->stored);
    c->pipeline.laid_out = c->laid_out;
    c->pipeline.reordered = schedule_reordered_updates(c->schedule, c->stored->n_statement);
    return pipeline_run(&c->pipeline, SECTION_BODIES);
}

static enum status run_end(struct compilation *c)
{
    return pipeline_run(&c->pipeline, SECTION_END);
}

static enum status run_flow(struct compilation *c)
{
    const struct node *tree = c->pipeline.tree;
    enum status status = STATUS_OK;

    if (tree)
        status = flow_check(c->scratch, c->program, c->laid_out, c->vars, tree, c->diags, &c->compared);
    if (tree && c->compared == 0)
        c->vars->broken = c->vars->doubted;
    return status;
}

static enum status run_finished(struct compilation *c)
{
    const struct pipeline *p = &c->pipeline;
    const struct node *tree = p->tree ? node_without_pointers(c->scratch, p->tree) : NULL;
    const struct finished_tree finished = {.program = c->stored,
                                           .laid_out = c->laid_out,
                                           .scheduled = c->scheduled,
                                           .proved = p->proved,
                                           .tree = tree,
                                           .vars = c->vars,
                                           .param_least = lower_param_least(c->scratch, c->program)};

    return tree ? finished_prove(c->scratch, &finished, c->diags, &c->proof) : STATUS_OK;
}

static void dump_proof(const struct compilation *c, struct text *out)
{
    if (c->proof)
        finished_dump(out, c->stored, c->proof);
    if (c->compared)
        text_addf(out, "results: as described at %d small size%s\n", c->compared, c->compared == 1 ? "" : "s");
    else
        text_add(out, "results: compared at no size, as each takes too many steps or a step is unsafe\n");
}

static void dump_order(const struct compilation *c, struct text *out)
{
    order_dump(out, c->schedule->order, 0);
}

static void dump_tree(const struct compilation *c, struct text *out)
{
    if (c->pipeline.tree)
        node_dump(out, c->pipeline.tree, 0);
}

static void dump_program(const struct compilation *c, struct text *out)
{
    program_dump(out, c->program);
}

static void dump_source(const struct compilation *c, struct text *out)
{
    text_add(out, text_str(&c->p->result.source));
}

/* The passes have dumped themselves. */
static void dump_nothing(const struct compilation *c, struct text *out)
{
    (void)c;
    (void)out;
}

const struct stage stages[] = {
    {"reading the description", run_read, NULL, NULL},
    {"adapting the program", run_adapt, "program", dump_program},
    {"checking the bounds", run_check_bounds, NULL, NULL},
    {"checking the types", run_check_types, NULL, NULL},
    {"computing the dependences", run_dependences, NULL, NULL},
    {"checking the initialisation", run_check_initialised, NULL, NULL},
    {"proposing steps", run_propose, NULL, NULL},
    {"applying the schedule", run_schedule, "order", dump_order},
    {"checking the order", run_check_order, NULL, NULL},
    {"applying the plan", run_plan, NULL, NULL},
    {"checking the plan", run_check_plan, NULL, NULL},
    {"contracting temporaries", run_contract, NULL, NULL},
    {"placing arrays and barriers", run_device, NULL, NULL},
    {"lowering", run_lower, "tree", dump_tree},
    {"making the bodies", run_bodies, NULL, NULL},
    {"laying out the grid", run_end, every_pass, dump_nothing},
    {"proving the finished tree", run_finished, NULL, NULL},
    {"following the values", run_flow, "proof", dump_proof},
    {"printing", stage_print, "c", dump_source},
};

const int n_stages = (int)(sizeof(stages) / sizeof(stages[0]));
