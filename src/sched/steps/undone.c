#include "sched/steps/undone.h"

#include <string.h>

struct undone {
    const struct moving *moving;
    const struct order *const *kept;
    int depth;
    const struct step *step; /* the last one that made, or changed, one of the loops that go */
};

static bool is_kept(const struct undone *undone, const struct order *loop)
{
    for (int k = 0; k < undone->depth; k++)
        if (undone->kept[k]->info->id == loop->info->id)
            return true;
    return false;
}

/* Has order the statement that moves, under whatever program? */
static bool has_producer(const struct undone *undone, const struct order *order)
{
    if (order->kind == ORDER_LEAF)
        return strcmp(order->statement->label, undone->moving->producer->label) == 0;
    for (int k = 0; k < order->n_child; k++)
        if (has_producer(undone, order->child[k]))
            return true;
    return false;
}

/* Loops that come with a statement, as those of `cache_read`, come again; what an order step did is lost. Only a step
 * that changes the program changes what is required. */
static bool changes_order(const struct schedule *schedule, const struct step *step)
{
    return step->unsafe || schedule->applied[step->number].lazy == schedule->applied[step->number - 1].lazy;
}

static void find_step(struct undone *undone, const struct order *order)
{
    const struct step *step = order->kind == ORDER_LOOP && !is_kept(undone, order) ? order->info->step : NULL;

    if (!has_producer(undone, order))
        return;
    if (step && changes_order(undone->moving->schedule, step) && (!undone->step || step->number > undone->step->number))
        undone->step = step;
    for (int k = 0; k < order->n_child; k++)
        find_step(undone, order->child[k]);
}

enum { MOST_LOOPS = 64 };

/* The ids of the loops that go around the first copy of the statement. */
static int chain_of(const struct undone *undone, const struct order *order, int *id)
{
    int n = 0;

    while (order) {
        const struct order *inside = NULL;
        if (order->kind == ORDER_LOOP && !is_kept(undone, order) && n < MOST_LOOPS)
            id[n++] = order->info->id;
        for (int k = order->n_child - 1; k >= 0; k--)
            inside = has_producer(undone, order->child[k]) ? order->child[k] : inside;
        order = inside;
    }
    return n;
}

static bool same_chain(const struct undone *undone, const struct order *a, const struct order *b)
{
    int before[MOST_LOOPS], after[MOST_LOOPS];
    const int n = chain_of(undone, a, before);

    return chain_of(undone, b, after) == n && memcmp(before, after, (size_t)n * sizeof(*before)) == 0;
}

/* A `reorder` leaves no mark on loops: it changes which of them is around which. */
static void find_reorder(struct undone *undone)
{
    const struct schedule *schedule = undone->moving->schedule;
    const struct program *program = schedule->program;

    for (int k = schedule->n_step; k > 0 && !undone->step; k--) {
        const struct step *step = &program->schedule[k - 1];
        if (strcmp(step->primitive->name, "reorder") == 0 &&
            !same_chain(undone, schedule->history[k - 1], schedule->history[k]))
            undone->step = step;
    }
}

enum status undone_check(const struct moving *moving, const struct order *const *kept, int depth)
{
    struct undone undone = {moving, kept, depth, NULL};
    struct text text = {0};
    enum status status;

    find_step(&undone, moving->schedule->order);
    find_reorder(&undone);
    if (!undone.step)
        return STATUS_OK;
    step_print(&text, undone.step);
    status = moving_refuse(moving, "put this step in front of it, and steps on the new loops behind",
                           arena_printf(moving->schedule->arena, "it would leave the loops that step %d (%s) made",
                                        undone.step->number, text_str(&text)));
    text_free(&text);
    return status;
}
