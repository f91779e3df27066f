/* Sums that are computed by partial results (rfactor), with what else touches the elements that they update. */
#include "border.h"

/* The line that is factored. */
static const struct line *factored(const struct draft *draft)
{
    return &draft->nest[0].line[draft->asked.lanes];
}

/* Does the loop choose the element that the line updates? */
static bool chooses(const struct draft *draft, const struct line *line, int loop)
{
    for (int k = 0; k < draft->array[line->target.array].n_dim; k++)
        if (line->target.at[k].loop[loop])
            return true;
    return false;
}

static void draw_sum(struct draft *draft, struct nest *nest, struct line *line)
{
    line->updates = true;
    line->guarded = false;
    line->target = (struct use){.array = border_chance(draft, 60) ? 1 : 2};
    for (int k = 0; k < draft->array[line->target.array].n_dim; k++)
        if (border_chance(draft, 60))
            line->target.at[k] = form_of(border_pick(draft, line->depth), 1, 0, 0, border_pick(draft, 2));
    for (int k = 0; k < line->n_read; k++)
        line->read[k] = draw_use(draft, nest, line->depth, 0);
}

/* Another statement touches the array of the sum, at the sum's element where its loops are around it, or anywhere. */
static void draw_other(struct draft *draft, struct nest *nest, struct line *line, const struct line *sum)
{
    struct use use = draw_use(draft, nest, line->depth, sum->target.array);

    for (int k = 0; k < draft->array[use.array].n_dim && border_chance(draft, 60); k++) {
        use.at[k] = sum->target.at[k];
        for (int loop = line->depth; loop < MAX_LOOPS; loop++)
            use.at[k].loop[loop] = 0;
    }
    if (border_chance(draft, 50))
        line->read[0] = use;
    else
        line->target = use;
}

void draw_partial(struct draft *draft)
{
    struct asked *asked = &draft->asked;

    draft->reassociate = true;
    draw_arrays(draft, "iXx");
    draw_nest(draft, 2 + border_pick(draft, 2), 1 + border_pick(draft, 3), border_chance(draft, 30));
    struct nest *nest = &draft->nest[0];
    asked->lanes = border_pick(draft, nest->n_line);
    struct line *sum = &nest->line[asked->lanes];
    draw_sum(draft, nest, sum);
    for (int s = 0; s < nest->n_line; s++)
        if (s != asked->lanes && border_chance(draft, 70))
            draw_other(draft, nest, &nest->line[s], sum);
    asked->loop = border_pick(draft, sum->depth);
    for (int k = 0; k < sum->depth && chooses(draft, sum, asked->loop); k++)
        asked->loop = (asked->loop + 1) % sum->depth;
    draft_fit(draft);
    text_addf(&draft->schedule, "{\"rfactor\": \"%s\", \"of\": \"S%d\"}", border_loop_name[0][asked->loop],
              draft_label(draft, 0, asked->lanes));
}

/* The partial results are joined behind the outermost loop that does not choose the element: what comes after an update
 * in one iteration of the loops around that one would come before all of them. */
static bool breaks_partial(const struct draft *draft, const struct trace *trace, int a, int b, const int64_t *size)
{
    const struct event *first = &trace->event[a], *second = &trace->event[b];
    int outermost = 0;

    (void)size;
    while (outermost < factored(draft)->depth && chooses(draft, factored(draft), outermost))
        outermost++;
    return first->line == draft->asked.lanes && second->line != first->line && second->depth > outermost &&
           events_together(first, second, outermost) && events_disagree(draft, first, second, true);
}

enum outcome judge_partial(const struct draft *draft, bool accepted, const struct said *said, struct text *reason)
{
    return judge_pairs(draft, accepted, said, breaks_partial, reason);
}
