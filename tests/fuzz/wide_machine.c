#include "wide_machine.h"

#include "../machine/judge.h"

#include <time.h>

double wide_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void see(const struct finished *finished, void *user)
{
    struct wide_seen *seen = user;
    struct judge judge = {.finished = finished, .close = seen->close, .orders = 2, .assignments = 200000};
    struct prng inputs = {.state = 1, .whole = seen->whole};

    seen->took -= wide_seconds();
    for (int k = 0; k < SEEN_SIZES && !judge.lacks && !seen->reason.size; k++)
        if (run_allowed(finished->described, seen->size[k]))
            judge_size(&judge, seen->size[k], NULL, &inputs, &seen->reason);
    seen->ran |= judge.runs > 0 && !judge.lacks;
    seen->took += wide_seconds();
}

void wide_watch(polynest *p, struct wide_seen *seen)
{
    p->see = see;
    p->see_user = seen;
}
