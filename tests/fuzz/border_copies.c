/* Drawing what is computed or copied elsewhere: private temporaries, moved computations, caches. */
#include "border.h"

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

void draw_private(struct draft *draft)
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
void draw_moved(struct draft *draft)
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

void draw_copied(struct draft *draft)
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

/* A cache whose copies are made before a loop further out, in which another statement may write; or one that is flushed
 * behind it, where another statement may read. */
void draw_trigger(struct draft *draft)
{
    struct nest *nest = &draft->nest[0];

    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 50) ? "xIX" : "XIX");
    draw_nest(draft, 2 + border_pick(draft, 2), 2, true);
    drop_guards(draft);
    draft->asked.flushed = border_chance(draft, 40);
    for (int s = 0; s < 2; s++) {
        struct line *line = &nest->line[s];
        const bool cached = (s == 0) == (draft->asked.by == 0), reads = cached != draft->asked.flushed;
        line->updates = false;
        line->depth = cached ? nest->n_loop : 1;
        line->n_read = 1;
        line->read[0] = draw_use(draft, nest, line->depth, reads ? 0 : 1);
        line->target = draw_use(draft, nest, line->depth, reads || (!cached && border_chance(draft, 30)) ? 2 : 0);
    }
    draft_fit(draft);
    text_addf(&draft->plan, "{\"cache\": \"a\", \"at\": \"j\", \"trigger\": \"i\"}");
}

/* A cache that the iteration before fills. */
void draw_ahead(struct draft *draft)
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
    asked->ahead = 1 + border_pick(draft, 3);
    text_addf(&draft->plan, "{\"cache\": \"a\", \"at\": \"%s\", ", border_loop_name[0][asked->loop + 1]);
    if (asked->ahead > 1)
        text_addf(&draft->plan, "\"buffers\": %d}", asked->ahead + 1);
    else
        text_add(&draft->plan, "\"double_buffer\": true}");
}
