/* The macro for elements of tables of f16.
 *
 * before: c/f16_type.c
 * NAME = F16
 */
#ifdef __FLT16_MANT_DIG__
#define @NAME@(value, bits) (polynest_f16)value
#else
#define @NAME@(value, bits) bits
#endif
