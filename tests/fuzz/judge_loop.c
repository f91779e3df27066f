#include "judge_loop.h"

#include "dates.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 400, MAX_SAID = 4000 }; /* instances at the sizes chosen here, at those of a refusal */
enum { MAX_LOOPS = 64 };

struct loop_judge {
    const struct schedule *schedule;
    const char *loop;
    bool vector;
    bool forbidden, sums;
    bool own; /* temporaries that each iteration could have for itself are not in the way */
    /* The loops inside of it of which one of its iterations has several. Of others each lane has its own iteration, if
     * any: all lanes run that at once. */
    const struct order *repeats[MAX_LOOPS];
    int n_repeats;
};

static bool repeats(const struct loop_judge *judge, const struct order *loop)
{
    for (int k = 0; k < judge->n_repeats; k++)
        if (judge->repeats[k] == loop)
            return true;
    return false;
}

/* All their touches counted, updates of one reduction, too. */
static bool touch_both(const struct event *a, const struct event *b)
{
    for (int i = 0; i < a->n_touch; i++)
        for (int j = 0; j < b->n_touch; j++)
            if (a->touch[i].array == b->touch[j].array && a->touch[i].element == b->touch[j].element &&
                (a->touch[i].write || b->touch[j].write))
                return true;
    return false;
}

/* Does b touch what a writes? */
static bool after_write(const struct event *a, const struct event *b)
{
    for (int i = 0; i < a->n_touch; i++)
        for (int j = 0; j < b->n_touch; j++)
            if (a->touch[i].write && a->touch[i].array == b->touch[j].array &&
                a->touch[i].element == b->touch[j].element)
                return true;
    return false;
}

/* Is it one copy of the loop, at one time in all loops around it, for both? */
static bool meet(const struct date *a, const struct date *b)
{
    return a->mark >= 0 && a->mark == b->mark && memcmp(a->at, b->at, (size_t)a->mark * sizeof(a->at[0])) == 0;
}

/* Adds the loops in which the iterations differ at one time of the loop that is judged. */
static void note_repeats(struct loop_judge *judge, const struct date *a, const struct date *b)
{
    if (!meet(a, b) || a->at[a->mark] != b->at[b->mark])
        return;
    for (int k = a->mark + 1; k < a->n && k < b->n && a->node[k] == b->node[k]; k++) {
        const struct order *node = a->node[k];
        if (a->at[k] == b->at[k])
            continue;
        if (node->kind == ORDER_LOOP && !repeats(judge, node) && judge->n_repeats < MAX_LOOPS)
            judge->repeats[judge->n_repeats++] = node;
        if (node->kind != ORDER_LOOP)
            break;
    }
}

/* The order of two dates without the loop and those inside that it has one iteration of. */
static int compare_without(const struct loop_judge *judge, const struct date *a, const struct date *b)
{
    struct date first = *a, second = *b;

    for (int k = a->mark; k < a->n && k < b->n; k++)
        if (k == a->mark || (a->node[k]->kind == ORDER_LOOP && !repeats(judge, a->node[k])))
            first.at[k] = second.at[k] = 0;
    return date_compare(&first, &second);
}

/* Are the dates, which meet, in different iterations of the loop, which may be a collapsed one? */
static bool differ(const struct date *a, const struct date *b)
{
    const int tuple = a->node[a->mark]->info->tuple, n = tuple > 1 ? tuple : 1;

    return memcmp(&a->at[a->mark], &b->at[a->mark], (size_t)n * sizeof(a->at[0])) != 0;
}

/* What the step makes of a pair's order: lanes at once have read before they write. Compilers, which make the vectors
 * here, do not keep the order of statements in different lanes. */
enum fate { KEPT, AT_ONCE, LOST };

static enum fate fate_of(const struct loop_judge *judge, const struct date *first, const struct date *second)
{
    if (!meet(first, second))
        return KEPT;
    if (!judge->vector || first->node[first->mark]->info->tuple > 1)
        return differ(first, second) ? LOST : KEPT;
    if (compare_without(judge, first, second) > 0)
        return LOST;
    return differ(first, second) ? AT_ONCE : KEPT;
}

static void try_pairs(struct loop_judge *judge, const struct trace *trace, const struct date *date)
{
    for (int b = 0; b < trace->n; b++)
        for (int a = 0; a < b && !judge->forbidden; a++) {
            const struct event *first = &trace->event[a], *second = &trace->event[b];
            const enum fate fate = fate_of(judge, &date[a], &date[b]);
            if (fate == KEPT || !(fate == LOST ? touch_both(first, second) : after_write(first, second)))
                continue;
            judge->forbidden |= trace_conflict(first, second, fate == LOST);
            judge->sums = true;
        }
}

static void find_repeats(struct loop_judge *judge, const struct trace *trace, const struct date *date)
{
    for (int b = 0; b < trace->n; b++)
        for (int a = 0; a < b; a++)
            note_repeats(judge, &date[a], &date[b]);
}

/* The event that wrote last what the touch is of, before event number `end`; -1: none. */
static int last_writer(const struct trace *trace, int end, const struct touch *touch)
{
    for (int k = end - 1; k >= 0; k--)
        for (int i = 0; i < trace->event[k].n_touch; i++)
            if (trace->event[k].touch[i].write && trace->event[k].touch[i].array == touch->array &&
                trace->event[k].touch[i].element == touch->element)
                return k;
    return -1;
}

/* Are both in one iteration of the loop, or both outside of it? */
static bool together(const struct date *a, const struct date *b)
{
    if (a->mark < 0 || b->mark < 0)
        return a->mark < 0 && b->mark < 0;
    return meet(a, b) && !differ(a, b);
}

/* Is every value of the array that is read one of the same iteration of the loop? */
static bool is_own(const struct trace *trace, const struct date *date, const struct array *array)
{
    for (int k = 0; k < trace->n; k++)
        for (int i = 0; i < trace->event[k].n_touch; i++) {
            const struct touch *touch = &trace->event[k].touch[i];
            int writer;

            if (touch->array != array || touch->write)
                continue;
            writer = last_writer(trace, k, touch);
            if (writer < 0 || !together(&date[writer], &date[k]))
                return false;
        }
    return true;
}

/* Leaves out what is done to such temporaries. */
static void leave_own(const struct program *program, struct trace *trace, const struct date *date)
{
    for (int a = 0; a < program->n_array; a++) {
        const struct array *array = &program->array[a];

        if (array->role != ROLE_TEMP || array->full_storage || !is_own(trace, date, array))
            continue;
        for (int k = 0; k < trace->n; k++) {
            struct event *event = &trace->event[k];
            int n = 0;

            for (int i = 0; i < event->n_touch; i++)
                if (event->touch[i].array != array)
                    event->touch[n++] = event->touch[i];
            event->n_touch = n;
        }
    }
}

typedef void look_at(struct loop_judge *judge, const struct trace *trace, const struct date *date);

static void try_sizes(struct loop_judge *judge, const int64_t *param, int limit, look_at *look)
{
    const struct schedule *schedule = judge->schedule;
    struct trace trace;
    struct date *date;
    bool good = true;

    if (!run_allowed(schedule->program, param))
        return;
    if (schedule->program->described)
        trace_take_changed(&trace, schedule->program, schedule->original, param, limit);
    else
        trace_take(&trace, schedule->program, param, limit);
    date = calloc((size_t)trace.n + 1, sizeof(*date));
    for (int k = 0; k < trace.n && good; k++)
        good = date_marked(schedule->order, schedule->program, param, trace.event[k].statement, trace.event[k].instance,
                           judge->loop, &date[k]);
    if (good && judge->own)
        leave_own(schedule->program, &trace, date);
    if (good)
        look(judge, &trace, date);
    free(date);
    trace_free(&trace);
}

/* "..; N = 4, M = 2" */
static void try_said(struct loop_judge *judge, const char *said, look_at *look)
{
    const char *sizes = strstr(said, "; N = ");
    long long n, m;
    int64_t param[16] = {0};

    if (!sizes || sscanf(sizes, "; N = %lld, M = %lld", &n, &m) != 2)
        return;
    param[0] = n;
    param[1] = m;
    try_sizes(judge, param, MAX_SAID, look);
}

static void try_all(struct loop_judge *judge, const char *said, look_at *look)
{
    static const int64_t sizes[][2] = {{2, 3}, {4, 3}, {3, 6}, {6, 5}};

    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]) && !judge->forbidden; k++) {
        int64_t param[16] = {sizes[k][0], sizes[k][1]};
        try_sizes(judge, param, MAX_EVENTS, look);
    }
    try_said(judge, said, look);
}

enum verdict judge_loop(struct arena *arena, const struct program *program, struct diags *diags, const char *said,
                        bool own, bool *sums)
{
    struct text reason = {0};
    struct schedule *schedule;
    struct loop_judge judge = {.own = own};
    const struct step *step = &program->plan[0];
    const struct value *loop = step_value(step, step->primitive->name);

    if (judge_applied(arena, program, diags, &schedule, &reason) != VERDICT_LEGAL)
        return VERDICT_STRUCTURE;
    judge.schedule = schedule;
    judge.vector = strcmp(step->primitive->name, "vectorize") == 0;
    judge.loop = judge.vector ? loop->string : loop->item[0].string;
    if (judge.vector)
        try_all(&judge, said, find_repeats);
    try_all(&judge, said, try_pairs);
    *sums = judge.sums;
    text_free(&reason);
    return judge.forbidden ? VERDICT_ILLEGAL : VERDICT_LEGAL;
}
