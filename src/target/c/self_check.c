/* A function that checks itself: it calls what the schedule made of the description, which another run has printed, and
 * the description as written, for which results are copied, and compares them.
 */
#include "target/c/self_check.h"
#include "target/c/several.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"
#include "target/clike/wrap.h"

#include <inttypes.h>
#include <string.h>

/* "C, D" */
static const char *list_of_results(const struct check *check)
{
    struct arena *arena = check->file->emitter.arena;
    const char *list = NULL;

    for (int k = 0; k < check->file->unit->program->n_array; k++)
        if (check_is_result(check, k))
            list =
                list ? arena_printf(arena, "%s, %s", list, check_array(check, k)->name) : check_array(check, k)->name;
    return list ? list : "nothing";
}

/* `float *C_expected = copy_of(C, size_product(N, sizeof *C));` */
static void print_copy(const struct check *check, int number)
{
    struct emitter *emitter = &check->file->emitter;
    const struct array *array = check_array(check, number);
    const char *type = c_type_name(array->type), *copy = check->copy[number];

    if (check_is_variable(check, array))
        write_linef(check->writer, "%s %s = *%s;", type, copy, array->name);
    else if (array->stride && array->align > 16)
        write_linef(check->writer, "%s *%s = %s(%" PRId64 ", %s);", type, copy,
                    helper_use(&emitter->helpers, HELPER_ALLOCATE_ALIGNED_ZERO, TYPE_I64), array->align,
                    array_bytes_text(emitter, array));
    else if (array->stride)
        write_linef(check->writer, "%s *%s = %s(%s);", type, copy,
                    helper_use(&emitter->helpers, HELPER_ALLOCATE_ZERO, TYPE_I64), array_bytes_text(emitter, array));
    else if (array->align > 16)
        write_linef(check->writer, "%s *%s = %s(%" PRId64 ", %s, %s);", type, copy,
                    helper_use(&emitter->helpers, HELPER_COPY_OF_ALIGNED, TYPE_I64), array->align, array->name,
                    array_bytes_text(emitter, array));
    else
        write_linef(check->writer, "%s *%s = %s(%s, %s);", type, copy,
                    helper_use(&emitter->helpers, HELPER_COPY_OF, TYPE_I64), array->name,
                    array_bytes_text(emitter, array));
}

/* What is between the elements of an array with strides is nobody's to read. */
static void print_strided_copy(const struct check *check, int number)
{
    const int indent = check->writer->indent;

    write_linef(check->writer, "if (!%s)", check->status);
    check->writer->indent++;
    const struct node *leaf = check_open_loops(check, number, check_loops(check, number));
    const struct pair pair = check_pair(check, number, &leaf->value->element);
    write_linef(check->writer, "%s = %s;", pair.expected, pair.got);
    check->writer->indent = indent;
}

/* "C_expected && D_expected"; NULL: no memory is asked for. */
static const char *all_there(const struct check *check)
{
    struct arena *arena = check->file->emitter.arena;
    const char *text = NULL;

    for (int k = 0; k < check->file->unit->program->n_array; k++)
        if (check_is_result(check, k) && !check_is_variable(check, check_array(check, k)))
            text = text ? arena_printf(arena, "%s && %s", text, check->copy[k]) : check->copy[k];
    return text;
}

/* What the entry calls, in order. */
struct call {
    const char *text;
    bool returns_status;
};

/* Each while nothing has failed. */
static void print_calls(const struct check *check, const struct call *call, int n, bool may_fail)
{
    struct writer *writer = check->writer;

    for (int k = 0, end; k < n; k = end) {
        for (end = k; !call[end].returns_status;)
            end++;
        const bool several = end++ > k;
        if (may_fail)
            write_linef(writer, "if (!%s)%s", check->status, several ? " {" : "");
        writer->indent += may_fail;
        for (; k < end - 1; k++)
            write_linef(writer, "%s;", call[k].text);
        write_linef(writer, "%s = %s;", check->status, call[k].text);
        writer->indent -= may_fail;
        if (may_fail && several)
            write_line(writer, "}");
        may_fail = true;
    }
}

/* "N, alpha, x, y_expected" */
static const char *written_arguments(const struct check *check)
{
    const struct program *program = check->file->unit->program;
    struct arena *arena = check->file->emitter.arena;
    const char *list = "";

    for (int k = 0; k < program->n_param; k++)
        list = arena_printf(arena, "%s, %s", list, program->param[k].name);
    for (int k = 0; k < program->n_scalar; k++)
        list = arena_printf(arena, "%s, %s", list, program->scalar[k].name);
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]))
            list = arena_printf(arena, "%s, %s%s", list,
                                check_is_result(check, k) && check_is_variable(check, check_array(check, k)) ? "&" : "",
                                check_is_result(check, k) ? check->copy[k] : program->array[k].name);
    return *list ? list + 2 : "";
}

static void print_entry_body(const struct check *check, const struct call *call, int n)
{
    const char *there = all_there(check);
    struct writer *writer = check->writer;

    for (int k = 0; k < check->file->unit->program->n_array; k++)
        if (check_is_result(check, k))
            print_copy(check, k);
    if (there)
        write_linef(writer, "int %s = %s ? 0 : ENOMEM;", check->status, there);
    else
        write_linef(writer, "int %s;", check->status);
    write_blank(writer);
    for (int k = 0; k < check->file->unit->program->n_array; k++)
        if (check_is_result(check, k) && check_array(check, k)->stride)
            print_strided_copy(check, k);
    print_calls(check, call, n, there != NULL);
    for (int k = 0; k < check->file->unit->program->n_array; k++)
        if (check_is_result(check, k) && !check_is_variable(check, check_array(check, k)))
            write_linef(writer, "free(%s);", check->copy[k]);
    write_linef(writer, "return %s;", check->status);
}

static void print_entry_comment(const struct check *check, struct text *out)
{
    struct arena *arena = check->file->emitter.arena;
    const char *words =
        arena_printf(arena, "%s: what %s and, on copies of %s, %s compute must be the same */", check->self->name,
                     check->self->scheduled, list_of_results(check), check->self->written);

    wrap_words(out, "/* ", " * ", words);
}

static void print_entry(const struct check *check, const char *comparison, bool written_returns, struct text *out)
{
    struct c_file *file = check->file;
    struct arena *arena = file->emitter.arena;
    const struct call call[] = {{arena_printf(arena, "%s(%s)", check->self->written, written_arguments(check)),
                                 written_returns},
                                {arena_printf(arena, "%s(%s)", check->self->scheduled, c_arguments(file)),
                                 check->self->returns_status},
                                {comparison, true}};
    struct text body = {0};

    *check->writer = (struct writer){&body, 1, true};
    if (file->unit->check_args)
        c_print_checks(file);
    print_entry_body(check, call, 3);
    print_entry_comment(check, out);
    c_signature(file, out, "restrict", "");
    write_body(out, text_str(&body));
    text_free(&body);
}

/* Where what is scheduled has other tables, those of the description as written are inside of its function. */
static void place_tables(struct c_file *file)
{
    struct text inside = {0};
    const char *line = text_str(&file->tables);

    if (file->tables.size == 0 || strstr(file->unit->self_check->tables, line))
        return;
    for (size_t size; *line; line += size + (line[size] == '\n')) {
        size = strcspn(line, "\n");
        text_addf(&inside, "%s%.*s\n", size > 0 && *line != '#' ? "    " : "", (int)size, line);
    }
    text_addf(&inside, "\n%s", text_str(&file->checks));
    text_free(&file->checks);
    file->checks = inside;
}

static void print_written(struct c_file *file, struct text *out)
{
    struct arena *arena = file->emitter.arena;

    place_tables(file);
    wrap_words(out, "/* ", " * ",
               arena_printf(arena, "%s: the description without its schedule and plan */", file->unit->name));
    c_print_code(file, out);
    text_char(out, '\n');
}

static struct check check_of(struct c_file *file)
{
    struct arena *arena = file->emitter.arena;
    struct names *names = &file->emitter.names;
    const int n = file->unit->program->n_array;
    struct check check = {.file = file, .self = file->unit->self_check, .writer = &file->emitter.writer};

    check.copy = ARENA_ARRAY(arena, n + 1, const char *);
    check.bound = ARENA_ARRAY(arena, n + 1, const char *);
    for (int k = 0; k < n; k++) {
        if (!check_is_result(&check, k))
            continue;
        check.copy[k] = names_unique(names, arena_printf(arena, "%s_expected", check_array(&check, k)->name));
        check.bound[k] = names_unique(names, arena_printf(arena, "%s_bound", check_array(&check, k)->name));
    }
    check.terms = names_unique(names, "terms");
    check.status = names_unique(names, "status");
    check.comparison = names_unique(names, arena_printf(arena, "%s_comparison", check.self->name));
    return check;
}

/* file becomes that of the function that is called. */
static void become_entry(struct c_file *file, struct unit *entry)
{
    const struct self_check *self = file->unit->self_check;

    *entry = *file->unit;
    entry->name = self->name;
    entry->self_check = NULL;
    file->unit = entry;
    file->compares = true;
    file->allocates |= self->allocates;
    file->has_tiles |= self->has_tiles;
}

enum status c_print_self_check(struct c_file *file, struct diags *diags)
{
    const bool written_returns = c_returns_status(file);
    const struct check check = check_of(file);
    struct c_parts parts = {0};
    struct unit entry;
    enum status status;

    print_written(file, &parts.code);
    become_entry(file, &entry);
    const char *comparison = check_print_comparison(&check, &parts.code);
    file->allocates |= all_there(&check) != NULL;
    text_char(&parts.code, '\n');
    print_entry(&check, comparison, written_returns, &parts.code);
    c_print_includes(file, &parts.includes);
    c_print_heads(file, &parts.heads);
    c_print_helpers(file, &parts.helpers);
    status = c_leave_parts(file, &parts, diags);
    c_parts_free(&parts);
    return status;
}
