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

/* Does b read a value that p computed, which would be another one, by w, where it is computed later? */
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

/* "S0[u, i] must run before S1[p]": the copy of S0[i] in iteration u reads what S1[p] writes, behind S0[i] and in front
 * of that iteration. */
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

/* Instances of the one statement that have no time, or two. */
static bool is_timed_badly(const struct draft *draft, const struct event *event, bool twice)
{
    const bool first = event->at[0] >= draft->asked.by, second = event->at[0] <= draft->asked.lanes;

    return twice ? first && second && !draft->asked.fused && event->at[0] != 0 : !first && !second;
}

static bool all_timed(const struct draft *draft, const int64_t *size)
{
    struct trace trace = draft_run(draft, size, MANY);
    bool good = true;

    for (int k = 0; k < trace.n; k++)
        good &= !is_timed_badly(draft, &trace.event[k], false) && !is_timed_badly(draft, &trace.event[k], true);
    trace_free(&trace);
    return good;
}

/* A parameter that the message leaves out may have any value. */
static bool is_untimed(const struct draft *draft, const struct said *said)
{
    bool found = false;

    for (int64_t n = 0; n <= SIDE && !found; n++)
        for (int64_t m = 0; m <= SIDE && !found; m++) {
            const int64_t size[2] = {said->has[0] ? said->size[0] : n, said->has[1] ? said->size[1] : m};
            struct trace trace = draft_run(draft, size, MANY);
            const int event = said_event(draft, &trace, &said->tuple[0]);
            found = draft_allows(draft, size) && event >= 0 &&
                    is_timed_badly(draft, &trace.event[event], strstr(said->text, "more than one") != NULL);
            trace_free(&trace);
        }
    return found;
}

enum outcome judge_total(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    bool good = true;

    for (int k = 0; k < n_border_sizes && accepted; k++)
        good &= !draft_allows(draft, border_sizes[k]) || all_timed(draft, border_sizes[k]);
    if (accepted && good)
        return ACCEPTED;
    if (!accepted && is_untimed(draft, said))
        return CONFIRMED;
    text_add(reason, accepted ? "accepted, though an instance has no time, or two" : "that instance has one time");
    return WRONG;
}

/* The first statement has a time in a part, and another one in the other. */
static bool is_ordered_badly(const struct draft *draft, const struct event *event, bool twice)
{
    const struct nest *nest = &draft->nest[0];
    const bool first = event->at[0] >= nest->timed_from, second = event->at[0] <= nest->timed_till;

    return event->line == 0 && (twice ? first && second : !first && !second);
}

/* A parameter that the message leaves out may have any value. */
static bool some_event(const struct draft *draft, const struct said *said, bool twice)
{
    bool found = false;

    for (int64_t n = 0; n <= SIDE && !found; n++)
        for (int64_t m = 0; m <= SIDE && !found; m++) {
            const int64_t size[2] = {said->has[0] ? said->size[0] : n, said->has[1] ? said->size[1] : m};
            struct trace trace = draft_run(draft, size, MANY);
            const int event = said_event(draft, &trace, &said->tuple[0]);
            found = draft_allows(draft, size) && event >= 0 && is_ordered_badly(draft, &trace.event[event], twice);
            trace_free(&trace);
        }
    return found;
}

enum outcome judge_timed(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    bool good = true;

    for (int k = 0; k < n_border_sizes && accepted; k++) {
        struct trace trace = draft_run(draft, border_sizes[k], MANY);
        for (int e = 0; e < trace.n && draft_allows(draft, border_sizes[k]); e++)
            good &= !is_ordered_badly(draft, &trace.event[e], false) && !is_ordered_badly(draft, &trace.event[e], true);
        trace_free(&trace);
    }
    if (accepted && good)
        return ACCEPTED;
    if (!accepted && some_event(draft, said, strstr(said->text, "more than one") != NULL))
        return CONFIRMED;
    text_add(reason, accepted ? "accepted, though an instance has no time, or two" : "that instance has one time");
    return WRONG;
}

/* Is it in that iteration of the loop around the cached one? */
static bool in_iteration(const struct draft *draft, const struct event *event, const int64_t *at)
{
    return memcmp(event->at, at, (size_t)(draft->asked.loop + 1) * sizeof(at[0])) == 0;
}

static bool is_written(const struct draft *draft, const struct trace *trace, const int64_t *at,
                       const struct touch *element)
{
    for (int k = 0; k < trace->n; k++)
        for (int t = 0; t < trace->event[k].n_touch; t++)
            if (in_iteration(draft, &trace->event[k], at) && trace->event[k].touch[t].writes &&
                touch_same(&trace->event[k].touch[t], element))
                return true;
    return false;
}

/* Does that iteration read the element before it writes it? */
static bool is_read_first(const struct draft *draft, const struct trace *trace, const int64_t *at,
                          const struct touch *element)
{
    for (int k = 0; k < trace->n; k++)
        for (int t = 0; t < trace->event[k].n_touch; t++)
            if (in_iteration(draft, &trace->event[k], at) && touch_same(&trace->event[k].touch[t], element))
                return !trace->event[k].touch[t].writes;
    return false;
}

/* Does event w write an element that one of the next iterations of the loop, for which buffers are filled ahead, reads,
 * and does not write before? */
static bool is_needed(const struct draft *draft, const struct trace *trace, int w)
{
    const int loop = draft->asked.loop;
    const struct event *writer = &trace->event[w];
    const struct touch *element = &writer->touch[writer->n_touch - 1];
    struct event following = *writer;
    bool needed = false;

    for (int k = 0; k < draft->asked.ahead && !needed && element->array == draft->asked.array; k++) {
        following.at[loop] += draft->nest[0].loop[loop].step;
        needed = is_read_first(draft, trace, following.at, element);
    }
    return needed;
}

/* "a_flush[0, 2] writes a[2], which a_fill[1, 2] reads": each with its iteration in front. */
static bool is_needed_copy(const struct draft *draft, const struct said *said)
{
    const struct tuple *tuple = said->tuple;
    struct trace trace = draft_run(draft, said->size, MANY);
    struct touch element = {.array = draft->asked.array};
    bool needed = said->n_tuple >= 3;

    memcpy(element.at, tuple[1].at, (size_t)(tuple[1].n < MAX_DIMS ? tuple[1].n : MAX_DIMS) * sizeof(element.at[0]));
    needed = needed && is_written(draft, &trace, tuple[0].at, &element) &&
             is_read_first(draft, &trace, tuple[2].at, &element);
    trace_free(&trace);
    return needed;
}

static bool some_needed(const struct draft *draft, const int64_t *size)
{
    struct trace trace = draft_run(draft, size, FEW);
    bool found = false;

    for (int w = 0; w < trace.n && !found; w++)
        found = is_needed(draft, &trace, w);
    trace_free(&trace);
    return found;
}

enum outcome judge_ahead(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    bool needed = false;

    for (int k = 0; k < n_border_sizes && accepted; k++)
        needed |= draft_allows(draft, border_sizes[k]) && some_needed(draft, border_sizes[k]);
    if (accepted) {
        text_add(reason, needed ? "accepted, though an iteration needs what one before it writes" : "");
        return needed ? WRONG : ACCEPTED;
    }
    needed = draft_allows(draft, said->size) && is_needed_copy(draft, said);
    text_add(reason, needed ? "" : "no next iteration needs that");
    return needed ? CONFIRMED : WRONG;
}
