/* Iterations of loops without dependences are threads: those that use neighbours in memory are neighbours in a warp,
 * so that it loads and stores whole lines.
 */
#include "auto/device/device.h"

enum { MOST_AXES = 3, ROW = 32 };

/* The free loops in the order of the axes z, y, x; the last one is the lane. Others are left to each thread. */
static int axes_of(const struct grid *grid, int *axis, int *left, int *n_left)
{
    const int lane = grid_lane(grid);
    const int n = grid->n_free < MOST_AXES ? grid->n_free : MOST_AXES;
    int skip = grid->n_free - n, at = 0;

    *n_left = 0;
    for (int k = 0; k < grid->n_free; k++)
        if (grid->free[k] != lane && skip-- > 0)
            left[(*n_left)++] = grid->free[k];
        else if (grid->free[k] != lane)
            axis[at++] = grid->free[k];
    axis[at++] = lane;
    return at;
}

/* False: nothing is summed up in registers, though that was asked for. */
static bool add_option(const struct grid *grid, bool with_sums)
{
    static const char *const letter[] = {"z", "y", "x"};
    const struct site *site = &grid->site;
    struct arena *arena = site->scene->arena;
    int axis[MAX_DEPTH], left[MAX_DEPTH], n_left, n = 0;
    const int n_axis = axes_of(grid, axis, left, &n_left), threads = device_threads(site->scene);
    const int tile[] = {1, n_axis > 1 && threads > ROW ? threads / ROW : 1,
                        n_axis > 1 && threads > ROW ? ROW : threads};
    const char *order[3 * MAX_DEPTH], *inner[MOST_AXES] = {0};
    struct text bind = {0};
    struct option *option = proposal_option(site->scene->proposal, site->choice,
                                            n_axis > 1 ? arena_printf(arena,
                                                                      "blocks of %d x %d threads, one for each "
                                                                      "iteration of loops without dependences",
                                                                      tile[1], tile[2])
                                                       : arena_printf(arena,
                                                                      "blocks of %d threads, one for each "
                                                                      "iteration of a loop without dependences",
                                                                      threads));
    bool kept = true;

    for (int k = 0; k < n_axis; k++) {
        const int a = MOST_AXES - n_axis + k;
        const char *loop = site->loop[axis[k]]->loop;

        order[n++] = loop;
        text_addf(&bind, "%s\"%s\": \"block.%s\"", k ? ", " : "", site_name(site, loop), letter[a]);
        if (tile[a] == 1)
            continue;
        inner[a] = site_part(site, axis[k], 1);
        site_split(site, option, loop, tile[a], inner[a], "");
        text_addf(&bind, ", \"%s\": \"thread.%s\"", site_name(site, inner[a]), letter[a]);
    }
    for (int a = 0; a < MOST_AXES; a++)
        if (inner[a])
            order[n++] = inner[a];
    for (int k = 0; k < n_left; k++)
        order[n++] = site->loop[left[k]]->loop;
    for (int k = 0; k < grid->n_rest; k++)
        order[n++] = site->loop[grid->rest[k]]->loop;
    if (site->n > 1)
        line_add(arena, &option->schedule, "{\"reorder\": [%s]}", site_listed(site, order, n, true));
    line_add(arena, &option->plan, "{\"bind\": {%s}}", text_str(&bind));
    text_free(&bind);
    if (with_sums)
        kept =
            grid_keep_sums(grid, option,
                           site_name(site, !grid->deep && grid->n_rest ? site->loop[grid->rest[0]]->loop : inner[2]));
    return kept;
}

void device_points(const struct grid *grid)
{
    if (!add_option(grid, true))
        grid->site.choice->option.n--;
    add_option(grid, false);
}
