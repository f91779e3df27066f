#include "run/candidates.h"

#include "base/json.h"
#include "run/neighbour.h"
#include "run/params.h"

#include <stdlib.h>
#include <string.h>

/* Beyond that combinations of values are drawn, not counted through. */
static const double small_grid = 256;

static const char *on_one_line(struct arena *arena, const struct json *value)
{
    struct text text = {0};
    const char *line;

    json_print(&text, value);
    line = arena_copy(arena, text_str(&text));
    text_free(&text);
    return line;
}

static void read_tunables(struct candidates *candidates, const struct json *description)
{
    const struct json *tunables = json_member(description, "tunables");
    const int n = tunables ? tunables->n : 0;
    struct tunable_values *made = ARENA_ARRAY(candidates->arena, n + 1, struct tunable_values);

    candidates->grid = n > 0;
    for (int k = 0; k < n; k++) {
        const struct json *tunable = tunables->item[k];

        made[k] = (struct tunable_values){tunable->key,
                                          tunable->kind == JSON_LIST ? tunable : json_member(tunable, "values")};
        candidates->grid *= made[k].value ? made[k].value->n : 0;
    }
    candidates->tunable = made;
    candidates->n_tunable = candidates->grid > 0 ? n : 0;
}

/* What `auto` proposes, and the target that it is for. */
static void read_proposal(struct candidates *candidates)
{
    polynest *p = polynest_copy(candidates->p);

    if (polynest_auto(p, 1) == POLYNEST_OK)
        candidates->base[0] = json_parse(candidates->arena, polynest_output(p));
    candidates->target = json_member(candidates->base[0], "target");
    polynest_free(p);
}

static void read_statements(struct candidates *candidates)
{
    const struct json *description = json_parse(candidates->arena, polynest_description(candidates->p));
    polynest *p = polynest_copy(candidates->p);

    polynest_set_unscheduled(p, 1);
    if (polynest_show(p, POLYNEST_MAP, 0) == POLYNEST_OK)
        candidates->affine = affine_read(candidates->arena, polynest_output(p), description);
    candidates->affine.threads = strcmp(json_text(candidates->target, "openmp"), "true") == 0;
    candidates->affine.lanes = strcmp(json_text(candidates->target, "simd"), "none") != 0;
    polynest_free(p);
}

void candidates_init(struct candidates *candidates, struct arena *arena, const polynest *p, int64_t seed,
                     const char *from)
{
    const struct json *description = json_parse(arena, polynest_description(p));

    *candidates = (struct candidates){.arena = arena, .p = p, .from = from, .random = {(uint64_t)seed}};
    read_tunables(candidates, description);
}

void candidates_start(struct candidates *candidates)
{
    read_proposal(candidates);
    read_statements(candidates);
}

void candidates_prefer(struct candidates *candidates, const char *steps)
{
    candidates->base[1] = json_parse(candidates->arena, steps);
}

/* Combination `number` of the values, the last tunable changing fastest. */
static struct candidate from_grid(struct candidates *candidates, double number)
{
    struct text text = {0};
    struct candidate candidate = {.from = "grid"};

    text_char(&text, '{');
    for (int k = candidates->n_tunable - 1; k >= 0; k--) {
        const struct tunable_values *tunable = &candidates->tunable[k];
        const double rest = (double)(int64_t)(number / tunable->value->n);
        const struct json *value = tunable->value->item[(int)(number - rest * tunable->value->n)];

        number = rest;
        text_add(&text, text.size > 1 ? ", " : "");
        json_string(&text, tunable->name);
        text_add(&text, ": ");
        json_print(&text, value);
    }
    text_char(&text, '}');
    candidate.key = candidate.set = arena_copy(candidates->arena, text_str(&text));
    text_free(&text);
    return candidate;
}

static double some_combination(struct candidates *candidates)
{
    double number = 0;

    if (candidates->grid <= small_grid)
        return (double)random_below(&candidates->random, (int)candidates->grid);
    for (int k = 0; k < candidates->n_tunable; k++)
        number = number * candidates->tunable[k].value->n +
                 random_below(&candidates->random, candidates->tunable[k].value->n);
    return number;
}

static struct candidate from_steps(struct candidates *candidates, const char *from, const struct json *steps)
{
    const char *line = on_one_line(candidates->arena, steps);

    return (struct candidate){.from = from, .key = line, .steps = line};
}

static struct candidate neighbour(struct candidates *candidates)
{
    const struct json *steps = candidates->base[candidates->base[1] && random_chance(&candidates->random, 60)];

    do
        steps = neighbour_of(candidates->arena, steps, &candidates->random);
    while (random_chance(&candidates->random, 35));
    return from_steps(candidates, "neighbour", steps);
}

static bool wants(const struct candidates *candidates, const char *kind)
{
    return !candidates->from || strstr(candidates->from, kind);
}

/* Which kind is next: an index of "grid", "neighbour", "affine"; -1: there is none. */
static int draw_kind(struct candidates *candidates)
{
    const int share[] = {wants(candidates, "grid") && candidates->n_tunable > 0 ? 4 : 0,
                         wants(candidates, "neighbour") && candidates->base[0] ? 4 : 0,
                         wants(candidates, "affine") && candidates->affine.n > 0 ? 2 : 0};
    int left = random_below(&candidates->random, share[0] + share[1] + share[2]);

    for (int k = 0; k < 3; k++) {
        if (left < share[k])
            return k;
        left -= share[k];
    }
    return -1;
}

struct candidate candidates_next(struct candidates *candidates)
{
    const int number = candidates->drawn++;
    const struct json *proposal = candidates->base[0];
    const char *steps;

    if (number == 0)
        return (struct candidate){.from = "steps", .key = "its steps"};
    if (number == 1 && proposal)
        return from_steps(candidates, "auto", proposal);
    switch (draw_kind(candidates)) {
    case 0:
        return from_grid(candidates, some_combination(candidates));
    case 1:
        return neighbour(candidates);
    case 2:
        steps = affine_draw(candidates->arena, &candidates->affine, candidates->target, &candidates->random);
        return (struct candidate){.from = "affine", .key = steps, .steps = steps};
    default:
        return (struct candidate){.from = "steps", .key = "its steps"};
    }
}

polynest *candidate_open(const polynest *p, const struct candidate *candidate)
{
    polynest *made = polynest_copy(p);
    struct arena *arena = arena_new();
    const struct json *set = candidate->set ? json_parse(arena, candidate->set) : NULL;

    for (int k = 0; set && k < set->n; k++)
        polynest_set_tunable(made, set->item[k]->key,
                             set->item[k]->kind == JSON_STRING ? set->item[k]->text : on_one_line(arena, set->item[k]));
    if (candidate->steps)
        polynest_set_schedule(made, "steps.json", candidate->steps, strlen(candidate->steps));
    arena_free(arena);
    return made;
}

/* The value of "$tile" or "$(tile * 4)"; other values as they are. NULL: it has none. */
static const struct json *chosen(struct arena *arena, const struct json *value, const struct json *set)
{
    const struct params params = params_from(arena, set);
    struct json *made;
    int64_t number;

    if (value->kind == JSON_STRING && value->text[0] == '$') {
        const struct json *named = json_member(set, value->text + 1);

        if (!named && !params_evaluate(&params, value->text + 1, NULL, 0, &number))
            return NULL;
        made = ARENA_NEW(arena, struct json);
        *made = named ? *named : (struct json){.text = arena_printf(arena, "%lld", (long long)number)};
        made->key = value->key;
        return made;
    }
    for (int k = 0; k < value->n; k++) {
        const struct json *item = chosen(arena, value->item[k], set);

        if (!item)
            return NULL;
        value = json_with_item(arena, value, k, item);
    }
    return value;
}

/* What tunables are without a choice, but for their conditions. */
static const char *first_values(const struct candidates *candidates)
{
    struct text text = {0};
    const char *values;

    text_char(&text, '{');
    for (int k = 0; k < candidates->n_tunable; k++) {
        text_add(&text, k ? ", " : "");
        json_string(&text, candidates->tunable[k].name);
        text_add(&text, ": ");
        json_print(&text, candidates->tunable[k].value->item[0]);
    }
    text_char(&text, '}');
    values = arena_copy(candidates->arena, text_str(&text));
    text_free(&text);
    return values;
}

const char *candidate_steps(const struct candidates *candidates, const struct candidate *candidate)
{
    static const char *const keys[] = {"schedule", "plan", "target"};
    struct arena *arena = candidates->arena;
    const struct json *description = json_parse(arena, polynest_description(candidates->p));
    const struct json *schedule =
        json_parse(arena, polynest_schedule(candidates->p) ? polynest_schedule(candidates->p) : "{}");
    const struct json *set = json_parse(arena, candidate->set ? candidate->set : first_values(candidates));
    struct text text = {0};
    const char *steps;

    if (candidate->steps)
        return candidate->steps;
    text_char(&text, '{');
    for (int k = 0; k < 3; k++) {
        const struct json *value = json_member(schedule, keys[k]);

        value = value ? value : json_member(description, keys[k]);
        value = value ? chosen(arena, value, set) : json_parse(arena, k < 2 ? "[]" : "{\"language\": \"c\"}");
        if (!value) {
            text_free(&text);
            return NULL;
        }
        text_addf(&text, "%s\"%s\": ", k ? ", " : "", keys[k]);
        json_print(&text, value);
    }
    text_char(&text, '}');
    steps = arena_copy(arena, text_str(&text));
    text_free(&text);
    return steps;
}
