#include "lower/vector/loose.h"

#include "base/vec.h"
#include "lower/vector/weights.h"
#include "program/program.h"
#include "tree/visit.h"

/* A node that is gone down, and into which child. */
struct turn {
    const struct node *node;
    int child;
};

/* A use of an array in registers. */
struct use {
    const struct array *array;
    const struct node *scope; /* each time that this is run it has the array for itself; NULL: the whole tree */
    const struct node *node;  /* ASSIGN or LET */
    const struct element *element;
    const struct affine *count; /* of active lanes, or NULL */
    bool whole;                 /* lanes use the lanes of a register, each its own */
    int number;                 /* in the order of the tree */
    const struct turn *path;    /* n_path turns from below scope on */
    int n_path;
};

struct loosening {
    struct arena *arena;
    VEC(struct turn) path;
    VEC(const struct use *) read, written;
    VEC(const struct node *) loose;
    const struct node *at; /* whose loads are noted */
    int n_use;
};

static bool in_vectors(const struct element *element)
{
    return element->array && element->array->in_registers && element->array->n_dim <= WEIGHTS_MOST && element->index;
}

/* The innermost node on the path that has the array for itself. */
static int scope_of(const struct loosening *loosening, const struct array *array)
{
    for (int k = loosening->path.n - 1; k >= 0; k--)
        for (int l = 0; l < loosening->path.at[k].node->n_local; l++)
            if (loosening->path.at[k].node->local[l] == array)
                return k;
    return -1;
}

static const struct use *new_use(struct loosening *loosening, const struct element *element, bool whole)
{
    struct use *use = ARENA_NEW(loosening->arena, struct use);
    const int scope = scope_of(loosening, element->array);
    struct turn *path = ARENA_ARRAY(loosening->arena, loosening->path.n + 1, struct turn);

    for (int k = scope + 1; k < loosening->path.n; k++)
        path[use->n_path++] = loosening->path.at[k];
    use->number = loosening->n_use++;
    use->array = element->array;
    use->scope = scope < 0 ? NULL : loosening->path.at[scope].node;
    use->node = loosening->at;
    use->element = element;
    use->count = loosening->at->vector ? loosening->at->vector->count : NULL;
    use->whole = whole && element->lane_step == 1 && loosening->at->vector;
    use->path = path;
    return use;
}

static void note_load(const struct tree_expr *expr, void *user)
{
    struct loosening *loosening = user;

    if (expr->kind == TREE_LOAD && in_vectors(&expr->element))
        VEC_PUSH(loosening->arena, &loosening->read, new_use(loosening, &expr->element, true));
}

static void collect(struct loosening *loosening, const struct node *node)
{
    const bool writes = node->kind == NODE_ASSIGN && in_vectors(&node->target) && !node_writes_vector(node);

    loosening->at = node;
    tree_expr_for_each(node->value, note_load, loosening);
    tree_expr_for_each(node->guard_value, note_load, loosening);
    if (writes)
        VEC_PUSH(loosening->arena, &loosening->written, new_use(loosening, &node->target, true));
    for (int k = 0; k < node->n_child; k++) {
        VEC_PUSH(loosening->arena, &loosening->path, ((struct turn){node, k}));
        collect(loosening, node->child[k]);
        loosening->path.n--;
    }
}

static bool chooses(const struct node *node)
{
    return node->kind == NODE_IF || node->kind == NODE_SWITCH;
}

/* How many turns both have in common. */
static int common_turns(const struct use *a, const struct use *b)
{
    int k = 0;

    while (k < a->n_path && k < b->n_path && a->path[k].node == b->path[k].node && a->path[k].child == b->path[k].child)
        k++;
    return k;
}

/* Are they in two branches of a condition? */
static bool exclude(const struct use *a, const struct use *b)
{
    const int k = common_turns(a, b);

    return k < a->n_path && k < b->n_path && a->path[k].node == b->path[k].node && chooses(a->path[k].node);
}

/* Does it run wherever the first `from` turns to it are taken? */
static bool always_runs(const struct use *use, int from)
{
    for (int k = from; k < use->n_path; k++)
        if (chooses(use->path[k].node))
            return false;
    return true;
}

/* Does a copy fill the registers of read on the way to it, where the writer no longer is? */
static bool is_filled(const struct loosening *loosening, const struct use *read, const struct use *writer)
{
    const int apart = common_turns(read, writer);

    for (int k = 0; k < loosening->written.n; k++) {
        const struct use *fill = loosening->written.at[k];
        if (fill->array == read->array && fill->scope == read->scope && fill->number < read->number &&
            fill->node->op == OP_NONE && fill->node->statement && fill->node->statement->is_copy && !fill->count &&
            common_turns(fill, read) > apart && always_runs(fill, common_turns(fill, read)))
            return true;
    }
    return false;
}

static bool is_name(const struct node *node)
{
    return node->kind == NODE_LET || node->kind == NODE_VALUE;
}

/* May the variable have several values while the scope is run? A name outside of all loops has one. */
static bool binds(const struct use *use, const struct var *var)
{
    bool again = false;

    for (int k = 0; k < use->n_path; k++) {
        const struct node *node = use->path[k].node;
        again = again || node->kind == NODE_LOOP || node->kind == NODE_TUPLE;
        if (node->var == var)
            return again || !is_name(node);
        for (int p = 0; p < node->n_part; p++)
            if (node->part[p].var == var)
                return true;
    }
    return false;
}

/* Does any variable in it change in the scope? */
static bool moves(const struct use *use, const struct affine *affine)
{
    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        if (atom->kind == ATOM_VAR && binds(use, atom->var))
            return true;
        for (int l = 0; l < atom->n_arg; l++)
            if (moves(use, atom->arg[l]))
                return true;
    }
    return false;
}

/* Any of list[0..n) holds. */
struct cases {
    const struct guard *list;
    int n;
};

/* What holds in the branch, as far as it is told by conditions that do not move; n is 0: nothing is known. */
static struct cases cases_of(struct arena *arena, const struct use *use, const struct turn *turn)
{
    const struct node *node = turn->node;
    const bool negated = turn->child == 1;
    struct guard *list;

    if (node->kind != NODE_IF || node->n_alternative == 0 || (negated && node->n_alternative != 1))
        return (struct cases){NULL, 0};
    for (int k = 0; k < node->n_alternative; k++)
        for (int c = 0; c < node->alternative[k].n; c++) {
            const struct condition *condition = &node->alternative[k].condition[c];
            if (condition->equal || moves(use, condition->affine))
                return (struct cases){NULL, 0};
        }
    if (!negated)
        return (struct cases){node->alternative, node->n_alternative};
    list = ARENA_ARRAY(arena, node->alternative->n + 1, struct guard);
    for (int c = 0; c < node->alternative->n; c++) {
        struct condition *other = ARENA_NEW(arena, struct condition);
        const struct affine *affine = affine_scale(arena, node->alternative->condition[c].affine, -1);
        other->affine = affine ? affine_add_constant(arena, affine, -1) : NULL;
        if (!other->affine)
            return (struct cases){NULL, 0};
        list[c] = (struct guard){other, 1};
    }
    return (struct cases){list, node->alternative->n};
}

/* Can not all conditions of both hold? */
static bool contradict(struct arena *arena, const struct guard *a, const struct guard *b)
{
    for (int k = 0; k < a->n; k++)
        for (int l = 0; l < b->n; l++) {
            const struct affine *sum = affine_add(arena, a->condition[k].affine, b->condition[l].affine);
            int64_t value;
            if (sum && affine_is_constant(sum, &value) && value < 0)
                return true;
        }
    return false;
}

static bool all_contradict(struct arena *arena, struct cases a, struct cases b)
{
    for (int k = 0; k < a.n; k++)
        for (int l = 0; l < b.n; l++)
            if (!contradict(arena, &a.list[k], &b.list[l]))
                return false;
    return a.n > 0 && b.n > 0;
}

/* Is only one of them run each time that the scope is? */
static bool run_apart(struct arena *arena, const struct use *a, const struct use *b)
{
    for (int k = 0; k < a->n_path; k++) {
        const struct cases own = cases_of(arena, a, &a->path[k]);
        for (int l = 0; own.n > 0 && l < b->n_path; l++)
            if (all_contradict(arena, own, cases_of(arena, b, &b->path[l])))
                return true;
    }
    return exclude(a, b);
}

/* Does it move as a whole, or not at all? A minimum that moves is none of those that are compared. */
static bool is_still(const struct use *use, const struct atom *atom)
{
    for (int k = 0; k < atom->n_arg; k++)
        if (moves(use, atom->arg[k]))
            return false;
    return true;
}

/* The factors of atom in what two uses have, or one, other being NULL. */
static struct equation compared(const struct use *use, const struct use *other, const struct atom *atom)
{
    struct equation equation = {{0}};

    equation.coefficient[WEIGHTS_MOST] = affine_share(use->count, atom);
    if (other)
        equation.coefficient[WEIGHTS_MOST] -= affine_share(other->count, atom);
    for (int d = 0; d < use->array->n_dim; d++)
        equation.coefficient[d] =
            affine_share(use->element->index[d], atom) - (other ? affine_share(other->element->index[d], atom) : 0);
    return equation;
}

struct comparing {
    struct weights *weights;
    const struct use *use, *other;
    bool alike;
};

static void compare_atoms(struct comparing *comparing, const struct affine *affine)
{
    for (int k = 0; k < affine->n_term && comparing->alike; k++) {
        const struct atom *atom = affine->term[k].atom;
        const struct use *use = comparing->use, *other = comparing->other;
        const bool moves = atom->kind == ATOM_VAR && binds(use, atom->var),
                   others = atom->kind == ATOM_VAR && binds(other, atom->var);
        if (atom->kind == ATOM_FLOOR) {
            compare_atoms(comparing, atom->arg[0]);
            continue;
        }
        comparing->alike = is_still(use, atom) && is_still(other, atom);
        if (moves)
            comparing->alike = comparing->alike && weights_add(comparing->weights, compared(use, NULL, atom));
        if (others)
            comparing->alike = comparing->alike && weights_add(comparing->weights, compared(other, NULL, atom));
        if (!moves && !others)
            comparing->alike = comparing->alike && weights_add(comparing->weights, compared(use, other, atom));
    }
}

static void compare_all_atoms(struct comparing *comparing, const struct use *use)
{
    compare_atoms(comparing, use->count);
    for (int d = 0; d < use->array->n_dim && comparing->alike; d++)
        compare_atoms(comparing, use->element->index[d]);
}

/* Have both as many lanes in each register? */
static bool alike(struct weights *weights, const struct use *use, const struct use *other)
{
    struct comparing comparing = {weights, use, other, true};

    compare_all_atoms(&comparing, use);
    if (use != other)
        compare_all_atoms(&comparing, other);
    return comparing.alike && weights_add(weights, compared(use, other, NULL));
}

static bool has_count(const struct use *use)
{
    bool has = use->whole && use->count;

    for (int d = 0; has && d < use->array->n_dim; d++)
        has = use->element->index[d] != NULL;
    return has;
}

/* The same, or less than that, where the number of lanes is the least of several. */
static bool at_most_alike(struct loosening *loosening, struct weights *weights, const struct use *use,
                          const struct use *other)
{
    const struct affine_term *term = use->count->n_term == 1 ? use->count->term : NULL;
    struct weights own = *weights;
    struct use least = *use;

    if (!term || term->factor != 1 || term->atom->kind != ATOM_MIN)
        return alike(weights, use, other);
    for (int k = 0; k < term->atom->n_arg; k++, own = *weights) {
        least.count = affine_add_constant(loosening->arena, term->atom->arg[k], use->count->constant);
        if (alike(&own, &least, other == use ? &least : other)) {
            *weights = own;
            return true;
        }
    }
    return false;
}

/* The loop around the use that has the variable, if it has literal bounds. */
static const struct node *literal_loop(const struct use *use, const struct var *var)
{
    for (int k = 0; k < use->n_path; k++) {
        const struct node *node = use->path[k].node;
        if (node->kind == NODE_LOOP && node->var == var)
            return affine_is_constant(node->lower, NULL) && affine_is_constant(node->upper, NULL) ? node : NULL;
    }
    return NULL;
}

/* The values of a subscript, from least to most; false: they are not bounded by numbers. */
static bool range_of(const struct use *use, const struct affine *index, int64_t *least, int64_t *most)
{
    *least = *most = index->constant;
    for (int k = 0; k < index->n_term; k++) {
        const struct affine_term *term = &index->term[k];
        const bool floor = term->atom->kind == ATOM_FLOOR;
        const struct node *loop = term->atom->kind == ATOM_VAR ? literal_loop(use, term->atom->var) : NULL;
        int64_t from, to;
        if (floor && range_of(use, term->atom->arg[0], &from, &to)) {
            from = floor_div(from, term->atom->divisor);
            to = floor_div(to, term->atom->divisor);
        } else if (loop) {
            affine_is_constant(loop->lower, &from);
            affine_is_constant(loop->upper, &to);
        } else {
            return false;
        }
        *least += term->factor * (term->factor > 0 ? from : to);
        *most += term->factor * (term->factor > 0 ? to : from);
    }
    return true;
}

/* Do they never use one register? */
static bool are_apart(const struct use *a, const struct use *b)
{
    for (int d = 0; d < a->array->n_dim; d++) {
        int64_t least[2], most[2];
        if (a->element->index[d] && b->element->index[d] && range_of(a, a->element->index[d], &least[0], &most[0]) &&
            range_of(b, b->element->index[d], &least[1], &most[1]) && (most[0] < least[1] || most[1] < least[0]))
            return true;
    }
    return false;
}

/* Are all lanes of the writer's counted where the reader is? */
static bool is_full_there(struct arena *arena, const struct use *read, const struct use *writer)
{
    const struct affine *others = affine_add_constant(arena, writer->count, -writer->node->vector->lanes);

    for (int k = 0; k < read->n_path && others && !moves(writer, others); k++) {
        const struct cases known = cases_of(arena, read, &read->path[k]);
        for (int c = 0; known.n == 1 && c < known.list->n; c++) {
            const struct affine *rest = affine_sub(arena, others, known.list->condition[c].affine);
            int64_t value;
            if (rest && affine_is_constant(rest, &value) && value >= 0)
                return true;
        }
    }
    return false;
}

/* Has nothing that reads a register of the writer more lanes there? */
static bool is_unseen(struct loosening *loosening, const struct use *writer)
{
    struct weights weights = {0};
    bool unseen = alike(&weights, writer, writer);

    for (int k = 0; k < loosening->read.n && unseen; k++) {
        const struct use *read = loosening->read.at[k];
        if (read->array == writer->array && read->scope == writer->scope &&
            !run_apart(loosening->arena, read, writer) && !are_apart(read, writer) &&
            !is_filled(loosening, read, writer))
            unseen = (has_count(read) && at_most_alike(loosening, &weights, read, writer)) ||
                     is_full_there(loosening->arena, read, writer);
    }
    return unseen;
}

static void find_loose(struct loosening *loosening)
{
    for (int k = 0; k < loosening->written.n; k++) {
        const struct use *writer = loosening->written.at[k];
        if (has_count(writer) && is_unseen(loosening, writer))
            VEC_PUSH(loosening->arena, &loosening->loose, writer->node);
    }
}

static const struct node *loosened(struct loosening *loosening, const struct node *node, int *next)
{
    const struct node **child = ARENA_ARRAY(loosening->arena, node->n_child + 1, const struct node *);
    const bool own = *next < loosening->loose.n && loosening->loose.at[*next] == node;

    *next += own;
    for (int k = 0; k < node->n_child; k++)
        child[k] = loosened(loosening, node->child[k], next);
    node = node_with_children(loosening->arena, node, child);
    if (!own)
        return node;
    struct node *copy = ARENA_NEW(loosening->arena, struct node);
    struct vector *vector = ARENA_NEW(loosening->arena, struct vector);
    *vector = *node->vector;
    vector->loose = true;
    *copy = *node;
    copy->vector = vector;
    return copy;
}

const struct node *lower_loose(struct lowering *lowering, const struct node *tree)
{
    struct loosening loosening = {.arena = lowering->arena};
    int next = 0;

    collect(&loosening, tree);
    find_loose(&loosening);
    return loosening.loose.n > 0 ? loosened(&loosening, tree, &next) : tree;
}
