/* Nodes of the tree, one after the other. */
#include "machine.h"

#include "program/program.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void machine_fault(struct machine *machine, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(machine->fault, sizeof(machine->fault), format, args);
    va_end(args);
    longjmp(machine->stop, 1);
}

void machine_stopped(void)
{
#ifdef __SANITIZE_ADDRESS__
    enum { DEEP = 1 << 18 };

    __asan_unpoison_memory_region((char *)__builtin_frame_address(0) - DEEP, DEEP);
#endif
}

_Noreturn void machine_lacks(struct machine *machine, const char *what)
{
    machine->lacks = true;
    machine_fault(machine, "the machine has no %s", what);
}

int64_t machine_choose(struct machine *machine, int64_t n)
{
    uint64_t z = machine->order += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (int64_t)((z ^ z >> 31) % (uint64_t)n);
}

static void declare(struct thread *thread, const struct node *node)
{
    for (int k = 0; k < node->n_own; k++)
        space_declare(thread, node->own[k]);
    for (int k = 0; k < node->n_local; k++)
        space_declare(thread, node->local[k]);
}

/* What the body declares ends with it. */
static void run_body(struct thread *thread, const struct node *body)
{
    const struct binding *scope = thread->scope;

    run_node(thread, body);
    leave(thread, scope);
}

static int64_t extent_of_part(struct thread *thread, const struct part *part)
{
    const int64_t extent = affine_value(thread, part->extent);

    return extent > 0 ? extent : 0;
}

/* Of a loop whose variable starts at `first`. */
static int64_t iterations_from(struct thread *thread, const struct node *loop, int64_t first)
{
    const int64_t distance = affine_value(thread, loop->upper) - first;

    return distance == 0 || (loop->step > 0) == (distance > 0) ? distance / loop->step + 1 : 0;
}

int64_t iterations_of(struct thread *thread, const struct node *loop)
{
    int64_t n = 1;

    if (loop->kind == NODE_LOOP)
        return iterations_from(thread, loop, affine_value(thread, loop->lower));
    for (int k = 0; k < loop->n_part; k++)
        n *= extent_of_part(thread, &loop->part[k]);
    return n;
}

static void bind_integer(struct thread *thread, const struct var *var, int64_t value)
{
    bind(thread, var)->integer = value;
}

/* The coordinates of position `number` of a tuple, the last one's digit fastest. */
static void bind_tuple(struct thread *thread, const struct node *tuple, int64_t number)
{
    int64_t digit[16], rest = number;

    for (int k = tuple->n_part - 1; k >= 0; k--) {
        const int64_t extent = extent_of_part(thread, &tuple->part[k]);
        digit[k] = (k > 0 ? rest % extent : rest) + affine_value(thread, tuple->part[k].first);
        rest /= extent;
    }
    bind_integer(thread, tuple->var, number);
    for (int k = 0; k < tuple->n_part; k++)
        bind_integer(thread, tuple->part[k].var, digit[k]);
}

void bind_iteration(struct thread *thread, const struct node *loop, int64_t number)
{
    if (loop->kind == NODE_TUPLE)
        bind_tuple(thread, loop, number);
    else
        bind_integer(thread, loop->var, affine_value(thread, loop->lower) + number * loop->step);
    declare(thread, loop);
}

void run_iteration(struct thread *thread, const struct node *loop, int64_t number)
{
    const struct binding *scope = thread->scope;

    bind_iteration(thread, loop, number);
    run_node(thread, loop->child[0]);
    leave(thread, scope);
}

/* A loop that walks through positions a whole grid, or block, apart. */
static void run_walk(struct thread *thread, const struct node *loop)
{
    const bool tuple = loop->kind == NODE_TUPLE;
    const int64_t step = loop->step * launch_extent(thread, loop->axis);
    const int64_t end = tuple ? iterations_of(thread, loop) - 1 : affine_value(thread, loop->upper);

    for (int64_t at = affine_value(thread, loop->lower); step < 0 ? at >= end : at <= end; at += step) {
        const struct binding *scope = thread->scope;
        if (tuple)
            bind_tuple(thread, loop, at);
        else
            bind_integer(thread, loop->var, at);
        declare(thread, loop);
        run_node(thread, loop->child[0]);
        leave(thread, scope);
    }
}

/* The coordinates of the position that var is. */
static void run_position_tuple(struct thread *thread, const struct node *tuple)
{
    const struct binding *scope = thread->scope;
    struct affine_term term = {.factor = 1, .atom = &(struct atom){.kind = ATOM_VAR, .var = tuple->var}};

    bind_tuple(thread, tuple, affine_value(thread, &(struct affine){.n_term = 1, .term = &term}));
    declare(thread, tuple);
    run_node(thread, tuple->child[0]);
    leave(thread, scope);
}

/* The number of the iteration that comes k-th: those of a parallel loop in the order of the run. */
static int64_t chosen_iteration(const struct machine *machine, const struct node *loop, int64_t k, int64_t n)
{
    if ((!loop->threads && !loop->joined) || machine->order == 0)
        return k;
    return machine->order % 2 ? n - 1 - k : (k + n / 2) % n;
}

/* May the loop have one more iteration, by the condition at which it ends? */
static bool goes_on(struct thread *thread, const struct node *loop)
{
    return !loop->guard_value || word_true(value_of(thread, loop->guard_value, NOT_IN_LANES));
}

static void run_loop(struct thread *thread, const struct node *loop)
{
    if (loop->axis != AXIS_NONE) {
        (loop->kind == NODE_TUPLE && !loop->step ? run_position_tuple : run_walk)(thread, loop);
        return;
    }
    const int64_t n = iterations_of(thread, loop);

    if (loop->threads && loop->threads->shared) {
        run_shared_loop(thread, loop);
        return;
    }
    if (loop->threads)
        team_meet(thread);
    if (loop->once && n > 1)
        machine_fault(thread->machine, "the loop over `%s` has more than one iteration", loop->var->name);
    if (loop->threads && loop->threads->doacross)
        run_doacross(thread, loop);
    for (int64_t k = 0; k < n && goes_on(thread, loop) && !(loop->threads && loop->threads->doacross); k++)
        run_iteration(thread, loop, chosen_iteration(thread->machine, loop, k, n));
    if (loop->threads)
        team_meet(thread);
}

/* The loop goes on with the variable of the one in front of it; where it has iterations, that is where it starts. */
static void run_continued(struct thread *thread, const struct node *first, const struct node *second)
{
    const int64_t reached = affine_value(thread, first->lower) + iterations_of(thread, first) * first->step;

    if (first->var != second->var && strcmp(first->var->name, second->var->name) != 0)
        machine_fault(thread->machine, "`%s` goes on from another variable", second->var->name);
    if (iterations_from(thread, second, reached) == 0)
        return;
    if (reached != affine_value(thread, second->lower))
        machine_fault(thread->machine, "`%s` does not go on where it was", second->var->name);
    run_node(thread, second);
}

static void run_block(struct thread *thread, const struct node *block)
{
    const struct binding *scope = thread->scope;
    const bool ends = block->scope || block->n_local > 0 || block->n_own > 0;

    declare(thread, block);
    for (int k = 0; k < block->n_child; k++) {
        if (block->child[k]->continues && k > 0)
            run_continued(thread, block->child[k - 1], block->child[k]);
        else
            run_node(thread, block->child[k]);
    }
    if (ends)
        leave(thread, scope);
}

static void run_if(struct thread *thread, const struct node *node)
{
    bool holds = node->value ? word_true(value_of(thread, node->value, NOT_IN_LANES)) : node->n_alternative == 0;

    for (int k = 0; k < node->n_alternative && !holds; k++)
        holds = guard_holds(thread, &node->alternative[k]);
    if (holds)
        run_body(thread, node->child[0]);
    else if (node->n_child > 1)
        run_body(thread, node->child[1]);
}

static void run_let(struct thread *thread, const struct node *let)
{
    const struct binding *scope = thread->scope;

    if (let->vector) {
        run_vector_let(thread, let);
    } else {
        struct word *value = thread_alloc(thread, sizeof(*value));
        *value = value_of(thread, let->value, NOT_IN_LANES);
        struct binding *binding = bind(thread, let->var);
        binding->lane = value;
        binding->integer = value->integer;
    }
    run_node(thread, let->child[0]);
    leave(thread, scope);
}

static void run_pointer(struct thread *thread, const struct node *node)
{
    const struct binding *scope = thread->scope;
    const struct space *memory;
    const int64_t position = element_position(thread, &node->target, NOT_IN_LANES, 0, &memory);
    struct binding *binding = bind(thread, node->var);

    binding->base = memory;
    binding->integer = position;
    run_node(thread, node->child[0]);
    leave(thread, scope);
}

static void run_value(struct thread *thread, const struct node *node)
{
    const struct binding *scope = thread->scope;

    bind_integer(thread, node->var, affine_value(thread, node->lower));
    declare(thread, node);
    run_node(thread, node->child[0]);
    leave(thread, scope);
}

/* Runs what sees its arguments only, and the arrays around. */
static void run_arguments(struct thread *thread, const struct node *node,
                          void (*run)(struct thread *thread, const struct node *node))
{
    const struct binding *scope = thread->scope, *argument[64];

    if (node->n_argument_var > 64)
        machine_fault(thread->machine, "too many arguments");
    for (int k = 0; k < node->n_argument_var; k++)
        argument[k] = binding_of(thread, node->argument_var[k]);
    bind(thread, NULL)->barrier = true;
    for (int k = 0; k < node->n_argument_var; k++) {
        const struct binding *inside = thread->scope;
        struct binding *copy = bind(thread, NULL);
        const size_t end = copy->end;
        *copy = *argument[k];
        copy->outer = inside;
        copy->owner = thread;
        copy->end = end;
    }
    run(thread, node);
    leave(thread, scope);
}

static void run_function(struct thread *thread, const struct node *call)
{
    declare(thread, call);
    run_node(thread, call->child[0]);
}

static void run_switch(struct thread *thread, const struct node *node)
{
    const int64_t value = affine_value(thread, node->lower);

    for (int k = 0; k < node->n_child; k++)
        if (node->label[k] == value) {
            run_body(thread, node->child[k]);
            return;
        }
}

static struct word assigned(struct thread *thread, const struct node *assign, struct word old)
{
    const struct word value = value_of(thread, assign->value, NOT_IN_LANES);

    return assign->op == OP_NONE ? value : word_convert(word_binary(assign->op, old, value), old.type);
}

static void run_one_value(struct thread *thread, const struct node *assign)
{
    const struct space *memory;
    int64_t position;

    if (assign->into) {
        const struct binding *binding = binding_of(thread, assign->into->var);
        if (!binding->lane || binding->lanes > 0)
            machine_fault(thread->machine, "`%s` is no variable", assign->into->var->name);
        binding->lane[0] = word_convert(assigned(thread, assign, binding->lane[0]), assign->into->type);
        return;
    }
    if (assign->declares != DECLARE_NOTHING) {
        const struct word first = value_of(thread, assign->value, NOT_IN_LANES);
        space_declare(thread, assign->target.array);
        position = element_position(thread, &assign->target, NOT_IN_LANES, 0, &memory);
        space_write(thread, memory, position, first);
        return;
    }
    position = element_position(thread, &assign->target, NOT_IN_LANES, 0, &memory);
    const struct word old =
        assign->op == OP_NONE ? word_poison(memory->array->type) : space_read(thread, memory, position);
    space_write(thread, memory, position, assigned(thread, assign, old));
}

static void run_assign(struct thread *thread, const struct node *assign)
{
    if (thread->machine->assignments-- == 0)
        machine_lacks(thread->machine, "time for so many assignments");
    thread->streamed |= assign->streams;
    if (assign->vector) {
        run_vector_assign(thread, assign);
        return;
    }
    if (assign->guard_value && !word_true(value_of(thread, assign->guard_value, NOT_IN_LANES)))
        return;
    if (assign->tile)
        run_tile(thread, assign);
    else if (assign->warp_sum)
        run_warp_sum(thread, assign);
    else if (assign->tensor)
        run_tensor(thread, assign);
    else if (assign->neighbours || assign->asynchronous)
        run_copy(thread, assign);
    else
        run_one_value(thread, assign);
}

/* The registers lose what they held. */
static void run_tiles(struct thread *thread, const struct node *node)
{
    memset(thread->tile, 0xA5, sizeof(thread->tile));
    thread->shape = node->shape;
    run_body(thread, node->child[0]);
    thread->shape = NULL;
}

void run_node(struct thread *thread, const struct node *node)
{
    switch (node->kind) {
    case NODE_BLOCK:
        run_block(thread, node);
        break;
    case NODE_LOOP:
    case NODE_TUPLE:
        run_loop(thread, node);
        break;
    case NODE_IF:
        run_if(thread, node);
        break;
    case NODE_VALUE:
        run_value(thread, node);
        break;
    case NODE_LET:
        run_let(thread, node);
        break;
    case NODE_POINTER:
        run_pointer(thread, node);
        break;
    case NODE_ASSIGN:
        run_assign(thread, node);
        break;
    case NODE_SWITCH:
        run_switch(thread, node);
        break;
    case NODE_CALL:
        run_arguments(thread, node, run_function);
        break;
    case NODE_REGION:
        run_region(thread, node);
        break;
    case NODE_SINGLE:
        run_single(thread, node);
        break;
    case NODE_FENCE:
        thread->streamed = false;
        if (node->waits)
            wait_for(thread, WAIT_FOR_ALL, node);
        break;
    case NODE_KERNEL:
        measure_launch(thread, node);
        run_arguments(thread, node, run_kernel);
        break;
    case NODE_BARRIER:
        run_barrier(thread, node);
        break;
    case NODE_TILES:
        run_tiles(thread, node);
        break;
    case NODE_TEXT:
        run_instruction(thread, node);
        break;
    case NODE_PREFETCH:
        break;
    default:
        machine_fault(thread->machine, "a statement without its expressions");
    }
}

bool machine_run(struct machine *machine, const struct node *tree)
{
    struct thread *thread = ARENA_NEW(machine->arena, struct thread);
    const struct program *program = machine->program;

    thread->machine = machine;
    if (setjmp(machine->stop) || !thread_begin(thread, (size_t)1 << 28)) {
        machine_stopped();
        thread_end(thread);
        machine_release(machine);
        return false;
    }
    for (int k = 0; k < program->n_array; k++) {
        struct space *memory = &machine->memory[k];
        if (memory->byte)
            continue;
        memory->byte = thread_alloc(thread, (size_t)(memory->n * word_size(memory->array->type)));
        space_clear(memory);
    }
    thread->base = thread->top;
    run_node(thread, tree);
    team_meet(thread);
    thread_end(thread);
    machine_release(machine);
    return true;
}
