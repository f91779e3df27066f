/* The kinds of drafts: what each word draws, and who judges it. */
#include "border.h"

#include <string.h>

static void draw_sizes(struct draft *draft)
{
    for (int k = 0; k < 2; k++)
        if (border_chance(draft, 25))
            draft->least[k] = border_pick(draft, 4);
}

static void add_nests(struct draft *draft, int most, bool perfect)
{
    const int n = 1 + border_pick(draft, most);

    for (int k = 0; k < n; k++)
        draw_nest(draft, 1 + border_pick(draft, 3), 1 + border_pick(draft, 3), perfect);
}

/* No statement with a condition of its own. */
static void drop_guards(struct draft *draft)
{
    for (int n = 0; n < draft->n_nest; n++)
        for (int s = 0; s < draft->nest[n].n_line; s++)
            draft->nest[n].line[s].guarded = false;
}

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

/* The loops of the new order, by name. */
struct ordering {
    const char *name[MAX_LOOPS + 2];
    bool plain[MAX_LOOPS + 2]; /* neither reversed nor skewed */
};

static void reorder(struct draft *draft, struct ordering *ordering)
{
    struct asked *asked = &draft->asked;

    for (int k = asked->n_time - 1; k > 0; k--) {
        const int other = border_pick(draft, k + 1);
        const struct place_in_time place = asked->time[k];
        const char *name = ordering->name[k];
        asked->time[k] = asked->time[other];
        asked->time[other] = place;
        ordering->name[k] = ordering->name[other];
        ordering->name[other] = name;
    }
    text_addf(&draft->schedule, "%s{\"reorder\": [", draft->schedule.size ? ", " : "");
    for (int k = 0; k < asked->n_time; k++)
        text_addf(&draft->schedule, "%s\"%s\"", k ? ", " : "", ordering->name[k]);
    text_add(&draft->schedule, "]}");
}

static void split(struct draft *draft, struct ordering *ordering, int k)
{
    static const char *const inner[] = {"ii", "jj", "kk", "ll"};
    struct asked *asked = &draft->asked;
    const int by = 2 + border_pick(draft, 2);

    if (!ordering->plain[k])
        return;
    text_addf(&draft->schedule, "%s{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"}", draft->schedule.size ? ", " : "",
              ordering->name[k], by, inner[k]);
    ordering->name[asked->n_time] = inner[k];
    ordering->plain[asked->n_time] = ordering->plain[k] = false;
    asked->time[asked->n_time] = asked->time[k];
    asked->time[k].form.divide = by;
    asked->time[asked->n_time++].form.modulo = by;
    for (int m = asked->n_time - 1; m > k + 1; m--) {
        const struct place_in_time place = asked->time[m];
        const char *name = ordering->name[m];
        asked->time[m] = asked->time[m - 1];
        asked->time[m - 1] = place;
        ordering->name[m] = ordering->name[m - 1];
        ordering->name[m - 1] = name;
    }
}

static void reverse(struct draft *draft, struct ordering *ordering, int k)
{
    text_addf(&draft->schedule, "%s{\"reverse\": \"%s\"}", draft->schedule.size ? ", " : "", ordering->name[k]);
    draft->asked.time[k].sign *= -1;
    ordering->plain[k] = false;
}

static void skew(struct draft *draft, struct ordering *ordering, int k, int by)
{
    const int factor = 1 + border_pick(draft, 2);

    if (k == by || !ordering->plain[k] || !ordering->plain[by])
        return;
    text_addf(&draft->schedule, "%s{\"skew\": \"%s\", \"by\": \"%s\", \"factor\": %d}",
              draft->schedule.size ? ", " : "", ordering->name[k], ordering->name[by], factor);
    draft->asked.time[k].form.loop[by] += factor;
    ordering->plain[k] = ordering->plain[by] = false;
}

/* One nest, whose loops start at constants, with all its statements in all loops. */
static void draw_one_order(struct draft *draft)
{
    struct asked *asked = &draft->asked;
    struct ordering ordering;

    draw_nest(draft, 2 + border_pick(draft, 2), 1 + border_pick(draft, 2), true);
    asked->n_time = draft->nest[0].n_loop;
    for (int k = 0; k < asked->n_time; k++) {
        asked->time[k] = (struct place_in_time){form_of(k, 1, 0, 0, 0), 1};
        draft->nest[0].loop[k].step = 1;
        draft->nest[0].loop[k].low = (struct form){0};
        ordering.name[k] = border_loop_name[0][k];
        ordering.plain[k] = true;
    }
    if (border_chance(draft, 30))
        skew(draft, &ordering, border_pick(draft, asked->n_time), border_pick(draft, asked->n_time));
    if (border_chance(draft, 25))
        reverse(draft, &ordering, border_pick(draft, asked->n_time));
    if (border_chance(draft, 40))
        split(draft, &ordering, 0);
    if (border_chance(draft, 70))
        reorder(draft, &ordering);
}

/* Two nests that become one. */
static void draw_fusion(struct draft *draft)
{
    struct asked *asked = &draft->asked;
    const int loops = 1 + border_pick(draft, 2);

    for (int n = 0; n < 2; n++)
        draw_nest(draft, loops, 1 + border_pick(draft, 2), true);
    for (int k = 0; k < loops; k++) {
        draft->nest[0].loop[k].step = draft->nest[1].loop[k].step = 1;
        asked->time[k] = (struct place_in_time){form_of(k, 1, 0, 0, 0), 1};
    }
    asked->n_time = loops;
    asked->fused = true;
    text_add(&draft->schedule, "{\"fuse\": [\"n0\", \"n1\"], \"align\": \"value\"}");
}

static void draw_order(struct draft *draft)
{
    draw_sizes(draft);
    draw_arrays(draft, "iXx");
    if (border_chance(draft, 30))
        draw_fusion(draft);
    else
        draw_one_order(draft);
    draft_fit(draft);
}

static void draw_parallel(struct draft *draft)
{
    struct asked *asked = &draft->asked;

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "IXx" : "XXx");
    add_nests(draft, 1, border_chance(draft, 50));
    draft_fit(draft);
    asked->loop = border_pick(draft, draft->nest[0].n_loop);
    asked->n = 1;
    text_addf(&draft->plan, "{\"parallelize\": [\"%s\"", border_loop_name[0][asked->loop]);
    for (bool perfect = true; asked->loop + asked->n < draft->nest[0].n_loop && border_chance(draft, 40); asked->n++) {
        for (int s = 0; s < draft->nest[0].n_line; s++)
            perfect &= draft->nest[0].line[s].depth > asked->loop + asked->n;
        if (!perfect)
            break;
        text_addf(&draft->plan, ", \"%s\"", border_loop_name[0][asked->loop + asked->n]);
    }
    text_add(&draft->plan, "]}");
    text_add(&draft->target, "\"openmp\": true");
}

static void draw_vector(struct draft *draft)
{
    static const char *const sets[] = {"omp", "avx2", "avx512", "sse4.2"};
    struct asked *asked = &draft->asked;
    const int set = border_pick(draft, 4);

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "IXx" : "XXx");
    add_nests(draft, 1, border_chance(draft, 50));
    draft_fit(draft);
    asked->loop = draft->nest[0].n_loop - 1;
    asked->any_order = set == 0;
    asked->lanes = border_chance(draft, 40) ? (set == 3 ? 4 : 8) : 0;
    text_addf(&draft->plan, "{\"vectorize\": \"%s\"", border_loop_name[0][asked->loop]);
    if (asked->lanes)
        text_addf(&draft->plan, ", \"lanes\": %d", asked->lanes);
    text_add(&draft->plan, "}");
    text_addf(&draft->target, "\"simd\": \"%s\"", sets[set]);
}

static void bind(struct draft *draft, int loop, char axis)
{
    text_addf(&draft->plan, "%s\"%s\": \"%s.x\"", draft->plan.size ? ", " : "{\"bind\": {", border_loop_name[0][loop],
              axis == 'b' ? "block" : "thread");
    draft->asked.axis[loop] = axis;
}

/* Bound loops start at constants, and have no more iterations than a block has threads. */
static void prepare_bound(struct draft *draft)
{
    for (int k = 0; k < draft->nest[0].n_loop; k++)
        draft->nest[0].loop[k].low = (struct form){.constant = border_pick(draft, 2)};
}

static void draw_races(struct draft *draft)
{
    const int which = border_pick(draft, 3);

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "IXx" : "XXx");
    draw_nest(draft, 2 + border_pick(draft, 2), 1 + border_pick(draft, 3), border_chance(draft, 40));
    prepare_bound(draft);
    for (int s = 0; s < draft->nest[0].n_line; s++) {
        struct line *line = &draft->nest[0].line[s];
        if (border_chance(draft, 70))
            line->target = (struct use){1, {form_of(0, 1, 0, 0, 0), form_of(line->depth - 1, 1, 0, 0, 0)}};
        if (border_chance(draft, 60))
            for (int k = 0; k < line->n_read; k++)
                line->read[k] =
                    border_chance(draft, 40) ? line->target : draw_use(draft, &draft->nest[0], line->depth, 0);
    }
    draft_fit(draft);
    const int first = border_pick(draft, draft->nest[0].n_loop - (which == 2));
    const int second = first + 1 + (which == 2 ? border_pick(draft, draft->nest[0].n_loop - first - 1) : 0);
    const bool turned = border_chance(draft, 30);
    if (which != 0)
        bind(draft, which == 2 && turned ? second : first, 'b');
    if (which != 1)
        bind(draft, which == 2 && !turned ? second : first, 't');
    text_add(&draft->plan, "}}");
    text_add(&draft->target, "\"language\": \"cuda\"");
}

/* Each block and thread has elements of its own, and reads what nothing writes. */
static void keep_apart(struct draft *draft, struct line *line, int array, int thread)
{
    line->target = (struct use){.array = array};
    if (draft->asked.axis[0] == 'b')
        line->target.at[0] = form_of(0, 1, 0, 0, 0);
    if (line->depth > thread)
        line->target.at[1] = form_of(thread, 1, 0, 0, 0);
    for (int k = 0; k < line->n_read; k++)
        line->read[k] = draw_use(draft, &draft->nest[0], line->depth, 0);
}

static void draw_sync(struct draft *draft)
{
    struct asked *asked = &draft->asked;

    draw_sizes(draft);
    draw_arrays(draft, "IXX");
    draw_nest(draft, 2 + border_pick(draft, 2), 1 + border_pick(draft, 2), border_chance(draft, 70));
    const int n = draft->nest[0].n_loop, thread = border_pick(draft, n);
    draft->nest[0].loop[thread].low = (struct form){0};
    if (thread > 0 && border_chance(draft, 40))
        bind(draft, 0, 'b');
    bind(draft, thread, 't');
    for (int s = 0; s < draft->nest[0].n_line; s++)
        keep_apart(draft, &draft->nest[0].line[s], 1 + s, thread);
    draft_fit(draft);
    asked->loop = border_pick(draft, n);
    text_add(&draft->plan, "}}");
    text_addf(&draft->plan, ", {\"sync\": {\"before\": \"%s\"}}", border_loop_name[0][asked->loop]);
    text_add(&draft->target, "\"language\": \"cuda\"");
}

/* A temporary that the first statement writes, and others read. */
static void use_temporary(struct draft *draft, struct nest *nest, int from, int array)
{
    for (int s = from; s < nest->n_line; s++) {
        struct line *line = &nest->line[s];
        if (border_chance(draft, 70))
            line->read[0] = draw_use(draft, nest, line->depth, array);
        if (line->target.array == array)
            line->target = draw_use(draft, nest, line->depth, draft->n_array - 1);
    }
}

static void draw_private(struct draft *draft)
{
    struct asked *asked = &draft->asked;
    struct nest *nest = &draft->nest[0];

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 60) ? "tIX" : "TIX");
    draw_nest(draft, 1 + border_pick(draft, 3), 2 + border_pick(draft, 2), border_chance(draft, 30));
    nest->line[0].target = draw_use(draft, nest, nest->line[0].depth, 0);
    nest->line[0].read[0].array = nest->line[0].read[1].array = 1;
    nest->line[0].updates = false;
    for (int k = 0; k < 2; k++)
        nest->line[0].read[k] = draw_use(draft, nest, nest->line[0].depth, 1);
    use_temporary(draft, nest, 1, 0);
    for (int s = 1; s < nest->n_line; s++)
        if (nest->line[s].depth >= nest->line[0].depth && border_chance(draft, 70))
            nest->line[s].read[0] = nest->line[0].target;
    for (int s = 0; s < nest->n_line; s++)
        nest->line[s].guarded &= border_chance(draft, 20);
    asked->array = 0;
    asked->loop = border_pick(draft, nest->n_loop);
    draft->array[0].zero = border_chance(draft, 20);
    draft_fit(draft);
    if (border_chance(draft, 50))
        text_addf(&draft->plan, "{\"privatize\": \"a\", \"at\": \"%s\"}", border_loop_name[0][asked->loop]);
    else
        text_addf(&draft->schedule, "{\"expand\": \"a\", \"over\": [\"%s\"]}", border_loop_name[0][asked->loop]);
}

/* A nest that computes the temporary `a` of `b`, perhaps one that changes b, and one that reads a. */
static void draw_moved(struct draft *draft)
{
    struct asked *asked = &draft->asked;
    const int loops = 1 + border_pick(draft, 2);

    draw_sizes(draft);
    draw_arrays(draft, loops == 1 ? "txx" : "TXx");
    for (int n = 0; n < 3; n++) {
        draw_nest(draft, loops, n == 2 ? 1 + border_pick(draft, 2) : 1, true);
        for (int s = 0; s < draft->nest[n].n_line; s++) {
            struct line *line = &draft->nest[n].line[s];
            line->target = draw_use(draft, &draft->nest[n], loops, n == 0 ? 0 : 1 + border_pick(draft, 2));
            line->n_read = 1;
            line->updates = false;
            line->read[0] = draw_use(draft, &draft->nest[n], loops, n == 2 && s == draft->nest[n].n_line - 1 ? 0 : 1);
            if (n == 1 && line->read[0].array == 0)
                line->read[0].array = 1;
        }
    }
    struct line *producer = &draft->nest[0].line[0];
    producer->guarded = false;
    for (int k = 0; k < loops; k++) {
        producer->target.at[k] = form_of(k, 1, 0, 0, 0);
        draft->nest[0].loop[k] = draft->nest[2].loop[k];
    }
    if (border_chance(draft, 70))
        for (int k = 0; k < loops; k++)
            draft->nest[2].line[draft->nest[2].n_line - 1].read[0].at[k] = form_of(k, 1, 0, 0, 0);
    draft->array[0].zero = border_chance(draft, 30);
    asked->array = 0;
    asked->n = border_pick(draft, 2);
    asked->loop = border_pick(draft, loops);
    draft_fit(draft);
    if (asked->n == 0)
        text_add(&draft->schedule, "{\"inline\": \"a\"}");
    else
        text_addf(&draft->schedule, "{\"compute_at\": \"a\", \"loop\": \"%s\"}", border_loop_name[2][asked->loop]);
}

static void draw_copied(struct draft *draft)
{
    struct asked *asked = &draft->asked;
    int nest;

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "xXI" : "xXX");
    add_nests(draft, 2, border_chance(draft, 50));
    draft_fit(draft);
    nest = border_pick(draft, draft->n_nest);
    const int line = border_pick(draft, draft->nest[nest].n_line);
    asked->array = draft->nest[nest].line[line].read[0].array;
    asked->loop = draft_label(draft, nest, line);
    text_addf(&draft->schedule, "{\"cache_read\": \"%s\", \"for\": \"S%d\"}", border_array_name[asked->array],
              asked->loop);
}

/* Two statements of a domain, whose times may be the same. */
static void draw_ties(struct draft *draft)
{
    draw_sizes(draft);
    draw_arrays(draft, "iXx");
    draw_nest(draft, 1 + border_pick(draft, 2), 1 + border_pick(draft, 2), true);
    struct nest *nest = &draft->nest[0];
    nest->polyhedral = true;
    drop_guards(draft);
    nest->n_time = 1 + border_pick(draft, 2);
    for (int k = 0; k < nest->n_loop; k++)
        nest->loop[k].step = 1;
    for (int k = 0; k < nest->n_time; k++) {
        nest->time[k] = draw_subscript(draft, nest, nest->n_loop);
        if (k < nest->n_loop && border_chance(draft, 60))
            nest->time[k] = form_of(k, 1, 0, 0, 0);
    }
    draft_fit(draft);
}

/* A map of one statement in two parts, which may leave instances out, or give them two times. */
static void draw_total(struct draft *draft)
{
    struct asked *asked = &draft->asked;
    struct nest *nest = &draft->nest[0];

    draw_sizes(draft);
    draw_arrays(draft, "iX");
    draw_nest(draft, 2, 1, true);
    drop_guards(draft);
    nest->line[0].updates = false;
    nest->line[0].target = (struct use){1, {form_of(0, 1, 0, 0, 0), form_of(1, 1, 0, 0, 0)}};
    nest->line[0].n_read = 1;
    nest->line[0].read[0] = draw_use(draft, nest, 2, 0);
    draft_fit(draft);
    asked->by = border_pick(draft, 4);
    asked->lanes = asked->by - 2 + border_pick(draft, 3);
    asked->fused = border_chance(draft, 30);
    text_addf(&draft->schedule, "{\"map\": \"[N, M] -> { S0[i, j] -> [i, j] : i >= %d; S0[i, j] -> [%s] : i <= %d }\"}",
              asked->by, asked->fused ? "i, j" : "i, i + j", asked->lanes);
}

/* Copies of an outer loop's iterations go into the loops inside. */
static void draw_jam(struct draft *draft)
{
    struct asked *asked = &draft->asked;

    draw_sizes(draft);
    draw_arrays(draft, "iXX");
    draw_nest(draft, 2 + border_pick(draft, 2), 1 + border_pick(draft, 2), true);
    drop_guards(draft);
    asked->loop = border_pick(draft, draft->nest[0].n_loop - 1);
    asked->by = 2 + border_pick(draft, 2);
    prepare_bound(draft);
    for (int k = asked->loop + 1; k < draft->nest[0].n_loop; k++)
        draft->nest[0].loop[k] = (struct span){.high = form_of(0, 0, 1, 0, border_pick(draft, 2)), .step = 1};
    draft_fit(draft);
    text_addf(&draft->plan, "{\"unroll\": \"%s\", \"by\": %d, \"jam\": true}", border_loop_name[0][asked->loop],
              asked->by);
}

/* A temporary that each thread is to have for itself. */
static void draw_local(struct draft *draft)
{
    struct nest *nest = &draft->nest[0];

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 60) ? "tIX" : "TIX");
    draw_nest(draft, 2 + border_pick(draft, 2), 2, border_chance(draft, 60));
    drop_guards(draft);
    prepare_bound(draft);
    const int thread = border_pick(draft, nest->n_loop);
    draft->array[0].zero = true;
    nest->line[0].target = draw_use(draft, nest, nest->line[0].depth, 0);
    nest->line[0].updates = false;
    for (int k = 0; k < 2; k++)
        nest->line[0].read[k] = draw_use(draft, nest, nest->line[0].depth, 1);
    nest->line[1].target = (struct use){.array = 2};
    for (int k = 0; k < 2; k++)
        nest->line[1].target.at[k] = form_of(k < nest->line[1].depth ? k : 0, 1, 0, 0, 0);
    nest->line[1].updates = false;
    nest->line[1].n_read = 1;
    nest->line[1].read[0] = border_chance(draft, 50) && nest->line[1].depth >= nest->line[0].depth
                                ? nest->line[0].target
                                : draw_use(draft, nest, nest->line[1].depth, 0);
    draft->asked.array = 0;
    draft_fit(draft);
    bind(draft, thread, 't');
    text_add(&draft->plan, "}}, {\"set_memory\": \"a\", \"to\": \"local\"}");
    text_add(&draft->target, "\"language\": \"cuda\"");
}

/* A cache whose copies are made before a loop further out, in which another statement may write. */
static void draw_trigger(struct draft *draft)
{
    struct nest *nest = &draft->nest[0];

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "xIX" : "XIX");
    draw_nest(draft, 2 + border_pick(draft, 2), 2, true);
    drop_guards(draft);
    for (int s = 0; s < 2; s++) {
        struct line *line = &nest->line[s];
        const bool reader = (s == 0) == (draft->asked.by == 0);
        line->updates = false;
        line->depth = reader ? nest->n_loop : 1;
        line->n_read = 1;
        line->read[0] = draw_use(draft, nest, line->depth, reader ? 0 : 1);
        line->target = draw_use(draft, nest, line->depth, reader || border_chance(draft, 30) ? 2 : 0);
    }
    draft_fit(draft);
    text_addf(&draft->plan, "{\"cache\": \"a\", \"at\": \"j\", \"trigger\": \"i\"}");
}

/* A cache that the iteration before fills. */
static void draw_ahead(struct draft *draft)
{
    struct asked *asked = &draft->asked;

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "xIX" : "XIX");
    draw_nest(draft, 2 + border_pick(draft, 2), 1 + border_pick(draft, 2), true);
    drop_guards(draft);
    draft->nest[0].line[0].read[0] = draw_use(draft, &draft->nest[0], draft->nest[0].n_loop, 0);
    asked->loop = border_pick(draft, draft->nest[0].n_loop - 1);
    asked->array = 0;
    for (int k = 0; k <= asked->loop; k++)
        draft->nest[0].loop[k].step = 1;
    draft_fit(draft);
    text_addf(&draft->plan, "{\"cache\": \"a\", \"at\": \"%s\", \"double_buffer\": true}",
              border_loop_name[0][asked->loop + 1]);
}

static void draw_any(struct draft *draft)
{
    const int word = border_pick(draft, n_border_words - 2);

    border_words[word].draw(draft);
}

const struct word border_words[] = {
    {"bounds", draw_bounds, judge_bounds},    {"initial", draw_initial, judge_initial},
    {"layout", draw_layout, judge_layout},    {"exact", draw_exact, judge_exact},
    {"order", draw_order, judge_order},       {"parallel", draw_parallel, judge_parallel},
    {"vector", draw_vector, judge_vector},    {"races", draw_races, judge_races},
    {"sync", draw_sync, judge_sync},          {"private", draw_private, judge_private},
    {"moved", draw_moved, judge_moved},       {"copied", draw_copied, judge_copied},
    {"ties", draw_ties, judge_ties},          {"assumed", draw_layout, judge_assumed},
    {"total", draw_total, judge_total},       {"jam", draw_jam, judge_jam},
    {"local", draw_local, judge_local},       {"ahead", draw_ahead, judge_ahead},
    {"trigger", draw_trigger, judge_trigger}, {"budget", draw_any, NULL},
};
const int n_border_words = sizeof(border_words) / sizeof(border_words[0]);
