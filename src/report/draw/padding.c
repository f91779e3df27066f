#include "report/draw/padding.h"

#include "plan/storage/whole_tiles.h"
#include "poly/context.h"
#include "poly/number.h"

#include <isl/ilp.h>
#include <isl/point.h>
#include <isl/val.h>

#include <string.h>

/* MORE: an inner loop's tiles are completed where they have at most so many times the iterations that it runs. */
enum { MORE = 4, ISL_MOST = 1000000 };

struct search {
    struct arena *arena;
    const struct instances *instances;
    isl_set *sizes;
    const struct statement *statement;
    VEC(struct empty) list;
    const char *left_out;
};

/* The iterations of a loop of the leaf that are drawn. */
static int64_t extent_of(const struct instances *instances, const struct leaf *leaf, int loop)
{
    int64_t low = INT64_MAX, high = INT64_MIN;

    for (int k = 0; k < instances->n; k++) {
        const struct instance *instance = &instances->list[k];
        if (instance->leaf != leaf)
            continue;
        low = instance->count[loop] < low ? instance->count[loop] : low;
        high = instance->count[loop] > high ? instance->count[loop] : high;
    }
    return high < low ? 0 : high - low + 1;
}

static void leave_out(struct search *search, const struct loop_info *info)
{
    const char *before = search->left_out;

    if (before && strstr(before, info->name))
        return;
    search->left_out = arena_printf(search->arena, "%s%s%s", before ? before : "", before ? ", " : "", info->name);
}

/* The loops of the leaf but for those that go through one innermost tile. */
static struct path tiles_of(struct search *search, const struct leaf *leaf)
{
    struct path path = {.loop = ARENA_ARRAY(search->arena, leaf->n_loop + 1, const struct order *)};

    for (int k = 0; k < leaf->n_loop; k++) {
        const struct loop_info *info = leaf->loop[k]->info;
        const bool inner = info->outer != 0 && info->tile > 1 && !leaf->over_tiles[k];
        const bool large = inner && info->tile > MORE * extent_of(search->instances, leaf, k);
        if (large)
            leave_out(search, info);
        if (!inner || large)
            path.loop[path.depth++] = leaf->loop[k];
    }
    return path;
}

static isl_stat add_empty(__isl_take isl_point *point, void *user)
{
    struct search *search = user;
    const struct statement *statement = search->statement;
    int64_t *at = ARENA_ARRAY(search->arena, statement->n_loop + 1, int64_t);

    for (int k = 0; k < statement->n_loop; k++)
        poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &at[k]);
    isl_point_free(point);
    VEC_PUSH(search->arena, &search->list,
             ((struct empty){statement, instances_place(search->instances, statement, at)}));
    return search->list.n < DRAW_MOST ? isl_stat_ok : isl_stat_error;
}

static bool is_bounded(__isl_keep isl_set *set)
{
    int64_t value;

    for (int k = 0; k < (int)isl_set_dim(set, isl_dim_set); k++)
        if (!poly_number(isl_set_dim_max_val(isl_set_copy(set), k), &value) ||
            !poly_number(isl_set_dim_min_val(isl_set_copy(set), k), &value))
            return false;
    return true;
}

/* { S[i,j] } of the leaf's whole tiles that no leaf has. */
static void find_leaf(struct search *search, const struct leaf *leaf)
{
    const struct statement *statement = leaf->statement;
    const struct path path = tiles_of(search, leaf);
    isl_set *own = isl_set_intersect_params(isl_set_copy(statement->domain), isl_set_copy(search->sizes));
    isl_set *whole;

    if (path.depth == 0 || path.depth == leaf->n_loop) {
        isl_set_free(own);
        return;
    }
    whole = isl_set_intersect_params(isl_set_copy(leaf->domain), isl_set_copy(search->sizes));
    whole = whole_tiles_on_strides(whole_tiles_of(&path, statement, whole), own);
    whole = isl_set_subtract(whole, own);
    search->statement = statement;
    if (isl_set_is_empty(whole) == isl_bool_false && is_bounded(whole))
        isl_set_foreach_point(whole, add_empty, search);
    isl_set_free(whole);
}

struct empties empties_find(struct arena *arena, const struct instances *instances, __isl_keep isl_set *sizes)
{
    struct search search = {.arena = arena, .instances = instances, .sizes = sizes};
    const unsigned long budget = poly_part_begin(isl_set_get_ctx(sizes), ISL_MOST);

    for (int k = 0; !instances->side && k < instances->n_leaf; k++)
        if (!statement_is_copy(instances->leaf[k]->statement))
            find_leaf(&search, instances->leaf[k]);
    poly_part_end(isl_set_get_ctx(sizes), budget);
    return (struct empties){search.list.at, search.list.n, search.left_out};
}

struct marking {
    const struct instances *instances;
    const struct statement *statement;
    int64_t *at; /* room for its loops */
};

static isl_stat mark(__isl_take isl_point *point, void *user)
{
    const struct marking *marking = user;
    const struct instance *found;

    for (int k = 0; k < marking->statement->n_loop; k++)
        poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &marking->at[k]);
    isl_point_free(point);
    found = instances_at(marking->instances, marking->statement, marking->at);
    if (found)
        marking->instances->list[found - marking->instances->list].padding = true;
    return isl_stat_ok;
}

/* Those of the statement that the described one, of which it is, does not have. */
static void mark_statement(struct marking *marking, const struct statement *described, __isl_keep isl_set *sizes)
{
    const struct statement *statement = marking->statement;
    isl_set *own = isl_set_set_tuple_id(isl_set_copy(described->domain), isl_set_get_tuple_id(statement->domain));
    isl_set *more = isl_set_subtract(isl_set_copy(statement->domain), own);

    more = isl_set_intersect_params(more, isl_set_copy(sizes));
    more = isl_set_intersect(more, instances_box(marking->instances, statement));
    if (isl_set_is_empty(more) == isl_bool_false)
        isl_set_foreach_point(more, mark, marking);
    isl_set_free(more);
}

void padding_find(struct arena *arena, const struct instances *instances, const struct program *described,
                  __isl_keep isl_set *sizes)
{
    const struct program *program = instances->program;

    for (int s = 0; program != described && s < program->n_statement; s++) {
        struct marking marking = {.instances = instances, .statement = program->statement[s]};
        marking.at = ARENA_ARRAY(arena, marking.statement->n_loop + 1, int64_t);
        for (int k = 0; k < described->n_statement; k++)
            if (statement_is_of(marking.statement, described->statement[k])) {
                mark_statement(&marking, described->statement[k], sizes);
                break;
            }
    }
}
