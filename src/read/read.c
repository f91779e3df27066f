#include "read/read.h"

#include "poly/context.h"
#include "program/complete.h"
#include "read/choose.h"
#include "read/json.h"
#include "read/reader.h"
#include "read/tunables.h"
#include "read/unchosen.h"

static void check_version(struct reader *reader, const struct value *root)
{
    const struct value *version = member(reader, root, "polynest", VALUE_INT, true);

    if (version && version->integer != 1)
        diag_error(reader->diags, "version", version->place, "this polynest reads version 1 of the format");
}

static void check_root_keys(struct reader *reader, const struct value *root)
{
    static const char *const keys[] = {"polynest", "name", "params", "assume", "scalars",  "arrays",   "nests",
                                       "schedule", "plan", "permit", "target", "tunables", "variants", NULL};

    check_keys(reader, root, keys, "a description");
}

static void read_name(struct reader *reader, const struct value *root)
{
    const struct value *name = member(reader, root, "name", VALUE_STRING, true);

    reader->program->name = "";
    if (!name || !check_name(reader, name->string, name->place, "a function"))
        return;
    reader->program->name = name->string;
    reader->program->name_place = name->place;
}

static void read_sections(struct reader *reader, const struct value *root,
                          const struct primitive *const *schedule_primitives,
                          const struct primitive *const *plan_primitives)
{
    struct program *program = reader->program;

    check_version(reader, root);
    check_root_keys(reader, root);
    read_name(reader, root);
    read_params(reader, root);
    read_assumptions(reader, root);
    read_scalars(reader, root);
    read_arrays(reader, root);
    program->permit = read_permit(reader, root);
    read_target(reader, root);
    read_nests(reader, root);
    program->schedule = read_steps(reader, root, "schedule", schedule_primitives, &program->n_schedule);
    program->plan = read_steps(reader, root, "plan", plan_primitives, &program->n_plan);
}

static struct program *new_program(struct arena *arena, isl_ctx *ctx, const struct source *source)
{
    struct program *program = ARENA_NEW(arena, struct program);

    program->arena = arena;
    program->ctx = ctx;
    program->source = source;
    return program;
}

enum status read_program(struct arena *arena, isl_ctx *ctx, const struct source *source,
                         const struct primitive *const *schedule_primitives,
                         const struct primitive *const *plan_primitives, struct diags *diags, struct program **program)
{
    return read_chosen(arena, ctx, source, &(struct choices){0}, schedule_primitives, plan_primitives, diags, program);
}

enum status read_chosen(struct arena *arena, isl_ctx *ctx, const struct source *source, const struct choices *choices,
                        const struct primitive *const *schedule_primitives,
                        const struct primitive *const *plan_primitives, struct diags *diags, struct program **program)
{
    const struct value *root = json_read(arena, source, diags), *chosen;
    struct reader reader = {.arena = arena, .diags = diags, .program = new_program(arena, ctx, source)};
    const int errors = diags->errors, first = diags->list.n;
    enum status status = STATUS_REFUSED, end;

    if (!root || !check_kind(&reader, root, VALUE_OBJECT, "a description"))
        return STATUS_REFUSED;
    chosen = choose_all(&reader, root, choices);
    if (!chosen)
        return STATUS_REFUSED;
    poly_begin(ctx);
    read_sections(&reader, chosen, schedule_primitives, plan_primitives);
    check_unchosen(&reader, root, choices->variant, schedule_primitives, plan_primitives);
    tunables_hint(&reader, root, first);
    if (diags->errors == errors)
        status = program_complete(reader.program, isl_set_copy(reader.assumed), diags);
    isl_set_free(reader.assumed);
    end = poly_end_at(ctx, diags, (struct place){source, 0, 0}, "reading the description",
                      "constants in the place of parameters leave it less to prove");
    if (end != STATUS_OK)
        return end;
    if (status == STATUS_OK)
        *program = reader.program;
    return status;
}
