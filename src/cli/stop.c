#define _DEFAULT_SOURCE 1
#include "cli/stop.h"

#include <string.h>

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

const volatile sig_atomic_t *stop_on_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_handler = stop;
    action.sa_flags = (int)SA_RESETHAND;
    for (int k = 0; k < 3; k++)
        sigaction(numbers[k], &action, NULL);
    return &stopped;
}
