/* A program that emitted functions are linked with: PROGRAM LIST. Each line of LIST is the name of a function, the file
 * of its records and how far floats may be from these; the functions of the table stand in the order of the lines, each
 * followed by its plain one. Each is run in a process of its own, and a line tells how it went: right, wrong, dead N
 * (signal) or endless. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int run_one(const struct harness_function *functions, const char *records, const char *close)
{
    int status;
    const pid_t child = fork();

    if (child == 0) {
        setenv("HARNESS_CLOSE", close, 1);
        alarm(60);
        _exit(harness_run(functions, records));
    }
    waitpid(child, &status, 0);
    return status;
}

static const char *word_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == 14 ? "endless" : "dead";
    return WEXITSTATUS(status) == 0 ? "right" : WEXITSTATUS(status) == 1 ? "wrong" : "dead";
}

int main(int argc, char **argv)
{
    char name[64], records[512], close[32];
    FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;
    int k = 0;

    if (!list) {
        fprintf(stderr, "usage: PROGRAM LIST\n");
        return 3;
    }
    for (; fscanf(list, "%63s %511s %31s", name, records, close) == 3; k += 2) {
        const int status = run_one(&harness_function[k], records, close);
        printf("ran %s %s %d\n", name, word_of(status), status);
        fflush(stdout);
    }
    fclose(list);
    return 0;
}
