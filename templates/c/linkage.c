/* The start of functions with C linkage, in a header.
 *
 * part of c/header.c
 */
#ifdef __cplusplus
extern "C" {
#endif
