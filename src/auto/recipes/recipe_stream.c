#include "auto/ends.h"
#include "auto/recipes/recipes.h"

#include <string.h>

/* Registers for a sum, whose additions wait for each other, and the most statements for which there are enough. */
enum { SUM_REGISTERS = 4, MOST_SUMMING = 4 };

/* How well the loop does in lanes. */
static int lanes_gain(const struct site *site, int loop)
{
    int total = 0;

    for (int s = 0; s < site->statement.n; s++) {
        const struct statement *statement = site->statement.at[s];

        for (int k = 0; k < statement->n_access; k++)
            if (statement->access[k].array->n_dim > 0)
                total += stride_gain(&statement->access[k], site->outer + loop);
    }
    return total;
}

/* The free loop that does best; -1: none gains. */
static int best_loop(const struct site *site)
{
    int best = -1, gain = 1;

    for (int k = 0; k < site->n; k++)
        if (site_is_free(site, k) && lanes_gain(site, k) >= gain && site_fills_lanes(site, k) &&
            !site_says_ends(site, k)) {
            gain = lanes_gain(site, k);
            best = k;
        }
    return best;
}

int stream_lanes(const struct site *site)
{
    const int best = site->lanes > 1 ? best_loop(site) : -1, last = site->n - 1;
    const int gain = best >= 0 ? lanes_gain(site, best) : 0;

    /* Sums in any order: the innermost loop has a sum in each lane. */
    if (site->lanes > 1 && !site_carries(site, last) && lanes_gain(site, last) > gain && site_fills_lanes(site, last))
        return last;
    return best;
}

/* The lanes of the loop: those of several registers where they sum up, and rows are not those of a sparse matrix. */
static int lanes_in(const struct site *site, int loop)
{
    const int64_t lanes = (int64_t)SUM_REGISTERS * site->lanes;
    struct extent extent;

    site_extent(site, loop, &extent);
    return site_sums(site, loop) && site->statement.n <= MOST_SUMMING && extent.most >= lanes &&
                   !site_is_ended(site, loop)
               ? (int)lanes
               : site->lanes;
}

/* The outermost free loop besides; one that elements end stays where these are known. */
static int team_loop(const struct site *site, int lanes)
{
    for (int k = 0; k < site->n; k++)
        if (k != lanes && site_is_free(site, k) && (k == 0 || !site_is_ended(site, k)))
            return k;
    return -1;
}

/* Free loops may go anywhere: team outermost, lanes innermost. */
static void reorder(const struct site *site, struct option *option, int team, int lanes)
{
    const char *name[MAX_DEPTH];
    struct text text = {0};
    int n = 0;

    if (team >= 0)
        name[n++] = site_loop(site, team);
    for (int k = 0; k < site->n; k++)
        if (k != team && k != lanes)
            name[n++] = site_loop(site, k);
    if (lanes >= 0)
        name[n++] = site_loop(site, lanes);
    if (team <= 0 && (lanes < 0 || lanes == site->n - 1))
        return;
    for (int k = 0; k < n; k++)
        text_addf(&text, "%s\"%s\"", k ? ", " : "", name[k]);
    line_add(site->scene->arena, &option->schedule, "{\"reorder\": [%s]}", text_str(&text));
    text_free(&text);
}

static struct option *new_option(const struct site *site, const char *why)
{
    return proposal_option(site->scene->proposal, site->choice, why);
}

/* Are there several chunks, as far as anybody knows, and ends that stand whatever runs outside? */
static bool has_chunks(const struct site *site, int loop)
{
    struct extent extent;

    site_extent(site, loop, &extent);
    return extent.most > CHUNK && !site_is_ended(site, loop);
}

/* One loop for both: threads get chunks of it. */
static void add_chunks(const struct site *site, int lanes)
{
    struct arena *arena = site->scene->arena;
    struct option *option = new_option(site, "each thread has chunks of a loop without dependences, in lanes");
    const char *loop = site->loop[lanes]->loop, *inner = site_inner(site, loop);

    line_add(arena, &option->schedule, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"}", site_name(site, loop), CHUNK,
             inner);
    if (site->n > 1) {
        struct text text = {0};

        for (int k = 0; k < site->n; k++)
            if (k != lanes)
                text_addf(&text, ", \"%s\"", site_loop(site, k));
        line_add(arena, &option->schedule, "{\"reorder\": [\"%s\"%s, \"%s\"]}", site_name(site, loop), text_str(&text),
                 site_name(site, inner));
        text_free(&text);
    }
    line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", site_name(site, inner), site->lanes);
    site_parallelize(site, option, site_name(site, loop), "");
}

/* Without vectors: the loop over neighbours innermost, where compilers look for it. */
static void add_neighbours(const struct site *site)
{
    const int inner = best_loop(site), team = team_loop(site, inner);
    struct option *option;

    if (inner < 0 || inner == site->n - 1)
        return;
    option = new_option(site, "neighbours in the innermost loop");
    reorder(site, option, site->threads && site->scene->threads ? team : -1, inner);
    if (team >= 0)
        site_parallelize(site, option, site_loop(site, team), "");
}

void recipe_stream(const struct site *site)
{
    const int lanes = stream_lanes(site), team = team_loop(site, lanes);
    const bool threads = site->threads && site->scene->threads;
    struct option *option;

    if (rows_fit_registers(site))
        return;
    if (lanes >= 0 && team < 0 && threads && has_chunks(site, lanes))
        add_chunks(site, lanes);
    if (lanes >= 0) {
        option = new_option(site, threads && team >= 0
                                      ? "the outermost loop without dependences in threads, neighbours in lanes"
                                      : "neighbours in lanes");
        reorder(site, option, threads ? team : -1, lanes);
        line_add(site->scene->arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", site_loop(site, lanes),
                 lanes_in(site, lanes));
        if (team >= 0)
            site_parallelize(site, option, site_loop(site, team), "");
    }
    if (site->lanes < 2)
        add_neighbours(site);
    if (team >= 0 && threads) {
        option = new_option(site, "the outermost loop without dependences in threads");
        reorder(site, option, team, -1);
        site_parallelize(site, option, site_loop(site, team), "");
    }
}
