/* Random schedule steps. The loops of each nest are followed, so that most steps name real ones. */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *new_name(struct gen *gen, char name[16])
{
    snprintf(name, 16, "x%d", gen->n_names++);
    return name;
}

static void insert_loop(struct gen_nest *nest, int at, const char *name)
{
    if (nest->n_loop == MAX_LOOPS)
        return;
    memmove(&nest->loop[at + 1], &nest->loop[at], (size_t)(nest->n_loop - at) * sizeof(nest->loop[0]));
    snprintf(nest->loop[at].name, sizeof(nest->loop[at].name), "%s", name);
    nest->n_loop++;
    nest->n_chain += at <= nest->n_chain;
}

static void remove_loop(struct gen_nest *nest, int at)
{
    nest->n_loop--;
    nest->n_chain -= at < nest->n_chain;
    memmove(&nest->loop[at], &nest->loop[at + 1], (size_t)(nest->n_loop - at) * sizeof(nest->loop[0]));
}

static void split(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    static const char *const tails[] = {"", "", ", \"tail\": \"peel\"", ", \"tail\": \"guard\""};
    const int at = pick(gen, nest->n_loop);
    char name[16];

    text_addf(out, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"%s}", nest->loop[at].name, 1 + pick(gen, 6),
              new_name(gen, name), tails[pick(gen, 4)]);
    insert_loop(nest, at + 1, name);
}

static void tile(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    const int a = pick(gen, nest->n_loop), b = pick(gen, nest->n_loop);
    char first[16], second[16];

    if (a == b) {
        split(gen, nest, out);
        return;
    }
    text_addf(out, "{\"tile\": {\"%s\": %d, \"%s\": %d}, \"as\": {\"%s\": \"%s\", \"%s\": \"%s\"}}",
              nest->loop[a].name, 2 + pick(gen, 3), nest->loop[b].name, 2 + pick(gen, 3), nest->loop[a].name,
              new_name(gen, first), nest->loop[b].name, new_name(gen, second));
    insert_loop(nest, a + 1, first);
    insert_loop(nest, b + 1 + (a < b), second);
}

static void reorder(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    int order[MAX_LOOPS], n = 0;

    for (int k = 0; k < nest->n_loop; k++)
        if (chance(gen, 80))
            order[n++] = k;
    for (int k = n - 1; k > 0; k--) {
        const int other = pick(gen, k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    text_add(out, "{\"reorder\": [");
    for (int k = 0; k < n; k++)
        text_addf(out, "%s\"%s\"", k ? ", " : "", nest->loop[order[k]].name);
    text_add(out, "]}");
}

static void skew(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    static const char *const more[] = {"", "", ", \"factor\": 2", ", \"factor\": -1",
                                       ", \"unroll_below\": 3"};

    const int at = pick(gen, nest->n_loop), by = pick(gen, nest->n_loop);

    if (at == by)
        reorder(gen, nest, out);
    else
        text_addf(out, "{\"skew\": \"%s\", \"by\": \"%s\"%s}", nest->loop[at].name, nest->loop[by].name,
                  more[pick(gen, 5)]);
}

static void simple(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    const char *loop = nest->loop[pick(gen, nest->n_loop)].name;

    switch (pick(gen, 5)) {
    case 0:
        text_addf(out, "{\"pad\": \"%s\", \"by\": %d}", loop, pick(gen, 4));
        break;
    case 1:
        text_addf(out, "{\"shift\": \"%s\", \"by\": %d}", loop, pick(gen, 7) - 3);
        break;
    case 2:
        text_addf(out, "{\"shift\": \"%s\", \"by\": \"%s\"}", loop, chance(gen, 50) ? "N" : "1 - M");
        break;
    case 3:
        text_addf(out, "{\"scale\": \"%s\", \"by\": %d}", loop, 1 + pick(gen, 3));
        break;
    default:
        text_addf(out, "{\"reverse\": \"%s\"}", loop);
        break;
    }
}

static void collapse(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    const int at = pick(gen, nest->n_loop);
    char name[16];

    if (at + 1 == nest->n_loop) {
        simple(gen, nest, out);
        return;
    }
    text_addf(out, "{\"collapse\": [\"%s\", \"%s\"], \"as\": \"%s\"}", nest->loop[at].name,
              nest->loop[at + 1].name, new_name(gen, name));
    remove_loop(nest, at + 1);
    snprintf(nest->loop[at].name, sizeof(nest->loop[at].name), "%s", name);
}

/* A cut, sometimes joined again or its pieces fused at once. */
static void cut(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    const int at = pick(gen, nest->n_loop);
    char loop[16], first[16], second[16];

    memcpy(loop, nest->loop[at].name, sizeof(loop));
    new_name(gen, first);
    new_name(gen, second);
    if (chance(gen, 50))
        text_addf(out, "{\"cut\": \"%s\", \"at\": [%d], \"as\": [\"%s\", \"%s\"]}", loop, 1 + pick(gen, 3),
                  first, second);
    else
        text_addf(out, "{\"peel\": \"%s\", \"first\": 1, \"as\": [\"%s\", \"%s\"]}", loop, first, second);
    if (chance(gen, 30)) {
        text_addf(out, ",\n  {\"join\": [\"%s\", \"%s\"], \"as\": \"%s\"}", first, second, loop);
        return;
    }
    if (chance(gen, 20))
        text_addf(out, ",\n  {\"fuse\": [\"%s\", \"%s\"], \"partial\": %d}", first, second, pick(gen, 3));
    nest->n_chain = at < nest->n_chain ? at : nest->n_chain;
    snprintf(nest->loop[at].name, sizeof(nest->loop[at].name), "%s", chance(gen, 50) ? first : second);
}

static void fission(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    const int last = nest->n_statement > 1 && chance(gen, 90) ? nest->n_statement - 1 : nest->n_statement;

    if (nest->n_statement < 2 && chance(gen, 90)) {
        split(gen, nest, out);
        return;
    }
    text_addf(out, "{\"fission\": \"%s\", \"after\": \"%s\"}",
              nest->loop[chance(gen, 70) ? 0 : pick(gen, nest->n_loop)].name, nest->statement[pick(gen, last)].label);
}

/* One date of a map: the same combination of loop positions for all statements; missing loops count 0. */
static void write_dates(const struct gen_nest *nest, const struct gen_statement *statement,
                        int coefficient[3][3], int number, struct text *out)
{
    text_addf(out, "%s[", statement->label);
    for (int k = 0; k < statement->n_loop; k++)
        text_addf(out, "%sp%d", k ? ", " : "", k);
    text_add(out, "] -> [");
    for (int k = 0; k < nest->n_written; k++) {
        text_char(out, '0');
        for (int j = 0; j < statement->n_loop; j++)
            if (coefficient[k][j])
                text_addf(out, " %c %dp%d", coefficient[k][j] < 0 ? '-' : '+', abs(coefficient[k][j]), j);
        text_add(out, ", ");
    }
    text_addf(out, "%d]", number);
}

static void map(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    int coefficient[3][3] = {{0}}, first = pick(gen, nest->n_written);

    for (int k = 0; k < nest->n_written; k++) {
        coefficient[k][(first + k) % nest->n_written] = chance(gen, 80) ? 1 : -1;
        if (k && chance(gen, 40))
            coefficient[k][first] += 1 + pick(gen, 2);
    }
    text_add(out, "{\"map\": \"[N, M] -> { ");
    for (int k = 0; k < nest->n_statement; k++) {
        text_add(out, k ? "; " : "");
        write_dates(nest, &nest->statement[k], coefficient, k, out);
    }
    text_add(out, " }\", \"as\": [");
    for (int k = 0; k < nest->n_written; k++) {
        new_name(gen, nest->loop[k].name);
        text_addf(out, "\"%s\", ", nest->loop[k].name);
    }
    text_addf(out, "\"%s\"]}", new_name(gen, (char[16]){0}));
}

void generate_order_step(struct gen *gen, struct text *out)
{
    struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];
    const int which = 12 + pick(gen, 88);

    if (which < 40)
        split(gen, nest, out);
    else if (which < 62)
        reorder(gen, nest, out);
    else if (which < 72)
        tile(gen, nest, out);
    else if (which < 80)
        skew(gen, nest, out);
    else if (which < 90)
        simple(gen, nest, out);
    else if (which < 93)
        collapse(gen, nest, out);
    else if (which < 97)
        cut(gen, nest, out);
    else
        fission(gen, nest, out);
}

static void write_step(struct gen *gen, bool first, struct text *out)
{
    if (gen->pipeline && chance(gen, 75))
        generate_placing(gen, out);
    else if (gen->n_nest > 1 && chance(gen, 30))
        generate_fuse(gen, out);
    else if (gen->collapses > 0 && chance(gen, gen->collapses))
        collapse(gen, &gen->nest[pick(gen, gen->n_nest)], out);
    else if (first && !gen->pipeline && chance(gen, 20))
        map(gen, &gen->nest[pick(gen, gen->n_nest)], out);
    else
        generate_order_step(gen, out);
}

void generate_steps(struct gen *gen, struct text *out)
{
    const int n = 1 + pick(gen, gen->few_steps ? 3 : gen->pipeline ? 4 : 5);

    for (int k = 0; k < n; k++) {
        text_add(out, k ? ",\n  " : "  ");
        if (gen->caches && chance(gen, 10))
            generate_nest_cache(gen, out);
        else
            write_step(gen, k == 0, out);
    }
}
