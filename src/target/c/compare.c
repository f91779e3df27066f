/* The function that compares the results of what is scheduled with those of the description as written. */
#include "target/c/self_check.h"

#include "base/template.h"
#include "target/clike/convert.h"
#include "target/clike/heading.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"

#include <string.h>

bool check_is_result(const struct check *check, int number)
{
    return check->file->unit->result[number] != NULL;
}

const struct array *check_array(const struct check *check, int number)
{
    return &check->file->unit->program->array[number];
}

bool check_is_variable(const struct check *check, const struct array *array)
{
    return storage_of(&check->file->emitter, array) == STORAGE_REFERENCE;
}

struct pair check_pair(const struct check *check, int number, const struct element *element)
{
    const struct array *array = check_array(check, number);
    struct emitter *emitter = &check->file->emitter;
    enum precedence precedence;
    const char *got = element_text(emitter, element, &precedence);
    const size_t size = strlen(array->name) + check_is_variable(check, array);

    return (struct pair){array, got,
                         arena_printf(emitter->arena, "%s%s%s", check_is_variable(check, array) ? "*" : "",
                                      check->copy[number], got + size)};
}

/* The element as a number that C computes with. */
static const char *value_text(const struct check *check, const struct array *array, const char *element)
{
    struct emitter *emitter = &check->file->emitter;

    if (array->type != TYPE_F16 && array->type != TYPE_BF16)
        return element;
    return convert_to(emitter, expr_primary(element, array->type), TYPE_F32).text;
}

static bool is_bounded(const struct check *check, const struct array *array)
{
    return check->self->times > 0 && type_is_float(array->type);
}

/* The condition under which they differ. */
static const char *difference(const struct check *check, const struct pair *pair)
{
    const char *bound = check->bound[pair->array - check->file->unit->program->array];
    struct emitter *emitter = &check->file->emitter;
    const enum type type = pair->array->type == TYPE_F64 ? TYPE_F64 : TYPE_F32;
    const char *got = value_text(check, pair->array, pair->got);
    const char *expected = value_text(check, pair->array, pair->expected);

    if (!type_is_float(pair->array->type))
        return arena_printf(emitter->arena, "%s != %s", got, expected);
    emitter->uses_math = true;
    if (!is_bounded(check, pair->array))
        return arena_printf(emitter->arena, "%s(%s, %s)", helper_use(&emitter->helpers, HELPER_IS_OTHER, type), got,
                            expected);
    return arena_printf(emitter->arena, "%s(%s, %s, %s)", helper_use(&emitter->helpers, HELPER_IS_FAR, type), got,
                        expected, bound);
}

/* "%.9g" */
static const char *format_of(enum type type)
{
    if (type_is_float(type))
        return type == TYPE_F64 ? "%.17g" : "%.9g";
    return type == TYPE_U64 ? "%llu" : "%lld";
}

/* Whose word for the type is that of the format. */
static const char *printed(const struct check *check, const struct array *array, const char *element)
{
    struct arena *arena = check->file->emitter.arena;

    if (type_is_float(array->type))
        return value_text(check, array, element);
    return arena_printf(arena, "(%s)%s", array->type == TYPE_U64 ? "unsigned long long" : "long long", element);
}

/* Replaces blanks in quoted text, where lines must not be broken. */
enum { NO_BREAK = 1 };

/* The first line of code, with these in its quoted text. */
static const char *without_breaks(struct arena *arena, const char *code)
{
    char *copy = arena_copy_n(arena, code, strcspn(code, "\n"));
    bool quoted = false;

    for (char *c = copy; *c; c++) {
        quoted ^= *c == '"';
        *c = quoted && *c == ' ' ? NO_BREAK : *c;
    }
    return copy;
}

static void write_unbroken(struct text *out, const char *body)
{
    struct text broken = {0};

    write_body(&broken, body);
    for (const char *c = text_str(&broken); *c; c++)
        text_char(out, *c == NO_BREAK ? ' ' : *c);
    text_free(&broken);
}

/* Tells the first element that differs. */
static void print_telling(const struct check *check, const struct pair *pair, const struct node *const *loop)
{
    struct arena *arena = check->file->emitter.arena;
    const char *element = pair->array->name, *values = "";

    for (int k = 0; loop[k]; k++) {
        element = arena_printf(arena, "%s%s", element, k ? ", %lld" : "[%lld");
        values = arena_printf(arena, "%s(long long)%s, ", values, loop[k]->var->name);
    }
    const struct template_value value[] = {{"FUNCTION", check->self->name},
                                           {"ELEMENT", loop[0] ? arena_printf(arena, "%s]", element) : element},
                                           {"FORMAT", format_of(pair->array->type)},
                                           {"VALUES", arena_printf(arena, "%s%s, %s", values,
                                                                   printed(check, pair->array, pair->got),
                                                                   printed(check, pair->array, pair->expected))},
                                           {NULL, NULL}};
    write_line(check->writer, without_breaks(arena, template_filled(arena, "c/tell_difference",
                                                                    (const struct template_value *const[]){value}, 1)));
}

const struct node *check_open_loops(const struct check *check, int number, const struct node **loop)
{
    const struct node *node = check->file->unit->result[number];
    int n = 0;

    for (; node->kind == NODE_LOOP; node = node->child[0]) {
        write_line(check->writer, heading_loop(&check->file->emitter, node, false));
        check->writer->indent++;
        loop[n++] = node;
    }
    loop[n] = NULL;
    return node;
}

const struct node **check_loops(const struct check *check, int number)
{
    return ARENA_ARRAY(check->file->emitter.arena, check_array(check, number)->n_dim * 2 + 2, const struct node *);
}

/* Half of the distance of numbers behind 1, of the type in which the array has its rounding errors; those of buffers of
 * another type are no approximations of functions, so they count once. */
static const char *rounding_error(const struct check *check, int number)
{
    const struct self_check *self = check->self;
    const int written = type_digits(self->rounded[number]);
    const int scheduled = type_digits(self->precision.type[number]) + (self->times > 1 ? 16 : 0);

    return arena_printf(check->file->emitter.arena, "0x1p-%d", scheduled < written ? scheduled : written);
}

/* What rounding may make of the largest element. */
static void print_bound(const struct check *check, int number)
{
    const struct array *array = check_array(check, number);
    struct emitter *emitter = &check->file->emitter;
    const char *bound = check->bound[number];
    const int indent = check->writer->indent;

    write_linef(check->writer, "double %s = 0;", bound);
    const struct node *leaf = check_open_loops(check, number, check_loops(check, number));
    const struct pair pair = check_pair(check, number, &leaf->value->element);
    write_linef(check->writer, "%s = %s(%s, %s);", bound, helper_use(&emitter->helpers, HELPER_LARGER, TYPE_I64), bound,
                value_text(check, array, pair.expected));
    check->writer->indent = indent;
    write_linef(check->writer, "%s *= %s * %s;", bound, check->terms, rounding_error(check, number));
}

static void print_comparison_of(const struct check *check, int number)
{
    const struct node **loop = check_loops(check, number);
    const int indent = check->writer->indent;

    write_blank(check->writer);
    if (is_bounded(check, check_array(check, number)))
        print_bound(check, number);
    const struct node *leaf = check_open_loops(check, number, loop);
    const struct pair pair = check_pair(check, number, &leaf->value->element);
    write_linef(check->writer, "if (%s) {", difference(check, &pair));
    check->writer->indent++;
    print_telling(check, &pair, loop);
    write_line(check->writer, "return ERANGE;");
    check->writer->indent--;
    write_line(check->writer, "}");
    check->writer->indent = indent;
}

static bool any_bounded(const struct check *check)
{
    for (int k = 0; k < check->file->unit->program->n_array; k++)
        if (check_is_result(check, k) && is_bounded(check, check_array(check, k)))
            return true;
    return false;
}

/* Does code mention the name outside of texts? */
static bool is_used(const char *code, const char *name)
{
    struct text rest = {0};
    bool quoted = false, used;

    for (; *code; code++) {
        quoted ^= *code == '"';
        if (!quoted)
            text_char(&rest, *code);
    }
    used = c_mentions(text_str(&rest), name);
    text_free(&rest);
    return used;
}

/* Of the function that compares: the parameters that its code uses, results and their copies; typed: as it declares
 * them, else as it is called. */
static const char *comparison_arguments(const struct check *check, const char *code, bool typed)
{
    const struct program *program = check->file->unit->program;
    struct arena *arena = check->file->emitter.arena;
    const char *list = "";

    for (int k = 0; k < program->n_param; k++)
        if (is_used(code, program->param[k].name))
            list = arena_printf(arena, "%s, %s%s%s", list, typed ? c_type_name(program->param[k].type) : "",
                                typed ? " " : "", program->param[k].name);
    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];
        const char *type = typed ? arena_printf(arena, "const %s *", c_type_name(array->type)) : "";
        if (check_is_result(check, k))
            list = arena_printf(arena, "%s, %s%s, %s%s%s", list, type, array->name, type,
                                !typed && check_is_variable(check, array) ? "&" : "", check->copy[k]);
    }
    return *list ? list + 2 : typed ? "void" : "";
}

/* "max_f64(N, M)" of all of them */
static const char *extreme_of(const struct check *check, enum helper helper, const char *first)
{
    struct emitter *emitter = &check->file->emitter;
    const char *all = first;

    for (int k = 0; k < check->self->n_share; k++)
        all = all ? arena_printf(emitter->arena, "%s(%s, %s)", helper_use(&emitter->helpers, helper, TYPE_F64), all,
                                 check->self->share[k])
                  : check->self->share[k];
    return all;
}

/* How many rounding errors of the largest element are allowed. */
static void print_terms(const struct check *check)
{
    struct emitter *emitter = &check->file->emitter;
    const struct self_check *self = check->self;
    const char *more = extreme_of(check, self->operations ? HELPER_MIN : HELPER_MAX, NULL);

    if (self->operations && more)
        more = arena_printf(emitter->arena, "(%s) / %s(1, %s)", self->operations,
                            helper_use(&emitter->helpers, HELPER_MAX, TYPE_F64), more);
    write_linef(check->writer, "/* rounding errors of the largest element that are allowed: 16 and %s */",
                self->operations && more ? "the operations of an element" : "the elements of the largest array");
    if (self->times > 1)
        write_line(check->writer, "/* 65536 times as many for approximations */");
    write_linef(check->writer, self->times > 1 ? "const double %s = 65536 * (16 + %s);" : "const double %s = 16 + %s;",
                check->terms, more ? more : "0");
}

const char *check_print_comparison(const struct check *check, struct text *out)
{
    const struct program *program = check->file->unit->program;
    struct writer head = {out, 0, false};
    struct text body = {0};

    *check->writer = (struct writer){&body, 1, true};
    if (any_bounded(check))
        print_terms(check);
    for (int k = 0; k < program->n_array; k++)
        if (check_is_result(check, k))
            print_comparison_of(check, k);
    write_blank(check->writer);
    write_line(check->writer, "return 0;");
    write_linef(&head, "static int %s(%s)", check->comparison, comparison_arguments(check, text_str(&body), true));
    write_unbroken(out, text_str(&body));
    const char *call = arena_printf(check->file->emitter.arena, "%s(%s)", check->comparison,
                                    comparison_arguments(check, text_str(&body), false));
    text_free(&body);
    return call;
}
