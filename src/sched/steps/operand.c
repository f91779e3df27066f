#include "sched/steps/operand.h"

#include "poly/keep.h"

#include <isl/local_space.h>
#include <isl/space.h>

/* Do only statements of the group (by index) stand below node, and at least one? */
static bool is_within(const struct order *node, const bool *member)
{
    if (node->kind == ORDER_LEAF)
        return member[node->statement->index];
    for (int k = 0; k < node->n_child; k++)
        if (!is_within(node->child[k], member))
            return false;
    return true;
}

/* The topmost node with only members of the group; *found counts such nodes. */
static void find_members(const struct order *node, const struct order *parent, const bool *member,
                         const struct order **found, const struct order **around, int *n)
{
    if (is_within(node, member)) {
        *found = node;
        *around = parent;
        ++*n;
        return;
    }
    for (int k = 0; k < node->n_child; k++)
        find_members(node->child[k], node, member, found, around, n);
}

static const struct order *parent_of(const struct order *node, const struct order *wanted)
{
    for (int k = 0; k < node->n_child; k++) {
        const struct order *parent = node->child[k] == wanted ? node : parent_of(node->child[k], wanted);
        if (parent)
            return parent;
    }
    return NULL;
}

/* The statements that the name denotes, by index: a group, a single statement, or all parts of a call. */
static const bool *members_of(struct schedule *schedule, const char *name)
{
    const struct program *program = schedule->program;
    const bool *group = schedule_group(schedule, name);
    const struct statement *statement = program_statement(program, name);
    bool *member;

    if (group || !statement)
        return group;
    member = ARENA_ARRAY(schedule->arena, program->n_statement, bool);
    member[statement->index] = true;
    for (int s = 0; statement->call && s < program->n_statement; s++)
        member[s] = program->statement[s]->call == statement->call;
    return member;
}

static bool is_loop(const struct order *node, const char *name)
{
    const char *dot = strchr(name, '.');

    if (dot || (node->kind == ORDER_LOOP && strcmp(node->info->name, name) == 0))
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (is_loop(node->child[k], name))
            return true;
    return false;
}

static enum status report_unknown(struct schedule *schedule, const struct value *name)
{
    struct diag *diag = diag_error(schedule->diags, "unknown-name", name->place,
                                   "there is no nest, statement or loop `%s`", name->string);
    VEC(const char *) names = {0};
    const char *nearest;

    for (int k = 0; k < schedule->groups.n; k++)
        VEC_PUSH(schedule->arena, &names, schedule->groups.at[k].name);
    for (int k = 0; k < schedule->program->n_statement; k++)
        VEC_PUSH(schedule->arena, &names, schedule->program->statement[k]->label);
    nearest = name_nearest(name->string, names.at, names.n);
    if (nearest)
        diag_hint(schedule->diags, diag, "did you mean `%s`?", nearest);
    return STATUS_REFUSED;
}

static enum status find_operand(struct schedule *schedule, const struct value *name, const struct order **node,
                                const struct order **parent)
{
    const bool *member = members_of(schedule, name->string);
    struct loop_ref ref;
    int n = 0;

    if (!member && !is_loop(schedule->order, name->string))
        return report_unknown(schedule, name);
    if (!member) {
        if (!edit_loop(schedule, name, &ref))
            return STATUS_REFUSED;
        *node = ref.node;
        *parent = parent_of(schedule->order, ref.node);
        return STATUS_OK;
    }
    find_members(schedule->order, NULL, member, node, parent, &n);
    if (n == 1)
        return STATUS_OK;
    return edit_refuse(schedule, name->place, "fuse", "`join` its parts, or name the loops to fuse",
                       "`%s` is not one part of the order any more", name->string);
}

struct gathering {
    struct schedule *schedule;
    const bool *member;
    int n; /* statements of the group */
};

static int count_members(const struct order *node, const bool *member)
{
    int n = node->kind == ORDER_LEAF && member[node->statement->index];

    for (int k = 0; k < node->n_child; k++)
        n += count_members(node->child[k], member);
    return n;
}

/* A copy of the sequence in which children first..last are a sequence of their own. */
static const struct order *with_part(struct arena *arena, const struct order *sequence, int first, int last)
{
    const int n = last - first + 1;
    const struct order **child = ARENA_ARRAY(arena, sequence->n_child, const struct order *);
    struct order *copy = ARENA_NEW(arena, struct order);

    for (int k = 0; k <= first; k++)
        child[k] = sequence->child[k];
    child[first] = order_sequence(arena, sequence->child + first, n);
    for (int k = last + 1; k < sequence->n_child; k++)
        child[k - n + 1] = sequence->child[k];
    *copy = *sequence;
    copy->child = child;
    copy->n_child = sequence->n_child - n + 1;
    return copy;
}

static bool is_all(const struct order *sequence, int first, int last, const struct gathering *gathering)
{
    int n = 0;

    for (int k = first; k <= last; k++)
        n += count_members(sequence->child[k], gathering->member);
    return n == gathering->n;
}

/* Neighbours in a sequence that are all of the group become one part of it. */
static const struct order *gather(void *data, const struct order *node)
{
    const struct gathering *gathering = data;
    int first = -1, last = -1, n = 0;

    if (node->kind != ORDER_SEQUENCE || count_members(node, gathering->member) != gathering->n)
        return node;
    for (int k = 0; k < node->n_child; k++) {
        if (!is_within(node->child[k], gathering->member))
            continue;
        first = first < 0 ? k : first;
        last = k;
        n++;
    }
    if (n < 2 || n != last - first + 1 || n == node->n_child || !is_all(node, first, last, gathering))
        return node;
    return with_part(gathering->schedule->arena, node, first, last);
}

static bool is_one_part(const struct order *order, const bool *member)
{
    const struct order *node, *parent;
    int n = 0;

    find_members(order, NULL, member, &node, &parent, &n);
    return n == 1;
}

/* A nest without a loop around everything has its statements and loops side by side, and a call its parts: as an
 * operand they are one. */
static void gather_operands(struct schedule *schedule, const struct value *list)
{
    for (int k = 0; k < list->n_item; k++) {
        struct gathering gathering = {schedule, members_of(schedule, list->item[k].string), 0};
        if (!gathering.member || is_one_part(schedule->original, gathering.member))
            continue;
        gathering.n = count_members(schedule->order, gathering.member);
        schedule->order = order_rewrite(schedule->arena, schedule->order, gather, &gathering);
    }
}

/* { S[i,j]; T[..] } of the statements below order, those that never run among them. */
static __isl_give isl_union_set *spaces_below(const struct schedule *schedule, const struct order *order)
{
    isl_union_set *spaces = isl_union_set_empty(program_params_space(schedule->program));

    if (order->kind == ORDER_LEAF)
        return isl_union_set_add_set(spaces, isl_set_universe(isl_set_get_space(order->domain)));
    for (int k = 0; k < order->n_child; k++)
        spaces = isl_union_set_union(spaces, spaces_below(schedule, order->child[k]));
    return spaces;
}

/* The loop's times, of the statements inside: after `fission` those of others are still there. */
static isl_union_pw_aff *own_times(struct schedule *schedule, const struct order *loop)
{
    isl_union_set *inside = spaces_below(schedule, loop);

    return poly_keep_union_pw_aff(schedule->arena,
                                  isl_union_pw_aff_intersect_domain_union_set(isl_union_pw_aff_copy(loop->time),
                                                                              inside));
}

static void measure(struct schedule *schedule, struct operand *operand, const struct order *node)
{
    int rank = 0;

    for (const struct order *at = node; at->kind == ORDER_LOOP; at = at->child[0])
        rank++;
    operand->node = node;
    operand->loop = ARENA_ARRAY(schedule->arena, rank + 1, struct operand_loop);
    for (; node->kind == ORDER_LOOP; node = node->child[0]) {
        struct loop_ref ref = {.info = node->info, .node = node, .time = node->time, .domain = order_domain(node)};
        operand->loop[operand->rank].info = node->info;
        operand->loop[operand->rank].time = own_times(schedule, node);
        operand->loop[operand->rank++].origin = edit_origin(schedule, &ref);
        isl_union_set_free(ref.domain);
    }
    operand->body = node;
}

static bool has_tuple(const struct operand *operand)
{
    for (int k = 0; k < operand->rank; k++)
        if (operand->loop[k].info->tuple != 0)
            return true;
    return false;
}

static bool share_statement(const struct operand *a, const struct operand *b)
{
    isl_union_set *first = isl_union_set_universe(order_domain(a->node));
    isl_union_set *second = isl_union_set_universe(order_domain(b->node));
    const bool disjoint = isl_union_set_is_disjoint(first, second) == isl_bool_true;

    isl_union_set_free(first);
    isl_union_set_free(second);
    return !disjoint;
}

/* Where operands have instances of one statement, as the pieces of a cut do, their times hold for their own only. */
static void restrict_times(struct schedule *schedule, struct operand *operand)
{
    if (operand->domain)
        return;
    operand->domain = poly_keep_union_set(schedule->arena, order_domain(operand->node));
    for (int d = 0; d < operand->rank; d++)
        operand->loop[d].time = poly_keep_union_pw_aff(
            schedule->arena, isl_union_pw_aff_intersect_domain_union_set(isl_union_pw_aff_copy(operand->loop[d].time),
                                                                         isl_union_set_copy(operand->domain)));
}

static void separate_times(struct schedule *schedule, struct operand *operand, int n)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++)
            if (share_statement(&operand[a], &operand[b])) {
                restrict_times(schedule, &operand[a]);
                restrict_times(schedule, &operand[b]);
            }
}

/* Copies of a loop that a name tells apart get identities of their own, in a new order: before nodes of it are kept. */
static enum status settle_names(struct schedule *schedule, const struct value *list)
{
    const struct order *node, *around;

    for (int k = 0; k < list->n_item; k++)
        if (find_operand(schedule, &list->item[k], &node, &around) != STATUS_OK)
            return STATUS_REFUSED;
    return STATUS_OK;
}

enum status operands_resolve(struct schedule *schedule, const struct value *list, struct operand *operand,
                             const struct order **parent)
{
    gather_operands(schedule, list);
    if (settle_names(schedule, list) != STATUS_OK)
        return STATUS_REFUSED;
    for (int k = 0; k < list->n_item; k++) {
        const struct value *name = &list->item[k];
        const struct order *node, *around;
        if (find_operand(schedule, name, &node, &around) != STATUS_OK)
            return STATUS_REFUSED;
        if (!around || around->kind != ORDER_SEQUENCE || (k > 0 && around != *parent))
            return edit_refuse(schedule, name->place, "fuse", NULL, "`%s` does not stand side by side with the others",
                               name->string);
        if (operand_contains(operand, k, node))
            return edit_refuse(schedule, name->place, "fuse", NULL, "`%s` is listed twice", name->string);
        *parent = around;
        operand[k].name = name->string;
        measure(schedule, &operand[k], node);
        if (has_tuple(&operand[k]))
            return edit_refuse(schedule, name->place, "collapsed", "fuse first",
                               "`%s` has a collapsed loop whose inner extent is not a constant", name->string);
    }
    separate_times(schedule, operand, list->n_item);
    return STATUS_OK;
}

void operands_release(struct operand *operand, int n)
{
    for (int k = 0; k < n; k++)
        for (int d = 0; d < operand[k].rank; d++)
            isl_aff_free(operand[k].loop[d].origin);
}

bool operand_contains(const struct operand *operand, int n, const struct order *node)
{
    for (int k = 0; k < n; k++)
        if (operand[k].node == node)
            return true;
    return false;
}

static __isl_give isl_union_pw_aff *zero_below(const struct order *node)
{
    isl_union_pw_aff *zero = NULL;
    isl_local_space *space;

    if (node->kind == ORDER_LEAF) {
        space = isl_local_space_from_space(isl_set_get_space(node->domain));
        return isl_union_pw_aff_from_pw_aff(isl_pw_aff_from_aff(isl_aff_zero_on_domain(space)));
    }
    for (int k = 0; k < node->n_child; k++) {
        isl_union_pw_aff *below = zero_below(node->child[k]);
        if (zero)
            below = isl_union_pw_aff_subtract_domain_union_set(below, isl_union_set_universe(isl_union_pw_aff_domain(
                                                                          isl_union_pw_aff_copy(zero))));
        zero = zero ? isl_union_pw_aff_union_add(zero, below) : below;
    }
    return zero;
}

__isl_give isl_union_pw_aff *operand_zero(const struct operand *operand)
{
    isl_union_pw_aff *zero = zero_below(operand->node);

    if (operand->domain)
        zero = isl_union_pw_aff_intersect_domain_union_set(zero, isl_union_set_copy(operand->domain));
    return zero;
}
