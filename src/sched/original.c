/* The order in which the description lists things, as an order tree. */
#include "sched/from_map.h"
#include "poly/keep.h"
#include "sched/time.h"

#include <isl/local_space.h>
#include <isl/space.h>

struct builder {
    struct arena *arena;
    const struct program *program;
    int ids; /* loop identities given so far */
};

static const struct order *build_block(struct builder *builder, const struct block *block, int depth);

static const struct order *build_item(struct builder *builder, const struct item *item, int depth)
{
    if (item->block)
        return build_block(builder, item->block, depth);
    return order_leaf(builder->arena, item->statement, isl_set_copy(item->statement->domain));
}

/* { S[i,j] -> [(sign * i_depth)] } for every statement below order. */
static __isl_give isl_union_pw_aff *dimension_time(const struct order *order, int depth, int sign)
{
    isl_union_pw_aff *time = NULL;
    isl_aff *aff;

    for (int k = 0; k < order->n_child; k++) {
        isl_union_pw_aff *below = dimension_time(order->child[k], depth, sign);
        time = time ? isl_union_pw_aff_union_add(time, below) : below;
    }
    if (order->kind != ORDER_LEAF)
        return time;
    aff = isl_aff_var_on_domain(isl_local_space_from_space(isl_set_get_space(order->domain)), isl_dim_set,
                                (unsigned)depth);
    return isl_union_pw_aff_from_pw_aff(isl_pw_aff_from_aff(sign < 0 ? isl_aff_neg(aff) : aff));
}

static struct loop_info *original_info(struct builder *builder, const char *name)
{
    struct loop_info *info = ARENA_NEW(builder->arena, struct loop_info);

    info->id = ++builder->ids;
    info->name = name;
    info->stride = 1;
    info->unit = 1;
    return info;
}

/* Is (time - first) a multiple of size everywhere? */
static bool on_grid(__isl_keep isl_union_pw_aff *time, __isl_keep isl_union_set *domain, __isl_keep isl_aff *first,
                    int64_t size)
{
    isl_union_pw_aff *rest = time_mod(time_add(isl_union_pw_aff_copy(time), first, -1), size);
    isl_set *range = time_range(rest, domain);
    bool is;

    range = isl_set_lower_bound_si(range, isl_dim_set, 0, 1);
    is = isl_set_is_empty(range) == isl_bool_true;
    isl_set_free(range);
    isl_union_pw_aff_free(rest);
    return is;
}

/* A stepped loop counts its steps from its first value where that is the same in every outer iteration. */
static __isl_give isl_union_pw_aff *count_steps(struct builder *builder, __isl_take isl_union_pw_aff *time,
                                                __isl_keep isl_union_set *domain, int64_t size, struct loop_info *info)
{
    isl_aff *first = time_least(builder->program, time, domain);

    if (!first || !on_grid(time, domain, first, size)) {
        isl_aff_free(first);
        info->unit = size;
        return time;
    }
    time = time_floor_div(time_add(time, first, -1), size);
    info->offset = info->stride < 0 ? isl_aff_neg(first) : first;
    info->stride *= size;
    poly_keep_aff(builder->arena, info->offset);
    return time;
}

static const struct order *wrap_loop(struct builder *builder, const struct nest_loop *loop, int depth,
                                     const struct order *body)
{
    const int64_t size = loop->step < 0 ? -loop->step : loop->step;
    struct loop_info *info = original_info(builder, loop->name);
    isl_union_set *domain = order_domain(body);
    isl_union_pw_aff *time = dimension_time(body, depth, loop->step < 0 ? -1 : 1);

    info->stride = loop->step < 0 ? -1 : 1;
    if (size > 1)
        time = count_steps(builder, time, domain, size, info);
    isl_union_set_free(domain);
    return order_loop(builder->arena, info, time, body);
}

static const struct order *build_block(struct builder *builder, const struct block *block, int depth)
{
    const struct order **child = ARENA_ARRAY(builder->arena, block->n_item, const struct order *);
    const struct order *order;

    for (int k = 0; k < block->n_item; k++)
        child[k] = build_item(builder, &block->item[k], depth + block->n_loop);
    order = order_sequence(builder->arena, child, block->n_item);
    for (int k = block->n_loop - 1; k >= 0; k--)
        order = wrap_loop(builder, &block->loop[k], depth + k, order);
    return order;
}

static __isl_give isl_union_set *nest_domain(const struct program *program, const struct nest *nest)
{
    isl_union_set *domain = isl_union_set_empty(isl_set_get_space(program->context));

    for (int k = 0; k < nest->n_statement; k++) {
        const struct statement *statement = program->statement[nest->first_statement + k];
        domain = isl_union_set_union(domain, isl_union_set_from_set(isl_set_copy(statement->domain)));
    }
    return domain;
}

static const struct order *without_instances(void *data, const struct order *order)
{
    struct arena *arena = data;

    if (order->kind != ORDER_LEAF)
        return order;
    return order_leaf(arena, order->statement, isl_set_empty(isl_set_get_space(order->domain)));
}

/* A nest that never runs has its loops all the same. */
static const struct order *build_polyhedral(struct builder *builder, const struct nest *nest)
{
    isl_union_set *domain = nest_domain(builder->program, nest);
    isl_union_map *map = isl_union_map_intersect_domain(isl_union_map_copy(nest->order), domain);
    struct map_naming naming = {nest->order_names, nest->n_order_names, &builder->ids, NULL};
    const struct order *order;

    if (isl_union_map_is_empty(map) != isl_bool_true)
        return order_from_map(builder->arena, builder->program, map, &naming);
    isl_union_map_free(map);
    order = order_from_map(builder->arena, builder->program, isl_union_map_copy(nest->order), &naming);
    return order_rewrite(builder->arena, order, without_instances, builder->arena);
}

const struct order *order_original(struct arena *arena, const struct program *program)
{
    struct builder builder = {arena, program, 0};
    const struct order **child = ARENA_ARRAY(arena, program->n_nest, const struct order *);

    for (int k = 0; k < program->n_nest; k++) {
        const struct nest *nest = &program->nest[k];
        child[k] = nest->order ? build_polyhedral(&builder, nest) : build_block(&builder, nest->body, 0);
        if (!child[k])
            return NULL;
    }
    return order_sequence(arena, child, program->n_nest);
}
