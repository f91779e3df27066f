#include "target/c/file.h"

#include "target/clike/body.h"
#include "target/clike/declare.h"
#include "target/clike/expr.h"
#include "target/clike/heading.h"
#include "target/clike/index.h"
#include "target/clike/memory.h"
#include "target/clike/storage.h"
#include "target/clike/tile.h"
#include "target/clike/types.h"

#include <inttypes.h>

bool c_checks_args(const struct c_file *file)
{
    return file->unit->check_args && !file->unit->self_check;
}

bool c_returns_status(const struct c_file *file)
{
    return file->allocates || file->compares || c_checks_args(file) || (file->has_tiles && !file->asks);
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
        if (file->array_used[*k] && program->array[*k].role == ROLE_TEMP)
            return &program->array[(*k)++];
    return NULL;
}

static bool is_threads(const struct c_file *file, const struct array *array)
{
    return file->emitter.array_threads[array - file->emitter.program->array] > 0;
}

static bool is_local(struct c_file *file, const struct array *array)
{
    const int k = (int)(array - file->emitter.program->array);

    return file->emitter.array_local[k] || (is_threads(file, array) && !is_heap(storage_of(&file->emitter, array)));
}

static const char *allocation(struct c_file *file, const struct array *array, const char *bytes)
{
    struct helpers *helpers = &file->emitter.helpers;
    const struct doubt doubt = memory_doubt(&file->emitter, NULL, array);
    const bool zeros =
        doubt.spare || (array->is_buffer ? declare_with_zeros(&file->emitter, array, &doubt) : array->init_zero);
    const enum helper aligned = zeros ? HELPER_ALLOCATE_ALIGNED_ZERO : HELPER_ALLOCATE_ALIGNED;
    const enum helper plain = zeros ? HELPER_ALLOCATE_ZERO : HELPER_ALLOCATE;

    if (array->align > 16)
        return arena_printf(file->emitter.arena, "%s(%" PRId64 ", %s)", helper_use(helpers, aligned, TYPE_I64),
                            array->align, bytes);
    return arena_printf(file->emitter.arena, "%s(%s)", helper_use(helpers, plain, TYPE_I64), bytes);
}

/* `Ap`, or `Ap_all` for what holds every thread's. */
static const char *allocated_name(struct c_file *file, const struct array *array)
{
    return is_threads(file, array) ? declare_all_name(&file->emitter, array) : array->name;
}

/* At least as many threads as will ever use it. */
static const char *threads_text(struct c_file *file, const struct array *array)
{
    struct emitter *emitter = &file->emitter;
    const int64_t number = emitter->array_threads[array - emitter->program->array];

    emitter->uses_threads = true;
    if (number <= 1)
        return "omp_get_max_threads()";
    return arena_printf(emitter->arena, "%s(omp_get_max_threads(), %" PRId64 ")",
                        helper_use(&emitter->helpers, HELPER_MAX, TYPE_I64), number);
}

static void declare_heap(struct c_file *file, const struct array *array)
{
    struct emitter *emitter = &file->emitter;
    struct array named = *array;
    const char *bytes;

    named.name = allocated_name(file, array);
    named.memory = MEMORY_HEAP;
    if (is_threads(file, array))
        bytes = arena_printf(emitter->arena, "%s(%s, %s)", helper_use(&emitter->helpers, HELPER_SIZE, TYPE_I64),
                             threads_text(file, array), array_own_bytes_text(emitter, array, named.name));
    else
        bytes = array_bytes_text(emitter, &named);
    write_linef(&emitter->writer, "%s %s = %s;", c_type_name(array->type),
                declare_pointer(emitter, array, allocated_name(file, array)), allocation(file, array, bytes));
}

static void declare(struct c_file *file, const struct array *array)
{
    if (is_heap(storage_of(&file->emitter, array)))
        declare_heap(file, array);
    else
        write_linef(&file->emitter.writer, "%s;", declare_text(&file->emitter, NULL, array));
}

/* A static array has its zeros at every call. */
static void print_clearing(struct c_file *file)
{
    int k = 0;

    for (const struct array *array = next_temporary(file, &k); array; array = next_temporary(file, &k)) {
        if (!array->init_zero || array->memory != MEMORY_STATIC || !array->n_dim)
            continue;
        file->emitter.uses_memory = true;
        write_linef(&file->emitter.writer, "memset(%s, 0, sizeof %s);", array->name, array->name);
    }
}

/* All used temporaries without dimensions of one type, in one declaration. */
static int declare_variables(struct c_file *file, enum type type)
{
    const char *text = NULL;
    int k = 0;

    for (const struct array *array = next_temporary(file, &k); array; array = next_temporary(file, &k)) {
        if (array->type != type || is_local(file, array) || storage_of(&file->emitter, array) != STORAGE_VALUE)
            continue;
        const char *one = variable_text(&file->emitter, array);
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
            write_linef(&file->emitter.writer, "free(%s);", allocated_name(file, array));
}

/* "!tmp || !B" */
static const char *missing_text(struct c_file *file, int *n)
{
    const char *text = "";
    int k = 0;

    for (const struct array *array = next_temporary(file, &k); array; array = next_temporary(file, &k)) {
        if (!is_heap(storage_of(&file->emitter, array)))
            continue;
        text = arena_printf(file->emitter.arena, "%s%s!%s", text, *n ? " || " : "", allocated_name(file, array));
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

/* `(void)t;` for variables that nothing reads; body.c has those of loops. */
static void print_unread(struct c_file *file)
{
    const struct program *program = file->unit->program;
    int k = 0;

    for (const struct array *array = next_temporary(file, &k); array; array = next_temporary(file, &k))
        if (!file->emitter.array_read[array - program->array] && !is_local(file, array) &&
            !is_heap(storage_of(&file->emitter, array)))
            write_linef(&file->emitter.writer, "%s%s;", file->emitter.dialect->unread_word, array->name);
}

void c_print_declarations(struct c_file *file)
{
    int k = 0, n = 0;

    for (int type = TYPE_BOOL; type <= TYPE_F64; type++)
        n += declare_variables(file, (enum type)type);
    for (const struct array *array = next_temporary(file, &k); array; array = next_temporary(file, &k)) {
        file->emitter.uses_bool |= array->type == TYPE_BOOL;
        if (storage_of(&file->emitter, array) == STORAGE_VALUE || is_local(file, array))
            continue;
        declare(file, array);
        n++;
    }
    print_unread(file);
    print_clearing(file);
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

/* That none of the alternatives holds; NULL: one of them says nothing, or nothing is known of them. */
static const char *violation_text(struct c_file *file, const struct guard *alternative, int n)
{
    const char *text = NULL;

    if (n > 1)
        return arena_printf(file->emitter.arena, "!(%s)", index_guards(&file->emitter, alternative, n));
    for (int k = 0; n == 1 && k < alternative->n; k++) {
        const char *one = index_negation(&file->emitter, &alternative->condition[k]);
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

static void print_refusal(struct c_file *file, const char *condition)
{
    struct writer *writer = &file->emitter.writer;

    write_linef(writer, "if (%s)", condition);
    writer->indent++;
    write_linef(writer, "return %s;", file->emitter.dialect->invalid);
    writer->indent--;
}

/* Elements in a device's memory are not for the host to look at. */
static void print_distinct(struct c_file *file, const struct array *array)
{
    struct emitter *emitter = &file->emitter;
    const char *status;

    if (!array->injective || file->emitter.dialect->device)
        return;
    file->allocates = true;
    helper_use(&emitter->helpers, HELPER_ORDER, array->type);
    status = names_unique(&emitter->names, arena_printf(emitter->arena, "%s_status", array->name));
    write_linef(&emitter->writer, "const int %s = %s(%s, %s);", status,
                helper_use(&emitter->helpers, HELPER_DISTINCT, array->type), array->name,
                index_affine(emitter, param_affine(emitter, array->shape[0])).text);
    write_linef(&emitter->writer, "if (%s)", status);
    emitter->writer.indent++;
    write_linef(&emitter->writer, "return %s;", status);
    emitter->writer.indent--;
}

static void print_nondecreasing(struct c_file *file, const struct array *array)
{
    struct emitter *emitter = &file->emitter;

    if (!array->nondecreasing || emitter->dialect->device)
        return;
    print_refusal(file, arena_printf(emitter->arena, "!%s(%s, %s)",
                                     helper_use(&emitter->helpers, HELPER_NONDECREASING, array->type), array->name,
                                     index_affine(emitter, param_affine(emitter, array->shape[0])).text));
}

static void print_element_check(struct c_file *file, const struct node *check)
{
    struct writer *writer = &file->emitter.writer;
    const struct node *condition = check->kind == NODE_LET ? check->child[0] : check;

    if (check->kind == NODE_LET)
        write_linef(writer, "const %s %s = %s;", c_type_name(check->value->type), check->var->name,
                    expr_assigned(&file->emitter, check->value, check->value->type));
    file->emitter.alone = check->var;
    if (condition->n_alternative)
        print_refusal(file, violation_text(file, condition->alternative, condition->n_alternative));
    else
        write_line(writer, "return EINVAL;");
    file->emitter.alone = NULL;
}

/* What each element of an index array must meet. */
static void print_value_check(struct c_file *file, const struct node *check)
{
    struct writer *writer = &file->emitter.writer;
    const int indent = writer->indent;
    int brace_indent = indent;

    if (check->kind != NODE_LOOP)
        write_line(writer, "{");
    for (; check->kind == NODE_LOOP; check = check->child[0]) {
        const char *brace = check->child[0]->kind == NODE_LOOP ? "" : " {";
        brace_indent = writer->indent;
        write_linef(writer, "%s%s", heading_loop(&file->emitter, check, false), brace);
        writer->indent++;
    }
    writer->indent = brace_indent + 1;
    print_element_check(file, check);
    writer->indent = brace_indent;
    write_line(writer, "}");
    writer->indent = indent;
}

static void print_address_checks(struct c_file *file, const struct array *array)
{
    print_refusal(file, absence_text(file, array));
    if (array->align > 1)
        print_refusal(file, arena_printf(file->emitter.arena, "(uintptr_t)%s %% %" PRId64 " != 0", array->name,
                                         array->align));
}

void c_print_tile_check(struct c_file *file)
{
    struct writer *writer = &file->emitter.writer;

    if (!file->has_tiles || file->asks)
        return;
    write_linef(writer, "if (!%s)", tile_test(&file->emitter));
    writer->indent++;
    write_line(writer, "return ENOTSUP;");
    writer->indent--;
    write_blank(writer);
}

void c_print_checks(struct c_file *file)
{
    const struct program *program = file->unit->program;
    struct writer *writer = &file->emitter.writer;
    const char *violated = violation_text(file, file->unit->precondition, file->unit->n_precondition);

    if (violated)
        print_refusal(file, violated);
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        if (!array_is_argument(array))
            continue;
        if (storage_of(&file->emitter, array) != STORAGE_VALUE)
            print_address_checks(file, array);
        if (file->unit->value_check && file->unit->value_check[k] && !file->emitter.dialect->device)
            print_value_check(file, file->unit->value_check[k]);
        print_distinct(file, array);
        print_nondecreasing(file, array);
    }
    if (file->unit->requirement_check) {
        file->emitter.refusal = file->emitter.dialect->invalid;
        body_print(&file->emitter, file->unit->requirement_check);
    }
    write_blank(writer);
}
