/* Tails that are rounded up: the instances beyond the end of a loop, which may touch nothing that could be observed.
 *
 * An instance is superfluous where it is none of the description's, but another one of its statement is in its tile and
 * in the same iteration of all other loops.
 */
#include "border.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 700, MANY = 60000, READ_ONLY = 0, RESULT = 1, LINE = 2, PLANE = 3 };

/* Subscripts that are the loops, so that what is written is apart. */
static struct use draw_plain(struct draft *draft, const struct nest *nest, int array)
{
    struct use use = {.array = array};
    const int first = border_pick(draft, nest->n_loop);

    for (int k = 0; k < draft->array[array].n_dim; k++)
        use.at[k] = form_of((first + k) % nest->n_loop, 1, 0, 0, 0);
    return use;
}

/* A nest that writes temporaries, or results, of what is only read. */
static void draw_producer(struct draft *draft)
{
    draw_nest(draft, 1 + border_pick(draft, 2), 1 + border_pick(draft, 2), true);
    struct nest *nest = &draft->nest[0];
    for (int s = 0; s < nest->n_line; s++) {
        struct line *line = &nest->line[s];
        line->updates = line->guarded = false;
        line->target = draw_plain(draft, nest, border_chance(draft, 20) ? RESULT : LINE + s % 2);
        for (int k = 0; k < line->n_read; k++)
            line->read[k] = draw_use(draft, nest, line->depth, border_chance(draft, 15) ? RESULT : READ_ONLY);
    }
}

/* A nest that reads what the first statement wrote, there and perhaps beyond. */
static void draw_reader(struct draft *draft)
{
    draw_nest(draft, draft->nest[0].n_loop, 1, true);
    struct nest *nest = &draft->nest[1];
    struct line *line = &nest->line[0];
    for (int k = 0; k < nest->n_loop; k++)
        nest->loop[k] = draft->nest[0].loop[k];
    *line = (struct line){.depth = nest->n_loop, .target = draw_plain(draft, nest, RESULT), .n_read = 1};
    line->read[0] = draft->nest[0].line[0].target;
}

void draw_rounded(struct draft *draft)
{
    struct asked *asked = &draft->asked;

    for (int k = 0; k < 2; k++)
        draft->multiple[k] = border_chance(draft, 30) ? 2 : 0;
    draw_arrays(draft, "ixtT");
    draw_producer(draft);
    asked->loop = border_pick(draft, draft->nest[0].n_loop);
    asked->by = 2 + border_pick(draft, 3);
    draft->nest[0].loop[asked->loop].low = (struct form){.constant = border_pick(draft, 2)};
    if (border_chance(draft, 60))
        draw_reader(draft);
    draft->integers = border_chance(draft, 25);
    draft->array[LINE].zero = draft->array[PLANE].zero = border_chance(draft, 20);
    draft_fit(draft);
    for (int a = 0; a < draft->n_array; a++)
        for (int k = 0; k < draft->array[a].n_dim; k++)
            draft->array[a].size[k].constant += border_chance(draft, a == RESULT ? 20 : 65) ? asked->by : 0;
    text_addf(&draft->schedule, "{\"split\": \"%s\", \"by\": %d, \"tail\": \"round_up\"}",
              border_loop_name[0][asked->loop], asked->by);
}

static bool is_instance(const struct trace *trace, const struct event *event)
{
    for (int k = 0; k < trace->n; k++)
        if (trace->event[k].nest == event->nest && trace->event[k].line == event->line &&
            memcmp(trace->event[k].at, event->at, sizeof(event->at)) == 0)
            return true;
    return false;
}

static bool is_outside(const struct draft *draft, const struct touch *touch, const int64_t *size)
{
    static const int64_t no_loops[MAX_LOOPS];
    const struct array *array = &draft->array[touch->array];

    for (int k = 0; k < array->n_dim; k++)
        if (touch->at[k] < 0 || touch->at[k] >= form_at(&array->size[k], no_loops, size))
            return true;
    return false;
}

static bool is_read(const struct trace *trace, const struct touch *element)
{
    for (int k = 0; k < trace->n; k++)
        for (int t = 0; t < trace->event[k].n_touch; t++)
            if (!trace->event[k].touch[t].writes && touch_same(&trace->event[k].touch[t], element))
                return true;
    return false;
}

/* Could this touch of a superfluous instance be observed? */
static bool is_observed(const struct draft *draft, const struct trace *trace, const struct touch *touch,
                        const int64_t *size)
{
    const bool temporary = strcmp(draft->array[touch->array].role, "temp") == 0;

    if (is_outside(draft, touch, size))
        return true;
    return touch->writes && (!temporary || is_read(trace, touch));
}

/* What a superfluous instance is to be asked; true ends the search. */
typedef bool question(const struct draft *draft, const struct trace *trace, const struct event *event,
                      const int64_t *size, const struct said *said);

/* Is the answer yes for any superfluous instance in the tile of event? Tiles start at `first`. */
static bool any_beside(const struct draft *draft, const struct trace *trace, const struct event *event, int64_t first,
                       const int64_t *size, question *is_so, const struct said *said)
{
    const struct asked *asked = &draft->asked;
    const struct span *span = &draft->nest[0].loop[asked->loop];
    const int64_t place = (event->at[asked->loop] - first) / span->step;

    for (int64_t at = place - place % asked->by; at < place - place % asked->by + asked->by; at++) {
        int64_t loop[MAX_LOOPS];
        memcpy(loop, event->at, sizeof(loop));
        loop[asked->loop] = first + at * span->step;
        const struct event beside = draft_event(draft, 0, event->line, loop, size);
        if (!is_instance(trace, &beside) && is_so(draft, trace, &beside, size, said))
            return true;
    }
    return false;
}

/* The smallest value of the loop that is cut, where inner loops have no iteration in the first ones; else low. */
static int64_t smallest(const struct draft *draft, const struct trace *trace, int64_t low)
{
    int64_t least = INT64_MAX;

    for (int k = 0; k < trace->n && trace->event[k].nest == 0; k++)
        least = trace->event[k].at[draft->asked.loop] < least ? trace->event[k].at[draft->asked.loop] : least;
    return least == INT64_MAX ? low : least;
}

static bool any_superfluous(const struct draft *draft, const int64_t *size, question *is_so, const struct said *said)
{
    struct trace trace = draft_run(draft, size, said ? MANY : FEW);
    const int64_t low = draft->nest[0].loop[draft->asked.loop].low.constant;
    const int64_t first = said ? smallest(draft, &trace, low) : low;
    bool found = false;

    for (int k = 0; k < trace.n && !found && trace.event[k].nest == 0; k++)
        found = any_beside(draft, &trace, &trace.event[k], low, size, is_so, said) ||
                (first != low && any_beside(draft, &trace, &trace.event[k], first, size, is_so, said));
    trace_free(&trace);
    return found;
}

static bool touches_observed(const struct draft *draft, const struct trace *trace, const struct event *event,
                             const int64_t *size, const struct said *said)
{
    (void)said;
    for (int t = 0; t < event->n_touch; t++)
        if (is_observed(draft, trace, &event->touch[t], size))
            return true;
    return false;
}

/* "S0[3] would write b[3]": is it that one, and is that touch observed? */
static bool is_named(const struct draft *draft, const struct trace *trace, const struct event *event,
                     const int64_t *size, const struct said *said)
{
    const struct tuple *instance = &said->tuple[0], *element = &said->tuple[1];
    const bool reads = strstr(said->text, " would read ") != NULL;

    if (draft_label(draft, 0, event->line) != instance->name[1] - '0' ||
        memcmp(event->at, instance->at, (size_t)instance->n * sizeof(event->at[0])) != 0)
        return false;
    for (int t = 0; t < event->n_touch; t++) {
        const struct touch *touch = &event->touch[t];
        if (touch->writes != reads && strcmp(border_array_name[touch->array], element->name) == 0 &&
            memcmp(touch->at, element->at, (size_t)element->n * sizeof(element->at[0])) == 0 &&
            is_observed(draft, trace, touch, size))
            return true;
    }
    return false;
}

/* "S0[3] would compute `a[i] + b[i]` of padding": is it that one, and may that overflow? */
static bool is_computed(const struct draft *draft, const struct trace *trace, const struct event *event,
                        const int64_t *size, const struct said *said)
{
    const struct tuple *instance = &said->tuple[0];
    const struct line *line = &draft->nest[0].line[event->line];

    (void)trace;
    (void)size;
    return draft_label(draft, 0, event->line) == instance->name[1] - '0' && draft->integers &&
           line->n_read + line->updates >= 2 &&
           memcmp(event->at, instance->at, (size_t)instance->n * sizeof(event->at[0])) == 0;
}

enum outcome judge_rounded(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    for (int k = 0; k < n_border_sizes && accepted; k++)
        if (draft_allows(draft, border_sizes[k]) && any_superfluous(draft, border_sizes[k], touches_observed, NULL)) {
            text_addf(reason, "accepted, though what is superfluous can be observed at N = %d, M = %d",
                      (int)border_sizes[k][0], (int)border_sizes[k][1]);
            return WRONG;
        }
    if (accepted)
        return ACCEPTED;
    if (strcmp(said->kind, "may") == 0 && said->n_tuple >= 1 && draft_allows(draft, said->size) &&
        any_superfluous(draft, said->size, is_computed, said))
        return MAY;
    if (strcmp(said->kind, "may") != 0 && said->n_tuple >= 2 && draft_allows(draft, said->size) &&
        any_superfluous(draft, said->size, is_named, said))
        return CONFIRMED;
    text_add(reason, "that instance is not superfluous, or harmless");
    return WRONG;
}
