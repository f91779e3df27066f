/* A matrix of which one nest sums up the rows, and another one adds the rows to a vector: blocks of rows, each of which
 * is read once, summed up and, while it is in a cache, added. A block's sums are divided among threads by rows, its
 * additions by columns:
 *
 *     T[i, j] -> [i / 32, 0, (i mod 32) / 8, j, i mod 8]     Y[i, j] -> [i / 32, 1, j / 512, i mod 32, j mod 512]
 *
 * The threads wait for each other twice in each block. That takes a team whose size the user says: one that has other
 * work to do at the same time, or more threads than a block has rows for, is faster with the matrix read twice.
 */
#include "auto/recipes/recipes.h"
#include "auto/related.h"

#include <string.h>

enum {
    ROWS = 8,            /* summed at once: their additions do not wait for each other */
    ROWS_IN_LANES = 4,   /* the same where each has sums in lanes */
    ROWS_ADDED = 4,      /* at once */
    ROWS_OF_THREAD = 16, /* of a block, for each of the threads */
    COLUMNS = 512,       /* that a thread has of a block's additions */
    MOST_THREADS = 1024  /* whose blocks are small enough for a cache that they share */
};

/* One of the two: in its loops, which rows and columns are numbers of. */
struct product {
    struct site site;
    int row, column;
};

struct once {
    const struct scene *scene;
    struct product sums, added;
    bool in_lanes; /* may sums be in any order? */
};

static bool find(const struct scene *scene, const struct nest_part *part, int (*rows)(const struct site *site),
                 struct product *product)
{
    if (!part->loop || part->depth > 0 || !site_at(scene, part, true, &product->site) || product->site.n != 2)
        return false;
    product->row = rows(&product->site);
    product->column = 1 - product->row;
    return product->row >= 0 && !product->site.loop[0]->descends && !product->site.loop[1]->descends;
}

/* Do the two read elements of one matrix in their loops over rows and columns? */
static bool reads_same(const struct statement *a, const struct product *of_a, const struct statement *b,
                       const struct product *of_b)
{
    for (int k = 0; k < a->n_access; k++)
        for (int n = 0; n < b->n_access; n++)
            if (a->access[k].array == b->access[n].array && stride_of(&a->access[k], of_a->row) == STRIDE_FAR &&
                !a->access[k].write && !b->access[n].write &&
                accesses_are_level(&a->access[k], of_a->row, &b->access[n], of_b->row))
                return true;
    return false;
}

static bool have_same_matrix(const struct once *once)
{
    const struct site *a = &once->sums.site, *b = &once->added.site;
    bool have = false;

    for (int k = 0; k < a->statement.n; k++)
        for (int n = 0; n < b->statement.n; n++)
            have = have || reads_same(a->statement.at[k], &once->sums, b->statement.at[n], &once->added);
    return have;
}

/* Does a sum need what all rows make together? */
static bool needs_all(const struct once *once)
{
    const struct site *sums = &once->sums.site, *added = &once->added.site;

    for (int k = 0; k < sums->statement.n; k++)
        for (int n = 0; n < added->statement.n; n++)
            if (statement_uses_array(sums->statement.at[k], added->statement.at[n]->access[0].array))
                return true;
    return false;
}

static void put_rows_outside(const struct product *product, struct option *option)
{
    if (product->row > product->column)
        line_add(product->site.scene->arena, &option->schedule, "{\"reorder\": [\"%s\", \"%s\"]}",
                 site_loop(&product->site, product->row), site_loop(&product->site, product->column));
}

/* The loop over the columns of what is added, by its name in the fused nest. */
static const char *fuse(const struct once *once, struct option *option)
{
    const struct site *sums = &once->sums.site, *added = &once->added.site;
    const char *row = sums->loop[once->sums.row]->loop, *column = added->loop[once->added.column]->loop;
    const bool clashes = strcmp(row, column) == 0;
    struct text as = {0};

    if (clashes) {
        column = site_fresh(added, "k");
        text_addf(&as, ", \"as\": {\"unfused\": [\"%s\", \"%s\"]}", sums->loop[once->sums.column]->loop, column);
    }
    line_add(once->scene->arena, &option->schedule, "{\"fuse\": [\"%s\", \"%s\"], \"partial\": 1%s}",
             sums->statement.at[0]->label, added->statement.at[0]->label, text_str(&as));
    text_free(&as);
    return column;
}

/* The blocks; the loop over rows of one. */
static const char *make_blocks(const struct once *once, struct option *option)
{
    const struct site *sums = &once->sums.site;
    const char *row = sums->loop[once->sums.row]->loop, *inner = site_inner(sums, row);
    const int64_t threads = once->scene->threads ? once->scene->wishes.threads : 1;

    site_split(sums, option, row, ROWS_OF_THREAD * threads, inner, "");
    line_add(once->scene->arena, &option->schedule, "{\"fission\": \"%s\", \"after\": \"%s\"}", site_name(sums, inner),
             sums->statement.at[sums->statement.n - 1]->label);
    return inner;
}

/* Threads wait for each other twice in each block, of which each should have enough. */
static const char *pays(const struct once *once)
{
    struct extent columns;

    if (!site_extent(&once->sums.site, once->sums.column, &columns) || !columns.text)
        return "";
    return arena_printf(once->scene->arena, ", \"if\": \"%s >= %d\"", columns.text, 2 * COLUMNS);
}

static void parallelize(const struct once *once, struct option *option, const char *loop)
{
    if (once->scene->threads)
        line_add(once->scene->arena, &option->plan, "{\"parallelize\": [\"%s\"]%s%s}", loop, once->scene->team,
                 pays(once));
}

static void add_sums(const struct once *once, struct option *option, const char *row)
{
    const struct site *sums = &once->sums.site;
    struct arena *arena = once->scene->arena;
    const char *column = site_loop(sums, once->sums.column), *inner = site_inner(sums, row);
    const int rows = once->in_lanes ? ROWS_IN_LANES : sums->statement.n > 1 ? ROWS / 2 : ROWS;

    site_split(sums, option, row, rows, inner, "");
    line_add(arena, &option->schedule, "{\"reorder\": [\"%s\", \"%s\", \"%s\"]}", site_name(sums, row), column,
             site_name(sums, inner));
    for (int s = 0; s < sums->statement.n && !once->in_lanes; s++) {
        const char *name = sums->statement.at[s]->access[0].array->name;

        line_add(arena, &option->plan, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"register\"}",
                 name, column, site_buffer(sums, sums->statement.n > 1 ? name : "sum"));
    }
    line_add(arena, &option->plan, "{\"unroll\": \"%s\"}", site_name(sums, inner));
    if (once->in_lanes)
        line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", column, sums->lanes);
    parallelize(once, option, site_name(sums, row));
}

static void add_additions(const struct once *once, struct option *option, const char *row, const char *column)
{
    const struct site *added = &once->added.site;
    struct arena *arena = once->scene->arena;
    const char *inner = site_inner(added, column);

    site_split(added, option, column, COLUMNS, inner, "");
    line_add(arena, &option->schedule, "{\"reorder\": [\"%s\", \"%s\", \"%s\"]}", site_name(added, column),
             site_name(added, row), site_name(added, inner));
    line_add(arena, &option->plan, "{\"unroll\": \"%s\", \"by\": %d, \"jam\": true}", site_name(added, row),
             ROWS_ADDED);
    line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", site_name(added, inner), added->lanes);
    parallelize(once, option, site_name(added, column));
}

static void add_steps(const struct once *once, struct choice *choice)
{
    struct option *option = proposal_option(once->scene->proposal, choice,
                                            "blocks of rows are summed up and, while they are in a cache, added: the "
                                            "matrix is read once");
    const char *column, *row;

    put_rows_outside(&once->sums, option);
    put_rows_outside(&once->added, option);
    column = fuse(once, option);
    row = make_blocks(once, option);
    add_sums(once, option, row);
    add_additions(once, option, row, column);
}

void recipe_once(const struct scene *scene, const struct nest_part *first, const struct nest_part *second,
                 struct choice *choice)
{
    struct once once = {.scene = scene};

    if (scene->threads && (scene->wishes.threads == 0 || scene->wishes.threads > MOST_THREADS))
        return;
    if (!(find(scene, first, rows_summed, &once.sums) && find(scene, second, rows_added, &once.added)) &&
        !(find(scene, first, rows_added, &once.added) && find(scene, second, rows_summed, &once.sums)))
        return;
    if (rows_fit_registers(&once.added.site) || !have_same_matrix(&once) || needs_all(&once))
        return;
    once.in_lanes = once.sums.site.lanes > 1 && !site_carries(&once.sums.site, once.sums.column);
    add_steps(&once, choice);
}
