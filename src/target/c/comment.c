#include "target/c/file.h"

#include "program/show.h"
#include "target/clike/body.h"
#include "target/clike/index.h"
#include "target/clike/storage.h"
#include "target/clike/nodes/texts.h"
#include "target/clike/wrap.h"

#include <string.h>

static void add_item(struct c_file *file, struct text *out, const char *title, const char *words)
{
    const char *prefix = arena_printf(file->emitter.arena, " * %-9s ", title);

    wrap_words(out, prefix, " *           ", comment_text(file->emitter.arena, words));
}

/* Lines of words; those that start with blanks are part of the one before. */
static void add_lines(struct c_file *file, struct text *out, const char *title, const char *lines)
{
    struct arena *arena = file->emitter.arena;

    for (const char *next; lines; lines = next, title = "") {
        const char *end = strchr(lines, '\n');
        const char *line = end ? arena_copy_n(arena, lines, (size_t)(end - lines)) : lines;
        const int indent = (int)strspn(line, " ");

        next = end ? end + 1 : NULL;
        wrap_words(out, arena_printf(arena, " * %-9s %*s", title, indent, ""),
                   arena_printf(arena, " *           %*s", 2 * indent, ""), comment_text(arena, line + indent));
    }
}

static const char *first_word_end(const char *text)
{
    return text + strcspn(text, " ");
}

static bool same_first_word(const char *a, const char *b)
{
    const size_t size = (size_t)(first_word_end(a) - a);

    return size == (size_t)(first_word_end(b) - b) && strncmp(a, b, size) == 0;
}

/* "split i by 32 as ii, j by 64 as jj; reorder i, j, ii, jj" */
static const char *steps_text(struct c_file *file, const struct step *step, int n)
{
    struct arena *arena = file->emitter.arena;
    const char *text = "", *last = "";

    for (int k = 0; k < n; k++) {
        struct text one = {0};
        step_print(&one, &step[k]);
        const char *line = arena_copy(arena, text_str(&one));
        const bool same = k && same_first_word(last, line) && !strchr(last, ',') && !strchr(line, ',');
        text = arena_printf(arena, "%s%s%s", text, same ? "," : k ? "; " : "", same ? first_word_end(line) : line);
        last = line;
        text_free(&one);
    }
    return text;
}

static void add_unsafe(struct c_file *file, struct text *out, const struct step *step, int n)
{
    for (int k = 0; k < n; k++) {
        struct text line = {0};
        if (!step[k].unsafe)
            continue;
        step_print(&line, &step[k]);
        text_addf(&line, ": \"%s\"", step[k].unsafe);
        add_item(file, out, "unsafe", text_str(&line));
        text_free(&line);
    }
}

static void add_shape(struct text *out, const struct array *array)
{
    text_char(out, '[');
    for (int k = 0; k < array->n_dim; k++) {
        text_add(out, k ? ", " : "");
        expr_print(out, array->shape[k], NULL);
    }
    text_char(out, ']');
}

/* As the user wrote it, when steps have changed the program; NULL for what a step made. */
static const struct array *declared_array(const struct program *program, const struct array *array)
{
    return program->described ? program_array(program->described, array->name) : NULL;
}

/* "Bp [4, 8]" of a buffer; "C [16, 10] as [4, 4]": what contraction left of other temporaries. */
static void add_storage(struct c_file *file, struct text *out)
{
    const struct program *program = file->unit->program;
    struct text line = {0};

    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        const struct array *declared = declared_array(program, array);
        if (array->is_buffer) {
            text_addf(&line, "%s%s ", line.size ? "; " : "", array->name);
            add_shape(&line, array);
            continue;
        }
        if (!array->contracted_from || array->is_call ||
            (array->n_dim == 0 && declared && declared->n_dim == declared->n_iteration))
            continue;
        text_addf(&line, "%s%s ", line.size ? "; " : "", array->name);
        add_shape(&line, declared ? declared : array->contracted_from);
        text_add(&line, array->n_dim ? " as " : " as one element");
        if (array->n_dim)
            add_shape(&line, array);
    }
    if (line.size)
        add_item(file, out, "storage", text_str(&line));
    text_free(&line);
}

/* The parameter that a condition bounds alone, and the rest of its text: " >= 1". */
static const struct var *lone_param(struct c_file *file, const struct condition *condition, const char **rest)
{
    const struct affine *affine = condition->affine;
    const bool lone = affine->n_term == 1 && affine->term[0].atom->kind == ATOM_VAR;

    if (!lone || affine->term[0].factor * affine->term[0].factor != 1)
        return NULL;
    const struct var *var = affine->term[0].atom->var;
    *rest = index_condition(&file->emitter, condition) + strlen(var->name);
    return var;
}

/* "M, N, K >= 1": the parameters that share the bound of the condition at `first`. */
static const char *shared_bound(struct c_file *file, const struct guard *guard, int first, bool *done)
{
    const char *rest, *other_rest;
    const struct var *var = lone_param(file, &guard->condition[first], &rest);
    const char *names = var ? var->name : NULL;

    if (!var)
        return index_condition(&file->emitter, &guard->condition[first]);
    for (int k = first + 1; k < guard->n; k++) {
        const struct var *other = done[k] ? NULL : lone_param(file, &guard->condition[k], &other_rest);
        if (!other || strcmp(rest, other_rest) != 0)
            continue;
        done[k] = true;
        names = arena_printf(file->emitter.arena, "%s, %s", names, other->name);
    }
    return arena_printf(file->emitter.arena, "%s%s", names, rest);
}

const char *c_preconditions(struct c_file *file)
{
    const struct unit *unit = file->unit;
    const struct guard *guard = unit->precondition;
    const char *text = NULL;

    if (unit->n_precondition > 1)
        return index_guards(&file->emitter, guard, unit->n_precondition);
    if (unit->n_precondition < 1)
        return NULL;
    bool *done = ARENA_ARRAY(file->emitter.arena, guard->n, bool);
    for (int k = 0; k < guard->n; k++) {
        if (done[k])
            continue;
        const char *one = shared_bound(file, guard, k, done);
        text = text ? arena_printf(file->emitter.arena, "%s; %s", text, one) : one;
    }
    return text;
}

static const char *own_flags(struct c_file *file)
{
    const char *vectors = file->emitter.uses_vectors && !file->asks ? file->emitter.simd->flags : NULL;
    const char *others = file->asks ? NULL : file->emitter.vector_flags;

    if (file->device_flags)
        return file->device_flags;
    if (others)
        vectors = vectors ? arena_printf(file->emitter.arena, "%s %s", vectors, others) : others;
    if (!file->has_threads && file->has_simd)
        return "-fopenmp-simd";
    if (!file->has_threads)
        return vectors;
    return vectors ? arena_printf(file->emitter.arena, "%s -fopenmp", vectors) : "-fopenmp";
}

const char *c_needed_flags(struct c_file *file)
{
    const char *own = own_flags(file), *others = texts_flags(&file->emitter);

    return own && others ? arena_printf(file->emitter.arena, "%s %s", own, others) : own ? own : others;
}

static void add_needs(struct c_file *file, struct text *out, bool header)
{
    const struct unit *unit = file->unit;
    const char *conditions = c_preconditions(file), *flags = header         ? NULL
                                                             : file->joined ? file->joined->flags
                                                                            : c_needed_flags(file);

    for (int k = 0; k < unit->n_requirement; k++)
        conditions = conditions ? arena_printf(file->emitter.arena, "%s; %s", conditions, unit->requirement[k])
                                : unit->requirement[k];

    if (unit->needs)
        unit->needs->condition = conditions;
    if (unit->needs && !header)
        unit->needs->flags = flags;
    if (flags && conditions)
        conditions = arena_printf(file->emitter.arena, "%s; %s", flags, conditions);
    if (flags || conditions)
        add_item(file, out, "needs", conditions ? conditions : flags);
    if (c_uses_f16(file) && !file->emitter.dialect->half)
        add_item(file, out, "f16", "the compiler's _Float16, else its bits in uint16_t");
}

/* "stored as [N][(M + 15) / 16][16]": extents as C would count them. */
static void add_stored_shape(struct c_file *file, struct text *out, const struct array *array)
{
    text_add(out, ", stored as ");
    for (int k = 0; k < array->n_dim; k++) {
        const struct affine *extent = param_affine(&file->emitter, array->shape[array_dense_dimension(array, k)]);
        text_addf(out, "[%s]", index_affine(&file->emitter, extent).text);
    }
    if (array->stored_dim)
        text_add(out, " with all blocks full");
}

static void add_strides(struct text *out, const struct array *array)
{
    text_addf(out, ", stride%s ", array->n_dim > 1 ? "s" : "");
    for (int k = 0; k < array->n_dim; k++) {
        text_add(out, k ? ", " : "");
        expr_print(out, array->stride[k], NULL);
    }
    if (array->offset) {
        text_add(out, " from ");
        expr_print(out, array->offset, NULL);
    }
}

static bool is_row_major(const struct array *array)
{
    for (int k = 0; k < array->n_dim; k++)
        if (array_dense_dimension(array, k) != k)
            return false;
    return !array->stored_dim;
}

/* How the caller's array lies in memory, where it is not row-major. */
static void add_layout(struct c_file *file, struct text *out, const struct array *array)
{
    if (array->stride)
        add_strides(out, array);
    else if (!is_row_major(array))
        add_stored_shape(file, out, array);
    if (array->align)
        text_addf(out, ", aligned to %lld bytes", (long long)array->align);
    if (array->values) {
        text_add(out, ", ");
        expr_print(out, array->values, &array->name);
    }
    if (array->injective)
        text_add(out, ", all elements differ");
    if (array->nondecreasing)
        text_add(out, ", nondecreasing");
}

/* What the caller finds in an `out` array. */
static void add_written(struct c_file *file, struct text *out, int number)
{
    const char *written = file->unit->written ? file->unit->written[number] : NULL;

    if (written && !*written)
        text_add(out, ", written in part");
    if (!written || !*written)
        return;
    text_add(out, ", written at [");
    for (int k = 0; k < file->unit->program->described->array[number].n_dim; k++)
        text_addf(out, "%si%d", k ? ", " : "", k);
    text_addf(out, "] where %s", written);
}

/* "A[M, K] in" */
static const char *array_line(struct c_file *file, int number)
{
    const struct array *array = &file->unit->program->array[number];
    const struct array *declared = declared_array(file->unit->program, array);
    struct text line = {0};

    text_add(&line, array->name);
    if (array->n_dim)
        add_shape(&line, declared ? declared : array);
    text_addf(&line, " %s", role_name(array->role));
    if (array->type == TYPE_BF16)
        text_add(&line, " (bfloat16)");
    add_layout(file, &line, array);
    add_written(file, &line, number);
    const char *result = arena_copy(file->emitter.arena, text_str(&line));
    text_free(&line);
    return result;
}

/* Does any array have more to tell than fits into a list? */
static bool is_long(const char *line)
{
    return strchr(strchr(line, ']') ? strchr(line, ']') : line, ',') != NULL;
}

/* One list, or a line an array where some have more than a shape and a role. */
static void add_arrays(struct c_file *file, struct text *out)
{
    const struct program *program = file->unit->program;
    struct arena *arena = file->emitter.arena;
    const char *text = NULL, **line = ARENA_ARRAY(arena, program->n_array + 1, const char *);
    bool apart = false;
    int n = 0;

    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k])) {
            line[n] = array_line(file, k);
            apart = apart || is_long(line[n]);
            text = text ? arena_printf(arena, "%s, %s", text, line[n]) : line[n];
            n++;
        }
    if (n > 1 && !apart)
        text = arena_printf(arena, "%s; no two overlap", text);
    for (int k = 0; apart && k < n; k++)
        add_item(file, out, k ? "" : "arrays", line[k]);
    if (apart && n > 1)
        add_item(file, out, "", "no two overlap");
    if (text && !apart)
        add_item(file, out, "arrays", text);
}

/* "V[N - 2] is part of A": views show in the statements above, not in the code below. */
static void add_views(struct c_file *file, struct text *out)
{
    const struct program *program = file->unit->program;
    struct text line = {0};

    for (int k = 0; k < program->n_view; k++) {
        const struct array *view = &program->view[k];
        text_addf(&line, "%s%s", k ? "; " : "", view->name);
        add_shape(&line, view);
        text_addf(&line, " from %s[", view->view_of->name);
        for (int d = 0; d < view->n_dim; d++) {
            text_add(&line, d ? ", " : "");
            expr_print(&line, view->offset_of[d], NULL);
        }
        text_char(&line, ']');
        for (int d = 0; d < view->n_dim; d++)
            if (view->stride_of[d] != 1)
                text_addf(&line, " by %lld along %d", (long long)view->stride_of[d], d);
    }
    if (line.size)
        add_item(file, out, "views", text_str(&line));
    text_free(&line);
}

const char *c_statics(struct c_file *file)
{
    const struct program *program = file->unit->program;
    const char *text = NULL;

    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].memory == MEMORY_STATIC && file->array_used[k] && program->array[k].n_dim > 0)
            text = text ? arena_printf(file->emitter.arena, "%s, %s", text, program->array[k].name)
                        : program->array[k].name;
    return text ? arena_printf(file->emitter.arena, "%s: one call at a time", text) : NULL;
}

static void add_returns(struct c_file *file, struct text *out)
{
    const char *const reasons[] = {c_checks_args(file) ? "EINVAL when a precondition does not hold" : NULL,
                                   file->compares ? "ERANGE if a result differs, after a line on stderr" : NULL,
                                   file->has_tiles ? "ENOTSUP where there are no tiles, or the system keeps them"
                                                   : NULL,
                                   file->allocates ? "ENOMEM" : NULL};
    const char *text = "0";
    int n = 0;

    for (int k = 0; k < 4; k++)
        n += reasons[k] != NULL;
    for (int k = 0; k < 4; k++)
        if (reasons[k])
            text = arena_printf(file->emitter.arena, n == 1 ? "%s, or %s" : "%s; %s", text, reasons[k]);
    if (file->returns || n)
        add_item(file, out, "returns", file->returns ? file->returns : text);
}

/* How the loops came to be. */
static void add_steps(struct c_file *file, struct text *out)
{
    const struct program *program = file->unit->program;

    if (program->chosen)
        add_item(file, out, "tunables", program->chosen);
    if (program->n_schedule)
        add_item(file, out, "schedule", steps_text(file, program->schedule, program->n_schedule));
    if (program->n_plan)
        add_item(file, out, "plan", steps_text(file, program->plan, program->n_plan));
    add_unsafe(file, out, program->schedule, program->n_schedule);
    add_unsafe(file, out, program->plan, program->n_plan);
    add_storage(file, out);
    if (texts_names(&file->emitter))
        add_item(file, out, "texts",
                 arena_printf(file->emitter.arena, "%s: of the description, not proved", texts_names(&file->emitter)));
    if (file->unit->repeats)
        add_item(file, out, "repeats", file->unit->repeats);
}

const char *c_steps(struct c_file *file)
{
    struct text steps = {0};

    add_steps(file, &steps);
    const char *copy = arena_copy(file->emitter.arena, text_str(&steps));
    text_free(&steps);
    return copy;
}

void c_comment_variant(struct arena *arena, const struct variant_text *variant, struct text *out)
{
    const char *where = arena_printf(arena, "%s, %s", variant->name, c_where(arena, variant));
    const char *words = comment_text(arena, where);

    wrap_words(out, "/* ", " * ", *variant->steps ? words : arena_printf(arena, "%s */", words));
    if (*variant->steps) {
        text_add(out, " *\n");
        text_addf(out, "%s */\n", variant->steps);
    }
}

void c_comment(struct c_file *file, struct text *out, bool header)
{
    const struct joined *joined = file->joined;
    const char *permits = joined ? joined->permits : c_permits(file->emitter.arena, file->unit->program);
    const char *statics = joined ? joined->statics : c_statics(file);

    c_comment_statements(file, out);
    text_add(out, " *\n");
    add_views(file, out);
    if (header)
        add_arrays(file, out);
    else if (joined)
        add_lines(file, out, "variants", joined->variants);
    else
        add_steps(file, out);
    if (statics)
        add_item(file, out, "static", statics);
    if (permits)
        add_item(file, out, "permits", permits);
    add_needs(file, out, header);
    add_returns(file, out);
    text_addf(out, " * polynest %s from %s\n", PACKAGE_VERSION,
              comment_text(file->emitter.arena, file->unit->input_name));
    text_add(out, " */\n");
}
