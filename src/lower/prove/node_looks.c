#include "lower/prove/node_looks.h"

#include "lower/prove/own_part.h"

/* A name that was looked through, and what it was used for. */
struct seen {
    const struct node *let;
    const struct expr *own;
};

struct finding {
    struct arena *arena;
    struct running *running;
    const struct statement *statement;
    struct node_looks *found;
    VEC(struct seen) seen;
};

bool looks_through(const struct node *let, const struct statement *statement, bool whole)
{
    return !let->statement || (whole && !let->argument && let->statement == statement);
}

/* Is it a name to be looked through, for own? Adds it to those that were. */
static bool is_new_name(struct finding *finding, const struct node *let, const struct expr *own, bool whole)
{
    if (!let || !looks_through(let, finding->statement, whole))
        return false;
    for (int k = 0; k < finding->seen.n; k++)
        if (finding->seen.at[k].let == let && finding->seen.at[k].own == own)
            return false;
    VEC_PUSH(finding->arena, &finding->seen, ((struct seen){let, own}));
    return true;
}

/* What expr, which computes own, loads. */
static void add_loads(struct finding *finding, const struct tree_expr *expr, const struct expr *own)
{
    const struct node *let;

    if (!expr)
        return;
    if (own_differs(own, expr))
        finding->found->differs = true;
    if (expr->kind == TREE_LOAD) {
        const int64_t group = expr->integer > 0 ? expr->integer : 1;
        const struct look look = {&expr->element, own_access(own, expr), group, false, false};
        VEC_PUSH(finding->arena, &finding->found->looks, look);
    }
    let = expr->kind == TREE_NAMED ? running_let(finding->running, expr->var) : NULL;
    if (is_new_name(finding, let, own, expr == finding->found->node->value))
        add_loads(finding, let->value, own);
    for (int k = 0; expr->element.indirect && k < expr->element.array->n_dim; k++)
        add_loads(finding, expr->element.indirect[k], NULL);
    for (int k = 0; k < expr->n_arg; k++)
        add_loads(finding, expr->arg[k], own_operand(own, expr, k));
}

/* Does the affine grow by as much from each value of var to the next? */
static bool is_linear_in(const struct affine *affine, const struct var *var)
{
    for (int k = 0; k < affine->n_term; k++) {
        const struct affine one = {0, 1, &affine->term[k]};
        if (affine->term[k].atom->kind != ATOM_VAR && affine_uses(&one, var))
            return false;
    }
    return true;
}

/* The same from each lane, and each iteration of the innermost loop, to the next. */
static bool does_follow(const struct running *running, const struct node *node, const struct affine *affine)
{
    bool follows = true;

    for (int k = 0; k < node->n_inner && follows; k++)
        follows = is_linear_in(affine, node->inner[k].var);
    for (int k = running->n - node->n_inner - 1; k >= 0 && running->place.loop && follows; k--) {
        if (running->var[k] == running->place.loop)
            return is_linear_in(affine, running->var[k]);
        follows = running->let[k] || !affine_uses(affine, running->var[k]);
    }
    return follows;
}

static bool do_instances_follow(const struct running *running, const struct node *node)
{
    bool follow = node->argument && node->n_also == 0;

    for (int k = 0; follow && k < node->statement->n_loop; k++)
        follow = does_follow(running, node, node->argument[k]);
    return follow;
}

static bool does_element_follow(const struct running *running, const struct node *node, const struct element *element)
{
    bool follows = true;

    for (int d = 0; d < element->array->n_dim && follows; d++)
        follows = !element->index[d] || does_follow(running, node, element->index[d]);
    return follows;
}

static void find(struct arena *arena, struct running *running, struct node_looks *found)
{
    const struct node *node = found->node;
    struct finding finding = {.arena = arena, .running = running, .statement = node->statement, .found = found};

    if (node->kind == NODE_ASSIGN)
        VEC_PUSH(arena, &found->looks, ((struct look){&node->target, NULL, 1, true, false}));
    add_loads(&finding, node->value, own_value(node));
    add_loads(&finding, node->guard_value, NULL);
    found->follow = do_instances_follow(running, node);
    for (int k = 0; k < found->looks.n; k++)
        found->looks.at[k].follows = found->follow && does_element_follow(running, node, found->looks.at[k].element);
    for (int k = 0; k < node->n_inner; k++)
        found->has_lanes |= node->inner[k].lane;
    found->at = ARENA_ARRAY(arena, found->looks.n + 1, const struct stored_access *);
}

struct node_looks *node_looks(struct looks_table *table, struct running *running, const struct node *node)
{
    struct node_looks **bucket = &table->bucket[(uintptr_t)node / sizeof(void *) % LOOKS_BUCKETS], *looks = *bucket;

    while (looks && looks->node != node)
        looks = looks->next;
    if (looks)
        return looks;
    looks = ARENA_NEW(table->arena, struct node_looks);
    looks->node = node;
    looks->next = *bucket;
    find(table->arena, running, looks);
    return *bucket = looks;
}
