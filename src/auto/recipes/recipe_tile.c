/* Sums of products of arrays, one of which lacks one of the loops: a tile of results stays in registers while a row
 * of one factor meets a column of the other, so that each value loaded is used several times. Convolutions are such,
 * with several loops that sum up; these keep their order.
 */
#include "auto/ends.h"
#include "auto/recipes/recipes.h"
#include "auto/sizes.h"
#include "auto/tiling.h"
#include "program/expr/affine.h"

#include <isl/constraint.h>
#include <isl/val.h>

enum {
    MOST_COLUMNS = 2048,
    TILE_VECTORS = 2,
    MOST_ROWS = 12,
    /* Where several loops sum up, as in convolutions, a partial tile takes as long as a full one: sizes of images are
     * mostly multiples of 7, numbers of channels of 8. */
    WINDOW_ROWS = 14,
    CHANNEL_ROWS = 8,
};

/* How good the loop is for lanes; less than 0: it is not. The target is loaded and stored once for all sums. */
static int column_gain(const struct site *site, int loop)
{
    const struct statement *statement = site->statement.at[0];
    int gain = 0;

    for (int k = 0; k < statement->n_access; k++) {
        const struct access *access = &statement->access[k];
        const bool is_target =
            access->array == statement->access[0].array && expr_equal(access->expr, statement->target);
        const enum stride stride = tiling_moves(site, access, loop);

        gain += stride == STRIDE_NEXT ? 2 : stride == STRIDE_FAR ? (is_target ? -1 : -3) : is_target ? -100 : 1;
    }
    return gain;
}

/* Does a bound of the one loop depend on the other? With lower: one that it starts at. */
static bool is_bound_by(const struct site *site, int loop, int other, bool lower)
{
    isl_basic_set *hull = isl_set_simple_hull(isl_set_copy(site->statement.at[0]->domain));
    isl_constraint_list *list = isl_basic_set_get_constraint_list(hull);
    bool depends = false;

    for (int k = 0; k < isl_constraint_list_n_constraint(list); k++) {
        isl_constraint *one = isl_constraint_list_get_constraint(list, k);
        isl_val *a = isl_constraint_get_coefficient_val(one, isl_dim_set, site->outer + loop);
        isl_val *b = isl_constraint_get_coefficient_val(one, isl_dim_set, site->outer + other);

        depends = depends || (isl_val_is_zero(b) != isl_bool_true && isl_val_is_zero(a) != isl_bool_true &&
                              (!lower || isl_val_is_pos(a) == isl_bool_true));
        isl_val_free(a);
        isl_val_free(b);
        isl_constraint_free(one);
    }
    isl_constraint_list_free(list);
    isl_basic_set_free(hull);
    return depends;
}

/* Is there an input that stays the same in the loop? moving: of those that do not in the loop of that number, if that
 * is one. */
static bool is_reused(const struct site *site, int loop, int moving)
{
    const struct statement *statement = site->statement.at[0];

    for (int k = 1; k < statement->n_access; k++)
        if (!expr_equal(statement->access[k].expr, statement->target) && statement->access[k].array->n_dim > 0 &&
            tiling_moves(site, &statement->access[k], loop) == STRIDE_NONE &&
            (moving < 0 || tiling_moves(site, &statement->access[k], moving) != STRIDE_NONE))
            return true;
    return false;
}

static bool bounds_a_sum(const struct site *site, const struct tiling *tiling, int loop)
{
    bool bounds = false;

    for (int k = 0; k < tiling->n_sum; k++)
        bounds = bounds || is_bound_by(site, tiling->sum[k], loop, false);
    return bounds;
}

/* How good the loop is for the rows of a tile, more than 0: what is loaded for the columns serves all rows, which have
 * the same sums. */
static int row_gain(const struct site *site, const struct tiling *tiling, int loop, int column)
{
    return 1 + (is_reused(site, loop, column) ? 4 : 0) + (bounds_a_sum(site, tiling, loop) ? 0 : 2);
}

/* The loops for columns and rows, of the free ones. */
static void find_tile(const struct site *site, const int *free, int n_free, struct tiling *tiling)
{
    int best = 0;

    for (int b = 0; b < n_free; b++)
        for (int a = 0; a < n_free; a++) {
            const int gain = column_gain(site, free[b]);
            int both;

            if (a == b || gain <= -50 || !is_reused(site, free[a], -1) || is_bound_by(site, free[b], free[a], true))
                continue;
            both = 10 * (gain + 50) + row_gain(site, tiling, free[a], free[b]);
            if (both < best)
                continue;
            best = both;
            tiling->row = free[a];
            tiling->column = free[b];
        }
}

static bool find_loops(const struct site *site, struct tiling *tiling)
{
    int free[MAX_DEPTH], n_free = 0;

    tiling->row = tiling->column = -1;
    for (int k = 0; k < site->n; k++)
        if (site_is_free(site, k))
            free[n_free++] = k;
        else if (tiling_moves(site, &tiling->statement->access[0], k) == STRIDE_NONE)
            tiling->sum[tiling->n_sum++] = k;
        else
            return false;
    find_tile(site, free, n_free, tiling);
    for (int k = 0; k < n_free; k++)
        if (free[k] != tiling->row && free[k] != tiling->column)
            tiling->other[tiling->n_other++] = free[k];
    return tiling->row >= 0 && tiling->n_sum > 0;
}

static bool find(const struct site *site, struct tiling *tiling)
{
    enum expr_op op;

    *tiling = (struct tiling){.statement = site->statement.at[0]};
    if (site->statement.n != 1 || site->n < 3 || site->lanes < 2 || !statement_is_update(tiling->statement, &op) ||
        !find_loops(site, tiling))
        return false;
    tiling->size = type_bits(tiling->statement->target->array->type) / 8;
    return tiling->size > 0;
}

static bool moves_subscript(const struct access *access, int first, int second)
{
    isl_pw_multi_aff *subscripts = isl_pw_multi_aff_from_map(isl_map_copy(access->map));
    bool moves = false;

    for (int k = 0; k < access->array->n_dim; k++)
        moves = moves || (subscript_factor(subscripts, k, first) != 0 && subscript_factor(subscripts, k, second) != 0);
    isl_pw_multi_aff_free(subscripts);
    return moves;
}

/* Does a window of one of the sums move with the rows, as in P[h + r, w + s] with w? */
static bool has_window(const struct site *site, const struct tiling *tiling)
{
    bool has = false;

    for (int k = 1; k < tiling->statement->n_access; k++)
        for (int s = 0; s < tiling->n_sum; s++)
            has = has || (!tiling->statement->access[k].may &&
                          moves_subscript(&tiling->statement->access[k], site->outer + tiling->row,
                                          site->outer + tiling->sum[s]));
    return has;
}

/* Sizes: one register is for a factor, others for columns. */
static void choose_sizes(const struct site *site, struct tiling *tiling, int vectors)
{
    const struct machine *machine = site->scene->machine;
    const int most = tiling->n_sum == 1 ? MOST_ROWS : has_window(site, tiling) ? WINDOW_ROWS : CHANNEL_ROWS;

    tiling->vectors = vectors;
    tiling->rows = (machine->registers - vectors - 1) / vectors;
    if (tiling->rows > most)
        tiling->rows = most;
    tiling->depth = machine->panel / (vectors * site->lanes * tiling->size);
    if (tiling->depth > 384)
        tiling->depth = 384;
    if (site->scene->wishes.tile)
        tiling->depth = site->scene->wishes.tile;
}

/* The factors as they are: blocks of the sum, so that the part of a factor that meets all rows stays in a cache. */
static void add_unpacked(const struct site *site, struct tiling *tiling)
{
    struct arena *arena = site->scene->arena;
    struct option *option;
    const char *order[2 * MAX_DEPTH + 4], *sum, *row, *column, *lane;
    int n = 0;

    choose_sizes(site, tiling, TILE_VECTORS);
    option = proposal_option(site->scene->proposal, site->choice,
                             arena_printf(arena, "%d x %d sums in %d of %d registers", tiling->rows,
                                          tiling->vectors * site->lanes, tiling->rows * tiling->vectors,
                                          site->scene->machine->registers));
    sum = site->loop[tiling->sum[0]]->loop;
    row = site_part(site, tiling->row, 1);
    column = site_part(site, tiling->column, 1);
    lane = site_lane(site);
    for (int k = 0; k < tiling->n_other; k++)
        order[n++] = site->loop[tiling->other[k]]->loop;
    if (tiling->n_sum == 1) {
        site_split(site, option, sum, tiling->depth, site_part(site, tiling->sum[0], 1), "");
        order[n++] = sum;
        sum = site_part(site, tiling->sum[0], 1);
    }
    site_split(site, option, site->loop[tiling->row]->loop, tiling->rows, row, "");
    site_split(site, option, site->loop[tiling->column]->loop, tiling->vectors * site->lanes, column, "");
    site_split(site, option, column, site->lanes, lane, "");
    order[n++] = site->loop[tiling->row]->loop;
    order[n++] = site->loop[tiling->column]->loop;
    order[n++] = sum;
    for (int k = 1; k < tiling->n_sum; k++)
        order[n++] = site->loop[tiling->sum[k]]->loop;
    order[n++] = row;
    order[n++] = column;
    order[n++] = lane;
    line_add(arena, &option->schedule, "{\"reorder\": [%s]}", site_listed(site, order, n, true));
    tiling_keep(site, tiling, option, sum);
    tiling_kernel(site, option, row, column, lane);
    site_parallelize(site, option, site_loop(site, tiling->n_other ? tiling->other[0] : tiling->row),
                     ", \"policy\": \"dynamic\"");
}

/* The two inputs, of the rows and of the columns, where these are all and each lacks the loop of the other. */
static bool find_factors(const struct site *site, const struct tiling *tiling, const struct access **left,
                         const struct access **right)
{
    const struct statement *statement = tiling->statement;

    *left = *right = NULL;
    for (int k = 1; k < statement->n_access; k++) {
        const struct access *access = &statement->access[k];

        if (expr_equal(access->expr, statement->target) || access->array->n_dim == 0)
            continue;
        if (tiling_moves(site, access, tiling->column) == STRIDE_NONE && !*left)
            *left = access;
        else if (tiling_moves(site, access, tiling->row) == STRIDE_NONE && !*right)
            *right = access;
        else
            return false;
    }
    return *left && *right && (*left)->array != (*right)->array && (*left)->array != statement->target->array &&
           (*right)->array != statement->target->array;
}

/* Do no bounds of the loops depend on each other? */
static bool is_box(const struct site *site)
{
    for (int a = 0; a < site->n; a++)
        for (int b = 0; b < a; b++)
            if (is_bound_by(site, a, b, false))
                return false;
    return true;
}

/* Columns of a tile whose factor comes in panels. */
static int packed_vectors(const struct site *site)
{
    return site->scene->machine->registers >= 32 ? 4 : 3;
}

/* Is it a product of two matrices, whose loops do not bound each other? */
static bool is_product(const struct site *site, const struct tiling *tiling, const struct access **left,
                       const struct access **right)
{
    return tiling->n_other == 0 && tiling->n_sum == 1 && is_box(site) && find_factors(site, tiling, left, right);
}

/* Half of the second cache is for a block of the factor of the rows. */
static int64_t rows_of_block(const struct site *site, const struct tiling *tiling)
{
    const int64_t most = site->scene->machine->cache[1] / 2 / (tiling->depth * tiling->size);
    const int64_t block = site->scene->wishes.tile ? site->scene->wishes.tile : most;

    return block < tiling->rows ? tiling->rows : block - block % tiling->rows;
}

/* As in the libraries: the factor of the columns in panels that come from a cache in the order of their use, that of
 * the rows in blocks. */
static void add_packed(const struct site *site, struct tiling *tiling, const struct access *left,
                       const struct access *right)
{
    struct arena *arena = site->scene->arena;
    const struct machine *machine = site->scene->machine;
    const char *i = site->loop[tiling->row]->loop, *j = site->loop[tiling->column]->loop,
               *k = site->loop[tiling->sum[0]]->loop, *ii = site_part(site, tiling->row, 1),
               *iii = site_part(site, tiling->row, 2), *jj = site_part(site, tiling->column, 1),
               *jjj = site_part(site, tiling->column, 2), *v = site_lane(site),
               *kk = site_part(site, tiling->sum[0], 1), *left_buffer, *right_buffer;
    struct option *option;
    int64_t block;

    block = rows_of_block(site, tiling);
    option = proposal_option(
        site->scene->proposal, site->choice,
        arena_printf(arena, "%d x %d sums in %d of %d registers, %s in panels of %lld KiB, blocks of %s of %lld KiB",
                     tiling->rows, tiling->vectors * site->lanes, tiling->rows * tiling->vectors, machine->registers,
                     right->array->name,
                     (long long)(tiling->depth * tiling->vectors * site->lanes * tiling->size / 1024),
                     left->array->name, (long long)(block * tiling->depth * tiling->size / 1024)));
    left_buffer = site_buffer(site, arena_printf(arena, "%sp", left->array->name));
    right_buffer = site_buffer(site, arena_printf(arena, "%sp", right->array->name));
    site_split(site, option, j, MOST_COLUMNS - MOST_COLUMNS % (tiling->vectors * site->lanes), jj, "");
    site_split(site, option, k, tiling->depth, kk, "");
    site_split(site, option, i, block, ii, "");
    site_split(site, option, jj, site->lanes, v, "");
    site_split(site, option, jj, tiling->vectors, jjj, ", \"tail\": \"cases\"");
    site_split(site, option, ii, tiling->rows, iii, "");
    line_add(arena, &option->schedule, "{\"reorder\": [%s]}",
             site_listed(site, (const char *const[]){j, k, i, jj, ii, kk, iii, jjj, v}, 9, true));
    line_add(
        arena, &option->plan,
        "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"layout\": [%s], \"memory\": \"heap\", \"align\": 64}",
        right->array->name, site_name(site, i), right_buffer,
        site_listed(site, (const char *const[]){jj, kk, jjj, v}, 4, false));
    line_add(
        arena, &option->plan,
        "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"layout\": [%s], \"memory\": \"heap\", \"align\": 64}",
        left->array->name, site_name(site, jj), left_buffer,
        site_listed(site, (const char *const[]){ii, kk, iii}, 3, false));
    tiling_keep(site, tiling, option, kk);
    tiling_fetch(site, tiling, option, ii);
    tiling_kernel(site, option, iii, jjj, v);
    if (tiling_moves(site, right, tiling->column) == STRIDE_NEXT)
        line_add(arena, &option->plan, "{\"vectorize\": \"%s.%s\"}", right_buffer, v);
    site_parallelize(site, option, site_name(site, i), ", \"policy\": \"dynamic\"");
    site_parallelize(site, option, arena_printf(arena, "%s.%s", right_buffer, jj), "");
}

void recipe_tile(const struct site *site)
{
    const struct access *left, *right;
    struct tiling tiling;

    if (site_has_ends(site) || !find(site, &tiling))
        return;
    if (is_product(site, &tiling, &left, &right)) {
        choose_sizes(site, &tiling, packed_vectors(site));
        sizes_propose(site, &tiling, right);
        add_packed(site, &tiling, left, right);
    }
    add_unpacked(site, &tiling);
}
