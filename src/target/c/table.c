/* Constant arrays as tables in front of the function. */
#include "target/c/file.h"

#include "base/template.h"
#include "program/expr/half.h"
#include "program/expr/real.h"
#include "target/clike/storage.h"
#include "target/clike/types.h"
#include "target/clike/wrap.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A table in storage order: n_dim extents, slowest first; step: elements of data from one to the next. */
struct table {
    struct c_file *file;
    enum type type;
    int n_dim;
    int64_t *extent, *step;
    const unsigned char *data;
    const char *macro; /* of f16 elements */
    struct text *out;
};

static uint64_t bits_at(const struct table *table, int64_t at)
{
    const int size = type_bits(table->type) / 8;
    uint64_t bits = 0;

    for (int k = 0; k < size; k++)
        bits |= (uint64_t)table->data[at * size + k] << 8 * k;
    return bits;
}

static void add_special(const struct table *table, struct text *out, double value)
{
    table->file->emitter.uses_math = true;
    text_addf(out, "%s%s", !isnan(value) && value < 0 ? "-" : "", isnan(value) ? "NAN" : "INFINITY");
}

static double real_value(enum type type, uint64_t bits)
{
    float single;
    double real;

    if (type == TYPE_F16 || type == TYPE_BF16)
        return half_value(type, (uint16_t)bits);
    memcpy(&single, &bits, sizeof(single));
    memcpy(&real, &bits, sizeof(real));
    return type == TYPE_F32 ? (double)single : real;
}

static void add_real(const struct table *table, struct text *out, uint64_t bits)
{
    struct arena *arena = table->file->emitter.arena;
    const double value = real_value(table->type, bits);

    if (!isfinite(value))
        add_special(table, out, value);
    else if (table->type == TYPE_F64)
        text_add(out, real_spell(arena, value));
    else
        text_addf(out, "%sf", real_spell_single(arena, (float)value));
}

/* Of f16 and bf16: by the bits, "__half_raw{0x3e00}", of bf16 "0x3fc0"; or "F16(1.5f, 0x3e00)": the value where the
 * compiler has the type. */
static void add_half(const struct table *table, struct text *out, uint64_t bits)
{
    const struct half_words *half = table->file->emitter.dialect->half;

    if (half || table->type == TYPE_BF16) {
        text_addf(out, half ? "%s{0x%04" PRIx64 "}" : "%s0x%04" PRIx64, half ? half[table->type == TYPE_BF16].raw : "",
                  bits);
        return;
    }
    text_addf(out, "%s(", table->macro);
    add_real(table, out, bits);
    text_addf(out, ", 0x%04" PRIx64 ")", bits);
}

static void add_integer(const struct table *table, struct text *out, uint64_t bits)
{
    const int unused = 64 - type_bits(table->type);
    int64_t value = (int64_t)bits;

    if (type_is_signed(table->type))
        value = (int64_t)(bits << unused) >> unused;
    c_int_literal(out, table->type, value, true);
    table->file->emitter.uses_bool |= table->type == TYPE_BOOL;
}

static void add_element(const struct table *table, struct text *out, int64_t at)
{
    const uint64_t bits = bits_at(table, at);

    if (table->type == TYPE_F16 || table->type == TYPE_BF16)
        add_half(table, out, bits);
    else if (type_is_float(table->type))
        add_real(table, out, bits);
    else
        add_integer(table, out, bits);
}

/* "{{1, 2}, {3, 4}}" */
static void add_line(const struct table *table, struct text *out, int dim, int64_t at)
{
    if (dim == table->n_dim) {
        add_element(table, out, at);
        return;
    }
    text_char(out, '{');
    for (int64_t k = 0; k < table->extent[dim]; k++) {
        text_add(out, k ? ", " : "");
        add_line(table, out, dim + 1, at + k * table->step[dim]);
    }
    text_char(out, '}');
}

/* The elements of the fastest dimension, as many a line as fit. */
static void add_elements(const struct table *table, int64_t at, int indent)
{
    size_t line = 0;

    for (int64_t k = 0; k < table->extent[table->n_dim - 1]; k++) {
        struct text one = {0};
        add_element(table, &one, at + k * table->step[table->n_dim - 1]);
        if (k == 0 || table->out->size - line + one.size + 2 > WRAP_WIDTH) {
            text_add(table->out, k ? "\n" : "");
            line = table->out->size;
            text_addf(table->out, "%*s", indent, "");
        } else {
            text_char(table->out, ' ');
        }
        text_addf(table->out, "%s,", text_str(&one));
        text_free(&one);
    }
    text_char(table->out, '\n');
}

/* What stands behind lead: on the same line where it fits, else in rows of their own. */
static void add_rows(const struct table *table, const char *lead, int dim, int64_t at, int indent, const char *end)
{
    struct text line = {0};

    add_line(table, &line, dim, at);
    text_addf(table->out, "%*s%s", indent, "", lead);
    if ((size_t)indent + strlen(lead) + line.size + strlen(end) <= WRAP_WIDTH) {
        text_addf(table->out, "%s%s\n", text_str(&line), end);
        text_free(&line);
        return;
    }
    text_free(&line);
    text_add(table->out, "{\n");
    if (dim == table->n_dim - 1)
        add_elements(table, at, indent + 4);
    else
        for (int64_t k = 0; k < table->extent[dim]; k++)
            add_rows(table, "", dim + 1, at + k * table->step[dim], indent + 4, ",");
    text_addf(table->out, "%*s}%s\n", indent, "", end);
}

static int64_t extent_of(struct c_file *file, const struct expr *expr)
{
    int64_t value = 0;

    affine_is_constant(param_affine(&file->emitter, expr), &value);
    return value;
}

/* Rows in the order of storage over data in row-major order. */
static void set_rows(struct table *table, const struct array *array)
{
    table->n_dim = array->n_dim;
    for (int k = 0; k < array->n_dim; k++) {
        const int dim = array_dense_dimension(array, k);
        table->extent[k] = extent_of(table->file, array->shape[dim]);
        table->step[k] = 1;
        for (int inner = dim + 1; inner < array->n_dim; inner++)
            table->step[k] *= extent_of(table->file, array->shape[inner]);
    }
}

static int64_t strided_position(struct c_file *file, const struct array *array, int64_t number)
{
    int64_t at = array->offset ? extent_of(file, array->offset) : 0;

    for (int k = array->n_dim - 1; k >= 0; k--) {
        const int64_t extent = extent_of(file, array->shape[k]);
        at += number % extent * extent_of(file, array->stride[k]);
        number /= extent;
    }
    return at;
}

/* One row of `size` places; those without an element are 0. */
static void set_places(struct table *table, const struct array *array, int64_t size)
{
    const int bytes = type_bits(array->type) / 8;
    unsigned char *data = ARENA_ARRAY(table->file->emitter.arena, size * bytes, unsigned char);
    int64_t n = 1;

    for (int k = 0; k < array->n_dim; k++)
        n *= extent_of(table->file, array->shape[k]);
    for (int64_t k = 0; k < n; k++)
        memcpy(data + strided_position(table->file, array, k) * bytes, array->data + k * bytes, (size_t)bytes);
    table->data = data;
    table->n_dim = 1;
    table->extent[0] = size;
    table->step[0] = 1;
}

static void print_table(struct c_file *file, const struct array *array, const char *macro, struct text *out)
{
    struct arena *arena = file->emitter.arena;
    struct table table = {.file = file, .type = array->type, .data = array->data, .macro = macro, .out = out};
    const char *word = file->emitter.dialect->table_word, *align, *lead;
    int64_t size;

    align =
        array->align ? arena_printf(arena, "%s(%" PRId64 ")", file->emitter.dialect->alignas_word, array->align) : NULL;
    if (align) /* C++ wants it first, C warns of what stands before `static` */
        word = file->emitter.dialect->device ? arena_printf(arena, "%s %s", align, word)
                                             : arena_printf(arena, "%s %s", word, align);
    lead = arena_printf(arena, "%s const %s %s", word, emitter_type(&file->emitter, array->type), array->name);
    table.extent = ARENA_ARRAY(arena, array->n_dim + 1, int64_t);
    table.step = ARENA_ARRAY(arena, array->n_dim + 1, int64_t);
    if (array->stride && constant_size(&file->emitter, array, &size))
        set_places(&table, array, size);
    else
        set_rows(&table, array);
    for (int k = 0; k < table.n_dim; k++)
        lead = arena_printf(arena, "%s[%" PRId64 "]", lead, table.extent[k]);
    text_add(out, out->size ? "\n" : "");
    add_rows(&table, arena_printf(arena, "%s = ", lead), 0, 0, 0, ";");
}

static bool is_used_table(const struct c_file *file, int k)
{
    return file->array_used[k] && file->unit->program->array[k].data;
}

/* The macro for elements of type f16, defined where there are any. */
static const char *define_f16(struct c_file *file, struct text *out)
{
    const struct program *program = file->unit->program;
    bool used = false;
    const char *name;

    for (int k = 0; k < program->n_array; k++)
        used = used || (is_used_table(file, k) && program->array[k].type == TYPE_F16);
    if (!used || file->emitter.dialect->half)
        return NULL;
    name = names_unique(&file->emitter.names, "F16");
    const struct template_value values[] = {{"NAME", name}, {NULL, NULL}};
    text_add(out,
             template_filled(file->emitter.arena, "c/f16_table", (const struct template_value *const[]){values}, 1));
    return name;
}

void c_print_tables(struct c_file *file, struct text *out)
{
    const struct program *program = file->unit->program;
    const char *macro = define_f16(file, out);

    for (int k = 0; k < program->n_array; k++)
        if (is_used_table(file, k))
            print_table(file, &program->array[k], macro, out);
}
