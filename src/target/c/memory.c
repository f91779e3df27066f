#include "target/c/file.h"

#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"

#include <inttypes.h>

bool c_returns_status(const struct c_file *file)
{
    return file->allocates || file->unit->check_args;
}

static bool is_heap(enum storage storage)
{
    return storage == STORAGE_HEAP || storage == STORAGE_HEAP_FLAT;
}

/* The next temporary from *k on that the loops use; NULL at the end. */
static const struct array *next_temporary(struct c_file *file, int *k)
{
    const struct program *program = file->unit->program;

    for (; *k < program->n_array; ++*k)
        if (file->array_used[*k] && !array_is_argument(&program->array[*k]))
            return &program->array[(*k)++];
    return NULL;
}

/* "[480][256]" from the given extent on. */
static const char *extents_text(struct c_file *file, const struct array *array, int first)
{
    struct arena *arena = file->emitter.arena;
    int64_t *extent = ARENA_ARRAY(arena, array->n_dim, int64_t);
    const char *text = "";

    constant_extents(&file->emitter, array, extent);
    for (int k = first; k < array->n_dim; k++)
        text = arena_printf(arena, "%s[%" PRId64 "]", text, extent[k]);
    return text;
}

static const char *allocation(struct c_file *file, const struct array *array, const char *bytes)
{
    struct helpers *helpers = &file->emitter.helpers;
    const enum helper aligned = array->init_zero ? HELPER_ALLOCATE_ALIGNED_ZERO : HELPER_ALLOCATE_ALIGNED;
    const enum helper plain = array->init_zero ? HELPER_ALLOCATE_ZERO : HELPER_ALLOCATE;

    if (array->align > 16)
        return arena_printf(file->emitter.arena, "%s(%" PRId64 ", %s)", helper_use(helpers, aligned, TYPE_I64),
                            array->align, bytes);
    return arena_printf(file->emitter.arena, "%s(%s)", helper_use(helpers, plain, TYPE_I64), bytes);
}

static void declare_heap(struct c_file *file, const struct array *array, enum storage storage)
{
    struct arena *arena = file->emitter.arena;
    const char *type = c_type_name(array->type);
    const char *pointer = arena_printf(arena, "*%s", array->name), *bytes;

    if (storage == STORAGE_HEAP_FLAT) {
        bytes = array_bytes_text(&file->emitter, array);
    } else {
        bytes = arena_printf(arena, "sizeof(%s%s)", type, extents_text(file, array, 0));
        if (array->n_dim > 1)
            pointer = arena_printf(arena, "(*%s)%s", array->name, extents_text(file, array, 1));
    }
    write_linef(&file->emitter.writer, "%s %s = %s;", type, pointer, allocation(file, array, bytes));
}

/* Not only by copies. */
static bool is_computed(const struct program *program, const struct array *array)
{
    for (int s = 0; s < program->n_statement; s++)
        if (program->statement[s]->target->array == array && !program->statement[s]->is_copy)
            return true;
    return false;
}

/* Compilers follow the elements of a small buffer as variables, and do not see that they are written first. */
static bool starts_with_zeros(struct c_file *file, const struct array *array)
{
    enum { SMALL = 8 };
    int64_t *extent = ARENA_ARRAY(file->emitter.arena, array->n_dim, int64_t), elements = 1;

    constant_extents(&file->emitter, array, extent);
    for (int k = 0; k < array->n_dim && elements <= SMALL; k++)
        elements *= extent[k];
    return array->init_zero || (array->is_buffer && array->memory != MEMORY_STATIC && elements <= SMALL &&
                                is_computed(file->unit->program, array));
}

static void declare(struct c_file *file, const struct array *array)
{
    const enum storage storage = storage_of(&file->emitter, array);
    const char *align = "";

    if (is_heap(storage)) {
        declare_heap(file, array, storage);
        return;
    }
    if (array->align > c_type_bytes(array->type))
        align = arena_printf(file->emitter.arena, "_Alignas(%" PRId64 ") ", array->align);
    write_linef(&file->emitter.writer, "%s%s%s %s%s%s;", array->memory == MEMORY_STATIC ? "static " : "", align,
                c_type_name(array->type), array->name, extents_text(file, array, 0),
                starts_with_zeros(file, array) ? " = {0}" : "");
}

/* "x = 0.0": compilers do not see that it is always written first. */
static const char *variable_text(struct c_file *file, const struct array *array)
{
    struct text zero = {0};

    c_int_literal(&zero, array->type == TYPE_BF16 ? TYPE_U16 : array->type, 0, true);
    const char *text = arena_printf(file->emitter.arena, "%s = %s", array->name, text_str(&zero));
    text_free(&zero);
    return text;
}

/* All used temporaries without dimensions of one type, in one declaration. */
static int declare_variables(struct c_file *file, enum type type)
{
    const char *text = NULL;
    int k = 0;

    for (const struct array *array = next_temporary(file, &k); array; array = next_temporary(file, &k)) {
        if (array->type != type || storage_of(&file->emitter, array) != STORAGE_VALUE)
            continue;
        const char *one = variable_text(file, array);
        text = text ? arena_printf(file->emitter.arena, "%s, %s", text, one) : one;
    }
    if (text)
        write_linef(&file->emitter.writer, "%s %s;", c_type_name(type), text);
    return text != NULL;
}

static void release_all(struct c_file *file)
{
    int k = 0;

    for (const struct array *array = next_temporary(file, &k); array; array = next_temporary(file, &k))
        if (is_heap(storage_of(&file->emitter, array)))
            write_linef(&file->emitter.writer, "free(%s);", array->name);
}

/* "!tmp || !B" */
static const char *missing_text(struct c_file *file, int *n)
{
    const char *text = "";
    int k = 0;

    for (const struct array *array = next_temporary(file, &k); array; array = next_temporary(file, &k)) {
        if (!is_heap(storage_of(&file->emitter, array)))
            continue;
        text = arena_printf(file->emitter.arena, "%s%s!%s", text, *n ? " || " : "", array->name);
        ++*n;
    }
    return text;
}

static void print_failure(struct c_file *file)
{
    struct writer *writer = &file->emitter.writer;
    int n = 0;
    const char *missing = missing_text(file, &n);

    if (!n)
        return;
    file->allocates = true;
    write_linef(writer, n > 1 ? "if (%s) {" : "if (%s)", missing);
    writer->indent++;
    if (n > 1)
        release_all(file);
    write_line(writer, "return ENOMEM;");
    writer->indent--;
    if (n > 1)
        write_line(writer, "}");
}

void c_print_declarations(struct c_file *file)
{
    int k = 0, n = 0;

    for (int type = TYPE_BOOL; type <= TYPE_F64; type++)
        n += declare_variables(file, (enum type)type);
    for (const struct array *array = next_temporary(file, &k); array; array = next_temporary(file, &k)) {
        file->emitter.uses_bool |= array->type == TYPE_BOOL;
        if (storage_of(&file->emitter, array) == STORAGE_VALUE)
            continue;
        declare(file, array);
        n++;
    }
    print_failure(file);
    if (n)
        write_blank(&file->emitter.writer);
}

void c_print_release(struct c_file *file)
{
    if (!c_returns_status(file))
        return;
    write_blank(&file->emitter.writer);
    release_all(file);
    write_line(&file->emitter.writer, "return 0;");
}

static const char *violation_text(struct c_file *file)
{
    const struct unit *unit = file->unit;
    const char *text = NULL;

    if (unit->n_precondition > 1)
        return arena_printf(file->emitter.arena, "!(%s)",
                            index_guards(&file->emitter, unit->precondition, unit->n_precondition));
    for (int k = 0; unit->n_precondition == 1 && k < unit->precondition->n; k++) {
        const char *one = index_negation(&file->emitter, &unit->precondition->condition[k]);
        text = text ? arena_printf(file->emitter.arena, "%s || %s", text, one) : one;
    }
    return text;
}

static const char *absence_text(struct c_file *file, const struct array *array)
{
    struct arena *arena = file->emitter.arena;

    if (storage_of(&file->emitter, array) == STORAGE_REFERENCE)
        return arena_printf(arena, "!%s", array->name);
    return arena_printf(arena, "!%s(%s, %s)", helper_use(&file->emitter.helpers, HELPER_IS_THERE, TYPE_I64),
                        array->name, array_bytes_text(&file->emitter, array));
}

static void print_refusal(struct writer *writer, const char *condition)
{
    write_linef(writer, "if (%s)", condition);
    writer->indent++;
    write_line(writer, "return EINVAL;");
    writer->indent--;
}

void c_print_checks(struct c_file *file)
{
    const struct program *program = file->unit->program;
    struct writer *writer = &file->emitter.writer;
    const char *violated = violation_text(file);

    if (violated)
        print_refusal(writer, violated);
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        if (array_is_argument(array) && storage_of(&file->emitter, array) != STORAGE_VALUE)
            print_refusal(writer, absence_text(file, array));
    }
    write_blank(writer);
}
