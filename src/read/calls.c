#include "read/calls.h"

#include "program/instruction.h"
#include "read/call_parts.h"
#include "read/made.h"

#include <ctype.h>
#include <string.h>

static int count_calls(const struct value *value)
{
    int n = value && value->kind == VALUE_STRING && strchr(value->string, '(');

    for (int k = 0; value && k < value->n_item; k++)
        n += count_calls(&value->item[k]);
    return n;
}

int call_arrays(const struct value *description)
{
    const struct value *instructions = value_of_kind(description, "instructions", VALUE_LIST);

    return instructions ? instructions->n_item + count_calls(value_member(description, "nests")) : 0;
}

static size_t word_size(const char *text)
{
    size_t n = 0;

    while (text[n] == '_' || isalnum((unsigned char)text[n]))
        n++;
    return n;
}

static const char *behind_blanks(const char *text)
{
    return text + strspn(text, " \t\n");
}

static bool calls_any(const struct reader *reader)
{
    for (int k = 0; k < reader->program->n_instruction; k++)
        if (reader->program->instruction[k].is_called)
            return true;
    return reader->function != NULL;
}

bool call_is(const struct reader *reader, const struct value *string)
{
    const char *text = behind_blanks(string->string), *behind = behind_blanks(text + word_size(text));

    if (!calls_any(reader))
        return false;
    if (*behind == ':') {
        text = behind_blanks(behind + 1);
        behind = behind_blanks(text + word_size(text));
    }
    return behind > text && *behind == '(';
}

static bool is_extent(const struct program *own, const struct param *param)
{
    for (int a = 0; a < own->n_array; a++)
        for (int k = 0; k < own->array[a].n_dim; k++)
            if (own->array[a].shape[k]->kind == EXPR_PARAM && own->array[a].shape[k]->param == param)
                return true;
    return false;
}

/* Does a call say what it is? Strides follow from the arrays. */
static bool is_passed(const struct program *own, const char *name)
{
    const struct param *param = program_param(own, name);
    const struct array *array = program_array(own, name);

    return param ? is_extent(own, param) : program_scalar(own, name) || (array && !array->is_call);
}

static bool require_passed(const struct calling *calling, const char *name)
{
    if (!is_passed(calling->instruction->program, name) || call_passed(calling, name))
        return true;
    call_refuse(calling, calling->text.name_place,
                arena_printf(calling->reader->arena, "the call of `%s` does not say what its `%s` is",
                             calling->text.name, name));
    return false;
}

/* Each operand is passed once, and nothing else. */
static bool check_passed(const struct calling *calling)
{
    const struct program *own = calling->instruction->program;
    struct arena *arena = calling->reader->arena;
    bool good = true;

    for (int k = 0; k < calling->text.passed.n; k++) {
        const struct passed *passed = &calling->text.passed.at[k];

        if (!is_passed(own, passed->name))
            call_refuse(calling, passed->name_place,
                        program_param(own, passed->name)
                            ? arena_printf(arena,
                                           "`%s` of `%s` is a stride, which follows from the array that is passed",
                                           passed->name, calling->text.name)
                            : arena_printf(arena, "`%s` has no operand `%s`", calling->text.name, passed->name));
        else if (call_passed(calling, passed->name) != passed)
            call_refuse(calling, passed->name_place, arena_printf(arena, "`%s` is passed twice", passed->name));
        else
            continue;
        good = false;
    }
    for (int k = 0; k < own->n_param; k++)
        good = require_passed(calling, own->param[k].name) && good;
    for (int k = 0; k < own->n_scalar; k++)
        good = require_passed(calling, own->scalar[k].name) && good;
    for (int k = 0; k < own->n_array; k++)
        good = require_passed(calling, own->array[k].name) && good;
    return good;
}

/* The function of that name; NULL after reporting that there is none to call. */
static const struct instruction *function_named(struct reader *reader, const struct call_text *text)
{
    const struct instruction *instruction = program_instruction(reader->program, text->name);
    VEC(const char *) names = {0};
    struct diag *diag;

    if (instruction && instruction->is_called)
        return instruction;
    if (instruction) {
        diag_hint(reader->diags,
                  diag_error(reader->diags, "called", text->name_place, "`%s` has a nest, and is not called",
                             text->name),
                  "write the nest's statements here, and `tensorize` \"with\" it in the plan");
        return NULL;
    }
    for (int k = 0; k < reader->program->n_instruction; k++)
        if (reader->program->instruction[k].is_called)
            VEC_PUSH(reader->arena, &names, reader->program->instruction[k].name);
    diag = diag_error(reader->diags, "unknown-function", text->name_place, "there is no function `%s` to call",
                      text->name);
    suggest_all(reader, diag, text->name, names.at, names.n);
    return NULL;
}

struct block *call_read(struct reader *reader, const struct nest *nest, const struct scope *scope, struct expr *guard,
                        const struct value *string)
{
    const struct reading reading = {reader->arena, reader->diags, scope};
    struct calling calling = {.reader = reader, .nest = nest, .scope = scope, .guard = guard};
    struct array *value;

    if (!call_text_read(&reading, string, &calling.text))
        return NULL;
    calling.instruction = reader->function ? reader->function : function_named(reader, &calling.text);
    if (!calling.instruction || !check_passed(&calling) ||
        (calling.text.label && !check_label(reader, calling.text.label, calling.text.label_place)))
        return NULL;
    calling.call = ARENA_NEW(reader->arena, struct call);
    *calling.call =
        (struct call){.instruction = calling.instruction, .written = calling.text.written, .place = string->place};
    value = made_temporary(reader, arena_printf(reader->arena, "%s_call", calling.text.name), scope, TYPE_U64,
                           string->place);
    value->is_call = true;
    calling.value = value;
    calling.block = ARENA_NEW(reader->arena, struct block);
    calling.block->item = ARENA_ARRAY(reader->arena, 2 * calling.instruction->program->n_array + 2, struct item);
    return call_add_parts(&calling) ? calling.block : NULL;
}

/* "sort(n = n, x = x)" */
static const char *own_call(struct arena *arena, const struct instruction *instruction)
{
    const struct program *own = instruction->program;
    const char *text = arena_printf(arena, "%s(", instruction->name), *separator = "";

    for (int k = 0; k < own->n_param + own->n_scalar + own->n_array; k++) {
        const char *name = k < own->n_param                   ? own->param[k].name
                           : k < own->n_param + own->n_scalar ? own->scalar[k - own->n_param].name
                                                              : own->array[k - own->n_param - own->n_scalar].name;
        if (!is_passed(own, name))
            continue;
        text = arena_printf(arena, "%s%s%s = %s", text, separator, name, name);
        separator = ", ";
    }
    return arena_printf(arena, "%s)", text);
}

void call_own_nest(struct reader *reader, const struct instruction *instruction)
{
    struct value statement = {.kind = VALUE_STRING,
                              .string = own_call(reader->arena, instruction),
                              .place = instruction->place};
    struct value body = {.kind = VALUE_LIST, .place = instruction->place, .item = &statement, .n_item = 1};
    struct value nest = {.kind = VALUE_OBJECT,
                         .place = instruction->place,
                         .key = (const char *[]){"body"},
                         .key_place = &instruction->program->name_place,
                         .item = &body,
                         .n_item = 1};
    const struct value nests = {.kind = VALUE_LIST, .place = instruction->place, .item = &nest, .n_item = 1};

    reader->function = instruction;
    read_nests(reader, &nests, instruction->program);
}

const char *call_label(struct reader *reader, const struct statement *part, const char *first)
{
    return arena_printf(reader->arena, "%s_%d", first, part->part);
}
