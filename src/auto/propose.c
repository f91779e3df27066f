#include "auto/propose.h"

#include "auto/divide.h"
#include "auto/leave.h"
#include "auto/recipes.h"

#include <string.h>

/* The recipes, the best first. */
static void (*const of_nests[])(const struct scene *scene, const part_vec *parts,
                                struct choice *choice) = {recipe_time, recipe_triangle, recipe_blocks,
                                                          recipe_push, recipe_columns,  recipe_lines};
static void (*const of_sites[])(const struct site *site) = {recipe_tile, recipe_rows, recipe_stream};

/* The labels of the part's statements. */
static void add_labels(struct text *text, const struct nest_part *part)
{
    if (part->statement)
        text_addf(text, "%s%s", text->size ? ", " : "", part->statement->label);
    for (int k = 0; k < part->child.n; k++)
        add_labels(text, part->child.at[k]);
}

static struct choice *new_choice(const struct scene *scene, const struct nest_part *part)
{
    struct choice *choice = ARENA_NEW(scene->arena, struct choice);
    struct text text = {0};

    add_labels(&text, part);
    choice->unless = scene->instead;
    choice->what = arena_copy(scene->arena, text_str(&text));
    text_free(&text);
    VEC_PUSH(scene->arena, &scene->proposal->choice, choice);
    return choice;
}

static void propose_part(const struct scene *scene, const struct nest_part *part, bool threads);

/* Loops directly inside each other, with more than statements in them: threads for the outermost that is free, and
 * each part by itself. */
static void propose_inside(const struct scene *scene, const struct nest_part *part, bool threads)
{
    struct site site = {.scene = scene, .outer = part->depth, .threads = threads};
    const struct statement *deepest = part_first(part);
    const struct nest_part *inner = part;

    site.member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);
    part_mark(part, site.member);
    for (int s = 0; s < scene->program->n_statement; s++)
        if (site.member[s] && scene->program->statement[s]->n_loop > deepest->n_loop)
            deepest = scene->program->statement[s];
    VEC_PUSH(scene->arena, &site.statement, deepest);
    for (int s = 0; s < scene->program->n_statement; s++)
        if (site.member[s] && scene->program->statement[s] != deepest &&
            scene->program->statement[s]->n_loop == deepest->n_loop)
            VEC_PUSH(scene->arena, &site.statement, scene->program->statement[s]);
    for (; inner->child.n == 1; inner = inner->child.at[0])
        site.loop[site.n++] = inner;
    site.loop[site.n++] = inner;
    for (int k = 0; threads && scene->threads && k < site.n; k++)
        if (site_is_free(&site, k)) {
            struct choice *choice = new_choice(scene, part);

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
    site.choice = new_choice(scene, part);
    site.threads = threads && (part->depth == 0 || site.n > 1);
    for (size_t k = 0; k < sizeof(of_sites) / sizeof(of_sites[0]); k++)
        of_sites[k](&site);
}

/* The nest as a whole where there is a recipe for that; otherwise, and where that is refused, part by part. */
static void propose_nest(struct scene scene, const struct nest *nest)
{
    part_vec parts = part_of_nest(scene.arena, nest);
    struct choice *whole = new_choice(&scene, parts.at[0]), *division;

    for (size_t k = 0; k < sizeof(of_nests) / sizeof(of_nests[0]); k++)
        of_nests[k](&scene, &parts, whole);
    scene.instead = whole;
    division = new_choice(&scene, parts.at[0]);
    division->divides = true;
    scene.division = proposal_option(scene.proposal, division,
                                     "loops are divided among the statements in them, whose parts gain by themselves");
    parts = divide_parts(&scene, &parts);
    for (int k = 0; k < parts.n; k++)
        propose_part(&scene, parts.at[k], true);
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
    pair = new_choice(scene, first.at[0]);
    pair->what = arena_printf(scene->arena, "%s, %s", pair->what, part_first(second.at[0])->label);
    recipe_pair(scene, &first, &second, pair);
    return pair->option.n > 0 ? pair : NULL;
}

struct proposal *propose(struct arena *arena, const struct dependences *dependences, bool asks)
{
    const struct program *program = dependences->program;
    const struct wishes wishes = asks ? wishes_of(program) : (struct wishes){0};
    struct choice *pair = NULL;
    struct proposal *proposal = proposal_new(arena, &program->target);
    struct scene scene = {.arena = arena,
                          .program = program,
                          .distances = distances_new(arena, dependences),
                          .machine = machine_of(program->target.simd),
                          .proposal = proposal,
                          .vectors = strcmp(program->target.simd, "none") != 0,
                          .threads = program->target.openmp && wishes.threads != 1,
                          .team = wishes.threads ? arena_printf(arena, ", \"threads\": %lld", (long long)wishes.threads)
                                                 : "",
                          .wishes = wishes};

    for (int n = 0; scene.distances && n < program->n_nest; n++) {
        scene.instead = pair;
        pair =
            scene.instead || n + 1 == program->n_nest || wishes.apart ? NULL : propose_pair(&scene, &program->nest[n]);
        if (pair)
            scene.instead = pair;
        if (!program->nest[n].order)
            propose_nest(scene, &program->nest[n]);
    }
    leave_named(program, wishes.n_before, proposal);
    return proposal;
}
