/* Threads as fibers: each runs to the next place where it waits, or to its end, before the next one starts, in the
 * order of the run. What waits goes on when all that it waits for wait at the same place. */
#include "machine.h"

#include <math.h>
#include <string.h>

static void begin_thread(unsigned high, unsigned low)
{
    struct thread *thread = (struct thread *)(((uintptr_t)high << 32) | low);

    if (thread->machine->team->on_device)
        device_begin_thread(thread);
    run_node(thread, thread->start->child[0]);
    team_meet(thread);
    thread->done = true;
    swapcontext(&thread->context, &thread->machine->team->scheduler);
}

static void start_thread(struct thread *thread, const struct team *team)
{
    enum { SMALL = 1 << 17, LARGE = 1 << 19 };
    const size_t stack = team->on_device ? SMALL : LARGE, pool = 32 * stack;
    const uintptr_t address = (uintptr_t)thread;

    getcontext(&thread->context);
    if (!thread_begin(thread, pool))
        machine_fault(thread->machine, "no memory for a thread");
    thread->context.uc_stack.ss_sp = thread->pool + pool;
    thread->context.uc_stack.ss_size = stack;
    makecontext(&thread->context, (void (*)(void))begin_thread, 2, (unsigned)(address >> 32), (unsigned)address);
}

/* Runs what does not wait; false: there was nothing. */
static bool run_ready(struct team *team, uint64_t order)
{
    bool any = false;

    for (int k = 0; k < team->n; k++) {
        struct thread *thread = &team->thread[order % 2 ? team->n - 1 - k : k];
        if (thread->done || thread->wait != WAIT_FOR_NOTHING)
            continue;
        swapcontext(&team->scheduler, &thread->context);
        any = true;
    }
    return any;
}

/* Do the threads from first up to last all wait in this way at one place? */
static bool all_wait(const struct team *team, int first, int last, enum wait wait)
{
    for (int k = first; k < last; k++)
        if (team->thread[k].done || team->thread[k].wait != wait ||
            team->thread[k].wait_at != team->thread[first].wait_at)
            return false;
    return first < last;
}

static void go_on(struct team *team, int first, int last)
{
    for (int k = first; k < last; k++)
        team->thread[k].wait = WAIT_FOR_NOTHING;
}

/* What changes no value by the operator. */
static struct word neutral(enum expr_op op, enum type type)
{
    const bool real = type_is_float(type), is_signed = type_is_signed(type);
    const int64_t most = real ? 0 : is_signed ? INT64_MAX >> (64 - type_bits(type)) : -1;

    switch (op) {
    case OP_MUL:
        return real ? word_real(type, 1) : word_integer(type, 1);
    case OP_MIN:
        return real ? word_real(type, INFINITY) : word_integer(type, most);
    case OP_MAX:
        return real ? word_real(type, -INFINITY) : word_integer(type, is_signed ? -most - 1 : 0);
    case OP_AND:
        return word_integer(type, -1);
    default:
        return real ? word_real(type, 0) : word_integer(type, 0);
    }
}

/* The values of those that take part, by the operator of the place; each thread gets it. */
static void reduce_warp(struct team *team, int first, int last)
{
    const struct node *at = team->thread[first].wait_at;
    struct word sum = neutral(at->op, at->target.array->type);
    bool any = false;

    for (int k = first; k < last; k++) {
        const struct thread *thread = &team->thread[k];
        if (!thread->takes)
            continue;
        sum = any ? word_binary(at->op == OP_SUB ? OP_ADD : at->op, sum, thread->exchanged) : thread->exchanged;
        any = true;
    }
    for (int k = first; k < last; k++) {
        team->thread[k].exchanged = sum;
        team->thread[k].any = any;
    }
}

/* Lets those go on whose wait is over; false: none. */
static bool end_waits(struct team *team)
{
    const int warp = team->thread->machine->program->target.warp;
    bool any = all_wait(team, 0, team->n, WAIT_FOR_ALL);

    if (any)
        go_on(team, 0, team->n);
    for (int first = 0; first < team->n; first += warp) {
        const int last = first + warp < team->n ? first + warp : team->n;
        if (!all_wait(team, first, last, WAIT_FOR_WARP))
            continue;
        if (team->thread[first].wait_at->tensor)
            warp_tensor(&team->thread[first], last - first, team->thread[first].wait_at);
        else
            reduce_warp(team, first, last);
        go_on(team, first, last);
        any = true;
    }
    return any;
}

void team_run(struct team *team, struct thread *parent, const struct node *start)
{
    struct machine *machine = parent->machine;
    struct team *outer = machine->team;
    bool done = true;

    machine->team = team;
    for (int k = 0; k < team->n; k++) {
        struct thread *thread = &team->thread[k];
        thread->machine = machine;
        thread->scope = parent->scope;
        thread->number = k;
        thread->start = start;
        start_thread(thread, team);
    }
    while (run_ready(team, machine->order) | end_waits(team))
        continue;
    for (int k = 0; k < team->n; k++) {
        done = done && team->thread[k].done;
        thread_end(&team->thread[k]);
    }
    machine->team = outer;
    if (!done)
        machine_fault(machine, "not all threads come to a wait");
}

void team_meet(struct thread *thread)
{
    if (thread->streamed)
        machine_fault(thread->machine, "a store past the caches has no fence behind it");
}

void wait_for(struct thread *thread, enum wait wait, const struct node *node)
{
    if (!thread->machine->team)
        machine_fault(thread->machine, "threads wait for each other where there are none");
    team_meet(thread);
    thread->wait = wait;
    thread->wait_at = node;
    swapcontext(&thread->context, &thread->machine->team->scheduler);
}
