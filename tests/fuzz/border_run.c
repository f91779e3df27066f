/* Running a draft at small sizes: what each instance touches, in the order of the text. */
#include "border.h"

#include <stdlib.h>
#include <string.h>

const int64_t border_sizes[][2] = {{0, 0}, {1, 1}, {2, 3}, {3, 2}, {4, 4}, {5, 1}, {1, 6}, {6, 5}, {8, 4}, {4, 8}};
const int n_border_sizes = sizeof(border_sizes) / sizeof(border_sizes[0]);

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t form_at(const struct form *form, const int64_t *loop, const int64_t *size)
{
    int64_t value = form->n * size[0] + form->m * size[1] + form->constant;

    for (int k = 0; k < MAX_LOOPS; k++)
        value += form->loop[k] ? form->loop[k] * loop[k] : 0;
    if (form->divide)
        value = floor_divide(value, form->divide);
    if (form->modulo)
        value -= form->modulo * floor_divide(value, form->modulo);
    return value;
}

static bool extents_natural(const struct form *extent, int n, const int64_t *size)
{
    static const int64_t no_loops[MAX_LOOPS];

    for (int k = 0; k < n; k++)
        if (form_at(&extent[k], no_loops, size) < 0)
            return false;
    return true;
}

bool draft_allows(const struct draft *draft, const int64_t *size)
{
    for (int k = 0; k < 2; k++)
        if (size[k] < draft->least[k] || (draft->multiple[k] && size[k] % draft->multiple[k]))
            return false;
    for (int k = 0; k < draft->n_array; k++) {
        const struct array *array = &draft->array[k];
        if (!extents_natural(array->size, array->n_dim, size) ||
            (array->viewed && !extents_natural(array->view_size, array->n_dim, size)))
            return false;
    }
    return true;
}

static void add_touch(const struct draft *draft, struct event *event, const struct use *use, const int64_t *size,
                      bool writes)
{
    const struct array *array = &draft->array[use->array];
    struct touch *touch = &event->touch[event->n_touch++];

    *touch = (struct touch){.array = use->array, .writes = writes};
    for (int k = 0; k < array->n_dim; k++) {
        touch->at[k] = form_at(&use->at[k], event->at, size);
        if (array->viewed)
            touch->at[k] = touch->at[k] * array->view_stride[k] + form_at(&array->view_offset[k], event->at, size);
    }
}

struct event draft_event(const struct draft *draft, int nest, int number, const int64_t *at, const int64_t *size)
{
    const struct line *line = &draft->nest[nest].line[number];
    struct event event = {.nest = nest, .line = number, .depth = line->depth};

    memcpy(event.at, at, sizeof(event.at));
    for (int k = 0; k < line->n_read; k++)
        add_touch(draft, &event, &line->read[k], size, false);
    if (line->updates)
        add_touch(draft, &event, &line->target, size, false);
    add_touch(draft, &event, &line->target, size, true);
    return event;
}

/* One draft on its way through its nests. */
struct running {
    const struct draft *draft;
    const int64_t *size;
    int most;
    int nest;
    int64_t loop[MAX_LOOPS];
    struct trace trace;
};

static void execute(struct running *running, int number)
{
    const struct line *line = &running->draft->nest[running->nest].line[number];
    struct trace *trace = &running->trace;

    if (trace->n >= running->most || (line->guarded && form_at(&line->guard, running->loop, running->size) < 0))
        return;
    if (trace->n % 64 == 0)
        trace->event = realloc(trace->event, (size_t)(trace->n + 64) * sizeof(*trace->event));
    if (running->nest == 0 && line->depth > 0 && running->loop[0] < trace->start)
        trace->start = running->loop[0];
    trace->event[trace->n++] = draft_event(running->draft, running->nest, number, running->loop, running->size);
}

/* The lines from first on that are inside of the first `depth` loops, and no longer those behind. */
static void run_lines(struct running *running, int first, int end, int depth)
{
    const struct nest *nest = &running->draft->nest[running->nest];

    for (int k = first, next; k < end; k = next) {
        next = k + 1;
        if (nest->line[k].depth == depth) {
            execute(running, k);
            continue;
        }
        while (next < end && nest->line[next].depth > depth)
            next++;
        const struct span *span = &nest->loop[depth];
        const int64_t high = form_at(&span->high, running->loop, running->size);
        for (int64_t i = form_at(&span->low, running->loop, running->size); i < high; i += span->step) {
            running->loop[depth] = i;
            run_lines(running, k, next, depth + 1);
        }
        running->loop[depth] = 0;
    }
}

struct trace draft_run(const struct draft *draft, const int64_t *size, int most)
{
    struct running running = {.draft = draft, .size = size, .most = most, .trace.start = INT64_MAX};

    for (; running.nest < draft->n_nest; running.nest++)
        run_lines(&running, 0, draft->nest[running.nest].n_line, 0);
    return running.trace;
}

void trace_free(struct trace *trace)
{
    free(trace->event);
    *trace = (struct trace){0};
}

int draft_label(const struct draft *draft, int nest, int line)
{
    for (int k = 0; k < nest; k++)
        line += draft->nest[k].n_line;
    return line;
}

bool touch_same(const struct touch *a, const struct touch *b)
{
    return a->array == b->array && memcmp(a->at, b->at, sizeof(a->at)) == 0;
}

bool events_conflict(const struct event *a, const struct event *b)
{
    for (int i = 0; i < a->n_touch; i++)
        for (int j = 0; j < b->n_touch; j++)
            if ((a->touch[i].writes || b->touch[j].writes) && touch_same(&a->touch[i], &b->touch[j]))
                return true;
    return false;
}

int trace_source(const struct trace *trace, int b, const struct touch *read)
{
    for (int a = b - 1; a >= 0; a--)
        for (int k = 0; k < trace->event[a].n_touch; k++)
            if (trace->event[a].touch[k].writes && touch_same(&trace->event[a].touch[k], read))
                return a;
    return -1;
}

static bool use_same(const struct use *a, const struct use *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* The operator of an update x op= e, or x = x op e as the text has it: + or *; *read gets the touch that reads x. */
static char update_of(const struct draft *draft, const struct line *line, int *read)
{
    int n = 0;

    for (int k = 0; k < line->n_read && !line->updates; k++)
        if (use_same(&line->read[k], &line->target)) {
            *read = k;
            n++;
        }
    if (line->updates) {
        *read = line->n_read;
        return '+';
    }
    if (n != 1)
        return 0;
    return draft->integers && line->n_read == 2 ? '+' : !draft->integers && line->n_read == 1 ? '*' : 0;
}

/* The operator, if the touch is that of the updated element. */
static char updates_by(const struct draft *draft, const struct event *event, int touch)
{
    int read = -1;
    const char op = update_of(draft, &draft->nest[event->nest].line[event->line], &read);

    return touch == read || touch == event->n_touch - 1 ? op : 0;
}

bool events_disagree(const struct draft *draft, const struct event *a, const struct event *b, bool after_write)
{
    const bool free = draft->integers || draft->reassociate;

    for (int i = 0; i < a->n_touch; i++)
        for (int j = 0; j < b->n_touch; j++) {
            const char op = free ? updates_by(draft, a, i) : 0;
            if ((a->touch[i].writes || (b->touch[j].writes && !after_write)) &&
                touch_same(&a->touch[i], &b->touch[j]) && !(op && op == updates_by(draft, b, j)))
                return true;
        }
    return false;
}
