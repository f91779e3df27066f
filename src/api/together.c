/* One file of several functions. */
#include "api/stages.h"

#include "base/names.h"
#include "target/c/several.h"
#include "target/target.h"

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

/* What parts must not be called: arguments, and the functions of variants. */
static struct names names_taken(const struct compilation *c, const char *function)
{
    struct names names = {.arena = c->arena};
    const char *const *variant;
    const int n = c->dispatch ? compile_variants(c, &variant) : 0;

    program_add_names(c->program, &names);
    for (int k = 0; k < n; k++)
        names_add(&names, arena_printf(c->arena, "%s_%s", function, variant[k]));
    return names;
}

void together_name_part(struct compilation *c)
{
    struct self_check *self = c->p->checking;
    const char **name = c->dispatch ? &c->dispatch->name : &c->program->name;

    if (!self)
        return;
    if (!self->name) {
        struct names names = names_taken(c, *name);
        self->name = arena_copy(self->arena, *name);
        self->scheduled = names_unique(&names, arena_printf(c->arena, "%s_scheduled", self->name));
        self->scheduled = arena_copy(self->arena, self->scheduled);
        self->written = names_unique(&names, arena_printf(c->arena, "%s_as_written", self->name));
        self->written = arena_copy(self->arena, self->written);
    }
    *name = self->is_last ? self->written : self->scheduled;
}

/* The description as written, and what calls it; messages are those of what is scheduled, unless only this part is
 * refused. */
static polynest_status emit_written(polynest *p, struct several *several, struct self_check *self)
{
    polynest *written = polynest_copy(p);
    polynest_status status;

    polynest_set_unscheduled(written, 1);
    polynest_set_dump(written, NULL, NULL, 0);
    written->see = NULL;
    written->checking = self;
    self->is_last = true;
    status = emit_beside(written, several);
    if (status != POLYNEST_OK)
        compile_clear(p);
    text_add(&p->result.signature, text_str(&written->result.signature));
    if (status != POLYNEST_OK) {
        text_add(&p->result.diagnostics, text_str(&written->result.diagnostics));
        text_add(&p->result.diagnostics_json, text_str(&written->result.diagnostics_json));
    }
    polynest_free(written);
    return status;
}

/* A function that checks itself: two of them, and one that calls both. */
static polynest_status emit_checked(polynest *p, struct several *several)
{
    struct self_check self = {.arena = several->arena};
    polynest_status status;

    p->checking = &self;
    status = emit_beside(p, several);
    p->checking = NULL;
    return status == POLYNEST_OK ? emit_written(p, several, &self) : status;
}

polynest_status polynest_emit_together(polynest *const *p, int n, int *failed)
{
    const char *first = p[0]->header_name ? p[0]->header_name : n > 1 ? "functions.h" : NULL;
    struct several *several = several_new(first);
    polynest_status status = POLYNEST_OK;

    for (int k = 0; k < n && status == POLYNEST_OK; k++) {
        status = (p[k]->self_check && !p[k]->unscheduled ? emit_checked : emit_beside)(p[k], several);
        *failed = status == POLYNEST_OK ? -1 : k;
    }
    if (status == POLYNEST_OK)
        several_print(several, &p[0]->result.source, &p[0]->result.header);
    several_free(several);
    return status;
}
