/* The part of edit.h that finds the loops which a name means. */
#include "sched/edit.h"

#include "base/names.h"
#include "poly/keep.h"
#include "sched/time.h"

#include <isl/space.h>

/* Collects the loops that a name means. */
struct search {
    struct schedule *schedule;
    const char *loop;                  /* the plain name */
    const struct statement *statement; /* those around this statement, or NULL */
    const bool *member;                /* those around one of these statements, by index, or NULL */
    VEC(const struct order *) found;
    VEC(const char *) names; /* of all loops seen, for suggestions */
};

static bool around_member(const struct order *node, const bool *member)
{
    if (node->kind == ORDER_LEAF)
        return member[node->statement->index];
    for (int k = 0; k < node->n_child; k++)
        if (around_member(node->child[k], member))
            return true;
    return false;
}

/* Loops of copies are only meant by their qualified names. */
static bool is_meant(const struct search *search, const struct loop_info *info)
{
    return info->tuple >= 0 && strcmp(info->name, search->loop) == 0 &&
           (!info->is_copy || search->statement || search->member);
}

static void search_loops(struct search *search, const struct order *node)
{
    if (node->kind == ORDER_LOOP) {
        VEC_PUSH(search->schedule->arena, &search->names, node->info->name);
        if (is_meant(search, node->info) && (!search->statement || order_has(node, search->statement)) &&
            (!search->member || around_member(node, search->member)))
            VEC_PUSH(search->schedule->arena, &search->found, node);
    }
    for (int k = 0; k < node->n_child; k++)
        search_loops(search, node->child[k]);
}

/* Splits "S.i" and finds S; false after reporting that there is no S. */
static bool qualifier(struct search *search, const struct value *name)
{
    const char *dot = strchr(name->string, '.');
    const char *owner;

    search->loop = dot ? dot + 1 : name->string;
    if (!dot)
        return true;
    owner = arena_copy_n(search->schedule->arena, name->string, (size_t)(dot - name->string));
    search->member = schedule_divided(search->schedule, owner);
    search->statement = search->member ? NULL : program_statement(search->schedule->program, owner);
    if (!search->statement && !search->member)
        search->member = schedule_group(search->schedule, owner);
    if (search->statement || search->member)
        return true;
    diag_error(search->schedule->diags, "unknown-name", name->place, "there is no statement or nest `%s`", owner);
    return false;
}

static bool has_all(const bool *group, const struct search *search)
{
    const struct program *program = search->schedule->program;

    if (search->statement)
        return group[search->statement->index];
    for (int k = 0; search->member && k < program->n_statement; k++)
        if (search->member[k] && !group[k])
            return false;
    return search->member != NULL;
}

static bool moves(const struct order *loop, const struct statement *statement)
{
    isl_pw_aff *time = time_count(loop->time, statement);
    const bool result = isl_pw_aff_is_cst(time) == isl_bool_false;

    isl_pw_aff_free(time);
    return result;
}

/* Are the statements that are meant at several places of a loop that was found? In a fused nest they are at the first
 * place of the loops of other schedules. */
static bool any_moves(const struct search *search)
{
    const struct program *program = search->schedule->program;

    for (int k = 0; k < search->found.n; k++)
        for (int s = 0; s < program->n_statement; s++)
            if ((search->statement ? search->statement->index == s : search->member[s]) &&
                moves(search->found.at[k], program->statement[s]))
                return true;
    return false;
}

/* The loops of that name, unless nothing that is meant moves along them. */
static void search_moving(struct search *search, const char *loop)
{
    search->loop = loop;
    search_loops(search, search->schedule->order);
    if (!any_moves(search))
        search->found.n = 0;
}

/* After a fusion `label.j` is the loop `nest.j` of the label's nest rather than the loop `j` of another. */
static void search_qualified(struct search *search)
{
    const struct schedule *schedule = search->schedule;
    const char *loop = search->loop;

    for (int k = 0; k < schedule->groups.n && search->found.n == 0; k++)
        if (has_all(schedule->groups.at[k].member, search))
            search_moving(search, arena_printf(schedule->arena, "%s.%s", schedule->groups.at[k].name, loop));
    search->loop = loop;
    if (search->found.n == 0)
        search_loops(search, schedule->order);
}

static void report_unknown(struct search *search, const struct value *name)
{
    struct diag *diag =
        diag_error(search->schedule->diags, "unknown-loop", name->place, "there is no loop `%s` here", name->string);
    const char *nearest = name_nearest(search->loop, search->names.at, search->names.n);

    if (nearest)
        diag_hint(search->schedule->diags, diag, "did you mean `%s`?", nearest);
    else if (search->names.n > 0)
        diag_hint(search->schedule->diags, diag, "there are %s",
                  names_listed(search->schedule->arena, search->names.at, search->names.n));
}

/* "`a.i`, `b.i` or `c.i`": the loops by their nests, where these are different ones, or by their first statements. */
static const char *qualified(const struct search *search)
{
    struct arena *arena = search->schedule->arena;
    const char *text = NULL;
    bool nests = true;

    for (int k = 1; k < search->found.n; k++)
        for (int l = 0; l < k; l++)
            nests = nests && order_first_statement(search->found.at[k])->nest !=
                                 order_first_statement(search->found.at[l])->nest;
    for (int k = 0; k < search->found.n; k++) {
        const struct statement *first = order_first_statement(search->found.at[k]);

        text = arena_printf(arena, "%s%s`%s.%s`", text ? text : "",
                            !text                     ? ""
                            : k + 1 < search->found.n ? ", "
                                                      : " or ",
                            nests ? first->nest->name : first->label, search->loop);
    }
    return text;
}

/* Has each loop that was found a first statement of its own? */
static bool are_told_apart(const struct search *search)
{
    for (int k = 1; k < search->found.n; k++)
        for (int l = 0; l < k; l++)
            if (order_first_statement(search->found.at[k]) == order_first_statement(search->found.at[l]))
                return false;
    return true;
}

static void report_ambiguous(struct search *search, const struct value *name)
{
    struct diag *diag = diag_error(search->schedule->diags, "ambiguous-loop", name->place,
                                   "several loops are called `%s`", name->string);

    if (are_told_apart(search))
        diag_hint(search->schedule->diags, diag, "write %s", qualified(search));
    else
        diag_hint(search->schedule->diags, diag, "\"as\" of the steps that made them gives each its own name");
}

static bool one_identity(const struct search *search)
{
    for (int k = 1; k < search->found.n; k++)
        if (search->found.at[k]->info->id != search->found.at[0]->info->id)
            return false;
    return true;
}

/* Times and domains of all copies together. */
static void gather(const struct search *search, struct loop_ref *ref)
{
    struct arena *arena = search->schedule->arena;

    for (int k = 0; k < search->found.n; k++) {
        const struct order *node = search->found.at[k];
        isl_union_set *domain = order_domain(node);
        isl_union_pw_aff *time = isl_union_pw_aff_copy(node->time);

        if (search->found.n > 1)
            time = isl_union_pw_aff_intersect_domain_union_set(time, isl_union_set_copy(domain));
        ref->time = ref->time ? isl_union_pw_aff_union_add(ref->time, time) : time;
        ref->domain = ref->domain ? isl_union_set_union(ref->domain, domain) : domain;
    }
    poly_keep_union_pw_aff(arena, ref->time);
    poly_keep_union_set(arena, ref->domain);
}

static bool is_found(const struct search *search, const struct order *node)
{
    for (int k = 0; k < search->found.n; k++)
        if (search->found.at[k] == node)
            return true;
    return false;
}

struct renumbering {
    const struct search *search;
    const struct loop_info *info;
    int old;      /* identity of the loop that it was a part of */
    bool *inside; /* by statement: does it run in what was found? */
};

static void mark_inside(bool *inside, const struct order *node)
{
    if (node->kind == ORDER_LEAF)
        inside[node->statement->index] = true;
    for (int k = 0; k < node->n_child; k++)
        mark_inside(inside, node->child[k]);
}

static bool uses(const struct statement *statement, const char *array)
{
    for (int k = 0; k < statement->n_access; k++)
        if (strcmp(statement->access[k].array->name, array) == 0)
            return true;
    return false;
}

/* Do the loops copy a buffer that only serves what was found? */
static bool serves_found(const struct renumbering *renumbering, const struct order *node)
{
    const struct program *program = renumbering->search->schedule->program;
    const char *buffer = order_first_statement(node)->copies;

    for (int s = 0; buffer && s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        const bool copies = statement->copies && strcmp(statement->copies, buffer) == 0;

        if (!copies && !renumbering->inside[s] && uses(statement, buffer))
            return false;
    }
    return buffer != NULL;
}

static const struct order *renumber(void *data, const struct order *node)
{
    struct renumbering *renumbering = data;
    struct schedule *schedule = renumbering->search->schedule;
    const struct loop_info *info = renumbering->info;

    if (node->kind == ORDER_LOOP && node->info->follows == renumbering->old && serves_found(renumbering, node)) {
        struct loop_info *copy = edit_copy_info(schedule, node->info);

        copy->follows = info->id;
        info = copy;
    } else if (!is_found(renumbering->search, node)) {
        return node;
    }
    return order_loop(schedule->arena, info, isl_union_pw_aff_copy(node->time), node->child[0]);
}

/* Some of the copies of a loop, named by a statement or nest, become a loop of their own; what copies a register buffer
 * for them only follows that one. */
static bool separate(struct search *search)
{
    struct schedule *schedule = search->schedule;
    const struct loop_info *info = search->found.at[0]->info;
    struct renumbering renumbering = {search, NULL, info->id, NULL};

    if (search->found.n == order_count(schedule->order, info->id))
        return false;
    renumbering.info = edit_new_info(schedule, info, info->name, info->step);
    renumbering.inside = ARENA_ARRAY(schedule->arena, schedule->program->n_statement, bool);
    for (int k = 0; k < search->found.n; k++)
        mark_inside(renumbering.inside, search->found.at[k]);
    schedule->order = order_rewrite(schedule->arena, schedule->order, renumber, &renumbering);
    return true;
}

bool edit_loop(struct schedule *schedule, const struct value *name, struct loop_ref *ref)
{
    struct search search = {.schedule = schedule, .loop = name->string};

    search_loops(&search, schedule->order);
    if (search.found.n == 0 && !qualifier(&search, name))
        return false;
    if (search.statement || search.member)
        search_qualified(&search);
    if (search.found.n == 0) {
        report_unknown(&search, name);
        return false;
    }
    if (!one_identity(&search)) {
        report_ambiguous(&search, name);
        return false;
    }
    if (separate(&search)) {
        search.found.n = 0;
        search_qualified(&search);
    }
    *ref = (struct loop_ref){.info = search.found.at[0]->info,
                             .node = search.found.at[0],
                             .statement = search.statement,
                             .place = name->place,
                             .text = name->string};
    gather(&search, ref);
    return true;
}

static void search_parts(struct search *search, const struct order *node, int id, int k)
{
    const struct order *part = node;

    if (node->kind == ORDER_LOOP && node->info->id == id) {
        for (int step = 0; step < k; step++)
            part = part->child[0];
        VEC_PUSH(search->schedule->arena, &search->found, part);
    }
    for (int c = 0; c < node->n_child; c++)
        search_parts(search, node->child[c], id, k);
}

bool edit_tuple_part(struct schedule *schedule, const struct loop_ref *ref, int k, struct loop_ref *part)
{
    struct search search = {.schedule = schedule};

    search_parts(&search, schedule->order, ref->info->id, k);
    *part = *ref;
    part->node = search.found.at[0];
    part->info = part->node->info;
    part->time = NULL;
    part->domain = NULL;
    gather(&search, part);
    return one_identity(&search) && search.found.n == order_count(schedule->order, part->info->id);
}

bool edit_loop_argument(struct schedule *schedule, const struct step *step, const char *key, struct loop_ref *ref)
{
    return edit_loop(schedule, step_value(step, key), ref);
}
