/* The same with a word for C's restrict that C++ has, too.
 *
 * part of c/header.c
 * RESTRICT = MM_RESTRICT
 */
#ifdef __cplusplus
#define @RESTRICT@ __restrict
extern "C" {
#else
#define @RESTRICT@ restrict
#endif
