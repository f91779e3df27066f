/* Programs of any nests, with any steps. */
#include "wide.h"

#include <string.h>

void wide_free(struct wide *wide)
{
    const int permits = pick(wide, 100);

    target_draw(wide);
    wide->cuda = chance(wide, 8) || wide->devices;
    wide->reassociate = permits < 16;
    wide->contract = permits >= 10 && permits < 26;
    wide->whole = wide->plain_data = wide->reassociate || wide->contract;
    wide->names = chance(wide, 20);
    if (wide->names)
        has(wide, WIDE_NAMES);
    wide->check_args = chance(wide, 10);
    wide->type = type_draw(wide);
    frame_draw(wide);
    nests_draw(wide);
    schedule_draw(wide);
    if (wide->cuda)
        bind_draw(wide);
    else
        plan_draw(wide);
    variant_draw(wide, 10);
}
