#include "plan/check/separate.h"

#include "dep/meeting.h"

enum { MOST = 64 };

struct search {
    const struct schedule *schedule;
    const struct loop_info *info;
    int n;
    isl_union_pw_aff *time[2 * MOST]; /* of the loops around, outermost first */
};

static void add_members(const struct order *order, bool *member)
{
    if (order->kind == ORDER_LEAF)
        member[order->statement->index] = true;
    for (int k = 0; k < order->n_child; k++)
        add_members(order->child[k], member);
}

static bool loop_separated(struct search *search, const struct order *loop, int depth)
{
    const struct schedule *schedule = search->schedule;
    bool *member = ARENA_ARRAY(schedule->arena, schedule->program->n_statement + 1, bool);

    add_members(loop, member);
    for (int k = 0; k < search->n; k++, loop = loop->child[0]) {
        if (loop->kind != ORDER_LOOP)
            return false;
        search->time[depth + k] = loop->time;
    }
    return meetings_within(schedule_meetings(schedule), member, search->time, depth, search->n);
}

/* The copies of the loop below order, which has depth loops around it. */
static bool all_separated(struct search *search, const struct order *order, int depth)
{
    bool all = true;

    if (order->kind == ORDER_LOOP) {
        if (depth == MOST)
            return false;
        if (order->info == search->info)
            return loop_separated(search, order, depth);
        search->time[depth++] = order->time;
    }
    for (int k = 0; k < order->n_child && all; k++)
        all = all_separated(search, order->child[k], depth);
    return all;
}

bool loop_separates(const struct schedule *schedule, const struct loop_info *info, int n)
{
    struct search search = {.schedule = schedule, .info = info, .n = n};

    return n <= MOST && all_separated(&search, schedule->order, 0);
}
