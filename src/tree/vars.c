#include "tree/vars.h"

#include "program/program.h"

struct var *var_new(struct vars *vars, enum var_kind kind, const char *name)
{
    struct var *var = ARENA_NEW(vars->arena, struct var);

    *var = (struct var){.kind = kind, .id = vars->all.n, .name = name};
    VEC_PUSH(vars->arena, &vars->all, var);
    return var;
}

struct var *var_like(struct vars *vars, const struct var *var)
{
    struct var *other = var_new(vars, var->kind, var->name);
    const int id = other->id;

    *other = *var;
    other->id = id;
    return other;
}

struct vars *vars_of_program(struct arena *arena, const struct program *program)
{
    struct vars *vars = ARENA_NEW(arena, struct vars);
    const struct var **param = ARENA_ARRAY(arena, program->n_param + 1, const struct var *);
    struct congruence *congruence = ARENA_ARRAY(arena, program->n_param + 1, struct congruence);

    *vars = (struct vars){.arena = arena, .param = param, .congruence = congruence};
    for (int k = 0; k < program->n_param; k++) {
        param[k] = var_new(vars, VAR_PARAM, program->param[k].name);
        congruence[k] = congruence_of_param(program, k);
    }
    return vars;
}
