#include "tree/visit.h"

#include "program/program.h"

#include <string.h>

struct mapping {
    struct arena *arena;
    affine_function *function; /* NULL: affine expressions stay */
    element_function *element; /* NULL: elements stay what their subscripts make them */
    void *user;
    bool changed, failed;
};

static const struct affine *map_affine(struct mapping *mapping, const struct affine *affine)
{
    if (!affine || !mapping->function)
        return affine;
    const struct affine *mapped = mapping->function(mapping->arena, affine, mapping->user);
    mapping->changed |= mapped != affine;
    mapping->failed |= !mapped;
    return mapped;
}

static const struct affine *const *map_affines(struct mapping *mapping, const struct affine *const *affine, int n)
{
    if (!affine)
        return NULL;
    const struct affine **mapped = ARENA_ARRAY(mapping->arena, n, const struct affine *);

    for (int k = 0; k < n; k++)
        mapped[k] = map_affine(mapping, affine[k]);
    return mapped;
}

static const struct tree_expr *map_expr(struct mapping *mapping, const struct tree_expr *expr);

static const struct tree_expr *const *map_exprs(struct mapping *mapping, const struct tree_expr *const *expr, int n)
{
    if (!expr)
        return NULL;
    const struct tree_expr **mapped = ARENA_ARRAY(mapping->arena, n, const struct tree_expr *);

    for (int k = 0; k < n; k++)
        mapped[k] = map_expr(mapping, expr[k]);
    return mapped;
}

static struct element map_element(struct mapping *mapping, const struct element *element)
{
    const int n = element->array ? element->array->n_dim : 0;
    struct element mapped = *element;

    mapped.index = map_affines(mapping, element->index, n);
    mapped.indirect = map_exprs(mapping, element->indirect, n);
    mapped.lane_index = map_affines(mapping, element->lane_index, element->n_lane_index);
    mapped.distance = map_expr(mapping, element->distance);
    if (!mapping->element || n == 0)
        return mapped;
    const struct element replaced = mapping->element(mapping->arena, &mapped, mapping->user);
    mapping->changed |= replaced.index != mapped.index;
    return replaced;
}

static const struct tree_expr *map_expr(struct mapping *mapping, const struct tree_expr *expr)
{
    if (!expr)
        return NULL;
    struct mapping own = {mapping->arena, mapping->function, mapping->element, mapping->user, false, false};
    struct tree_expr *mapped = ARENA_NEW(mapping->arena, struct tree_expr);

    *mapped = *expr;
    mapped->affine = map_affine(&own, expr->affine);
    mapped->element = map_element(&own, &expr->element);
    mapped->arg = map_exprs(&own, expr->arg, expr->n_arg);
    mapping->changed |= own.changed;
    mapping->failed |= own.failed;
    return own.changed ? mapped : expr;
}

static const struct guard *map_guards(struct mapping *mapping, const struct guard *guard, int n)
{
    struct guard *mapped = ARENA_ARRAY(mapping->arena, n, struct guard);

    for (int k = 0; k < n; k++) {
        struct condition *condition = ARENA_ARRAY(mapping->arena, guard[k].n, struct condition);
        for (int c = 0; c < guard[k].n; c++) {
            condition[c] = guard[k].condition[c];
            condition[c].affine = map_affine(mapping, condition[c].affine);
        }
        mapped[k] = (struct guard){condition, guard[k].n};
    }
    return mapped;
}

static const struct part *map_parts(struct mapping *mapping, const struct part *part, int n)
{
    struct part *mapped = ARENA_ARRAY(mapping->arena, n + 1, struct part);

    for (int k = 0; k < n; k++) {
        mapped[k].var = part[k].var;
        mapped[k].first = map_affine(mapping, part[k].first);
        mapped[k].extent = map_affine(mapping, part[k].extent);
    }
    return mapped;
}

static const struct vector *map_vector(struct mapping *mapping, const struct vector *vector)
{
    struct vector *mapped = ARENA_NEW(mapping->arena, struct vector);

    if (!vector)
        return NULL;
    *mapped = *vector;
    mapped->count = map_affine(mapping, vector->count);
    mapped->mask_place = map_affine(mapping, vector->mask_place);
    mapped->active = map_expr(mapping, vector->active);
    mapped->place = map_affine(mapping, vector->place);
    mapped->each = map_affines(mapping, vector->each, vector->registers);
    return mapped;
}

static struct tile_place map_place(struct mapping *mapping, const struct tile_place *place)
{
    struct tile_place mapped = *place;

    mapped.distance = map_affine(mapping, place->distance);
    mapped.rows = map_affine(mapping, place->rows);
    mapped.bytes = map_affine(mapping, place->bytes);
    return mapped;
}

static const struct matrix_tile *map_tile(struct mapping *mapping, const struct matrix_tile *tile)
{
    struct matrix_tile *mapped = ARENA_NEW(mapping->arena, struct matrix_tile);

    if (!tile)
        return NULL;
    *mapped = *tile;
    mapped->sums = map_place(mapping, &tile->sums);
    for (int k = 0; k < 2; k++)
        mapped->factor[k] = map_place(mapping, &tile->factor[k]);
    return mapped;
}

static const struct instance_map *map_also(struct mapping *mapping, const struct instance_map *also, int n)
{
    struct instance_map *mapped = ARENA_ARRAY(mapping->arena, n + 1, struct instance_map);

    for (int k = 0; k < n; k++) {
        mapped[k].statement = also[k].statement;
        mapped[k].argument = map_affines(mapping, also[k].argument, also[k].statement->n_loop);
    }
    return mapped;
}

/* The instances that the node runs. */
static void map_instances(struct mapping *mapping, const struct node *node, struct node *mapped)
{
    if (node->statement)
        mapped->argument = map_affines(mapping, node->argument, node->statement->n_loop);
    mapped->also = map_also(mapping, node->also, node->n_also);
    mapped->counted = node->counted ? map_guards(mapping, node->counted, 1) : NULL;
    mapped->limit = map_affine(mapping, node->limit);
    mapped->known = node->known ? map_guards(mapping, node->known, 1) : NULL;
}

static const struct node *map_own(struct mapping mapping, const struct node *node)
{
    if (!node || node->kind == NODE_BLOCK)
        return node;
    struct node *mapped = ARENA_NEW(mapping.arena, struct node);

    *mapped = *node;
    mapped->lower = map_affine(&mapping, node->lower);
    mapped->upper = map_affine(&mapping, node->upper);
    mapped->part = map_parts(&mapping, node->part, node->n_part);
    mapped->alternative = map_guards(&mapping, node->alternative, node->n_alternative);
    map_instances(&mapping, node, mapped);
    mapped->target = map_element(&mapping, &node->target);
    mapped->value = map_expr(&mapping, node->value);
    mapped->guard_value = map_expr(&mapping, node->guard_value);
    mapped->vector = map_vector(&mapping, node->vector);
    mapped->tile = map_tile(&mapping, node->tile);
    if (mapping.failed)
        return NULL;
    return mapping.changed ? mapped : node;
}

const struct node *node_map_own(struct arena *arena, const struct node *node, affine_function *function, void *user)
{
    return map_own((struct mapping){arena, function, NULL, user, false, false}, node);
}

const struct node *node_map_elements(struct arena *arena, const struct node *node, element_function *function,
                                     void *user)
{
    return map_own((struct mapping){arena, NULL, function, user, false, false}, node);
}

const struct node *node_with_children(struct arena *arena, const struct node *node, const struct node *const *child)
{
    bool same = true;

    for (int k = 0; k < node->n_child; k++) {
        if (!child[k])
            return NULL;
        same = same && child[k] == node->child[k];
    }
    if (same)
        return node;
    struct node *copy = ARENA_NEW(arena, struct node);
    *copy = *node;
    copy->child = child;
    return copy;
}

const struct node *node_map(struct arena *arena, const struct node *node, affine_function *function, void *user)
{
    const struct node *own = node_map_own(arena, node, function, user);

    if (own && own->computes)
        return node_with_computes(arena, own, node_map(arena, own->computes, function, user));
    if (!own || !own->n_child)
        return own;
    const struct node **child = ARENA_ARRAY(arena, own->n_child, const struct node *);
    for (int k = 0; k < own->n_child; k++)
        child[k] = node_map(arena, own->child[k], function, user);
    return node_with_children(arena, own, child);
}

void node_for_each(const struct node *node, void (*function)(const struct node *node, void *user), void *user)
{
    function(node, user);
    for (int k = 0; k < node->n_child; k++)
        node_for_each(node->child[k], function, user);
    if (node->computes)
        node_for_each(node->computes, function, user);
}

void tree_expr_for_each(const struct tree_expr *expr, void (*function)(const struct tree_expr *expr, void *user),
                        void *user)
{
    if (!expr)
        return;
    function(expr, user);
    for (int k = 0; expr->element.indirect && k < expr->element.array->n_dim; k++)
        tree_expr_for_each(expr->element.indirect[k], function, user);
    for (int k = 0; k < expr->n_arg; k++)
        tree_expr_for_each(expr->arg[k], function, user);
}

static void count_node(const struct node *node, void *user)
{
    (void)node;
    ++*(int *)user;
}

int node_count(const struct node *node)
{
    int n = 0;

    node_for_each(node, count_node, &n);
    return n;
}

static void count_statement(const struct node *node, void *user)
{
    *(int *)user += node->kind == NODE_STATEMENT || node->kind == NODE_ASSIGN;
}

int node_count_statements(const struct node *node)
{
    int n = 0;

    node_for_each(node, count_statement, &n);
    return n;
}

const struct element *tile_sums(const struct node *assign)
{
    return assign->tile->kind == TILE_STORE ? &tree_expr_same_bits(assign->value)->element : &assign->target;
}

const struct element *tile_factor(const struct node *assign, int factor)
{
    const int arg = assign->tile->swapped ? 1 - factor : factor;

    return &tree_expr_unwidened(node_added(assign)->arg[arg])->element;
}

bool tree_expr_uniform(const struct tree_expr *expr)
{
    if (expr->kind == TREE_ANY)
        return true;
    if (expr->kind == TREE_NAMED || expr->kind == TREE_RAMP || expr->kind == TREE_MASK ||
        (expr->kind == TREE_LOAD && expr->element.lane_step))
        return false;
    for (int k = 0; k < expr->n_arg; k++)
        if (!tree_expr_uniform(expr->arg[k]))
            return false;
    return true;
}

bool tree_expr_is_truth(const struct tree_expr *expr)
{
    return (expr->kind == TREE_BINARY && expr->op >= OP_LT && expr->op <= OP_LOR) ||
           (expr->kind == TREE_UNARY && expr->op == OP_LNOT);
}

/* Is it a cast between integers that keeps all bits? */
static bool changes_sign(const struct tree_expr *expr)
{
    return expr->kind == TREE_CAST && type_unsigned(expr->type) == type_unsigned(expr->arg[0]->type);
}

const struct tree_expr *tree_expr_same_bits(const struct tree_expr *expr)
{
    return changes_sign(expr) ? expr->arg[0] : expr;
}

const struct tree_expr *tree_expr_cast(struct arena *arena, enum type type, const struct tree_expr *expr)
{
    const struct tree_expr **arg = ARENA_ARRAY(arena, 1, const struct tree_expr *);
    struct tree_expr *result = ARENA_NEW(arena, struct tree_expr);

    if (changes_sign(expr) && expr->arg[0]->type == type)
        return expr->arg[0];
    arg[0] = expr;
    *result = (struct tree_expr){.kind = TREE_CAST, .type = type, .arg = arg, .n_arg = 1};
    return expr->type == type ? expr : result;
}

const struct tree_expr *tree_expr_unwidened(const struct tree_expr *expr)
{
    while (expr->kind == TREE_CAST && type_holds(expr->type, expr->arg[0]->type))
        expr = expr->arg[0];
    return expr;
}

/* Are the lanes' elements as far from the first one's? */
static bool same_distances(const struct element *a, const struct element *b)
{
    if (a->lane_step != LANES_APART)
        return true;
    if (!a->lane_factor != !b->lane_factor || a->n_lane_index != b->n_lane_index || !a->distance != !b->distance ||
        (a->distance && !tree_expr_equal(a->distance, b->distance)))
        return false;
    for (int k = 0; k < a->array->n_dim && a->lane_factor; k++)
        if (a->lane_factor[k] != b->lane_factor[k])
            return false;
    for (int k = 0; k < a->n_lane_index; k++)
        if (!affine_equal(a->lane_index[k], b->lane_index[k]))
            return false;
    return true;
}

bool element_same_subscripts(const struct element *a, const struct element *b)
{
    for (int k = 0; k < a->array->n_dim; k++)
        if (!affine_equal(a->index[k], b->index[k]))
            return false;
    return true;
}

bool element_equal(const struct element *a, const struct element *b)
{
    if (a->array != b->array || a->lane_step != b->lane_step || a->indirect || b->indirect || a->parts != b->parts ||
        a->part != b->part)
        return false;
    return element_same_subscripts(a, b) && same_distances(a, b);
}

static const struct tree_expr *without_casts(const struct tree_expr *expr)
{
    while (expr->kind == TREE_CAST)
        expr = expr->arg[0];
    return expr;
}

const struct tree_expr *node_added(const struct node *assign)
{
    const struct tree_expr *value = without_casts(assign->value), *old;

    if (assign->op == OP_ADD)
        return value;
    if (assign->op != OP_NONE || value->kind != TREE_BINARY || value->op != OP_ADD)
        return NULL;
    old = without_casts(value->arg[0]);
    return old->kind == TREE_LOAD && element_equal(&old->element, &assign->target) ? without_casts(value->arg[1])
                                                                                   : NULL;
}

bool element_apart(struct arena *arena, const struct element *a, const struct element *b)
{
    int64_t difference;

    if (a->array != b->array)
        return true;
    for (int k = 0; k < a->array->n_dim; k++)
        if (a->index[k] && b->index[k] &&
            affine_is_constant(affine_sub(arena, a->index[k], b->index[k]), &difference) && difference != 0)
            return true;
    return false;
}

static bool same_list(const struct tree_expr *a, const struct tree_expr *b)
{
    if (!a->list || !b->list)
        return a->list == b->list;
    for (int64_t k = 0; k < a->integer; k++)
        if (a->list[k] != b->list[k])
            return false;
    return true;
}

bool tree_expr_equal(const struct tree_expr *a, const struct tree_expr *b)
{
    if (a->kind != b->kind || a->type != b->type || a->n_arg != b->n_arg || a->op != b->op ||
        a->function != b->function || a->permit != b->permit || a->integer != b->integer || a->scalar != b->scalar ||
        a->var != b->var || !same_list(a, b) || !affine_equal(a->affine, b->affine) ||
        (a->kind == TREE_LOAD && !element_equal(&a->element, &b->element)) ||
        (a->kind == TREE_REAL && strcmp(a->spelling, b->spelling) != 0))
        return false;
    for (int k = 0; k < a->n_arg; k++)
        if (!tree_expr_equal(a->arg[k], b->arg[k]))
            return false;
    return true;
}
