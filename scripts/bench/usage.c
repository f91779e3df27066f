/* usage COMMAND ARGUMENT..: runs it with its output thrown away; prints microseconds of processor time, user and system,
 * and the most memory in KiB that it had. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long microseconds(struct timeval t)
{
    return (long)t.tv_sec * 1000000 + (long)t.tv_usec;
}

int main(int argc, char **argv)
{
    struct rusage usage;
    int status;
    pid_t child;

    if (argc < 2)
        return 2;
    child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), 1);
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0)
        return 1;
    /* What a compiler's driver starts counts, too. */
    printf("%ld %ld\n", microseconds(usage.ru_utime) + microseconds(usage.ru_stime), usage.ru_maxrss);
    return 0;
}
