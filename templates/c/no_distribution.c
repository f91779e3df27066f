/* The head of a file with loops whose parts gcc 12 would run in a wrong order (doc/COMPILERS.md).
 */
/* gcc 12 distributes loops behind wrong tests for overlaps */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribution")
#endif

