/* The loops of an order: iterations, parallel or not and why; all about one of them. */
#include "report/explain_parts.h"

#include "base/names.h"
#include "report/loop_walk.h"

/* The loop that is looked for. */
struct search {
    const char *name;
    const bool *member; /* it is around one of these statements; NULL: any */
    int n_found;
    VEC(const char *) seen;
};

/* "16 iterations; ", "up to N - 1 iterations; "; nothing when that is not known. */
static void print_trips(struct loop_walk *walk, const struct loop *loop)
{
    int64_t constant;
    struct text trips = loop_trips(walk, loop, &constant);

    if (trips.size)
        text_addf(walk->out, "%s iteration%s; ", text_str(&trips), constant == 1 ? "" : "s");
    text_free(&trips);
}

void explain_reductions(struct text *out, const struct parallel *parallel)
{
    const struct array *last = NULL;

    for (int k = 0; k < parallel->n_reduction; k++) {
        const struct reference *update = parallel->reduction[k]->to;
        enum expr_op op;
        if (update->array == last || !statement_is_update(update->statement, &op))
            continue;
        text_addf(out, "%s%s of %s", last ? ", " : "with a reduction: ", op_symbol(op), update->array->name);
        last = update->array;
    }
}

static void print_parallel(struct loop_walk *walk, const struct parallel *parallel)
{
    switch (parallel->answer) {
    case ANSWER_YES:
        text_add(walk->out, parallel->n_reduction ? "parallel " : "parallel");
        explain_reductions(walk->out, parallel);
        break;
    case ANSWER_UNKNOWN:
        text_add(walk->out, "undecided");
        break;
    case ANSWER_NO:
        text_add(walk->out, "carries ");
        explain_pair(walk->schedule, &parallel->carried, walk->out);
    }
}

static void print_role(struct text *out, const struct loop_info *info)
{
    if (info->role == ROLE_FUSING)
        text_add(out, "fusing; ");
}

static void list_loop(struct loop_walk *walk, const struct loop *loop)
{
    const struct parallel parallel = loop_parallel(walk, loop);

    text_addf(walk->out, "%*s%s: ", 2 + 2 * loop->depth, "", loop->info->name);
    print_role(walk->out, loop->info);
    print_trips(walk, loop);
    print_parallel(walk, &parallel);
    text_char(walk->out, '\n');
}

static void list_statement(struct loop_walk *walk, const struct statement *statement, int depth)
{
    text_addf(walk->out, "%*s%s\n", 2 + 2 * depth, "", statement->label);
}

void explain_loops(const struct schedule *schedule, struct text *out)
{
    struct loop_walk walk = {.schedule = schedule, .out = out, .visit = list_loop, .statement = list_statement};

    text_add(out, "loops\n");
    walk_loops(&walk);
}

static bool is_around(const struct loop_walk *walk, const bool *member, const struct loop *loop)
{
    const struct program *program = walk->schedule->program;
    isl_union_set *domain;
    bool around = !member;

    if (around)
        return true;
    domain = isl_schedule_node_get_domain(loop->band);
    for (int s = 0; s < program->n_statement && !around; s++) {
        isl_set *mine = isl_union_set_extract_set(domain, isl_set_get_space(program->statement[s]->domain));
        around = member[s] && isl_set_is_empty(mine) == isl_bool_false;
        isl_set_free(mine);
    }
    isl_union_set_free(domain);
    return around;
}

static void print_memory(struct loop_walk *walk, const struct loop *loop)
{
    isl_union_map *times = loop_times_inside(loop);

    text_add(walk->out, "one iteration\n");
    explain_memory(walk->schedule, times, walk->out);
    isl_union_map_free(times);
    times = loop_times_around(loop);
    text_add(walk->out, "the whole loop, for one iteration of those around it\n");
    explain_memory(walk->schedule, times, walk->out);
    isl_union_map_free(times);
}

/* Why it is not parallel, and what would help. */
static void print_reason(struct loop_walk *walk, const struct parallel *parallel)
{
    const struct schedule *schedule = walk->schedule;

    text_add(walk->out, "  not parallel: ");
    violation_print_reason(walk->out, schedule->arena, schedule->program, &parallel->carried);
    text_char(walk->out, '\n');
    for (int k = 0; k < parallel->n_own; k++)
        text_addf(walk->out, "  would help: a `%s` of its own for each iteration, which writes it before it reads it\n",
                  parallel->own[k]->name);
    if (parallel->n_own)
        return;
    if (dependence_within_reduction(parallel->carried.dependence))
        text_addf(walk->out, "  would help: %s\n", violation_advice(schedule->arena, &parallel->carried));
}

static void print_carried(struct loop_walk *walk, const struct loop *loop)
{
    isl_union_map *pairs = isl_union_map_copy(schedule_dependences(walk->schedule)->required);

    pairs = parallel_carried(loop->band, loop->n, pairs);
    explain_dependences(walk->schedule, pairs, walk->out);
    isl_union_map_free(pairs);
}

static bool has_statement(const struct loop *loop, const struct statement *statement)
{
    isl_union_set *domain = isl_schedule_node_get_domain(loop->band);
    isl_set *own = isl_union_set_extract_set(domain, isl_set_get_space(statement->domain));
    const bool has = isl_set_is_empty(own) == isl_bool_false;

    isl_set_free(own);
    isl_union_set_free(domain);
    return has;
}

static const struct statement *first_write(const struct program *program, const struct array *array)
{
    int s = 0;

    while (program->statement[s]->target->array != array)
        s++;
    return program->statement[s];
}

/* The `while` of the loop, or of the one that it is a part of: what asks is in it, and what comes in front is not. */
static void print_while(struct loop_walk *walk, const struct loop *loop)
{
    const struct program *program = walk->schedule->program;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *asks = program->statement[s];
        if (!asks->target->array->is_while || !has_statement(loop, asks) ||
            has_statement(loop, first_write(program, asks->target->array)))
            continue;
        text_add(walk->out, "  goes on while ");
        expr_print(walk->out, asks->value, asks->loop_name);
        text_char(walk->out, '\n');
    }
}

static bool is_of_plan(const struct schedule *schedule, const struct step *step)
{
    const struct program *program = schedule->program;

    return step >= program->plan && step < program->plan + program->n_plan;
}

static void print_loop(struct loop_walk *walk, const struct loop *loop)
{
    const struct search *search = walk->user;
    const struct parallel parallel = loop_parallel(walk, loop);

    text_addf(walk->out, "%sloop %s", search->n_found ? "\n" : "", loop->info->name);
    if (loop->info->step) {
        text_addf(walk->out, ", made by %s %d: ", is_of_plan(walk->schedule, loop->info->step) ? "plan" : "step",
                  loop->info->step->number);
        step_print(walk->out, loop->info->step);
    }
    text_add(walk->out, "\n  ");
    print_role(walk->out, loop->info);
    print_trips(walk, loop);
    if (parallel.answer == ANSWER_NO)
        text_add(walk->out, "sequential");
    else
        print_parallel(walk, &parallel);
    text_char(walk->out, '\n');
    print_while(walk, loop);
    if (parallel.answer == ANSWER_NO) {
        print_reason(walk, &parallel);
        print_carried(walk, loop);
    }
    print_memory(walk, loop);
}

static void look_at(struct loop_walk *walk, const struct loop *loop)
{
    struct search *search = walk->user;

    VEC_PUSH(walk->schedule->arena, &search->seen, loop->info->name);
    if (strcmp(loop->info->name, search->name) != 0 || !is_around(walk, search->member, loop))
        return;
    print_loop(walk, loop);
    search->n_found++;
}

/* Splits "S.i"; false after reporting that there is no S. */
static bool find_owner(const struct schedule *schedule, struct search *search, const char *name)
{
    const char *dot = strchr(name, '.'), *owner;
    const struct statement *statement;

    search->name = dot ? dot + 1 : name;
    if (!dot)
        return true;
    owner = arena_copy_n(schedule->arena, name, (size_t)(dot - name));
    statement = program_statement(schedule->program, owner);
    if (statement) {
        bool *member = ARENA_ARRAY(schedule->arena, schedule->program->n_statement, bool);
        member[statement->index] = true;
        search->member = member;
    } else {
        search->member = schedule_group(schedule, owner);
    }
    if (!search->member)
        diag_error(schedule->diags, "unknown-name", PLACE_NONE, "there is no statement or nest `%s`", owner);
    return search->member != NULL;
}

static bool has_loop(const struct order *order, const char *name)
{
    if (order->kind == ORDER_LOOP && strcmp(order->info->name, name) == 0)
        return true;
    for (int k = 0; k < order->n_child; k++)
        if (has_loop(order->child[k], name))
            return true;
    return false;
}

bool explain_has_loop(const struct schedule *schedule, const char *name)
{
    const char *dot = strchr(name, '.');
    const char *owner = dot ? arena_copy_n(schedule->arena, name, (size_t)(dot - name)) : NULL;

    return has_loop(schedule->order, dot ? dot + 1 : name) &&
           (!owner || program_statement(schedule->program, owner) || schedule_group(schedule, owner));
}

bool explain_loop(const struct schedule *schedule, const char *name, struct text *out)
{
    struct search search = {0};
    struct loop_walk walk = {.schedule = schedule, .out = out, .visit = look_at, .user = &search};
    const char *nearest;
    struct diag *diag;

    if (!find_owner(schedule, &search, name))
        return false;
    walk_loops(&walk);
    if (search.n_found > 0)
        return true;
    diag = diag_error(schedule->diags, "unknown-loop", PLACE_NONE, "there is no loop `%s` in this order", name);
    nearest = name_nearest(search.name, search.seen.at, search.seen.n);
    if (nearest)
        diag_hint(schedule->diags, diag, "did you mean `%s`?", nearest);
    return false;
}
