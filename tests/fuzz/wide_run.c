/* A program that emitted functions are linked with: PROGRAM LIST. Each line of LIST is the name of a function, the file
 * of its records and how far floats may be from these; the functions of the table stand in the order of the lines, each
 * followed by its plain one. It prints a line for each: right, wrong, dead N (by signal N) or endless.
 *
 * Each is run in a process of its own; on a device, which processes need long to get hold of, one process runs them as
 * long as they are right: what goes wrong there may spoil what comes after it. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Of the driver: present on a device. */
void *harness_allocate(size_t size) __attribute__((weak));

struct line {
    char name[64], records[512], close[32];
};

static const char *word_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == 14 ? "endless" : "dead";
    return WEXITSTATUS(status) == 0 ? "right" : WEXITSTATUS(status) == 1 ? "wrong" : "dead";
}

static void tell(const struct line *line, int status)
{
    printf("ran %s %s %d\n", line->name, word_of(status), status);
    fflush(stdout);
}

static int run_one(const struct line *lines, int at)
{
    setenv("HARNESS_CLOSE", lines[at].close, 1);
    alarm(60);
    return harness_run(&harness_function[2 * at], lines[at].records);
}

/* Runs from a line on, in a process; *at is then the line after the last one that was run. */
static void run_some(const struct line *lines, int n, volatile int *at)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        while ((status = run_one(lines, *at)) == 0 && harness_allocate && *at + 1 < n)
            tell(&lines[(*at)++], 0);
        _exit(status);
    }
    waitpid(child, &status, 0);
    tell(&lines[(*at)++], status);
}

int main(int argc, char **argv)
{
    FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;
    volatile int *at = mmap(NULL, sizeof(*at), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct line *lines = NULL;
    int n = 0;

    if (!list || at == MAP_FAILED) {
        fprintf(stderr, "usage: PROGRAM LIST\n");
        return 3;
    }
    do {
        lines = realloc(lines, sizeof(*lines) * (size_t)(n + 1));
    } while (fscanf(list, "%63s %511s %31s", lines[n].name, lines[n].records, lines[n].close) == 3 && ++n);
    fclose(list);
    while (*at < n)
        run_some(lines, n, at);
    free(lines);
    return 0;
}
