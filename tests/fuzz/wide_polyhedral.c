/* Nests of a random program in polyhedral form: a domain, an order, and statements. */
#include "wide.h"

#include <string.h>

/* What isl's notation has: no data. */
static bool is_affine(const struct term *term)
{
    if (term->form == FORM_REAL || term->form == FORM_SCALAR || term->form == FORM_ACCESS ||
        term->form == FORM_SELECT || term->form == FORM_CAST || (term->form == FORM_CALL && term->op[0] != 'm'))
        return false;
    for (int k = 0; k < term->n_arg; k++)
        if (!is_affine(term->arg[k]))
            return false;
    return true;
}

bool polyhedral_can(const struct wide_block *block)
{
    for (int k = 0; k < block->n_loop; k++)
        if (block->loop[k]->step < 1)
            return false;
    for (int k = 0; k < block->n_item; k++)
        if (!block->item[k].statement)
            return false;
    return block->n_loop > 0 && !block->goes_on && (!block->condition || is_affine(block->condition));
}

static void write_isl(const struct wide *wide, const struct term *term, struct text *out);

static void write_pair(const struct wide *wide, const struct term *term, const char *between, struct text *out)
{
    write_isl(wide, term->arg[0], out);
    text_add(out, between);
    write_isl(wide, term->arg[1], out);
}

static void write_binary(const struct wide *wide, const struct term *term, struct text *out)
{
    static const char *const words[][2] = {{"%", " mod "}, {"&&", " and "}, {"||", " or "}, {"==", " = "}};
    char between[8];

    if (strcmp(term->op, "/") == 0) {
        text_add(out, "floor(");
        write_pair(wide, term, "/", out);
        text_char(out, ')');
        return;
    }
    snprintf(between, sizeof(between), " %s ", term->op);
    for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++)
        if (strcmp(term->op, words[k][0]) == 0)
            snprintf(between, sizeof(between), "%s", words[k][1]);
    text_char(out, '(');
    write_pair(wide, term, between, out);
    text_char(out, ')');
}

/* A term of loops and parameters in isl's notation. */
static void write_isl(const struct wide *wide, const struct term *term, struct text *out)
{
    if (term->form == FORM_BINARY) {
        write_binary(wide, term, out);
    } else if (term->form == FORM_UNARY) {
        text_add(out, term->op[0] == '!' ? "(not " : "(-");
        write_isl(wide, term->arg[0], out);
        text_char(out, ')');
    } else if (term->form == FORM_CALL) {
        text_addf(out, "%s(", term->op);
        write_pair(wide, term, ", ", out);
        text_char(out, ')');
    } else {
        wide_text(wide, term, out);
    }
}

static void write_tuple(const struct wide_block *block, const struct wide_statement *statement, struct text *out)
{
    text_addf(out, "%s[", statement->label);
    for (int k = 0; k < block->n_loop; k++)
        text_addf(out, "%s%s", k ? ", " : "", block->loop[k]->name);
    text_char(out, ']');
}

static void write_bounds(const struct wide *wide, const struct loop *loop, struct text *out)
{
    write_isl(wide, loop->start, out);
    text_addf(out, " <= %s %s ", loop->name, loop->to ? "<=" : "<");
    write_isl(wide, loop->end, out);
    if (loop->step == 1)
        return;
    text_addf(out, " and (%s - (", loop->name);
    write_isl(wide, loop->start, out);
    text_addf(out, ")) mod %d = 0", loop->step);
}

static void write_domain(const struct wide *wide, const struct wide_block *block, struct text *out)
{
    for (int s = 0; s < block->n_item; s++) {
        text_add(out, s ? "; " : "");
        write_tuple(block, block->item[s].statement, out);
        for (int k = 0; k < block->n_loop; k++) {
            text_add(out, k ? " and " : " : ");
            write_bounds(wide, block->loop[k], out);
        }
        if (block->condition) {
            text_add(out, " and (");
            write_isl(wide, block->condition, out);
            text_char(out, ')');
        }
    }
}

/* S0[i, j] -> [i, j, 0]; S1[i, j] -> [i, j, 1] */
static void write_order(const struct wide_block *block, struct text *out)
{
    for (int s = 0; s < block->n_item; s++) {
        text_add(out, s ? "; " : "");
        write_tuple(block, block->item[s].statement, out);
        text_add(out, " -> [");
        for (int k = 0; k < block->n_loop; k++)
            text_addf(out, "%s%s", k ? ", " : "", block->loop[k]->name);
        if (block->n_item > 1)
            text_addf(out, ", %d", s);
        text_char(out, ']');
    }
}

void polyhedral_text(const struct wide *wide, const struct wide_block *block, struct text *out)
{
    text_addf(out, "\"domain\": \"[%s, %s] -> { ", wide->param[0], wide->param[1]);
    write_domain(wide, block, out);
    text_addf(out, " }\", \"order\": \"[%s, %s] -> { ", wide->param[0], wide->param[1]);
    write_order(block, out);
    text_add(out, " }\", \"as\": [");
    for (int k = 0; k < block->n_loop; k++)
        text_addf(out, "%s\"%s\"", k ? ", " : "", block->loop[k]->name);
    text_add(out, block->n_item > 1 ? ", \"order_of_statements\"]" : "]");
}
