/* What a signal asks a running verb to do. */
#ifndef CLI_STOP_H
#define CLI_STOP_H

#include <signal.h>

/* From now on the first SIGINT, SIGTERM or SIGHUP sets what this returns; the second one ends the program. */
const volatile sig_atomic_t *stop_on_signals(void);

#endif
