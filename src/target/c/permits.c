#include "target/c/file.h"

/* "reassociate (sums in another order), approximate"; *told are those that were explained before. */
static const char *permits_text(struct arena *arena, unsigned permit, unsigned *told)
{
    static const char *const names[] = {"reassociate", "contract", "approximate"};
    static const char *const meanings[] = {" (sums in another order)", " (fused multiply-add)",
                                           " (other functions and types)"};
    const char *text = NULL;

    for (int k = 0; k < 3; k++)
        if (permit & (1u << k))
            text = arena_printf(arena, "%s%s%s%s", text ? text : "", text ? ", " : "", names[k],
                                *told & (1u << k) ? "" : meanings[k]);
    *told |= permit;
    return text;
}

const char *c_permits(struct arena *arena, const struct program *program)
{
    unsigned told = 0;
    const char *text = permits_text(arena, program->permit, &told);

    for (int k = 0; k < program->n_nest; k++) {
        const struct nest *nest = &program->nest[k];
        const char *own = permits_text(arena, nest->permit & ~program->permit, &told);

        if (own)
            text = arena_printf(arena, "%s%s%s: %s", text ? text : "", text ? "; " : "", nest->name, own);
    }
    return text;
}
