#include "lower/tiles/cut.h"

#include "lower/facts/bound.h"
#include "lower/tiles/breakpoints.h"
#include "lower/tiles/cases.h"
#include "lower/tiles/guard.h"
#include "lower/tiles/refine_bound.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

#include <stdlib.h>

enum { MOST_COPIES = 8 };

/* The piece of loop from lower to upper, not to be cut again. */
static const struct node *make_piece(struct arena *arena, const struct node *loop, const struct affine *lower,
                                     const struct affine *upper, const char *comment)
{
    struct node *piece;

    if (!lower || !upper)
        return NULL;
    piece = ARENA_NEW(arena, struct node);
    *piece = *loop;
    piece->lower = lower;
    piece->upper = upper;
    piece->piece = true;
    piece->comment = comment ? comment : loop->comment;
    return piece;
}

/* Some value of the loop's grid: 0 .. step - 1 where that is known, else its first value. */
static const struct affine *grid_origin(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *rest = affine_mod(arena, loop->lower, loop->step);
    int64_t origin;

    return rest && facts_constant(facts, rest, &origin) ? affine_constant(arena, origin) : loop->lower;
}

/* The first of origin, origin + step, .. that is at or past x. */
static const struct affine *round_up(struct arena *arena, const struct node *loop, const struct affine *origin,
                                     const struct affine *x)
{
    const struct affine *distance = affine_sub(arena, x, origin), *tiles;

    tiles = affine_floor(arena, affine_add_constant(arena, distance, loop->step - 1), loop->step);
    return affine_add(arena, origin, affine_scale(arena, affine_tidy(arena, tiles), loop->step));
}

/* The first value of the loop's grid that is at or past x, which is at least lower - step + 1. */
static const struct affine *next_on_grid(const struct facts *facts, const struct node *loop, const struct affine *x)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *origin = grid_origin(facts, loop), *const * arg;
    enum atom_kind kind;
    const int n = x ? bound_args(arena, x, &arg, &kind) : 0;
    const struct affine **next = ARENA_ARRAY(arena, n, const struct affine *);

    if (!x || kind == ATOM_VAR || origin == loop->lower)
        return round_up(arena, loop, origin, x);
    for (int k = 0; k < n; k++) {
        next[k] = round_up(arena, loop, origin, arg[k]);
        if (!next[k])
            return NULL;
    }
    return affine_extreme(arena, kind, next, n);
}

static int compare_values(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* The last value before which (or after which) the breakpoint's condition changes. */
static int64_t cut_value(const struct breakpoint *point, int64_t rest)
{
    return point->factor < 0 ? floor_div(rest, -point->factor) : -floor_div(rest, point->factor) - 1;
}

/* In skewed slices both shapes are alike where the condition is just met; that value goes to the middle piece. */
static void balance(const struct search *search, int64_t *cut, int n)
{
    for (int k = 0; k < search->found.n; k++) {
        const struct breakpoint *point = &search->found.at[k];
        int64_t rest, met;
        if (!affine_is_constant(point->rest, &rest) || rest % point->factor != 0)
            continue;
        met = -rest / point->factor;
        for (int c = 0; c < n; c++)
            if (cut[c] == cut_value(point, rest))
                cut[c] = 2 * c + 1 <= n ? met - 1 : met;
    }
}

/* The last value of each piece but the final one, sorted, within first..last. */
static int constant_cuts(const struct search *search, int64_t first, int64_t last, int64_t *cut)
{
    int n = 0, unique = 0;

    for (int k = 0; k < search->found.n; k++) {
        int64_t rest, value;
        if (!affine_is_constant(search->found.at[k].rest, &rest))
            continue;
        value = cut_value(&search->found.at[k], rest);
        if (value >= first && value < last)
            cut[n++] = value;
    }
    qsort(cut, (size_t)n, sizeof(*cut), compare_values);
    for (int k = 0; k < n; k++)
        if (unique == 0 || cut[k] != cut[unique - 1])
            cut[unique++] = cut[k];
    if (search->loop->info->skewed && unique > 1)
        balance(search, cut, unique);
    return unique;
}

/* Where a piece that begins with value is beside the full tiles: "head", "tail", or NULL. */
static const char *piece_place(const struct search *search, int64_t value)
{
    bool full = true, behind = false;

    for (int k = 0; k < search->found.n; k++) {
        const struct breakpoint *point = &search->found.at[k];
        int64_t rest;
        if (affine_is_constant(point->rest, &rest) && point->factor * value + rest < 0) {
            full = false;
            behind = point->factor < 0;
        }
    }
    return full ? NULL : behind ? "tail" : "head";
}

static const char *part_comment(struct arena *arena, const struct node *loop, const char *which)
{
    return loop->info->skewed || !which ? NULL : arena_printf(arena, "%s of %s", which, loop->var->name);
}

static const struct node *cut_constant(struct arena *arena, const struct search *search, const struct node *loop)
{
    int64_t first, last, value, next;
    int64_t *cut = ARENA_ARRAY(arena, search->found.n + 1, int64_t);
    const struct node **piece = ARENA_ARRAY(arena, search->found.n + 1, const struct node *);
    int n, n_piece = 0;

    if (!affine_is_constant(loop->lower, &first) || !affine_is_constant(loop->upper, &last))
        return loop;
    n = constant_cuts(search, first, last, cut);
    if (n == 0)
        return loop;
    cut[n] = last;
    value = first;
    for (int k = 0; k <= n; k++) {
        if (value > cut[k])
            continue;
        next = value + (cut[k] - value) / loop->step * loop->step + loop->step;
        const char *place = piece_place(search, value);
        piece[n_piece] = make_piece(arena, loop, affine_constant(arena, value),
                                    affine_constant(arena, k < n ? next - 1 : last), part_comment(arena, loop, place));
        if (place && loop->info->tail == TAIL_CASES)
            piece[n_piece] = cases_piece(arena, piece[n_piece], place);
        n_piece++;
        value = next;
    }
    return n_piece > 1 ? node_block(arena, piece, n_piece) : loop;
}

/* min or max of a bound and a further limit. */
static const struct affine *limit(struct arena *arena, enum atom_kind kind, const struct affine *bound,
                                  const struct affine *further)
{
    const struct affine *both[2] = {bound, further};

    if (!bound || !further)
        return NULL;
    return affine_extreme(arena, kind, both, 2);
}

/* Full tiles lie from *front (NULL: from the start) to *back (NULL: to the end). */
static void symbolic_limits(const struct facts *facts, const struct search *search, const struct affine **front,
                            const struct affine **back)
{
    struct arena *arena = facts->lowering->arena;

    *front = *back = NULL;
    for (int k = 0; k < search->found.n; k++) {
        const struct breakpoint *point = &search->found.at[k];
        const struct affine *value;
        if (point->factor < 0) {
            value = affine_floor(arena, point->rest, -point->factor);
            *back = *back ? limit(arena, ATOM_MIN, *back, value) : value;
        } else {
            value = affine_scale(arena, affine_floor(arena, point->rest, point->factor), -1);
            *front = *front ? limit(arena, ATOM_MAX, *front, value) : value;
        }
    }
    if (*front)
        *front = refine_bound(facts, *front);
    if (*back)
        *back = refine_bound(facts, *back);
}

/* Does next_on_grid hold for x (it is not before the loop's first tile) when the loop has iterations at all? */
static bool is_near(const struct facts *facts, const struct affine *past, const struct condition *runs)
{
    struct facts running = *facts;
    bool near;

    facts_assume_condition(&running, runs);
    near = facts_imply(&running, past);
    return near;
}

/* The piece from x on. Where next_on_grid says something only of a loop with iterations, the piece is there only if
 * it has some; where it says nothing, the piece starts with the loop at the earliest. */
static const struct node *piece_from(const struct facts *facts, const struct node *loop, const struct affine *x,
                                     const char *comment)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *past = affine_add_constant(arena, affine_sub(arena, x, loop->lower), loop->step - 1);
    const struct affine *start = next_on_grid(facts, loop, x);
    struct condition *runs = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    const struct node *piece;

    *runs = (struct condition){affine_sub(arena, loop->upper, loop->lower), false};
    *guard = (struct guard){runs, 1};
    if (!past || !start || !runs->affine)
        return NULL;
    if (facts_imply(facts, past))
        return make_piece(arena, loop, start, loop->upper, comment);
    if (!is_near(facts, past, runs))
        return make_piece(arena, loop, limit(arena, ATOM_MAX, loop->lower, start), loop->upper, comment);
    piece = node_with_comment(arena, make_piece(arena, loop, start, loop->upper, comment), NULL);
    return node_with_comment(arena, node_if(arena, guard, 1, piece), comment);
}

/* Does a value read well where it stands twice? */
static bool is_short(const struct affine *value)
{
    for (int k = 0; k < value->n_term; k++)
        for (int i = 0; i < value->term[k].atom->n_arg; i++)
            if (!affine_is_constant(value->term[k].atom->arg[i], NULL) && value->n_term > 1)
                return false;
    return true;
}

/* Where full tiles begin that do not begin before front: at or past start, the larger of front and the loop's own. */
static const struct affine *first_full(const struct facts *facts, const struct node *loop, const struct affine *front,
                                       const struct affine *start)
{
    struct arena *arena = facts->lowering->arena;

    if (grid_origin(facts, loop) == loop->lower)
        return next_on_grid(facts, loop, start);
    return refine_bound(facts, limit(arena, ATOM_MAX, loop->lower, next_on_grid(facts, loop, front)));
}

/* The pieces before, with and after the full tiles of a loop with symbolic bounds. Where full tiles begin late, the
 * beginning has a name. */
static const struct node *cut_symbolic(const struct facts *facts, const struct search *search, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *front, *back, *start = loop->lower, *end = loop->upper, *named = NULL;
    const struct var *full = NULL;
    const struct node *piece[3];
    struct facts inside = *facts;
    int n = 0;

    symbolic_limits(facts, search, &front, &back);
    if (front) {
        end = limit(arena, ATOM_MIN, loop->upper, affine_add_constant(arena, front, -1));
        piece[n++] = make_piece(arena, loop, loop->lower, end, part_comment(arena, loop, "head"));
        start = limit(arena, ATOM_MAX, loop->lower, front);
        start = start ? first_full(facts, loop, front, refine_bound(facts, start)) : NULL;
    }
    if (front && back && start && !is_short(start)) {
        full = lower_new_var(facts->lowering, VAR_VALUE,
                             lower_free_name(facts->lowering, arena_printf(arena, "%s_full", loop->var->name)));
        named = start;
        start = affine_var(arena, full);
        facts_enter_value(&inside, node_value(arena, full, named, loop));
    }
    end = back ? limit(arena, ATOM_MIN, loop->upper, back) : loop->upper;
    piece[n++] = make_piece(arena, loop, start, end, NULL);
    if (back) {
        const struct affine *after = affine_add_constant(arena, back, 1);
        if (front)
            after = refine_bound(&inside, limit(arena, ATOM_MAX, start, after));
        piece[n++] = piece_from(&inside, loop, after, part_comment(arena, loop, "tail"));
    }
    if (n == 1)
        return loop;
    return named ? node_value(arena, full, named, node_block(arena, piece, n)) : node_block(arena, piece, n);
}

/* How many copies of a statement cutting all loops of tiles inside can make. */
static int copies_inside(const struct node *node)
{
    int most = 1;

    for (int k = 0; k < node->n_child; k++) {
        const int copies = copies_inside(node->child[k]);
        most = copies > most ? copies : most;
    }
    if (node->kind == NODE_LOOP && (node->info->pieces || node->info->skewed) && node->info->tail == TAIL_AUTO &&
        !node->piece && most <= MOST_COPIES)
        most *= 2;
    return most;
}

/* The loop over -v: a descending loop becomes an ascending one and back. */
static const struct node *flip(struct lowering *lowering, const struct node *loop)
{
    struct arena *arena = lowering->arena;
    const struct var *var = lower_new_var(lowering, VAR_LOOP, loop->var->name);
    struct node *flipped = ARENA_NEW(arena, struct node);
    const struct affine *value = affine_scale(arena, affine_var(arena, var), -1);
    const struct node *body = node_substitute(arena, loop->child[0], loop->var, value);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);

    child[0] = body;
    *flipped = *loop;
    flipped->var = var;
    flipped->lower = bound_scale(arena, loop->lower, -1);
    flipped->upper = bound_scale(arena, loop->upper, -1);
    flipped->step = -loop->step;
    flipped->child = child;
    return body && flipped->lower && flipped->upper ? flipped : NULL;
}

/* Do all changes of shape happen at constant values? */
static bool constant_changes(const struct search *search)
{
    for (int k = 0; k < search->found.n; k++)
        if (!affine_is_constant(search->found.at[k].rest, NULL))
            return false;
    return true;
}

static const struct node *cut_by(const struct facts *facts, const struct search *search, const struct node *loop)
{
    const bool constant = affine_is_constant(loop->lower, NULL) && affine_is_constant(loop->upper, NULL);
    const bool asked = loop->info->tail == TAIL_PEEL || loop->info->tail == TAIL_CASES;

    if (search->found.n == 0)
        return loop;
    if (constant && (constant_changes(search) || !asked))
        return cut_constant(facts->lowering->arena, search, loop);
    return loop->info->tail == TAIL_PEEL ? cut_symbolic(facts, search, loop) : loop;
}

/* Takes out changes of shape that are nowhere in the loop. */
static void drop_absent(const struct facts *facts, struct search *search)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *var = affine_var(arena, search->loop->var);
    struct facts inside = *facts;
    int n = 0;

    facts_enter_loop(&inside, search->loop);
    for (int k = 0; k < search->found.n; k++) {
        const struct breakpoint *point = &search->found.at[k];
        const struct affine *holds = affine_add(arena, affine_scale(arena, var, point->factor), point->rest);
        if (!holds || !facts_imply(&inside, holds))
            search->found.at[n++] = *point;
    }
    search->found.n = n;
}

static const struct node *cut_ascending(const struct facts *facts, const struct node *loop)
{
    struct search search = search_loop(facts->lowering->arena, loop, false);

    if (loop->info->tail == TAIL_CASES)
        drop_absent(facts, &search);
    const struct node *pieces = cut_by(facts, &search, loop);

    if (pieces != loop || loop->info->tail != TAIL_PEEL)
        return pieces;
    search = search_loop(facts->lowering->arena, loop, true);
    return cut_by(facts, &search, loop);
}

/* The value of the flipped loop as one of the loop itself. */
static const struct node *flip_value(struct lowering *lowering, const struct node *value, const struct node *body)
{
    struct arena *arena = lowering->arena;
    const struct var *var = lower_new_var(lowering, VAR_VALUE, value->var->name);
    const struct affine *flipped = affine_scale(arena, affine_var(arena, var), -1);

    body = body ? node_substitute(arena, body, value->var, flipped) : NULL;
    return body ? node_value(arena, var, affine_scale(arena, value->lower, -1), body) : NULL;
}

static const struct node *cut_descending(const struct facts *facts, const struct node *loop)
{
    struct lowering *lowering = facts->lowering;
    const struct node *ascending = flip(lowering, loop);
    const struct node *pieces = ascending ? cut_ascending(facts, ascending) : NULL;
    const struct node **child, *value;

    if (!pieces || pieces == ascending)
        return pieces ? loop : NULL;
    value = pieces->kind == NODE_VALUE ? pieces : NULL;
    if (value)
        pieces = value->child[0];
    child = ARENA_ARRAY(lowering->arena, pieces->n_child, const struct node *);
    for (int k = 0; k < pieces->n_child; k++) {
        const struct node *piece = pieces->child[k];
        const bool conditional = piece->kind == NODE_IF;
        child[k] = flip(lowering, conditional ? piece->child[0] : piece);
        if (conditional)
            child[k] = node_with_body(lowering->arena, piece, child[k]);
    }
    pieces = node_block(lowering->arena, child, pieces->n_child);
    return value ? flip_value(lowering, value, pieces) : pieces;
}

static bool is_bound(const struct node *loop)
{
    return loop->info->plan && loop->info->plan->axis != AXIS_NONE;
}

/* Is a part of the tiles of the loop with this identity bound, below node? */
static bool has_bound_part(const struct node *node, int id)
{
    const bool part = node->kind == NODE_LOOP && node->info->outer == id;

    if (part && (is_bound(node) || has_bound_part(node->child[0], node->info->id)))
        return true;
    for (int k = 0; k < node->n_child; k++)
        if (has_bound_part(node->child[k], id))
            return true;
    return false;
}

const struct node *cut_loop(const struct facts *facts, const struct node *loop)
{
    const struct loop_info *info = loop->info;
    const struct node *pieces;

    if (!info->pieces && !info->skewed)
        return loop;
    if (lower_is_guarded(facts->lowering, info))
        return guard_loop(facts->lowering, loop);
    if (info->tail == TAIL_AUTO && 2 * copies_inside(loop->child[0]) > MOST_COPIES)
        return loop;
    pieces = is_bound(loop) || has_bound_part(loop->child[0], info->id) ? loop /* a piece would lose its positions */
             : loop->step < 0                                           ? cut_descending(facts, loop)
                                                                        : cut_ascending(facts, loop);
    return pieces == loop && info->tail == TAIL_CASES ? cases_loop(facts, loop, false) : pieces;
}
