#include "lower/finished/meaning.h"

#include <isl/set.h>
#include <string.h>

struct meanings {
    struct arena *arena;
    const struct program *scheduled, *stored;
    const struct statement *statement;
    struct meaning *first, **last;
};

static bool is_hidden(const struct array *array)
{
    return array->role == ROLE_TEMP;
}

/* of: what stands in the place of the access where it is looked up; NULL: it is not known. */
static void add(struct meanings *meanings, const struct expr *access, const struct expr *of, bool stores)
{
    struct meaning *meaning = ARENA_NEW(meanings->arena, struct meaning);

    if (!is_hidden(access->array))
        return;
    *meaning = (struct meaning){.array = access->array, .subscript = access->arg, .stores = stores};
    if (of && of->kind == EXPR_ACCESS) {
        meaning->of = of->array->name;
        meaning->of_array = of->array;
        meaning->of_subscript = of->arg;
        meaning->n_of = of->n_arg;
    }
    *meanings->last = meaning;
    meanings->last = (struct meaning **)(uintptr_t)&meaning->next;
}

/* All loads in expr; before: the same expression as it was scheduled, as far as it still is that; NULL: unknown. */
static void add_loads(struct meanings *meanings, const struct expr *expr, const struct expr *before)
{
    const bool same = before && expr && before->kind == expr->kind && before->n_arg == expr->n_arg;

    if (!expr)
        return;
    if (expr->kind == EXPR_ACCESS)
        add(meanings, expr, before, false);
    for (int k = 0; k < expr->n_arg; k++)
        add_loads(meanings, expr->arg[k], same && expr->kind != EXPR_ACCESS ? before->arg[k] : NULL);
}

/* Without conversions, which copies do not need. */
static const struct expr *without_cast(const struct expr *expr)
{
    while (expr && expr->kind == EXPR_CAST)
        expr = expr->arg[0];
    return expr;
}

/* Is the array stored as it was scheduled, so that its elements are those of that name? */
static bool is_itself(const struct meanings *meanings, const struct array *array)
{
    const struct array *own = program_array(meanings->scheduled, array->name);

    if (!own || own->n_dim != array->n_dim || array->is_buffer)
        return false;
    for (int d = 0; d < array->n_dim; d++)
        if (!expr_equal(own->shape[d], array->shape[d]))
            return false;
    return true;
}

/* Is it an access to what a description or a schedule names, by the subscripts that it has there? */
static bool is_named(const struct meanings *meanings, const struct expr *expr)
{
    return expr->kind == EXPR_ACCESS && (!is_hidden(expr->array) || is_itself(meanings, expr->array));
}

/* The value of the copy that stores what `from` loads, in the same words; NULL: there is none. */
static const struct expr *stored_there(const struct meanings *meanings, const struct expr *from)
{
    for (int k = 0; k < meanings->stored->n_statement && from->kind == EXPR_ACCESS; k++) {
        const struct statement *copy = meanings->stored->statement[k];
        if (copy->is_copy && copy->n_loop == meanings->statement->n_loop && expr_equal(copy->target, from))
            return without_cast(copy->value);
    }
    return NULL;
}

/* A copy to or from a buffer says which element the buffer's element holds. Where one buffer is filled from another, it
 * is the element that the other one holds. */
static void add_copy(struct meanings *meanings)
{
    const struct expr *to = meanings->statement->target, *from = without_cast(meanings->statement->value);
    const bool fills = strcmp(to->array->name, meanings->statement->copies) == 0;
    const struct expr *of = fills || !is_named(meanings, to) ? from : to;

    if (!is_named(meanings, of))
        of = stored_there(meanings, of);
    if (!of || !is_named(meanings, of) || from->kind != EXPR_ACCESS) {
        add(meanings, to, NULL, true);
        add_loads(meanings, meanings->statement->value, NULL);
        return;
    }
    add(meanings, to, of, true);
    add(meanings, from, of, false);
}

/* Does it store in an element of its own what it added to another one? */
static bool is_first_of(const struct statement *own, const struct statement *statement)
{
    return statement->op == OP_NONE && own->op != OP_NONE &&
           strcmp(own->target->array->name, statement->target->array->name) != 0;
}

const struct statement *meaning_before(const struct program *scheduled, const struct statement *statement)
{
    const struct statement *own = program_statement(scheduled, statement->label);

    if (!own || own->n_loop != statement->n_loop || (own->op != statement->op && !is_first_of(own, statement)) ||
        (isl_set_is_subset(own->domain, statement->domain) != isl_bool_true &&
         isl_set_is_subset(statement->domain, own->domain) != isl_bool_true))
        return NULL;
    return own;
}

/* Has the array what updates of the target came to, each element those of some instances? */
static bool is_of_parts(const struct meanings *meanings, const struct array *array, const struct expr *target)
{
    for (int k = 0; k < meanings->stored->n_statement; k++) {
        const struct statement *statement = meanings->stored->statement[k];
        const struct statement *own = statement->target && statement->target->array == array
                                          ? meaning_before(meanings->scheduled, statement)
                                          : NULL;
        if (own && own->op == meanings->statement->op && strcmp(own->target->array->name, target->array->name) == 0)
            return true;
    }
    return false;
}

/* A statement of no schedule that adds parts of an update up. False: it is none. */
static bool add_sum_of_parts(struct meanings *meanings)
{
    const struct statement *statement = meanings->statement;
    const struct expr *part = without_cast(statement->value), *target = statement->target;

    if (statement->op == OP_NONE || part->kind != EXPR_ACCESS || !is_hidden(part->array) ||
        !is_named(meanings, target) || !is_of_parts(meanings, part->array, target))
        return false;
    add(meanings, target, target, true);
    add(meanings, target, target, false);
    add(meanings, part, target, false);
    for (struct meaning *meaning = meanings->first; meaning; meaning = (struct meaning *)(uintptr_t)meaning->next)
        meaning->partial = meaning->array == part->array;
    return true;
}

/* Does it store zero, whatever data are? */
static bool is_zero(const struct statement *statement)
{
    const struct expr *value = without_cast(statement->value);

    return statement->op == OP_NONE && !statement->guard &&
           (value->kind == EXPR_INT ? value->integer == 0 : value->kind == EXPR_REAL && value->real == 0);
}

const struct meaning *meanings_of(struct arena *arena, const struct program *scheduled, const struct program *stored,
                                  const struct statement *statement)
{
    struct meanings meanings = {arena, scheduled, stored, statement, NULL, NULL};
    const struct statement *own;

    meanings.last = &meanings.first;
    if (statement->barrier)
        return NULL;
    own = meaning_before(scheduled, statement);
    if (!own && is_zero(statement)) {
        add(&meanings, statement->target, NULL, true);
        if (meanings.first)
            meanings.first->zero = true;
        return meanings.first;
    }
    if (statement->is_copy && statement->copies) {
        add_copy(&meanings);
        return meanings.first;
    }
    if (!own && add_sum_of_parts(&meanings))
        return meanings.first;
    add(&meanings, statement->target, own ? own->target : NULL, true);
    if (statement->op != OP_NONE)
        add(&meanings, statement->target, own ? own->target : NULL, false);
    add_loads(&meanings, statement->value, own ? own->value : NULL);
    add_loads(&meanings, statement->guard, own ? own->guard : NULL);
    for (int k = 0; k < statement->target->n_arg; k++)
        add_loads(&meanings, statement->target->arg[k], NULL);
    return meanings.first;
}
