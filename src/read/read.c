#include "read/read.h"

#include "poly/context.h"
#include "program/complete.h"
#include "read/calls.h"
#include "read/choose/choose.h"
#include "read/choose/dispatch.h"
#include "read/choose/functions.h"
#include "read/json.h"
#include "read/reader.h"
#include "read/choose/tunables.h"
#include "read/choose/unchosen.h"
#include "read/while_loops.h"

static void read_version(struct reader *reader, const struct value *version, void *into)
{
    (void)into;
    if (version->integer != 1)
        diag_error(reader->diags, "version", version->place, "this polynest reads version 1 of the format");
}

static void read_name(struct reader *reader, const struct value *name, void *into)
{
    struct program *program = into;

    if (!check_function_name(reader, name->string, name->place))
        return;
    program->name = name->string;
    program->name_place = name->place;
}

static void read_permissions(struct reader *reader, const struct value *list, void *into)
{
    struct program *program = into;

    read_permit(reader, list, &program->permit);
}

static void read_options(struct reader *reader, const struct value *object, void *into)
{
    struct program *program = into;

    read_target(reader, object, &program->target);
}

static void read_schedule(struct reader *reader, const struct value *steps, void *into)
{
    struct program *program = into;

    program->schedule = read_steps(reader, steps, reader->schedule_primitives, &program->n_schedule);
}

static void read_plan(struct reader *reader, const struct value *steps, void *into)
{
    struct program *program = into;

    program->plan = read_steps(reader, steps, reader->plan_primitives, &program->n_plan);
}

static const struct argument form_param[] = {{.key = "a parameter", .kind = ARGUMENT_NAME},
                                             {.key = "a parameter", .kind = ARGUMENT_OBJECT, .object = &object_param},
                                             {0}};
static const struct argument form_scalar[] = {{.key = "a scalar", .kind = ARGUMENT_OBJECT, .object = &object_scalar}};
static const struct argument form_array[] = {{.key = "an array", .kind = ARGUMENT_OBJECT, .object = &object_view},
                                             {.key = "an array", .kind = ARGUMENT_OBJECT, .object = &object_array},
                                             {0}};
static const struct argument form_nest[] = {{.key = "a nest", .kind = ARGUMENT_OBJECT, .object = &object_nest}};
static const struct argument form_variant[] = {
    {.key = "a variant", .kind = ARGUMENT_OBJECT, .object = &object_variant}};
static const struct argument form_instruction[] = {
    {.key = "an instruction", .kind = ARGUMENT_OBJECT, .object = &object_instruction}};
static const struct argument form_assumption[] = {{.key = "an assumption", .kind = ARGUMENT_CONDITION}};
static const struct argument form_values[] = {{.key = "a value", .kind = ARGUMENT_ANY}};
static const struct argument form_tunable[] = {{.key = "a tunable", .kind = ARGUMENT_LIST, .form = form_values},
                                               {.key = "a tunable", .kind = ARGUMENT_OBJECT, .object = &object_tunable},
                                               {0}};
static const struct argument one_of_params[] = {{.key = "a parameter", .kind = ARGUMENT_FORMS, .form = form_param}};
static const struct argument one_of_arrays[] = {{.key = "an array", .kind = ARGUMENT_FORMS, .form = form_array}};
static const struct argument one_of_tunables[] = {{.key = "a tunable", .kind = ARGUMENT_FORMS, .form = form_tunable}};

#define SCHEDULE                                                                                                       \
    {                                                                                                                  \
        .key = "schedule", .kind = ARGUMENT_STEPS, .choices = "schedule", .fallback = "[]",                            \
        .doc = "the steps that change the order in which instances run", .read = read_schedule                         \
    }
#define PLAN                                                                                                           \
    {                                                                                                                  \
        .key = "plan", .kind = ARGUMENT_STEPS, .choices = "plan", .fallback = "[]",                                    \
        .doc = "the steps that realise loops and arrays on the target", .read = read_plan                              \
    }
#define TARGET                                                                                                         \
    {                                                                                                                  \
        .key = "target", .kind = ARGUMENT_OBJECT, .object = &object_target,                                            \
        .fallback = "C without vectors and threads", .doc = "what is emitted", .read = read_options                    \
    }
#define PERMIT(text)                                                                                                   \
    {                                                                                                                  \
        .key = "permit", .kind = ARGUMENT_LIST, .form = form_permit, .fallback = "[]", .doc = text,                    \
        .read = read_permissions                                                                                       \
    }
#define SET                                                                                                            \
    {                                                                                                                  \
        .key = "set", .kind = ARGUMENT_MEMBERS, .form = form_values, .doc = "values of tunables, by name"              \
    }

#define SCHEMA                                                                                                         \
    {                                                                                                                  \
        .key = "$schema", .kind = ARGUMENT_TEXT, .doc = "where an editor finds the schema; nothing else looks at it"   \
    }
#define FORMAT_VERSION(needed)                                                                                         \
    {                                                                                                                  \
        .key = "polynest", .kind = ARGUMENT_INT, .required = needed, .choices = "1",                                   \
        .doc = "the version of the format, 1", .read = read_version                                                    \
    }
#define FUNCTION_NAME                                                                                                  \
    {                                                                                                                  \
        .key = "name", .kind = ARGUMENT_NAME, .required = true, .doc = "of the function", .read = read_name            \
    }
#define PARAMS                                                                                                         \
    {                                                                                                                  \
        .key = "params", .kind = ARGUMENT_LIST, .form = one_of_params,                                                 \
        .doc =                                                                                                         \
            "the integers in sizes and bounds: `\"N\"` is an `i64`, `{\"name\": \"N\", \"type\": \"i32\"}` another",   \
        .read = read_params, .declares = true                                                                          \
    }
#define ASSUME                                                                                                         \
    {                                                                                                                  \
        .key = "assume", .kind = ARGUMENT_LIST, .form = form_assumption,                                               \
        .doc = "conditions on them that callers keep: `\"N >= 3\"`, `\"N % 4 = 0\"`", .read = read_assumptions         \
    }
#define SCALARS                                                                                                        \
    {                                                                                                                  \
        .key = "scalars", .kind = ARGUMENT_LIST, .form = form_scalar,                                                  \
        .doc = "other arguments: `{\"name\": \"alpha\", \"type\": \"f32\"}`", .read = read_scalars, .declares = true   \
    }
#define ARRAYS(needed)                                                                                                 \
    {                                                                                                                  \
        .key = "arrays", .kind = ARGUMENT_LIST, .form = one_of_arrays, .required = needed,                             \
        .doc = "arguments that have elements, temporaries, tables, and views of these", .read = read_arrays,           \
        .declares = true                                                                                               \
    }
#define DESCRIPTION_PERMIT                                                                                             \
    PERMIT("what may change results: `\"reassociate\"` (sums in another order), `\"contract\"` (fused multiply-add), " \
           "`\"approximate\"` (other functions and types); a nest may have its own, for its statements only, and "     \
           "`--permit=contract` adds to all")
#define NESTS                                                                                                          \
    {                                                                                                                  \
        .key = "nests", .kind = ARGUMENT_LIST, .form = form_nest, .required = true,                                    \
        .doc = "what is computed; their order is the meaning", .read = read_nests                                      \
    }
#define INSTRUCTIONS                                                                                                   \
    {                                                                                                                  \
        .key = "instructions", .kind = ARGUMENT_LIST, .form = form_instruction,                                        \
        .doc = "text that computes what a nest says, for the step `tensorize`, and functions that statements call: "   \
               "hand-written kernels, calls of libraries",                                                             \
        .read = read_instructions                                                                                      \
    }
#define TUNABLES                                                                                                       \
    {                                                                                                                  \
        .key = "tunables", .kind = ARGUMENT_MEMBERS, .form = one_of_tunables,                                          \
        .doc = "values that callers choose, by name: `{\"tile\": [16, 32, 64]}`"                                       \
    }
#define VARIANTS                                                                                                       \
    {                                                                                                                  \
        .key = "variants", .kind = ARGUMENT_LIST, .form = form_variant,                                                \
        .doc = "other schedules, plans and targets, by name"                                                           \
    }

static const struct argument keys[] = {
    SCHEMA, FORMAT_VERSION(true), FUNCTION_NAME, PARAMS,   ASSUME, SCALARS,  ARRAYS(true), DESCRIPTION_PERMIT,
    TARGET, INSTRUCTIONS,         NESTS,         SCHEDULE, PLAN,   TUNABLES, VARIANTS,     {0}};
const struct object_type object_description = {.name = "description",
                                               .title = "a description",
                                               .rule = "The whole file: what is computed, in which order and how.",
                                               .each = true,
                                               .key = keys};

static const struct argument function_keys[] = {FORMAT_VERSION(false),
                                                FUNCTION_NAME,
                                                PARAMS,
                                                ASSUME,
                                                SCALARS,
                                                ARRAYS(false),
                                                DESCRIPTION_PERMIT,
                                                TARGET,
                                                INSTRUCTIONS,
                                                NESTS,
                                                SCHEDULE,
                                                PLAN,
                                                TUNABLES,
                                                VARIANTS,
                                                {0}};
const struct object_type object_function = {
    .name = "function",
    .title = "a function",
    .rule =
        "One of the functions of a file: a description, to which the keys beside the list apply where it does not have "
        "them itself.",
    .each = true,
    .key = function_keys};

static const struct argument form_function[] = {
    {.key = "a function", .kind = ARGUMENT_OBJECT, .object = &object_function}};
static const struct argument several_keys[] = {
    SCHEMA,
    FORMAT_VERSION(true),
    {.key = "functions",
     .kind = ARGUMENT_LIST,
     .form = form_function,
     .required = true,
     .doc = "the functions, in order: descriptions, which need not repeat the keys beside the list"},
    PARAMS,
    ASSUME,
    SCALARS,
    ARRAYS(false),
    DESCRIPTION_PERMIT,
    TARGET,
    INSTRUCTIONS,
    TUNABLES,
    {0}};
const struct object_type object_several = {.name = "functions",
                                           .title = "a file of several functions",
                                           .rule = "Several functions in one file. The keys beside the list apply to "
                                                   "each function that does not have them itself.",
                                           .each = true,
                                           .mark = "functions",
                                           .key = several_keys};

static const struct argument variant_keys[] = {{.key = "name",
                                                .kind = ARGUMENT_NAME,
                                                .required = true,
                                                .doc =
                                                    "what `--variant` chooses it by; it follows the function's name"},
                                               {.key = "when",
                                                .kind = ARGUMENT_CONDITION,
                                                .doc =
                                                    "of parameters and scalars: without `--variant` the function "
                                                    "has all variants, and runs the first whose condition holds; the "
                                                    "last one has none",
                                                .read = read_when},
                                               {.key = "when_supported",
                                                .kind = ARGUMENT_BOOL,
                                                .fallback = "false",
                                                .doc = "only where the processor, which is asked at each call, has the "
                                                       "instructions of the variant's `simd`, one of sse4.2, avx2, "
                                                       "avx512 and amx; a `\"when\"` beside it must hold, too",
                                                .read = read_when_supported},
                                               PERMIT("permissions besides the description's"),
                                               TARGET,
                                               SCHEDULE,
                                               PLAN,
                                               SET,
                                               {0}};
const struct object_type object_variant = {
    .name = "variant",
    .title = "a variant",
    .rule = "Another schedule, plan or target for the same nests: what it has replaces the description's.",
    .each = true,
    .key = variant_keys};

static const struct argument file_keys[] = {
    {.key = "polynest", .kind = ARGUMENT_INT, .choices = "1", .doc = "the version of the format, 1"},
    PERMIT("permissions besides the description's"),
    TARGET,
    SCHEDULE,
    PLAN,
    SET,
    {.key = "variants",
     .kind = ARGUMENT_LIST,
     .form = form_variant,
     .doc = "variants in the place of the description's"},
    {0}};
const struct object_type object_schedule_file = {.title = "a schedule file", .key = file_keys};

static struct program *new_program(struct arena *arena, isl_ctx *ctx, const struct source *source)
{
    struct program *program = ARENA_NEW(arena, struct program);

    program->arena = arena;
    program->ctx = ctx;
    program->source = source;
    program->name = "";
    target_defaults(&program->target);
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
    const struct value *root = json_read(arena, source, diags), *file, *chosen;
    struct reader reader = {.arena = arena,
                            .diags = diags,
                            .program = new_program(arena, ctx, source),
                            .schedule_primitives = schedule_primitives,
                            .plan_primitives = plan_primitives};
    const int errors = diags->errors, first = diags->list.n;
    enum status status = STATUS_REFUSED, end;

    if (!root || !check_kind(&reader, root, VALUE_OBJECT, "a description"))
        return STATUS_REFUSED;
    root = choose_function(&reader, root, choices->function);
    if (!root || !choose_file(&reader, choices->schedule, &file))
        return STATUS_REFUSED;
    root = choose_variants(&reader, root, file);
    chosen = choose_all(&reader, root, file, choices);
    if (!chosen)
        return STATUS_REFUSED;
    reader.n_made = while_count(chosen) + call_arrays(chosen);
    poly_begin(ctx);
    read_object(&reader, &object_description, chosen, reader.program);
    check_dispatch(&reader, root);
    if (reader.when)
        read_when(&reader, reader.when, reader.program);
    if (reader.when_supported && check_kind(&reader, reader.when_supported, VALUE_BOOL, "\"when_supported\""))
        read_when_supported(&reader, reader.when_supported, reader.program);
    check_unchosen(&reader, root, choices->variant);
    tunables_hint(&reader, root, first);
    if (diags->errors == errors)
        status = program_complete(reader.program, isl_set_copy(reader_assumed(&reader)), diags);
    isl_set_free(reader.assumed);
    end = poly_end_at(ctx, diags, (struct place){source, 0, 0}, "reading the description",
                      "constants in the place of parameters leave it less to prove");
    if (end != STATUS_OK)
        return end;
    if (status == STATUS_OK)
        *program = reader.program;
    return status;
}
