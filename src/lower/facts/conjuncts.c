#include "lower/facts/conjuncts.h"

#include "program/program.h"
#include "tree/visit.h"

void conjuncts_add(struct arena *arena, const struct tree_expr *condition, conjunct_vec *list)
{
    if (condition->kind == TREE_BINARY && condition->op == OP_LAND) {
        conjuncts_add(arena, condition->arg[0], list);
        conjuncts_add(arena, condition->arg[1], list);
    } else {
        VEC_PUSH(arena, list, condition);
    }
}

bool conjuncts_have(const conjunct_vec *list, const struct tree_expr *conjunct)
{
    bool found = false;

    for (int k = 0; k < list->n && !found; k++)
        found = tree_expr_equal(list->at[k], conjunct);
    return found;
}

const struct array *conjunct_while(const struct tree_expr *conjunct)
{
    const bool compares = conjunct->kind == TREE_BINARY && conjunct->op == OP_NE && conjunct->arg[1]->kind == TREE_INT;
    const struct tree_expr *load = compares ? conjunct->arg[0] : conjunct;

    while (load->kind == TREE_CAST)
        load = load->arg[0];
    return load->kind == TREE_LOAD && load->element.array->is_while ? load->element.array : NULL;
}
