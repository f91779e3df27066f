/* set_memory: where a temporary is. What its final shape allows is checked when that is known (storage/contract.h). */
#include "plan/cache/options.h"
#include "program/rewrite.h"
#include "sched/program_step.h"

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct program *program = schedule->program;
    const struct array *array = program_array(program, step_string(step, "set_memory", ""));
    const struct place place = step_place(step, "set_memory");
    struct program *changed;
    enum memory memory;

    if (!array)
        return edit_no_array(schedule, place, step_string(step, "set_memory", ""));
    if (array->role != ROLE_TEMP)
        return edit_refuse(schedule, place, "set_memory", "cache it", "`%s` is an argument: its memory is the caller's",
                           array->name);
    if (memory_argument(schedule, step, "to", &memory, NULL) != STATUS_OK)
        return STATUS_REFUSED;
    changed = program_copy_arrays(schedule->arena, program);
    changed->array[array - program->array].memory = memory;
    changed->array[array - program->array].memory_place = step->place;
    changed->array[array - program->array].in_registers = false;
    return program_step_replace(schedule, changed);
}

static const struct argument arguments[] = {
    {.key = "set_memory", .kind = ARGUMENT_TEXT, .required = true, .doc = "a temporary array or a buffer"},
    {.key = "to",
     .kind = ARGUMENT_CHOICE,
     .choices = MEMORY_CHOICES,
     .required = true,
     .doc = "shared, local and global need a GPU; register is refused"},
    {0},
};

const struct primitive primitive_set_memory = {
    .name = "set_memory",
    .summary = "choose where a temporary is",
    .rule = "The temporary or the buffer is put on the stack, on the heap or in static memory; on "
            "a GPU in shared, local or global memory. Registers are a `cache`'s: it promises that "
            "all elements stay there.",
    .proved = "The target has this memory. Memory of a thread is not read by another one, and "
              "shared memory not by another block.",
    .argument = arguments,
    .apply = apply,
};
