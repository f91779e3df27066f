/* The graph of a function with quotients, as a relation with as few of them as can be.
 *
 * isl makes the graph of { S[i] -> [floor(i/32), i mod 32] } with a variable for each quotient, and every later step
 * pays for these: what is composed with such a graph several times as much as without. But the values of such a
 * function mostly tell the quotients: with [t, r], floor(i/32) is t, so that the graph is i = 32t + r, 0 <= r < 32.
 */
#ifndef POLY_GRAPH_H
#define POLY_GRAPH_H

#include <isl/aff.h>
#include <isl/map.h>

/* { x -> function(x) }. */
__isl_give isl_map *poly_graph(__isl_take isl_multi_pw_aff *function);

#endif
