#define _DEFAULT_SOURCE 1
#include "run/process.h"

#include "run/told.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { MOST_OUTPUT = 1 << 22, ALARM_BEHIND = 2, WAIT_MS = 100 };

/* A group of its own, so that it can be killed with all that it started. Should this process end, it ends, too: on
 * Linux at once, else when its time is over. */
static void become(const char *folder, const char *command, int64_t seconds, int output)
{
    const struct rlimit no_core = {0, 0};
    const int nothing = open("/dev/null", O_RDONLY);

    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    setrlimit(RLIMIT_CORE, &no_core);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    setenv("TMPDIR", folder, 1);
    if (chdir(folder) == 0) {
        alarm((unsigned)seconds + ALARM_BEHIND);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    }
    _exit(127);
}

bool process_start(struct process *process, const char *folder, const char *command, int64_t seconds)
{
    int ends[2];

    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    process->id = fork();
    if (process->id == 0)
        become(folder, command, seconds, ends[1]);
    close(ends[1]);
    process->output = ends[0];
    if (process->id < 0)
        close(ends[0]);
    return process->id > 0;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Reads what is there; false at the end. */
static bool read_some(int from, struct text *text)
{
    char part[4096];
    const ssize_t n = read(from, part, sizeof(part));

    if (n > 0 && text->size < MOST_OUTPUT)
        text_add_n(text, part, (size_t)n);
    return n > 0 || (n < 0 && errno == EINTR);
}

/* Reads until nobody can write any more, time is over, or it is to stop. */
static enum ending read_all(int from, const struct run_options *options, int64_t seconds, struct text *text)
{
    const double end = now() + (double)seconds;
    struct pollfd wait = {.fd = from, .events = POLLIN};

    for (;;) {
        const int ready = poll(&wait, 1, WAIT_MS);

        if (run_stopped(options))
            return ENDED_BY_STOP;
        if (ready > 0 && !read_some(from, text))
            return ENDED_WITH_STATUS;
        if (now() > end)
            return ENDED_BY_TIME;
    }
}

void process_finish(struct process *process, const struct run_options *options, int64_t seconds,
                    struct outcome *outcome)
{
    int status = 0;

    *outcome = (struct outcome){0};
    outcome->ending = read_all(process->output, options, seconds, &outcome->text);
    close(process->output);
    if (outcome->ending != ENDED_WITH_STATUS)
        kill(-process->id, SIGKILL);
    while (waitpid(process->id, &status, 0) < 0 && errno == EINTR)
        ;
    if (outcome->ending != ENDED_WITH_STATUS)
        return;
    if (WIFSIGNALED(status))
        outcome->ending = WTERMSIG(status) == SIGALRM ? ENDED_BY_TIME : ENDED_BY_SIGNAL;
    outcome->value = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

void process_run(const char *folder, const char *command, const struct run_options *options, int64_t seconds,
                 struct outcome *outcome)
{
    struct process process;

    if (process_start(&process, folder, command, seconds)) {
        process_finish(&process, options, seconds, outcome);
        return;
    }
    *outcome = (struct outcome){.ending = ENDED_WITH_STATUS, .value = 127};
}

void outcome_print(struct text *out, const struct outcome *outcome, int64_t seconds)
{
    switch (outcome->ending) {
    case ENDED_BY_SIGNAL:
        text_addf(out, "it ended by signal %d (%s)", outcome->value, strsignal(outcome->value));
        return;
    case ENDED_BY_TIME:
        text_addf(out, "it did not end within %" PRId64 " s", seconds);
        return;
    case ENDED_BY_STOP:
        text_add(out, "it was stopped");
        return;
    case ENDED_WITH_STATUS:
        text_addf(out, "it ended with status %d", outcome->value);
    }
}

/* The driver's statuses are 2, with what the function returned, and 3 where it had no memory itself. */
bool outcome_lacks_machine(const struct outcome *outcome)
{
    const char *returned = told_after(text_str(&outcome->text), "returned");
    const int value = returned && outcome->value == 2 ? atoi(returned) : 0;

    switch (outcome->ending) {
    case ENDED_BY_STOP:
        return true;
    case ENDED_BY_SIGNAL:
        return outcome->value == SIGILL;
    case ENDED_BY_TIME:
        return false;
    case ENDED_WITH_STATUS:
        return outcome->value == 3 || value == ENOMEM || value == ENOTSUP || value == ENOSYS;
    }
    return false;
}
