#include "lower/finished/same_sets.h"

#include "lower/facts/over.h"
#include "lower/ways/way_sets.h"
#include "poly/context.h"
#include "poly/sample.h"

#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>

/* The dimensions of arguments in which some leaf differs from others, or moves. */
struct asking {
    struct same_sets *sets;
    const struct side *side[2];
    int n_dim;
    bool *compared; /* of the statement's dimensions */
    isl_set *base;  /* [N, .., outer counts..] -> { : what is known } */
};

static bool moves(const struct side *side, const struct leaf *leaf, const struct affine *argument)
{
    var_vec vars = {0};
    struct arena *arena = arena_new();
    bool found = false;

    way_sets_add_vars(arena, argument, &vars);
    for (int k = 0; k < vars.n && !found; k++)
        found = way_sets_counts(leaf->way, side->from, vars.at[k]);
    arena_free(arena);
    return found;
}

static bool is_compared(const struct asking *asking, int dim)
{
    const struct affine *first = NULL;

    for (int s = 0; s < 2; s++)
        for (int k = 0; k < asking->side[s]->leaves.n; k++) {
            const struct leaf *leaf = &asking->side[s]->leaves.at[k];
            first = first ? first : leaf->argument[dim];
            if (!affine_equal(first, leaf->argument[dim]) || moves(asking->side[s], leaf, leaf->argument[dim]))
                return true;
        }
    return false;
}

static const struct affine *const *compared(const struct asking *asking, const struct leaf *leaf, int *n)
{
    const struct affine **list = ARENA_ARRAY(asking->sets->arena, asking->n_dim + 1, const struct affine *);

    *n = 0;
    for (int k = 0; k < asking->n_dim; k++)
        if (asking->compared[k])
            list[(*n)++] = leaf->argument[k];
    return list;
}

/* What is around both sides. */
static const struct way *around(const struct asking *asking)
{
    return asking->side[asking->side[0]->leaves.n == 0]->from;
}

/* The counts around that the leaves use, and with `context` all. */
static var_vec outer_vars(const struct asking *asking, bool context)
{
    struct arena *arena = asking->sets->arena;
    var_vec used = {0}, outer = {0};
    int n;

    for (int s = 0; s < 2; s++)
        for (int k = 0; k < asking->side[s]->leaves.n; k++) {
            const struct leaf *leaf = &asking->side[s]->leaves.at[k];
            const struct affine *const *argument = compared(asking, leaf, &n);
            for (int d = 0; d < n; d++)
                way_sets_add_vars(arena, argument[d], &used);
            way_sets_add_vars_of(arena, leaf->way, asking->side[s]->from, &used);
        }
    for (int k = 0; k < used.n; k++) {
        bool own = false;
        for (int s = 0; s < 2; s++)
            for (int l = 0; l < asking->side[s]->leaves.n && !own; l++)
                own = way_sets_counts(asking->side[s]->leaves.at[l].way, asking->side[s]->from, used.at[k]);
        if (!own)
            VEC_PUSH(arena, &outer, used.at[k]);
    }
    for (const struct way *way = around(asking); context && way; way = way->outer)
        if (way->kind == WAY_COUNT)
            way_sets_add_var(arena, way->var, &outer);
    return outer;
}

/* Is a count that is gone used on the way? What is said of it would be lost. */
static bool uses_gone(const struct asking *asking, const struct side *side, const struct leaf *leaf)
{
    struct arena *arena = asking->sets->arena;
    var_vec used = {0};

    way_sets_add_vars_of(arena, leaf->way, side->from, &used);
    for (int d = 0; d < asking->n_dim; d++)
        way_sets_add_vars(arena, leaf->argument[d], &used);
    for (int k = 0; k < used.n; k++)
        if (way_sets_gone(leaf->way, NULL, used.at[k]))
            return true;
    return false;
}

/* The instances of a leaf, with its counts, the last n dimensions of the parameters, still there. */
static __isl_give isl_set *executions(const struct asking *asking, const struct side *side, const struct leaf *leaf,
                                      int *n)
{
    struct arena *arena = asking->sets->arena;
    const var_vec own = way_sets_own(arena, leaf->way, side->from);
    isl_set *set = way_sets_with(isl_set_copy(asking->base), &own);
    int n_argument;
    const struct affine *const *argument = compared(asking, leaf, &n_argument);

    *n = own.n;
    return over_values(way_sets_where(arena, set, leaf->way, side->from), argument, n_argument);
}

static int64_t width_of(const struct way *inner, const struct way *end, const struct var *var)
{
    for (const struct way *way = inner; way != end; way = way->outer)
        if (way->kind == WAY_COUNT && way->var == var)
            return way->width;
    return -1;
}

/* Does the atom have no count of the way but those that are told? */
static bool is_known(const struct way *inner, const struct way *end, const struct atom *atom, const var_vec *told)
{
    bool known = true;

    if (atom->kind == ATOM_VAR) {
        known = width_of(inner, end, atom->var) < 0;
        for (int t = 0; t < told->n && !known; t++)
            known = told->at[t] == atom->var;
    }
    for (int a = 0; a < atom->n_arg; a++)
        for (int k = 0; k < atom->arg[a]->n_term && known; k++)
            known = is_known(inner, end, atom->arg[a]->term[k].atom, told);
    return known;
}

/* The term of the argument whose count its value tells: all others together move by less than its factor. */
static const struct affine_term *told_term(const struct way *inner, const struct way *end,
                                           const struct affine *argument, const var_vec *told)
{
    const struct affine_term *largest = NULL;
    int64_t step = 0, moves = 0, move;

    for (int k = 0; k < argument->n_term; k++) {
        const struct affine_term *term = &argument->term[k];
        const int64_t size = term->factor < 0 ? -term->factor : term->factor;
        if (is_known(inner, end, term->atom, told))
            continue;
        if (term->atom->kind != ATOM_VAR)
            return NULL;
        largest = size > step ? term : largest;
        step = size > step ? size : step;
    }
    for (int k = 0; k < argument->n_term; k++) {
        const struct affine_term *term = &argument->term[k];
        const int64_t size = term->factor < 0 ? -term->factor : term->factor;
        if (term != largest && !is_known(inner, end, term->atom, told) &&
            (__builtin_mul_overflow(width_of(inner, end, term->atom->var), size, &move) ||
             __builtin_add_overflow(moves, move, &moves)))
            return NULL;
    }
    return moves < step ? largest : NULL;
}

/* Do the arguments tell all counts of the leaf, one after the other? */
static bool is_told(const struct asking *asking, const struct side *side, const struct leaf *leaf)
{
    const var_vec own = way_sets_own(asking->sets->arena, leaf->way, side->from);
    var_vec told = {0};
    bool more = true;

    for (int k = 0; k < own.n; k++)
        if (width_of(leaf->way, side->from, own.at[k]) == 0)
            VEC_PUSH(asking->sets->arena, &told, own.at[k]);
    while (more && told.n < own.n) {
        more = false;
        for (int d = 0; d < asking->n_dim; d++) {
            const struct affine_term *term = told_term(leaf->way, side->from, leaf->argument[d], &told);
            if (!term)
                continue;
            VEC_PUSH(asking->sets->arena, &told, term->atom->var);
            more = true;
        }
    }
    return told.n == own.n;
}

static enum same_answer answer_of(isl_bool is)
{
    return is == isl_bool_true ? SAME_YES : is == isl_bool_false ? SAME_NO : SAME_UNKNOWN;
}

/* Parameters of a point of set, which is given up. */
static void note_point(struct same_sets *sets, __isl_take isl_set *set)
{
    const int n = sets->program->n_param;
    struct sample sample;

    set = isl_set_project_out(set, isl_dim_param, (unsigned)n, (unsigned)isl_set_dim(set, isl_dim_param) - (unsigned)n);
    if (!poly_smallest(sets->arena, isl_set_from_params(isl_set_params(set)), &sample))
        return;
    sets->param = ARENA_ARRAY(sets->arena, n + 1, int64_t);
    for (int k = 0; k < n; k++)
        sets->param[k] = sample.param[k];
}

/* Is the map of the leaf's counts to instances injective? */
static enum same_answer injective(const struct asking *asking, const struct side *side, const struct leaf *leaf,
                                  __isl_keep isl_set *executions, int n)
{
    const unsigned n_param = (unsigned)isl_set_dim(executions, isl_dim_param);
    enum same_answer answer;
    isl_map *map;

    if (is_told(asking, side, leaf))
        return SAME_YES;
    map = isl_map_from_range(isl_set_copy(executions));
    map = isl_map_move_dims(map, isl_dim_in, 0, isl_dim_param, n_param - (unsigned)n, (unsigned)n);
    answer = answer_of(isl_map_is_injective(map));
    isl_map_free(map);
    return answer;
}

/* What all leaves of a side run; of `once` leaves none the same, and each injective. */
static enum same_answer run_by(const struct asking *asking, const struct side *side, bool once, isl_set **all)
{
    enum same_answer answer = SAME_YES;

    for (int k = 0; k < side->leaves.n && answer == SAME_YES; k++) {
        const struct leaf *leaf = &side->leaves.at[k];
        int n;
        isl_set *set = executions(asking, side, leaf, &n);
        if (uses_gone(asking, side, leaf))
            answer = SAME_UNKNOWN;
        else if (once)
            answer = injective(asking, side, leaf, set, n);
        set = way_sets_without(set, n);
        if (answer == SAME_NO)
            note_point(asking->sets, isl_set_copy(set));
        if (answer == SAME_YES && once && *all) {
            isl_set *both = isl_set_intersect(isl_set_copy(*all), isl_set_copy(set));
            answer = answer_of(isl_set_is_empty(both));
            if (answer == SAME_NO)
                note_point(asking->sets, isl_set_copy(both));
            isl_set_free(both);
        }
        *all = *all ? isl_set_union(*all, set) : set;
    }
    return *all || side->leaves.n == 0 ? answer : SAME_UNKNOWN;
}

static enum same_answer are_equal(struct same_sets *sets, __isl_keep isl_set *a, __isl_keep isl_set *b)
{
    const enum same_answer answer = answer_of(isl_set_is_equal(a, b));
    isl_set *less, *more;

    if (answer != SAME_NO)
        return answer;
    less = isl_set_subtract(isl_set_copy(a), isl_set_copy(b));
    more = isl_set_subtract(isl_set_copy(b), isl_set_copy(a));
    note_point(sets, isl_set_union(less, more));
    return answer;
}

static enum same_answer compare(const struct asking *asking)
{
    isl_set *run[2] = {NULL, NULL};
    enum same_answer answer = run_by(asking, asking->side[0], false, &run[0]);

    if (answer == SAME_YES)
        answer = run_by(asking, asking->side[1], true, &run[1]);
    for (int s = 0; s < 2 && answer == SAME_YES; s++)
        if (!run[s])
            run[s] = isl_set_empty(isl_set_get_space(run[1 - s]));
    answer = answer == SAME_YES ? are_equal(asking->sets, run[0], run[1]) : answer;
    isl_set_free(run[0]);
    isl_set_free(run[1]);
    return answer;
}

/* Is there something that only digits tell, of which sets know nothing? */
static bool have_digits(const struct asking *asking)
{
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < asking->side[s]->leaves.n; k++)
            if (way_has_digits(asking->side[s]->leaves.at[k].way, asking->side[s]->from))
                return true;
    return false;
}

/* Is that seen without sets? */
static bool is_plain(const struct asking *asking)
{
    const struct same_sets *sets = asking->sets;

    return (!have_digits(asking) && same_lines(sets->arena, sets->param_least, asking->side[0], asking->side[1])) ||
           same_renamed(sets->arena, asking->side[0], asking->side[1]);
}

enum same_answer same_sets(struct same_sets *sets, const struct side *proved, const struct side *finished, bool context)
{
    struct asking asking = {.sets = sets, .side = {proved, finished}};
    const struct statement *statement;
    var_vec outer;
    enum same_answer answer;

    sets->param = NULL;
    sets->why = NULL;
    if (proved->leaves.n + finished->leaves.n == 0)
        return SAME_YES;
    statement = proved->leaves.n ? proved->leaves.at->statement : finished->leaves.at->statement;
    asking.n_dim = statement->n_loop;
    asking.compared = ARENA_ARRAY(sets->arena, asking.n_dim + 1, bool);
    for (int k = 0; k < asking.n_dim; k++)
        asking.compared[k] = is_compared(&asking, k);
    if (!context && is_plain(&asking))
        return SAME_YES;
    if (have_digits(&asking)) {
        sets->why = "digits of positions through which blocks walk";
        return SAME_UNKNOWN;
    }
    poly_begin(sets->program->ctx);
    outer = outer_vars(&asking, context);
    asking.base = way_sets_with(isl_set_copy(sets->program->context), &outer);
    if (context)
        asking.base = way_sets_where(sets->arena, asking.base, around(&asking), NULL);
    answer = compare(&asking);
    isl_set_free(asking.base);
    if (isl_ctx_last_error(sets->program->ctx) != isl_error_none)
        answer = SAME_UNKNOWN;
    poly_begin(sets->program->ctx);
    return answer;
}

enum same_answer same_sets_shown(struct same_sets *sets, const struct way *way, const struct affine *affine, bool equal)
{
    const var_vec counts = way_sets_own(sets->arena, way, NULL);
    const struct condition condition = {affine, equal};
    enum same_answer answer;
    isl_set *known, *shown;

    sets->param = NULL;
    if (way_has_digits(way, NULL))
        return SAME_UNKNOWN;
    poly_begin(sets->program->ctx);
    known = way_sets_where(sets->arena, way_sets_with(isl_set_copy(sets->program->context), &counts), way, NULL);
    shown = over_where(isl_set_copy(known), &condition);
    answer = answer_of(isl_set_is_subset(known, shown));
    if (answer == SAME_NO)
        note_point(sets, isl_set_subtract(isl_set_copy(known), isl_set_copy(shown)));
    isl_set_free(known);
    isl_set_free(shown);
    if (isl_ctx_last_error(sets->program->ctx) != isl_error_none)
        answer = SAME_UNKNOWN;
    poly_begin(sets->program->ctx);
    return answer;
}
