/* What is written along one loop and read along another goes through a tile in shared memory, so that both are along
 * rows. One unused element behind each row keeps the threads of a warp that read a column off each other's banks.
 */
#include "auto/device/device.h"

enum { TILE = 32, ROWS = 8 };

static enum stride moves(const struct grid *grid, const struct access *access, int loop)
{
    return stride_of(access, grid->site.outer + loop);
}

/* The loop along which the input is read, other than that along which the target is written; -1: there is none. */
static int reading_loop(const struct grid *grid, int lane, const struct access **input)
{
    const struct statement *statement = grid->site.statement.at[0];

    for (int k = 1; k < statement->n_access; k++)
        for (int f = 0; f < grid->n_free; f++)
            if (grid->free[f] != lane && statement->access[k].array != statement->access[0].array &&
                moves(grid, &statement->access[k], grid->free[f]) == STRIDE_NEXT &&
                moves(grid, &statement->access[k], lane) == STRIDE_FAR) {
                *input = &statement->access[k];
                return grid->free[f];
            }
    return -1;
}

void device_transposition(const struct grid *grid)
{
    const struct site *site = &grid->site;
    struct arena *arena = site->scene->arena;
    const struct access *input = NULL;
    int lane = -1, row;
    const char *i, *j, *ii, *jj, *v, *order[MAX_DEPTH + 3], *more;
    struct option *option;
    int n = 0;

    if (grid->deep || grid->n_rest > 0 || grid->n_free > 3 || site->statement.n != 1)
        return;
    for (int f = 0; f < grid->n_free; f++)
        if (moves(grid, &site->statement.at[0]->access[0], grid->free[f]) == STRIDE_NEXT)
            lane = grid->free[f];
    row = lane < 0 ? -1 : reading_loop(grid, lane, &input);
    if (row < 0)
        return;
    option = proposal_option(site->scene->proposal, site->choice,
                             arena_printf(arena, "tiles of %s of %d x %d elements go through shared memory",
                                          input->array->name, TILE, TILE));
    i = site->loop[lane]->loop;
    j = site->loop[row]->loop;
    ii = site_part(site, lane, 1);
    jj = site_part(site, row, 1);
    v = site_lane(site);
    site_split(site, option, j, TILE, jj, "");
    site_split(site, option, i, TILE, ii, "");
    site_split(site, option, jj, ROWS, v, "");
    more = grid_third(grid, lane, row, order, &n);
    line_add(arena, &option->plan,
             "{\"bind\": {\"%s\": \"block.x\", \"%s\": \"block.y\", \"%s\": \"thread.y\", \"%s\": \"thread.x\"%s}}",
             site_name(site, j), site_name(site, i), site_name(site, v), site_name(site, ii), more);
    order[n++] = j;
    order[n++] = i;
    order[n++] = v;
    order[n++] = ii;
    order[n++] = jj;
    line_add(arena, &option->schedule, "{\"reorder\": [%s]}", site_listed(site, order, n, true));
    line_add(arena, &option->plan,
             "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"shared\", \"pad\": 1}",
             input->array->name, site_name(site, v), site_buffer(site, "tile"));
    line_add(arena, &option->plan, "{\"kernelize\": {\"unroll\": [\"%s\"]}}", site_name(site, jj));
}
