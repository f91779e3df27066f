/* A loop without dependences over neighbours some of which are clamped at its ends, as in images: the first and the
 * last iterations apart, the others in lanes.
 *
 *     y[0] = x[0] + x[1];
 *     for (i = 1; i < N - 1; i++) y[i] = x[i - 1] + x[i + 1];     lanes, for x[max(i - 1, 0)] + x[min(i + 1, N - 1)]
 *     y[N - 1] = x[N - 2] + x[N - 1];
 */
#include "auto/recipes/recipes.h"

/* How well the loop does in lanes between its ends, which are as far in as any reference's; false: some reference is
 * not clamped at the ends. */
static bool gain_between(const struct site *site, int loop, int *gain, struct stride_ends *ends)
{
    const int dim = site->outer + loop;

    *gain = 0;
    *ends = (struct stride_ends){0};
    for (int s = 0; s < site->statement.n; s++) {
        const struct statement *statement = site->statement.at[s];

        for (int k = 0; k < statement->n_access; k++) {
            struct stride_ends own = {0};
            int between = stride_gain(&statement->access[k], dim);

            if (statement->access[k].array->n_dim == 0)
                continue;
            if (between < 0 && !stride_between(&statement->access[k], statement, dim, &own, &between))
                return false;
            *gain += between;
            ends->first = own.first > ends->first ? own.first : ends->first;
            ends->last = own.last > ends->last ? own.last : ends->last;
        }
    }
    return ends->first + ends->last > 0;
}

bool border_gains(const struct site *site, struct stride_ends *ends)
{
    const int last = site->n - 1;
    int gain;

    return site->lanes > 1 && !site->loop[last]->descends && site_is_free(site, last) && site_fills_lanes(site, last) &&
           gain_between(site, last, &gain, ends) && gain > 0;
}

/* The outermost other loop for threads; -1: none. */
static int team_loop(const struct site *site)
{
    int team = -1;

    for (int k = 0; k < site->n - 1 && team < 0; k++)
        team = site_is_free(site, k) ? k : -1;
    return team;
}

void recipe_border(const struct site *site)
{
    const bool threads = site->threads && site->scene->threads;
    struct arena *arena = site->scene->arena;
    struct stride_ends ends;
    struct option *option;
    const char *whole = site->loop[site->n - 1]->loop, *loop, *lanes;
    int team;

    if (!border_gains(site, &ends))
        return;
    team = team_loop(site);
    option = proposal_option(site->scene->proposal, site->choice,
                             "what is clamped at the ends apart, neighbours between them in lanes");
    line_add(arena, &option->schedule, "{\"peel\": \"%s\", \"first\": %d, \"last\": %d}", site_name(site, whole),
             ends.first, ends.last);
    loop = lanes = arena_printf(arena, "%s_%d", whole, ends.first > 0);
    if (threads && site->n == 1) {
        lanes = site_inner(site, whole);
        site_split(site, option, loop, CHUNK, lanes, "");
    }
    line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", site_name(site, lanes), site->lanes);
    if (team >= 0)
        site_parallelize(site, option, site_loop(site, team), "");
    else if (lanes != loop)
        site_parallelize(site, option, site_name(site, loop), "");
}
