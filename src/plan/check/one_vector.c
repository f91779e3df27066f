/* The pairs of instances that one vector may hold. */
#include "plan/check/check_test.h"

#include "caps/simd.h"
#include "plan/check/lockstep.h"
#include "plan/loop_plan.h"

#include <isl/constraint.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/val.h>

/* { [c] -> [c'] : c' - c >= least } */
static __isl_give isl_map *apart_by(__isl_take isl_space *params, int64_t least)
{
    isl_space *space = isl_space_add_dims(isl_space_set_from_params(params), isl_dim_set, 1);
    isl_map *map = isl_map_universe(isl_space_map_from_set(space));
    isl_constraint *far = isl_constraint_alloc_inequality(isl_local_space_from_space(isl_map_get_space(map)));
    isl_val *constant = isl_val_neg(isl_val_int_from_si(isl_map_get_ctx(map), least));

    far = isl_constraint_set_coefficient_si(far, isl_dim_out, 0, 1);
    far = isl_constraint_set_coefficient_si(far, isl_dim_in, 0, -1);
    return isl_map_add_constraint(map, isl_constraint_set_constant_val(far, constant));
}

/* { S[i] -> [c] }: the counts of the tested loop. */
static __isl_give isl_union_map *counts_of(const struct test *test, const struct order *order)
{
    isl_union_map *counts;

    if (order->kind == ORDER_LOOP && order->info == test->info) {
        counts = isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(order->time));
        return isl_union_map_intersect_domain(counts, order_domain(order));
    }
    counts = isl_union_map_empty(isl_set_get_space(test->schedule->program->context));
    for (int k = 0; k < order->n_child; k++)
        counts = isl_union_map_union(counts, counts_of(test, order->child[k]));
    return counts;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

/* The smallest multiple of *user that the last dimension's stride divides, too. */
static isl_stat add_stride(__isl_take isl_basic_set *part, void *user)
{
    int64_t *stride = user;
    isl_set *set = isl_set_from_basic_set(part);
    isl_val *val = isl_set_get_stride(set, (int)isl_set_dim(set, isl_dim_set) - 1);
    const bool known = isl_val_is_pos(val) == isl_bool_true && isl_val_cmp_si(val, INT32_MAX) <= 0;
    const int64_t one = known ? isl_val_get_num_si(val) : 1, multiple = one / greatest_divisor(one, *stride);

    *stride *= *stride < INT32_MAX / multiple ? multiple : 1;
    isl_val_free(val);
    isl_set_free(set);
    return isl_stat_ok;
}

static isl_stat add_strides(__isl_take isl_set *set, void *user)
{
    const isl_stat stat = isl_set_foreach_basic_set(set, add_stride, user);

    isl_set_free(set);
    return stat;
}

/* From one iteration of the tested loop to the next there are no more counts than this, wherever isl cuts the loop:
 * conditions with remainders leave counts without instances, and loops that isl makes of the others skip these. */
static int64_t stride_of(const struct test *test, const struct order *order, struct lockstep_loops *around)
{
    const bool loop = order->kind == ORDER_LOOP, found = loop && order->info == test->info;
    int64_t stride = 1;
    isl_union_set *times;

    if (loop)
        VEC_PUSH(test->schedule->arena, &around->loop, order);
    if (found) {
        times = isl_union_map_range(lockstep_times(around, order_domain(order)));
        stride = test->info->unit;
        isl_union_set_foreach_set(times, add_strides, &stride);
        isl_union_set_free(times);
    }
    for (int k = 0; k < order->n_child && !found; k++) {
        const int64_t below = stride_of(test, order->child[k], around);
        stride = below > stride ? below : stride;
    }
    around->loop.n -= loop;
    return stride;
}

__isl_give isl_union_map *test_of_one_vector(const struct test *test, __isl_take isl_union_map *pairs)
{
    const struct loop_plan *plan = test->info->plan;
    struct lockstep_loops around = {0};
    isl_union_map *count, *far;
    int64_t stride;

    if (test->step != plan->vector_step || plan->lanes == 0 || !simd_by_name(test->schedule->program->target.simd))
        return pairs;
    stride = stride_of(test, test->schedule->order, &around);
    count = counts_of(test, test->schedule->order);
    far = isl_union_map_from_map(apart_by(isl_union_map_get_space(count), plan->lanes * stride));
    far = isl_union_map_apply_range(isl_union_map_copy(count), far);
    far = isl_union_map_apply_range(far, isl_union_map_reverse(count));
    return isl_union_map_subtract(pairs, far);
}
