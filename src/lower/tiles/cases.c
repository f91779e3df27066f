#include "lower/tiles/cases.h"

#include "lower/facts/bound.h"
#include "lower/tiles/refine_bound.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_CASES = 15 };

/* The tiles of a loop, or of a part of it. */
struct tiles {
    struct lowering *lowering;
    const struct node *loop;
    const struct node *part;     /* the first loop through a tile that may end early; NULL: none yet */
    bool finer;                  /* what the tiles are made of are tiles themselves, of an earlier split */
    bool skewed;                 /* a loop through one of them goes on behind it */
    bool differ;                 /* there are others, which end elsewhere */
    bool again;                  /* the loop was split again after `factors`, whose parts do not count its tiles */
    const char *obstacle, *hint; /* why they cannot be cases; NULL: they can */
};

/* What every case knows. */
struct remainder {
    const struct node *part;
    const struct affine *count; /* iterations that are left of a tile, or more */
    const struct affine *end;   /* the last value that is left, when that is one expression; NULL: it is not */
    int64_t first;              /* value of the part's first iteration */
    int64_t unit;               /* values from one iteration to the next */
    int64_t tile;               /* iterations of a full one */
    int64_t whole;              /* values of its last iteration in a full tile */
};

static bool is_constant(const struct affine *a)
{
    return affine_is_constant(a, NULL);
}

/* Did a split of the loop, or of the one that it is a part of, make inner? */
static bool is_of(const struct loop_info *info, const struct node *inner)
{
    return inner->kind == NODE_LOOP && inner->info && inner->info->id != info->id && inner->info->outer &&
           (inner->info->outer == info->id || inner->info->outer == info->outer);
}

/* Is inner a loop through one tile, or a part of it? A loop through larger tiles may have been moved inside. */
static bool is_within(const struct tiles *tiles, const struct node *inner)
{
    const struct loop_info *info = tiles->loop->info;

    return is_of(info, inner) && inner->info->span <= llabs(info->stride) &&
           !(tiles->again && inner->info->span == 0 && inner->info->tile > 0);
}

/* Has the loop tiles that a split `by` made? */
static bool has_span(const struct loop_info *info, const struct node *node)
{
    bool found = is_of(info, node) && node->info->span > 0;

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_span(info, node->child[k]);
    return found;
}

/* Did an earlier split make it? It then goes through one of the things that tiles are made of. */
static bool is_finer(const struct tiles *tiles, const struct node *inner)
{
    return is_within(tiles, inner) && inner->info->span > 0 && inner->info->span < llabs(tiles->loop->info->stride);
}

/* Is inner a loop through one tile? */
static bool is_part(const struct tiles *tiles, const struct node *inner)
{
    return is_within(tiles, inner) && !is_finer(tiles, inner);
}

/* Is there a loop that went through a tile before it was skewed in node? */
static bool has_skewed(const struct tiles *tiles, const struct node *node)
{
    bool found =
        is_within(tiles, node) && node->info->skewed && !(is_constant(node->lower) && is_constant(node->upper));

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_skewed(tiles, node->child[k]);
    return found;
}

static bool has_finer(const struct tiles *tiles, const struct node *node)
{
    bool found = is_finer(tiles, node);

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_finer(tiles, node->child[k]);
    return found;
}

static bool same_bounds(const struct node *a, const struct node *b)
{
    return affine_equal(a->lower, b->lower) && affine_equal(a->upper, b->upper);
}

static void find_parts(struct tiles *tiles, const struct facts *facts, const struct node *node)
{
    if (!is_part(tiles, node)) {
        for (int k = 0; k < node->n_child; k++) {
            struct facts inside = *facts;
            facts_enter(&inside, node, k);
            find_parts(tiles, &inside, node->child[k]);
        }
        return;
    }
    node = node_with_bounds(facts->lowering->arena, node, refine_bound(facts, node->lower),
                            refine_bound(facts, node->upper));
    if (!node || (is_constant(node->lower) && is_constant(node->upper)))
        return;
    tiles->differ = tiles->differ || (tiles->part && !same_bounds(tiles->part, node));
    tiles->part = tiles->part ? tiles->part : node;
    tiles->skewed = tiles->skewed || has_skewed(tiles, node);
    tiles->finer = tiles->finer || has_finer(tiles, node->child[0]);
}

/* Does anything around the parts, from node on, bind a variable of a? */
static bool is_bound_inside(const struct tiles *tiles, const struct node *node, const struct affine *a)
{
    if (is_part(tiles, node))
        return false;
    if (node->var && affine_uses(a, node->var))
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (is_bound_inside(tiles, node->child[k], a))
            return true;
    return false;
}

/* Sets count and end: floor((end - first) / unit) + 1 of the part's ends that are no constants, the smallest. */
static bool count_left(struct arena *arena, struct remainder *remainder)
{
    const struct affine *const *arg, **left;
    enum atom_kind kind;
    const int n = bound_args(arena, remainder->part->upper, &arg, &kind);
    int n_left = 0;

    left = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++) {
        if (is_constant(arg[k]))
            continue;
        left[n_left] = affine_floor(arena, affine_add_constant(arena, arg[k], -remainder->first), remainder->unit);
        left[n_left] = affine_add_constant(arena, left[n_left], 1);
        remainder->end = n_left == 0 && remainder->unit == 1 ? arg[k] : NULL;
        if (!left[n_left++])
            return false;
    }
    remainder->count = affine_extreme(arena, ATOM_MIN, left, n_left);
    return remainder->count != NULL;
}

/* The value of the n-th iteration. */
static int64_t last_of(const struct remainder *remainder, int64_t n)
{
    return remainder->first + (n - 1) * remainder->unit;
}

/* The value of the last iteration of a whole tile, with all that it is made of. */
static int64_t last_of_whole(const struct remainder *remainder)
{
    return last_of(remainder, remainder->tile) + remainder->whole - 1;
}

static int count_terms(const struct affine *a)
{
    int n = a->n_term;

    for (int k = 0; k < a->n_term; k++)
        for (int i = 0; i < a->term[k].atom->n_arg; i++)
            n += count_terms(a->term[k].atom->arg[i]);
    return n;
}

struct known_end {
    const struct tiles *tiles;
    const struct affine *end, *value; /* equal; end NULL: nothing is */
    const struct affine *bound;       /* the part's own */
    const struct affine *last;        /* and its value here */
};

/* a with the end's value, where that makes it shorter. */
static const struct affine *with_value(struct arena *arena, const struct affine *a, const struct known_end *known)
{
    const struct affine *difference = affine_sub(arena, known->value, known->end);
    const struct affine *best = a;

    for (int sign = -1; sign <= 1; sign += 2) {
        const struct affine *other = affine_add(arena, a, affine_scale(arena, difference, sign));
        if (other && count_terms(other) < count_terms(best))
            best = other;
    }
    return best;
}

static const struct affine *known_bound(struct arena *arena, const struct affine *bound, const struct known_end *known)
{
    const struct affine *const *arg, **shorter;
    enum atom_kind kind;
    int64_t distance;
    const int n = bound_args(arena, bound, &arg, &kind);

    if (bound_apart(arena, bound, known->bound, &distance))
        return affine_add_constant(arena, known->last, distance);
    if (!known->end)
        return bound;
    shorter = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++)
        shorter[k] = with_value(arena, arg[k], known);
    return n == 1 ? shorter[0] : affine_extreme(arena, kind, shorter, n);
}

static const struct affine *known_condition(struct arena *arena, const struct affine *a, void *user)
{
    return with_value(arena, a, user);
}

/* node with what is known of the end in its bounds and conditions. */
static const struct node *with_end(struct arena *arena, const struct node *node, const struct known_end *known)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++) {
        child[k] = with_end(arena, node->child[k], known);
        if (!child[k])
            return NULL;
    }
    node = node->n_child ? node_with_children(arena, node, child) : node;
    if (is_part(known->tiles, node) && !is_constant(node->upper))
        return node_with_bounds(arena, node, node->lower, known->last);
    if (node->kind == NODE_LOOP)
        return node_with_bounds(arena, node, known_bound(arena, node->lower, known),
                                known_bound(arena, node->upper, known));
    return node->kind == NODE_IF && known->end ? node_map_own(arena, node, known_condition, (void *)(uintptr_t)known)
                                               : node;
}

static const struct node *as_function(struct arena *arena, const char *name, const char *comment,
                                      const struct node *body)
{
    struct routine *routine = ARENA_NEW(arena, struct routine);

    *routine = (struct routine){name, comment};
    return node_call(arena, routine, body);
}

/* body where n iterations are left, as a function. */
static const struct node *one_case(const struct tiles *tiles, const struct remainder *remainder,
                                   const struct node *body, int64_t n)
{
    struct arena *arena = tiles->lowering->arena;
    const char *name = remainder->part->info->name;
    const struct affine *last = affine_constant(arena, last_of(remainder, n));
    const struct known_end known = {tiles, remainder->end, last, remainder->part->upper, last};

    return as_function(arena, arena_printf(arena, "%s_%" PRId64, name, n),
                       arena_printf(arena, "partial tile: %" PRId64 " %s of %s", n, n == 1 ? "iteration" : "iterations",
                                    name),
                       with_end(arena, body, &known));
}

/* The remainders that occur. */
static const struct node *other_cases(const struct facts *facts, const struct tiles *tiles,
                                      const struct remainder *remainder, const struct node *body)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t most = remainder->whole > 1 ? remainder->tile : remainder->tile - 1;
    const struct node **child = ARENA_ARRAY(arena, most + 1, const struct node *);
    int64_t *label = ARENA_ARRAY(arena, most + 1, int64_t);
    int n = 0;

    for (int64_t left = 1; left <= most; left++) {
        const struct condition is = {affine_add_constant(arena, remainder->count, -left), true};
        if (!is.affine || !facts_allow_condition(facts, &is))
            continue;
        child[n] = one_case(tiles, remainder, body, left);
        label[n++] = left;
    }
    return n ? node_switch(arena, remainder->count, label, child, n) : node_block(arena, NULL, 0);
}

/* When nothing of a tile is missing. */
static const struct guard *full_guard(struct arena *arena, const struct remainder *remainder)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, remainder->part->upper, &arg, &kind);
    const int64_t last = last_of_whole(remainder);
    struct condition *condition = ARENA_ARRAY(arena, n, struct condition);
    struct guard *full = ARENA_NEW(arena, struct guard);

    *full = (struct guard){condition, 0};
    for (int k = 0; k < n; k++)
        if (!is_constant(arg[k]))
            condition[full->n++] = (struct condition){affine_add_constant(arena, arg[k], -last), false};
    return full;
}

/* body as the cases there are. The last iteration of a tile that is not full may be all there or not: where that makes
 * a difference, tiles that have them all are a case, too. */
static const struct node *full_or_not(const struct facts *facts, const struct tiles *tiles,
                                      const struct remainder *remainder, const struct node *body)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *last = affine_constant(arena, last_of(remainder, remainder->tile));
    const struct known_end known = {tiles, NULL, NULL, remainder->part->upper, last};
    const struct guard *full = full_guard(arena, remainder);
    const struct node *part[2] = {node_if(arena, full, 1, with_end(arena, body, &known)),
                                  other_cases(facts, tiles, remainder, body)};

    if (part[1] && remainder->whole > 1)
        part[1] = node_if(arena, guard_opposites(arena, full), full->n, part[1]);
    return part[0] && part[1] ? node_block(arena, part, 2) : NULL;
}

static const struct node *obstacle(struct tiles *tiles, const char *hint, const char *why)
{
    tiles->obstacle = why;
    tiles->hint = hint;
    return NULL;
}

/* Has the part other values than those that are left of its tile? */
static bool is_scaled(const struct tiles *here)
{
    struct arena *arena = here->lowering->arena;
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, here->part->upper, &arg, &kind);

    for (int k = 0; k < n; k++)
        if (llabs(affine_factor(arg[k], here->loop->var)) > 1)
            return true;
    return false;
}

/* Was the part cut, or is it, whatever is left of its tile, over before a whole tile would be? */
static bool is_piece(const struct tiles *here, const struct remainder *remainder)
{
    const struct affine *most = bound_constant(here->lowering->arena, here->part->upper, ATOM_MIN);
    const int64_t behind = here->part->step - remainder->unit;

    return here->part->piece || (most && most->constant + behind < last_of(remainder, remainder->tile));
}

/* Does the part go on behind a whole tile, as one does that was cut at other points than its tiles? */
static bool goes_beyond(const struct tiles *here, const struct remainder *remainder)
{
    const struct affine *most = bound_constant(here->lowering->arena, here->part->upper, ATOM_MIN);

    return most && most->constant > last_of_whole(remainder);
}

/* May the part, which has no constant end, go on behind a whole tile, as a loop of another nest does that it was fused
 * with? */
static bool may_go_beyond(const struct facts *facts, const struct tiles *here, const struct remainder *remainder)
{
    struct arena *arena = here->lowering->arena;
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, here->part->upper, &arg, &kind);

    for (int k = 0; k < n; k++) {
        const struct affine *left = affine_sub(arena, affine_constant(arena, last_of_whole(remainder)), arg[k]);
        if (left && facts_imply(facts, left))
            return false;
    }
    return true;
}

/* Is there a statement in node outside of the parts of tiles? */
static bool has_others(const struct tiles *here, const struct node *node)
{
    bool found = node->kind == NODE_STATEMENT;

    if (is_part(here, node))
        return false;
    for (int k = 0; k < node->n_child && !found; k++)
        found = has_others(here, node->child[k]);
    return found;
}

/* Are there tiles of which nothing is left for the part, but something for others? */
static bool may_be_over(const struct facts *facts, const struct tiles *here, const struct remainder *remainder,
                        const struct node *node)
{
    const struct condition over = {affine_scale(facts->lowering->arena, remainder->count, -1), false};

    return over.affine && has_others(here, node) && facts_allow_condition(facts, &over);
}

/* node, all of whose parts end where the first of here does, as the cases there are. */
static const struct node *cases(const struct facts *facts, struct tiles *tiles, const struct tiles *here,
                                const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const int64_t tile = here->part->info->tile;
    struct remainder remainder = {.part = here->part, .tile = tile};

    if (here->skewed)
        return obstacle(tiles, "use the tail `guard`", "a loop inside is skewed");
    if (tile == 0)
        return obstacle(tiles, "use the tail `guard`", "a loop inside is none of its tiles");
    if (is_scaled(here))
        return obstacle(tiles, "use the tail `guard`, or `scale` no part of the tiles", "a loop inside is scaled");
    remainder.unit = llabs(tiles->loop->info->stride) / tile;
    if (here->part->info->plan && here->part->info->plan->axis != AXIS_NONE)
        return obstacle(tiles, "use the tail `guard`", "the iterations of a tile are threads, and each tests its own");
    remainder.whole = here->finer ? remainder.unit : 1;
    if (tile - 1 > MOST_CASES)
        return obstacle(tiles, "split the tiles again, or use the tail `mask` or `guard`",
                        "that would be more than 15 functions");
    if (here->part->step < 0 || !affine_is_constant(here->part->lower, &remainder.first))
        return obstacle(tiles, "use the tail `guard`", "its tiles may begin late");
    if (is_piece(here, &remainder))
        return obstacle(tiles, "use the tail `guard`, or `cut` no part of the tiles",
                        "a loop inside is a piece of a tile");
    if (goes_beyond(here, &remainder))
        return obstacle(tiles, "use the tail `guard`", "a loop inside was cut at other points than its tiles");
    if (may_go_beyond(facts, here, &remainder))
        return obstacle(tiles, "use the tail `guard`", "a loop inside goes on behind its tiles");
    if (!count_left(arena, &remainder))
        return NULL;
    if (may_be_over(facts, here, &remainder, node))
        return obstacle(tiles, "use the tail `guard`", "something else runs in tiles of which nothing is left");
    return full_or_not(facts, tiles, &remainder, node);
}

static const struct node *inside_tile(const struct facts *facts, struct tiles *tiles, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    struct tiles here = *tiles;
    const struct node **child;

    find_parts(&here, facts, node);
    if (!here.part)
        return node;
    if (!here.differ && !is_bound_inside(&here, node, here.part->upper))
        return cases(facts, tiles, &here, node);
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = inside_tile(&inside, tiles, node->child[k]);
        if (!child[k])
            return NULL;
    }
    return node_with_children(arena, node, child);
}

static const struct node *refuse(const struct tiles *tiles)
{
    struct lowering *lowering = tiles->lowering;
    const struct loop_info *info = tiles->loop->info;
    struct diag *diag =
        diag_error(lowering->diags, "tail", step_place(info->step, "tail"),
                   "the rest of loop `%s` cannot be a function for each remainder: %s", info->name, tiles->obstacle);

    diag_hint(lowering->diags, diag, "%s", tiles->hint);
    lowering->refused = true;
    return NULL;
}

const struct node *cases_loop(const struct facts *facts, const struct node *loop, bool report)
{
    struct arena *arena = facts->lowering->arena;
    struct tiles tiles = {.lowering = facts->lowering, .loop = loop};
    struct facts inside = *facts;
    const struct node *body;
    struct node *copy;

    tiles.again = has_span(loop->info, loop->child[0]);
    facts_enter_loop(&inside, loop);
    body = inside_tile(&inside, &tiles, loop->child[0]);
    if (tiles.obstacle)
        return report ? refuse(&tiles) : loop;
    if (!body || body == loop->child[0])
        return body ? loop : NULL;
    copy = ARENA_NEW(arena, struct node);
    *copy = *loop;
    copy->piece = true;
    return node_with_body(arena, copy, body);
}

const struct node *cases_piece(struct arena *arena, const struct node *loop, const char *which)
{
    const char *name = arena_printf(arena, "%s_%s", loop->var->name, which);

    return node_with_body(arena, loop, as_function(arena, name, loop->comment, loop->child[0]));
}
