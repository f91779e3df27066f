#include "lower/threads/uses.h"

#include "program/program.h"
#include "tree/visit.h"

#include <string.h>

/* Do the elements, of one array, lie less than a line apart? Then one of them is enough. */
static bool same_line(struct arena *arena, const struct element *a, const struct element *b)
{
    const int last = a->array->n_dim - 1;
    int64_t apart;

    for (int k = 0; k < last; k++)
        if (!affine_equal(a->index[k], b->index[k]))
            return false;
    return affine_is_constant(affine_sub(arena, a->index[last], b->index[last]), &apart) && apart > -LINE_BITS &&
           apart < LINE_BITS && (apart < 0 ? -apart : apart) * type_bits(a->array->type) < LINE_BITS;
}

static void note_element(struct uses *uses, const struct element *element)
{
    if (!element->array || strcmp(element->array->name, uses->array) != 0 || element->array->n_dim == 0 ||
        element->array->in_registers)
        return;
    uses->by_data = uses->by_data || element->indirect;
    if (element->indirect)
        return;
    for (int k = 0; k < uses->element.n; k++)
        if (same_line(uses->arena, &uses->element.at[k], element))
            return;
    VEC_PUSH(uses->arena, &uses->element, *element);
}

static void note_expr(const struct tree_expr *expr, void *user)
{
    if (expr->kind == TREE_LOAD)
        note_element(user, &expr->element);
}

static struct element element_at(struct arena *arena, const struct element *element, const struct var *var,
                                 const struct affine *value)
{
    const struct affine **index = ARENA_ARRAY(arena, element->array->n_dim, const struct affine *);
    struct element result = *element;

    for (int k = 0; k < element->array->n_dim; k++)
        index[k] = affine_substitute(arena, element->index[k], var, value);
    result.index = index;
    return result;
}

void uses_substitute(struct uses *uses, int first, const struct var *var, const struct affine *value)
{
    const int n = uses->element.n;

    uses->element.n = first;
    for (int k = first; k < n; k++) {
        const struct element element = element_at(uses->arena, &uses->element.at[k], var, value);
        note_element(uses, &element);
    }
}

/* Is node the loop over the vectors that one iteration of a loop takes (strips.h), or written out as a whole? */
static bool is_strip(const struct node *node)
{
    int64_t first, last;

    if (node->kind != NODE_LOOP || node->unroll == 0 || node->step < 1)
        return false;
    return !node->info || (affine_is_constant(node->lower, &first) && affine_is_constant(node->upper, &last) &&
                           last - first < node->unroll * node->step);
}

/* Is the variable in a subscript? */
static bool tells(const struct element *element, const struct var *var)
{
    for (int d = 0; d < element->array->n_dim; d++)
        if (affine_uses(element->index[d], var))
            return true;
    return false;
}

static bool uses_var(const struct uses *uses, int first, const struct var *var)
{
    for (int k = first; k < uses->element.n; k++)
        if (tells(&uses->element.at[k], var))
            return true;
    return false;
}

static bool same_strip(const struct node *a, const struct node *b)
{
    return a->step == b->step && affine_equal(a->lower, b->lower) && affine_equal(a->upper, b->upper);
}

/* The elements of uses from first on are in the strip, which is in the iteration itself: all of them are used. */
static void note_strip(struct uses *uses, int first, const struct node *strip)
{
    if (!uses_var(uses, first, strip->var))
        return;
    for (int k = 0; k < uses->strip.n; k++) {
        const struct node *known = uses->strip.at[k];
        if (same_strip(known, strip) && !uses_var(uses, first, known->var)) {
            uses_substitute(uses, first, strip->var, affine_var(uses->arena, known->var));
            return;
        }
    }
    VEC_PUSH(uses->arena, &uses->strip, strip);
}

/* The elements of uses from first on are in loop, which is at its first iteration, and so are its strips, from
 * first_strip on. */
static void note_loop(struct uses *uses, int first, const struct node *loop, int first_strip)
{
    uses_substitute(uses, first, loop->var, loop->lower);
    for (int k = first_strip; k < uses->strip.n; k++)
        uses_substitute(uses, first, uses->strip.at[k]->var, uses->strip.at[k]->lower);
    uses->strip.n = first_strip;
}

static bool has_statement(const struct node *node, const struct statement *statement)
{
    bool found = node->kind == NODE_ASSIGN && node->statement == statement;

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_statement(node->child[k], statement);
    return found;
}

/* Does each statement of node occur in `in`? */
static bool statements_among(const struct node *node, const struct node *in)
{
    bool among = node->kind != NODE_ASSIGN || has_statement(in, node->statement);

    for (int k = 0; k < node->n_child && among; k++)
        among = statements_among(node->child[k], in);
    return among;
}

static bool lists(const struct array *const *list, int n, const char *name)
{
    for (int k = 0; k < n; k++)
        if (strcmp(list[k]->name, name) == 0)
            return true;
    return false;
}

/* Is the array declared with node, so that outside of it there is none? */
static bool declares(const struct node *node, const char *array)
{
    return lists(node->local, node->n_local, array) || lists(node->own, node->n_own, array) ||
           (node->kind == NODE_ASSIGN && node->declares != DECLARE_NOTHING &&
            strcmp(node->target.array->name, array) == 0);
}

/* Elements from first on that var tells are such that data choose. */
static void drop_elements(struct uses *uses, int first, const struct var *var)
{
    const int n = uses->element.n;

    uses->element.n = first;
    for (int k = first; k < n; k++) {
        const struct element element = uses->element.at[k];
        const bool told = tells(&element, var);
        uses->by_data |= told;
        if (!told)
            uses->element.at[uses->element.n++] = element;
    }
}

/* The same, and those of strips from first_strip on that var bounds. */
static void leave_to_data(struct uses *uses, int first, int first_strip, const struct var *var)
{
    const int n = uses->strip.n;

    uses->strip.n = first_strip;
    for (int k = first_strip; k < n; k++) {
        const struct node *strip = uses->strip.at[k];
        if (affine_uses(strip->lower, var) || affine_uses(strip->upper, var))
            drop_elements(uses, first, strip->var);
        else
            uses->strip.at[uses->strip.n++] = strip;
    }
    drop_elements(uses, first, var);
}

void uses_collect(struct uses *uses, const struct node *node)
{
    const int first = uses->element.n, first_strip = uses->strip.n;

    if (node->kind == NODE_LOOP && node->continues)
        return;
    if (declares(node, uses->array)) {
        uses->anew = node;
        return;
    }
    if (node->kind == NODE_ASSIGN) {
        tree_expr_for_each(node->value, note_expr, uses);
        tree_expr_for_each(node->guard_value, note_expr, uses);
        note_element(uses, &node->target);
    }
    if (node->kind == NODE_LET)
        tree_expr_for_each(node->value, note_expr, uses);
    for (int k = 0; k < node->n_child; k++)
        if (node->kind != NODE_IF || k == 0 || !statements_among(node->child[k], node->child[0]))
            uses_collect(uses, node->child[k]);
    if (is_strip(node))
        note_strip(uses, first, node);
    else if (node->kind == NODE_LOOP)
        note_loop(uses, first, node, first_strip);
    if (node->kind == NODE_VALUE)
        uses_substitute(uses, first, node->var, node->lower);
    if (node->kind == NODE_LET)
        leave_to_data(uses, first, first_strip, node->var);
    for (int k = 0; k < node->n_part; k++)
        uses_substitute(uses, first, node->part[k].var, node->part[k].first);
}
