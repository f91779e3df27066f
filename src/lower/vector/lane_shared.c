/* What all lanes do even if none of them is active, part of pass "vectors": loads of one element, divisions. */
#include "lower/vector/lanes.h"
#include "lower/vector/reach.h"

#include "tree/visit.h"

/* What all lanes do together, even if none of them is active. */
struct shared {
    const struct facts *facts; /* which say what elements are there in any case; NULL: that does not count */
    const struct array *array; /* an element of it is read or updated; NULL: of none */
    bool divides;              /* integers are divided */
};

static void find_shared(const struct tree_expr *expr, void *user)
{
    const struct array *array = expr->kind == TREE_LOAD ? expr->element.array : NULL;
    struct shared *shared = user;

    if (array && array->n_dim > 0 && !array->is_buffer && expr->element.lane_step == 0 &&
        !(shared->facts && reach_is_there(shared->facts, &expr->element)))
        shared->array = array;
    shared->divides |= lanes_divides(expr);
}

static void find_total(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_TOTAL;
}

/* What runs for a single lane has a condition of its own; the target of a sum is what its lanes share. */
static void find_shared_loads(const struct node *node, void *user)
{
    bool total = false;

    if (node->kind != NODE_ASSIGN && node->kind != NODE_LET)
        return;
    tree_expr_for_each(node->value, find_total, &total);
    if (node->vector || total)
        tree_expr_for_each(node->value, find_shared, user);
    if (node->vector)
        tree_expr_for_each(node->guard_value, find_shared, user);
    if (total && node->target.array->n_dim > 0)
        ((struct shared *)user)->array = node->target.array;
}

static const struct node *under(struct arena *arena, const struct affine *at_least_zero, const struct node *body)
{
    struct condition *any = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    *any = (struct condition){at_least_zero, false};
    *guard = (struct guard){any, 1};
    return node_if(arena, guard, 1, body);
}

const struct node *lanes_if_any(struct lanes *lanes, const struct affine *count, const struct node *body)
{
    struct shared shared = {0};

    node_for_each(body, find_shared_loads, &shared);
    if ((!shared.array && !shared.divides) || (!shared.divides && lanes->runs && lanes->runs(lanes->user, count, body)))
        return body;
    return under(lanes->lowering->arena, affine_add_constant(lanes->lowering->arena, count, -1), body);
}

const struct node *lanes_check_shared(struct lanes *lanes, const struct node *body)
{
    struct shared shared = {.facts = lanes->facts};

    if (body)
        node_for_each(body, find_shared_loads, &shared);
    if (shared.divides)
        return lanes_refuse(lanes, NULL, "a division under a condition would run in vectors where it holds in no lane");
    if (!shared.array)
        return body;
    return lanes_refuse_name(lanes, "the lanes under a condition share an element of ", shared.array->name,
                             ", which may not be there when it holds in none of them");
}

const struct tree_expr *lanes_check_side(struct lanes *lanes, const struct tree_expr *side)
{
    struct shared shared = {.facts = lanes->facts};

    if (side)
        tree_expr_for_each(side, find_shared, &shared);
    if (!shared.array)
        return side;
    lanes_refuse_name(lanes, "where a condition on the lanes holds they share an element of ", shared.array->name,
                      ", which may not be there when it holds in none of them");
    return NULL;
}

static void find_division(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= lanes_divides(expr);
}

bool lanes_assign_divides(const struct node *assign)
{
    bool divides = lanes_divides_sometimes(assign->value);

    if (assign->guard_value) {
        tree_expr_for_each(assign->value, find_division, &divides);
        divides |= lanes_divides_sometimes(assign->guard_value);
    }
    return divides;
}

static bool is_read(const struct var *var, const void *user)
{
    (void)user;
    return var->is_read;
}

/* Is the subscript computed from what is read? */
static bool is_computed(const struct element *element, int k)
{
    const struct tree_expr *index = element->indirect ? element->indirect[k] : NULL;

    while (index && index->kind == TREE_CAST)
        index = index->arg[0];
    return index ? index->kind != TREE_LOAD : affine_any_var(element->index[k], is_read, NULL);
}

static void find_computed(const struct tree_expr *expr, void *user)
{
    bool *found = user;

    for (int k = 0; expr->kind == TREE_LOAD && k < expr->element.array->n_dim; k++)
        *found |= is_computed(&expr->element, k);
}

bool lanes_loads_by_condition(const struct node *assign)
{
    bool found = false;

    if (assign->guard_value)
        tree_expr_for_each(assign->value, find_computed, &found);
    return found;
}
