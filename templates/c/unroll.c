/* The loop that follows is written out, whatever constant a caller gives as its end. Clang leaves a loop in memory that has
 * fewer iterations than the number says.
 *
 * NAME = UNROLL
 */
/* writes the loop below out, whose end is a constant where the function is called */
#ifdef __clang__
#define @NAME@ _Pragma("clang loop unroll(full)")
#else
#define @NAME@ _Pragma("GCC unroll 64")
#endif
