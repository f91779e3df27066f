/* Drawing the parts of a draft: arrays, nests, subscripts. */
#include "border.h"

#include <ctype.h>
#include <string.h>

void draw_arrays(struct draft *draft, const char *roles)
{
    for (; *roles; roles++) {
        struct array *array = &draft->array[draft->n_array++];
        const char role = (char)tolower((unsigned char)*roles);
        array->role = role == 'i' ? "in" : role == 'o' ? "out" : role == 't' ? "temp" : "inout";
        array->n_dim = isupper((unsigned char)*roles) ? 2 : 1;
    }
}

static struct form draw_end(struct draft *draft, int depth)
{
    struct form form = {0};
    const int which = border_pick(draft, 100);

    if (which < 45)
        form.n = 1;
    else if (which < 65)
        form.m = 1;
    else if (which < 75)
        form.constant = 3 + border_pick(draft, 3);
    else if (depth == 0)
        form = (struct form){.n = 1, .m = 1};
    else if (which < 88)
        form = form_of(depth - 1, 1, 0, 0, 1);
    else
        form = form_of(depth - 1, -1, 1, 0, 0);
    if (border_chance(draft, 20))
        form.constant += 1 - 2 * border_pick(draft, 2);
    return form;
}

static void draw_loop(struct draft *draft, struct span *span, int depth)
{
    span->step = border_chance(draft, 8) ? 2 : 1;
    if (border_chance(draft, 25))
        span->low.constant = 1;
    if (depth > 0 && border_chance(draft, 10))
        span->low = form_of(depth - 1, 1, 0, 0, 0);
    span->high = draw_end(draft, depth);
}

struct form draw_subscript(struct draft *draft, const struct nest *nest, int depth)
{
    struct form form = {0};
    const int which = border_pick(draft, 100);

    (void)nest;
    form.loop[border_pick(draft, depth)] = which < 8 ? 2 : 1;
    form.constant = border_pick(draft, 5) - 2;
    if (which >= 8 && which < 20)
        form.loop[border_pick(draft, depth)] = 1;
    if (which >= 20 && which < 28)
        form = (struct form){.loop[0] = -1, .n = 1, .constant = form.constant};
    if (which >= 28 && which < 34) {
        form.constant += 2;
        form.divide = 2;
    }
    if (which >= 34 && which < 38) {
        form.constant += 2;
        form.modulo = 3;
    }
    if (which >= 38 && which < 42)
        form = (struct form){.constant = border_pick(draft, 3)};
    return form;
}

struct use draw_use(struct draft *draft, const struct nest *nest, int depth, int array)
{
    struct use use = {.array = array};

    for (int k = 0; k < draft->array[array].n_dim; k++)
        use.at[k] = draw_subscript(draft, nest, depth);
    return use;
}

static int draw_written(struct draft *draft)
{
    int array;

    do
        array = border_pick(draft, draft->n_array);
    while (strcmp(draft->array[array].role, "in") == 0);
    return array;
}

/* Ends of the list have fewer loops than its middle. */
static void draw_depths(struct draft *draft, struct nest *nest, bool perfect)
{
    const int peak = border_pick(draft, nest->n_line);

    for (int k = 0; k < nest->n_line; k++)
        nest->line[k].depth = nest->n_loop;
    for (int k = peak - 1; k >= 0 && !perfect; k--)
        nest->line[k].depth = 1 + border_pick(draft, nest->line[k + 1].depth);
    for (int k = peak + 1; k < nest->n_line && !perfect; k++)
        nest->line[k].depth = 1 + border_pick(draft, nest->line[k - 1].depth);
}

void draw_nest(struct draft *draft, int loops, int lines, bool perfect)
{
    struct nest *nest = &draft->nest[draft->n_nest++];

    nest->n_loop = loops;
    nest->n_line = lines;
    for (int k = 0; k < loops; k++)
        draw_loop(draft, &nest->loop[k], k);
    draw_depths(draft, nest, perfect);
    for (int s = 0; s < lines; s++) {
        struct line *line = &nest->line[s];
        line->target = draw_use(draft, nest, line->depth, draw_written(draft));
        line->updates = border_chance(draft, 15);
        line->n_read = 1 + border_pick(draft, 2);
        for (int k = 0; k < line->n_read; k++)
            line->read[k] = draw_use(draft, nest, line->depth, border_pick(draft, draft->n_array));
        line->guarded = border_chance(draft, 15);
        line->guard = draw_subscript(draft, nest, line->depth);
        line->guard.divide = line->guard.modulo = 0;
        if (border_chance(draft, 30))
            line->guard = form_of(line->depth - 1, -1, 0, 1, -1);
    }
}

static void add_scaled(struct form *sum, int factor, const struct form *form)
{
    sum->n += factor * form->n;
    sum->m += factor * form->m;
    sum->constant += factor * form->constant;
}

/* The least or the largest value of what is linear in the loops, as a form of N and M alone. */
static struct form bound_of(const struct nest *nest, const struct form *form, bool most)
{
    struct form sum = {.n = form->n, .m = form->m, .constant = form->constant};

    for (int k = 0; k < MAX_LOOPS; k++) {
        const int factor = form->loop[k];
        if (factor == 0)
            continue;
        const bool end = (factor > 0) == most;
        struct form loop = bound_of(nest, end ? &nest->loop[k].high : &nest->loop[k].low, end);
        loop.constant -= end;
        add_scaled(&sum, factor, &loop);
    }
    return sum;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* What must be added to the subscripts of a dimension, and how large it must be. */
struct fit {
    struct form shift, size;
};

static void fit_use(struct fit fit[MAX_ARRAYS][MAX_DIMS], const struct nest *nest, struct use *use, int pass)
{
    for (int k = 0; k < MAX_DIMS; k++) {
        struct form *at = &use->at[k], *shift = &fit[use->array][k].shift, *size = &fit[use->array][k].size;
        const struct form least = bound_of(nest, at, false);
        if (pass == 0) {
            shift->n = larger(shift->n, -least.n);
            shift->m = larger(shift->m, -least.m);
            shift->constant = larger(shift->constant, -least.constant);
            continue;
        }
        if (!at->divide && !at->modulo)
            add_scaled(at, 1, shift);
        const struct form most = bound_of(nest, at, true);
        size->n = larger(size->n, most.n);
        size->m = larger(size->m, most.m);
        size->constant = larger(size->constant, larger(most.constant + 1, at->modulo));
    }
}

void draft_fit(struct draft *draft)
{
    struct fit fit[MAX_ARRAYS][MAX_DIMS];

    memset(fit, 0, sizeof(fit));
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < draft->n_nest; n++)
            for (int s = 0; s < draft->nest[n].n_line; s++) {
                struct line *line = &draft->nest[n].line[s];
                fit_use(fit, &draft->nest[n], &line->target, pass);
                for (int k = 0; k < line->n_read; k++)
                    fit_use(fit, &draft->nest[n], &line->read[k], pass);
            }
    for (int a = 0; a < draft->n_array; a++)
        for (int k = 0; k < draft->array[a].n_dim; k++)
            draft->array[a].size[k] = fit[a][k].size;
}

void draw_sizes(struct draft *draft)
{
    for (int k = 0; k < 2; k++)
        if (border_chance(draft, 25))
            draft->least[k] = border_pick(draft, 4);
}

void draw_sums(struct draft *draft)
{
    draft->integers = border_chance(draft, 20);
    draft->reassociate = border_chance(draft, 40);
    for (int n = 0; n < draft->n_nest; n++)
        for (int s = 0; s < draft->nest[n].n_line; s++)
            draft->nest[n].line[s].updates |= border_chance(draft, 25);
}

void add_nests(struct draft *draft, int most, bool perfect)
{
    const int n = 1 + border_pick(draft, most);

    for (int k = 0; k < n; k++)
        draw_nest(draft, 1 + border_pick(draft, 3), 1 + border_pick(draft, 3), perfect);
}

void drop_guards(struct draft *draft)
{
    for (int n = 0; n < draft->n_nest; n++)
        for (int s = 0; s < draft->nest[n].n_line; s++)
            draft->nest[n].line[s].guarded = false;
}
