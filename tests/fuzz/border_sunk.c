/* A computation that moves under a loop of what it reads (reverse_compute_at): each instance runs at the end of the
 * last iteration that writes an element which it reads. */
#include "border.h"

#include <string.h>

enum { FEW = 700, MANY = 60000, MOVED = 2 };

static void draw_writer(struct draft *draft)
{
    draw_nest(draft, 1 + border_pick(draft, 2), 1 + border_pick(draft, 2), border_chance(draft, 60));
    struct nest *nest = &draft->nest[0];
    for (int s = 0; s < nest->n_line; s++) {
        struct line *line = &nest->line[s];
        if (line->target.array == MOVED || border_chance(draft, 50))
            line->target = draw_use(draft, nest, line->depth, 1);
        for (int k = 0; k < line->n_read; k++)
            if (border_chance(draft, 80))
                line->read[k] = draw_use(draft, nest, line->depth, 0);
    }
}

/* A nest between the two, which may write what is read. */
static void draw_between(struct draft *draft)
{
    draw_nest(draft, 1, 1, true);
    struct line *line = &draft->nest[1].line[0];
    line->target = draw_use(draft, &draft->nest[1], 1, border_chance(draft, 50) ? 1 : 3);
    for (int k = 0; k < line->n_read; k++)
        line->read[k] = draw_use(draft, &draft->nest[1], 1, border_chance(draft, 30) ? MOVED : 0);
}

static void draw_moving(struct draft *draft)
{
    const int number = draft->n_nest;

    draw_nest(draft, draft->nest[0].n_loop, 1, true);
    struct nest *nest = &draft->nest[number];
    struct line *line = &nest->line[0];
    line->target = draw_use(draft, nest, line->depth, MOVED);
    line->read[0] = draw_use(draft, nest, line->depth, 1);
    for (int k = 0; k < nest->n_loop && border_chance(draft, 75); k++) {
        nest->loop[k] = draft->nest[0].loop[k];
        line->target.at[k % 2] = form_of(k, 1, 0, 0, 0);
    }
    if (border_chance(draft, 60))
        line->read[0] = draft->nest[0].line[draft->nest[0].n_line - 1].target;
    if (border_chance(draft, 50))
        line->n_read = 1;
}

void draw_sunk(struct draft *draft)
{
    struct asked *asked = &draft->asked;
    const bool line = border_chance(draft, 50);

    draw_arrays(draft, line ? "ixxx" : "IXXx");
    draw_writer(draft);
    if (border_chance(draft, 25))
        draw_between(draft);
    draw_moving(draft);
    asked->array = MOVED;
    asked->sunk = true;
    asked->loop = border_pick(draft, draft->nest[0].n_loop);
    draft_fit(draft);
    text_addf(&draft->schedule, "{\"reverse_compute_at\": \"%s\", \"loop\": \"%s\"}", border_array_name[MOVED],
              border_loop_name[0][asked->loop]);
}

static bool is_moved(const struct draft *draft, const struct event *event)
{
    return event->nest == draft->n_nest - 1;
}

/* Does the loop at which it is to be computed write an element that b reads? */
static bool feeds(const struct draft *draft, const struct event *a, const struct event *b)
{
    if (a->nest != 0 || a->depth <= draft->asked.loop)
        return false;
    for (int t = 0; t < b->n_touch; t++)
        if (!b->touch[t].writes && touch_same(&a->touch[a->n_touch - 1], &b->touch[t]))
            return true;
    return false;
}

/* The event behind which an event runs: a moved one's is the last of the latest iteration that feeds it; -1: none. */
static int place_of(const struct draft *draft, const struct trace *trace, int event)
{
    const size_t prefix = (size_t)(draft->asked.loop + 1) * sizeof(int64_t);
    int latest = -1;

    if (!is_moved(draft, &trace->event[event]))
        return event;
    for (int a = 0; a < event; a++)
        if (feeds(draft, &trace->event[a], &trace->event[event]))
            latest = a;
    for (int a = latest + 1; latest >= 0 && a < trace->n && trace->event[a].nest == 0; a++)
        if (trace->event[a].depth > draft->asked.loop &&
            memcmp(trace->event[a].at, trace->event[latest].at, prefix) == 0)
            latest = a;
    return latest;
}

static bool breaks_sunk(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const int from = place_of(draft, trace, a), to = place_of(draft, trace, b);

    (void)size;
    if (from < 0 || to < 0 || !events_conflict(&trace->event[a], &trace->event[b]))
        return false;
    if (from != to)
        return from > to;
    return is_moved(draft, &trace->event[a]) && !is_moved(draft, &trace->event[b]);
}

/* "S2[3] reads nothing that is computed in this loop" */
static bool reads_nothing(const struct draft *draft, const struct said *said)
{
    struct trace trace = draft_run(draft, said->size, MANY);
    const int b = said->n_tuple ? said_event(draft, &trace, &said->tuple[0]) : -1;
    bool nothing = b >= 0;

    for (int t = 0; nothing && t < trace.event[b].n_touch; t++) {
        const struct touch *touch = &trace.event[b].touch[t];
        const int a = touch->writes ? -1 : trace_source(&trace, b, touch);
        nothing = a < 0 || trace.event[a].nest != 0 || trace.event[a].depth <= draft->asked.loop;
    }
    trace_free(&trace);
    return nothing;
}

/* "it reads nothing that is computed in this loop": none of its instances does, at any size. */
static bool none_reads(const struct draft *draft)
{
    bool fed = false;

    for (int k = 0; k < n_border_sizes && !fed; k++) {
        struct trace trace = draft_run(draft, border_sizes[k], FEW);
        for (int b = 0; b < trace.n && draft_allows(draft, border_sizes[k]); b++)
            for (int a = 0; a < b && is_moved(draft, &trace.event[b]); a++)
                fed |= feeds(draft, &trace.event[a], &trace.event[b]);
        trace_free(&trace);
    }
    return !fed;
}

enum outcome judge_sunk(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    const bool nothing = !accepted && strstr(said->text, "reads nothing that is computed");

    if (nothing && (said->n_tuple ? draft_allows(draft, said->size) && reads_nothing(draft, said) : none_reads(draft)))
        return CONFIRMED;
    if (nothing) {
        text_add(reason, "it reads what is computed there");
        return WRONG;
    }
    return judge_pairs(draft, accepted, said, breaks_sunk, reason);
}
