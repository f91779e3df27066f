/* Judges of pairs: two instances that touch one element, whose order what is asked for does not keep. */
#include "border.h"

#include <string.h>

enum { FEW = 700, MANY = 60000, SIDE = 8 };

static bool is_kept(const struct draft *draft, const int64_t *size, breaks *is_broken, struct text *reason)
{
    struct trace trace = draft_run(draft, size, FEW);
    bool kept = true;

    for (int b = 0; b < trace.n && kept; b++)
        for (int a = 0; a < b && kept; a++)
            if (is_broken(draft, &trace, a, b, size)) {
                text_addf(reason, "accepted, but the order of S%d and S%d (%d and %d) is lost at N = %d, M = %d",
                          draft_label(draft, trace.event[a].nest, trace.event[a].line),
                          draft_label(draft, trace.event[b].nest, trace.event[b].line), a, b, (int)size[0],
                          (int)size[1]);
                kept = false;
            }
    trace_free(&trace);
    return kept;
}

/* The places of the first two instances that the message names. */
static bool find_pair(const struct draft *draft, const struct trace *trace, const struct said *said, int *pair)
{
    int n = 0;

    for (int k = 0; k < said->n_tuple && n < 2; k++)
        if (said_statement(&said->tuple[k]))
            pair[n++] = said_event(draft, trace, &said->tuple[k]);
    return n == 2 && pair[0] >= 0 && pair[1] >= 0;
}

static bool is_pair(const struct draft *draft, const struct said *said, const int64_t *size, breaks *is_broken)
{
    const bool ordered = strstr(said->text, " must run before ") != NULL;
    struct trace trace = draft_run(draft, size, MANY);
    int pair[2];
    bool found = find_pair(draft, &trace, said, pair) && pair[0] != pair[1] && (pair[0] < pair[1] || !ordered);

    if (found) {
        const int a = pair[0] < pair[1] ? pair[0] : pair[1], b = pair[0] + pair[1] - a;
        found = is_broken(draft, &trace, a, b, size);
    }
    trace_free(&trace);
    return found;
}

static bool is_pair_at_some(const struct draft *draft, const struct said *said, breaks *is_broken)
{
    const int64_t first[2] = {said->has[0] ? said->size[0] : 0, said->has[1] ? said->size[1] : 0};
    const int64_t last[2] = {said->has[0] ? first[0] : SIDE, said->has[1] ? first[1] : SIDE};

    for (int64_t n = first[0]; n <= last[0]; n++)
        for (int64_t m = first[1]; m <= last[1]; m++)
            if (draft_allows(draft, (int64_t[2]){n, m}) && is_pair(draft, said, (int64_t[2]){n, m}, is_broken))
                return true;
    return false;
}

enum outcome judge_pairs(const struct draft *draft, bool accepted, const struct said *said, breaks *is_broken,
                         struct text *reason)
{
    if (accepted) {
        for (int k = 0; k < n_border_sizes; k++)
            if (draft_allows(draft, border_sizes[k]) && !is_kept(draft, border_sizes[k], is_broken, reason))
                return WRONG;
        return ACCEPTED;
    }
    if (strcmp(said->kind, "may") == 0)
        return MAY;
    if (is_pair_at_some(draft, said, is_broken))
        return CONFIRMED;
    text_add(reason, "the pair that it names keeps its order, or does not conflict");
    return WRONG;
}

bool events_together(const struct event *a, const struct event *b, int depth)
{
    return a->nest == b->nest && a->depth >= depth && b->depth >= depth &&
           memcmp(a->at, b->at, (size_t)depth * sizeof(a->at[0])) == 0;
}

static int64_t time_at(const struct place_in_time *place, const struct event *event, int64_t start, const int64_t *size)
{
    int64_t at[MAX_LOOPS];

    memcpy(at, event->at, sizeof(at));
    if (place->form.divide || place->form.modulo)
        at[0] -= start;
    return place->sign * form_at(&place->form, at, size);
}

int border_compare_times(const struct draft *draft, const struct trace *trace, int one, int other, const int64_t *size)
{
    const struct asked *asked = &draft->asked;
    const struct event *a = &trace->event[one], *b = &trace->event[other];

    if (a->nest != b->nest && !asked->fused)
        return a->nest - b->nest;
    for (int k = 0; k < asked->n_time; k++) {
        const int64_t first = time_at(&asked->time[k], a, trace->start, size);
        const int64_t second = time_at(&asked->time[k], b, trace->start, size);
        if (first != second)
            return first < second ? -1 : 1;
    }
    return a->nest != b->nest ? a->nest - b->nest : a->line - b->line;
}

/* Does second not wait for first, which is in an earlier iteration of the outermost loop? */
static bool goes_ahead(const struct draft *draft, const struct event *first, const struct event *second)
{
    const struct asked *asked = &draft->asked;

    for (int k = asked->loop + 1; k < asked->loop + asked->n; k++) {
        const int64_t step = draft->nest[asked->nest].loop[k].step, further = second->at[k] - first->at[k];
        if (further != 0)
            return (further > 0) != (step > 0);
    }
    return false;
}

static bool breaks_parallel(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];
    const struct asked *asked = &draft->asked;

    (void)size;
    return first->nest == asked->nest && events_together(first, second, asked->loop) &&
           first->depth >= asked->loop + asked->n && second->depth >= asked->loop + asked->n &&
           (asked->doacross ? !events_together(first, second, asked->loop + 1) && goes_ahead(draft, first, second)
                            : !events_together(first, second, asked->loop + asked->n)) &&
           events_disagree(draft, first, second, false);
}

enum outcome judge_parallel(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_pairs(draft, accepted, said, breaks_parallel, reason);
}

/* Vectors collect sums; a promise to the compiler does not. */
static bool lanes_conflict(const struct draft *draft, const struct event *a, const struct event *b, bool after_write)
{
    struct draft lanes = *draft;

    lanes.integers &= !draft->asked.promised;
    lanes.reassociate &= !draft->asked.promised;
    return events_disagree(&lanes, a, b, after_write);
}

/* Lanes run a statement at once, and read before they write, then the next statement. */
static bool breaks_vector(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];
    const struct asked *asked = &draft->asked;

    (void)size;
    if (first->nest != asked->nest || !events_together(first, second, asked->loop) || first->depth <= asked->loop ||
        second->depth <= asked->loop || events_together(first, second, asked->loop + 1))
        return false;
    const int64_t step = draft->nest[asked->nest].loop[asked->loop].step;
    const int64_t distance = (second->at[asked->loop] - first->at[asked->loop]) / step;
    if (asked->lanes && distance >= asked->lanes)
        return false;
    if (first->line > second->line)
        return lanes_conflict(draft, first, second, false);
    return (first->line == second->line || asked->any_order) && lanes_conflict(draft, first, second, true);
}

enum outcome judge_vector(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_pairs(draft, accepted, said, breaks_vector, reason);
}

enum outcome judge_promise(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_pairs(draft, accepted, said, breaks_vector, reason);
}

/* Is there such a loop among those of the nest from `from` on? */
static bool has_axis(const struct draft *draft, char axis, int from)
{
    for (int k = from; k < MAX_LOOPS; k++)
        if (draft->asked.axis[k] == axis)
            return true;
    return false;
}

/* Bound loops that are not around an instance leave it to their first position. */
static int64_t position(const struct draft *draft, const struct event *event, int loop)
{
    return loop < event->depth ? event->at[loop] - draft->nest[event->nest].loop[loop].low.constant : 0;
}

/* Is what is that deep inside of bound loops? */
static bool in_bound(const struct draft *draft, int depth)
{
    for (int k = 0; k < depth; k++)
        if (draft->asked.axis[k])
            return true;
    return false;
}

static bool in_blocks(const struct draft *draft, int depth)
{
    return in_bound(draft, depth) || !has_axis(draft, 'b', 0);
}

/* Two updates of an element are no part of one reduction where something else comes between them that both must wait
 * for. */
static bool is_interrupted(const struct draft *draft, const struct trace *trace, int a, int b)
{
    bool found = false;

    for (int k = a + 1; k < b && !found; k++)
        found = events_disagree(draft, &trace->event[a], &trace->event[k], false) &&
                events_disagree(draft, &trace->event[k], &trace->event[b], false);
    return found && events_conflict(&trace->event[a], &trace->event[b]);
}

/* Nests are kernels of their own; iterations of a loop around those of blocks and what stands beside these, too. */
static bool breaks_races(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];
    const int depth = first->depth < second->depth ? first->depth : second->depth;
    int differ = 0;

    (void)size;
    if (first->nest != second->nest || !events_conflict(first, second) ||
        !(events_disagree(draft, first, second, false) || is_interrupted(draft, trace, a, b)))
        return false;
    while (differ < depth && first->at[differ] == second->at[differ])
        differ++;
    if (differ < depth && draft->asked.axis[differ])
        return true;
    if (in_blocks(draft, first->depth) != in_blocks(draft, second->depth) ||
        (differ < depth && has_axis(draft, 'b', differ) && !in_bound(draft, differ)))
        return false;
    for (int k = 0; k < MAX_LOOPS; k++)
        if (draft->asked.axis[k] == 'b' && position(draft, first, k) != position(draft, second, k))
            return true;
    return false;
}

enum outcome judge_races(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_pairs(draft, accepted, said, breaks_races, reason);
}

/* The k-th coordinate of the time that the order of a polyhedral nest gives. */
static int64_t ordered_at(const struct nest *nest, const struct event *event, int k, const int64_t *size)
{
    const bool second = nest->timed && event->line == 0 && event->at[0] < nest->timed_from;

    return form_at(&nest->time[k], event->at, size) + second;
}

static bool breaks_ties(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];
    const struct nest *nest = &draft->nest[first->nest];

    if (first->nest != second->nest || !events_conflict(first, second))
        return false;
    for (int k = 0; k < nest->n_time; k++)
        if (ordered_at(nest, first, k, size) != ordered_at(nest, second, k, size))
            return false;
    return true;
}

enum outcome judge_ties(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_pairs(draft, accepted, said, breaks_ties, reason);
}

/* Values of the temporary, which each iteration is to have for itself, that another iteration reads. */
static bool breaks_private(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];
    const struct asked *asked = &draft->asked;

    (void)size;
    for (int t = 0; t < second->n_touch; t++)
        if (second->touch[t].array == asked->array && !second->touch[t].writes &&
            trace_source(trace, b, &second->touch[t]) == a)
            return first->nest != asked->nest || !events_together(first, second, asked->loop + 1);
    return false;
}

/* Is the array used where the loop is not? */
static bool used_outside(const struct draft *draft)
{
    const struct asked *asked = &draft->asked;

    for (int n = 0; n < draft->n_nest; n++)
        for (int s = 0; s < draft->nest[n].n_line; s++) {
            const struct line *line = &draft->nest[n].line[s];
            bool uses = line->target.array == asked->array;
            for (int k = 0; k < line->n_read; k++)
                uses |= line->read[k].array == asked->array;
            if (uses && (n != asked->nest || line->depth <= asked->loop))
                return true;
        }
    return false;
}

enum outcome judge_private(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    if (!accepted && strstr(said->text, " outside of this loop"))
        return used_outside(draft) ? CONFIRMED : WRONG;
    return judge_pairs(draft, accepted, said, breaks_private, reason);
}

/* A read of the array that is to be copied in front of the nest, of an element that the nest has written. */
static bool breaks_copied(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];
    const struct asked *asked = &draft->asked;

    (void)size;
    if (first->nest != second->nest || draft_label(draft, second->nest, second->line) != asked->loop)
        return false;
    for (int i = 0; i < first->n_touch; i++)
        for (int j = 0; j < second->n_touch; j++)
            if (first->touch[i].writes && !second->touch[j].writes && second->touch[j].array == asked->array &&
                touch_same(&first->touch[i], &second->touch[j]))
                return true;
    return false;
}

enum outcome judge_copied(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_pairs(draft, accepted, said, breaks_copied, reason);
}

/* In the innermost of the loops inside, a statement's copies stand together. */
static int compare_jammed(const struct draft *draft, const struct event *a, const struct event *b)
{
    const struct asked *asked = &draft->asked;
    const struct span *span = &draft->nest[asked->nest].loop[asked->loop];
    const int64_t width = (int64_t)asked->by * span->step;
    const int64_t from = (a->at[asked->loop] - span->low.constant) / width,
                  to = (b->at[asked->loop] - span->low.constant) / width;

    if (from != to)
        return from < to ? -1 : 1;
    for (int k = asked->loop + 1; k < MAX_LOOPS; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k] ? -1 : 1;
    if (a->line != b->line)
        return a->line - b->line;
    return a->at[asked->loop] < b->at[asked->loop] ? -1 : a->at[asked->loop] > b->at[asked->loop];
}

static bool breaks_jam(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];

    (void)size;
    return events_together(first, second, draft->asked.loop) && events_disagree(draft, first, second, false) &&
           compare_jammed(draft, first, second) > 0;
}

enum outcome judge_jam(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_pairs(draft, accepted, said, breaks_jam, reason);
}

/* A value of the temporary that another thread reads. */
static bool breaks_local(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];
    bool reads = false, differ = false;

    (void)size;
    for (int t = 0; t < second->n_touch; t++)
        reads |= second->touch[t].array == draft->asked.array && !second->touch[t].writes &&
                 trace_source(trace, b, &second->touch[t]) == a;
    for (int k = 0; k < MAX_LOOPS; k++)
        differ |= draft->asked.axis[k] && position(draft, first, k) != position(draft, second, k);
    return reads && differ;
}

enum outcome judge_local(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_pairs(draft, accepted, said, breaks_local, reason);
}

/* An element of the cached array that is written after its copy was made, and then read. */
static bool breaks_trigger(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];

    (void)size;
    for (int i = 0; i < first->n_touch; i++)
        for (int j = 0; j < second->n_touch; j++)
            if (first->touch[i].writes && !second->touch[j].writes && second->touch[j].array == draft->asked.array &&
                touch_same(&first->touch[i], &second->touch[j]))
                return true;
    return false;
}

/* Does the first instance that is named write the element behind it, of which the region has a copy? Or does it read
 * the element, which the region writes? */
static bool is_copied(const struct draft *draft, const struct said *said, const int64_t *size)
{
    struct trace trace = draft_run(draft, size, MANY);
    struct touch element = {.array = draft->asked.array};
    const int w = said_event(draft, &trace, &said->tuple[0]);
    bool named = false, copied = false;

    memcpy(element.at, said->tuple[1].at, (size_t)draft->array[element.array].n_dim * sizeof(element.at[0]));
    for (int k = 0; k < trace.n && w >= 0; k++)
        for (int t = 0; t < trace.event[k].n_touch; t++)
            if (touch_same(&trace.event[k].touch[t], &element)) {
                named |= k == w && trace.event[k].touch[t].writes != draft->asked.flushed;
                copied |= trace.event[k].touch[t].writes == draft->asked.flushed;
            }
    trace_free(&trace);
    return named && copied;
}

/* What is written of the copies behind all that uses them does no harm: the message says "may". */
enum outcome judge_trigger(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    bool found = false;

    if (accepted)
        return judge_pairs(draft, accepted, said, breaks_trigger, reason);
    for (int64_t n = 0; n <= SIDE && !found; n++)
        for (int64_t m = 0; m <= SIDE && !found; m++) {
            const int64_t size[2] = {said->has[0] ? said->size[0] : n, said->has[1] ? said->size[1] : m};
            found = said->n_tuple >= 2 && draft_allows(draft, size) && is_copied(draft, said, size);
        }
    text_add(reason, found ? "" : "what the message says is not so");
    return found ? MAY : WRONG;
}
