/* Steps of the schedule for any nests. What is refused is dropped later, so they only need a good chance. */
#include "wide.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct wide_step *step_add(struct wide *wide, bool plan, const char *format, ...)
{
    struct wide_step *step = &wide->step[wide->n_step];
    va_list args;

    if (wide->n_step + 1 >= MAX_STEPS)
        abort();
    *step = (struct wide_step){.plan = plan, .goes_with = -1};
    va_start(args, format);
    text_vaddf(&step->text, format, args);
    va_end(args);
    wide->n_step++;
    return step;
}

static const int sizes[] = {2, 3, 4, 4, 5, 7, 8, 8, 16, 16, 32};

static int size_draw(struct wide *wide)
{
    return sizes[pick(wide, (int)(sizeof(sizes) / sizeof(*sizes)))];
}

static void insert(struct wide_nest *nest, int at, const char *name, bool literal)
{
    if (nest->n_now >= MAX_NEST_LOOPS)
        return;
    memmove(nest->now[at + 1], nest->now[at], sizeof(nest->now[0]) * (size_t)(nest->n_now - at));
    memmove(nest->literal + at + 1, nest->literal + at, sizeof(bool) * (size_t)(nest->n_now - at));
    snprintf(nest->now[at], sizeof(nest->now[0]), "%s", name);
    nest->literal[at] = literal;
    nest->n_now++;
}

static void take_out(struct wide_nest *nest, int at)
{
    nest->n_now--;
    memmove(nest->now[at], nest->now[at + 1], sizeof(nest->now[0]) * (size_t)(nest->n_now - at));
    memmove(nest->literal + at, nest->literal + at + 1, sizeof(bool) * (size_t)(nest->n_now - at));
}

static void rename_loop(struct wide_nest *nest, int at, const char *name)
{
    snprintf(nest->now[at], sizeof(nest->now[0]), "%s", name);
}

/* A tail, and its feature. */
static void add_tail(struct wide *wide, struct wide_step *step)
{
    static const char *const tails[] = {"peel",  "guard", "cases", "mask",  "round_up",
                                        "exact", "guard", "peel",  "cases", "mask"};
    static const enum feature features[] = {WIDE_TAIL_PEEL,  WIDE_TAIL_GUARD, WIDE_TAIL_CASES, WIDE_TAIL_MASK,
                                            WIDE_TAIL_ROUND, WIDE_TAIL_EXACT, WIDE_TAIL_GUARD, WIDE_TAIL_PEEL,
                                            WIDE_TAIL_CASES, WIDE_TAIL_MASK};
    const int which = pick(wide, 10);

    text_addf(&step->text, ", \"tail\": \"%s\"", tails[which]);
    step->features.has[features[which]] = true;
}

/* The name of an inner part: its own, or none and the default is remembered. */
static void inner_name(struct wide *wide, const char *loop, struct wide_step *step, char *name, size_t size)
{
    char plain[24];
    const size_t length = strlen(loop);

    if (length == 1 && chance(wide, 40)) {
        snprintf(name, size, "%s%s", loop, loop);
        if (!name_is_used(wide, name))
            return;
    }
    snprintf(plain, sizeof(plain), "%.10s%s", loop, "s");
    name_draw(wide, name, size, plain);
    text_addf(&step->text, ", \"as\": \"%s\"", name);
}

static struct wide_step *draw_split(struct wide *wide, struct wide_nest *nest, int at)
{
    const int by = size_draw(wide);
    struct wide_step *step;
    char name[24];

    if (wide->tuned || !chance(wide, 20)) {
        step = step_add(wide, false, "{\"split\": \"%s\", \"by\": %d", nest->now[at], by);
    } else {
        wide->tuned = by;
        name_draw(wide, wide->tunable, sizeof(wide->tunable), "size");
        step = step_add(wide, false, "{\"split\": \"%s\", \"by\": \"$%s\"", nest->now[at], wide->tunable);
        step->features.has[WIDE_TUNABLE] = true;
    }
    inner_name(wide, nest->now[at], step, name, sizeof(name));
    if (chance(wide, 45))
        add_tail(wide, step);
    text_char(&step->text, '}');
    insert(nest, at + 1, name, true);
    step->features.has[WIDE_SPLIT] = true;
    return step;
}

static struct wide_step *draw_factors(struct wide *wide, struct wide_nest *nest, int at)
{
    const int a = 2 + pick(wide, 4), b = 2 + pick(wide, 3);
    char name[3][24], plain[24];
    struct wide_step *step;

    for (int k = 0; k < 3; k++) {
        snprintf(plain, sizeof(plain), "%.12s_%d", nest->now[at], k);
        name_draw(wide, name[k], sizeof(name[k]), plain);
    }
    step = step_add(wide, false, "{\"split\": \"%s\", \"factors\": [-1, %d, %d], \"into\": [\"%s\", \"%s\", \"%s\"]",
                    nest->now[at], a, b, name[0], name[1], name[2]);
    if (strcmp(name[0], name[1]) == 0 || strcmp(name[1], name[2]) == 0 || strcmp(name[0], name[2]) == 0)
        step->dropped = true;
    if (chance(wide, 25))
        add_tail(wide, step);
    text_char(&step->text, '}');
    rename_loop(nest, at, name[0]);
    insert(nest, at + 1, name[1], true);
    insert(nest, at + 2, name[2], true);
    step->features.has[WIDE_FACTORS] = true;
    return step;
}

static struct wide_step *draw_tile(struct wide *wide, struct wide_nest *nest, int at)
{
    char name[2][24], plain[24];
    struct wide_step *step;

    if (at + 1 >= nest->n_now)
        return NULL;
    for (int k = 0; k < 2; k++) {
        snprintf(plain, sizeof(plain), "%.12s_in", nest->now[at + k]);
        name_draw(wide, name[k], sizeof(name[k]), plain);
    }
    if (strcmp(name[0], name[1]) == 0)
        return NULL;
    step = step_add(wide, false, "{\"tile\": {\"%s\": %d, \"%s\": %d}, \"as\": {\"%s\": \"%s\", \"%s\": \"%s\"}}",
                    nest->now[at], size_draw(wide), nest->now[at + 1], size_draw(wide), nest->now[at], name[0],
                    nest->now[at + 1], name[1]);
    insert(nest, at + 1, name[0], true);
    insert(nest, at + 3, name[1], true);
    step->features.has[WIDE_TILE] = true;
    return step;
}

static void swap_loops(struct wide_nest *nest, int a, int b)
{
    char name[24];
    const bool literal = nest->literal[a];

    memcpy(name, nest->now[a], sizeof(name));
    memcpy(nest->now[a], nest->now[b], sizeof(name));
    memcpy(nest->now[b], name, sizeof(name));
    nest->literal[a] = nest->literal[b];
    nest->literal[b] = literal;
}

static struct wide_step *draw_reorder(struct wide *wide, struct wide_nest *nest)
{
    struct wide_step *step;
    const int n = nest->n_now;

    if (n < 2)
        return NULL;
    for (int k = 0; k < 2; k++) {
        const int a = pick(wide, n - 1);
        swap_loops(nest, a, a + 1);
    }
    step = step_add(wide, false, "{\"reorder\": [");
    for (int k = 0; k < n; k++)
        text_addf(&step->text, "%s\"%s\"", k ? ", " : "", nest->now[k]);
    text_add(&step->text, "]}");
    step->features.has[WIDE_REORDER] = true;
    return step;
}

static int statements_in(const struct wide_block *block)
{
    int n = 0;

    for (int k = 0; k < block->n_item; k++)
        n += block->item[k].statement ? 1 : statements_in(block->item[k].block);
    return n;
}

static struct wide_step *draw_collapse(struct wide *wide, struct wide_nest *nest, int at)
{
    struct wide_step *step;
    char name[24];

    if (at + 1 >= nest->n_now)
        return NULL;
    step = step_add(wide, false, "{\"collapse\": [\"%s\", \"%s\"]", nest->now[at], nest->now[at + 1]);
    if (chance(wide, 40)) {
        snprintf(name, sizeof(name), "%.7s_%.7s_fused", nest->now[at], nest->now[at + 1]);
    } else {
        name_draw(wide, name, sizeof(name), "ij");
        text_addf(&step->text, ", \"as\": \"%s\"", name);
    }
    text_char(&step->text, '}');
    nest->literal[at] = nest->literal[at] && nest->literal[at + 1];
    take_out(nest, at + 1);
    rename_loop(nest, at, name);
    step->features.has[WIDE_COLLAPSE] = true;
    step->features.has[WIDE_COLLAPSE_SEVERAL] = statements_in(&nest->block) > 1;
    return step;
}

static struct wide_step *draw_moving(struct wide *wide, struct wide_nest *nest, int at)
{
    const char *loop = nest->now[at];
    struct wide_step *step = NULL;

    switch (pick(wide, 5)) {
    case 0:
        step = step_add(wide, false, "{\"reverse\": \"%s\"}", loop);
        step->features.has[WIDE_REVERSE] = true;
        break;
    case 1:
        step = step_add(wide, false, "{\"shift\": \"%s\", \"by\": \"%s%d\"}", loop, chance(wide, 20) ? "N + " : "",
                        pick(wide, 7) - 3);
        step->features.has[WIDE_SHIFTED] = true;
        break;
    case 2:
        step = step_add(wide, false, "{\"scale\": \"%s\", \"by\": %d}", loop, 2 + pick(wide, 2));
        step->features.has[WIDE_SCALE] = true;
        break;
    case 3:
        step = step_add(wide, false, "{\"pad\": \"%s\", \"by\": %d}", loop, 1 + pick(wide, 4));
        step->features.has[WIDE_PAD] = true;
        break;
    default:
        if (nest->n_now < 2)
            return NULL;
        step = step_add(wide, false, "{\"skew\": \"%s\", \"by\": \"%s\"%s}", loop, nest->now[at ? at - 1 : 1],
                        chance(wide, 25)   ? ", \"factor\": 2"
                        : chance(wide, 15) ? ", \"unroll_below\": 3"
                                           : "");
        step->features.has[WIDE_SKEW] = true;
    }
    return step;
}

/* Pieces, of which the middle or last one is gone on with. */
static struct wide_step *draw_pieces(struct wide *wide, struct wide_nest *nest, int at)
{
    char loop[24], name[3][24];
    const bool peels = chance(wide, 60), three = peels && chance(wide, 50);
    struct wide_step *step;

    memcpy(loop, nest->now[at], sizeof(loop));
    for (int k = 0; k < 3; k++)
        snprintf(name[k], sizeof(name[k]), "%.16s_%d", loop, k);
    if (peels)
        step = step_add(wide, false, "{\"peel\": \"%s\", \"first\": %d%s}", loop, 1 + pick(wide, 2),
                        three ? ", \"last\": 1" : "");
    else
        step = step_add(wide, false, "{\"cut\": \"%s\", \"at\": [%d]}", loop, 1 + pick(wide, 5));
    step->features.has[peels ? WIDE_PEEL : WIDE_CUT] = true;
    if (chance(wide, 35)) {
        const int number = wide->n_step - 1;
        step = step_add(wide, false, "{\"join\": [\"%s\", \"%s\"%s%s%s]}", name[0], name[1], three ? ", \"" : "",
                        three ? name[2] : "", three ? "\"" : "");
        step->features.has[WIDE_JOIN] = true;
        step->goes_with = number;
        return step;
    }
    rename_loop(nest, at, name[1]);
    return step;
}

static struct wide_step *draw_fission(struct wide *wide, struct wide_nest *nest, int at)
{
    const struct wide_block *block = &nest->block;
    struct wide_step *step;

    if (block->n_item < 2 || !block->item[0].statement)
        return NULL;
    step = step_add(wide, false, "{\"fission\": \"%s\", \"after\": \"%s\"}", nest->now[at],
                    block->item[0].statement->label);
    step->features.has[WIDE_FISSION] = true;
    return step;
}

/* The first step of a nest: an affine order of a nest without blocks inside. */
static struct wide_step *draw_map(struct wide *wide, struct wide_nest *nest)
{
    const struct wide_block *block = &nest->block;
    struct text times = {0};
    struct wide_step *step;
    const int n = nest->n_now, kind = pick(wide, 4);

    for (int k = 0; k < block->n_item; k++)
        if (!block->item[k].statement)
            return NULL;
    for (int s = 0; s < block->n_item; s++) {
        text_addf(&times, "%s%s[", s ? "; " : "", block->item[s].statement->label);
        for (int k = 0; k < n; k++)
            text_addf(&times, "%s%s", k ? ", " : "", nest->now[k]);
        text_add(&times, "] -> [");
        for (int k = 0; k < n; k++) {
            const char *loop = nest->now[kind == 0 && n == 2 ? 1 - k : k];
            text_addf(&times, "%s%s%s", k ? ", " : "",
                      kind == 1 && k == 0   ? "-"
                      : kind == 2 && k == 0 ? "2"
                                            : "",
                      loop);
            if (kind == 3 && k == 1)
                text_addf(&times, " + %s", nest->now[0]);
        }
        text_addf(&times, ", %d]", s);
    }
    step = step_add(wide, false, "{\"map\": \"[%s, %s] -> { %s }\"", wide->param[0], wide->param[1], text_str(&times));
    text_free(&times);
    step->features.has[WIDE_MAP] = true;
    if (chance(wide, 50)) {
        text_add(&step->text, ", \"as\": [");
        for (int k = 0; k <= n; k++) {
            char name[24], plain[24];
            snprintf(plain, sizeof(plain), "m%d", k);
            name_draw(wide, name, sizeof(name), plain);
            if (k < n)
                rename_loop(nest, k, name);
            text_addf(&step->text, "%s\"%s\"", k ? ", " : "", name);
        }
        text_char(&step->text, ']');
    } else {
        for (int k = 0; k < n; k++) {
            char name[24];
            snprintf(name, sizeof(name), "t%d", k);
            rename_loop(nest, k, name);
        }
    }
    text_char(&step->text, '}');
    return step;
}

static void draw_fuse(struct wide *wide)
{
    const int first = pick(wide, wide->n_nest - 1);
    struct wide_nest *a = &wide->nest[first], *b = &wide->nest[first + 1];
    const int most = a->n_now < b->n_now ? a->n_now : b->n_now;
    struct wide_step *step;

    step = step_add(wide, false, "{\"fuse\": [\"%s\", \"%s\"]", a->name, b->name);
    if (chance(wide, 50))
        text_addf(&step->text, ", \"partial\": %d", pick(wide, most + 1));
    text_add(&step->text, chance(wide, 15) ? ", \"align\": \"value\"}" : "}");
    step->features.has[WIDE_FUSE] = true;
}

static void draw_step(struct wide *wide, struct wide_nest *nest)
{
    const int which = pick(wide, 100), at = nest->n_now ? pick(wide, nest->n_now) : 0;

    if (!nest->n_now || nest->n_now + 3 >= MAX_NEST_LOOPS)
        return;
    if (which < 22)
        draw_split(wide, nest, at);
    else if (which < 28)
        draw_factors(wide, nest, at);
    else if (which < 39)
        draw_tile(wide, nest, at);
    else if (which < 48)
        draw_reorder(wide, nest);
    else if (which < 56)
        draw_collapse(wide, nest, at);
    else if (which < 83)
        draw_moving(wide, nest, at);
    else if (which < 94)
        draw_pieces(wide, nest, at);
    else
        draw_fission(wide, nest, at);
}

/* What only nests of several statements have, before other steps take it away. */
static void draw_of_several(struct wide *wide, struct wide_nest *nest)
{
    if (!nest->n_now || nest->n_now + 3 >= MAX_NEST_LOOPS || statements_in(&nest->block) < 2)
        return;
    if (nest->n_now > 1 && chance(wide, 24))
        draw_collapse(wide, nest, pick(wide, nest->n_now - 1));
    else if (chance(wide, 45))
        draw_fission(wide, nest, pick(wide, nest->n_now));
}

void schedule_draw(struct wide *wide)
{
    for (int k = 0; k < wide->n_nest; k++) {
        const int n = pick(wide, 4);
        if (chance(wide, 9))
            draw_map(wide, &wide->nest[k]);
        else
            draw_of_several(wide, &wide->nest[k]);
        for (int s = 0; s < n && wide->n_step < 8; s++)
            draw_step(wide, &wide->nest[k]);
    }
    if (wide->n_nest > 1 && chance(wide, 30))
        draw_fuse(wide);
}
