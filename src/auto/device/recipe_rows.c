/* Sums whose order is free, by the threads of a block: each has a part of the sum, then they exchange these. */
#include "auto/device/device.h"

enum {
    ROWS = 1 << 17, /* iterations that all blocks together go through at a time */
};

/* The sum that the loops of the grid are around, if it is along neighbours, in any order: its loop is the innermost
 * one, or the only one inside of the innermost one. Returns its dimension; -1: there is none. */
static int sum_loop(const struct grid *grid)
{
    const struct site *site = &grid->site;
    const struct statement *statement = site->statement.at[0];
    const int dim = site->outer + grid->n_free;

    if (grid->n_rest > 1 || (grid->n_rest == 1 && grid->rest[0] != grid->n_free) || statement->n_loop != dim + 1 ||
        !grid_sums_freely(grid, grid->n_free))
        return -1;
    for (int k = 0; k < statement->n_access; k++)
        if (stride_of(&statement->access[k], dim) == STRIDE_NEXT)
            return dim;
    return -1;
}

void device_rows(const struct grid *grid)
{
    const struct site *site = &grid->site;
    struct arena *arena = site->scene->arena;
    const int sum = grid->n_free < 3 && site->outer == 0 ? sum_loop(grid) : -1, threads = device_threads(site->scene);
    const char *label, *part, *inner, *loop;
    struct option *option;
    struct text bind = {0};

    if (sum < 0)
        return;
    label = site->statement.at[0]->label;
    loop = site->statement.at[0]->loop_name[sum];
    inner = site_inner(site, loop);
    part = site_buffer(site, "part");
    option = proposal_option(site->scene->proposal, site->choice,
                             arena_printf(arena, "a block for each sum, of which its %d threads have parts", threads));
    site_split(site, option, loop, threads, inner, "");
    line_add(arena, &option->schedule, "{\"rfactor\": \"%s\", \"of\": \"%s\", \"axis\": %d, \"as\": \"%s\"}",
             site_name(site, inner), label, grid->n_free, part);
    loop = site->loop[0]->loop;
    line_add(arena, &option->schedule, "{\"fuse\": [\"%s_rf.%s\", \"%s.%s\"], \"partial\": %d}", label, loop, label,
             loop, grid->n_free);
    for (int k = 0; k < grid->n_free; k++)
        text_addf(&bind, "\"%s.%s\": \"block.%c\", ", label, site->loop[grid->free[k]]->loop,
                  k == grid->n_free - 1 ? 'x' : 'y');
    line_add(arena, &option->plan, "{\"bind\": {%s\"%s_%s\": \"thread.x\", \"%s.%s\": \"thread.x\"}}", text_str(&bind),
             part, inner, label, inner);
    text_free(&bind);
}

bool device_total(const struct scene *scene, const struct nest_part *part)
{
    struct site site;
    struct arena *arena = scene->arena;
    const int threads = device_threads(scene);
    const char *label, *partial, *loop, *inner, *lane;
    struct option *option;
    struct grid grid;

    if (part->depth > 0 || !site_at(scene, part, true, &site) || site.n != 1)
        return false;
    grid = (struct grid){.site = site};
    if (!grid_sums_freely(&grid, 0))
        return false;
    grid.site.choice = site_choice(scene, part);
    label = site.statement.at[0]->label;
    loop = site.loop[0]->loop;
    inner = site_part(&grid.site, 0, 1);
    partial = site_buffer(&site, "part");
    lane = arena_printf(arena, "%s_%s", partial, site_part(&grid.site, 0, 2));
    option = proposal_option(scene->proposal, grid.site.choice,
                             arena_printf(arena, "%d blocks of %d threads with partial sums", ROWS / threads, threads));
    site_split(&grid.site, option, loop, ROWS, inner, "");
    line_add(arena, &option->schedule, "{\"rfactor\": \"%s\", \"of\": \"%s\", \"as\": \"%s\"}", site_name(&site, inner),
             label, partial);
    line_add(arena, &option->schedule, "{\"fuse\": [\"%s_rf.%s_%s\", \"%s.%s\"], \"partial\": 1}", label, partial,
             inner, label, inner);
    line_add(arena, &option->schedule, "{\"split\": \"%s_%s\", \"by\": %d, \"as\": \"%s\"}", partial, inner, threads,
             lane);
    line_add(arena, &option->plan, "{\"bind\": {\"%s_%s\": \"block.x\", \"%s\": \"thread.x\"}}", partial, inner, lane);
    return true;
}
