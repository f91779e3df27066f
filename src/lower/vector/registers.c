#include "lower/vector/registers.h"

#include "base/vec.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "sched/order.h"
#include "tree/visit.h"

/* How the elements of an array are accessed: by vectors of so many lanes, or one by one (1). */
struct use {
    const struct array *array;
    int lanes;
};

struct check {
    struct lowering *lowering;
    VEC(const struct node *) around; /* loops and values whose variable is no literal */
    VEC(const struct node *) loops;  /* all loops around */
    VEC(struct use) seen;
    int lanes; /* of the statement at hand */
};

static void find_statement(const struct node *node, void *user)
{
    const struct statement **statement = user;

    if (!*statement)
        *statement = node->statement;
}

/* The loop or value as a step names it; that of a copy with its statement's label, as there may be several. */
static const char *name_in_step(const struct check *check, const struct node *node)
{
    const char *name = node->info ? node->info->name : node->var->name;
    const struct statement *statement = NULL;

    if (node->info && node->info->is_copy && !node->info->follows)
        node_for_each(node, find_statement, &statement);
    return statement ? arena_printf(check->lowering->arena, "%s.%s", statement->label, name) : name;
}

static bool refuse(struct check *check, const struct array *array, const struct node *node)
{
    const char *name = name_in_step(check, node);
    struct diag *diag;

    if (check->lowering->refused)
        return false;
    diag = diag_error(check->lowering->diags, "memory", array->place,
                      "`%s` cannot be in registers: its elements are chosen by `%s`, which runs at run time",
                      array->name, name);
    if (node->info && node->info->plan && node->info->plan->unroll == UNROLL_FULL)
        diag_hint(check->lowering->diags, diag,
                  "{\"kernelize\": {\"unroll\": [\"%s\"]}} unrolls it where its end is not constant, too", name);
    else
        diag_hint(check->lowering->diags, diag, "add {\"unroll\": \"%s\"} to the plan, or choose other memory", name);
    check->lowering->refused = true;
    return false;
}

/* The lanes' elements are not neighbours: the last dimension is another loop's. */
static void refuse_apart(struct check *check, const struct array *array)
{
    struct diag *diag;

    if (!check->lowering->refused) {
        diag =
            diag_error(check->lowering->diags, "memory", array->place,
                       "`%s` cannot be in registers: the elements of the lanes are not neighbours in it", array->name);
        diag_hint(check->lowering->diags, diag, "name its loops in a \"layout\", with the one that runs in lanes last");
    }
    check->lowering->refused = true;
}

static void refuse_mixture(struct check *check, const struct array *array)
{
    struct diag *diag;

    if (!check->lowering->refused) {
        diag = diag_error(check->lowering->diags, "memory", array->place,
                          "`%s` cannot be in registers: not all of it is accessed in the same vectors", array->name);
        diag_hint(check->lowering->diags, diag,
                  "choose as many lanes everywhere, and a split without a rest or a target that has masks");
    }
    check->lowering->refused = true;
}

/* Is a a multiple of n wherever the loops around run? */
static bool is_multiple(const struct check *check, const struct affine *a, int64_t n)
{
    bool multiple = a->constant % n == 0;

    for (int k = 0; k < a->n_term && multiple; k++) {
        multiple = a->term[k].factor % n == 0;
        for (int l = 0; l < check->loops.n && !multiple; l++) {
            const struct node *loop = check->loops.at[l];
            multiple = loop->var == a->term[k].atom->var && loop->step % n == 0 && loop->lower->n_term == 0 &&
                       loop->lower->constant % n == 0;
        }
    }
    return multiple;
}

/* Vectors in registers are whole ones, and the array has nothing else. */
static void check_lanes(struct check *check, const struct element *element)
{
    const struct array *array = element->array;
    const int lanes = element->lane_step ? check->lanes : 1;

    if (element->lane_step != 0 && element->lane_step != 1)
        refuse_apart(check, array);
    if (element->lane_step != 0 &&
        (!is_multiple(check, element->index[array->n_dim - 1], lanes) ||
         (array->shape[array->n_dim - 1]->kind == EXPR_INT && array->shape[array->n_dim - 1]->integer % lanes != 0)))
        refuse_mixture(check, array);
    for (int k = 0; k < check->seen.n; k++)
        if (check->seen.at[k].array == array) {
            if (check->seen.at[k].lanes != lanes)
                refuse_mixture(check, array);
            return;
        }
    VEC_PUSH(check->lowering->arena, &check->seen, ((struct use){array, lanes}));
}

static void check_element(struct check *check, const struct element *element)
{
    if (!element->array || !element->array->in_registers)
        return;
    if (element->array->n_dim > 0)
        check_lanes(check, element);
    for (int k = 0; k < element->array->n_dim; k++)
        for (int l = 0; l < check->around.n; l++)
            if (affine_uses(element->index[k], check->around.at[l]->var))
                refuse(check, element->array, check->around.at[l]);
}

static void check_expr(const struct tree_expr *expr, void *user)
{
    if (expr->kind == TREE_LOAD)
        check_element(user, &expr->element);
}

static void walk(struct check *check, const struct node *node)
{
    const bool variable = node->var && !node->unroll && !node->simd;

    check->lanes = node->vector ? node->vector->lanes : 1;
    if (node->kind == NODE_ASSIGN) {
        check_element(check, &node->target);
        tree_expr_for_each(node->value, check_expr, check);
        tree_expr_for_each(node->guard_value, check_expr, check);
    }
    if (variable)
        VEC_PUSH(check->lowering->arena, &check->around, node);
    if (node->kind == NODE_LOOP)
        VEC_PUSH(check->lowering->arena, &check->loops, node);
    for (int k = 0; k < node->n_child; k++)
        walk(check, node->child[k]);
    check->around.n -= variable;
    check->loops.n -= node->kind == NODE_LOOP;
}

bool lower_refuse_size(struct lowering *lowering, const struct array *array)
{
    struct diag *diag;
    bool constant = true;

    for (int d = 0; d < array->n_dim; d++)
        constant = constant && array->shape[d]->kind == EXPR_INT;
    if (constant || lowering->refused)
        return !constant;
    diag = diag_error(lowering->diags, "memory", array->place,
                      "`%s` cannot be in registers: it has no constant number of elements", array->name);
    diag_hint(lowering->diags, diag,
              "one buffer is for all references that touch the same elements, or ones beside each other; copy fewer by "
              "hand to a temporary, or choose other memory");
    lowering->refused = true;
    return true;
}

void lower_check_registers(struct lowering *lowering, const struct node *tree)
{
    struct check check = {.lowering = lowering};

    walk(&check, tree);
}
