#include "auto/propose.h"

#include "auto/device/device.h"
#include "auto/divide.h"
#include "auto/fused.h"
#include "auto/leave.h"
#include "auto/own.h"
#include "auto/recipes/recipes.h"

#include <string.h>

/* The recipes, the best first. */
static void (*const of_nests[])(const struct scene *scene, const part_vec *parts,
                                struct choice *choice) = {recipe_time,    recipe_triangle, recipe_blocks, recipe_push,
                                                          recipe_columns, recipe_lines,    recipe_pivot,  recipe_left};
static void (*const of_sites[])(const struct site *site) = {recipe_tile, recipe_rows, recipe_border, recipe_stream,
                                                            recipe_private};

void recipes_of_site(const struct site *site)
{
    for (size_t k = 0; k < sizeof(of_sites) / sizeof(of_sites[0]); k++)
        of_sites[k](site);
}

static void propose_part(const struct scene *scene, const struct nest_part *part, bool threads);

/* Loops with more than statements in them: threads for the outermost that is free, and each part by itself. */
static void propose_inside(const struct scene *scene, const struct nest_part *part, bool threads)
{
    const struct site site = site_around(scene, part, threads);
    const struct nest_part *inner = site.loop[site.n - 1];

    for (int k = 0; threads && scene->threads && k < site.n; k++)
        if (site_is_free(&site, k) || own_frees(&site, k)) {
            struct choice *choice = site_choice(scene, part);

            site_parallelize(&site, proposal_option(scene->proposal, choice, "the outermost free loop in threads"),
                             site_loop(&site, k), "");
            threads = false;
        }
    for (int k = 0; k < inner->child.n; k++)
        propose_part(scene, inner->child.at[k], threads);
}

static void propose_part(const struct scene *scene, const struct nest_part *part, bool threads)
{
    struct site site;

    if (!part->loop)
        return;
    if (!site_at(scene, part, threads, &site)) {
        propose_inside(scene, part, threads);
        return;
    }
    site.choice = site_choice(scene, part);
    site.threads = threads && (part->depth == 0 || site.n > 1);
    recipes_of_site(&site);
    /* In each iteration of the outermost loop, which stays as it is, others may be free. */
    if (site.choice->option.n == 0 && site.n > 1)
        propose_part(scene, site.loop[1], threads);
}

/* A part after division: as it is where nothing in it gains, and otherwise loops alone in each other by themselves. */
static void propose_divided(struct scene scene, const struct nest_part *part, bool threads)
{
    struct choice *apart = site_choice(&scene, part);

    if (part->loop && !part_gains(&scene, part))
        recipe_apart(&scene, part, apart);
    scene.instead = apart;
    propose_part(&scene, part, threads);
}

/* A choice for two parts. */
static struct choice *choice_for_two(const struct scene *scene, const struct nest_part *first,
                                     const struct nest_part *second)
{
    struct choice *two = site_choice(scene, first);

    two->what = arena_printf(scene->arena, "%s, %s", two->what, part_first(second)->label);
    return two;
}

/* Two parts together; NULL: no recipe is for that. */
static struct choice *propose_two(const struct scene *scene, const struct nest_part *first,
                                  const struct nest_part *second)
{
    struct choice *two;

    if (!first->loop || !second->loop || scene->wishes.apart)
        return NULL;
    two = choice_for_two(scene, first, second);
    recipe_once(scene, first, second, two);
    return two->option.n > 0 ? two : NULL;
}

/* Parts together where there is a recipe for that; otherwise, and where that is refused, each by itself. */
static void propose_parts(struct scene scene, const part_vec *parts)
{
    struct choice *const whole = scene.instead, *two = NULL;

    for (int k = 0; k < parts->n; k++) {
        const bool both = !two && k + 1 < parts->n;

        scene.instead = two ? two : whole;
        two = both ? propose_two(&scene, parts->at[k], parts->at[k + 1]) : NULL;
        if (two)
            scene.instead = two;
        propose_divided(scene, parts->at[k], true);
    }
}

/* The nest as a whole where there is a recipe for that; otherwise, and where that is refused, part by part. The parts
 * that it is divided into. */
static part_vec propose_nest(struct scene scene, const struct nest *nest)
{
    part_vec parts = part_of_nest(scene.arena, nest);
    struct choice *whole = site_choice(&scene, parts.at[0]);

    for (size_t k = 0; k < sizeof(of_nests) / sizeof(of_nests[0]) && !parts_call(&parts); k++)
        of_nests[k](&scene, &parts, whole);
    scene.instead = whole;
    parts = divide_nest(&scene, &parts);
    propose_parts(scene, &parts);
    return parts;
}

/* This nest and the next one together; NULL: no recipe is for that. */
static struct choice *propose_pair(const struct scene *scene, const struct nest *nest)
{
    part_vec first, second;
    struct choice *pair;

    if (nest[0].order || nest[1].order)
        return NULL;
    first = part_of_nest(scene->arena, &nest[0]);
    second = part_of_nest(scene->arena, &nest[1]);
    if (parts_call(&first) || parts_call(&second))
        return NULL;
    pair = choice_for_two(scene, first.at[0], second.at[0]);
    recipe_pair(scene, &first, &second, pair);
    if (first.n == 1 && second.n == 1)
        recipe_once(scene, first.at[0], second.at[0], pair);
    return pair->option.n > 0 ? pair : NULL;
}

/* A choice for n nests. */
static struct choice *choice_for_nests(const struct scene *scene, const struct nest *nest, int n)
{
    struct choice *choice = site_choice(scene, part_of_nest(scene->arena, nest).at[0]);

    choice->what = arena_printf(scene->arena, "%s .. %s", part_first(part_of_nest(scene->arena, nest).at[0])->label,
                                part_last(part_of_nest(scene->arena, nest + n - 1).at[0])->label);
    return choice;
}

/* The most nests from this one on together, at least two; NULL: no recipe is for that. left: that many. */
static struct choice *propose_stages(const struct scene *scene, const struct nest *nest, int most, int *left)
{
    if (scene->device || scene->wishes.apart)
        return NULL;
    for (int n = most; n >= 2; n--) {
        struct choice *stages = choice_for_nests(scene, nest, n);

        recipe_stages(scene, nest, n, stages);
        if (stages->option.n == 0)
            continue;
        *left = n;
        return stages;
    }
    return NULL;
}

static struct trial try_alone(const struct scene *scene, const struct nest *nest)
{
    struct trial trial = {.nest = nest, .proposal = proposal_new(scene->arena, &scene->program->target)};
    struct scene inner = *scene;

    inner.proposal = trial.proposal;
    inner.size = -1;
    trial.parts = propose_nest(inner, nest);
    return trial;
}

/* How many nests from this one on are along the same rows; what is proposed for each of them by itself. */
static int follow_rows(const struct scene *scene, const struct nest *nest, int most, struct trial *trial,
                       enum fused_rows *kind)
{
    int n = 0;

    *kind = FUSED_ROW;
    if (most < 2 || !fused_follows(scene, nest, 1))
        return 0;
    for (; n < most && (n < 2 || fused_follows(scene, nest, n)); n++) {
        enum fused_rows one;

        trial[n] = try_alone(scene, &nest[n]);
        one = fused_rows_of(scene, &trial[n]);
        if (one == FUSED_NOT)
            break;
        *kind = one < *kind ? one : *kind;
    }
    return n;
}

/* The most nests from this one on as one loop over rows, at least two; NULL: they have no rows in common. *left: that
 * many. */
static struct choice *propose_fused(struct scene scene, const struct nest *nest, int most, int *left)
{
    struct trial *trial = ARENA_ARRAY(scene.arena, most, struct trial);
    struct choice *fused;
    enum fused_rows kind;
    line_vec used = {0};
    part_vec inside;
    int n;

    /* One element at a time takes longer than memory does. */
    if (scene.device || scene.wishes.apart || !scene.vectors)
        return NULL;
    n = follow_rows(&scene, nest, most, trial, &kind);
    if (n < 2)
        return NULL;
    fused = choice_for_nests(&scene, nest, n);
    scene.with = fused;
    scene.used = &used;
    inside = fused_propose(&scene, trial, n, kind, fused);
    for (int k = 0; k < inside.n; k++) {
        const int first = scene.proposal->choice.n;

        if (kind == FUSED_ROW)
            propose_part(&scene, inside.at[k], false);
        else if (part_is_deep(inside.at[k]))
            propose_divided(scene, inside.at[k], false);
        fused_note_names(&scene, first);
    }
    *left = n;
    return fused;
}

struct proposal *propose(struct arena *arena, const struct dependences *dependences, bool asks)
{
    return propose_for(arena, dependences, asks, -1);
}

struct proposal *propose_for(struct arena *arena, const struct dependences *dependences, bool asks, int size)
{
    const struct program *program = dependences->program;
    const struct wishes wishes = asks ? wishes_of(program) : (struct wishes){0};
    struct choice *pair = NULL, *several = NULL;
    int left = 0; /* nests that the several still have */
    struct proposal *proposal = proposal_new(arena, &program->target);
    struct scene scene = {.arena = arena,
                          .program = program,
                          .distances = distances_new(arena, dependences),
                          .machine = machine_of(program->target.simd),
                          .device = device_of(program->target.language),
                          .proposal = proposal,
                          .vectors = strcmp(program->target.simd, "none") != 0,
                          .threads = program->target.openmp && wishes.threads != 1,
                          .team = wishes.threads ? arena_printf(arena, ", \"threads\": %lld", (long long)wishes.threads)
                                                 : "",
                          .wishes = wishes,
                          .size = size};

    for (int n = 0; scene.distances && n < program->n_nest; n++) {
        scene.instead = pair;
        if (left == 0 && !pair)
            several = propose_stages(&scene, &program->nest[n], program->n_nest - n, &left);
        if (left == 0 && !pair)
            several = propose_fused(scene, &program->nest[n], program->n_nest - n, &left);
        if (left > 0)
            scene.instead = several;
        left -= left > 0;
        pair = scene.instead || scene.device || n + 1 == program->n_nest || wishes.apart
                   ? NULL
                   : propose_pair(&scene, &program->nest[n]);
        if (pair)
            scene.instead = pair;
        if (!program->nest[n].order && scene.device)
            device_propose(&scene, &program->nest[n]);
        else if (!program->nest[n].order)
            propose_nest(scene, &program->nest[n]);
    }
    leave_named(program, wishes.n_before, proposal);
    return proposal;
}
