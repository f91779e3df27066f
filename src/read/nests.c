/* Nests as written: loops, conditions and bodies. */
#include "base/names.h"
#include "program/expr/affine.h"
#include "program/expr/typing.h"
#include "read/calls.h"
#include "read/data_bounds.h"
#include "read/made.h"
#include "read/reader.h"
#include "read/while_loops.h"

#include <string.h>

enum { MAX_LOOPS = 24 };

/* What stands around a block. */
struct around {
    const struct nest *nest;
    const char *loop[MAX_LOOPS];
    int n_loop;
    struct expr *guard; /* the conditions that are not affine, or NULL */
};

static struct scope scope_of(const struct reader *reader, const struct around *around)
{
    return (struct scope){.program = reader->program, .loop = around->loop, .n_loop = around->n_loop};
}

bool check_loop_name(struct reader *reader, const char *name, struct place place, const struct scope *scope)
{
    if (!check_local_name(reader, name, place, "a loop"))
        return false;
    for (int k = 0; k < scope->n_loop; k++)
        if (strcmp(scope->loop[k], name) == 0) {
            diag_error(reader->diags, "duplicate-name", place, "`%s` already names an enclosing loop", name);
            return false;
        }
    return true;
}

/* *condition: what bounds that are read from arrays say, or NULL. */
static bool read_loop(struct reader *reader, const struct value *value, struct around *around, struct nest_loop *loop,
                      struct expr **condition)
{
    const struct scope scope = scope_of(reader, around);
    const struct reading reading = {reader->arena, reader->diags, &scope};

    if (!parse_loop(&reading, value, loop) || !check_loop_name(reader, loop->name, loop->place, &scope) ||
        !data_bounds(reader, &reading, loop, around->n_loop, condition))
        return false;
    if (around->n_loop == MAX_LOOPS) {
        diag_error(reader->diags, "too-large", value->place, "nested more than %d loops deep", MAX_LOOPS);
        return false;
    }
    around->loop[around->n_loop++] = loop->name;
    return true;
}

static struct expr *both(struct reader *reader, struct expr *a, struct expr *b)
{
    struct expr *result = conditions_both(reader->arena, a, b);

    if (result && a && b)
        result->type = TYPE_NONE;
    return result;
}

/* *data: the conditions of bounds that are read from arrays, or NULL. */
static bool read_loops(struct reader *reader, const struct value *object, struct around *around, struct block *block,
                       struct expr **data)
{
    const struct value *list = value_member(object, "loops");

    if (!list)
        return true;
    block->loop = ARENA_ARRAY(reader->arena, list->n_item, struct nest_loop);
    for (int k = 0; k < list->n_item; k++) {
        struct expr *condition;
        if (!read_loop(reader, &list->item[k], around, &block->loop[k], &condition))
            return false;
        *data = both(reader, *data, condition);
        block->n_loop++;
    }
    return true;
}

/* The conjuncts of condition, parted into those that are affine and the rest. */
static void part_condition(struct reader *reader, struct expr *condition, struct expr **affine, struct expr **rest)
{
    const char *why;

    if (condition->kind == EXPR_BINARY && condition->op == OP_LAND) {
        part_condition(reader, condition->arg[0], affine, rest);
        part_condition(reader, condition->arg[1], affine, rest);
    } else if (!expr_condition_obstacle(condition, &why)) {
        *affine = both(reader, *affine, condition);
    } else {
        *rest = both(reader, *rest, condition);
    }
}

static bool reads_array(const struct expr *expr, const struct array *array)
{
    if (expr->kind == EXPR_ACCESS && expr->array == array)
        return true;
    for (int k = 0; k < expr->n_arg; k++)
        if (reads_array(expr->arg[k], array))
            return true;
    return false;
}

/* A condition is tested once for its whole block: several statements there must not change what it reads. */
static void check_guard(struct reader *reader, const struct block *block, const struct expr *guard, bool alone)
{
    alone = alone && block->n_item == 1 && block->n_loop == 0;
    for (int k = 0; k < block->n_item; k++) {
        const struct statement *statement = block->item[k].statement;

        if (block->item[k].block)
            check_guard(reader, block->item[k].block, guard, alone && !block->item[k].block->n_loop);
        else if (!alone && reads_array(guard, statement->target->array))
            diag_hint(reader->diags,
                      diag_error(reader->diags, "guard", statement->place,
                                 "this changes `%s`, which the condition around it and other statements reads",
                                 statement->target->array->name),
                      "keep the condition's value in a temporary");
    }
}

static bool read_block(struct reader *reader, const struct value *object, struct around around, struct block *block);

static bool read_item(struct reader *reader, const struct value *value, const struct around *around, struct item *item)
{
    const struct scope scope = scope_of(reader, around);

    if (value->kind == VALUE_OBJECT) {
        item->block = ARENA_NEW(reader->arena, struct block);
        return read_sound(reader, &object_block, value, NULL) && read_block(reader, value, *around, item->block);
    }
    if (call_is(reader, value)) {
        item->block = call_read(reader, around->nest, &scope, around->guard, value);
        return item->block != NULL;
    }
    item->statement = read_statement(reader, around->nest, value, &scope);
    if (item->statement)
        item->statement->guard = around->guard;
    return item->statement != NULL;
}

static bool read_body(struct reader *reader, const struct value *object, const struct around *around,
                      struct block *block)
{
    const struct value *list = value_member(object, "body");
    bool good = true;

    if (list->n_item == 0)
        diag_error(reader->diags, "empty-body", list->place, "a body has at least one statement");
    block->item = ARENA_ARRAY(reader->arena, list->n_item, struct item);
    block->n_item = list->n_item;
    for (int k = 0; k < list->n_item; k++)
        good &= read_item(reader, &list->item[k], around, &block->item[k]);
    return good;
}

/* The body of object, under a condition that is not affine, in a block of its own inside block. */
static bool read_guarded(struct reader *reader, const struct value *object, struct around *around, struct block *block,
                         const struct expr *condition)
{
    struct block *inner = block;

    if (block->condition) {
        block->item = ARENA_NEW(reader->arena, struct item);
        block->n_item = 1;
        block->item[0].block = inner = ARENA_NEW(reader->arena, struct block);
    }
    inner->condition = condition_typed(reader->arena, reader->diags, condition);
    if (!inner->condition)
        return false;
    around->guard = conditions_both(reader->arena, around->guard, inner->condition);
    if (!read_body(reader, object, around, inner))
        return false;
    check_guard(reader, &(struct block){.item = inner->item, .n_item = inner->n_item}, inner->condition, true);
    return true;
}

/* The body of object, under its condition and those of its bounds. */
static bool read_inside(struct reader *reader, const struct value *object, struct around *around, struct block *block,
                        struct expr *data)
{
    const struct value *string = value_member(object, "if");
    struct expr *condition = NULL, *affine = NULL;

    if (string) {
        const struct scope scope = scope_of(reader, around);
        const struct reading reading = {reader->arena, reader->diags, &scope};

        condition = parse_condition(&reading, string);
        if (!condition)
            return false;
        part_condition(reader, condition, &affine, &data);
    }
    block->condition = affine;
    block->condition_affine = affine != NULL;
    return data ? read_guarded(reader, object, around, block, data) : read_body(reader, object, around, block);
}

static struct block *add_block(struct reader *reader, struct block *block)
{
    struct block *inner = ARENA_NEW(reader->arena, struct block);

    block->item[block->n_item++].block = inner;
    return inner;
}

/* Its last loop, inside of which everything is under the condition that it goes on (read/while_loops.h). */
static bool read_going_on(struct reader *reader, const struct value *object, struct around *around, struct block *block,
                          const struct array *temporary, struct expr *data, const struct expr *condition)
{
    const struct scope scope = scope_of(reader, around);
    struct expr *goes_on = both(reader, made_element(reader, temporary), data);
    struct block *asks, *body;

    block->item = ARENA_ARRAY(reader->arena, 2, struct item);
    asks = add_block(reader, block);
    body = add_block(reader, block);
    asks->condition = body->condition = condition_typed(reader->arena, reader->diags, goes_on);
    if (!asks->condition)
        return false;
    around->guard = conditions_both(reader->arena, around->guard, asks->condition);
    asks->item = ARENA_ARRAY(reader->arena, 1, struct item);
    asks->item[asks->n_item++].statement = while_asks(reader, around->nest, &scope, temporary, condition);
    if (!asks->item[0].statement)
        return false;
    asks->item[0].statement->guard = around->guard;
    body->item = ARENA_ARRAY(reader->arena, 1, struct item);
    if (!read_inside(reader, object, around, add_block(reader, body), NULL))
        return false;
    check_guard(reader, body, body->condition, false);
    return true;
}

/* block has all loops of the object, of whose bounds data is what is read. */
static bool read_while(struct reader *reader, const struct value *object, struct around *around, struct block *block,
                       struct expr *data)
{
    const struct value *string = value_member(object, "while");
    const struct scope inside = scope_of(reader, around);
    const struct reading reading = {reader->arena, reader->diags, &inside};
    const struct expr *condition = parse_condition(&reading, string);
    const struct array *temporary;
    struct scope scope = inside;
    struct nest_loop *last;
    struct block *inner;

    if (!condition)
        return false;
    last = &block->loop[--block->n_loop];
    scope.n_loop--;
    temporary = while_temporary(reader, &scope, last, string, condition);
    block->item = ARENA_ARRAY(reader->arena, 2, struct item);
    block->item[block->n_item++].statement = while_begins(reader, around->nest, &scope, temporary);
    block->item[0].statement->guard = around->guard;
    inner = add_block(reader, block);
    inner->loop = last;
    inner->n_loop = 1;
    return read_going_on(reader, object, around, inner, temporary, data, condition);
}

/* Around is a copy of its own: what the block adds ends with it. */
static bool read_block(struct reader *reader, const struct value *object, struct around around, struct block *block)
{
    const struct value *condition = value_member(object, "while");
    struct expr *data = NULL;

    if (!read_loops(reader, object, &around, block, &data))
        return false;
    if (condition && block->n_loop == 0) {
        diag_error(reader->diags, "while", condition->place, "there is no loop that could end here");
        return false;
    }
    return condition ? read_while(reader, object, &around, block, data)
                     : read_inside(reader, object, &around, block, data);
}

/* It stands in steps and comments only, and behind the function's name: words of C and of expressions are fine. */
static bool check_nest_name(struct reader *reader, const struct value *name)
{
    if (!name_is_identifier(name->string))
        diag_error(reader->diags, "name", name->place, "\"%s\" cannot name a nest: names are letters, digits and _",
                   name->string);
    return name_is_identifier(name->string);
}

static void read_nest_name(struct reader *reader, const struct value *name, void *into)
{
    const struct program *program = reader->program;
    struct nest *nest = into;

    if (!check_nest_name(reader, name))
        return;
    nest->name = name->string;
    nest->place = name->place;
    for (int k = 0; k < program->n_nest; k++)
        if (program->nest[k].name && strcmp(program->nest[k].name, nest->name) == 0)
            diag_note(reader->diags,
                      diag_error(reader->diags, "duplicate-name", name->place, "`%s` already names a nest", nest->name),
                      program->nest[k].place, "here");
}

static void read_nest_permit(struct reader *reader, const struct value *list, void *into)
{
    struct nest *nest = into;

    read_permit(reader, list, &nest->permit);
}

static const struct argument form_loop[] = {{.key = "a loop", .kind = ARGUMENT_TEXT}};
static const struct argument form_item[] = {{.key = "a statement", .kind = ARGUMENT_TEXT},
                                            {.key = "a block", .kind = ARGUMENT_OBJECT, .object = &object_block},
                                            {0}};
static const struct argument one_of_items[] = {
    {.key = "a statement or block", .kind = ARGUMENT_FORMS, .form = form_item}};

#define LOOPS                                                                                                          \
    {                                                                                                                  \
        .key = "loops", .kind = ARGUMENT_LIST, .form = form_loop, .fallback = "[]",                                    \
        .doc = "outermost first: `\"i < M\"`, `\"1 <= i < M - 1\"`, `\"0 <= i < M step 2\"`, "                         \
               "`\"start[i] <= k < start[i + 1]\"`"                                                                    \
    }
#define IF                                                                                                             \
    {                                                                                                                  \
        .key = "if", .kind = ARGUMENT_CONDITION,                                                                       \
        .doc = "of parameters, loops, scalars and elements: what is in the body runs where it holds"                   \
    }
#define WHILE                                                                                                          \
    {                                                                                                                  \
        .key = "while", .kind = ARGUMENT_CONDITION,                                                                    \
        .doc = "beside loops: the last one of them ends before the first iteration in which it does not hold"          \
    }
#define BODY                                                                                                           \
    {                                                                                                                  \
        .key = "body", .kind = ARGUMENT_LIST, .form = one_of_items, .required = true,                                  \
        .doc = "statements, `\"S: C[i, j] += A[i, k] * B[k, j]\"`, and blocks, in the order that is the meaning"       \
    }

static const struct argument block_keys[] = {LOOPS, WHILE, IF, BODY, {0}};
const struct object_type object_block = {.name = "block",
                                         .title = "a block",
                                         .rule = "A part of a body with loops or a condition of its own.",
                                         .key = block_keys};

static const struct argument keys[] = {
    {.key = "name",
     .kind = ARGUMENT_NAME,
     .fallback = "n0, n1, ..",
     .doc = "of the nest, for steps: `mm.i` is its loop `i`",
     .read = read_nest_name},
    LOOPS,
    WHILE,
    IF,
    {.key = "domain",
     .kind = ARGUMENT_MAP,
     .doc = "instead of loops: the instances of all statements, in isl's notation, which lists parameters in front: "
            "`[N] -> { S[i] : 0 <= i < N }`"},
    {.key = "order",
     .kind = ARGUMENT_MAP,
     .fallback = "of one statement: that of its instances",
     .doc = "with a domain: the time of each instance, `[N] -> { S[i] -> [i, 0] }`"},
    {.key = "as",
     .kind = ARGUMENT_NAMES,
     .fallback = "t0, t1, ..",
     .doc = "with a domain: the names of the order's dimensions, which are the loops"},
    {.key = "permit",
     .kind = ARGUMENT_LIST,
     .form = form_permit,
     .fallback = "[]",
     .doc = "permissions besides the description's, for these statements only",
     .read = read_nest_permit},
    BODY,
    {0},
};
const struct object_type object_nest = {
    .name = "nest",
    .title = "a nest",
    .rule = "Loops around statements, as they are meant: schedules change how they run.",
    .key = keys};

static void read_nest(struct reader *reader, const struct value *object, struct nest *nest)
{
    const struct around around = {.nest = nest};

    nest->place = object->place;
    nest->place.length = 1;
    nest->first_statement = reader->statement.n;
    nest->body = ARENA_NEW(reader->arena, struct block);
    if (!read_sound(reader, &object_nest, object, nest))
        return;
    if (value_member(object, "domain"))
        read_polyhedral(reader, nest, object);
    else if (value_member(object, "order") || value_member(object, "as"))
        diag_error(reader->diags, "polyhedral", object->place, "\"order\" and \"as\" need a \"domain\"");
    else
        read_block(reader, object, around, nest->body);
    nest->n_statement = reader->statement.n - nest->first_statement;
}

static bool label_is_taken(const struct reader *reader, const char *label)
{
    const struct program *program = reader->program;

    for (int k = 0; k < reader->statement.n; k++)
        if (reader->statement.at[k]->label && strcmp(reader->statement.at[k]->label, label) == 0)
            return true;
    return program_param(program, label) || program_scalar(program, label) || program_array(program, label) ||
           strcmp(program->name, label) == 0;
}

/* A name in use gets a number. */
static const char *free_label(struct reader *reader, const char *wanted)
{
    const char *label = wanted;

    for (int k = 1; label_is_taken(reader, label); k++)
        label = arena_printf(reader->arena, "%s_%d", wanted, k);
    return label;
}

/* S0, S1, ... for the statements without a label, passing over names in use. */
static void name_statements(struct reader *reader)
{
    int number = 0;

    for (int k = 0; k < reader->statement.n; k++) {
        struct statement *statement = reader->statement.at[k];

        if (statement->target->array->is_while)
            statement->label = free_label(reader, while_label(reader, statement));
        if (statement->part > 0)
            statement->label =
                free_label(reader, call_label(reader, statement, reader->statement.at[k - statement->part]->label));

        while (!statement->label) {
            const char *label = arena_printf(reader->arena, "S%d", number++);

            statement->label = label_is_taken(reader, label) ? NULL : label;
        }
    }
}

static bool nest_name_is_taken(const struct reader *reader, const char *name)
{
    const struct program *program = reader->program;

    for (int k = 0; k < program->n_nest; k++)
        if (program->nest[k].name && strcmp(program->nest[k].name, name) == 0)
            return true;
    return label_is_taken(reader, name);
}

/* n0, n1, ... likewise for nests. */
static void name_nests(struct reader *reader)
{
    int number = 0;

    for (int k = 0; k < reader->program->n_nest; k++) {
        struct nest *nest = &reader->program->nest[k];

        while (!nest->name) {
            const char *name = arena_printf(reader->arena, "n%d", number++);

            nest->name = nest_name_is_taken(reader, name) ? NULL : name;
        }
    }
}

/* `mm.i` would have two meanings if a nest and a statement of another nest were both called mm. */
static void check_nest_labels(struct reader *reader)
{
    const struct program *program = reader->program;

    for (int n = 0; n < program->n_nest; n++)
        for (int k = 0; k < reader->statement.n; k++) {
            const struct statement *statement = reader->statement.at[k];

            if (statement->nest != &program->nest[n] && strcmp(statement->label, program->nest[n].name) == 0)
                diag_error(reader->diags, "duplicate-name", statement->place,
                           "the statement `%s` has the name of another nest", statement->label);
        }
}

void read_nests(struct reader *reader, const struct value *list, void *into)
{
    struct program *program = into;

    if (reader->undeclared)
        return;
    if (list->n_item == 0)
        diag_error(reader->diags, "empty-body", list->place, "a description has at least one nest");
    program->nest = ARENA_ARRAY(reader->arena, list->n_item, struct nest);
    for (int k = 0; k < list->n_item; k++) {
        read_nest(reader, &list->item[k], &program->nest[k]);
        program->n_nest++;
    }
    name_statements(reader);
    name_nests(reader);
    check_nest_labels(reader);
    program->statement = reader->statement.at;
    program->n_statement = reader->statement.n;
    check_called_names(reader);
}
