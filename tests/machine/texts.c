/* Texts of instructions. The machine runs the loops that a text replaces. Before that, the interpreter of descriptions
 * runs the instruction's own nest on the operands that the text gets, laid out as the instruction's arrays: both have
 * to leave the same memory. */
#include "machine.h"

#include "../oracle/interpret.h"

#include "program/instruction.h"
#include "program/program.h"

#include <inttypes.h>
#include <string.h>

/* Memory in which operands are, and what it holds when the text has run. */
struct touched {
    const struct space *memory;
    unsigned char *byte;
};

struct operands {
    const struct instruction *instruction;
    const struct space **memory; /* of each array of the instruction's; NULL: a variable of its own */
    int64_t *first;              /* position of its first element there */
    struct touched *touched;
    int n_touched;
};

/* The parameters and scalars, the first arguments. */
static void give_numbers(struct thread *thread, const struct node *text, struct run *run)
{
    const struct program *own = run->program;

    for (int k = 0; k < own->n_scalar; k++) {
        const struct word word = value_of(thread, text->value->arg[own->n_param + k], NOT_IN_LANES);
        const enum type type = own->scalar[k].type;

        run->scalar[k] = type_is_float(type) ? datum_real(type, word.real) : datum_integer(type, word.integer);
    }
}

static bool is_inside(const struct space *memory, int64_t position)
{
    return position >= 0 && position < memory->n;
}

/* The operand's elements as they are, with those between them; what is not in memory stays without a value. */
static void give_elements(const struct operands *operands, struct run *run, int k)
{
    struct storage *storage = &run->storage[k];
    const size_t size = (size_t)datum_size(storage->array->type);

    for (int64_t p = 0; p < storage->n && operands->memory[k]; p++) {
        const int64_t position = operands->first[k] + p;

        storage->written[p] = is_inside(operands->memory[k], position);
        if (storage->written[p])
            memcpy(storage->byte + (size_t)p * size, operands->memory[k]->byte + (size_t)position * size, size);
    }
}

static struct touched *touch(struct thread *thread, struct operands *operands, const struct space *memory)
{
    const size_t bytes = (size_t)(memory->n * word_size(memory->array->type));
    struct touched *touched = operands->touched;

    while (touched < operands->touched + operands->n_touched && touched->memory->byte != memory->byte)
        touched++;
    if (touched < operands->touched + operands->n_touched)
        return touched;
    *touched = (struct touched){memory, thread_alloc(thread, bytes + 1)};
    memcpy(touched->byte, memory->byte, bytes);
    operands->n_touched++;
    return touched;
}

/* What became of the operand's elements, as they are then in memory; NULL, or what is wrong. */
static const char *take_elements(struct operands *operands, const struct run *run, int k)
{
    const struct storage *storage = &run->storage[k];
    const struct space *memory = operands->memory[k];
    const size_t size = (size_t)datum_size(storage->array->type);

    for (int64_t p = 0; p < storage->n && memory; p++) {
        const int64_t position = operands->first[k] + p;
        const unsigned char *now = storage->byte + (size_t)p * size;

        if (!is_inside(memory, position)) {
            if (storage->written[p])
                return "writes elements that are not there";
            continue;
        }
        for (int t = 0; t < operands->n_touched; t++)
            if (operands->touched[t].memory->byte == memory->byte &&
                memcmp(now, memory->byte + (size_t)position * size, size) != 0)
                memcpy(operands->touched[t].byte + (size_t)position * size, now, size);
    }
    return NULL;
}

/* Runs the instruction's own nest on what the operands say; NULL, or what is wrong with them. */
static const char *run_own_nest(struct thread *thread, const struct node *text, struct operands *operands,
                                const int64_t *param)
{
    const struct program *own = operands->instruction->program;
    const char *wrong = NULL;
    struct run run;

    run_init(&run, own, param);
    give_numbers(thread, text, &run);
    for (int k = 0; k < own->n_array; k++)
        give_elements(operands, &run, k);
    if (!run_program(&run))
        wrong = "reads elements that are not there";
    for (int k = 0; k < own->n_array && !wrong; k++)
        wrong = take_elements(operands, &run, k);
    run_free(&run);
    return wrong;
}

/* Where the call's state is, which its last part writes; NULL: it has none. */
static const struct element *state_of(const struct instruction *instruction, const struct node *computes)
{
    const struct node *last = computes->n_child > 0 ? computes->child[computes->n_child - 1] : computes;

    return instruction->state && last->kind == NODE_ASSIGN ? &last->target : NULL;
}

static void find_operands(struct thread *thread, const struct node *text, struct operands *operands)
{
    const struct program *own = operands->instruction->program;
    const struct tree_expr *const *arg = text->value->arg + own->n_param + own->n_scalar;
    const struct element *state = state_of(operands->instruction, text->child[0]);

    operands->memory = thread_alloc(thread, (size_t)(own->n_array + 1) * sizeof(*operands->memory));
    operands->first = thread_alloc(thread, (size_t)(own->n_array + 1) * sizeof(*operands->first));
    operands->touched = thread_alloc(thread, (size_t)(own->n_array + 1) * sizeof(*operands->touched));
    for (int k = 0; k < own->n_array; k++) {
        const bool is_state = own->array[k].is_call && own->array[k].full_storage;
        const struct element *element = k < instruction_arrays(operands->instruction) ? &arg[k]->element
                                        : is_state                                    ? state
                                                                                      : NULL;

        operands->memory[k] = NULL;
        if (!element)
            continue;
        operands->first[k] = element_position(thread, element, NOT_IN_LANES, 0, &operands->memory[k]);
        touch(thread, operands, operands->memory[k]);
    }
}

static const int64_t *parameters(struct thread *thread, const struct node *text, const struct instruction *instruction)
{
    const struct program *own = instruction->program;
    int64_t *param = thread_alloc(thread, (size_t)(own->n_param + 1) * sizeof(*param));

    for (int k = 0; k < own->n_param; k++) {
        param[k] = value_of(thread, text->value->arg[k], NOT_IN_LANES).integer;
        if (param[k] < 0)
            machine_fault(thread->machine, "the text of `%s` gets %s = %" PRId64, instruction->name, own->param[k].name,
                          param[k]);
    }
    return param;
}

static bool same_value(enum type type, const unsigned char *a, const unsigned char *b)
{
    const struct word x = word_load(type, a), y = word_load(type, b);

    return memcmp(a, b, (size_t)word_size(type)) == 0 || (type_is_float(type) && x.real != x.real && y.real != y.real);
}

/* Do the loops leave in memory what the nest did? */
static void compare(struct thread *thread, const struct operands *operands)
{
    for (int t = 0; t < operands->n_touched; t++) {
        const struct space *memory = operands->touched[t].memory;
        const size_t size = (size_t)word_size(memory->array->type);

        for (int64_t p = 0; p < memory->n; p++)
            if (!same_value(memory->array->type, memory->byte + (size_t)p * size,
                            operands->touched[t].byte + (size_t)p * size))
                machine_fault(thread->machine,
                              "the nest of `%s`, on the operands of its text, leaves another %s[%" PRId64 "]",
                              operands->instruction->name, memory->array->name, p);
    }
}

void run_instruction(struct thread *thread, const struct node *text)
{
    struct operands operands = {.instruction = program_instruction(thread->machine->program, text->instruction)};
    const struct binding *outside = thread->scope;
    const char *wrong;

    if (!operands.instruction)
        machine_fault(thread->machine, "there is no instruction `%s`", text->instruction);
    find_operands(thread, text, &operands);
    wrong = run_own_nest(thread, text, &operands, parameters(thread, text, operands.instruction));
    if (wrong)
        machine_fault(thread->machine, "the text of `%s` %s", text->instruction, wrong);
    bind(thread, NULL);
    run_node(thread, text->child[0]);
    compare(thread, &operands);
    leave(thread, outside);
}
