#include "lower/flow/flow_sizes.h"

#include "poly/number.h"
#include "tree/visit.h"

#include <isl/point.h>
#include <isl/set.h>
#include <string.h>

enum { LARGEST = 260, MOST_ALLOWED = 1 << 20, MOST_RUNS = 12 };

/* In what steps the tree counts a parameter: the least and the greatest that are no single ones; 0: in none. */
struct steps {
    int64_t least, greatest;
};

struct search {
    const struct vars *vars;
    int n_param;
    struct steps *steps; /* by parameter */
};

static void note(struct steps *steps, int64_t step)
{
    step = step < 0 ? -step : step;
    if (step < 2 || step > LARGEST)
        return;
    steps->least = steps->least == 0 || step < steps->least ? step : steps->least;
    steps->greatest = step > steps->greatest ? step : steps->greatest;
}

/* Counts what a has of each parameter in steps of `step`, and in those that its quotients and minima have. */
static void look(struct search *search, const struct affine *a, int64_t step)
{
    for (int k = 0; a && k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        if (atom->kind == ATOM_VAR) {
            for (int p = 0; p < search->n_param; p++)
                if (search->vars->param[p] == atom->var)
                    note(&search->steps[p], step);
            continue;
        }
        for (int n = 0; n < atom->n_arg; n++) {
            int64_t constant = 0;
            for (int other = 0; other < atom->n_arg && atom->kind != ATOM_FLOOR; other++)
                if (other != n)
                    affine_is_constant(atom->arg[other], &constant);
            look(search, atom->arg[n], step);
            look(search, atom->arg[n], atom->kind == ATOM_FLOOR ? atom->divisor : constant);
        }
    }
}

static void look_node(const struct node *node, void *user)
{
    struct search *search = user;

    if (node->kind == NODE_LOOP) {
        look(search, node->upper, node->step);
        look(search, node->lower, node->step);
    }
    if (node->vector)
        look(search, node->vector->count, node->vector->lanes);
    for (int k = 0; k < node->n_alternative; k++)
        for (int c = 0; c < node->alternative[k].n; c++)
            look(search, node->alternative[k].condition[c].affine, node->alternative[k].condition[c].affine->constant);
    for (int k = 0; node->launch && k < AXIS_COUNT; k++)
        if (node->launch->extent[k])
            look(search, node->launch->extent[k], 1);
}

/* { [p0,..] } that the program allows, from `least` on. */
static __isl_give isl_set *allowed_from(const struct program *program, const int64_t *least)
{
    isl_set *set = isl_set_copy(program->context);

    set = isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, (unsigned)program->n_param);
    for (int k = 0; k < program->n_param; k++)
        set = isl_set_lower_bound_si(set, isl_dim_set, (unsigned)k, (int)least[k]);
    return set;
}

/* The least parameters from param on that are allowed, which may be these; false: none are, or they are so large that
 * steps would not suffice. */
static bool allow(const struct program *program, int64_t *param)
{
    isl_point *point = isl_set_sample_point(isl_set_lexmin(allowed_from(program, param)));
    bool good = point && isl_point_is_void(point) == isl_bool_false;

    for (int k = 0; k < program->n_param && good; k++)
        good = poly_number(isl_point_get_coordinate_val(point, isl_dim_set, k), &param[k]) && param[k] <= MOST_ALLOWED;
    isl_point_free(point);
    return good;
}

static void add(struct arena *arena, const struct program *program, flow_sizes *sizes, const int64_t *wanted)
{
    const size_t size = (size_t)program->n_param * sizeof(*wanted);
    int64_t *param = ARENA_ARRAY(arena, program->n_param + 1, int64_t);

    if (size > 0)
        memcpy(param, wanted, size);
    if (sizes->n == MOST_RUNS || !allow(program, param))
        return;
    for (int k = 0; k < sizes->n; k++)
        if (size == 0 || memcmp(sizes->at[k], param, size) == 0)
            return;
    VEC_PUSH(arena, sizes, param);
}

flow_sizes flow_choose_sizes(struct arena *arena, const struct program *program, const struct vars *vars,
                             const struct node *tree)
{
    struct search search = {vars, program->n_param, ARENA_ARRAY(arena, program->n_param + 1, struct steps)};
    int64_t *wanted = ARENA_ARRAY(arena, program->n_param + 1, int64_t);
    flow_sizes sizes = {0};

    node_for_each(tree, look_node, &search);
    for (int k = 0; k < program->n_param; k++)
        wanted[k] = 1 + k % 3;
    add(arena, program, &sizes, wanted);
    for (int p = 0; p < program->n_param; p++) {
        for (int k = 0; k < program->n_param; k++)
            wanted[k] = k == p ? search.steps[k].greatest + 3 : 2 + k % 2;
        add(arena, program, &sizes, wanted);
    }
    for (int k = 0; k < program->n_param; k++)
        wanted[k] = search.steps[k].least + 1 + k % 2;
    add(arena, program, &sizes, wanted);
    for (int k = 0; k < program->n_param; k++)
        wanted[k] = search.steps[k].greatest ? 2 * search.steps[k].greatest : 8;
    add(arena, program, &sizes, wanted);
    return sizes;
}
