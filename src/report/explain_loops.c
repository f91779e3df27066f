/* The loops of an order: iterations, parallel or not and why; all about one of them. */
#include "report/explain_parts.h"

#include "base/names.h"
#include "dep/extent.h"

#include <isl/id.h>
#include <isl/schedule_node.h>

/* One loop: a band below its mark, or several that are collapsed. */
struct loop {
    const struct loop_info *info;
    isl_schedule_node *band; /* owned by the walk */
    int n;
    int depth;
};

struct walk {
    const struct schedule *schedule;
    struct text *out;
    void (*visit)(struct walk *walk, const struct loop *loop);
    void (*leaf)(struct walk *walk, __isl_keep isl_schedule_node *leaf, int depth);
    /* of the loop that is looked for */
    const char *name;
    const bool *member; /* it is around one of these statements; NULL: any */
    int n_found;
    VEC(const char *) seen;
};

/* { S[i,j] -> [..] }: the counts of all loops around node, for what runs there. */
static __isl_give isl_union_map *times_around(__isl_keep isl_schedule_node *node)
{
    isl_union_map *times = isl_schedule_node_get_prefix_schedule_relation(node);

    return isl_union_map_intersect_domain(times, isl_schedule_node_get_domain(node));
}

static __isl_give isl_schedule_node *below(const struct loop *loop)
{
    isl_schedule_node *node = isl_schedule_node_copy(loop->band);

    for (int k = 0; k < loop->n; k++) {
        while (isl_schedule_node_get_type(node) == isl_schedule_node_mark)
            node = isl_schedule_node_child(node, 0);
        node = isl_schedule_node_child(node, 0);
    }
    return node;
}

static __isl_give isl_union_map *times_inside(const struct loop *loop)
{
    isl_schedule_node *node = below(loop);
    isl_union_map *times = times_around(node);

    isl_schedule_node_free(node);
    return times;
}

/* { [outer counts] -> [own counts] } */
static __isl_give isl_map *iterations(const struct loop *loop)
{
    isl_union_map *outer = times_around(loop->band), *inside = times_inside(loop);
    isl_map *all = isl_map_from_union_map(isl_union_map_apply_domain(inside, isl_union_map_copy(outer)));
    const isl_size n_outer = isl_map_dim(all, isl_dim_in);

    isl_union_map_free(outer);
    return isl_map_project_out(all, isl_dim_out, 0, (unsigned)n_outer);
}

static void print_constant(struct text *out, int64_t n)
{
    text_addf(out, "%lld iteration%s", (long long)n, n == 1 ? "" : "s");
}

/* "16 iterations", "up to N - 1 iterations"; "" when that is not known. */
static void print_trips(struct walk *walk, const struct loop *loop)
{
    struct arena *arena = walk->schedule->arena;
    const struct extent extent = extent_of_map(arena, walk->schedule->program, iterations(loop));
    const int64_t unit = loop->info->unit;
    struct text *out = walk->out;
    int64_t value;

    if (extent.n != 1 && !extent.count)
        return;
    if (extent.n == 1 && (!extent.size[0] || (unit != 1 && !polynomial_is_constant(extent.count, &value))))
        return;
    if (!extent.same || !extent.filled)
        text_add(out, extent.count ? "" : "up to ");
    if (polynomial_is_constant(extent.count, &value)) {
        print_constant(out, value);
    } else {
        extent_print(out, arena, &extent);
        text_add(out, " iterations");
    }
    text_add(out, "; ");
}

static void print_reductions(struct text *out, const struct parallel *parallel)
{
    const struct array *last = NULL;

    for (int k = 0; k < parallel->n_reduction; k++) {
        const struct reference *update = parallel->reduction[k]->to;
        enum expr_op op;
        if (update->array == last || !statement_is_update(update->statement, &op))
            continue;
        text_addf(out, "%s%s of %s", last ? ", " : " with a reduction: ", op_symbol(op), update->array->name);
        last = update->array;
    }
}

static void print_parallel(struct walk *walk, const struct parallel *parallel)
{
    switch (parallel->answer) {
    case ANSWER_YES:
        text_add(walk->out, "parallel");
        print_reductions(walk->out, parallel);
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

static struct parallel ask(const struct walk *walk, const struct loop *loop)
{
    return parallel_loop(walk->schedule->arena, schedule_dependences(walk->schedule), loop->band, loop->n);
}

static void list_loop(struct walk *walk, const struct loop *loop)
{
    const struct parallel parallel = ask(walk, loop);

    text_addf(walk->out, "%*s%s: ", 2 + 2 * loop->depth, "", loop->info->name);
    print_role(walk->out, loop->info);
    print_trips(walk, loop);
    print_parallel(walk, &parallel);
    text_char(walk->out, '\n');
}

static void list_leaf(struct walk *walk, __isl_keep isl_schedule_node *leaf, int depth)
{
    isl_union_set *domain = isl_schedule_node_get_domain(leaf);
    const struct program *program = walk->schedule->program;

    for (int s = 0; s < program->n_statement; s++) {
        isl_set *mine = isl_union_set_extract_set(domain, isl_set_get_space(program->statement[s]->domain));
        if (isl_set_is_empty(mine) == isl_bool_false)
            text_addf(walk->out, "%*s%s\n", 2 + 2 * depth, "", program->statement[s]->label);
        isl_set_free(mine);
    }
    isl_union_set_free(domain);
}

static const struct loop_info *info_of(__isl_keep isl_schedule_node *mark)
{
    isl_id *id = isl_schedule_node_mark_get_id(mark);
    const struct loop_info *info = isl_id_get_user(id);

    isl_id_free(id);
    return info;
}

static void walk_node(struct walk *walk, __isl_take isl_schedule_node *node, int depth);

static void walk_loop(struct walk *walk, __isl_take isl_schedule_node *mark, int depth)
{
    const struct loop_info *info = info_of(mark);
    struct loop loop = {info, isl_schedule_node_child(mark, 0), info->tuple > 1 ? info->tuple : 1, depth};

    walk->visit(walk, &loop);
    walk_node(walk, below(&loop), depth + 1);
    isl_schedule_node_free(loop.band);
}

static void walk_node(struct walk *walk, __isl_take isl_schedule_node *node, int depth)
{
    switch (isl_schedule_node_get_type(node)) {
    case isl_schedule_node_mark:
        walk_loop(walk, node, depth);
        return;
    case isl_schedule_node_leaf:
        if (walk->leaf)
            walk->leaf(walk, node, depth);
        break;
    case isl_schedule_node_error:
        break;
    default:
        for (int k = 0; k < (int)isl_schedule_node_n_children(node); k++)
            walk_node(walk, isl_schedule_node_get_child(node, k), depth);
    }
    isl_schedule_node_free(node);
}

static void walk_order(struct walk *walk)
{
    isl_schedule *schedule = order_to_schedule(walk->schedule->order);

    walk_node(walk, isl_schedule_get_root(schedule), 0);
    isl_schedule_free(schedule);
}

void explain_loops(const struct schedule *schedule, struct text *out)
{
    struct walk walk = {.schedule = schedule, .out = out, .visit = list_loop, .leaf = list_leaf};

    text_add(out, "loops\n");
    walk_order(&walk);
}

static bool is_around(const struct walk *walk, const struct loop *loop)
{
    const struct program *program = walk->schedule->program;
    isl_union_set *domain;
    bool around = !walk->member;

    if (around)
        return true;
    domain = isl_schedule_node_get_domain(loop->band);
    for (int s = 0; s < program->n_statement && !around; s++) {
        isl_set *mine = isl_union_set_extract_set(domain, isl_set_get_space(program->statement[s]->domain));
        around = walk->member[s] && isl_set_is_empty(mine) == isl_bool_false;
        isl_set_free(mine);
    }
    isl_union_set_free(domain);
    return around;
}

static void print_memory(struct walk *walk, const struct loop *loop)
{
    isl_union_map *times = times_inside(loop);

    text_add(walk->out, "one iteration\n");
    explain_memory(walk->schedule, times, walk->out);
    isl_union_map_free(times);
    times = times_around(loop->band);
    text_add(walk->out, "the whole loop, for one iteration of those around it\n");
    explain_memory(walk->schedule, times, walk->out);
    isl_union_map_free(times);
}

/* Why it is not parallel, and what would help. */
static void print_reason(struct walk *walk, const struct parallel *parallel)
{
    const struct schedule *schedule = walk->schedule;

    text_add(walk->out, "  not parallel: ");
    violation_print_reason(walk->out, schedule->arena, schedule->program, &parallel->carried);
    text_char(walk->out, '\n');
    if (parallel->own)
        text_addf(walk->out, "  would help: a `%s` of its own for each iteration, which writes it before it reads it\n",
                  parallel->own->name);
    else if (dependence_within_reduction(parallel->carried.dependence))
        text_addf(walk->out, "  would help: %s\n", violation_advice(schedule->arena, &parallel->carried));
}

static void print_carried(struct walk *walk, const struct loop *loop)
{
    isl_union_map *pairs = isl_union_map_copy(schedule_dependences(walk->schedule)->required);

    pairs = parallel_carried(loop->band, loop->n, pairs);
    explain_dependences(walk->schedule, pairs, walk->out);
    isl_union_map_free(pairs);
}

static bool is_of_plan(const struct schedule *schedule, const struct step *step)
{
    const struct program *program = schedule->program;

    return step >= program->plan && step < program->plan + program->n_plan;
}

static void print_loop(struct walk *walk, const struct loop *loop)
{
    const struct parallel parallel = ask(walk, loop);

    text_addf(walk->out, "%sloop %s", walk->n_found ? "\n" : "", loop->info->name);
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
    if (parallel.answer == ANSWER_NO) {
        print_reason(walk, &parallel);
        print_carried(walk, loop);
    }
    print_memory(walk, loop);
}

static void look_at(struct walk *walk, const struct loop *loop)
{
    VEC_PUSH(walk->schedule->arena, &walk->seen, loop->info->name);
    if (strcmp(loop->info->name, walk->name) != 0 || !is_around(walk, loop))
        return;
    print_loop(walk, loop);
    walk->n_found++;
}

/* Splits "S.i"; false after reporting that there is no S. */
static bool find_owner(struct walk *walk, const char *name)
{
    const struct schedule *schedule = walk->schedule;
    const char *dot = strchr(name, '.'), *owner;
    const struct statement *statement;

    walk->name = dot ? dot + 1 : name;
    if (!dot)
        return true;
    owner = arena_copy_n(schedule->arena, name, (size_t)(dot - name));
    statement = program_statement(schedule->program, owner);
    if (statement) {
        bool *member = ARENA_ARRAY(schedule->arena, schedule->program->n_statement, bool);
        member[statement->index] = true;
        walk->member = member;
    } else {
        walk->member = schedule_group(schedule, owner);
    }
    if (!walk->member)
        diag_error(schedule->diags, "unknown-name", PLACE_NONE, "there is no statement or nest `%s`", owner);
    return walk->member != NULL;
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
    struct walk walk = {.schedule = schedule, .out = out, .visit = look_at};
    const char *nearest;
    struct diag *diag;

    if (!find_owner(&walk, name))
        return false;
    walk_order(&walk);
    if (walk.n_found > 0)
        return true;
    diag = diag_error(schedule->diags, "unknown-loop", PLACE_NONE, "there is no loop `%s` in this order", name);
    nearest = name_nearest(walk.name, walk.seen.at, walk.seen.n);
    if (nearest)
        diag_hint(schedule->diags, diag, "did you mean `%s`?", nearest);
    return false;
}
