#include "read/format/format.h"

#include "api/compile.h"
#include "base/diag.h"

polynest_status polynest_format(polynest *p)
{
    struct arena *arena = arena_new();
    struct diags *diags = diags_new(arena);
    const struct source source = {p->input_name, p->input, p->input_size};
    bool done;

    compile_clear(p);
    done = format_source(arena, &source, diags, &p->result.output);
    diags_print(diags, &p->result.diagnostics);
    diags_print_json(diags, &p->result.diagnostics_json);
    arena_free(arena);
    return done ? POLYNEST_OK : POLYNEST_REFUSED;
}
