/* A nest that makes a matrix, and one after it that adds its rows to a vector: a few rows at a time are made and added
 * while they are in a cache, a part of the columns for each thread.
 *
 *     S[i, j] -> [j / 2048, i / 4, 0, i, 0, j]     X[i, j] -> [i / 2048, j / 4, 1, 0, j % 4, i]
 */
#include "auto/recipes/recipes.h"
#include "auto/related.h"

enum { PART = 2048, ROWS = 4 };

/* The loop over rows, both loops being independent: neighbours in the other one are neighbours in memory. -1: none. */
static int made_rows(const struct site *site)
{
    const struct statement *statement = site->statement.at[0];
    bool free = site->n == 2 && site->statement.n == 1 && site_is_free(site, 0) && site_is_free(site, 1);

    for (int row = 0; free && row < 2; row++) {
        bool rows = stride_of(&statement->access[0], row) == STRIDE_FAR;

        for (int k = 0; rows && k < statement->n_access; k++)
            rows = stride_of(&statement->access[k], 1 - row) != STRIDE_FAR;
        if (rows)
            return row;
    }
    return -1;
}

static bool uses_rows(const struct statement *maker, int made_row, const struct statement *user, int row)
{
    for (int k = 0; k < user->n_access; k++)
        if (user->access[k].array == maker->access[0].array)
            return !user->access[k].write && accesses_are_level(&maker->access[0], made_row, &user->access[k], row);
    return false;
}

static void add_steps(const struct site *maker, int made_row, const struct site *user, int row, struct option *option,
                      int lanes)
{
    struct arena *arena = maker->scene->arena;
    const struct program *program = maker->scene->program;
    const struct statement *s = maker->statement.at[0], *x = user->statement.at[0];
    const char *i = s->loop_name[made_row], *j = s->loop_name[1 - made_row];
    const char *name[6] = {NULL};
    const char *const wanted[6] = {
        arena_printf(arena, "%sb", j), arena_printf(arena, "%sb", i), "part", i, site_inner(maker, i), j};

    for (int k = 0; k < 6; k++)
        name[k] = program_default_name(arena, program, wanted[k], name, k);
    line_add(arena, &option->schedule,
             "{\"map\": \"{ %s[%s, %s] -> [floor(%s/%d), floor(%s/%d), 0, %s, 0, %s]; %s[%s, %s] -> [floor(%s/%d), "
             "floor(%s/%d), 1, 0, %s mod %d, %s] }\", \"as\": [\"%s\", \"%s\", \"%s\", \"%s\", \"%s\", \"%s\"]}",
             s->label, s->loop_name[0], s->loop_name[1], j, PART, i, ROWS, i, j, x->label, x->loop_name[0],
             x->loop_name[1], x->loop_name[1 - row], PART, x->loop_name[row], ROWS, x->loop_name[row], ROWS,
             x->loop_name[1 - row], name[0], name[1], name[2], name[3], name[4], name[5]);
    line_add(arena, &option->plan, "{\"vectorize\": \"%s.%s\", \"lanes\": %d}", s->label, name[5], lanes);
    line_add(arena, &option->plan, "{\"vectorize\": \"%s.%s\", \"lanes\": %d}", x->label, name[5], lanes);
    site_parallelize(maker, option, arena_printf(arena, "%s.%s", s->label, name[0]), "");
}

void recipe_pair(const struct scene *scene, const part_vec *first, const part_vec *second, struct choice *choice)
{
    const struct statement *both[2];
    struct site maker, user;
    struct option *option;
    int made_row, row, lanes;

    if (first->n != 1 || second->n != 1 || !first->at[0]->loop || !second->at[0]->loop ||
        !site_at(scene, first->at[0], true, &maker) || !site_at(scene, second->at[0], true, &user))
        return;
    made_row = made_rows(&maker);
    row = user.statement.n == 1 ? rows_added(&user) : -1;
    both[0] = maker.statement.at[0];
    both[1] = user.statement.at[0];
    lanes = common_lanes(scene, both, 2);
    if (lanes < 2 || made_row < 0 || row < 0 || !uses_rows(both[0], made_row, both[1], row))
        return;
    option = proposal_option(scene->proposal, choice,
                             arena_printf(scene->arena,
                                          "%d rows of %d elements are made, then added while they are in a cache: "
                                          "they are not loaded again",
                                          ROWS, PART));
    add_steps(&maker, made_row, &user, row, option, lanes);
}
