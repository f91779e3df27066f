#include "sched/from_map.h"

#include "poly/coalesce.h"
#include "poly/number.h"

#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

/* One statement's part of the map: { S[i,j] -> [t0,..] }, padded to the common length. */
struct piece {
    const struct statement *statement;
    isl_map *map;
    isl_pw_multi_aff *time;
};

struct builder {
    struct arena *arena;
    const struct program *program;
    const struct map_naming *naming;
    struct piece *piece;
    int n_piece;
    int n_dim; /* of the longest tuple */
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

    builder->piece[builder->n_piece].statement = program_statement(builder->program, label);
    builder->piece[builder->n_piece++].map = map;
    if (n > builder->n_dim)
        builder->n_dim = n;
    return isl_stat_ok;
}

static isl_stat take_value(__isl_take isl_set *set, __isl_take isl_multi_aff *value, void *user)
{
    isl_multi_aff **only = user;

    isl_set_free(set);
    *only = value;
    return isl_stat_ok;
}

/* { S[i] -> [f(i)] : i in the domain } is f everywhere: isl takes long to compare functions with domains. */
static __isl_give isl_pw_multi_aff *everywhere(__isl_take isl_pw_multi_aff *time)
{
    isl_multi_aff *value = NULL;

    if (isl_pw_multi_aff_n_piece(time) != 1)
        return time;
    isl_pw_multi_aff_foreach_piece(time, take_value, &value);
    isl_pw_multi_aff_free(time);
    return isl_pw_multi_aff_from_multi_aff(value);
}

static void pad_piece(struct piece *piece, int n_dim)
{
    const int n = (int)isl_map_dim(piece->map, isl_dim_out);

    piece->map = isl_map_add_dims(piece->map, isl_dim_out, (unsigned)(n_dim - n));
    for (int k = n; k < n_dim; k++)
        piece->map = isl_map_fix_si(piece->map, isl_dim_out, (unsigned)k, 0);
    piece->time = everywhere(poly_pw_multi_aff_coalesce(isl_pw_multi_aff_from_map(isl_map_copy(piece->map))));
}

static isl_stat constant_piece(__isl_take isl_set *set, __isl_take isl_aff *aff, void *user)
{
    isl_val **value = user;
    isl_val *constant = isl_aff_is_cst(aff) == isl_bool_true ? isl_aff_get_constant_val(aff) : NULL;
    const bool same = constant && (!*value || isl_val_eq(*value, constant) == isl_bool_true);

    isl_set_free(set);
    isl_aff_free(aff);
    isl_val_free(*value);
    *value = constant;
    return same ? isl_stat_ok : isl_stat_error;
}

/* Is dimension dim of the piece's time one integer constant? */
static bool piece_constant(const struct piece *piece, int dim, int64_t *constant)
{
    isl_pw_aff *time = isl_pw_multi_aff_get_pw_aff(piece->time, dim);
    isl_val *value = NULL;
    const bool one = isl_pw_aff_foreach_piece(time, constant_piece, &value) == isl_stat_ok && value;
    const bool fits = poly_number(value, constant);

    isl_pw_aff_free(time);
    return one && fits;
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

static __isl_give isl_union_pw_aff *pieces_time(const struct piece *piece, int n, int dim)
{
    isl_union_pw_aff *time = NULL;

    for (int k = 0; k < n; k++) {
        isl_pw_aff *aff = isl_pw_multi_aff_get_pw_aff(piece[k].time, dim);
        isl_union_pw_aff *one = isl_union_pw_aff_from_pw_aff(aff);
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
    int64_t *constant = ARENA_ARRAY(builder->arena, n, int64_t);
    bool constants = true;
    const struct loop_info *info;

    if (dim == builder->n_dim)
        return build_leaves(builder, piece, n);
    for (int k = 0; k < n && constants; k++)
        constants = piece_constant(&piece[k], dim, &constant[k]);
    if (constants)
        return build_sequence(builder, piece, constant, n, dim);
    info = dimension_info(builder, dim);
    return order_loop(builder->arena, info, pieces_time(piece, n, dim), build(builder, piece, n, dim + 1));
}

const struct order *order_from_map(struct arena *arena, const struct program *program, __isl_take isl_union_map *map,
                                   const struct map_naming *naming)
{
    const int n = (int)isl_union_map_n_map(map);
    struct builder builder = {arena, program, naming, ARENA_ARRAY(arena, n > 0 ? n : 1, struct piece), 0, 0};
    const struct order *order = NULL;

    isl_union_map_foreach_map(map, add_piece, &builder);
    for (int k = 0; k < builder.n_piece; k++)
        pad_piece(&builder.piece[k], builder.n_dim);
    if (builder.n_piece > 0)
        order = build(&builder, builder.piece, builder.n_piece, 0);
    for (int k = 0; k < builder.n_piece; k++) {
        isl_map_free(builder.piece[k].map);
        isl_pw_multi_aff_free(builder.piece[k].time);
    }
    isl_union_map_free(map);
    return order;
}
