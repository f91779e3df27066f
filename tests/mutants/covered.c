/* Which blocks of the sources a run comes to, compiled with -fsanitize-coverage=trace-pc: their addresses, one a line,
 * in the file that MUTANT_COVERED names. */
#include <stdio.h>
#include <stdlib.h>

enum { MAX_TEXT = 1 << 25 };

extern char __executable_start;
static unsigned char seen[MAX_TEXT];

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
    const size_t at = (size_t)((char *)__builtin_return_address(0) - &__executable_start);

    if (at < MAX_TEXT)
        seen[at] = 1;
}

__attribute__((destructor)) static void write_seen(void)
{
    const char *name = getenv("MUTANT_COVERED");
    FILE *file = name ? fopen(name, "w") : NULL;

    if (!file)
        return;
    for (size_t at = 0; at < MAX_TEXT; at++)
        if (seen[at])
            fprintf(file, "%zx\n", (size_t)&__executable_start + at);
    fclose(file);
}
