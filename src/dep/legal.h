/* Legality of an order: does it keep every required dependence? */
#ifndef DEP_LEGAL_H
#define DEP_LEGAL_H

#include "dep/dependence.h"
#include "poly/sample.h"

/* Two instances that an order swaps, with the parameters for which it does. */
struct violation {
    const struct dependence *dependence;
    int64_t *param;   /* of the program, as declared */
    int64_t *earlier; /* the instance of dependence->from */
    int64_t *later;   /* the instance of dependence->to */
};

/* Finds the smallest violation of the order: by parameters, then by the later instance. False when
 * there is none (or isl failed, which the end of the stage tells). */
bool legal_find_violation(struct arena *arena, const struct dependences *dependences, __isl_keep isl_schedule *schedule,
                          struct violation *violation);
/* Finds the smallest required dependence among the given pairs { a -> b } (a before b originally). */
bool legal_find_pair(struct arena *arena, const struct dependences *dependences, __isl_take isl_union_map *pairs,
                     struct violation *violation);
/* The same where all pairs are of required dependences. */
bool legal_find_among(struct arena *arena, const struct dependences *dependences, __isl_keep isl_union_map *pairs,
                      struct violation *violation);
/* The same among all dependences, those of reductions included. */
bool legal_smallest_pair(struct arena *arena, const struct dependences *dependences, __isl_keep isl_union_map *pairs,
                         struct violation *violation);
/* The smallest pair of one dependence. */
bool legal_smallest_of(struct arena *arena, const struct dependences *dependences, const struct dependence *dependence,
                       struct violation *violation);
/* All violated pairs of the required dependences. */
__isl_give isl_union_map *legal_violated(const struct dependences *dependences, __isl_keep isl_schedule *schedule);
/* Does this order swap the two instances of violation? */
bool legal_swaps(const struct violation *violation, __isl_keep isl_schedule *schedule);

/* "A[0, 1]" of a name and n values, "A" without any. */
void print_tuple(struct text *out, const char *name, const int64_t *value, int n);
/* "T[0, 1]" of an instance; "C[1, 0]" of an element both touch; "M = 1, N = 2" of the parameters. */
void violation_print_instance(struct text *out, const struct statement *statement, const int64_t *instance);
void violation_print_element(struct text *out, struct arena *arena, const struct violation *violation);
void violation_print_params(struct text *out, const struct program *program, const struct violation *violation);
/* "S[0] writes A[0], which T[1] reads (flow dependence); N = 2". */
void violation_print_reason(struct text *out, struct arena *arena, const struct program *program,
                            const struct violation *violation);
/* The pair as a map { S[i,j] -> T[i',j'] } for the violation's parameters. */
__isl_give isl_map *violation_pair(const struct violation *violation);
/* What would help, in one line; kept by the arena. */
const char *violation_advice(struct arena *arena, const struct violation *violation);
/* The same, where an index array is not known to be injective, or nondecreasing, which may be all that is wrong; else
 * NULL. */
const char *violation_index_advice(struct arena *arena, const struct violation *violation);

#endif
