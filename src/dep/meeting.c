#include "dep/meeting.h"

#include "base/vec.h"
#include "dep/apart.h"
#include "dep/told.h"
#include "poly/keep.h"
#include "program/meet.h"

enum { FEWEST_ALIKE = 3 }; /* pairs of touches whose hull is looked at first */

/* The accesses of a statement that have one map. */
struct touch {
    const struct statement *statement;
    const struct access *access;
    bool writes;
};

struct meetings {
    struct arena *arena;
    const struct program *program;
    VEC(struct touch) touch;
    isl_union_map **pairs; /* of touch a and b at a * touch.n + b; NULL until it is asked for */
};

static struct touch *find_touch(struct meetings *meetings, const struct statement *statement,
                                const struct access *access)
{
    for (int k = meetings->touch.n - 1; k >= 0 && meetings->touch.at[k].statement == statement; k--)
        if (accesses_alike(meetings->touch.at[k].access, access))
            return &meetings->touch.at[k];
    return NULL;
}

static void add_access(struct meetings *meetings, const struct statement *statement, const struct access *access)
{
    struct touch *touch = find_touch(meetings, statement, access);

    if (touch)
        touch->writes = touch->writes || access->write;
    else
        VEC_PUSH(meetings->arena, &meetings->touch, ((struct touch){statement, access, access->write}));
}

struct meetings *meetings_new(struct arena *arena, const struct program *program)
{
    struct meetings *meetings = ARENA_NEW(arena, struct meetings);

    meetings->arena = arena;
    meetings->program = program;
    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++)
            add_access(meetings, program->statement[s], &program->statement[s]->access[k]);
    meetings->pairs = ARENA_ARRAY(arena, meetings->touch.n * meetings->touch.n + 1, isl_union_map *);
    return meetings;
}

static __isl_give isl_union_map *pairs_of(struct meetings *meetings, int a, int b)
{
    isl_union_map **pairs = &meetings->pairs[a * meetings->touch.n + b];

    if (!*pairs) {
        isl_map *map = accesses_meeting(meetings->program, meetings->touch.at[a].access, meetings->touch.at[b].access);
        map = guards_meeting(map, meetings->touch.at[a].statement, meetings->touch.at[b].statement);
        map = isl_map_intersect_params(map, isl_set_copy(meetings->program->context));
        *pairs = poly_keep_union_map(meetings->arena, isl_union_map_from_map(map));
    }
    return isl_union_map_copy(*pairs);
}

static __isl_give isl_multi_union_pw_aff *one_time(__isl_keep isl_union_pw_aff *time)
{
    return isl_multi_union_pw_aff_from_union_pw_aff(isl_union_pw_aff_copy(time));
}

/* Leaves the pairs at one time of a loop; false when there are others, too, or isl cannot tell. */
static bool all_at_once(struct arena *arena, struct agreeing *pairs, __isl_keep isl_union_pw_aff *time)
{
    const unsigned all = 1u << PAIRS_EARLIER | 1u << PAIRS_AT_ONCE | 1u << PAIRS_LATER;
    struct agreement *next = agreement_new(arena);
    struct apart apart = pairs_apart_agreeing(pairs->pairs, one_time(time), all, pairs->agreement, next);
    const bool none = isl_union_map_is_empty(apart.pairs[PAIRS_EARLIER]) == isl_bool_true &&
                      isl_union_map_is_empty(apart.pairs[PAIRS_LATER]) == isl_bool_true;

    isl_union_map_free(apart.pairs[PAIRS_EARLIER]);
    isl_union_map_free(apart.pairs[PAIRS_LATER]);
    *pairs = (struct agreeing){apart.pairs[PAIRS_AT_ONCE], next};
    return none;
}

/* Are pairs that are at one time of the n_around loops at one time of the n loops behind them? */
static bool stay(__isl_take isl_union_map *pairs, isl_union_pw_aff *const *time, int n_around, int n)
{
    struct arena *arena = arena_new();
    struct agreeing at_once = pairs_together(arena, pairs, time, n_around);
    bool all = true;

    for (int k = n_around; k < n_around + n && all; k++)
        all = all_at_once(arena, &at_once, time[k]);
    isl_union_map_free(at_once.pairs);
    arena_free(arena);
    return all;
}

/* Mostly the loops around need not be looked at. */
static bool stay_within(__isl_take isl_union_map *pairs, isl_union_pw_aff *const *time, int n_around, int n)
{
    if (stay(isl_union_map_copy(pairs), time + n_around, 0, n)) {
        isl_union_map_free(pairs);
        return true;
    }
    return stay(pairs, time, n_around, n);
}

/* Do touches a and b meet at all, as far as the arrays say? */
static bool may_meet(const struct meetings *meetings, int a, int b)
{
    const struct touch *first = &meetings->touch.at[a], *second = &meetings->touch.at[b];

    return first->access->array == second->access->array && (first->writes || second->writes);
}

/* Is one subscript of both the time? */
static bool tell_time(const struct touch *a, const struct touch *b, __isl_keep isl_union_pw_aff *time)
{
    for (int d = 0; d < a->access->array->n_iteration; d++)
        if (subscript_tells_time(a->statement, a->access, d, time) &&
            subscript_tells_time(b->statement, b->access, d, time))
            return true;
    return false;
}

/* Do touches a and b meet only at one time of the n loops? */
static bool pair_within(struct meetings *meetings, int a, int b, isl_union_pw_aff *const *time, int n_around, int n)
{
    bool told = n > 0;

    for (int k = 0; k < n && told; k++)
        told = tell_time(&meetings->touch.at[a], &meetings->touch.at[b], time[n_around + k]);
    return told || stay_within(pairs_of(meetings, a, b), time, n_around, n);
}

/* Do both touches have one statement and one array? */
static bool is_alike(const struct touch *a, const struct touch *b)
{
    return a->statement == b->statement && a->access->array == b->access->array;
}

/* Is there no pair before that of touches a and b whose statements and arrays are theirs? */
static bool is_first_alike(const struct meetings *meetings, int a, int b)
{
    const struct touch *touch = meetings->touch.at;

    for (int k = 0; k <= a; k++)
        for (int l = k; l < (k < a ? meetings->touch.n : b); l++)
            if (is_alike(&touch[k], &touch[a]) && is_alike(&touch[l], &touch[b]) && may_meet(meetings, k, l))
                return false;
    return true;
}

/* Do all touches alike to this one touch neighbours of what it does, always as far away? */
static bool are_neighbours(const struct meetings *meetings, int a)
{
    const struct touch *touch = meetings->touch.at;
    bool are = true;

    for (int k = a + 1; k < meetings->touch.n && are; k++) {
        isl_set *away;
        if (!is_alike(&touch[k], &touch[a]))
            continue;
        away = isl_map_deltas(isl_map_apply_range(isl_map_reverse(isl_map_copy(touch[a].access->map)),
                                                  isl_map_copy(touch[k].access->map)));
        are = isl_set_is_singleton(away) == isl_bool_true;
        isl_set_free(away);
    }
    return are;
}

/* The hull of the pairs of touches whose statements and arrays are those of a and b, which are the first of them;
 * NULL: too few are for that to save anything, or they are no neighbours, and the hull would say little. */
static __isl_give isl_map *hull_alike(struct meetings *meetings, int a, int b)
{
    const struct touch *touch = meetings->touch.at;
    isl_union_map *all = NULL;
    isl_map *map;
    int n = 0;

    for (int k = a; k < meetings->touch.n; k++)
        for (int l = k; l < meetings->touch.n; l++)
            if (is_alike(&touch[k], &touch[a]) && is_alike(&touch[l], &touch[b]) && may_meet(meetings, k, l)) {
                isl_union_map *pairs = pairs_of(meetings, k, l);
                all = all ? isl_union_map_union(all, pairs) : pairs;
                n++;
            }
    if (n < FEWEST_ALIKE || isl_union_map_is_empty(all) != isl_bool_false || !are_neighbours(meetings, a) ||
        !are_neighbours(meetings, b)) {
        isl_union_map_free(all);
        return NULL;
    }
    map = isl_map_from_union_map(all);
    return isl_map_from_basic_map(isl_map_simple_hull(map));
}

/* Do all touches whose statements and arrays are those of a and b meet only at one time of the n loops? They do if the
 * hull of their pairs does: one question instead of one for each neighbour that a stencil reads. */
static bool alike_within(struct meetings *meetings, int a, int b, isl_union_pw_aff *const *time, int n_around, int n)
{
    isl_map *hull = hull_alike(meetings, a, b);

    return hull && stay_within(isl_union_map_from_map(hull), time, n_around, n);
}

/* Marks the pairs of touches whose statements and arrays are those of a and b. */
static void mark_alike(const struct meetings *meetings, int a, int b, bool *marked)
{
    const struct touch *touch = meetings->touch.at;

    for (int k = a; k < meetings->touch.n; k++)
        for (int l = k; l < meetings->touch.n; l++)
            if (is_alike(&touch[k], &touch[a]) && is_alike(&touch[l], &touch[b]))
                marked[k * meetings->touch.n + l] = true;
}

bool meetings_within(struct meetings *meetings, const bool *member, isl_union_pw_aff *const *time, int n_around, int n)
{
    const struct touch *touch = meetings->touch.at;
    const int n_touch = meetings->touch.n;
    struct arena *arena = arena_new();
    bool *within = ARENA_ARRAY(arena, n_touch * n_touch + 1, bool), all = true;

    for (int a = 0; a < n_touch && all; a++)
        for (int b = a; b < n_touch && all; b++) {
            if (!may_meet(meetings, a, b) || !member[touch[a].statement->index] || !member[touch[b].statement->index])
                continue;
            if (is_first_alike(meetings, a, b) && alike_within(meetings, a, b, time, n_around, n))
                mark_alike(meetings, a, b, within);
            all = within[a * n_touch + b] || pair_within(meetings, a, b, time, n_around, n);
        }
    arena_free(arena);
    return all;
}

bool meetings_at_once(struct meetings *meetings, const struct array *array, __isl_keep isl_union_pw_aff *time)
{
    for (int d = 0; d < array->n_iteration; d++)
        if (subscripts_tell_time(meetings->program, array, d, time))
            return true;
    for (int a = 0; a < meetings->touch.n; a++)
        for (int b = a; b < meetings->touch.n && meetings->touch.at[a].access->array == array; b++)
            if (may_meet(meetings, a, b) && !stay(pairs_of(meetings, a, b), &time, 0, 1))
                return false;
    return true;
}
