/* Arithmetic on the times of loops: union_pw_affs { S[i,j] -> [count] }. */
#ifndef SCHED_TIME_H
#define SCHED_TIME_H

#include "sched/order.h"

#include <isl/union_map.h>

/* Every result takes its isl arguments. */
__isl_give isl_union_pw_aff *time_scale(__isl_take isl_union_pw_aff *time, int64_t factor);
__isl_give isl_union_pw_aff *time_floor_div(__isl_take isl_union_pw_aff *time, int64_t divisor);
__isl_give isl_union_pw_aff *time_mod(__isl_take isl_union_pw_aff *time, int64_t divisor);
/* time + factor * amount; amount is affine in the parameters, { [(N - 1)] }. */
__isl_give isl_union_pw_aff *time_add(__isl_take isl_union_pw_aff *time, __isl_keep isl_aff *amount, int64_t factor);
__isl_give isl_union_pw_aff *time_add_constant(__isl_take isl_union_pw_aff *time, int64_t amount);
/* { [a] -> [b] : least <= b - a <= most }, of counts of a loop: space has one set dimension. */
__isl_give isl_map *time_apart(__isl_take isl_space *space, int64_t least, int64_t most);
/* The part of time for the instances of one statement. */
__isl_give isl_union_pw_aff *time_of(__isl_keep isl_union_pw_aff *time, const struct statement *statement);

/* [N] -> { [(value)] }: an affine expression of the parameters only. */
__isl_give isl_aff *params_constant(const struct program *program, int64_t value);
/* Reads "N - 3" in the description's or isl's notation; NULL when it is not one affine expression. */
__isl_give isl_aff *params_read(const struct program *program, const struct value *value);

/* The smallest (largest) count of a loop over everything in domain, when it is one affine
 * expression of the parameters; NULL otherwise. Assumes the program's context. */
__isl_give isl_aff *time_least(const struct program *program, __isl_keep isl_union_pw_aff *time,
                               __isl_keep isl_union_set *domain);
__isl_give isl_aff *time_greatest(const struct program *program, __isl_keep isl_union_pw_aff *time,
                                  __isl_keep isl_union_set *domain);
/* The count of the statement's instances: { S[i,j] -> [(floor(j/5))] } of it. */
__isl_give isl_pw_aff *time_count(__isl_keep isl_union_pw_aff *time, const struct statement *statement);
/* The counts themselves: [N] -> { [c] }. */
__isl_give isl_set *time_range(__isl_keep isl_union_pw_aff *time, __isl_keep isl_union_set *domain);
/* Have all instances one count in the loop, the same for given parameters? No when isl cannot tell. */
bool time_is_single(__isl_keep isl_union_pw_aff *time, __isl_keep isl_set *instances);

/* value of an aff that is an integer constant. */
bool aff_constant(__isl_keep isl_aff *aff, int64_t *value);
/* The same of one that is the same everywhere. */
bool pw_aff_constant(__isl_keep isl_pw_aff *pa, int64_t *value);

#endif
