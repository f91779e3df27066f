/* fission: a loop around several statements becomes two loops, one after the other. */
#include "program/instruction.h"
#include "sched/edit.h"

struct fission {
    struct schedule *schedule;
    int id;
    const struct statement *after;
    int done; /* copies of the loop that were split */
};

/* The last leaf of `after` below node ends the first part. */
static void divide(struct fission *fission, const struct order *node, const struct order **first,
                   const struct order **second);

static const struct order *rest_of(struct fission *fission, const struct order *const *child, int n)
{
    return n > 0 ? order_sequence(fission->schedule->arena, child, n) : NULL;
}

static void divide_sequence(struct fission *fission, const struct order *node, const struct order **first,
                            const struct order **second)
{
    struct arena *arena = fission->schedule->arena;
    const struct order **front = ARENA_ARRAY(arena, node->n_child, const struct order *);
    const struct order **back = ARENA_ARRAY(arena, node->n_child + 1, const struct order *);
    int last = node->n_child - 1, n = 0;

    while (!order_has(node->child[last], fission->after))
        last--;
    for (int k = 0; k < last; k++)
        front[k] = node->child[k];
    divide(fission, node->child[last], &front[last], &back[0]);
    n = back[0] != NULL;
    for (int k = last + 1; k < node->n_child; k++)
        back[n++] = node->child[k];
    *first = order_sequence(arena, front, last + 1);
    *second = rest_of(fission, back, n);
}

static const struct order *around(struct fission *fission, const struct order *loop, const struct order *body)
{
    return body ? order_loop(fission->schedule->arena, loop->info, isl_union_pw_aff_copy(loop->time), body) : NULL;
}

static void divide(struct fission *fission, const struct order *node, const struct order **first,
                   const struct order **second)
{
    *first = node;
    *second = NULL;
    if (node->kind == ORDER_SEQUENCE)
        divide_sequence(fission, node, first, second);
    if (node->kind == ORDER_LOOP) {
        divide(fission, node->child[0], first, second);
        *first = around(fission, node, *first);
        *second = around(fission, node, *second);
    }
}

static const struct order *fission_copy(void *data, const struct order *node)
{
    struct fission *fission = data;
    const struct order *part[2];

    if (node->kind != ORDER_LOOP || node->info->id != fission->id || !order_has(node, fission->after))
        return node;
    divide(fission, node, &part[0], &part[1]);
    if (!part[1])
        return node;
    fission->done++;
    return order_sequence(fission->schedule->arena, part, 2);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct loop_ref ref;
    struct fission fission = {.schedule = schedule};
    const char *label = step_string(step, "after", "");
    const struct order *order;

    if (!edit_loop_argument(schedule, step, "fission", &ref) || !edit_is_single(schedule, &ref, "divide"))
        return STATUS_REFUSED;
    fission.id = ref.info->id;
    fission.after = program_statement(schedule->program, label);
    if (!fission.after)
        return edit_no_statement(schedule, step_place(step, "after"), label);
    fission.after = call_last_part(schedule->program, fission.after);
    order = order_rewrite(schedule->arena, schedule->order, fission_copy, &fission);
    if (!fission.done)
        return edit_refuse(schedule, step_place(step, "after"), "fission", NULL,
                           "loop `%s` has nothing after statement %s", ref.text, label);
    return edit_commit(schedule, order);
}

static const struct argument arguments[] = {
    {.key = "fission", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop"},
    {.key = "after", .kind = ARGUMENT_STATEMENT, .required = true, .doc = "the last statement of the first loop"},
    {0},
};

const struct primitive primitive_fission = {
    .name = "fission",
    .summary = "divide a loop between two of its statements",
    .rule = "The loop is divided into two: the first runs the statements up to and including "
            "`after`, the second the others.",
    .proved = "No statement of the first loop depends on an earlier iteration of the second.",
    .argument = arguments,
    .apply = apply,
};
