/* f16 for callers. Several headers in one file may have it.
 */
#ifndef POLYNEST_F16
#define POLYNEST_F16
#ifdef __FLT16_MANT_DIG__
__extension__ typedef _Float16 polynest_f16;
#else
typedef uint16_t polynest_f16; /* its bits */
#endif
#endif

