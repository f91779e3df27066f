#include "dep/legal.h"

#include "dep/compare.h"
#include "program/meet.h"

#include <isl/space.h>
#include <isl/val.h>

#include <string.h>

__isl_give isl_union_map *legal_violated(const struct dependences *dependences, __isl_keep isl_schedule *schedule)
{
    isl_union_map *required = isl_union_map_copy(dependences->required);

    required = isl_union_map_intersect_params(required, isl_set_copy(dependences->program->context));
    return pairs_not_before(schedule, required);
}

static int compare_values(const int64_t *a, const int64_t *b, int n)
{
    for (int k = 0; k < n; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static bool smaller(const struct program *program, const struct violation *a, const struct violation *b)
{
    const struct statement *sa = a->dependence->to->statement, *sb = b->dependence->to->statement;
    const int params = compare_values(a->param, b->param, program->n_param);

    if (params != 0)
        return params < 0;
    if (sa != sb)
        return sa->index < sb->index;
    return compare_values(a->later, b->later, sa->n_loop) < 0;
}

static __isl_give isl_map *fix(__isl_take isl_map *map, enum isl_dim_type type, const int64_t *value, int n)
{
    for (int k = 0; k < n; k++)
        map = isl_map_fix_val(map, type, (unsigned)k, isl_val_int_from_si(isl_map_get_ctx(map), value[k]));
    return map;
}

/* The smallest of pairs of the two statements: parameters, later, earlier. */
static bool sample_pair(struct arena *arena, const struct dependence *dependence, __isl_take isl_map *pairs,
                        struct violation *violation)
{
    struct sample sample;

    if (!poly_smallest(arena, isl_map_wrap(isl_map_reverse(pairs)), &sample))
        return false;
    violation->dependence = dependence;
    violation->param = sample.param;
    violation->later = sample.dim;
    violation->earlier = sample.dim + dependence->to->statement->n_loop;
    return true;
}

/* The smallest of bad's pairs that belong to dependence. */
static bool smallest(struct arena *arena, const struct dependence *dependence, __isl_keep isl_union_map *bad,
                     struct violation *violation)
{
    isl_map *mine = isl_union_map_extract_map(bad, isl_map_get_space(dependence->map));

    mine = isl_map_intersect(mine, isl_map_copy(dependence->map));
    return sample_pair(arena, dependence, mine, violation);
}

bool legal_smallest_of(struct arena *arena, const struct dependences *dependences, const struct dependence *dependence,
                       struct violation *violation)
{
    isl_union_map *pairs = isl_union_map_from_map(isl_map_copy(dependence->map));
    bool found;

    pairs = isl_union_map_intersect_params(pairs, isl_set_copy(dependences->program->context));
    found = smallest(arena, dependence, pairs, violation);
    isl_union_map_free(pairs);
    return found;
}

/* The smallest of the pairs, those of reductions only if asked. */
static bool smallest_of(struct arena *arena, const struct dependences *dependences, __isl_keep isl_union_map *pairs,
                        bool reductions, struct violation *violation)
{
    struct violation one;
    bool found = false;

    if (isl_union_map_is_empty(pairs) != isl_bool_false)
        return false;
    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        if ((dependence->reduction && !reductions) || !smallest(arena, dependence, pairs, &one))
            continue;
        if (!found || smaller(dependences->program, &one, violation))
            *violation = one;
        found = true;
    }
    return found;
}

static bool of_same_statements(const struct dependence *a, const struct dependence *b)
{
    return a->from->statement == b->from->statement && a->to->statement == b->to->statement;
}

/* Is it the first required dependence between its two statements? */
static bool is_first(const struct dependences *dependences, const struct dependence *dependence)
{
    if (dependence->reduction)
        return false;
    for (const struct dependence *k = dependences->list; k < dependence; k++)
        if (!k->reduction && of_same_statements(k, dependence))
            return false;
    return true;
}

/* The smallest parameters and later instance of bad, whichever dependence they are about. */
static bool smallest_place(struct arena *arena, const struct dependences *dependences, __isl_keep isl_union_map *bad,
                           struct violation *place)
{
    struct violation one;
    bool found = false;

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        isl_map *pairs;
        if (!is_first(dependences, dependence))
            continue;
        pairs = isl_union_map_extract_map(bad, isl_map_get_space(dependence->map));
        if (!sample_pair(arena, dependence, pairs, &one))
            continue;
        if (!found || smaller(dependences->program, &one, place))
            *place = one;
        found = true;
    }
    return found;
}

/* Of bad the pairs at the parameters and with the later instance of place. */
static __isl_give isl_union_map *pairs_at(__isl_keep isl_union_map *bad, const struct violation *place,
                                          const struct dependence *dependence)
{
    isl_map *pairs = isl_union_map_extract_map(bad, isl_map_get_space(dependence->map));

    pairs = fix(pairs, isl_dim_param, place->param, (int)isl_map_dim(pairs, isl_dim_param));
    pairs = fix(pairs, isl_dim_out, place->later, dependence->to->statement->n_loop);
    return isl_union_map_from_map(pairs);
}

/* The same as smallest_of where bad has no pairs but those of required dependences: only those at its smallest place
 * are divided among them. */
static bool smallest_required(struct arena *arena, const struct dependences *dependences, __isl_keep isl_union_map *bad,
                              struct violation *violation)
{
    struct violation place;
    bool found = false;

    if (!smallest_place(arena, dependences, bad, &place))
        return false;
    for (int k = 0; k < dependences->n && !found; k++) {
        const struct dependence *dependence = &dependences->list[k];
        isl_union_map *there;
        if (dependence->reduction || dependence->to->statement != place.dependence->to->statement)
            continue;
        there = pairs_at(bad, &place, dependence);
        found = smallest(arena, dependence, there, violation);
        isl_union_map_free(there);
    }
    return found || smallest_of(arena, dependences, bad, false, violation);
}

bool legal_find_violation(struct arena *arena, const struct dependences *dependences, __isl_keep isl_schedule *schedule,
                          struct violation *violation)
{
    isl_union_map *bad = legal_violated(dependences, schedule);
    const bool found = smallest_required(arena, dependences, bad, violation);

    isl_union_map_free(bad);
    return found;
}

bool legal_find_among(struct arena *arena, const struct dependences *dependences, __isl_keep isl_union_map *pairs,
                      struct violation *violation)
{
    return smallest_required(arena, dependences, pairs, violation);
}

bool legal_find_pair(struct arena *arena, const struct dependences *dependences, __isl_take isl_union_map *pairs,
                     struct violation *violation)
{
    bool found;

    pairs = isl_union_map_intersect(pairs, isl_union_map_copy(dependences->required));
    found = smallest_required(arena, dependences, pairs, violation);
    isl_union_map_free(pairs);
    return found;
}

bool legal_smallest_pair(struct arena *arena, const struct dependences *dependences, __isl_keep isl_union_map *pairs,
                         struct violation *violation)
{
    return smallest_of(arena, dependences, pairs, true, violation);
}

__isl_give isl_map *violation_pair(const struct violation *violation)
{
    const struct dependence *dependence = violation->dependence;
    isl_map *pair = isl_map_copy(dependence->map);

    pair = fix(pair, isl_dim_param, violation->param, (int)isl_map_dim(pair, isl_dim_param));
    pair = fix(pair, isl_dim_in, violation->earlier, dependence->from->statement->n_loop);
    return fix(pair, isl_dim_out, violation->later, dependence->to->statement->n_loop);
}

bool legal_swaps(const struct violation *violation, __isl_keep isl_schedule *schedule)
{
    isl_union_map *bad = pairs_not_before(schedule, isl_union_map_from_map(violation_pair(violation)));
    const bool swapped = isl_union_map_is_empty(bad) == isl_bool_false;

    isl_union_map_free(bad);
    return swapped;
}

void print_tuple(struct text *out, const char *name, const int64_t *value, int n)
{
    text_add(out, name);
    for (int k = 0; k < n; k++)
        text_addf(out, "%s%lld", k ? ", " : "[", (long long)value[k]);
    if (n)
        text_char(out, ']');
}

void violation_print_instance(struct text *out, const struct statement *statement, const int64_t *instance)
{
    print_tuple(out, statement->label, instance, statement->n_loop);
}

void violation_print_element(struct text *out, struct arena *arena, const struct violation *violation)
{
    const struct reference *from = violation->dependence->from, *to = violation->dependence->to;
    isl_map *pair = violation_pair(violation);
    isl_set *at_from = isl_set_apply(isl_map_domain(isl_map_copy(pair)), isl_map_copy(from->map));
    isl_set *at_to = isl_set_apply(isl_map_range(pair), isl_map_copy(to->map));
    struct sample sample;

    if (poly_smallest(arena, isl_set_intersect(at_from, at_to), &sample))
        print_tuple(out, from->array->name, sample.dim + from->array->n_iteration,
                    sample.n_dim - from->array->n_iteration);
    else
        text_add(out, from->array->name);
}

void violation_print_params(struct text *out, const struct program *program, const struct violation *violation)
{
    for (int k = 0; k < program->n_param; k++)
        text_addf(out, "%s%s = %lld", k ? ", " : "", program->param[k].name, (long long)violation->param[k]);
}

static const char *verb(const struct reference *reference, bool writing)
{
    if (reference->may)
        return writing ? "may write" : "may read";
    return writing ? "writes" : "reads";
}

void violation_print_reason(struct text *out, struct arena *arena, const struct program *program,
                            const struct violation *violation)
{
    const struct reference *from = violation->dependence->from, *to = violation->dependence->to;
    const bool flow = from->writes && to->reads;

    violation_print_instance(out, from->statement, violation->earlier);
    text_addf(out, " %s ", verb(from, from->writes));
    violation_print_element(out, arena, violation);
    text_add(out, ", which ");
    violation_print_instance(out, to->statement, violation->later);
    text_addf(out, " %s (%s dependence)%s", verb(to, !flow && to->writes), dependence_kind(violation->dependence),
              program->n_param ? "; " : "");
    violation_print_params(out, program, violation);
}

const char *violation_index_advice(struct arena *arena, const struct violation *violation)
{
    const struct dependence *dependence = violation->dependence;
    const struct array *index = accesses_index(dependence->from->access, dependence->to->access);

    if (index)
        return arena_printf(arena, "if the elements of `%s` all differ, its \"injective\": true says so", index->name);
    index = guards_index(dependence->from->statement, dependence->to->statement);
    return index ? arena_printf(arena,
                                "if the elements of `%s` never decrease, its \"monotone\": \"nondecreasing\" says so",
                                index->name)
                 : NULL;
}

const char *violation_advice(struct arena *arena, const struct violation *violation)
{
    const struct dependence *dependence = violation->dependence;
    const char *index = violation_index_advice(arena, violation);

    if (dependence_within_reduction(dependence))
        return "floating-point sums change when regrouped; \"permit\": [\"reassociate\"] allows it";
    if (dependence->from->statement == dependence->to->statement && statement_is_long_sum(dependence->from->statement))
        return arena_printf(arena, "written as `%s += ..`, with all that is added, the order of its sums is free%s",
                            dependence->from->array->name,
                            type_is_float(dependence->from->array->type) ? " where \"permit\" has \"reassociate\""
                                                                         : "");
    if (dependence->from->array->is_call)
        return "calls of functions with one state stay in their order";
    if (dependence->from->array->role == ROLE_TEMP && strcmp(dependence_kind(dependence), "flow") != 0 &&
        dependence->from->statement->nest == dependence->to->statement->nest)
        return arena_printf(arena, "`%s` is a temporary that each iteration could have for itself: `expand` it",
                            dependence->from->array->name);
    return arena_printf(arena, "%s%skeep the loop that carries this dependence outermost, or skew or shift it first",
                        index ? index : "", index ? "; else " : "");
}
