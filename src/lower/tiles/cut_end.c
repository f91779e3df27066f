/* Where loops of tiles end. */
#include "lower/facts/bound.h"
#include "lower/tiles/breakpoints.h"
#include "lower/tiles/cut.h"
#include "tree/visit.h"

/* Constant bounds: the end of the last tile, or of what there is of it. */
static const struct affine *constant_end(struct arena *arena, const struct node *loop, int64_t first, int64_t last)
{
    const struct search search = search_loop(arena, loop, false);
    int64_t end, rest;

    last = first + (last - first) / loop->step * loop->step;
    end = last + loop->step - 1;
    for (int k = 0; k < search.found.n; k++) {
        const struct breakpoint *point = &search.found.at[k];
        if (point->factor == -1 && affine_is_constant(point->rest, &rest) && rest > last - loop->step && rest < last)
            end = rest + loop->step - 1;
    }
    return affine_constant(arena, end);
}

/* The end with the constants of its minimum at the ends of tiles: min(8, N) is min(15, N) for tiles of 8 from 0. */
static const struct affine *tile_ends(struct arena *arena, const struct node *loop, int64_t first)
{
    const struct affine *const *arg;
    const struct affine **end;
    enum atom_kind kind;
    const int n = bound_args(arena, loop->upper, &arg, &kind);
    int64_t value;

    if (kind != ATOM_MIN)
        return loop->upper;
    end = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++) {
        end[k] = arg[k];
        if (affine_is_constant(arg[k], &value) && value >= first)
            end[k] = affine_constant(arena, first + (value - first) / loop->step * loop->step + loop->step - 1);
    }
    return affine_extreme(arena, kind, end, n);
}

/* Is the last value on the loop's grid for all parameters? */
static bool ends_on_grid(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *distance = affine_sub(arena, loop->upper, loop->lower);
    const struct condition whole = {affine_mod(arena, distance, loop->step), true};

    return whole.affine && facts_imply_condition(facts, &whole);
}

const struct node *cut_end(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    int64_t first, last, further;

    if (!(loop->info->pieces || loop->info->outer) || loop->step <= 1)
        return loop;
    if (affine_is_constant(loop->lower, &first) && affine_is_constant(loop->upper, &last))
        return node_with_bounds(arena, loop, loop->lower, constant_end(arena, loop, first, last));
    if (affine_is_constant(loop->lower, &first) && !affine_is_constant(loop->upper, NULL))
        loop = node_with_bounds(arena, loop, loop->lower, tile_ends(arena, loop, first));
    if (loop->upper->constant >= 0 || !ends_on_grid(facts, loop))
        return loop;
    further = loop->upper->constant > -loop->step ? -1 - loop->upper->constant : loop->step - 1;
    return node_with_bounds(arena, loop, loop->lower, affine_add_constant(arena, loop->upper, further));
}
