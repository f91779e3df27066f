#include "target/c/file.h"

#include "base/template.h"
#include "target/clike/convert.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"

#include <ctype.h>
#include <string.h>

const char *c_value_argument(struct c_file *file, const char *name, enum type type)
{
    return arena_printf(file->emitter.arena, "%s %s",
                        emitter_type(&file->emitter, emitter_value_type(&file->emitter, type)), name);
}

static const char *array_argument(struct c_file *file, const struct array *array, const char *restrict_word)
{
    struct arena *arena = file->emitter.arena;
    const char *constant = array->role == ROLE_IN ? "const " : "";

    if (storage_of(&file->emitter, array) == STORAGE_VALUE)
        return c_value_argument(file, array->name, array->type);
    return arena_printf(arena, "%s%s *%s %s", constant, c_type_name(array->type), restrict_word, array->name);
}

const char *c_arguments(const struct c_file *file)
{
    const struct program *program = file->unit->program;
    struct text list = {0};
    const char *copy;

    for (int k = 0; k < program->n_param; k++)
        text_addf(&list, ", %s", program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        text_addf(&list, ", %s", program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]))
            text_addf(&list, ", %s", program->array[k].name);
    copy = arena_copy(file->emitter.arena, list.size ? text_str(&list) + 2 : "");
    text_free(&list);
    return copy;
}

void c_signature(struct c_file *file, struct text *out, const char *restrict_word, const char *end)
{
    const struct program *program = file->unit->program;
    struct arena *arena = file->emitter.arena;
    struct writer writer = {out, 0, false};
    const char *text = NULL;

    for (int k = 0; k < program->n_param; k++)
        text = arena_printf(arena, "%s%s%s %s", text ? text : "", text ? ", " : "", c_type_name(program->param[k].type),
                            program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        text = arena_printf(arena, "%s%s%s", text ? text : "", text ? ", " : "",
                            c_value_argument(file, program->scalar[k].name, program->scalar[k].type));
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]))
            text = arena_printf(arena, "%s%s%s", text ? text : "", text ? ", " : "",
                                array_argument(file, &program->array[k], restrict_word));
    write_linef(&writer, "%s%s %s(%s)%s", file->unit->dispatch || file->unit->self_check ? "static " : "",
                c_returns_status(file) ? "int" : "void", file->unit->name, text ? text : "void", end);
}

static void round_value(struct c_file *file, const char *name, enum type type)
{
    struct emitter *emitter = &file->emitter;
    const enum type passed = emitter_value_type(emitter, type);

    if (passed == type || !c_mentions(text_str(&file->body), name))
        return;
    const struct expr_text rounded = convert_to(emitter, expr_primary(name, passed), type);
    write_linef(&emitter->writer, "%s = %s;", name, convert_to(emitter, rounded, passed).text);
}

void c_round_values(struct c_file *file)
{
    const struct program *program = file->unit->program;

    for (int k = 0; k < program->n_scalar; k++)
        round_value(file, program->scalar[k].name, program->scalar[k].type);
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]) && storage_of(&file->emitter, &program->array[k]) == STORAGE_VALUE)
            round_value(file, program->array[k].name, program->array[k].type);
}

const char *c_upper_case(struct arena *arena, const char *name)
{
    char *upper = arena_copy(arena, name);

    for (char *c = upper; *c; c++)
        *c = (char)(c_is_word(*c) ? toupper((unsigned char)*c) : '_');
    return upper;
}

bool c_uses_f16(const struct c_file *file)
{
    const struct program *program = file->unit->program;

    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].type == TYPE_F16)
            return true;
    return helper_used(&file->emitter.helpers, HELPER_F16_BITS);
}

bool c_has_pointers(struct c_file *file)
{
    const struct program *program = file->unit->program;

    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]) && storage_of(&file->emitter, &program->array[k]) != STORAGE_VALUE)
            return true;
    return false;
}

void c_declaration(struct c_file *file, const char *macro, struct text *out)
{
    c_comment(file, out, true);
    c_signature(file, out, c_has_pointers(file) ? macro : NULL, ";");
}

void c_print_header(struct arena *arena, const struct c_header *header, struct text *out)
{
    const char *macro = header->has_pointers ? arena_printf(arena, "%s_RESTRICT", header->name) : NULL;
    const struct template_value values[] = {{"NAME", header->name},
                                            {"BOOL", header->shows_bool ? "#include <stdbool.h>\n" : ""},
                                            {"F16_TYPE", header->uses_f16 ? "@c/f16_type@" : ""},
                                            {"LINKAGE", macro ? "@c/linkage_restrict@" : "@c/linkage@"},
                                            {"RESTRICT", macro},
                                            {"FUNCTIONS", header->functions},
                                            {"END", macro ? arena_printf(arena, "#undef %s\n", macro) : ""},
                                            {NULL, NULL}};

    text_add(out, template_filled(arena, "c/header", (const struct template_value *const[]){values}, 1));
}

void c_header(struct c_file *file, struct text *out)
{
    struct arena *arena = file->emitter.arena;
    struct c_header header = {.name = c_upper_case(arena, file->unit->name),
                              .shows_bool = program_shows_type(file->unit->program, TYPE_BOOL),
                              .has_pointers = c_has_pointers(file),
                              .uses_f16 = c_uses_f16(file)};
    struct text function = {0};

    c_signature(file, &function, header.has_pointers ? arena_printf(arena, "%s_RESTRICT", header.name) : NULL, ";");
    header.functions = text_str(&function);
    c_comment(file, out, true);
    c_print_header(arena, &header, out);
    text_free(&function);
}
