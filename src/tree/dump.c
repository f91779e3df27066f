#include "tree/tree.h"

#include "program/program.h"

#include <inttypes.h>

static void dump_args(struct text *out, const struct affine *const *arg, int n)
{
    for (int k = 0; k < n; k++) {
        if (k)
            text_add(out, ", ");
        affine_dump(out, arg[k]);
    }
}

static void dump_atom(struct text *out, const struct atom *atom)
{
    static const char *const opening[] = {[ATOM_FLOOR] = "floor((", [ATOM_MIN] = "min(", [ATOM_MAX] = "max("};

    if (atom->kind == ATOM_VAR) {
        text_add(out, atom->var->name);
        return;
    }
    text_add(out, opening[atom->kind]);
    dump_args(out, atom->arg, atom->n_arg);
    if (atom->kind == ATOM_FLOOR)
        text_addf(out, ")/%" PRId64, atom->divisor);
    text_char(out, ')');
}

static void dump_term(struct text *out, const struct affine_term *term, bool first)
{
    const int64_t size = term->factor < 0 ? -term->factor : term->factor;

    if (first)
        text_add(out, term->factor < 0 ? "-" : "");
    else
        text_add(out, term->factor < 0 ? " - " : " + ");
    if (size != 1)
        text_addf(out, "%" PRId64 "*", size);
    dump_atom(out, term->atom);
}

void affine_dump(struct text *out, const struct affine *affine)
{
    if (!affine) {
        text_add(out, "overflow");
        return;
    }
    for (int k = 0; k < affine->n_term; k++)
        dump_term(out, &affine->term[k], k == 0);
    if (!affine->n_term)
        text_addf(out, "%" PRId64, affine->constant);
    else if (affine->constant)
        text_addf(out, affine->constant < 0 ? " - %" PRId64 : " + %" PRId64,
                  affine->constant < 0 ? -affine->constant : affine->constant);
}

static void dump_expr(struct text *out, const struct tree_expr *expr);

static void dump_subscript(struct text *out, const struct element *element, int k)
{
    if (element->index && element->index[k])
        affine_dump(out, element->index[k]);
    else if (element->indirect && element->indirect[k])
        dump_expr(out, element->indirect[k]);
    else
        text_char(out, '*');
}

/* Where the lanes of a vector are. */
static void dump_lanes(struct text *out, const struct element *element)
{
    if (element->lane_step == LANES_APART)
        text_add(out, " lanes apart");
    else if (element->lane_step)
        text_addf(out, " lanes by %" PRId64, element->lane_step);
    for (int k = 0; k < element->n_lane_index; k++) {
        text_add(out, k ? ", " : " at ");
        affine_dump(out, element->lane_index[k]);
    }
    if (element->parts)
        text_addf(out, " part %d of %d", element->part, element->parts);
    if (element->distance) {
        text_add(out, " distance ");
        dump_expr(out, element->distance);
    }
}

static void dump_element(struct text *out, const struct element *element)
{
    if (element->base)
        text_addf(out, "%s from ", element->base->name);
    text_add(out, element->array->name);
    for (int k = 0; k < element->array->n_dim; k++) {
        text_add(out, k ? ", " : "[");
        dump_subscript(out, element, k);
    }
    if (element->array->n_dim)
        text_char(out, ']');
    dump_lanes(out, element);
}

static void dump_exprs(struct text *out, const struct tree_expr *expr, const char *separator)
{
    text_char(out, '(');
    for (int k = 0; k < expr->n_arg; k++) {
        if (k)
            text_add(out, separator);
        dump_expr(out, expr->arg[k]);
    }
    text_char(out, ')');
}

static void dump_operation(struct text *out, const struct tree_expr *expr)
{
    if (expr->kind == TREE_BINARY) {
        text_char(out, '(');
        dump_expr(out, expr->arg[0]);
        text_addf(out, " %s ", op_symbol(expr->op));
        dump_expr(out, expr->arg[1]);
        text_char(out, ')');
        return;
    }
    if (expr->kind == TREE_UNARY)
        text_add(out, op_symbol(expr->op));
    else if (expr->kind == TREE_SELECT)
        text_add(out, "select");
    else if (expr->kind == TREE_CAST)
        text_add(out, type_name(expr->type));
    else if (expr->kind == TREE_DOT || expr->kind == TREE_PARTS || expr->kind == TREE_OPERANDS)
        text_add(out, expr->kind == TREE_DOT ? "dot" : expr->kind == TREE_PARTS ? "parts" : "operands");
    else
        text_add(out, function_name(expr->function));
    dump_exprs(out, expr, ", ");
}

static void dump_ramp(struct text *out, const struct tree_expr *expr)
{
    text_addf(out, "%s(", type_name(expr->type));
    for (int64_t k = 0; expr->list && k < expr->integer; k++)
        text_addf(out, "%s%" PRId64, k ? ", " : "", expr->list[k]);
    if (!expr->list) {
        affine_dump(out, expr->affine);
        text_addf(out, " + %" PRId64 " * lane", expr->integer);
    }
    text_char(out, ')');
}

static void dump_expr(struct text *out, const struct tree_expr *expr)
{
    if (!expr) {
        text_add(out, "nothing");
        return;
    }
    switch (expr->kind) {
    case TREE_INT:
        text_addf(out, "%" PRId64, expr->integer);
        break;
    case TREE_REAL:
        text_add(out, expr->spelling);
        break;
    case TREE_INDEX:
        text_addf(out, "%s(", type_name(expr->type));
        affine_dump(out, expr->affine);
        text_char(out, ')');
        break;
    case TREE_SCALAR:
        text_add(out, expr->scalar->name);
        break;
    case TREE_LOAD:
        dump_element(out, &expr->element);
        if (expr->integer > 0)
            text_addf(out, " neighbours %" PRId64, expr->integer);
        break;
    case TREE_NAMED:
        text_add(out, expr->var->name);
        break;
    case TREE_MASK:
        text_add(out, expr->affine ? "lanes below " : "active lanes");
        if (expr->affine)
            affine_dump(out, expr->affine);
        break;
    case TREE_RAMP:
        dump_ramp(out, expr);
        break;
    case TREE_ANY:
        text_addf(out, "any of %" PRId64 " lanes where ", expr->integer);
        dump_expr(out, expr->arg[0]);
        break;
    case TREE_TOTAL:
        text_addf(out, "all lanes of %s by %s", expr->var->name, op_symbol(expr->op));
        break;
    default:
        dump_operation(out, expr);
    }
}

static void dump_guard(struct text *out, const struct guard *guard)
{
    for (int k = 0; k < guard->n; k++) {
        text_add(out, k ? " and " : "");
        affine_dump(out, guard->condition[k].affine);
        text_add(out, guard->condition[k].equal ? " == 0" : " >= 0");
    }
}

static void dump_if(struct text *out, const struct node *node)
{
    text_add(out, "if ");
    if (node->value)
        dump_expr(out, node->value);
    for (int k = 0; k < node->n_alternative; k++) {
        text_add(out, k ? " or " : "");
        dump_guard(out, &node->alternative[k]);
    }
}

static void dump_loop(struct text *out, const struct node *node)
{
    text_addf(out, "for %s = ", node->var->name);
    affine_dump(out, node->lower);
    text_add(out, node->step < 0 ? " down to " : " to ");
    affine_dump(out, node->upper);
    if (node->step != 1)
        text_addf(out, " step %" PRId64, node->step);
    if (node->guard_value) {
        text_add(out, " while ");
        dump_expr(out, node->guard_value);
    }
}

static void dump_tuple(struct text *out, const struct node *node)
{
    text_addf(out, "for %s = (", node->var->name);
    for (int k = 0; k < node->n_part; k++) {
        text_addf(out, "%s%s from ", k ? ", " : "", node->part[k].var->name);
        affine_dump(out, node->part[k].first);
        text_add(out, " extent ");
        affine_dump(out, node->part[k].extent);
    }
    text_char(out, ')');
}

static void dump_statement(struct text *out, const struct node *node)
{
    text_addf(out, "%s[", node->statement->label);
    dump_args(out, node->argument, node->statement->n_loop);
    text_char(out, ']');
}

static void dump_affine(struct text *out, const char *word, const struct affine *affine)
{
    if (!affine)
        return;
    text_addf(out, " %s ", word);
    affine_dump(out, affine);
}

/* Which lanes take part, and what there is of it. */
static void dump_vector(struct text *out, const struct vector *vector)
{
    if (!vector)
        return;
    text_addf(out, " (%d lanes", vector->lanes);
    dump_affine(out, "below", vector->count);
    if (vector->mask)
        text_addf(out, " mask %s", vector->mask->name);
    dump_affine(out, "mask number", vector->mask_place);
    if (vector->active) {
        text_add(out, " where ");
        dump_expr(out, vector->active);
    }
    if (vector->sum)
        text_addf(out, " into %s", vector->sum->name);
    dump_affine(out, "number", vector->place);
    if (vector->registers)
        text_addf(out, " in %d registers", vector->registers);
    for (int k = 0; vector->each && k < vector->registers; k++)
        dump_affine(out, "each below", vector->each[k]);
    text_add(out, vector->loose ? " loose)" : ")");
}

static void dump_assign(struct text *out, const struct node *node)
{
    if (node->statement && node->argument)
        dump_statement(out, node);
    else if (node->statement)
        text_add(out, node->statement->label);
    text_add(out, node->statement ? ": " : "");
    if (node->into)
        text_addf(out, "%s for ", node->into->var ? node->into->var->name : node->into->array->name);
    dump_element(out, &node->target);
    text_addf(out, " %s= ", node->op == OP_NONE ? "" : op_symbol(node->op));
    dump_expr(out, node->value);
    if (node->guard_value) {
        text_add(out, " if ");
        dump_expr(out, node->guard_value);
    }
    text_add(out, node->wrap ? " (wraps)" : "");
    dump_vector(out, node->vector);
}

static void dump_prefetch(struct text *out, const struct node *node)
{
    text_add(out, "prefetch ");
    dump_element(out, &node->target);
    for (int k = 0; node->further && k < node->target.array->n_dim; k++)
        text_addf(out, "%s%" PRId64, k == 0 ? " further " : ", ", node->further[k]);
}

/* The line of a node that has nothing but its kind; NULL: it has more. */
static const char *word_of(const struct node *node)
{
    switch (node->kind) {
    case NODE_BLOCK:
        return "block";
    case NODE_REGION:
        return "region";
    case NODE_SINGLE:
        return "single";
    case NODE_TILES:
        return "tiles";
    case NODE_BARRIER:
        return node->waits ? (node->lone ? "wait" : "wait, barrier") : node->lone ? "close" : "barrier";
    case NODE_REFUSE:
        return "refuse";
    case NODE_FENCE:
        return node->waits ? "fence, barrier" : "fence";
    default:
        return NULL;
    }
}

static void dump_line(struct text *out, const struct node *node)
{
    switch (node->kind) {
    case NODE_LOOP:
        dump_loop(out, node);
        break;
    case NODE_IF:
        dump_if(out, node);
        break;
    case NODE_VALUE:
        text_addf(out, "let %s = ", node->var->name);
        affine_dump(out, node->lower);
        break;
    case NODE_TUPLE:
        dump_tuple(out, node);
        break;
    case NODE_LET:
        text_addf(out, "let %s = ", node->var->name);
        dump_expr(out, node->value);
        dump_vector(out, node->vector);
        break;
    case NODE_STATEMENT:
        dump_statement(out, node);
        break;
    case NODE_ASSIGN:
        dump_assign(out, node);
        break;
    case NODE_KERNEL:
        text_addf(out, "kernel %s", node->launch->name);
        break;
    case NODE_SWITCH:
        text_add(out, "switch ");
        affine_dump(out, node->lower);
        break;
    case NODE_CALL:
        text_addf(out, "call %s", node->routine->name);
        break;
    case NODE_POINTER:
        text_addf(out, "pointer %s to ", node->var->name);
        dump_element(out, &node->target);
        break;
    case NODE_PREFETCH:
        dump_prefetch(out, node);
        break;
    case NODE_TEXT:
        text_addf(out, "text %s ", node->instruction);
        dump_expr(out, node->value);
        break;
    default:
        text_add(out, word_of(node));
    }
}

void node_dump(struct text *out, const struct node *node, int depth)
{
    if (!node) {
        text_addf(out, "%*soverflow\n", 4 * depth, "");
        return;
    }
    if (node->comment)
        text_addf(out, "%*s# %s\n", 4 * depth, "", node->comment);
    if (node->kind != NODE_BLOCK || node->comment || !node->n_child) {
        text_addf(out, "%*s", 4 * depth, "");
        dump_line(out, node);
        text_char(out, '\n');
        depth++;
    }
    for (int k = 0; k < node->n_child; k++) {
        if (node->kind == NODE_IF && k == 1)
            text_addf(out, "%*selse\n", 4 * (depth - 1), "");
        if (node->kind == NODE_SWITCH)
            text_addf(out, "%*scase %" PRId64 "\n", 4 * (depth - 1), "", node->label[k]);
        node_dump(out, node->child[k], depth);
    }
    if (node->computes)
        node_dump(out, node->computes, depth);
}
