#include "dep/meeting.h"

#include "base/vec.h"
#include "dep/apart.h"
#include "dep/told.h"
#include "poly/keep.h"
#include "program/meet.h"

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

bool meetings_within(struct meetings *meetings, const bool *member, isl_union_pw_aff *const *time, int n_around, int n)
{
    for (int a = 0; a < meetings->touch.n; a++)
        for (int b = a; b < meetings->touch.n; b++) {
            const struct statement *first = meetings->touch.at[a].statement, *second = meetings->touch.at[b].statement;
            if (may_meet(meetings, a, b) && member[first->index] && member[second->index] &&
                !pair_within(meetings, a, b, time, n_around, n))
                return false;
        }
    return true;
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
