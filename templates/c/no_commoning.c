/* The head of a file with vectors: gcc 12 wrongly keeps in a register what a store of the iteration before has changed
 * in part (doc/COMPILERS.md).
 */
/* gcc 12 treats partly overlapping vectors as disjoint */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-predictive-commoning")
#endif

