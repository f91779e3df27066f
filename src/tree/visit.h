/* Walks over the loop tree that passes share. */
#ifndef TREE_VISIT_H
#define TREE_VISIT_H

#include "tree/tree.h"

/* What replaces an affine expression; the same pointer when nothing changes. NULL is an overflow. */
typedef const struct affine *affine_function(struct arena *arena, const struct affine *affine, void *user);

/* node with function over the affine expressions it carries itself (bounds, value, conditions, arguments,
 * subscripts, counts of lanes, those inside typed expressions), not those of its children; node itself when none
 * changes. */
const struct node *node_map_own(struct arena *arena, const struct node *node, affine_function *function, void *user);
/* The same over node and everything below. */
const struct node *node_map(struct arena *arena, const struct node *node, affine_function *function, void *user);
/* What replaces an element; *element itself when nothing changes. */
typedef struct element element_function(struct arena *arena, const struct element *element, void *user);
/* node with function over the elements it reads and writes itself; node itself when no subscripts change. */
const struct node *node_map_elements(struct arena *arena, const struct node *node, element_function *function,
                                     void *user);
/* node with other children, n_child of them. */
const struct node *node_with_children(struct arena *arena, const struct node *node, const struct node *const *child);

/* In a vector assignment: is the value the same in all lanes? */
bool tree_expr_uniform(const struct tree_expr *expr);
/* Is it true or false? C counts it as 1 or 0; of lanes it is a mask, whatever the type that C gives it. */
bool tree_expr_is_truth(const struct tree_expr *expr);

/* Are the subscripts of two elements of one array the same, but for indirect ones? */
bool element_same_subscripts(const struct element *a, const struct element *b);
/* Are both the same element? Those with indirect subscripts are taken for different. */
bool element_equal(const struct element *a, const struct element *b);
/* Are they never the same one, for no values of their variables? Both subscripts of one dimension must differ by a
 * constant. */
bool element_apart(struct arena *arena, const struct element *a, const struct element *b);
/* Do both compute the same from the same elements? Indirect subscripts are taken for different. */
bool tree_expr_equal(const struct tree_expr *a, const struct tree_expr *b);

/* expr converted to type; expr itself if it has that type. */
const struct tree_expr *tree_expr_cast(struct arena *arena, enum type type, const struct tree_expr *expr);
/* expr without conversions around it that keep every value. */
const struct tree_expr *tree_expr_unwidened(const struct tree_expr *expr);
/* expr without a conversion around it to integers of as many bits. */
const struct tree_expr *tree_expr_same_bits(const struct tree_expr *expr);

/* What the assignment adds to its target: v of `t += v` and, of a type that is computed in another, of `t = t + v`,
 * without conversions around it; NULL: it is no sum. */
const struct tree_expr *node_added(const struct node *assign);

/* Of an assignment of a tile: the element that its sums start with; those that the factor with the rows (0) and the one
 * with the columns (1) start with. */
const struct element *tile_sums(const struct node *assign);
const struct element *tile_factor(const struct node *assign, int factor);

/* STATEMENT and ASSIGN nodes in it: the copies of statements that would be printed. */
int node_count_statements(const struct node *node);
/* Nodes of any kind in it. */
int node_count(const struct node *node);
/* Does var occur in any affine expression of node or below? Binding it is not using it, nor is telling which instances
 * of its statement an assignment runs. */
bool node_uses(const struct node *node, const struct var *var);
/* The same of an expression, where a name is a use of its variable. */
bool tree_expr_uses(const struct tree_expr *expr, const struct var *var);
/* Does the expression read the array? */
bool tree_expr_reads(const struct tree_expr *expr, const struct array *array);
/* Does an expression in node read the array? That an assignment updates it does not count. */
bool node_reads(const struct node *node, const struct array *array);
/* Does an assignment write a vector that stands for its target? */
static inline bool node_writes_vector(const struct node *node)
{
    return node->vector && node->vector->sum;
}

/* Calls function on node and every node below, parents first, children in order; what a TEXT computes is below it. */
void node_for_each(const struct node *node, void (*function)(const struct node *node, void *user), void *user);
/* Calls function on expr and every expression below, subscripts included. */
void tree_expr_for_each(const struct tree_expr *expr, void (*function)(const struct tree_expr *expr, void *user),
                        void *user);

#endif
