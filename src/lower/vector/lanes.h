/* The body of a loop for all lanes of a vector at once: part of pass "vectors".
 *
 * The loop's variable stands in the body as an expression of the lane's number. What does not depend on the lane is the
 * same in all of them; subscripts and values that do are affine in it; conditions on it become masks.
 */
#ifndef LOWER_VECTOR_LANES_H
#define LOWER_VECTOR_LANES_H

#include "base/vec.h"
#include "caps/simd.h"
#include "lower/facts/facts.h"
#include "plan/loop_plan.h"

/* An update of one element by all iterations of the loop, and the vector that collects it. */
struct lane_sum {
    const struct node *assign; /* one of its copies */
    enum expr_op op;           /* SUB counts as ADD */
    const struct var *var;
    const struct guard *guard; /* where this does not hold, no iteration updates the element: it may not be there */
};

struct lane_sums {
    struct lane_sum *at;
    int n, capacity;
};

/* A variable, or an element of an array, that each lane has for itself, declared for these lanes. */
struct lane_own {
    struct element element;
    const struct var *var;
    const struct vector *vector;
};

struct lanes {
    struct lowering *lowering;
    const struct simd *simd;
    const struct step *step;          /* that asked for the loop at hand */
    const struct var *lane;           /* the number of the lane */
    const struct facts *facts;        /* where the vector is */
    int n;                            /* lanes of one vector */
    bool whole;                       /* all lanes are to be active, by the tail that was asked for */
    const struct affine *count;       /* lanes below it are active; NULL: all */
    const struct tree_expr *active;   /* of these those where it is true; NULL: all */
    const struct tree_expr *told;     /* the same without names of masks, which functions do not know */
    VEC(struct condition) conditions; /* inside of the loop, under which the place runs */
    bool branches;                    /* there are others, too */
    struct lane_sums sums;            /* that the loop collects */
    VEC(struct lane_own) own;
    VEC(const struct array *) local; /* arrays that an iteration of the loop has for itself */
    VEC(const struct node *) masks;  /* names of masks that the statement at hand wants in front of it */
    bool chosen;                     /* the expression at hand has its value in some lanes only */
    const struct affine *place;      /* of the vector at hand among those that collect a sum; NULL: there is one */
    bool (*runs)(void *user, const struct affine *count, const struct node *body); /* see lanes_body */
    void *user;
    bool refused;
};

/* The first of several is reported; NULL. */
const struct node *lanes_refuse(struct lanes *lanes, const char *hint, const char *text);
/* before, the name in backquotes, after */
const struct node *lanes_refuse_name(struct lanes *lanes, const char *before, const char *name, const char *after);

/* a in lane 0. */
const struct affine *lanes_first(const struct lanes *lanes, const struct affine *a);
/* The lane's factor in a; false when it occurs otherwise. */
bool lanes_factor(const struct lanes *lanes, const struct affine *a, int64_t *factor);

/* How far a in each lane, an affine expression with floors, is from a in lane 0 (vector/lane_offsets.c); NULL: that has
 * no form. */
const struct tree_expr *lanes_distances(const struct lanes *lanes, const struct affine *a, enum type type);
/* How far the lanes' elements are from lane 0's in storage, as numbers of 32 bits; NULL: that has no form. */
const struct tree_expr *lanes_offsets(const struct lanes *lanes, const struct element *element);
/* Are the lanes' elements, which floors tell, all different? */
bool lanes_differ(const struct lanes *lanes, const struct element *element);
/* A load of elements that are not a constant number apart, but told by floors or by memory; NULL: they are, or have no
 * form. */
const struct tree_expr *lanes_load_apart(struct lanes *lanes, const struct tree_expr *load);

/* Makes *target, of which the lanes read the last subscript, one whose `distance` these are, or refuses it where lanes
 * may have the same; false: it is no such element. */
bool lanes_store_by_subscript(struct lanes *lanes, struct element *target);

/* The element in a variable of the lanes; NULL: it has none. */
const struct lane_own *lanes_own(const struct lanes *lanes, const struct element *element);
/* Is expr another value in each lane? */
bool lanes_vary(const struct lanes *lanes, const struct tree_expr *expr);
/* How many elements of storage are between neighbouring lanes; false: not one constant. */
bool lanes_step(const struct lanes *lanes, const struct element *element, int64_t *step);

/* Does expr itself divide integers, by what may be 0 or -1? Is there such a division below that only runs where a
 * condition holds? */
bool lanes_divides(const struct tree_expr *expr);
bool lanes_divides_sometimes(const struct tree_expr *expr);
/* expr in all lanes (lower/vector/lane_exprs.c); NULL after a refusal. */
const struct tree_expr *lanes_expr(struct lanes *lanes, const struct tree_expr *expr);
struct element lanes_element(struct lanes *lanes, const struct element *element);
/* A condition in all lanes as a mask, or as it is where it is the same in all. */
const struct tree_expr *lanes_condition(struct lanes *lanes, const struct condition *condition);
/* mask as a name, in a LET around what comes to stand in its child, for lanes of type. */
struct node *lanes_name_mask(struct lanes *lanes, const struct tree_expr *mask, enum type type,
                             const struct tree_expr **name);
/* a and b; NULL is true. */
const struct tree_expr *lanes_both(struct arena *arena, const struct tree_expr *a, const struct tree_expr *b);
const struct tree_expr *lanes_not(struct arena *arena, const struct tree_expr *a);

/* The lanes of the vector at hand; sum: the variable that it is about, or NULL. */
const struct vector *lanes_vector(const struct lanes *lanes, const struct var *sum);
/* The instances of node, which were told by lanes->lane, are those of all active lanes; where it has no vector, it runs
 * all of them as one. */
void lanes_set_instances(const struct lanes *lanes, struct node *node);
/* An assignment for all lanes (lower/vector/lane_assign.c); NULL after a refusal. */
const struct node *lanes_assign(struct lanes *lanes, const struct node *assign);
/* Does it divide where a condition on data holds? (lower/vector/lane_shared.c) */
bool lanes_assign_divides(const struct node *assign);
/* Are there loads at computed places, which may be inside of the array only where the statement's condition holds?
 * (lower/vector/lane_shared.c) */
bool lanes_loads_by_condition(const struct node *assign);
/* Without active lanes nothing is loaded, except what all lanes share: then the mask alone is not enough, and body,
 * made for the lanes below count, comes under a condition. (A buffer has room for all of a tile.) */
const struct node *lanes_if_any(struct lanes *lanes, const struct affine *count, const struct node *body);
/* The same where the lanes under `active` are not the first ones: then it is refused. NULL flows through. */
const struct node *lanes_check_shared(struct lanes *lanes, const struct node *body);

/* The same of one side of a choice between lanes, or of the second of two conditions. */
const struct tree_expr *lanes_check_side(struct lanes *lanes, const struct tree_expr *side);

/* body for all lanes; NULL after a refusal. Where none of the lanes below a count may be active, and all of them
 * share a load, the place is under a condition, unless runs(user, count, place) proves that the load is sound. */
const struct node *lanes_body(struct lanes *lanes, const struct node *body);

/* The update target op= *value that assign is, or OP_NONE; SUB counts as ADD and is told in *negative. */
enum expr_op lanes_update(struct arena *arena, const struct node *assign, const struct tree_expr **value,
                          bool *negative);

#endif
