#include "sched/program_step.h"
#include "sched/steps/rfactor.h"

const struct order *rfactor_leaf(const struct rfactor *rfactor, const struct statement *statement)
{
    return order_leaf(rfactor->schedule->arena, statement, isl_set_copy(statement->domain));
}

/* One loop of the nest of partial results. */
struct nest_part {
    const struct order *loop; /* of S */
    const struct loop_info *info;
    bool factored, reduces;
};

static const struct order *wrap(const struct rfactor *rfactor, const struct nest_part *part,
                                const struct order *partial, const struct order *init, const struct order *body)
{
    isl_union_pw_aff *time = NULL, *own;

    if (partial)
        time = rfactor_time(rfactor, part->loop, rfactor->partial);
    if (init) {
        own = part->factored ? rfactor_count(rfactor, rfactor->init) : rfactor_time(rfactor, part->loop, rfactor->init);
        time = time ? isl_union_pw_aff_union_add(time, own) : own;
    }
    return order_loop(rfactor->schedule->arena, part->info, time, body);
}

/* S's loops in their order, the factored one at place `axis`, under a name of its own. */
static struct nest_part *nest_parts(const struct rfactor *rfactor, const struct path *path)
{
    struct schedule *schedule = rfactor->schedule;
    const struct loop_info *old = rfactor->loop.info;
    const char *name =
        edit_name_like(schedule, &rfactor->loop, arena_printf(schedule->arena, "%s_%s", rfactor->name, old->name));
    struct nest_part *part = ARENA_ARRAY(schedule->arena, path->depth, struct nest_part);
    const struct loop_info *info = edit_new_info(schedule, old, name, rfactor->step);
    const int at = rfactor->axis < path->depth ? rfactor->axis : path->depth - 1;
    int n = 0;

    for (int k = 0; k < path->depth; k++) {
        const struct order *loop = path->loop[k];
        const bool factored = loop->info->id == old->id;
        struct loop_info *own = edit_copy_info(schedule, loop->info);
        if (own->outer == old->id)
            own->outer = info->id;
        n += !factored && n == at;
        part[factored ? at : n++] =
            (struct nest_part){loop, factored ? info : own, factored, !factored && rfactor_reduces(rfactor, loop)};
    }
    return part;
}

const struct order *rfactor_partial_nest(const struct rfactor *rfactor, const struct path *path)
{
    struct nest_part *part = nest_parts(rfactor, path);
    const struct order *both[2] = {rfactor_leaf(rfactor, rfactor->init), rfactor_leaf(rfactor, rfactor->partial)},
                       *order;
    int first = 0;

    while (first < path->depth && !part[first].reduces)
        first++;
    for (int k = path->depth - 1; k >= first; k--) {
        both[1] = wrap(rfactor, &part[k], both[1], NULL, both[1]);
        if (!part[k].reduces)
            both[0] = wrap(rfactor, &part[k], NULL, both[0], both[0]);
    }
    order = order_sequence(rfactor->schedule->arena, both, 2);
    for (int k = first - 1; k >= 0; k--)
        order = wrap(rfactor, &part[k], both[1], both[0], order);
    return order;
}
