#include "auto/device/device.h"

#include "auto/divide.h"
#include "auto/own.h"

static void (*const recipes[])(const struct grid *grid) = {device_product, device_transposition, device_rows,
                                                           device_window,  device_columns,       device_points};

static bool is_free(const struct grid *grid, const bool *apart, int loop)
{
    const struct site *site = &grid->site;
    const struct reach reach =
        distance_apart(site->scene->distances, site->member, apart, site->outer, site->outer + loop);

    return (!reach.any || (reach.least == 0 && reach.most == 0)) && !site_sums(site, loop);
}

/* The loops from part on. */
static struct grid grid_at(const struct scene *scene, const struct nest_part *part)
{
    struct grid grid = {.site = site_around(scene, part, true)};
    const struct nest_part *last = grid.site.loop[grid.site.n - 1];
    const own_vec own = own_scalars(scene, last);
    bool *apart = ARENA_ARRAY(scene->arena, scene->program->n_array, bool);

    for (int k = 0; k < own.n; k++)
        apart[own.at[k] - scene->program->array] = true;
    for (int k = 0; k < last->child.n; k++)
        grid.deep = grid.deep || last->child.at[k]->loop;
    for (int k = 0; k < grid.site.n; k++)
        if (is_free(&grid, apart, k) || own_frees(&grid.site, k))
            grid.free[grid.n_free++] = k;
        else
            grid.rest[grid.n_rest++] = k;
    return grid;
}

/* How many loops of the part may be blocks and threads, before or after the host holds loops around them; of a product
 * more than of anything else. */
static int width_of(const struct scene *scene, const struct nest_part *part)
{
    const struct grid grid = grid_at(scene, part);
    int width = grid_is_product(&grid) ? MAX_DEPTH + 1 : grid.n_free;

    for (int k = 0; width == 0 && k < part->child.n; k++) {
        const int inside = part->child.at[k]->loop ? width_of(scene, part->child.at[k]) : 0;

        width = inside > width ? inside : width;
    }
    return width;
}

bool device_gains(const struct scene *scene, const struct nest_part *piece, const struct nest_part *loop)
{
    return width_of(scene, piece) > width_of(scene, loop);
}

static void place(const struct scene *scene, const struct nest_part *part)
{
    struct grid grid;

    if (!part->loop || device_total(scene, part))
        return;
    grid = grid_at(scene, part);
    if (grid.n_free == 0) {
        for (int k = 0; k < part->child.n; k++)
            place(scene, part->child.at[k]);
        return;
    }
    grid.site.choice = site_choice(scene, part);
    for (size_t k = 0; k < sizeof(recipes) / sizeof(recipes[0]); k++)
        recipes[k](&grid);
}

void device_propose(struct scene *scene, const struct nest *nest)
{
    part_vec parts = part_of_nest(scene->arena, nest);

    parts = divide_nest(scene, &parts);
    for (int k = 0; k < parts.n; k++)
        place(scene, parts.at[k]);
}
