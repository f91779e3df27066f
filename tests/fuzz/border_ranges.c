/* Judge of orders: pairs that are swapped, but for those about temporaries, of which only the values count. */
#include "border.h"

#include <stdlib.h>
#include <string.h>

static bool is_temporary(const struct draft *draft, const struct touch *touch)
{
    return strcmp(draft->array[touch->array].role, "temp") == 0;
}

/* Do both touch an element of something else that one of them writes? */
static bool disagree(const struct draft *draft, const struct event *a, const struct event *b)
{
    struct event own = *a;

    for (int k = 0; k < own.n_touch; k++)
        if (is_temporary(draft, &own.touch[k]))
            own.touch[k].array = -1;
    return events_disagree(draft, &own, b, false);
}

/* The event whose value b reads in the new order, of those that come first there; -1: none. */
static int new_source(const struct draft *draft, const struct trace *trace, int b, const struct touch *read,
                      const int64_t *size)
{
    int source = -1;

    for (int a = 0; a < trace->n; a++)
        for (int k = 0; k < trace->event[a].n_touch; k++)
            if (a != b && trace->event[a].touch[k].writes && touch_same(&trace->event[a].touch[k], read) &&
                border_compare_times(draft, trace, a, b, size) < 0 &&
                (source < 0 || border_compare_times(draft, trace, source, a, size) < 0))
                source = a;
    return source;
}

/* Does the event read another value of a temporary, of this element of it where there is one, in the new order? */
static bool reads_another(const struct draft *draft, const struct trace *trace, int b, const struct touch *element,
                          const int64_t *size)
{
    for (int k = 0; k < trace->event[b].n_touch; k++) {
        const struct touch *touch = &trace->event[b].touch[k];
        if (!touch->writes && is_temporary(draft, touch) && (!element || touch_same(touch, element)) &&
            trace_source(trace, b, touch) != new_source(draft, trace, b, touch, size))
            return true;
    }
    return false;
}

/* Does something read another value of an element that both events touch? */
static bool changes_values(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];

    for (int i = 0; i < first->n_touch; i++)
        for (int j = 0; j < second->n_touch; j++)
            if (is_temporary(draft, &first->touch[i]) && touch_same(&first->touch[i], &second->touch[j]))
                for (int c = 0; c < trace->n; c++)
                    if (reads_another(draft, trace, c, &first->touch[i], size))
                        return true;
    return false;
}

static bool breaks_other(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    return disagree(draft, &trace->event[a], &trace->event[b]) && border_compare_times(draft, trace, a, b, size) > 0;
}

static bool breaks_order(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    return breaks_other(draft, trace, a, b, size) ||
           (events_disagree(draft, &trace->event[a], &trace->event[b], false) &&
            border_compare_times(draft, trace, a, b, size) > 0 && changes_values(draft, trace, a, b, size));
}

enum { FEW = 700 };

/* Does every statement read the values of temporaries that it read before? */
static bool values_kept(const struct draft *draft, const int64_t *size, struct text *reason)
{
    struct trace trace = draft_run(draft, size, FEW);
    bool kept;
    int b = 0;

    while (b < trace.n && !reads_another(draft, &trace, b, NULL, size))
        b++;
    kept = b == trace.n;
    if (!kept)
        text_addf(reason, "accepted, but S%d (%d) reads another value of a temporary at N = %d, M = %d",
                  draft_label(draft, trace.event[b].nest, trace.event[b].line), b, (int)size[0], (int)size[1]);
    trace_free(&trace);
    return kept;
}

enum outcome judge_order(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    if (draft->asked.sunk)
        return judge_sunk(draft, accepted, said, reason);
    if (draft->asked.n_time == 0)
        return judge_placed(draft, said, reason);
    for (int k = 0; accepted && k < n_border_sizes; k++)
        if (draft_allows(draft, border_sizes[k]) && !values_kept(draft, border_sizes[k], reason))
            return WRONG;
    return judge_pairs(draft, accepted, said, accepted ? breaks_other : breaks_order, reason);
}
