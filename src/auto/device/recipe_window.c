/* Convolutions: a block reads the elements that its windows overlap in, and the weights that all of them share, into
 * shared memory once.
 */
#include "auto/device/device.h"
#include "program/expr/affine.h"

#include <stdlib.h>

enum { TILE = 16, MOST_ELEMENTS = 64, MOST_AXES = 3 };

/* The loops of a window, which are inside of those of the grid: dimensions of the statement. */
struct window {
    const struct statement *statement;
    int dim[MAX_DEPTH], n;
};

/* The iterations of a loop from 0 to a constant; 0: it is none. */
static int64_t constant_extent(const struct grid *grid, const struct statement *statement, int dim)
{
    const char *end = site_end(grid->site.scene, statement, dim);
    char *rest;
    const long long extent = end ? strtoll(end, &rest, 10) : 0;

    return end && !*rest && extent > 0 ? extent : 0;
}

static bool find_window(const struct grid *grid, struct window *window)
{
    const struct site *site = &grid->site;
    int64_t elements = 1;

    *window = (struct window){.statement = site->statement.at[0]};
    for (int k = 0; k < grid->n_rest; k++)
        window->dim[window->n++] = site->outer + grid->rest[k];
    for (int k = site->outer + site->n; k < window->statement->n_loop; k++)
        window->dim[window->n++] = k;
    for (int k = 0; k < window->n; k++) {
        elements *= constant_extent(grid, window->statement, window->dim[k]);
        if (elements == 0 || elements > MOST_ELEMENTS)
            return false;
    }
    return window->n > 0;
}

/* Does a subscript move with a loop of the grid and with one of the window? */
static bool overlaps(const struct grid *grid, const struct window *window, const struct access *access)
{
    isl_pw_multi_aff *subscripts;
    bool both = false;

    if (access->may)
        return false;
    subscripts = isl_pw_multi_aff_from_map(isl_map_copy(access->map));
    for (int k = 0; k < access->array->n_dim; k++)
        for (int f = 0; f < grid->n_free; f++)
            for (int w = 0; w < window->n; w++)
                both = both || (subscript_factor(subscripts, k, grid->site.outer + grid->free[f]) != 0 &&
                                subscript_factor(subscripts, k, window->dim[w]) != 0);
    isl_pw_multi_aff_free(subscripts);
    return both;
}

/* Is it the same for all iterations of the grid, but not of the window? */
static bool is_weight(const struct grid *grid, const struct access *access)
{
    bool same = access->array->n_dim > 0;

    for (int f = 0; f < grid->n_free; f++)
        same = same && stride_of(access, grid->site.outer + grid->free[f]) == STRIDE_NONE;
    return same;
}

/* Shared tiles of what the statement reads; false: no array has windows that overlap. */
static bool add_tiles(const struct grid *grid, const struct window *window, struct option *option, const char *loop)
{
    const struct scene *scene = grid->site.scene;
    const struct statement *statement = window->statement;
    bool any = false, *done = ARENA_ARRAY(scene->arena, scene->program->n_array, bool);

    for (int k = 1; k < statement->n_access; k++) {
        const struct access *access = &statement->access[k];
        const bool tile = overlaps(grid, window, access);

        if (access->array == statement->access[0].array || done[access->array - scene->program->array] ||
            (!tile && !is_weight(grid, access)))
            continue;
        done[access->array - scene->program->array] = true;
        any = any || tile;
        line_add(scene->arena, &option->plan,
                 "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"shared\"}", access->array->name,
                 loop, site_buffer(&grid->site, tile ? "tile" : "weights"));
    }
    return any;
}

void device_window(const struct grid *grid)
{
    const struct site *site = &grid->site;
    struct arena *arena = site->scene->arena;
    const int lane = grid_lane(grid);
    const char *order[3 * MAX_DEPTH], *yy, *xx, *more;
    struct option *option;
    struct window window;
    int row, n = 0;

    if (grid->n_free < 2 || grid->n_free > MOST_AXES || !find_window(grid, &window))
        return;
    row = grid->free[grid->n_free - 1] != lane ? grid->free[grid->n_free - 1] : grid->free[grid->n_free - 2];
    option = proposal_option(site->scene->proposal, site->choice,
                             arena_printf(arena, "blocks of %d x %d threads, which share what their windows overlap in",
                                          TILE, TILE));
    yy = site_part(site, row, 1);
    xx = site_part(site, lane, 1);
    site_split(site, option, site->loop[row]->loop, TILE, yy, "");
    site_split(site, option, site->loop[lane]->loop, TILE, xx, "");
    more = grid_third(grid, lane, row, order, &n);
    order[n++] = site->loop[row]->loop;
    order[n++] = site->loop[lane]->loop;
    order[n++] = yy;
    order[n++] = xx;
    for (int k = 0; k < grid->n_rest; k++)
        order[n++] = site->loop[grid->rest[k]]->loop;
    line_add(arena, &option->schedule, "{\"reorder\": [%s]}", site_listed(site, order, n, true));
    line_add(arena, &option->plan,
             "{\"bind\": {\"%s\": \"block.y\", \"%s\": \"block.x\", \"%s\": \"thread.y\", \"%s\": \"thread.x\"%s}}",
             site_loop(site, row), site_loop(site, lane), site_name(site, yy), site_name(site, xx), more);
    if (!add_tiles(grid, &window, option, site_name(site, yy))) {
        site->choice->option.n--;
        return;
    }
    grid_keep_sums(grid, option, site_name(site, xx));
    for (int k = 0; k < window.n; k++)
        line_add(arena, &option->plan, "{\"unroll\": \"%s\"}",
                 site_name(site, window.statement->loop_name[window.dim[k]]));
}
