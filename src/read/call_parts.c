#include "read/call_parts.h"

#include "program/instruction.h"
#include "read/made.h"

#include <string.h>

enum { MAX_LOOPS = 24 };

struct diag *call_refuse(const struct calling *calling, struct place place, const char *what)
{
    return diag_error(calling->reader->diags, "called", place, "%s", what);
}

const struct passed *call_passed(const struct calling *calling, const char *name)
{
    for (int k = 0; k < calling->text.passed.n; k++)
        if (strcmp(calling->text.passed.at[k].name, name) == 0)
            return &calling->text.passed.at[k];
    return NULL;
}

static struct expr *opaque(const struct calling *calling, enum function function, enum type type, struct expr *a,
                           struct expr *b)
{
    struct expr *expr = made_expr(calling->reader, EXPR_CALL, calling->call->place);

    expr->function = function;
    expr->type = type;
    expr->n_arg = b ? 2 : 1;
    expr->arg = ARENA_ARRAY(calling->reader->arena, 2, struct expr *);
    expr->arg[0] = a;
    expr->arg[1] = b;
    return expr;
}

static struct expr *cast(const struct calling *calling, enum type type, struct expr *value)
{
    struct expr *expr = made_expr(calling->reader, EXPR_CAST, value->place);

    expr->type = type;
    expr->n_arg = 1;
    expr->arg = ARENA_ARRAY(calling->reader->arena, 1, struct expr *);
    expr->arg[0] = value;
    return expr;
}

static struct item *add_item(const struct calling *calling)
{
    return &calling->block->item[calling->block->n_item++];
}

/* The next statement of the call, target = value. */
static struct statement *add_part(const struct calling *calling, const struct scope *scope, struct expr *target,
                                  struct expr *value)
{
    const struct parsed_statement parsed = {.label = calling->call->n_part ? NULL : calling->text.label,
                                            .target = target,
                                            .op = OP_NONE,
                                            .value = value};
    struct statement *statement = add_statement(calling->reader, calling->nest, scope, calling->call->place, &parsed);

    if (!statement)
        return NULL;
    statement->guard = calling->guard;
    statement->call = calling->call;
    statement->part = calling->call->n_part++;
    return statement;
}

static bool is_number(const struct expr *expr)
{
    return expr->kind == EXPR_INT || expr->kind == EXPR_LONG || expr->kind == EXPR_REAL ||
           (expr->kind == EXPR_UNARY && expr->op == OP_NEG && is_number(expr->arg[0]));
}

/* What is passed as the scalar, a number or a scalar of its type; NULL after reporting. */
static struct expr *scalar_of(const struct calling *calling, const struct scalar *own)
{
    const struct reading reading = {calling->reader->arena, calling->reader->diags, calling->scope};
    const struct passed *passed = call_passed(calling, own->name);
    const struct value string = {.kind = VALUE_STRING, .string = passed->text, .place = passed->place};
    struct expr *value = parse_value(&reading, &string);

    if (!value)
        return NULL;
    if (is_number(value))
        return cast(calling, own->type, value);
    if (value->kind == EXPR_SCALAR && value->scalar->type == own->type)
        return value;
    call_refuse(calling, passed->place,
                arena_printf(calling->reader->arena, "`%s` of `%s` is a number or a scalar of type %s", own->name,
                             calling->text.name, type_name(own->type)));
    return NULL;
}

static const struct array *state_of(struct calling *calling)
{
    static const struct scope outside = {0};
    struct reader *reader = calling->reader;
    const char *name = calling->instruction->state;
    struct array *array;

    for (int k = 0; k < reader->state.n; k++)
        if (strcmp(reader->state_name.at[k], name) == 0)
            return reader->state.at[k];
    array = made_temporary(reader, arena_printf(reader->arena, "%s_state", name), &outside, TYPE_U64,
                           calling->instruction->place);
    array->is_call = true;
    array->init_zero = true;
    array->full_storage = true;
    VEC_PUSH(reader->arena, &reader->state, array);
    VEC_PUSH(reader->arena, &reader->state_name, name);
    return array;
}

/* T = take(take(NUMBER, scalar), state) */
static bool begin(struct calling *calling)
{
    const struct program *own = calling->instruction->program;
    struct expr *value = made_expr(calling->reader, EXPR_INT, calling->call->place);

    value->integer = calling->instruction->number;
    value = cast(calling, TYPE_U64, value);
    for (int k = 0; k < own->n_scalar; k++) {
        struct expr *scalar = scalar_of(calling, &own->scalar[k]);
        if (!scalar)
            return false;
        value = opaque(calling, FUNCTION_TAKE, TYPE_U64, value, scalar);
    }
    if (calling->instruction->state)
        value = opaque(calling, FUNCTION_TAKE, TYPE_U64, value, made_element(calling->reader, state_of(calling)));
    add_item(calling)->statement =
        add_part(calling, calling->scope, made_element(calling->reader, calling->value), value);
    return calling->block->item[0].statement != NULL;
}

/* The array or view that the section is of. */
static const struct array *array_named(const struct program *program, const char *name)
{
    for (int k = 0; k < program->n_view; k++)
        if (strcmp(program->view[k].name, name) == 0)
            return &program->view[k];
    return program_array(program, name);
}

/* What is passed as the array; false after reporting. */
static bool section_of(const struct calling *calling, const struct array *own, struct section *section)
{
    struct arena *arena = calling->reader->arena;
    const struct reading reading = {arena, calling->reader->diags, calling->scope};
    const struct passed *passed = call_passed(calling, own->name);
    const struct array *array;
    int n = 0;

    if (!section_read(&reading, passed, 0, section))
        return false;
    array = array_named(calling->reader->program, section->array);
    if (array && array->type != own->type) {
        call_refuse(calling, passed->place,
                    arena_printf(arena, "`%s` of `%s` is %s, and `%s` is %s", own->name, calling->text.name,
                                 type_name(own->type), array->name, type_name(array->type)));
        return false;
    }
    if (array && !section_read(&reading, passed, array->n_dim, section))
        return false;
    for (int k = 0; k < section->moves.n; k++)
        n += section->moves.at[k];
    if (!array || n == own->n_dim)
        return true;
    diag_hint(calling->reader->diags,
              call_refuse(calling, passed->place,
                          arena_printf(arena, "`%s` of `%s` has %d dimension%s, and this goes along %d", own->name,
                                       calling->text.name, own->n_dim, own->n_dim == 1 ? "" : "s", n)),
              "`A[i, :]` goes along the second dimension of `A`, `A[i, j:]` from `j` on");
    return false;
}

/* "x_0 < (N)" for dimension d of the array. */
static const char *header_of(const struct calling *calling, const struct array *own, int d, const char *loop)
{
    const struct expr *extent = own->shape[d];

    if (extent->kind == EXPR_INT)
        return arena_printf(calling->reader->arena, "%s < %lld", loop, (long long)extent->integer);
    return arena_printf(calling->reader->arena, "%s < (%s)", loop, call_passed(calling, extent->param->name)->text);
}

/* What is passed as the parameter, affine in the loops around the call; NULL after reporting. */
static struct expr *size_of(const struct calling *calling, const struct param *param)
{
    const struct reading reading = {calling->reader->arena, calling->reader->diags, calling->scope};
    const struct passed *passed = call_passed(calling, param->name);
    const struct value string = {.kind = VALUE_STRING, .string = passed->text, .place = passed->place};
    struct expr *size = parse_value(&reading, &string);

    return size && require_affine(&reading, size, "an extent that is passed") ? size : NULL;
}

/* A bound of the function's own, over the loops of its operand, in the call: of what is passed, over loops inside of
 * those around the call. NULL after reporting. */
static struct expr *bound_of(const struct calling *calling, const struct expr *own)
{
    struct expr *bound;

    if (own->kind == EXPR_PARAM)
        return size_of(calling, own->param);
    bound = made_expr(calling->reader, own->kind, own->place);
    *bound = *own;
    if (own->kind == EXPR_LOOP)
        bound->loop = calling->scope->n_loop + own->loop;
    bound->arg = ARENA_ARRAY(calling->reader->arena, own->n_arg + 1, struct expr *);
    for (int k = 0; k < own->n_arg; k++) {
        bound->arg[k] = bound_of(calling, own->arg[k]);
        if (!bound->arg[k])
            return NULL;
    }
    return bound;
}

/* Loop d over a part of the array. */
static bool read_part_loop(const struct calling *calling, const struct nest_loop *own, struct nest_loop *loop)
{
    *loop = *own;
    loop->lower = own->lower ? bound_of(calling, own->lower) : NULL;
    loop->upper = bound_of(calling, own->upper);
    return loop->upper && !loop->lower == !own->lower;
}

/* Loop d over all of the array. */
static bool read_whole_loop(const struct calling *calling, const struct array *own, int d, const char *name,
                            struct nest_loop *loop)
{
    const struct reading reading = {calling->reader->arena, calling->reader->diags, calling->scope};
    const struct passed *passed =
        call_passed(calling, own->shape[d]->kind == EXPR_PARAM ? own->shape[d]->param->name : own->name);
    const struct value header = {.kind = VALUE_STRING,
                                 .string = header_of(calling, own, d, name),
                                 .place = passed->place};

    return parse_loop(&reading, &header, loop);
}

/* The loops of the array's dimensions, over all of it or `part`, as those of the block, and as the scope's. */
static bool add_loops(const struct calling *calling, const struct array *own, const struct nest_loop *part,
                      struct block *block, struct scope *scope)
{
    struct reader *reader = calling->reader;
    const char **loop = ARENA_ARRAY(reader->arena, scope->n_loop + own->n_dim + 1, const char *);

    for (int k = 0; k < scope->n_loop; k++)
        loop[k] = scope->loop[k];
    scope->loop = loop;
    if (scope->n_loop + own->n_dim > MAX_LOOPS) {
        diag_error(reader->diags, "too-large", calling->call->place, "nested more than %d loops deep", MAX_LOOPS);
        return false;
    }
    block->loop = ARENA_ARRAY(reader->arena, own->n_dim + 1, struct nest_loop);
    for (int d = 0; d < own->n_dim; d++) {
        const char *name = made_name(reader, arena_printf(reader->arena, "%s_%d", own->name, d), scope);

        if (part ? !read_part_loop(calling, &part[d], &block->loop[d])
                 : !read_whole_loop(calling, own, d, name, &block->loop[d]))
            return false;
        block->loop[d].name = name;
        loop[scope->n_loop++] = name;
        block->n_loop++;
    }
    return true;
}

/* The element of what is passed as the array in an iteration of its loops, the last ones of the scope. */
static struct expr *element_of(const struct calling *calling, const struct array *own, const struct section *section,
                               const struct scope *scope)
{
    struct arena *arena = calling->reader->arena;
    const struct reading reading = {arena, calling->reader->diags, scope};
    const char *text = section->array;
    struct value string = {.kind = VALUE_STRING, .place = call_passed(calling, own->name)->place};
    int n = scope->n_loop - own->n_dim;

    for (int k = 0; k < section->first.n; k++) {
        const char *first = section->first.at[k], *loop = section->moves.at[k] ? scope->loop[n++] : NULL;

        text = arena_printf(arena, first && loop ? "%s%s(%s) + %s" : "%s%s%s%s", text, k ? ", " : "[",
                            first ? first : "", loop ? loop : "");
    }
    string.string = section->first.n ? arena_printf(arena, "%s]", text) : text;
    return parse_value(&reading, &string);
}

/* T = take(T, A[i, x_0]), or A[i, x_0] = give(take(T, x_0)), in the loops of the operand. */
static bool add_operand(const struct calling *calling, const struct array *own, bool write)
{
    struct reader *reader = calling->reader;
    struct block *block = ARENA_NEW(reader->arena, struct block);
    struct scope scope = *calling->scope;
    struct expr *element, *value = made_element(reader, calling->value);
    struct section section;

    if (!section_of(calling, own, &section) ||
        !add_loops(calling, own, write ? own->writes : own->reads, block, &scope))
        return false;
    element = element_of(calling, own, &section, &scope);
    if (!element)
        return false;
    for (int d = 0; d < own->n_dim && write; d++) {
        struct expr *loop = made_expr(reader, EXPR_LOOP, calling->call->place);
        loop->loop = calling->scope->n_loop + d;
        value = opaque(calling, FUNCTION_TAKE, TYPE_U64, value, cast(calling, TYPE_I64, loop));
    }
    value = write ? opaque(calling, FUNCTION_GIVE, own->type, value, NULL)
                  : opaque(calling, FUNCTION_TAKE, TYPE_U64, value, element);
    block->item = ARENA_NEW(reader->arena, struct item);
    block->n_item = 1;
    block->item[0].statement = add_part(calling, &scope, write ? element : made_element(reader, calling->value), value);
    add_item(calling)->block = block;
    return block->item[0].statement != NULL;
}

/* What is passed as the function's parameters. */
static bool add_sizes(struct calling *calling)
{
    const struct program *own = calling->instruction->program;

    calling->call->size = ARENA_ARRAY(calling->reader->arena, own->n_param + 1, struct expr *);
    for (int k = 0; k < own->n_param; k++) {
        const bool passed = call_passed(calling, own->param[k].name);

        calling->call->size[k] = passed ? size_of(calling, &own->param[k]) : NULL;
        if (passed && !calling->call->size[k])
            return false;
    }
    return true;
}

bool call_add_parts(struct calling *calling)
{
    const struct program *own = calling->instruction->program;
    struct reader *reader = calling->reader;

    if (!add_sizes(calling) || !begin(calling))
        return false;
    for (int write = 0; write < 2; write++)
        for (int k = 0; k < own->n_array; k++) {
            const enum role role = own->array[k].role;

            if (!own->array[k].is_call && role != (write ? ROLE_IN : ROLE_OUT) &&
                !add_operand(calling, &own->array[k], write))
                return false;
        }
    if (!calling->instruction->state)
        return true;
    add_item(calling)->statement =
        add_part(calling, calling->scope, made_element(reader, state_of(calling)),
                 opaque(calling, FUNCTION_GIVE, TYPE_U64, made_element(reader, calling->value), NULL));
    return calling->block->item[calling->block->n_item - 1].statement != NULL;
}
