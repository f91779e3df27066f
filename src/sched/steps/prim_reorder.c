/* reorder: the listed loops are permuted among their own places. */
#include "sched/edit.h"

struct wanted {
    struct schedule *schedule;
    const struct step *step;
    struct loop_ref *ref; /* the listed loops, in the wanted order */
    int n;
    bool complete; /* some chain had all of them */
    bool refused;
};

/* The place of a loop in the wanted order, or -1. */
static int wanted_place(const struct wanted *wanted, const struct order *node)
{
    for (int k = 0; node->kind == ORDER_LOOP && k < wanted->n; k++)
        if (wanted->ref[k].info->id == node->info->id)
            return k;
    return -1;
}

static bool contains_wanted(const struct wanted *wanted, const struct order *node)
{
    if (wanted_place(wanted, node) >= 0)
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (contains_wanted(wanted, node->child[k]))
            return true;
    return false;
}

static const struct order *refuse_imperfect(struct wanted *wanted, const struct order *sequence)
{
    const struct order *without = sequence;
    const char *loop = "";

    for (int k = 0; k < sequence->n_child; k++)
        if (!contains_wanted(wanted, sequence->child[k]))
            without = sequence->child[k];
    for (int k = 0; k < wanted->n; k++)
        if (!order_find(without, wanted->ref[k].info->id))
            loop = wanted->ref[k].text;
    while (without->kind != ORDER_LEAF)
        without = without->child[0];
    edit_refuse(wanted->schedule, wanted->step->place, "imperfect",
                "separate the statements with `fission`, or give the order as a `map`",
                "cannot move loop `%s` across statement %s, which it is not around", loop, without->statement->label);
    wanted->refused = true;
    return NULL;
}

/* The listed loops on the chain of single loops from node down, in the wanted order; returns how many. */
static int collect_chain(struct wanted *wanted, const struct order *node, const struct order **chain)
{
    const struct order **at = ARENA_ARRAY(wanted->schedule->arena, wanted->n, const struct order *);
    int n = 0;

    for (; node->kind == ORDER_LOOP; node = node->child[0]) {
        const int place = wanted_place(wanted, node);
        if (place >= 0)
            at[place] = node;
    }
    if (node->kind == ORDER_SEQUENCE && contains_wanted(wanted, node))
        refuse_imperfect(wanted, node);
    for (int k = 0; k < wanted->n; k++)
        if (at[k])
            chain[n++] = at[k];
    wanted->complete = wanted->complete || n == wanted->n;
    return n;
}

/* The chain again, with chain[0], chain[1], .. at the places of listed loops. */
static const struct order *rebuild(struct wanted *wanted, const struct order *node, const struct order **chain, int n)
{
    struct arena *arena = wanted->schedule->arena;
    const struct order *loop = node;
    const struct order *body;

    if (node->kind != ORDER_LOOP || n == 0)
        return node;
    if (wanted_place(wanted, node) >= 0) {
        loop = *chain++;
        n--;
    }
    body = rebuild(wanted, node->child[0], chain, n);
    return order_loop(arena, loop->info, isl_union_pw_aff_copy(loop->time), body);
}

/* Permutes every topmost chain that has listed loops; a copy that has only some of them keeps their order. */
static const struct order *permute(struct wanted *wanted, const struct order *node)
{
    const struct order **child;

    if (!contains_wanted(wanted, node))
        return node;
    if (wanted_place(wanted, node) >= 0) {
        const struct order **chain = ARENA_ARRAY(wanted->schedule->arena, wanted->n, const struct order *);
        const int n = collect_chain(wanted, node, chain);
        return rebuild(wanted, node, chain, n);
    }
    child = ARENA_ARRAY(wanted->schedule->arena, node->n_child, const struct order *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = permute(wanted, node->child[k]);
    return order_with_children(wanted->schedule->arena, node, child);
}

static enum status resolve(struct wanted *wanted, const struct value *list)
{
    for (int k = 0; k < list->n_item; k++) {
        if (!edit_loop(wanted->schedule, &list->item[k], &wanted->ref[k]))
            return STATUS_REFUSED;
        for (int other = 0; other < k; other++)
            if (wanted->ref[other].info->id == wanted->ref[k].info->id)
                return edit_refuse(wanted->schedule, list->item[k].place, "reorder", NULL, "`%s` is listed twice",
                                   wanted->ref[k].text);
    }
    return STATUS_OK;
}

/* A collapsed tuple is several loops of the tree; taking one of them away would break it up. */
static enum status check_single(struct wanted *wanted)
{
    for (int k = 0; k < wanted->n; k++)
        if (!edit_is_single(wanted->schedule, &wanted->ref[k], "reorder"))
            return STATUS_REFUSED;
    return STATUS_OK;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *list = step_value(step, "reorder");
    struct wanted wanted = {.schedule = schedule,
                            .step = step,
                            .n = list->n_item,
                            .ref = ARENA_ARRAY(schedule->arena, list->n_item + 1, struct loop_ref)};
    const struct order *order;
    enum status status = resolve(&wanted, list);

    if (status == STATUS_OK)
        status = check_single(&wanted);
    if (status != STATUS_OK)
        return status;
    order = permute(&wanted, schedule->order);
    if (wanted.refused)
        return STATUS_REFUSED;
    if (!wanted.complete)
        return edit_refuse(schedule, step->place, "reorder", NULL, "the listed loops are not all around one statement");
    return edit_commit(schedule, order);
}

static const struct argument arguments[] = {
    {.key = "reorder", .kind = ARGUMENT_LOOPS, .required = true, .doc = "loops, outermost first"},
    {0},
};

const struct primitive primitive_reorder = {
    .name = "reorder",
    .summary = "change the order of loops",
    .rule = "The loops are nested in the order given, outermost first. Loops that are not named "
            "stay where they are, and statements between the loops run in the instances that they "
            "have. A loop that encloses several statements is reordered for all of them.",
    .proved = "Each pair of dependent instances keeps its order. Where a bound depends on another "
              "loop, the new bounds are those of the same set of iterations.",
    .argument = arguments,
    .apply = apply,
};
