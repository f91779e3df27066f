/* Asks the processor for tiles and products of them, by cpuid, which takes long in virtual machines, and the system for the
 * permission to use them.
 *
 * text: #include <cpuid.h>
 * NAME = has_amx_int8
 * WORDS = amx-tile, amx-int8
 * BITS = TILE | INT8
 * MAY_USE = @x86/may_use_tiles@
 */
@MAY_USE@

/* has the processor @WORDS@, and may the process use them? clang 14 has no words for
 * that in __builtin_cpu_supports */
static int @NAME@(void)
{
    enum { BF16 = 1 << 22, TILE = 1 << 24, INT8 = 1 << 25, ALL = @BITS@ };
    enum { NO = 1, YES };
    static _Atomic int known;
    unsigned a, b, c, d;

    if (!known && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & ALL) == ALL)
        known = may_use_tiles() ? YES : NO;
    else if (!known)
        known = NO;
    return known == YES;
}
