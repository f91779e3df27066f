/* The kinds of drafts: what each word draws, and who judges it; drawing single elements. */
#include "border.h"

#include <string.h>

/* Some subscripts and extents off by a little. */
static void disturb(struct draft *draft)
{
    struct nest *nest = &draft->nest[border_pick(draft, draft->n_nest)];
    struct line *line = &nest->line[border_pick(draft, nest->n_line)];
    struct array *array = &draft->array[border_pick(draft, draft->n_array)];
    struct form *size = &array->size[border_pick(draft, array->n_dim)];

    switch (border_pick(draft, 6)) {
    case 0:
        size->constant--;
        break;
    case 1:
        if (size->n || size->m)
            *size = (struct form){.n = size->m, .m = size->n, .constant = size->constant};
        break;
    case 2:
        line->target.at[0].constant += 1 - 2 * border_pick(draft, 2);
        break;
    case 3:
        line->read[0].at[0].constant += 1 - 2 * border_pick(draft, 2);
        break;
    case 4:
        nest->loop[0].high.constant += 1 - 2 * border_pick(draft, 2);
        break;
    default:
        draw_sizes(draft);
    }
}

static void draw_bounds(struct draft *draft)
{
    draw_sizes(draft);
    draw_arrays(draft, "ixX");
    add_nests(draft, 2, false);
    draft_fit(draft);
    for (int k = border_pick(draft, 3); k >= 0; k--)
        disturb(draft);
}

/* Statement s of nest n reads what statements in front of it write, or what starts with values. */
static void read_written(struct draft *draft, int n, int s)
{
    struct line *line = &draft->nest[n].line[s];
    const int nest = border_pick(draft, n + 1), from = border_pick(draft, nest == n ? s + 1 : draft->nest[nest].n_line);
    const struct line *writer = &draft->nest[nest].line[from];

    line->updates &= border_chance(draft, 10);
    for (int k = 0; k < line->n_read; k++)
        if (border_chance(draft, 90))
            line->read[k] = draw_use(draft, &draft->nest[n], line->depth, border_chance(draft, 50) ? 0 : 4);
    if (writer != line && writer->depth <= line->depth && border_chance(draft, 80))
        line->read[0] = writer->target;
}

static void draw_initial(struct draft *draft)
{
    draw_sizes(draft);
    draw_arrays(draft, "itTox");
    draft->array[1].zero = border_chance(draft, 15);
    add_nests(draft, 3, false);
    for (int n = 0; n < draft->n_nest; n++)
        for (int s = 0; s < draft->nest[n].n_line; s++)
            read_written(draft, n, s);
    draft_fit(draft);
}

/* A nest that writes and reads all of the first array, or of its view. */
static void draw_whole(struct draft *draft, const struct array *array)
{
    struct nest *nest = &draft->nest[draft->n_nest++];

    nest->n_loop = array->n_dim;
    nest->n_line = 1;
    nest->line[0] = (struct line){.depth = nest->n_loop, .updates = true};
    for (int k = 0; k < nest->n_loop; k++) {
        nest->loop[k] = (struct span){.high = array->viewed ? array->view_size[k] : array->size[k], .step = 1};
        nest->line[0].target.at[k].loop[k] = 1;
    }
}

static struct form draw_extent(struct draft *draft)
{
    struct form form = {.constant = border_pick(draft, 3) - 1};
    const int which = border_pick(draft, 4);

    form.n = which == 0 || which == 2;
    form.m = which == 1 || which == 2;
    form.constant += which == 3 ? 4 : 0;
    return form;
}

static void draw_view(struct draft *draft, struct array *array)
{
    array->viewed = true;
    for (int k = 0; k < array->n_dim; k++) {
        const int stride = border_pick(draft, 4);
        array->view_size[k] = array->size[k];
        array->view_stride[k] = stride == 0 ? -1 : stride == 1 ? 2 : 1;
        array->view_offset[k] = stride == 0 ? array->size[k] : (struct form){.constant = border_pick(draft, 3)};
        array->view_offset[k].constant -= border_pick(draft, 3);
        array->view_size[k].constant -= border_pick(draft, 3);
        if (stride == 1 && border_chance(draft, 70))
            array->view_size[k] = (struct form){.constant = 2 + border_pick(draft, 3)};
    }
}

static void draw_strides(struct draft *draft, struct array *array)
{
    const bool turned = border_chance(draft, 40);
    const int last = array->n_dim - 1, inner = turned ? 0 : last;

    array->strided = true;
    array->stride[inner] = (struct form){.constant = 1 + (border_chance(draft, 25) ? border_pick(draft, 2) : 0)};
    if (array->n_dim == 2)
        array->stride[last - inner] = border_chance(draft, 20) ? draw_extent(draft) : array->size[inner];
    if (array->n_dim == 2 && border_chance(draft, 40))
        array->stride[last - inner].constant += border_pick(draft, 4) - 1;
    if (border_chance(draft, 30)) {
        array->stride[inner].constant *= -1;
        array->offset = array->size[inner];
        array->offset.constant -= border_pick(draft, 3);
    }
    if (border_chance(draft, 15))
        array->offset.constant += border_pick(draft, 3) - 1;
}

static void draw_layout(struct draft *draft)
{
    struct array *array = &draft->array[0];

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 40) ? "x" : "X");
    for (int k = 0; k < array->n_dim; k++)
        array->size[k] = draw_extent(draft);
    if (border_chance(draft, 50))
        draw_view(draft, array);
    else
        draw_strides(draft, array);
    draw_whole(draft, array);
}

static void draw_exact(struct draft *draft)
{
    struct asked *asked = &draft->asked;

    draw_sizes(draft);
    draft->multiple[0] = border_chance(draft, 60) ? 2 + 2 * border_pick(draft, 2) : 0;
    draft->multiple[1] = border_chance(draft, 30) ? 2 + 2 * border_pick(draft, 2) : 0;
    draw_arrays(draft, "ixX");
    draw_nest(draft, 1 + border_pick(draft, 2), 1 + border_pick(draft, 2), true);
    drop_guards(draft);
    asked->loop = border_pick(draft, draft->nest[0].n_loop);
    asked->by = 2 + border_pick(draft, 3);
    struct span *span = &draft->nest[0].loop[asked->loop];
    span->low = (struct form){.constant = border_pick(draft, 2)};
    if (border_chance(draft, 60))
        span->high = (struct form){.n = 1 + border_pick(draft, 2), .constant = span->low.constant * (span->step == 1)};
    draft_fit(draft);
    text_addf(&draft->schedule, "{\"split\": \"%s\", \"by\": %d, \"tail\": \"exact\"}",
              border_loop_name[0][asked->loop], asked->by);
}

static void draw_any(struct draft *draft)
{
    const int word = border_pick(draft, n_border_words - 2);

    border_words[word].draw(draft);
}

const struct word border_words[] = {
    {"bounds", draw_bounds, judge_bounds},
    {"initial", draw_initial, judge_initial},
    {"layout", draw_layout, judge_layout},
    {"exact", draw_exact, judge_exact},
    {"order", draw_order, judge_order},
    {"ranges", draw_ranges, judge_order},
    {"parallel", draw_parallel, judge_parallel},
    {"vector", draw_vector, judge_vector},
    {"races", draw_races, judge_races},
    {"sync", draw_sync, judge_sync},
    {"private", draw_private, judge_private},
    {"moved", draw_moved, judge_moved},
    {"copied", draw_copied, judge_copied},
    {"ties", draw_ties, judge_ties},
    {"assumed", draw_layout, judge_assumed},
    {"total", draw_total, judge_total},
    {"jam", draw_jam, judge_jam},
    {"local", draw_local, judge_local},
    {"ahead", draw_ahead, judge_ahead},
    {"trigger", draw_trigger, judge_trigger},
    {"promise", draw_promise, judge_promise},
    {"timed", draw_timed, judge_timed},
    {"rounded", draw_rounded, judge_rounded},
    {"partial", draw_partial, judge_partial},
    {"sunk", draw_sunk, judge_sunk},
    {"budget", draw_any, NULL},
};
const int n_border_words = sizeof(border_words) / sizeof(border_words[0]);
