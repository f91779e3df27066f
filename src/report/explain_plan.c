/* What the plan makes of loops and arrays, and why that is legal. */
#include "report/explain_parts.h"

#include "base/names.h"
#include "caps/gpu.h"
#include "plan/check/clause.h"
#include "plan/loop_plan.h"

#include <stdlib.h>

/* What is told: about a step of the plan, a buffer or a loop. */
struct telling {
    const struct schedule *schedule;
    const struct step *step; /* only what this one did; NULL: whatever step */
    const char *loop;        /* only what is about loops of this name; NULL: whatever loop */
    const bool *member;      /* of those, the ones around one of these statements; NULL: all but those of copies */
    bool legal;              /* the plan was checked, and nothing was refused */
    struct text *out;
    VEC(int) seen; /* identities of loops */
};

static void print_step(const struct telling *telling, const struct step *step)
{
    if (telling->step)
        return;
    text_addf(telling->out, ", by plan %d: ", step->number);
    step_print(telling->out, step);
}

/* `jj`, of a copy `Bp.jj` */
static const char *name_of(const struct telling *telling, const struct order *loop)
{
    const struct order *leaf = loop;

    while (leaf->n_child > 0)
        leaf = leaf->child[0];
    if (!loop->info->is_copy || leaf->kind != ORDER_LEAF || !leaf->statement->copies)
        return loop->info->name;
    return arena_printf(telling->schedule->arena, "%s.%s", leaf->statement->copies, loop->info->name);
}

/* Once the check has passed: what it proved, or that `unsafe` took its place. */
static void print_legal(const struct telling *telling, const struct step *step, const char *reason)
{
    if (step->unsafe)
        text_addf(telling->out, "    unsafe, because \"%s\": what it breaks counts as permitted\n", step->unsafe);
    else if (telling->legal)
        text_addf(telling->out, "    legal: %s\n", reason);
}

static bool is_asked(const struct telling *telling, const struct step *step)
{
    return step && (!telling->step || telling->step == step);
}

static const char *quantity(struct arena *arena, const char *before, int64_t n, const char *what)
{
    return n ? arena_printf(arena, "%s%lld %s", before, (long long)n, what) : "";
}

/* What the iterations are to a matrix instruction, or to one that sums up products in lanes; NULL: nothing. */
static const char *part_of_instruction(const struct loop_plan *plan)
{
    static const char *const parts[] = {NULL, "the rows of a tile", "the columns of a tile",
                                        "what is summed up in a tile", "the products of a group of a tile"};

    return plan->dot_step ? "products of a lane" : parts[plan->tensor];
}

static void print_unrolled(const struct telling *telling, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;
    const bool jams = step_int(plan->unroll_step, "jam", 0);
    const char *part = plan->unroll_step == plan->tensor_step || plan->unroll_step == plan->dot_step
                           ? part_of_instruction(plan)
                           : NULL;

    text_addf(telling->out, "  %s: ", name_of(telling, loop));
    if (plan->unroll == UNROLL_HINT)
        text_addf(telling->out, "left to the compiler to unroll%s",
                  quantity(telling->schedule->arena, ", ", plan->hint, "iterations at a time"));
    else if (part)
        text_addf(telling->out, "its iterations are %s, which one instruction computes", part);
    else
        text_add(telling->out, "its iterations are written out one after the other");
    print_step(telling, plan->unroll_step);
    text_char(telling->out, '\n');
    print_legal(telling, plan->unroll_step,
                part ? "that is what the instruction does, in an order, and with a rounding, that is free or permitted"
                : jams ? "every dependence is kept when its iterations run inside of the loops below"
                       : "they stay in their order");
}

static void print_vector(const struct telling *telling, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    text_addf(telling->out, "  %s: its iterations are lanes of vectors%s", name_of(telling, loop),
              quantity(telling->schedule->arena, ", ", plan->lanes, "in each"));
    print_step(telling, plan->vector_step);
    text_char(telling->out, '\n');
    print_legal(telling, plan->vector_step,
                "no lane reads or overwrites what another one writes, statement after statement");
}

static void print_independent(const struct telling *telling, const struct order *loop)
{
    text_addf(telling->out, "  %s: the compiler is told that its iterations may be lanes", name_of(telling, loop));
    print_step(telling, loop->info->plan->independent_step);
    text_char(telling->out, '\n');
    print_legal(telling, loop->info->plan->independent_step, "no lane reads or overwrites what another one writes");
}

static bool belongs_to(const struct program *program, const struct array *array, const struct order *loop)
{
    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++)
            if (program->statement[s]->access[k].array == array && !order_has(loop, program->statement[s]))
                return false;
    return true;
}

/* ", with `j`": the other loops of one parallel loop. */
static void print_inner(const struct telling *telling, const struct order *loop)
{
    const int n = loop->info->plan->parallel;
    bool first = true;

    for (int k = 1; k < n; k++) {
        loop = loop->child[0];
        if (loop->info->tuple < 0)
            continue;
        text_addf(telling->out, "%s `%s`", first ? ", together with" : " and", loop->info->name);
        first = false;
    }
}

static void print_own_buffers(const struct telling *telling, const struct order *loop)
{
    const struct schedule *schedule = telling->schedule;
    const char *separator = "    each thread has its own ";

    for (int k = 0; k < schedule->cached.n; k++) {
        const char *name = schedule->cached.at[k].name;
        const struct array *buffer = name ? program_array(schedule->program, name) : NULL;
        if (!buffer || !belongs_to(schedule->program, buffer, loop))
            continue;
        text_addf(telling->out, "%s%s", separator, name);
        separator = ", ";
    }
    if (separator[0] == ',')
        text_char(telling->out, '\n');
}

static bool has_clause(const struct telling *telling, const struct order *loop)
{
    const struct program *program = telling->schedule->program;

    for (int s = 0; s < program->n_statement; s++)
        if (order_has(loop, program->statement[s]) && statement_has_clause(program->statement[s]))
            return true;
    return false;
}

static void print_parallel(const struct telling *telling, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    text_addf(telling->out, "  %s: its iterations are dealt out to threads", name_of(telling, loop));
    print_inner(telling, loop);
    if (plan->doacross)
        text_add(telling->out, ", where each waits for the one before");
    print_step(telling, plan->parallel_step);
    text_char(telling->out, '\n');
    print_legal(telling, plan->parallel_step,
                plan->doacross              ? "what they carry goes to the same iteration inside, or to later ones"
                : has_clause(telling, loop) ? "they carry no dependence but that of a sum, which has partial results"
                                            : "they carry no dependence");
    print_own_buffers(telling, loop);
}

static void print_bound(const struct telling *telling, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    text_addf(telling->out, "  %s: its iterations are positions of %s", name_of(telling, loop), axis_name(plan->axis));
    print_step(telling, plan->bind_step);
    text_char(telling->out, '\n');
    print_legal(telling, plan->bind_step, "they carry no dependence");
}

/* The outermost loop that an instruction of the description's stands for. */
static void print_text(const struct telling *telling, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    text_addf(telling->out, "  %s: where all iterations are there, the text of %s computes it", name_of(telling, loop),
              step_string(plan->text_step, "with", ""));
    print_step(telling, plan->text_step);
    text_char(telling->out, '\n');
    print_legal(telling, plan->text_step, "its loops and statements are the nest of that, on operands of its own");
}

static void print_loop(struct telling *telling, const struct order *loop)
{
    const struct loop_plan *plan = loop->info->plan;

    for (int k = 0; k < telling->seen.n; k++)
        if (telling->seen.at[k] == loop->info->id)
            return;
    VEC_PUSH(telling->schedule->arena, &telling->seen, loop->info->id);
    if (plan->unroll != UNROLL_NONE && is_asked(telling, plan->unroll_step))
        print_unrolled(telling, loop);
    if (plan->vector && is_asked(telling, plan->vector_step))
        print_vector(telling, loop);
    if (plan->independent_step && is_asked(telling, plan->independent_step))
        print_independent(telling, loop);
    if (plan->parallel > 0 && is_asked(telling, plan->parallel_step))
        print_parallel(telling, loop);
    if (plan->axis != AXIS_NONE && is_asked(telling, plan->bind_step))
        print_bound(telling, loop);
    if (plan->text_place == 1 && is_asked(telling, plan->text_step))
        print_text(telling, loop);
}

static bool is_member(const struct telling *telling, const struct order *loop)
{
    const struct program *program = telling->schedule->program;

    if (!telling->loop)
        return true;
    if (strcmp(loop->info->name, telling->loop) != 0)
        return false;
    for (int s = 0; telling->member && s < program->n_statement; s++)
        if (telling->member[s] && order_has(loop, program->statement[s]))
            return true;
    return !telling->member && !loop->info->is_copy;
}

static void walk(struct telling *telling, const struct order *order)
{
    if (order->kind == ORDER_LOOP && order->info->plan && order->info->follows == 0 && is_member(telling, order))
        print_loop(telling, order);
    for (int k = 0; k < order->n_child; k++)
        walk(telling, order->child[k]);
}

static const char *reason_of(const struct schedule *schedule, const struct cached *cached)
{
    const char *reason = arena_printf(schedule->arena,
                                      "inside `%s` nothing else uses these elements of `%s`; what is read there before "
                                      "it is written is filled in, what is written goes back",
                                      cached->loop, cached->array);

    if (strcmp(cached->loop, cached->trigger) == 0)
        return reason;
    return arena_printf(schedule->arena, "%s; nothing inside `%s` changes them meanwhile", reason, cached->trigger);
}

static void print_cache(const struct telling *telling, const struct cached *cached)
{
    explain_cache(telling->schedule, cached, telling->out);
    if (cached->name)
        print_legal(telling, cached->step, reason_of(telling->schedule, cached));
}

static void print_array_step(const struct telling *telling, const struct step *step)
{
    const char *set = step_string(step, "set_memory", NULL), *private = step_string(step, "privatize", NULL);
    const char *ahead = step_string(step, "prefetch", NULL), *stream = step_string(step, "stream", NULL);

    if (set) {
        text_addf(telling->out, "  %s: its memory is `%s`\n", set, step_string(step, "to", ""));
        print_legal(telling, step, "its values stay what they are");
    }
    if (private) {
        text_addf(telling->out, "  %s: each iteration of `%s` has its own\n", private, step_string(step, "at", ""));
        print_legal(telling, step, "what an iteration reads of it was written in the same iteration");
    }
    if (ahead) {
        text_addf(telling->out, "  %s: `%s` asks for elements that are used later\n", ahead,
                  step_string(step, "at", ""));
        print_legal(telling, step, "a prefetch changes no value");
    }
    if (stream)
        text_addf(telling->out, "  %s: full vectors that `%s` stores bypass the caches; a fence follows\n", stream,
                  step_string(step, "at", ""));
}

static void explain_step(struct telling *telling)
{
    const struct schedule *schedule = telling->schedule;
    const struct step *step = telling->step;

    text_addf(telling->out, "plan %d: ", step->number);
    step_print(telling->out, step);
    text_char(telling->out, '\n');
    explain_reason(step, telling->out);
    for (int k = 0; k < schedule->cached.n; k++)
        if (schedule->cached.at[k].step == step)
            print_cache(telling, &schedule->cached.at[k]);
    print_array_step(telling, step);
    walk(telling, schedule->order);
}

/* The buffer of that name and the steps that work on it. */
static bool explain_buffer(struct telling *telling, const char *name)
{
    const struct schedule *schedule = telling->schedule;
    const struct cached *found = NULL;

    for (int k = 0; k < schedule->cached.n; k++)
        if (schedule->cached.at[k].name && strcmp(schedule->cached.at[k].name, name) == 0)
            found = &schedule->cached.at[k];
    if (!found)
        return false;
    text_addf(telling->out, "buffer %s, made by plan %d: ", name, found->step->number);
    step_print(telling->out, found->step);
    text_char(telling->out, '\n');
    print_cache(telling, found);
    return true;
}

static void print_caches_at(const struct telling *telling, const char *loop)
{
    const struct schedule *schedule = telling->schedule;

    for (int k = 0; k < schedule->cached.n; k++) {
        const struct cached *cached = &schedule->cached.at[k];
        if (strcmp(cached->loop, loop) != 0 || !cached->name)
            continue;
        text_addf(telling->out, "  %s: %s takes the place of %s", loop, cached->name, cached->array);
        print_step(telling, cached->step);
        text_char(telling->out, '\n');
    }
}

/* What becomes of the loop `topic` or `owner.topic`. */
static void explain_planned_loop(struct telling *telling, const char *topic)
{
    const struct schedule *schedule = telling->schedule;
    const char *dot = strrchr(topic, '.');
    const size_t before = telling->out->size;
    const char *owner = dot ? arena_copy_n(schedule->arena, topic, (size_t)(dot - topic)) : NULL;
    const struct statement *statement = owner ? program_statement(schedule->program, owner) : NULL;
    bool *member = ARENA_ARRAY(schedule->arena, schedule->program->n_statement + 1, bool);

    telling->loop = dot ? dot + 1 : topic;
    if (statement)
        member[statement->index] = true;
    if (owner)
        telling->member = statement ? member : schedule_group(schedule, owner);
    if (!owner)
        print_caches_at(telling, topic);
    walk(telling, schedule->order);
    if (telling->out->size == before)
        text_add(telling->out, "  an ordinary loop\n");
}

/* "plan.3" */
static const struct step *step_of(const struct schedule *schedule, const char *topic)
{
    const struct program *program = schedule->program;
    const long number = strncmp(topic, "plan.", 5) == 0 ? strtol(topic + 5, NULL, 10) : 0;

    for (int k = 0; number > 0 && k < program->n_plan; k++)
        if (program->plan[k].number == number)
            return &program->plan[k];
    return NULL;
}

bool explain_plan_topic(const struct schedule *schedule, const char *topic, bool legal, struct text *out)
{
    struct telling telling = {.schedule = schedule, .step = step_of(schedule, topic), .legal = legal, .out = out};
    const bool told = out->size > 0;

    if (telling.step) {
        explain_step(&telling);
        return true;
    }
    if (strncmp(topic, "plan.", 5) == 0) {
        diag_error(schedule->diags, "step", PLACE_NONE, "there is no step `%s`: the plan has %d", topic,
                   schedule->program->n_plan);
        return false;
    }
    if (explain_buffer(&telling, topic))
        return true;
    if (!told && !explain_loop(schedule, topic, out))
        return false;
    text_add(out, "in the plan\n");
    explain_planned_loop(&telling, topic);
    return true;
}
