/* Instructions of the description's own: the operands and the nest of each are read like a description. */
#include "base/names.h"
#include "program/complete.h"
#include "program/instruction.h"
#include "read/calls.h"
#include "read/reader.h"

#include <string.h>

static void read_instruction_name(struct reader *reader, const struct value *name, void *into)
{
    struct program *program = into;

    (void)reader;
    program->name = name->string;
    program->name_place = name->place;
}

static void read_permissions(struct reader *reader, const struct value *list, void *into)
{
    struct program *program = into;

    read_permit(reader, list, &program->permit);
}

static const struct argument form_param[] = {{.key = "a parameter", .kind = ARGUMENT_NAME}};
static const struct argument form_scalar[] = {{.key = "a scalar", .kind = ARGUMENT_OBJECT, .object = &object_scalar}};
static const struct argument form_array[] = {{.key = "an array", .kind = ARGUMENT_OBJECT, .object = &object_array}};
static const struct argument form_nest[] = {{.key = "a nest", .kind = ARGUMENT_OBJECT, .object = &object_nest}};
static const struct argument form_line[] = {{.key = "a line", .kind = ARGUMENT_TEXT}};
static const struct argument form_lines[] = {{.key = "text", .kind = ARGUMENT_TEXT},
                                             {.key = "text", .kind = ARGUMENT_LIST, .form = form_line},
                                             {0}};

static const struct argument keys[] = {
    {.key = "name",
     .kind = ARGUMENT_NAME,
     .required = true,
     .doc = "which `tensorize` asks for it by",
     .read = read_instruction_name},
    {.key = "params",
     .kind = ARGUMENT_LIST,
     .form = form_param,
     .doc = "sizes that are operands: each is the end of a loop, or a stride of an array",
     .read = read_params},
    {.key = "scalars", .kind = ARGUMENT_LIST, .form = form_scalar, .doc = "operands", .read = read_scalars},
    {.key = "arrays",
     .kind = ARGUMENT_LIST,
     .form = form_array,
     .required = true,
     .doc = "operands in memory: `in`, `out` and `inout`, dense or with strides (`\"layout\": {\"strides\": [\"ld\", "
            "\"1\"]}`); `align` is what it needs",
     .read = read_arrays},
    {.key = "permit",
     .kind = ARGUMENT_LIST,
     .form = form_permit,
     .fallback = "[]",
     .doc = "what the text does differently from the nest, and only those statements want that permit it",
     .read = read_permissions},
    {.key = "nests",
     .kind = ARGUMENT_LIST,
     .form = form_nest,
     .fallback = "it is a function that statements call",
     .doc = "one nest, what it computes: loops `i < 8` or `k < K` directly inside each other, and statements",
     .read = read_nests},
    {.key = "state",
     .kind = ARGUMENT_NAME,
     .doc = "of a function: what its calls read and change besides their operands, which keeps them in order, also "
            "those of other functions with this state"},
    {.key = "text",
     .kind = ARGUMENT_FORMS,
     .form = form_lines,
     .required = true,
     .doc = "statements for the compiler, a line or a list of lines; `@A@` is the operand `A`: a number, or the "
            "address of the array's first element"},
    {.key = "declare",
     .kind = ARGUMENT_FORMS,
     .form = form_lines,
     .doc = "lines above the function, such as the declaration of what the text calls"},
    {.key = "include",
     .kind = ARGUMENT_LIST,
     .form = form_line,
     .doc = "headers that it needs: `\"<cblas.h>\"`, `\"\\\"kernel.h\\\"\"`"},
    {.key = "flags",
     .kind = ARGUMENT_TEXT,
     .doc = "of the compiler or linker that it needs, for the comment's `needs`"},
    {0},
};
const struct object_type object_instruction = {
    .name = "instruction",
    .title = "an instruction",
    .rule = "Text for the compiler that computes what a nest says: an intrinsic, a hand-written kernel, a call of a "
            "library. A step `tensorize` puts it in the place of loops that are this nest, on operands of its own. "
            "Without a nest it is a function that statements call, `sort(n = N, x = A[i, :])`.",
    .each = true,
    .key = keys};

static struct diag *refuse(struct reader *reader, struct place place, const char *what)
{
    return diag_error(reader->diags, "instruction", place, "%s", what);
}

static struct lines lines_of(struct reader *reader, const struct value *value)
{
    struct lines lines = {0};

    if (!value)
        return lines;
    lines.n = value->kind == VALUE_LIST ? value->n_item : 1;
    lines.at = ARENA_ARRAY(reader->arena, lines.n + 1, const char *);
    for (int k = 0; k < lines.n; k++)
        lines.at[k] = value->kind == VALUE_LIST ? value->item[k].string : value->string;
    return lines;
}

static struct place line_place(const struct value *value, int line)
{
    return value->kind == VALUE_LIST && line < value->n_item ? value->item[line].place : value->place;
}

/* Brackets close in the reverse order; in what is quoted or a comment they do not count. */
static bool is_balanced(struct reader *reader, const struct lines *lines)
{
    VEC(char) open = {0};

    for (int k = 0; k < lines->n; k++)
        for (const char *at = lines->at[k], *behind; *at; at = behind) {
            const char *closing = strchr(")]}", *at), *opening = strchr("([{", *at);

            behind = instruction_behind_quoted(at);
            if (behind > at)
                continue;
            behind = at + 1;
            if (opening)
                VEC_PUSH(reader->arena, &open, ")]}"[opening - "([{"]);
            else if (closing && (open.n == 0 || open.at[--open.n] != *closing))
                return false;
        }
    return open.n == 0;
}

/* Statements end outside of all brackets, which match: are there several? */
static bool has_several(const struct lines *lines)
{
    int depth = 0, n = 0;

    for (int k = 0; k < lines->n; k++)
        for (const char *at = lines->at[k], *behind; *at; at = behind) {
            behind = instruction_behind_quoted(at);
            if (behind > at)
                continue;
            depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
            n += depth == 0 && *at == ';';
            behind = at + 1;
        }
    return n > 1;
}

/* Each @ belongs to one of the operands; used: what is written must be among them. */
static void check_operands(struct reader *reader, const struct instruction *instruction, const struct value *text)
{
    for (int k = 0; k < instruction->text.n; k++)
        for (const char *at = strchr(instruction->text.at[k], '@'), *end; at; at = strchr(end + 1, '@')) {
            const char *name;

            end = instruction_operand_end(at);
            name = end ? arena_printf(reader->arena, "%.*s", (int)(end - at) - 1, at + 1) : "";
            if (end && instruction_has_operand(instruction, name))
                continue;
            diag_hint(reader->diags,
                      refuse(reader, line_place(text, k),
                             arena_printf(reader->arena, "`%s` has no operand `%s`", instruction->name,
                                          end ? name : at)),
                      "`@A@` stands for the operand `A`");
            return;
        }
}

static bool text_has(const struct instruction *instruction, const char *operand)
{
    const size_t size = strlen(operand);

    for (int k = 0; k < instruction->text.n; k++)
        for (const char *at = strchr(instruction->text.at[k], '@'); at; at = strchr(at + 1, '@'))
            if (strncmp(at + 1, operand, size) == 0 && at[size + 1] == '@')
                return true;
    return false;
}

/* What the text cannot compute without the operand. */
static void check_results(struct reader *reader, const struct instruction *instruction)
{
    const struct program *program = instruction->program;

    for (int s = 0; s < program->n_statement; s++) {
        const struct array *array = program->statement[s]->target->array;
        const char *name = array->name;

        if (!array->is_call && !text_has(instruction, name))
            refuse(reader, instruction->text_place,
                   arena_printf(reader->arena, "`%s` writes `%s`, and its text has no `@%s@`", instruction->name, name,
                                name));
    }
}

static bool is_size_of(const struct expr *expr, const struct param *param)
{
    return expr && expr->kind == EXPR_PARAM && expr->param == param;
}

/* Is the parameter what a loop ends at, or the stride of an array, so that statements tell what it is? */
static bool is_told(const struct program *program, const struct param *param)
{
    const struct block *block = program->n_nest ? program->nest[0].body : NULL;

    for (int k = 0; block && k < block->n_loop; k++)
        if (is_size_of(block->loop[k].upper, param))
            return true;
    for (int a = 0; a < program->n_array; a++)
        for (int k = 0; !block && k < program->array[a].n_dim; k++)
            if (is_size_of(program->array[a].shape[k], param))
                return true;
    for (int a = 0; a < program->n_array; a++)
        for (int k = 0; program->array[a].stride && k < program->array[a].n_dim; k++)
            if (is_size_of(program->array[a].stride[k], param))
                return true;
    return false;
}

/* What keeps the nest from being compared loop by loop and statement by statement, or NULL. */
static const char *nest_obstacle(const struct program *program)
{
    const struct block *block = program->nest[0].body;

    if (program->n_nest != 1 || program->nest[0].order || block->n_loop == 0)
        return "its nest is one, of loops";
    for (int k = 0; k < block->n_loop; k++) {
        const struct nest_loop *loop = &block->loop[k];
        const bool from_zero = !loop->lower || (loop->lower->kind == EXPR_INT && loop->lower->integer == 0);

        if (!from_zero || loop->lower_strict || !loop->upper_strict || loop->step != 1 ||
            (loop->upper->kind != EXPR_INT && loop->upper->kind != EXPR_PARAM))
            return "its loops start at 0 and end at a constant or a parameter: `i < 8`, `k < K`";
    }
    for (int k = 0; k < block->n_item; k++)
        if (!block->item[k].statement)
            return "its loops are directly inside each other, around nothing but statements";
    return block->condition ? "it has no conditions" : NULL;
}

static const char *array_obstacle(const struct program *program)
{
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];

        if (array->role == ROLE_TEMP || array->role == ROLE_CONST)
            return "its arrays are operands: `in`, `out` or `inout`";
        if (array->digit || array->offset || array->values || array->pad)
            return "its arrays are dense, or have strides";
    }
    return NULL;
}

static void check_params(struct reader *reader, const struct instruction *instruction)
{
    const struct program *program = instruction->program;

    for (int k = 0; k < program->n_param; k++)
        if (!is_told(program, &program->param[k]))
            refuse(reader, program->param[k].place,
                   arena_printf(reader->arena,
                                "it is not known what `%s` of `%s` is: a parameter is the end of a loop or a stride",
                                program->param[k].name, instruction->name));
}

static void check_nest(struct reader *reader, const struct instruction *instruction)
{
    const struct program *program = instruction->program;
    const char *obstacle = nest_obstacle(program);

    if (!obstacle)
        obstacle = array_obstacle(program);
    if (obstacle) {
        refuse(reader, instruction->place,
               arena_printf(reader->arena, "`%s` cannot be compared with loops: %s", instruction->name, obstacle));
        return;
    }
    check_params(reader, instruction);
}

/* What keeps calls of the function from being loops over its operands, or NULL. */
static const char *function_obstacle(const struct program *program)
{
    if (program->permit)
        return "nobody says what it computes, so that there is nothing to permit";
    if (program->n_array == 0)
        return "it has no array that could tell what it reads and writes";
    for (int k = 0; k < program->n_array; k++)
        for (int d = 0; d < program->array[k].n_dim; d++) {
            const struct expr *extent = program->array[k].shape[d];
            if (extent->kind != EXPR_PARAM && (extent->kind != EXPR_INT || extent->integer < 1))
                return "its extents are parameters or numbers from 1 on: `n`, `8`";
        }
    return array_obstacle(program);
}

/* Is what the part does in its loops inside of the operand? */
static bool is_inside(const struct statement *part, const struct access *access)
{
    isl_set *elements = isl_map_range(isl_map_intersect_domain(isl_map_copy(access->map), isl_set_copy(part->domain)));
    const isl_bool inside = isl_set_is_subset(elements, access->array->elements);

    isl_set_free(elements);
    return inside != isl_bool_false;
}

/* The parts of operands that calls read and change are parts of them. */
static void check_part_bounds(struct reader *reader, const struct program *own)
{
    for (int s = 0; s < own->n_statement; s++)
        for (int k = 0; k < own->statement[s]->n_access; k++) {
            const struct access *access = &own->statement[s]->access[k];
            const bool writes = own->statement[s]->target->array == access->array;
            const struct nest_loop *loop = writes ? access->array->writes : access->array->reads;

            if (loop && !is_inside(own->statement[s], access))
                diag_error(reader->diags, "instruction", loop->place,
                           "\"%s\" of `%s` has elements outside of its shape", writes ? "writes" : "reads",
                           access->array->name);
        }
}

static void check_function(struct reader *reader, const struct instruction *instruction)
{
    const char *obstacle = function_obstacle(instruction->program);

    if (obstacle)
        refuse(reader, instruction->place,
               arena_printf(reader->arena, "`%s` cannot be called: %s", instruction->name, obstacle));
}

static void check_lines(struct reader *reader, const struct instruction *instruction, const struct value *value,
                        const struct lines *lines)
{
    if (value && !is_balanced(reader, lines))
        refuse(reader, line_place(value, 0),
               arena_printf(reader->arena, "the brackets in this text of `%s` do not match", instruction->name));
}

static void check_includes(struct reader *reader, const struct value *list)
{
    for (int k = 0; list && k < list->n_item; k++) {
        const char *name = list->item[k].string, *end = name + strlen(name) - 1;
        const bool quoted = end > name + 1 && ((*name == '<' && *end == '>') || (*name == '"' && *end == '"'));

        if (!quoted || strchr(name, '\n'))
            refuse(reader, list->item[k].place, "a header is written \"<cblas.h>\" or \"\\\"kernel.h\\\"\"");
    }
}

static void read_texts(struct reader *reader, const struct value *object, struct instruction *instruction)
{
    const struct value *text = value_member(object, "text"), *declare = value_member(object, "declare"),
                       *include = value_member(object, "include"), *flags = value_member(object, "flags");

    instruction->text = lines_of(reader, text);
    instruction->text_place = line_place(text, 0);
    instruction->several = has_several(&instruction->text);
    instruction->declare = lines_of(reader, declare);
    instruction->include = lines_of(reader, include);
    instruction->flags = flags && check_comment(reader->diags, flags) ? flags->string : NULL;
    check_lines(reader, instruction, text, &instruction->text);
    check_lines(reader, instruction, declare, &instruction->declare);
    check_includes(reader, include);
    check_operands(reader, instruction, text);
    check_results(reader, instruction);
}

/* What calls, and names of the emitted file, are made of. */
static void check_word(struct reader *reader, const char *name, struct place place, const char *what)
{
    if (!name_is_identifier(name))
        diag_error(reader->diags, "name", place, "\"%s\" cannot name %s: names are letters, digits and _", name, what);
}

static void read_state(struct reader *reader, const struct value *object, struct instruction *instruction)
{
    const struct value *state = value_member(object, "state");

    instruction->state = state ? state->string : NULL;
    if (instruction->is_called)
        check_word(reader, instruction->name, instruction->place, "a function");
    if (state)
        check_word(reader, state->string, state->place, "a state");
    if (state && !instruction->is_called)
        refuse(reader, state->place,
               arena_printf(reader->arena, "`%s` has a nest, which says all that it reads and writes",
                            instruction->name));
}

static void read_instruction(struct reader *outer, const struct value *object, struct instruction *instruction)
{
    const int errors = outer->diags->errors;
    struct reader reader = {.arena = outer->arena,
                            .diags = outer->diags,
                            .program = instruction->program,
                            .n_made = 2,
                            .has_operands = value_member(object, "nests") == NULL};

    if (!read_object(&reader, &object_instruction, object, instruction->program) || outer->diags->errors > errors)
        return;
    instruction->name = instruction->program->name;
    instruction->place = instruction->program->name_place;
    instruction->is_called = !value_member(object, "nests");
    read_state(&reader, object, instruction);
    if (instruction->is_called)
        check_function(&reader, instruction);
    else
        check_nest(&reader, instruction);
    if (outer->diags->errors > errors)
        return;
    if (instruction->is_called)
        call_own_nest(&reader, instruction);
    read_texts(&reader, object, instruction);
    program_complete(instruction->program, isl_set_copy(reader_assumed(&reader)), outer->diags);
    check_part_bounds(&reader, instruction->program);
    isl_set_free(reader.assumed);
}

void read_instructions(struct reader *reader, const struct value *list, void *into)
{
    struct program *program = into;

    program->instruction = ARENA_ARRAY(reader->arena, list->n_item, struct instruction);
    for (int k = 0; k < list->n_item; k++) {
        struct instruction *instruction = &program->instruction[k];

        instruction->number = k + 1;
        instruction->program = ARENA_NEW(reader->arena, struct program);
        *instruction->program =
            (struct program){.name = "", .arena = program->arena, .ctx = program->ctx, .source = program->source};
        target_defaults(&instruction->program->target);
        read_instruction(reader, &list->item[k], instruction);
        if (!instruction->name)
            continue;
        if (program_instruction(program, instruction->name))
            diag_error(reader->diags, "duplicate-name", instruction->place, "there are two instructions `%s`",
                       instruction->name);
        program->n_instruction++;
    }
}
