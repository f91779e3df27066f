#include "sched/program_step.h"

#include "poly/coalesce.h"
#include "poly/keep.h"
#include "program/rewrite.h"

#include <string.h>

isl_map *program_step_keep_map(struct arena *arena, __isl_take isl_map *map)
{
    return poly_keep_map(arena, map);
}

isl_set *program_step_keep_set(struct arena *arena, __isl_take isl_set *set)
{
    return poly_keep_set(arena, set);
}

/* order with the statements of program, by label, and without `gone`; NULL when nothing is left. */
static const struct order *with_statements(struct arena *arena, const struct order *order,
                                           const struct program *program, const struct statement *gone)
{
    const struct order **child;
    int n = 0;

    if (order->kind == ORDER_LEAF) {
        const struct statement *statement = program_statement(program, order->statement->label);
        return order->statement != gone ? order_leaf(arena, statement, isl_set_copy(order->domain)) : NULL;
    }
    child = ARENA_ARRAY(arena, order->n_child, const struct order *);
    for (int k = 0; k < order->n_child; k++) {
        child[n] = with_statements(arena, order->child[k], program, gone);
        n += child[n] != NULL;
    }
    if (n == 0)
        return NULL;
    return order->kind == ORDER_SEQUENCE ? order_sequence(arena, child, n) : order_with_children(arena, order, child);
}

static void remove_statement(struct program *program, int index)
{
    for (int s = index; s + 1 < program->n_statement; s++) {
        program->statement[s] = program->statement[s + 1];
        program->statement[s]->index = s;
    }
    program->n_statement--;
    for (int k = 0; k < program->n_nest; k++) {
        struct nest *nest = &program->nest[k];
        if (index < nest->first_statement)
            nest->first_statement--;
        else if (index < nest->first_statement + nest->n_statement)
            nest->n_statement--;
    }
}

/* The groups' statements by their new numbers. */
static void renumber_groups(struct schedule *schedule, int index, int n_before)
{
    for (int k = 0; k < schedule->groups.n; k++) {
        const bool *old = schedule->groups.at[k].member;
        bool *member = ARENA_ARRAY(schedule->arena, n_before + 1, bool);
        for (int s = 0, to = 0; s < n_before; s++)
            if (s != index)
                member[to++] = old[s];
        schedule->groups.at[k].member = member;
    }
}

static void mark_unused(struct schedule *schedule, struct program *program, const struct array *array)
{
    bool *unused = ARENA_ARRAY(schedule->arena, program->n_array, bool);

    for (int k = 0; k < program->n_array; k++)
        unused[k] = &program->array[k] == array || (program->unused && program->unused[k]);
    program->unused = unused;
}

enum status program_step_without(struct schedule *schedule, struct program *program, const struct statement *gone,
                                 const struct array *array)
{
    const int n_before = program->n_statement;

    mark_unused(schedule, program, array);
    remove_statement(program, gone->index);
    renumber_groups(schedule, gone->index, n_before);
    schedule->order = with_statements(schedule->arena, schedule->order, program, gone);
    schedule->original = with_statements(schedule->arena, schedule->original, program, gone);
    schedule->program = program;
    schedule_set_dependences(schedule, NULL);
    return STATUS_OK;
}

enum status program_step_replace(struct schedule *schedule, struct program *program)
{
    const bool in_order = schedule->order == schedule->original;

    schedule->order = with_statements(schedule->arena, schedule->order, program, NULL);
    schedule->original =
        in_order ? schedule->order : with_statements(schedule->arena, schedule->original, program, NULL);
    schedule->program = program;
    schedule_set_dependences(schedule, NULL);
    return STATUS_OK;
}

static void widen_groups(struct schedule *schedule, int at, int n_before)
{
    for (int k = 0; k < schedule->groups.n; k++) {
        const bool *old = schedule->groups.at[k].member;
        bool *member = ARENA_ARRAY(schedule->arena, n_before + 3, bool);
        for (int s = 0; s < n_before + 2; s++)
            member[s] = old[s < at ? s : s < at + 2 ? at : s - 2];
        schedule->groups.at[k].member = member;
    }
}

enum status program_step_two_more(struct schedule *schedule, struct program *program, int at, const struct order *order,
                                  const struct order *original)
{
    widen_groups(schedule, at, schedule->program->n_statement);
    schedule->order = with_statements(schedule->arena, order, program, NULL);
    schedule->original = with_statements(schedule->arena, original, program, NULL);
    schedule->program = program;
    schedule_set_dependences(schedule, NULL);
    return STATUS_OK;
}

enum status program_step_more(struct schedule *schedule, struct program *program, const struct order *order,
                              const struct order *original, const char *name)
{
    const int n_before = schedule->program->n_statement;
    bool *added = ARENA_ARRAY(schedule->arena, program->n_statement + 1, bool);

    for (int k = 0; k < schedule->groups.n; k++) {
        bool *member = ARENA_ARRAY(schedule->arena, program->n_statement + 1, bool);
        memcpy(member, schedule->groups.at[k].member, (size_t)n_before * sizeof(bool));
        schedule->groups.at[k].member = member;
    }
    for (int s = n_before; s < program->n_statement; s++)
        added[s] = true;
    VEC_PUSH(schedule->arena, &schedule->groups, ((struct group){name, added, false}));
    schedule->order = with_statements(schedule->arena, order, program, NULL);
    schedule->original =
        order == original ? schedule->order : with_statements(schedule->arena, original, program, NULL);
    schedule->program = program;
    schedule_set_dependences(schedule, NULL);
    return STATUS_OK;
}

/* A statement and the new one that gets some of its instances. */
struct division {
    struct schedule *schedule;
    const struct statement *old, *new;
    isl_set *part;         /* of old */
    isl_multi_aff *origin; /* { S2[x] -> S[x] } */
};

static const struct order *divide_leaf(const struct division *division, const struct order *leaf)
{
    isl_set *domain;

    if (leaf->statement->index != division->old->index ||
        isl_set_is_subset(leaf->domain, division->part) != isl_bool_true)
        return leaf;
    domain = isl_set_set_tuple_name(isl_set_copy(leaf->domain), division->new->label);
    return order_leaf(division->schedule->arena, division->new, domain);
}

static const struct order *divide(void *data, const struct order *node)
{
    const struct division *division = data;
    isl_union_pw_aff *time;

    if (node->kind == ORDER_LEAF)
        return divide_leaf(division, node);
    if (node->kind != ORDER_LOOP || !order_has(node, division->new))
        return node;
    time = isl_union_pw_aff_pullback_union_pw_multi_aff(time_of(node->time, division->old),
                                                        isl_union_pw_multi_aff_from_multi_aff(
                                                            isl_multi_aff_copy(division->origin)));
    time = isl_union_pw_aff_union_add(isl_union_pw_aff_copy(node->time), time);
    return order_loop(division->schedule->arena, node->info, time, node->child[0]);
}

static void restrict_statement(struct arena *arena, struct statement *statement, const char *label,
                               __isl_take isl_set *part)
{
    struct access *access = ARENA_ARRAY(arena, statement->n_access, struct access);

    for (int k = 0; k < statement->n_access; k++) {
        isl_map *map = isl_map_intersect_domain(isl_map_copy(statement->access[k].map), isl_set_copy(part));
        access[k] = statement->access[k];
        access[k].map = poly_keep_map(arena, isl_map_set_tuple_name(poly_map_coalesce(map), isl_dim_in, label));
    }
    statement->access = access;
    statement->label = label;
    statement->domain = poly_keep_set(arena, isl_set_set_tuple_name(poly_set_coalesce(part), label));
}

/* Member of what the old statement is a member of; both together are called as the old one. */
static void divide_groups(struct schedule *schedule, int old, int n_before)
{
    bool *both = ARENA_ARRAY(schedule->arena, n_before + 2, bool);

    for (int k = 0; k < schedule->groups.n; k++) {
        bool *member = ARENA_ARRAY(schedule->arena, n_before + 2, bool);
        memcpy(member, schedule->groups.at[k].member, (size_t)n_before * sizeof(bool));
        member[n_before] = member[old];
        schedule->groups.at[k].member = member;
    }
    both[old] = both[n_before] = true;
    if (!schedule_divided(schedule, schedule->program->statement[old]->label))
        VEC_PUSH(schedule->arena, &schedule->groups,
                 ((struct group){schedule->program->statement[old]->label, both, true}));
}

static const char *part_label(const struct schedule *schedule, const char *label)
{
    const char *name = label;

    for (int k = 2; program_statement(schedule->program, name) || schedule_group(schedule, name); k++)
        name = arena_printf(schedule->arena, "%s_%d", label, k);
    return name;
}

enum status program_step_divide(struct schedule *schedule, const struct statement *statement, __isl_take isl_set *part)
{
    struct arena *arena = schedule->arena;
    struct program *program = program_copy(arena, schedule->program);
    const char *label = part_label(schedule, statement->label);
    const int n = program->n_statement, old = statement->index;
    isl_space *space = isl_space_map_from_set(isl_set_get_space(part));
    struct division division = {.schedule = schedule, .old = statement, .part = part};

    program->statement[n] = ARENA_NEW(arena, struct statement);
    *program->statement[n] = *statement;
    program->statement[n]->index = program->n_statement++;
    program->statement[n]->divided = statement;
    restrict_statement(arena, program->statement[n], label, isl_set_copy(part));
    restrict_statement(arena, program->statement[old], statement->label,
                       isl_set_subtract(isl_set_copy(statement->domain), isl_set_copy(part)));
    program = program_copy_arrays(arena, program);
    division.new = program->statement[n];
    division.origin = isl_multi_aff_set_tuple_name(isl_multi_aff_identity(space), isl_dim_in, label);
    schedule->order = order_rewrite(arena, schedule->order, divide, &division);
    schedule->original = order_rewrite(arena, schedule->original, divide, &division);
    isl_multi_aff_free(division.origin);
    isl_set_free(part);
    divide_groups(schedule, old, n);
    return program_step_replace(schedule, program);
}

/* The order while statements are put into it. */
struct insertion {
    struct schedule *schedule;
    const struct program *program;
    const struct relocation *relocation;
};

/* The time of a loop that was around P[p], for its copies as well: { P[c,p] -> time(p) }. */
static __isl_give isl_union_pw_aff *time_of_copies(const struct insertion *insertion, const struct order *loop)
{
    const struct statement *statement = insertion->relocation->statement;
    isl_union_pw_aff *own = time_of(loop->time, statement);
    isl_pw_multi_aff *origin = isl_pw_multi_aff_from_map(isl_map_copy(insertion->relocation->origin));

    return isl_union_pw_aff_pullback_union_pw_multi_aff(own, isl_union_pw_multi_aff_from_pw_multi_aff(origin));
}

static __isl_give isl_union_pw_aff *without_statement(const struct order *loop, const struct statement *statement)
{
    isl_union_set *space = isl_union_set_universe(isl_union_set_from_set(isl_set_copy(statement->domain)));

    return isl_union_pw_aff_subtract_domain_union_set(isl_union_pw_aff_copy(loop->time), space);
}

/* In the description's order: the copies where the statement was. */
static const struct order *put_copies(void *data, const struct order *node)
{
    struct insertion *insertion = data;
    const struct relocation *relocation = insertion->relocation;
    isl_union_pw_aff *time;

    if (node->kind == ORDER_LEAF && strcmp(node->statement->label, relocation->statement->label) == 0)
        return relocation->in_description;
    if (node->kind == ORDER_LEAF)
        return order_leaf(insertion->schedule->arena, program_statement(insertion->program, node->statement->label),
                          isl_set_copy(node->domain));
    if (node->kind != ORDER_LOOP || !order_has(node, relocation->moved))
        return node;
    time = isl_union_pw_aff_union_add(without_statement(node, relocation->statement), time_of_copies(insertion, node));
    return order_loop(insertion->schedule->arena, node->info, time, node->child[0]);
}

/* The loops of the path, by identity, get the moved statement's counts; inside the last one it comes first. */
static const struct order *put_part(void *data, const struct order *node)
{
    struct insertion *insertion = data;
    const struct relocation *relocation = insertion->relocation;
    const struct path *path = relocation->path;
    struct arena *arena = insertion->schedule->arena;
    const struct order *both[2] = {relocation->part, NULL}, *body;
    isl_union_pw_aff *time;
    int k = 0;

    if (node->kind != ORDER_LOOP)
        return node;
    while (k < path->depth && path->loop[k]->info->id != node->info->id)
        k++;
    if (k == path->depth || (k + 1 < path->depth && !order_has(node, relocation->moved)))
        return node;
    both[1] = node->child[0];
    body = k + 1 == path->depth ? order_sequence(arena, both, 2) : node->child[0];
    time = isl_union_pw_aff_union_add(without_statement(node, relocation->statement),
                                      path_dimension(relocation->moved->domain, k));
    return order_loop(arena, node->info, time, body);
}

/* The order without the statements, and with those of program in the place of all others. */
static const struct order *without_moved(struct schedule *schedule, const struct program *program,
                                         const struct relocation *relocation, int n)
{
    const struct order *rest = schedule->order;

    for (int k = 1; k < n; k++)
        rest = with_statements(schedule->arena, rest, schedule->program, relocation[k].statement);
    return with_statements(schedule->arena, rest, program, relocation[0].statement);
}

enum status program_step_move(struct schedule *schedule, struct program *program, const struct relocation *relocation,
                              int n)
{
    struct arena *arena = schedule->arena;
    const struct order *order = without_moved(schedule, program, relocation, n);

    for (int k = n - 1; k >= 0; k--) {
        struct insertion insertion = {schedule, program, &relocation[k]};
        order = order_rewrite(arena, order, put_part, &insertion);
        schedule->original = order_rewrite(arena, schedule->original, put_copies, &insertion);
    }
    schedule->order = order;
    schedule->program = program;
    schedule_set_dependences(schedule, NULL);
    return STATUS_OK;
}
