/* The end of functions that are compiled for processors with more than the file is.
 *
 * part of a file that starts them
 */
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
