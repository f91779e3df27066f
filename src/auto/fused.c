#include "auto/fused.h"

#include "auto/keep.h"
#include "auto/own.h"
#include "auto/recipes/recipes.h"

#include "poly/number.h"

#include <isl/ilp.h>

#include <string.h>

enum { BLOCK = 12 }; /* rows: a multiple of the two, three or four that are computed at a time */

/* The loop over rows; NULL: the nest is not one loop that goes up. */
static const struct nest_part *rows_of(const struct scene *scene, const struct nest *nest)
{
    const part_vec parts = nest->order ? (part_vec){0} : part_of_nest(scene->arena, nest);

    return parts.n == 1 && parts.at[0]->loop && !parts.at[0]->descends && !parts_call(&parts) ? parts.at[0] : NULL;
}

/* Has the loop constant bounds? */
static bool is_short(const struct statement *statement, int dim)
{
    int64_t bound;

    return poly_number(isl_set_dim_min_val(isl_set_copy(statement->domain), dim), &bound) &&
           poly_number(isl_set_dim_max_val(isl_set_copy(statement->domain), dim), &bound);
}

/* Is the statement in at most one loop of unknown length inside of a row? Otherwise a row is no longer in a cache when
 * the next statement reads it. */
static bool is_along_row(const struct statement *statement)
{
    int n = 0;

    for (int k = 1; k < statement->n_loop; k++)
        n += !is_short(statement, k);
    return n <= 1;
}

static bool are_along_rows(const struct scene *scene, const struct nest_part *rows)
{
    for (int s = 0; s < scene->program->n_statement; s++)
        if (part_has(rows, scene->program->statement[s]) && !is_along_row(scene->program->statement[s]))
            return false;
    return true;
}

/* Is the statement a sum along a row, in any order, or not in a loop along it? Then one row at a time is as fast as
 * several. */
static bool needs_one_row(const struct scene *scene, const struct statement *statement)
{
    bool *member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);
    enum expr_op op;

    member[statement->index] = true;
    return statement->n_loop == 1 || (statement->n_loop == 2 && statement_is_update(statement, &op) &&
                                      !distance_in(scene->distances, member, 1, 1).any);
}

/* Is the statement a sum in order, or another recurrence, along a row, so that several rows are computed at a time? */
static bool needs_several_rows(const struct scene *scene, const struct trial *trial, const struct statement *statement)
{
    struct site site;

    for (int k = 0; k < trial->parts.n; k++)
        if (part_has(trial->parts.at[k], statement) && site_at(scene, trial->parts.at[k], false, &site))
            return site.n == 2 && (rows_summed(&site) == 0 || rows_recur(&site));
    return false;
}

/* Which loop the step of the nest by itself leaves possible. Fission of the loop over rows changes nothing in it. */
static enum fused_rows rows_for(const struct scene *scene, const struct nest_part *rows, const struct trial *trial,
                                const char *step)
{
    const bool divides = strncmp(step, "{\"fission\"", strlen("{\"fission\"")) == 0;

    for (int s = 0; s < scene->program->n_statement; s++) {
        const struct statement *statement = scene->program->statement[s];

        if (!part_has(rows, statement) ||
            !strstr(step, arena_printf(scene->arena, "\"%s.%s\"", statement->label, rows->loop)))
            continue;
        return divides || needs_one_row(scene, statement)    ? FUSED_ROW
               : needs_several_rows(scene, trial, statement) ? FUSED_BLOCK
                                                             : FUSED_NOT;
    }
    return divides ? FUSED_NOT : FUSED_ROW;
}

/* Are elements along a row independent but for temporaries that each has for itself? */
static bool has_own_along_rows(const struct scene *scene, const struct nest_part *rows)
{
    struct site site;

    return site_at(scene, rows, true, &site) && site.n == 2 && own_frees(&site, 1);
}

enum fused_rows fused_rows_of(const struct scene *scene, const struct trial *trial)
{
    const struct nest_part *rows = rows_of(scene, trial->nest);
    enum fused_rows all = FUSED_ROW;
    struct site site;

    if (!rows || !are_along_rows(scene, rows))
        return FUSED_NOT;
    site = site_around(scene, rows, true);
    if (!site_is_free(&site, 0) && !own_frees(&site, 0))
        return FUSED_NOT;
    if (has_own_along_rows(scene, rows))
        return FUSED_ROW;
    /* What there is for the nest as a whole comes first. */
    if (trial->proposal->choice.at[0]->option.n > 0)
        return FUSED_NOT;
    for (int c = 0; c < trial->proposal->choice.n; c++) {
        const struct choice *choice = trial->proposal->choice.at[c];

        for (int k = 0; choice->option.n > 0 && k < choice->option.at[0]->schedule.n; k++) {
            const enum fused_rows one = rows_for(scene, rows, trial, choice->option.at[0]->schedule.at[k]);

            all = one < all ? one : all;
        }
    }
    return all;
}

/* The first value of the loop over rows, where it is a constant. */
static bool first_row(const struct statement *statement, int64_t *row)
{
    return poly_number(isl_set_dim_min_val(isl_set_copy(statement->domain), 0), row);
}

/* Are they loops over the same rows? */
static bool are_same_rows(const struct scene *scene, const struct nest_part *a, const struct nest_part *b)
{
    const struct site of_a = site_around(scene, a, false), of_b = site_around(scene, b, false);
    struct extent first, second;
    int64_t from, to;

    if (!first_row(of_a.statement.at[0], &from) || !first_row(of_b.statement.at[0], &to) || from != to ||
        !site_extent(&of_a, 0, &first) || !site_extent(&of_b, 0, &second) || !first.text != !second.text)
        return false;
    return first.text ? strcmp(first.text, second.text) == 0 : first.most == second.most;
}

/* Has a loop inside the name? */
static bool has_inside(const struct nest_part *part, const char *name)
{
    for (int k = 0; k < part->child.n; k++)
        if (part->child.at[k]->loop &&
            (strcmp(part->child.at[k]->loop, name) == 0 || has_inside(part->child.at[k], name)))
            return true;
    return false;
}

/* { S[r, ..] -> T[r, ..] } only? */
static bool is_within_row(const struct dependence *dependence)
{
    isl_map *pairs = isl_map_copy(dependence->map);
    int64_t least, most;
    isl_set *steps;
    bool is;

    pairs = isl_map_project_out(pairs, isl_dim_in, 1, (unsigned)dependence->from->statement->n_loop - 1);
    pairs = isl_map_project_out(pairs, isl_dim_out, 1, (unsigned)dependence->to->statement->n_loop - 1);
    steps = isl_map_deltas(isl_map_reset_tuple_id(isl_map_reset_tuple_id(pairs, isl_dim_in), isl_dim_out));
    is = poly_number(isl_set_dim_min_val(isl_set_copy(steps), 0), &least) && least == 0;
    return poly_number(isl_set_dim_max_val(steps, 0), &most) && is && most == 0;
}

/* Does the nest need something of those before it, all of which stays in a row? */
static bool needs_its_row(const struct scene *scene, const struct nest *first, int n)
{
    const struct dependences *dependences = distances_dependences(scene->distances);
    bool needs = false;

    for (int k = 0; k < dependences->n; k++) {
        const struct nest *from = dependences->list[k].from->statement->nest,
                          *to = dependences->list[k].to->statement->nest;

        if (to != first + n || from < first || from == to)
            continue;
        needs = true;
        if (!is_within_row(&dependences->list[k]))
            return false;
    }
    return needs;
}

/* Does the part use several elements of a row of the array in each iteration? */
static bool goes_along(const struct scene *scene, const struct nest_part *rows, const struct array *array)
{
    for (int s = 0; s < scene->program->n_statement; s++) {
        const struct statement *statement = scene->program->statement[s];

        for (int k = 0; part_has(rows, statement) && k < statement->n_access; k++)
            if (statement->access[k].array == array && stride_of(&statement->access[k], 0) == STRIDE_FAR &&
                stride_inside(&statement->access[k], 1, statement->n_loop))
                return true;
    }
    return false;
}

static bool share_rows(const struct scene *scene, const struct nest_part *a, const struct nest_part *b)
{
    for (int k = 0; k < scene->program->n_array; k++)
        if (keep_is_large(scene, &scene->program->array[k]) && goes_along(scene, a, &scene->program->array[k]) &&
            goes_along(scene, b, &scene->program->array[k]))
            return true;
    return false;
}

bool fused_follows(const struct scene *scene, const struct nest *first, int n)
{
    const struct nest_part *rows = rows_of(scene, first), *next = rows_of(scene, first + n);
    bool shares = false;

    if (!rows || !next || has_inside(next, rows->loop) || !are_same_rows(scene, rows, next))
        return false;
    for (int k = 0; k < n && !shares; k++)
        shares = share_rows(scene, rows_of(scene, first + k), next);
    return shares && needs_its_row(scene, first, n);
}

/* The steps of fission for the nest by itself. */
static void add_fission(const struct scene *scene, const struct trial *trial, struct option *option)
{
    for (int c = 0; c < trial->proposal->choice.n; c++) {
        const struct choice *choice = trial->proposal->choice.at[c];

        for (int k = 0; choice->divides && k < choice->option.at[0]->schedule.n; k++)
            line_add(scene->arena, &option->schedule, "%s", choice->option.at[0]->schedule.at[k]);
    }
}

/* Splits the part's loop over rows into blocks. Returns the loop over the rows of a block. */
static struct nest_part *add_block(const struct scene *scene, const struct nest_part *part, const char *inner,
                                   struct option *option)
{
    struct nest_part *block = ARENA_NEW(scene->arena, struct nest_part);

    *block = *part;
    block->loop = inner;
    line_add(scene->arena, &option->schedule, "{\"split\": \"%s.%s\", \"by\": %d, \"as\": \"%s\"}",
             part_first(part)->label, part->loop, BLOCK, inner);
    return block;
}

/* Appends what the fused loop gets of the nest to inside, and the loops that become one to loops. */
static void add_nest(const struct scene *scene, const struct trial *trial, enum fused_rows kind, const char *inner,
                     struct option *option, struct text *loops, part_vec *inside)
{
    const part_vec parts = kind == FUSED_ROW ? part_of_nest(scene->arena, trial->nest) : trial->parts;

    if (kind == FUSED_BLOCK)
        add_fission(scene, trial, option);
    for (int p = 0; p < parts.n; p++) {
        const struct nest_part *part = parts.at[p];

        text_addf(loops, "%s\"%s.%s\"", loops->size ? ", " : "", part_first(part)->label, part->loop);
        if (kind == FUSED_BLOCK)
            VEC_PUSH(scene->arena, inside, add_block(scene, part, inner, option));
        for (int c = 0; kind == FUSED_ROW && c < part->child.n; c++)
            VEC_PUSH(scene->arena, inside, part->child.at[c]);
    }
}

part_vec fused_propose(const struct scene *scene, const struct trial *trial, int n, enum fused_rows kind,
                       struct choice *choice)
{
    const char *const why = kind == FUSED_ROW
                                ? "one loop over the rows, each of which is in a cache while it is used"
                                : "one loop over blocks of rows, which are in a cache while they are used";
    struct option *option = proposal_option(scene->proposal, choice, why);
    struct nest_part all = *rows_of(scene, trial[0].nest);
    struct site site = site_around(scene, &all, true);
    const char *inner = site_inner(&site, all.loop);
    struct text loops = {0};

    all.child = (part_vec){0};
    for (int k = 0; k < n; k++)
        add_nest(scene, &trial[k], kind, inner, option, &loops, &all.child);
    line_add(scene->arena, &option->schedule, "{\"fuse\": [%s], \"partial\": 1}", text_str(&loops));
    text_free(&loops);
    site = site_around(scene, &all, true);
    site_parallelize(&site, option, site_loop(&site, 0), "");
    VEC_PUSH(scene->arena, scene->used, inner);
    return all.child;
}

void fused_note_names(const struct scene *scene, int first)
{
    static const char as[] = "\"as\": \"";

    for (int c = first; c < scene->proposal->choice.n; c++)
        for (int o = 0; o < scene->proposal->choice.at[c]->option.n; o++) {
            const line_vec *lines = &scene->proposal->choice.at[c]->option.at[o]->schedule;

            for (int k = 0; k < lines->n; k++) {
                const char *at = strstr(lines->at[k], as);

                if (at) {
                    at += strlen(as);
                    VEC_PUSH(scene->arena, scene->used, arena_printf(scene->arena, "%.*s", (int)strcspn(at, "\""), at));
                }
            }
        }
}
