/* A loop whose iterations have nothing to do with each other, around whatever loops, such as one over the points of a
 * set or one over small matrices whose elements of one place lie together: iterations in lanes, with all that is in
 * them. It is for loops in which nothing else gains.
 */
#include "auto/ends.h"
#include "auto/own.h"
#include "auto/recipes/recipes.h"
#include "auto/sums.h"

/* The least number of vectors for a thread, and where they stay in registers. */
enum { STREAM_VECTORS = 16, SUM_VECTORS = 4 };

static int gain_of(const struct site *site, int loop)
{
    const struct program *program = site->scene->program;
    int gain = 0;

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; site->member[s] && k < program->statement[s]->n_access; k++)
            if (program->statement[s]->access[k].array->n_dim > 0)
                gain += stride_gain(&program->statement[s]->access[k], loop);
    return gain;
}

/* May the iterations run at once, with what each has for itself, and with ends that are the same for all of them? */
static bool is_apart(const struct site *site, int loop)
{
    const own_vec own = own_inside(site->scene, site->loop[loop]);
    const struct program *program = site->scene->program;

    for (int s = 0; s < program->n_statement; s++)
        if (site->member[s] && says_ends(program->statement[s], loop))
            return false;
    return own_suffices(site->scene, site->loop[loop], &own);
}

/* The one of the loops alone in each other that gains most; -1: none does. */
static int best_loop(const struct site *site)
{
    int best = -1, most = 0;

    for (int k = 0; k < site->n; k++)
        if (gain_of(site, k) > most && site_fills_lanes(site, k) && is_apart(site, k)) {
            most = gain_of(site, k);
            best = k;
        }
    return best;
}

/* The outermost other loop for threads; -1: none. */
static int team_loop(const struct site *site, int lanes)
{
    for (int k = 0; k < lanes; k++)
        if (is_apart(site, k))
            return k;
    return -1;
}

/* Steps name loops by the first statement of the site: by one that the user wrote. */
static void choose_label(struct site *site)
{
    int user = 0;

    while (user < site->statement.n - 1 && site->statement.at[user]->access[0].array->is_while)
        user++;
    site->statement.at[0] = site->statement.at[user];
}

static int lanes_of(const struct site *site)
{
    const struct program *program = site->scene->program;
    VEC(const struct statement *) all = {0};

    for (int s = 0; s < program->n_statement; s++)
        if (site->member[s])
            VEC_PUSH(site->scene->arena, &all, program->statement[s]);
    return common_lanes(site->scene, all.at, all.n);
}

/* Lanes of the loop with all that is in it: what loops inside sum up stays in registers. team: the loop for threads,
 * itself for chunks of it, -1: none. */
static void add_option(const struct site *site, const sum_vec *sums, int loop, int team)
{
    const struct scene *scene = site->scene;
    struct option *option =
        proposal_option(scene->proposal, site->choice,
                        sums->n ? "iterations that share nothing, in lanes, what loops inside sum up in registers"
                                : "iterations that share nothing, in lanes with all that is in them");
    const char *lanes = site->loop[loop]->loop;

    if (team == loop) {
        const char *inner = site_part(site, loop, 1);

        site_split(site, option, lanes, sums_chunk(site, loop, CHUNK, sums->n ? SUM_VECTORS : STREAM_VECTORS), inner,
                   "");
        lanes = inner;
    }
    if (sums->n) {
        const char *vector = site_lane(site);

        site_split(site, option, lanes, site->lanes, vector, "");
        sums_keep(site, option, sums, site_name(site, lanes));
        lanes = vector;
    }
    line_add(scene->arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", site_name(site, lanes),
             site->lanes);
    if (team >= 0)
        site_parallelize(site, option, site_loop(site, team), "");
}

void recipe_apart(const struct scene *scene, const struct nest_part *part, struct choice *choice)
{
    const sum_vec none = {0};
    struct site site;
    sum_vec sums;
    int loop, team;

    site = site_around(scene, part, true);
    site.choice = choice;
    site.lanes = lanes_of(&site);
    loop = site.lanes > 1 ? best_loop(&site) : -1;
    if (loop < 0)
        return;
    choose_label(&site);
    team = team_loop(&site, loop);
    if (team < 0 && scene->threads)
        team = loop;
    sums = sums_inside(&site, loop);
    if (sums.n)
        add_option(&site, &sums, loop, team);
    add_option(&site, &none, loop, team);
}
