#include "run/affine.h"

#include "base/json.h"
#include "base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COEFFICIENT = 5 };

/* "S[i, j] ->" at text. False: there are too many loops. */
static bool read_statement(struct arena *arena, const char *at, struct affine_statement *statement)
{
    size_t size = strcspn(at, "[");

    *statement = (struct affine_statement){.name = arena_copy_n(arena, at, size)};
    for (at += size + 1; *at && *at != ']'; at += *at == ',') {
        at += strspn(at, " ");
        size = strcspn(at, ",]");
        if (statement->n == AFFINE_DIMENSIONS)
            return false;
        statement->loop[statement->n++] = arena_copy_n(arena, at, size);
        at += size;
    }
    return true;
}

static bool is_known(const struct affine_statement *statement, int n, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(statement[k].name, name) == 0)
            return true;
    return false;
}

struct affine affine_read(struct arena *arena, const char *maps, const struct json *description)
{
    const struct json *params = json_member(description, "params");
    VEC(struct affine_statement) statement = {0};
    VEC(const char *) param = {0};

    for (const char *at = strpbrk(maps, "{;"); at; at = strpbrk(at, "{;")) {
        struct affine_statement read;

        at += 1 + strspn(at + 1, " \n");
        if (!isalpha((unsigned char)*at) && *at != '_')
            continue;
        if (!read_statement(arena, at, &read))
            return (struct affine){0};
        if (!is_known(statement.at, statement.n, read.name))
            VEC_PUSH(arena, &statement, read);
    }
    for (int k = 0; params && k < params->n; k++)
        VEC_PUSH(arena, &param,
                 params->item[k]->kind == JSON_STRING ? params->item[k]->text : json_text(params->item[k], "name"));
    return (struct affine){.statement = statement.at, .n = statement.n, .param = param.at, .n_param = param.n};
}

/* What all statements have in common: where the constant is, which loop comes when, and which way round. */
struct form {
    int constant; /* the dimension that has it */
    int place[AFFINE_DIMENSIONS];
    bool back[AFFINE_DIMENSIONS];
    int n;
};

static struct form draw_form(const struct affine *affine, struct random *random)
{
    struct form form = {0};

    for (int k = 0; k < affine->n; k++)
        form.n = affine->statement[k].n > form.n ? affine->statement[k].n : form.n;
    form.constant = random_below(random, form.n + 1);
    for (int k = 0; k < form.n; k++) {
        form.place[k] = k;
        form.back[k] = random_chance(random, 15);
    }
    for (int k = form.n - 1; k > 0; k--) {
        const int other = random_below(random, k + 1), place = form.place[k];

        if (random_chance(random, 50))
            continue;
        form.place[k] = form.place[other];
        form.place[other] = place;
    }
    return form;
}

/* A factor that is not 0. */
static int coefficient(struct random *random)
{
    const int value = 1 + random_below(random, MOST_COEFFICIENT);

    return random_chance(random, 50) ? value : -value;
}

/* Adds factor times name to a sum that starts behind `start` in out; name "": the factor alone. */
static void add_term(struct text *out, size_t start, int factor, const char *name)
{
    const bool first = out->size == start;

    if (factor == 0)
        return;
    text_add(out, factor < 0 ? (first ? "-" : " - ") : first ? "" : " + ");
    if (!*name || abs(factor) != 1)
        text_addf(out, "%d", abs(factor));
    text_add(out, name);
}

/* A loop, perhaps with some of another one, a parameter or a constant; or nothing of all that. */
static void add_loop(struct text *out, const struct affine *affine, const struct affine_statement *statement, int loop,
                     bool back, struct random *random)
{
    int factor[AFFINE_DIMENSIONS] = {0};
    const size_t start = out->size;

    if (loop >= statement->n || random_chance(random, 3)) {
        text_add(out, "0");
        return;
    }
    factor[loop] = back ? -1 : 1;
    if (statement->n > 1 && random_chance(random, 12))
        factor[random_below(random, statement->n)] += coefficient(random);
    for (int k = 0; k < statement->n; k++)
        add_term(out, start, factor[k], statement->loop[k]);
    if (affine->n_param > 0 && random_chance(random, 8))
        add_term(out, start, random_chance(random, 50) ? 1 : -1, affine->param[random_below(random, affine->n_param)]);
    if (random_chance(random, 8))
        add_term(out, start, coefficient(random), "");
    if (out->size == start)
        text_add(out, "0");
}

/* "S[i, j] -> [j, 0, -i]" */
static void add_statement(struct text *out, const struct affine *affine, int number, const struct form *form,
                          struct random *random)
{
    const struct affine_statement *statement = &affine->statement[number];

    text_addf(out, "%s[", statement->name);
    for (int k = 0; k < statement->n; k++)
        text_addf(out, "%s%s", k ? ", " : "", statement->loop[k]);
    text_add(out, "] -> [");
    for (int dim = 0, next = 0; dim <= form->n; dim++) {
        text_add(out, dim ? ", " : "");
        if (dim == form->constant) {
            text_addf(out, "%d", random_chance(random, 90) ? number : random_below(random, affine->n));
            continue;
        }
        add_loop(out, affine, statement, form->place[next], form->back[next], random);
        next++;
    }
    text_char(out, ']');
}

static void add_map(struct text *out, const struct affine *affine, const struct form *form, struct random *random)
{
    struct text map = {0};

    for (int k = 0; k < affine->n_param; k++)
        text_addf(&map, "%s%s", k ? ", " : "[", affine->param[k]);
    text_add(&map, affine->n_param ? "] -> { " : "{ ");
    for (int k = 0; k < affine->n; k++) {
        text_add(&map, k ? "; " : "");
        add_statement(&map, affine, k, form, random);
    }
    text_add(&map, " }");
    json_string(out, text_str(&map));
    text_free(&map);
}

const char *affine_draw(struct arena *arena, const struct affine *affine, const struct json *target,
                        struct random *random)
{
    const struct form form = draw_form(affine, random);
    struct text out = {0};
    const char *steps;

    text_add(&out, "{\"schedule\": [{\"map\": ");
    add_map(&out, affine, &form, random);
    text_add(&out, "}], \"plan\": [");
    const bool lanes = affine->lanes && random_chance(random, 50);
    if (lanes)
        text_addf(&out, "{\"vectorize\": \"t%d\", \"lanes\": %d}", form.n - (form.constant == form.n),
                  random_chance(random, 50) ? 8 : 16);
    if (affine->threads && random_chance(random, 50))
        text_addf(&out, "%s{\"parallelize\": [\"t%d\"]}", lanes ? ", " : "", form.constant == 0);
    text_add(&out, "]");
    if (target) {
        text_add(&out, ", \"target\": ");
        json_print(&out, target);
    }
    text_add(&out, "}");
    steps = arena_copy(arena, text_str(&out));
    text_free(&out);
    return steps;
}
