#include "plan/cache/still.h"

#include "plan/cache/sites.h"
#include "sched/graft.h"
#include "sched/path.h"
#include "sched/time.h"

/* One copy of the loop. */
struct still {
    struct schedule *schedule;
    const struct order *loop;
    struct path path; /* the loops around */
    int wanted;       /* which copy it is, counted down */
    VEC(const struct order *) part;
};

/* { [c0,..] }: the iterations of the loops around that have instances of statement. */
static __isl_give isl_set *iterations(const struct still *still, const struct statement *statement)
{
    isl_map *times = isl_map_from_multi_pw_aff(path_iteration(&still->path, statement));

    return isl_set_apply(isl_set_copy(statement->domain), times);
}

static bool stands_still(const struct order *loop, const struct statement *statement)
{
    const struct order *leaf = order_leaf_of(loop, statement);
    isl_union_pw_aff *time = time_of(loop->time, statement);
    const bool single = order_leaves(loop, statement) == 1 && time_is_single(time, leaf->domain);

    isl_union_pw_aff_free(time);
    return single;
}

/* Do the loops around keep the statement apart from all others? */
static bool is_apart(const struct still *still, const struct statement *statement)
{
    const struct program *program = still->schedule->program;
    isl_set *own = iterations(still, statement);
    bool apart = true;

    for (int s = 0; s < program->n_statement && apart; s++)
        if (program->statement[s] != statement && order_has(still->loop, program->statement[s])) {
            isl_set *both = isl_set_intersect(isl_set_copy(own), iterations(still, program->statement[s]));
            apart = isl_set_is_empty(both) == isl_bool_true;
            isl_set_free(both);
        }
    isl_set_free(own);
    return apart;
}

/* Each statement that can leave the loop, then the loop with the others; false: all stays as it is. */
static bool divide(struct still *still)
{
    const struct program *program = still->schedule->program;
    struct arena *arena = still->schedule->arena;
    bool *taken = ARENA_ARRAY(arena, program->n_statement + 1, bool);
    int left = 0;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        bool *others = ARENA_ARRAY(arena, program->n_statement + 1, bool);

        if (!order_has(still->loop, statement))
            continue;
        taken[s] = stands_still(still->loop, statement) && is_apart(still, statement);
        left += !taken[s];
        for (int k = 0; k < program->n_statement; k++)
            others[k] = k != s;
        if (taken[s])
            VEC_PUSH(arena, &still->part, graft_remove(arena, still->loop, others)->child[0]);
    }
    if (left > 0 && still->part.n > 0)
        VEC_PUSH(arena, &still->part, graft_remove(arena, still->loop, taken));
    return left > 0 && still->part.n > 0;
}

static const struct order *put(void *data, const struct order *node)
{
    struct still *still = data;

    if (node->kind != ORDER_LOOP || node->info->id != still->loop->info->id || still->wanted-- != 0)
        return node;
    return order_sequence(still->schedule->arena, still->part.at, still->part.n);
}

void still_take_out(struct schedule *schedule, int id)
{
    const int n = order_count(schedule->order, id);

    for (int k = 0; k < n; k++) {
        struct still still = {.schedule = schedule, .wanted = k};
        int copy = k;

        still.loop = sites_copy(schedule->order, id, &copy);
        if (!path_find(schedule->arena, schedule->order, still.loop, &still.path))
            return;
        still.path.depth--;
        if (divide(&still))
            schedule->order = schedule->original = order_rewrite(schedule->arena, schedule->order, put, &still);
    }
}

bool still_is(const struct schedule *schedule, const struct order *loop)
{
    const struct program *program = schedule->program;

    for (int s = 0; s < program->n_statement; s++)
        if (order_has(loop, program->statement[s]) && !stands_still(loop, program->statement[s]))
            return false;
    return true;
}
