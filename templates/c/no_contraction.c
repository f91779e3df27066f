/* The head of a file whose products and sums are rounded one by one: doc/COMPILERS.md.
 */
/* a * b + c is rounded twice, as written */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("fp-contract=off")
#else
#pragma STDC FP_CONTRACT OFF
#endif

