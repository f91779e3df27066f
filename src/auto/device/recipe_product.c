/* A product of matrices: a block computes a tile of the result from tiles of the factors in shared memory, each of its
 * threads a small tile in registers. The factors' tiles are there twice: one is filled while the other one is used.
 */
#include "auto/device/device.h"
#include "caps/gpu.h"

/* The loops, and the factors: left lacks the column, right the row. */
struct product {
    int row, column, sum, other; /* other: -1: there is none */
    const struct access *left, *right;
    int bytes; /* of an element of the result */
};

/* Sizes of tiles: of the block, then of a thread. Threads are run columns apart, each with `next` columns next to each
 * other. */
struct tile {
    int bytes; /* of an element of the result, at most */
    bool wide; /* factors are aligned, so that a copy needs fewer registers, which leaves more for a deeper tile */
    int rows, columns, depth;
    int row, run, next;
    int part; /* of the depth, that is written out; 0: all */
};

/* The first that fits is used. */
static const struct tile tiles[] = {
    {4, true, 64, 128, 32, 8, 64, 4, 16},
    {4, false, 64, 128, 16, 8, 64, 4, 0},
    {8, false, 64, 64, 16, 4, 16, 1, 0},
};

enum { WIDE = 16 }; /* bytes of the widest copy */

static enum stride moves(const struct grid *grid, const struct access *access, int loop)
{
    return stride_of(access, grid->site.outer + loop);
}

static bool find_factors(const struct grid *grid, struct product *product)
{
    const struct statement *statement = grid->site.statement.at[0];

    product->left = product->right = NULL;
    for (int k = 1; k < statement->n_access; k++) {
        const struct access *access = &statement->access[k];

        if (expr_equal(access->expr, statement->target) || access->array->n_dim == 0)
            continue;
        if (moves(grid, access, product->sum) == STRIDE_NONE || access->array == statement->access[0].array)
            return false;
        if (moves(grid, access, product->column) == STRIDE_NONE && !product->left)
            product->left = access;
        else if (moves(grid, access, product->row) == STRIDE_NONE && !product->right)
            product->right = access;
        else
            return false;
    }
    return product->left && product->right && product->left->array != product->right->array;
}

static bool find_product(const struct grid *grid, struct product *product)
{
    const struct site *site = &grid->site;
    enum expr_op op;

    if (grid->deep || site->statement.n != 1 || grid->n_rest != 1 || grid->n_free < 2 || grid->n_free > 3 ||
        !statement_is_update(site->statement.at[0], &op) ||
        moves(grid, &site->statement.at[0]->access[0], grid->rest[0]) != STRIDE_NONE)
        return false;
    product->sum = grid->rest[0];
    product->bytes = type_bits(site->statement.at[0]->target->array->type) / 8;
    product->column = grid_lane(grid);
    for (int f = 0; f < grid->n_free; f++) {
        product->row = grid->free[f];
        product->other = -1;
        for (int o = 0; o < grid->n_free; o++)
            if (grid->free[o] != product->row && grid->free[o] != product->column)
                product->other = grid->free[o];
        if (product->row != product->column && find_factors(grid, product))
            return true;
    }
    return false;
}

/* The steps that divide the loops, and the names that they give. */
struct loop_names {
    const char *i, *j, *k, *ii, *iii, *jj, *v, *vv, *kk, *l;
};

static struct loop_names add_loops(const struct grid *grid, const struct product *product, const struct tile *tile,
                                   struct option *option)
{
    const struct site *site = &grid->site;
    struct loop_names name = {site->loop[product->row]->loop,
                              site->loop[product->column]->loop,
                              site->loop[product->sum]->loop,
                              site_part(site, product->row, 1),
                              site_part(site, product->row, 2),
                              site_part(site, product->column, 1),
                              site_lane(site),
                              site_inner(site, site_lane(site)),
                              site_part(site, product->sum, 1),
                              site_part(site, product->sum, 2)};
    const char *order[11];
    int n = 0;

    site_split(site, option, name.i, tile->rows, name.ii, "");
    site_split(site, option, name.j, tile->columns, name.jj, "");
    site_split(site, option, name.k, tile->depth, name.kk, "");
    site_split(site, option, name.ii, tile->row, name.iii, "");
    site_split(site, option, name.jj, tile->run, name.v, "");
    if (tile->next > 1)
        site_split(site, option, name.v, tile->next, name.vv, "");
    if (tile->part)
        site_split(site, option, name.kk, tile->part, name.l, "");
    if (product->other >= 0)
        order[n++] = site->loop[product->other]->loop;
    order[n++] = name.i;
    order[n++] = name.j;
    order[n++] = name.k;
    order[n++] = name.ii;
    order[n++] = name.v;
    order[n++] = name.kk;
    if (tile->part)
        order[n++] = name.l;
    order[n++] = name.iii;
    order[n++] = name.jj;
    if (tile->next > 1)
        order[n++] = name.vv;
    line_add(site->scene->arena, &option->schedule, "{\"reorder\": [%s]}", site_listed(site, order, n, true));
    return name;
}

/* The tile of a factor: its rows are along the loop that threads read side by side, whatever the factor's are. */
static void add_factor(const struct grid *grid, const struct access *factor, int side, struct option *option,
                       const char *at, bool twice)
{
    const struct site *site = &grid->site;
    const struct gpu *gpu = gpu_by_language(site->scene->program->target.language);
    const bool turned = moves(grid, factor, side) != STRIDE_NEXT;
    const char *copies = turned || gpu->lacks_async ? ", \"through\": \"register\"" : ", \"async\": true";

    line_add(site->scene->arena, &option->plan,
             "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"shared\"%s%s%s}", factor->array->name,
             at, site_buffer(site, arena_printf(site->scene->arena, "%s_tile", factor->array->name)),
             turned ? ", \"layout\": \"col_major\", \"pad\": 4" : "", twice ? ", \"double_buffer\": true" : "",
             twice ? copies : "");
}

static void add_option(const struct grid *grid, const struct product *product, const struct tile *tile, bool twice)
{
    const struct site *site = &grid->site;
    struct arena *arena = site->scene->arena;
    struct option *option =
        proposal_option(site->scene->proposal, site->choice,
                        arena_printf(arena,
                                     "tiles of %d x %d sums in blocks of %d threads, %d x %d in the registers of each",
                                     tile->rows, tile->columns, tile->rows / tile->row * (tile->run / tile->next),
                                     tile->row, tile->columns / (tile->run / tile->next)));
    const struct loop_names name = add_loops(grid, product, tile, option);
    const char *unrolled[] = {tile->part ? name.l : name.kk, name.iii, name.jj, name.vv};

    line_add(arena, &option->plan,
             "{\"bind\": {\"%s\": \"block.y\", \"%s\": \"block.x\", \"%s\": \"thread.y\", \"%s\": \"thread.x\"%s}}",
             site_name(site, name.i), site_name(site, name.j), site_name(site, name.ii), site_name(site, name.v),
             product->other < 0 ? "" : arena_printf(arena, ", \"%s\": \"block.z\"", site_loop(site, product->other)));
    line_add(arena, &option->plan, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"register\"}",
             site->statement.at[0]->target->array->name, site_name(site, name.k), site_buffer(site, "sum"));
    add_factor(grid, product->left, product->row, option, site_name(site, name.ii), twice);
    add_factor(grid, product->right, product->column, option, site_name(site, name.ii), twice);
    line_add(arena, &option->plan, "{\"kernelize\": {\"unroll\": [%s]}}",
             site_listed(site, unrolled, tile->next > 1 ? 4 : 3, true));
}

bool grid_is_product(const struct grid *grid)
{
    struct product product;

    return find_product(grid, &product);
}

void device_product(const struct grid *grid)
{
    struct product product;
    bool wide;

    if (!find_product(grid, &product))
        return;
    wide = product.left->array->align >= WIDE && product.right->array->align >= WIDE;
    for (size_t k = 0; k < sizeof(tiles) / sizeof(tiles[0]); k++)
        if (product.bytes <= tiles[k].bytes && (wide || !tiles[k].wide)) {
            add_option(grid, &product, &tiles[k], true);
            add_option(grid, &product, &tiles[k], false);
            return;
        }
}
