#include "sched/from_map.h"

#include "base/vec.h"
#include "poly/coalesce.h"
#include "poly/number.h"

#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

/* One statement's part of the map: { S[i,j] -> [t0,..] }, padded to the common length. Pieces with different constants
 * are apart, each for some of the instances. */
struct piece {
    const struct statement *statement;
    isl_map *map;
    isl_pw_multi_aff *time;
};

typedef VEC(struct piece) piece_vec;

struct builder {
    struct arena *arena;
    const struct program *program;
    const struct map_naming *naming;
    piece_vec piece; /* all that were made */
    int n_dim;       /* of the longest tuple */
};

static const char *dimension_name(struct builder *builder, int dim)
{
    if (dim < builder->naming->n)
        return builder->naming->name[dim];
    return program_default_name(builder->arena, builder->program, arena_printf(builder->arena, "t%d", dim),
                                builder->naming->name, builder->naming->n);
}

static const struct loop_info *dimension_info(struct builder *builder, int dim)
{
    struct loop_info *info = ARENA_NEW(builder->arena, struct loop_info);

    info->id = ++*builder->naming->ids;
    info->name = dimension_name(builder, dim);
    info->stride = 1;
    info->unit = 1;
    info->step = builder->naming->step;
    return info;
}

static isl_stat add_piece(__isl_take isl_map *map, void *user)
{
    struct builder *builder = user;
    const char *label = isl_map_get_tuple_name(map, isl_dim_in);
    const int n = (int)isl_map_dim(map, isl_dim_out);

    VEC_PUSH(builder->arena, &builder->piece, ((struct piece){program_statement(builder->program, label), map, NULL}));
    if (n > builder->n_dim)
        builder->n_dim = n;
    return isl_stat_ok;
}

static isl_stat take_value(__isl_take isl_set *set, __isl_take isl_aff *value, void *user)
{
    isl_aff **only = user;

    isl_set_free(set);
    *only = value;
    return isl_stat_ok;
}

/* { S[i] -> [f(i)] : i in the domain } is f everywhere: isl takes long to compare functions with domains. */
static __isl_give isl_pw_aff *everywhere(__isl_take isl_pw_aff *time)
{
    isl_aff *value = NULL;

    if (isl_pw_aff_n_piece(time) != 1)
        return time;
    isl_pw_aff_foreach_piece(time, take_value, &value);
    isl_pw_aff_free(time);
    return isl_pw_aff_from_aff(value);
}

static void pad_piece(struct piece *piece, int n_dim)
{
    const int n = (int)isl_map_dim(piece->map, isl_dim_out);

    piece->map = isl_map_add_dims(piece->map, isl_dim_out, (unsigned)(n_dim - n));
    for (int k = n; k < n_dim; k++)
        piece->map = isl_map_fix_si(piece->map, isl_dim_out, (unsigned)k, 0);
    piece->time = poly_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(isl_map_copy(piece->map)));
}

/* The constant values of a function, each with where it has that value. */
struct values {
    struct arena *arena;
    VEC(int64_t) value;
    VEC(isl_set *) where;
};

static isl_stat add_value(__isl_take isl_set *set, __isl_take isl_aff *aff, void *user)
{
    struct values *values = user;
    isl_val *constant = isl_aff_is_cst(aff) == isl_bool_true ? isl_aff_get_constant_val(aff) : NULL;
    int64_t value;
    const bool fits = poly_number(constant, &value);
    int k = 0;

    isl_aff_free(aff);
    if (!fits) {
        isl_set_free(set);
        return isl_stat_error;
    }
    while (k < values->value.n && values->value.at[k] != value)
        k++;
    if (k < values->value.n) {
        values->where.at[k] = isl_set_union(values->where.at[k], set);
        return isl_stat_ok;
    }
    VEC_PUSH(values->arena, &values->value, value);
    VEC_PUSH(values->arena, &values->where, set);
    return isl_stat_ok;
}

static struct piece part_of(struct builder *builder, const struct piece *piece, __isl_keep isl_set *where)
{
    struct piece part = *piece;

    part.map = isl_map_intersect_domain(isl_map_copy(piece->map), isl_set_copy(where));
    part.time = poly_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(isl_map_copy(part.map)));
    VEC_PUSH(builder->arena, &builder->piece, part);
    return part;
}

/* Adds the piece with its constant in dimension dim, or where it has several its parts, each with its own; false where
 * it is no constant there. */
static bool add_constant(struct builder *builder, const struct piece *piece, int dim, piece_vec *parts,
                         struct values *constants)
{
    isl_pw_aff *time = isl_pw_multi_aff_get_pw_aff(piece->time, dim);
    struct values values = {.arena = builder->arena};
    const bool all = isl_pw_aff_foreach_piece(time, add_value, &values) == isl_stat_ok && values.value.n > 0;

    for (int k = 0; all && k < values.value.n; k++) {
        VEC_PUSH(builder->arena, &constants->value, values.value.at[k]);
        VEC_PUSH(builder->arena, parts, values.value.n == 1 ? *piece : part_of(builder, piece, values.where.at[k]));
    }
    for (int k = 0; k < values.where.n; k++)
        isl_set_free(values.where.at[k]);
    isl_pw_aff_free(time);
    return all;
}

static const struct order *build(struct builder *builder, struct piece *piece, int n, int dim);

/* The pieces sorted by their constants: one child for each value. */
static const struct order *build_sequence(struct builder *builder, struct piece *piece, const int64_t *constant, int n,
                                          int dim)
{
    const struct order **child = ARENA_ARRAY(builder->arena, n, const struct order *);
    struct piece *group = ARENA_ARRAY(builder->arena, n, struct piece);
    int n_child = 0;
    int64_t next = constant[0], value;

    for (int k = 1; k < n; k++)
        next = constant[k] < next ? constant[k] : next;
    for (int left = n; left > 0;) {
        int size = 0;
        value = next;
        next = 0;
        for (int k = 0, first = 1; k < n; k++) {
            if (constant[k] == value)
                group[size++] = piece[k];
            else if (constant[k] > value && (first || constant[k] < next)) {
                next = constant[k];
                first = 0;
            }
        }
        child[n_child++] = build(builder, group, size, dim + 1);
        left -= size;
    }
    return order_sequence(builder->arena, child, n_child);
}

/* The function of the first piece's statement, which may have more pieces among the n. One function for all of them
 * holds everywhere. */
static __isl_give isl_union_pw_aff *statement_time(const struct piece *piece, int n, int dim)
{
    isl_pw_aff *first = everywhere(isl_pw_multi_aff_get_pw_aff(piece[0].time, dim)), *all = NULL;
    bool same = true;

    for (int k = 0; k < n; k++) {
        isl_pw_aff *time = everywhere(isl_pw_multi_aff_get_pw_aff(piece[k].time, dim));

        if (piece[k].statement != piece[0].statement) {
            isl_pw_aff_free(time);
            continue;
        }
        same = same && isl_pw_aff_plain_is_equal(time, first) == isl_bool_true;
        time = isl_pw_aff_intersect_domain(time, isl_map_domain(isl_map_copy(piece[k].map)));
        all = all ? isl_pw_aff_union_add(all, time) : time;
    }
    isl_pw_aff_free(same ? all : first);
    return isl_union_pw_aff_from_pw_aff(same ? first : all);
}

static bool is_first(const struct piece *piece, int number)
{
    for (int k = 0; k < number; k++)
        if (piece[k].statement == piece[number].statement)
            return false;
    return true;
}

static __isl_give isl_union_pw_aff *pieces_time(const struct piece *piece, int n, int dim)
{
    isl_union_pw_aff *time = NULL;

    for (int k = 0; k < n; k++)
        if (is_first(piece, k)) {
            isl_union_pw_aff *one = statement_time(piece + k, n - k, dim);

            time = time ? isl_union_pw_aff_union_add(time, one) : one;
        }
    return time;
}

static const struct order *tie_loop(struct builder *builder, const struct piece *piece, int iterator, int level,
                                    const struct order *body)
{
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(piece->statement->domain));
    isl_aff *aff = isl_aff_var_on_domain(space, isl_dim_set, (unsigned)iterator);
    isl_union_pw_aff *time = isl_union_pw_aff_from_pw_aff(isl_pw_aff_from_aff(aff));

    return order_loop(builder->arena, dimension_info(builder, builder->n_dim + level), time, body);
}

/* Does the time together with this iterator tell all instances apart? */
static bool iterator_separates(const struct piece *piece, int iterator)
{
    const unsigned n = (unsigned)isl_map_dim(piece->map, isl_dim_out);
    isl_map *map = isl_map_add_dims(isl_map_copy(piece->map), isl_dim_out, 1);
    bool is;

    map = isl_map_equate(map, isl_dim_in, iterator, isl_dim_out, (int)n);
    is = isl_map_is_injective(map) == isl_bool_true;
    isl_map_free(map);
    return is;
}

static const struct order *build_leaf(struct builder *builder, const struct piece *piece)
{
    const int n = piece->statement->n_loop;
    const struct order *order = order_leaf(builder->arena, piece->statement, isl_map_domain(isl_map_copy(piece->map)));

    if (isl_map_is_injective(piece->map) == isl_bool_true)
        return order;
    for (int k = n - 1; k >= 0; k--)
        if (iterator_separates(piece, k))
            return tie_loop(builder, piece, k, 0, order);
    for (int k = n - 1; k >= 0; k--)
        order = tie_loop(builder, piece, k, k, order);
    return order;
}

static const struct order *build_leaves(struct builder *builder, const struct piece *piece, int n)
{
    const struct order **child = ARENA_ARRAY(builder->arena, n, const struct order *);
    int n_child = 0;

    for (int index = 0; index < builder->program->n_statement; index++)
        for (int k = 0; k < n; k++)
            if (piece[k].statement->index == index)
                child[n_child++] = build_leaf(builder, &piece[k]);
    return order_sequence(builder->arena, child, n_child);
}

static const struct order *build(struct builder *builder, struct piece *piece, int n, int dim)
{
    struct values constants = {.arena = builder->arena};
    piece_vec parts = {0};
    bool constant = true;
    const struct loop_info *info;

    if (dim == builder->n_dim)
        return build_leaves(builder, piece, n);
    for (int k = 0; k < n && constant; k++)
        constant = add_constant(builder, &piece[k], dim, &parts, &constants);
    if (constant)
        return build_sequence(builder, parts.at, constants.value.at, parts.n, dim);
    info = dimension_info(builder, dim);
    return order_loop(builder->arena, info, pieces_time(piece, n, dim), build(builder, piece, n, dim + 1));
}

const struct order *order_from_map(struct arena *arena, const struct program *program, __isl_take isl_union_map *map,
                                   const struct map_naming *naming)
{
    struct builder builder = {.arena = arena, .program = program, .naming = naming};
    const struct order *order = NULL;

    isl_union_map_foreach_map(map, add_piece, &builder);
    for (int k = 0; k < builder.piece.n; k++)
        pad_piece(&builder.piece.at[k], builder.n_dim);
    if (builder.piece.n > 0) {
        piece_vec all = {0};

        for (int k = 0; k < builder.piece.n; k++)
            VEC_PUSH(arena, &all, builder.piece.at[k]);
        order = build(&builder, all.at, all.n, 0);
    }
    for (int k = 0; k < builder.piece.n; k++) {
        isl_map_free(builder.piece.at[k].map);
        isl_pw_multi_aff_free(builder.piece.at[k].time);
    }
    isl_union_map_free(map);
    return order;
}
