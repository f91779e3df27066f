#include "lower/registers.h"

#include "base/vec.h"
#include "program/program.h"
#include "sched/order.h"
#include "tree/visit.h"

struct check {
    struct lowering *lowering;
    VEC(const struct node *) around; /* loops and values whose variable is no literal */
};

static bool refuse(struct check *check, const struct array *array, const struct node *node)
{
    const char *name = node->info ? node->info->name : node->var->name;
    struct diag *diag;

    if (check->lowering->refused)
        return false;
    diag = diag_error(check->lowering->diags, "memory", array->place,
                      "`%s` cannot be in registers: its elements are chosen by `%s`, which runs at run time",
                      array->name, name);
    diag_hint(check->lowering->diags, diag, "add {\"unroll\": \"%s\"} to the plan, or choose other memory", name);
    check->lowering->refused = true;
    return false;
}

static void check_element(struct check *check, const struct element *element)
{
    if (!element->array || !element->array->in_registers)
        return;
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

    if (node->kind == NODE_ASSIGN) {
        check_element(check, &node->target);
        tree_expr_for_each(node->value, check_expr, check);
        tree_expr_for_each(node->guard_value, check_expr, check);
    }
    if (variable)
        VEC_PUSH(check->lowering->arena, &check->around, node);
    for (int k = 0; k < node->n_child; k++)
        walk(check, node->child[k]);
    check->around.n -= variable;
}

bool lower_check_registers(struct lowering *lowering, const struct node *tree)
{
    struct check check = {.lowering = lowering};

    walk(&check, tree);
    return !lowering->refused;
}
