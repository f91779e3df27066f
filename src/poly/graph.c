#include "poly/graph.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdbool.h>

enum { MOST = 64 };

struct quotient {
    isl_aff *inside; /* { [x] -> [e] }, what is rounded down; may have other quotients, which stand before this one */
    isl_aff *value;  /* { [x, y] -> [floor(e)] } by the values of the function; NULL while no member tells it */
};

/* y_k = rest(x) + the sum of factor * value over quotients */
struct member {
    isl_aff *rest; /* { [x, y] -> [rest(x)] } */
    int factor[MOST];
    bool told;
};

struct graph {
    isl_multi_pw_aff *function;
    isl_local_space *pairs; /* { [x, y] } */
    int n_x, n_y;
    struct quotient quotient[MOST];
    int n_quotient;
    struct member member[MOST];
    isl_basic_set *set; /* of [x, y] */
};

/* The part of aff that is linear in x and the parameters, over pairs. */
static __isl_give isl_aff *over_pairs(const struct graph *graph, __isl_keep isl_aff *aff)
{
    isl_aff *linear = isl_aff_zero_on_domain(isl_local_space_copy(graph->pairs));
    const isl_size n_param = isl_aff_dim(aff, isl_dim_param);

    linear = isl_aff_set_constant_val(linear, isl_aff_get_constant_val(aff));
    for (int k = 0; k < n_param; k++)
        linear =
            isl_aff_set_coefficient_val(linear, isl_dim_param, k, isl_aff_get_coefficient_val(aff, isl_dim_param, k));
    for (int k = 0; k < graph->n_x; k++)
        linear = isl_aff_set_coefficient_val(linear, isl_dim_in, k, isl_aff_get_coefficient_val(aff, isl_dim_in, k));
    return linear;
}

/* The quotient with the same inside, or n_quotient. */
static int search_quotient(const struct graph *graph, __isl_keep isl_aff *inside)
{
    int k = 0;

    for (bool same = false; k < graph->n_quotient; k++) {
        isl_aff *difference = isl_aff_sub(isl_aff_copy(graph->quotient[k].inside), isl_aff_copy(inside));
        same = isl_aff_plain_is_zero(difference) == isl_bool_true;
        isl_aff_free(difference);
        if (same)
            break;
    }
    return k;
}

/* Its number; -1 when there are too many. */
static int find_quotient(struct graph *graph, __isl_take isl_aff *inside)
{
    const isl_size n_div = isl_aff_dim(inside, isl_dim_div);
    bool good = n_div >= 0;
    int k;

    for (int d = 0; d < n_div && good; d++)
        if (isl_aff_involves_dims(inside, isl_dim_div, (unsigned)d, 1) != isl_bool_false)
            good = find_quotient(graph, isl_aff_get_div(inside, d)) >= 0;
    k = search_quotient(graph, inside);
    if (good && k == graph->n_quotient && k < MOST)
        graph->quotient[graph->n_quotient++] = (struct quotient){inside, NULL};
    else
        isl_aff_free(inside);
    return good && k < MOST ? k : -1;
}

/* The whole number that val is, if it is a small one. */
static bool take_small(__isl_take isl_val *val, int *number)
{
    const bool small =
        isl_val_is_int(val) == isl_bool_true && isl_val_cmp_si(val, 1 << 30) < 0 && isl_val_cmp_si(val, -(1 << 30)) > 0;

    *number = small ? (int)isl_val_get_num_si(val) : 0;
    isl_val_free(val);
    return small;
}

static bool read_member(struct graph *graph, struct member *member, __isl_keep isl_aff *aff)
{
    const isl_size n_div = isl_aff_dim(aff, isl_dim_div);
    int denominator;

    if (!take_small(isl_aff_get_denominator_val(aff), &denominator) || denominator != 1)
        return false;
    member->rest = over_pairs(graph, aff);
    for (int k = 0; k < n_div; k++) {
        int factor, quotient;
        if (!take_small(isl_aff_get_coefficient_val(aff, isl_dim_div, k), &factor))
            return false;
        if (factor == 0)
            continue;
        quotient = find_quotient(graph, isl_aff_get_div(aff, k));
        if (quotient < 0)
            return false;
        member->factor[quotient] += factor;
    }
    return member->rest != NULL;
}

static bool read_members(struct graph *graph)
{
    bool good = true;

    for (int k = 0; k < graph->n_y && good; k++) {
        isl_pw_aff *pieces = isl_multi_pw_aff_get_pw_aff(graph->function, k);
        good = isl_pw_aff_isa_aff(pieces) == isl_bool_true;
        if (good) {
            isl_aff *aff = isl_pw_aff_as_aff(isl_pw_aff_copy(pieces));
            good = read_member(graph, &graph->member[k], aff);
            isl_aff_free(aff);
        }
        isl_pw_aff_free(pieces);
    }
    return good;
}

static __isl_give isl_aff *scaled(__isl_keep isl_aff *aff, int factor)
{
    return isl_aff_scale_val(isl_aff_copy(aff), isl_val_int_from_si(isl_aff_get_ctx(aff), factor));
}

/* y_k minus all of it that is known. */
static __isl_give isl_aff *unknown_part(const struct graph *graph, int k)
{
    const unsigned at = (unsigned)(graph->n_x + k);
    isl_aff *part = isl_aff_var_on_domain(isl_local_space_copy(graph->pairs), isl_dim_set, at);

    part = isl_aff_sub(part, isl_aff_copy(graph->member[k].rest));
    for (int q = 0; q < graph->n_quotient; q++)
        if (graph->quotient[q].value && graph->member[k].factor[q])
            part = isl_aff_sub(part, scaled(graph->quotient[q].value, graph->member[k].factor[q]));
    return part;
}

static void add(struct graph *graph, __isl_take isl_constraint *constraint)
{
    graph->set = isl_basic_set_add_constraint(graph->set, constraint);
}

/* { [x, y] -> [e] }, by the values of the quotients in e; NULL while one of them is not told. */
static __isl_give isl_aff *exact_value(struct graph *graph, __isl_keep isl_aff *inside)
{
    const isl_size n_div = isl_aff_dim(inside, isl_dim_div);
    isl_aff *exact = over_pairs(graph, inside);

    for (int d = 0; d < n_div; d++) {
        isl_val *factor = isl_aff_get_coefficient_val(inside, isl_dim_div, d);
        int k;
        if (isl_val_is_zero(factor) == isl_bool_true) {
            isl_val_free(factor);
            continue;
        }
        k = find_quotient(graph, isl_aff_get_div(inside, d));
        exact = isl_aff_add(exact, isl_aff_scale_val(k < 0 ? NULL : isl_aff_copy(graph->quotient[k].value), factor));
    }
    return exact;
}

/* value = floor(e): 0 <= e - value <= (d - 1) / d; false: a quotient in e is not told. */
static bool add_quotient(struct graph *graph, const struct quotient *quotient)
{
    isl_aff *above = isl_aff_sub(exact_value(graph, quotient->inside), isl_aff_copy(quotient->value));
    isl_val *d = isl_aff_get_denominator_val(above);
    isl_aff *below = isl_aff_scale_val(isl_aff_neg(isl_aff_copy(above)), isl_val_copy(d));
    const bool known = above != NULL;

    below = isl_aff_add_constant_val(below, isl_val_sub_ui(d, 1));
    if (!known) {
        isl_aff_free(below);
        return false;
    }
    add(graph, isl_inequality_from_aff(above));
    add(graph, isl_inequality_from_aff(below));
    return true;
}

static bool add_quotients(struct graph *graph)
{
    for (int k = 0; k < graph->n_quotient; k++)
        if (!graph->quotient[k].value || !add_quotient(graph, &graph->quotient[k]))
            return false;
    return true;
}

/* Does member k tell something, now that the quotients known so far are? */
static bool tell(struct graph *graph, int k)
{
    struct member *member = &graph->member[k];
    int unknown = -1, n = 0;

    for (int q = 0; q < graph->n_quotient; q++)
        if (member->factor[q] && !graph->quotient[q].value) {
            unknown = q;
            n++;
        }
    if (member->told || n > 1 || (n == 1 && member->factor[unknown] != 1 && member->factor[unknown] != -1))
        return false;
    member->told = true;
    if (n == 0) {
        add(graph, isl_equality_from_aff(unknown_part(graph, k)));
    } else {
        isl_aff *part = unknown_part(graph, k);
        graph->quotient[unknown].value = member->factor[unknown] > 0 ? part : isl_aff_neg(part);
    }
    return true;
}

/* Have all members told what they know, and none was left with two quotients? */
static bool tell_all(struct graph *graph)
{
    int n = 0;

    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < graph->n_y; k++)
            if (tell(graph, k)) {
                n++;
                more = true;
            }
    }
    return n == graph->n_y;
}

static void release(struct graph *graph)
{
    for (int k = 0; k < graph->n_y; k++)
        isl_aff_free(graph->member[k].rest);
    for (int k = 0; k < graph->n_quotient; k++) {
        isl_aff_free(graph->quotient[k].inside);
        isl_aff_free(graph->quotient[k].value);
    }
    isl_local_space_free(graph->pairs);
}

/* Without quotients; NULL when the values do not tell them all. */
static __isl_give isl_map *told_by_values(__isl_keep isl_multi_pw_aff *function)
{
    const isl_size n_x = isl_multi_pw_aff_dim(function, isl_dim_in), n_y = isl_multi_pw_aff_dim(function, isl_dim_out);
    struct graph graph = {.function = function, .n_x = (int)n_x, .n_y = (int)n_y};
    isl_space *space;
    isl_map *map = NULL;

    if (n_x < 0 || n_y < 1 || n_y > MOST)
        return NULL;
    space = isl_space_wrap(isl_multi_pw_aff_get_space(function));
    graph.set = isl_basic_set_universe(isl_space_copy(space));
    graph.pairs = isl_local_space_from_space(space);
    if (read_members(&graph) && tell_all(&graph) && add_quotients(&graph))
        map = isl_set_unwrap(isl_set_from_basic_set(isl_basic_set_copy(graph.set)));
    isl_basic_set_free(graph.set);
    release(&graph);
    return map;
}

__isl_give isl_map *poly_graph(__isl_take isl_multi_pw_aff *function)
{
    isl_map *map = told_by_values(function);

    if (!map)
        return isl_map_from_multi_pw_aff(function);
    isl_multi_pw_aff_free(function);
    return map;
}
