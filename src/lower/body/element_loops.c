#include "lower/body/element_loops.h"

#include "lower/body/bodies.h"
#include "program/expr/affine.h"
#include "tree/layout.h"
#include "tree/translate.h"

void element_loops_begin(struct element_loops *loops, struct names *names)
{
    static const char *const wanted[] = {"i", "j", "k", "l"};
    const struct program *program = loops->program;
    const int n = loops->array->n_dim;

    for (int k = 0; k < program->n_param; k++)
        names_add(names, program->param[k].name);
    for (int k = 0; k < program->n_array; k++)
        names_add(names, program->array[k].name);
    loops->var = ARENA_ARRAY(loops->arena, n + 1, const struct var *);
    for (int k = 0; k < n; k++)
        loops->var[k] = var_new(loops->vars, VAR_LOOP, names_unique(names, wanted[k < 4 ? k : 3]));
}

const struct tree_expr *element_loops_value(const struct element_loops *loops, enum type type)
{
    const int n = loops->array->n_dim;
    struct expr *access = ARENA_NEW(loops->arena, struct expr), *cast = ARENA_NEW(loops->arena, struct expr);
    const struct affine **loop = ARENA_ARRAY(loops->arena, n + 1, const struct affine *);
    const struct scope scope = {loops->program, loops->vars->param, loop};

    *access = (struct expr){.kind = EXPR_ACCESS, .type = loops->array->type, .array = loops->array, .n_arg = n};
    access->arg = ARENA_ARRAY(loops->arena, n + 1, struct expr *);
    for (int k = 0; k < n; k++) {
        loop[k] = affine_var(loops->arena, loops->var[k]);
        access->arg[k] = ARENA_NEW(loops->arena, struct expr);
        *access->arg[k] = (struct expr){.kind = EXPR_LOOP, .type = TYPE_I64, .loop = k};
    }
    *cast = (struct expr){.kind = EXPR_CAST, .type = type, .n_arg = 1};
    cast->arg = ARENA_ARRAY(loops->arena, 1, struct expr *);
    cast->arg[0] = access;
    return body_value(loops->arena, &scope, loops->laid_out, type == access->type ? access : cast);
}

const struct node *element_loops_around(const struct element_loops *loops, const struct node *body)
{
    const struct scope scope = {loops->program, loops->vars->param, NULL};
    const struct node *node = body;

    for (int k = loops->array->n_dim - 1; k >= 0 && node; k--) {
        const struct affine *extent = NULL;
        affine_from_expr(loops->arena, &scope, loops->array->shape[k], &extent);
        extent = extent ? affine_add_constant(loops->arena, extent, -1) : NULL;
        node = node_loop(loops->arena, loops->var[k], affine_constant(loops->arena, 0), extent, 1, NULL, node);
    }
    return node;
}

static bool is_loop(const struct element_loops *loops, const struct atom *atom)
{
    for (int k = 0; k < loops->array->n_dim; k++)
        if (atom->kind == ATOM_VAR && atom->var == loops->var[k])
            return true;
    return false;
}

static bool is_not_negative(void *user, const struct affine *a)
{
    bool known = a->constant >= 0;

    for (int k = 0; k < a->n_term && known; k++)
        known = a->term[k].factor >= 0 && is_loop(user, a->term[k].atom);
    return known;
}

/* The same value, whose subscripts C divides as they are, from 0 on. */
static const struct tree_expr *in_plain_terms(struct element_loops *loops, const struct tree_expr *value)
{
    struct tree_expr *plain = ARENA_NEW(loops->arena, struct tree_expr);
    const int n = value->element.array->n_dim;
    const struct affine **index = ARENA_ARRAY(loops->arena, n + 1, const struct affine *);

    for (int k = 0; k < n; k++) {
        index[k] = affine_mark_plain(loops->arena, value->element.index[k], is_not_negative, loops);
        if (!index[k])
            return NULL;
    }
    *plain = *value;
    plain->element.index = index;
    return plain;
}

static const struct node *result_loops(struct element_loops loops)
{
    const struct tree_expr *value;
    struct names names = {.arena = loops.arena};
    struct node *node = ARENA_NEW(loops.arena, struct node);

    element_loops_begin(&loops, &names);
    value = element_loops_value(&loops, loops.array->type);
    *node = (struct node){.kind = NODE_LET, .value = value ? in_plain_terms(&loops, value) : NULL};
    return node->value ? element_loops_around(&loops, node) : NULL;
}

const struct node *const *lower_results(struct arena *arena, const struct program *program,
                                        const struct program *laid_out, struct vars *vars)
{
    const struct node **result = ARENA_ARRAY(arena, program->n_array + 1, const struct node *);

    for (int k = 0; k < program->n_array; k++) {
        const struct array *array = &program->array[k];

        if (!array_is_argument(array) || array->role == ROLE_IN)
            continue;
        result[k] = result_loops((struct element_loops){arena, program, laid_out, vars, array, NULL});
        if (!result[k])
            return NULL;
    }
    return result;
}
