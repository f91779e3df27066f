/* Loops whose iterations share only temporaries, of which each iteration has values of its own: the outermost one in
 * threads, and the innermost one, where it moves to neighbours, in lanes.
 *
 *     for (y ..)                      threads
 *         for (x ..) {                lanes, in which p[0] and p[1] are vectors
 *             p[0] = ..; p[1] = ..;
 *             g[y, x] = p[0] * p[1];
 *         }
 *
 * That each value is of the iteration which uses it the plan proves; here loops count whose iterations write a
 * temporary before they read it.
 */
#include "auto/own.h"
#include "auto/recipes/recipes.h"

static bool is_temporary(const struct access *access)
{
    return access->array->role == ROLE_TEMP;
}

/* How well the loop does in lanes, temporaries apart. */
static int lanes_gain(const struct site *site, int loop)
{
    int total = 0;

    for (int s = 0; s < site->statement.n; s++)
        for (int k = 0; k < site->statement.at[s]->n_access; k++)
            if (!is_temporary(&site->statement.at[s]->access[k]))
                total += stride_gain(&site->statement.at[s]->access[k], site->outer + loop);
    return total;
}

static void add_option(const struct site *site, const char *why, int team, int lanes)
{
    struct option *option = proposal_option(site->scene->proposal, site->choice, why);

    if (lanes >= 0)
        line_add(site->scene->arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", site_loop(site, lanes),
                 site->lanes);
    if (team >= 0)
        site_parallelize(site, option, site_loop(site, team), "");
}

void recipe_private(const struct site *site)
{
    const int last = site->n - 1;
    const bool threads = site->threads && site->scene->threads;
    int team = -1, lanes = -1;

    if (site->choice->option.n > 0)
        return;
    if (site->lanes > 1 && own_frees(site, last) && lanes_gain(site, last) > 0 && site_fills_lanes(site, last))
        lanes = last;
    for (int k = 0; k < site->n && threads && team < 0; k++)
        if (k != lanes && (site_is_free(site, k) || own_frees(site, k)))
            team = k;
    if (team >= 0 && lanes >= 0)
        add_option(site, "the outermost loop in threads, neighbours in lanes, each with temporaries of its own", team,
                   lanes);
    if (lanes >= 0)
        add_option(site, "neighbours in lanes, each with temporaries of its own", -1, lanes);
    if (team >= 0)
        add_option(site, "the outermost loop in threads, each with temporaries of its own", team, -1);
}
