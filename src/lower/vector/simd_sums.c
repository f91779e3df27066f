#include "lower/vector/simd_sums.h"

#include "base/vec.h"
#include "lower/vector/lanes.h"
#include "lower/facts/some_update.h"
#include "program/program.h"
#include "tree/layout.h"
#include "tree/visit.h"

#include <ctype.h>
#include <string.h>

/* An element that all iterations of the loop update. */
struct shared_sum {
    const struct node *assign; /* its first update */
    struct lane_total total;
    bool named; /* total has a variable of its own, the element being no local variable */
};

struct search {
    struct lowering *lowering;
    const struct facts *outside; /* of the loop, which has iterations */
    const struct node *loop;
    bool called;
    int n_assign, n_call;           /* assignments in the loop, and functions of tiles that are partial */
    const struct guard *guard;      /* where this does not hold, no iteration updates what may not be there */
    VEC(const struct var *) inner;  /* variables of the loops inside */
    VEC(const struct array *) own;  /* arrays that each iteration has for itself */
    VEC(const struct node *) apart; /* updates of elements that each iteration has for itself */
    VEC(struct shared_sum) sums;
    const char *refusal, *hint;
};

static bool is_own(const struct search *search, const struct array *array)
{
    for (int k = 0; k < search->own.n; k++)
        if (search->own.at[k] == array)
            return true;
    return array_is_within(array, search->loop->info->id);
}

/* before, the array's name, after */
static void refuse(struct search *search, const struct element *target, const char *before, const char *after,
                   const char *hint)
{
    if (search->refusal)
        return;
    search->refusal = arena_printf(search->lowering->arena, "%s`%s`%s", before, target->array->name, after);
    search->hint = hint;
}

static void note_own(const struct node *node, void *user)
{
    struct search *search = user;

    search->n_assign += node->kind == NODE_ASSIGN;
    search->n_call += node->kind == NODE_CALL;
    if (node->kind == NODE_ASSIGN && node->declares)
        VEC_PUSH(search->lowering->arena, &search->own, node->target.array);
    for (int k = 0; k < node->n_local; k++)
        VEC_PUSH(search->lowering->arena, &search->own, node->local[k]);
    for (int k = 0; k < node->n_own && node != search->loop; k++)
        VEC_PUSH(search->lowering->arena, &search->own, node->own[k]);
    if (node->var && node != search->loop)
        VEC_PUSH(search->lowering->arena, &search->inner, node->var);
}

/* Does a clause of the loop in threads hold for the array already? Elements of arguments get a variable for threads and
 * lanes: of `for simd reduction(+ : s[:1])` clang 14 with -O1 makes wrong sums. */
static bool has_clause(const struct node *loop, const struct array *array)
{
    for (int k = 0; loop->threads && k < loop->threads->n_reduction; k++)
        if (!array_is_argument(array) && strcmp(loop->threads->reduction[k]->target->array->name, array->name) == 0)
            return true;
    return false;
}

static bool uses(const struct element *element, const struct var *var)
{
    bool used = false;

    for (int k = 0; k < element->array->n_dim; k++)
        used = used || !element->index[k] || affine_uses(element->index[k], var);
    return used;
}

/* Does the subscript change inside of one iteration? */
static bool moves_along(const struct search *search, const struct affine *index)
{
    for (int k = 0; k < search->inner.n; k++)
        if (affine_uses(index, search->inner.at[k]))
            return true;
    return false;
}

static bool moves(const struct search *search, const struct element *element)
{
    for (int k = 0; k < element->array->n_dim; k++)
        if (element->index[k] && moves_along(search, element->index[k]))
            return true;
    return false;
}

/* By how much the subscript moves on from one iteration to the next, if that is all it does; 0: it is not. */
static int64_t step_of(const struct search *search, const struct affine *index)
{
    const struct node *loop = search->loop;
    int64_t factor;

    if (!index || moves_along(search, index) ||
        !affine_linear_factor(search->lowering->arena, index, loop->var, &factor))
        return 0;
    return factor * loop->step;
}

/* Do different iterations update different elements? */
static bool tells_apart(const struct search *search, const struct element *element)
{
    for (int k = 0; k < element->array->n_dim; k++)
        if (step_of(search, element->index[k]) != 0)
            return true;
    return false;
}

/* Do the subscripts a and b tell any two iterations apart? */
static bool stay_apart(const struct search *search, const struct affine *a, const struct affine *b)
{
    const int64_t step = step_of(search, a);
    int64_t distance;

    if (!a || !b || !affine_is_constant(affine_sub(search->lowering->arena, a, b), &distance))
        return false;
    if (step == 0)
        return distance != 0 && !affine_uses(a, search->loop->var) && !moves_along(search, a);
    return distance % step != 0 || distance == 0;
}

/* Do no two iterations update one element, the one by a and the other by b? */
static bool elements_stay_apart(const struct search *search, const struct element *a, const struct element *b)
{
    bool apart = a->array != b->array;

    for (int k = 0; k < a->array->n_dim && !apart; k++)
        apart = stay_apart(search, a->index[k], b->index[k]);
    return apart;
}

/* The type of the variable: parts of sums and products may be too large for the element's. */
static enum type total_type(enum expr_op op, enum type type)
{
    if (type_is_float(type) || !op_grows(op))
        return type;
    return type_bits(type) == 64 ? TYPE_U64 : TYPE_U32;
}

static const struct var *named(struct search *search, const struct element *target, enum expr_op op)
{
    static const char *const words[OP_NONE + 1] = {
        [OP_ADD] = "sum", [OP_MUL] = "product", [OP_MIN] = "min", [OP_MAX] = "max"};
    struct lowering *lowering = search->lowering;
    char *name = arena_copy(lowering->arena,
                            arena_printf(lowering->arena, "%s_%s", target->array->name, words[op] ? words[op] : "all"));

    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return lower_new_var(lowering, VAR_VALUE, names_unique(&lowering->taken, name));
}

static void add_sum(struct search *search, const struct node *assign, enum expr_op op)
{
    const struct array *array = assign->target.array;
    const enum type type = total_type(op, array->type);
    const bool named_by_itself =
        array->n_dim == 0 && !array_is_argument(array) && !search->called && type == array->type;
    struct shared_sum sum = {assign, {op, NULL, type, array}, !named_by_itself};

    for (int k = 0; k < search->sums.n; k++)
        if (element_equal(&search->sums.at[k].assign->target, &assign->target))
            return;
    sum.total.var = named_by_itself ? NULL : named(search, &assign->target, op);
    VEC_PUSH(search->lowering->arena, &search->sums, sum);
}

/* May the element be loaded and stored around the loop? Where it may not be there, under the condition that some
 * iteration updates it, if nothing else is in the loop. */
static bool is_there(struct search *search, const struct node *assign)
{
    const struct node *loop = search->loop;
    const struct guard *guard;

    if (element_is_there(search->outside, &assign->target))
        return true;
    if (!some_update(search->outside, loop, loop->child[0], assign, &guard) || (guard && search->n_assign > 1))
        return false;
    search->guard = guard;
    return true;
}

/* What all iterations update is summed up; what each has for itself stays as it is. */
static void search_update(struct search *search, const struct node *assign)
{
    const struct element *target = &assign->target;
    const struct tree_expr *value;
    bool negative;
    const enum expr_op op = lanes_update(search->lowering->arena, assign, &value, &negative);

    if (tells_apart(search, target))
        VEC_PUSH(search->lowering->arena, &search->apart, assign);
    else if (uses(target, search->loop->var))
        refuse(search, target, "iterations may update the same element of ", ", and not all the same one",
               "vectorize another loop");
    else if (moves(search, target))
        refuse(search, target, "all iterations update elements of ", " that change inside of one",
               "vectorize an inner loop, or `reorder` the loops such that this one is inside");
    else if (!is_there(search, assign))
        refuse(search, target, "the element of ", " may not be there when no iteration updates it",
               "give the statement a loop of its own by `fission`: it then has only iterations that update");
    else if (op == OP_NONE)
        refuse(search, target, "the update of ", " has no form that OpenMP sums up", "write it as `x += e`");
    else if (search->n_call > 0)
        refuse(search, target, "functions of partial tiles update ", ", which iterations sum up",
               "give the tail another form than `cases`");
    else
        add_sum(search, assign, op);
}

/* An update that may be made in any order, of what is no iteration's own. */
static bool is_free_update(const struct search *search, const struct node *node)
{
    enum expr_op op;

    return node->kind == NODE_ASSIGN && !is_own(search, node->target.array) && node->statement &&
           !has_clause(search->loop, node->target.array) && statement_is_update(node->statement, &op) &&
           update_order_is_free(search->lowering->program, node->statement, op);
}

static void search_node(struct search *search, const struct node *node)
{
    if (is_free_update(search, node))
        search_update(search, node);
    for (int k = 0; k < node->n_child; k++)
        search_node(search, node->child[k]);
}

/* An element that has a variable must have no other name in the loop, and what an iteration has for itself, none in
 * another iteration. */
static void check_apart(struct search *search)
{
    struct arena *arena = search->lowering->arena;

    for (int k = 0; k < search->sums.n; k++) {
        const struct element *target = &search->sums.at[k].assign->target;
        bool apart = true;
        for (int l = 0; l < search->apart.n; l++)
            apart = apart && element_apart(arena, target, &search->apart.at[l]->target);
        for (int l = 0; l < k; l++)
            apart = apart && element_apart(arena, target, &search->sums.at[l].assign->target);
        if (!apart)
            refuse(search, target, "two updates of ", " may be of one element", "separate them by `fission`");
    }
    for (int k = 0; k < search->apart.n; k++)
        for (int l = 0; l < k; l++)
            if (!elements_stay_apart(search, &search->apart.at[k]->target, &search->apart.at[l]->target))
                refuse(search, &search->apart.at[k]->target, "two iterations may update one element of ",
                       ", by different updates", "separate them by `fission`");
}

/* Are the two never one element where the facts hold? */
static bool are_apart(const struct facts *facts, const struct element *a, const struct element *b)
{
    struct arena *arena = facts->lowering->arena;
    struct facts same = *facts;

    if (a->array != b->array || element_apart(arena, a, b))
        return true;
    for (int k = 0; k < a->array->n_dim; k++) {
        if (!a->index[k] || !b->index || !b->index[k])
            continue;
        facts_assume(&same, affine_sub(arena, a->index[k], b->index[k]));
        facts_assume(&same, affine_sub(arena, b->index[k], a->index[k]));
    }
    return !facts_possible(&same);
}

/* A place in the loop, for the loads there. */
struct place_of_loads {
    struct search *search;
    const struct facts *facts;
    const struct element *summed; /* what is summed up here, which its own update loads; or NULL */
};

static void check_use(const struct place_of_loads *place, const struct element *element)
{
    for (int k = 0; k < place->search->sums.n; k++) {
        const struct element *target = &place->search->sums.at[k].assign->target;
        if (!are_apart(place->facts, target, element))
            refuse(place->search, target, "all iterations update an element of ", ", which one of them uses otherwise",
                   "separate the two by `fission`");
    }
}

static void check_load(const struct tree_expr *expr, void *user)
{
    const struct place_of_loads *place = user;

    if (expr->kind == TREE_LOAD && !(place->summed && element_equal(&expr->element, place->summed)))
        check_use(place, &expr->element);
}

/* What is summed up in a variable is nothing else in the loop: it is neither set nor read there. */
static void check_others(struct search *search, const struct facts *facts, const struct node *node)
{
    const bool summed = is_free_update(search, node);
    struct place_of_loads place = {search, facts, summed ? &node->target : NULL};

    if (node->kind == NODE_ASSIGN && !summed)
        check_use(&place, &node->target);
    tree_expr_for_each(node->value, check_load, &place);
    tree_expr_for_each(node->guard_value, check_load, &place);
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        check_others(search, &inside, node->child[k]);
    }
}

static const struct tree_expr *name_of(struct arena *arena, const struct lane_total *total)
{
    struct tree_expr *name = ARENA_NEW(arena, struct tree_expr);

    *name = (struct tree_expr){.kind = TREE_NAMED, .type = total->type, .var = total->var};
    return name;
}

/* `min(x, e)` with the variable for x. */
static const struct tree_expr *extreme(struct arena *arena, enum expr_op op, const struct lane_total *total,
                                       const struct tree_expr *value)
{
    const struct tree_expr **arg = ARENA_ARRAY(arena, 2, const struct tree_expr *);
    struct tree_expr *call = ARENA_NEW(arena, struct tree_expr);

    arg[0] = name_of(arena, total);
    arg[1] = value;
    *call = (struct tree_expr){.kind = TREE_CALL,
                               .type = total->type,
                               .arg = arg,
                               .n_arg = 2,
                               .function = op == OP_MIN ? FUNCTION_MIN : FUNCTION_MAX};
    return call;
}

static const struct node *update_in_variable(struct arena *arena, const struct node *assign,
                                             const struct shared_sum *sum)
{
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct tree_expr *value;
    bool negative;
    const enum expr_op op = lanes_update(arena, assign, &value, &negative);
    const bool calls = op_is_extreme(op);

    *copy = *assign;
    copy->into = &sum->total;
    copy->wrap = false;
    copy->op = calls ? OP_NONE : negative ? OP_SUB : op;
    copy->value = calls ? extreme(arena, op, &sum->total, value) : tree_expr_cast(arena, sum->total.type, value);
    return copy;
}

static const struct node *in_variables(struct search *search, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(search->lowering->arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < search->sums.n && node->kind == NODE_ASSIGN; k++) {
        const struct shared_sum *sum = &search->sums.at[k];
        if (sum->named && element_equal(&sum->assign->target, &node->target))
            return update_in_variable(search->lowering->arena, node, sum);
    }
    for (int k = 0; k < node->n_child; k++)
        child[k] = in_variables(search, node->child[k]);
    return node->n_child ? node_with_children(search->lowering->arena, node, child) : node;
}

/* inner, where the variable exists, which starts as the element. */
static const struct node *declared(struct arena *arena, const struct shared_sum *sum, const struct node *inner)
{
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct tree_expr *old = ARENA_NEW(arena, struct tree_expr);
    struct node *let = ARENA_NEW(arena, struct node);

    child[0] = inner;
    *old =
        (struct tree_expr){.kind = TREE_LOAD, .type = sum->assign->target.array->type, .element = sum->assign->target};
    *let = (struct node){.kind = NODE_LET,
                         .op = OP_NONE,
                         .child = child,
                         .n_child = 1,
                         .var = sum->total.var,
                         .value = tree_expr_cast(arena, sum->total.type, old),
                         .declares = DECLARE_VARIABLE};
    return let;
}

/* The element becomes what the variable is. */
static const struct node *brought_back(struct arena *arena, const struct shared_sum *sum)
{
    struct node *end = ARENA_NEW(arena, struct node);

    *end = *sum->assign;
    end->argument = NULL;
    end->op = OP_NONE;
    end->guard_value = NULL;
    end->wrap = false;
    end->value = tree_expr_cast(arena, end->target.array->type, name_of(arena, &sum->total));
    return end;
}

/* loop with the variables around it. */
static const struct node *around(struct search *search, const struct node *loop)
{
    struct arena *arena = search->lowering->arena;
    const struct node **part = ARENA_ARRAY(arena, search->sums.n + 1, const struct node *), *node;
    int n = 0;

    part[n++] = loop;
    for (int k = 0; k < search->sums.n; k++)
        if (search->sums.at[k].named)
            part[n++] = brought_back(arena, &search->sums.at[k]);
    node = node_block(arena, part, n);
    for (int k = search->sums.n - 1; k >= 0; k--)
        if (search->sums.at[k].named)
            node = declared(arena, &search->sums.at[k], node);
    return node;
}

static bool has_variable(const struct search *search, const struct array *array)
{
    for (int k = 0; k < search->sums.n; k++)
        if (strcmp(search->sums.at[k].assign->target.array->name, array->name) == 0)
            return true;
    return false;
}

/* The loop's threads without the sums that have a variable; NULL where there are no threads. */
static const struct threads *without_sums(const struct search *search, const struct threads *threads)
{
    struct arena *arena = search->lowering->arena;
    const struct statement **reduction;
    struct threads *copy;

    if (!threads)
        return NULL;
    reduction = ARENA_ARRAY(arena, threads->n_reduction + 1, const struct statement *);
    copy = ARENA_NEW(arena, struct threads);
    *copy = *threads;
    copy->reduction = reduction;
    copy->n_reduction = 0;
    for (int k = 0; k < threads->n_reduction; k++)
        if (!has_variable(search, threads->reduction[k]->target->array))
            reduction[copy->n_reduction++] = threads->reduction[k];
    return copy;
}

static const struct node *with_clauses(struct search *search, const struct node *loop)
{
    struct arena *arena = search->lowering->arena;
    struct lane_total *total = ARENA_ARRAY(arena, search->sums.n + 1, struct lane_total);
    struct node *copy = ARENA_NEW(arena, struct node);

    for (int k = 0; k < search->sums.n; k++)
        total[k] = search->sums.at[k].total;
    *copy = *in_variables(search, loop);
    copy->threads = without_sums(search, loop->threads);
    copy->total = total;
    copy->n_total = search->sums.n;
    return copy;
}

/* node with what values stand for in the places of their names. */
static const struct node *without_values(struct arena *arena, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);

    if (node->kind == NODE_VALUE)
        return without_values(arena, node_substitute(arena, node->child[0], node->var, node->lower));
    for (int k = 0; k < node->n_child; k++)
        child[k] = without_values(arena, node->child[k]);
    return node->n_child ? node_with_children(arena, node, child) : node;
}

struct simd_sums simd_sums_of(const struct facts *outside, const struct node *loop, bool called)
{
    struct lowering *lowering = outside->lowering;
    struct search search = {.lowering = lowering, .outside = outside, .called = called};
    struct simd_sums result = {loop, loop, NULL, NULL};

    search.loop = loop = without_values(lowering->arena, loop);
    node_for_each(loop, note_own, &search);
    search_node(&search, loop->child[0]);
    check_apart(&search);
    if (search.sums.n > 0)
        check_others(&search, outside, loop);
    result.refusal = search.refusal;
    result.hint = search.hint;
    if (search.refusal || search.sums.n == 0)
        return result;
    result.loop = with_clauses(&search, loop);
    result.node = around(&search, result.loop);
    if (search.guard)
        result.node = node_if(lowering->arena, search.guard, 1, result.node);
    return result;
}
