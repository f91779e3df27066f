#include "sched/schedule.h"

#include "dep/compare.h"
#include "dep/live_range.h"
#include "dep/meeting.h"
#include "poly/context.h"
#include "poly/keep.h"
#include "sched/specialise.h"

static void add_members(const struct order *order, bool *member)
{
    if (order->kind == ORDER_LEAF)
        member[order->statement->index] = true;
    for (int k = 0; k < order->n_child; k++)
        add_members(order->child[k], member);
}

const bool *schedule_group(const struct schedule *schedule, const char *name)
{
    for (int k = schedule->groups.n - 1; k >= 0; k--)
        if (strcmp(schedule->groups.at[k].name, name) == 0)
            return schedule->groups.at[k].member;
    return NULL;
}

const bool *schedule_divided(const struct schedule *schedule, const char *name)
{
    for (int k = 0; k < schedule->groups.n; k++)
        if (schedule->groups.at[k].divided && strcmp(schedule->groups.at[k].name, name) == 0)
            return schedule->groups.at[k].member;
    return NULL;
}

void schedule_add_group(struct schedule *schedule, const char *name, const struct order *order)
{
    bool *member = ARENA_ARRAY(schedule->arena, schedule->program->n_statement + 1, bool);

    add_members(order, member);
    VEC_PUSH(schedule->arena, &schedule->groups, ((struct group){name, member, false}));
}

static bool has_all(const bool *member, const bool *wanted, int n)
{
    for (int s = 0; s < n; s++)
        if (wanted[s] && !member[s])
            return false;
    return true;
}

static const bool *with_moved(struct schedule *schedule, const bool *member, const bool *moved, bool joins)
{
    const int n = schedule->program->n_statement;
    bool *after = ARENA_ARRAY(schedule->arena, n + 1, bool), any = false;

    for (int s = 0; s < n; s++) {
        after[s] = moved[s] ? joins : member[s];
        any = any || after[s];
    }
    return any ? after : member;
}

void schedule_move_members(struct schedule *schedule, const bool *moved, const struct order *into)
{
    const int n = schedule->program->n_statement;
    bool *below = ARENA_ARRAY(schedule->arena, n + 1, bool);

    add_members(into, below);
    for (int k = 0; k < schedule->groups.n; k++) {
        struct group *group = &schedule->groups.at[k];
        group->member = with_moved(schedule, group->member, moved, has_all(group->member, below, n));
    }
}

void schedule_set_dependences(struct schedule *schedule, const struct dependences *dependences)
{
    struct lazy_dependences *lazy = ARENA_NEW(schedule->arena, struct lazy_dependences);

    lazy->all = dependences;
    schedule->lazy = lazy;
}

/* Less what is waived. */
static const struct dependences *computed(const struct schedule *schedule, struct interest interest)
{
    isl_schedule *isl = order_to_schedule(schedule->original);
    const struct dependences *dependences = dependences_compute(schedule->arena, schedule->program, isl, interest);

    isl_schedule_free(isl);
    if (dependences && schedule->waived)
        dependences = dependences_without(schedule->arena, dependences, isl_union_map_copy(schedule->waived));
    return dependences;
}

/* What is answered after an isl error, which the stage reports when it ends. */
static const struct dependences *no_answer(const struct schedule *schedule)
{
    struct dependences *none = ARENA_NEW(schedule->arena, struct dependences);

    none->program = schedule->program;
    return none;
}

const struct dependences *schedule_dependences(const struct schedule *schedule)
{
    struct lazy_dependences *lazy = schedule->lazy;

    if (!lazy->all)
        lazy->all = computed(schedule, (struct interest){0});
    return lazy->all ? lazy->all : no_answer(schedule);
}

const struct dependences *schedule_dependences_of(const struct schedule *schedule, const struct array *array)
{
    struct lazy_dependences *lazy = schedule->lazy;

    if (lazy->all)
        return lazy->all;
    if (lazy->array != array)
        lazy->one = NULL;
    lazy->array = array;
    if (!lazy->one)
        lazy->one = computed(schedule, (struct interest){.array = array});
    return lazy->one ? lazy->one : no_answer(schedule);
}

const struct dependences *schedule_dependences_from(const struct schedule *schedule, const struct statement *statement)
{
    const struct dependences *some = schedule->lazy->all;

    if (!some)
        some = computed(schedule, (struct interest){.from = statement});
    return some ? some : no_answer(schedule);
}

const struct dependences *schedule_dependences_among(const struct schedule *schedule, const bool *member)
{
    const struct dependences *dependences = computed(schedule, (struct interest){.among = member});

    return dependences ? dependences : no_answer(schedule);
}

struct meetings *schedule_meetings(const struct schedule *schedule)
{
    struct lazy_dependences *lazy = schedule->lazy;

    if (!lazy->meetings)
        lazy->meetings = meetings_new(schedule->arena, schedule->program);
    return lazy->meetings;
}

static void add_nests(struct schedule *schedule)
{
    const struct program *program = schedule->program;

    for (int k = 0; k < program->n_nest; k++) {
        bool *member = ARENA_ARRAY(schedule->arena, program->n_statement + 1, bool);
        for (int s = 0; s < program->nest[k].n_statement; s++)
            member[program->nest[k].first_statement + s] = true;
        VEC_PUSH(schedule->arena, &schedule->groups, ((struct group){program->nest[k].name, member, false}));
    }
}

/* How it is after the steps so far. */
static void remember(struct schedule *schedule)
{
    schedule->history[schedule->n_step] = schedule->order;
    schedule->applied[schedule->n_step] =
        (struct applied){schedule->program, schedule->original, schedule->waived, schedule->lazy};
}

struct schedule schedule_as_after(const struct schedule *schedule, int n_step)
{
    const struct applied *applied = &schedule->applied[n_step];
    struct schedule then = *schedule;

    then.n_step = n_step;
    then.order = schedule->history[n_step];
    then.program = applied->program;
    then.original = applied->original;
    then.waived = applied->waived;
    then.lazy = applied->lazy;
    return then;
}

struct schedule *schedule_new(struct arena *arena, const struct program *program, const struct dependences *dependences,
                              const struct order *original, struct diags *diags)
{
    struct schedule *schedule = ARENA_NEW(arena, struct schedule);

    schedule->arena = arena;
    schedule->program = program;
    schedule->diags = diags;
    schedule->original = original;
    schedule->order = original;
    schedule_set_dependences(schedule, dependences);
    schedule->history = ARENA_ARRAY(arena, program->n_schedule + 1, const struct order *);
    schedule->applied = ARENA_ARRAY(arena, program->n_schedule + 1, struct applied);
    remember(schedule);
    schedule->loop_ids = order_largest_id(original);
    add_nests(schedule);
    return schedule;
}

void schedule_waive(struct schedule *schedule, __isl_take isl_union_map *pairs)
{
    if (schedule->waived)
        pairs = isl_union_map_union(pairs, isl_union_map_copy(schedule->waived));
    schedule->waived = poly_keep_union_map(schedule->arena, pairs);
    schedule_set_dependences(schedule, NULL);
}

/* Leaves out of the required dependences what this step breaks and what was not broken before it. */
static void waive(struct schedule *schedule)
{
    const struct dependences *dependences = schedule_dependences(schedule);
    isl_schedule *before = order_to_schedule(schedule->history[schedule->n_step]);
    isl_schedule *after = order_to_schedule(schedule->order);
    isl_union_map *broken = live_range_violated(dependences, after);

    broken = isl_union_map_subtract(broken, live_range_violated(dependences, before));
    schedule_waive(schedule, isl_union_map_copy(broken));
    schedule_set_dependences(schedule, dependences_without(schedule->arena, dependences, broken));
    isl_schedule_free(before);
    isl_schedule_free(after);
}

static enum status apply_step(struct schedule *schedule, const struct step *step)
{
    const enum status status = step->primitive->apply(schedule, step);

    if (status != STATUS_OK)
        return status;
    if (step->unsafe)
        waive(schedule);
    schedule->n_step++;
    remember(schedule);
    return STATUS_OK;
}

enum status schedule_step_end(struct schedule *schedule, const struct step *step, const char *list)
{
    struct text stage = {0};
    enum status status;

    text_addf(&stage, "step %d of the %s: ", step->number, list);
    step_print(&stage, step);
    status = poly_end_at(schedule->program->ctx, schedule->diags, step->place, text_str(&stage),
                         "fewer steps before this one, and constants in the place of parameters, leave it less to "
                         "prove");
    text_free(&stage);
    return status;
}

enum status schedule_apply(struct schedule *schedule)
{
    const struct program *program = schedule->program;

    for (int k = 0; k < program->n_schedule; k++) {
        const int reported = schedule->diags->list.n;
        enum status status;
        poly_begin(program->ctx);
        status = apply_step(schedule, &program->schedule[k]);
        if (status == STATUS_REFUSED && !poly_budget_spent(program->ctx))
            return status;
        if (status == STATUS_REFUSED)
            diags_forget(schedule->diags, reported);
        status = schedule_step_end(schedule, &program->schedule[k], "schedule");
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* The smallest violation whose instances were in order before the step, if there is one. */
static void narrow(const struct schedule *schedule, int step, struct violation *violation)
{
    const struct dependences *dependences = schedule_dependences(schedule);
    isl_schedule *before = order_to_schedule(schedule->history[step - 1]);
    isl_schedule *after = order_to_schedule(schedule->order);
    isl_union_map *swapped = live_range_violated(dependences, after);
    struct violation own;

    swapped = isl_union_map_subtract(swapped, legal_violated(dependences, before));
    if (legal_find_among(schedule->arena, dependences, swapped, &own))
        *violation = own;
    isl_union_map_free(swapped);
    isl_schedule_free(before);
    isl_schedule_free(after);
}

const struct step *schedule_guilty_step(const struct schedule *schedule, struct violation *violation)
{
    const struct dependences *dependences = schedule_dependences(schedule);

    for (int k = schedule->n_step; k > 0; k--) {
        isl_schedule *before = order_to_schedule(schedule->history[k - 1]);
        const bool broken = live_range_violates(dependences, violation, before);
        const bool swapped = broken || legal_swaps(violation, before);
        isl_schedule_free(before);
        if (broken)
            continue;
        if (swapped)
            narrow(schedule, k, violation);
        return &schedule->program->schedule[k - 1];
    }
    return NULL;
}

static void explain_element(struct schedule *schedule, struct diag *diag, const struct violation *violation)
{
    struct text reason = {0};

    violation_print_reason(&reason, schedule->arena, schedule->program, violation);
    diag_note(schedule->diags, diag, violation->dependence->to->statement->place, "%s", text_str(&reason));
    text_free(&reason);
}

/* An unfused loop around a fusing loop, outermost first; NULL when there is none. */
static const struct order *unfused_around(const struct order *node, const struct order *unfused,
                                          const struct order **fusing)
{
    const struct order *found = NULL;

    if (node->kind == ORDER_LOOP && node->info->role == ROLE_FUSING && unfused) {
        *fusing = node;
        return unfused;
    }
    if (node->kind == ORDER_LOOP && node->info->role == ROLE_UNFUSED && !unfused)
        unfused = node;
    for (int k = 0; k < node->n_child && !found; k++)
        found = unfused_around(node->child[k], unfused, fusing);
    return found;
}

static bool suggest_fusing(struct schedule *schedule, struct diag *diag, const struct step *step)
{
    const struct order *fusing;
    const struct order *unfused = unfused_around(schedule->order, NULL, &fusing);

    if (strcmp(step->primitive->name, "fuse") == 0)
        diag_hint(schedule->diags, diag, "pad or shift a schedule before the fusion, or fuse fewer loops (`partial`)");
    else if (strcmp(step->primitive->name, "reorder") == 0 && unfused)
        diag_hint(schedule->diags, diag, "keep the fusing loop `%s` outside the unfused loop `%s`", fusing->info->name,
                  unfused->info->name);
    else
        return false;
    return true;
}

static void report(struct schedule *schedule, struct violation *violation)
{
    const struct step *step = schedule_guilty_step(schedule, violation);
    const struct dependence *dependence = violation->dependence;
    struct text what = {0}, earlier = {0}, later = {0};
    struct diag *diag;

    if (step)
        step_print(&what, step);
    violation_print_instance(&earlier, dependence->from->statement, violation->earlier);
    violation_print_instance(&later, dependence->to->statement, violation->later);
    diag = diag_error(schedule->diags, "order", step ? step->place : dependence->to->statement->place,
                      "%s%sillegal order: %s must run before %s, but runs %s", text_str(&what), step ? ": " : "",
                      text_str(&earlier), text_str(&later), "after it or at the same time");
    explain_element(schedule, diag, violation);
    if (!step || !suggest_fusing(schedule, diag, step))
        diag_hint(schedule->diags, diag, "%s", violation_advice(schedule->arena, violation));
    text_free(&what);
    text_free(&earlier);
    text_free(&later);
}

/* Of the last step; without one that of the program. */
static struct place last_place(const struct schedule *schedule)
{
    const struct program *program = schedule->program;

    return program->n_schedule ? program->schedule[program->n_schedule - 1].place : program->name_place;
}

enum status schedule_check(struct schedule *schedule)
{
    isl_ctx *ctx = schedule->program->ctx;
    struct violation violation;
    isl_schedule *isl;
    enum status status;
    bool found;

    poly_begin(ctx);
    isl = order_to_schedule(order_specialise(schedule->arena, schedule->program, schedule->order));
    found = schedule->n_step > 0 &&
            live_range_find_violation(schedule->arena, schedule_dependences(schedule), isl, &violation);
    isl_schedule_free(isl);
    status = poly_end_at(ctx, schedule->diags, last_place(schedule), "checking the order",
                         "fewer steps, and constants in the place of parameters, leave it less to prove");
    if (status != STATUS_OK || !found)
        return status;
    report(schedule, &violation);
    return STATUS_REFUSED;
}

/* Marks the statements whose updates are not in the original order. */
static void mark_reordered(const struct schedule *schedule, bool *reordered)
{
    const struct dependences *dependences = schedule_dependences(schedule);
    isl_schedule *isl = order_to_schedule(schedule->order);

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        isl_union_map *changed;
        if (!dependence->reduction || type_is_float(dependence->from->array->type))
            continue;
        changed = pairs_not_before(isl, isl_union_map_from_map(isl_map_copy(dependence->map)));
        if (isl_union_map_is_empty(changed) != isl_bool_true)
            reordered[dependence->from->statement->index] = reordered[dependence->to->statement->index] = true;
        isl_union_map_free(changed);
    }
    isl_schedule_free(isl);
}

const bool *schedule_reordered_updates(const struct schedule *schedule, int n)
{
    bool *reordered = ARENA_ARRAY(schedule->arena, n + 1, bool);

    for (int s = 0; s < schedule->program->n_statement; s++)
        reordered[s] = schedule->program->statement[s]->regrouped;
    if (schedule->order != schedule->original)
        mark_reordered(schedule, reordered);
    return reordered;
}

const char *schedule_repetitions(const struct schedule *schedule)
{
    const char *text = NULL;

    for (int k = 0; k < schedule->repetitions.n; k++) {
        struct text line = {0};
        if (repetition_print(&line, schedule->arena, schedule->program, &schedule->repetitions.at[k]))
            text = arena_printf(schedule->arena, "%s%s%s", text ? text : "", text ? "; " : "", text_str(&line));
        text_free(&line);
    }
    return text;
}
