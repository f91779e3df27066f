/* Stencils: a thread computes several elements of a column. What it loads for one of them, it has for the next ones. */
#include "auto/device/device.h"

enum { ELEMENTS = 4, MOST_AXES = 3 };

/* Is an array read at several places that move with the loop? */
static bool has_neighbours(const struct grid *grid, int loop)
{
    const struct site *site = &grid->site;

    for (int s = 0; s < site->statement.n; s++) {
        const struct statement *statement = site->statement.at[s];

        for (int a = 0; a < statement->n_access; a++)
            for (int b = 0; b < a; b++)
                if (statement->access[a].array == statement->access[b].array && !statement->access[a].write &&
                    !statement->access[b].write && !expr_equal(statement->access[a].expr, statement->access[b].expr) &&
                    stride_of(&statement->access[a], site->outer + loop) == STRIDE_FAR)
                    return true;
    }
    return false;
}

/* The innermost of the other free loops in which there are; -1: there is none. */
static int column_loop(const struct grid *grid, int lane)
{
    for (int f = grid->n_free - 1; f >= 0; f--)
        if (grid->free[f] != lane && has_neighbours(grid, grid->free[f]))
            return grid->free[f];
    return -1;
}

void device_columns(const struct grid *grid)
{
    const struct site *site = &grid->site;
    struct arena *arena = site->scene->arena;
    const int lane = grid_lane(grid), column = column_loop(grid, lane), threads = device_threads(site->scene);
    const char *i, *j, *u, *v, *order[MAX_DEPTH + 2], *more;
    struct option *option;
    int n = 0;

    if (grid->deep || grid->n_rest > 0 || grid->n_free > MOST_AXES || column < 0)
        return;
    option = proposal_option(site->scene->proposal, site->choice,
                             arena_printf(arena, "a thread has %d elements of a column, which share what they read",
                                          ELEMENTS));
    i = site->loop[column]->loop;
    j = site->loop[lane]->loop;
    u = site_part(site, column, 1);
    v = site_part(site, lane, 1);
    site_split(site, option, i, ELEMENTS, u, "");
    site_split(site, option, j, threads, v, "");
    more = grid_third(grid, lane, column, order, &n);
    order[n++] = i;
    order[n++] = j;
    order[n++] = v;
    order[n++] = u;
    line_add(arena, &option->schedule, "{\"reorder\": [%s]}", site_listed(site, order, n, true));
    line_add(arena, &option->plan, "{\"bind\": {\"%s\": \"block.y\", \"%s\": \"block.x\", \"%s\": \"thread.x\"%s}}",
             site_name(site, i), site_name(site, j), site_name(site, v), more);
    line_add(arena, &option->plan, "{\"kernelize\": {\"unroll\": [\"%s\"]}}", site_name(site, u));
}
