#include "auto/device/device.h"

/* How near to each other the loop's iterations are in memory. */
static int nearness(const struct grid *grid, int loop)
{
    static const int gain[] = {[STRIDE_NONE] = 1, [STRIDE_NEXT] = 4, [STRIDE_FAR] = -8};
    const struct site *site = &grid->site;
    int total = 0;

    for (int s = 0; s < site->statement.n; s++)
        for (int k = 0; k < site->statement.at[s]->n_access; k++) {
            const struct access *access = &site->statement.at[s]->access[k];

            if (access->array->n_dim > 0)
                total += gain[stride_of(access, site->outer + loop)] * (access->write ? 2 : 1);
        }
    return total;
}

int device_threads(const struct scene *scene)
{
    return scene->wishes.threads ? (int)scene->wishes.threads : scene->device->threads;
}

int grid_lane(const struct grid *grid)
{
    int best = grid->free[grid->n_free - 1];

    for (int k = grid->n_free - 2; k >= 0; k--)
        if (nearness(grid, grid->free[k]) > nearness(grid, best))
            best = grid->free[k];
    return best;
}

const char *grid_third(const struct grid *grid, int first, int second, const char **order, int *n)
{
    const char *bound = "";

    for (int f = 0; f < grid->n_free; f++)
        if (grid->free[f] != first && grid->free[f] != second) {
            order[(*n)++] = grid->site.loop[grid->free[f]]->loop;
            bound =
                arena_printf(grid->site.scene->arena, ", \"%s\": \"block.z\"", site_loop(&grid->site, grid->free[f]));
        }
    return bound;
}

bool grid_sums_freely(const struct grid *grid, int loop)
{
    const struct site *site = &grid->site;
    const struct statement *statement = site->statement.at[0];
    bool *only = ARENA_ARRAY(site->scene->arena, site->scene->program->n_statement, bool);
    struct reach reach;
    enum expr_op op;

    if (site->statement.n != 1 || !statement_is_update(statement, &op) || !site_sums(site, loop))
        return false;
    only[statement->index] = true;
    reach = distance_in(site->scene->distances, only, site->outer, site->outer + loop);
    return !reach.any || (reach.least == 0 && reach.most == 0);
}

/* Does each iteration of the grid add to one element of the statement's array, which then stays in a register? */
static bool stays(const struct grid *grid, const struct statement *statement)
{
    const struct site *site = &grid->site;
    enum expr_op op;
    int n_sum = 0;

    if (!statement_is_update(statement, &op) || statement->target->array->n_dim == 0)
        return false;
    for (int k = site->outer; k < statement->n_loop; k++) {
        bool is_free = false;

        for (int f = 0; f < grid->n_free; f++)
            is_free = is_free || grid->free[f] == k - site->outer;
        if (!is_free && stride_of(&statement->access[0], k) != STRIDE_NONE)
            return false;
        n_sum += !is_free;
    }
    return n_sum > 0;
}

bool grid_keep_sums(const struct grid *grid, struct option *option, const char *loop)
{
    const struct scene *scene = grid->site.scene;
    bool *done = ARENA_ARRAY(scene->arena, scene->program->n_array, bool), any = false;

    for (int s = 0; s < scene->program->n_statement; s++) {
        const struct statement *statement = scene->program->statement[s];
        const struct array *array = statement->target->array;

        if (!grid->site.member[s] || done[array - scene->program->array] || !stays(grid, statement))
            continue;
        done[array - scene->program->array] = any = true;
        line_add(scene->arena, &option->plan,
                 "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"register\"}", array->name, loop,
                 site_buffer(&grid->site, "sum"));
    }
    return any;
}
