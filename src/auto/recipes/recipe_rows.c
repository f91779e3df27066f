/* Products of a matrix and a vector. In sums along rows each addition waits for the one before; those of several
 * rows do not. Where rows are added to a vector instead, several of them at a time load and store it once.
 */
#include "auto/ends.h"
#include "auto/recipes/recipes.h"

enum {
    ROWS_OF_SUMS = 3,       /* summed at once: of four or more compilers make vectors, element by element */
    ROWS_OF_SEVERAL = 2,    /* the same where each row has several sums */
    ROWS_AT_ONCE = 4,       /* added at once to a part of the vector */
    PART = 2048,            /* elements of the vector, which stay in the first-level cache */
    LANES_OF_SUMS = 16,     /* of a row: more are joined at its end one by one, for longer than they gain */
    REGISTERS_OF_VECTOR = 8 /* that a vector may take while rows are added to it */
};

/* The loops of the site: sums stay in one iteration of `free`, and go along `sum`. */
struct product {
    int free, sum;
};

static bool is_sum(const struct site *site, const struct statement *statement, int loop)
{
    enum expr_op op;

    return statement_is_update(statement, &op) && stride_of(&statement->access[0], site->outer + loop) == STRIDE_NONE;
}

static bool find(const struct site *site, struct product *product)
{
    if (site->n != 2 || site_is_free(site, 0) == site_is_free(site, 1) || !site_is_permutable(site))
        return false;
    product->free = site_is_free(site, 0) ? 0 : 1;
    product->sum = 1 - product->free;
    for (int s = 0; s < site->statement.n; s++)
        if (!is_sum(site, site->statement.at[s], product->sum))
            return false;
    return true;
}

/* Do references that move in both loops move to neighbours in this one? There must be such references. */
static bool has_neighbours(const struct site *site, int loop)
{
    int good = 0, bad = 0;

    for (int s = 0; s < site->statement.n; s++) {
        const struct statement *statement = site->statement.at[s];

        for (int k = 0; k < statement->n_access; k++) {
            const enum stride here = stride_of(&statement->access[k], site->outer + loop),
                              there = stride_of(&statement->access[k], site->outer + 1 - loop);

            good += here == STRIDE_NEXT && there == STRIDE_FAR;
            bad += here == STRIDE_FAR;
        }
    }
    return good > 0 && bad == 0;
}

/* The statement's iterations, and those that they would be if the loop did not end or start where another one says. */
static __isl_give isl_set *set_loose(const struct statement *statement, int loop)
{
    return isl_set_eliminate(isl_set_copy(statement->domain), isl_dim_set, (unsigned)loop, 1);
}

/* Are no loops' ends those of the other one, as in a triangle, whose parts are hardly ever full? */
static bool is_rectangle(const struct site *site)
{
    bool is = true;

    for (int s = 0; s < site->statement.n && is; s++) {
        const struct statement *statement = site->statement.at[s];
        isl_set *all = isl_set_intersect(set_loose(statement, site->outer), set_loose(statement, site->outer + 1));

        is = isl_set_is_subset(all, statement->domain) == isl_bool_true;
        isl_set_free(all);
    }
    return is;
}

/* May several rows be added to the vector at once? */
static bool adds_rows(const struct site *site, const struct product *product)
{
    return site->lanes > 1 && has_neighbours(site, product->free) && is_rectangle(site);
}

/* The free loop in parts, and the other one outside of a part's iterations. */
static const char *add_parts(const struct site *site, const struct product *product, struct option *option, int by)
{
    const char *loop = site->loop[product->free]->loop, *inner = site_name(site, site_inner(site, loop));

    line_add(site->scene->arena, &option->schedule, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"}",
             site_loop(site, product->free), by, site_inner(site, loop));
    line_add(site->scene->arena, &option->schedule, "{\"reorder\": [\"%s\", \"%s\", \"%s\"]}",
             site_loop(site, product->free), site_loop(site, product->sum), inner);
    return inner;
}

static void add_rows_of_sums(const struct site *site, const struct product *product)
{
    struct arena *arena = site->scene->arena;
    const int rows = site->statement.n > 1 ? ROWS_OF_SEVERAL : ROWS_OF_SUMS;
    struct option *option =
        proposal_option(site->scene->proposal, site->choice,
                        arena_printf(arena,
                                     "sums along rows, %d rows at a time: %d additions wait for none of the others",
                                     rows, rows * site->statement.n));
    const char *inner = add_parts(site, product, option, rows);

    for (int s = 0; s < site->statement.n; s++)
        line_add(arena, &option->plan, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"register\"}",
                 site->statement.at[s]->access[0].array->name, site_loop(site, product->sum),
                 site_buffer(site, site->statement.n > 1 ? site->statement.at[s]->access[0].array->name : "sum"));
    line_add(arena, &option->plan, "{\"unroll\": \"%s\"}", inner);
    site_parallelize(site, option, site_loop(site, product->free), "");
}

static void add_lanes_of_sums(const struct site *site, const struct product *product, struct option *option)
{
    line_add(site->scene->arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", site_loop(site, product->sum),
             site->lanes < LANES_OF_SUMS ? site->lanes : LANES_OF_SUMS);
}

/* Sums in any order: each lane has one, and rows share what all of them read. */
static void add_rows_in_lanes(const struct site *site, const struct product *product)
{
    struct arena *arena = site->scene->arena;
    struct option *option =
        proposal_option(site->scene->proposal, site->choice,
                        arena_printf(arena, "sums along rows in any order, in lanes, %d rows at a time", ROWS_AT_ONCE));
    const char *inner = add_parts(site, product, option, ROWS_AT_ONCE);

    line_add(arena, &option->plan, "{\"unroll\": \"%s\"}", inner);
    add_lanes_of_sums(site, product, option);
    site_parallelize(site, option, site_loop(site, product->free), "");
}

/* The same where rows have different lengths, as those of a triangle, and share no loop in lanes. */
static void add_row_in_lanes(const struct site *site, const struct product *product)
{
    struct arena *arena = site->scene->arena;
    struct option *option =
        proposal_option(site->scene->proposal, site->choice, "sums along each row in any order, in lanes");

    if (product->free > product->sum)
        line_add(arena, &option->schedule, "{\"reorder\": [\"%s\", \"%s\"]}", site_loop(site, product->free),
                 site_loop(site, product->sum));
    add_lanes_of_sums(site, product, option);
    site_parallelize(site, option, site_loop(site, product->free), "");
}

static void add_rows_at_once(const struct site *site, const struct product *product)
{
    struct arena *arena = site->scene->arena;
    struct option *option =
        proposal_option(site->scene->proposal, site->choice,
                        arena_printf(arena, "%d rows at a time are added to %d elements of the result", ROWS_AT_ONCE,
                                     PART));
    const char *inner = add_parts(site, product, option, PART);

    line_add(arena, &option->plan, "{\"unroll\": \"%s\", \"by\": %d, \"jam\": true}", site_loop(site, product->sum),
             ROWS_AT_ONCE);
    line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", inner, site->lanes);
    site_parallelize(site, option, site_loop(site, product->free), "");
}

/* Does the vector fit into registers? Each statement has a vector of its own. */
static bool fits_registers(const struct site *site, const struct product *product)
{
    struct extent extent;

    return site->statement.n == 1 && site_extent(site, product->free, &extent) &&
           extent.most <= (int64_t)site->lanes * REGISTERS_OF_VECTOR;
}

static void add_rows_to_registers(const struct site *site, const struct product *product)
{
    struct arena *arena = site->scene->arena;
    struct option *option = proposal_option(site->scene->proposal, site->choice,
                                            "the vector to which rows are added stays in registers meanwhile");
    const char *sum = site_loop(site, product->sum), *free = site_loop(site, product->free);

    if (product->free < product->sum)
        line_add(arena, &option->schedule, "{\"reorder\": [\"%s\", \"%s\"]}", sum, free);
    line_add(arena, &option->plan, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\", \"memory\": \"register\"}",
             site->statement.at[0]->access[0].array->name, sum, site_buffer(site, "row"));
    line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}", free, site->lanes);
}

/* What registers could hold compilers do hold in some, also where a plan has no masks for its rest. */
static void add_rows_added(const struct site *site, const struct product *product)
{
    if (fits_registers(site, product))
        add_rows_to_registers(site, product);
    else if (!site_is_ended(site, product->sum))
        add_rows_at_once(site, product);
}

/* Other recurrences along rows: each step waits for the one before, but not for those of other rows. */
static bool find_recurrence(const struct site *site, struct product *product)
{
    bool along = false;

    if (site->n != 2 || site_is_free(site, 0) == site_is_free(site, 1) || !site_is_permutable(site))
        return false;
    product->free = site_is_free(site, 0) ? 0 : 1;
    product->sum = 1 - product->free;
    for (int s = 0; s < site->statement.n; s++) {
        const struct statement *statement = site->statement.at[s];

        for (int k = 0; k < statement->n_access; k++)
            along = along || stride_of(&statement->access[k], site->outer + product->sum) == STRIDE_NEXT;
    }
    return along && stream_lanes(site) < 0 && !site_loop_is_short(site, product->sum);
}

static void add_recurrence(const struct site *site, const struct product *product)
{
    struct arena *arena = site->scene->arena;
    struct option *option =
        proposal_option(site->scene->proposal, site->choice,
                        arena_printf(arena,
                                     "a recurrence along rows, %d rows at a time, which do not wait for each other",
                                     ROWS_AT_ONCE));
    const char *inner = add_parts(site, product, option, ROWS_AT_ONCE);

    line_add(arena, &option->plan, "{\"unroll\": \"%s\"}", inner);
    site_parallelize(site, option, site_loop(site, product->free), "");
}

bool rows_recur(const struct site *site)
{
    struct product product;

    return !site_has_ends(site) && !find(site, &product) && find_recurrence(site, &product);
}

int rows_added(const struct site *site)
{
    struct product product;

    return find(site, &product) && adds_rows(site, &product) ? product.sum : -1;
}

int rows_summed(const struct site *site)
{
    struct product product;

    if (site_has_ends(site) || !find(site, &product) || adds_rows(site, &product))
        return -1;
    return has_neighbours(site, product.sum) && !site_loop_is_short(site, product.sum) && is_rectangle(site)
               ? product.free
               : -1;
}

bool rows_fit_registers(const struct site *site)
{
    struct product product;

    return find(site, &product) && adds_rows(site, &product) && fits_registers(site, &product);
}

void recipe_rows(const struct site *site)
{
    struct product product;

    if (site_has_ends(site))
        return;
    if (!find(site, &product)) {
        if (find_recurrence(site, &product))
            add_recurrence(site, &product);
        return;
    }
    if (adds_rows(site, &product)) {
        add_rows_added(site, &product);
        return;
    }
    if (site->lanes > 1 && has_neighbours(site, product.sum) && !site_carries(site, product.sum) &&
        site_fills_lanes(site, product.sum)) {
        if (!site_is_ended(site, product.free))
            add_rows_in_lanes(site, &product);
        add_row_in_lanes(site, &product);
    }
    if (has_neighbours(site, product.sum) && !site_is_ended(site, product.free) &&
        !site_loop_is_short(site, product.sum))
        add_rows_of_sums(site, &product);
}
