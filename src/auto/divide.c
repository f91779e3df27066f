#include "auto/divide.h"

#include "auto/device/device.h"
#include "auto/recipes.h"

static bool *marks(const struct scene *scene, const part_vec *parts, int first, int end)
{
    bool *member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);

    for (int k = first; k < end; k++)
        part_mark(parts->at[k], member);
    return member;
}

/* May all iterations with what is in front of number k run before those with the rest? */
static bool may_cut(const struct scene *scene, const struct nest_part *loop, const part_vec *inside, int k)
{
    return !distance_between(scene->distances, marks(scene, inside, k, inside->n), marks(scene, inside, 0, k),
                             loop->depth);
}

static struct nest_part *copy_of(const struct scene *scene, const struct nest_part *loop)
{
    struct nest_part *copy = ARENA_NEW(scene->arena, struct nest_part);

    *copy = (struct nest_part){.loop = loop->loop, .depth = loop->depth, .descends = loop->descends};
    return copy;
}

static const char *loop_name(const struct scene *scene, const struct nest_part *loop)
{
    return arena_printf(scene->arena, "%s.%s", part_first(loop)->label, loop->loop);
}

static int depth_of(const struct nest_part *part)
{
    int deepest = part->depth;

    for (int k = 0; k < part->child.n; k++)
        deepest = depth_of(part->child.at[k]) > deepest ? depth_of(part->child.at[k]) : deepest;
    return deepest;
}

/* Does a recipe do more for the loops directly inside each other than threads? */
static bool site_gains(const struct scene *scene, const struct nest_part *part)
{
    struct scene trial = *scene;
    struct choice tried = {0};
    struct site site;
    const int n_given = scene->proposal->given.n;

    trial.size = -1;
    if (!site_at(&trial, part, true, &site))
        return false;
    site.choice = &tried;
    recipe_tile(&site);
    recipe_rows(&site);
    scene->proposal->given.n = n_given;
    return tried.option.n > 0 || stream_lanes(&site) >= 0;
}

/* The same for the part, or one inside of it, that has statements in as many loops as depth. */
static bool gains(const struct scene *scene, const struct nest_part *part, int depth)
{
    if (!part->loop || depth_of(part) < depth)
        return false;
    if (site_gains(scene, part))
        return true;
    for (int k = 0; k < part->child.n; k++)
        if (gains(scene, part->child.at[k], depth))
            return true;
    return false;
}

bool part_gains(const struct scene *scene, const struct nest_part *part)
{
    return gains(scene, part, 0);
}

static part_vec divide(const struct scene *scene, const part_vec *parts, bool all);

/* The loop in pieces; all: so are loops inside of it, whether that pays there or not. */
static part_vec pieces_of(const struct scene *scene, const struct nest_part *loop, bool all)
{
    const part_vec inside = divide(scene, &loop->child, all);
    struct nest_part *piece = copy_of(scene, loop);
    part_vec pieces = {0};

    for (int k = 0; k < inside.n; k++) {
        if (k > 0 && may_cut(scene, loop, &inside, k)) {
            line_add(scene->arena, &scene->division->schedule, "{\"fission\": \"%s\", \"after\": \"%s\"}",
                     loop_name(scene, piece), part_last(piece)->label);
            VEC_PUSH(scene->arena, &pieces, piece);
            piece = copy_of(scene, loop);
        }
        VEC_PUSH(scene->arena, &piece->child, inside.at[k]);
    }
    VEC_PUSH(scene->arena, &pieces, piece);
    return pieces;
}

/* Does the piece gain more than the loop as it is? */
static bool piece_gains(const struct scene *scene, const struct nest_part *piece, const struct nest_part *loop)
{
    if (scene->device)
        return depth_of(piece) == depth_of(loop) && device_gains(scene, piece, loop);
    return gains(scene, piece, depth_of(loop));
}

/* The loop in pieces one of which gains; none, and no steps, where none does. */
static part_vec paying_pieces(const struct scene *scene, const struct nest_part *loop, bool all)
{
    line_vec *steps = &scene->division->schedule;
    const int n_steps = steps->n;
    const part_vec pieces = pieces_of(scene, loop, all);

    for (int k = 0; k < pieces.n; k++)
        if (piece_gains(scene, pieces.at[k], loop))
            return pieces;
    steps->n = n_steps;
    return (part_vec){0};
}

static void divide_loop(const struct scene *scene, struct nest_part *loop, part_vec *into)
{
    part_vec pieces = paying_pieces(scene, loop, false);

    if (pieces.n == 0)
        pieces = paying_pieces(scene, loop, true);
    if (pieces.n == 0)
        VEC_PUSH(scene->arena, &pieces, loop);
    for (int k = 0; k < pieces.n; k++)
        VEC_PUSH(scene->arena, into, pieces.at[k]);
}

static part_vec divide(const struct scene *scene, const part_vec *parts, bool all)
{
    part_vec divided = {0};

    for (int k = 0; k < parts->n; k++) {
        struct nest_part *part = parts->at[k];

        if (!part->loop)
            VEC_PUSH(scene->arena, &divided, part);
        else if (!all)
            divide_loop(scene, part, &divided);
        else {
            const part_vec pieces = pieces_of(scene, part, true);
            for (int p = 0; p < pieces.n; p++)
                VEC_PUSH(scene->arena, &divided, pieces.at[p]);
        }
    }
    return divided;
}

part_vec divide_nest(struct scene *scene, const part_vec *parts)
{
    struct choice *division = site_choice(scene, parts->at[0]);

    division->divides = true;
    scene->division = proposal_option(scene->proposal, division,
                                      "loops are divided among the statements in them, whose parts gain by themselves");
    return divide(scene, parts, false);
}
