#include "sched/path.h"

#include "base/vec.h"
#include "dep/apart.h"

#include <isl/local_space.h>
#include <isl/space.h>

typedef VEC(const struct order *) nodes;

static bool walk(struct arena *arena, const struct order *order, const struct order *wanted, nodes *loops)
{
    const int n = loops->n;

    if (order->kind == ORDER_LOOP)
        VEC_PUSH(arena, loops, order);
    if (order == wanted)
        return true;
    for (int k = 0; k < order->n_child; k++)
        if (walk(arena, order->child[k], wanted, loops))
            return true;
    loops->n = n;
    return false;
}

bool path_find(struct arena *arena, const struct order *order, const struct order *wanted, struct path *path)
{
    nodes loops = {0};

    walk(arena, order, wanted, &loops);
    path->loop = loops.at;
    path->depth = loops.n;
    for (int k = 0; k < loops.n; k++)
        if (loop_is_collapsed(loops.at[k]->info))
            return false;
    return loops.n > 0;
}

bool path_find_through(struct arena *arena, const struct order *order, const struct order *wanted, struct path *path)
{
    const int tuple = wanted->info->tuple;

    for (int k = 1; k < tuple; k++)
        wanted = wanted->child[0];
    path_find(arena, order, wanted, path);
    for (int k = 0; k < path->depth; k++)
        if (loop_is_collapsed(path->loop[k]->info) && path->loop[k]->info->run)
            return false;
    return path->depth > 0;
}

__isl_give isl_multi_pw_aff *path_iteration(const struct path *path, const struct statement *statement)
{
    isl_space *space = isl_space_from_domain(isl_set_get_space(statement->domain));
    isl_space *one = isl_space_add_dims(isl_space_copy(space), isl_dim_out, 1);
    isl_pw_aff_list *list = isl_pw_aff_list_alloc(isl_space_get_ctx(space), path->depth);

    for (int k = 0; k < path->depth; k++)
        list = isl_pw_aff_list_add(list, isl_union_pw_aff_extract_pw_aff(path->loop[k]->time, isl_space_copy(one)));
    isl_space_free(one);
    space = isl_space_add_dims(space, isl_dim_out, (unsigned)path->depth);
    return isl_multi_pw_aff_from_pw_aff_list(space, list);
}

__isl_give isl_union_map *path_at_once(const struct path *path, __isl_take isl_union_map *pairs)
{
    struct arena *arena = arena_new();
    isl_union_pw_aff **time = ARENA_ARRAY(arena, path->depth + 1, isl_union_pw_aff *);
    struct agreeing at_once;

    for (int k = 0; k < path->depth; k++)
        time[k] = path->loop[k]->time;
    at_once = pairs_together(arena, pairs, time, path->depth);
    pairs = agreement_restrict_all(at_once.agreement, at_once.pairs);
    arena_free(arena);
    return pairs;
}

__isl_give isl_union_pw_aff *path_dimension(__isl_keep isl_set *set, int dim)
{
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(set));

    return isl_union_pw_aff_from_pw_aff(isl_pw_aff_from_aff(isl_aff_var_on_domain(space, isl_dim_set, (unsigned)dim)));
}
