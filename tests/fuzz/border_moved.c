/* Judges of what is computed elsewhere, and of barriers. */
#include "border.h"

#include <string.h>

enum { FEW = 700, MANY = 60000, SIDE = 6 };

/* The first event of b's iteration of the loop at which the array is computed; b itself where it is inlined. */
static int start_of(const struct draft *draft, const struct trace *trace, int b)
{
    const struct asked *asked = &draft->asked;
    const struct event *event = &trace->event[b];
    const size_t prefix = (size_t)(asked->loop + 1) * sizeof(event->at[0]);

    if (asked->n == 0)
        return b;
    while (b > 0 && trace->event[b - 1].nest == event->nest && memcmp(trace->event[b - 1].at, event->at, prefix) == 0)
        b--;
    return b;
}

/* Does w, behind p, write something that p reads? */
static bool changes(const struct event *p, const struct event *w)
{
    for (int i = 0; i < p->n_touch; i++)
        for (int j = 0; j < w->n_touch; j++)
            if (!p->touch[i].writes && w->touch[j].writes && touch_same(&p->touch[i], &w->touch[j]))
                return true;
    return false;
}

/* Does b read a value that p computed, which would be another one where it is computed then? w: by whom. */
static bool is_changed(const struct draft *draft, const struct trace *trace, int p, int w, int b)
{
    const struct event *reader = &trace->event[b];

    for (int t = 0; t < reader->n_touch; t++)
        if (reader->touch[t].array == draft->asked.array && !reader->touch[t].writes &&
            trace_source(trace, b, &reader->touch[t]) == p)
            return w > p && w < start_of(draft, trace, b) && changes(&trace->event[p], &trace->event[w]);
    return false;
}

static bool unchanged(const struct draft *draft, const int64_t *size)
{
    struct trace trace = draft_run(draft, size, FEW);
    bool good = true;

    for (int b = 0; b < trace.n && good; b++)
        for (int t = 0; t < trace.event[b].n_touch && good; t++) {
            const struct touch *touch = &trace.event[b].touch[t];
            const int p = touch->array == draft->asked.array && !touch->writes ? trace_source(&trace, b, touch) : -1;
            for (int w = p + 1; p >= 0 && w < b && good; w++)
                good = !is_changed(draft, &trace, p, w, b);
        }
    trace_free(&trace);
    return good;
}

/* "S[1] reads an element that only has its initial value" */
static bool reads_initial(const struct draft *draft, const struct said *said)
{
    struct trace trace = draft_run(draft, said->size, MANY);
    const int b = said_event(draft, &trace, &said->tuple[0]);
    bool found = false;

    for (int t = 0; b >= 0 && t < trace.event[b].n_touch; t++) {
        const struct touch *touch = &trace.event[b].touch[t];
        found |= touch->array == draft->asked.array && !touch->writes && trace_source(&trace, b, touch) < 0;
    }
    trace_free(&trace);
    return found;
}

/* "W[0] writes a[0] after P[0] and before S[0]" */
static bool is_example(const struct draft *draft, const struct said *said)
{
    const struct tuple *tuple = said->tuple;
    struct trace trace = draft_run(draft, said->size, MANY);
    bool good = said->n_tuple >= 4;

    if (good) {
        const int w = said_event(draft, &trace, &tuple[0]), p = said_event(draft, &trace, &tuple[2]),
                  b = said_event(draft, &trace, &tuple[3]);
        good = w >= 0 && p >= 0 && b >= 0 && is_changed(draft, &trace, p, w, b);
    }
    trace_free(&trace);
    return good;
}

/* "S0[u, i] must run before S1[p]": the copy of S0[i] in iteration u reads what S1[p] writes after S0[i] and before
 * that iteration. */
static bool is_late(const struct draft *draft, const struct said *said, const struct trace *trace)
{
    const int depth = draft->asked.loop + 1, w = said_event(draft, trace, &said->tuple[1]);
    struct tuple produced = said->tuple[0];

    produced.n -= depth;
    memmove(produced.at, produced.at + depth, (size_t)produced.n * sizeof(produced.at[0]));
    const int p = said_event(draft, trace, &produced);
    for (int b = 0; b < trace->n && p >= 0; b++)
        if (trace->event[b].nest == 2 &&
            memcmp(trace->event[b].at, said->tuple[0].at, (size_t)depth * sizeof(produced.at[0])) == 0 &&
            is_changed(draft, trace, p, w, b))
            return true;
    return false;
}

enum outcome judge_placed(const struct draft *draft, const struct said *said, struct text *reason)
{
    struct trace trace = draft_run(draft, said->size, MANY);
    const bool late = said->n_tuple >= 2 && said->tuple[0].n > draft->asked.loop && is_late(draft, said, &trace);

    trace_free(&trace);
    text_add(reason, late ? "" : "no value would be another one there");
    return late ? CONFIRMED : WRONG;
}

enum outcome judge_moved(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    bool good = true;

    for (int k = 0; k < n_border_sizes && accepted && good; k++)
        good = !draft_allows(draft, border_sizes[k]) || unchanged(draft, border_sizes[k]);
    if (accepted && good)
        return ACCEPTED;
    if (!accepted && strcmp(said->kind, "may") == 0)
        return MAY;
    if (!accepted && draft_allows(draft, said->size) &&
        (strstr(said->text, "its initial value") ? reads_initial(draft, said) : is_example(draft, said)))
        return CONFIRMED;
    text_add(reason,
             accepted ? "accepted, though a value would be another one" : "no value would be another one there");
    return WRONG;
}

/* Do two threads of one block come to the place in front of the loop in different iterations of the loops around it? A
 * thread that is there comes to it where anything in the body of the loop around runs. */
static bool comes(const struct draft *draft, const struct trace *trace, const struct event *to)
{
    for (int k = 0; k < trace->n; k++)
        if (trace->event[k].depth >= draft->asked.loop &&
            memcmp(trace->event[k].at, to->at, (size_t)draft->asked.loop * sizeof(to->at[0])) == 0)
            return true;
    return false;
}

/* The event of another thread that is to come to the barrier, too: with the bound loop's value of `other`. */
static bool differs(const struct draft *draft, const struct trace *trace, const struct event *event,
                    const struct event *other)
{
    struct event to = *event;

    for (int k = 0; k < draft->asked.loop; k++)
        if (draft->asked.axis[k] == 't')
            to.at[k] = other->at[k];
    return other->depth >= draft->asked.loop && !comes(draft, trace, &to);
}

static bool diverges(const struct draft *draft, const int64_t *size)
{
    struct trace trace = draft_run(draft, size, FEW);
    bool found = false;

    for (int a = 0; a < trace.n && !found; a++)
        for (int b = 0; b < trace.n && !found && trace.event[a].depth >= draft->asked.loop; b++)
            found = differs(draft, &trace, &trace.event[a], &trace.event[b]);
    trace_free(&trace);
    return found;
}

static bool diverges_at_some(const struct draft *draft)
{
    for (int k = 0; k < n_border_sizes; k++)
        if (draft_allows(draft, border_sizes[k]) && diverges(draft, border_sizes[k]))
            return true;
    return false;
}

enum outcome judge_sync(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    bool blocks = false;

    for (int k = draft->asked.loop; k < MAX_LOOPS; k++)
        blocks |= draft->asked.axis[k] == 'b';
    if (accepted && !blocks)
        return ACCEPTED;
    if (!accepted && strcmp(said->rule, "sync") == 0 && blocks)
        return CONFIRMED;
    if (!accepted && strcmp(said->rule, "barrier") == 0 && diverges_at_some(draft))
        return CONFIRMED;
    text_add(reason, accepted ? "accepted, though blocks would have to wait for each other" : "all threads come there");
    return WRONG;
}
