#include "lower/dump/writer.h"

#include "caps/simd.h"
#include "program/program.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* Is it read as one name? */
static bool is_bare(const char *name)
{
    bool bare = isalpha((unsigned char)*name) || *name == '_';

    for (; *name && bare; name++)
        bare = isalnum((unsigned char)*name) || strchr("_.#", *name);
    return bare;
}

void dump_write_quoted(struct text *out, const char *word)
{
    text_char(out, '"');
    for (; *word; word++) {
        if (*word == '"' || *word == '\\')
            text_addf(out, "\\%c", *word);
        else if ((unsigned char)*word < ' ')
            text_addf(out, "\\x%02x", (unsigned)*word);
        else
            text_char(out, *word);
    }
    text_char(out, '"');
}

void dump_write_name(struct writer *writer, const char *name)
{
    if (is_bare(name))
        text_add(writer->out, name);
    else
        dump_write_quoted(writer->out, name);
}

void dump_write_var(struct writer *writer, const struct var *var)
{
    bool known = handle_of(&writer->vars, var) != NULL;

    for (int k = 0; k < writer->vars.n && !known; k++)
        known = writer->vars.at[k].thing == var;
    if (!known)
        VEC_PUSH(writer->scope->arena, &writer->vars, ((struct handle){.thing = var, .name = var->name}));
    dump_write_name(writer, writer->collects ? var->name : handle_of(&writer->vars, var));
}

static void write_atom(struct writer *writer, const struct atom *atom)
{
    static const char *const opening[] = {[ATOM_FLOOR] = "floor((", [ATOM_MIN] = "min(", [ATOM_MAX] = "max("};

    if (atom->kind == ATOM_VAR) {
        dump_write_var(writer, atom->var);
        return;
    }
    text_add(writer->out, atom->plain ? "trunc((" : opening[atom->kind]);
    for (int k = 0; k < atom->n_arg; k++) {
        text_add(writer->out, k ? ", " : "");
        dump_write_affine(writer, atom->arg[k]);
    }
    if (atom->kind == ATOM_FLOOR)
        text_addf(writer->out, ")/%" PRId64, atom->divisor);
    text_char(writer->out, ')');
}

void dump_write_affine(struct writer *writer, const struct affine *affine)
{
    for (int k = 0; k < affine->n_term; k++) {
        const int64_t factor = affine->term[k].factor;
        text_add(writer->out, factor < 0 ? (k ? " - " : "-") : k ? " + " : "");
        if (factor != 1 && factor != -1)
            text_addf(writer->out, "%" PRId64 "*", factor < 0 ? -factor : factor);
        write_atom(writer, affine->term[k].atom);
    }
    if (!affine->n_term)
        text_addf(writer->out, "%" PRId64, affine->constant);
    else if (affine->constant)
        text_addf(writer->out, affine->constant < 0 ? " - %" PRId64 : " + %" PRId64,
                  affine->constant < 0 ? -affine->constant : affine->constant);
}

static void write_subscript(struct writer *writer, const struct element *element, int k)
{
    if (element->index[k]) {
        dump_write_affine(writer, element->index[k]);
    } else if (element->indirect && element->indirect[k]) {
        text_char(writer->out, '(');
        dump_write_expr(writer, element->indirect[k]);
        text_char(writer->out, ')');
    } else {
        text_char(writer->out, '*');
    }
}

/* The fields of the object in braces, unless there are none. */
static void write_braces(struct writer *writer, const struct object *table, const void *object)
{
    const size_t before = writer->out->size;

    text_char(writer->out, '{');
    dump_write_fields(writer, table, object);
    if (writer->out->size == before + 1)
        text_truncate(writer->out, before);
    else
        text_char(writer->out, '}');
}

void dump_write_element(struct writer *writer, const struct element *element)
{
    dump_write_name(writer, element->array->name);
    text_char(writer->out, '[');
    for (int k = 0; k < element->array->n_dim; k++) {
        text_add(writer->out, k ? ", " : "");
        write_subscript(writer, element, k);
    }
    text_char(writer->out, ']');
    write_braces(writer, &dump_element, element);
}

static void write_args(struct writer *writer, const struct tree_expr *expr, const char *word)
{
    text_addf(writer->out, "%s(", word);
    for (int k = 0; k < expr->n_arg; k++) {
        text_add(writer->out, k ? ", " : "");
        dump_write_expr(writer, expr->arg[k]);
    }
    text_char(writer->out, ')');
}

static void write_binary(struct writer *writer, const struct tree_expr *expr)
{
    text_char(writer->out, '(');
    dump_write_expr(writer, expr->arg[0]);
    text_addf(writer->out, " %s ", op_symbol(expr->op));
    dump_write_expr(writer, expr->arg[1]);
    text_char(writer->out, ')');
}

static void write_load(struct writer *writer, const struct tree_expr *expr)
{
    if (!expr->integer && !expr->n_arg) {
        dump_write_element(writer, &expr->element);
        return;
    }
    text_add(writer->out, "load(");
    dump_write_element(writer, &expr->element);
    text_addf(writer->out, ", %" PRId64, expr->integer);
    for (int k = 0; k < expr->n_arg; k++) {
        text_add(writer->out, ", ");
        dump_write_expr(writer, expr->arg[k]);
    }
    text_char(writer->out, ')');
}

static void write_ramp(struct writer *writer, const struct tree_expr *expr)
{
    text_add(writer->out, "ramp(");
    for (int64_t k = 0; expr->list && k < expr->integer; k++)
        text_addf(writer->out, "%s%" PRId64, k ? ", " : "[", expr->list[k]);
    if (expr->list) {
        text_add(writer->out, "])");
        return;
    }
    dump_write_affine(writer, expr->affine);
    text_addf(writer->out, ", %" PRId64 ")", expr->integer);
}

static void write_dot(struct writer *writer, const struct tree_expr *expr)
{
    const struct simd *simd = simd_by_name(writer->scope->stored->target.simd);

    write_args(writer, expr, "dot");
    text_addf(writer->out, "{%d}", (int)(expr->dot - simd->dot));
}

/* What the kind says of itself. */
static void write_operation(struct writer *writer, const struct tree_expr *expr)
{
    switch (expr->kind) {
    case TREE_UNARY:
        write_args(writer, expr, op_symbol(expr->op));
        break;
    case TREE_BINARY:
        write_binary(writer, expr);
        break;
    case TREE_SELECT:
        write_args(writer, expr, "select");
        break;
    case TREE_CAST:
        write_args(writer, expr, "cast");
        break;
    case TREE_PARTS:
        write_args(writer, expr, "parts");
        break;
    case TREE_OPERANDS:
        write_args(writer, expr, "operands");
        break;
    case TREE_DOT:
        write_dot(writer, expr);
        break;
    case TREE_RAMP:
        write_ramp(writer, expr);
        break;
    case TREE_LOAD:
        write_load(writer, expr);
        break;
    default:
        write_args(writer, expr, function_name(expr->function));
    }
}

/* A name, or one of those that it is for. */
static void write_named(struct writer *writer, const struct tree_expr *expr)
{
    if (!expr->affine) {
        dump_write_var(writer, expr->var);
        return;
    }
    text_add(writer->out, "number(");
    dump_write_var(writer, expr->var);
    text_add(writer->out, ", ");
    dump_write_affine(writer, expr->affine);
    text_char(writer->out, ')');
}

static void write_leaf(struct writer *writer, const struct tree_expr *expr)
{
    switch (expr->kind) {
    case TREE_INT:
        text_addf(writer->out, "%" PRId64, expr->integer);
        break;
    case TREE_REAL:
        text_add(writer->out, "real(");
        dump_write_quoted(writer->out, expr->spelling);
        text_char(writer->out, ')');
        break;
    case TREE_INDEX:
        text_add(writer->out, "index(");
        dump_write_affine(writer, expr->affine);
        text_char(writer->out, ')');
        break;
    case TREE_SCALAR:
        text_add(writer->out, "scalar(");
        dump_write_name(writer, expr->scalar->name);
        text_char(writer->out, ')');
        break;
    case TREE_NAMED:
        write_named(writer, expr);
        break;
    case TREE_MASK:
        text_add(writer->out, "lanes(");
        if (expr->affine)
            dump_write_affine(writer, expr->affine);
        text_char(writer->out, ')');
        break;
    case TREE_ANY:
        text_add(writer->out, "any(");
        dump_write_expr(writer, expr->arg[0]);
        text_addf(writer->out, ", %" PRId64 ")", expr->integer);
        break;
    case TREE_TOTAL:
        text_add(writer->out, "total(");
        write_named(writer, expr);
        text_addf(writer->out, ", %s, %" PRId64 ")", op_symbol(expr->op), expr->integer);
        break;
    default:
        write_operation(writer, expr);
    }
}

/* The type stands behind it. */
void dump_write_expr(struct writer *writer, const struct tree_expr *expr)
{
    write_leaf(writer, expr);
    if (expr->permit)
        text_addf(writer->out, "!%u", expr->permit);
    text_addf(writer->out, ":%s", type_name(expr->type));
}
