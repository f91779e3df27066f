/* Random nests: imperfect, triangular, stepped, guarded; stencils in place and reductions. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

static struct size random_size(struct gen *gen)
{
    switch (pick(gen, 5)) {
    case 0:
    case 1:
        return (struct size){1, 0, 0};
    case 2:
        return (struct size){0, 1, 0};
    default:
        return (struct size){0, 0, 1 + pick(gen, 9)};
    }
}

/* The size as text; `less` is taken off it. */
static const char *size_text(struct size size, int less, char buffer[32])
{
    if (size.n || size.m)
        snprintf(buffer, 32, less ? "%s - %d" : "%s", size.n ? "N" : "M", less);
    else
        snprintf(buffer, 32, "%d", size.constant - less);
    return buffer;
}

/* A loop whose bounds depend on an outer one, inside [0, size of the outer one). */
static void dependent_header(struct gen *gen, struct text *out, const char *name,
                             const struct gen_loop *outer)
{
    char size[32];

    size_text(outer->size, 0, size);
    switch (pick(gen, 4)) {
    case 0:
        text_addf(out, "%s <= %s", name, outer->name);
        return;
    case 1:
        text_addf(out, "%s <= %s < %s", outer->name, name, size);
        return;
    case 2:
        text_addf(out, "max(0, %s - 1) <= %s < min(%s, %s + 3)", outer->name, name, size, outer->name);
        return;
    default:
        text_addf(out, "0 <= %s <= %s / 2", name, outer->name);
        return;
    }
}

static void plain_header(struct gen *gen, struct text *out, const char *name, struct size bound)
{
    static const int steps[] = {2, 3, -1, -2};
    char size[32];

    size_text(bound, 0, size);
    if (chance(gen, 20))
        text_addf(out, "%d <= %s < %s", 1 + pick(gen, 2), name, size);
    else if (chance(gen, 15))
        text_addf(out, "%d <= %s < %s step %d", pick(gen, 2), name, size, steps[pick(gen, 4)]);
    else
        text_addf(out, "%s < %s", name, size);
}

static void add_loop(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    struct gen_loop *loop = &nest->loop[nest->n_loop];
    const bool dependent = nest->n_loop > 0 && chance(gen, 25);
    const struct gen_loop *outer = dependent ? &nest->loop[pick(gen, nest->n_loop)] : NULL;

    snprintf(loop->name, sizeof(loop->name), "%c%d", "hjk"[nest->n_loop % 3], gen -> n_names++);
    loop->size = outer ? outer->size : random_size(gen);
    text_char(out, '"');
    if (outer)
        dependent_header(gen, out, loop->name, outer);
    else
        plain_header(gen, out, loop->name, loop->size);
    text_char(out, '"');
    nest->n_loop++;
}

static void write_loops(struct gen *gen, struct gen_nest *nest, int n, struct text *out)
{
    text_add(out, "\"loops\": [");
    for (int k = 0; k < n; k++) {
        if (k)
            text_add(out, ", ");
        add_loop(gen, nest, out);
    }
    text_add(out, "], ");
}

static void grow(struct size *size, struct size needed)
{
    size->n = needed.n > size->n ? needed.n : size->n;
    size->m = needed.m > size->m ? needed.m : size->m;
    size->constant = needed.constant > size->constant ? needed.constant : size->constant;
}

static struct size add_sizes(struct size a, struct size b, int constant)
{
    return (struct size){a.n + b.n, a.m + b.m, a.constant + b.constant + constant};
}

/* One subscript; dimension k of an access prefers loop k. */
static void write_subscript(struct gen *gen, const struct gen_nest *nest, int n_loop, int k,
                            struct size *size, struct text *out)
{
    const struct gen_loop *a = n_loop ? &nest->loop[chance(gen, 75) ? k % n_loop : pick(gen, n_loop)] : NULL;
    const struct gen_loop *b = n_loop ? &nest->loop[pick(gen, n_loop)] : NULL;
    const int offset = pick(gen, 3), form = n_loop ? pick(gen, 14) : 13;
    char text[32];

    if (form == 13) {
        text_addf(out, "%d", offset);
        grow(size, (struct size){0, 0, offset + 1});
    } else if (form == 12) {
        text_addf(out, "%s + %s", a->name, b->name);
        grow(size, add_sizes(a->size, b->size, 0));
    } else if (form == 11) {
        text_addf(out, "%s - %s", size_text(a->size, 1, text), a->name);
        grow(size, a->size);
    } else if (form == 10) {
        text_addf(out, "2 * %s + %d", a->name, offset);
        grow(size, add_sizes(a->size, a->size, offset));
    } else {
        text_addf(out, offset ? "%s + %d" : "%s", a->name, offset);
        grow(size, add_sizes(a->size, (struct size){0, 0, 0}, offset));
    }
}

static void write_access(struct gen *gen, const struct gen_nest *nest, int n_loop, struct gen_array *array,
                         struct text *out)
{
    text_add(out, array->name);
    if (!array->rank)
        return;
    text_char(out, '[');
    for (int k = 0; k < array->rank; k++) {
        if (k)
            text_add(out, ", ");
        write_subscript(gen, nest, n_loop, k, &array->size[k], out);
    }
    text_char(out, ']');
}

/* An array that may be read, with some preference for the one that is written. */
static struct gen_array *readable(struct gen *gen, struct gen_array *target)
{
    struct gen_array *array = target;

    if (gen->apart && chance(gen, 85))
        return !strcmp(target->role, "inout") && chance(gen, 50) ? target : &gen->array[0];
    if (strcmp(target->role, "inout") || !chance(gen, 45))
        do
            array = &gen->array[pick(gen, gen->n_array)];
        while (!strcmp(array->role, "out"));
    return array;
}

static void write_read(struct gen *gen, const struct gen_nest *nest, int n_loop, struct gen_array *target,
                       struct text *out)
{
    write_access(gen, nest, n_loop, readable(gen, target), out);
}

/* The operands of a value, joined so that numbers stay in range: halves of floats, masked signed integers. */
static void write_value(struct gen *gen, const struct gen_nest *nest, int n_loop, struct gen_array *target,
                        struct text *out)
{
    static const char *const floats[] = {"0.5 * %", "% - %", "% * 0.25 + %", "min(%, %)",
                                         "% > 0 ? % : 0.5 * %"};
    static const char *const unsigned_[] = {"% + 3", "% ^ %", "% * 5 + %", "max(%, %)", "% > 7 ? % : % >> 1"};
    static const char *const signed_[] = {"(% & 1023) - 3", "% ^ %", "min(%, 900) / 2", "max(%, %)",
                                          "% > 0 ? % : %"};
    const char *form = (gen->type[0] == 'f'   ? floats
                        : gen->type[0] == 'u' ? unsigned_
                                              : signed_)[pick(gen, 5)];

    for (; *form; form++)
        if (*form == '%')
            write_read(gen, nest, n_loop, target, out);
        else
            text_char(out, *form);
}

static const char *random_operator(struct gen *gen)
{
    static const char *const floats[] = {"=", "+=", "-=", "+=", "min=", "="};
    static const char *const unsigned_[] = {"=", "+=", "^=", "*=", "max=", "-="};
    static const char *const signed_[] = {"=", "^=", "|=", "min=", "max=", "&="};

    return (gen->type[0] == 'f' ? floats : gen->type[0] == 'u' ? unsigned_ : signed_)[pick(gen, 6)];
}

/* Two elements one after the other in some dimension of the array, "c1[i + 1, j:]". */
static void write_section(struct gen *gen, const struct gen_nest *nest, struct gen_array *array, struct text *out)
{
    const int moves = pick(gen, array->rank);

    text_addf(out, "%s[", array->name);
    for (int k = 0; k < array->rank; k++) {
        struct size needed = {0};

        text_add(out, k ? ", " : "");
        write_subscript(gen, nest, nest->n_loop, k, &needed, out);
        text_add(out, k == moves ? ":" : "");
        needed.constant += k == moves;
        grow(&array->size[k], needed);
    }
    text_char(out, ']');
}

static bool is_operand(const struct gen *gen, const struct gen_array *array)
{
    return array->rank > 0 && strcmp(array->type, gen->type) == 0 && strcmp(array->role, "out") != 0;
}

static void write_call(struct gen *gen, const struct gen_nest *nest, struct gen_array *target, struct text *out)
{
    struct gen_array *other = &gen->array[pick(gen, gen->n_array)];
    const bool two = other != target && is_operand(gen, other);

    text_add(out, two ? "mix(x = " : "turn(x = ");
    write_section(gen, nest, target, out);
    if (two) {
        text_add(out, ", z = ");
        write_section(gen, nest, other, out);
    }
    text_add(out, ")\"");
}

static void write_statement(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    struct gen_statement *statement = &nest->statement[nest->n_statement++];
    struct gen_array *target;

    do
        target = gen->apart && chance(gen, 85) ? &gen->array[1 + (nest - gen->nest)]
                                               : &gen->array[pick(gen, gen->n_array)];
    while (!strcmp(target->role, "in"));
    snprintf(statement->label, sizeof(statement->label), "%c%d", 'S' + (int)(nest - gen->nest),
             nest->n_statement);
    statement->n_loop = nest->n_loop;
    text_addf(out, "\"%s: ", statement->label);
    if (gen->calls && is_operand(gen, target) && chance(gen, 50)) {
        write_call(gen, nest, target, out);
        return;
    }
    write_access(gen, nest, nest->n_loop, target, out);
    text_addf(out, " %s ", strcmp(target->role, "out") ? random_operator(gen) : "=");
    write_value(gen, nest, nest->n_loop, target, out);
    text_char(out, '"');
}

static void write_condition(struct gen *gen, const struct gen_nest *nest, struct text *out)
{
    const char *a = nest->loop[pick(gen, nest->n_loop)].name, *b = nest->loop[pick(gen, nest->n_loop)].name;

    text_add(out, "\"if\": \"");
    switch (pick(gen, 5)) {
    case 0:
        text_addf(out, "%s + %s < N", a, b);
        break;
    case 1:
        text_addf(out, "%s %% 2 == 0", a);
        break;
    case 2:
        text_addf(out, "%s <= %s", a, b);
        break;
    case 3:
        text_addf(out, "%s < 2 || %s > 3", a, b);
        break;
    default:
        text_addf(out, "%s >= 1 && %s < M + 2", a, b);
        break;
    }
    text_add(out, "\", ");
}

static void write_statements(struct gen *gen, struct gen_nest *nest, int n, struct text *out)
{
    for (int k = 0; k < n; k++) {
        if (k)
            text_add(out, ", ");
        write_statement(gen, nest, out);
    }
}

/* Around an inner object, statements before and behind it. */
static void write_imperfect(struct gen *gen, struct gen_nest *nest, struct text *out)
{
    const int outer = nest->n_loop;

    write_statements(gen, nest, 1, out);
    text_add(out, ",\n    {");
    write_loops(gen, nest, 1, out);
    if (chance(gen, 20))
        write_condition(gen, nest, out);
    text_add(out, "\"body\": [");
    write_statements(gen, nest, 1 + pick(gen, 2), out);
    text_add(out, "]}");
    if (chance(gen, 50)) {
        const int inner = nest->n_loop;
        nest->n_loop = outer;
        text_add(out, ",\n    ");
        write_statements(gen, nest, 1, out);
        nest->n_loop = inner;
    }
}

static void write_nest(struct gen *gen, struct text *out)
{
    struct gen_nest *nest = &gen->nest[gen->n_nest];

    snprintf(nest->name, sizeof(nest->name), "n%d", gen->n_nest++);
    text_addf(out, "  {\"name\": \"%s\", ", nest->name);
    write_loops(gen, nest, 1 + pick(gen, 3), out);
    nest->perfect = nest->n_loop == 3 || chance(gen, 60);
    if (chance(gen, 20))
        write_condition(gen, nest, out);
    text_add(out, "\"body\": [");
    if (nest->perfect)
        write_statements(gen, nest, 1 + (chance(gen, 35) ? 1 : 0), out);
    else
        write_imperfect(gen, nest, out);
    text_add(out, "]}");
    nest->n_written = nest->n_loop;
    nest->n_chain = nest->statement[0].n_loop;
}

void generate_nests(struct gen *gen, struct text *out)
{
    const int n = chance(gen, 35) ? 1 : 2 + (chance(gen, 30) ? 1 : 0);

    text_add(out, "\"nests\": [\n");
    for (int k = 0; k < n; k++) {
        if (k)
            text_add(out, ",\n");
        write_nest(gen, out);
    }
    text_add(out, "\n]");
}
