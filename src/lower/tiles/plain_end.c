#include "lower/tiles/plain_end.h"

#include "base/vec.h"
#include "lower/facts/bound.h"
#include "lower/tiles/refine_bound.h"
#include "tree/visit.h"

#include <stdlib.h>

static bool divides(const struct affine *a)
{
    return affine_has_floor(a);
}

/* Do the two ends let the same iterations of loop run? */
static bool same_end(const struct facts *facts, const struct node *loop, const struct affine *end)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *var = affine_var(arena, loop->var), *const * arg;
    const struct node *other = node_with_bounds(arena, loop, loop->lower, end);
    struct facts before = *facts, after = *facts;
    enum atom_kind kind;
    int n;
    bool same = other != NULL;

    facts_enter_loop(&before, loop);
    n = same ? bound_args(arena, end, &arg, &kind) : 0;
    for (int k = 0; same && k < n; k++)
        same = facts_imply(&before, affine_sub(arena, arg[k], var));
    if (same)
        facts_enter_loop(&after, other);
    n = bound_args(arena, loop->upper, &arg, &kind);
    for (int k = 0; same && k < n; k++)
        same = facts_imply(&after, affine_sub(arena, arg[k], var));
    return same;
}

/* Does anything from node on bind a variable of a? */
static bool binds(const struct node *node, const struct affine *a)
{
    bool found = node->var && affine_uses(a, node->var);

    for (int k = 0; k < node->n_child && !found; k++)
        found = binds(node->child[k], a);
    return found;
}

/* The end of loop's values that inner, somewhere inside, needs to have iterations, and that will do; NULL: none. */
static const struct affine *end_by(const struct facts *facts, const struct node *loop, const struct node *inner)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *found = NULL, *const * arg;
    enum atom_kind kind;
    const bool counts = inner->kind == NODE_LOOP && inner->step > 0 && affine_is_constant(inner->lower, NULL);
    const int n = counts ? bound_args(arena, inner->upper, &arg, &kind) : 0;

    for (int k = 0; k < n && !found; k++) {
        const struct affine *end = affine_add(arena, arg[k], affine_var(arena, loop->var));
        end = affine_add_constant(arena, end, -inner->lower->constant);
        if (end && affine_factor(arg[k], loop->var) == -1 && !divides(end) && !binds(loop, end) &&
            same_end(facts, loop, end))
            found = end;
    }
    for (int k = 0; k < inner->n_child && !found; k++)
        found = end_by(facts, loop, inner->child[k]);
    return found;
}

static bool has_division(struct arena *arena, const struct affine *bound)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const int n = bound_args(arena, bound, &arg, &kind);

    for (int k = 0; k < n; k++)
        if (divides(arg[k]))
            return true;
    return false;
}

const struct node *plain_end(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *const *arg, *end = NULL;
    enum atom_kind kind;

    if (loop->step > 1 && loop->info && has_division(arena, loop->upper) &&
        bound_args(arena, loop->upper, &arg, &kind) > 1)
        end = end_by(facts, loop, loop->child[0]);
    return end ? node_with_bounds(arena, loop, loop->lower, end) : loop;
}

/* Arguments of a minimum. */
struct ends {
    struct arena *arena;
    const struct node *part;
    VEC(const struct affine *) list;
};

static void add_end(struct ends *ends, const struct affine *end)
{
    bool known = !end || divides(end);

    for (int k = 0; k < ends->list.n && !known; k++)
        known = affine_equal(ends->list.at[k], end);
    if (!known)
        VEC_PUSH(ends->arena, &ends->list, end);
}

/* The ends of part's values that loops inside of it need to have iterations. */
static void add_ends_inside(struct ends *ends, const struct node *inner)
{
    const struct affine *const *arg;
    enum atom_kind kind;
    const bool counts = inner->kind == NODE_LOOP && inner->step > 0 && affine_is_constant(inner->lower, NULL);
    const int n = counts ? bound_args(ends->arena, inner->upper, &arg, &kind) : 0;

    for (int k = 0; k < n; k++) {
        const struct affine *end = affine_add(ends->arena, arg[k], affine_var(ends->arena, ends->part->var));
        if (end && affine_factor(arg[k], ends->part->var) == -1 && !binds(ends->part, end))
            add_end(ends, affine_add_constant(ends->arena, end, -inner->lower->constant));
    }
    for (int k = 0; k < inner->n_child; k++)
        add_ends_inside(ends, inner->child[k]);
}

/* What the end of part is by the way the two loops were split, by what loops inside say, and those arguments of its own
 * without division. */
static const struct affine *end_in_tile(struct arena *arena, const struct node *loop, const struct node *part)
{
    struct ends ends = {.arena = arena, .part = part};
    const struct affine *const *arg, *position = affine_var(arena, loop->var);
    enum atom_kind kind;
    const int n = bound_args(arena, part->upper, &arg, &kind);
    const int64_t unit = llabs(loop->info->stride) / part->info->tile;

    for (int k = 0; k < n; k++)
        add_end(&ends, arg[k]);
    add_end(&ends, affine_constant(arena, (part->info->tile - 1) * unit));
    if (loop->rest)
        position = affine_sub(arena, position, loop->lower);
    if (loop->info->tile)
        add_end(&ends, affine_sub(arena, affine_constant(arena, (loop->info->tile - 1) * unit), position));
    add_ends_inside(&ends, part->child[0]);
    return affine_extreme(arena, ATOM_MIN, ends.list.at, ends.list.n);
}

static const struct node *plain_part(const struct facts *facts, const struct node *loop, const struct node *part)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *end;

    if (part->step < 0 || part->info->tile == 0 || !affine_is_constant(part->lower, NULL) ||
        !has_division(arena, part->upper))
        return part;
    end = end_in_tile(arena, loop, part);
    end = end ? refine_bound(facts, end) : NULL;
    return end && same_end(facts, part, end) ? node_with_bounds(arena, part, part->lower, end) : part;
}

static const struct node *walk(const struct facts *facts, const struct node *loop, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (node->kind == NODE_LOOP && node->info && node->info->outer == loop->info->id)
        return plain_part(facts, loop, node);
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = walk(&inside, loop, node->child[k]);
    }
    return node->n_child ? node_with_children(arena, node, child) : node;
}

static bool has_hard_part(struct arena *arena, const struct node *loop, const struct node *node)
{
    bool found = node->kind == NODE_LOOP && node->info && node->info->outer == loop->info->id &&
                 has_division(arena, node->upper);

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_hard_part(arena, loop, node->child[k]);
    return found;
}

const struct node *plain_parts(const struct facts *facts, const struct node *loop)
{
    struct facts inside = *facts;

    if (!loop->info || !loop->info->pieces || !has_hard_part(facts->lowering->arena, loop, loop->child[0]))
        return loop;
    facts_enter_loop(&inside, loop);
    return node_with_body(facts->lowering->arena, loop, walk(&inside, loop, loop->child[0]));
}

/* The argument of an end behind which the next step of the loop goes: K - 1 for K - 4; itself if it is no such. */
static const struct affine *up_to_whole(struct arena *arena, const struct node *loop, const struct affine *arg)
{
    int64_t first, last;

    if (affine_is_constant(arg, &last))
        return affine_is_constant(loop->lower, &first) && last >= first
                   ? affine_constant(arena, last + loop->step - 1 - (last - first) % loop->step)
                   : arg;
    return arg->constant < -1 && arg->constant >= -loop->step ? affine_add_constant(arena, arg, -1 - arg->constant)
                                                              : arg;
}

const struct node *whole_end(const struct facts *facts, const struct node *loop)
{
    struct arena *arena = facts->lowering->arena;
    const struct affine *const *arg, **longer, *end;
    enum atom_kind kind;
    const int n = bound_args(arena, loop->upper, &arg, &kind);
    bool any = false;

    if (loop->step < 2 || (n > 1 && kind != ATOM_MIN))
        return loop;
    longer = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++) {
        longer[k] = up_to_whole(arena, loop, arg[k]);
        any = any || (longer[k] != arg[k] && !affine_is_constant(arg[k], NULL));
    }
    end = any ? affine_extreme(arena, ATOM_MIN, longer, n) : NULL;
    return end && same_end(facts, loop, end) ? node_with_bounds(arena, loop, loop->lower, end) : loop;
}
