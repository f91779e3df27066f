#include "auto/recipes/sweeps.h"

#include "poly/keep.h"
#include "poly/number.h"
#include "program/expr/affine.h"

#include <isl/ilp.h>
#include <isl/val.h>

enum { MOST_FACTOR = 3 };

/* The value of the subscript where it is a number. */
static bool constant_subscript(__isl_keep isl_pw_multi_aff *subscripts, int subscript, int64_t *value)
{
    isl_pw_aff *index = isl_pw_multi_aff_get_pw_aff(subscripts, subscript);
    bool is = false;

    index = isl_pw_aff_gist(index, isl_pw_aff_domain(isl_pw_aff_copy(index)));
    if (isl_pw_aff_isa_aff(index) == isl_bool_true) {
        isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(index));

        is = isl_aff_is_cst(aff) == isl_bool_true && poly_number(isl_aff_get_constant_val(aff), value);
        isl_aff_free(aff);
    }
    isl_pw_aff_free(index);
    return is;
}

/* The loop of the statement that the subscript counts, or 0. */
static int loop_of(const struct statement *statement, __isl_keep isl_pw_multi_aff *subscripts, int subscript)
{
    for (int loop = 1; loop < statement->n_loop; loop++)
        if (subscript_factor(subscripts, subscript, loop) == 1)
            return loop;
    return 0;
}

/* Where a full statement uses the array with dimension k in a subscript, the other one has there what k is for it. */
static bool align_by(const struct sweeps *sweeps, struct swept *swept, const struct access *own,
                     const struct access *other)
{
    isl_pw_multi_aff *mine = isl_pw_multi_aff_from_map(isl_map_copy(own->map));
    isl_pw_multi_aff *full = isl_pw_multi_aff_from_map(isl_map_copy(other->map));
    int known = 0;

    for (int k = 0; k < sweeps->n_dim; k++)
        for (int s = 0; s < own->array->n_dim; s++)
            if (subscript_factor(full, s, k + 1) == 1) {
                swept->dim[k] = loop_of(swept->statement, mine, s);
                known += swept->dim[k] || constant_subscript(mine, s, &swept->at[k]);
                break;
            }
    isl_pw_multi_aff_free(mine);
    isl_pw_multi_aff_free(full);
    return known == sweeps->n_dim;
}

static bool align(const struct sweeps *sweeps, struct swept *swept)
{
    const struct statement *statement = swept->statement, *full = sweeps->swept[sweeps->full].statement;

    for (int k = 0; k < sweeps->n_dim; k++)
        swept->dim[k] = k + 1;
    if (statement->n_loop == sweeps->n_dim + 1)
        return true;
    for (int a = 0; a < full->n_access; a++)
        if (full->access[a].array == statement->access[0].array && !statement->access[0].may && !full->access[a].may &&
            align_by(sweeps, swept, &statement->access[0], &full->access[a]))
            return true;
    return false;
}

static bool add_statements(struct sweeps *sweeps, const struct nest_part *part)
{
    if (part->statement) {
        if (sweeps->n == MOST_SWEPT || part->statement->n_loop < 2)
            return false;
        if (part->statement->n_loop - 1 > sweeps->n_dim) {
            sweeps->n_dim = part->statement->n_loop - 1;
            sweeps->full = sweeps->n;
        }
        sweeps->swept[sweeps->n++].statement = part->statement;
    }
    for (int k = 0; k < part->child.n; k++)
        if (!add_statements(sweeps, part->child.at[k]))
            return false;
    return true;
}

/* { S[t, i, j] -> [t, x0, x1] } */
static __isl_give isl_map *dimensions_of(const struct sweeps *sweeps, const struct swept *swept)
{
    isl_space *space = isl_set_get_space(swept->statement->domain);
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
    isl_multi_aff *all =
        isl_multi_aff_zero(isl_space_add_dims(isl_space_from_domain(space), isl_dim_out, (unsigned)sweeps->n_dim + 1));

    for (int k = 0; k <= sweeps->n_dim; k++) {
        const int dim = k == 0 ? 0 : swept->dim[k - 1];
        isl_aff *aff =
            k > 0 && dim == 0
                ? isl_aff_val_on_domain(isl_local_space_copy(local),
                                        isl_val_int_from_si(isl_local_space_get_ctx(local), swept->at[k - 1]))
                : isl_aff_var_on_domain(isl_local_space_copy(local), isl_dim_set, (unsigned)dim);

        all = isl_multi_aff_set_aff(all, k, aff);
    }
    isl_local_space_free(local);
    return isl_map_from_multi_aff(all);
}

static int number_of(const struct sweeps *sweeps, const struct statement *statement)
{
    for (int k = 0; k < sweeps->n; k++)
        if (sweeps->swept[k].statement == statement)
            return k;
    return -1;
}

static void add_steps(struct sweeps *sweeps)
{
    const struct dependences *dependences = distances_dependences(sweeps->scene->distances);

    for (int k = 0; k < dependences->n; k++) {
        const struct dependence *dependence = &dependences->list[k];
        const int from = number_of(sweeps, dependence->from->statement),
                  to = number_of(sweeps, dependence->to->statement);
        isl_map *map;

        if (from < 0 || to < 0 || dependence->reduction)
            continue;
        map = isl_map_apply_domain(isl_map_copy(dependence->map), dimensions_of(sweeps, &sweeps->swept[from]));
        map = isl_map_apply_range(map, dimensions_of(sweeps, &sweeps->swept[to]));
        VEC_PUSH(sweeps->scene->arena, &sweeps->step,
                 ((struct sweep_step){from, to, poly_keep_set(sweeps->scene->arena, isl_map_deltas(map))}));
    }
}

/* The least of a sum of all dimensions, times these factors, over the step; false where there is none. */
static bool least_sum(const struct sweep_step *step, const int64_t *factor, int64_t *least)
{
    const int n = (int)isl_set_dim(step->step, isl_dim_set);
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(step->step));
    isl_aff *sum = isl_aff_zero_on_domain(space);
    isl_val *value;

    for (int k = 0; k < n; k++)
        sum = isl_aff_set_coefficient_si(sum, isl_dim_in, k, (int)factor[k]);
    value = isl_set_min_val(step->step, sum);
    isl_aff_free(sum);
    if (value && isl_val_is_int(value) == isl_bool_true)
        return poly_number(value, least);
    isl_val_free(value);
    return false;
}

/* Shifts with which no pair goes back in dimension k: shift(to) >= shift(from) - least. */
static bool find_shifts(struct sweeps *sweeps, int k, int64_t factor)
{
    int64_t *least = ARENA_ARRAY(sweeps->scene->arena, sweeps->step.n, int64_t), sum[MAX_DEPTH + 1] = {factor};
    bool changed = true;

    sum[k + 1] = 1;
    for (int s = 0; s < sweeps->step.n; s++)
        if (!least_sum(&sweeps->step.at[s], sum, &least[s]))
            return false;
    for (int s = 0; s < sweeps->n; s++)
        sweeps->swept[s].shift[k] = 0;
    for (int round = 0; changed && round <= sweeps->n; round++) {
        changed = false;
        for (int s = 0; s < sweeps->step.n; s++) {
            const struct sweep_step *step = &sweeps->step.at[s];
            const int64_t wanted = sweeps->swept[step->from].shift[k] - least[s];

            if (sweeps->swept[step->to].shift[k] >= wanted)
                continue;
            sweeps->swept[step->to].shift[k] = wanted;
            changed = true;
        }
    }
    return !changed;
}

/* The steps within one sweep, and with rows within one row. */
static __isl_give isl_set *within(const struct sweeps *sweeps, const struct sweep_step *step, bool rows)
{
    isl_set *set = isl_set_fix_si(isl_set_copy(step->step), isl_dim_set, 0, 0);

    for (int k = 0; rows && k < sweeps->n_skewed; k++)
        set = isl_set_fix_si(set, isl_dim_set, (unsigned)k + 1, 0);
    return set;
}

/* Does a statement carry something along its rows? */
static bool carries_along_rows(const struct sweeps *sweeps)
{
    bool carries = false;

    for (int s = 0; s < sweeps->step.n && !carries; s++)
        if (sweeps->step.at[s].from == sweeps->step.at[s].to) {
            isl_set *row = within(sweeps, &sweeps->step.at[s], true);

            carries = isl_set_is_empty(row) != isl_bool_true;
            isl_set_free(row);
        }
    return carries;
}

/* Does all that a sweep carries go on by one at least in factor * row + element? */
static bool frees_rows(const struct sweeps *sweeps, int64_t factor)
{
    bool frees = true;

    for (int s = 0; s < sweeps->step.n && frees; s++) {
        struct sweep_step one = {.step = within(sweeps, &sweeps->step.at[s], false)};
        int64_t least = 1;

        if (isl_set_is_empty(one.step) != isl_bool_true)
            frees = least_sum(&one, (const int64_t[]){0, factor, 1}, &least) && least >= 1;
        isl_set_free(one.step);
    }
    return frees;
}

/* Rows in which each element waits for the one before: several rows at a time, each some elements behind. */
static bool find_inner_skew(struct sweeps *sweeps)
{
    if (sweeps->n_dim < 2 || !carries_along_rows(sweeps))
        return true;
    if (sweeps->n > 1 || sweeps->n_dim != 2)
        return false;
    for (sweeps->inner_factor = 1; sweeps->inner_factor <= MOST_FACTOR; sweeps->inner_factor++)
        if (frees_rows(sweeps, sweeps->inner_factor))
            return true;
    return false;
}

static bool find_skews(struct sweeps *sweeps)
{
    for (int k = 0; k < sweeps->n_skewed; k++) {
        int64_t factor = 0;

        while (factor <= MOST_FACTOR && !find_shifts(sweeps, k, factor))
            factor++;
        if (factor > MOST_FACTOR)
            return false;
        sweeps->factor[k] = factor;
    }
    return true;
}

bool sweeps_find(const struct scene *scene, const part_vec *parts, struct sweeps *sweeps)
{
    bool *member = ARENA_ARRAY(scene->arena, scene->program->n_statement, bool);
    struct reach reach;

    *sweeps = (struct sweeps){.scene = scene};
    if (parts->n != 1 || !parts->at[0]->loop || parts->at[0]->descends || !add_statements(sweeps, parts->at[0]))
        return false;
    part_mark(parts->at[0], member);
    reach = distance_in(scene->distances, member, 0, 0);
    if (!reach.any || reach.most == 0)
        return false;
    for (int k = 0; k < sweeps->n; k++)
        if (!align(sweeps, &sweeps->swept[k]))
            return false;
    sweeps->n_skewed = sweeps->n_dim > 1 ? sweeps->n_dim - 1 : 1;
    add_steps(sweeps);
    return find_skews(sweeps) && sweeps->factor[0] > 0 && find_inner_skew(sweeps);
}
