/* Affine index expressions of the loop tree: constant + sum of factor * atom.
 *
 * An atom is a variable (parameter, loop variable, named value) or a floor division, minimum or maximum of affine
 * expressions. `e mod d` is kept as e - d * floor(e / d); the printer recognises it. All values are immutable, in
 * the arena, with terms in canonical order (by variable id; then the composite atoms) and no zero factor, so that
 * equal expressions are structurally equal.
 *
 * Overflow: numbers beyond +-INT64_MAX do not exist here. Every function that would need one returns NULL, and
 * NULL in gives NULL out (also in tree.h's constructors), so that a pass asks once at its end.
 */
#ifndef TREE_AFFINE_H
#define TREE_AFFINE_H

#include "base/arena.h"
#include "program/axis.h"

#include <stdbool.h>
#include <stdint.h>

enum var_kind { VAR_PARAM, VAR_LOOP, VAR_VALUE };

/* Something with an integer value in the emitted code. Compared by address. */
struct var {
    enum var_kind kind;
    int id;             /* unique in the tree; parameters first, in declared order */
    const char *name;   /* as printed; of a position: as dumped */
    enum axis position; /* of a KERNEL's launch on this axis; AXIS_NONE: it is none */
    bool narrow;        /* fits an int: every value, and a loop's first value past its end, proved within int's range */
    bool is_read;       /* a number from memory in subscripts (pass "base"), which may be outside of their arrays where
                         * conditions on data do not hold */
    int64_t low, high;  /* narrow: proved bounds of these values; both 0: only int's range is known */
};

enum atom_kind { ATOM_VAR, ATOM_FLOOR, ATOM_MIN, ATOM_MAX };

struct affine;

struct atom {
    enum atom_kind kind;
    const struct var *var;           /* ATOM_VAR */
    const struct affine *const *arg; /* FLOOR: one; MIN, MAX: two or more */
    int n_arg;
    int64_t divisor; /* FLOOR: > 1 */
    bool plain;      /* FLOOR: arg proved >= 0 where it stands, so that C's / and % will do;
                                         no part of the value: equality ignores it */
};

struct affine_term {
    int64_t factor;
    const struct atom *atom;
};

struct affine {
    int64_t constant;
    int n_term;
    const struct affine_term *term;
};

const struct affine *affine_constant(struct arena *arena, int64_t value);
const struct affine *affine_var(struct arena *arena, const struct var *var);
const struct affine *affine_atom(struct arena *arena, const struct atom *atom);
/* fa * a + fb * b */
const struct affine *affine_combine(struct arena *arena, const struct affine *a, int64_t fa, const struct affine *b,
                                    int64_t fb);
const struct affine *affine_add(struct arena *arena, const struct affine *a, const struct affine *b);
const struct affine *affine_sub(struct arena *arena, const struct affine *a, const struct affine *b);
const struct affine *affine_add_constant(struct arena *arena, const struct affine *a, int64_t constant);
const struct affine *affine_scale(struct arena *arena, const struct affine *a, int64_t factor);
/* floor(a / b) of numbers, b > 0. */
int64_t floor_div(int64_t a, int64_t b);
/* The greatest; of 0 and b it is |b|. */
int64_t common_divisor(int64_t a, int64_t b);
/* floor(a / divisor), divisor > 0; splits off what divides exactly, floor((-i)/4) is -floor((i + 3)/4). */
const struct affine *affine_floor(struct arena *arena, const struct affine *a, int64_t divisor);
const struct affine *affine_mod(struct arena *arena, const struct affine *a, int64_t divisor);
/* a with the operands of its floor divisions brought to factors of at most half the divisor, so that floors that
 * differ by a whole expression cancel: 32 * floor((20 p + q) / 32) - 32 * floor((q - 12 p) / 32) is 32 p. */
const struct affine *affine_fold_floors(struct arena *arena, const struct affine *a);
/* 1 - (q + 1) mod 2 is q mod 2. */
const struct affine *affine_alternate(struct arena *arena, const struct affine *a);
/* kind is ATOM_MIN or ATOM_MAX; n >= 1; constants and equal or comparable arguments are folded. */
const struct affine *affine_extreme(struct arena *arena, enum atom_kind kind, const struct affine *const *arg, int n);

/* A copy whose floors have `plain` set where non_negative(user, operand) says so. */
const struct affine *affine_mark_plain(struct arena *arena, const struct affine *a,
                                       bool (*non_negative)(void *user, const struct affine *), void *user);
/* a where less is known than where its floors were marked: none is. */
const struct affine *affine_unmark(struct arena *arena, const struct affine *a);

/* The same value with fewer terms, where some can go into a floor: p - floor((12*p - q + 31)/32) is
 * floor((20*p + q)/32). */
const struct affine *affine_tidy(struct arena *arena, const struct affine *a);

/* How many terms it has, those inside of composite atoms among them, and the constant where it is not 0. */
int affine_terms(const struct affine *a);
bool affine_is_constant(const struct affine *a, int64_t *value); /* value may be NULL */
bool affine_equal(const struct affine *a, const struct affine *b);
/* A total order that depends on nothing but the variables' ids; constants come first. <0, 0, >0. */
int affine_compare(const struct affine *a, const struct affine *b);
/* The same order of what the terms of an affine are of, in which they stand. */
int atom_compare(const struct atom *a, const struct atom *b);
/* Does var occur anywhere in it? */
bool affine_uses(const struct affine *a, const struct var *var);
/* Does test hold for one of the variables of a, in divisions, minima and maxima, too? NULL has none. */
typedef bool var_test(const struct var *var, const void *user);
bool affine_any_var(const struct affine *a, var_test *test, const void *user);
/* Is there a floor anywhere in it; is there one of something else than parameters and constants? */
bool affine_has_floor(const struct affine *a);
bool affine_has_moving_floor(const struct affine *a);
/* The factor of var as a term of its own (0 if none); inside composite atoms it does not count. */
int64_t affine_factor(const struct affine *a, const struct var *var);
/* The same where a uses var nowhere else, in no quotient, minimum or maximum; false where it does. */
bool affine_linear_factor(struct arena *arena, const struct affine *a, const struct var *var, int64_t *factor);
/* The least value of an expression of parameters, of which param_least (by id) has the least; INT64_MIN: not known. */
int64_t affine_least(const struct affine *a, const int64_t *param_least);
/* The greatest value in the same way; INT64_MAX: not known. */
int64_t affine_most(const struct affine *a, const int64_t *param_most);
/* The greatest common divisor of the factors; 0 for a constant. */
int64_t affine_gcd(const struct affine *a);
const struct affine *affine_substitute(struct arena *arena, const struct affine *a, const struct var *var,
                                       const struct affine *value);

#endif
