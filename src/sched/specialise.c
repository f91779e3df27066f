#include "sched/specialise.h"

#include "sched/graft.h"
#include "sched/time.h"

struct specialising {
    struct arena *arena;
    const struct program *program;
};

/* The count of all of a statement's instances in a loop, if that is one constant. */
static bool constant_count(const struct order *loop, const struct statement *statement, int64_t *count)
{
    isl_pw_aff *time = time_count(loop->time, statement);
    const bool constant = pw_aff_constant(time, count);

    isl_pw_aff_free(time);
    return constant;
}

/* The counts of the statements below a loop, by index; false when one has no constant count. */
static bool constant_counts(const struct specialising *s, const struct order *loop, bool *below, int64_t *count)
{
    for (int k = 0; k < s->program->n_statement; k++) {
        below[k] = order_has(loop, s->program->statement[k]);
        if (below[k] && !constant_count(loop, s->program->statement[k], &count[k]))
            return false;
    }
    return true;
}

static const struct order *specialise(const struct specialising *s, const struct order *order);

/* The smallest count above *last (or of all, the first time) among the statements below; false when there is none. */
static bool next_count(int n, const bool *below, const int64_t *count, bool first, int64_t *last)
{
    bool found = false;
    int64_t next = 0;

    for (int k = 0; k < n; k++)
        if (below[k] && (first || count[k] > *last) && (!found || count[k] < next)) {
            next = count[k];
            found = true;
        }
    *last = next;
    return found;
}

/* A loop of constant counts as the sequence of what runs at each. */
static const struct order *by_count(const struct specialising *s, const struct order *loop, const bool *below,
                                    const int64_t *count)
{
    const int n = s->program->n_statement;
    const struct order **child = ARENA_ARRAY(s->arena, n + 1, const struct order *);
    bool *others = ARENA_ARRAY(s->arena, n + 1, bool);
    int64_t at = 0;
    int n_child = 0;

    while (next_count(n, below, count, n_child == 0, &at)) {
        for (int k = 0; k < n; k++)
            others[k] = below[k] && count[k] != at;
        child[n_child++] = specialise(s, graft_remove(s->arena, loop->child[0], others));
    }
    return order_sequence(s->arena, child, n_child);
}

static const struct order *specialise(const struct specialising *s, const struct order *order)
{
    bool *below;
    int64_t *count;
    const struct order **child;

    if (order->kind == ORDER_LEAF)
        return order;
    if (order->kind == ORDER_LOOP && order->info->tuple == 0) {
        below = ARENA_ARRAY(s->arena, s->program->n_statement + 1, bool);
        count = ARENA_ARRAY(s->arena, s->program->n_statement + 1, int64_t);
        if (constant_counts(s, order, below, count))
            return by_count(s, order, below, count);
    }
    child = ARENA_ARRAY(s->arena, order->n_child, const struct order *);
    for (int k = 0; k < order->n_child; k++)
        child[k] = specialise(s, order->child[k]);
    return order_with_children(s->arena, order, child);
}

const struct order *order_specialise(struct arena *arena, const struct program *program, const struct order *order)
{
    const struct specialising s = {arena, program};

    return specialise(&s, order);
}
