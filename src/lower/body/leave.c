#include "lower/body/leave.h"

#include "lower/facts/conjuncts.h"
#include "lower/facts/facts.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

#include <string.h>

/* A loop that is looked at. */
struct look {
    struct lowering *lowering;
    VEC(const struct var *) inner; /* what is bound in it, its own variable included */
    bool refused, started;
    conjunct_vec common; /* conditions that all assignments so far have */
    const struct node *loop;
};

/* Does it run in threads, lanes or at positions of a launch, or is it one piece of several? */
static bool is_plain(const struct node *loop)
{
    const struct loop_plan *plan = loop->info ? loop->info->plan : NULL;

    return loop->kind == NODE_LOOP && loop->axis == AXIS_NONE && !loop->threads && !loop->joined && !loop->continues &&
           !loop->once && !loop->simd && !(plan && plan->vector);
}

static void keep_common(struct look *look, const struct tree_expr *condition)
{
    conjunct_vec own = {0};
    int n = 0;

    conjuncts_add(look->lowering->arena, condition, &own);
    if (!look->started)
        look->common = own;
    look->started = true;
    for (int k = 0; k < look->common.n; k++)
        if (conjuncts_have(&own, look->common.at[k]))
            look->common.at[n++] = look->common.at[k];
    look->common.n = n;
}

static void look_at(const struct node *node, void *user)
{
    struct look *look = user;

    if (node->var)
        VEC_PUSH(look->lowering->arena, &look->inner, node->var);
    switch (node->kind) {
    case NODE_BLOCK:
    case NODE_VALUE:
    case NODE_SWITCH:
    case NODE_LET:
        break;
    case NODE_IF:
        look->refused |= node->value != NULL;
        break;
    case NODE_LOOP:
        look->refused |= node->axis != AXIS_NONE || node->threads;
        break;
    case NODE_ASSIGN:
        look->refused |= !node->guard_value || node->warp_sum || node->asynchronous || node->streams;
        if (node->guard_value)
            keep_common(look, node->guard_value);
        break;
    default:
        look->refused = true;
    }
}

/* What runs first in each iteration, whatever holds there; NULL: that is not known. *sure is left where a loop around
 * it has an iteration. */
static const struct node *first_assignment(const struct facts *facts, const struct node *node, bool *sure)
{
    struct facts inside = *facts;

    switch (node->kind) {
    case NODE_ASSIGN:
        return node;
    case NODE_LOOP:
        *sure =
            *sure && node->step > 0 && facts_imply(facts, affine_sub(facts->lowering->arena, node->upper, node->lower));
        break;
    case NODE_BLOCK:
    case NODE_VALUE:
    case NODE_LET:
        break;
    default:
        return NULL;
    }
    facts_enter(&inside, node, 0);
    return node->n_child > 0 ? first_assignment(&inside, node->child[0], sure) : NULL;
}

struct writing {
    const struct array *array;
    bool found;
};

static void find_write(const struct node *node, void *user)
{
    struct writing *writing = user;

    writing->found |= node->kind == NODE_ASSIGN && node->target.array == writing->array;
}

/* Is it a temporary of such a loop that this loop sets? */
static bool tells_end(const struct look *look, const struct tree_expr *conjunct)
{
    struct writing writing = {conjunct_while(conjunct), false};

    if (writing.array)
        node_for_each(look->loop, find_write, &writing);
    return writing.found;
}

static bool is_same_in_all(const struct look *look, const struct tree_expr *conjunct)
{
    bool same = true;

    for (int k = 0; k < look->inner.n && same; k++)
        same = !tree_expr_uses(conjunct, look->inner.at[k]);
    return same;
}

/* The leading conditions of the list that all assignments have, up to the last one that may end the loop; NULL: none
 * may end it. */
static const struct tree_expr *condition_of(const struct look *look, const conjunct_vec *list)
{
    struct arena *arena = look->lowering->arena;
    const struct tree_expr *all = NULL, *condition = NULL;

    for (int k = 0; k < list->n; k++) {
        if (!conjuncts_have(&look->common, list->at[k]) || !is_same_in_all(look, list->at[k]))
            break;
        all = all ? tree_expr_binary(arena, OP_LAND, TYPE_I32, all, list->at[k]) : list->at[k];
        if (tells_end(look, list->at[k]))
            condition = all;
    }
    return condition;
}

/* Does it read nothing but what is there, and set in front of the loop? */
static bool is_of_temporaries(const struct tree_expr *condition)
{
    if (condition->kind == TREE_BINARY && condition->op == OP_LAND)
        return is_of_temporaries(condition->arg[0]) && is_of_temporaries(condition->arg[1]);
    return conjunct_while(condition) != NULL;
}

static const struct node *ended(const struct facts *facts, const struct node *loop)
{
    struct look look = {.lowering = facts->lowering, .loop = loop};
    struct facts inside = *facts;
    const struct tree_expr *condition = NULL;
    const struct node *first;
    struct node *copy;
    conjunct_vec asked = {0};
    bool sure = true;

    node_for_each(loop, look_at, &look);
    if (look.refused || !look.started)
        return loop;
    facts_enter_loop(&inside, loop);
    first = first_assignment(&inside, loop->child[0], &sure);
    if (first)
        conjuncts_add(facts->lowering->arena, first->guard_value, &asked);
    condition = condition_of(&look, first ? &asked : &look.common);
    if (!condition || ((!first || !sure) && !is_of_temporaries(condition)))
        return loop;
    copy = ARENA_NEW(facts->lowering->arena, struct node);
    *copy = *loop;
    copy->guard_value = condition;
    return copy;
}

/* Do the compiler's vectors take what is in it? They have no loops of which lanes have different iterations. */
static bool in_compilers_lanes(const struct lowering *lowering, const struct node *node)
{
    const struct loop_plan *plan = node->info ? node->info->plan : NULL;

    return plan && plan->vector && strcmp(lowering->program->target.simd, "omp") == 0;
}

static const struct node *walk(struct lowering *lowering, const struct facts *facts, const struct node *node)
{
    struct arena *arena = lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (in_compilers_lanes(lowering, node))
        return node;
    for (int k = 0; k < node->n_child; k++) {
        const bool followed = node->kind == NODE_BLOCK && k + 1 < node->n_child && node->child[k + 1]->continues;
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = walk(lowering, &inside, node->child[k]);
        if (!followed && is_plain(child[k]))
            child[k] = ended(&inside, child[k]);
    }
    return node_with_children(arena, node, child);
}

struct telling {
    const struct array *array;
    bool ends;
};

static void find_end(const struct node *node, void *user)
{
    struct telling *telling = user;

    if (node->kind == NODE_LOOP && node->guard_value)
        telling->ends |= tree_expr_reads(node->guard_value, telling->array);
}

static const char *loop_of(const struct program *program, const struct array *array)
{
    for (int k = 0; k < program->n_statement; k++) {
        const struct statement *statement = program->statement[k];
        if (strcmp(statement->target->array->name, array->name) == 0 && statement->guard)
            return statement->loop_name[statement->n_loop - 1];
    }
    return array->name;
}

/* Loops that do not end early say so. */
static void tell(const struct program *program, struct diags *diags, const struct node *tree)
{
    for (int k = 0; k < program->n_array; k++) {
        struct telling telling = {&program->array[k], false};
        if (!telling.array->is_while)
            continue;
        node_for_each(tree, find_end, &telling);
        if (!telling.ends)
            diag_hint(diags,
                      diag_warning(diags, "while", telling.array->place,
                                   "`%s` goes through all of its iterations, each of which asks whether it runs",
                                   loop_of(program, telling.array)),
                      "a loop ends early where nothing else is in it, its iterations run one after the other, and the "
                      "lanes around it are not those of `omp`");
    }
}

const struct node *lower_leave(struct lowering *lowering, const struct program *laid_out, struct diags *diags,
                               const struct node *tree)
{
    const struct facts facts = facts_of_program(lowering);
    bool any = false;

    for (int k = 0; k < laid_out->n_array; k++)
        any = any || laid_out->array[k].is_while;
    if (!any)
        return tree;
    tree = walk(lowering, &facts, tree);
    if (tree)
        tell(laid_out, diags, tree);
    return tree;
}
