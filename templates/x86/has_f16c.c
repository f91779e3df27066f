/* Asks the processor for conversions of f16, by cpuid, which takes long in virtual machines.
 *
 * text: #include <cpuid.h>
 * NAME = has_f16c
 */
/* does the processor convert f16? clang 14 has no word for that in __builtin_cpu_supports */
static int @NAME@(void)
{
    enum { NO = 1, YES };
    static _Atomic int known;
    unsigned a, b, c, d;

    if (!known)
        known = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C) ? YES : NO;
    return known == YES;
}
