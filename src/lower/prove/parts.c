#include "lower/prove/parts.h"

#include "lower/facts/facts.h"
#include "lower/prove/solve_counts.h"

#include <isl/aff.h>

/* More divisions and parts than are worth it. */
enum { MOST_DIVISIONS = PARTS_DIVISIONS, MOST_PARTS = 5000 };

/* A variable of the tree: a loop's, by row, or the name of a value. */
struct meaning {
    const struct var *var;
    const int64_t *row;
    const struct affine *value;
};

struct walk {
    struct lowering *lowering;
    const struct counts *counts;
    const struct order *const *loop;
    struct solving_counts solving;
    int width, n_division;
    const int64_t *operand[MOST_DIVISIONS];
    int64_t divisor[MOST_DIVISIONS];
    VEC(struct meaning) meaning; /* of the variables around, outermost first */
    bool *entered;               /* loops of the order that are around */
    struct parts *parts;
};

static int64_t *new_row(const struct walk *w)
{
    return ARENA_ARRAY(w->lowering->arena, w->width + 1, int64_t);
}

static bool divides(const int64_t *row, int n, int64_t divisor)
{
    for (int c = 0; c < n; c++)
        if (row[c] % divisor != 0)
            return false;
    return true;
}

/* 0 <= operand - divisor * column < divisor */
static bool define_division(struct walk *w, const int64_t *operand, int64_t divisor, int column)
{
    int64_t *unit = new_row(w), *last = new_row(w);
    const int64_t *rest, *room;

    unit[column] = 1;
    last[w->width] = divisor - 1;
    rest = row_combine(w->lowering->arena, w->width, operand, 1, unit, -divisor);
    room = rest ? row_combine(w->lowering->arena, w->width, last, 1, rest, -1) : NULL;
    if (!room)
        return false;
    system_add(&w->parts->defined, rest, false, false);
    system_add(&w->parts->defined, room, false, false);
    return true;
}

/* The column of floor(operand / divisor); -1: there is none left. */
static int division_column(struct walk *w, const int64_t *operand, int64_t divisor)
{
    const int first = w->counts->n_param + w->counts->n_loop;

    for (int k = 0; k < w->n_division; k++)
        if (w->divisor[k] == divisor && memcmp(w->operand[k], operand, (size_t)(w->width + 1) * sizeof(*operand)) == 0)
            return first + k;
    if (w->n_division == MOST_DIVISIONS || !define_division(w, operand, divisor, first + w->n_division))
        return -1;
    w->operand[w->n_division] = operand;
    w->divisor[w->n_division] = divisor;
    return first + w->n_division++;
}

static const int64_t *row_of(struct walk *w, const struct affine *a);

static const int64_t *row_of_floor(struct walk *w, const struct atom *atom)
{
    const int64_t *operand = row_of(w, atom->arg[0]);
    int64_t *row = new_row(w);
    int column;

    if (!operand)
        return NULL;
    if (divides(operand, w->width, atom->divisor)) {
        for (int c = 0; c < w->width; c++)
            row[c] = operand[c] / atom->divisor;
        row[w->width] = floor_div(operand[w->width], atom->divisor);
        return row;
    }
    column = division_column(w, operand, atom->divisor);
    if (column < 0)
        return NULL;
    row[column] = 1;
    return row;
}

static const int64_t *row_of_var(struct walk *w, const struct var *var)
{
    for (int k = 0; k < w->lowering->program->n_param; k++)
        if (w->lowering->param_var[k] == var) {
            int64_t *row = new_row(w);
            row[k] = 1;
            return row;
        }
    for (int k = w->meaning.n - 1; k >= 0; k--)
        if (w->meaning.at[k].var == var)
            return w->meaning.at[k].row;
    return NULL;
}

/* a, without minima and maxima, over the columns; NULL where it has no such form. */
static const int64_t *row_of(struct walk *w, const struct affine *a)
{
    int64_t *constant = new_row(w);
    const int64_t *sum = constant;

    constant[w->width] = a->constant;
    for (int k = 0; k < a->n_term && sum; k++) {
        const struct atom *atom = a->term[k].atom;
        const int64_t *row = atom->kind == ATOM_VAR     ? row_of_var(w, atom->var)
                             : atom->kind == ATOM_FLOOR ? row_of_floor(w, atom)
                                                        : NULL;
        sum = row ? row_combine(w->lowering->arena, w->width, sum, 1, row, a->term[k].factor) : NULL;
    }
    return sum;
}

/* The first minimum or maximum of a, or NULL. */
static const struct affine_term *extreme_term(const struct affine *a)
{
    for (int k = 0; k < a->n_term; k++)
        if (a->term[k].atom->kind == ATOM_MIN || a->term[k].atom->kind == ATOM_MAX)
            return &a->term[k];
    return NULL;
}

/* a with the names of values replaced by these. */
static const struct affine *without_names(struct walk *w, const struct affine *a)
{
    for (int k = w->meaning.n - 1; k >= 0 && a; k--)
        if (w->meaning.at[k].value && affine_uses(a, w->meaning.at[k].var))
            a = affine_substitute(w->lowering->arena, a, w->meaning.at[k].var, w->meaning.at[k].value);
    return a;
}

/* Adds what a >= 0 says: each argument of a minimum in it is as large. */
static bool add_plain(struct walk *w, const struct affine *a, struct system *rows)
{
    const struct affine_term *term = a ? facts_splitting_term(a) : NULL;
    const int64_t *row = a && !term ? row_of(w, a) : NULL;

    if (!term) {
        if (row)
            system_add(rows, row, false, false);
        return row;
    }
    for (int k = 0; k < term->atom->n_arg; k++)
        if (!add_plain(w, facts_with_argument(w->lowering->arena, a, term, k), rows))
            return false;
    return true;
}

static bool add_at_least(struct walk *w, const struct affine *a, struct system *rows)
{
    return add_plain(w, without_names(w, a), rows);
}

static bool add_condition(struct walk *w, const struct condition *condition, struct system *rows)
{
    return add_at_least(w, condition->affine, rows) &&
           (!condition->equal || add_at_least(w, affine_scale(w->lowering->arena, condition->affine, -1), rows));
}

static bool has_statement(const struct node *node, const struct statement *statement)
{
    bool found = node->kind == NODE_STATEMENT && node->statement == statement;

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_statement(node->child[k], statement);
    return found;
}

/* Which of the loops around the order's leaf this is; -1: none. */
static int loop_index(const struct walk *w, int id)
{
    for (int k = 0; k < w->counts->n_loop; k++)
        if (w->loop[k]->info->id == id)
            return k;
    return -1;
}

/* The offset of a loop's values, a sum of parameters; false where it is not. */
static bool add_offset(const struct walk *w, __isl_keep isl_aff *offset, int64_t *row)
{
    const struct program *program = w->lowering->program;
    const int n = offset ? (int)isl_aff_dim(offset, isl_dim_param) : 0;
    bool fits = !offset || isl_aff_dim(offset, isl_dim_div) == 0;

    for (int k = -1; k < n && fits && offset; k++) {
        int column = w->width;
        for (int p = 0; p < program->n_param && k >= 0; p++)
            if (strcmp(program->param[p].name, isl_aff_get_dim_name(offset, isl_dim_param, (unsigned)k)) == 0)
                column = p;
        fits = counts_number(k < 0 ? isl_aff_get_constant_val(offset)
                                   : isl_aff_get_coefficient_val(offset, isl_dim_param, k),
                             &row[column]);
    }
    return fits;
}

/* Is a one of the values stride * count + offset, whichever argument its minima and maxima have? */
static bool is_grid_value(struct walk *w, const struct affine *a, int64_t stride, const int64_t *offset)
{
    const struct affine_term *term = extreme_term(a);
    const int64_t *row, *past;

    for (int k = 0; term && k < term->atom->n_arg; k++) {
        const struct affine *one = facts_with_argument(w->lowering->arena, a, term, k);
        if (!one || !is_grid_value(w, one, stride, offset))
            return false;
    }
    if (term)
        return true;
    row = row_of(w, a);
    past = row ? row_combine(w->lowering->arena, w->width, row, 1, offset, -1) : NULL;
    return past && divides(past, w->width + 1, stride);
}

/* Is the loop's variable, less the offset, a multiple of the stride wherever the loop is? */
static bool is_on_grid(struct walk *w, const struct node *loop, const int64_t *offset)
{
    const int64_t stride = loop->info->stride;
    const struct affine *lower;

    if (stride == 0 || (loop->step != stride && loop->step != -stride))
        return false;
    if (stride == 1 || stride == -1)
        return true;
    lower = without_names(w, loop->lower);
    return lower && is_grid_value(w, lower, stride, offset);
}

/* outer: the loop of which it has the values as well, as it goes through that one's last tile; -1: none. */
static bool enter_loop(struct walk *w, const struct node *loop, int index, int outer, struct system *rows)
{
    struct arena *arena = w->lowering->arena;
    const struct affine *var = affine_var(arena, loop->var);
    const struct affine *past = affine_sub(arena, var, loop->lower), *left = affine_sub(arena, loop->upper, var);
    const struct loop_info *around = outer >= 0 ? w->loop[outer]->info : NULL;
    int64_t *row = new_row(w);

    if (!add_offset(w, loop->info->offset, row) || (around && !add_offset(w, around->offset, row)) ||
        (around && !solve_is_tile(loop->info, around)) || !is_on_grid(w, loop, row))
        return false;
    row[w->counts->n_param + index] = loop->info->stride;
    if (around) {
        row[w->counts->n_param + outer] = around->stride;
        solve_add_tile(&w->solving, index, around, rows);
    }
    VEC_PUSH(arena, &w->meaning, ((struct meaning){loop->var, row, NULL}));
    return add_at_least(w, loop->step < 0 ? affine_scale(arena, past, -1) : past, rows) &&
           add_at_least(w, loop->step < 0 ? affine_scale(arena, left, -1) : left, rows);
}

static void enter_value(struct walk *w, const struct node *value)
{
    const struct meaning meaning = {value->var, NULL, without_names(w, value->lower)};

    VEC_PUSH(w->lowering->arena, &w->meaning, meaning);
}

/* The leaf runs the instance with the counts of the loops around it, and those that follow from that. */
static bool add_leaf(struct walk *w, const struct node *leaf, struct system rows)
{
    struct system equation = system_new(rows.arena, rows.n);
    struct part_rows part = {.row = rows};

    for (int k = 0; k < leaf->statement->n_loop; k++) {
        const struct affine *argument = without_names(w, leaf->argument[k]);
        const int64_t *row = argument ? row_of(w, argument) : NULL;
        row = row ? row_combine(rows.arena, rows.n, w->counts->argument[k], 1, row, -1) : NULL;
        if (!row)
            return false;
        system_add(&equation, row, true, false);
    }
    if (w->parts->leaf.n == MOST_PARTS || !solve_counts(&w->solving, equation, &part))
        return false;
    VEC_PUSH(rows.arena, &w->parts->leaf, part);
    return true;
}

static bool walk(struct walk *w, const struct node *node, struct system rows);

/* Affine expressions that are all to be at least zero. */
struct required {
    const struct affine *a;
    const struct required *rest;
};

/* -a - 1: at least zero where a is below. */
static const struct affine *below_zero(struct walk *w, const struct affine *a)
{
    return affine_add_constant(w->lowering->arena, affine_scale(w->lowering->arena, a, -1), -1);
}

/* Where the conditions hold. One of the arguments of a maximum counted positively is enough for it: where the first
 * one is, where that is not and the second one is, .. */
static bool walk_where(struct walk *w, const struct node *body, const struct required *required, struct system rows)
{
    struct arena *arena = w->lowering->arena;
    const struct affine *a = required ? without_names(w, required->a) : NULL;
    const struct affine_term *all = a ? facts_splitting_term(a) : NULL, *any = a && !all ? extreme_term(a) : NULL;
    const struct required *needed = required ? required->rest : NULL;

    if (!required)
        return walk(w, body, rows);
    if (!a || (!all && !any)) {
        rows = system_copy(&rows);
        return a && add_plain(w, a, &rows) && walk_where(w, body, needed, rows);
    }
    for (int k = 0; k < (all ? all : any)->atom->n_arg; k++) {
        const struct affine *one = facts_with_argument(arena, a, all ? all : any, k);
        struct required *more = ARENA_NEW(arena, struct required);
        *more = (struct required){one, needed};
        if (!one || (any && !walk_where(w, body, more, rows)))
            return false;
        if (any)
            *more = (struct required){below_zero(w, one), needed};
        needed = more;
    }
    return any || walk_where(w, body, needed, rows);
}

/* Where the conditions before one of them hold and that is below zero, or above. */
static bool walk_where_not(struct walk *w, const struct node *body, const struct guard *guard, int broken, int sign,
                           struct system rows)
{
    struct arena *arena = w->lowering->arena;
    const struct required required = {below_zero(w, affine_scale(arena, guard->condition[broken].affine, sign)), NULL};

    rows = system_copy(&rows);
    for (int c = 0; c < broken; c++)
        if (!add_condition(w, &guard->condition[c], &rows))
            return false;
    return required.a && walk_where(w, body, &required, rows);
}

static bool walk_otherwise(struct walk *w, const struct node *body, const struct guard *guard, struct system rows)
{
    for (int c = 0; c < guard->n; c++)
        if (!walk_where_not(w, body, guard, c, 1, rows) ||
            (guard->condition[c].equal && !walk_where_not(w, body, guard, c, -1, rows)))
            return false;
    return true;
}

/* What the conditions say, all of them. */
static const struct required *required_of(struct walk *w, const struct guard *guard)
{
    struct arena *arena = w->lowering->arena;
    const struct required *all = NULL;

    for (int c = 0; c < guard->n; c++)
        for (int sign = 1; sign >= (guard->condition[c].equal ? -1 : 1); sign -= 2) {
            struct required *more = ARENA_NEW(arena, struct required);
            *more = (struct required){affine_scale(arena, guard->condition[c].affine, sign), all};
            all = more;
        }
    return all;
}

static bool walk_branch(struct walk *w, const struct node *node, int k, struct system rows)
{
    const struct guard *guard = &node->alternative[0];
    struct system holds = system_copy(&rows);
    bool plain = true;

    if (node->n_alternative != 1)
        return false;
    if (k == 1)
        return walk_otherwise(w, node->child[1], guard, rows);
    for (int c = 0; c < guard->n && plain; c++)
        plain = add_condition(w, &guard->condition[c], &holds);
    return plain ? walk(w, node->child[0], holds) : walk_where(w, node->child[0], required_of(w, guard), rows);
}

static bool walk_label(struct walk *w, const struct node *node, int k, struct system rows)
{
    const struct condition condition = {affine_add_constant(w->lowering->arena, node->lower, -node->label[k]), true};

    return condition.affine && add_condition(w, &condition, &rows) && walk(w, node->child[k], rows);
}

static bool walk_loop(struct walk *w, const struct node *loop, struct system rows)
{
    const int index = loop->info ? loop_index(w, loop->info->id) : -1;
    const int outer = index >= 0 && loop->over_values ? loop_index(w, loop->info->outer) : -1;
    bool walked;

    if (index < 0 || w->entered[index] || (loop->over_values && (outer < 0 || w->entered[outer])))
        return false;
    w->entered[index] = true;
    if (outer >= 0)
        w->entered[outer] = true;
    walked = enter_loop(w, loop, index, outer, &rows) && walk(w, loop->child[0], rows);
    w->entered[index] = false;
    if (outer >= 0)
        w->entered[outer] = false;
    return walked;
}

static bool walk_child(struct walk *w, const struct node *node, int k, struct system rows)
{
    switch (node->kind) {
    case NODE_LOOP:
        return walk_loop(w, node, rows);
    case NODE_VALUE:
        enter_value(w, node);
        return walk(w, node->child[k], rows);
    case NODE_IF:
        return walk_branch(w, node, k, rows);
    case NODE_SWITCH:
        return walk_label(w, node, k, rows);
    case NODE_BLOCK:
    case NODE_CALL:
    case NODE_KERNEL:
        return walk(w, node->child[k], rows);
    default:
        return false;
    }
}

static bool walk(struct walk *w, const struct node *node, struct system rows)
{
    const int n_meaning = w->meaning.n;

    if (node->kind == NODE_STATEMENT)
        return add_leaf(w, node, rows);
    for (int k = 0; k < node->n_child; k++) {
        if (!has_statement(node->child[k], w->counts->leaf->statement))
            continue;
        if (!walk_child(w, node, k, system_copy(&rows)))
            return false;
        w->meaning.n = n_meaning;
    }
    return true;
}

bool parts_of_tree(struct lowering *lowering, const struct node *tree, const struct counts *counts,
                   const struct order *const *loop, struct parts *parts)
{
    struct arena *arena = lowering->arena;
    struct walk *w = ARENA_NEW(arena, struct walk);

    *parts = (struct parts){.defined = system_new(arena, counts->known.n)};
    w->lowering = lowering;
    w->counts = counts;
    w->loop = loop;
    w->width = counts->known.n;
    w->entered = ARENA_ARRAY(arena, counts->n_loop + 1, bool);
    w->parts = parts;
    w->solving = (struct solving_counts){counts, loop, w->entered};
    return counts->n_param + counts->n_loop + MOST_DIVISIONS <= w->width &&
           (!has_statement(tree, counts->leaf->statement) || walk(w, tree, system_new(arena, w->width))) &&
           !parts->defined.failed;
}
