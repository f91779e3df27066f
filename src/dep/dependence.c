#include "dep/dependence.h"

#include "dep/compare.h"
#include "poly/coalesce.h"
#include "poly/keep.h"
#include "program/meet.h"

#include <isl/id.h>
#include <isl/space.h>

struct builder {
    struct arena *arena;
    const struct program *program;
    VEC(struct reference *) reference;
    VEC(struct dependence) list;
    isl_schedule *original;
};

static struct reference *find_reference(struct builder *builder, const struct access *access,
                                        const struct statement *statement)
{
    for (int k = builder->reference.n - 1; k >= 0; k--) {
        struct reference *reference = builder->reference.at[k];
        if (reference->statement != statement)
            return NULL;
        if (accesses_alike(reference->access, access))
            return reference;
    }
    return NULL;
}

static void add_access(struct builder *builder, const struct statement *statement, const struct access *access)
{
    struct reference *reference = find_reference(builder, access, statement);

    if (!reference) {
        reference = ARENA_NEW(builder->arena, struct reference);
        *reference = (struct reference){
            .statement = statement, .array = access->array, .access = access, .map = access->map, .may = access->may};
        VEC_PUSH(builder->arena, &builder->reference, reference);
    }
    reference->writes = reference->writes || access->write;
    reference->reads = reference->reads || !access->write;
}

/* How many reads of the statement have the target's map? More than one: the value reads it, too. */
static int target_reads(const struct statement *statement)
{
    int n = 0;

    for (int k = 1; k < statement->n_access; k++)
        if (statement->access[k].array == statement->access[0].array && !statement->access[k].write &&
            isl_map_plain_is_equal(statement->access[k].map, statement->access[0].map) == isl_bool_true)
            n++;
    return n;
}

static void mark_update(struct builder *builder, const struct statement *statement)
{
    enum expr_op op;
    struct reference *target = find_reference(builder, &statement->access[0], statement);

    if (!target || !statement_is_update(statement, &op) || target_reads(statement) != 1)
        return;
    target->reduction = true;
    target->update = update_order_is_free(builder->program, statement, op);
}

static bool same_reduction(const struct reference *a, const struct reference *b)
{
    enum expr_op op_a, op_b;

    return a->reduction && b->reduction && statement_is_update(a->statement, &op_a) &&
           statement_is_update(b->statement, &op_b) && op_a == op_b;
}

bool dependence_within_reduction(const struct dependence *dependence)
{
    return same_reduction(dependence->from, dependence->to);
}

static void add_pair(struct builder *builder, const struct reference *from, const struct reference *to)
{
    isl_map *pairs =
        guards_meeting(accesses_meeting(builder->program, from->access, to->access), from->statement, to->statement);
    isl_union_map *ordered = pairs_before(builder->original, isl_union_map_from_map(pairs));
    struct dependence dependence = {from, to, NULL, from->update && to->update && same_reduction(from, to)};

    if (isl_union_map_is_empty(ordered) == isl_bool_false) {
        dependence.map = poly_pairs_coalesce(isl_map_from_union_map(ordered));
        poly_keep_map(builder->arena, dependence.map);
        VEC_PUSH(builder->arena, &builder->list, dependence);
    } else {
        isl_union_map_free(ordered);
    }
}

static bool is_wanted(struct interest interest, const struct reference *from, const struct reference *to)
{
    if (interest.array && from->array != interest.array)
        return false;
    if (interest.from && from->statement != interest.from)
        return false;
    return !interest.among || (interest.among[from->statement->index] && interest.among[to->statement->index]);
}

static void add_pairs(struct builder *builder, struct interest interest)
{
    for (int a = 0; a < builder->reference.n; a++)
        for (int b = 0; b < builder->reference.n; b++) {
            const struct reference *from = builder->reference.at[a], *to = builder->reference.at[b];
            if (from->array == to->array && (from->writes || to->writes) && is_wanted(interest, from, to))
                add_pair(builder, from, to);
        }
}

static __isl_give isl_union_map *required(const struct program *program, const struct dependence *list, int n)
{
    isl_union_map *map = isl_union_map_empty(isl_set_get_space(program->context));

    for (int k = 0; k < n; k++)
        if (!list[k].reduction)
            map = isl_union_map_union(map, isl_union_map_from_map(isl_map_copy(list[k].map)));
    return poly_union_pairs_coalesce(map);
}

static struct dependences *keep(struct arena *arena, struct dependences dependences)
{
    struct dependences *kept = ARENA_NEW(arena, struct dependences);

    *kept = dependences;
    poly_keep_union_map(arena, kept->required);
    return kept->required ? kept : NULL;
}

struct dependences *dependences_compute(struct arena *arena, const struct program *program,
                                        __isl_keep isl_schedule *original, struct interest interest)
{
    struct builder builder = {.arena = arena, .program = program, .original = original};
    struct dependences dependences = {.program = program, .complete = !interest.array && !interest.from};

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        for (int k = 0; k < statement->n_access; k++)
            add_access(&builder, statement, &statement->access[k]);
        mark_update(&builder, statement);
    }
    add_pairs(&builder, interest);
    dependences.list = builder.list.at;
    dependences.n = builder.list.n;
    dependences.reference = (const struct reference *const *)builder.reference.at;
    dependences.n_reference = builder.reference.n;
    dependences.required = required(program, builder.list.at, builder.list.n);
    return keep(arena, dependences);
}

struct dependences *dependences_without(struct arena *arena, const struct dependences *dependences,
                                        __isl_take isl_union_map *waived)
{
    struct dependences copy = *dependences;

    copy.required = isl_union_map_subtract(isl_union_map_copy(dependences->required), waived);
    return keep(arena, copy);
}

const char *dependence_kind(const struct dependence *dependence)
{
    if (dependence->from->writes && dependence->to->reads)
        return "flow";
    return dependence->from->writes ? "output" : "anti";
}
