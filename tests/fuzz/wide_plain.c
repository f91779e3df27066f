/* A random program as plain C, printed from what was drawn: the second judge. Nothing of polynest takes part. */
#include "wide.h"

#include <string.h>

static const char *c_type(enum type type)
{
    static const char *const names[] = {
        [TYPE_NONE] = "int64_t", [TYPE_BOOL] = "_Bool",   [TYPE_I8] = "int8_t",    [TYPE_I16] = "int16_t",
        [TYPE_I32] = "int32_t",  [TYPE_I64] = "int64_t",  [TYPE_U8] = "uint8_t",   [TYPE_U16] = "uint16_t",
        [TYPE_U32] = "uint32_t", [TYPE_U64] = "uint64_t", [TYPE_F16] = "_Float16", [TYPE_BF16] = "uint16_t",
        [TYPE_F32] = "float",    [TYPE_F64] = "double"};

    return names[type];
}

static void write_term(const struct wide *wide, const struct term *term, struct text *out);

static void write_affine(const struct wide *wide, struct affine a, struct text *out)
{
    text_addf(out, "(%lld * %s + %lld * %s + %lld)", (long long)a.n, wide->param[0], (long long)a.m, wide->param[1],
              (long long)a.c);
}

/* The place of an element, by a macro of its array. */
static void write_place(const struct wide *wide, const struct term *access, struct text *out)
{
    text_addf(out, "%s[pn_at_%s(", (access->array->of ? access->array->of : access->array)->name, access->array->name);
    for (int k = 0; k < access->n_arg; k++) {
        text_add(out, k ? ", " : "");
        write_term(wide, access->arg[k], out);
    }
    if (!access->n_arg)
        text_char(out, '0');
    text_add(out, ")]");
}

static void write_load(const struct wide *wide, const struct term *access, struct text *out)
{
    const enum type type = access->type;

    text_add(out, type == TYPE_BF16 ? "pn_from_bf16(" : type == TYPE_F16 ? "(float)(" : "(");
    write_place(wide, access, out);
    text_char(out, ')');
}

static void write_binary(const struct wide *wide, const struct term *term, struct text *out)
{
    const bool index = term->type == TYPE_NONE, divides = term->op[0] == '/' || term->op[0] == '%';

    text_add(out, index && term->op[0] == '/' ? "pn_floor(" : index && divides ? "pn_modulo(" : "(");
    write_term(wide, term->arg[0], out);
    text_addf(out, index && divides ? ", " : " %s ", term->op);
    write_term(wide, term->arg[1], out);
    text_char(out, ')');
}

/* Functions of two that the compiler has no name for. */
static void write_choice(const struct wide *wide, const struct term *term, struct text *out)
{
    const bool relu = term->op[0] == 'r', less = strcmp(term->op, "min") == 0;

    text_add(out, "({ __auto_type pn_a = ");
    write_term(wide, term->arg[0], out);
    text_add(out, "; __auto_type pn_b = ");
    if (relu)
        text_addf(out, "(%s)0", c_type(type_promote(term->arg[0]->type)));
    else
        write_term(wide, term->arg[1], out);
    text_addf(out, "; pn_a %c pn_b ? pn_a : pn_b; })", less ? '<' : '>');
}

static void write_call(const struct wide *wide, const struct term *term, struct text *out)
{
    const enum type type = type_promote(term->type);

    if (strcmp(term->op, "min") == 0 || strcmp(term->op, "max") == 0 || strcmp(term->op, "relu") == 0) {
        write_choice(wide, term, out);
        return;
    }
    if (strcmp(term->op, "abs") == 0 && !type_is_float(type))
        text_add(out, "pn_abs(");
    else if (strcmp(term->op, "abs") == 0)
        text_addf(out, type == TYPE_F32 ? "fabsf(" : "fabs(");
    else
        text_addf(out, "%s%s(", term->op, type == TYPE_F32 ? "f" : "");
    for (int k = 0; k < term->n_arg; k++) {
        text_add(out, k ? ", " : "");
        write_term(wide, term->arg[k], out);
    }
    text_char(out, ')');
}

static void write_cast(const struct wide *wide, const struct term *term, struct text *out)
{
    const enum type type = term->type;

    text_add(out, type == TYPE_BF16   ? "pn_from_bf16(pn_to_bf16("
                  : type == TYPE_F16  ? "((float)(_Float16)("
                  : type == TYPE_BOOL ? "(0 != ("
                                      : "((");
    if (type != TYPE_BF16 && type != TYPE_F16 && type != TYPE_BOOL)
        text_addf(out, "%s)(", c_type(type));
    write_term(wide, term->arg[0], out);
    text_add(out, "))");
}

static void write_select(const struct wide *wide, const struct term *term, struct text *out)
{
    text_char(out, '(');
    write_term(wide, term->arg[0], out);
    text_add(out, " ? ");
    write_term(wide, term->arg[1], out);
    text_add(out, " : ");
    write_term(wide, term->arg[2], out);
    text_char(out, ')');
}

static void write_term(const struct wide *wide, const struct term *term, struct text *out)
{
    const char *type = c_type(type_promote(term->type));

    switch (term->form) {
    case FORM_INT:
        text_addf(out, "((%s)%lld)", type, (long long)term->integer);
        break;
    case FORM_REAL:
        text_addf(out, "((%s)%.6f)", type, term->real);
        break;
    case FORM_LOOP:
        text_addf(out, "((%s)%s)", type, term->loop->name);
        break;
    case FORM_PARAM:
        text_add(out, wide->param[term->number]);
        break;
    case FORM_SCALAR:
        text_add(out, wide->scalar[term->number].name);
        break;
    case FORM_ACCESS:
        write_load(wide, term, out);
        break;
    case FORM_UNARY:
        text_addf(out, "(%s", term->op);
        write_term(wide, term->arg[0], out);
        text_char(out, ')');
        break;
    case FORM_BINARY:
        write_binary(wide, term, out);
        break;
    case FORM_SELECT:
        write_select(wide, term, out);
        break;
    case FORM_CALL:
        write_call(wide, term, out);
        break;
    case FORM_CAST:
        write_cast(wide, term, out);
        break;
    }
}

/* target = target op value, converted. */
static void write_statement(const struct wide *wide, const struct wide_statement *statement, struct text *out)
{
    const enum type type = statement->target->type;
    struct term value = {.form = FORM_BINARY,
                         .n_arg = 2,
                         .type = TYPE_I32,
                         .arg = {statement->target, statement->value}};
    char op[4] = {0};

    if (strcmp(statement->op, "min=") == 0 || strcmp(statement->op, "max=") == 0)
        value.form = FORM_CALL;
    value.op = strcmp(statement->op, "min=") == 0 ? "min" : strcmp(statement->op, "max=") == 0 ? "max" : op;
    strncpy(op, statement->op, sizeof(op) - 1);
    op[strlen(op) - 1] = 0;
    write_place(wide, statement->target, out);
    text_addf(out, " = %s(",
              type == TYPE_BF16        ? "pn_to_bf16"
              : type == TYPE_F16       ? "(_Float16)"
              : c_type(type)[0] == '_' ? "0 != "
                                       : "");
    if (type != TYPE_BF16 && type != TYPE_F16 && type != TYPE_BOOL)
        text_addf(out, "(%s)", c_type(type));
    write_term(wide, strcmp(statement->op, "=") == 0 ? statement->value : &value, out);
    text_add(out, ");\n");
}

static void write_loop(const struct wide *wide, const struct loop *loop, struct text *out)
{
    const char *i = loop->name;

    text_addf(out, "for (int64_t %s = ", i);
    write_term(wide, loop->step < 0 ? loop->end : loop->start, out);
    text_addf(out, "%s; %s ", loop->step < 0 && !loop->to ? " - 1" : "", i);
    text_add(out, loop->step < 0 ? ">= " : loop->to ? "<= " : "< ");
    write_term(wide, loop->step < 0 ? loop->start : loop->end, out);
    text_addf(out, "; %s += %d) ", i, loop->step);
}

static void write_block(const struct wide *wide, const struct wide_block *block, struct text *out)
{
    for (int k = 0; k < block->n_loop; k++)
        write_loop(wide, block->loop[k], out);
    if (block->goes_on) {
        text_add(out, "{\nif (!(");
        write_term(wide, block->goes_on, out);
        text_add(out, ")) break;\n");
    }
    if (block->condition) {
        text_add(out, "if (");
        write_term(wide, block->condition, out);
        text_add(out, ") ");
    }
    text_add(out, "{\n");
    for (int k = 0; k < block->n_item; k++)
        if (block->item[k].statement)
            write_statement(wide, block->item[k].statement, out);
        else
            write_block(wide, block->item[k].block, out);
    text_add(out, block->goes_on ? "}\n}\n" : "}\n");
}

static bool is_argument(const struct wide_array *array)
{
    return !array->of && strcmp(array->role, "temp") != 0 && !array->data;
}

/* Is dimension dim in blocks, and of which size? */
static int block_of(const struct wide_array *array, int dim)
{
    for (int k = 0; k < array->n_block; k++)
        if (array->block_dim[k] == dim)
            return array->block[k];
    return 0;
}

/* position * extent + digit for each digit of the place */
static void add_digit(const struct wide *wide, struct text *place, struct affine extent, int unit, int size, int dim)
{
    struct text all = {0};

    text_addf(&all, "(%s) * ", place->size ? text_str(place) : "0");
    if (size) {
        text_addf(&all, "%d + (pn_%d) %% %d", size, dim, size);
    } else {
        text_char(&all, '(');
        write_affine(wide, extent_plus(extent, unit - 1), &all);
        text_addf(&all, " / %d) + (pn_%d) / %d", unit, dim, unit);
    }
    text_free(place);
    *place = all;
}

static void write_dense(const struct wide *wide, const struct wide_array *array, struct text *out)
{
    struct text place = {0};
    const bool argument = is_argument(array);

    for (int k = 0; k < array->n_dim; k++) {
        const int dim = argument && array->turned ? array->n_dim - 1 - k : k,
                  block = argument ? block_of(array, dim) : 0;
        add_digit(wide, &place, array->shape[dim], block ? block : 1, 0, dim);
    }
    for (int k = 0; k < array->n_block && argument; k++)
        add_digit(wide, &place, array->shape[0], 1, array->block[k], array->block_dim[k]);
    text_add(out, place.size ? text_str(&place) : "0");
    text_free(&place);
}

static void write_strided(const struct wide *wide, const struct wide_array *array, struct text *out)
{
    text_addf(out, "%lld + (pn_0) * ", (long long)array->offset);
    if (array->n_dim == 1) {
        text_addf(out, "%lld", (long long)array->gap + 1);
    } else {
        write_affine(wide, extent_plus(array->shape[1], array->gap), out);
        text_add(out, " + (pn_1)");
    }
}

static void write_macro(const struct wide *wide, const struct wide_array *array, struct text *out)
{
    text_addf(out, "#define pn_at_%s(", array->name);
    for (int k = 0; k < array->n_dim || !k; k++)
        text_addf(out, "%spn_%d", k ? ", " : "", k);
    text_add(out, ") (");
    if (array->of) {
        text_addf(out, "pn_at_%s(", array->of->name);
        for (int k = 0; k < array->n_dim; k++) {
            text_add(out, k ? ", " : "");
            write_affine(wide, array->start[k], out);
            text_addf(out, " + %d * (pn_%d)", array->stride[k], k);
        }
        text_char(out, ')');
    } else if (array->strided) {
        write_strided(wide, array, out);
    } else {
        write_dense(wide, array, out);
    }
    text_add(out, ")\n");
}

static void write_count(const struct wide *wide, const struct wide_array *array, struct text *out)
{
    text_char(out, '1');
    for (int k = 0; k < array->n_dim; k++) {
        text_add(out, " * ");
        write_affine(wide, array->shape[k], out);
    }
}

static void write_table(const struct wide_array *array, struct text *out)
{
    int64_t n = 1;

    for (int k = 0; k < array->n_dim; k++)
        n *= array->shape[k].c;
    text_addf(out, "%s %s[%lld] = {", c_type(array->type), array->name, (long long)n);
    for (int64_t k = 0; k < n; k++) {
        const bool real = type_is_float(array->type);
        text_addf(out,
                  array->type == TYPE_BF16 ? "pn_to_bf16(%.3ff), "
                  : real                   ? "%.3f, "
                                           : "%.0f, ",
                  real ? (double)array->data[k] / 8 : (double)array->data[k]);
    }
    text_add(out, "};\n");
}

static void write_array(const struct wide *wide, const struct wide_array *array, int number, struct text *out)
{
    const char *type = c_type(array->type);

    if (array->of)
        return;
    if (array->data) {
        write_table(array, out);
    } else if (strcmp(array->role, "temp") == 0) {
        text_addf(out, "%s *%s = calloc(", type, array->name);
        write_count(wide, array, out);
        text_addf(out, " + 1, sizeof(%s));\n", type);
        if (!array->zero) {
            text_addf(out, "memset(%s, 0xA5, sizeof(%s) * (", array->name, type);
            write_count(wide, array, out);
            text_add(out, "));\n");
        }
    } else {
        text_addf(out, "%s *%s = pn_array[%d];\n", type, array->name, number);
    }
    text_addf(out, "(void)%s;\n", array->name);
}

static void write_scalars(const struct wide *wide, struct text *out)
{
    for (int k = 0; k < wide->n_scalar; k++) {
        const enum type type = wide->scalar[k].type;
        text_addf(out, "const %s %s = ", c_type(type_promote(type)), wide->scalar[k].name);
        if (type == TYPE_BF16)
            text_addf(out, "pn_from_bf16(*(const uint16_t *)pn_scalar[%d]);\n", k);
        else
            text_addf(out, "*(const %s *)pn_scalar[%d];\n", c_type(type), k);
        text_addf(out, "(void)%s;\n", wide->scalar[k].name);
    }
}

void wide_plain(struct wide *wide, const char *name, struct text *out)
{
    int number = 0;

    text_addf(
        out,
        "static int %s(const int64_t *pn_param, const void *const *pn_scalar, void *const *pn_array)\n{\n"
        "const int64_t %s = pn_param[0], %s = pn_param[1];\n(void)%s, (void)%s, (void)pn_scalar, (void)pn_array;\n",
        name, wide->param[0], wide->param[1], wide->param[0], wide->param[1]);
    write_scalars(wide, out);
    for (int k = 0; k < wide->n_array; k++) {
        write_array(wide, &wide->array[k], number, out);
        number += is_argument(&wide->array[k]);
    }
    for (int k = 0; k < wide->n_array; k++)
        write_macro(wide, &wide->array[k], out);
    for (int k = 0; k < wide->n_nest; k++)
        write_block(wide, &wide->nest[k].block, out);
    for (int k = 0; k < wide->n_array; k++)
        text_addf(out, "#undef pn_at_%s\n", wide->array[k].name);
    for (int k = 0; k < wide->n_array; k++)
        if (strcmp(wide->array[k].role ? wide->array[k].role : "", "temp") == 0)
            text_addf(out, "free(%s);\n", wide->array[k].name);
    text_add(out, "return 0;\n}\n\n");
}
