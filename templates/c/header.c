/* The header of a function. LINKAGE: c/linkage or c/linkage_restrict.
 *
 * NAME = MM
 * BOOL = #include <stdbool.h>
 * F16_TYPE = @c/f16_type@
 * LINKAGE = @c/linkage_restrict@
 * FUNCTIONS = void mm(const float *MM_RESTRICT a);
 * END = #undef MM_RESTRICT
 */
#ifndef POLYNEST_@NAME@_H
#define POLYNEST_@NAME@_H

@BOOL@
#include <stdint.h>

@F16_TYPE@
@LINKAGE@

@FUNCTIONS@

@END@
#ifdef __cplusplus
}
#endif

#endif
