#include "plan/privacy.h"

#include "plan/check/check.h"
#include "plan/lane_strips.h"
#include "plan/plan.h"
#include "program/storage/grow.h"

#include <string.h>

extern const struct primitive primitive_privatize;

/* A step that the user did not write. */
struct given {
    const char *array;       /* the temporary, as it was before the plan */
    const char *own;         /* what that of the loop's iterations is called */
    int loop;                /* the identity of the loop */
    const struct step *user; /* the step that asks for it */
    bool run;                /* the loop is collapsed, and its iterations go to blocks in runs */
    struct step step;
};

struct privacy {
    struct schedule *schedule;
    const struct before_plan *before;
    VEC(struct given) given;
};

/* A statement from before the plan, in the loop or elsewhere. */
struct search {
    const struct program *program; /* before the plan */
    int loop;
    const struct loop_info *uncut; /* other pieces of this one are the loop, too; NULL: none */
    const char *array;             /* that the statement uses; NULL: whatever it does */
    bool inside;
};

static const struct statement *find_statement(const struct search *search, const struct order *order, bool inside)
{
    const struct statement *found = NULL;

    inside = inside || (order->kind == ORDER_LOOP &&
                        (order->info->id == search->loop || (search->uncut && order->info->uncut == search->uncut)));
    if (order->kind == ORDER_LEAF && inside == search->inside)
        found = program_statement(search->program, order->statement->label);
    if (found && search->array && !statement_uses_array(found, program_array(search->program, search->array)))
        found = NULL;
    for (int k = 0; k < order->n_child && !found; k++)
        found = find_statement(search, order->child[k], inside);
    return found;
}

struct step privacy_step(struct arena *arena, const char *array, const char *loop, const char *own, struct place place)
{
    const char *const key[] = {"privatize", "at", "as"}, *const text[] = {array, loop, own};
    struct value *object = ARENA_NEW(arena, struct value);

    *object = (struct value){.kind = VALUE_OBJECT, .place = place, .n_item = own ? 3 : 2};
    object->key = ARENA_ARRAY(arena, object->n_item, const char *);
    object->key_place = ARENA_ARRAY(arena, object->n_item, struct place);
    object->item = ARENA_ARRAY(arena, object->n_item, struct value);
    for (int k = 0; k < object->n_item; k++) {
        object->key[k] = key[k];
        object->key_place[k] = place;
        object->item[k] = (struct value){.kind = VALUE_STRING, .place = place, .string = text[k]};
    }
    return (struct step){.primitive = &primitive_privatize, .place = place, .value = object};
}

/* Is there another loop of the name? */
static bool has_namesake(const struct order *order, const struct loop_info *loop)
{
    bool has = order->kind == ORDER_LOOP && order->info->id != loop->id && strcmp(order->info->name, loop->name) == 0;

    for (int k = 0; k < order->n_child && !has; k++)
        has = has_namesake(order->child[k], loop);
    return has;
}

/* The first of the loops that are one collapsed loop with this one; of another loop itself. */
static const struct loop_info *head_of(const struct order *order, const struct loop_info *loop,
                                       const struct loop_info *head)
{
    const struct loop_info *found = NULL;

    if (order->kind == ORDER_LOOP && order->info->tuple >= 0)
        head = order->info;
    if (order->kind == ORDER_LOOP && order->info->id == loop->id)
        return head;
    for (int k = 0; k < order->n_child && !found; k++)
        found = head_of(order->child[k], loop, head);
    return found;
}

/* The loop as a step names it; NULL: the plan made all statements in it. */
static const char *loop_text(const struct privacy *privacy, const struct loop_info *loop)
{
    const struct schedule *before = &privacy->before->schedule;
    const struct search search = {.program = before->program, .loop = loop->id, .inside = true};
    const struct statement *statement = find_statement(&search, before->order, false);

    if (statement)
        loop = head_of(before->order, loop, loop);
    if (!statement || !has_namesake(before->order, loop))
        return statement ? loop->name : NULL;
    return arena_printf(privacy->schedule->arena, "%s.%s", statement->label, loop->name);
}

static bool has_runs(const struct privacy *privacy, const struct loop_info *loop)
{
    const struct loop_info *head = head_of(privacy->before->schedule.order, loop, loop);

    return loop->run > 0 || (head && head->run > 0);
}

/* A name for what iterations have for themselves, where other loops use the array, too; else the array's own. */
static const char *own_name(const struct privacy *privacy, const char *array, const struct loop_info *loop)
{
    const struct program *program = privacy->before->schedule.program;
    const struct search search = {.program = program, .loop = loop->id, .uncut = loop->uncut, .array = array};
    const char **taken = ARENA_ARRAY(privacy->schedule->arena, privacy->given.n + 1, const char *);

    if (!find_statement(&search, privacy->before->schedule.order, false))
        return array;
    for (int k = 0; k < privacy->given.n; k++)
        taken[k] = privacy->given.at[k].own;
    return program_default_name(privacy->schedule->arena, program, array, taken, privacy->given.n);
}

static bool is_inside(const struct order *order, int loop, int outer)
{
    const struct order *around = order_find(order, outer);

    return loop != outer && around && order_find(around, loop);
}

/* A step that gives the array, by that name or the one that it has from then on, to iterations of a loop around. */
static struct given *given_around(const struct privacy *privacy, const char *name, const struct loop_info *loop)
{
    for (int k = 0; k < privacy->given.n; k++)
        if ((strcmp(privacy->given.at[k].own, name) == 0 || strcmp(privacy->given.at[k].array, name) == 0) &&
            is_inside(privacy->before->schedule.order, loop->id, privacy->given.at[k].loop))
            return &privacy->given.at[k];
    return NULL;
}

static bool is_given(const struct privacy *privacy, const char *array, const struct loop_info *loop)
{
    for (int k = 0; k < privacy->given.n; k++)
        if (strcmp(privacy->given.at[k].array, array) == 0 && privacy->given.at[k].loop == loop->id)
            return true;
    return false;
}

/* Adds a step for what is missing, or moves that of a loop around further in. False: nothing is known to help. */
static bool give(struct privacy *privacy, const char *array, const struct missing *missing)
{
    struct arena *arena = privacy->schedule->arena;
    struct given *around = given_around(privacy, array, missing->loop);
    const char *loop = loop_text(privacy, missing->loop);
    struct given given = {.array = around ? around->array : array,
                          .loop = missing->loop->id,
                          .user = missing->step,
                          .run = has_runs(privacy, missing->loop)};
    const struct array *temp = program_array(privacy->before->schedule.program, given.array);

    if (!loop || !temp || temp->full_storage || is_given(privacy, given.array, missing->loop))
        return false;
    given.own = around ? around->own : own_name(privacy, array, missing->loop);
    if (around)
        given.user = around->user;
    given.step = privacy_step(arena, given.array, loop, given.own == given.array ? NULL : given.own, given.user->place);
    if (around)
        *around = given;
    else
        VEC_PUSH(arena, &privacy->given, given);
    return true;
}

/* False: nothing of it helps. */
static bool give_any(struct privacy *privacy, const missing_vec *missing)
{
    bool any = false;

    for (int m = 0; m < missing->n; m++)
        for (int k = 0; k < missing->at[m].n; k++)
            any |= give(privacy, missing->at[m].array[k]->name, &missing->at[m]);
    return any;
}

/* How many of the user's steps stand before the given one: those before the step that asks for it, and all up to the
 * last `jam`, whose copies get elements of a temporary only while they share it, or, for a loop in runs, `bind`, which
 * decides which thread has which iterations of a run. */
static int steps_before(const struct program *program, const struct given *given)
{
    int n = 0;

    while (n < program->n_plan && program->plan[n].number != given->user->number)
        n++;
    for (int k = n + 1; k < program->n_plan; k++)
        if (step_int(&program->plan[k], "jam", 0))
            n = k + 1;
    for (int k = n; k < program->n_plan && given->run; k++)
        if (strcmp(program->plan[k].primitive->name, "bind") == 0)
            n = k + 1;
    return n;
}

/* The program before the plan, with these steps in its plan. */
static const struct program *with_steps(const struct privacy *privacy)
{
    const struct program *before = privacy->before->schedule.program;
    struct arena *arena = privacy->schedule->arena;
    struct program *program = ARENA_NEW(arena, struct program);

    *program = *before;
    program->plan = ARENA_ARRAY(arena, before->n_plan + privacy->given.n, struct step);
    program->n_plan = 0;
    for (int k = 0; k <= before->n_plan; k++) {
        for (int g = 0; g < privacy->given.n; g++)
            if (steps_before(before, &privacy->given.at[g]) == k)
                program->plan[program->n_plan++] = privacy->given.at[g].step;
        if (k < before->n_plan)
            program->plan[program->n_plan++] = before->plan[k];
    }
    return program;
}

static enum status plan_again(const struct privacy *privacy, const struct program *program)
{
    struct schedule *schedule = privacy->schedule;

    diags_forget(schedule->diags, privacy->before->reported);
    *schedule = privacy->before->schedule;
    schedule->program = program;
    return plan_apply(schedule);
}

/* Was it a step of the user's that was refused? */
static bool is_users(const struct schedule *schedule)
{
    const struct program *program = schedule->program;

    return schedule->n_planned >= program->n_plan || program->plan[schedule->n_planned].number > 0;
}

/* Without steps of its own, the last of which was refused: that is told below what the user's steps are refused for. */
static enum status check_alone(const struct privacy *privacy)
{
    const struct diags *diags = privacy->schedule->diags;
    const struct diag *reason = diags->list.at[diags->list.n - 1];
    enum status status;

    plan_again(privacy, privacy->before->schedule.program);
    status = plan_check(privacy->schedule, NULL);
    if (status == STATUS_REFUSED && reason->severity == SEVERITY_ERROR)
        diag_note(privacy->schedule->diags, diags->list.at[diags->list.n - 1], reason->place,
                  "iterations cannot have temporaries for themselves: %s", reason->message);
    return status;
}

/* Gives iterations what they need for themselves, until no loop is refused for it. */
static enum status check(struct schedule *schedule, const struct before_plan *before)
{
    struct privacy privacy = {.schedule = schedule, .before = before};
    missing_vec missing = {0};
    int reported = schedule->diags->list.n;
    enum status status = plan_check(schedule, &missing);

    while (status == STATUS_REFUSED && missing.n > 0) {
        if (!give_any(&privacy, &missing)) {
            diags_forget(schedule->diags, reported);
            return plan_check(schedule, NULL);
        }
        missing.n = 0;
        status = plan_again(&privacy, with_steps(&privacy));
        reported = schedule->diags->list.n;
        if (status == STATUS_OK)
            status = plan_check(schedule, &missing);
        else if (!is_users(schedule))
            return check_alone(&privacy);
    }
    return status;
}

/* The plan that was found right again, with strips. */
static enum status check_strips(struct schedule *schedule, const struct before_plan *before)
{
    diags_forget(schedule->diags, before->reported);
    *schedule = before->schedule;
    return plan_apply(schedule) == STATUS_OK ? check(schedule, before) : STATUS_REFUSED;
}

enum status privacy_check(struct schedule *schedule, const struct before_plan *before)
{
    const enum status status = check(schedule, before);
    const struct schedule found = *schedule;
    const int reported = schedule->diags->list.n;
    struct before_plan strips = *before;

    if (status != STATUS_OK)
        return status;
    if (!lane_strips(schedule, &strips.schedule))
        diags_forget(schedule->diags, reported);
    else if (check_strips(schedule, &strips) != STATUS_OK) {
        diags_forget(schedule->diags, before->reported);
        *schedule = found;
    }
    return STATUS_OK;
}
