/* Drawing loops in threads, in lanes, and bound to those of a device. */
#include "border.h"

void draw_parallel(struct draft *draft)
{
    struct asked *asked = &draft->asked;

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "IXx" : "XXx");
    add_nests(draft, 1, border_chance(draft, 50));
    draw_sums(draft);
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
    asked->doacross = asked->n > 1 && border_chance(draft, 50);
    text_add(&draft->plan, asked->doacross ? "], \"doacross\": true}" : "]}");
    text_add(&draft->target, "\"openmp\": true");
}

void draw_vector(struct draft *draft)
{
    static const char *const sets[] = {"omp", "avx2", "avx512", "sse4.2"};
    struct asked *asked = &draft->asked;
    const int set = border_pick(draft, 4);

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "IXx" : "XXx");
    add_nests(draft, 1, border_chance(draft, 50));
    draw_sums(draft);
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

/* The innermost loop's lanes are promised to be independent. */
void draw_promise(struct draft *draft)
{
    struct asked *asked = &draft->asked;

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "IXx" : "XXx");
    add_nests(draft, 1, border_chance(draft, 50));
    draw_sums(draft);
    draft_fit(draft);
    asked->loop = draft->nest[0].n_loop - 1;
    asked->any_order = asked->promised = true;
    text_addf(&draft->plan, "{\"pragma\": \"%s\", \"text\": \"%s\"}", border_loop_name[0][asked->loop],
              border_chance(draft, 50) ? "GCC ivdep" : "clang loop vectorize(assume_safety)");
}

static void bind(struct draft *draft, int loop, char axis)
{
    text_addf(&draft->plan, "%s\"%s\": \"%s.x\"", draft->plan.size ? ", " : "{\"bind\": {", border_loop_name[0][loop],
              axis == 'b' ? "block" : "thread");
    draft->asked.axis[loop] = axis;
}

void prepare_bound(struct draft *draft)
{
    for (int k = 0; k < draft->nest[0].n_loop; k++)
        draft->nest[0].loop[k].low = (struct form){.constant = border_pick(draft, 2)};
}

void draw_races(struct draft *draft)
{
    const int which = border_pick(draft, 3);

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "IXx" : "XXx");
    draw_nest(draft, 2 + border_pick(draft, 2), 1 + border_pick(draft, 3), border_chance(draft, 40));
    prepare_bound(draft);
    draw_sums(draft);
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

void draw_sync(struct draft *draft)
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

/* A temporary that each thread is to have for itself. */
void draw_local(struct draft *draft)
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
