/* Pass "base": where subscripts in a loop that runs in vectors are an element of an array that nothing writes, the same
 * in all iterations, and what is affine, the element gets a name, and they are affine, too:
 *
 *     for (p = 0; p < p_end; p++)                 const int64_t start_i = start[i];
 *         y[i] += a[start[i] + p];                for (p = 0; p < p_end; p++)
 *                                                     y[i] += a[start_i + p];
 *
 * so that lanes which go through such an array are side by side. The element is there wherever the loop stands.
 */
#include "caps/simd.h"
#include "lower/body/clip_bound.h"
#include "lower/facts/some_update.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

/* A name for what an index reads. */
struct base_name {
    struct sum sum; /* without what is affine */
    const struct var *var;
};

struct bases {
    struct lowering *lowering;
    const struct facts *outside;
    const struct node *loop;
    var_list inner; /* the variables that are bound in the loop, its own, and the names made so far */
    VEC(struct base_name) name;
};

static void add_inner(const struct node *node, void *user)
{
    struct bases *bases = user;

    if (node->var)
        VEC_PUSH(bases->lowering->arena, &bases->inner, node->var);
}

static bool is_there(const struct bases *bases, const struct sum *sum)
{
    bool there = sum->n > 0;

    for (int k = 0; k < sum->n && there; k++)
        there = !load_moves(sum->load[k].expr, &bases->inner) &&
                element_is_there(bases->outside, &sum->load[k].expr->element);
    return there;
}

static const char *name_of(struct bases *bases, const struct element *element)
{
    struct lowering *lowering = bases->lowering;
    const struct affine *index = element->array->n_dim == 1 ? element->index[0] : NULL;
    const bool plain = index && index->constant == 0 && index->n_term == 1 && index->term->factor == 1 &&
                       index->term->atom->kind == ATOM_VAR;
    const char *wanted =
        plain ? arena_printf(lowering->arena, "%s_%s", element->array->name, index->term->atom->var->name)
              : arena_printf(lowering->arena, "%s_base", element->array->name);

    return names_unique(&lowering->taken, wanted);
}

static const struct var *var_of(struct bases *bases, const struct sum *sum)
{
    struct base_name name = {.sum = *sum};
    struct var *var;

    for (int k = 0; k < bases->name.n; k++)
        if (sum_equal(&bases->name.at[k].sum, sum))
            return bases->name.at[k].var;
    var = lower_new_var(bases->lowering, VAR_VALUE, name_of(bases, &sum->load[0].expr->element));
    var->is_read = true;
    name.var = var;
    VEC_PUSH(bases->lowering->arena, &bases->name, name);
    VEC_PUSH(bases->lowering->arena, &bases->inner, var);
    return var;
}

/* The subscript as what is affine with a name in it; NULL: it is none of these. */
static const struct affine *with_name(struct bases *bases, const struct tree_expr *indirect)
{
    struct arena *arena = bases->lowering->arena;
    struct facts inside = *bases->outside;
    struct sum sum;

    if (!sum_of(arena, indirect, &sum) || (sum.n > 1 && !sum_stays_in_range(&sum)) || !is_there(bases, &sum))
        return NULL;
    facts_enter_loop(&inside, bases->loop);
    if (!sum_fits(&inside, &sum))
        return NULL;
    const struct affine *rest = sum.affine;
    sum.affine = affine_constant(arena, 0);
    sum.n_narrow = 0;
    return affine_add(arena, rest, affine_var(arena, var_of(bases, &sum)));
}

static struct element named(struct arena *arena, const struct element *element, void *user)
{
    struct element result = *element;
    const struct affine **index;
    const struct tree_expr **indirect;
    bool any = false, changed = false;

    if (!element->array || !element->indirect)
        return result;
    index = ARENA_ARRAY(arena, element->array->n_dim, const struct affine *);
    indirect = ARENA_ARRAY(arena, element->array->n_dim, const struct tree_expr *);
    for (int k = 0; k < element->array->n_dim; k++) {
        index[k] = element->index[k] ? element->index[k] : with_name(user, element->indirect[k]);
        indirect[k] = index[k] ? NULL : element->indirect[k];
        any = any || indirect[k];
        changed = changed || index[k] != element->index[k];
    }
    if (!changed)
        return result;
    result.index = index;
    result.indirect = any ? indirect : NULL;
    return result;
}

static const struct node *renamed(struct bases *bases, const struct node *node)
{
    struct arena *arena = bases->lowering->arena;
    const struct node *own = node_map_elements(arena, node, named, bases);
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    for (int k = 0; own && k < node->n_child; k++)
        child[k] = renamed(bases, node->child[k]);
    return own ? node_with_children(arena, own, child) : NULL;
}

static const struct node *with_names(struct lowering *lowering, const struct facts *outside, const struct node *loop)
{
    struct arena *arena = lowering->arena;
    struct bases bases = {.lowering = lowering, .outside = outside, .loop = loop};
    const struct node *result;

    node_for_each(loop, add_inner, &bases);
    result = renamed(&bases, loop);
    for (int k = bases.name.n - 1; k >= 0 && result; k--) {
        const struct bound bound = {.sum = bases.name.at[k].sum};
        struct node *let = ARENA_NEW(arena, struct node);
        const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
        *let = (struct node){.kind = NODE_LET, .var = bases.name.at[k].var, .child = child, .n_child = 1};
        let->value = sum_value(arena, &bound.sum);
        let->limit = affine_constant(arena, 0);
        let->known = bound_known(lowering, &bound, let->var);
        child[0] = result;
        result = let;
    }
    return result;
}

static const struct node *walk(struct lowering *lowering, const struct facts *facts, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(lowering->arena, node->n_child + 1, const struct node *);

    if (node->kind == NODE_LOOP && node->info && node->info->plan && node->info->plan->vector && !lower_is_inner(node))
        return with_names(lowering, facts, node);
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = walk(lowering, &inside, node->child[k]);
    }
    return node_with_children(lowering->arena, node, child);
}

const struct node *lower_base(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);

    if (simd_asks_compiler(lowering->program->target.simd))
        return tree;
    lower_used_names(lowering, tree, &lowering->taken);
    return walk(lowering, &facts, tree);
}
