#include "plan/cache/options.h"

#include "caps/gpu.h"
#include "caps/language.h"

#include <string.h>

static enum status refuse(struct schedule *schedule, const struct step *step, const char *key, const char *hint,
                          const char *text)
{
    return edit_refuse(schedule, step_place(step, key), step->primitive->name, hint, "%s", text);
}

enum status memory_argument(struct schedule *schedule, const struct step *step, const char *key, enum memory *memory,
                            bool *registers)
{
    static const struct {
        const char *name;
        enum memory memory;
        bool device;
    } rows[] = {{"stack", MEMORY_STACK, false}, {"heap", MEMORY_HEAP, false},    {"static", MEMORY_STATIC, false},
                {"local", MEMORY_LOCAL, true},  {"shared", MEMORY_SHARED, true}, {"global", MEMORY_GLOBAL, true}};
    const char *name = step_string(step, key, NULL);
    const bool device = gpu_by_language(schedule->program->target.language) != NULL;

    *memory = MEMORY_AUTO;
    if (!name)
        return STATUS_OK;
    for (int k = 0; k < 6; k++)
        if (strcmp(rows[k].name, name) == 0 && rows[k].device == device) {
            *memory = rows[k].memory;
            return STATUS_OK;
        }
    if (strcmp(name, "register") == 0 && registers)
        *registers = true;
    if (strcmp(name, "register") == 0)
        return registers ? STATUS_OK
                         : refuse(schedule, step, key, "`cache` with \"memory\": \"register\" in the plan promises it",
                                  "nothing promises that all its elements stay in registers");
    if (device)
        return edit_refuse(schedule, step_place(step, key), step->primitive->name, "a GPU has local, shared and global",
                           "the memory `%s` is that of a C function", name);
    return edit_refuse(schedule, step_place(step, key), step->primitive->name, "C has stack, heap and static",
                       "the memory `%s` is a GPU's, and the target language is C", name);
}

static enum status read_align(struct schedule *schedule, const struct step *step, int64_t *align)
{
    enum { MOST = 1 << 16 };

    *align = step_int(step, "align", 0);
    if ((*align & (*align - 1)) == 0 && *align <= MOST)
        return STATUS_OK;
    return edit_refuse(schedule, step_place(step, "align"), "range", NULL,
                       "an alignment is a power of two, in bytes, up to %d", MOST);
}

static enum status read_type(struct schedule *schedule, const struct step *step, enum type from, enum type *to)
{
    const char *name = step_string(step, "type", type_name(from));

    if (!type_by_name(name, to))
        return edit_refuse(schedule, step_place(step, "type"), "type", NULL, "there is no type `%s`", name);
    if (type_holds(*to, from) || (type_is_float(*to) && from != TYPE_BOOL))
        return STATUS_OK;
    return edit_refuse(schedule, step_place(step, "type"), "type", NULL, "%s does not hold every value of %s", name,
                       type_name(from));
}

/* What is asked of the way in which copies fill the buffer. */
static enum status check_way(struct schedule *schedule, const struct step *step, const struct buffer_options *options)
{
    const struct target_options *target = &schedule->program->target;
    const struct gpu *gpu = gpu_by_language(target->language);

    if (options->asynchronous && gpu && gpu->lacks_async)
        return refuse(schedule, step, "async", "without it threads copy, and wait at the barrier",
                      arena_printf(schedule->arena, "%s has no asynchronous copies",
                                   language_by_name(target->language)->title));
    if (options->asynchronous && options->memory != MEMORY_SHARED)
        return refuse(schedule, step, "async", "\"memory\": \"shared\"", "asynchronous copies fill shared memory only");
    if (options->through && options->memory != MEMORY_SHARED)
        return refuse(schedule, step, "through", "\"memory\": \"shared\"",
                      "only shared memory is filled by way of registers");
    if (options->through && options->asynchronous)
        return refuse(schedule, step, "through", "leave one of the two out",
                      "asynchronous copies do not go through registers");
    if (step_value(step, "buffers") && step_int(step, "double_buffer", 0) != 0)
        return refuse(schedule, step, "double_buffer", "leave it out", "\"buffers\" says how many there are");
    if (options->through && options->buffers > 2)
        return refuse(schedule, step, "buffers", "copies that are asynchronous run so far ahead: \"async\"",
                      "by way of registers one iteration is filled ahead");
    if (step_value(step, "copy") && options->memory != MEMORY_SHARED)
        return refuse(schedule, step, "copy", "\"memory\": \"shared\"",
                      "only shared memory is filled by several threads together");
    return STATUS_OK;
}

enum status buffer_options(struct schedule *schedule, const struct step *step, const struct array *array,
                           struct buffer_options *options)
{
    const bool plans = strcmp(step->primitive->name, "cache") == 0;
    enum status status =
        memory_argument(schedule, step, "memory", &options->memory, plans ? &options->in_registers : NULL);

    if (status == STATUS_OK)
        status = read_align(schedule, step, &options->align);
    if (status == STATUS_OK)
        status = read_type(schedule, step, array->type, &options->type);
    options->follows = plans && (options->in_registers || options->memory == MEMORY_LOCAL);
    options->pad = step_int(step, "pad", 0);
    options->thrifty = step_int(step, "thrifty", 0) != 0;
    options->buffers = (int)step_int(step, "buffers", step_int(step, "double_buffer", 0) != 0 ? 2 : 1);
    options->asynchronous = step_int(step, "async", 0) != 0;
    options->only_written = step_string(step, "only", NULL) != NULL;
    options->through = step_string(step, "through", NULL) != NULL;
    return status == STATUS_OK ? check_way(schedule, step, options) : status;
}
