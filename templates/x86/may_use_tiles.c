/* The permission to use tiles, which have so many bytes that systems give them room on demand.
 *
 * flags: -mamx-tile
 */
#ifdef __linux__
#include <sys/syscall.h>
long syscall(long number, ...);
#endif

/* does the processor have tiles, and may the process use them? Linux wants to be asked */
static int may_use_tiles(void)
{
#ifdef __linux__
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    static _Atomic int granted;

    if (!granted)
        granted = syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
    return granted;
#else
    return 1;
#endif
}
