#include "dep/live_range.h"

#include "dep/compare.h"
#include "dep/sure.h"

/* The live ranges of one array's elements, each known by the instance that begins it. Where that one does not run, as
 * it is under a condition on data, nothing that would be in the range does. */
struct ranges {
    const struct dependences *dependences;
    const struct array *array;
    bool *begins;          /* by reference: does it begin a range, where it runs? */
    isl_union_map *next;   /* { w -> w' }: both begin ranges of the same element, in the order of the program */
    isl_union_map *member; /* { w -> x }: x is in the range of w, w itself not included */
};

static bool begins(const struct ranges *ranges, const struct reference *reference)
{
    int k = 0;

    while (k < ranges->dependences->n_reference && ranges->dependences->reference[k] != reference)
        k++;
    return k < ranges->dependences->n_reference && ranges->begins[k];
}

static __isl_give isl_union_map *none(const struct dependences *dependences)
{
    return isl_union_map_empty(isl_set_get_space(dependences->program->context));
}

static __isl_give isl_union_map *add(__isl_take isl_union_map *pairs, __isl_take isl_map *more)
{
    return isl_union_map_union(pairs, isl_union_map_from_map(more));
}

/* { w -> x }: w begins a range, and x uses its element later; sure: only where w runs if x does. */
static __isl_give isl_union_map *used_later(const struct ranges *ranges, const struct reference *use, bool sure)
{
    const struct dependences *dependences = ranges->dependences;
    isl_union_map *pairs = none(dependences);

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        if (dependence->to == use && begins(ranges, dependence->from))
            pairs = add(pairs, sure ? dependence_sure(dependences, dependence) : isl_map_copy(dependence->map));
    }
    return pairs;
}

/* { w -> x }: x, an instance of the reference, is in the range of w, the last that begins before it. */
static __isl_give isl_union_map *members(const struct ranges *ranges, const struct reference *use)
{
    isl_union_map *in = used_later(ranges, use, true), *any = used_later(ranges, use, false);

    return isl_union_map_subtract(in, isl_union_map_apply_range(isl_union_map_copy(ranges->next), any));
}

/* Adds the reference's instances to the ranges that they are in. False: not all are in one. */
static bool add_members(struct ranges *ranges, const struct reference *use)
{
    isl_union_map *in = members(ranges, use);
    isl_union_set *all = isl_union_set_from_set(isl_map_domain(isl_map_copy(use->map)));
    bool covered;

    all = isl_union_set_intersect_params(all, isl_set_copy(ranges->dependences->program->context));
    all = isl_union_set_subtract(all, isl_union_map_range(isl_union_map_copy(in)));
    covered = isl_union_set_is_empty(all) == isl_bool_true;
    isl_union_set_free(all);
    ranges->member = isl_union_map_union(ranges->member, in);
    return covered;
}

/* Sets ranges->next by what begins ranges now; no range has members then. */
static void set_next(struct ranges *ranges)
{
    const struct dependences *dependences = ranges->dependences;

    isl_union_map_free(ranges->next);
    isl_union_map_free(ranges->member);
    ranges->next = none(dependences);
    ranges->member = none(dependences);
    for (int k = 0; k < dependences->n; k++)
        if (dependences->list[k].from->array == ranges->array && begins(ranges, dependences->list[k].from) &&
            begins(ranges, dependences->list[k].to))
            ranges->next = add(ranges->next, isl_map_copy(dependences->list[k].map));
}

/* Finds what begins ranges: all that writes for sure, and what does under a condition on data unless it is in a range
 * that began before. */
static void find_begins(struct ranges *ranges)
{
    const struct dependences *dependences = ranges->dependences;

    ranges->begins = ARENA_ARRAY(dependences->program->arena, dependences->n_reference + 1, bool);
    for (int k = 0; k < dependences->n_reference; k++)
        ranges->begins[k] = dependences->reference[k]->array == ranges->array && dependences->reference[k]->writes &&
                            !dependences->reference[k]->reads && !dependences->reference[k]->may;
    set_next(ranges);
    for (int k = 0; k < dependences->n_reference; k++) {
        const struct reference *reference = dependences->reference[k];
        if (reference->array != ranges->array || !reference->writes || reference->reads || !reference->may)
            continue;
        ranges->begins[k] = !add_members(ranges, reference);
        set_next(ranges);
    }
}

/* { w -> A[a] } of what begins ranges. */
static __isl_give isl_union_map *begun_elements(const struct ranges *ranges)
{
    const struct dependences *dependences = ranges->dependences;
    isl_union_map *elements = none(dependences);

    for (int k = 0; k < dependences->n_reference; k++)
        if (ranges->begins[k])
            elements = add(elements, isl_map_copy(dependences->reference[k]->map));
    return elements;
}

/* Is each element that the reference may be to, where data choose one of them, in a range that the instance is in? */
static bool all_elements_begun(const struct ranges *ranges, const struct reference *use)
{
    isl_union_map *in = isl_union_map_reverse(members(ranges, use));
    isl_union_map *all = isl_union_map_from_map(isl_map_copy(use->map));
    bool covered;

    all = isl_union_map_intersect_params(all, isl_set_copy(ranges->dependences->program->context));
    all = isl_union_map_subtract(all, isl_union_map_apply_range(in, begun_elements(ranges)));
    covered = isl_union_map_is_empty(all) == isl_bool_true;
    isl_union_map_free(all);
    return covered;
}

/* False: the array has elements whose ranges are not known, such as the zeros of "init" that an instance reads. */
static bool find(struct ranges *ranges)
{
    const struct dependences *dependences = ranges->dependences;

    find_begins(ranges);
    for (int k = 0; k < dependences->n_reference; k++) {
        const struct reference *reference = dependences->reference[k];
        if (reference->array != ranges->array)
            continue;
        if (isl_map_is_single_valued(reference->map) != isl_bool_true &&
            (ranges->begins[k] || !all_elements_begun(ranges, reference)))
            return false;
        if (!ranges->begins[k] && !add_members(ranges, reference))
            return false;
    }
    return true;
}

/* The pairs { a -> b } and { b -> a }. */
static __isl_give isl_union_map *both_ways(__isl_take isl_union_map *pairs)
{
    return isl_union_map_union(pairs, isl_union_map_reverse(isl_union_map_copy(pairs)));
}

/* The pairs { a -> b } of pairs but those with b before a. */
static __isl_give isl_union_map *not_after(__isl_keep isl_schedule *schedule, __isl_take isl_union_map *pairs)
{
    return isl_union_map_reverse(pairs_not_before(schedule, isl_union_map_reverse(pairs)));
}

/* { w' -> x }: w' begins a range of an element that x, in another one, uses. */
static __isl_give isl_union_map *others(const struct ranges *ranges)
{
    return isl_union_map_apply_range(both_ways(isl_union_map_copy(ranges->next)), isl_union_map_copy(ranges->member));
}

/* { w -> w' }: the range of w' begins within that of w, or the other way round. */
static __isl_give isl_union_map *meeting(const struct ranges *ranges, __isl_keep isl_schedule *schedule)
{
    isl_union_map *begun = not_after(schedule, both_ways(isl_union_map_copy(ranges->next)));
    isl_union_map *ended = isl_union_map_reverse(not_after(schedule, others(ranges)));

    ended = isl_union_map_apply_range(isl_union_map_copy(ranges->member), ended);
    return both_ways(isl_union_map_intersect(begun, ended));
}

/* { w -> w } */
static __isl_give isl_union_map *themselves(const struct ranges *ranges)
{
    isl_union_map *next = both_ways(isl_union_map_copy(ranges->next));
    isl_union_set *begin = isl_union_map_domain(isl_union_map_copy(ranges->member));

    return isl_union_set_identity(isl_union_set_union(begin, isl_union_map_domain(next)));
}

/* Of the pairs those between ranges that the order keeps apart. */
static __isl_give isl_union_map *between_apart(const struct ranges *ranges, __isl_keep isl_schedule *schedule,
                                               __isl_take isl_union_map *pairs)
{
    isl_union_map *range = isl_union_map_union(isl_union_map_copy(ranges->member), themselves(ranges));
    isl_union_map *kept = isl_union_map_apply_range(meeting(ranges, schedule), isl_union_map_copy(range));

    range = isl_union_map_reverse(range);
    kept = isl_union_map_apply_range(isl_union_map_copy(range), kept);
    range = isl_union_map_apply_range(range, isl_union_map_reverse(isl_union_map_copy(range)));
    return isl_union_map_subtract(isl_union_map_subtract(pairs, kept), range);
}

/* The violated pairs about the array. */
static __isl_give isl_union_map *about(const struct dependences *dependences, const struct array *array,
                                       __isl_keep isl_union_map *violated)
{
    isl_union_map *pairs = none(dependences);

    for (int k = 0; k < dependences->n; k++)
        if (dependences->list[k].from->array == array && !dependences->list[k].reduction)
            pairs = add(pairs, isl_map_copy(dependences->list[k].map));
    return isl_union_map_intersect(pairs, isl_union_map_copy(violated));
}

/* The violated pairs that are not allowed, as far as the array tells. */
static __isl_give isl_union_map *not_allowed(const struct dependences *dependences, const struct array *array,
                                             __isl_keep isl_schedule *schedule, __isl_keep isl_union_map *violated)
{
    struct ranges ranges = {dependences, array, NULL, none(dependences), none(dependences)};
    isl_union_map *pairs = about(dependences, array, violated);

    if (array->role == ROLE_TEMP && !array->is_call && isl_union_map_is_empty(pairs) == isl_bool_false && find(&ranges))
        pairs = isl_union_map_subtract(pairs, between_apart(&ranges, schedule, isl_union_map_copy(pairs)));
    isl_union_map_free(ranges.next);
    isl_union_map_free(ranges.member);
    return pairs;
}

/* Is some pair of the array's temporaries violated? */
static bool may_be_allowed(const struct dependences *dependences, __isl_keep isl_union_map *violated)
{
    bool any = false;

    for (int k = 0; k < dependences->n && !any; k++)
        any = dependences->list[k].from->array->role == ROLE_TEMP;
    return any && isl_union_map_is_empty(violated) == isl_bool_false;
}

__isl_give isl_union_map *live_range_violated(const struct dependences *dependences, __isl_keep isl_schedule *schedule)
{
    isl_union_map *violated = legal_violated(dependences, schedule), *left;

    if (!may_be_allowed(dependences, violated))
        return violated;
    left = none(dependences);
    for (int k = 0; k < dependences->program->n_array; k++)
        left = isl_union_map_union(left, not_allowed(dependences, &dependences->program->array[k], schedule, violated));
    isl_union_map_free(violated);
    return left;
}

bool live_range_find_violation(struct arena *arena, const struct dependences *dependences,
                               __isl_keep isl_schedule *schedule, struct violation *violation)
{
    isl_union_map *violated = live_range_violated(dependences, schedule);
    const bool found = legal_find_among(arena, dependences, violated, violation);

    isl_union_map_free(violated);
    return found;
}

bool live_range_violates(const struct dependences *dependences, const struct violation *violation,
                         __isl_keep isl_schedule *schedule)
{
    isl_union_map *pair, *violated;
    bool violates = legal_swaps(violation, schedule);

    if (!violates || violation->dependence->from->array->role != ROLE_TEMP)
        return violates;
    pair = isl_union_map_from_map(violation_pair(violation));
    violated = not_allowed(dependences, violation->dependence->from->array, schedule, pair);
    violates = isl_union_map_is_empty(violated) == isl_bool_false;
    isl_union_map_free(pair);
    isl_union_map_free(violated);
    return violates;
}
