#include "run/tune_report.h"

#include "base/template.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1000, HEIGHT = 400, MARGIN = 12, LEAST = 3, MOST_ROWS = 20, MOST_PARTS = 25 };

/* The candidates that were measured, with what each is made of: steps, or values of tunables. */
struct measured {
    const struct known *known;
    const char **part;
    int n_part;
};

typedef VEC(struct measured) measured_vec;

static void add_escaped(struct text *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            text_add(out, "&lt;");
            break;
        case '&':
            text_add(out, "&amp;");
            break;
        default:
            text_char(out, *text);
        }
}

static const char *printed(struct arena *arena, const struct json *value)
{
    struct text text = {0};
    const char *copy;

    if (value->key)
        text_addf(&text, "%s = ", value->key);
    json_print(&text, value);
    copy = arena_copy(arena, text_str(&text));
    text_free(&text);
    return copy;
}

static struct measured parts_of(struct arena *arena, const struct known *known)
{
    const struct candidate *candidate = &known->candidate;
    const char *source = candidate->set ? candidate->set : candidate->steps ? candidate->steps : "{}";
    const struct json *all = json_parse(arena, source);
    VEC(const char *) part = {0};

    for (int k = 0; k < all->n; k++) {
        if (candidate->set)
            VEC_PUSH(arena, &part, printed(arena, all->item[k]));
        for (int i = 0; !candidate->set && all->item[k]->kind == JSON_LIST && i < all->item[k]->n; i++)
            VEC_PUSH(arena, &part, printed(arena, all->item[k]->item[i]));
    }
    return (struct measured){known, part.at, part.n};
}

static measured_vec measured_of(const struct tune *tune)
{
    measured_vec all = {0};

    for (int k = 0; k < tune->log.known.n; k++)
        if (tune->log.known.at[k].median > 0)
            VEC_PUSH(tune->report->arena, &all, parts_of(tune->report->arena, &tune->log.known.at[k]));
    return all;
}

static void add_points(struct text *out, const measured_vec *all)
{
    double least = INFINITY, most = 0;

    for (int k = 0; k < all->n; k++) {
        least = fmin(least, all->at[k].known->median);
        most = fmax(most, all->at[k].known->median);
    }
    for (int k = 0; k < all->n; k++) {
        const struct known *known = all->at[k].known;
        const double part = most > least ? log(known->median / least) / log(most / least) : 0;

        text_addf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%.4g ms: ", known->candidate.from,
                  MARGIN + (WIDTH - 2.0 * MARGIN) * (k + 0.5) / all->n,
                  HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * part, known->median * 1e-6);
        add_escaped(out, known->candidate.key);
        text_add(out, "</title></circle>\n");
    }
}

static bool has_part(const struct measured *one, const char *part)
{
    for (int k = 0; k < one->n_part; k++)
        if (strcmp(one->part[k], part) == 0)
            return true;
    return false;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* How much longer the median one without the part takes; 0: too few have it, or have it not. */
static double worth(struct arena *arena, const measured_vec *all, const char *part)
{
    double *with = ARENA_ARRAY(arena, all->n + 1, double), *without = ARENA_ARRAY(arena, all->n + 1, double);
    int n_with = 0, n_without = 0;

    for (int k = 0; k < all->n; k++) {
        const double median = all->at[k].known->median;

        if (has_part(&all->at[k], part))
            with[n_with++] = median;
        else
            without[n_without++] = median;
    }
    if (n_with < LEAST || n_without < LEAST)
        return 0;
    qsort(with, (size_t)n_with, sizeof(*with), by_value);
    qsort(without, (size_t)n_without, sizeof(*without), by_value);
    return without[n_without / 2] / with[n_with / 2];
}

struct part {
    const char *text;
    double worth;
};

static int by_worth(const void *a, const void *b)
{
    const struct part *x = a, *y = b;

    return x->worth != y->worth ? (x->worth < y->worth) - (x->worth > y->worth) : strcmp(x->text, y->text);
}

static void add_parts(struct text *out, struct arena *arena, const measured_vec *all)
{
    VEC(struct part) part = {0};

    for (int k = 0; k < all->n; k++)
        for (int i = 0; i < all->at[k].n_part; i++) {
            const struct part one = {all->at[k].part[i], worth(arena, all, all->at[k].part[i])};
            bool there = one.worth <= 0;

            for (int j = 0; j < part.n; j++)
                there = there || strcmp(part.at[j].text, one.text) == 0;
            if (!there)
                VEC_PUSH(arena, &part, one);
        }
    if (part.n > 0)
        qsort(part.at, (size_t)part.n, sizeof(*part.at), by_worth);
    for (int k = 0; k < part.n && k < MOST_PARTS; k++) {
        text_addf(out, "<tr><td>%.2f</td><td><code>", part.at[k].worth);
        add_escaped(out, part.at[k].text);
        text_add(out, "</code></td></tr>\n");
    }
}

static int by_median(const void *a, const void *b)
{
    const double x = ((const struct measured *)a)->known->median, y = ((const struct measured *)b)->known->median;

    return (x > y) - (x < y);
}

static void add_rows(struct text *out, const measured_vec *all)
{
    if (all->n > 0)
        qsort(all->at, (size_t)all->n, sizeof(*all->at), by_median);
    for (int k = 0; k < all->n && k < MOST_ROWS; k++) {
        const struct known *known = all->at[k].known;

        text_addf(out, "<tr><td>%.4g</td><td>%s</td><td><code>", known->median * 1e-6, known->candidate.from);
        add_escaped(out, known->candidate.key);
        text_add(out, "</code></td></tr>\n");
    }
}

static void add_summary(struct text *out, const struct tune *tune, int measured)
{
    text_addf(out,
              "%d candidates were measured, %d were illegal. The description's own order takes %.4g ms, the best "
              "candidate %.4g ms.",
              measured, tune->refused, tune->original_time * 1e-6, tune->best * 1e-6);
}

static const char *title_of(const struct tune *tune)
{
    struct text text = {0};
    const char *title;

    text_addf(&text, "%s at ", tune->original.function);
    params_print(&text, &tune->job[0].params);
    title = arena_copy(tune->report->arena, text_str(&text));
    text_free(&text);
    return title;
}

bool tune_report(const struct tune *tune, const char *path)
{
    measured_vec all = measured_of(tune);
    struct text summary = {0}, points = {0}, parts = {0}, rows = {0};
    FILE *file = fopen(path, "w");
    bool ok;

    add_summary(&summary, tune, all.n);
    add_points(&points, &all);
    add_parts(&parts, tune->report->arena, &all);
    add_rows(&rows, &all);
    const struct template_value values[] = {{"TITLE", title_of(tune)},     {"SUMMARY", text_str(&summary)},
                                            {"POINTS", text_str(&points)}, {"PARTS", text_str(&parts)},
                                            {"ROWS", text_str(&rows)},     {NULL, NULL}};
    const struct template_value *const lists[] = {values};
    ok = file && fputs(template_filled(tune->report->arena, "report/tune", lists, 1), file) >= 0;
    ok = file && fclose(file) == 0 && ok;
    if (!ok)
        run_error(tune->report, "cannot write %s", path);
    text_free(&summary);
    text_free(&points);
    text_free(&parts);
    text_free(&rows);
    return ok;
}
