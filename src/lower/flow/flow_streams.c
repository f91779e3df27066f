/* Stores past the caches: whole vectors at multiples of their size, which others see only behind a fence. */
#include "lower/flow/flow_tree.h"

/* Does the vector start at a multiple of its bytes, wherever callers put the array? */
static bool is_aligned(struct thread *thread, const struct node *assign)
{
    const struct array *array = assign->target.array;
    const int64_t bytes = (int64_t)assign->vector->lanes * type_bits(array->type) / 8;
    struct space *space;
    const int64_t position = flow_position(thread, &assign->target, NOT_IN_LANES, 0, &space);

    return array->align % bytes == 0 && position % assign->vector->lanes == 0;
}

void flow_stream(struct thread *thread, const struct node *assign)
{
    const struct vector *vector = assign->vector;

    thread->streamed = true;
    if (!vector || vector->sum || vector->count || vector->active || assign->guard_value ||
        assign->target.lane_step != 1)
        flow_end(thread->run->flow, FLOW_WRONG, "a store past the caches is of no whole vector");
    else if (!is_aligned(thread, assign))
        flow_end(thread->run->flow, FLOW_WRONG, "a store past the caches is not at a multiple of its size");
}

void flow_meet(struct thread *thread)
{
    if (thread->streamed)
        flow_end(thread->run->flow, FLOW_WRONG, "no fence follows a store past the caches");
}
