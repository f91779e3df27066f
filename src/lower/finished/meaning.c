#include "lower/finished/meaning.h"

#include <isl/set.h>
#include <string.h>

/* Buffers of buffers of .. that are looked through. */
enum { MOST_BUFFERS = 4 };

struct meanings {
    struct arena *arena;
    const struct program *scheduled, *stored;
    const struct statement *statement;
    const struct choosing *where; /* around what is looked at */
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
    meaning->where = meanings->where;
    if (of && of->kind == EXPR_ACCESS) {
        meaning->of = of->array->name;
        meaning->of_array = of->array;
        meaning->of_subscript = of->arg;
        meaning->n_of = of->n_arg;
    }
    *meanings->last = meaning;
    meanings->last = (struct meaning **)(uintptr_t)&meaning->next;
}

/* Without conversions: copies do not need them, and a buffer of another type has some. */
static const struct expr *without_cast(const struct expr *expr)
{
    while (expr && expr->kind == EXPR_CAST)
        expr = expr->arg[0];
    return expr;
}

/* Have both as many operands, each at the same place? Of an access these are its subscripts. */
static bool have_same_places(const struct expr *expr, const struct expr *before)
{
    return before && before->kind == expr->kind && before->n_arg == expr->n_arg &&
           (expr->kind != EXPR_ACCESS || strcmp(before->array->name, expr->array->name) == 0);
}

static void add_loads(struct meanings *meanings, const struct expr *expr, const struct expr *before);

/* The loads of operand k: of an arm of a choice, or behind && or ||, where the first operand decides. */
static void add_operand(struct meanings *meanings, const struct expr *expr, const struct expr *before, int k)
{
    const struct choosing *outer = meanings->where;
    struct choosing *where = ARENA_NEW(meanings->arena, struct choosing);
    const bool chooses = expr->kind == EXPR_SELECT;
    const bool lazy = expr->kind == EXPR_BINARY && (expr->op == OP_LAND || expr->op == OP_LOR);

    *where = (struct choosing){expr->arg[0], chooses ? k == 1 : expr->op == OP_LAND, outer};
    meanings->where = k > 0 && (chooses || lazy) ? where : outer;
    add_loads(meanings, expr->arg[k], before);
    meanings->where = outer;
}

/* All loads in expr; before: the same expression as it was scheduled, as far as it still is that; NULL: unknown. */
static void add_loads(struct meanings *meanings, const struct expr *expr, const struct expr *before)
{
    bool same;

    expr = without_cast(expr);
    before = without_cast(before);
    if (!expr)
        return;
    same = have_same_places(expr, before);
    if (expr->kind == EXPR_ACCESS)
        add(meanings, expr, before, false);
    for (int k = 0; k < expr->n_arg; k++)
        add_operand(meanings, expr, same ? before->arg[k] : NULL, k);
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

/* What the loops of another statement are in this one: expressions of its loops; NULL: not known. */
static struct expr **new_values(const struct meanings *meanings, const struct statement *other)
{
    return ARENA_ARRAY(meanings->arena, other->n_loop + 1, struct expr *);
}

static struct expr *loop_named(const struct meanings *meanings, const char *name)
{
    struct expr *expr = ARENA_NEW(meanings->arena, struct expr);

    *expr = (struct expr){.kind = EXPR_LOOP};
    for (; expr->loop < meanings->statement->n_loop; expr->loop++)
        if (strcmp(meanings->statement->loop_name[expr->loop], name) == 0)
            return expr;
    return NULL;
}

/* The expression of the other statement with these values; NULL: it has a loop without one. */
static struct expr *with_values(const struct meanings *meanings, const struct expr *expr, struct expr *const *value)
{
    struct expr *own = ARENA_NEW(meanings->arena, struct expr);

    if (expr->kind == EXPR_LOOP)
        return value[expr->loop];
    *own = *expr;
    own->arg = ARENA_ARRAY(meanings->arena, expr->n_arg + 1, struct expr *);
    for (int k = 0; k < expr->n_arg; k++) {
        own->arg[k] = with_values(meanings, expr->arg[k], value);
        if (!own->arg[k])
            return NULL;
    }
    return own;
}

/* expr, of the other statement, in this one, loops without values being those of the same name. */
static const struct expr *translated(const struct meanings *meanings, const struct statement *other,
                                     const struct expr *expr, struct expr **value)
{
    for (int k = 0; k < other->n_loop; k++)
        if (!value[k])
            value[k] = loop_named(meanings, other->loop_name[k]);
    return with_values(meanings, expr, value);
}

/* What the buffer's element holds as a fill of the buffer says, which stores it in other loops: those that are
 * subscripts there are what `element` has in their place. NULL: no fill does. */
static const struct expr *filled_there(const struct meanings *meanings, const struct expr *element, int depth)
{
    for (int k = 0; k < meanings->stored->n_statement && depth > 0; k++) {
        const struct statement *fill = meanings->stored->statement[k];
        struct expr **value = new_values(meanings, fill);
        const struct expr *from = without_cast(fill->value);
        if (!fill->is_copy || fill == meanings->statement || fill->target->array != element->array ||
            strcmp(fill->copies, element->array->name) != 0 || from->kind != EXPR_ACCESS)
            continue;
        for (int d = 0; d < element->n_arg; d++)
            if (fill->target->arg[d]->kind == EXPR_LOOP)
                value[fill->target->arg[d]->loop] = element->arg[d];
        from = translated(meanings, fill, from, value);
        return !from || is_named(meanings, from) ? from : filled_there(meanings, from, depth - 1);
    }
    return NULL;
}

/* The element that the buffer's element holds; of: what is loaded for it. */
static const struct expr *element_held(const struct meanings *meanings, const struct expr *element,
                                       const struct expr *of)
{
    const struct expr *held = of->kind == EXPR_ACCESS ? stored_there(meanings, of) : NULL;

    return (held && is_named(meanings, held)) || element->kind != EXPR_ACCESS
               ? held
               : filled_there(meanings, element, MOST_BUFFERS);
}

/* A copy to or from a buffer says which element the buffer's element holds. Where one buffer is filled from another, it
 * is the element that the other one holds. Which one that is is a guess: what is made of it is that the copy's load
 * must be of that element, too. */
static void add_copy(struct meanings *meanings)
{
    const struct expr *to = meanings->statement->target, *from = without_cast(meanings->statement->value);
    const bool fills = strcmp(to->array->name, meanings->statement->copies) == 0;
    const struct expr *of = fills || !is_named(meanings, to) ? from : to;

    if (!is_named(meanings, of))
        of = element_held(meanings, fills ? from : to, of);
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

bool meaning_is_within(const struct statement *statement, const struct statement *other)
{
    isl_set *domain = isl_set_copy(statement->domain);
    bool within;

    domain = isl_set_set_tuple_id(domain, isl_set_get_tuple_id(other->domain));
    within = isl_set_is_subset(domain, other->domain) == isl_bool_true;
    isl_set_free(domain);
    return within;
}

static bool have_same_loops(const struct statement *one, const struct statement *other)
{
    bool same = one->n_loop == other->n_loop;

    for (int k = 0; k < one->n_loop && same; k++)
        same = strcmp(one->loop_name[k], other->loop_name[k]) == 0;
    return same;
}

/* The statement of that label, or of which it is a part. */
static const struct statement *scheduled_as(const struct program *scheduled, const struct statement *statement)
{
    const struct statement *own = program_statement(scheduled, statement->label);

    for (const struct statement *part = statement; !own && part->divided; part = part->divided)
        if (have_same_loops(statement, part->divided))
            own = program_statement(scheduled, part->divided->label);
    return own;
}

const struct statement *meaning_before(const struct program *scheduled, const struct statement *statement)
{
    const struct statement *own = scheduled_as(scheduled, statement);

    if (!own || own->n_loop != statement->n_loop || (own->op != statement->op && !is_first_of(own, statement)) ||
        (!meaning_is_within(own, statement) && !meaning_is_within(statement, own)))
        return NULL;
    return own;
}

/* What each element of the array is a part of: the target of updates that store there what they came to, each those of
 * some instances, in loops of the same names; NULL: of nothing. */
static const struct expr *sum_of_parts(const struct meanings *meanings, const struct array *array)
{
    const struct statement *sum = meanings->statement;

    for (int k = 0; k < meanings->stored->n_statement; k++) {
        const struct statement *statement = meanings->stored->statement[k];
        const struct statement *own = statement->target && statement->target->array == array
                                          ? meaning_before(meanings->scheduled, statement)
                                          : NULL;
        if (own && own->op == sum->op && strcmp(own->target->array->name, sum->target->array->name) == 0)
            return is_named(meanings, sum->target) ? sum->target
                                                   : translated(meanings, own, own->target, new_values(meanings, own));
    }
    return NULL;
}

/* A statement of no schedule that adds parts of an update up. False: it is none. */
static bool add_sum_of_parts(struct meanings *meanings)
{
    const struct statement *statement = meanings->statement;
    const struct expr *part = without_cast(statement->value), *of;

    if (statement->op == OP_NONE || part->kind != EXPR_ACCESS || !is_hidden(part->array))
        return false;
    of = sum_of_parts(meanings, part->array);
    if (!of)
        return false;
    add(meanings, statement->target, of, true);
    add(meanings, statement->target, of, false);
    add(meanings, part, of, false);
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
    struct meanings meanings = {arena, scheduled, stored, statement, NULL, NULL, NULL};
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
