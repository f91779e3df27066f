/* Rows in which every element reads one and the same element of the row, the pivot, such as shortest paths:
 *
 *     for (k) for (i) for (j) t[i, j] = min(t[i, j], t[i, k] + t[k, j]);
 *
 * Elements before the pivot t[i, k] read its old value, elements after it the new one. Nothing else is carried along
 * the row, so that both sides run in lanes:
 *
 *     S[k, i, j] -> [k, i, 0, j, 0] : j < k      S[k, i, j] -> [k, i, 1, 0, 0] : j = k
 *     S[k, i, j] -> [k, i, 2, 0, j] : j > k
 */
#include "auto/recipes/recipes.h"
#include "auto/related.h"

enum { PIECES = 3 };

struct pivot {
    struct site site;
    int row;   /* the loop over the elements of a row, the innermost one */
    int pivot; /* the loop that says which of them all others use */
    line_vec as;
};

/* Do all references stay, or go to neighbours, in the row, and the results to neighbours? */
static bool has_neighbours(const struct pivot *pivot)
{
    for (int s = 0; s < pivot->site.statement.n; s++) {
        const struct statement *statement = pivot->site.statement.at[s];

        if (stride_of(&statement->access[0], pivot->row) != STRIDE_NEXT)
            return false;
        for (int k = 1; k < statement->n_access; k++)
            if (stride_of(&statement->access[k], pivot->row) == STRIDE_FAR)
                return false;
    }
    return true;
}

/* { [S[.., j'] -> T[.., j]] : j' < j }, of pairs in one row. */
static __isl_give isl_set *pairs_in_row(const struct pivot *pivot, const struct dependence *dependence)
{
    isl_set *pairs = isl_map_wrap(isl_map_copy(dependence->map));
    const int later = dependence->from->statement->n_loop;

    for (int k = 0; k < pivot->row; k++)
        pairs = set_level(pairs, k, later + k);
    return set_ahead(pairs, later + pivot->row, pivot->row, 1);
}

/* Is one of each two that wait for each other the pivot, or are they on both sides of it? */
static bool waits_for_pivot(const struct pivot *pivot, const struct dependence *dependence, int loop)
{
    isl_set *pairs = pairs_in_row(pivot, dependence);
    const int later = dependence->from->statement->n_loop + pivot->row;
    const bool waits = set_is_none(set_ahead(isl_set_copy(pairs), pivot->row, loop, 1)) &&
                       set_is_none(set_ahead(isl_set_copy(pairs), loop, later, 1));

    isl_set_free(pairs);
    return waits;
}

static bool all_wait_for_pivot(const struct pivot *pivot, int loop)
{
    const struct dependences *all = distances_dependences(pivot->site.scene->distances);

    for (int k = 0; k < all->n; k++) {
        const struct dependence *one = &all->list[k];

        if (!one->reduction && pivot->site.member[one->from->statement->index] &&
            pivot->site.member[one->to->statement->index] && !waits_for_pivot(pivot, one, loop))
            return false;
    }
    return true;
}

/* Loops directly inside each other, of which no other recipe makes anything, as all loops wait. */
static bool find(struct pivot *pivot, const struct scene *scene, const struct nest_part *nest)
{
    const struct site *site = &pivot->site;

    if (!site_at(scene, nest, true, &pivot->site) || site->n < 2 || site->lanes < 2)
        return false;
    pivot->row = site->n - 1;
    for (int k = 0; k < site->n; k++)
        if (site->loop[k]->descends || site_is_free(site, k))
            return false;
    if (!has_neighbours(pivot) || site_loop_is_short(site, pivot->row))
        return false;
    for (pivot->pivot = pivot->row - 1; pivot->pivot >= 0; pivot->pivot--)
        if (all_wait_for_pivot(pivot, pivot->pivot))
            return true;
    return false;
}

/* "S[k, i, j] -> [k, i, 2, 0, j, 0] : j > k": of several statements each one's number comes last. */
static void add_piece(const struct pivot *pivot, int s, int piece, struct text *map)
{
    static const char *const sign[PIECES] = {"<", "=", ">"};
    const struct statement *statement = pivot->site.statement.at[s];
    const char *row = statement->loop_name[pivot->row];

    text_addf(map, "%s%s[", map->size ? "; " : "", statement->label);
    for (int k = 0; k <= pivot->row; k++)
        text_addf(map, "%s%s", k ? ", " : "", statement->loop_name[k]);
    text_add(map, "] -> [");
    for (int k = 0; k < pivot->row; k++)
        text_addf(map, "%s, ", statement->loop_name[k]);
    text_addf(map, "%d, %s, %s", piece, piece == 0 ? row : "0", piece == PIECES - 1 ? row : "0");
    if (pivot->site.statement.n > 1)
        text_addf(map, ", %d", s);
    text_addf(map, "] : %s %s %s", row, sign[piece], statement->loop_name[pivot->pivot]);
}

static void add_name(struct pivot *pivot, const char *wanted)
{
    const struct scene *scene = pivot->site.scene;
    const char *name = program_default_name(scene->arena, scene->program, wanted, pivot->as.at, pivot->as.n);

    VEC_PUSH(scene->arena, &pivot->as, name);
}

static void add_names(struct pivot *pivot, struct text *as)
{
    const char *const *loop = pivot->site.statement.at[0]->loop_name;

    for (int k = 0; k < pivot->row; k++)
        add_name(pivot, loop[k]);
    add_name(pivot, "part");
    add_name(pivot, loop[pivot->row]);
    add_name(pivot, site_inner(&pivot->site, loop[pivot->row]));
    if (pivot->site.statement.n > 1)
        add_name(pivot, "stage");
    for (int k = 0; k < pivot->as.n; k++)
        text_addf(as, "%s\"%s\"", k ? ", " : "", pivot->as.at[k]);
}

static void add_steps(struct pivot *pivot, struct option *option)
{
    struct arena *arena = pivot->site.scene->arena;
    struct text map = {0}, as = {0};

    for (int s = 0; s < pivot->site.statement.n; s++)
        for (int piece = 0; piece < PIECES; piece++)
            add_piece(pivot, s, piece, &map);
    add_names(pivot, &as);
    line_add(arena, &option->schedule, "{\"map\": \"{ %s }\", \"as\": [%s]}", text_str(&map), text_str(&as));
    for (int side = 1; side <= 2; side++)
        line_add(arena, &option->plan, "{\"vectorize\": \"%s\", \"lanes\": %d}",
                 site_name(&pivot->site, pivot->as.at[pivot->row + side]), pivot->site.lanes);
    text_free(&map);
    text_free(&as);
}

void recipe_pivot(const struct scene *scene, const part_vec *parts, struct choice *choice)
{
    struct pivot pivot = {0};
    const char *const *loop;

    if (choice->option.n > 0 || parts->n != 1 || !parts->at[0]->loop || !find(&pivot, scene, parts->at[0]))
        return;
    loop = pivot.site.statement.at[0]->loop_name;
    add_steps(&pivot,
              proposal_option(scene->proposal, choice,
                              arena_printf(scene->arena,
                                           "all elements of a row read the one with %s = %s: elements before it and "
                                           "elements after it in %d lanes",
                                           loop[pivot.row], loop[pivot.pivot], pivot.site.lanes)));
}
