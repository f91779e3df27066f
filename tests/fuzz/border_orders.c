/* Drawing orders: of loops, of fused nests, of polyhedral nests, by maps. */
#include "border.h"

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

/* Steps for the first nest, whose loops are made to start at constants, with all its statements in all loops. */
static void order_nest(struct draft *draft)
{
    struct asked *asked = &draft->asked;
    struct ordering ordering;

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

void draw_order(struct draft *draft)
{
    draw_sizes(draft);
    draw_arrays(draft, "iXx");
    if (border_chance(draft, 30))
        draw_fusion(draft);
    else {
        draw_nest(draft, 2 + border_pick(draft, 2), 1 + border_pick(draft, 2), true);
        order_nest(draft);
    }
    draw_sums(draft);
    draft_fit(draft);
}

/* An element of a temporary, few of which there are. */
static struct use draw_again(struct draft *draft, const struct nest *nest, int array)
{
    struct use use = draw_use(draft, nest, nest->n_loop, array);

    for (int k = 0; k < draft->array[array].n_dim; k++)
        if (border_chance(draft, 60))
            use.at[k] = (struct form){.constant = border_pick(draft, 2)};
    return use;
}

/* A nest whose first statement writes a temporary that others read, or change, in an order of its own. */
void draw_ranges(struct draft *draft)
{
    draw_sizes(draft);
    draw_arrays(draft, border_chance(draft, 70) ? "tXI" : "TXI");
    draw_nest(draft, 2 + border_pick(draft, 2), 2 + border_pick(draft, 3), true);
    struct nest *nest = &draft->nest[0];
    for (int s = 0; s < nest->n_line; s++) {
        struct line *line = &nest->line[s];
        const bool writes = s == 0 || (s < nest->n_line - 1 && border_chance(draft, 40));
        const struct use again = s == 0 || border_chance(draft, 25) ? draw_again(draft, nest, 0) : nest->line[0].target;
        line->guarded &= s > 0 && border_chance(draft, 20);
        line->read[0] = s > 0 && border_chance(draft, 80) ? again : draw_use(draft, nest, nest->n_loop, 2);
        for (int k = 1; k < line->n_read; k++)
            line->read[k] = draw_use(draft, nest, nest->n_loop, 2);
        line->target = writes ? again : draw_use(draft, nest, nest->n_loop, 1);
        line->updates &= s > 0;
    }
    order_nest(draft);
    draft_fit(draft);
    draft->integers = draft->reassociate = false;
}

/* Two statements of a domain, whose times may be the same. */
void draw_ties(struct draft *draft)
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

/* An order of two parts, which may leave instances out, or give them two times. */
void draw_timed(struct draft *draft)
{
    struct nest *nest = &draft->nest[0];

    draw_ties(draft);
    nest->timed = true;
    nest->timed_from = border_pick(draft, 4);
    nest->timed_till = nest->timed_from - 2 + border_pick(draft, 3);
}

/* A map of one statement in two parts, which may leave instances out, or give them two times. */
void draw_total(struct draft *draft)
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
void draw_jam(struct draft *draft)
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
