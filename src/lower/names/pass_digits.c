/* Pass "digits": where the coordinates of a statement are known to add up, 7 * i + j = ij + q with 0 <= j < 7, they
 * are the digits of that sum,
 *     i = (ij + q) / 7, j = (ij + q) % 7
 * whatever divisions isl has found for each of them. */
#include "lower/facts/relation.h"

#include "poly/number.h"
#include "tree/visit.h"

#include <isl/ilp.h>
#include <isl/set.h>
#include <isl/val.h>

#include <stdlib.h>
#include <string.h>

/* A coordinate: direction * (first + stride * digit), counted in steps of weight of the sum. */
struct digit {
    int at;            /* among the statement's coordinates */
    int64_t direction; /* 1 or -1 */
    int64_t stride, first, coefficient, weight;
    bool bounded; /* digit >= 0 */
};

struct digits {
    const struct facts *facts;
    const struct affine **argument; /* of the statement */
    struct digit *digit;            /* the greatest weight first */
    int n;
};

/* The coordinate in the direction in which it adds to the sum. */
static const struct affine *ascending(const struct digits *digits, const struct digit *digit)
{
    return affine_scale(digits->facts->lowering->arena, digits->argument[digit->at], digit->direction);
}

/* The steps and the first value of a coordinate; of the leading one any value will do from which it takes whole
 * steps. */
static bool measure(const struct digits *digits, struct digit *digit)
{
    const struct affine *value = ascending(digits, digit);
    isl_set *values = value ? facts_values(digits->facts, &value, 1) : NULL;

    if (!values)
        return false;
    values = isl_set_project_out(values, isl_dim_param, 0, (unsigned)isl_set_dim(values, isl_dim_param));
    poly_number(isl_set_get_stride(values, 0), &digit->stride);
    digit->bounded = poly_number(isl_set_dim_min_val(isl_set_copy(values), 0), &digit->first);
    isl_set_free(values);
    return digit->stride > 0 && (digit->bounded || digit->stride == 1) &&
           !__builtin_mul_overflow(digit->coefficient, digit->stride, &digit->weight);
}

static void insert(struct digits *digits, struct digit digit)
{
    int at = digits->n++;

    for (; at > 0 && digits->digit[at - 1].weight < digit.weight; at--)
        digits->digit[at] = digits->digit[at - 1];
    digits->digit[at] = digit;
}

/* The coordinates that the relation is about; false when it is not one of digits. */
static bool collect(struct digits *digits, const struct relation *relation, const int *at, int n, int64_t sign)
{
    for (int k = 0; k < n; k++) {
        const int64_t own = sign * relation->coefficient[k];
        struct digit digit = {.at = at[k], .direction = own < 0 ? -1 : 1, .coefficient = own < 0 ? -own : own};
        if (own == 0)
            continue;
        if (!measure(digits, &digit))
            return false;
        insert(digits, digit);
    }
    return digits->n > 1;
}

/* Is what digits k and below make up less than one step of the digit before? */
static bool fits_below(const struct digits *digits, int k)
{
    struct arena *arena = digits->facts->lowering->arena;
    const struct affine *left = affine_constant(arena, digits->digit[k - 1].weight - 1);

    if (digits->digit[k - 1].weight % digits->digit[k].weight != 0)
        return false;
    for (; k < digits->n; k++) {
        const struct digit *digit = &digits->digit[k];
        const struct affine *past = affine_add_constant(arena, ascending(digits, digit), -digit->first);
        if (!digit->bounded)
            return false;
        left = affine_sub(arena, left, affine_scale(arena, past, digit->coefficient));
    }
    return left && facts_imply(digits->facts, left);
}

static const struct affine *sum_from_zero(const struct digits *digits, const struct affine *sum)
{
    struct arena *arena = digits->facts->lowering->arena;

    for (int k = 0; k < digits->n; k++) {
        const struct digit *digit = &digits->digit[k];
        const struct affine *first = affine_constant(arena, digit->first);
        sum = affine_sub(arena, sum, affine_scale(arena, first, digit->coefficient));
    }
    return sum;
}

/* The length of its text: terms and constants. */
static int length(const struct affine *a)
{
    int n = a->n_term + (a->constant != 0);

    for (int k = 0; k < a->n_term; k++)
        for (int arg = 0; arg < a->term[k].atom->n_arg; arg++)
            n += length(a->term[k].atom->arg[arg]);
    return n;
}

/* Replaces the coordinates by the digits of sum if they get shorter; false on overflow. */
static bool replace(const struct digits *digits, const struct affine *sum)
{
    struct arena *arena = digits->facts->lowering->arena;
    const struct affine **value = ARENA_ARRAY(arena, digits->n, const struct affine *);
    int gain = 0;

    sum = sum_from_zero(digits, sum);
    for (int k = 0; k < digits->n; k++) {
        const struct digit *digit = &digits->digit[k];
        const struct affine *count = affine_floor(arena, sum, digit->weight);
        sum = affine_sub(arena, sum, affine_scale(arena, count, digit->weight));
        value[k] = affine_add_constant(arena, affine_scale(arena, count, digit->stride), digit->first);
        value[k] = affine_scale(arena, value[k], digit->direction);
        if (!value[k] || !sum)
            return false;
        gain += length(digits->argument[digit->at]) - length(value[k]);
    }
    for (int k = 0; k < digits->n && gain > 0; k++)
        digits->argument[digits->digit[k].at] = value[k];
    return gain > 0;
}

/* The sign of the greatest coefficient. */
static int64_t sign_of(const struct relation *relation, int n)
{
    int64_t greatest = 0;

    for (int k = 0; k < n; k++)
        if (llabs(relation->coefficient[k]) > llabs(greatest))
            greatest = relation->coefficient[k];
    return greatest < 0 ? -1 : 1;
}

/* Applies one relation between the coordinates at[0..n). */
static bool apply(const struct facts *facts, const struct affine **argument, const struct relation *relation,
                  const int *at, int n)
{
    struct arena *arena = facts->lowering->arena;
    struct digits digits = {facts, argument, ARENA_ARRAY(arena, n, struct digit), 0};
    const int64_t sign = sign_of(relation, n);

    if (!collect(&digits, relation, at, n, sign))
        return false;
    for (int k = 1; k < digits.n; k++)
        if (!fits_below(&digits, k))
            return false;
    return replace(&digits, affine_scale(arena, relation->rest, sign));
}

/* The coordinates of statement that divide, and where they are; their number. Not those that are known without the
 * others. */
static int find_divided(const struct facts *facts, const struct node *statement, const struct affine **divided, int *at)
{
    struct quotient quotient;
    int n = 0;

    for (int k = 0; k < statement->statement->n_loop; k++)
        if (affine_has_moving_floor(statement->argument[k]) &&
            !relation_is_told(facts, statement->argument[k], &quotient)) {
            divided[n] = statement->argument[k];
            at[n++] = k;
        }
    return n;
}

static const struct node *simplify(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const size_t n_loop = (size_t)node->statement->n_loop;
    const struct affine **argument = ARENA_ARRAY(arena, n_loop + 1, const struct affine *);
    const struct affine **divided = ARENA_ARRAY(arena, n_loop + 1, const struct affine *);
    int *at = ARENA_ARRAY(arena, n_loop + 1, int);
    const int n = find_divided(facts, node, divided, at);
    const struct relation *relation = NULL;
    const int n_relation = n > 1 ? relations_find(facts, divided, n, &relation) : 0;
    bool changed = false;

    memcpy(argument, node->argument, n_loop * sizeof(*argument));
    for (int k = 0; k < n_relation; k++)
        changed = apply(facts, argument, &relation[k], at, n) || changed;
    return changed ? node_statement(arena, node->statement, argument) : node;
}

static void note_floor(const struct node *node, void *user)
{
    int n = 0;

    for (int k = 0; node->kind == NODE_STATEMENT && k < node->statement->n_loop; k++)
        n += affine_has_moving_floor(node->argument[k]);
    *(bool *)user |= n > 1;
}

static bool divides(const struct node *node)
{
    bool found = false;

    node_for_each(node, note_floor, &found);
    return found;
}

static const struct node *walk(const struct facts *facts, const struct node *node)
{
    struct arena *arena = facts->lowering->arena;
    const struct node **child;

    if (!divides(node))
        return node;
    if (node->kind == NODE_STATEMENT)
        return simplify(facts, node);
    child = ARENA_ARRAY(arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;
        facts_enter(&inside, node, k);
        child[k] = walk(&inside, node->child[k]);
    }
    return node_with_children(arena, node, child);
}

const struct node *lower_digits(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);
    const struct node *result = walk(&facts, tree);

    return result;
}
