/* Pass "end": where a loop of tiles has further bounds that depend on where its tile ends, that end gets a name,
 *     const int64_t t_end = min(tsteps, t + 4);
 * and the bounds use it: `i < t_end + n - 2` rather than `i < min(n + tsteps - 2, t + n + 2)`.
 */
#include "lower/facts/bound.h"
#include "lower/lower.h"

#include "base/names.h"
#include "base/vec.h"
#include "tree/visit.h"

#include <stdlib.h>

/* A tile [var, var + step) that ends early where short < 0. */
struct tile {
    struct lowering *lowering;
    const struct node *loop;
    const struct node *part;       /* its inner part: ends at min(step - 1, step - 1 + short) */
    const struct affine *shortage; /* the end of everything - (var + step) */
    const struct affine *missing;  /* min(0, shortage) by its name: t_end - (t + step) */
    int matches;                   /* other bounds that depend on it */
};

static bool all_known(const struct affine *a, const struct node *body)
{
    bool known = true;

    if (body->kind == NODE_LOOP || body->kind == NODE_VALUE)
        known = !affine_uses(a, body->var);
    for (int k = 0; k < body->n_child && known; k++)
        known = all_known(a, body->child[k]);
    return known;
}

/* Is part the tile's inner part, with two ends: a constant one and one that is known before part starts? */
static bool set_part(struct tile *tile, const struct node *part)
{
    struct arena *arena = tile->lowering->arena;
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, part->upper, &arg, &kind);

    for (int k = 0; n == 2 && k < n; k++) {
        int64_t last;
        if (!affine_is_constant(arg[k], &last) || last != tile->loop->step - 1)
            continue;
        tile->part = part;
        tile->shortage = affine_add_constant(arena, arg[1 - k], -last);
        return tile->shortage && affine_factor(tile->shortage, tile->loop->var) == -1 &&
               all_known(tile->shortage, tile->loop->child[0]);
    }
    return false;
}

static bool find_part(struct tile *tile, const struct node *node)
{
    if (node->kind == NODE_LOOP && node->info && node->info->outer == tile->loop->info->id && node->step == 1 &&
        set_part(tile, node))
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (find_part(tile, node->child[k]))
            return true;
    return false;
}

/* factor, with difference = factor * a; 0: it is none. */
static int64_t multiple_of(struct arena *arena, const struct affine *difference, const struct affine *a)
{
    const struct affine_term *term = &a->term[0];
    const struct affine *whole;
    int64_t factor;

    if (difference->n_term != a->n_term || difference->term[0].factor % term->factor)
        return 0;
    factor = difference->term[0].factor / term->factor;
    whole = affine_scale(arena, a, factor);
    return whole && affine_equal(whole, difference) ? factor : 0;
}

/* min(p, p + f * shortage) is p + f * missing for f > 0, and the maximum is for f < 0. NULL: no such pair. */
static const struct affine *merged(const struct tile *tile, enum atom_kind kind, const struct affine *p,
                                   const struct affine *q)
{
    struct arena *arena = tile->lowering->arena;
    const struct affine *difference = affine_sub(arena, q, p);
    const int64_t factor = difference ? multiple_of(arena, difference, tile->shortage) : 0;

    if (factor == 0 || (factor > 0) != (kind == ATOM_MIN))
        return NULL;
    return affine_add(arena, p, affine_scale(arena, tile->missing, factor));
}

/* bound with the tile's end by its name; itself where it does not depend on it. */
static const struct affine *with_end(const struct tile *tile, const struct affine *bound)
{
    struct arena *arena = tile->lowering->arena;
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);
    const struct affine **left = ARENA_ARRAY(arena, n, const struct affine *);

    for (int p = 0; p < n; p++)
        for (int q = 0; q < n; q++) {
            const struct affine *both = p == q ? NULL : merged(tile, kind, arg[p], arg[q]);
            if (!both)
                continue;
            int n_left = 0;
            for (int k = 0; k < n; k++)
                if (k != p && k != q)
                    left[n_left++] = arg[k];
            left[n_left++] = both;
            both = affine_extreme(arena, kind, left, n_left);
            return both ? with_end(tile, both) : bound;
        }
    return bound;
}

static void count_matches(const struct node *node, void *user)
{
    struct tile *tile = user;
    int64_t distance;

    if (node->kind != NODE_LOOP || bound_apart(tile->lowering->arena, node->upper, tile->part->upper, &distance))
        return;
    tile->matches += with_end(tile, node->lower) != node->lower;
    tile->matches += with_end(tile, node->upper) != node->upper;
}

static const struct node *use_end(const struct tile *tile, const struct node *node)
{
    struct arena *arena = tile->lowering->arena;
    const struct node **child;

    if (node->n_child == 0)
        return node;
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++)
        child[k] = use_end(tile, node->child[k]);
    node = node_with_children(arena, node, child);
    if (node && node->kind == NODE_LOOP)
        node = node_with_bounds(arena, node, with_end(tile, node->lower), with_end(tile, node->upper));
    return node;
}

static const struct node *name_end(struct names *used, struct tile *tile)
{
    struct lowering *lowering = tile->lowering;
    struct arena *arena = lowering->arena;
    const struct node *loop = tile->loop, *body = loop->child[0];
    const struct affine *tile_var = affine_var(arena, loop->var), *end;
    struct var *var = lower_new_var(lowering, VAR_VALUE, arena_printf(arena, "%s_end", loop->var->name));
    const int n_used = used->used.n;

    tile->missing = affine_sub(arena, affine_var(arena, var), affine_add_constant(arena, tile_var, loop->step));
    if (!tile->missing)
        return loop;
    node_for_each(body, count_matches, tile);
    if (tile->matches == 0)
        return loop;
    var->name = names_unique(used, var->name);
    used->used.n = n_used;
    end = bound_add(arena, tile->part->upper, affine_add_constant(arena, tile_var, 1));
    return node_with_body(arena, loop, node_value(arena, var, end, use_end(tile, body)));
}

static const struct node *walk(struct lowering *lowering, struct names *used, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(lowering->arena, node->n_child + 1, const struct node *);
    struct tile tile = {.lowering = lowering, .loop = node};

    if (node->kind == NODE_LOOP && node->info && node->info->pieces && node->step > 1 &&
        !lower_is_inner(node->child[0]) && find_part(&tile, node->child[0]))
        node = name_end(used, &tile);
    for (int k = 0; node && k < node->n_child; k++)
        child[k] = walk(lowering, used, node->child[k]);
    return node && node->n_child ? node_with_children(lowering->arena, node, child) : node;
}

const struct node *lower_end(struct lowering *lowering, const struct node *tree)
{
    struct names used = {.arena = lowering->arena};

    lower_used_names(lowering, tree, &used);
    return walk(lowering, &used, tree);
}
