/* Evaluating an order, by walking its tree for one instance at a time. */
#include "dates.h"

#include "sched/time.h"

#include <isl/point.h>
#include <isl/val.h>

#include <string.h>

static __isl_give isl_point *point_of(__isl_take isl_space *space, const struct program *program,
                                      const int64_t *param, const struct statement *statement,
                                      const int64_t *instance)
{
    isl_ctx *ctx = program->ctx;
    isl_point *point = isl_point_zero(isl_space_copy(space));

    for (int k = 0; k < program->n_param; k++) {
        const int at = isl_space_find_dim_by_name(space, isl_dim_param, program->param[k].name);
        if (at >= 0)
            point =
                isl_point_set_coordinate_val(point, isl_dim_param, at, isl_val_int_from_si(ctx, param[k]));
    }
    isl_space_free(space);
    for (int k = 0; k < statement->n_loop; k++)
        point = isl_point_set_coordinate_val(point, isl_dim_set, k, isl_val_int_from_si(ctx, instance[k]));
    return point;
}

struct walk {
    const struct program *program;
    const int64_t *param;
    const struct statement *statement;
    const int64_t *instance;
    const char *loop; /* whose place is asked for, or NULL */
    struct date *date;
};

static bool leaf_runs(const struct walk *walk, const struct order *leaf)
{
    isl_point *point;
    isl_set *single;
    bool inside;

    if (leaf->statement != walk->statement)
        return false;
    point = point_of(isl_set_get_space(leaf->domain), walk->program, walk->param, walk->statement,
                     walk->instance);
    single = isl_set_from_point(point);
    inside = isl_set_is_subset(single, leaf->domain) == isl_bool_true;
    isl_set_free(single);
    return inside;
}

static bool add_count(const struct walk *walk, const struct order *loop)
{
    isl_union_pw_aff *time = time_of(loop->time, walk->statement);
    isl_pw_aff_list *list = isl_union_pw_aff_get_pw_aff_list(time);
    isl_pw_aff *pw = isl_pw_aff_list_n_pw_aff(list) == 1 ? isl_pw_aff_list_get_pw_aff(list, 0) : NULL;
    isl_val *value = NULL;

    if (pw)
        value = isl_pw_aff_eval(isl_pw_aff_copy(pw), point_of(isl_pw_aff_get_domain_space(pw), walk->program,
                                                              walk->param, walk->statement, walk->instance));
    const bool good = value && isl_val_is_int(value) == isl_bool_true && walk->date->n < MAX_DATE;
    if (good) {
        walk->date->node[walk->date->n] = loop;
        walk->date->at[walk->date->n++] = isl_val_get_num_si(value);
    }
    isl_val_free(value);
    isl_pw_aff_free(pw);
    isl_pw_aff_list_free(list);
    isl_union_pw_aff_free(time);
    return good;
}

static bool date_below(const struct walk *walk, const struct order *order)
{
    const int kept = walk->date->n;

    if (order->kind == ORDER_LEAF)
        return leaf_runs(walk, order);
    if (order->kind == ORDER_LOOP && walk->loop && strcmp(order->info->name, walk->loop) == 0)
        walk->date->mark = kept;
    if (order->kind == ORDER_LOOP)
        return order_has(order, walk->statement) && add_count(walk, order) &&
               date_below(walk, order->child[0]);
    for (int k = 0; k < order->n_child && kept < MAX_DATE; k++) {
        walk->date->n = kept;
        walk->date->mark = walk->date->mark >= kept ? -1 : walk->date->mark;
        walk->date->node[walk->date->n] = order;
        walk->date->at[walk->date->n++] = k;
        if (date_below(walk, order->child[k]))
            return true;
    }
    return false;
}

bool date_of(const struct order *order, const struct program *program, const int64_t *param,
             const struct statement *statement, const int64_t *instance, struct date *date)
{
    return date_marked(order, program, param, statement, instance, NULL, date);
}

bool date_marked(const struct order *order, const struct program *program, const int64_t *param,
                 const struct statement *statement, const int64_t *instance, const char *loop, struct date *date)
{
    const struct walk walk = {program, param, statement, instance, loop, date};

    date->n = 0;
    date->mark = -1;
    return date_below(&walk, order);
}

int date_compare(const struct date *a, const struct date *b)
{
    for (int k = 0; k < a->n && k < b->n; k++)
        if (a->at[k] != b->at[k])
            return a->at[k] < b->at[k] ? -1 : 1;
    return a->n - b->n;
}
