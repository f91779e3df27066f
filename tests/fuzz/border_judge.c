/* Judges of single instances and elements: bounds, values that are not there, layouts, tiles that do not divide. */
#include "border.h"

#include <string.h>

enum { MOST = 20000 };

static bool outside(const struct draft *draft, const struct touch *touch, const int64_t *size)
{
    static const int64_t no_loops[MAX_LOOPS];
    const struct array *array = &draft->array[touch->array];

    for (int k = 0; k < array->n_dim; k++)
        if (touch->at[k] < 0 || touch->at[k] >= form_at(&array->size[k], no_loops, size))
            return true;
    return false;
}

static bool unwritten(const struct draft *draft, const struct trace *trace, int event, const struct touch *touch)
{
    const struct array *array = &draft->array[touch->array];

    return !touch->writes && !array->zero && (strcmp(array->role, "temp") == 0 || strcmp(array->role, "out") == 0) &&
           trace_source(trace, event, touch) < 0;
}

/* What is wrong with one touch of one instance. */
typedef bool fault(const struct draft *draft, const struct trace *trace, int event, const struct touch *touch,
                   const int64_t *size);

static bool fault_bounds(const struct draft *draft, const struct trace *trace, int event, const struct touch *touch,
                         const int64_t *size)
{
    (void)trace;
    (void)event;
    return outside(draft, touch, size);
}

static bool fault_initial(const struct draft *draft, const struct trace *trace, int event, const struct touch *touch,
                          const int64_t *size)
{
    (void)size;
    return unwritten(draft, trace, event, touch);
}

static bool faultless(const struct draft *draft, const int64_t *size, fault *is_fault, struct text *reason)
{
    struct trace trace = draft_run(draft, size, MOST);
    bool good = true;

    for (int k = 0; k < trace.n && good; k++)
        for (int t = 0; t < trace.event[k].n_touch && good; t++)
            if (is_fault(draft, &trace, k, &trace.event[k].touch[t], size)) {
                text_addf(reason, "accepted, but S%d touches what it must not at N = %d, M = %d",
                          draft_label(draft, trace.event[k].nest, trace.event[k].line), (int)size[0], (int)size[1]);
                good = false;
            }
    trace_free(&trace);
    return good;
}

static int first_statement(const struct said *said)
{
    int k = 0;

    while (k + 1 < said->n_tuple && !said_statement(&said->tuple[k]))
        k++;
    return k;
}

/* Is there a touch of the element that a tuple names, by the instance that the one in front names, with that fault? */
static bool has_fault(const struct draft *draft, const struct said *said, const int64_t *size, fault *is_fault)
{
    struct trace trace = draft_run(draft, size, MOST);
    const int at = first_statement(said);
    const struct tuple *element = &said->tuple[at + 1];
    const int event = said_event(draft, &trace, &said->tuple[at]);
    bool found = false;

    for (int t = 0; event >= 0 && t < trace.event[event].n_touch && !found; t++) {
        const struct touch *touch = &trace.event[event].touch[t];
        found = strcmp(border_array_name[touch->array], element->name) == 0 &&
                memcmp(touch->at, element->at, (size_t)element->n * sizeof(element->at[0])) == 0 &&
                is_fault(draft, &trace, event, touch, size);
    }
    trace_free(&trace);
    return found;
}

/* A parameter that the message leaves out may have any value. */
static bool has_fault_at_some(const struct draft *draft, const struct said *said, fault *is_fault)
{
    const int64_t first[2] = {said->has[0] ? said->size[0] : 0, said->has[1] ? said->size[1] : 0};
    const int64_t last[2] = {said->has[0] ? first[0] : 8, said->has[1] ? first[1] : 8};

    for (int64_t n = first[0]; n <= last[0]; n++)
        for (int64_t m = first[1]; m <= last[1]; m++)
            if (draft_allows(draft, (int64_t[2]){n, m}) && has_fault(draft, said, (int64_t[2]){n, m}, is_fault))
                return true;
    return false;
}

static enum outcome judge_touches(const struct draft *draft, bool accepted, const struct said *said, fault *is_fault,
                                  struct text *reason)
{
    bool good = true;

    for (int k = 0; k < n_border_sizes && accepted && good; k++)
        good = !draft_allows(draft, border_sizes[k]) || faultless(draft, border_sizes[k], is_fault, reason);
    if (accepted)
        return good ? ACCEPTED : WRONG;
    if (first_statement(said) + 1 < said->n_tuple && has_fault_at_some(draft, said, is_fault))
        return CONFIRMED;
    text_add(reason, "what the message says is not so");
    return WRONG;
}

enum outcome judge_bounds(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_touches(draft, accepted, said, fault_bounds, reason);
}

enum outcome judge_initial(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_touches(draft, accepted, said, fault_initial, reason);
}

/* Where an element of the first array, or of its view, stands. */
struct placing {
    const struct array *array;
    int64_t size[2];
};

static int64_t at_sizes(const struct placing *placing, const struct form *form)
{
    static const int64_t no_loops[MAX_LOOPS];

    return form_at(form, no_loops, placing->size);
}

static int64_t address(const struct placing *placing, const int64_t *at)
{
    int64_t sum = at_sizes(placing, &placing->array->offset);

    for (int k = 0; k < placing->array->n_dim; k++)
        sum += at_sizes(placing, &placing->array->stride[k]) * at[k];
    return sum;
}

static bool inside(const struct placing *placing, const struct form *extent, const int64_t *at)
{
    for (int k = 0; k < placing->array->n_dim; k++)
        if (at[k] < 0 || at[k] >= at_sizes(placing, &extent[k]))
            return false;
    return true;
}

static void viewed(const struct placing *placing, const int64_t *at, int64_t *element)
{
    for (int k = 0; k < placing->array->n_dim; k++)
        element[k] = at_sizes(placing, &placing->array->view_offset[k]) + placing->array->view_stride[k] * at[k];
}

enum { SIDE = 24 };

/* The elements at[0], at[1] of a box, or only at[0], one number after the other; false behind the last. */
static bool next(const struct placing *placing, const struct form *extent, int64_t *at)
{
    for (int k = placing->array->n_dim - 1; k >= 0; k--) {
        if (++at[k] < at_sizes(placing, &extent[k]))
            return true;
        at[k] = 0;
    }
    return false;
}

static bool is_empty(const struct placing *placing, const struct form *extent)
{
    for (int k = 0; k < placing->array->n_dim; k++)
        if (at_sizes(placing, &extent[k]) <= 0)
            return true;
    return false;
}

static bool good_view(const struct placing *placing)
{
    int64_t at[MAX_DIMS] = {0}, element[MAX_DIMS] = {0};

    if (!placing->array->viewed || is_empty(placing, placing->array->view_size))
        return true;
    do {
        viewed(placing, at, element);
        if (!inside(placing, placing->array->size, element))
            return false;
    } while (next(placing, placing->array->view_size, at));
    return true;
}

/* Do all elements have places of their own, none before the array's start? */
static bool good_strides(const struct placing *placing)
{
    bool taken[2 * SIDE * SIDE * SIDE] = {false};
    int64_t at[MAX_DIMS] = {0};

    if (!placing->array->strided || is_empty(placing, placing->array->size))
        return true;
    do {
        const int64_t place = address(placing, at);
        if (place < 0 || (place < (int64_t)sizeof(taken) && taken[place]))
            return false;
        if (place < (int64_t)sizeof(taken))
            taken[place] = true;
    } while (next(placing, placing->array->size, at));
    return true;
}

static bool same(const struct tuple *tuple, const int64_t *at)
{
    return memcmp(tuple->at, at, (size_t)tuple->n * sizeof(at[0])) == 0;
}

static bool layout_fault(const struct placing *placing, const struct said *said)
{
    const struct tuple *first = &said->tuple[0], *second = &said->tuple[1];
    int64_t element[MAX_DIMS] = {0};

    if (strstr(said->text, "the offset is negative"))
        return at_sizes(placing, &placing->array->offset) < 0;
    if (strstr(said->text, "before the array's start"))
        return said->n_tuple >= 1 && inside(placing, placing->array->size, first->at) &&
               address(placing, first->at) < 0;
    if (strstr(said->text, "in the place of"))
        return said->n_tuple >= 2 && inside(placing, placing->array->size, first->at) &&
               inside(placing, placing->array->size, second->at) && !same(first, second->at) &&
               address(placing, first->at) == address(placing, second->at);
    viewed(placing, first->at, element);
    return said->n_tuple >= 2 && inside(placing, placing->array->view_size, first->at) && same(second, element) &&
           !inside(placing, placing->array->size, element);
}

static bool layout_fault_at_some(const struct draft *draft, const struct said *said)
{
    struct placing placing = {&draft->array[0], {0}};

    for (int64_t n = 0; n <= 8; n++)
        for (int64_t m = 0; m <= 8; m++) {
            placing.size[0] = said->has[0] ? said->size[0] : n;
            placing.size[1] = said->has[1] ? said->size[1] : m;
            if (draft_allows(draft, placing.size) && layout_fault(&placing, said))
                return true;
        }
    return false;
}

static bool layout_is_good(const struct draft *draft)
{
    for (int k = 0; k < n_border_sizes; k++) {
        const struct placing placing = {&draft->array[0], {border_sizes[k][0], border_sizes[k][1]}};
        if (draft_allows(draft, border_sizes[k]) && !(good_view(&placing) && good_strides(&placing)))
            return false;
    }
    return true;
}

enum outcome judge_layout(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    if (accepted && layout_is_good(draft))
        return ACCEPTED;
    if (!accepted && strcmp(said->kind, "may") == 0)
        return MAY;
    if (!accepted && layout_fault_at_some(draft, said))
        return CONFIRMED;
    text_add(reason, accepted ? "accepted, though elements share a place or are outside" : "what it says is not so");
    return WRONG;
}

/* Does something run in the same iteration of the loops around, where this one has that value? */
static bool runs_at(const struct trace *trace, const struct event *event, int loop, int64_t value)
{
    for (int k = 0; k < trace->n; k++)
        if (trace->event[k].at[loop] == value &&
            memcmp(trace->event[k].at, event->at, (size_t)loop * sizeof(event->at[0])) == 0)
            return true;
    return false;
}

/* Are all tiles of the loop full in each iteration of those around it? The first one starts at the smallest value. */
static bool tiles_full(const struct draft *draft, const int64_t *size)
{
    const struct asked *asked = &draft->asked;
    const int loop = asked->loop, step = draft->nest[0].loop[loop].step;
    struct trace trace = draft_run(draft, size, MOST);
    int64_t origin = INT64_MAX;
    bool full = true;

    for (int k = 0; k < trace.n; k++)
        origin = trace.event[k].at[loop] < origin ? trace.event[k].at[loop] : origin;
    for (int k = 0; k < trace.n && full; k++) {
        const int64_t place = (trace.event[k].at[loop] - origin) / step;
        for (int64_t at = place - place % asked->by; at < place - place % asked->by + asked->by && full; at++)
            full = runs_at(&trace, &trace.event[k], loop, origin + at * step);
    }
    trace_free(&trace);
    return full;
}

enum outcome judge_exact(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    bool good = true;

    for (int k = 0; k < n_border_sizes && accepted && good; k++)
        good = !draft_allows(draft, border_sizes[k]) || tiles_full(draft, border_sizes[k]);
    if (accepted && good)
        return ACCEPTED;
    if (!accepted && draft_allows(draft, said->size) && !tiles_full(draft, said->size))
        return CONFIRMED;
    text_add(reason, accepted ? "accepted, though a tile is not full" : "all tiles are full there");
    return WRONG;
}

enum outcome judge_assumed(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    (void)said;
    if (accepted)
        return ACCEPTED;
    for (int64_t n = 0; n <= SIDE; n++)
        for (int64_t m = 0; m <= SIDE; m++)
            if (draft_allows(draft, (int64_t[2]){n, m})) {
                text_addf(reason, "N = %d, M = %d meet them", (int)n, (int)m);
                return WRONG;
            }
    return CONFIRMED;
}
