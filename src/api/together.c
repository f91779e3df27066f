/* One file of several functions. */
#include "api/compile.h"
#include "target/c/several.h"

/* Once more, with other names, where those before have some of the function's for something else. */
static polynest_status emit_beside(polynest *p, struct several *several)
{
    polynest_status status;

    p->several = several;
    several->again = false;
    several->clash = NULL;
    several->taken.n = 0;
    status = polynest_emit(p);
    if (status == POLYNEST_REFUSED && several->clash) {
        several->again = true;
        status = polynest_emit(p);
    }
    p->several = NULL;
    return status;
}

polynest_status polynest_emit_together(polynest *const *p, int n, int *failed)
{
    struct several *several = several_new(p[0]->header_name ? p[0]->header_name : "functions.h");
    polynest_status status = POLYNEST_OK;

    for (int k = 0; k < n && status == POLYNEST_OK; k++) {
        status = emit_beside(p[k], several);
        *failed = status == POLYNEST_OK ? -1 : k;
    }
    if (status == POLYNEST_OK)
        several_print(several, &p[0]->result.source, &p[0]->result.header);
    several_free(several);
    return status;
}
