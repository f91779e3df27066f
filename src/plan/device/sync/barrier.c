#include "plan/device/sync/barrier.h"

#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "sched/path.h"

#include <string.h>

bool order_is_barrier(const struct order *order)
{
    return order->kind == ORDER_LEAF && order->statement->barrier;
}

/* The instances below order, as iterations of the loops around it. */
static __isl_give isl_set *iterations(const struct barriers *barriers, const struct order *order)
{
    const struct path path = {barriers->around.at, barriers->around.n};
    isl_set *all = NULL, *one;
    isl_map *map;

    if (order->kind == ORDER_LEAF) {
        if (order_is_barrier(order))
            return isl_set_reset_tuple_id(isl_set_copy(order->domain));
        map = poly_graph(path_iteration(&path, order->statement));
        return isl_set_apply(isl_set_copy(order->domain), map);
    }
    for (int k = 0; k < order->n_child; k++) {
        if (order_is_barrier(order->child[k]))
            continue;
        one = iterations(barriers, order->child[k]);
        all = all ? isl_set_union(all, one) : one;
    }
    return poly_set_coalesce(all);
}

static const char *barrier_label(const struct barriers *barriers)
{
    const char *label = "sync";

    for (int k = 2; program_statement(barriers->program, label); k++)
        label = arena_printf(barriers->arena, "sync_%d", k);
    return label;
}

static void add_statement(struct barriers *barriers, struct statement *statement)
{
    struct program *program = barriers->program;
    struct statement **longer = ARENA_ARRAY(barriers->arena, program->n_statement + 1, struct statement *);

    memcpy(longer, program->statement, (size_t)program->n_statement * sizeof(*longer));
    longer[program->n_statement++] = statement;
    program->statement = longer;
}

/* The barrier with the given iterations of the loops around. */
static const struct order *new_statement(struct barriers *barriers, const struct order *beside, const char *note,
                                         __isl_take isl_set *domain)
{
    struct statement *statement = ARENA_NEW(barriers->arena, struct statement);
    const char **name = ARENA_ARRAY(barriers->arena, barriers->around.n + 1, const char *);

    for (int k = 0; k < barriers->around.n; k++)
        name[k] = barriers->around.at[k]->info->name;
    *statement = (struct statement){.index = barriers->program->n_statement,
                                    .label = barrier_label(barriers),
                                    .barrier = note,
                                    .place = order_first_statement(beside)->place,
                                    .nest = order_first_statement(beside)->nest,
                                    .loop_name = name,
                                    .n_loop = barriers->around.n};
    domain = isl_set_set_tuple_name(isl_set_detect_equalities(domain), statement->label);
    statement->domain = poly_keep_set(barriers->arena, domain);
    VEC_PUSH(barriers->arena, &barriers->list, statement);
    add_statement(barriers, statement);
    return order_leaf(barriers->arena, statement, isl_set_copy(statement->domain));
}

const struct order *barrier_new(struct barriers *barriers, const struct order *order, const char *note)
{
    return new_statement(barriers, order, note, iterations(barriers, order));
}

/* The loop's values in the instances, whatever parameters are. */
static __isl_give isl_set *values_in(const struct order *loop, __isl_keep isl_union_set *instances)
{
    isl_union_map *time = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(loop->time));
    isl_set *values = isl_set_from_union_set(isl_union_set_apply(isl_union_set_copy(instances), time));

    return isl_set_project_out(values, isl_dim_param, 0, (unsigned)isl_set_dim(values, isl_dim_param));
}

/* domain, [t0, .., t(n - 1)], where t(dim) is one of the values */
static __isl_give isl_set *with_values(__isl_take isl_set *domain, __isl_take isl_set *values, unsigned dim)
{
    const unsigned n = (unsigned)isl_set_dim(domain, isl_dim_set);

    values = isl_set_insert_dims(values, isl_dim_set, 0, dim);
    return isl_set_intersect(domain, isl_set_insert_dims(values, isl_dim_set, dim + 1, n - dim - 1));
}

bool barriers_are_fused(const struct barriers *barriers)
{
    for (int k = 0; k < barriers->around.n; k++)
        if (barriers->around.at[k]->info->role == ROLE_FUSING)
            return true;
    return false;
}

const struct order *barrier_new_for(struct barriers *barriers, const struct order *order,
                                    __isl_take isl_union_set *instances, const char *note)
{
    isl_set *all = iterations(barriers, order), *domain = isl_set_copy(all);
    const struct order *leaf;
    bool always;

    for (int k = 0; k < barriers->around.n; k++)
        if (barriers->around.at[k]->info->role == ROLE_FUSING)
            domain = with_values(domain, values_in(barriers->around.at[k], instances), (unsigned)k);
    always = isl_set_is_equal(domain, all) == isl_bool_true;
    isl_union_set_free(instances);
    isl_set_free(all);
    leaf = new_statement(barriers, order, note, poly_set_coalesce(domain));
    barriers->list.at[barriers->list.n - 1]->sometimes = !always;
    return leaf;
}

const struct order *barrier_new_at(struct barriers *barriers, const struct order *loop, int64_t count, const char *note)
{
    const unsigned depth = (unsigned)barriers->around.n;
    isl_set *domain = isl_set_add_dims(iterations(barriers, loop), isl_dim_set, 1);
    const struct order *leaf;

    VEC_PUSH(barriers->arena, &barriers->around, loop);
    leaf = new_statement(barriers, loop, note, isl_set_fix_si(domain, isl_dim_set, depth, (int)count));
    barriers->around.n--;
    return leaf;
}

const struct order *barriers_with_times(const struct barriers *barriers, const struct order *order, int depth)
{
    const struct order **child = ARENA_ARRAY(barriers->arena, order->n_child + 1, const struct order *);
    isl_union_pw_aff *time;

    for (int k = 0; k < order->n_child; k++)
        child[k] = barriers_with_times(barriers, order->child[k], depth + (order->kind == ORDER_LOOP));
    if (order->kind != ORDER_LOOP)
        return order->n_child ? order_with_children(barriers->arena, order, child) : order;
    time = isl_union_pw_aff_copy(order->time);
    for (int k = 0; k < barriers->list.n; k++)
        if (order_has(order, barriers->list.at[k]))
            time = isl_union_pw_aff_union_add(time, path_dimension(barriers->list.at[k]->domain, depth));
    return order_loop(barriers->arena, order->info, time, child[0]);
}
