#include "target/c/file.h"

#include "target/clike/storage.h"
#include "target/clike/types.h"

#include <ctype.h>
#include <string.h>

static const char *array_argument(struct c_file *file, const struct array *array, const char *restrict_word)
{
    struct arena *arena = file->emitter.arena;
    const char *type = c_type_name(array->type), *constant = array->role == ROLE_IN ? "const " : "";

    if (storage_of(&file->emitter, array) == STORAGE_VALUE)
        return arena_printf(arena, "%s %s", type, array->name);
    return arena_printf(arena, "%s%s *%s %s", constant, type, restrict_word, array->name);
}

void c_signature(struct c_file *file, struct text *out, const char *restrict_word, const char *end)
{
    const struct program *program = file->unit->program;
    struct arena *arena = file->emitter.arena;
    struct writer writer = {out, 0};
    const char *text = NULL;

    for (int k = 0; k < program->n_param; k++)
        text = arena_printf(arena, "%s%s%s %s", text ? text : "", text ? ", " : "", c_type_name(program->param[k].type),
                            program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        text = arena_printf(arena, "%s%s%s %s", text ? text : "", text ? ", " : "",
                            c_type_name(program->scalar[k].type), program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]))
            text = arena_printf(arena, "%s%s%s", text ? text : "", text ? ", " : "",
                                array_argument(file, &program->array[k], restrict_word));
    write_linef(&writer, "%s %s(%s)%s", c_returns_status(file) ? "int" : "void", file->unit->name, text ? text : "void",
                end);
}

static const char *upper_case(struct arena *arena, const char *name)
{
    char *upper = arena_copy(arena, name);

    for (char *c = upper; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    return upper;
}

bool c_uses_f16(const struct c_file *file)
{
    const struct program *program = file->unit->program;

    for (int k = 0; k < program->n_scalar; k++)
        if (program->scalar[k].type == TYPE_F16)
            return true;
    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].type == TYPE_F16)
            return true;
    return helper_used(&file->emitter.helpers, HELPER_F16_BITS);
}

/* Several headers in one file may have it. */
static const char f16_type[] = "\n"
                               "#ifndef POLYNEST_F16\n"
                               "#define POLYNEST_F16\n"
                               "#ifdef __FLT16_MANT_DIG__\n"
                               "typedef _Float16 polynest_f16;\n"
                               "#else\n"
                               "typedef uint16_t polynest_f16; /* its bits */\n"
                               "#endif\n"
                               "#endif\n";

static bool has_pointers(struct c_file *file)
{
    const struct program *program = file->unit->program;

    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]) && storage_of(&file->emitter, &program->array[k]) != STORAGE_VALUE)
            return true;
    return false;
}

static void open_linkage(struct text *out, const char *macro)
{
    if (macro)
        text_addf(out,
                  "\n#ifdef __cplusplus\n#define %s __restrict\nextern \"C\" {\n#else\n#define %s restrict\n#endif\n",
                  macro, macro);
    else
        text_add(out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
}

void c_header(struct c_file *file, struct text *out)
{
    struct arena *arena = file->emitter.arena;
    const char *upper = upper_case(arena, file->unit->name);
    const char *macro = has_pointers(file) ? arena_printf(arena, "%s_RESTRICT", upper) : NULL;

    c_comment(file, out, true);
    text_addf(out, "#ifndef POLYNEST_%s_H\n#define POLYNEST_%s_H\n\n", upper, upper);
    text_add(out, program_shows_type(file->unit->program, TYPE_BOOL) ? "#include <stdbool.h>\n" : "");
    text_add(out, "#include <stdint.h>\n");
    text_add(out, c_uses_f16(file) ? f16_type : "");
    open_linkage(out, macro);
    text_char(out, '\n');
    c_signature(file, out, macro, ";");
    if (macro)
        text_addf(out, "\n#undef %s\n", macro);
    text_addf(out, "%s#ifdef __cplusplus\n}\n#endif\n\n#endif\n", macro ? "" : "\n");
}
