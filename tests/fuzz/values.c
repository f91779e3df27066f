/* A value by the events that make it: the last one that stores the element, and in front of that, as long as these are
 * updates of one reduction in any order, those up to what it starts with. */
#include "values.h"

#include <stdlib.h>
#include <string.h>

/* Does the event store the element? *update: as an update that may change places with others of that operator. */
static bool stores(const struct event *event, const struct touch *element, enum expr_op *update)
{
    *update = OP_NONE;
    for (int k = 0; k < event->n_touch; k++)
        if (event->touch[k].write && event->touch[k].array == element->array &&
            event->touch[k].element == element->element) {
            *update = event->touch[k].own && event->free ? event->update : OP_NONE;
            return true;
        }
    return false;
}

/* The event in front of place `at` of the order, as far as that is in it; -1: none. */
static int last_store(const struct trace *trace, const int *order, int at, const struct touch *element,
                      enum expr_op *update)
{
    while (--at >= 0 && !stores(&trace->event[order[at]], element, update))
        ;
    return at;
}

/* Marks the events that make the value that is read at that place of the order. op: an update of that operator is what
 * reads it, for which only counts what the updates start with. */
static void mark(const struct trace *trace, const int *order, int at, const struct touch *element, enum expr_op op,
                 bool *makes)
{
    const bool updates = op != OP_NONE;
    enum expr_op update;

    for (at = last_store(trace, order, at, element, &update); at >= 0;
         at = last_store(trace, order, at, element, &update)) {
        const bool first = update == OP_NONE || (op != OP_NONE && update != op);
        makes[order[at]] = first || !updates;
        if (first)
            return;
        op = update;
    }
}

static bool is_temporary(const struct touch *touch)
{
    return touch->array->role == ROLE_TEMP;
}

/* Does the event at these places of the two orders read the same values of temporaries? */
static bool reads_same(const struct trace *trace, const int *before, int b, const int *after, int a)
{
    const struct event *event = &trace->event[before[b]];
    bool same = true;

    for (int k = 0; k < event->n_touch && same; k++) {
        const struct touch *touch = &event->touch[k];
        bool *makes[2];
        const enum expr_op op = touch->own && event->free ? event->update : OP_NONE;
        if (touch->write || !is_temporary(touch))
            continue;
        for (int m = 0; m < 2; m++)
            makes[m] = calloc((size_t)trace->n, sizeof(bool));
        mark(trace, before, b, touch, op, makes[0]);
        mark(trace, after, a, touch, op, makes[1]);
        same = memcmp(makes[0], makes[1], (size_t)trace->n * sizeof(bool)) == 0;
        free(makes[0]);
        free(makes[1]);
    }
    return same;
}

/* The events by their dates; those of one date stay as they were. */
static void sort(const struct date *date, int n, int *order)
{
    for (int k = 0; k < n; k++) {
        int m = k;
        for (; m > 0 && date_compare(&date[order[m - 1]], &date[k]) > 0; m--)
            order[m] = order[m - 1];
        order[m] = k;
    }
}

int values_changed(const struct trace *trace, const struct date *date)
{
    int *before = malloc(((size_t)trace->n + 1) * sizeof(int)), *after = malloc(((size_t)trace->n + 1) * sizeof(int));
    int changed = -1;

    for (int k = 0; k < trace->n; k++)
        before[k] = k;
    sort(date, trace->n, after);
    for (int k = 0; k < trace->n && changed < 0; k++)
        if (!reads_same(trace, before, after[k], after, k))
            changed = after[k];
    free(before);
    free(after);
    return changed;
}

/* The event without what it does to temporaries. */
static struct event without_temporaries(const struct event *event)
{
    struct event own = *event;

    own.n_touch = 0;
    for (int k = 0; k < event->n_touch; k++)
        if (!is_temporary(&event->touch[k]))
            own.touch[own.n_touch++] = event->touch[k];
    return own;
}

bool values_conflict(const struct event *a, const struct event *b)
{
    const struct event own[] = {without_temporaries(a), without_temporaries(b)};

    return trace_conflict(&own[0], &own[1], true);
}
