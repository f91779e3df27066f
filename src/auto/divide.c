#include "auto/divide.h"

#include "auto/device/device.h"
#include "auto/join.h"
#include "auto/keep.h"
#include "auto/recipes/recipes.h"

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
    struct stride_ends ends;
    struct site site;
    const int n_given = scene->proposal->given.n;

    trial.size = -1;
    if (!site_at(&trial, part, true, &site))
        return false;
    site.choice = &tried;
    recipe_tile(&site);
    recipe_rows(&site);
    scene->proposal->given.n = n_given;
    return tried.option.n > 0 || stream_lanes(&site) >= 0 || border_gains(&site, &ends);
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
        if (k > 0 && may_cut(scene, loop, &inside, k) && !keeps_together(scene, loop, &inside, k)) {
            VEC_PUSH(scene->arena, scene->cuts, ((struct cut){loop_name(scene, piece), part_last(piece), loop->depth}));
            VEC_PUSH(scene->arena, &pieces, piece);
            piece = copy_of(scene, loop);
        }
        VEC_PUSH(scene->arena, &piece->child, inside.at[k]);
    }
    VEC_PUSH(scene->arena, &pieces, piece);
    return pieces;
}

/* Has one iteration of the nest's outermost loop so little of the piece that the next ones overlap with it, though
 * something waits in the loop as it is? What the piece gains is not worth going through memory again. */
static bool is_short(const struct scene *scene, const struct nest_part *piece, const struct nest_part *loop)
{
    const struct site all = site_around(scene, loop, true);
    struct site site;
    bool is = site_at(scene, piece, true, &site), waits = false;

    for (int k = 0; is && k < site.n; k++)
        is = piece->depth + k == 0 || site_loop_is_short(&site, k);
    for (int k = 0; is && k < all.n; k++)
        waits = waits || site_carries(&all, k);
    return is && waits;
}

/* Does the piece gain more than in the loop as it is, where what is inside of it gains as well? */
static bool piece_gains(const struct scene *scene, const struct nest_part *piece, const struct nest_part *loop)
{
    if (depth_of(piece) < depth_of(loop))
        return false;
    if (scene->device)
        return device_gains(scene, piece, loop);
    return site_gains(scene, piece) && !is_short(scene, piece, loop);
}

/* The pieces as one again, with what was divided inside of them. */
static struct nest_part *whole(const struct scene *scene, const struct nest_part *loop, const part_vec *pieces)
{
    struct nest_part *one = copy_of(scene, loop);
    int n = 0;

    for (int k = 0; k < pieces->n; k++)
        for (int c = 0; c < pieces->at[k]->child.n; c++)
            VEC_PUSH(scene->arena, &one->child, pieces->at[k]->child.at[c]);
    for (int k = 0; k < scene->cuts->n; k++)
        if (scene->cuts->at[k].depth > loop->depth || !part_has(loop, scene->cuts->at[k].after))
            scene->cuts->at[n++] = scene->cuts->at[k];
    scene->cuts->n = n;
    return one;
}

/* The loop in pieces one of which gains, or in one with loops inside of it that do; none, and no cuts, where there are
 * none. */
static part_vec paying_pieces(const struct scene *scene, const struct nest_part *loop, bool all)
{
    const int n_cuts = scene->cuts->n;
    part_vec pieces = pieces_of(scene, loop, all);

    for (int k = 0; k < pieces.n; k++)
        if (piece_gains(scene, pieces.at[k], loop))
            return pieces;
    if (!scene->device && !all) {
        struct nest_part *one = whole(scene, loop, &pieces);

        pieces = (part_vec){0};
        VEC_PUSH(scene->arena, &pieces, one);
        if (gains(scene, one, depth_of(loop)))
            return pieces;
    }
    scene->cuts->n = n_cuts;
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

static void add_steps(const struct scene *scene, const cut_vec *cuts, struct option *option)
{
    for (int k = 0; k < cuts->n; k++)
        line_add(scene->arena, &option->schedule, "{\"fission\": \"%s\", \"after\": \"%s\"}", cuts->at[k].loop,
                 cuts->at[k].after->label);
}

part_vec divide_nest(const struct scene *scene, const part_vec *parts)
{
    struct choice *division = site_choice(scene, parts->at[0]);
    struct scene inner = *scene;
    part_vec divided;
    cut_vec cuts = {0};

    division->divides = true;
    inner.cuts = &cuts;
    divided = divide(&inner, parts, false);
    if (!scene->device)
        divided = join_parts(scene, &divided, &cuts);
    add_steps(scene, &cuts,
              proposal_option(scene->proposal, division, "loop fission: the parts do better by themselves"));
    return divided;
}
