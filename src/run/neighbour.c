#include "run/neighbour.h"

#include "base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 30 };

static const struct json *word(struct arena *arena, const char *key, const char *text, enum json_kind kind)
{
    struct json *made = ARENA_NEW(arena, struct json);

    *made = (struct json){.kind = kind, .key = key, .text = text};
    return made;
}

static bool is_count(const struct json *value)
{
    return value->kind == JSON_WORD && isdigit((unsigned char)value->text[0]) && atoi(value->text) >= 1;
}

/* Half of it, twice or three times as much, or the next one. */
static const struct json *other_count(struct arena *arena, const struct json *value, struct random *random)
{
    const int before = atoi(value->text);
    const int choices[] = {before / 2, before * 2, before * 3, before * 3 / 4, before + 1, before - 1};
    int after = choices[random_below(random, 3 + 3 * (before > 2 && before < 64))];

    if (after < 1 || after > 1 << 20)
        after = before == 1 ? 2 : before / 2;
    return word(arena, value->key, arena_printf(arena, "%d", after), JSON_WORD);
}

/* The step with one of its numbers, also those in objects and lists in it, changed; NULL: it has none. */
static const struct json *with_count(struct arena *arena, const struct json *value, struct random *random)
{
    const int start = value->n > 0 ? random_below(random, value->n) : 0;

    if (is_count(value))
        return other_count(arena, value, random);
    for (int k = 0; k < value->n; k++) {
        const int at = (start + k) % value->n;
        const struct json *changed = with_count(arena, value->item[at], random);

        if (changed)
            return json_with_item(arena, value, at, changed);
    }
    return NULL;
}

static int member_number(const struct json *object, const char *key)
{
    for (int k = 0; k < object->n; k++)
        if (object->kind == JSON_OBJECT && strcmp(object->item[k]->key, key) == 0)
            return k;
    return -1;
}

/* Two loops that follow each other are swapped; NULL: it orders nothing. */
static const struct json *with_order(struct arena *arena, const struct json *step, struct random *random)
{
    const int at = member_number(step, "reorder");
    const struct json *list = at >= 0 ? step->item[at] : NULL;

    if (!list || list->n < 2)
        return NULL;
    const int k = random_below(random, list->n - 1);
    const struct json *swapped = json_with_item(arena, list, k, list->item[k + 1]);
    return json_with_item(arena, step, at, json_with_item(arena, swapped, k + 1, list->item[k]));
}

/* Loops in threads are distributed otherwise, or at all sizes; NULL: it makes no threads. */
static const struct json *with_policy(struct arena *arena, const struct json *step, struct random *random)
{
    const int condition = member_number(step, "if"), policy = member_number(step, "policy");

    if (member_number(step, "parallelize") < 0)
        return NULL;
    if (condition >= 0 && random_chance(random, 30))
        return json_with_item(arena, step, condition, NULL);
    if (policy >= 0)
        return json_with_item(arena, step, policy, NULL);
    return json_with_item(arena, step, step->n, word(arena, "policy", "dynamic", JSON_STRING));
}

static const struct json *with_step(struct arena *arena, const struct json *steps, int list, int step,
                                    const struct json *changed)
{
    return json_with_item(arena, steps, list, json_with_item(arena, steps->item[list], step, changed));
}

/* Names that steps give to loops, or have for them. */
static const char *some_loop(const struct json *steps, struct random *random)
{
    static const char *const keys[] = {"as", "split", "vectorize"};
    const char *chosen = NULL;
    int n = 0;

    for (int l = 0; l < steps->n; l++)
        for (int k = 0; k < steps->item[l]->n; k++)
            for (int i = 0; i < 3; i++) {
                const char *name = json_text(steps->item[l]->item[k], keys[i]);
                if (*name && random_below(random, ++n) == 0)
                    chosen = name;
            }
    return chosen;
}

/* With a loop unrolled; NULL: none has a name here. */
static const struct json *with_unroll(struct arena *arena, const struct json *steps, struct random *random)
{
    const char *loop = some_loop(steps, random);
    const int plan = member_number(steps, "plan");
    struct json *step = ARENA_NEW(arena, struct json);
    VEC(const struct json *) member = {0};

    if (!loop || plan < 0)
        return NULL;
    VEC_PUSH(arena, &member, word(arena, "unroll", loop, JSON_STRING));
    VEC_PUSH(arena, &member, word(arena, "by", random_chance(random, 50) ? "2" : "4", JSON_WORD));
    if (random_chance(random, 40))
        VEC_PUSH(arena, &member, word(arena, "jam", "true", JSON_WORD));
    *step = (struct json){.kind = JSON_OBJECT, .item = member.at, .n = member.n};
    return with_step(arena, steps, plan, steps->item[plan]->n, step);
}

/* Another step at this place; NULL: what was drawn does not go with it. */
static const struct json *change(struct arena *arena, const struct json *steps, int list, int k, struct random *random)
{
    const struct json *step = steps->item[list]->item[k], *changed = NULL;
    const int kind = random_below(random, 10);

    if (kind == 0)
        return with_step(arena, steps, list, k, NULL);
    if (kind == 1)
        return with_unroll(arena, steps, random);
    if (kind <= 3)
        changed = with_order(arena, step, random);
    else if (kind == 4)
        changed = with_policy(arena, step, random);
    else
        changed = with_count(arena, step, random);
    return changed ? with_step(arena, steps, list, k, changed) : NULL;
}

const struct json *neighbour_of(struct arena *arena, const struct json *steps, struct random *random)
{
    for (int k = 0; k < TRIES; k++) {
        const int list = member_number(steps, random_chance(random, 50) ? "schedule" : "plan");
        const struct json *made = NULL;

        if (list >= 0 && steps->item[list]->n > 0)
            made = change(arena, steps, list, random_below(random, steps->item[list]->n), random);
        if (made)
            return made;
    }
    return steps;
}
