#include "report/loop_walk.h"

#include "dep/extent.h"

#include <isl/id.h>

/* More nests in a fusing loop are not told apart. */
enum { MAX_PARTS = 64 };

/* What runs at node, as far as the walk is about it. */
static __isl_give isl_union_set *domain_of(__isl_keep isl_schedule_node *node, __isl_keep isl_union_set *only)
{
    isl_union_set *domain = isl_schedule_node_get_domain(node);

    return only ? isl_union_set_intersect(domain, isl_union_set_copy(only)) : domain;
}

/* { S[i,j] -> [..] }: the counts of all loops around node, for what runs there. */
static __isl_give isl_union_map *times_around(__isl_keep isl_schedule_node *node, __isl_keep isl_union_set *only)
{
    isl_union_map *times = isl_schedule_node_get_prefix_schedule_relation(node);

    return isl_union_map_intersect_domain(times, domain_of(node, only));
}

static __isl_give isl_schedule_node *below(const struct loop *loop)
{
    isl_schedule_node *node = isl_schedule_node_copy(loop->band);

    for (int k = 0; k < loop->n; k++) {
        while (isl_schedule_node_get_type(node) == isl_schedule_node_mark)
            node = isl_schedule_node_child(node, 0);
        node = isl_schedule_node_child(node, 0);
    }
    return node;
}

__isl_give isl_union_map *loop_times_inside(const struct loop *loop)
{
    isl_schedule_node *node = below(loop);
    isl_union_map *times = times_around(node, loop->only);

    isl_schedule_node_free(node);
    return times;
}

/* { [outer counts] -> [own counts] } */
static __isl_give isl_map *iterations(const struct loop *loop)
{
    isl_union_map *outer = times_around(loop->band, loop->only), *inside = loop_times_inside(loop);
    isl_map *all = isl_map_from_union_map(isl_union_map_apply_domain(inside, isl_union_map_copy(outer)));
    const isl_size n_outer = isl_map_dim(all, isl_dim_in);

    isl_union_map_free(outer);
    return isl_map_project_out(all, isl_dim_out, 0, (unsigned)n_outer);
}

__isl_give isl_union_map *loop_times_around(const struct loop *loop)
{
    return times_around(loop->band, loop->only);
}

static const struct loop_info *info_of(__isl_keep isl_schedule_node *mark)
{
    isl_id *id = isl_schedule_node_mark_get_id(mark);
    const struct loop_info *info = isl_id_get_user(id);

    isl_id_free(id);
    return info;
}

static void walk_leaf(struct loop_walk *walk, __isl_keep isl_schedule_node *leaf, int depth)
{
    isl_union_set *domain = domain_of(leaf, walk->only);
    const struct program *program = walk->schedule->program;

    for (int s = 0; s < program->n_statement; s++) {
        isl_set *mine = isl_union_set_extract_set(domain, isl_set_get_space(program->statement[s]->domain));
        if (isl_set_is_empty(mine) == isl_bool_false && program->statement[s]->part == 0)
            walk->statement(walk, program->statement[s], depth);
        isl_set_free(mine);
    }
    isl_union_set_free(domain);
}

static void walk_node(struct loop_walk *walk, __isl_take isl_schedule_node *node, int depth);

/* The instances that have this value of the fusing loop. */
static __isl_give isl_union_set *part_at(__isl_keep isl_union_map *times, int value)
{
    isl_set *at = isl_set_from_union_set(isl_union_map_range(isl_union_map_copy(times)));

    at = isl_set_fix_si(at, isl_dim_set, 0, value);
    return isl_union_map_domain(isl_union_map_intersect_range(isl_union_map_copy(times), isl_union_set_from_set(at)));
}

/* Goes through what is in a fusing loop, nest by nest; false where its value is no small constant. */
static bool walk_parts(struct loop_walk *walk, const struct loop *loop, int depth)
{
    isl_union_set *outer = walk->only, *rest = domain_of(loop->band, outer);
    isl_union_map *times =
        isl_union_map_from_multi_union_pw_aff(isl_schedule_node_band_get_partial_schedule(loop->band));
    VEC(isl_union_set *) part = {0};
    bool all;

    times = isl_union_map_intersect_domain(times, isl_union_set_copy(rest));
    for (int k = 0; k < MAX_PARTS && isl_union_set_is_empty(rest) == isl_bool_false; k++) {
        VEC_PUSH(walk->schedule->arena, &part, part_at(times, k));
        rest = isl_union_set_subtract(rest, isl_union_set_copy(part.at[k]));
    }
    all = isl_union_set_is_empty(rest) == isl_bool_true;
    for (int k = 0; k < part.n; k++) {
        walk->only = part.at[k];
        if (all)
            walk_node(walk, below(loop), depth);
        isl_union_set_free(part.at[k]);
    }
    walk->only = outer;
    isl_union_set_free(rest);
    isl_union_map_free(times);
    return all;
}

/* A loop of another nest, in which what the walk is about runs once? */
static bool is_idle(const struct loop_walk *walk, const struct loop *loop)
{
    int64_t trips = -1;

    if (!loop->only || loop->info->role != ROLE_UNFUSED)
        return false;
    struct text text = loop_trips(walk, loop, &trips);
    text_free(&text);
    return trips == 1;
}

/* Runs only a part of a call in it, which has no line of its own? */
static bool is_part(const struct loop_walk *walk, __isl_keep isl_union_set *domain)
{
    const struct program *program = walk->schedule->program;

    for (int s = 0; s < program->n_statement; s++) {
        isl_set *mine = isl_union_set_extract_set(domain, isl_set_get_space(program->statement[s]->domain));
        const bool whole = isl_set_is_empty(mine) != isl_bool_true && program->statement[s]->part == 0;

        isl_set_free(mine);
        if (whole)
            return false;
    }
    return true;
}

static void walk_loop(struct loop_walk *walk, __isl_take isl_schedule_node *mark, int depth)
{
    const struct loop_info *info = info_of(mark);
    struct loop loop = {info, isl_schedule_node_child(mark, 0), walk->only, info->tuple > 1 ? info->tuple : 1, depth};
    isl_union_set *domain = domain_of(loop.band, walk->only);
    const bool runs = isl_union_set_is_empty(domain) == isl_bool_false && !is_part(walk, domain);
    const bool idle = runs && is_idle(walk, &loop);

    if (idle) {
        walk_node(walk, below(&loop), depth);
    } else if (runs) {
        walk->visit(walk, &loop);
        if (info->role != ROLE_FUSING || !walk_parts(walk, &loop, depth + 1))
            walk_node(walk, below(&loop), depth + 1);
        if (walk->leave)
            walk->leave(walk, &loop);
    }
    isl_union_set_free(domain);
    isl_schedule_node_free(loop.band);
}

static void walk_node(struct loop_walk *walk, __isl_take isl_schedule_node *node, int depth)
{
    switch (isl_schedule_node_get_type(node)) {
    case isl_schedule_node_mark:
        walk_loop(walk, node, depth);
        return;
    case isl_schedule_node_leaf:
        if (walk->statement)
            walk_leaf(walk, node, depth);
        break;
    case isl_schedule_node_error:
        break;
    default:
        for (int k = 0; k < (int)isl_schedule_node_n_children(node); k++)
            walk_node(walk, isl_schedule_node_get_child(node, k), depth);
    }
    isl_schedule_node_free(node);
}

void walk_loops(struct loop_walk *walk)
{
    isl_schedule *schedule = order_to_schedule(walk->schedule->order);

    walk_node(walk, isl_schedule_get_root(schedule), 0);
    isl_schedule_free(schedule);
}

struct parallel loop_parallel(const struct loop_walk *walk, const struct loop *loop)
{
    return parallel_loop(walk->schedule->arena, schedule_dependences(walk->schedule), loop->band, loop->n);
}

struct text loop_trips(const struct loop_walk *walk, const struct loop *loop, int64_t *constant)
{
    struct arena *arena = walk->schedule->arena;
    const struct extent extent = extent_of_map(arena, walk->schedule->program, iterations(loop));
    const bool is_constant = polynomial_is_constant(extent.count, constant);
    struct text out = {0};

    if (!is_constant)
        *constant = -1;
    if (extent.n != 1 && !extent.count)
        return out;
    if (extent.n == 1 && (!extent.size[0] || (loop->info->unit != 1 && !is_constant)))
        return out;
    if ((!extent.same || !extent.filled) && !extent.count)
        text_add(&out, "up to ");
    if (is_constant)
        text_addf(&out, "%lld", (long long)*constant);
    else
        extent_print(&out, arena, &extent);
    return out;
}
