#include "lower/ways/way_sets.h"

#include "lower/facts/facts.h"
#include "lower/facts/over.h"

void way_sets_add_var(struct arena *arena, const struct var *var, var_vec *vars)
{
    for (int k = 0; k < vars->n; k++)
        if (vars->at[k] == var)
            return;
    if (var->kind != VAR_PARAM)
        VEC_PUSH(arena, vars, var);
}

void way_sets_add_vars(struct arena *arena, const struct affine *affine, var_vec *vars)
{
    for (int k = 0; k < affine->n_term; k++) {
        const struct atom *atom = affine->term[k].atom;
        if (atom->kind == ATOM_VAR)
            way_sets_add_var(arena, atom->var, vars);
        for (int arg = 0; arg < atom->n_arg; arg++)
            way_sets_add_vars(arena, atom->arg[arg], vars);
    }
}

static void add_vars_of_limit(struct arena *arena, const struct way *limit, var_vec *vars)
{
    for (int a = 0; a < limit->n_alternative; a++)
        for (int c = 0; c < limit->alternative[a].n; c++)
            way_sets_add_vars(arena, limit->alternative[a].condition[c].affine, vars);
}

/* What limits, and counts' own ends, say from `inner` outwards up to `end`. */
void way_sets_add_vars_of(struct arena *arena, const struct way *inner, const struct way *end, var_vec *vars)
{
    for (const struct way *way = inner; way != end; way = way->outer) {
        if (way->kind == WAY_LIMIT)
            add_vars_of_limit(arena, way, vars);
        if (way->kind == WAY_COUNT && way->most)
            way_sets_add_vars(arena, way->most, vars);
    }
}

/* Is var, a count of the way, replaced by others further inside? */
bool way_sets_gone(const struct way *inner, const struct way *end, const struct var *var)
{
    for (const struct way *way = inner; way != end; way = way->outer)
        if (way->kind == WAY_GONE && way->var == var)
            return true;
    return false;
}

bool way_sets_counts(const struct way *inner, const struct way *end, const struct var *var)
{
    for (const struct way *way = inner; way != end; way = way->outer)
        if (way->kind == WAY_COUNT && way->var == var)
            return true;
    return false;
}

/* set with dimensions for all vars. */
__isl_give isl_set *way_sets_with(__isl_take isl_set *set, const var_vec *vars)
{
    for (int k = 0; k < vars->n; k++)
        set = over_with_dimension(set, vars->at[k]);
    return set;
}

static __isl_give isl_set *where_least(struct arena *arena, __isl_take isl_set *set, const struct affine *affine)
{
    const struct affine_term *term = affine ? facts_splitting_term(affine) : NULL;
    const struct condition condition = {affine, false};

    if (!affine)
        return isl_set_free(set);
    for (int k = 0; term && k < term->atom->n_arg; k++)
        set = where_least(arena, set, facts_with_argument(arena, affine, term, k));
    return term ? set : over_where(set, &condition);
}

static __isl_give isl_set *where_limit(struct arena *arena, __isl_take isl_set *set, const struct way *limit)
{
    isl_set *any;

    if (limit->n_alternative == 1 && !limit->none) {
        for (int c = 0; c < limit->alternative->n; c++)
            set = limit->alternative->condition[c].equal
                      ? over_where(set, &limit->alternative->condition[c])
                      : where_least(arena, set, limit->alternative->condition[c].affine);
        return set;
    }
    if (limit->n_alternative == 0)
        return limit->none ? set : isl_set_intersect(set, isl_set_empty(isl_set_get_space(set)));
    any = over_guards(set, limit->alternative, limit->n_alternative);
    if (!limit->none)
        isl_set_free(set);
    return limit->none ? isl_set_subtract(set, any) : any;
}

/* set, all vars of which are dimensions, where all holds from `inner` outwards up to `end`. */
__isl_give isl_set *way_sets_where(struct arena *arena, __isl_take isl_set *set, const struct way *inner,
                                   const struct way *end)
{
    for (const struct way *way = inner; way != end; way = way->outer) {
        if (way->kind == WAY_LIMIT)
            set = where_limit(arena, set, way);
        if (way->kind == WAY_COUNT && way->most && !way_sets_gone(inner, end, way->var)) {
            const struct affine *c = affine_var(arena, way->var);
            set = where_least(arena, set, c);
            set = where_least(arena, set, affine_sub(arena, way->most, c));
        }
    }
    return set;
}

/* Counts of the way from inner to end that are there, innermost first. */
var_vec way_sets_own(struct arena *arena, const struct way *inner, const struct way *end)
{
    var_vec own = {0};

    for (const struct way *way = inner; way != end; way = way->outer)
        if (way->kind == WAY_COUNT && !way_sets_gone(inner, end, way->var))
            VEC_PUSH(arena, &own, way->var);
    return own;
}

__isl_give isl_set *way_sets_without(__isl_take isl_set *set, int n)
{
    for (int k = 0; k < n; k++)
        set = isl_set_project_out(set, isl_dim_param, (unsigned)isl_set_dim(set, isl_dim_param) - 1, 1);
    return set;
}
