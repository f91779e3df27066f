/* Questions about the order after the schedule. */
#include "polynest/polynest.h"

#include "api/compile.h"
#include "report/inquiry.h"

static polynest_status ask(polynest *p, struct inquiry inquiry, int *yes)
{
    const polynest_status status = compile_run(p, &(struct goal){.kind = GOAL_ASK, .inquiry = &inquiry});

    *yes = status == POLYNEST_OK && inquiry.yes;
    return status;
}

polynest_status polynest_is_legal(polynest *p, int *yes)
{
    return ask(p, (struct inquiry){.question = QUESTION_LEGAL}, yes);
}

polynest_status polynest_is_parallel(polynest *p, const char *loop, int *yes)
{
    return ask(p, (struct inquiry){.question = QUESTION_PARALLEL, .loops = loop}, yes);
}

polynest_status polynest_is_permutable(polynest *p, const char *loops, int *yes)
{
    return ask(p, (struct inquiry){.question = QUESTION_PERMUTABLE, .loops = loops}, yes);
}

polynest_status polynest_footprint(polynest *p, const char *loop, const char *array, int *exact)
{
    return ask(p, (struct inquiry){.question = QUESTION_FOOTPRINT, .loops = loop, .array = array}, exact);
}
